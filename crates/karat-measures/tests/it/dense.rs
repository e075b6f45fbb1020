//! Documents in which most mentions overlap each other, where measures ask an index: by definition, with a look at
//! all pairs, they count the same.

use crate::support::counts;
use karat_model::{Corpus, CorpusBuilder, Flags, Link, Span};
use proptest::prelude::*;

/// A mention: its span, one of a few ids, one of a few types, whether it is optional.
type Said = (Span, u8, u8, bool);

fn mentions() -> impl Strategy<Value = Vec<Said>> {
    let span = (0..30_u32, 1..40_u32).prop_map(|(start, len)| Span::new(start, start + len));
    let said = (span, 0..3_u8, 0..2_u8, prop_oneof![5 => Just(false), 1 => Just(true)]);
    prop::collection::vec(said, 0..90)
}

fn corpus(said: &[Said]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    for (span, id, kind, optional) in said {
        let link = Link::to(builder.intern(&format!("Q{id}")));
        let mention = builder.annotate(*span, link).types([format!("T{kind}").as_str()]);
        if *optional {
            mention.flags(Flags::OPTIONAL);
        }
    }
    builder.finish()
}

/// Predictions are never optional; those that say what optional gold says are taken off first, which is tested
/// elsewhere.
fn predicted(mut said: Vec<Said>, gold: &[Said]) -> Vec<Said> {
    said.retain(|said| !gold.iter().any(|gold| gold.3 && (gold.0, gold.1) == (said.0, said.1)));
    said.iter_mut().for_each(|said| said.3 = false);
    said
}

fn common(a: Span, b: Span) -> u32 {
    Span::new(a.start.max(b.start), a.end.min(b.end)).len()
}

/// The part of a span that others cover, the best of them or all together.
fn covered(span: Span, others: &[Span], together: bool) -> f64 {
    let covers = |at: &u32| others.iter().any(|other| other.start <= *at && *at < other.end);
    let count = match together {
        true => (span.start..span.end).filter(covers).count() as u32,
        false => others.iter().map(|other| common(span, *other)).max().unwrap_or(0),
    };
    f64::from(count) / f64::from(span.len())
}

fn overlap(gold: &[Said], system: &[Said], together: bool) -> [f64; 4] {
    let mut counts = [0.0; 4];
    for (span, id, ..) in gold.iter().filter(|gold| !gold.3) {
        let others: Vec<Span> = system.iter().filter(|it| it.1 == *id).map(|it| it.0).collect();
        let credit = covered(*span, &others, together);
        counts[2] += credit;
        counts[3] += 1.0 - credit;
    }
    for (span, id, ..) in system {
        let same = gold.iter().filter(|gold| gold.1 == *id);
        let asked: Vec<Span> = same.clone().filter(|gold| !gold.3).map(|gold| gold.0).collect();
        let credit = covered(*span, &asked, together);
        if credit > 0.0 || !same.clone().any(|gold| gold.3 && gold.0.overlaps(*span)) {
            counts[0] += credit;
            counts[1] += 1.0 - credit;
        }
    }
    counts
}

/// What becomes of a prediction: the gold it takes, and whether that is right.
fn taken(
    scheme: &str,
    least: f64,
    gold: &[Said],
    left: &[bool],
    prediction: &Said,
) -> Option<(usize, bool)> {
    let overlaps = |gold: &Said| {
        let common = common(gold.0, prediction.0);
        common > 0 && f64::from(common) / f64::from(gold.0.len()) * 100.0 >= least
    };
    let right = |gold: &Said| match scheme {
        "strict" => gold.0 == prediction.0 && gold.2 == prediction.2,
        "type" => gold.2 == prediction.2 && overlaps(gold),
        _ => gold.0 == prediction.0,
    };
    let distance = |gold: &Said| match scheme {
        "type" => gold.0.start.abs_diff(prediction.0.start) + gold.0.end.abs_diff(prediction.0.end),
        _ => 0,
    };
    let all = gold.iter().enumerate().filter(|(at, gold)| left[*at] && !gold.3);
    let best = all.clone().filter(|(_, gold)| right(gold)).min_by_key(|(_, gold)| distance(gold));
    let other = all.clone().find(|(_, gold)| overlaps(gold));
    best.map(|(at, _)| (at, true)).or(other.map(|(at, _)| (at, false)))
}

/// Correct, partial or incorrect, missed and spurious.
fn nervaluate(scheme: &str, least: f64, gold: &[Said], system: &[Said]) -> [f64; 4] {
    // Mentions of one span are in the order in which karat has them; that is tested elsewhere.
    let (mut gold, mut system) = (gold.to_vec(), system.to_vec());
    gold.sort_by_key(|said| said.0);
    gold.dedup_by_key(|said| said.0);
    system.sort_by_key(|said| said.0);
    system.dedup_by_key(|said| said.0);
    let mut left = vec![true; gold.len()];
    let mut counts = [0.0; 4];
    for prediction in &system {
        match taken(scheme, least, &gold, &left, prediction) {
            Some((at, right)) => {
                left[at] = false;
                counts[usize::from(!right)] += 1.0;
            }
            None if gold.iter().any(|gold| gold.3 && gold.0 == prediction.0) => {}
            None => counts[3] += 1.0,
        }
    }
    counts[2] = left.iter().zip(&gold).filter(|(left, gold)| **left && !gold.3).count() as f64;
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn overlaps_are_credited_by_definition(
        gold in mentions(), system in mentions(), together in any::<bool>(),
    ) {
        let system = predicted(system, &gold);
        let mode = if together { "sum" } else { "max" };
        let measure = format!("overlap-{mode}{mode}::span+kbid");
        // A key without the span: only what is linked alike meets. Equal mentions stay two.
        let found = counts(&corpus(&gold), &corpus(&system), "karat", &measure);
        let expected = overlap(&gold, &system, together);
        for (found, expected) in found.iter().zip(expected) {
            prop_assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }

    #[test]
    fn mentions_are_taken_by_definition(
        gold in mentions(), system in mentions(), scheme in 0..4_usize, least in 1..100_u32,
    ) {
        let scheme = ["strict", "exact", "partial", "type"][scheme];
        let once = |mut said: Vec<Said>| {
            said.sort_by_key(|said| said.0);
            said.dedup_by_key(|said| said.0);
            said
        };
        let gold = once(gold);
        let system = once(predicted(system, &gold));
        let measure = format!("nervaluate(scheme={scheme},min-overlap={least})");
        let found = counts(&corpus(&gold), &corpus(&system), "karat", &measure);
        let expected = nervaluate(scheme, f64::from(least), &gold, &system);
        let wrong = found[1] + found[2];
        prop_assert_eq!([found[0], wrong, found[3], found[4]], expected, "{:?}", found);
    }
}
