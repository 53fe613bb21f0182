//! Customers and the branches near them.

use super::sequence::{DAY, Sequence, date};
use super::tables::{CITIES, FAMILY_NAMES, FIRST_NAMES, GENRES, OTHER_NAMES};
use super::{list, object, texts};
use crate::value::{Object, Value};

const CUSTOMERS: usize = 100;

/// A customer, and what orders depend on.
pub(super) struct Customer {
    pub(super) key: String,
    /// The place in the table of cities, which is also that of the nearest branch.
    pub(super) city: usize,
    pub(super) favourites: Vec<&'static str>,
    /// Milliseconds since 1970: no order comes before.
    pub(super) joined: i64,
    pub(super) document: Object,
}

impl Customer {
    pub(super) fn id(&self) -> Value {
        Value::from(format!("customers/{}", self.key))
    }
}

pub(super) fn customers(numbers: &mut Sequence) -> Vec<Customer> {
    (0..CUSTOMERS).map(|at| customer(numbers, at)).collect()
}

fn customer(numbers: &mut Sequence, at: usize) -> Customer {
    let name = match OTHER_NAMES.get(at / 10).filter(|_| at % 10 == 7) {
        Some(name) => (*name).to_owned(),
        None => format!(
            "{} {}",
            FIRST_NAMES[at % 25],
            FAMILY_NAMES[(at + at / 25 * 3) % 20]
        ),
    };
    let city = numbers.early(CITIES.len());
    let (city_name, country, ..) = CITIES[city];
    let key = format!("c{:03}", at + 1);
    let first = numbers.pick(&GENRES).0;
    let second = numbers.pick(&GENRES).0;
    let favourites = if first == second {
        vec![first]
    } else {
        vec![first, second]
    };
    // From 2018 on; the first customers are the oldest.
    let joined = (17_540 + at as i64 * 15 + numbers.between(0, 14)) * DAY;
    let tier = match at {
        0..20 => "gold",
        20..55 => "silver",
        _ => "bronze",
    };
    let mut document = Object::from_iter([
        ("_key", Value::from(key.as_str())),
        ("name", Value::from(name)),
        (
            "email",
            Value::from(format!("reader{:03}@example.org", at + 1)),
        ),
        ("city", Value::from(city_name)),
        ("country", Value::from(country)),
        ("joined", Value::from(date(joined))),
        ("tier", Value::from(tier)),
        ("favouriteGenres", texts(&favourites)),
        ("newsletter", Value::Bool(numbers.chance(60))),
    ]);
    if numbers.chance(55) {
        document.insert("birthYear", Value::Int(numbers.between(1948, 2006)));
    }
    let street = format!("{} {}", CITIES[city].4, numbers.between(1, 120));
    let postcode = format!("{:05}", numbers.between(10_000, 99_999));
    document.insert(
        "address",
        object([
            ("street", Value::from(street)),
            ("postcode", Value::from(postcode)),
        ]),
    );
    Customer {
        key,
        city,
        favourites,
        joined,
        document,
    }
}

pub(super) fn branches() -> Vec<Object> {
    let hours =
        |from: &str, to: &str| object([("from", Value::from(from)), ("to", Value::from(to))]);
    let branch =
        |(at, (city, country, longitude, latitude, street)): (usize, &super::tables::City)| {
            let mut opening = vec![
                ("weekdays", hours("09:30", "19:00")),
                ("saturday", hours("10:00", "18:00")),
            ];
            if at % 3 == 0 {
                opening.push(("sunday", hours("12:00", "17:00")));
            }
            let services: &[&str] = match at % 4 {
                0 => &["café", "events", "gift wrapping"],
                1 => &["gift wrapping"],
                2 => &["antiquarian", "events"],
                _ => &["café"],
            };
            Object::from_iter([
                ("_key", Value::from(format!("s{}", at + 1))),
                ("name", Value::from(format!("Lantern Books {city}"))),
                ("city", Value::from(*city)),
                ("country", Value::from(*country)),
                ("street", Value::from(*street)),
                (
                    "location",
                    object([
                        ("type", Value::from("Point")),
                        (
                            "coordinates",
                            list([Value::from(*longitude), Value::from(*latitude)]),
                        ),
                    ]),
                ),
                (
                    "opened",
                    Value::from(date((12_000 + at as i64 * 731) * DAY)),
                ),
                ("openingHours", Value::object(opening.into_iter().collect())),
                ("services", texts(services)),
            ])
        };
    CITIES.iter().enumerate().map(branch).collect()
}
