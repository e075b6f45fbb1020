//! Whatever is read without serde is what serde reads, and usual lines are.

use super::super::article::{Article, Object};
use proptest::prelude::*;

/// Stands for the place where some writers have a space.
const SPACE: char = '\u{2}';

const ARTICLE_KEYS: [&str; 11] = [
    "id",
    "name",
    "title",
    "evaluation_span",
    "url",
    "hyperlinks",
    "title_synonyms",
    "sections",
    "labels",
    "entity_mentions",
    "sides",
];

const OBJECT_KEYS: [&str; 16] = [
    "id",
    "entity_id",
    "name",
    "type",
    "parent",
    "children",
    "optional",
    "desc",
    "coref",
    "recognized_by",
    "linked_by",
    "candidates",
    "referenced_span",
    "contained",
    "score",
    "key",
];

/// What may stand where it should not.
const ODD: [&str; 24] = [
    "null",
    "true",
    "1",
    "-1",
    "-0",
    "01",
    "1.5",
    "1e400",
    "-2.5E-3",
    "1.",
    "18446744073709551615",
    "99999999999999999999",
    "\"x\"",
    "\"\\x\"",
    "\"\\ud83d\"",
    "\"\u{7}\"",
    "nul",
    "[]",
    "{}",
    "[1]",
    "[1,2,3]",
    "[[0,1],null]",
    "{\"a\":[{}]}",
    "",
];

/// A line, and whether it is as usual.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Usual,
    Odd,
}

fn string() -> BoxedStrategy<String> {
    prop_oneof![
        "[A-Za-z0-9<>|_ ]{0,20}",
        "[a-zé中😀\u{301}\u{7f} ]{0,100}",
        r#"([a-z é]|\\[nrtbf"\\/]|\\u00e9|\\u2013|\\ud83d\\ude00|\\u0000){0,60}"#,
    ]
    .prop_map(|content| format!("\"{content}\""))
    .boxed()
}

fn scalar() -> BoxedStrategy<String> {
    let number = prop_oneof![0i64..100, -5i64..5, 0i64..999_999_999_999_999];
    let id = "\"(Q[0-9]{1,9}|Unknown[0-9]{0,3}|<NIL>|QUANTITY)\"";
    prop_oneof![3 => id, 1 => string(), 1 => number.prop_map(|n| n.to_string()), 1 => Just("null".to_owned())]
        .boxed()
}

fn number() -> BoxedStrategy<String> {
    prop_oneof![
        "0[.][0-9]{1,20}",
        "[1-9][0-9]{0,9}([.][0-9]{1,9})?",
        "-?[1-9](e-?[0-9]{1,2})?",
        any::<f64>().prop_filter_map("finite", |n| n.is_finite().then(|| format!("{n:?}")))
    ]
    .boxed()
}

fn range() -> BoxedStrategy<String> {
    (0u64..5000, 0u64..200_000_000).prop_map(|(a, b)| format!("[{a},{SPACE}{b}]")).boxed()
}

fn list(item: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let list = proptest::collection::vec(item, 0..4);
    list.prop_map(|items| format!("[{}]", items.join(&format!(",{SPACE}")))).boxed()
}

fn titled_ranges() -> BoxedStrategy<String> {
    list((range(), string()).prop_map(|(range, title)| format!("[{range},{SPACE}{title}]")).boxed())
}

fn value(key: &str, kind: Kind) -> BoxedStrategy<String> {
    let whole = (-3i64..40).prop_filter("no whole number", |&n| n != 0);
    let whole = whole.prop_map(|n| n.to_string()).boxed();
    let right = match key {
        "id" | "entity_id" => scalar(),
        "evaluation_span" | "span" | "referenced_span" => range(),
        "hyperlinks" | "sections" => titled_ranges(),
        "title_synonyms" => list(range()),
        "labels" | "entity_mentions" => list(object(kind)),
        "parent" => whole,
        "children" => list(whole),
        "optional" | "desc" | "coref" | "contained" => {
            any::<bool>().prop_map(|flag| flag.to_string()).boxed()
        }
        "candidates" => list(scalar()),
        "score" => number(),
        _ => string(),
    };
    let null = || Just("null".to_owned());
    match (kind, key) {
        (Kind::Usual, "text" | "span") => right,
        (Kind::Usual, _) => prop_oneof![8 => right, 1 => null()].boxed(),
        (Kind::Odd, _) => {
            let odd = proptest::sample::select(&ODD[..]).prop_map(str::to_owned);
            prop_oneof![30 => right, 1 => null(), 1 => odd].boxed()
        }
    }
}

/// An object with the key that must be there and some others, in any order.
fn keyed(must: &'static str, may: &'static [&'static str], kind: Kind) -> BoxedStrategy<String> {
    let keys = proptest::sample::subsequence(may, 0..=may.len()).prop_map(move |mut keys| {
        keys.push(must);
        keys
    });
    let keys = match kind {
        Kind::Usual => keys.boxed(),
        // Sometimes a key is missing, unknown or there twice.
        Kind::Odd => (keys, 0..60usize)
            .prop_map(move |(mut keys, change)| {
                match change {
                    0 => drop(keys.pop()),
                    1 => keys.push("unknown"),
                    2 => keys.push(must),
                    3 => keys.push(may[0]),
                    _ => {}
                }
                keys
            })
            .boxed(),
    };
    let fields = keys.prop_shuffle().prop_flat_map(move |keys| {
        let field = |key: &'static str| {
            value(key, kind).prop_map(move |value| format!("\"{key}\":{SPACE}{value}"))
        };
        keys.into_iter().map(field).collect::<Vec<_>>()
    });
    fields.prop_map(|fields| format!("{{{}}}", fields.join(&format!(",{SPACE}")))).boxed()
}

fn object(kind: Kind) -> BoxedStrategy<String> {
    keyed("span", &OBJECT_KEYS, kind)
}

fn article(kind: Kind) -> BoxedStrategy<String> {
    let spaces: &[&str] = match kind {
        Kind::Usual => &["", " "],
        Kind::Odd => &["", " ", "  ", "\t"],
    };
    let article = keyed("text", &ARTICLE_KEYS, kind);
    (article, proptest::sample::select(spaces))
        .prop_map(|(article, space)| article.replace(SPACE, space))
        .boxed()
}

/// Lines of which some characters were changed, inserted or left out, or that break off.
fn damaged() -> BoxedStrategy<String> {
    let line = prop_oneof![article(Kind::Usual), article(Kind::Odd)];
    let change = (any::<prop::sample::Index>(), 0..3u8, "[\"\\\\,:{}\\[\\]0-9.eE\\-a \t\0é]");
    (line, proptest::collection::vec(change, 0..3), 0..20u8)
        .prop_map(|(line, changes, end)| {
            let mut characters: Vec<char> = line.chars().collect();
            for (at, how, other) in changes {
                let at = at.index(characters.len());
                match how {
                    0 => drop(characters.remove(at)),
                    1 => characters.insert(at, other.chars().next().unwrap()),
                    _ => characters[at] = other.chars().next().unwrap(),
                }
                if characters.is_empty() {
                    break;
                }
            }
            match end {
                0 => characters.truncate(characters.len() / 2),
                1 => characters.push(' '),
                2 => characters.push('}'),
                _ => {}
            }
            characters.into_iter().collect()
        })
        .boxed()
}

/// Whether a line is read without serde; what is read must be what serde reads.
fn is_read<'t>(article: &mut Article<'t>, line: &'t str) -> bool {
    if article.read_usual(line).is_none() {
        return false;
    }
    let expected: Article<'_> = serde_json::from_str(line).expect(line);
    assert_eq!(*article, expected, "{line}");
    // Equal values may still differ in what they borrow, by which problems are located, and
    // in the sign of zero.
    let details = |object: &Object<'t>| {
        (object.slice().map(|slice| (slice.as_ptr(), slice.len())), object.score.map(f64::to_bits))
    };
    for (read, expected) in
        [(&article.labels, &expected.labels), (&article.entity_mentions, &expected.entity_mentions)]
    {
        assert!(read.iter().map(details).eq(expected.iter().map(details)), "{line}");
    }
    true
}

proptest! {
    #[test]
    fn usual_lines_are_read_as_serde_reads_them(
        lines in proptest::collection::vec(article(Kind::Usual), 1..4)
    ) {
        let mut article = Article::default();
        for line in &lines {
            prop_assert!(is_read(&mut article, line), "{}", line);
        }
    }

    #[test]
    fn what_is_read_of_any_line_is_what_serde_reads(
        lines in proptest::collection::vec(damaged(), 1..4)
    ) {
        let mut article = Article::default();
        for line in &lines {
            is_read(&mut article, line);
        }
    }
}

#[test]
fn what_is_not_usual_is_left_to_serde() {
    let mut article = Article::default();
    for line in [
        "",
        "{}",
        "null",
        r#"["a"]"#,
        r#"{"id":1}"#,
        r#"{"text":null}"#,
        r#"{"text":"a","text":"a"}"#,
        r#"{"text":"a","other":1}"#,
        r#"{"t\u0065xt":"a"}"#,
        r#"{"text":"a"} "#,
        r#"{"text":"a"}{"#,
        r#"{"text" :"a"}"#,
        r#"{"text":"a","id":-0}"#,
        r#"{"text":"a","id":1.0}"#,
        r#"{"text":"a","labels":[{"id":1}]}"#,
        r#"{"text":"a","labels":[[1,[0,1]]]}"#,
        r#"{"text":"a","labels":[{"span":[0,1,2]}]}"#,
        r#"{"text":"a","labels":[{"span":[0,1],"span":[0,1]}]}"#,
    ] {
        assert!(!is_read(&mut article, line), "{line}");
    }
}

#[test]
fn the_files_of_elevant_are_usual() {
    let folders = ["elevant/benchmarks", "elevant/linked"];
    let files = folders.into_iter().flat_map(crate::testing::data);
    for file in files.filter(|file| file.extension().is_some_and(|name| name == "jsonl")) {
        let content = std::fs::read_to_string(&file).unwrap();
        let mut article = Article::default();
        for line in content.lines() {
            assert!(is_read(&mut article, line), "{}: {line}", file.display());
        }
    }
}
