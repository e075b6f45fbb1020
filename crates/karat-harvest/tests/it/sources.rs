//! The registry of sources.

use karat_formats::{Input, Kind, Problem, Sample, Source};
use karat_harvest::{
    HarvestError, KbSource, KbSourceInfo, KbSources, Options, SOURCES, Taken, headings,
};
use karat_kb::Builder;
use std::collections::BTreeSet;

#[test]
fn every_source_has_a_name_of_its_own_and_says_what_it_is() {
    let infos: Vec<&KbSourceInfo> = SOURCES.iter().map(|source| source.info()).collect();
    let names: BTreeSet<&str> = infos.iter().map(|info| info.name).collect();
    let titles: BTreeSet<&str> = infos.iter().map(|info| info.title).collect();
    assert_eq!((names.len(), titles.len()), (SOURCES.len(), SOURCES.len()));
    for info in infos {
        assert!(!info.about.ends_with('.') && info.about.len() > 10, "{}", info.name);
    }
}

#[test]
fn files_find_their_source() {
    let table: &[(&str, &str, &str)] = &[
        ("x", "id\tname\nQ64\tBerlin\n", "tsv"),
        ("x", "id,name\nQ64,Berlin\n", "csv"),
        ("x", "\"id\",\"name\"\n", "csv"),
        ("x.json", "\u{feff}{\"id\":\"Q64\",\"name\":\"Berlin\"}\n", "jsonl"),
        ("x", "[\n{\"type\":\"item\",\"id\":\"Q64\",\"labels\":{}},\n", "wikidata"),
        ("x", "-- MySQL\nCREATE TABLE `page` (\n", "wikipedia-pages"),
        ("x", "INSERT INTO `redirect` VALUES\n", "wikipedia-redirects"),
        ("x", "DROP TABLE IF EXISTS `page_props`;\n", "wikipedia-items"),
        ("Same-As.tsv.gz", "Q64\tQ90\n", "same_as"),
        ("dir/titles.tsv", "Berlin\tQ64\n", "titles"),
        ("enwiki-redirects.tsv", "Berlin\tBER\n", "redirects"),
        ("map-testb-fromapi-20140227.tsv", "Berlin\tBER\n", "redirects"),
        // What is in a file says more than its name.
        ("titles.tsv", "id\tname\nQ64\tBerlin\n", "tsv"),
        ("redirects.csv", "from,to\nBER,Berlin\n", "csv"),
    ];
    for (name, content, source) in table {
        let found = KbSources::default().recognise(&Source::memory(*name, *content)).unwrap();
        assert_eq!(found.info().name, *source, "{name} {content}");
    }
}

#[test]
fn what_is_no_source_is_told_all_that_there_are() {
    let problem = KbSources::default().recognise(&Source::memory("x", "nothing\n")).unwrap_err();
    let hint = problem.hint.unwrap().to_string();
    for word in headings().into_iter().chain(SOURCES.iter().filter_map(|s| s.info().file_name)) {
        assert!(hint.contains(word), "{word}: {hint}");
    }
}

/// Reads nothing and needs another file.
#[derive(Debug)]
struct Companion;

impl KbSource for Companion {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "companion",
            title: "a companion",
            about: "nothing at all",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.text.starts_with("companion") { 100 } else { 0 }
    }

    fn read(&self, _: &Source, _: &mut Builder, _: &Options) -> Result<Taken, HarvestError> {
        Ok(Taken::of(1))
    }

    fn conclude(
        &self,
        harvested: &[karat_harvest::Harvested],
        _: &mut Builder,
    ) -> Result<(), HarvestError> {
        match harvested.iter().any(|one| one.is_of("csv")) {
            true => Ok(()),
            false => Err(Problem::new(Kind::Format, "companion", "no table").into()),
        }
    }
}

#[test]
fn a_program_has_sources_of_its_own_and_they_see_what_else_was_read() {
    let sources = KbSources::default().with(&[&Companion]);
    let own: Input = Source::memory("a", "companion,id,name\n").into();
    let table: Input = Source::memory("b", "id,name\nQ64,Berlin\n").into();
    let harvest =
        |inputs: &[Input]| sources.harvest(inputs, &mut Builder::in_memory(), &Options::default());
    let both = harvest(&[own.clone(), table.clone()]).unwrap();
    assert!(both[0].is_of("companion") && both[1].is_of("csv"));
    assert!(harvest(&[table]).is_ok(), "nobody asks a source that read nothing");
    assert!(harvest(&[own]).is_err());
}
