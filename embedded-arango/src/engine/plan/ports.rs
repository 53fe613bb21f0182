//! What a node reads and sets, and replacing variables throughout a node.

use super::expression::{Ex, Expansion, Item, Part, Quantifier, VarId};
use super::node::{Aggregate, Modify, ModifyKind, NodeKind, Scan};

impl NodeKind {
    /// The variables that the node reads.
    pub(crate) fn uses(&self) -> Vec<VarId> {
        let mut used = Vec::new();
        match self {
            NodeKind::Singleton | NodeKind::Limit { .. } | NodeKind::NoResults => {}
            NodeKind::SubqueryStart { .. } => {}
            NodeKind::EnumerateCollection(scan) => scan_uses(scan, &mut used),
            NodeKind::Index(index) => {
                scan_uses(&index.scan, &mut used);
                for ex in index.equal.iter().chain(&index.any_of) {
                    ex.variables(&mut used);
                }
                for (ex, _) in index.lower.iter().chain(&index.upper) {
                    ex.variables(&mut used);
                }
            }
            NodeKind::EnumerateList { input, .. }
            | NodeKind::Filter { input }
            | NodeKind::Return { input } => used.push(*input),
            NodeKind::EnumerateView(view) => {
                if let Some(condition) = &view.condition {
                    condition.variables(&mut used);
                }
                for ex in view.scorers.iter().flat_map(|one| &one.arguments) {
                    ex.variables(&mut used);
                }
                for one in &view.offsets {
                    one.rules.variables(&mut used);
                }
                used.retain(|id| *id != view.output);
            }
            NodeKind::EnumerateNearVector(near) => {
                if let Some(filter) = &near.filter {
                    filter.variables(&mut used);
                }
                used.retain(|id| *id != near.output);
                used.push(near.target);
            }
            // It reads an id that holds the document's place, and nothing before it may take that away.
            NodeKind::Materialize { document, .. } => used.push(*document),
            NodeKind::Calculation { expression, .. } => expression.variables(&mut used),
            NodeKind::Sort { elements } => used.extend(elements.iter().map(|one| one.input)),
            NodeKind::Collect(collect) => {
                used.extend(collect.groups.iter().map(|(_, input)| *input));
                used.extend(collect.aggregates.iter().filter_map(|one| one.input));
                used.extend(collect.projection);
                if collect.into.is_some() && collect.projection.is_none() {
                    used.extend(collect.keep.iter().map(|(_, id)| *id));
                }
            }
            NodeKind::Window(window) => {
                used.extend(window.range);
                used.extend(window.aggregates.iter().filter_map(|one| one.input));
            }
            NodeKind::SubqueryEnd { input, .. } => used.extend(*input),
            NodeKind::Traversal(walk) => {
                walk.start.variables(&mut used);
                if let Some(prune) = &walk.prune {
                    prune.variables(&mut used);
                }
                used.retain(|id| ![walk.vertex, walk.edge, walk.path].contains(id));
            }
            NodeKind::ShortestPath(path) => {
                path.from.variables(&mut used);
                path.to.variables(&mut used);
            }
            NodeKind::EnumeratePaths(paths) => {
                paths.from.variables(&mut used);
                paths.to.variables(&mut used);
            }
            NodeKind::Modify(modify) => used.extend(modify_inputs(modify)),
        }
        used
    }

    /// The variables that the node sets.
    pub(crate) fn sets(&self) -> Vec<VarId> {
        match self {
            NodeKind::EnumerateCollection(scan) => scan_sets(scan),
            NodeKind::Index(index) => scan_sets(&index.scan),
            NodeKind::EnumerateList { output, .. }
            | NodeKind::Calculation { output, .. }
            | NodeKind::SubqueryEnd { output, .. } => vec![*output],
            NodeKind::EnumerateView(view) => {
                let scores = view.scorers.iter().map(|one| one.output);
                let offsets = view.offsets.iter().map(|one| one.output);
                std::iter::once(view.output)
                    .chain(scores)
                    .chain(offsets)
                    .collect()
            }
            NodeKind::EnumerateNearVector(near) => vec![near.output, near.distance],
            NodeKind::Collect(collect) => {
                let mut set: Vec<VarId> =
                    collect.groups.iter().map(|(output, _)| *output).collect();
                set.extend(aggregate_outputs(&collect.aggregates));
                set.extend(collect.into);
                set
            }
            NodeKind::Window(window) => aggregate_outputs(&window.aggregates).collect(),
            NodeKind::Traversal(walk) => {
                let mut set = vec![walk.vertex, walk.edge, walk.path];
                set.extend(walk.prune_output);
                set
            }
            NodeKind::ShortestPath(path) => {
                let mut set = vec![path.vertex];
                set.extend(path.edge);
                set
            }
            NodeKind::EnumeratePaths(paths) => vec![paths.path],
            NodeKind::Modify(modify) => modify.old.into_iter().chain(modify.new).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the node may give several rows for one.
    pub(crate) fn is_loop(&self) -> bool {
        matches!(
            self,
            NodeKind::EnumerateCollection(_)
                | NodeKind::Index(_)
                | NodeKind::EnumerateList { .. }
                | NodeKind::EnumerateView(_)
                | NodeKind::EnumerateNearVector(_)
                | NodeKind::Traversal(_)
                | NodeKind::ShortestPath(_)
                | NodeKind::EnumeratePaths(_)
        )
    }

    /// Calls `visit` on each expression that reads variables and in which an access may be replaced.
    pub(crate) fn expressions(&mut self, visit: &mut dyn FnMut(&mut Ex)) {
        match self {
            NodeKind::Calculation { expression, .. } => visit(expression),
            NodeKind::EnumerateCollection(scan) => scan.filter.iter_mut().for_each(visit),
            NodeKind::EnumerateNearVector(near) => near.filter.iter_mut().for_each(visit),
            NodeKind::Index(index) => {
                let bounds = index.lower.iter_mut().chain(&mut index.upper);
                index
                    .scan
                    .filter
                    .iter_mut()
                    .chain(&mut index.equal)
                    .chain(&mut index.any_of)
                    .chain(bounds.map(|(ex, _)| ex))
                    .for_each(visit);
            }
            _ => {}
        }
    }

    /// Replaces every variable by what `map` makes of it.
    pub(crate) fn map(&mut self, map: &dyn Fn(VarId) -> VarId) {
        let one = |id: &mut VarId| *id = map(*id);
        let option = |id: &mut Option<VarId>| *id = id.map(map);
        match self {
            NodeKind::Singleton | NodeKind::Limit { .. } | NodeKind::NoResults => {}
            NodeKind::EnumerateCollection(scan) => map_scan(scan, map),
            NodeKind::Index(index) => {
                map_scan(&mut index.scan, map);
                for ex in index.equal.iter_mut().chain(&mut index.any_of) {
                    ex.map(map);
                }
                for (ex, _) in index.lower.iter_mut().chain(&mut index.upper) {
                    ex.map(map);
                }
                index.condition.iter_mut().for_each(|ex| ex.map(map));
            }
            NodeKind::EnumerateList { input, output } => {
                one(input);
                one(output);
            }
            NodeKind::EnumerateView(view) => {
                one(&mut view.output);
                if let Some(condition) = &mut view.condition {
                    condition.map(map);
                }
                for scorer in &mut view.scorers {
                    one(&mut scorer.output);
                    scorer.arguments.iter_mut().for_each(|ex| ex.map(map));
                }
                for offsets in &mut view.offsets {
                    one(&mut offsets.output);
                    offsets.rules.map(map);
                }
            }
            NodeKind::EnumerateNearVector(near) => {
                one(&mut near.target);
                one(&mut near.output);
                one(&mut near.distance);
                if let Some(filter) = &mut near.filter {
                    filter.map(map);
                }
            }
            NodeKind::Materialize { document, .. } => one(document),
            NodeKind::Calculation { expression, output } => {
                expression.map(map);
                one(output);
            }
            NodeKind::Filter { input } | NodeKind::Return { input } => one(input),
            NodeKind::Sort { elements } => elements.iter_mut().for_each(|it| one(&mut it.input)),
            NodeKind::Collect(collect) => {
                for (output, input) in &mut collect.groups {
                    one(output);
                    one(input);
                }
                map_aggregates(&mut collect.aggregates, map);
                option(&mut collect.into);
                option(&mut collect.projection);
                collect.keep.iter_mut().for_each(|(_, id)| one(id));
            }
            NodeKind::Window(window) => {
                option(&mut window.range);
                map_aggregates(&mut window.aggregates, map);
            }
            NodeKind::SubqueryStart { output } => one(output),
            NodeKind::SubqueryEnd { input, output } => {
                option(input);
                one(output);
            }
            NodeKind::Traversal(walk) => {
                walk.start.map(map);
                one(&mut walk.vertex);
                one(&mut walk.edge);
                one(&mut walk.path);
                option(&mut walk.prune_output);
                if let Some(prune) = &mut walk.prune {
                    prune.map(map);
                }
            }
            NodeKind::ShortestPath(path) => {
                path.from.map(map);
                path.to.map(map);
                one(&mut path.vertex);
                option(&mut path.edge);
            }
            NodeKind::EnumeratePaths(paths) => {
                paths.from.map(map);
                paths.to.map(map);
                one(&mut paths.path);
            }
            NodeKind::Modify(modify) => {
                match &mut modify.kind {
                    ModifyKind::Insert { document } => one(document),
                    ModifyKind::Update { key, document }
                    | ModifyKind::Replace { key, document } => {
                        option(key);
                        one(document);
                    }
                    ModifyKind::Remove { key } => one(key),
                    ModifyKind::Upsert {
                        found,
                        insert,
                        update,
                        ..
                    } => {
                        one(found);
                        one(insert);
                        one(update);
                    }
                }
                option(&mut modify.old);
                option(&mut modify.new);
            }
        }
    }
}

/// The variables that a write reads.
fn modify_inputs(modify: &Modify) -> Vec<VarId> {
    match &modify.kind {
        ModifyKind::Insert { document } => vec![*document],
        ModifyKind::Update { key, document } | ModifyKind::Replace { key, document } => {
            let mut used = vec![*document];
            used.extend(*key);
            used
        }
        ModifyKind::Remove { key } => vec![*key],
        ModifyKind::Upsert {
            found,
            insert,
            update,
            ..
        } => vec![*found, *insert, *update],
    }
}

fn scan_sets(scan: &Scan) -> Vec<VarId> {
    let projected = scan.projections.iter().map(|one| one.variable);
    std::iter::once(scan.output).chain(projected).collect()
}

fn scan_uses(scan: &Scan, used: &mut Vec<VarId>) {
    if let Some(filter) = &scan.filter {
        filter.variables(used);
        used.retain(|id| *id != scan.output);
    }
}

fn map_scan(scan: &mut Scan, map: &dyn Fn(VarId) -> VarId) {
    scan.output = map(scan.output);
    for one in &mut scan.projections {
        one.variable = map(one.variable);
    }
    if let Some(filter) = &mut scan.filter {
        filter.map(map);
    }
}

fn aggregate_outputs(aggregates: &[Aggregate]) -> impl Iterator<Item = VarId> {
    aggregates.iter().map(|one| one.output)
}

fn map_aggregates(aggregates: &mut [Aggregate], map: &dyn Fn(VarId) -> VarId) {
    for one in aggregates {
        one.output = map(one.output);
        one.input = one.input.map(map);
    }
}

impl Ex {
    /// Replaces every variable by what `map` makes of it.
    pub(crate) fn map(&mut self, map: &dyn Fn(VarId) -> VarId) {
        match self {
            Ex::Var(id) => *id = map(*id),
            Ex::Expansion(expansion) => expansion.current = map(expansion.current),
            Ex::ArrayFilter(filter) => filter.current = map(filter.current),
            _ => {}
        }
        self.children_mut(&mut |child| child.map(map));
    }

    /// Calls `visit` on each direct operand.
    pub(crate) fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Ex)) {
        match self {
            Ex::Const(_) | Ex::Var(_) => {}
            Ex::Attribute(base, _) | Ex::Unary(_, base) => visit(base),
            Ex::Index(a, b) | Ex::Binary(_, a, b) | Ex::Range(a, b) => {
                visit(a);
                visit(b);
            }
            Ex::Among { value, list, .. } => {
                visit(value);
                visit(list);
            }
            Ex::Array(items) => {
                for Item::Value(ex) | Item::Spread(ex) in items {
                    visit(ex);
                }
            }
            Ex::Object(parts) => {
                for part in parts {
                    match part {
                        Part::Named(_, ex) | Part::Spread(ex) => visit(ex),
                        Part::Computed(name, ex) => {
                            visit(name);
                            visit(ex);
                        }
                    }
                }
            }
            Ex::Call(_, arguments) | Ex::UserCall(_, arguments) => {
                arguments.iter_mut().for_each(visit);
            }
            Ex::ArrayCompare(quantifier, _, a, b) => {
                quantifier.children_mut(visit);
                visit(a);
                visit(b);
            }
            Ex::Ternary(condition, then, otherwise) => {
                visit(condition);
                if let Some(then) = then {
                    visit(then);
                }
                visit(otherwise);
            }
            Ex::Expansion(expansion) => expansion_children(expansion, visit),
            Ex::ArrayFilter(filter) => {
                visit(&mut filter.base);
                filter.quantifier.children_mut(visit);
                filter.filter.iter_mut().for_each(visit);
            }
        }
    }
}

fn expansion_children(expansion: &mut Expansion, visit: &mut dyn FnMut(&mut Ex)) {
    visit(&mut expansion.base);
    if let Some(filter) = &mut expansion.filter {
        visit(filter);
    }
    if let Some((offset, count)) = &mut expansion.limit {
        visit(offset);
        visit(count);
    }
    if let Some(projection) = &mut expansion.projection {
        visit(projection);
    }
}

impl Quantifier {
    fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Ex)) {
        match self {
            Quantifier::All | Quantifier::Any | Quantifier::None => {}
            Quantifier::AtLeast(n) | Quantifier::Exactly(n) => visit(n),
            Quantifier::Between(low, high) => {
                visit(low);
                visit(high);
            }
        }
    }
}
