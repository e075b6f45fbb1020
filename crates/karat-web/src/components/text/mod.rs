//! The annotated text: gold above the line, systems below, notes instead of boxes.
//!
//! The text stays a text: it can be read, searched, selected and copied. Strips are painted as backgrounds and never
//! change a width, so that Arabic letters stay joined and accents stay on their letters. After each mention stands
//! a small link to its entry in the apparatus ([`super::apparatus`]), which is all that a keyboard, a screen reader,
//! paper or a browser without scripts needs.
//!
//! Everything is bounded: strips by lanes, markers by places, blocks by length. A text of many megabytes is
//! shown in pages ([`pages_of`]).

mod lanes;
mod legend;
mod lines;
mod marks;
mod places;
mod segments;

pub use legend::{legend, outcome_key};
pub use lines::{LINES_SHOWN, lines};
pub use marks::{Marks, colour, sign, spoken};

use super::name::{is_invisible, symbol};
use karat::documents::{DocumentAnswer, TextCase};
use marks::{category, marker_label, marker_text, shown_outcome};
use maud::{Markup, html};
use places::Places;
use segments::{Segment, Staff};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// About how many bytes a block of text has: blocks out of sight are not laid out.
const BLOCK: usize = 1500;

/// How many markers stand at one place; the others are one more that says how many they are.
const MARKERS: usize = 3;

/// How many characters one page of a long text has.
pub const PAGE: u32 = 1_000_000;

/// How many cases one page of a text has, about.
pub const PAGE_CASES: usize = 10_000;

/// What of a document is shown, and how.
#[derive(Debug, Clone, Default)]
pub struct TextView {
    /// Which cases have a marker.
    pub marks: Marks,
    /// The stretch that is shown, in code points.
    pub stretch: Range<u32>,
    /// The number of the case that is selected.
    pub selected: Option<usize>,
    /// Cases whose markers cannot be linked to: a text that is shown twice has them once.
    pub without_ids: BTreeSet<usize>,
}

/// A text with its layers.
pub fn annotated(answer: &DocumentAnswer, view: &TextView) -> Markup {
    let Some(text) = &answer.text else { return html! {} };
    let places = Places::new(text, view.stretch.clone());
    let layers: Vec<usize> = (0..=answer.runs.len()).collect();
    let staff = Staff::new(answer, &places, &layers, view.marks);
    let markers = markers(answer, &places, view.marks);
    let blocks = places.blocks(BLOCK);
    let mut cuts: Vec<usize> = markers.keys().copied().collect();
    cuts.extend(blocks.iter().map(|block| block.start));
    let segments = staff.segments(&places, &cuts);
    let drawing = Drawing { answer, view, places: &places, staff: &staff, markers: &markers };
    let lang = answer.language.as_deref().filter(|tag| is_language(tag));
    let mut rest = segments.as_slice();
    let of_blocks = blocks.iter().map(|block| {
        let (own, after) = rest.split_at(rest.partition_point(|it| it.range.start < block.end));
        rest = after;
        own
    });
    let of_blocks: Vec<&[Segment]> = of_blocks.collect();
    html! {
        (notes(answer, &places, &staff))
        div.t data-text data-long[blocks.len() > 2] {
            @for own in of_blocks { (drawing.block(own, lang)) }
        }
    }
}

/// The stretches in which a document is shown, one after the other: one for most.
pub fn pages_of(answer: &DocumentAnswer, shown: Range<u32>) -> Vec<Range<u32>> {
    let mut pages = Vec::new();
    let mut start = shown.start;
    let mut cases = answer.cases.iter().filter(|case| shown.contains(&case.start)).peekable();
    while start < shown.end {
        let mut end = start.saturating_add(PAGE).min(shown.end);
        let mut number = 0;
        while let Some(case) = cases.next_if(|case| case.start < end) {
            number += 1;
            // Cases that begin at one place stay together, however many they are.
            if number >= PAGE_CASES && case.start > start {
                end = end.min(case.start + 1);
            }
        }
        pages.push(start..end);
        start = end;
    }
    if pages.is_empty() {
        pages.push(shown);
    }
    pages
}

/// The markers, by the place in the text after which they stand: inner mentions first.
fn markers(
    answer: &DocumentAnswer,
    places: &Places<'_>,
    marks: Marks,
) -> BTreeMap<usize, Vec<usize>> {
    let mut markers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, case) in answer.cases.iter().enumerate().filter(|(_, case)| marks.has(case)) {
        if let Some((range, _)) = places.range(case.start, case.end) {
            markers.entry(places.end_of_word(range.end)).or_default().push(at);
        }
    }
    for cases in markers.values_mut() {
        cases.sort_by_key(|at| std::cmp::Reverse(answer.cases[*at].start));
    }
    markers
}

struct Drawing<'d, 't> {
    answer: &'d DocumentAnswer,
    view: &'d TextView,
    places: &'d Places<'t>,
    staff: &'d Staff,
    markers: &'d BTreeMap<usize, Vec<usize>>,
}

impl Drawing<'_, '_> {
    fn block(&self, segments: &[Segment], lang: Option<&str>) -> Markup {
        let [over, under] = Staff::height(segments);
        let start = segments.first().map_or(0, |segment| segment.range.start);
        html! {
            p class={ "b u" (over) " w" (under) } dir="auto" lang=[lang] {
                // Only at the very start of the text nothing stands before a marker.
                @if start == self.places.shown.start { (self.markers_at(start)) }
                @for segment in segments {
                    (self.segment(segment))
                    (self.markers_at(segment.range.end))
                }
            }
        }
    }

    fn segment(&self, segment: &Segment) -> Markup {
        let text = as_shown(&self.places.text()[segment.range.clone()]);
        if segment.classes.is_empty() {
            return html! { (text) };
        }
        let mut cases = String::new();
        for at in &segment.cases {
            if !cases.is_empty() {
                cases.push(' ');
            }
            cases.push_str(&self.answer.cases[*at].number.to_string());
        }
        let is_selected = |at: &usize| Some(self.answer.cases[*at].number) == self.view.selected;
        let on = if segment.cases.iter().any(is_selected) { " on" } else { "" };
        html! { span class={ "s" (segment.classes) (on) } data-c=(cases) { (text) } }
    }

    fn markers_at(&self, place: usize) -> Markup {
        let Some(cases) = self.markers.get(&place) else { return html! {} };
        // One more than fits is shown itself, where it would be the only one that is not.
        let shown = if cases.len() == MARKERS + 1 { MARKERS + 1 } else { MARKERS };
        html! {
            @for at in cases.iter().take(shown) { (self.marker(*at)) }
            @if let Some(next) = cases.get(shown) {
                @let more = cases.len() - shown;
                a.k.oi href={ "#c" (self.answer.cases[*next].number) }
                    aria-label={ "+" (more) " more mentions end here" } { "+" (more) }
            }
        }
    }

    fn marker(&self, at: usize) -> Markup {
        let case = &self.answer.cases[at];
        let number = case.number;
        let tone = match self.view.marks {
            Marks::Categories(dimension) => match category(case, dimension) {
                Some((_, number)) => format!("q{number}"),
                None => "oi".to_owned(),
            },
            _ => shown_outcome(case).map_or("oi", colour).to_owned(),
        };
        let on = if self.view.selected == Some(number) { " on" } else { "" };
        let id = (!self.view.without_ids.contains(&number)).then(|| format!("t{number}"));
        // A link to a mention goes there, also without scripts.
        let is_goal = !on.is_empty() && id.is_some();
        let chain = case.gold.as_ref().and_then(|gold| gold.chain);
        let mut shown = marker_text(case, self.view.marks);
        let hidden = self.staff.hidden[at];
        if hidden > 0 {
            shown.push_str(&format!("+{hidden}"));
        }
        html! {
            a class={ "k " (tone) (on) } href={ "#c" (number) } id=[id] data-h=[chain]
                data-e[case.has_error()] autofocus[is_goal] aria-label=(marker_label(self.answer, case, &shown)) { (shown) }
        }
    }
}

/// What a reader of the text cannot see.
fn notes(answer: &DocumentAnswer, places: &Places<'_>, staff: &Staff) -> Markup {
    let shown = &places.text()[places.shown.clone()];
    let mut invisible: BTreeMap<char, usize> = BTreeMap::new();
    for c in shown.chars().filter(|c| is_invisible(*c) && !matches!(c, '\t' | '\n' | '\r')) {
        *invisible.entry(c).or_default() += 1;
    }
    let hidden: u32 = staff.hidden.iter().sum();
    let mut notes: Vec<String> = Vec::new();
    if !invisible.is_empty() {
        let kinds: Vec<String> = invisible
            .iter()
            .take(5)
            .map(|(c, count)| format!("U+{:04X} ({count})", *c as u32))
            .collect();
        let more = if invisible.len() > 5 { ", …" } else { "" };
        let joined = kinds.join(", ");
        notes.push(format!("The text has characters that cannot be seen: {joined}{more}."));
    }
    if staff.widened > 0 {
        notes.push(format!(
            "{} inside a character and {} drawn to its edge.",
            counted(staff.widened, "mention begins or ends", "mentions begin or end"),
            if staff.widened == 1 { "is" } else { "are" },
        ));
    }
    if hidden > 0 {
        notes.push(format!(
            "{} too deeply nested to be drawn; markers say so by +1, +2 …",
            counted(hidden as usize, "mention is", "mentions are")
        ));
    }
    let undrawn = answer.runs.len().saturating_sub(segments::LANES - 1);
    if undrawn > 0 {
        let is = if undrawn == 1 { "run is" } else { "runs are" };
        notes.push(format!("The last {undrawn} {is} not drawn; the notes have all."));
    }
    html! { @for note in notes { p.note { (note) } } }
}

/// A number with what it counts.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Text as a page may hold it: controls that HTML forbids are shown as symbols.
pub(crate) fn as_shown(text: &str) -> Cow<'_, str> {
    let is_forbidden = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    match text.contains(is_forbidden) {
        false => Cow::Borrowed(text),
        true => text
            .chars()
            .map(|c| if is_forbidden(c) { symbol(c).unwrap_or('\u{fffd}') } else { c })
            .collect::<String>()
            .into(),
    }
}

/// Whether this may stand in `lang`.
pub(crate) fn is_language(tag: &str) -> bool {
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    };
    tag.len() <= 35 && tag.split('-').all(is_part)
}

/// Whether any of these cases is marked.
pub fn has_marks(cases: &[TextCase], marks: Marks) -> bool {
    cases.iter().any(|case| marks.has(case))
}

#[cfg(test)]
mod tests;
