//! Three years of orders, and the reviews and recommendations that go with them.

use super::books::Book;
use super::customers::Customer;
use super::sequence::{DAY, Sequence, date, timestamp};
use super::tables::{CITIES, NOTES, OPINIONS};
use super::{money, object};
use crate::value::{Object, Value};

const ORDERS: usize = 480;

/// 2023-01-05, and the last moment of 2025, in milliseconds.
const FIRST: i64 = 19_362 * DAY;
const LAST: i64 = 20_454 * DAY - 1;

/// A review, and what a book's rating depends on.
pub(super) struct Review {
    /// The place among the books.
    pub(super) book: usize,
    pub(super) stars: i64,
    pub(super) document: Object,
}

#[derive(Default)]
pub(super) struct Sales {
    pub(super) orders: Vec<Object>,
    pub(super) reviewed: Vec<Review>,
    pub(super) recommended: Vec<Object>,
    /// Who has bought which book and when, in the order of buying.
    bought: Vec<(usize, usize, i64)>,
}

pub(super) fn sales(numbers: &mut Sequence, books: &[Book], customers: &[Customer]) -> Sales {
    let mut sales = Sales::default();
    for at in 0..ORDERS {
        // Evenly through the years: the windows are longer than two days, so that no two orders share one. Shops and
        // readers are awake from nine to seven.
        let window = (LAST - FIRST) / ORDERS as i64;
        let day = (FIRST + window * at as i64) / DAY + numbers.between(0, 1);
        let placed = day * DAY + numbers.between(9 * 60, 19 * 60) * 60_000;
        let buyers: Vec<usize> = (0..customers.len())
            .filter(|buyer| customers[*buyer].joined < placed)
            .collect();
        let buyer = buyers[numbers.early(buyers.len())];
        let basket = basket(numbers, books, &customers[buyer], placed);
        let delivered = sales.order(
            numbers,
            at,
            placed,
            (buyer, &customers[buyer]),
            books,
            &basket,
        );
        for (book, _) in &basket {
            sales.recommend(numbers, placed, buyer, *book, books, customers);
            if let Some(delivered) = delivered {
                sales.review(
                    numbers,
                    delivered,
                    (buyer, &customers[buyer]),
                    (*book, &books[*book]),
                );
            }
            sales.bought.push((buyer, *book, placed));
        }
    }
    sales
}

/// One to four different books with their quantities, mostly of the customer's favourite genres, early ones of the
/// catalogue more often. Some books have a companion that often comes along.
fn basket(
    numbers: &mut Sequence,
    books: &[Book],
    customer: &Customer,
    placed: i64,
) -> Vec<(usize, i64)> {
    let on_sale: Vec<usize> = (0..books.len())
        .filter(|at| books[*at].published < placed)
        .collect();
    let liked: Vec<usize> = on_sale
        .iter()
        .copied()
        .filter(|at| customer.favourites.contains(&books[*at].genre))
        .collect();
    let mut basket: Vec<(usize, i64)> = Vec::new();
    let put = |basket: &mut Vec<(usize, i64)>, book: usize, quantity: i64| {
        if !basket.iter().any(|(other, _)| *other == book) {
            basket.push((book, quantity));
        }
    };
    for _ in 0..=numbers.early(3) {
        let shelf = if !liked.is_empty() && numbers.chance(70) {
            &liked
        } else {
            &on_sale
        };
        let book = shelf[numbers.early(shelf.len())];
        let quantity = if numbers.chance(15) {
            numbers.between(2, 5)
        } else {
            1
        };
        put(&mut basket, book, quantity);
        let companion = (book * 7 + 3) % 30;
        if book < 30 && books[companion].published < placed && numbers.chance(40) {
            put(&mut basket, companion, 1);
        }
    }
    basket
}

impl Sales {
    /// Writes the order, and says when it arrived, if it did.
    fn order(
        &mut self,
        numbers: &mut Sequence,
        at: usize,
        placed: i64,
        (_, customer): (usize, &Customer),
        books: &[Book],
        basket: &[(usize, i64)],
    ) -> Option<i64> {
        let online = numbers.chance(65);
        let goods: i64 = basket
            .iter()
            .map(|(book, quantity)| books[*book].cents * quantity)
            .sum();
        let item = |(book, quantity): &(usize, i64)| {
            object([
                ("book", books[*book].id()),
                ("quantity", Value::Int(*quantity)),
                ("unitPrice", money(books[*book].cents)),
            ])
        };
        let mut document = Object::from_iter([
            ("_key", Value::from(format!("o{:04}", at + 1))),
            ("customer", customer.id()),
            ("placedAt", Value::from(timestamp(placed))),
            (
                "channel",
                Value::from(if online { "online" } else { "branch" }),
            ),
        ]);
        if !online {
            document.insert(
                "branch",
                Value::from(format!("branches/s{}", customer.city + 1)),
            );
        }
        document.insert("items", Value::array(basket.iter().map(item).collect()));
        let mut total = goods;
        if online {
            let (method, cost) = if goods > 5_000 {
                ("standard", 0)
            } else {
                *numbers.pick(&[("standard", 390), ("express", 890)])
            };
            total += cost;
            let country = Value::from(CITIES[customer.city].1);
            document.insert(
                "shipping",
                object([
                    ("method", Value::from(method)),
                    ("cost", money(cost)),
                    ("country", country),
                ]),
            );
        }
        if numbers.chance(12) {
            let (code, percent) =
                *numbers.pick(&[("SPRING10", 10), ("READMORE5", 5), ("FRIENDS15", 15)]);
            total -= goods * percent / 100;
            document.insert(
                "coupon",
                object([
                    ("code", Value::from(code)),
                    ("percent", Value::Int(percent)),
                ]),
            );
        }
        document.insert("total", money(total));
        document.insert("currency", Value::from("EUR"));
        let arrives = placed
            + if online {
                numbers.between(1, 6) * DAY + 3_600_000
            } else {
                0
            };
        let status = match numbers.below(100) {
            _ if arrives > LAST => "shipped",
            0..4 => "cancelled",
            4..9 => "returned",
            _ => "delivered",
        };
        document.insert("status", Value::from(status));
        let delivered = (status == "delivered").then_some(arrives);
        if let Some(arrived) = delivered {
            document.insert("deliveredAt", Value::from(timestamp(arrived)));
        }
        self.orders.push(document);
        delivered
    }

    /// An earlier buyer of the book may have told this one of it, shortly before.
    fn recommend(
        &mut self,
        numbers: &mut Sequence,
        placed: i64,
        buyer: usize,
        book: usize,
        books: &[Book],
        customers: &[Customer],
    ) {
        let earlier: Vec<(usize, i64)> = self
            .bought
            .iter()
            .filter(|(other, of, _)| *of == book && *other != buyer)
            .map(|(other, _, when)| (*other, *when))
            .collect();
        if earlier.is_empty() || !numbers.chance(45) {
            return;
        }
        let (teller, had) = *numbers.pick(&earlier);
        // Some days before this order, and not before the teller had the book.
        let on = had.max(placed - numbers.between(1, 20) * DAY);
        let mut document = Object::from_iter([
            (
                "_key",
                Value::from(format!("r{:03}", self.recommended.len() + 1)),
            ),
            ("_from", customers[teller].id()),
            ("_to", customers[buyer].id()),
            ("book", books[book].id()),
            ("on", Value::from(date(on))),
        ]);
        if numbers.chance(60) {
            document.insert("note", Value::from(*numbers.pick(&NOTES)));
        }
        self.recommended.push(document);
    }

    /// Half of the readers review what they got, each book once.
    fn review(
        &mut self,
        numbers: &mut Sequence,
        delivered: i64,
        (buyer, customer): (usize, &Customer),
        (at, book): (usize, &Book),
    ) {
        let again = self
            .bought
            .iter()
            .any(|(other, of, _)| *other == buyer && *of == at);
        let written = delivered + numbers.between(3, 40) * DAY;
        if again || written > LAST || !numbers.chance(50) {
            return;
        }
        let stars = (book.quality + numbers.between(-1, 1)).clamp(1, 5);
        let mut document = Object::from_iter([
            (
                "_key",
                Value::from(format!("{}-{}", customer.key, book.key)),
            ),
            ("_from", customer.id()),
            ("_to", book.id()),
            ("stars", Value::Int(stars)),
            ("on", Value::from(date(written))),
        ]);
        if numbers.chance(75) {
            let opinions = OPINIONS[usize::try_from(stars - 1).unwrap_or(0)];
            document.insert("text", Value::from(*numbers.pick(opinions)));
        }
        document.insert("verified", Value::Bool(true));
        self.reviewed.push(Review {
            book: at,
            stars,
            document,
        });
    }
}
