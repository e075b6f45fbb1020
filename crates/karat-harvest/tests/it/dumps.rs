//! Dumps of Wikidata and Wikipedia: small files in their real syntax.

use crate::{base, built, candidates, described};
use flate2::Compression;
use flate2::write::GzEncoder;
use karat_formats::{Input, Source};
use karat_harvest::{Options, harvest};
use karat_kb::{Builder, EntityKind, Known};
use std::io::Write;

const WIKIDATA: &str = r#"[
{"type":"item","id":"Q64","labels":{"de":{"language":"de","value":"Berlin"},"en":{"language":"en","value":"Berlin"}},"descriptions":{"en":{"language":"en","value":"capital of Germany"}},"aliases":{"en":[{"language":"en","value":"Berlin, Germany"}]},"claims":{"P31":[{"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":{"entity-type":"item","numeric-id":515,"id":"Q515"},"type":"wikibase-entityid"},"datatype":"wikibase-item"},"type":"statement","id":"Q64$1","rank":"normal"},{"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":{"entity-type":"item","numeric-id":6256,"id":"Q6256"},"type":"wikibase-entityid"}},"type":"statement","rank":"deprecated"},{"mainsnak":{"snaktype":"somevalue","property":"P31"},"type":"statement","rank":"normal"}],"P1549":[{"mainsnak":{"snaktype":"value","property":"P1549","datavalue":{"value":{"text":"Berliner","language":"en"},"type":"monolingualtext"}},"type":"statement","rank":"normal"},{"mainsnak":{"snaktype":"value","property":"P1549","datavalue":{"value":{"text":"Berlinerin","language":"de"},"type":"monolingualtext"}},"type":"statement","rank":"normal"}],"P646":[{"mainsnak":{"snaktype":"value","property":"P646","datavalue":{"value":"/m/0156q","type":"string"}},"type":"statement","rank":"normal"}],"P625":[{"mainsnak":{"datavalue":{"value":{"latitude":52.5},"type":"globecoordinate"}}}]},"sitelinks":{"dewiki":{"site":"dewiki","title":"Berlin","badges":[]},"enwiki":{"site":"enwiki","title":"Berlin","badges":[]}},"lastrevid":1},
{"type":"item","id":"Q199","labels":{"en":{"language":"en","value":"1"}},"descriptions":[],"aliases":[],"claims":{"P31":[{"mainsnak":{"datavalue":{"value":{"id":"Q21199"},"type":"wikibase-entityid"}},"rank":"normal"}]},"sitelinks":[]},
{"type":"item","id":"Q21199","labels":{"en":{"language":"en","value":"natural number"}},"claims":{"P279":[{"mainsnak":{"datavalue":{"value":{"id":"Q12503"},"type":"wikibase-entityid"}},"rank":"normal"}]},"sitelinks":{}},
{"type":"item","id":"Q12503","labels":{},"claims":{"P279":[{"mainsnak":{"datavalue":{"value":{"id":"Q12916"},"type":"wikibase-entityid"}},"rank":"normal"}]}},
{"type":"item","id":"Q2","labels":[],"claims":[]}
]
"#;

#[test]
fn a_dump_of_wikidata_is_read_in_one_language() {
    let mut zipped = GzEncoder::new(Vec::new(), Compression::default());
    zipped.write_all(WIKIDATA.as_bytes()).unwrap();
    let zipped = zipped.finish().unwrap();
    for (name, content) in [("wikidata.json", WIKIDATA.as_bytes()), ("wikidata.json.gz", &zipped)] {
        let base = built(&[(name, content)]).unwrap();
        assert_eq!(
            described(&base, "https://en.wikipedia.org/wiki/Berlin"),
            "Q64 name=Berlin aliases=Berlin, Germany description=capital of Germany types=Q515 \
             parents= popularity=2 kind=Thing"
        );
        assert_eq!(
            described(&base, "Q199"),
            "Q199 name=1 aliases= description=? types=Q21199 parents= popularity=0 kind=Quantity"
        );
        assert_eq!(
            described(&base, "Q2"),
            "Q2 name=? aliases= description=? types= parents= popularity=0 kind=Thing"
        );
        assert_eq!(base.resolve("m.0156q"), "Q64");
        assert_eq!(candidates(&base, "Berlin, Germany"), "Q64");
        for (text, is_one) in [("Berliner", true), ("Berliners", true), ("Berlinerin", false)] {
            assert_eq!(base.is_demonym(text), Known::Known(is_one), "{text}");
        }
    }
}

#[test]
fn old_dumps_number_the_items_of_claims() {
    let claim = |value: &str| {
        format!(
            r#"{{"mainsnak":{{"snaktype":"value","datavalue":{{"value":{value},"type":"wikibase-entityid"}}}},"rank":"normal"}}"#
        )
    };
    let item = claim(r#"{"entity-type":"item","numeric-id":27096213}"#);
    let property = claim(r#"{"entity-type":"property","numeric-id":5}"#);
    let line = format!(
        r#"{{"type":"item","id":"Q1","labels":{{}},"claims":{{"P31":[{item},{property}],"P279":[{item}]}}}}"#
    );
    let dump = format!("[\n{line}\n]\n");
    let base = built(&[("wikidata.json", dump.as_bytes())]).unwrap();
    assert_eq!(
        described(&base, "Q1"),
        "Q1 name=? aliases= description=? types=Q27096213 parents=Q27096213 popularity=0 kind=Thing"
    );
}

#[test]
fn names_of_every_language_stand_in_for_missing_ones_and_titles_of_several_are_taken() {
    let dump = r#"[
{"type":"item","id":"Q1","labels":{"mul":{"language":"mul","value":"Ada"},"de":{"language":"de","value":"Ada (de)"}},"aliases":{"en":[{"language":"en","value":"A."}],"mul":[{"language":"mul","value":"Ada L."}]},"claims":{},"sitelinks":{"dewiki":{"site":"dewiki","title":"Ada Lovelace"},"enwiki":{"site":"enwiki","title":"Ada Byron"},"frwiki":{"site":"frwiki","title":"Ada de Lovelace"}}},
{"type":"item","id":"Q2","labels":{"mul":{"language":"mul","value":"Bo"},"en":{"language":"en","value":"Bob"}},"claims":{}}
]
"#;
    let input: Input = Source::memory("wikidata.json", dump).into();
    let mut builder = Builder::in_memory();
    let options = Options { titles: vec!["de".to_owned(), "en".to_owned()], ..Options::default() };
    harvest(&[input], &mut builder, &options).unwrap();
    let base = builder.finish().unwrap();
    let ada = base.entity("Q1").unwrap();
    assert_eq!(
        (ada.name(), ada.aliases().collect::<Vec<_>>()),
        (Some("Ada"), vec!["A.", "Ada L."])
    );
    assert_eq!(base.entity("Q2").and_then(|entity| entity.name()), Some("Bob"));
    for (address, id) in [
        ("https://en.wikipedia.org/wiki/Ada_Byron", "Q1"),
        ("https://de.wikipedia.org/wiki/Ada_Lovelace", "Q1"),
        ("https://fr.wikipedia.org/wiki/Ada_de_Lovelace", "fr:Ada_de_Lovelace"),
    ] {
        assert_eq!(base.resolve(address), id, "{address}");
    }
    assert_eq!(base.kind("Q3"), Some(EntityKind::Thing), "a dump says of everything what it is");
}

const PAGES: &str = "-- MySQL dump 10.19
DROP TABLE IF EXISTS `page`;
CREATE TABLE `page` (
  `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT,
  `page_namespace` int(11) NOT NULL DEFAULT 0,
  `page_title` varbinary(255) NOT NULL DEFAULT '',
  `page_is_redirect` tinyint(1) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`page_id`)
) ENGINE=InnoDB;
/*!40000 ALTER TABLE `page` DISABLE KEYS */;
INSERT INTO `page` VALUES (3354,0,'Berlin',0,0,0.77,'2026',NULL,1,'wikitext',NULL),(10,0,'Berlin,_Germany',1,1,0.1,'2026',NULL,1,'wikitext',NULL);
INSERT INTO `page` VALUES
(11,0,'O\\'Neill_(\\\\)',1,1,0.1),
(12,1,'Talk',0,0,0.1),
(13,0,'Ireland',0,0,0.1);
";

const REDIRECTS: &str = "-- MySQL dump 10.19
CREATE TABLE `redirect` (
  `rd_from` int(8) unsigned NOT NULL DEFAULT 0,
  `rd_namespace` int(11) NOT NULL DEFAULT 0,
  `rd_title` varbinary(255) NOT NULL DEFAULT '',
  `rd_interwiki` varbinary(32) DEFAULT NULL,
  `rd_fragment` varbinary(255) DEFAULT NULL
);
INSERT INTO `redirect` VALUES (10,0,'Berlin','','History'),(11,0,'Ireland',NULL,NULL),(12,4,'Elsewhere','',''),(13,0,'Fremd','de','');
";

const ITEMS: &str = "CREATE TABLE `page_props` (
  `pp_page` int NOT NULL,
  `pp_propname` varbinary(60) NOT NULL,
  `pp_value` blob NOT NULL
);
INSERT INTO `page_props` VALUES (3354,'wikibase_item','Q64',NULL),(3354,'defaultsort','Berlin',NULL),(13,'wikibase_item','Q22890',NULL);
";

#[test]
fn dumps_of_wikipedia_are_joined_by_the_numbers_of_pages() {
    let base = base(&[("redirect.sql", REDIRECTS), ("page.sql", PAGES), ("props.sql", ITEMS)]);
    for (id, item) in [
        ("Berlin", "Q64"),
        ("Berlin, Germany", "Q64"),
        ("O'Neill (\\)", "Q22890"),
        ("Ireland", "Q22890"),
        ("Talk", "Talk"),
        ("Fremd", "Fremd"),
    ] {
        assert_eq!(base.resolve(id), item, "{id}");
    }
}

#[test]
fn a_text_that_was_cut_within_a_letter_does_no_harm() {
    let mut redirects = REDIRECTS.replace("History", "Gesch\u{e9}").into_bytes();
    let at = redirects.windows(2).position(|two| two == "\u{e9}".as_bytes()).unwrap();
    redirects.remove(at + 1);
    let base = built(&[("redirect.sql", &redirects), ("page.sql", PAGES.as_bytes())]).unwrap();
    assert_eq!(base.resolve("Berlin,_Germany"), "Berlin");
}

#[test]
fn columns_may_be_named_before_the_values() {
    let pages = "INSERT INTO `page` (`page_title`, `page_id`,`page_namespace`) VALUES ('Berlin',3354,0),('BER',10,0);\n";
    let base = base(&[("redirect.sql", REDIRECTS), ("page.sql", pages), ("props.sql", ITEMS)]);
    assert_eq!(base.resolve("BER"), "Q64");
}

#[test]
fn titles_are_those_of_the_language() {
    let item = "{\"type\":\"item\",\"id\":\"Q64\",\"labels\":{\"de\":{\"value\":\"Berlin\"}},\
                \"sitelinks\":{\"dewiki\":{\"title\":\"Berlin\"}}}\n";
    let files = [("w.json", item.as_bytes()), ("page.sql", PAGES.as_bytes())];
    let base = crate::built_in("de", &files).unwrap();
    assert_eq!(base.resolve("https://de.wikipedia.org/wiki/Berlin"), "Q64");
    assert_eq!(base.resolve("https://en.wikipedia.org/wiki/Berlin"), "Berlin");
}
