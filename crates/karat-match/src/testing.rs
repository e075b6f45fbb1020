//! Small documents in which mentions overlap in every way, for tests that compare with a look at all pairs.

use crate::cases::{Case, MatchCounts, Matcher, Outcome};
use crate::criteria::{Agreement, Criteria, Keep};
use crate::pairing::Pairing;
use crate::scene::{Item, Scene};
use crate::settings::{Assignment, Settings, Spans};
use karat_kb::Identity;
use karat_model::{Corpus, CorpusBuilder, Flags, Link, Span};
use proptest::prelude::*;

/// What one mention says.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) span: Span,
    /// An entity, or NIL for 0, or no answer for 1.
    pub(crate) link: u8,
    /// Another name of it.
    pub(crate) other: Option<u8>,
    pub(crate) optional: bool,
    pub(crate) is_date: bool,
    /// Of predictions, in quarters.
    pub(crate) confidence: Option<u8>,
    /// Other readings, each some parts.
    pub(crate) readings: Vec<Vec<(Span, u8)>>,
}

pub(crate) fn span() -> impl Strategy<Value = Span> {
    (0..10_u32, 0..9_u32).prop_map(|(start, len)| Span::new(start, start + len))
}

/// Mentions; readings have at most so many parts.
pub(crate) fn mentions(most: usize, parts: usize) -> impl Strategy<Value = Vec<Said>> {
    let reading = prop::collection::vec((span(), 0..5_u8), 0..=parts);
    let readings = prop_oneof![
        4 => Just(Vec::new()),
        1 => prop::collection::vec(reading, 1..3),
    ];
    let flag = |weight| prop_oneof![weight => Just(false), 1 => Just(true)];
    let other = prop_oneof![3 => Just(None), 1 => (2..5_u8).prop_map(Some)];
    let confidence = prop_oneof![1 => Just(None), 3 => (0..5_u8).prop_map(Some)];
    let said = (span(), 0..5_u8, other, flag(4), flag(9), confidence, readings).prop_map(
        |(span, link, other, optional, is_date, confidence, readings)| Said {
            span,
            link,
            other,
            optional,
            is_date,
            confidence,
            readings,
        },
    );
    prop::collection::vec(said, 0..most)
}

pub(crate) fn corpus(mentions: &[Said], is_gold: bool) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    let link = |builder: &mut CorpusBuilder, code: u8| match code {
        0 => Link::NIL,
        1 => Link::NONE,
        code => Link::to(builder.intern(&format!("Q{code}"))),
    };
    for said in mentions {
        let answer = link(&mut builder, said.link);
        let root = builder.next_index();
        let mut annotation = builder.annotate(said.span, answer);
        if let Some(other) = said.other {
            annotation = annotation.equivalent(&format!("Q{other}"));
        }
        if !is_gold {
            if let Some(quarters) = said.confidence {
                annotation.confidence(f64::from(quarters) / 4.0);
            }
            continue;
        }
        if said.optional {
            annotation = annotation.flags(Flags::OPTIONAL);
        }
        if said.is_date {
            annotation.types(["DATETIME"]);
        }
        for (reading, parts) in said.readings.iter().enumerate() {
            for &(span, code) in parts {
                let answer = link(&mut builder, code);
                builder.annotate(span, answer).part_of(root, reading as u32);
            }
        }
    }
    builder.finish()
}

pub(crate) fn spans() -> impl Strategy<Value = Spans> {
    prop_oneof![
        3 => Just(Spans::Overlap),
        1 => Just(Spans::Containment),
        1 => Just(Spans::Near(1)),
        1 => (1.0..110.0).prop_map(Spans::AtLeast),
        1 => Just(Spans::Exact),
        1 => Just(Spans::Length),
    ]
}

pub(crate) fn criteria() -> impl Strategy<Value = Criteria> {
    let agree = prop_oneof![
        1 => Just(Agreement::SPAN),
        3 => Just(Agreement::SPAN | Agreement::ENTITY),
        1 => Just(Agreement::SPAN | Agreement::CLUSTER),
        1 => Just(Agreement::SPAN | Agreement::TYPE),
        1 => Just(Agreement::ENTITY),
    ];
    let keep = prop_oneof![2 => Just(Keep::All), 1 => Just(Keep::Linked)];
    (keep, agree).prop_map(|(keep, agree)| Criteria::new(keep, agree))
}

/// Does something with a document on the stage.
pub(crate) fn staged<T>(
    [gold, system]: [&[Said]; 2],
    settings: &Settings,
    then: impl FnOnce(&Scene<'_>) -> T,
) -> T {
    let (gold, system) = (corpus(gold, true), corpus(system, false));
    let pairing = Pairing::new(&gold, &system, &Identity::new());
    let mut scene = Scene::default();
    pairing.stage(0, settings, &mut scene);
    then(&scene)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// What is found by an index is what a look at all pairs finds: as the settings are defined, word by word.
    #[test]
    fn strategies_that_follow_the_file_are_as_they_are_defined(
        gold in mentions(14, 2), system in mentions(14, 0), spans in spans(), criteria in criteria(),
        greedy in any::<bool>(), nil_agrees in any::<bool>(), repeated_tags in any::<bool>(),
    ) {
        let assignment = if greedy { Assignment::Greedy } else { Assignment::Existential };
        let settings = Settings { spans, assignment, nil_agrees, repeated_tags, ..Settings::default() };
        let (found, expected) = staged([&gold, &system], &settings, |scene| {
            let matcher = Matcher::new(&settings, criteria);
            let found = (matcher.cases(scene), matcher.alike(scene));
            (found, (by_definition(&matcher, scene, greedy), alike_by_definition(&matcher, scene)))
        });
        prop_assert_eq!(counted(&found.0), expected.0);
        let alike = found.1;
        prop_assert_eq!([alike.gold, alike.gold_met, alike.system, alike.system_met], expected.1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// What is told of all thresholds in one pass is what is counted at each.
    #[test]
    fn counts_at_thresholds_are_those_of_scenes_at_thresholds(
        gold in mentions(14, 0), system in mentions(14, 0), criteria in criteria(),
        greedy in any::<bool>(), plain in any::<bool>(), repeated_tags in any::<bool>(),
    ) {
        let assignment = if greedy { Assignment::Greedy } else { Assignment::OneToOne };
        let settings = Settings { assignment, repeated_tags, ..Settings::default() };
        let simple = |mut said: Vec<Said>| {
            for said in said.iter_mut().filter(|_| plain) {
                (said.other, said.optional, said.is_date) = (None, false, false);
            }
            said
        };
        let (gold, system) = (simple(gold), simple(system));
        let thresholds: Vec<f64> = (0..6).map(|quarter| f64::from(quarter) / 4.0).collect();
        let found = staged([&gold, &system], &settings, |scene| {
            Matcher::new(&settings, criteria).counts_at(scene, &thresholds)
        });
        let about_spans = criteria.agree.contains(Agreement::SPAN);
        prop_assert!(found.is_some() || !plain || !(about_spans || repeated_tags));
        for (at, threshold) in thresholds.into_iter().enumerate() {
            let settings = Settings { threshold: Some(threshold), ..settings.clone() };
            let expected = staged([&gold, &system], &settings, |scene| {
                Matcher::new(&settings, criteria).counts(scene)
            });
            prop_assert!(found.as_ref().is_none_or(|found| found[at] == expected));
        }
    }
}

pub(crate) fn counted(cases: &[Case]) -> MatchCounts {
    let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count() as u64;
    MatchCounts {
        hits: count(Outcome::Match),
        extra: count(Outcome::Extra),
        missed: count(Outcome::Missed),
    }
}

/// Whether a prediction that nothing took is held against the system, by a look at all optional gold.
pub(crate) fn is_extra(matcher: &Matcher<'_>, scene: &Scene<'_>, at: u32) -> bool {
    let prediction = &scene.system.items[at as usize];
    let about_spans = matcher.criteria().agree.contains(Agreement::SPAN);
    let is_date = |item: &Item| {
        scene
            .gold
            .mention(item)
            .is_some_and(|mention| mention.types().any(|name| name == "DATETIME"))
    };
    let meets = |item: &Item| {
        let on_date = is_date(item)
            && about_spans
            && matcher.settings().spans.fit(item.span, prediction.span);
        on_date || matcher.agree(scene, item, prediction)
    };
    let keeps_all = matcher.criteria().keep == Keep::All;
    let forgives = |item: &Item| {
        let looked_at = keeps_all || item.link.entity().is_some() || is_date(item);
        let mut all = std::iter::once(item).chain(scene.gold.readings(item).flatten());
        item.optional && looked_at && all.any(meets)
    };
    !scene.gold.items.iter().any(forgives)
}

fn by_definition(matcher: &Matcher<'_>, scene: &Scene<'_>, greedy: bool) -> MatchCounts {
    let chosen = matcher.chosen(scene);
    let mut gold = chosen.gold.clone();
    if greedy {
        gold.sort_by_key(|&at| scene.gold.items[at as usize].index);
    }
    let (mut used, mut fits) = (Vec::new(), Vec::new());
    let mut counts = MatchCounts::default();
    for at in gold {
        let item = &scene.gold.items[at as usize];
        let mut agreeing: Vec<u32> = chosen.system.clone();
        agreeing.retain(|&it| matcher.agree(scene, item, &scene.system.items[it as usize]));
        agreeing.sort_by_key(|&it| scene.system.items[it as usize].index);
        fits.extend(agreeing.iter().copied());
        if greedy {
            agreeing.retain(|it| !used.contains(it));
        }
        match agreeing.first() {
            Some(first) if !used.contains(first) => {
                used.push(*first);
                counts.hits += 1;
            }
            Some(_) => {}
            None => counts.missed += 1,
        }
    }
    let free = chosen.system.iter().filter(|at| !used.contains(at));
    let free = free.filter(|at| greedy || !fits.contains(at));
    counts.extra = free.filter(|&&at| is_extra(matcher, scene, at)).count() as u64;
    counts
}

fn alike_by_definition(matcher: &Matcher<'_>, scene: &Scene<'_>) -> [u64; 4] {
    let chosen = matcher.chosen(scene);
    let agree = |gold: u32, system: u32| {
        let (gold, system) =
            (&scene.gold.items[gold as usize], &scene.system.items[system as usize]);
        matcher.agree(scene, gold, system)
    };
    let gold_met = chosen.gold.iter().filter(|&&at| chosen.system.iter().any(|&it| agree(at, it)));
    let met = |it: u32| chosen.gold.iter().any(|&at| agree(at, it));
    let counts = |&&it: &&u32| met(it) || is_extra(matcher, scene, it);
    [
        chosen.gold.len() as u64,
        gold_met.count() as u64,
        chosen.system.iter().filter(counts).count() as u64,
        chosen.system.iter().filter(|&&it| met(it)).count() as u64,
    ]
}
