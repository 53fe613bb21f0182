//! The command `querent`.

fn main() {}
