//! What is known of an object or array of the plan while it is being read.

/// Where in the server's answer an object or array stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The whole answer.
    Root,
    /// `plan`.
    Plan,
    /// An array under `nodes`.
    Nodes,
    /// An item of it.
    Node,
    /// `plan.collections`.
    Collections,
    /// An item of it.
    Collection,
    /// `warnings` of the answer.
    Warnings,
    /// An item of it.
    Warning,
    /// `subquery` of a node.
    Subquery,
    /// A value of the query's own: passed over.
    Opaque,
    /// Anything else.
    Other,
}

/// The members that bear on the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Plan,
    Plans,
    Error,
    Code,
    Nodes,
    Collections,
    IsModificationQuery,
    EstimatedCost,
    EstimatedNrItems,
    Warnings,
    Type,
    TypeId,
    Name,
    Mode,
    Subquery,
    Collection,
    Raw,
    ConstantValue,
    BindParameterVariables,
    Message,
    Other,
}

impl Member {
    pub(super) fn of(name: &str) -> Member {
        match name {
            "plan" => Member::Plan,
            "plans" => Member::Plans,
            "error" => Member::Error,
            "code" => Member::Code,
            "nodes" => Member::Nodes,
            "collections" => Member::Collections,
            "isModificationQuery" => Member::IsModificationQuery,
            "estimatedCost" => Member::EstimatedCost,
            "estimatedNrItems" => Member::EstimatedNrItems,
            "warnings" => Member::Warnings,
            "type" => Member::Type,
            "typeID" => Member::TypeId,
            "name" => Member::Name,
            "mode" => Member::Mode,
            "subquery" => Member::Subquery,
            "collection" => Member::Collection,
            "raw" => Member::Raw,
            "constantValue" => Member::ConstantValue,
            "bindParameterVariables" => Member::BindParameterVariables,
            "message" => Member::Message,
            _ => Member::Other,
        }
    }

    /// The member's bit in [`Frame::seen`].
    pub(super) fn bit(self) -> u32 {
        1_u32.checked_shl(self as u32).unwrap_or_default()
    }
}

/// An object or array that is open.
pub(super) struct Frame {
    pub(super) place: Place,
    pub(super) is_object: bool,
    /// The member whose value comes next.
    pub(super) member: Member,
    /// The members that have come.
    pub(super) seen: u32,
    /// `type`.
    pub(super) kind: Option<String>,
    /// `typeID`.
    pub(super) type_id: Option<u16>,
    /// `name`.
    pub(super) name: Option<String>,
    /// `mode`.
    pub(super) mode: Option<String>,
    /// `code` of a warning.
    pub(super) code: Option<String>,
    /// `message` of a warning.
    pub(super) message: Option<String>,
    /// Items of an array.
    pub(super) items: usize,
}

impl Frame {
    pub(super) fn new(place: Place, is_object: bool) -> Frame {
        Frame {
            place,
            is_object,
            member: Member::Other,
            seen: 0,
            kind: None,
            type_id: None,
            name: None,
            mode: None,
            code: None,
            message: None,
            items: 0,
        }
    }

    pub(super) fn has(&self, member: Member) -> bool {
        self.seen & member.bit() != 0
    }
}
