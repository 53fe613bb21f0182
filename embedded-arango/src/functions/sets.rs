//! Arrays as sets: unions, intersections, differences, and what they have in common.
//!
//! `INTERSECTION`, `OUTERSECTION` and `MINUS` promise no order; like the server they give the element seen last first.

use std::collections::{HashMap, HashSet};

use super::arguments::arg;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("COUNT_DISTINCT", 1, 1, |ctx, args| {
        count_distinct(ctx, args, "COUNT_DISTINCT")
    }),
    pure("COUNT_UNIQUE", 1, 1, |ctx, args| {
        count_distinct(ctx, args, "COUNT_UNIQUE")
    }),
    pure("INTERSECTION", 2, usize::MAX, intersection),
    pure("JACCARD", 2, 2, jaccard),
    pure("MINUS", 2, usize::MAX, minus),
    pure("OUTERSECTION", 2, usize::MAX, outersection),
    pure("SORTED", 1, 1, sorted),
    pure("SORTED_UNIQUE", 1, 1, sorted_unique),
    pure("UNION", 2, usize::MAX, union),
    pure("UNION_DISTINCT", 2, usize::MAX, union_distinct),
    pure("UNIQUE", 1, 1, unique),
];

/// All arguments as arrays, or `None` where one is none.
fn arrays(args: &[Value]) -> Option<Vec<&[Value]>> {
    args.iter().map(Value::as_array).collect()
}

fn count_distinct(ctx: &mut Context<'_>, args: &[Value], name: &str) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected(name);
    };
    Ok(Value::Int(items.iter().collect::<HashSet<_>>().len() as i64))
}

fn distinct<'a>(items: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    items.filter(|item| seen.insert(*item)).cloned().collect()
}

fn unique(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected("UNIQUE");
    };
    Ok(Value::array(distinct(items.iter())))
}

fn sorted(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected("SORTED");
    };
    let mut items = items.to_vec();
    ctx.charge_elements("SORTED", items.len())?;
    items.sort();
    Ok(Value::array(items))
}

fn sorted_unique(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected("SORTED_UNIQUE");
    };
    let mut items = distinct(items.iter());
    items.sort();
    Ok(Value::array(items))
}

fn union(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = arrays(args) else {
        return ctx.invalid("UNION");
    };
    ctx.charge_elements("UNION", arrays.iter().map(|items| items.len()).sum())?;
    Ok(Value::array(arrays.concat()))
}

fn union_distinct(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = arrays(args) else {
        return ctx.invalid("UNION_DISTINCT");
    };
    ctx.charge_elements(
        "UNION_DISTINCT",
        arrays.iter().map(|items| items.len()).sum(),
    )?;
    Ok(Value::array(distinct(arrays.into_iter().flatten())))
}

/// The distinct elements in the order of their first place, and in how many arrays each occurs.
fn occurrences<'a>(arrays: &[&'a [Value]]) -> Vec<(&'a Value, usize)> {
    let mut places: HashMap<&Value, usize> = HashMap::new();
    let mut counts: Vec<(&Value, usize)> = Vec::new();
    for items in arrays {
        let mut here = HashSet::new();
        for item in items.iter().filter(|item| here.insert(*item)) {
            let place = *places.entry(item).or_insert_with(|| {
                counts.push((item, 0));
                counts.len() - 1
            });
            if let Some((_, count)) = counts.get_mut(place) {
                *count += 1;
            }
        }
    }
    counts
}

fn occurring(arrays: &[&[Value]], times: usize) -> Value {
    let found = occurrences(arrays)
        .into_iter()
        .rev()
        .filter(|(_, count)| *count == times);
    Value::array(found.map(|(item, _)| item.clone()).collect())
}

fn intersection(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = arrays(args) else {
        return ctx.array_expected("INTERSECTION");
    };
    Ok(occurring(&arrays, arrays.len()))
}

fn outersection(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = arrays(args) else {
        return ctx.array_expected("OUTERSECTION");
    };
    Ok(occurring(&arrays, 1))
}

fn minus(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = arrays(args) else {
        return ctx.array_expected("MINUS");
    };
    let Some((first, others)) = arrays.split_first() else {
        return ctx.array_expected("MINUS");
    };
    let gone: HashSet<&Value> = others.iter().copied().flatten().collect();
    let mut left = distinct(first.iter().filter(|item| !gone.contains(item)));
    left.reverse();
    Ok(Value::array(left))
}

/// The size of the intersection by that of the union; 1 for two empty arrays.
fn jaccard(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = arrays(args) else {
        return ctx.array_expected("JACCARD");
    };
    let all = occurrences(&arrays);
    let common = all.iter().filter(|(_, count)| *count == 2).count();
    Ok(Value::from_f64_narrow(if all.is_empty() {
        1.0
    } else {
        common as f64 / all.len() as f64
    }))
}
