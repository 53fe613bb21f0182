//! How far an evaluation is: a bar on a terminal, and nothing where standard error goes elsewhere.

use std::cell::Cell;

use host_example::eval::{Record, Verdict};
use indicatif::{ProgressBar, ProgressStyle};

/// What the bar looks like.
const TEMPLATE: &str = "{bar:30} {pos} of {len}, {msg}, {elapsed} gone, {eta} to go";

/// A bar, and what it counts.
pub(super) struct Progress {
    bar: ProgressBar,
    right: Cell<usize>,
    all: Cell<usize>,
}

impl Progress {
    /// A bar of so many questions, of which some have a result already.
    pub(super) fn of(known: &[Record], questions: usize) -> Self {
        let bar = ProgressBar::new(questions as u64);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        let progress = Self {
            bar,
            right: Cell::new(0),
            all: Cell::new(0),
        };
        known.iter().for_each(|record| progress.count(record));
        progress.bar.set_position(known.len() as u64);
        // Time is reckoned from the questions that are asked now.
        progress.bar.reset_eta();
        // The first question may take a minute: the bar is there before.
        progress.bar.tick();
        progress
    }

    /// One more result.
    pub(super) fn add(&self, record: &Record) {
        self.bar.inc(1);
        self.count(record);
    }

    fn count(&self, record: &Record) {
        let right = usize::from(record.verdict == Verdict::Right);
        self.right.set(self.right.get() + right);
        self.all.set(self.all.get() + 1);
        let message = format!("{} right of {}", self.right.get(), self.all.get());
        self.bar.set_message(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
