//! The reading itself: one pass over the tokens with a stack of frames.

use super::fault::{PlanFault, shown};
use super::frame::{Frame, Member, Place};
use super::nodes::{self, ExpressionKind, NodeKind};
use super::{Estimate, MAX_BYTES, MAX_NAMES, Plan};
use crate::ask::Notice;
use crate::gate::functions;
use crate::json::{self, Reader, Text, Token};
use crate::order::NameSet;

/// Reads the body of a response of status 200 to EXPLAIN.
pub(crate) fn read(body: &[u8]) -> Result<Plan, PlanFault> {
    if body.len() > MAX_BYTES {
        return Err(PlanFault::TooLarge(body.len()));
    }
    let text =
        core::str::from_utf8(body).map_err(|error| PlanFault::NotJson(error.valid_up_to()))?;
    let mut tokens = Reader::new(text, json::MAX_DEPTH);
    let mut reading = Reading {
        open: Vec::new(),
        plan: Plan::default(),
    };
    while let Some(token) = tokens
        .next()
        .map_err(|fault| PlanFault::NotJson(fault.at))?
    {
        match token {
            Token::BeginObject => reading.begin(true)?,
            Token::BeginArray => reading.begin(false)?,
            Token::EndObject | Token::EndArray => reading.end()?,
            Token::Key(key) => reading.key(key)?,
            scalar => reading.scalar(scalar)?,
        }
    }
    Ok(reading.plan)
}

struct Reading {
    open: Vec<Frame>,
    plan: Plan,
}

impl Reading {
    fn begin(&mut self, is_object: bool) -> Result<(), PlanFault> {
        let place = match self.open.last_mut() {
            None if is_object => Place::Root,
            None => return Err(PlanFault::Shape("plan")),
            Some(parent) => {
                parent.items = parent.items.saturating_add(1);
                place_within(parent, is_object)?
            }
        };
        self.open.push(Frame::new(place, is_object));
        Ok(())
    }

    fn key(&mut self, key: Text<'_>) -> Result<(), PlanFault> {
        let Some(frame) = self.open.last_mut() else {
            return Err(PlanFault::Shape("plan"));
        };
        if frame.place == Place::Opaque {
            return Ok(());
        }
        let member = Member::of(&key.decode());
        if member != Member::Other && frame.has(member) {
            return Err(PlanFault::Shape("members, each once"));
        }
        frame.seen |= member.bit();
        frame.member = member;
        Ok(())
    }

    fn scalar(&mut self, token: Token<'_>) -> Result<(), PlanFault> {
        let Some(frame) = self.open.last_mut() else {
            return Err(PlanFault::Shape("plan"));
        };
        frame.items = frame.items.saturating_add(1);
        match (frame.place, frame.member, token) {
            (Place::Opaque, _, _) => {}
            (Place::Nodes, _, _) | (_, Member::Nodes, _) => return Err(PlanFault::Shape("nodes")),
            (Place::Collections, _, _) | (Place::Plan, Member::Collections, _) => {
                return Err(PlanFault::Shape("collections"));
            }
            (Place::Root, Member::Plan, _) => return Err(PlanFault::Shape("plan")),
            (Place::Root, Member::Error, Token::Bool(false)) => {}
            (Place::Root, Member::Error, _) => return Err(PlanFault::Shape("error")),
            (Place::Root, Member::Code, Token::Number("200")) => {}
            (Place::Root, Member::Code, _) => return Err(PlanFault::Shape("code")),
            (Place::Plan, Member::IsModificationQuery, Token::Bool(false)) => {}
            (Place::Plan, Member::IsModificationQuery, Token::Bool(true)) => {
                return Err(PlanFault::Writes("`isModificationQuery` is true".into()));
            }
            (Place::Plan, Member::IsModificationQuery, _) => {
                return Err(PlanFault::Shape("isModificationQuery"));
            }
            (Place::Plan, Member::EstimatedCost, token) => {
                self.plan.cost = Some(number(token, "estimatedCost")?)
            }
            (Place::Plan, Member::EstimatedNrItems, token) => {
                self.plan.rows = Some(number(token, "estimatedNrItems")?);
            }
            (Place::Warning, Member::Code, Token::Number(code)) => {
                frame.code = Some(code.to_owned())
            }
            (Place::Warning, Member::Message, Token::String(text)) => {
                frame.message = Some(shown(&text.decode()))
            }
            (_, Member::Type, Token::String(text)) => frame.kind = Some(text.decode().into_owned()),
            (Place::Node | Place::Collection, Member::Type, _) => {
                return Err(PlanFault::Shape("type"));
            }
            (_, Member::TypeId, Token::Number(id)) => match id.parse() {
                Ok(id) => frame.type_id = Some(id),
                Err(_) => return Err(PlanFault::Expression(shown(id))),
            },
            (_, Member::TypeId, _) => return Err(PlanFault::Shape("typeID")),
            (_, Member::Name, Token::String(text)) => frame.name = Some(text.decode().into_owned()),
            (Place::Collection, Member::Name, _) => return Err(PlanFault::Shape("name")),
            (_, Member::Mode, Token::String(text)) => frame.mode = Some(text.decode().into_owned()),
            (_, Member::Collection, Token::String(text)) => {
                add(&mut self.plan.touched, &text.decode())?;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), PlanFault> {
        let Some(frame) = self.open.pop() else {
            return Err(PlanFault::Shape("plan"));
        };
        if frame.place == Place::Opaque {
            return Ok(());
        }
        opaque_members(&frame)?;
        match frame.place {
            Place::Opaque => {}
            Place::Root => require(&frame, &[(Member::Plan, "plan"), (Member::Error, "error")])?,
            Place::Plan => require(
                &frame,
                &[
                    (Member::Nodes, "nodes"),
                    (Member::Collections, "collections"),
                    (Member::IsModificationQuery, "isModificationQuery"),
                ],
            )?,
            Place::Subquery => require(&frame, &[(Member::Nodes, "nodes")])?,
            Place::Nodes if frame.items == 0 => return Err(PlanFault::Shape("nodes")),
            Place::Node => self.node(&frame)?,
            Place::Collection => self.collection(&frame)?,
            Place::Warning => {
                let code = frame.code.as_deref().unwrap_or("0");
                let message = frame.message.clone().unwrap_or_default();
                self.plan
                    .warnings
                    .push(Notice::new(format!("arango-{code}"), message));
            }
            Place::Nodes | Place::Collections | Place::Warnings | Place::Other => {}
        }
        if frame.is_object && frame.place == Place::Other {
            other(&frame)?;
        }
        Ok(())
    }

    fn node(&mut self, frame: &Frame) -> Result<(), PlanFault> {
        let Some(kind) = frame.kind.as_deref() else {
            return Err(PlanFault::Shape("type"));
        };
        check_node(kind, frame)?;
        self.plan.nodes.insert(kind);
        Ok(())
    }

    fn collection(&mut self, frame: &Frame) -> Result<(), PlanFault> {
        let name = frame.name.as_deref().ok_or(PlanFault::Shape("name"))?;
        match frame.kind.as_deref() {
            Some("read") => add(&mut self.plan.collections, name),
            Some(access) => Err(PlanFault::Writes(format!(
                "`{}` access to `{}`",
                shown(access),
                shown(name)
            ))),
            None => Err(PlanFault::Shape("type")),
        }
    }
}

/// Adds a collection's name. The server takes 2,048 collections in a query; more than the bound is no plan of its making, and
/// each name costs a search among them.
fn add(names: &mut NameSet, name: &str) -> Result<(), PlanFault> {
    names.insert(name);
    if names.len() > MAX_NAMES {
        return Err(PlanFault::Shape("collections"));
    }
    Ok(())
}

/// Where an object or array stands that begins within `parent`.
fn place_within(parent: &Frame, is_object: bool) -> Result<Place, PlanFault> {
    let array = |place, name| {
        if is_object {
            Err(PlanFault::Shape(name))
        } else {
            Ok(place)
        }
    };
    let object = |place, name| {
        if is_object {
            Ok(place)
        } else {
            Err(PlanFault::Shape(name))
        }
    };
    match (parent.place, parent.member) {
        (Place::Opaque, _) => Ok(Place::Opaque),
        (Place::Nodes, _) => object(Place::Node, "nodes"),
        (Place::Collections, _) => object(Place::Collection, "collections"),
        (Place::Warnings, _) => Ok(if is_object {
            Place::Warning
        } else {
            Place::Other
        }),
        (Place::Root, Member::Plan) => object(Place::Plan, "plan"),
        (Place::Root, Member::Warnings) => array(Place::Warnings, "warnings"),
        (Place::Root, Member::Error) => Err(PlanFault::Shape("error")),
        (Place::Root, Member::Code) => Err(PlanFault::Shape("code")),
        (Place::Plan, Member::Collections) => array(Place::Collections, "collections"),
        (Place::Plan, Member::IsModificationQuery) => Err(PlanFault::Shape("isModificationQuery")),
        (Place::Plan, Member::EstimatedCost) => Err(PlanFault::Shape("estimatedCost")),
        (Place::Collection, Member::Name) => Err(PlanFault::Shape("name")),
        (Place::Node | Place::Collection, Member::Type) => Err(PlanFault::Shape("type")),
        (Place::Node, Member::Subquery) => object(Place::Subquery, "subquery"),
        (Place::Node, Member::BindParameterVariables) => Ok(Place::Opaque),
        (_, Member::Nodes) if parent.is_object => array(Place::Nodes, "nodes"),
        (_, Member::Raw | Member::ConstantValue) if parent.is_object => Ok(Place::Opaque),
        (_, Member::TypeId) if parent.is_object => Err(PlanFault::Shape("typeID")),
        _ => Ok(Place::Other),
    }
}

fn require(frame: &Frame, members: &[(Member, &'static str)]) -> Result<(), PlanFault> {
    match members.iter().find(|(member, _)| !frame.has(*member)) {
        Some((_, name)) => Err(PlanFault::Shape(name)),
        None => Ok(()),
    }
}

fn check_node(kind: &str, frame: &Frame) -> Result<(), PlanFault> {
    match nodes::node(kind) {
        NodeKind::Read => Ok(()),
        NodeKind::Subquery => require(frame, &[(Member::Subquery, "subquery")]),
        NodeKind::SingleRemote => match frame.mode.as_deref() {
            Some("IndexNode") => Ok(()),
            Some(mode) if nodes::node(mode) == NodeKind::Write => {
                Err(PlanFault::Writes(format!("`{kind}` of the mode `{mode}`")))
            }
            _ => Err(PlanFault::Node(kind.to_owned())),
        },
        NodeKind::Write => Err(PlanFault::Writes(format!("`{kind}`"))),
        NodeKind::Unknown => Err(PlanFault::Node(shown(kind))),
    }
}

/// Values of the query's own are passed over, so they may stand only where the server puts them: the constant of an array or
/// object, the value of a variable, the bind parameters of the first node.
fn opaque_members(frame: &Frame) -> Result<(), PlanFault> {
    if frame.has(Member::Raw) && !matches!(frame.type_id, Some(40..=42)) {
        return Err(PlanFault::Shape("raw"));
    }
    if frame.has(Member::ConstantValue) && !frame.has(Member::Name) {
        return Err(PlanFault::Shape("constantValue"));
    }
    let first = frame.kind.as_deref() == Some("SingletonNode");
    if frame.place == Place::Node && frame.has(Member::BindParameterVariables) && !first {
        return Err(PlanFault::Shape("bindParameterVariables"));
    }
    Ok(())
}

/// An object that is no part of the plan's frame: an expression, a node where none is expected, or a detail.
fn other(frame: &Frame) -> Result<(), PlanFault> {
    let kind = frame.kind.as_deref();
    if let Some(kind) = kind.filter(|kind| nodes::looks_like_node(kind)) {
        check_node(kind, frame)?;
    }
    let Some(id) = frame.type_id else {
        // A call is an expression, and an expression has its number.
        return match kind {
            Some("function call" | "user function call") => Err(PlanFault::Shape("typeID")),
            _ => Ok(()),
        };
    };
    let Some(kind) = kind else {
        return Err(PlanFault::Shape("type"));
    };
    match nodes::expression(id, kind) {
        ExpressionKind::Read => Ok(()),
        ExpressionKind::Call => match frame.name.as_deref() {
            Some(name) if functions::usable_in_plan(name) => Ok(()),
            Some(name) => Err(PlanFault::Function(shown(name))),
            None => Err(PlanFault::Shape("name")),
        },
        ExpressionKind::UserCall => Err(PlanFault::Function(shown(
            frame.name.as_deref().unwrap_or(kind),
        ))),
        ExpressionKind::Write => Err(PlanFault::Writes(format!("an expression `{kind}`"))),
        ExpressionKind::Unknown => Err(PlanFault::Expression(shown(kind))),
    }
}

/// A finite number.
fn number(token: Token<'_>, name: &'static str) -> Result<Estimate, PlanFault> {
    match token {
        Token::Number(digits) => match aql_syntax::approximate(digits) {
            Some(value) if value.is_finite() => Ok(Estimate {
                value,
                text: digits.to_owned(),
            }),
            _ => Err(PlanFault::Shape(name)),
        },
        _ => Err(PlanFault::Shape(name)),
    }
}
