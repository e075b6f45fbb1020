//! Tables with headings, and those that are known by their names.

use crate::{base, candidates, described};
use karat_kb::{Evidence, Known};

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
fn shares_are_as_good_as_counts() {
    let base = base(&[("p.csv", "alias,qid,prior\nBerlin,Q64,0.75\nBerlin,Q1,0.25\n")]);
    assert_eq!(candidates(&base, "Berlin"), "Q64 750000, Q1 250000");
}

#[test]
fn the_folder_of_facts_is_read_as_it_is() {
    let base = base(
        &[(
            "facts/entities.tsv",
            "Q64\tBerlin\tQ27096213|Q43229\t\t\nQ5\tfive\tOTHER\tQUANTITY\t\nQ7\t\t\t\t1\n",
        )][..1],
    );
    assert_eq!(base.entity("Q64").unwrap().is_location(), Some(true));
    assert_eq!(base.entity("Q5").unwrap().types().map(Iterator::count), Known::Known(0));
    assert_eq!(base.entity("Q7").unwrap().is_location(), Some(true));
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
