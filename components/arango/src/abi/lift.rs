//! Reading what the host wrote.

use super::layout::{Layout, Place};
use super::memory::free;

/// A type that the host writes and the component reads.
pub(crate) trait Lift: Place + Sized {
    /// Takes the value out of memory.
    ///
    /// # Safety
    ///
    /// The host wrote a value of this type at `at`, through `cabi_realloc` where it needed room, and it is lifted once.
    unsafe fn lift(at: *const u8) -> Self;
}

impl Lift for bool {
    unsafe fn lift(at: *const u8) -> bool {
        // SAFETY: the host wrote the byte.
        unsafe { at.read() != 0 }
    }
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Lift for $type {
            unsafe fn lift(at: *const u8) -> $type {
                // SAFETY: the host wrote the number, aligned.
                unsafe { at.cast::<$type>().read() }
            }
        }
    )+};
}

numbers!(u16, u32);

impl Lift for String {
    unsafe fn lift(at: *const u8) -> String {
        // SAFETY: the host wrote an address and a length.
        unsafe {
            let (address, length) = pair(at);
            text(address, length)
        }
    }
}

impl Lift for Vec<u8> {
    unsafe fn lift(at: *const u8) -> Vec<u8> {
        // SAFETY: the host wrote an address and a length.
        unsafe {
            let (address, length) = pair(at);
            bytes(address, length)
        }
    }
}

impl<T: Lift> Lift for Vec<T> {
    unsafe fn lift(at: *const u8) -> Vec<T> {
        // SAFETY: the host wrote an address and a length.
        unsafe {
            let (address, length) = pair(at);
            list(address, length)
        }
    }
}

impl<T: Lift> Lift for Option<T> {
    unsafe fn lift(at: *const u8) -> Option<T> {
        // SAFETY: where the byte is not 0, a payload stands behind it.
        unsafe { (at.read() != 0).then(|| T::lift(at.add(Self::LAYOUT.payload()))) }
    }
}

impl<T: Lift, E: Lift> Lift for Result<T, E> {
    unsafe fn lift(at: *const u8) -> Result<T, E> {
        // SAFETY: the byte says which payload stands behind it.
        unsafe {
            let payload = at.add(Self::LAYOUT.payload());
            match at.read() {
                0 => Ok(T::lift(payload)),
                _ => Err(E::lift(payload)),
            }
        }
    }
}

impl<A: Lift, B: Lift> Lift for (A, B) {
    unsafe fn lift(at: *const u8) -> (A, B) {
        let [first, second] = const { Layout::offsets([A::LAYOUT, B::LAYOUT]) };
        // SAFETY: the host wrote both fields.
        unsafe { (A::lift(at.add(first)), B::lift(at.add(second))) }
    }
}

/// A text, given as two parameters.
///
/// # Safety
///
/// The host wrote UTF-8 of this length there, through `cabi_realloc`, and it is taken once.
pub(crate) unsafe fn text(address: *mut u8, length: usize) -> String {
    // SAFETY: the canonical ABI lets the host pass valid UTF-8 only.
    unsafe { String::from_utf8_unchecked(bytes(address, length)) }
}

/// A text that may be missing, given as three parameters.
///
/// # Safety
///
/// As for [`text`], where `is` is not 0.
pub(crate) unsafe fn option(is: i32, address: *mut u8, length: usize) -> Option<String> {
    // SAFETY: the caller says so.
    (is != 0).then(|| unsafe { text(address, length) })
}

/// A list, given as two parameters; the buffer of its items is freed.
///
/// # Safety
///
/// The host wrote so many items there, through `cabi_realloc`, and they are taken once.
pub(crate) unsafe fn list<T: Lift>(address: *mut u8, length: usize) -> Vec<T> {
    let mut items = Vec::with_capacity(length);
    for at in 0..length {
        // SAFETY: the host wrote this item.
        items.push(unsafe { T::lift(address.add(at * T::LAYOUT.size)) });
    }
    // SAFETY: the host asked for the buffer with this size and alignment; items hold no address within it.
    unsafe { free(address, length * T::LAYOUT.size, T::LAYOUT.align) };
    items
}

/// Bytes that the host wrote.
///
/// # Safety
///
/// The host wrote so many bytes there, through `cabi_realloc`, and they are taken once.
unsafe fn bytes(address: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: `cabi_realloc` allocated exactly this length with an alignment of 1; where it is 0, the address is not null.
    unsafe { Vec::from_raw_parts(address, length, length) }
}

/// An address and a length.
///
/// # Safety
///
/// The host wrote both.
unsafe fn pair(at: *const u8) -> (*mut u8, usize) {
    // SAFETY: the caller says so.
    unsafe {
        (
            at.cast::<*mut u8>().read(),
            at.cast::<usize>().add(1).read(),
        )
    }
}
