//! Optimizer rules, in the real server's order and under its names.
//!
//! A rule that changed the plan is listed in the plan's `rules`. `optimizer.rules` switches rules off (`-name`, `-all`) and
//! on again (`+name`, `+all`), the last word for a rule counting.

mod calculations;
mod filters;
mod indexes;
mod membership;
mod prefetch;
mod projections;
mod unused;
mod vectors;
mod views;

use super::Plan;
use crate::engine::catalog::Catalog;
use crate::engine::request::QueryOptions;

/// Applies the rules to the plain plan.
pub(super) fn apply(plan: &mut Plan, catalog: &dyn Catalog, options: &QueryOptions) {
    // Subqueries are already flat, and the server lists the rule that flattens them whenever there is one.
    type Rule<'a> = (&'static str, &'a dyn Fn(&mut Plan) -> bool);
    let rules: [Rule<'_>; 18] = [
        ("move-calculations-up", &calculations::move_up),
        ("remove-redundant-calculations", &calculations::merge_equal),
        (
            "remove-unnecessary-calculations",
            &calculations::remove_unused,
        ),
        (
            "remove-data-modification-out-variables",
            &unused::remove_old_and_new,
        ),
        ("use-indexes", &|plan| {
            indexes::use_for_filters(plan, catalog)
        }),
        ("remove-filter-covered-by-index", &indexes::remove_covered),
        ("use-index-for-sort", &|plan| {
            indexes::use_for_sort(plan, catalog)
        }),
        ("use-vector-index", &|plan| {
            vectors::search_nearest(plan, catalog)
        }),
        (
            "push-filter-into-enumerate-near",
            &vectors::filters_into_search,
        ),
        (
            "remove-unnecessary-calculations-2",
            &calculations::remove_unused,
        ),
        ("move-filters-into-enumerate", &filters::into_enumerate),
        ("sort-in-values", &membership::sort_lists),
        ("handle-arangosearch-views", &views::take_over),
        ("reduce-extraction-to-projection", &projections::extract),
        ("optimize-traversals", &unused::mark_traversals),
        ("optimize-projections", &unused::mark_documents),
        ("splice-subqueries", &unused::has_subqueries),
        ("async-prefetch", &prefetch::mark),
    ];
    for (name, rule) in rules {
        let always = matches!(name, "splice-subqueries" | "handle-arangosearch-views");
        if (always || is_on(name, &options.rules)) && rule(plan) {
            plan.rules.push(name);
        }
    }
}

fn is_on(name: &str, switches: &[String]) -> bool {
    let mut on = true;
    for switch in switches {
        let (to, which) = match switch.split_at_checked(1) {
            Some(("-", which)) => (false, which),
            Some(("+", which)) => (true, which),
            _ => (true, switch.as_str()),
        };
        if which == "all" || which == name {
            on = to;
        }
    }
    on
}
