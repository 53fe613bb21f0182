//! Reading arguments: a missing one is `null`.

use super::{Context, messages};
use crate::error::ArangoError;
use crate::value::Value;

static NULL: Value = Value::Null;

/// No function builds more elements than this, whatever the memory limit: a query without a limit must not be able to
/// take the machine's memory with one call.
pub(super) const MOST_ELEMENTS: usize = 10_000_000;

/// No function builds a longer string than this, in bytes.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// The argument at `position`, or `null`.
pub(super) fn arg(args: &[Value], position: usize) -> &Value {
    args.get(position).unwrap_or(&NULL)
}

/// Whether the argument at `position` is given and true.
pub(super) fn flag(args: &[Value], position: usize) -> bool {
    arg(args, position).is_true()
}

/// The text of the argument at `position`, cast as `TO_STRING()` does.
pub(super) fn text(args: &[Value], position: usize) -> String {
    arg(args, position).to_text()
}

/// The argument at `position` as a double, cast as `TO_NUMBER()` does.
pub(super) fn number(args: &[Value], position: usize) -> f64 {
    arg(args, position).to_f64()
}

impl Context<'_> {
    /// Charges an array of `count` elements that `name` is about to build.
    pub(super) fn charge_elements(&mut self, name: &str, count: usize) -> Result<(), ArangoError> {
        if count > MOST_ELEMENTS {
            // The memory limit is the more useful answer where there is one.
            self.host.charge(count.saturating_mul(size_of::<Value>()))?;
            return Err(messages::too_large(name));
        }
        self.host.charge(count * size_of::<Value>())
    }

    /// Charges a string of `bytes` that `name` is about to build.
    pub(super) fn charge_text(&mut self, name: &str, bytes: usize) -> Result<(), ArangoError> {
        self.host.charge(bytes)?;
        if bytes > MOST_BYTES {
            Err(messages::too_large(name))
        } else {
            Ok(())
        }
    }

    /// Says that step `step` of a long loop was done, and asks now and then whether to go on.
    pub(super) fn tick(&self, step: usize) -> Result<(), ArangoError> {
        if step % 4096 == 4095 {
            self.host.check_killed()
        } else {
            Ok(())
        }
    }
}
