//! The categorised datasets of Rosales-Méndez, Hogan and Poblete (2019).

use crate::data;
use crate::shared_data::{read, survives};
use karat::formats::{ReadOptions, Source};
use karat::model::{Corpus, Document, MarkKind, Mention, attribute};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const GOLD: [&str; 3] = ["KORE50", "VoxEL", "ACE04"];
const SYSTEMS: [&str; 6] =
    ["AIDA", "BABELFYr", "BABELFYs", "DBpediaSpotlight", "FREMENER", "TAGME"];

fn gold_path(name: &str) -> Option<PathBuf> {
    Some(data::folder("finegrained")?.join(format!("gold/categorized{name}.ttl")))
}

fn gold(name: &str) -> Option<Corpus> {
    let outcome = read(&gold_path(name)?);
    assert_eq!(outcome.formats, ["nif-categorised"], "{name}");
    assert_eq!(outcome.findings.skipped(), []);
    // Quirk 3 of `finegrained.md` 1.4: one link starts with a space.
    let repaired = outcome.findings.repaired().iter().map(|problem| problem.message.as_str());
    let padded =
        "the link ` https://en.wikipedia.org/wiki/Executive_director` has white space at its edges";
    assert!(repaired.eq((name == "ACE04").then_some(padded)), "{name}");
    Some(outcome.corpus)
}

fn system(system: &str, dataset: &str) -> Option<Corpus> {
    let dataset = if dataset == "ACE04" { "ACE" } else { dataset };
    let path = data::folder("finegrained")?.join(format!("systems/{system}_{dataset}.ttl"));
    let outcome = read(&path);
    assert_eq!(outcome.formats, ["nif-categorised"], "{}", path.display());
    assert!(outcome.findings.is_empty());
    Some(outcome.corpus)
}

fn mentions(corpus: &Corpus) -> impl Iterator<Item = Mention<'_>> {
    corpus.documents().flat_map(|document| document.mentions())
}

fn sentences<'c>(document: &Document<'c>) -> Vec<(u32, u32, &'c str)> {
    let index = document.text_index().unwrap();
    let marks = document.marks_of(MarkKind::Sentence);
    marks.map(|(span, _)| (span.start, span.end, index.slice(span).unwrap())).collect()
}

/// Documents, sentences, annotations, mentions, mentions with 2, 3 and 4 alternatives, NIL.
fn counts(corpus: &Corpus) -> [usize; 8] {
    let mut alternatives = [0; 5];
    for document in corpus.documents() {
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        for (number, mention) in document.mentions().enumerate() {
            let root = mention.place().map_or(number as u32, |place| place.parent);
            *sizes.entry(root).or_default() += 1;
        }
        for size in sizes.into_values() {
            alternatives[size] += 1;
        }
    }
    [
        corpus.len(),
        corpus.documents().map(|document| sentences(&document).len()).sum(),
        corpus.annotations().len(),
        mentions(corpus).filter(|mention| mention.place().is_none()).count(),
        alternatives[2],
        alternatives[3],
        alternatives[4],
        mentions(corpus).filter(|mention| mention.link().is_nil()).count(),
    ]
}

#[test]
fn the_gold_files_have_the_published_counts() {
    let expected = [
        [1, 50, 372, 348, 14, 2, 2, 4],
        [15, 94, 1107, 979, 103, 8, 3, 4],
        [20, 214, 3351, 2904, 310, 55, 9, 22],
    ];
    for (name, expected) in GOLD.into_iter().zip(expected) {
        let Some(corpus) = gold(name) else { return };
        assert_eq!(counts(&corpus), expected, "{name}");
    }
}

#[test]
fn every_file_survives() {
    let Some(folder) = data::folder("finegrained") else { return };
    let files =
        [data::files(&folder.join("gold"), ".ttl"), data::files(&folder.join("systems"), ".ttl")];
    let files: Vec<PathBuf> = files.concat();
    assert_eq!(files.len(), 21);
    for file in files {
        survives(&file);
    }
}

#[test]
fn sentences_give_back_the_text_of_their_document() {
    for name in GOLD {
        let Some(corpus) = gold(name) else { return };
        for document in corpus.documents() {
            let mut joined = String::new();
            let mut length = 0;
            for (start, end, text) in sentences(&document) {
                joined.extend(std::iter::repeat_n(' ', (start - length) as usize));
                joined.push_str(text);
                length = end;
            }
            assert_eq!(Some(joined.as_str()), document.text(), "{}", document.name());
        }
    }
}

#[test]
fn systems_speak_about_the_text_of_the_gold_files() {
    for name in GOLD {
        let Some(gold) = gold(name) else { return };
        for system_name in SYSTEMS {
            let Some(system) = system(system_name, name) else { return };
            assert_eq!(system.len(), gold.len());
            for (document, expected) in system.documents().zip(gold.documents()) {
                let what = format!("{system_name} {}", document.name());
                assert_eq!(document.name(), expected.name());
                assert_eq!(sentences(&document), sentences(&expected), "{what}");
                assert_eq!(document.text(), expected.text(), "{what}");
            }
            assert!(mentions(&system).all(|m| m.place().is_none() && m.entity().is_some()));
        }
    }
}

#[test]
fn the_quirks_of_the_gold_files() {
    let [Some(kore), Some(voxel), Some(ace)] = GOLD.map(gold) else { return };
    let text = |corpus: &Corpus| {
        corpus.documents().map(|d| d.text().unwrap().to_owned()).collect::<String>()
    };
    // Offsets count code points; byte order marks inside the text count.
    assert_eq!(text(&kore).matches('\u{feff}').count(), 2);
    assert!(text(&voxel).contains('’'));
    // Bare quotes in long strings.
    assert!(text(&kore).contains("\"the grave dancer\""));
    // A link that starts with a space, and has no type.
    let link = "https://en.wikipedia.org/wiki/Executive_director";
    let director = mentions(&ace).find(|mention| mention.entity() == Some(link)).unwrap();
    assert_eq!(director.types().count(), 0);
    // Comments, one of them of two lines.
    let comments: Vec<&str> =
        mentions(&ace).filter_map(|m| m.attribute(attribute::COMMENT)).collect();
    assert_eq!(comments.len(), 10);
    assert_eq!(comments.iter().filter(|comment| comment.contains('\n')).count(), 1);
    // Three annotations with two base forms, all of one mention.
    let base_forms =
        |mention: &Mention<'_>| mention.tags().filter(|tag| tag.starts_with("el:Mnt-")).count();
    let twice: Vec<Mention<'_>> = [&kore, &voxel, &ace]
        .into_iter()
        .flat_map(mentions)
        .filter(|m| base_forms(m) != 1)
        .collect();
    assert_eq!(twice.len(), 3);
    assert_eq!(twice.iter().map(Mention::span).collect::<BTreeSet<_>>().len(), 1);
    // NIL has a type; all types are of the four.
    let all = || [&kore, &voxel, &ace].into_iter().flat_map(mentions);
    assert!(
        all().filter(|mention| mention.link().is_nil()).all(|mention| mention.types().count() == 1)
    );
    let types: BTreeSet<&str> = all().flat_map(|mention| mention.types()).collect();
    assert_eq!(Vec::from_iter(types), ["Miscellany", "Organisation", "Person", "Place"]);
    // All links are Wikipedia articles.
    assert!(
        all().filter_map(|m| m.entity()).all(|e| e.starts_with("https://en.wikipedia.org/wiki/"))
    );
}

#[test]
fn the_quirks_of_the_system_files() {
    let mut damaged = 0;
    let mut escaped = 0;
    for name in GOLD {
        let Some(aida) = system("AIDA", name) else { return };
        damaged +=
            mentions(&aida).filter_map(|m| m.entity()).filter(|e| e.contains('\u{fffd}')).count();
        escaped += mentions(&aida).filter_map(|m| m.entity()).filter(|e| e.contains("\\u")).count();
    }
    assert_eq!((damaged, escaped), (7, 2));
    let overlapping = |name: &str| -> usize {
        let corpora = GOLD.map(|dataset| system(name, dataset).unwrap());
        let documents = corpora.iter().flat_map(Corpus::documents);
        documents
            .map(|document| {
                let all = document.annotations();
                let overlaps = |a: &_| all.iter().filter(|b| b.span.overlaps(*a)).count() > 1;
                all.iter().filter(|annotation| overlaps(&annotation.span)).count()
            })
            .sum()
    };
    let found = SYSTEMS.map(overlapping);
    assert_eq!(found, [0, 1082, 256, 0, 0, 359]);
}

#[test]
fn files_put_together_are_read_as_one_on_any_number_of_threads() {
    let Some(folder) = data::folder("finegrained") else { return };
    let files = data::files(&folder.join("gold"), ".ttl");
    let whole: String = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let read = |threads| {
        let input = Source::memory("all.ttl", whole.clone()).into();
        let options = ReadOptions { threads, ..ReadOptions::default() };
        karat::registry().read(&input, None, &options).unwrap().corpus
    };
    let one = read(1);
    assert_eq!(counts(&one), [36, 358, 4830, 4231, 427, 65, 14, 30]);
    assert_eq!(one.difference(&read(3)), None);
}
