//! `COLLECT` and `RETURN DISTINCT`.
//!
//! Without `INTO` groups are found by hashing. With it the rows come in the order of the groups, and only one group is held at
//! a time.

use std::collections::HashMap;
use std::sync::Arc;

use super::aggregate::State;
use super::stage::{Context, Operator, Stage};
use crate::engine::plan::node::{Collect as Plan, CollectMethod};
use crate::error::ArangoError;
use crate::value::{Object, Value};

/// One group while its rows come.
struct Group {
    key: Vec<Value>,
    aggregates: Vec<State>,
    members: Vec<Value>,
}

/// Groups rows.
pub(super) struct Collect {
    input: Stage,
    plan: Plan,
    /// The finished groups of a hash, in the order of their first rows.
    hashed: Option<std::vec::IntoIter<Group>>,
    /// The keys that `DISTINCT` has let pass.
    seen: HashMap<Vec<Value>, ()>,
    /// The group whose rows are coming.
    open: Option<Group>,
    started: bool,
    done: bool,
    held: usize,
}

impl Collect {
    pub(super) fn new(input: Stage, plan: Plan) -> Self {
        Collect {
            input,
            plan,
            hashed: None,
            seen: HashMap::new(),
            open: None,
            started: false,
            done: false,
            held: 0,
        }
    }

    fn key(&self, context: &Context<'_, '_>) -> Vec<Value> {
        self.plan
            .groups
            .iter()
            .map(|(_, input)| context.slot(*input))
            .collect()
    }

    fn group(&self, key: Vec<Value>) -> Group {
        Group {
            key,
            aggregates: self
                .plan
                .aggregates
                .iter()
                .map(|one| State::new(one.function))
                .collect(),
            members: Vec::new(),
        }
    }

    /// Takes the current row into a group.
    fn take(
        plan: &Plan,
        held: &mut usize,
        group: &mut Group,
        context: &mut Context<'_, '_>,
    ) -> Result<(), ArangoError> {
        for (one, state) in plan.aggregates.iter().zip(&mut group.aggregates) {
            let value = one.input.map(|id| context.slot(id)).unwrap_or_default();
            if matches!(
                state,
                State::Push(_) | State::Unique(..) | State::Sorted(_) | State::Count(_)
            ) {
                *held += context.run.charge_value(&value)?;
            }
            state.add(value);
        }
        if plan.into.is_some() {
            let member = match plan.projection {
                Some(id) => context.slot(id),
                None => {
                    let mut object = Object::with_capacity(plan.keep.len());
                    for (name, id) in &plan.keep {
                        object.insert(Arc::clone(name), context.slot(*id));
                    }
                    Value::object(object)
                }
            };
            *held += context.run.charge_value(&member)?;
            group.members.push(member);
        }
        Ok(())
    }

    fn give(&mut self, group: Group, context: &mut Context<'_, '_>) {
        for ((output, _), value) in self.plan.groups.iter().zip(group.key) {
            context.set(*output, value);
        }
        for (one, state) in self.plan.aggregates.iter().zip(&group.aggregates) {
            context.set(one.output, state.result());
        }
        if let Some(into) = self.plan.into {
            context.set(into, Value::array(group.members));
        }
    }

    fn distinct(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        while self.input.next(context)? {
            let key = self.key(context);
            if self.seen.contains_key(&key) {
                continue;
            }
            for value in &key {
                self.held += context.run.charge_value(value)?;
            }
            self.seen.insert(key.clone(), ());
            for ((output, _), value) in self.plan.groups.iter().zip(key) {
                context.set(*output, value);
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn hash(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        if self.hashed.is_none() {
            let mut places: HashMap<Vec<Value>, usize> = HashMap::new();
            let mut groups: Vec<Group> = Vec::new();
            while self.input.next(context)? {
                let key = self.key(context);
                let place = match places.get(&key) {
                    Some(place) => *place,
                    None => {
                        for value in &key {
                            self.held += context.run.charge_value(value)?;
                        }
                        groups.push(self.group(key.clone()));
                        places.insert(key, groups.len() - 1);
                        groups.len() - 1
                    }
                };
                if let Some(group) = groups.get_mut(place) {
                    Self::take(&self.plan, &mut self.held, group, context)?;
                }
            }
            self.hashed = Some(groups.into_iter());
        }
        match self.hashed.as_mut().and_then(Iterator::next) {
            Some(group) => {
                self.give(group, context);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Rows of one group follow each other. Without criteria all rows are one group, which is there even without rows.
    fn sorted(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        if self.done {
            return Ok(false);
        }
        if !self.started {
            self.started = true;
            if self.plan.groups.is_empty() {
                self.open = Some(self.group(Vec::new()));
            }
        }
        while self.input.next(context)? {
            let key = self.key(context);
            let next = match self.open.take() {
                Some(mut group) if group.key == key => {
                    Self::take(&self.plan, &mut self.held, &mut group, context)?;
                    self.open = Some(group);
                    continue;
                }
                other => other,
            };
            let mut group = self.group(key);
            Self::take(&self.plan, &mut self.held, &mut group, context)?;
            self.open = Some(group);
            if let Some(finished) = next {
                context.run.release(std::mem::take(&mut self.held));
                self.give(finished, context);
                return Ok(true);
            }
        }
        self.done = true;
        match self.open.take() {
            Some(finished) => {
                self.give(finished, context);
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

impl Operator for Collect {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        match self.plan.method {
            CollectMethod::Distinct => self.distinct(context),
            CollectMethod::Hash => self.hash(context),
            CollectMethod::Sorted | CollectMethod::Count => self.sorted(context),
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        context.run.release(std::mem::take(&mut self.held));
        self.hashed = None;
        self.seen.clear();
        self.open = None;
        self.started = false;
        self.done = false;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
