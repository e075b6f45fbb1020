//! Every spelling of an id, and the one it is known by.

use karat_kb::{Builder, Facts, KnowledgeBase, Step};
use proptest::prelude::*;

fn base() -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    let named = |name| Facts { name: Some(name), ..Facts::default() };
    builder.entity("Q64", &named("Berlin")).unwrap();
    builder.entity("mesh:D003920", &named("Diabetes Mellitus")).unwrap();
    builder.entity("a1", &named("first")).unwrap();
    builder.title("Berlin", "Q64").unwrap();
    builder.title("Beyoncé", "Q36153").unwrap();
    builder.title("Springfield,_Illinois", "Q28515").unwrap();
    builder.title("Springfield_(Illinois)", "Q28515").unwrap();
    builder.title("AC/DC", "Q27593").unwrap();
    builder.title("IPod", "Q9479").unwrap();
    builder.title("100%_(album)", "Q100").unwrap();
    builder.title("Was_ist_Musik?", "Q200").unwrap();
    builder.redirect("Berlin,_Germany", "Berlin").unwrap();
    builder.redirect("iPods", "iPod").unwrap();
    builder.same("/m/0156q", "http://dbpedia.org/resource/Berlin").unwrap();
    builder.same("de:Berlin", "Q64").unwrap();
    builder.redirect("Circle", "circle_line").unwrap();
    builder.redirect("Circle_line", "Circle").unwrap();
    builder.finish().unwrap()
}

#[test]
fn every_spelling_leads_to_one_id() {
    let base = base();
    let table: &[(&str, &[&str])] = &[
        (
            "Q64",
            &[
                "Q64",
                " Q64 ",
                "wd:Q64",
                "q64",
                "wd:q64",
                "http://wikidata.dbpedia.org/resource/Q64",
                "https://www.wikidata.org:443/wiki/Q64",
                "wikidata:Q64",
                "Wikidata:Q64",
                "http://www.wikidata.org/entity/Q64",
                "https://www.wikidata.org/entity/Q64",
                "<http://www.wikidata.org/entity/Q64>",
                "https://www.wikidata.org/wiki/Q64",
                "https://m.wikidata.org/wiki/Q64",
                "http://wikidata.org/entity/Q64#sitelinks",
                "https://www.wikidata.org/wiki/Special:EntityData/Q64.json",
                "https://www.wikidata.org/wiki/Special:EntityData/Q64?flavor=dump",
                "https://www.wikidata.org/wiki/Special:EntityPage/Q64",
                "//www.wikidata.org/wiki/q64",
                "Berlin",
                "berlin",
                "Berlin#History",
                "Berlin,_Germany",
                "Berlin, Germany",
                "berlin,__Germany_",
                "Berlin%2C_Germany",
                "Berlin%2c%20Germany",
                "Berlin\\u002C_Germany",
                "en:Berlin",
                "http://en.wikipedia.org/wiki/Berlin",
                "HTTPS://EN.Wikipedia.org/wiki/Berlin",
                "https://en.m.wikipedia.org/wiki/Berlin",
                "https://en.wikipedia.org/wiki/berlin",
                "https://en.wikipedia.org/wiki/Berlin#History",
                "https://en.wikipedia.org/wiki/Berlin?oldid=12",
                "https://en.wikipedia.org/w/index.php?title=Berlin&oldid=12",
                "https://en.wikipedia.org/?title=Berlin",
                "https://en.wikipedia.org:443/wiki/Berlin",
                "https://en.wikipedia.org/wiki/Berlin,_Germany",
                "http://en.wikipedia.org/wiki/Berlin, Germany",
                "en.wikipedia.org/wiki/Berlin",
                "//en.wikipedia.org/wiki/Berlin",
                "http://wikipedia.org/wiki/Berlin",
                "http://www.wikipedia.org/wiki/Berlin",
                "http%3A%2F%2Fen.wikipedia.org%2Fwiki%2FBerlin",
                "http://www.mpi-inf.mpg.de/yago/resource/Berlin",
                "http://www.mpi-inf.mpg.de/yago-naga/yago/resource/Berlin",
                "http://de.wikipedia.org/wiki/Berlin",
                "https://de.m.wikipedia.org/wiki/Berlin",
                "http://de.dbpedia.org/resource/Berlin",
                "de:Berlin",
                "http://dbpedia.org/resource/Berlin",
                "https://dbpedia.org/resource/Berlin",
                "http://dbpedia.org/page/Berlin",
                "http://en.dbpedia.org/resource/Berlin",
                "dbr:Berlin",
                "dbpedia:Berlin",
                "http://yago-knowledge.org/resource/Berlin",
                "http://yago-knowledge.org/resource/Berlin_Q64",
                "http://mpii.de/yago/resource/Berlin",
                "yago:Berlin",
                "YAGO:Berlin",
                "<Berlin>",
                "/m/0156q",
                "m.0156q",
                "fb:m.0156q",
                "ns:m.0156q",
                "freebase:m/0156q",
                "http://rdf.freebase.com/ns/m.0156q",
                "http://www.freebase.com/m/0156q",
                "https://www.freebase.com/view/m/0156q",
            ],
        ),
        (
            "Q36153",
            &[
                "Beyoncé",
                "Beyonce\u{301}",
                "Beyonce%CC%81",
                "Beyonc%C3%A9",
                "Beyonc%25C3%25A9",
                "Beyonc\\u00e9",
                "Beyonc\\U000000e9",
                "http://en.wikipedia.org/wiki/Beyonc%C3%A9",
                "http://dbpedia.org/resource/Beyonc\\u00E9",
                "YAGO:Beyonc\\u00e9",
            ],
        ),
        ("Q28515", &["http://yago-knowledge.org/resource/Springfield__u0028_Illinois_u0029_"]),
        ("Q27593", &["AC/DC", "https://en.wikipedia.org/wiki/AC/DC", "AC%2FDC"]),
        ("Q9479", &["iPod", "IPod", "iPods", "https://en.wikipedia.org/wiki/iPod"]),
        ("Q100", &["100%_(album)", "https://en.wikipedia.org/wiki/100%25_(album)"]),
        (
            "Q200",
            &[
                "Was ist Musik?",
                "https://en.wikipedia.org/wiki/Was_ist_Musik%3F",
                "https://en.wikipedia.org/wiki/Was_ist_Musik?",
                "https://en.wikipedia.org/wiki/Was_ist_Musik??oldid=12#Kritik",
            ],
        ),
        ("mesh:D003920", &["mesh:D003920"]),
        ("a1", &["a1"]),
        // Nothing is known of these; some are still one.
        ("A1", &["A1", "https://en.wikipedia.org/wiki/a1"]),
        ("en:Q64", &["https://en.wikipedia.org/wiki/Q64", "en:Q64", "dbr:Q64"]),
        ("Q1", &["wd:Q1", "Q1"]),
        ("/m/0zzz", &["m.0zzz", "http://rdf.freebase.com/ns/m.0zzz"]),
        ("m.Night", &["m.Night"]),
        ("fr:Éire", &["https://fr.wikipedia.org/wiki/%C3%A9ire"]),
        ("New_York", &["New York", "http://en.wikipedia.org/wiki/New_York"]),
        ("<NIL>", &["<NIL>"]),
        ("<NO_MAPPING>", &["<NO_MAPPING>"]),
        ("http://example.org/a%20b#c", &["http://example.org/a%20b#c"]),
        ("http://dbpedia.org/ontology/City", &["http://dbpedia.org/ontology/City"]),
        ("http://en.wikipedia.org/wiki/", &["http://en.wikipedia.org/wiki/"]),
        ("http://www.wikidata.org/entity/P31", &["http://www.wikidata.org/entity/P31"]),
        ("", &[""]),
    ];
    for (expected, spellings) in table {
        for spelling in *spellings {
            assert_eq!(base.resolve(spelling), *expected, "{spelling}");
        }
    }
}

#[test]
fn each_step_is_explained() {
    let base = base();
    let steps = |id: &str| -> Vec<(Step, String)> {
        base.explain(id).into_iter().map(|step| (step.step, step.id)).collect()
    };
    assert_eq!(
        steps("https://en.wikipedia.org/wiki/Berlin,%20Germany"),
        [
            (Step::Spelling, "Berlin,_Germany".to_owned()),
            (Step::Redirect, "Berlin".to_owned()),
            (Step::Same, "Q64".to_owned()),
        ]
    );
    assert_eq!(steps("berlin")[0], (Step::Title, "Berlin".to_owned()));
    assert_eq!(steps("Q64"), []);
}

/// Pieces that spellings are made of, and noise.
fn spelling() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9_ %#?:/.<>\\\\éßİ-]{0,4}",
        prop::sample::select(vec![
            "http://",
            "https://",
            "HTTP://",
            "//",
            "en.wikipedia.org/wiki/",
            "de.wikipedia.org/wiki/",
            "www.wikidata.org/entity/",
            "dbpedia.org/resource/",
            "Q64",
            "wd:",
            "en:",
            "dbr:",
            "yago:",
            "fb:",
            "/m/0156q",
            "m.0156q",
            "%25",
            "%20",
            "%3A",
            "\\u0041",
            "\\u005cu0041",
            "_u0028_",
            "Berlin",
            "circle_line",
            "Circle",
            "iPods",
            "<",
            ">",
            "#",
            "?",
            " ",
            "wiki/",
            "yago-knowledge.org/resource/",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_an_id_leads_to_leads_to_itself(id in spelling()) {
        let base = shared();
        let once = base.resolve(&id).into_owned();
        prop_assert_eq!(base.resolve(&once), once.as_str(), "of `{}`", id);
    }

    #[test]
    fn random_links_lead_to_one_end(links in prop::collection::vec((0..2u8, "[a-eA-E]", "[a-eA-E]"), 0..12)) {
        let mut builder = Builder::in_memory();
        for (kind, from, to) in &links {
            match kind {
                0 => builder.redirect(from, to).unwrap(),
                _ => builder.same(from, to).unwrap(),
            }
        }
        let base = builder.finish().unwrap();
        for id in ["a", "b", "c", "d", "e", "A", "B", "C", "D", "E"] {
            let once = base.resolve(id).into_owned();
            prop_assert_eq!(base.resolve(&once), once.as_str(), "of `{}`", id);
        }
        // Equal ids have one end, however they are connected.
        for (_, a, b) in links.iter().filter(|(kind, _, _)| *kind == 1) {
            prop_assert_eq!(base.resolve(a), base.resolve(b), "{} and {}", a, b);
        }
    }
}

fn shared() -> &'static KnowledgeBase {
    static BASE: std::sync::OnceLock<KnowledgeBase> = std::sync::OnceLock::new();
    BASE.get_or_init(base)
}
