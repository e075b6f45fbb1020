//! The diagram as SVG: in Demšar's form where there is room for names on both
//! sides of the axis, as a list otherwise.

use super::{CriticalDifference, RankedSystem, levels};
use crate::plot::axis::{Ruler, decimal, label_width};
use crate::plot::clip::Rectangle;
use crate::plot::frame::{Anchor, MARGIN, Panel, Sheet};
use crate::plot::lettering::{SMALL, TEXT, width, wrapped};
use crate::plot::look;
use crate::plot::svg::{Element, path_data};

const ROW: f64 = 22.0;
const BAR: f64 = 9.0;

pub(super) fn svg(diagram: &CriticalDifference, wide: u16) -> String {
    let mut sheet = Sheet::new(wide);
    let top = sheet.heading(&diagram.title);
    let ranked = diagram.ranked();
    let names = ranked.iter().map(|system| width(&system.name, TEXT)).fold(0.0, f64::max);
    let ranks = ranked.iter().map(|system| width(&rank(system), TEXT)).fold(0.0, f64::max);
    let names = names.min(0.32 * sheet.width - ranks).max(0.0);
    let left = MARGIN + names + ranks + 20.0;
    let length = sheet.width - 2.0 * left;
    // Names on both sides need an axis between them on which the ticks can be told apart.
    let has_room = length >= 0.4 * sheet.width && length >= 12.0 * ranked.len() as f64;
    let drawing = Drawing { diagram, ranked: &ranked, names, ranks };
    let bottom = if has_room {
        drawing.two_sided(&mut sheet, top, left)
    } else {
        drawing.list(&mut sheet, top, left)
    };
    let bars = diagram.bars(&ranked);
    let explanation =
        if bars.is_empty() { "" } else { "Systems along one bar are not told apart." };
    let bottom = [explanation, &diagram.note]
        .into_iter()
        .fold(bottom, |bottom, sentence| explain(&mut sheet, sentence, bottom));
    sheet.finish(bottom + MARGIN, &diagram.title, &diagram.description(&ranked))
}

struct Drawing<'a> {
    diagram: &'a CriticalDifference,
    ranked: &'a [&'a RankedSystem],
    names: f64,
    ranks: f64,
}

impl Drawing<'_> {
    /// Names on both sides of the axis, bars below it.
    fn two_sided(&self, sheet: &mut Sheet, top: f64, left: f64) -> f64 {
        let right = sheet.width - left;
        let x = self.diagram.ruler(right - left, label_width);
        let top = self.difference(sheet, &x, (left, right), top);
        let line = top + 24.0;
        let panel = Panel { area: Rectangle { left, top: line, right, bottom: line } };
        axis(sheet, &panel, &x, line);
        let bars = self.bars_below(sheet, (&panel, &x), line + 12.0);
        self.names_beside(sheet, (&panel, &x), bars + 8.0)
    }

    /// A row for each system, bars at the right.
    fn list(&self, sheet: &mut Sheet, top: f64, left: f64) -> f64 {
        let bars = self.diagram.bars(self.ranked);
        let levels = levels(&bars);
        let columns = levels.iter().max().map_or(0, |level| level + 1) as f64;
        let spacing =
            if columns * BAR > 0.25 * sheet.width { 0.25 * sheet.width / columns } else { BAR };
        let right = sheet.width - MARGIN - columns * spacing - 10.0;
        let x = self.diagram.ruler(right - left, label_width);
        let top = self.difference(sheet, &x, (left, right), top);
        let line = top + 24.0;
        let bottom = line + 4.0 + ROW * self.ranked.len() as f64;
        let panel = Panel { area: Rectangle { left, top: line, right, bottom } };
        axis(sheet, &panel, &x, line);
        for tick in x.ticks.iter().filter_map(|tick| panel.x(&x, tick.value)) {
            sheet.add(Element::line((tick, line), (tick, bottom), "thin grid"));
        }
        let middle = |place: usize| line + 4.0 + ROW * (place as f64 + 0.5);
        for (place, system) in self.ranked.iter().enumerate() {
            let Some(at) = panel.x(&x, system.rank) else { continue };
            let y = middle(place);
            let names_at = (MARGIN, y);
            self.name(sheet, system, names_at, Anchor::Start);
            let ranks_at = (MARGIN + self.names + 8.0 + self.ranks, y);
            sheet.label(&rank(system), ranks_at, Anchor::End, TEXT, self.ranks + 0.1, "soft");
            sheet.add(
                Element::line((left, y), (at, y), "thin soft").with("stroke-dasharray", "1 3"),
            );
            let title = format!("{} {}", system.name, rank(system));
            sheet.add(look::marker(0, (at, y), 4.5).title(&title));
        }
        for ((first, last), level) in bars.iter().zip(levels) {
            let at = right + 12.0 + spacing * level as f64;
            let (from, to) = ((at, middle(*first) - 5.0), (at, middle(*last) + 5.0));
            sheet.add(self.bar(from, to, (*first, *last)));
        }
        bottom
    }

    /// The critical difference as a piece of the axis, with its value.
    fn difference(&self, sheet: &mut Sheet, x: &Ruler, (left, right): (f64, f64), top: f64) -> f64 {
        let Some(difference) = self.diagram.difference() else { return top };
        let label = format!("CD = {}", decimal(difference, 2));
        let share = x.fraction(x.low + difference).unwrap_or(0.0);
        let end = left + share * (right - left);
        let y = top + 10.0;
        let needed = width(&label, SMALL) + 0.1;
        // A ruler longer than the axis would say nothing.
        let start = if share <= 1.0 {
            sheet.add(Element::line((left, y), (end, y), "thin"));
            for x in [left, end] {
                sheet.add(Element::line((x, y - 4.0), (x, y + 4.0), "thin"));
            }
            end + 6.0
        } else {
            left
        };
        let last_start = sheet.width - MARGIN - needed;
        if start <= last_start {
            sheet.label(&label, (start, y), Anchor::Start, SMALL, needed, "");
            return y + 10.0;
        }
        let below = (left.min(last_start).max(0.0), y + 14.0);
        sheet.label(&label, below, Anchor::Start, SMALL, needed.min(sheet.width), "");
        y + 24.0
    }

    fn bars_below(&self, sheet: &mut Sheet, (panel, x): (&Panel, &Ruler), top: f64) -> f64 {
        let mut ends: Vec<f64> = Vec::new();
        for (first, last) in self.diagram.bars(self.ranked) {
            let place = |place: usize| panel.x(x, self.ranked.get(place)?.rank);
            let (Some(from), Some(to)) = (place(first), place(last)) else { continue };
            let (from, to) = (from - 4.0, to + 4.0);
            // A bar goes to the highest level where it does not touch the one before it.
            let level = ends.iter().position(|end| *end + 4.0 < from).unwrap_or(ends.len());
            match ends.get_mut(level) {
                Some(end) => *end = to,
                None => ends.push(to),
            }
            let y = top + level as f64 * BAR;
            sheet.add(self.bar((from, y), (to, y), (first, last)));
        }
        top + ends.len() as f64 * BAR
    }

    fn bar(&self, from: (f64, f64), to: (f64, f64), (first, last): (usize, usize)) -> Element {
        let names = self.ranked.get(first..=last).unwrap_or_default();
        let names: Vec<&str> = names.iter().map(|system| system.name.as_str()).collect();
        Element::line(from, to, "thick s2").title(&format!("not told apart: {}", names.join(", ")))
    }

    /// Draws the better half of the names at the left and the others at the right,
    /// each in a row of its own, and returns where they end.
    fn names_beside(&self, sheet: &mut Sheet, (panel, x): (&Panel, &Ruler), top: f64) -> f64 {
        let Rectangle { left, right, bottom: line, .. } = panel.area;
        let better = self.ranked.len().div_ceil(2);
        for (place, system) in self.ranked.iter().enumerate() {
            let Some(at) = panel.x(x, system.rank) else { continue };
            let is_left = place < better;
            let row = if is_left { place } else { self.ranked.len() - 1 - place };
            let y = top + ROW * (row as f64 + 0.5);
            let (end, away, anchor) = if is_left {
                (left - 4.0, -1.0, Anchor::End)
            } else {
                (right + 4.0, 1.0, Anchor::Start)
            };
            sheet.add(Element::path(&path_data(&[(at, line), (at, y), (end, y)]), "thin"));
            let rank_at = (end + away * 4.0, y);
            sheet.label(&rank(system), rank_at, anchor, TEXT, self.ranks + 0.1, "soft");
            let name_at = (end + away * (12.0 + self.ranks), y);
            self.name(sheet, system, name_at, anchor);
        }
        top + ROW * better as f64
    }

    /// Writes the name of a system, which may lead somewhere.
    fn name(&self, sheet: &mut Sheet, system: &RankedSystem, at: (f64, f64), anchor: Anchor) {
        let name = Sheet::lettered(&system.name, at, anchor, TEXT, self.names + 0.1, "");
        sheet.add_mark(name, &format!("{} {}", system.name, rank(system)), system.link.as_deref());
    }
}

/// Writes a sentence below what is drawn, and returns where it ends.
fn explain(sheet: &mut Sheet, sentence: &str, top: f64) -> f64 {
    let room = sheet.width - 2.0 * MARGIN;
    let lines = match sentence {
        "" => return top,
        sentence => wrapped(sentence, SMALL, room, 6),
    };
    let mut y = top + 14.0;
    for line in &lines {
        sheet.label(line, (MARGIN, y), Anchor::Start, SMALL, room, "soft");
        y += SMALL + 4.0;
    }
    y - SMALL + 2.0
}

fn rank(system: &RankedSystem) -> String {
    decimal(system.rank, 2)
}

fn axis(sheet: &mut Sheet, panel: &Panel, x: &Ruler, y: f64) {
    let Rectangle { left, right, .. } = panel.area;
    sheet.add(Element::line((left, y), (right, y), "thin"));
    for tick in &x.ticks {
        let Some(at) = panel.x(x, tick.value) else { continue };
        sheet.add(Element::line((at, y - 6.0), (at, y), "thin"));
        sheet.label(&tick.label, (at, y - 14.0), Anchor::Middle, SMALL, f64::INFINITY, "soft");
    }
}
