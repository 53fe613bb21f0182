//! Attribute names, types and counts, found by the server.
//!
//! One query covers up to 50 collections. Of each, the server takes the first documents that its storage gives (no sort, no
//! random order: a random sample would read the whole collection), follows their attributes to a depth, and returns each
//! different path with its type once. No document and no value leaves the server, so that the answer is small however large
//! the documents are.
//!
//! Depth is followed by loops nested in the text, one a name, because AQL has no recursion. A loop runs over the names in
//! the value before it, null first: stop here. So one chain of loops gives the attribute itself and all below it. Of an
//! array, the first five elements stand for the others: their types are told, and the objects among them are merged into
//! one that is followed. An array within an array is told as such and not followed.
//!
//! Names are followed one by one, as `value[name]`. `ATTRIBUTES` and `VALUES` of one object come in different orders, so
//! that pairing the two would mix up the types.
//!
//! A collection that fails its query takes the others of it along: the query is halved until the failure is alone, and is
//! then a warning.

use crate::arango::{Client, DatabaseError, OwnQuery, clean_to};
use crate::ask::{Error, ErrorKind, Result};
use crate::json::{Reader, Token, Value};
use crate::order::sort_by;
use crate::settings::Limits;

use super::super::{Collection, Field, Step, Type, Types};
use super::Warnings;

/// The most collections in a query.
const MOST_COLLECTIONS: usize = 50;

/// The server gives a query 1,000 registers, and does not use one subquery's registers in the next.
const REGISTERS: usize = 990;

/// The variables of a collection, the server's own temporary ones counted: five a level, and four beside.
fn registers(depth: u32) -> usize {
    usize::try_from(depth)
        .unwrap_or(usize::MAX)
        .saturating_mul(5)
        .saturating_add(4)
}

/// Attributes followed in a document, and in an object within one, by name: a map with a key for each of a million things
/// must not become a million paths.
const NAMES_IN: &str = "SLICE(ATTRIBUTES(";
const NAMES_IN_DOCUMENT: &str = "d,false,true),0,1000)";
const NAMES_IN_OBJECT: &str = ",false,true),0,100)";

/// Attributes followed in all documents of a collection together.
const MOST_FOLLOWED: &str = " LIMIT 100000 COLLECT g=[";

/// The type of a value, or the types of its elements.
const TYPES_OF_W: &str = "(IS_ARRAY(w)?SORTED_UNIQUE(SLICE(w,0,5)[* RETURN IS_NUMBER(CURRENT)?(CURRENT==FLOOR(CURRENT)?\"int\":\"double\"):TYPENAME(CURRENT)]):IS_NUMBER(w)?(w==FLOOR(w)?\"int\":\"double\"):TYPENAME(w))";

/// The answer nests four levels deep.
const MOST_DEPTH: usize = 8;

/// Longer names of attributes are left out: they are data that somebody used as a name.
const LONGEST_NAME_BYTES: usize = 1_024;

/// What was found of a collection.
struct Found {
    count: Option<u64>,
    fields: Vec<Field>,
    cut: bool,
}

/// What became of a collection.
enum Outcome {
    Found(Found),
    /// The server fails on it: it stays without attributes.
    Unknown,
    /// It may not be read, or is gone.
    Gone,
}

pub(super) fn read(
    client: &Client<'_>,
    collections: &mut Vec<Collection>,
    warnings: &mut Warnings,
) -> Result<()> {
    let at_once = REGISTERS
        .checked_div(registers(client.settings().limits.field_depth))
        .unwrap_or(1)
        .clamp(1, MOST_COLLECTIONS);
    let mut outcomes = Vec::with_capacity(collections.len());
    for batch in collections.chunks(at_once) {
        let names: Vec<&str> = batch.iter().map(|item| item.name.as_ref()).collect();
        sample(client, &names, &mut outcomes, warnings)?;
    }
    let mut outcomes = outcomes.into_iter();
    collections.retain_mut(|collection| match outcomes.next() {
        Some(Outcome::Found(found)) => {
            collection.count = found.count;
            collection.fields = found.fields;
            collection.fields_cut = found.cut;
            if found.cut {
                let name = clean_to(&collection.name, 80);
                warnings.add(
                    "fields-cut",
                    format!("the collection `{name}` has more attributes than `limits.max_fields_per_collection` allows; the deepest are left out"),
                );
            }
            true
        }
        Some(Outcome::Unknown) | None => true,
        Some(Outcome::Gone) => false,
    });
    Ok(())
}

/// Samples these collections, one outcome each, in order.
fn sample(
    client: &Client<'_>,
    names: &[&str],
    outcomes: &mut Vec<Outcome>,
    warnings: &mut Warnings,
) -> Result<()> {
    let limits = &client.settings().limits;
    let error = match client.own(&query(names, limits)) {
        Ok(Ok(rows)) => {
            let row = rows.rows.get(0);
            let found = parse(row, names.len(), limits).ok_or_else(|| {
                Error::new(
                    ErrorKind::DatabaseUnreachable,
                    "not-arangodb",
                    "the answer to the request for attributes has another shape than the query gives it; check what stands between",
                )
            })?;
            outcomes.extend(found.into_iter().map(Outcome::Found));
            return Ok(());
        }
        Ok(Err(error)) => error,
        // Too large an answer: fewer collections give a smaller one.
        Err(error) if error.kind == ErrorKind::LimitExceeded && names.len() > 1 => DatabaseError {
            retry_after_ms: None,
            status: 0,
            number: Some(32),
            message: error.message,
        },
        Err(error) => return Err(error),
    };
    if !is_one_collections(&error) {
        return Err(error.to_error());
    }
    if let [name] = names {
        let name = clean_to(name, 80);
        let why = error.to_error().message;
        if error.is_forbidden() || error.number == Some(1203) {
            warnings.add(
                "collection-unreadable",
                format!("the collection `{name}` is left out, because it could not be read: {why}"),
            );
            outcomes.push(Outcome::Gone);
        } else {
            warnings.add(
                "fields-unreadable",
                format!("the attributes of the collection `{name}` are not known: {why}"),
            );
            outcomes.push(Outcome::Unknown);
        }
        return Ok(());
    }
    let (first, second) = names.split_at(names.len() / 2);
    sample(client, first, outcomes, warnings)?;
    sample(client, second, outcomes, warnings)
}

/// Whether the error may be one collection's. Others are the server's, or the query's own, and no halving mends them.
fn is_one_collections(error: &DatabaseError) -> bool {
    match error.number {
        Some(32 | 1500 | 1203) => true,
        _ if error.status == 401 => false,
        Some(number) if (1501..1600).contains(&number) => false,
        Some(_) => error.is_forbidden() || (error.status == 500 && !error.to_error().retryable),
        None => error.status == 403,
    }
}

/// The query: `RETURN [[count, [[types, name, in each, name, in each, name, …], …]], …]`.
///
/// `types` is a type's name, or for an array the list of its elements' types. `in each` says whether the name after it is
/// looked for in the elements of an array. What follows the last name is null.
fn query(names: &[&str], limits: &Limits) -> OwnQuery {
    let depth = limits.field_depth;
    let mut query = OwnQuery::new("RETURN [");
    let documents = query.bind_value(&limits.sample_documents.to_string());
    let most = query.bind_value(&most_rows(limits).to_string());
    for (index, name) in names.iter().enumerate() {
        query.text(if index == 0 { "[LENGTH(" } else { ",[LENGTH(" });
        let collection = query.collection(name);
        query.text("),(FOR d IN ");
        query.collection_again(collection);
        query.text(" LIMIT ");
        query.value_again(documents);
        query.text(" FOR s1 IN ");
        query.text(NAMES_IN);
        query.text(NAMES_IN_DOCUMENT);
        query.text(" LET v1=d[s1]");
        for level in 2..=depth {
            descend(&mut query, level);
        }
        query.text(" LET w=");
        for level in (2..=depth).rev() {
            query.numbered("s", level);
            query.numbered("!=null?v", level);
            query.text(":");
        }
        query.text("v1");
        query.text(MOST_FOLLOWED);
        query.text(TYPES_OF_W);
        query.text(",s1");
        for level in 2..=depth {
            query.numbered(",IS_ARRAY(v", level.saturating_sub(1));
            query.numbered("),s", level);
        }
        query.text("] LIMIT ");
        query.value_again(most);
        query.text(" RETURN g)]");
    }
    query.text("]");
    query
}

/// One more loop, over the names in the value of the level before: in an object, or in the objects of an array. Null comes
/// first, so that a value itself is told before what lies in it.
fn descend(query: &mut OwnQuery, level: u32) {
    let before = level.saturating_sub(1);
    query.numbered(" LET o", before);
    query.numbered("=IS_OBJECT(v", before);
    query.numbered(")?v", before);
    query.numbered(":IS_ARRAY(v", before);
    query.numbered(")?MERGE(SLICE(v", before);
    query.text(",0,5)[* FILTER IS_OBJECT(CURRENT)]):{}");
    query.numbered(" FOR s", level);
    query.text(" IN APPEND([null],");
    query.text(NAMES_IN);
    query.numbered("o", before);
    query.text(NAMES_IN_OBJECT);
    query.numbered(") LET v", level);
    query.numbered("=s", level);
    query.numbered("==null?null:o", before);
    query.numbered("[s", level);
    query.text("]");
}

/// Rows of a collection: an attribute has seldom more than two types. One more shows that there were more.
fn most_rows(limits: &Limits) -> u32 {
    limits
        .max_fields_per_collection
        .saturating_mul(3)
        .saturating_add(1)
}

/// The row of the query, a collection at a time: the answer may be large, and its tree is a multiple of it.
fn parse(row: Option<&str>, collections: usize, limits: &Limits) -> Option<Vec<Found>> {
    let mut reader = Reader::new(row?, MOST_DEPTH);
    let Ok(Some(Token::BeginArray)) = reader.next() else {
        return None;
    };
    let mut found = Vec::with_capacity(collections);
    while reader.more_items() {
        let part = Value::read(&mut reader).ok()?;
        let [count, paths] = part.list()? else {
            return None;
        };
        let (fields, cut) = collect(paths.list()?, limits)?;
        found.push(Found {
            count: count.whole(),
            fields,
            cut,
        });
    }
    (found.len() == collections).then_some(found)
}

/// Joins the types of each path, and keeps the shallowest paths where there are too many.
fn collect(rows: &[Value<'_>], limits: &Limits) -> Option<(Vec<Field>, bool)> {
    let most = usize::try_from(limits.max_fields_per_collection).unwrap_or(usize::MAX);
    let all_rows = usize::try_from(most_rows(limits)).unwrap_or(usize::MAX);
    let mut cut = rows.len() >= all_rows;
    let mut fields: Vec<Field> = Vec::new();
    for row in rows {
        let (types, steps) = row.list()?.split_first()?;
        let (first, steps) = steps.split_first()?;
        let mut path = vec![Step::Name(first.text()?.into())];
        for step in steps.chunks(2) {
            let [in_each, Value::Text(name)] = step else {
                break;
            };
            if in_each.is_true() {
                path.push(Step::Each);
            }
            path.push(Step::Name(name.decode().into()));
        }
        let name_bytes = |step: &Step| match step {
            Step::Name(name) => name.len(),
            Step::Each => 0,
        };
        if path.iter().map(name_bytes).max() > Some(LONGEST_NAME_BYTES) {
            cut = true;
            continue;
        }
        let mut found = |path: &[Step], kinds: Types| {
            fields.push(Field {
                path: path.into(),
                types: kinds,
            });
        };
        match types {
            Value::Text(name) => found(&path, one(Type::from_name(&name.decode())?)),
            Value::List(elements) => {
                found(&path, one(Type::Array));
                path.push(Step::Each);
                for element in elements {
                    found(&path, one(Type::from_name(&element.text()?)?));
                }
            }
            _ => return None,
        }
    }
    sort_by(&mut fields, |one, other| one.path.cmp(&other.path));
    fields.dedup_by(|later, earlier| {
        let same = later.path == earlier.path;
        if same {
            earlier.types.join(later.types);
        }
        same
    });
    if fields.len() > most {
        cut = true;
        // Both sorts are stable or total: the same database gives the same schema.
        sort_by(&mut fields, |one, other| {
            one.path.len().cmp(&other.path.len())
        });
        fields.truncate(most);
        sort_by(&mut fields, |one, other| one.path.cmp(&other.path));
    }
    Some((fields, cut))
}

fn one(kind: Type) -> Types {
    let mut types = Types::default();
    types.insert(kind);
    types
}
