//! Authors, books, and who wrote which.

use super::sales::Review;
use super::sequence::{DAY, Sequence, date};
use super::tables::{AUTHORS, Author, GENRES, Genre, LANGUAGES, PUBLISHERS, SERIES};
use super::{money, object, texts};
use crate::value::{Object, Value};

const BOOKS: usize = 150;

/// A book, and what sales and reviews depend on.
pub(super) struct Book {
    pub(super) key: String,
    pub(super) genre: &'static str,
    pub(super) cents: i64,
    /// The stars that readers give on average, before chance: 2 to 5.
    pub(super) quality: i64,
    /// Milliseconds since 1970: it is not sold before.
    pub(super) published: i64,
    pub(super) document: Object,
}

impl Book {
    pub(super) fn id(&self) -> Value {
        Value::from(format!("books/{}", self.key))
    }
}

pub(super) fn authors() -> Vec<Object> {
    let author = |(at, (name, latin, country, born, genres)): (usize, &Author)| {
        let mut document = Object::from_iter([
            ("_key", Value::from(format!("a{:02}", at + 1))),
            ("name", Value::from(*name)),
        ]);
        if let Some(latin) = latin {
            document.insert("latinName", Value::from(*latin));
        }
        document.insert("country", Value::from(*country));
        if let Some(born) = born {
            document.insert("born", Value::Int(*born));
        }
        document.insert("genres", texts(genres));
        document
    };
    AUTHORS.iter().enumerate().map(author).collect()
}

/// All books, and the edges from their authors.
pub(super) fn books(numbers: &mut Sequence) -> (Vec<Book>, Vec<Object>) {
    let mut books: Vec<Book> = Vec::with_capacity(BOOKS);
    let mut wrote = Vec::new();
    for at in 0..BOOKS {
        let genre = &GENRES[at % GENRES.len()];
        let book = book(numbers, at, genre);
        wrote.extend(writers(numbers, &book));
        books.push(book);
    }
    (books, wrote)
}

/// The title of the n-th book of a genre: every pattern meets every word before any pair comes again.
fn title((_, patterns, words, _): &Genre, at: usize) -> (String, &'static str) {
    let (round, pattern) = (at / patterns.len(), at % patterns.len());
    let word = words[(round + pattern) % words.len()];
    let title = patterns[pattern]
        .replace("{}", word)
        .replace("The the ", "The ");
    let mut letters = title.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string())
        .unwrap_or_default();
    (first + letters.as_str(), word)
}

fn book(numbers: &mut Sequence, at: usize, genre: &Genre) -> Book {
    let of_genre = at / GENRES.len();
    let (name, _, _, subjects) = *genre;
    let (title, word) = title(genre, of_genre);
    let format = *numbers.pick(&["paperback", "paperback", "hardcover", "e-book"]);
    let cents = match format {
        "hardcover" => numbers.between(21, 34),
        "e-book" => numbers.between(7, 12),
        _ => numbers.between(10, 18),
    } * 100
        - 10;
    // From 2004 to 2025, newer ones more often.
    let published = (20_200 - numbers.early(7_700) as i64) * DAY;
    let (publisher, city) = *numbers.pick(&PUBLISHERS);
    let key = format!("b{:03}", at + 1);
    let mut document = Object::from_iter([
        ("_key", Value::from(key.as_str())),
        ("title", Value::from(title)),
        (
            "isbn",
            Value::from(format!(
                "979-0-{:04}-{:03}",
                1_000 + at * 37 % 9_000,
                at + 1
            )),
        ),
        ("genre", Value::from(name)),
        (
            "subjects",
            texts(&[
                subjects[of_genre % 4],
                subjects[(of_genre + 1 + of_genre / 4 % 3) % 4],
            ]),
        ),
        ("language", Value::from(*numbers.pick(&LANGUAGES))),
        ("format", Value::from(format)),
    ]);
    if format != "e-book" {
        let pages = if name == "children" {
            numbers.between(24, 96)
        } else {
            numbers.between(120, 620)
        };
        document.insert("pages", Value::Int(pages));
    }
    document.insert("published", Value::from(date(published)));
    document.insert(
        "price",
        object([("amount", money(cents)), ("currency", Value::from("EUR"))]),
    );
    document.insert(
        "publisher",
        object([
            ("name", Value::from(publisher)),
            ("city", Value::from(city)),
        ]),
    );
    document.insert(
        "stock",
        Value::Int(if numbers.chance(12) {
            0
        } else {
            numbers.between(1, 40)
        }),
    );
    if let Some((_, series)) = SERIES
        .iter()
        .find(|(of, _)| *of == name && of_genre.is_multiple_of(3))
    {
        let volume = (of_genre / 3 + 1) as i64;
        document.insert(
            "series",
            object([
                ("name", Value::from(*series)),
                ("volume", Value::Int(volume)),
            ]),
        );
    }
    document.insert("blurb", Value::from(blurb(name, word, numbers)));
    Book {
        key,
        genre: name,
        cents,
        quality: numbers.between(2, 5),
        published,
        document,
    }
}

fn blurb(genre: &str, word: &str, numbers: &mut Sequence) -> String {
    let opening = *numbers.pick(&[
        "A patient, funny",
        "An unhurried",
        "A sharp and tender",
        "A generous",
        "A startling",
    ]);
    let kind = match genre {
        "crime" => "mystery about a missing witness",
        "novel" => "story of three generations",
        "fantasy" => "tale of maps that rewrite themselves",
        "science" => "tour of what we know and how we know it",
        "history" => "account of the people behind the dates",
        "poetry" => "collection for reading aloud",
        "cookery" => "collection of a hundred recipes",
        "travel" => "journey by local trains and on foot",
        _ => "picture story for small listeners",
    };
    let ending = *numbers.pick(&[
        "with a surprise on the last page",
        "told by someone who was there",
        "for quiet evenings",
        "with notes for the curious",
    ]);
    format!("{opening} {kind}, around {word}, {ending}.")
}

/// One or two authors who write in the genre, and of some books an illustrator or a translator.
fn writers(numbers: &mut Sequence, book: &Book) -> Vec<Object> {
    let fitting: Vec<usize> = (0..AUTHORS.len())
        .filter(|at| AUTHORS[*at].4.contains(&book.genre))
        .collect();
    let mut people = vec![(*numbers.pick(&fitting), "author")];
    if numbers.chance(14) {
        people.push((*numbers.pick(&fitting), "author"));
    }
    if book.genre == "children" {
        people.push((numbers.below(AUTHORS.len()), "illustrator"));
    } else if numbers.chance(12) {
        people.push((numbers.below(AUTHORS.len()), "translator"));
    }
    let mut seen = Vec::new();
    people.retain(|(author, _)| {
        !seen.contains(author) && {
            seen.push(*author);
            true
        }
    });
    let edge = |(at, (author, role)): (usize, &(usize, &'static str))| {
        Object::from_iter([
            ("_key", Value::from(format!("{}-{}", book.key, at + 1))),
            ("_from", Value::from(format!("authors/a{:02}", author + 1))),
            ("_to", book.id()),
            ("role", Value::from(*role)),
            ("position", Value::Int(at as i64 + 1)),
        ])
    };
    people.iter().enumerate().map(edge).collect()
}

/// Writes the average of its reviews into each book that has any.
pub(super) fn rate(books: &mut [Book], reviews: &[Review]) {
    for (at, book) in books.iter_mut().enumerate() {
        let stars: Vec<i64> = reviews
            .iter()
            .filter(|review| review.book == at)
            .map(|review| review.stars)
            .collect();
        let (count, sum) = (stars.len() as i64, stars.iter().sum::<i64>());
        if count > 0 {
            let average = Value::from_f64_narrow((sum * 10 / count) as f64 / 10.0);
            book.document.insert(
                "rating",
                object([("average", average), ("count", Value::Int(count))]),
            );
        }
    }
}
