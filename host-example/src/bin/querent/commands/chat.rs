//! `querent chat`: a conversation in which a question may refer to what was said before.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use host_example::types::{Outputs, QuestionRequest, Turn, Usage};
use host_example::{Plugin, Spent};

use crate::cli::{Global, Limit, Output};
use crate::failure::Failure;
use crate::{output, session};

/// The turns that are sent along, the newest kept. The component tells the model ten.
const MAX_TURNS: usize = 10;

/// The most of an answer that a turn holds, in characters: it tells what a later question refers to.
const MAX_ANSWER: usize = 1_000;

const HELP: &str = "Type a question, or:
  /schema [COLLECTION]   the schema
  /aql QUESTION          translate, and do not run
  /new                   forget what was said
  /help                  this
  /quit                  end; so does the end of input
";

/// Reads questions until the input ends. A failed question does not end the conversation.
pub(crate) async fn run(global: &Global, limit: Limit, prose: bool) -> Result<(), Failure> {
    let plugin = session::plugin(global).await?;
    plugin.configure().await?;
    let mut chat = Chat {
        plugin,
        limit,
        prose,
        history: Vec::new(),
    };
    let is_terminal = std::io::stdin().is_terminal();
    if is_terminal {
        eprintln!(
            "model: {}; /help tells what can be typed",
            chat.plugin.model()
        );
    }
    loop {
        if is_terminal {
            eprint!("? ");
            std::io::stderr().flush()?;
        }
        // Reading blocks, and nothing else runs meanwhile.
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            chat.total();
            return Ok(());
        }
        match Line::of(line.trim()) {
            Line::Nothing => {}
            Line::Quit => {
                chat.total();
                return Ok(());
            }
            Line::Help => output::print(HELP)?,
            Line::New => chat.history.clear(),
            Line::Unknown(word) => {
                eprintln!("querent: there is no `{word}`; /help tells what there is");
            }
            Line::Schema(collection) => chat.schema(collection).await?,
            Line::Aql(question) => chat.translate(question).await?,
            Line::Question(question) => chat.ask(question).await?,
        }
    }
}

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    Nothing,
    Quit,
    Help,
    New,
    Schema(Option<&'a str>),
    Aql(&'a str),
    Question(&'a str),
    Unknown(&'a str),
}

impl<'a> Line<'a> {
    fn of(text: &'a str) -> Self {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "" => Self::Nothing,
            "/quit" | "/exit" => Self::Quit,
            "/help" => Self::Help,
            "/new" => Self::New,
            "/schema" => Self::Schema(Some(rest).filter(|name| !name.is_empty())),
            "/aql" if !rest.is_empty() => Self::Aql(rest),
            _ if word.starts_with('/') => Self::Unknown(word),
            _ => Self::Question(text),
        }
    }
}

struct Chat {
    plugin: Plugin,
    limit: Limit,
    prose: bool,
    history: Vec<Turn>,
}

impl Chat {
    async fn ask(&mut self, question: &str) -> Result<(), Failure> {
        let mut outputs = Outputs::TABLE | Outputs::TEXT;
        if self.prose {
            outputs |= Outputs::PROSE;
        }
        let request = QuestionRequest {
            text: question.to_owned(),
            limit: self.limit.limit,
            history: self.history.clone(),
            outputs,
            ..QuestionRequest::default()
        };
        let answer = match self.plugin.question(request).await {
            Ok(answer) => answer,
            Err(error) => {
                output::attempts(&error.record().attempts);
                eprintln!("querent: {error}");
                self.spent(&error.record().usage);
                return Ok(());
            }
        };
        output::answer(&answer, Output::default())?;
        self.spent(&answer.usage);
        let said = answer.prose.as_deref().unwrap_or(&answer.text);
        self.history.push(Turn {
            question: question.to_owned(),
            answer: said.chars().take(MAX_ANSWER).collect(),
            query: answer.query.clone(),
        });
        if self.history.len() > MAX_TURNS {
            self.history.remove(0);
        }
        Ok(())
    }

    async fn translate(&self, question: &str) -> Result<(), Failure> {
        let request = host_example::types::AqlRequest {
            question: question.to_owned(),
            limit: self.limit.limit,
            history: self.history.clone(),
            ..host_example::types::AqlRequest::default()
        };
        match self.plugin.aql(request).await {
            Ok(answer) => {
                super::aql::print(&answer)?;
                self.spent(&answer.usage);
                Ok(())
            }
            Err(error) => {
                eprintln!("querent: {error}");
                self.spent(&error.record().usage);
                Ok(())
            }
        }
    }

    /// What one answer cost.
    fn spent(&self, usage: &Usage) {
        output::spent(&Spent::of(usage, self.plugin.prices()));
    }

    /// What the whole conversation cost.
    fn total(&self) {
        let spent = self.plugin.spent();
        if spent.has_tokens() {
            eprintln!("in all: {spent}");
        }
    }

    async fn schema(&self, collection: Option<&str>) -> Result<(), Failure> {
        match self.plugin.schema(collection).await {
            Ok(schema) => super::schema::print(&schema, false),
            Err(error) => {
                eprintln!("querent: {error}");
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_question_unless_it_begins_with_a_known_word_after_a_slash() {
        for (text, line) in [
            ("", Line::Nothing),
            ("who?", Line::Question("who?")),
            ("what is 1/2?", Line::Question("what is 1/2?")),
            ("/schema", Line::Schema(None)),
            ("/schema books", Line::Schema(Some("books"))),
            ("/aql  who? ", Line::Aql("who?")),
            ("/aql", Line::Unknown("/aql")),
            ("/bye", Line::Unknown("/bye")),
            ("/quit", Line::Quit),
        ] {
            assert_eq!(Line::of(text), line, "{text}");
        }
    }
}
