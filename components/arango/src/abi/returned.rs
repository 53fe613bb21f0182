//! What the host is reading: the value that an export returned, and the buffers of its lists.

use core::any::Any;
use core::cell::{Cell, UnsafeCell};

use super::lower::Lower;

thread_local! {
    /// The value that was returned last, until the host has read it.
    static VALUE: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
    /// The buffers of the lists that were lowered last. Words of eight bytes, so that they are aligned for every layout.
    static LISTS: Cell<Vec<Box<[u64]>>> = const { Cell::new(Vec::new()) };
}

/// The most room that a returned value takes itself, in bytes. [`give`] checks it when it is compiled.
const AREA: usize = 256;

/// Where returned values are written.
#[repr(align(8))]
struct Area(UnsafeCell<[u8; AREA]>);

// SAFETY: a component's instance has one thread.
unsafe impl Sync for Area {}

static RETURNED: Area = Area(UnsafeCell::new([0; AREA]));

/// Hands a value to the host, which reads it from the address that is returned, and then calls [`take_back`].
pub(crate) fn give<T: Lower + 'static>(value: T) -> *const u8 {
    const { assert!(T::LAYOUT.size <= AREA && T::LAYOUT.align <= align_of::<Area>()) };
    let value = Box::new(value);
    let at = RETURNED.0.get().cast::<u8>();
    // SAFETY: the area has room for the value, is aligned for it, and nothing else writes to it while an export runs. The
    // value stays where the box holds it.
    unsafe { value.lower(at) };
    VALUE.set(Some(value));
    at
}

/// Frees what was lowered last: the host has read it.
pub(crate) fn take_back() {
    VALUE.set(None);
    LISTS.set(Vec::new());
}

/// A buffer for the items of a list, of so many bytes at least. [`take_back`] frees it.
pub(super) fn room(bytes: usize) -> *mut u8 {
    let mut buffer = vec![0_u64; bytes.div_ceil(size_of::<u64>())].into_boxed_slice();
    let address = buffer.as_mut_ptr().cast();
    let mut lists = LISTS.take();
    lists.push(buffer);
    LISTS.set(lists);
    address
}
