//! Memory that the host asks for, to write texts and lists into, and its way back.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};

/// Gives the host room, or more room for what it wrote. The canonical ABI names this function, its parameters and that a
/// length of 0 needs an address all the same.
///
/// # Safety
///
/// Either `address` and `old_length` are 0, or this function gave that address for that length and alignment.
#[unsafe(export_name = "cabi_realloc")]
unsafe extern "C" fn cabi_realloc(
    address: *mut u8,
    old_length: usize,
    align: usize,
    length: usize,
) -> *mut u8 {
    if length == 0 {
        return core::ptr::without_provenance_mut(align);
    }
    // SAFETY: the host asks for alignments that are powers of two, and for lengths that fit its memory of 32 bits.
    let layout = unsafe { Layout::from_size_align_unchecked(length, align) };
    // SAFETY: the length is not 0, and the caller says the rest.
    let given = unsafe {
        if old_length == 0 {
            alloc(layout)
        } else {
            let old = Layout::from_size_align_unchecked(old_length, align);
            realloc(address, old, length)
        }
    };
    if given.is_null() {
        handle_alloc_error(layout);
    }
    given
}

/// Gives a buffer back.
///
/// # Safety
///
/// [`cabi_realloc`] gave it with this length and alignment, and nothing uses it.
pub(super) unsafe fn free(address: *mut u8, length: usize, align: usize) {
    if length != 0 {
        // SAFETY: the caller says so.
        unsafe { dealloc(address, Layout::from_size_align_unchecked(length, align)) };
    }
}
