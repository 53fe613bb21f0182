//! Prompt wording with slots, filled in a single pass.

use crate::find::split_once;

/// The template with each `<<name>>` replaced by its value. A value is never looked at for slots, and braces, dollar signs
/// and the like mean nothing; a slot without a value stays as it is written.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = split_once(rest, "<<") {
        out.push_str(before);
        let slot = split_once(after, ">>").and_then(|(name, after)| {
            values
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value, after))
        });
        match slot {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push_str("<<");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_are_never_read_as_templates() {
        let values = [
            ("question", "<<schema>> {name} $1 %s <<"),
            ("schema", "S <<question>>"),
        ];
        assert_eq!(
            fill("a <<schema>> b <<question>> c", &values),
            "a S <<question>> b <<schema>> {name} $1 %s << c"
        );
    }

    #[test]
    fn what_is_no_slot_stays() {
        assert_eq!(
            fill("1 << 2, <<unknown>>, <<question", &[("question", "q")]),
            "1 << 2, <<unknown>>, <<question"
        );
    }
}
