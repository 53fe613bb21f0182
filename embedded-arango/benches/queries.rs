//! How fast the engine runs queries over many documents and edges, and whether the time grows with the work.
//!
//! `cargo bench -p embedded-arango` measures 100 000 documents and 1 000 000 edges, and first the tenth part of both: of a query
//! whose work is ten times as much, the last column says how many times as long it took. `cargo bench -p embedded-arango -- 5000
//! 50000` measures other numbers. A query is run once, then until half a second has passed, the fastest run counting.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use embedded_arango::ArangoError;
use embedded_arango::engine::{self, Control, QueryOptions, Request, Session};
use embedded_arango::storage::{
    Access, CollectionKind, CollectionOptions, Database, Mode, Store, Txn, User, ViewKind,
    WriteOptions,
};
use embedded_arango::value::{Object, Value};
use serde_json::{Value as Json, json};

/// How long a query is repeated.
const ENOUGH: Duration = Duration::from_millis(500);

/// Evaluation recurses as deep as a text nests.
const STACK: usize = 64 << 20;

/// What is measured.
struct Case {
    name: &'static str,
    query: &'static str,
    work: Work,
}

/// What a query's rows per second are counted in.
#[derive(Clone, Copy)]
enum Work {
    /// All documents.
    Documents,
    /// So many lookups, however many documents there are.
    Lookups(usize),
    /// The rows that come out.
    Rows,
}

const CASES: &[Case] = &[
    Case {
        name: "full scan with filter",
        query: "FOR d IN docs FILTER d.value % 10 == 3 RETURN d.name",
        work: Work::Documents,
    },
    Case {
        name: "lookup by key, 1000 times",
        query: "FOR i IN 1..1000 FOR d IN docs FILTER d._key == TO_STRING(i) RETURN d",
        work: Work::Lookups(1000),
    },
    Case {
        name: "lookup by persistent index, 1000 times",
        query: "FOR i IN 1..1000 FOR d IN docs FILTER d.number == i RETURN d",
        work: Work::Lookups(1000),
    },
    Case {
        name: "range of a persistent index, sorted by it",
        query: "FOR d IN docs FILTER d.number >= 1000 AND d.number < 2000 SORT d.number RETURN d.name",
        work: Work::Rows,
    },
    Case {
        name: "sort and limit",
        query: "FOR d IN docs SORT d.value DESC, d.name LIMIT 10 RETURN d",
        work: Work::Documents,
    },
    Case {
        name: "sort",
        query: "FOR d IN docs SORT d.value, d.name RETURN d._key",
        work: Work::Documents,
    },
    Case {
        name: "collect with count",
        query: "FOR d IN docs COLLECT city = d.city WITH COUNT INTO n RETURN {city, n}",
        work: Work::Documents,
    },
    Case {
        name: "collect with aggregates",
        query: "FOR d IN docs COLLECT city = d.city AGGREGATE s = SUM(d.value), m = MAX(d.number) RETURN {city, s, m}",
        work: Work::Documents,
    },
    Case {
        name: "join by an index",
        query: "FOR a IN docs FILTER a.value == 7 FOR b IN docs FILTER b.number == a.number + 1 RETURN [a._key, b._key]",
        work: Work::Documents,
    },
    Case {
        name: "subquery for each of 1000 rows",
        query: "FOR i IN 1..1000 LET found = (FOR d IN docs FILTER d.number == i RETURN d.name) RETURN LENGTH(found)",
        work: Work::Lookups(1000),
    },
    Case {
        name: "traversal of three steps",
        query: "FOR v IN 1..3 OUTBOUND 'docs/1' links RETURN v._key",
        work: Work::Rows,
    },
    Case {
        name: "traversal of three steps, each vertex once",
        query: "FOR v IN 1..3 OUTBOUND 'docs/1' links OPTIONS {order: 'bfs', uniqueVertices: 'global'} RETURN v._key",
        work: Work::Rows,
    },
    Case {
        name: "traversal of three steps with paths",
        query: "FOR v, e, p IN 3..3 ANY 'docs/1' links RETURN p.edges[*]._key",
        work: Work::Rows,
    },
    Case {
        name: "shortest path",
        query: "FOR v IN OUTBOUND SHORTEST_PATH 'docs/1' TO 'docs/4711' links RETURN v._key",
        work: Work::Lookups(1),
    },
    Case {
        name: "search by a term, 1000 times",
        query: "FOR i IN 1..1000 FOR d IN found SEARCH d.number == i RETURN d",
        work: Work::Lookups(1000),
    },
    Case {
        name: "search with score",
        query: "FOR d IN found SEARCH ANALYZER(d.text IN TOKENS('quick fox', 'text_en'), 'text_en') SORT BM25(d) DESC LIMIT 10 RETURN d._key",
        work: Work::Documents,
    },
];

/// A database with documents, indexes, edges and a view.
struct World {
    database: Arc<Database>,
    user: Arc<User>,
}

impl World {
    fn new(documents: usize, edges: usize) -> Result<Self, ArangoError> {
        let store = Store::new();
        let world = World {
            database: store.create_database("bench")?,
            user: Arc::new(User::superuser("root", "")),
        };
        let create = |name: &str, kind| {
            world
                .database
                .create_collection(name, CollectionOptions::of(kind))
        };
        create("docs", CollectionKind::Document)?;
        create("links", CollectionKind::Edge)?;
        let index = json!({"type": "persistent", "fields": ["number"]});
        world
            .database
            .ensure_index("docs", &Value::from_json(index))?;
        timed("insert documents", documents, || {
            world.insert("docs", (0..documents).map(document))
        })?;
        timed("insert edges", edges, || {
            world.insert("links", (0..edges).map(|at| edge(at, documents)))
        })?;
        let links = json!({"links": {"docs": {"fields": {"number": {}, "text": {"analyzers": ["text_en"]}}}}});
        world
            .database
            .create_view("found", ViewKind::ArangoSearch, &Value::from_json(links))?;
        Ok(world)
    }

    fn insert(&self, name: &str, items: impl Iterator<Item = Json>) -> Result<(), ArangoError> {
        let mut txn = Txn::begin(&self.database, Access::query(true), &self.user)?;
        txn.open(name, Mode::Write)?;
        for item in items {
            txn.insert(name, &Value::from_json(item), &WriteOptions::default())?;
        }
        txn.commit()
    }

    /// Runs a query and gives the number of its rows.
    fn run(&self, query: &str) -> Result<usize, ArangoError> {
        let request = Request {
            query: query.to_owned(),
            bind_vars: Object::new(),
            options: QueryOptions::default(),
        };
        let session = Session {
            user: Some("root".into()),
            database: "bench".into(),
            version: "3.12.10".into(),
            now_millis: 0,
        };
        let mut txn = Txn::begin(&self.database, Access::query(true), &self.user)?;
        let control = Control::new(&request.options);
        let outcome = engine::run(&mut txn, &request, &control, &session)?;
        Ok(outcome.rows.len())
    }

    /// The fastest run of a query, and its rows.
    fn fastest(&self, query: &str) -> Result<(f64, usize), ArangoError> {
        // The first run makes the indexes of views.
        self.run(query)?;
        let begin = Instant::now();
        let mut best = f64::INFINITY;
        loop {
            let start = Instant::now();
            let rows = self.run(query)?;
            best = best.min(start.elapsed().as_secs_f64());
            if begin.elapsed() >= ENOUGH {
                return Ok((best, rows));
            }
        }
    }
}

/// A number that looks random and is the same in every run.
fn scattered(at: usize) -> usize {
    let mixed = (at as u64 ^ 0x9e37_79b9).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 33) as usize
}

fn document(at: usize) -> Json {
    const WORDS: [&str; 12] = [
        "quick", "brown", "fox", "jumps", "over", "lazy", "dog", "while", "seven", "boats",
        "sailed", "north",
    ];
    let words: Vec<&str> = (0..8)
        .map(|word| WORDS[scattered(at * 8 + word) % WORDS.len()])
        .collect();
    json!({
        "_key": at.to_string(),
        "number": at,
        "value": scattered(at) % 1000,
        "name": format!("name {}", scattered(at + 7)),
        "city": format!("city {}", scattered(at + 3) % 100),
        "text": words.join(" "),
        "tags": [at % 3, at % 5, at % 7],
    })
}

fn edge(at: usize, documents: usize) -> Json {
    json!({
        "_from": format!("docs/{}", at % documents),
        "_to": format!("docs/{}", scattered(at) % documents),
        "weight": scattered(at) % 10 + 1,
    })
}

fn timed(
    name: &str,
    count: usize,
    work: impl FnOnce() -> Result<(), ArangoError>,
) -> Result<(), ArangoError> {
    let start = Instant::now();
    work()?;
    let seconds = start.elapsed().as_secs_f64();
    print_line(&format!(
        "{name:<46} {count:>9} {:>10.1} ms {:>12.0} rows/s",
        seconds * 1e3,
        count as f64 / seconds
    ));
    Ok(())
}

fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever reads the numbers may have gone.
    let _ = writeln!(out, "{line}");
}

fn measure(documents: usize, edges: usize) -> Result<(), ArangoError> {
    let small = World::new(documents / 10, edges / 10)?;
    let large = World::new(documents, edges)?;
    print_line(&format!(
        "{:<46} {:>9} {:>13} {:>19} {:>8}",
        "query", "rows", "time", "worked on", "x 10 is"
    ));
    for case in CASES {
        let (less, _) = small.fastest(case.query)?;
        let (seconds, rows) = large.fastest(case.query)?;
        let worked = match case.work {
            Work::Documents => documents,
            Work::Lookups(count) => count,
            Work::Rows => rows,
        };
        print_line(&format!(
            "{:<46} {rows:>9} {:>10.2} ms {:>12.0} rows/s {:>7.1}x",
            case.name,
            seconds * 1e3,
            worked as f64 / seconds,
            seconds / less
        ));
    }
    Ok(())
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|one| one.parse().ok());
    let documents = numbers.next().unwrap_or(100_000);
    let edges = numbers.next().unwrap_or(1_000_000);
    print_line(&format!(
        "{} on {}, {} threads: cargo bench -p embedded-arango -- {documents} {edges}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        std::thread::available_parallelism().map_or(0, usize::from),
    ));
    let run = move || measure(documents, edges);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let result = worker.expect("a thread").join().expect("no panic");
    if let Err(error) = result {
        print_line(&format!("failed: {error}"));
        std::process::exit(1);
    }
}
