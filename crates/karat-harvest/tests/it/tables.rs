//! Tables with headings, and those that are known by their names.

use crate::{base, candidates, described};
use karat_formats::Source;
use karat_harvest::{Options, harvest};
use karat_kb::{Builder, EntityKind, Evidence, Known};

const BERLIN: &str = "Q64 name=Berlin aliases=BER|Berlin, Germany description=a city types=Q515 \
                      parents= popularity=300 kind=Thing";

#[test]
fn a_table_is_the_same_in_every_form() {
    let forms = [
        (
            "t.tsv",
            "id\tname\taliases\tdescription\ttypes\tpopularity\n\
             Q64\tBerlin\tBER|Berlin, Germany\ta city\tQ515\t300\n",
        ),
        (
            "t.csv",
            "QID,Label,Synonyms,Desc,instance of,Sitelinks\r\n\
             Q64,Berlin,\"BER|Berlin, Germany\",a city,Q515,300\r\n",
        ),
        (
            "t.jsonl",
            "{\"id\":\"Q64\",\"name\":\"Berlin\",\"aliases\":[\"BER\",\"Berlin, Germany\"],\
             \"description\":\"a city\",\"types\":[\"Q515\"],\"popularity\":300,\"other\":{}}\n",
        ),
    ];
    for (name, text) in forms {
        let base = base(&[(name, text)]);
        assert_eq!(described(&base, "Q64"), BERLIN, "{name}");
        assert_eq!(candidates(&base, "BER"), "Q64", "{name}");
        assert_eq!(candidates(&base, "Paris"), "", "{name}: a dictionary knows what it has not");
    }
}

#[test]
fn links_and_counts_come_from_tables_of_their_own() {
    let base = base(&[
        ("entities.csv", "id,name,popularity\nQ64,Berlin,300\nQ1,Berlin (band),9\n"),
        ("redirects.tsv", "Berlin\tBerlin, Germany\tWest Berlin\n"),
        ("titles.tsv", "Berlin\tQ64\nBerlin_(band)\tQ1\n"),
        ("same_as.tsv", "http://rdf.freebase.com/ns/m.0156q\thttp://dbpedia.org/resource/Berlin\n"),
        ("counts.tsv", "mention\tentity\tcount\nBerlin\tBerlin\t80\nBerlin\tQ1\t20\n"),
        ("more.csv", "from,to\nBärlin,Berlin\n"),
        ("types.tsv", "Q515\tQ486972\n"),
    ]);
    for id in ["West Berlin", "m.0156q", "Bärlin", "https://en.wikipedia.org/wiki/Berlin"] {
        assert_eq!(base.resolve(id), "Q64", "{id}");
    }
    assert_eq!(candidates(&base, "Berlin"), "Q64 80, Q1 20");
    assert_eq!(candidates(&base, "Berlin (band)"), "Q1");
    let popular = base.candidates("Berlin").known().unwrap().most_popular();
    assert_eq!(popular, Known::Known(vec!["Q64"]));
    assert_eq!(base.type_parents("Q515").collect::<Vec<_>>(), ["Q486972"]);
}

#[test]
fn shares_are_kept_as_shares() {
    let base = base(&[("p.csv", "alias,qid,prior\nBerlin,Q64,0.75\nBerlin,Q1,0.25\n")]);
    assert_eq!(candidates(&base, "Berlin"), "Q64 0.75, Q1 0.25");
    let popular = base.candidates("Berlin").known().unwrap().most_popular();
    assert_eq!(popular, Known::Known(vec!["Q64"]));
}

#[test]
fn a_type_beside_an_id_is_a_type_and_alone_it_is_what_the_row_is_about() {
    let base =
        base(&[("e.csv", "id,name,type\nQ64,Berlin,Q515\n"), ("t.csv", "type,name\nQ515,city\n")]);
    assert_eq!(
        described(&base, "Q64"),
        "Q64 name=Berlin aliases= description=? types=Q515 parents= popularity=? kind=Thing"
    );
    assert_eq!(base.type_name("Q515"), Some("city"));
}

#[test]
fn columns_that_are_not_used_are_named() {
    let files = [
        ("e.csv", "id,nomen,name,label\nQ64,x,Berlin,y\n", "label nomen"),
        ("e.tsv", "id\tname\nQ64\tBerlin\n", ""),
        ("e.jsonl", "{\"id\":\"Q64\",\"name\":\"Berlin\",\"foo\":{}}\n", "foo"),
    ];
    for (name, text, ignored) in files {
        let input = Source::memory(name, text).into();
        let mut builder = Builder::in_memory();
        let harvested = harvest(&[input], &mut builder, &Options::default()).unwrap();
        let found: Vec<&str> = harvested[0].taken.ignored.iter().map(String::as_str).collect();
        assert_eq!(found.join(" "), ignored, "{name}");
        assert_eq!(harvested[0].taken.records, 1);
    }
}

#[test]
fn an_entity_without_facts_is_known() {
    let base = base(&[("e.csv", "id,name\nQ64,\n")]);
    assert!(base.entity("Q64").is_some());
}

#[test]
fn the_redirects_of_aida_are_known_by_their_name() {
    let base = base(&[("map-testb-fromapi-20140227.tsv", "1. FC Köln\tFC Cologne\tFC Koln\n")]);
    assert_eq!(base.resolve("FC Cologne"), "1._FC_Köln");
}

#[test]
fn the_folder_of_facts_is_read_as_it_is() {
    let base = base(
        &[(
            "facts/entities.tsv",
            "Q64\tBerlin\tQ27096213|Q43229\t\t\nQ5\tfive\tOTHER\tQUANTITY\t\nQ7\t\t\t\t1\n",
        )][..1],
    );
    assert_eq!(base.is_place(&base.entity("Q64").unwrap()), Some(true));
    assert_eq!(base.entity("Q5").unwrap().types().map(Iterator::count), Known::Known(0));
    assert_eq!(base.is_place(&base.entity("Q7").unwrap()), Some(true));
    assert!(base.entity("Q7").unwrap().types().is_unknown());
    assert_eq!(candidates(&base, "Berlin"), "unknown", "names of facts are no dictionary");
}

#[test]
fn most_popular_sets_are_read_with_what_they_do_not_say() {
    let base = base(&[
        (
            "popular.tsv",
            "\"Berlin\"\texact\tQ64,Q1\n\"\\\"x\\\"\"\texact\t\n\"Anaheim\"\tinferred\t?LOC\n\"105\"\tinferred\t?\n",
        ),
        ("demonyms.tsv", "French\t1\nParis\t0\n"),
        ("word_counts.tsv", "kore50\t3\t14\t9\n"),
        ("whitelist_types.tsv", "Q215627\tPerson\nQ43229\tOrganization\n"),
    ]);
    let of = |mention| base.candidates(mention).known().unwrap();
    assert_eq!(of("Berlin").most_popular(), Known::Known(vec!["Q1", "Q64"]));
    assert_eq!(of("\"x\"").most_popular(), Known::Known(vec![]));
    assert!(of("\"x\"").is_empty() && !of("105").is_empty());
    assert!(of("Anaheim").has_unnamed_location() && !of("105").has_unnamed_location());
    assert_eq!(of("105").evidence(), Evidence::Inferred);
    assert_eq!(base.is_demonym("French"), Known::Known(true));
    assert_eq!(base.words("kore50", "3").map(|words| words.all), Known::Known(14));
    assert_eq!(base.whitelist().next(), Some(("Q215627", "Person")));
}

#[test]
fn quantities_and_dates_are_listed_or_told_in_a_column() {
    let listed = base(&[("quantity.tsv", "Q199\nwd:Q200\n"), ("datetime.tsv", "Q2432\n")]);
    for (id, kind) in [
        ("Q199", EntityKind::Quantity),
        ("Q200", EntityKind::Quantity),
        ("Q2432", EntityKind::DateTime),
        ("Q5", EntityKind::Thing),
    ] {
        assert_eq!(listed.kind(id), Some(kind), "{id}");
    }
    // Of dates nothing is said here.
    let half = base(&[("quantity.tsv", "Q199\n")]);
    assert_eq!((half.kind("Q199"), half.kind("Q5")), (Some(EntityKind::Quantity), None));
    let table = base(&[("t.csv", "id,name,kind\nQ1,one,quantity\nQ2,two,DateTime\nQ3,three,\n")]);
    assert_eq!(table.kind("Q1"), Some(EntityKind::Quantity));
    assert_eq!(table.kind("Q2"), Some(EntityKind::DateTime));
    assert_eq!(table.kind("Q3"), None);
}
