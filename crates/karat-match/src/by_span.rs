//! Mentions as spans: what is said of a span, however often, is said of one mention.

use crate::cases::{Case, Chosen, Matcher};
use crate::scene::{Item, Scene};
use karat_model::Span;
use std::collections::HashSet;

/// A gold mention with everything that is said of its span.
#[derive(Debug, Clone)]
pub struct SpanMention {
    /// Its annotations, alternatives included.
    pub annotations: Vec<SpanAnnotation>,
    /// What the system predicts there, as positions in its scene.
    pub predictions: Vec<u32>,
}

/// One of the annotations of a gold mention.
#[derive(Debug, Clone, Copy)]
pub struct SpanAnnotation {
    /// The annotation.
    pub item: Item,
    /// Position of the gold item that it is, or that it is a reading of.
    pub gold: u32,
    /// Position of the first prediction that agrees with it.
    pub met: Option<u32>,
}

/// The gold mentions of a scene, and what is predicted where there are none.
#[derive(Debug, Clone, Default)]
pub struct SpanMentions {
    /// The gold mentions, in the order of their spans.
    pub gold: Vec<SpanMention>,
    /// One prediction of each span without gold, as a position in its scene.
    pub elsewhere: Vec<u32>,
}

impl SpanMentions {
    /// How many spans the system predicts.
    pub fn predicted(&self) -> usize {
        let met = self.gold.iter().filter(|mention| !mention.predictions.is_empty());
        met.count() + self.elsewhere.len()
    }
}

impl SpanMention {
    /// The first annotation that a prediction agrees with, if there is one.
    pub fn hit(&self) -> Option<&SpanAnnotation> {
        self.annotations.iter().find(|annotation| annotation.met.is_some())
    }
}

impl Matcher<'_> {
    /// The gold mentions of a scene, each with everything that is said of exactly its span on both
    /// sides, whatever the settings. Optional gold is left out, and so are predictions that agree
    /// with it.
    pub fn mentions(&self, scene: &Scene<'_>) -> SpanMentions {
        let chosen = self.chosen(scene);
        let mut mentions = mentions(self, scene, &chosen);
        mentions.elsewhere.retain(|&at| self.forgiving(scene, &chosen, at).is_none());
        mentions
    }
}

/// The cases of a scene in which the annotations of a span are one mention.
pub(crate) fn cases(matcher: &Matcher<'_>, scene: &Scene<'_>, chosen: &Chosen) -> Vec<Case> {
    let SpanMentions { gold, elsewhere } = mentions(matcher, scene, chosen);
    let mut counted = vec![false; scene.system.items.len()];
    let mut cases = Vec::with_capacity(chosen.gold.len() + chosen.system.len());
    for mention in &gold {
        match mention.hit() {
            Some(&SpanAnnotation { gold, met: Some(met), .. }) => cases.push(Case::hit(gold, met)),
            _ => {
                let missed = mention.annotations.first().map(|first| Case::missed(first.gold));
                let extra = mention.predictions.first().copied();
                // However many predictions there are on the span, they are one extra.
                let extra = extra.filter(|&at| !std::mem::replace(&mut counted[at as usize], true));
                cases.extend(missed.into_iter().chain(extra.map(Case::extra)));
            }
        }
    }
    cases.extend(elsewhere.into_iter().map(Case::extra));
    cases
}

fn mentions(matcher: &Matcher<'_>, scene: &Scene<'_>, chosen: &Chosen) -> SpanMentions {
    let gold_span = |at: u32| scene.gold.items[at as usize].span;
    let system_span = |at: u32| scene.system.items[at as usize].span;
    let others = Others::of(scene);
    let mut met = vec![false; scene.system.items.len()];
    let mut gold = Vec::with_capacity(chosen.gold.len());
    // Items are sorted by span, so the annotations of one span are neighbours.
    for positions in chosen.gold.chunk_by(|&a, &b| gold_span(a) == gold_span(b)) {
        let span = positions.first().map(|&first| gold_span(first)).unwrap_or_default();
        let from = chosen.system.partition_point(|&at| system_span(at) < span);
        let on_span = chosen.system.get(from..).unwrap_or_default().iter().copied();
        let predictions: Vec<u32> = on_span.take_while(|&at| system_span(at) == span).collect();
        for &prediction in &predictions {
            met[prediction as usize] = true;
        }
        let answers = Answers::of(scene, &predictions, others.on(span));
        let annotations = positions.iter().flat_map(|&position| {
            let items = scene.gold.annotations(&scene.gold.items[position as usize]);
            items.map(move |&item| (position, item))
        });
        let annotations = annotations.map(|(gold, item)| {
            let met = answers.first(matcher, scene, &item);
            SpanAnnotation { item, gold, met }
        });
        gold.push(SpanMention { annotations: annotations.collect(), predictions });
    }
    let left: Vec<u32> = chosen.system.iter().copied().filter(|&at| !met[at as usize]).collect();
    let left = left.chunk_by(|&a, &b| system_span(a) == system_span(b));
    SpanMentions { gold, elsewhere: left.filter_map(<[u32]>::first).copied().collect() }
}

/// Everything that a system says of a span, each answer with the prediction that it is of. What is
/// said again is left out, so that many annotations of one span meet few answers.
struct Answers<'s>(Vec<(&'s Item, u32)>);

impl<'s> Answers<'s> {
    fn of(
        scene: &'s Scene<'_>,
        predictions: &[u32],
        others: impl Iterator<Item = &'s Item> + Clone,
    ) -> Answers<'s> {
        let Some(&first) = predictions.first() else { return Answers(Vec::new()) };
        let own = predictions.iter().map(|&at| (&scene.system.items[at as usize], at));
        // Alternatives are the first prediction's: to all of a span they say the same.
        let all = own.chain(others.map(|other| (other, first)));
        let mut known = HashSet::new();
        let is_new = |(item, _): &(&Item, u32)| {
            // An item with alternatives or equivalents is always kept: its link and types do not
            // say all that it may agree with.
            item.extra != 0 || known.insert((item.link.code(), item.types))
        };
        Answers(all.filter(is_new).collect())
    }

    /// The first prediction that agrees with an annotation.
    fn first(&self, matcher: &Matcher<'_>, scene: &Scene<'_>, annotation: &Item) -> Option<u32> {
        let agrees = |(answer, _): &&(&Item, u32)| matcher.agree(scene, annotation, answer);
        self.0.iter().find(agrees).map(|&(_, prediction)| prediction)
    }
}

/// What a system says of a span beyond its first answer: a file may give it as alternatives.
struct Others(Vec<Item>);

impl Others {
    fn of(scene: &Scene<'_>) -> Others {
        let mut below = scene.system.below().to_vec();
        below.sort_by_key(|item| item.span);
        Others(below)
    }

    fn on(&self, span: Span) -> impl Iterator<Item = &Item> + Clone {
        let from = self.0.partition_point(|item| item.span < span);
        self.0.get(from..).unwrap_or_default().iter().take_while(move |item| item.span == span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Agreement, Assignment, Criteria, Given, Keep, Pairing, Settings};
    use karat_kb::Identity;
    use karat_model::{Corpus, CorpusBuilder, Link};

    /// `start end entity`, one annotation each; `-` is NIL and a leading `|` an alternative of the
    /// annotation before it.
    fn corpus(lines: &[&str]) -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d");
        let mut root = 0;
        for (at, line) in lines.iter().enumerate() {
            let fields: Vec<&str> = line.trim_start_matches('|').split(' ').collect();
            let number = |field: &str| field.parse().unwrap();
            let link = match fields[2] {
                "-" => Link::NIL,
                entity => Link::to(builder.intern(entity)),
            };
            let span = Span::new(number(fields[0]), number(fields[1]));
            let annotation = builder.annotate(span, link);
            if line.starts_with('|') {
                annotation.part_of(root, at as u32);
            } else {
                root = at as u32;
            }
        }
        builder.finish()
    }

    fn counts(gold: &[&str], system: &[&str], given: Given) -> [u64; 3] {
        let settings = Settings { nil_agrees: false, given, ..by_span() };
        counted(gold, system, &settings, Agreement::SPAN | Agreement::ENTITY)
    }

    fn by_span() -> Settings {
        Settings { assignment: Assignment::BySpan, ..Settings::default() }
    }

    fn counted(gold: &[&str], system: &[&str], settings: &Settings, agree: Agreement) -> [u64; 3] {
        let (gold, system) = (corpus(gold), corpus(system));
        let pairing = Pairing::new(&gold, &system, &Identity::new());
        let mut scene = Scene::default();
        pairing.stage(0, settings, &mut scene);
        let counts = Matcher::new(settings, Criteria::new(Keep::All, agree)).counts(&scene);
        [counts.hits, counts.extra, counts.missed]
    }

    #[test]
    fn where_spans_do_not_matter_mentions_are_told_apart_by_their_entities() {
        let (gold, system) = (["0 2 A", "3 4 B", "5 6 E"], ["0 2 C", "3 4 D", "7 8 A"]);
        assert_eq!(counted(&gold, &system, &by_span(), Agreement::ENTITY), [1, 2, 2]);
    }

    #[test]
    fn a_span_is_that_span_whatever_else_would_fit() {
        let settings = Settings { spans: crate::Spans::Overlap, ..by_span() };
        let found = counted(
            &["0 9 A"],
            &["0 2 A", "0 9 A", "3 5 B"],
            &settings,
            Agreement::SPAN | Agreement::ENTITY,
        );
        assert_eq!(found, [1, 2, 0]);
    }

    #[test]
    fn a_span_is_one_mention_however_much_is_said_of_it() {
        for (gold, system, given, expected) in [
            (&["0 2 A"][..], &["0 2 A"][..], Given::Mentions, [1, 0, 0]),
            (&["0 2 A"], &["0 2 B"], Given::Mentions, [0, 1, 1]),
            (&["0 2 A"], &[], Given::Mentions, [0, 0, 1]),
            (&["0 2 A", "|0 2 B"], &["0 2 B"], Given::Mentions, [1, 0, 0]),
            (&["0 2 A", "0 2 B"], &["0 2 B"], Given::Mentions, [1, 0, 0]),
            (&["0 2 A"], &["0 2 B", "0 2 C"], Given::Mentions, [0, 1, 1]),
            (&["0 2 A"], &["0 2 B", "|0 2 A"], Given::Mentions, [1, 0, 0]),
            (&["0 2 -"], &["0 2 -"], Given::Mentions, [0, 1, 1]),
            (&["0 2 -"], &[], Given::Mentions, [0, 0, 1]),
            (&["0 2 A"], &["0 2 A", "5 6 B", "5 6 C"], Given::Mentions, [1, 0, 0]),
            (&["0 2 A"], &["0 2 A", "5 6 B", "5 6 C"], Given::Nothing, [1, 1, 0]),
        ] {
            assert_eq!(counts(gold, system, given), expected, "{gold:?} {system:?}");
        }
    }
}
