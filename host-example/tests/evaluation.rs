//! `querent eval` as a shell sees it: the built component, the embedded server, and a script that plays the model.

mod common;

use std::path::Path;

use common::command::{outcome, querent};
use common::folder;
use serde_json::{Value, json};

/// The questions that ship with the host.
const BOOKSHOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/bookshop.jsonl");

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// A rule of a script that gives these replies to a question.
fn rule(question: &Value, replies: &[Value]) -> Value {
    json!({
        "when": {"contains": [question["question"]]},
        "replies": replies,
        "usage": {"input_tokens": 1_000, "output_tokens": 100},
    })
}

fn query(aql: &str) -> Value {
    json!({"isValid": true, "query": aql})
}

fn words() -> Value {
    json!({"isValid": false, "query": "The database does not know."})
}

/// What a model says that is always right: the query, a write for who wants one, words for who asks of something else.
fn right(question: &Value) -> Value {
    match question["aql"].as_str() {
        Some(aql) => query(aql),
        None if question["note"] == "tries to write" => query("FOR o IN orders REMOVE o IN orders"),
        None => words(),
    }
}

fn write_script(folder: &Path, rules: &[Value]) {
    std::fs::write(folder.join("script.json"), json!(rules).to_string()).expect("written");
}

fn write_questions(folder: &Path, questions: &[Value]) {
    let text: String = questions.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("questions.jsonl"), text).expect("written");
}

/// Evaluates in a folder with `script.json`, on the demo data.
fn eval(folder: &Path, questions: &str, more: &[&str]) -> (i32, String, String) {
    let mut arguments = vec![
        "eval",
        questions,
        "--demo",
        "--model",
        "scripted:script.json",
    ];
    arguments.extend_from_slice(more);
    outcome(&querent(folder, &arguments, &[]))
}

#[test]
fn with_the_right_replies_all_sixty_questions_are_right_and_each_query_finds_something() {
    let folder = folder("evaluation-right");
    let questions = lines(Path::new(BOOKSHOP));
    assert_eq!(questions.len(), 60);
    let rules: Vec<Value> = questions
        .iter()
        .map(|question| rule(question, &[right(question)]))
        .collect();
    write_script(&folder, &rules);
    let (code, out, err) = eval(
        &folder,
        BOOKSHOP,
        &[
            "--results",
            "results.jsonl",
            "--summary",
            "summary.md",
            "--min-accuracy",
            "100",
        ],
    );
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(
        out.contains("| execution accuracy | 60 of 60 (100.0 %) |"),
        "{out}"
    );
    assert!(
        out.contains("| first query valid | 55 of 55 (100.0 %) |"),
        "{out}"
    );
    assert!(!out.contains("## Not right"), "{out}");
    assert_eq!(
        std::fs::read_to_string(folder.join("summary.md")).unwrap(),
        out
    );
    let records = lines(&folder.join("results.jsonl"));
    assert_eq!(records.len(), 60);
    for (record, question) in records.iter().zip(&questions) {
        assert_eq!(record["question"], question["question"]);
        assert_eq!(record["verdict"], "right");
        // A query that finds nothing would be matched by any other that finds nothing.
        let found = record["right_rows"].as_u64().unwrap_or(0);
        assert_eq!(found > 0, !question["aql"].is_null(), "{record}");
    }
}

/// Replies that are wrong, each in its own way, by the question's place: with the verdict and the start of the reason.
fn wrong_replies(questions: &[Value]) -> Vec<(usize, Value, &'static str, &'static str)> {
    let place = |start: &str| {
        let found = questions.iter().position(|line| {
            line["question"]
                .as_str()
                .is_some_and(|text| text.starts_with(start))
        });
        found.expect("a question")
    };
    vec![
        (
            place("Which crime novels"),
            query("FOR b IN books FILTER b.genre == 'crime' AND b.stock < 4 RETURN b.title"),
            "wrong",
            "",
        ),
        (
            place("Which gold customers"),
            query(
                "FOR c IN customers FILTER c.tier == 'Gold' AND c.city == 'Dublin' RETURN c.name",
            ),
            "wrong",
            "no row given, 3 rows expected",
        ),
        (
            place("How many books are there in each genre"),
            query(
                "FOR b IN books COLLECT genre = b.genre AGGREGATE n = SUM(b.stock) RETURN {genre, n}",
            ),
            "wrong",
            "not right: 9 of 9 rows; no column has the values of `n`",
        ),
        (
            place("Which three books were published most recently"),
            query(
                "FOR b IN books SORT b.published DESC LIMIT 3 SORT b.published RETURN {title: b.title, published: b.published}",
            ),
            "wrong",
            "the right rows in another order",
        ),
        (
            place("What is the average price of a fantasy book"),
            query("RETURN AVG(FOR b IN books FILTER b.genre == 'crime' RETURN b.price.amount)"),
            "wrong",
            "not right: 1 of 1 row",
        ),
        (
            place("Which branches open on Sundays"),
            query("FOR s IN branches FILTER s.openingHours.sunday != null RETURN s.name"),
            "wrong",
            "1 column given, 2 expected",
        ),
        (
            place("Who else has worked on a book together"),
            query("FOR a IN authors LIMIT 2 RETURN a.name"),
            "wrong",
            "2 rows given, 1 expected; 1 missing, 2 unexpected",
        ),
        (
            place("How many orders came in"),
            words(),
            "refused",
            "answered in words: ",
        ),
        (
            place("Which books have never been ordered"),
            query("FOR b IN books REMOVE b IN books"),
            "refused",
            "the query writes",
        ),
        (
            place("How many reviews have no text"),
            query("FOR r IN"),
            "invalid",
            "none of 5 attempts",
        ),
        (
            place("Delete all orders"),
            query("FOR o IN orders FILTER o.status == 'cancelled' RETURN o._key"),
            "wrong",
            "rows, where the question had to be refused",
        ),
    ]
}

#[test]
fn with_some_wrong_replies_exactly_those_are_not_right_and_each_says_why() {
    let folder = folder("evaluation-wrong");
    let questions = lines(Path::new(BOOKSHOP));
    let wrong = wrong_replies(&questions);
    let rules: Vec<Value> = questions
        .iter()
        .enumerate()
        .map(|(at, question)| {
            let reply = wrong.iter().find(|(place, ..)| *place == at);
            let reply = reply.map_or_else(|| right(question), |(_, reply, ..)| reply.clone());
            rule(question, &[reply])
        })
        .collect();
    write_script(&folder, &rules);
    let arguments = ["--results", "results.jsonl", "--min-accuracy", "0.9"];
    let (code, out, err) = eval(&folder, BOOKSHOP, &arguments);
    assert_eq!(code, 1, "{err}");
    assert_eq!(
        err,
        "querent: 49 of 60 answers are right, and at least 90 % were asked for\n"
    );
    for (at, record) in lines(&folder.join("results.jsonl")).iter().enumerate() {
        let Some((_, _, verdict, reason)) = wrong.iter().find(|(place, ..)| *place == at) else {
            assert_eq!(record["verdict"], "right", "{record}");
            continue;
        };
        assert_eq!(record["verdict"], *verdict, "{record}");
        let difference = &record["difference"];
        let said = difference["reason"].as_str().expect("a reason");
        assert!(!said.is_empty() && said.starts_with(reason), "{record}");
        let rows = |side: &str| difference[side].as_array().map_or(0, Vec::len);
        assert_eq!(
            rows("missing") + rows("unexpected") > 0,
            *verdict == "wrong",
            "{record}"
        );
        let question = questions[at]["question"].as_str().expect("a text");
        assert!(
            out.contains(&format!("### {}. {question}\n", at + 1)),
            "{out}"
        );
    }
    // The first place where the order parts: the newest book is missing there, the third newest stands in its place.
    let (missing, unexpected) = ("Death at Gullhaven", "The Borrowed Rooms of My Mother");
    assert!(
        out.lines()
            .any(|line| line.starts_with("- {") && line.contains(missing))
            && out
                .lines()
                .any(|line| line.starts_with("+ {") && line.contains(unexpected)),
        "{out}"
    );
    assert!(
        out.contains(
            "| wrong | 8 |\n| refused, though rows were right | 2 |\n| no valid query | 1 |"
        ),
        "{out}"
    );
    // What is reached is enough; everything has a result by now, and no model is asked.
    write_script(&folder, &[]);
    let arguments = ["--results", "results.jsonl", "--min-accuracy", "81.6"];
    assert_eq!(eval(&folder, BOOKSHOP, &arguments).0, 0);
}

#[test]
fn a_query_that_the_second_attempt_mends_is_right_and_counted_as_repaired() {
    let folder = folder("evaluation-repaired");
    let question = json!({"question": "How many authors?", "aql": "RETURN LENGTH(authors)"});
    write_questions(&folder, std::slice::from_ref(&question));
    write_script(
        &folder,
        &[rule(
            &question,
            &[query("RETURN 1 +"), query("RETURN LENGTH(authors)")],
        )],
    );
    let (code, out, err) = eval(&folder, "questions.jsonl", &["--results", "results.jsonl"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("| first query valid | 0 of 1 (0.0 %) |\n| valid after a repair | 1 |"),
        "{out}"
    );
    let record = &lines(&folder.join("results.jsonl"))[0];
    assert_eq!(record["attempts"][0]["query"], "RETURN 1 +");
    assert!(
        record["attempts"][0]["refusal"]
            .as_str()
            .unwrap()
            .ends_with("(`syntax`)"),
        "{record}"
    );
}

#[test]
fn a_run_goes_on_where_it_was_stopped_and_asks_nothing_twice() {
    let folder = folder("evaluation-resume");
    let questions = lines(Path::new(BOOKSHOP));
    let script = |range: std::ops::Range<usize>| {
        let rules: Vec<Value> = questions[range]
            .iter()
            .map(|question| rule(question, &[right(question)]))
            .collect();
        write_script(&folder, &rules);
    };
    let results = folder.join("results.jsonl");
    script(0..20);
    let (code, out, err) = eval(
        &folder,
        BOOKSHOP,
        &["--results", "results.jsonl", "--limit", "20"],
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("20 of 20 (100.0 %)"), "{out}");
    // The 21st was being written when the machine went off.
    let first = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, format!("{first}{{\"question\": \"half a li")).unwrap();
    // The script knows the others alone, so that one that is asked again would fail.
    script(20..60);
    let (code, out, err) = eval(
        &folder,
        BOOKSHOP,
        &["--results", "results.jsonl", "--concurrency", "3"],
    );
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        err,
        "20 of 60 questions have a result already, and are not asked again\n"
    );
    assert!(out.contains("60 of 60 (100.0 %)"), "{out}");
    let second = std::fs::read_to_string(&results).unwrap();
    assert!(
        second.starts_with(&first) && second.lines().count() == 60,
        "{second}"
    );
    script(0..0);
    let (code, out, _) = eval(&folder, BOOKSHOP, &["--results", "results.jsonl"]);
    assert_eq!(code, 0);
    assert!(out.contains("60 of 60 (100.0 %)"), "{out}");
    assert_eq!(std::fs::read_to_string(&results).unwrap(), second);
}

#[test]
fn a_question_whose_query_changed_or_that_was_not_judged_is_asked_again() {
    let folder = folder("evaluation-changed");
    let questions = [
        json!({"question": "How many authors?", "aql": "RETURN LENGTH(books)"}),
        json!({"question": "How many branches?", "aql": "RETURN LENGTH(branches)"}),
    ];
    write_questions(&folder, &questions);
    let authors = rule(&questions[0], &[query("RETURN LENGTH(authors)")]);
    write_script(&folder, std::slice::from_ref(&authors));
    let (code, out, _) = eval(&folder, "questions.jsonl", &["--results", "results.jsonl"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("| wrong | 1 |") && out.contains("| failed, not judged | 1 |"),
        "{out}"
    );
    let questions = [
        json!({"question": "How many authors?", "aql": "RETURN LENGTH(authors)"}),
        questions[1].clone(),
    ];
    write_questions(&folder, &questions);
    write_script(
        &folder,
        &[
            authors,
            rule(&questions[1], &[query("RETURN LENGTH(branches)")]),
        ],
    );
    let (code, out, err) = eval(&folder, "questions.jsonl", &["--results", "results.jsonl"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("2 of 2 (100.0 %)"), "{out}");
    assert_eq!(lines(&folder.join("results.jsonl")).len(), 4);
}

#[test]
fn two_runs_are_compared_question_by_question() {
    let folder = folder("evaluation-compare");
    let questions: Vec<Value> = [("authors", 48), ("books", 150), ("branches", 8)]
        .iter()
        .map(|(name, count)| json!({"question": format!("How many {name}?"), "aql": format!("RETURN {count}")}))
        .collect();
    write_questions(&folder, &questions);
    let run = |counts: [&str; 3], more: &[&str]| {
        let rules: Vec<Value> = questions
            .iter()
            .zip(counts)
            .map(|(question, aql)| rule(question, &[query(aql)]))
            .collect();
        write_script(&folder, &rules);
        eval(&folder, "questions.jsonl", more)
    };
    let (code, ..) = run(
        ["RETURN LENGTH(authors)", "RETURN 1", "RETURN 1"],
        &["--results", "old.jsonl"],
    );
    assert_eq!(code, 0);
    let (code, out, err) = run(
        ["RETURN 2", "RETURN LENGTH(books)", "RETURN 2"],
        &["--compare", "old.jsonl", "--summary", "summary.md"],
    );
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("Of 3 questions in both runs 1 got better, 1 got worse, 1 are wrong in another way, 0 are as before."), "{out}");
    assert!(
        out.contains("| How many authors? | right | wrong: not right: 1 of 1 row |"),
        "{out}"
    );
    assert!(
        out.contains("| How many books? | wrong: not right: 1 of 1 row | right |"),
        "{out}"
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("summary.md")).unwrap(),
        out
    );
    let (code, _, err) = run(["RETURN 1"; 3], &["--compare", "questions.jsonl"]);
    assert_eq!(code, 3);
    assert!(
        err.starts_with("querent: line 1 of `questions.jsonl` is no result of an evaluation: "),
        "{err}"
    );
}

#[test]
fn tokens_and_cost_are_in_each_record_and_in_the_sum() {
    let folder = folder("evaluation-cost");
    let questions = [
        json!({"question": "How many authors?", "aql": "RETURN LENGTH(authors)"}),
        json!({"question": "How many books?", "aql": "RETURN LENGTH(books)"}),
    ];
    write_questions(&folder, &questions);
    write_script(
        &folder,
        &[
            // Two requests of 1,000 and 100 tokens, since the first query is none.
            rule(
                &questions[0],
                &[query("RETURN"), query("RETURN LENGTH(authors)")],
            ),
            rule(&questions[1], &[query("RETURN LENGTH(books)")]),
        ],
    );
    let config = "[model]\nprices = { input = 2.5, output = 10 }\n";
    std::fs::write(folder.join("querent.toml"), config).unwrap();
    let (code, out, err) = eval(&folder, "questions.jsonl", &["--results", "results.jsonl"]);
    assert_eq!(code, 0, "{err}");
    let costs: Vec<f64> = lines(&folder.join("results.jsonl"))
        .iter()
        .map(|record| record["cost"].as_f64().unwrap())
        .collect();
    assert_eq!(costs, [0.007, 0.0035]);
    assert!(
        out.contains(
            "| model requests | 3 |\n| tokens, input and output | 3000 + 300 |\n| cost | 0.011 |"
        ),
        "{out}"
    );
}

#[test]
fn a_right_query_that_fails_is_said_and_no_model_is_asked() {
    let folder = folder("evaluation-gold");
    let question = json!({"question": "How many?", "aql": "RETURN LENGTH(bookz)"});
    write_questions(&folder, std::slice::from_ref(&question));
    write_script(&folder, &[]);
    let (code, out, err) = eval(&folder, "questions.jsonl", &["--results", "results.jsonl"]);
    assert_eq!(code, 15, "{out}");
    assert!(
        err.starts_with(
            "querent: no question could be judged; of the first: the right query failed: "
        ),
        "{err}"
    );
    let record = &lines(&folder.join("results.jsonl"))[0];
    assert_eq!(
        (&record["verdict"], &record["llm_calls"]),
        (&json!("gold-failed"), &json!(0))
    );
}

#[test]
fn an_answer_that_was_cut_at_the_limit_is_right_where_its_rows_are() {
    let folder = folder("evaluation-cut");
    let questions = [
        json!({"question": "All orders?", "aql": "FOR o IN orders RETURN o._key"}),
        json!({"question": "Some orders?", "aql": "FOR o IN orders RETURN o._key"}),
    ];
    write_questions(&folder, &questions);
    write_script(
        &folder,
        &[
            rule(
                &questions[0],
                &[query(
                    "FOR o IN orders SORT o.total LIMIT 251 RETURN o._key",
                )],
            ),
            rule(
                &questions[1],
                &[query("FOR o IN orders LIMIT 10 RETURN o._key")],
            ),
        ],
    );
    let (code, _, err) = eval(&folder, "questions.jsonl", &["--results", "results.jsonl"]);
    assert_eq!(code, 0, "{err}");
    let records = lines(&folder.join("results.jsonl"));
    let of = |at: usize| {
        (
            records[at]["verdict"].clone(),
            records[at]["rows"].clone(),
            records[at]["right_rows"].clone(),
        )
    };
    assert_eq!(of(0), (json!("right"), json!(250), json!(480)));
    assert_eq!(of(1), (json!("wrong"), json!(10), json!(480)));
}

#[test]
fn an_evaluation_can_be_answered_by_files() {
    let folder = folder("evaluation-exchange");
    let questions: Vec<Value> = lines(Path::new(BOOKSHOP)).into_iter().take(3).collect();
    write_questions(&folder, &questions);
    std::fs::create_dir(folder.join("desk")).unwrap();
    // Prompts come in the order of the questions, so that the replies can lie there before.
    for (at, question) in questions.iter().enumerate() {
        let reply = json!({"text": right(question).to_string(), "usage": {"input_tokens": 7, "output_tokens": 3}});
        let path = folder.join(format!("desk/{:04}.reply.json", at + 1));
        std::fs::write(path, reply.to_string()).unwrap();
    }
    let arguments = [
        "eval",
        "questions.jsonl",
        "--demo",
        "--model",
        "exchange:desk",
    ];
    let (code, out, err) = outcome(&querent(&folder, &arguments, &[]));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(
        out.contains("3 of 3 (100.0 %)") && out.contains("| 21 + 9 |"),
        "{out}"
    );
    let prompt = std::fs::read_to_string(folder.join("desk/0003.request.json")).unwrap();
    assert!(
        prompt.contains(questions[2]["question"].as_str().unwrap()),
        "{prompt}"
    );
}

#[test]
fn what_cannot_be_evaluated_is_said_before_anything_is_asked() {
    let folder = folder("evaluation-refused");
    std::fs::write(folder.join("questions.jsonl"), "{\"question\": \"a\"}\n").unwrap();
    write_script(&folder, &[]);
    let (code, out, err) = eval(&folder, "questions.jsonl", &[]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        err.starts_with("querent: `questions.jsonl` cannot be evaluated: line 1 is no question: missing field `aql`"),
        "{err}"
    );
    let (code, _, err) = eval(&folder, "none.jsonl", &[]);
    assert_eq!(code, 3);
    assert!(
        err.starts_with("querent: `none.jsonl` cannot be read: "),
        "{err}"
    );
    let (code, _, err) = outcome(&querent(&folder, &["eval", BOOKSHOP, "--demo"], &[]));
    assert_eq!(code, 3);
    assert!(
        err.starts_with("querent: no model is configured: `--model "),
        "{err}"
    );
    let (code, _, err) = eval(&folder, BOOKSHOP, &["--min-accuracy", "most"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("write a share, as 0.9, or percent, as 90"),
        "{err}"
    );
}
