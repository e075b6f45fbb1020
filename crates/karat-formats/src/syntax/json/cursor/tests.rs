use super::*;
use proptest::prelude::*;

/// What a reader gives for a value that another follows, if it reads all of it.
fn read<'t, T>(text: &'t str, value: impl FnOnce(&mut Cursor<'t>) -> Option<T>) -> Option<T> {
    let mut cursor = Cursor::new(text);
    let value = value(&mut cursor)?;
    cursor.expect(b',')?;
    cursor.is_done().then_some(value)
}

#[test]
fn usual_numbers_need_no_serde() {
    for text in ["0.661", "1.0", "0", "12", "12345678", "0.123456789012345", "123456789.125"] {
        let mut cursor = Cursor::new(text);
        assert_eq!(cursor.short_decimal(), text.parse().ok(), "{text}");
        assert!(cursor.is_done());
    }
    for text in ["", "-1", ".5", "01.5", "0.1234567890123456789", "9007199254740993"] {
        assert_eq!(Cursor::new(text).short_decimal(), None, "{text}");
    }
}

#[test]
fn keys_are_told_apart() {
    let read = |text: &str| {
        let mut seen = Vec::new();
        let read = Cursor::new(text).object(|cursor, key| {
            seen.push(key);
            cursor.unsigned().map(|_| ())
        });
        read.map(|()| seen)
    };
    assert_eq!(
        read(r#"{"a":1, "evaluation_span": 2}"#),
        Some(vec![key("a"), key("evaluation_span")])
    );
    assert_eq!(read("{}"), Some(Vec::new()));
    assert_ne!(read("{\"a\0\":1}"), Some(vec![key("a")]), "a zero behind it");
    for text in [
        "",
        "{",
        r#"{"a"}"#,
        r#"{"a":1"#,
        r#"{"a":1,}"#,
        r#"{"a" :1}"#,
        r#"{"a":1]"#,
        r#"{"evaluation_span_":1}"#,
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn numbers_are_those_of_serde(
        text in "-?[0-9]{0,20}([.][0-9]{0,20})?([eE][+-]?[0-9]{1,3})?|[-+.0-9eE]{0,6}"
    ) {
        let followed = format!("{text},");
        let bits = |number: f64| number.to_bits();
        let expected: Option<f64> = serde_json::from_str(&text).ok();
        prop_assert_eq!(read(&followed, Cursor::number).map(bits), expected.map(bits));
        if let Some(number) = read(&followed, Cursor::signed) {
            prop_assert_eq!(Some(number), serde_json::from_str(&text).ok());
        }
        if let Some(number) = read(&followed, Cursor::unsigned) {
            prop_assert_eq!(Some(number), serde_json::from_str(&text).ok());
        }
    }

    #[test]
    fn strings_are_those_of_serde(
        text in "\"([a-zé😀\"\u{7f} ]|\\\\[nu\"x]|\\\\u00e9|\\\\ud83d\\\\ude00|\u{1}|.{30,90}){0,9}\"?"
    ) {
        let followed = format!("{text},");
        let expected: Option<Borrowed<'_>> = serde_json::from_str(&text).ok();
        // serde also passes over space behind it.
        let expected = expected.filter(|_| text.ends_with('"'));
        prop_assert_eq!(read(&followed, Cursor::string), expected);
    }
}
