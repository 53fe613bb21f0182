//! Whatever a server answers, nothing panics, and what was opened is released.

use proptest::prelude::*;

use super::super::Client;
use super::client::settings;
use super::fake::{Fake, Fault};
use crate::gate::ReadQuery;
use crate::prepared::{Prepared, configure};
use crate::settings::{Pattern, Settings};

/// Something like a response: pieces of real ones, in any order.
fn body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just(":"),
        Just("null"),
        Just("true"),
        Just("0"),
        Just("-1"),
        Just("1e999"),
        Just("\"result\":"),
        Just("\"hasMore\":"),
        Just("\"id\":"),
        Just("\"7\""),
        Just("\"extra\":"),
        Just("\"stats\":"),
        Just("\"writesExecuted\":"),
        Just("\"writesIgnored\":"),
        Just("\"errorNum\":"),
        Just("\"errorMessage\":"),
        Just("\"links\":"),
        Just("\"indexes\":"),
        Just("\"graphs\":"),
        Just("\"server\":"),
        Just("\"arango\""),
        Just("\"type\":"),
        Just("\"name\":"),
        Just("\"\\ud800\""),
        Just("\u{feff}"),
        Just("\"ż\""),
    ];
    prop_oneof![
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()),
        ".{0,64}",
        Just(r#"{"result":[[1,[["int","a"]]]],"hasMore":false,"extra":{"stats":{"writesExecuted":0,"writesIgnored":0}}}"#.to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_answer_at_any_request_ends_in_a_value(at in 0_usize..12, status in 100_u16..600, body in body()) {
        // The fake keeps answers for as long as it lives, and a test's are few.
        let body: &'static str = Box::leak(body.into_boxed_str());
        let status = if status % 3 == 0 { 200 } else { status };
        let mut fake = Fake::new();
        fake.fault = Some((at, Fault::Body(status, "application/json", body)));
        let outside = fake.outside();
        let _ = configure(&outside, r#"{"database": "shop"}"#, None);
        fake.assert_nothing_open();

        let mut fake = Fake::new();
        fake.fault = Some((at % 3, Fault::Body(status, "application/json", body)));
        let outside = fake.outside();
        let settings = settings();
        let query = ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders"]);
        let _ = Client::new(&outside, &settings).read(&query, 5);
        fake.assert_nothing_open();
    }

    #[test]
    fn no_text_in_place_of_settings_or_prepared_panics(text in prop_oneof![body(), ".{0,200}"]) {
        let _ = Settings::parse(&text);
        let _ = Settings::parse(&format!("{{\"limits\": {text}}}"));
        let settings = settings();
        let _ = Prepared::from_json(&text, &settings);
        let _ = Prepared::from_json(
            &format!("{{\"querent\":1,\"digest\":\"{}\",\"collections\":{text}}}", settings.digest()),
            &settings,
        );
    }

    #[test]
    fn a_pattern_matches_as_a_plain_definition_says(pattern in "[ab*]{1,8}", name in "[ab]{0,8}") {
        fn plain(pattern: &[u8], name: &[u8]) -> bool {
            match pattern.split_first() {
                None => name.is_empty(),
                Some((b'*', rest)) => (0..=name.len()).any(|at| plain(rest, &name[at..])),
                Some((byte, rest)) => name.first() == Some(byte) && plain(rest, &name[1..]),
            }
        }
        let matches = Pattern::new(&pattern).expect("a pattern").matches(&name);
        prop_assert_eq!(matches, plain(pattern.as_bytes(), name.as_bytes()));
    }
}
