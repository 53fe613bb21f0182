//! Names and how often each is declared.

/// Names, counted. A table of buckets: a tree of the standard library's would take five times its code, and a plain list
/// would make a query of thousands of variables slow.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// None until a name comes: most of what is tried as a query declares nothing.
    buckets: Vec<Vec<(String, u32)>>,
}

const BUCKETS: usize = 256;

impl Names {
    /// Counts one more declaration of this name.
    pub(super) fn insert(&mut self, name: &str) {
        if self.buckets.is_empty() {
            self.buckets.resize_with(BUCKETS, Vec::new);
        }
        let Some(bucket) = self.buckets.get_mut(place(name)) else {
            return;
        };
        match bucket.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => bucket.push((String::from(name), 1)),
        }
    }

    /// Counts one declaration less.
    pub(super) fn remove(&mut self, name: &str) {
        let Some(bucket) = self.buckets.get_mut(place(name)) else {
            return;
        };
        if let Some(at) = bucket.iter().position(|(known, _)| known == name)
            && let Some((_, count)) = bucket.get_mut(at)
        {
            *count -= 1;
            if *count == 0 {
                bucket.swap_remove(at);
            }
        }
    }

    /// Whether the name is declared.
    pub(super) fn contains(&self, name: &str) -> bool {
        let bucket = self.buckets.get(place(name));
        bucket.is_some_and(|bucket| bucket.iter().any(|(known, _)| known == name))
    }
}

/// The bucket of a name: the top byte of its FNV-1a hash.
fn place(name: &str) -> usize {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash >> 24) as usize
}
