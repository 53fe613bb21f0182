//! The component model's canonical ABI for the core's own types: where their fields lie in memory, how they are written
//! there for the host, and how what the host wrote is read.
//!
//! `wit-bindgen` makes this code too, but once for each function that a type occurs in, for types of its own, into which the
//! core's must be copied first. Here each type is written by one function, from where it lies: a text is lowered as the
//! address of the core's own bytes. What that saves is told in `docs/decisions/0008`.
//!
//! Three rules keep it sound:
//!
//! 1. Where a field lies is computed from the order of the fields in `wit/`, never written down as a number.
//! 2. A value that was lowered stays where it is until the host has read it: [`give`] keeps it until the host calls the
//!    export's `cabi_post_` function, and a call of an import borrows it for as long as the call takes.
//! 3. What the host wrote through `cabi_realloc` has one owner: each field is lifted exactly once.

mod layout;
mod lift;
mod lower;
mod memory;
mod returned;

pub(crate) use layout::{Layout, Place};
pub(crate) use lift::{Lift, list, option, text};
pub(crate) use lower::{Lower, borrowed};
pub(crate) use returned::{give, take_back};

/// Says of a record that the host reads which fields it has in `wit/`, in that order.
macro_rules! lowered {
    ($type:ty { $($field:ident: $of:ty),+ $(,)? }) => {
        impl $crate::abi::Place for $type {
            const LAYOUT: $crate::abi::Layout =
                $crate::abi::Layout::record(&[$(<$of as $crate::abi::Place>::LAYOUT),+]);
        }

        impl $crate::abi::Lower for $type {
            unsafe fn lower(&self, at: *mut u8) {
                let [$($field),+] = const {
                    $crate::abi::Layout::offsets([$(<$of as $crate::abi::Place>::LAYOUT),+])
                };
                // SAFETY: the caller gives room for the record, and each field lies within it.
                unsafe { $( <$of as $crate::abi::Lower>::lower(&self.$field, at.add($field)); )+ }
            }
        }
    };
}

/// Says of a record that the host writes which fields it has in `wit/`, in that order, and what the core makes of them.
macro_rules! lifted {
    ($type:ty { $($field:ident: $of:ty),+ $(,)? } => $value:expr) => {
        impl $crate::abi::Place for $type {
            const LAYOUT: $crate::abi::Layout =
                $crate::abi::Layout::record(&[$(<$of as $crate::abi::Place>::LAYOUT),+]);
        }

        impl $crate::abi::Lift for $type {
            unsafe fn lift(at: *const u8) -> $type {
                let [$($field),+] = const {
                    $crate::abi::Layout::offsets([$(<$of as $crate::abi::Place>::LAYOUT),+])
                };
                // SAFETY: the host wrote the record, and each field is lifted once.
                $( let $field = unsafe { <$of as $crate::abi::Lift>::lift(at.add($field)) }; )+
                $value
            }
        }
    };
}

/// Says of an enum of the core's which cases it has in `wit/`, in that order. That it is the core's order too is checked
/// when this is compiled.
macro_rules! enumeration {
    ($type:ident { $($case:ident),+ $(,)? }) => {
        const _: () = {
            let cases = [$($type::$case),+];
            let mut at = 0;
            while at < cases.len() {
                assert!(cases[at] as usize == at, "the order of the cases is not the contract's");
                at += 1;
            }
        };

        impl $crate::abi::Place for $type {
            const LAYOUT: $crate::abi::Layout = $crate::abi::Layout::scalar(1);
        }

        impl $crate::abi::Lower for $type {
            unsafe fn lower(&self, at: *mut u8) {
                // SAFETY: the caller gives room for the byte.
                unsafe { at.write(*self as u8) }
            }
        }

        impl $crate::abi::Lift for $type {
            unsafe fn lift(at: *const u8) -> $type {
                // SAFETY: the host wrote the byte.
                let case = usize::from(unsafe { at.read() });
                let cases = [$($type::$case),+];
                // The host can write no other case than these.
                cases[case.min(cases.len() - 1)]
            }
        }
    };
}

pub(crate) use {enumeration, lifted, lowered};
