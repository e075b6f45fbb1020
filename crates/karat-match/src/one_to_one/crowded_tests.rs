//! Pairs that are not listed against pairs that are.

use super::*;
use crate::criteria::Criteria;
use crate::settings::{Settings, Spans};
use crate::testing::{counted, criteria, mentions, spans, staged};
use proptest::prelude::*;

/// How much is found, with how many predictions that would be held against the system.
fn worth(task: &Task<'_, '_>) -> (usize, usize) {
    let found = task.found();
    let mut used = BTreeSet::new();
    for (&unit, predictions) in &found {
        assert!(!predictions.is_empty());
        assert!(predictions.iter().all(|&at| used.insert(at)), "a prediction twice");
        let item = |at: u32| &task.scene.system.items[at as usize];
        let agrees = |part: &Item, &at: &u32| task.matcher.agree(task.scene, part, item(at));
        let own = &task.scene.gold.items[task.chosen.gold[unit] as usize];
        let itself = predictions.len() == 1 && agrees(own, &predictions[0]);
        let in_parts = task.scene.gold.readings(own).any(|parts| {
            let all = parts.iter().all(|part| predictions.iter().any(|at| agrees(part, at)));
            all && parts.len() == predictions.len()
        });
        assert!(itself || in_parts, "nothing is found by what does not agree");
    }
    let saved = used.iter().filter(|&&at| task.costly[at as usize]).count();
    (found.len(), saved)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Where readings have one part, as much is found and saved as by the best of all assignments.
    #[test]
    fn finds_and_saves_as_much(
        gold in mentions(16, 1), system in mentions(16, 0), spans in spans(), criteria in criteria(),
        nil_agrees in any::<bool>(),
    ) {
        let settings = Settings { spans, nil_agrees, ..Settings::default() };
        let (listed, crowded) = staged([&gold, &system], &settings, |scene| {
            let matcher = Matcher::new(&settings, criteria);
            let chosen = matcher.chosen(scene);
            let mut task = Task::new(&matcher, scene, &chosen);
            let listed = worth(&task);
            task.most_pairs = 0;
            (listed, worth(&task))
        });
        prop_assert_eq!(listed, crowded);
    }

    /// With readings of several parts at least as much as without them, and never more than the best.
    #[test]
    fn readings_of_several_parts_take_what_is_left(
        gold in mentions(10, 3), system in mentions(12, 0), spans in spans(),
    ) {
        let settings = Settings { spans, ..Settings::default() };
        let (listed, crowded) = staged([&gold, &system], &settings, |scene| {
            let matcher = Matcher::new(&settings, Criteria::LINK);
            let chosen = matcher.chosen(scene);
            let mut task = Task::new(&matcher, scene, &chosen);
            let listed = worth(&task);
            task.most_pairs = 0;
            (listed, worth(&task))
        });
        prop_assert!(crowded.0 <= listed.0);
    }

    /// Equal files meet on their very spans.
    #[test]
    fn what_is_equal_meets_itself(mut said in mentions(20, 0)) {
        // Empty spans do not overlap themselves.
        said.retain(|said| !said.span.is_empty());
        let settings =
            Settings { spans: Spans::Overlap, honour_optional: false, ..Settings::default() };
        staged([&said, &said], &settings, |scene| {
            let matcher = Matcher::new(&settings, Criteria::MENTION);
            let chosen = matcher.chosen(scene);
            let mut task = Task::new(&matcher, scene, &chosen);
            task.most_pairs = 0;
            for (unit, predictions) in task.found() {
                let gold = scene.gold.items[chosen.gold[unit] as usize].span;
                assert_eq!(scene.system.items[predictions[0] as usize].span, gold);
            }
        });
    }

    /// Groups that are solved one by one are the whole.
    #[test]
    fn groups_change_nothing(
        gold in mentions(14, 2), system in mentions(14, 0), spans in spans(), criteria in criteria(),
    ) {
        let settings = Settings { spans, ..Settings::default() };
        staged([&gold, &system], &settings, |scene| {
            let matcher = Matcher::new(&settings, criteria);
            let chosen = matcher.chosen(scene);
            let mut task = Task::new(&matcher, scene, &chosen);
            let whole = task.found();
            // The document is divided, and then most groups have few pairs.
            task.most_pairs = 12;
            let mut parts = BTreeMap::new();
            let mut candidates = Candidates::new(&matcher, scene, &chosen.system);
            let groups = groups(&task);
            task.most_pairs = usize::MAX;
            for group in groups {
                assert!(task.has_few_pairs(&group, &mut candidates));
                let best = solve(&task.options(&group.units, &mut candidates)).into_iter();
                parts.extend(best.map(|(at, choice)| (group.units[at], choice.predictions)));
            }
            assert_eq!(parts, whole);
        });
    }
}

/// Many mentions that all overlap each other.
#[test]
fn thousands_that_overlap_are_paired_one_by_one() {
    use crate::testing::Said;
    use karat_model::Span;
    let said = |start: u32, end: u32, link: u8| Said {
        span: Span::new(start, end),
        link,
        other: None,
        optional: false,
        is_date: false,
        confidence: None,
        readings: Vec::new(),
    };
    let many = 3000;
    let gold: Vec<Said> = (0..many).map(|at| said(at, 2 * many - at / 2, 2)).collect();
    let system: Vec<Said> = (0..many).map(|at| said(at / 3, 2 * many + at, 2)).collect();
    let settings = Settings { spans: Spans::Overlap, ..Settings::default() };
    let counts = staged([&gold, &system], &settings, |scene| {
        counted(&Matcher::new(&settings, Criteria::LINK).cases(scene))
    });
    assert_eq!((counts.hits, counts.extra, counts.missed), (u64::from(many), 0, 0));
}
