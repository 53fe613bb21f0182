//! Places in a query's text.

/// A half-open range of bytes of the source, `start..end`.
///
/// Two spans always compare equal, so that syntax trees compare by meaning; compare `start` and `end` where the place matters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}
