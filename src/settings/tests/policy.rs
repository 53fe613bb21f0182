//! Which collections may be read.

use super::super::{Pattern, Settings};

fn policy(allow: &str, deny: &str) -> super::super::Policy {
    let json = format!(
        "{{\"database\": \"shop\", \"policy\": {{\"collections\": {{\"allow\": {allow}, \"deny\": {deny}}}}}}}"
    );
    Settings::parse(&json).expect("valid settings").policy
}

#[test]
fn without_rules_all_but_system_and_numeric_names_are_allowed() {
    let policy = policy("[]", "[]");
    for name in ["orders", "Żółw", "a b.c`d", "0x1f", "12a"] {
        assert!(policy.allows(name), "{name}");
    }
    for name in ["", "_users", "_", "123", "0"] {
        assert!(!policy.allows(name), "{name}");
    }
}

#[test]
fn a_system_collection_needs_its_exact_name() {
    assert!(policy(r#"["_graphs"]"#, "[]").allows("_graphs"));
    assert!(!policy(r#"["*"]"#, "[]").allows("_graphs"));
    assert!(!policy(r#"["_*"]"#, "[]").allows("_graphs"));
    assert!(!policy(r#"["_graph*"]"#, "[]").allows("_graphs"));
    assert!(!policy(r#"["_graphs"]"#, r#"["_*"]"#).allows("_graphs"));
}

#[test]
fn a_list_of_allowed_names_denies_the_others() {
    let policy = policy(r#"["orders", "cust*"]"#, "[]");
    assert!(policy.allows("orders"));
    assert!(policy.allows("customers"));
    assert!(!policy.allows("Orders"));
    assert!(!policy.allows("orders2"));
}

#[test]
fn a_denied_name_stays_denied_whatever_is_allowed() {
    let policy = policy(r#"["*", "salaries"]"#, r#"["sal*"]"#);
    assert!(!policy.allows("salaries"));
    assert!(policy.allows("orders"));
    assert!(!super::super::Policy::default().allows("42"));
}

#[test]
fn a_numeric_name_is_denied_even_by_name() {
    assert!(!policy(r#"["123"]"#, "[]").allows("123"));
}

#[test]
fn a_star_stands_for_any_run_of_characters() {
    for (pattern, name, matches) in [
        ("*", "", true),
        ("*", "a", true),
        ("a*", "a", true),
        ("a*", "ba", false),
        ("*a", "ba", true),
        ("*a", "ab", false),
        ("a*c*e", "abcde", true),
        ("a*c*e", "abde", false),
        ("a**b", "ab", true),
        ("a*b", "aab", true),
        ("a*ab", "aaab", true),
        ("é*", "éa", true),
        ("a.b", "axb", false),
        ("abc", "ab", false),
        ("ab", "abc", false),
    ] {
        let pattern = Pattern::new(pattern).expect("a pattern");
        assert_eq!(pattern.matches(name), matches, "{pattern:?} {name}");
    }
}

#[test]
fn many_stars_do_not_take_exponential_time() {
    let pattern = Pattern::new(&"a*".repeat(100)).expect("a pattern");
    assert!(!pattern.matches(&format!("{}b", "a".repeat(99))));
    assert!(!pattern.matches(&"b".repeat(256)));
}
