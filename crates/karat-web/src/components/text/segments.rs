//! From cases to flat segments of text.
//!
//! Nested elements cannot show mentions that cross. So the text is cut at every place where a mention begins or ends,
//! and each segment says by its classes which strips run over or under it.

use super::lanes::{lanes, shared};
use super::marks::{Marks, category, letter};
use super::places::Places;
use karat::documents::{CaseOutcome, DocumentAnswer, TextCase};
use std::ops::Range;

/// How many lanes one layer has at most.
pub(super) const LANES_EACH: usize = 3;

/// How many lanes all layers have at most.
pub(super) const LANES: usize = 8;

/// A mention of one layer that is drawn.
#[derive(Debug, Clone)]
struct Strip {
    range: Range<usize>,
    /// The case, as a place among those of the document.
    case: usize,
    /// How it is drawn.
    style: char,
    lane: usize,
}

/// All strips of a text, layer by layer: gold first.
#[derive(Debug)]
pub(super) struct Staff {
    layers: Vec<Vec<Strip>>,
    /// How many lanes each layer has.
    given: Vec<usize>,
    /// How many mentions were drawn to the edge of a character.
    pub(super) widened: usize,
    /// For each case how many of its strips have no lane.
    pub(super) hidden: Vec<u32>,
}

/// A stretch of text over which nothing changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) range: Range<usize>,
    /// Its classes; empty where nothing is drawn.
    pub(super) classes: String,
    /// The cases that it belongs to, the shortest first.
    pub(super) cases: Vec<usize>,
}

impl Staff {
    /// The strips of these layers: 0 is gold, the others are runs.
    pub(super) fn new(
        answer: &DocumentAnswer,
        places: &Places<'_>,
        layers: &[usize],
        marks: Marks,
    ) -> Staff {
        let mut staff = Staff {
            layers: Vec::new(),
            given: Vec::new(),
            widened: 0,
            hidden: vec![0; answer.cases.len()],
        };
        for &layer in layers {
            let mut strips = Vec::new();
            for (at, case) in answer.cases.iter().enumerate() {
                for (start, end, style) in of_layer(case, layer, marks) {
                    let Some((range, is_wide)) = places.range(start, end) else { continue };
                    staff.widened += usize::from(is_wide);
                    strips.push(Strip { range, case: at, style, lane: 0 });
                }
            }
            let ranges: Vec<Range<usize>> = strips.iter().map(|it| it.range.clone()).collect();
            for (strip, lane) in strips.iter_mut().zip(lanes(&ranges)) {
                strip.lane = lane;
            }
            staff.layers.push(strips);
        }
        let needed: Vec<usize> = staff
            .layers
            .iter()
            .map(|strips| strips.iter().map(|strip| strip.lane + 1).max().unwrap_or_default())
            .collect();
        staff.given = shared(&needed, LANES_EACH, LANES);
        for (strips, given) in staff.layers.iter_mut().zip(&staff.given) {
            for strip in strips.iter().filter(|strip| strip.lane >= *given) {
                staff.hidden[strip.case] += 1;
            }
            strips.retain(|strip| strip.lane < *given);
        }
        staff
    }

    /// Cuts the text into segments at every end of a strip and at these places as well.
    pub(super) fn segments(&self, places: &Places<'_>, more: &[usize]) -> Vec<Segment> {
        let mut events: Vec<(usize, bool, usize, usize)> = Vec::new();
        for (layer, strips) in self.layers.iter().enumerate() {
            for (at, strip) in strips.iter().enumerate().filter(|(_, it)| !it.range.is_empty()) {
                events.push((strip.range.start, true, layer, at));
                events.push((strip.range.end, false, layer, at));
            }
        }
        // What ends comes before what begins at the same place, so that a lane is free again.
        events.sort_unstable();
        let mut cuts: Vec<usize> =
            events.iter().map(|event| event.0).chain(more.iter().copied()).collect();
        cuts.extend([places.shown.start, places.shown.end]);
        cuts.sort_unstable();
        cuts.dedup();
        let mut drawn: Vec<[Option<usize>; LANES_EACH]> =
            vec![[None; LANES_EACH]; self.layers.len()];
        let mut events = events.into_iter().peekable();
        let mut segments = Vec::with_capacity(cuts.len());
        for pair in cuts.windows(2) {
            while let Some((_, begins, layer, at)) = events.next_if(|event| event.0 <= pair[0]) {
                let place = &mut drawn[layer][self.layers[layer][at].lane];
                match begins {
                    true => *place = Some(at),
                    false if *place == Some(at) => *place = None,
                    false => {}
                }
            }
            segments.push(self.segment(pair[0]..pair[1], &drawn));
        }
        segments
    }

    fn segment(&self, range: Range<usize>, drawn: &[[Option<usize>; LANES_EACH]]) -> Segment {
        let mut classes = String::new();
        let mut cases: Vec<(usize, usize)> = Vec::new();
        for lane in 0..LANES_EACH {
            for (layer, lanes) in drawn.iter().enumerate() {
                let Some(strip) = lanes[lane].map(|at| &self.layers[layer][at]) else { continue };
                let (side, number) = match layer {
                    0 => ('g', lane),
                    _ => ('d', self.given[1..layer].iter().sum::<usize>() + lane),
                };
                classes.push(' ');
                classes.push(side);
                classes.push_str(&(number + 1).to_string());
                classes.push(strip.style);
                if !cases.iter().any(|(_, case)| *case == strip.case) {
                    cases.push((strip.range.len(), strip.case));
                }
            }
        }
        cases.sort_by_key(|(length, _)| *length);
        let cases = cases.into_iter().map(|(_, case)| case).collect();
        Segment { range, classes, cases }
    }

    /// How many lanes are over and under the text in this stretch: as many as its segments use.
    pub(super) fn height(segments: &[Segment]) -> [usize; 2] {
        let mut height = [0, 0];
        for class in segments.iter().flat_map(|segment| segment.classes.split(' ')) {
            let mut letters = class.chars();
            let side = usize::from(letters.next() == Some('d'));
            let number = letters.next().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
            height[side] = height[side].max(number as usize);
        }
        height
    }
}

/// What of a case is drawn in a layer: where, and how.
fn of_layer(case: &TextCase, layer: usize, marks: Marks) -> Vec<(u32, u32, char)> {
    if layer == 0 {
        let Some(gold) = &case.gold else { return Vec::new() };
        let parts = gold.readings.iter().flatten();
        let parts = parts.filter(|part| (part.start, part.end) != (case.start, case.end));
        let mut all = vec![(case.start, case.end, gold_style(case, marks))];
        all.extend(parts.map(|part| (part.start, part.end, 't')));
        return all;
    }
    let Some(run) = case.runs.get(layer - 1) else { return Vec::new() };
    let outcome = run.outcome.unwrap_or(CaseOutcome::Ignored);
    let said = run.prediction.iter().filter(|_| outcome != CaseOutcome::Missing);
    said.map(|said| (said.start, said.end, letter(outcome))).collect()
}

/// How gold is drawn: dotted where it does not count, dashed where every run missed it, double for NIL. Where
/// categories are marked, their colour is all that it says.
fn gold_style(case: &TextCase, marks: Marks) -> char {
    let Some(gold) = &case.gold else { return 'a' };
    if let Marks::Categories(dimension) = marks {
        let colour = category(case, dimension).map(|(_, colour)| colour as u32);
        return colour.and_then(|colour| char::from_digit(colour, 10)).unwrap_or('o');
    }
    let is_missing = |run: &karat::documents::RunAnswer| run.outcome == Some(CaseOutcome::Missing);
    match () {
        () if gold.ignored.is_some() => 'o',
        () if !case.runs.is_empty() && case.runs.iter().all(is_missing) => 'm',
        () if gold.answer.entity.is_none() => 'n',
        () => 'a',
    }
}
