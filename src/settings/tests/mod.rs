//! The settings' tests.

mod messages;
mod policy;
#[path = "../../../tests/support/sorted.rs"]
mod sorted;
mod table;
mod values;
