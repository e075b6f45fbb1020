//! What is not known of errors: without texts, types, names, or with other spellings.

use karat::errors::{ErrorCase, ErrorCounts, Filter, Inspection, ModeCounts, suspects};
use karat::facets::FacetContext;
use karat::facets::taxonomy::Category;
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::kb::{Builder, Facts, Identity, KnowledgeBase, Popular};
use karat::matching::Unknowns;
use karat::measures::{Convention, Preset};
use karat::model::{Corpus, CorpusBuilder, Link, Span};
use karat::scoring::Scoring;
use std::collections::BTreeMap;
use std::sync::Arc;

fn convention(preset: &str) -> Convention {
    (Preset::named(preset).unwrap().convention)()
}

/// A document with mentions: where, the entity or NIL, and candidates.
fn corpus(text: Option<&str>, mentions: &[(u32, u32, &str, &[&str])]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    if let Some(text) = text {
        builder.set_text(text);
    }
    for (start, end, entity, candidates) in mentions {
        let link = match *entity {
            "NIL" => Link::NIL,
            id => Link::to(builder.intern(id)),
        };
        let links: Vec<Link> = candidates.iter().map(|id| Link::to(builder.intern(id))).collect();
        builder.annotate(Span::new(*start, *end), link).candidates(links.into_iter());
    }
    builder.finish()
}

fn with_inspection<T>(
    preset: &str,
    base: Option<KnowledgeBase>,
    of: impl FnOnce(&Inspection<'_>) -> T,
) -> T {
    let convention = convention(preset);
    let base = base.map(Arc::new);
    let identity = base.clone().map_or(Identity::new(), |base| Identity::new().with_base(base));
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let base = base.as_deref();
    of(&Inspection { settings, taxonomy, identity: &identity, base, watch: None })
}

fn counts(preset: &str, gold: &Corpus, system: &Corpus, base: Option<KnowledgeBase>) -> ModeCounts {
    with_inspection(preset, base, |inspection| {
        let ErrorCounts { modes: [ignored, _], .. } = inspection.counts("b", gold, system);
        ignored
    })
}

fn cases(gold: &Corpus, system: &Corpus, base: Option<KnowledgeBase>) -> Vec<ErrorCase> {
    with_inspection("karat", base, |inspection| {
        inspection.cases(gold, system, Unknowns::Ignored, &[])
    })
}

fn base(say: impl FnOnce(&mut Builder)) -> Option<KnowledgeBase> {
    let mut builder = Builder::in_memory();
    say(&mut builder);
    Some(builder.finish().unwrap())
}

#[test]
fn without_texts_nothing_is_said_of_capitals_words_and_pronouns() {
    let gold = corpus(None, &[(0, 1, "Q1", &[]), (1, 2, "Q2", &[]), (3, 4, "NIL", &[])]);
    let system = corpus(None, &[(1, 2, "Q3", &[]), (3, 4, "Q4", &[]), (7, 8, "Q5", &[])]);
    for preset in ["karat", "elevant"] {
        let found = counts(preset, &gold, &system, None);
        assert_eq!(found.errors(Category::Missed), Some(1), "{preset}");
        assert_eq!(found.errors(Category::Extra), Some(2), "{preset}");
        for category in [
            Category::MissedLowercased,
            Category::MissedPartiallyIncluded,
            Category::MissedOther,
            Category::ExtraGroundtruthUnknown,
            Category::ExtraLowercased,
            Category::Demonym,
            Category::CoreferenceUndetected,
            Category::CoreferenceWrongMention,
            Category::CoreferenceFalseDetection,
        ] {
            let total = found.total(category, None, preset == "karat");
            let known = (found.errors(category), total);
            assert_eq!(known, (None, None), "{preset} {}", category.name());
        }
    }
    let text = "Ann Lee met Bo, bats, b";
    let gold = corpus(Some(text), &[(0, 7, "Q1", &[]), (12, 14, "NIL", &[])]);
    let found = counts("karat", &gold, &corpus(Some(text), &[]), None);
    assert_eq!(found.errors(Category::MissedLowercased), Some(0));
    assert_eq!(found.total(Category::ExtraGroundtruthUnknown, None, true), Some(1));
}

const BERLIN: &str = "In Berlin they met.";

#[test]
fn types_and_names_come_from_the_base_where_gold_has_none() {
    let gold = corpus(Some(BERLIN), &[(3, 9, "Q64", &[])]);
    let system = corpus(Some(BERLIN), &[(3, 9, "Q821244", &[])]);
    let told = |builder: &mut Builder| {
        let fact = |types: &'static str, name: &'static str| Facts {
            name: Some(name),
            types: Some(vec![types]),
            ..Facts::default()
        };
        builder.entity("Q64", &fact("Q515", "Berlin (Germany)")).unwrap();
        builder.entity("Q821244", &fact("Q515", "Berlin")).unwrap();
        let popular = Popular { ids: vec!["Q821244"], ..Popular::default() };
        builder.popular("Berlin", &popular).unwrap();
        builder.demonym("Berlin", false).unwrap();
    };
    // A city, of which nobody said that it is a place: metonymy is not known.
    let found = counts("karat", &gold, &system, base(told));
    assert_eq!(found.errors(Category::Metonymy), None);
    // Once a city is known to be a place, a place is called by a part of its name.
    let known = base(|builder| {
        told(builder);
        let city = Facts { parents: vec!["Q27096213"], ..Facts::default() };
        builder.entity("Q515", &city).unwrap();
    });
    let place = known.as_ref().unwrap().entity("Q64").unwrap();
    assert_eq!(known.as_ref().unwrap().is_place(&place), Some(true));
    let found = counts("karat", &gold, &system, known);
    assert_eq!(found.errors(Category::Metonymy), Some(0));
    assert_eq!(found.errors(Category::PartialName), Some(1));
}

#[test]
fn types_of_results_are_those_of_the_base() {
    let gold = corpus(Some(BERLIN), &[]);
    let system = corpus(Some(BERLIN), &[(3, 9, "Q64", &[])]);
    let results = |say: fn(&mut Builder)| {
        let base = base(|builder| {
            let facts = Facts { types: Some(vec!["Q515"]), ..Facts::default() };
            builder.entity("Q64", &facts).unwrap();
            say(builder);
        });
        with_inspection("elevant", base, |inspection| {
            karat::elevant::results(&inspection.counts("b", &gold, &system), inspection.taxonomy)
        })
    };
    let extra = |results: &serde_json::Value, name: &str| {
        let path = format!("/IGNORED/entity_types/{name}/false_positives");
        results.pointer(&path).cloned()
    };
    let listed = results(|builder| builder.whitelist("Q515", "city"));
    assert_eq!(extra(&listed, "Q515"), Some(1.into()));
    // Without a list nobody knows which of ELEVANT's types a city has.
    let unlisted = results(|_| {});
    assert_eq!(extra(&unlisted, "OTHER"), Some(serde_json::Value::Null));
    let climbed = results(|builder| {
        let city = Facts { parents: vec!["Q27096213"], ..Facts::default() };
        builder.entity("Q515", &city).unwrap();
    });
    assert_eq!(extra(&climbed, "Q27096213"), Some(1.into()));
    assert_eq!(extra(&climbed, "OTHER"), Some(0.into()));
}

/// Berlin, which some call by its title.
fn titled() -> Option<KnowledgeBase> {
    base(|builder| {
        builder.entity("Q64", &Facts { name: Some("Berlin"), ..Facts::default() }).unwrap();
        builder.title("Berlin", "Q64").unwrap();
        builder.title("Berlin,_New_Hampshire", "Q821244").unwrap();
        let popular = Popular { ids: vec!["Q64"], ..Popular::default() };
        builder.popular("Berlin", &popular).unwrap();
        builder.demonym("Berlin", false).unwrap();
    })
}

#[test]
fn spellings_of_one_entity_are_one_in_every_category() {
    let gold = corpus(Some(BERLIN), &[(3, 9, "Berlin", &[])]);
    let wrong = corpus(Some(BERLIN), &[(3, 9, "Q1", &["Q64", "Q1"])]);
    let found = counts("karat", &gold, &wrong, titled());
    assert_eq!(found.errors(Category::WrongCandidates), Some(0));
    assert_eq!(found.errors(Category::MultipleCandidates), Some(1));
    // The usual meaning is not rare, however gold spells it.
    assert_eq!(found.total(Category::Rare, None, false), Some(0));
    let near = corpus(Some(BERLIN), &[(0, 9, "Q64", &[])]);
    let found = counts("karat", &gold, &near, titled());
    assert_eq!(found.errors(Category::WrongSpan), Some(1));
}

#[test]
fn systems_that_spell_an_entity_in_two_ways_agree() {
    let gold = corpus(Some(BERLIN), &[(3, 9, "Q1", &[])]);
    let answers = |id| cases(&gold, &corpus(Some(BERLIN), &[(3, 9, id, &[])]), titled());
    let systems = [("one", answers("Q64")), ("two", answers("Berlin"))];
    let identity = Identity::new().with_base(Arc::new(titled().unwrap()));
    assert_eq!(suspects(&systems, 2, &identity).len(), 1);
    assert_eq!(suspects(&systems, 2, &Identity::new()).len(), 0);
}

#[test]
fn what_needs_candidates_is_not_listed_for_systems_without() {
    let gold = corpus(Some(BERLIN), &[(3, 9, "Q64", &[])]);
    let listed = |candidates: &[&str]| {
        let system = corpus(Some(BERLIN), &[(3, 9, "Q1", candidates)]);
        cases(&gold, &system, None)[0].categories.contains(&Category::WrongCandidates)
    };
    assert!(listed(&["Q1", "Q2"]));
    assert!(!listed(&[]));
}

#[test]
fn filters_follow_what_is_done_about_unknown_entities() {
    let gold = corpus(Some(BERLIN), &[(3, 9, "NIL", &[])]);
    let system = corpus(Some(BERLIN), &[(3, 9, "NIL", &[])]);
    let convention = convention("karat");
    let of = |unknowns, label: &str| {
        let context = convention.facet_context(unknowns, None);
        let facet = karat::facets::facet("category", &context);
        let filter = Filter::by_facet(facet.unwrap(), label);
        let missed = corpus(Some(BERLIN), &[]);
        with_inspection("karat", None, |inspection| {
            [&system, &missed].map(|system| {
                inspection.cases(&gold, system, unknowns, std::slice::from_ref(&filter)).len()
            })
        })
    };
    assert_eq!(of(Unknowns::Required, "missed-other"), [0, 1]);
    assert_eq!(of(Unknowns::Required, "correct"), [1, 0]);
    assert_eq!(of(Unknowns::Ignored, "missed-other"), [0, 0]);
}

#[test]
fn the_words_of_a_benchmark_are_known_only_if_all_its_documents_are() {
    let known = |documents: u32, lowercased: u64| {
        let base = base(|builder| {
            for document in 0..documents {
                builder.words("b", &document.to_string(), 10, lowercased).unwrap();
            }
        });
        let gold = corpus(Some(BERLIN), &[]);
        with_inspection("elevant", base, |inspection| inspection.counts("b", &gold, &gold).words)
    };
    assert_eq!(known(1, 4).map(|words| (words.all, words.lowercased)), Some((10, 4)));
    assert_eq!(known(2, 4), None);
    assert_eq!(known(0, 4), None);
    let found = counts("elevant", &corpus(None, &[]), &corpus(None, &[]), None);
    // A base that was made by hand may count more lowercased words than words.
    assert_eq!(found.total(Category::ExtraOther, known(1, 11), false), None);
}

#[test]
fn the_context_has_dots_only_where_text_is_cut() {
    let text = format!("{} Berlin {}", "a".repeat(39), "b".repeat(39));
    let gold = corpus(Some(&text), &[(40, 46, "Q64", &[])]);
    let found = cases(&gold, &corpus(Some(&text), &[]), None);
    let context = found[0].context().unwrap();
    assert!(!context.contains("..."), "{context}");
    let longer = format!("a{text}b");
    let gold = corpus(Some(&longer), &[(41, 47, "Q64", &[])]);
    let found = cases(&gold, &corpus(Some(&longer), &[]), None);
    let context = found[0].context().unwrap();
    assert!(context.starts_with("...") && context.ends_with("..."), "{context}");
    let found = cases(&corpus(None, &[(41, 47, "Q64", &[])]), &corpus(None, &[]), None);
    assert_eq!(found[0].context(), None, "without a text");
}

// The tests of very many mentions take seconds even in a debug build. To look at all pairs takes minutes: the
// runner's limit ends it.
#[test]
fn very_many_mentions_in_one_document_take_no_time_for_each_pair() {
    const MANY: u32 = 40_000;
    let text = "Ab. ".repeat(MANY as usize * 2);
    let at = |number: u32| (number * 4, number * 4 + 2);
    let mentions = |from: u32| -> Vec<(u32, u32, &str, &[&str])> {
        (from..from + MANY).map(|n| (at(n).0, at(n).1, "Q1", &[][..])).collect()
    };
    let gold = corpus(Some(&text), &mentions(0));
    let system = corpus(Some(&text), &mentions(MANY));
    let scoring = Scoring::named("elevant", &["linking"]).unwrap();
    let board = scoring.score("b", &gold, &[Run::new("s", system.clone())]);
    assert_eq!(board.systems[0].evaluation.results[0].counts[1], f64::from(MANY));
    for preset in ["karat", "elevant"] {
        let found = counts(preset, &gold, &system, None);
        assert_eq!(found.errors(Category::MissedOther), Some(u64::from(MANY)));
    }
    assert_eq!(cases(&gold, &system, None).len(), 2 * MANY as usize);
}

/// Only what overlaps is asked what it is linked to.
#[test]
fn very_many_spans_are_not_compared_with_each_other() {
    const MANY: u32 = 40_000;
    let mentions = |shift: u32| -> Vec<(u32, u32, &str, &[&str])> {
        (0..MANY).map(|n| (n * 4 + shift, n * 4 + shift + 2, "Q1", &[][..])).collect()
    };
    let (gold, system) = (corpus(None, &mentions(0)), corpus(None, &mentions(1)));
    for (name, label) in [("relation", "overlap, same entity"), ("span-error", "crossing")] {
        let facet = karat::facets::facet(name, &FacetContext::default()).unwrap();
        let sides = with_inspection("karat", None, |inspection| {
            inspection.sides(&gold, &system, facet.as_ref())
        });
        let all = ["gold", "prediction"].map(|side| ((side, label.to_owned()), MANY as usize));
        assert_eq!(sides, BTreeMap::from(all));
        let filters = [Filter::by_facet(facet, label)];
        let found = with_inspection("karat", None, |inspection| {
            inspection.cases(&gold, &system, Unknowns::Ignored, &filters)
        });
        let overlapping = found.iter().filter(|case| case.overlapping.is_some()).count();
        assert_eq!((found.len(), overlapping), (2 * MANY as usize, MANY as usize));
    }
}

#[test]
fn very_many_parts_of_one_mention_are_not_asked_about_each_other() {
    const MANY: usize = 30_000;
    let part = |id: usize| {
        let start = 3 * id;
        format!(
            r#"{{"id": {id}, "span": [{start}, {}], "entity_id": "Q{id}", "name": "n", "type": "OTHER", "parent": 0}}"#,
            start + 2
        )
    };
    let parts: Vec<String> = (1..MANY).map(part).collect();
    let article = format!(
        r#"{{"id": 1, "title": "t", "text": "{}", "labels": [{{"id": 0, "span": [0, {}], "entity_id": "Q0", "name": "n", "type": "OTHER"}}, {}], "entity_mentions": [{{"span": [3, 5], "id": "Q1", "candidates": []}}]}}"#,
        "Ab ".repeat(MANY),
        MANY * 3,
        parts.join(",")
    );
    let input = Source::memory("a.jsonl", article).into();
    let options = ReadOptions::default();
    let corpus = karat::registry().read(&input, Some("elevant"), &options).unwrap().corpus;
    let found = counts("elevant", &corpus, &corpus, None);
    assert_eq!((found.all().hits, found.all().missed), (0, 1));
}
