//! Writing for the host.

use super::layout::{Layout, Place};
use super::returned::room;

/// A type that can be written for the host to read.
pub(crate) trait Lower: Place {
    /// Writes the value. Texts are written as addresses within the value, and lists as addresses of buffers that
    /// [`super::take_back`] frees.
    ///
    /// # Safety
    ///
    /// `at` is valid for writes of the type's layout and aligned to it. What is written is valid for as long as the value
    /// stays where it is and unchanged.
    unsafe fn lower(&self, at: *mut u8);
}

impl Lower for bool {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: the caller gives room for the byte.
        unsafe { at.write(u8::from(*self)) }
    }
}

impl Lower for u32 {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: the caller gives aligned room for the number.
        unsafe { at.cast::<u32>().write(*self) }
    }
}

impl Lower for &str {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: the caller gives aligned room for two words.
        unsafe { pair(at, self.as_ptr(), self.len()) }
    }
}

impl Lower for String {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: as for a borrowed text.
        unsafe { self.as_str().lower(at) }
    }
}

impl<T: Lower> Lower for Vec<T> {
    unsafe fn lower(&self, at: *mut u8) {
        let (buffer, length) = borrowed(self);
        // SAFETY: the caller gives aligned room for two words.
        unsafe { pair(at, buffer, length) }
    }
}

impl<T: Lower> Lower for Option<T> {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: the caller gives room for the byte and, behind it, for the payload.
        unsafe {
            at.write(u8::from(self.is_some()));
            if let Some(value) = self {
                value.lower(at.add(Self::LAYOUT.payload()));
            }
        }
    }
}

impl<T: Lower, E: Lower> Lower for Result<T, E> {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: the caller gives room for the byte and, behind it, for either payload.
        unsafe {
            at.write(u8::from(self.is_err()));
            let at = at.add(Self::LAYOUT.payload());
            match self {
                Ok(value) => value.lower(at),
                Err(error) => error.lower(at),
            }
        }
    }
}

impl<T: Lower> Lower for Box<T> {
    unsafe fn lower(&self, at: *mut u8) {
        // SAFETY: the layout is that of the content.
        unsafe { T::lower(self, at) }
    }
}

impl<A: Lower, B: Lower> Lower for (A, B) {
    unsafe fn lower(&self, at: *mut u8) {
        let [first, second] = const { Layout::offsets([A::LAYOUT, B::LAYOUT]) };
        // SAFETY: both fields lie within the room that the caller gives.
        unsafe {
            self.0.lower(at.add(first));
            self.1.lower(at.add(second));
        }
    }
}

/// A list as an address and a length, its items written one after the other into a buffer of their own.
pub(crate) fn borrowed<T: Lower>(items: &[T]) -> (*const u8, usize) {
    let buffer = room(items.len() * T::LAYOUT.size);
    let mut at = buffer;
    for item in items {
        // SAFETY: the buffer has room for every item, and is aligned to eight bytes, more than any layout here needs.
        unsafe {
            item.lower(at);
            at = at.add(T::LAYOUT.size);
        }
    }
    (buffer, items.len())
}

/// An address and a length.
///
/// # Safety
///
/// `at` is valid for writes of two words and aligned.
unsafe fn pair(at: *mut u8, address: *const u8, length: usize) {
    let at = at.cast::<usize>();
    // SAFETY: the caller gives the room.
    unsafe {
        at.write(address.expose_provenance());
        at.add(1).write(length);
    }
}
