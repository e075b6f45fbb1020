use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

const NIF: Settings = Settings { unescape_iris: true };

/// The facts of a text as `subject predicate object`, and the faults in it.
fn facts(text: &str, settings: Settings) -> (Vec<[String; 3]>, Vec<Fault>) {
    let mut turtle = Turtle::new(text, settings);
    let (mut triples, mut facts, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(read) = turtle.read(&mut triples) {
        match read {
            Ok(_) => facts.extend(triples.iter().map(|triple| {
                [
                    shown(&turtle, &triple.subject),
                    turtle.expand(&triple.predicate).into_owned(),
                    shown(&turtle, &triple.object),
                ]
            })),
            Err(fault) => faults.push(fault),
        }
    }
    (facts, faults)
}

fn shown<'t>(turtle: &Turtle<'t>, term: &Term<'t>) -> String {
    match term {
        Term::Iri(iri) => format!("<{}>", turtle.expand(iri)),
        Term::Blank(Blank::Labelled(label)) => format!("_:{label}"),
        Term::Blank(Blank::Brackets(at)) => format!("_:[{at}"),
        Term::Blank(Blank::Cell(at)) => format!("_:({at}"),
        Term::Literal { value, datatype, language } => match (datatype, language) {
            (_, Some(language)) => format!("{value:?}@{}", language.to_lowercase()),
            (Some(datatype), _) => literal(value, &turtle.expand(datatype)),
            _ => format!("{value:?}"),
        },
    }
}

fn literal(value: &str, datatype: &str) -> String {
    match datatype.strip_prefix("http://www.w3.org/2001/XMLSchema#") {
        Some("string") => format!("{value:?}"),
        _ => format!("{value:?}^^{datatype}"),
    }
}

/// The objects of a text that holds one statement without fault.
fn objects(text: &str) -> Vec<String> {
    let (facts, faults) = facts(text, NIF);
    assert_eq!(faults, [], "{text}");
    facts.into_iter().map(|[_, _, object]| object).collect()
}

#[test]
fn strings_in_all_forms() {
    let cases = [
        (r#"<s> a "x" ."#, "\"x\""),
        (r"<s> a 'it\'s' .", "\"it's\""),
        (r#"<s> a """two "quoted" words""" ."#, r#""two \"quoted\" words""#),
        (r#"<s> a """ends with a quote"""" ."#, r#""ends with a quote\"""#),
        (r#"<s> a """"starts""" ."#, r#""\"starts""#),
        (r#"<s> a """""" ."#, "\"\""),
        (r#"<s> a "" ."#, "\"\""),
        (r"<s> a '''x'y''z''' .", "\"x'y''z\""),
        (r#"<s> a "tab\t\u00e9\U0001F600" ."#, "\"tab\\té😀\""),
        (r#"<s> a "\uD83D\uDE00" ."#, "\"😀\""),
        (r#"<s> a "\uD83D \q" ."#, "\"\\\\uD83D \\\\q\""),
        (r#"<s> a "x"@en-GB ."#, "\"x\"@en-gb"),
        (r#"<s> a "1"^^xsd:int."#, "\"1\"^^http://www.w3.org/2001/XMLSchema#int"),
        (r"<s> a 1.5e3, .5.", "\"1.5e3\"^^http://www.w3.org/2001/XMLSchema#double"),
        (r"<s> a 42.", "\"42\"^^http://www.w3.org/2001/XMLSchema#integer"),
        (r"<s> a true.", "\"true\"^^http://www.w3.org/2001/XMLSchema#boolean"),
    ];
    for (text, expected) in cases {
        assert_eq!(objects(text)[0], expected, "{text}");
    }
}

#[test]
fn names_in_all_forms() {
    let text = "@prefix e: <http://e/> . PREFIX f: <http://f#>\n@base <http://b/dir/doc> .\n\
                <s> e:p e:a.b , f:x\\,y;; a <#frag>, <other>, </root>, el:Mnt-Full , nif:String .";
    let expected = [
        "<http://e/a.b>",
        "<http://f#x,y>",
        "<http://b/dir/doc#frag>",
        "<http://b/dir/other>",
        "<http://b/root>",
        "<el:Mnt-Full>",
        "<http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#String>",
    ];
    assert_eq!(objects(text), expected);
}

#[test]
fn iris_are_taken_as_they_are() {
    let text = r#"<s> a < http://x/a b"c{}|^`> , <http://x/\u00e9> ."#;
    let kept = facts(text, Settings { unescape_iris: false }).0;
    assert_eq!(kept[0][2], "< http://x/a b\"c{}|^`>");
    assert_eq!(kept[1][2], r"<http://x/\u00e9>");
    assert_eq!(facts(text, NIF).0[1][2], "<http://x/é>");
}

#[test]
fn brackets_and_collections() {
    let (found, faults) =
        facts("<s> <p> [ <q> 1 ; ] , ( [] ) .\n[ <q> 2 ] <r> 3 . ( 4 ) <t> () .", NIF);
    assert_eq!(faults, []);
    let predicates: Vec<&str> =
        found.iter().map(|fact| fact[1].rsplit('#').next().unwrap()).collect();
    assert_eq!(predicates, ["p", "q", "p", "first", "rest", "q", "r", "first", "rest", "t"]);
    assert_eq!(found[0][2], found[1][0]);
    assert_eq!(found[5][0], found[6][0]);
    assert_eq!(found[7][0], found[9][0]);
}

#[test]
fn nesting_is_bounded() {
    for open in ["[ <p> ", "( "] {
        let text = format!("<s> <p> {} .\n<a> <b> <c> .", open.repeat(100_000));
        let (found, faults) = facts(&text, NIF);
        assert_eq!(faults[0].message, "brackets are nested more than 100 deep");
        assert_eq!(found.len(), 1);
    }
}

#[test]
fn after_a_fault_comes_the_next_statement() {
    let cases = [
        ("<a> <p> ?? .\n<b> <p> 1 .", 8, "expected an object, found “??”"),
        ("<a> <p> 1\n<b> <p> 1 .", 10, "expected `;`, `,` or `.`, found “<b>”"),
        ("<a> <p> zzz:x .\n<b> <p> 1 .", 8, "the prefix `zzz:` is not declared"),
        ("<a> <p> \"x\n .\n<b> <p> 1 .", 8, "this string has no end on its line"),
        ("<a> <p> <x .\n<b> <p> 1 .", 8, "this `<` has no `>` on its line"),
        ("<a> .\n<b> <p> 1 .", 4, "expected a predicate, found “.”"),
        ("\"x\" <p> 1 .\n<b> <p> 1 .", 0, "expected the subject of a statement, found “\"x\"”"),
        ("<b> <p> 1 .\n<a> <p>", 19, "the file ends where an object should follow"),
        ("<b> <p> 1 .\n<a> <p> \"\"\"x", 20, "this string has no end"),
        ("@prefix nif <x> .\n<b> <p> 1 .", 8, "expected a prefix such as `nif:`, found “nif”"),
    ];
    for (text, at, message) in cases {
        let (found, faults) = facts(text, NIF);
        assert_eq!((faults[0].at, faults[0].message.as_str()), (at, message), "{text}");
        assert_eq!(faults.len(), 1, "{text}");
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0][0], "<b>");
    }
}

#[test]
fn stretches_are_read_as_the_whole() {
    let statement = |n: usize| {
        format!("<s{n}> nif:isString \"\"\"a dot .\n<looks like a statement> x .\n\"\"\" .\n")
    };
    let plain: String = (0..60_000).map(statement).collect();
    let prefixed = format!("{plain}@prefix nif: <http://else/> .\n{plain}");
    let in_string = format!("<s> a \"\"\"{}\"\"\" .\n", "x .\n<y> a z .\n".repeat(300_000));
    for text in [plain, prefixed, in_string] {
        let read = |threads| {
            let parts = in_parallel(&text, NIF, threads, |turtle| {
                let (mut triples, mut found) = (Vec::new(), Vec::new());
                while let Some(read) = turtle.read(&mut triples) {
                    found.push((
                        read,
                        triples.len(),
                        triples.first().map(|t| t.predicate.namespace),
                    ));
                }
                found
            });
            parts.concat()
        };
        assert!(read(1) == read(3));
    }
}

/// A term of generated Turtle.
#[derive(Debug, Clone)]
enum Made {
    Word(usize),
    Brackets(Vec<(usize, Vec<Made>)>),
    Collection(Vec<Made>),
}

const WORDS: &[&str] = &[
    "<http://x/a>",
    "ex:b",
    "ex:c.d",
    ":e",
    "ex:f\\(g\\)",
    "_:b1",
    "_:b2",
    "\"x\"",
    "'y'@en",
    "\"\"\"l\"o\nng\"\"\"",
    "'''l'''",
    "\"\\n\\u00e9\"",
    "\"3\"^^xsd:int",
    "1",
    "-2.5",
    "3.0e-1",
    "true",
    "false",
    "\"\"",
    "<rel>",
    "<#f>",
    "<\\u00e9>",
    "\"é😀\"",
    "ex:%20",
    "ex:",
];
const PREDICATES: &[&str] = &["a", "ex:p", "<http://x/q>", ":r"];

fn made() -> impl Strategy<Value = Made> {
    let word = any::<usize>().prop_map(Made::Word);
    word.prop_recursive(3, 12, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            prop::collection::vec((any::<usize>(), list), 0..3).prop_map(Made::Brackets),
            prop::collection::vec(inner, 0..3).prop_map(Made::Collection),
        ]
    })
}

fn write(made: &Made, words: &[&str], space: &str, out: &mut String) {
    match made {
        Made::Word(word) => out.push_str(words[word % words.len()]),
        Made::Brackets(facts) => {
            out.push('[');
            write_facts(facts, space, out);
            out.push(']');
        }
        Made::Collection(items) => {
            out.push('(');
            for item in items {
                out.push(' ');
                write(item, WORDS, space, out);
            }
            out.push(')');
        }
    }
}

fn write_facts(facts: &[(usize, Vec<Made>)], space: &str, out: &mut String) {
    for (number, (predicate, objects)) in facts.iter().enumerate() {
        out.push_str(if number > 0 { ";" } else { "" });
        out.push_str(space);
        out.push_str(PREDICATES[predicate % PREDICATES.len()]);
        for (number, object) in objects.iter().enumerate() {
            out.push_str(if number > 0 { "," } else { "" });
            out.push_str(space);
            write(object, WORDS, space, out);
        }
        out.push_str(space);
    }
}

/// Facts in a form in which the names of brackets and cells do not matter.
fn canonical(facts: Vec<[String; 3]>) -> Vec<String> {
    let anonymous = |node: &str| node.starts_with("_:") && node != "_:b1" && node != "_:b2";
    let mut about: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut used = std::collections::BTreeSet::new();
    for [subject, predicate, object] in facts {
        used.insert(object.clone());
        about.entry(subject).or_default().push((predicate, object));
    }
    fn tree(
        node: &str,
        about: &BTreeMap<String, Vec<(String, String)>>,
        anonymous: &dyn Fn(&str) -> bool,
    ) -> String {
        if !anonymous(node) {
            return node.to_owned();
        }
        let facts = about.get(node).map(Vec::as_slice).unwrap_or_default();
        let mut facts: Vec<String> =
            facts.iter().map(|(p, o)| format!("{p} {}", tree(o, about, anonymous))).collect();
        facts.sort();
        format!("[{}]", facts.join("; "))
    }
    let mut all: Vec<String> = about
        .iter()
        .filter(|(subject, _)| !anonymous(subject) || !used.contains(*subject))
        .flat_map(|(subject, facts)| {
            let subject = tree(subject, &about, &anonymous);
            let about = &about;
            facts.iter().map(move |(p, o)| format!("{subject} {p} {}", tree(o, about, &anonymous)))
        })
        .collect();
    all.sort();
    all
}

fn by_oxttl(text: &str) -> Vec<[String; 3]> {
    oxttl::TurtleParser::new()
        .for_slice(text.as_bytes())
        .map(|triple| {
            let triple = triple.unwrap_or_else(|error| panic!("{error}\n{text}"));
            // Their way of writing a literal is valid Turtle, so ours can read it.
            let object = objects(&format!("<s> <p> {} .", triple.object)).remove(0);
            [triple.subject.to_string(), triple.predicate.as_str().to_owned(), object]
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_turtle_is_read_as_a_strict_parser_reads_it(
        statements in prop::collection::vec(
            (made(), prop::collection::vec((any::<usize>(), prop::collection::vec(made(), 1..3)), 1..3), 0..3usize),
            0..4,
        ),
    ) {
        let mut text = "@base <http://base/dir/doc> .\n@prefix ex: <http://ex/> .\n\
            PREFIX : <http://default#>\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#>.\n".to_owned();
        for (subject, facts, space) in &statements {
            let space = [" ", "\n\t", " # a comment\r\n "][*space];
            write(subject, &WORDS[..7], space, &mut text);
            write_facts(facts, space, &mut text);
            text.push_str(".\n");
        }
        let (found, faults) = facts(&text, NIF);
        prop_assert_eq!(&faults, &[], "{}", text);
        prop_assert_eq!(canonical(found), canonical(by_oxttl(&text)), "{}", text);
    }

    #[test]
    fn any_text_is_survived(text in "([<>\"'@;,.\\[\\]()\\\\^_:# \\na-c0-9é😀+-]|\"\"\"|@prefix |\\\\u00)*") {
        facts(&text, NIF);
    }
}
