//! Behaviour that the recordings do not show, function by function.

use embedded_arango::value::Value;

use super::Query;
use super::evaluate::{Stop, row};

/// Each expression gives the JSON beside it, without a warning.
fn gives(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let mut query = Query::default();
        match row(&mut query, &format!("RETURN {text}")) {
            Ok(value) => assert_eq!(value.to_json_text(), *expected, "{text}"),
            Err(stop) => panic!("{text}: {stop:?}"),
        }
        assert_eq!(query.warnings, [], "{text}");
    }
}

/// Each expression gives `null` and one warning with the number.
fn warns(cases: &[(&str, u16)]) {
    for (text, number) in cases {
        let mut query = Query::default();
        match row(&mut query, &format!("RETURN {text}")) {
            Ok(value) => assert_eq!(value, Value::Null, "{text}"),
            Err(stop) => panic!("{text}: {stop:?}"),
        }
        assert_eq!(
            query
                .warnings
                .iter()
                .map(|(number, _)| *number)
                .collect::<Vec<_>>(),
            [*number],
            "{text}"
        );
    }
}

#[test]
fn numbers_round_half_up_and_keep_integers_whole() {
    gives(&[
        ("ROUND(2.5)", "3"),
        ("ROUND(-2.5)", "-2"),
        ("ROUND(9007199254740993)", "9007199254740993"),
        ("ABS(-9223372036854775807)", "9223372036854775807"),
        ("SQRT(-1)", "null"),
        ("POW(10, 400)", "null"),
        ("RANGE(3, 1)", "[3,2,1]"),
        ("RANGE(0, -1, -0.5)", "[0,-0.5,-1]"),
        ("CEIL('2.1')", "3"),
    ]);
    warns(&[
        ("RANGE(1, 2, -1)", 1542),
        ("DECAY_EXP(1, 2, 0, 0, 0.5)", 1542),
        ("BIT_AND(-1, 2)", 1542),
        ("BIT_TEST(1, 32)", 1542),
    ]);
}

#[test]
fn aggregates_pass_over_null_and_refuse_what_is_no_array() {
    gives(&[
        ("SUM([])", "0"),
        ("AVERAGE([])", "null"),
        ("AVG([1, null, 2])", "1.5"),
        ("MIN([null, 'a', 3])", "3"),
        ("MAX([])", "null"),
        ("PRODUCT([2, null, 3])", "6"),
        ("VARIANCE_SAMPLE([1])", "null"),
        ("PERCENTILE([5], 1)", "5"),
        ("SUM([1, 'a'])", "null"),
    ]);
    warns(&[
        ("SUM(1)", 1563),
        ("MEDIAN(['a'])", 1561),
        ("PERCENTILE([1, 2], 0)", 1542),
        ("STDDEV('a')", 1563),
    ]);
}

#[test]
fn strings_count_characters_and_cut_at_them() {
    gives(&[
        ("LENGTH('🥑é')", "2"),
        ("LENGTH(true)", "1"),
        ("LENGTH(null)", "0"),
        ("CHAR_LENGTH(true)", "4"),
        ("SUBSTRING('🥑bc', 1)", "\"bc\""),
        ("SUBSTRING('abc', -2, 1)", "\"b\""),
        ("LEFT('äöü', 2)", "\"äö\""),
        ("CONTAINS('äö', 'ö', true)", "1"),
        ("FIND_FIRST('🥑a', 'a')", "2"),
        ("FIND_LAST('aXbXc', 'X', 0, 2)", "1"),
        ("FIND_FIRST('abc', 'x')", "-1"),
        ("SPLIT('a,b;c', [',', ';'])", "[\"a\",\"b\",\"c\"]"),
        ("SPLIT('abc', '')", "[\"a\",\"b\",\"c\"]"),
        ("TRIM(' a ', 1)", "\"a \""),
        ("TRIM('xax', 'x')", "\"a\""),
        ("CONCAT_SEPARATOR('-', [1, null, 2])", "\"1-2\""),
        ("SUBSTITUTE('aXbX', 'X', '-', 1)", "\"a-bX\""),
        ("REPEAT('a', 3, ',')", "\"a,a,a\""),
        ("CRC32('foobar')", "\"D5F5C7F\""),
        ("SOUNDEX('Robert')", "\"R163\""),
        ("SOUNDEX('Ashcraft')", "\"A261\""),
        ("LEVENSHTEIN_DISTANCE('ab', 'ba')", "1"),
        (
            "LEVENSHTEIN_DISTANCE('der mötör trötet', 'der trötet')",
            "6",
        ),
        (
            "REGEX_REPLACE('John Smith', '(\\\\w+) (\\\\w+)', '$2, $1')",
            "\"Smith, John\"",
        ),
        ("REGEX_TEST('ab', '(?<=a)b')", "true"),
        ("LIKE('a%b', 'a\\\\%b')", "true"),
        ("LIKE('aXXbXXc', 'a%b%c')", "true"),
        ("LIKE('', '%')", "true"),
        ("LIKE('ab', 'a')", "false"),
    ]);
    warns(&[
        ("LEFT('a', -1)", 1542),
        ("REGEX_TEST('a', '[')", 1543),
        ("REPEAT('a', -1)", 1542),
        ("TO_CHAR(-1)", 1542),
    ]);
}

#[test]
fn like_matches_the_whole_text_with_any_number_of_wildcards() {
    for (text, pattern, matches) in [
        ("", "", true),
        ("", "%%", true),
        ("a", "", false),
        ("ab", "a_", true),
        ("ab", "_", false),
        ("ab", "%_", true),
        ("aab", "a%ab", true),
        ("ab", "ab%ab", false),
        ("xaybzaybz", "%a_b%a_bz", true),
        ("mississippi", "%iss%ip%", true),
        ("mississippi", "%iss%iss%iss%", false),
        ("äöü", "ä_ü", true),
        ("a\\b", "a\\\\b", true),
        ("a%", "a\\%", true),
        ("ab", "a\\%", false),
        ("a\\", "a\\", true),
    ] {
        assert_eq!(
            embedded_arango::functions::like(text, pattern, false),
            matches,
            "{text} LIKE {pattern}"
        );
    }
    assert!(embedded_arango::functions::like("ÄÖ", "ä%", true));
}

#[test]
fn like_is_linear_where_naive_matching_would_not_end() {
    let text = "a".repeat(1 << 20);
    let pattern = format!("%{}b%", "a".repeat(1 << 19));
    assert!(!embedded_arango::functions::like(&text, &pattern, false));
}

#[test]
fn arrays_change_without_touching_the_original() {
    gives(&[
        ("APPEND([1, 1], [1, 2], true)", "[1,2]"),
        ("APPEND(null, [1])", "[1]"),
        ("SLICE([1, 2, 3], -2)", "[2,3]"),
        ("SLICE([1, 2, 3], 1, -5)", "[]"),
        ("FLATTEN([1, [2, [3]]])", "[1,2,[3]]"),
        ("FLATTEN([1, [2, [3]]], 9)", "[1,2,3]"),
        (
            "INTERLEAVE([1, 2, 3], ['a'], [true, false])",
            "[1,\"a\",true,2,false,3]",
        ),
        ("REMOVE_VALUE([1, 2, 1], 1, 1)", "[2,1]"),
        ("REMOVE_VALUES([1, 2, 3], [1, 3])", "[2]"),
        ("UNION_DISTINCT([1, 2], [2, 3.0, 3])", "[1,2,3]"),
        ("INTERSECTION([1, 2, 3], [3, 2], [2, 3, 4])", "[3,2]"),
        ("OUTERSECTION([1, 2], [2, 3])", "[3,1]"),
        (
            "SORTED(['b', 'B', 'a', 1, null])",
            "[null,1,\"a\",\"B\",\"b\"]",
        ),
        ("COUNT_UNIQUE([1, 1.0, '1'])", "2"),
        ("POP(null)", "null"),
    ]);
    warns(&[
        ("FIRST('a')", 1563),
        ("PUSH('a', 1)", 1542),
        ("UNION([1], 2)", 1542),
        ("UNIQUE(null)", 1563),
    ]);
}

#[test]
fn objects_merge_select_and_translate() {
    gives(&[
        ("MERGE({b: 1}, {a: 2}, {b: 3})", "{\"b\":3,\"a\":2}"),
        ("MERGE({a: {b: 1}}, {a: {c: 2}})", "{\"a\":{\"c\":2}}"),
        (
            "MERGE_RECURSIVE({a: {b: 1}}, {a: {c: 2}})",
            "{\"a\":{\"b\":1,\"c\":2}}",
        ),
        (
            "UNSET({_id: 1, _key: 2, a: 3}, ['_id', '_key'])",
            "{\"a\":3}",
        ),
        ("KEYS({a: 1, _b: 2}, true)", "[\"a\"]"),
        ("VALUES({b: 1, a: 2})", "[1,2]"),
        ("ZIP(['a', 'b', 'a'], [1, 2, 3])", "{\"a\":1,\"b\":2}"),
        ("TRANSLATE('x', {x: 1})", "1"),
        ("TRANSLATE('y', {x: 1})", "\"y\""),
        ("MATCHES({a: 1}, {a: 1, b: null})", "true"),
        ("MATCHES({a: 1}, [{a: 2}, {a: 1}], true)", "1"),
        ("HAS({a: null}, 'a')", "true"),
        ("VALUE({a: [{b: 7}]}, ['a', -1, 'b'])", "7"),
        ("JSON_PARSE('{\"a\":[1.0,2]}')", "{\"a\":[1,2]}"),
    ]);
    warns(&[
        ("MERGE({}, 1)", 1542),
        ("ZIP(['a'], [])", 1542),
        ("JSON_PARSE('{')", 1542),
        ("ATTRIBUTES(1)", 1542),
    ]);
}

#[test]
fn dates_are_read_in_all_their_forms() {
    gives(&[
        ("DATE_ISO8601('2016')", "\"2016-01-01T00:00:00.000Z\""),
        (
            "DATE_ISO8601('2016-2-3 4:05')",
            "\"2016-02-03T04:05:00.000Z\"",
        ),
        (
            "DATE_ISO8601('2016-02-03T04:05:06.7+01:30')",
            "\"2016-02-03T02:35:06.700Z\"",
        ),
        (
            "DATE_ISO8601('2016-02-03T04:05:06.123456-02:30')",
            "\"2016-02-03T06:35:06.123Z\"",
        ),
        (
            "DATE_ISO8601(2016, 14, 32, 25)",
            "\"2017-03-05T01:00:00.000Z\"",
        ),
        ("DATE_TIMESTAMP('1969-12-31T23:59:59.999Z')", "-1"),
        ("DATE_TIMESTAMP(2016, 2, 32)", "1456963200000"),
        ("DATE_TIMESTAMP(1970, 1, 1, 26)", "93600000"),
        ("IS_DATESTRING('2016-13-01')", "false"),
        ("IS_DATESTRING('2016-12-01T')", "false"),
        ("IS_DATESTRING(' 2016-12-01 ')", "true"),
        ("DATE_NOW()", "1750000000000"),
    ]);
    warns(&[
        ("DATE_YEAR('no date')", 1572),
        ("DATE_YEAR(null)", 1542),
        ("DATE_ISO8601(2016, 12)", 1542),
        ("DATE_TIMESTAMP(2016, 12, -1)", 1572),
        ("DATE_YEAR(9223372036854775807)", 1572),
        ("DATE_YEAR('2016', 'Nowhere/Atlantis')", 1542),
    ]);
}

#[test]
fn dates_count_in_utc_and_in_time_zones() {
    gives(&[
        (
            "DATE_ADD('2016-01-31', 1, 'month')",
            "\"2016-03-02T00:00:00.000Z\"",
        ),
        (
            "DATE_ADD('2016-02-29', 'P1Y2M3W4DT5H6M7.89S')",
            "\"2017-05-24T05:06:07.890Z\"",
        ),
        (
            "DATE_ADD('2000-01-01', 'PT30M44.4S')",
            "\"2000-01-01T00:30:44.400Z\"",
        ),
        (
            "DATE_ADD('2016-01-01', 1.5, 'years')",
            "\"2017-07-01T00:00:00.000Z\"",
        ),
        (
            "DATE_SUBTRACT('2016-03-01', 1, 'd')",
            "\"2016-02-29T00:00:00.000Z\"",
        ),
        (
            "DATE_SUBTRACT('2024-03-31T12:00:00Z', 1, 'day', 'Europe/Berlin')",
            "\"2024-03-30T13:00:00.000Z\"",
        ),
        ("DATE_DIFF('2016-01-01', '2017-01-01', 'months')", "12"),
        ("DATE_DIFF('2016-01-02', '2016-01-01', 'h', true)", "-24"),
        ("DATE_COMPARE('2016-05-01', '2017-05-01', 'm', 'd')", "true"),
        ("DATE_COMPARE('2016-05-01', '2017-05-01', 'y')", "false"),
        (
            "DATE_TRUNC('2016-05-17T13:14:15.678Z', 'hour')",
            "\"2016-05-17T13:00:00.000Z\"",
        ),
        ("DATE_ISOWEEK('2021-01-03')", "53"),
        ("DATE_DAYOFYEAR('2016-12-31')", "366"),
        (
            "DATE_FORMAT('2016-07-05', '%yyyyyy %mmmm %mmm %wwww %www %kk %q %a %%%&%')",
            "\"+002016 July Jul Tuesday Tue 27 3 31 %\"",
        ),
        (
            "DATE_UTCTOLOCAL('2024-07-01T00:00:00Z', 'Europe/London')",
            "\"2024-07-01T01:00:00.000\"",
        ),
        (
            "DATE_UTCTOLOCAL('2024-01-01T00:00:00Z', 'Europe/London')",
            "\"2024-01-01T00:00:00.000Z\"",
        ),
    ]);
    warns(&[
        ("DATE_ADD('2016', 1, 'fortnight')", 1572),
        ("DATE_ADD('9999-12-31', 1, 'd')", 1572),
        ("DATE_TRUNC('2016', 'week')", 1572),
    ]);
}

#[test]
fn the_details_of_a_time_zone_say_how_long_they_hold() {
    let zone = row(
        &mut Query::default(),
        "RETURN DATE_UTCTOLOCAL('2020-10-15T01:00:00Z', 'America/New_York', true).zoneInfo",
    );
    assert_eq!(
        zone.unwrap().to_json_text(),
        r#"{"name":"EDT","begin":"2020-03-08T07:00:00.000Z","end":"2020-11-01T06:00:00.000Z","dst":true,"offset":-14400}"#
    );
}

#[test]
fn shapes_relate_on_the_sphere() {
    let square = "{type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]}";
    let reversed =
        "{type: 'Polygon', coordinates: [[[10, 10], [10, 0], [0, 0], [0, 10], [10, 10]]]}";
    let holed = "{type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]], [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]]]}";
    let truth = |text: String| {
        row(&mut Query::default(), &format!("RETURN {text}"))
            .unwrap()
            .as_bool()
            .unwrap()
    };
    for polygon in [square, reversed] {
        assert!(truth(format!("GEO_CONTAINS({polygon}, [5, 5])")));
        assert!(!truth(format!("GEO_CONTAINS({polygon}, [15, 5])")));
        assert!(
            !truth(format!("GEO_CONTAINS({polygon}, [-175, -5])")),
            "the point opposite is outside"
        );
    }
    assert!(!truth(format!("GEO_CONTAINS({holed}, [5, 5])")));
    assert!(truth(format!("GEO_CONTAINS({holed}, [2, 5])")));
    assert!(!truth(format!("GEO_CONTAINS({holed}, {square})")));
    assert!(truth(format!("GEO_CONTAINS({square}, {holed})")));
    assert!(truth(format!(
        "GEO_INTERSECTS({square}, {{type: 'LineString', coordinates: [[-5, 5], [15, 6]]}})"
    )));
    assert!(!truth(format!(
        "GEO_INTERSECTS({square}, {{type: 'LineString', coordinates: [[-5, 5], [-1, 6]]}})"
    )));
    assert!(truth(format!("GEO_EQUALS({square}, {reversed})")));
    assert!(!truth(format!("GEO_EQUALS({square}, {holed})")));
    assert!(truth(
        "IS_IN_POLYGON([[0, 0], [0, 10], [10, 10], [10, 0]], 5, 5)".to_owned()
    ));
    assert!(!truth(
        "IS_IN_POLYGON([[0, 0], [0, 10], [10, 10], [10, 0]], [15, 5], true)".to_owned()
    ));
}

#[test]
fn distances_and_areas_are_metres() {
    let number = |text: &str| {
        row(&mut Query::default(), &format!("RETURN {text}"))
            .unwrap()
            .as_f64()
            .unwrap()
    };
    let near = |left: f64, right: f64| {
        assert!(
            (left - right).abs() < right * 1e-4,
            "{left} against {right}"
        )
    };
    // A degree of the equator, and the same on the ellipsoid.
    near(number("GEO_DISTANCE([0, 0], [1, 0])"), 111_194.93);
    near(number("GEO_DISTANCE([0, 0], [1, 0], 'wgs84')"), 111_319.49);
    near(
        number("DISTANCE(52.5163, 13.3777, 50.9322, 6.94)"),
        476_918.0,
    );
    // A thousandth of a degree keeps its digits.
    near(number("GEO_DISTANCE([0, 0], [0, 0.001])"), 111.194_93);
    // An eighth of the sphere.
    near(
        number("GEO_AREA({type: 'Polygon', coordinates: [[[0, 0], [90, 0], [0, 90], [0, 0]]]})"),
        510_064_471_909_788.0 / 8.0,
    );
    near(
        number(
            "GEO_AREA({type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}, 'wgs84')",
        ),
        12_308_778_361.0,
    );
    warns(&[
        ("GEO_DISTANCE('a', [0, 0])", 1542),
        ("GEO_POLYGON([[0, 0], [1, 1]])", 1542),
        ("GEO_POINT('a', 1)", 1542),
    ]);
}

#[test]
fn the_query_answers_what_is_not_in_the_arguments() {
    gives(&[
        ("DOCUMENT('people/ada')", "{\"_id\":\"people/ada\"}"),
        ("DOCUMENT('people', 'béla')", "{\"_id\":\"people/béla\"}"),
        (
            "DOCUMENT('people', ['ada', 'nobody', 'people/béla'])",
            "[{\"_id\":\"people/ada\"},{\"_id\":\"people/béla\"}]",
        ),
        ("DOCUMENT('people/nobody')", "null"),
        ("DOCUMENT('others', 'people/ada')", "null"),
        ("COLLECTION_COUNT('people')", "2"),
        ("COLLECTIONS()", "[{\"_id\":\"7\",\"name\":\"people\"}]"),
        ("CURRENT_USER()", "\"ada\""),
        ("CURRENT_DATABASE()", "\"books\""),
        ("VERSION()", "\"3.12.10\""),
        ("SLEEP(0)", "null"),
        ("NOT_NULL(null, 1, 2)", "1"),
        ("CALL('SUBSTRING', 'abc', 1)", "\"bc\""),
        ("APPLY('MAX', [[1, 3]])", "3"),
        ("ASSERT(1 == 1, 'no')", "true"),
        ("WARN(true, 'no')", "true"),
        ("IS_SAME_COLLECTION('people', {_id: 'people/ada'})", "true"),
        ("IS_KEY('a/b')", "false"),
    ]);
    let mut query = Query::default();
    assert!(matches!(
        row(&mut query, "RETURN WARN(false, 'look here')"),
        Ok(Value::Bool(false))
    ));
    assert_eq!(query.warnings, [(1594, "look here".to_owned())]);
    for (text, number) in [
        ("FAIL('x')", 1569),
        ("ASSERT(false, 'x')", 1593),
        ("CALL('CALL', 'MAX', [1])", 1578),
        ("CALL('NOPE')", 1540),
    ] {
        assert!(
            matches!(row(&mut Query::default(), &format!("RETURN {text}")), Err(Stop::Failed(found)) if found == number),
            "{text}"
        );
    }
    assert_eq!(
        Query::default()
            .call("FAIL", &[Value::from("x")])
            .unwrap_err()
            .message,
        "FAIL(x) called"
    );
}

#[test]
fn analyzers_make_tokens_as_their_properties_say() {
    let cases = [
        (
            "delimiter",
            r#"{"delimiter": ","}"#,
            r#"a,"b,""c""",,d"#,
            r#"["a","b,\"c\"","","d"]"#,
        ),
        (
            "multi_delimiter",
            r#"{"delimiters": [",", ";;"]}"#,
            "a,,b;;c;d",
            r#"["a","b","c;d"]"#,
        ),
        (
            "ngram",
            r#"{"min": 2, "max": 3, "preserveOriginal": true, "streamType": "utf8"}"#,
            "äbcd",
            r#"["äb","äbc","äbcd","bc","bcd","cd"]"#,
        ),
        ("ngram", r#"{"min": 2, "max": 2}"#, "ab", r#"["ab"]"#),
        (
            "norm",
            r#"{"locale": "de", "case": "upper"}"#,
            "straße É",
            r#"["STRASSE É"]"#,
        ),
        (
            "text",
            r#"{"locale": "fr", "accent": true, "stemming": false, "stopwords": ["le"]}"#,
            "Le Café",
            r#"["café"]"#,
        ),
        (
            "text",
            r#"{"locale": "zz"}"#,
            "Words stay",
            r#"["words","stay"]"#,
        ),
        (
            "stopwords",
            r#"{"stopwords": ["616263"], "hex": true}"#,
            "abc",
            "[]",
        ),
        (
            "segmentation",
            r#"{"break": "graphic", "case": "none"}"#,
            "A b!",
            r#"["A","b","!"]"#,
        ),
        ("pipeline", r#"{"pipeline": []}"#, "as is", r#"["as is"]"#),
    ];
    for (kind, properties, text, expected) in cases {
        let properties = Value::from_json_text(properties).unwrap();
        let definition = [("type", Value::from(kind)), ("properties", properties)]
            .into_iter()
            .collect();
        let mut query = Query::default();
        query
            .analyzers
            .insert("mine".to_owned(), Value::object(definition));
        let tokens = query
            .call("TOKENS", &[Value::from(text), Value::from("books::mine")])
            .unwrap();
        assert_eq!(tokens.to_json_text(), expected, "{kind}");
    }
}

#[test]
fn an_analyzer_that_is_unknown_or_not_computed_is_an_error() {
    let mut query = Query::default();
    for (kind, http) in [
        ("classification", 501),
        ("minhash", 400),
        ("ngram", 400),
        ("text", 400),
    ] {
        let definition = [
            ("type", Value::from(kind)),
            ("properties", Value::object(Default::default())),
        ]
        .into_iter()
        .collect();
        query
            .analyzers
            .insert(kind.to_owned(), Value::object(definition));
        assert_eq!(
            query
                .call("TOKENS", &[Value::from("a"), Value::from(kind)])
                .unwrap_err()
                .http,
            http,
            "{kind}"
        );
    }
    let error = query
        .call("TOKENS", &[Value::from("a"), Value::from("nowhere")])
        .unwrap_err();
    assert_eq!(
        error.message,
        "failed to find analyzer with name 'nowhere' for function 'TOKENS'"
    );
    assert_eq!(
        query.call("TOKENS", &[Value::Bool(false)]).unwrap(),
        Value::array(vec![Value::from("AA==")])
    );
}

#[test]
fn a_collation_gives_keys_in_the_order_of_the_language() {
    let mut query = Query::default();
    let mut keys = |locale: &str| -> Vec<Value> {
        let properties = Value::object([("locale", Value::from(locale))].into_iter().collect());
        let definition = [
            ("type", Value::from("collation")),
            ("properties", properties),
        ];
        query.analyzers.insert(
            "own".to_owned(),
            Value::object(definition.into_iter().collect()),
        );
        ["a", "å", "b", "z"]
            .map(|text| query.call("TOKENS", &[Value::from(text), Value::from("own")]))
            .map(|tokens| tokens.unwrap().at(0))
            .to_vec()
    };
    // By bytes, as a search compares.
    let in_order = |keys: &[Value]| {
        keys.iter()
            .map(Value::to_text)
            .collect::<Vec<_>>()
            .is_sorted()
    };
    assert!(in_order(&keys("en")));
    let swedish = keys("sv_SE.UTF-8");
    assert!(!in_order(&swedish));
    assert!(swedish[1].to_text() > swedish[3].to_text());
}

#[test]
fn min_hashes_are_the_servers_and_tell_what_sets_have_in_common() {
    let mut query = Query::default();
    let words =
        |words: &[&str]| Value::array(words.iter().map(|word| Value::from(*word)).collect());
    let call = |query: &mut Query, set: &Value, count: i64| {
        query
            .call("MINHASH", &[set.clone(), Value::Int(count)])
            .unwrap()
    };
    let all = call(&mut query, &words(&["one", "two", "three", "two"]), 100);
    assert_eq!(all.as_array().map(<[Value]>::len), Some(3));
    let few = call(&mut query, &words(&["one", "two", "three"]), 2);
    let few = few.as_array().unwrap().to_vec();
    assert!(
        few.len() == 2
            && few
                .iter()
                .all(|hash| all.as_array().unwrap().contains(hash))
    );
    let none = query
        .call("MINHASH", &[Value::from("x"), Value::Int(1)])
        .unwrap();
    assert!(none.is_null() && !query.warnings.is_empty());
}

#[test]
fn randomness_has_the_right_shape() {
    let mut query = Query::default();
    for _ in 0..1_000 {
        let number = query.call("RAND", &[]).unwrap().as_f64().unwrap();
        assert!((0.0..1.0).contains(&number));
    }
    let uuid = query.call("UUID", &[]).unwrap().to_text();
    assert_eq!((uuid.len(), uuid.as_bytes()[14]), (36, b'4'), "{uuid}");
    assert_ne!(uuid, query.call("UUID", &[]).unwrap().to_text());
    assert_eq!(
        query
            .call("RANDOM_TOKEN", &[Value::Int(8)])
            .unwrap()
            .to_text()
            .len(),
        8
    );
}
