//! Paths and attributes in the kept form: flat arrays, because there are thousands of them.
//!
//! A path is an array of its steps, a name as a text and "each element" as 0: `["items",0,"sku"]`. An attribute is the
//! number of its types before its path: `[16,"items",0,"sku"]`.

use core::fmt;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

use super::{Field, Step, Types};

/// The most steps of a path: eight names with arrays between them, and room.
const MOST_STEPS: usize = 64;

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Each => serializer.serialize_u8(0),
            Step::Name(name) => serializer.serialize_str(name),
        }
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Step, D::Error> {
        struct StepVisitor;
        impl Visitor<'_> for StepVisitor {
            type Value = Step;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name or 0")
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Step, E> {
                if number == 0 {
                    Ok(Step::Each)
                } else {
                    Err(E::custom("a step that is neither a name nor 0"))
                }
            }
            fn visit_str<E>(self, name: &str) -> Result<Step, E> {
                Ok(Step::Name(name.into()))
            }
        }
        deserializer.deserialize_any(StepVisitor)
    }
}

pub(super) fn serialize<S: Serializer>(path: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    path.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Box<[Step]>, D::Error> {
    let steps = Vec::<Step>::deserialize(deserializer)?;
    if steps.is_empty() || steps.len() > MOST_STEPS {
        return Err(de::Error::custom("a path of no steps or of too many"));
    }
    Ok(steps.into())
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(None)?;
        items.serialize_element(&self.types.bits())?;
        for step in &self.path {
            items.serialize_element(step)?;
        }
        items.end()
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Field, D::Error> {
        struct FieldVisitor;
        impl<'de> Visitor<'de> for FieldVisitor {
            type Value = Field;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an attribute")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Field, A::Error> {
                let bits: u8 = items
                    .next_element()?
                    .ok_or_else(|| de::Error::custom("an attribute without types"))?;
                // Most paths are one name: no growth beyond it.
                let mut path = Vec::with_capacity(1);
                while let Some(step) = items.next_element()? {
                    if path.len() >= MOST_STEPS {
                        return Err(de::Error::custom("a path of too many steps"));
                    }
                    path.push(step);
                }
                if path.is_empty() {
                    return Err(de::Error::custom("an attribute without a path"));
                }
                Ok(Field {
                    path: path.into(),
                    types: Types::from_bits(bits),
                })
            }
        }
        deserializer.deserialize_seq(FieldVisitor)
    }
}
