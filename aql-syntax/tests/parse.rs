//! What parses, into which tree.

use aql_syntax::ast::{ExprKind, StatementKind};
use aql_syntax::{Version, parse, parse_any, parse_with};

#[test]
fn a_bare_name_is_a_variable_in_scope_and_a_data_source_elsewhere() {
    let query = parse("FOR d IN docs RETURN d").unwrap();
    let [first, last] = query.body.statements.as_slice() else {
        panic!("two statements");
    };
    assert!(
        matches!(&first.kind, StatementKind::For(f) if matches!(f.source.kind, ExprKind::DataSource(_)))
    );
    assert!(
        matches!(&last.kind, StatementKind::Return { value, .. } if matches!(value.kind, ExprKind::Variable(_)))
    );
}

#[test]
fn a_write_at_any_depth_is_found() {
    let query = parse("RETURN LENGTH(FOR d IN docs REMOVE d IN docs RETURN OLD)").unwrap();
    assert!(query.modifies());
    assert!(!parse("FOR d IN docs RETURN d.`remove`").unwrap().modifies());
}

#[test]
fn spread_needs_the_grammar_of_4() {
    let text = "RETURN {...{a: 1}, b: [...[1]]}";
    assert!(parse(text).is_err());
    assert!(parse_with(text, Version::V4).is_ok());
    assert!(parse_any(text).is_ok());
}

#[test]
fn a_word_reserved_since_4_is_a_name_before() {
    let text = "FOR match IN docs RETURN match";
    assert!(parse(text).is_ok());
    assert!(parse_with(text, Version::V4).is_err());
    assert!(parse_any(text).is_ok());
}
