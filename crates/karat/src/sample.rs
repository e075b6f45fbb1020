//! The built-in sample: a small gold standard and three invented systems.
//!
//! ```
//! let registry = karat::registry();
//! let options = karat::formats::ReadOptions::default();
//! let gold = registry.read(&karat::sample::gold().into(), None, &options)?.corpus;
//! for (name, source) in karat::sample::systems() {
//!     let system = registry.read(&source.into(), None, &options)?.corpus;
//!     assert!(system.documents().all(|document| gold.document(document.name()).is_some()), "{name}");
//! }
//! # Ok::<(), karat::formats::Problem>(())
//! ```

use crate::error::Error;
use crate::formats::{ReadOptions, Source};
use crate::inputs::{Benchmark, Experiment, Run};
use crate::model::Corpus;

/// The gold standard of the sample: fourteen short texts with annotations.
pub fn gold() -> Source {
    Source::memory("sample/gold.karat.jsonl", include_str!("../../../sample/gold.karat.jsonl"))
}

/// The outputs of the three systems of the sample, by name: one that links
/// everything, one that is careful, and one that goes by popularity.
pub fn systems() -> [(&'static str, Source); 3] {
    let source = |name: &str, content: &str| {
        Source::memory(format!("sample/systems/{name}.karat.jsonl"), content)
    };
    [
        ("spotter", include_str!("../../../sample/systems/spotter.karat.jsonl")),
        ("careful", include_str!("../../../sample/systems/careful.karat.jsonl")),
        ("popular", include_str!("../../../sample/systems/popular.karat.jsonl")),
    ]
    .map(|(name, content)| (name, source(name, content)))
}

/// One of the files as a corpus.
pub(crate) fn read(source: Source) -> Result<Corpus, Error> {
    Ok(crate::registry().read(&source.into(), None, &ReadOptions::default())?.corpus)
}

/// The sample as an experiment in memory: the benchmark `sample` with the runs of its three systems.
pub fn experiment() -> Result<Experiment, Error> {
    let mut runs = Vec::new();
    for (name, source) in systems() {
        runs.push(Run::new(name, read(source)?));
    }
    Ok(Experiment { benchmark: Benchmark::new("sample", read(gold())?), runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Flags, Mention, Span, attribute};

    const DIMENSIONS: [&str; 4] = ["el:Mnt-", "el:PoS-", "el:Olp-", "el:Ref-"];

    fn read(source: Source) -> Corpus {
        let outcome = crate::registry().read(&source.into(), None, &ReadOptions::default());
        outcome.unwrap_or_else(|problem| panic!("{problem}")).corpus
    }

    fn mentions(corpus: &Corpus) -> Vec<Mention<'_>> {
        corpus.documents().flat_map(|document| document.mentions()).collect()
    }

    fn has_type(mention: &Mention<'_>, name: &str) -> bool {
        mention.types().any(|kind| kind == name)
    }

    fn tag<'a>(mention: &Mention<'a>, dimension: &str) -> Option<&'a str> {
        mention.tags().find_map(|tag| tag.strip_prefix(dimension))
    }

    #[test]
    fn the_gold_has_something_of_everything() {
        let gold = read(gold());
        let all = mentions(&gold);
        let count = |test: &dyn Fn(&Mention<'_>) -> bool| all.iter().filter(|m| test(m)).count();
        let lower =
            |m: &Mention<'_>| m.surface().is_some_and(|s| s.starts_with(char::is_lowercase));
        assert_eq!((gold.len(), all.len()), (14, 178));
        assert!(count(&|m| m.entity().is_some() && !lower(m)) > 60, "named");
        assert!(count(&|m| m.entity().is_some() && lower(m)) > 15, "common");
        assert!(count(&|m| m.nil_cluster().is_some()) > 10, "NIL clusters");
        assert!(count(&|m| m.link().is_nil() && m.nil_cluster().is_none()) > 0, "plain NIL");
        for flag in [Flags::OPTIONAL, Flags::COREFERENCE, Flags::DESCRIPTIVE] {
            assert!(count(&|m| m.flags().contains(flag)) > 0, "{flag:?}");
        }
        for kind in ["PER", "ORG", "LOC", "MISC", "DATETIME", "QUANTITY"] {
            assert!(count(&|m| has_type(m, kind)) > 3, "{kind}");
        }
        for (dimension, name) in [
            ("el:Mnt-", "Short"),
            ("el:Mnt-", "ProForm"),
            ("el:PoS-", "Adjective"),
            ("el:Ref-", "Metonymic"),
            ("el:Ref-", "Related"),
            ("el:Olp-", "Maximal"),
            ("el:Olp-", "Minimal"),
        ] {
            assert!(count(&|m| tag(m, dimension) == Some(name)) > 1, "{dimension}{name}");
        }
    }

    #[test]
    fn the_same_unknown_entity_occurs_in_two_places() {
        let gold = read(gold());
        let all = mentions(&gold);
        let places =
            all.iter().filter(|mention| mention.nil_cluster() == Some("untermarn")).count();
        assert_eq!(places, 2);
    }

    #[test]
    fn alternatives_come_in_both_forms() {
        let gold = read(gold());
        let (mut parts, mut alternatives) = (0, 0);
        for mention in mentions(&gold) {
            let Some(place) = mention.place() else { continue };
            let parent = mention.document().mention(place.parent as usize).unwrap();
            assert!(parent.span().contains(mention.span()));
            if parent.span() == mention.span() {
                assert_ne!(parent.entity(), mention.entity());
                alternatives += 1;
            } else {
                parts += 1;
            }
        }
        assert_eq!((parts, alternatives), (5, 5));
    }

    #[test]
    fn documents_say_what_they_are() {
        let gold = read(gold());
        for document in gold.documents() {
            for key in [attribute::TITLE, attribute::TOPIC, attribute::LANGUAGE] {
                assert!(document.attribute(key).is_some(), "{}: {key}", document.name());
            }
        }
        let languages: Vec<_> =
            gold.documents().filter_map(|d| d.language()).filter(|&l| l != "en").collect();
        assert_eq!(languages, ["de", "ja"]);
        assert_eq!(gold.documents().filter(|d| d.evaluation_span().is_some()).count(), 1);
    }

    #[test]
    fn tags_are_one_per_dimension_and_overlaps_are_right() {
        let gold = read(gold());
        for mention in mentions(&gold) {
            let tags: Vec<&str> = mention.tags().collect();
            assert_eq!(tags.len(), DIMENSIONS.len(), "{:?}", mention.surface());
            for (tag, dimension) in tags.iter().zip(DIMENSIONS) {
                assert!(tag.starts_with(dimension), "{tag}");
            }
            let spans: Vec<Span> = mention.document().mentions().map(|m| m.span()).collect();
            assert_eq!(tag(&mention, "el:Olp-"), Some(overlap(mention.span(), &spans)));
        }
    }

    fn overlap(span: Span, spans: &[Span]) -> &'static str {
        let mut others = spans.iter().filter(|&&other| other != span);
        let outer = others.clone().any(|&other| span.contains(other));
        let inner = others.any(|&other| other.contains(span));
        match (outer, inner) {
            (false, false) => "None",
            (true, false) => "Maximal",
            (false, true) => "Minimal",
            (true, true) => "Intermediate",
        }
    }

    #[test]
    fn systems_answer_for_documents_of_the_gold() {
        let gold = read(gold());
        for (name, source) in systems() {
            let system = read(source);
            for document in system.documents() {
                let same = gold.document(document.name()).map(|gold| gold.text());
                assert_eq!(same, Some(document.text()), "{name}: {}", document.name());
            }
            let all = mentions(&system);
            assert!(all.iter().all(|mention| mention.confidence().is_some()), "{name}");
            let ranked = all.iter().filter(|mention| mention.candidates().len() > 1).count();
            assert_eq!(ranked > 20, name == "popular", "{name}");
            for error in ERRORS {
                assert!(all.iter().any(|m| error_of(&gold, m) == Some(error)), "{name}: {error}");
            }
            assert!(mentions(&gold).iter().any(|m| !found(&system, m)), "{name} misses something");
        }
    }

    fn found(system: &Corpus, gold: &Mention<'_>) -> bool {
        let document = system.document(gold.document().name());
        document.is_some_and(|document| document.mentions().any(|m| m.span() == gold.span()))
    }

    const ERRORS: [&str; 5] = ["boundary", "extra", "wrong link", "NIL linked", "link as NIL"];

    fn error_of(gold: &Corpus, mention: &Mention<'_>) -> Option<&'static str> {
        let gold: Vec<_> = gold.document(mention.document().name()).unwrap().mentions().collect();
        let Some(right) = gold.iter().find(|m| m.span() == mention.span()) else {
            let touches = gold.iter().any(|m| m.span().overlaps(mention.span()));
            return Some(if touches { "boundary" } else { "extra" });
        };
        match (right.entity(), mention.entity()) {
            (Some(_), None) => Some("link as NIL"),
            (None, Some(_)) if right.link().is_nil() => Some("NIL linked"),
            (Some(right), Some(found)) if right != found => Some("wrong link"),
            _ => None,
        }
    }
}
