//! Which names are variables at a place.
//!
//! A name may be declared once among all that are visible, the enclosing queries' included. `FOR` opens a scope, `COLLECT`
//! ends those of the query it stands in and opens one, and the end of a subquery drops all of its own. `OLD` and `NEW`
//! exist after the statement that makes them, and `CURRENT` within brackets and `UPSERT FILTER`.

use super::names::Names;

/// What opened a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Query,
    For,
    Collect,
}

/// The scopes that are open, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    open: Vec<(Kind, Vec<String>)>,
    /// How often each visible name is declared: once, but for `$OLD` and `$NEW`.
    visible: Names,
    /// How many enclosing places define `CURRENT`.
    current: u32,
}

/// The internal names of `OLD` and `NEW`, which are also what a query may call them.
pub(super) const OLD: &str = "$OLD";
pub(super) const NEW: &str = "$NEW";

impl Scopes {
    pub(super) fn start_query(&mut self) {
        self.open.push((Kind::Query, Vec::new()));
    }

    pub(super) fn start_for(&mut self) {
        self.open.push((Kind::For, Vec::new()));
    }

    /// Ends the scopes within the innermost query and opens one for what `COLLECT` makes. Without a loop around it, what was
    /// declared before stays visible, as in the server.
    pub(super) fn start_collect(&mut self) {
        if self.is_in_loop() {
            self.end_nested();
            self.open.push((Kind::Collect, Vec::new()));
        }
    }

    /// Whether a loop or a `COLLECT` is open in the innermost query.
    pub(super) fn is_in_loop(&self) -> bool {
        self.open
            .last()
            .is_some_and(|(kind, _)| *kind != Kind::Query)
    }

    pub(super) fn end_query(&mut self) {
        self.end_nested();
        self.end();
    }

    fn end_nested(&mut self) {
        while self.is_in_loop() {
            self.end();
        }
    }

    fn end(&mut self) {
        for name in self.open.pop().map(|(_, names)| names).unwrap_or_default() {
            self.visible.remove(&name);
        }
    }

    pub(super) fn is_visible(&self, name: &str) -> bool {
        self.visible.contains(name)
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: &str) {
        self.visible.insert(name);
        if let Some((_, names)) = self.open.last_mut() {
            names.push(String::from(name));
        }
    }

    pub(super) fn start_current(&mut self) {
        self.current += 1;
    }

    pub(super) fn end_current(&mut self) {
        self.current -= 1;
    }

    /// The variable that a name in an expression refers to, under the name that the tree gives it; else it is a data source.
    pub(super) fn resolve<'n>(&self, name: &'n str) -> Option<&'n str> {
        if self.is_visible(name) && name != OLD && name != NEW {
            return Some(name);
        }
        let known = match name {
            "OLD" | "$OLD" => self.is_visible(OLD),
            "NEW" | "$NEW" => self.is_visible(NEW),
            "CURRENT" | "$CURRENT" => self.current > 0,
            _ => false,
        };
        known.then(|| name.strip_prefix('$').unwrap_or(name))
    }
}
