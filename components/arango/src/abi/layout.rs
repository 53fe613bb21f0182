//! Sizes, alignments and offsets, as the canonical ABI computes them.

/// How much room a type takes in memory, and at which addresses it may stand; both in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    /// The room, a multiple of the alignment.
    pub(crate) size: usize,
    /// A power of two.
    pub(crate) align: usize,
}

/// A type with a place in memory.
pub(crate) trait Place {
    /// Its layout.
    const LAYOUT: Layout;
}

impl Layout {
    /// A number, a boolean, an enum.
    pub(crate) const fn scalar(size: usize) -> Layout {
        Layout { size, align: size }
    }

    /// Fields one after the other, each at the next address that suits it.
    pub(crate) const fn record(fields: &[Layout]) -> Layout {
        let mut all = Layout { size: 0, align: 1 };
        let mut at = 0;
        while at < fields.len() {
            all.size = round_up(all.size, fields[at].align) + fields[at].size;
            all.align = max(all.align, fields[at].align);
            at += 1;
        }
        all.size = round_up(all.size, all.align);
        all
    }

    /// Where each field of a record begins.
    pub(crate) const fn offsets<const N: usize>(fields: [Layout; N]) -> [usize; N] {
        let mut offsets = [0; N];
        let mut end = 0;
        let mut at = 0;
        while at < N {
            offsets[at] = round_up(end, fields[at].align);
            end = offsets[at] + fields[at].size;
            at += 1;
        }
        offsets
    }

    /// One of several payloads, behind the byte that says which.
    pub(crate) const fn variant(a: Layout, b: Layout) -> Layout {
        let align = max(a.align, b.align);
        Layout {
            size: round_up(align + max(a.size, b.size), align),
            align,
        }
    }

    /// Where the payload of an option, a result or a variant of this layout begins: the byte that says which stands first,
    /// and the next address that suits every payload follows.
    pub(crate) const fn payload(self) -> usize {
        self.align
    }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

const fn round_up(size: usize, align: usize) -> usize {
    (size + align - 1) & !(align - 1)
}

macro_rules! scalars {
    ($($type:ty),+) => {$(
        impl Place for $type {
            const LAYOUT: Layout = Layout::scalar(size_of::<$type>());
        }
    )+};
}

scalars!(bool, u8, u16, u32, u64);

/// An address and a length: texts and lists.
const PAIR: Layout = Layout {
    size: 2 * size_of::<usize>(),
    align: size_of::<usize>(),
};

/// No payload.
const NOTHING: Layout = Layout { size: 0, align: 1 };

impl Place for String {
    const LAYOUT: Layout = PAIR;
}

impl Place for &str {
    const LAYOUT: Layout = PAIR;
}

impl<T> Place for Vec<T> {
    const LAYOUT: Layout = PAIR;
}

impl<T: Place> Place for Option<T> {
    const LAYOUT: Layout = Layout::variant(NOTHING, T::LAYOUT);
}

impl<T: Place, E: Place> Place for Result<T, E> {
    const LAYOUT: Layout = Layout::variant(T::LAYOUT, E::LAYOUT);
}

impl<T: Place> Place for Box<T> {
    const LAYOUT: Layout = T::LAYOUT;
}

impl<A: Place, B: Place> Place for (A, B) {
    const LAYOUT: Layout = Layout::record(&[A::LAYOUT, B::LAYOUT]);
}
