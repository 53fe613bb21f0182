//! Rows as raw JSON text.

/// Rows as the server wrote them, in one text: a row costs no allocation of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRows {
    /// The rows, a comma between two.
    text: String,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl RawRows {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The row at this position, from 0.
    pub fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        let start = match at.checked_sub(1) {
            Some(before) => self.ends.get(before)?.saturating_add(1),
            None => 0,
        };
        self.text.get(start..end)
    }

    /// The rows, each a JSON value.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The rows as one JSON array.
    pub fn to_array(&self) -> String {
        let mut array = String::with_capacity(self.text.len().saturating_add(2));
        array.push('[');
        array.push_str(&self.text);
        array.push(']');
        array
    }

    /// Adds a row, which must be one JSON value.
    pub(crate) fn push(&mut self, row: &str) {
        if !self.ends.is_empty() {
            self.text.push(',');
        }
        self.text.push_str(row);
        self.ends.push(self.text.len());
    }

    /// Makes room for more rows of so many bytes together.
    pub(crate) fn reserve(&mut self, rows: usize, bytes: usize) {
        self.ends.reserve(rows);
        self.text.reserve(bytes);
    }

    /// Keeps the first so many.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

/// For tests, and for hosts that hold rows of their own.
impl<'r> FromIterator<&'r str> for RawRows {
    fn from_iter<I: IntoIterator<Item = &'r str>>(rows: I) -> RawRows {
        let mut taken = RawRows::default();
        for row in rows {
            taken.push(row);
        }
        taken
    }
}
