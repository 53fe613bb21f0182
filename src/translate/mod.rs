//! A question becomes a query: the prompt, the model's reply, and the loop that repairs it.
//!
//! ```text
//! let mut translator = Translator::new(&outside, &client, rules, &asked);
//! let mut step = translator.next(None)?;          // a query that passed the gate, words, or a question back
//! // … run it; where the server fails it in a way that a better query mends:
//! step = translator.next(Some(error))?;           // the same loop, the attempts counted together
//! ```
//!
//! | a reply | what follows |
//! |---|---|
//! | a query that passes the gate | it is the answer |
//! | a query that is refused and repairable | it goes back with the reason, the nearest names and a hint |
//! | a query that writes | it goes back once, with the word that only reading is allowed; a second one ends the loop |
//! | a query that takes too much time or memory | it goes back once, with the word to ask for less |
//! | a refusal that no query mends (permissions, an unsound plan) | the loop ends |
//! | unreadable or ambiguous | asked again |
//! | words, or a question back | they are the answer |
//!
//! At most `max_attempts` replies are asked for, repairs and unreadable ones included. Every error carries the attempts.

mod fill;
mod prompt;
pub mod prose;
mod reply;
mod translator;

pub use prompt::Asked;
pub use translator::{Step, Translator};

#[cfg(test)]
mod tests;
