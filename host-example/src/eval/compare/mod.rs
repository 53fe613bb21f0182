//! Whether two sets of rows say the same: by their values, whatever the columns are called.
//!
//! | rows | count as |
//! |---|---|
//! | an object | its attributes as columns; one that is absent is null |
//! | anything else | one column |
//!
//! The rows that are right name the columns that are needed: each must have a column of the same values among the rows that were
//! given, one of its own, so that the values of a row stay together. Further columns are allowed, and reported. Rows count as
//! often as they come, in any order unless order counts. Rows that were cut at a limit must be among the right ones, or in
//! their order the first of them.

mod bag;
mod difference;
mod table;
mod value;

pub use difference::Difference;

use serde_json::Value;

use bag::Relation;
use table::Table;

/// How many assignments of columns are tried in full. Columns that hold the same values are the only reason for more than one.
const MOST_TRIES: usize = 200;

/// How rows are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Whether the order of rows, and of lists within them, counts.
    pub ordered: bool,
    /// Whether the given rows were cut at a limit, so that they may be fewer than the right ones.
    pub cut: bool,
}

/// Rows that say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// How many columns were given beside those that are needed.
    pub further_columns: usize,
}

impl Comparison {
    /// Compares the rows that were given with those that are right.
    ///
    /// # Errors
    ///
    /// What tells them apart ([`Difference`]).
    pub fn compare(self, right: &[Value], given: &[Value]) -> Result<Match, Difference> {
        let relation = if self.cut && given.len() < right.len() {
            Relation::Part
        } else {
            Relation::Whole
        };
        let (right_table, given_table) = (Table::of(right), Table::of(given));
        let search = Search {
            right: &right_table,
            given: &given_table,
            ordered: self.ordered,
            relation,
        };
        let same_count = relation == Relation::Part || right.len() == given.len();
        if same_count && search.find().is_some() {
            let further_columns = given_table
                .columns
                .len()
                .saturating_sub(right_table.columns.len());
            // Without rows there are no columns to speak of.
            return Ok(Match {
                further_columns: if right.is_empty() { 0 } else { further_columns },
            });
        }
        Err(difference::of(&search, right, given))
    }
}

/// Two tables whose columns are to be assigned to each other.
struct Search<'a> {
    right: &'a Table<'a>,
    given: &'a Table<'a>,
    ordered: bool,
    relation: Relation,
}

impl Search<'_> {
    /// For each needed column, the given one that takes its place, so that the rows are the same.
    fn find(&self) -> Option<Vec<usize>> {
        if self.right.columns.len() > self.given.columns.len() && !self.given.rows.is_empty() {
            return None;
        }
        if self.given.rows.is_empty() {
            return Some(Vec::new());
        }
        let mut tries = 0;
        self.extend(&mut Vec::new(), &mut tries)
    }

    fn extend(&self, chosen: &mut Vec<usize>, tries: &mut usize) -> Option<Vec<usize>> {
        let at = chosen.len();
        if at == self.right.columns.len() {
            *tries += 1;
            let all: Vec<usize> = (0..at).collect();
            return self.fits(&all, chosen).then(|| chosen.clone());
        }
        for candidate in self.candidates(at) {
            if *tries >= MOST_TRIES {
                return None;
            }
            if chosen.contains(&candidate) || !self.fits(&[at], &[candidate]) {
                continue;
            }
            chosen.push(candidate);
            if let Some(found) = self.extend(chosen, tries) {
                return Some(found);
            }
            chosen.pop();
        }
        None
    }

    /// Given columns in the order in which they are tried: the one of the same name, the one in the same place, the others.
    fn candidates(&self, at: usize) -> Vec<usize> {
        let name = self.right.columns.get(at);
        let mut all: Vec<usize> = (0..self.given.columns.len()).collect();
        all.sort_by_key(|other| (self.given.columns.get(*other) != name, *other != at));
        all
    }

    /// Whether these columns hold the same rows.
    fn fits(&self, right: &[usize], given: &[usize]) -> bool {
        bag::fits(
            &self.right.only(right),
            &self.given.only(given),
            self.ordered,
            self.relation,
        )
    }
}

#[cfg(test)]
mod tests;
