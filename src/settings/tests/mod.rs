//! The settings' tests.

mod messages;
mod policy;
mod table;
mod values;
