//! What a server starts with: the demonstration data, nothing, or a file.
//!
//! # The demonstration: a bookshop
//!
//! An invented bookshop with branches in eight cities, its customers and three years of orders (2023 to 2025). It is made
//! by code from small tables, the same on every run; no person in it exists.
//!
//! | collection | documents | fields |
//! |---|---|---|
//! | `books` | 150 | `title`, `isbn`, `genre`, `subjects` (texts), `language`, `format`, `pages` (not of e-books), `published` (date), `price` {`amount`, `currency`}, `publisher` {`name`, `city`}, `stock`, `series` {`name`, `volume`} (some), `rating` {`average`, `count`} (where reviewed), `blurb` |
//! | `authors` | 48 | `name` (in many scripts), `latinName` (where the name is in another script), `country`, `born` (year, of most), `genres` (texts) |
//! | `customers` | 100 | `name`, `email`, `city`, `country`, `joined` (date), `tier` (`bronze`, `silver`, `gold`), `favouriteGenres` (texts), `newsletter`, `birthYear` (of some), `address` {`street`, `postcode`} |
//! | `branches` | 8 | `name`, `city`, `country`, `location` (GeoJSON point), `opened` (date), `openingHours` {`weekdays`, `saturday`, `sunday` (some)}, `services` (texts) |
//! | `orders` | 480 | `customer` (`_id`), `placedAt` (timestamp), `channel` (`online`, `branch`), `branch` (`_id`, of those), `items` [{`book` (`_id`), `quantity`, `unitPrice`}], `shipping` {`method`, `cost`, `country`} (online), `coupon` {`code`, `percent`} (some), `total`, `currency`, `status`, `deliveredAt` (where delivered) |
//!
//! | edge collection | from → to | fields |
//! |---|---|---|
//! | `wrote` | `authors` → `books` | `role` (`author`, `illustrator`, `translator`), `position` |
//! | `reviewed` | `customers` → `books` | `stars` (1 to 5), `on` (date), `text` (of most), `verified` |
//! | `recommended` | `customers` → `customers` | `book` (`_id`), `on` (date), `note` (of some) |
//!
//! The named graph `bookshop` has the three edge collections; the view `catalogue` searches titles and blurbs of `books`
//! and names of `authors`. Persistent indexes are on `books.isbn` (unique), `books.genre`, `customers.email` (unique),
//! `orders.customer` and `orders.placedAt`; a geo index on `branches.location`.
//!
//! Money is in euros. A recommendation is always followed by an order of the book, and a review by the reader's order of
//! it comes before, so that questions about who bought, recommended or reviewed what have consistent answers.
//!
//! # Files
//!
//! A file is one JSON object; all parts but the names are optional.
//!
//! ```json
//! { "collections": [ { "name": "books", "type": 2, "docs": [ { "_key": "b1", "title": "…" } ] },
//!                    { "name": "wrote", "type": 3, "docs": [ { "_from": "authors/a1", "_to": "books/b1" } ] } ],
//!   "indexes": [ { "collection": "books", "type": "persistent", "fields": ["title"] } ],
//!   "graphs": [ { "name": "shop", "edgeDefinitions": [ { "collection": "wrote", "from": ["authors"], "to": ["books"] } ],
//!                 "orphanCollections": [] } ],
//!   "views": [ { "name": "search", "type": "arangosearch", "properties": { "links": { "books": { "includeAllFields": true } } } } ] }
//! ```
//!
//! The type is 2 (or `"document"`) or 3 (or `"edge"`). What is wrong is refused with the file, the place in it and the
//! reason, and nothing of the file is loaded.

mod demo;
mod error;
mod load;
mod read;
mod set;

use std::path::{Path, PathBuf};

pub use error::DataError;
pub use set::{CollectionData, DataSet, GraphData, IndexData, ViewData};

/// Where a server's data comes from, as `--data` says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `demo`: the bookshop of this page.
    Demo,
    /// `empty`: no collections.
    Empty,
    /// Anything else: a file.
    File(PathBuf),
}

impl Source {
    /// Reads the value of `--data`. A file that is called `demo` or `empty` is meant by `./demo` or `./empty`.
    pub fn parse(text: &str) -> Self {
        match text {
            "demo" => Self::Demo,
            "empty" => Self::Empty,
            path => Self::File(PathBuf::from(path)),
        }
    }

    /// The data.
    ///
    /// # Errors
    /// For a file that cannot be read or is no data set.
    pub fn read(&self) -> Result<DataSet, DataError> {
        match self {
            Self::Demo => Ok(DataSet::demo()),
            Self::Empty => Ok(DataSet::default()),
            Self::File(path) => DataSet::read_file(path),
        }
    }
}

impl DataSet {
    /// The bookshop of the [module's page](self).
    pub fn demo() -> Self {
        demo::bookshop()
    }

    /// The data set of a file.
    ///
    /// # Errors
    /// For a file that cannot be read or is no data set; the error names the file.
    pub fn read_file(path: &Path) -> Result<Self, DataError> {
        let in_file = |error: DataError| error.in_file(path);
        let text = std::fs::read_to_string(path)
            .map_err(|error| in_file(DataError::new("", format!("cannot be read: {error}"))))?;
        Self::parse(&text).map_err(in_file)
    }
}
