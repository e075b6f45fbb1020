//! Forest plots: estimates with their intervals, one below the other.

use crate::plot::Plot;
use crate::plot::axis::{Axis, Ruler, decimal, label_width};
use crate::plot::clip::Rectangle;
use crate::plot::frame::{Anchor, BELOW_PANEL, MARGIN, Panel, Sheet};
use crate::plot::lettering::{BOLD, SMALL, TEXT, columns, shortened, width};
use crate::plot::look;
use crate::plot::svg::Element;
use crate::plot::terminal::{self, Glyphs, label_columns};

/// Estimates with their intervals, in the order given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    /// What stands over it.
    pub title: String,
    /// What is estimated.
    pub x: Axis,
    /// The estimates.
    pub rows: Vec<ForestRow>,
    /// A value to compare with, such as no difference.
    pub reference: Option<f64>,
    /// How many decimals numbers get; one more than the axis has if not given.
    pub decimals: Option<usize>,
}

/// One estimate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ForestRow {
    /// What it is an estimate for.
    pub label: String,
    /// The estimate; nothing is drawn if it is not finite.
    pub estimate: f64,
    /// Where its interval begins; may be infinite.
    pub low: f64,
    /// Where its interval ends; may be infinite.
    pub high: f64,
    /// What is printed after the numbers.
    pub note: Option<String>,
    /// What it belongs to; a heading is printed where this changes.
    pub group: Option<String>,
    /// Where its mark leads in an SVG on a page: an address that the page has made.
    pub link: Option<String>,
}

const ROW: f64 = 24.0;
/// Below this width labels and numbers stand over the intervals, not beside them.
const WIDE_ENOUGH: f64 = 440.0;

impl Plot for Forest {
    fn svg_of_width(&self, wide: u16) -> String {
        let mut sheet = Sheet::new(wide);
        let top = sheet.heading(&self.title);
        let layout = self.layout(sheet.width);
        let x = Ruler::along(&self.x, self.values(), layout.right - layout.left, label_width);
        let height = self.lines().iter().map(|line| layout.height(line)).sum::<f64>();
        let area =
            Rectangle { left: layout.left, top, right: layout.right, bottom: top + height + 4.0 };
        let panel = Panel { area };
        panel.horizontal_axis(&mut sheet, &x, &self.x.label);
        let reference = self.reference.and_then(|value| panel.x(&x, value));
        if let Some(at) = reference.filter(|at| (layout.left..=layout.right).contains(at)) {
            let line = Element::line((at, top), (at, area.bottom), "thin");
            sheet.add(line.with("stroke-dasharray", "4 3"));
        }
        let mut y = top;
        for line in self.lines() {
            match line {
                Line::Heading(group) => heading(&mut sheet, group, y + ROW / 2.0),
                Line::Row(row) => self.draw(&mut sheet, row, y, (&layout, &panel, &x)),
            }
            y += layout.height(&line);
        }
        sheet.finish(area.bottom + BELOW_PANEL, &self.title, &self.description())
    }

    fn text_with(&self, width: u16, glyphs: Glyphs) -> String {
        let width = terminal::usable(width);
        let decimals = self.decimals();
        let longest = |text: &dyn Fn(&ForestRow) -> String| {
            self.rows.iter().map(|row| columns(&text(row))).max().unwrap_or(0)
        };
        let labels = longest(&|row| row.label.clone()).min(width / 3) + self.indent();
        let numbers = longest(&|row| glyphs.spelled(&self.numbers(row, decimals)));
        // What is left for intervals beside labels and numbers. With little room, intervals go
        // below them.
        let beside = width.saturating_sub(labels + numbers + 4);
        let is_wide = beside >= 20;
        let columns_of_ruler = if is_wide { beside } else { width - 1 };
        let x = Ruler::along(&self.x, self.values(), columns_of_ruler as f64, label_columns);
        let mut text = terminal::title(&self.title, width, glyphs);
        for line in self.lines() {
            match line {
                Line::Heading(group) => text += &glyphs.shortened(group, width),
                Line::Row(row) => {
                    let label = " ".repeat(self.indent()) + &row.label;
                    let numbers = glyphs.spelled(&self.numbers(row, decimals));
                    let interval = self.interval(row, &x, columns_of_ruler, glyphs);
                    let row = if is_wide {
                        format!("{} {interval}  {numbers}", glyphs.padded(&label, labels))
                    } else {
                        let over = over(&label, &numbers, width, glyphs);
                        format!("{over}\n {interval}")
                    };
                    text += row.trim_end();
                }
            }
            text.push('\n');
        }
        let indent = if is_wide { labels } else { 0 };
        text + &terminal::below(&x, &self.x.label, indent, columns_of_ruler, glyphs)
    }
}

/// A line of the plot.
enum Line<'a> {
    Heading(&'a str),
    Row(&'a ForestRow),
}

/// Where things stand on a sheet.
struct Layout {
    is_wide: bool,
    left: f64,
    right: f64,
    labels: f64,
    decimals: usize,
}

impl Layout {
    fn height(&self, line: &Line<'_>) -> f64 {
        match line {
            Line::Row(_) if !self.is_wide => ROW + 16.0,
            _ => ROW,
        }
    }
}

impl Forest {
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let rows = self.rows.iter().flat_map(|row| [row.estimate, row.low, row.high]);
        rows.chain(self.reference)
    }

    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines = Vec::new();
        let mut group = None;
        for row in &self.rows {
            if row.group.is_some() && row.group.as_ref() != group {
                lines.extend(row.group.as_deref().map(Line::Heading));
            }
            group = row.group.as_ref();
            lines.push(Line::Row(row));
        }
        lines
    }

    fn indent(&self) -> usize {
        if self.rows.iter().any(|row| row.group.is_some()) { 2 } else { 0 }
    }

    fn layout(&self, sheet: f64) -> Layout {
        let decimals = self.decimals();
        let longest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let indent = self.indent() as f64 * 6.0;
        let labels = longest(&mut self.rows.iter().map(|row| width(&row.label, TEXT)));
        let labels = labels.min(0.3 * sheet) + indent;
        let numbers =
            longest(&mut self.rows.iter().map(|row| width(&self.numbers(row, decimals), SMALL)));
        let is_wide = sheet >= WIDE_ENOUGH && numbers <= 0.35 * sheet;
        let (left, right) = if is_wide {
            (MARGIN + labels + 12.0, sheet - MARGIN - numbers - 12.0)
        } else {
            (MARGIN + 8.0, sheet - MARGIN - 8.0)
        };
        Layout { is_wide, left, right, labels, decimals }
    }

    fn draw(
        &self,
        sheet: &mut Sheet,
        row: &ForestRow,
        top: f64,
        (layout, panel, x): (&Layout, &Panel, &Ruler),
    ) {
        let numbers = self.numbers(row, layout.decimals);
        let indent = MARGIN + self.indent() as f64 * 6.0;
        let end = sheet.width - MARGIN;
        let needed = width(&numbers, SMALL).min(0.6 * sheet.width) + 0.1;
        let y = top + ROW / 2.0;
        let room = if layout.is_wide { layout.labels } else { end - indent - needed - 8.0 };
        sheet.label(&row.label, (indent, y), Anchor::Start, TEXT, room + 0.1, "halo");
        let (at, anchor) =
            if layout.is_wide { (layout.right + 12.0, Anchor::Start) } else { (end, Anchor::End) };
        sheet.label(&numbers, (at, y), anchor, SMALL, needed, "soft halo");
        let y = if layout.is_wide { y } else { y + 16.0 };
        let Some(estimate) = panel.x(x, row.estimate) else { return };
        let Rectangle { left, right, .. } = panel.area;
        let place = |limit: f64| if limit.is_nan() { estimate } else { reach(panel, x, limit) };
        let (low, high) = (place(row.low), place(row.high));
        let title = format!("{}: {numbers}", row.label);
        let mut group = Element::new("g").title(&title);
        if row.link.is_some() {
            // A thin line is hard to hit: all of its row can be.
            let (wide, top) = (right - left, y - ROW / 2.0);
            let room = Element::rectangle(left, top, wide, ROW, "");
            group = group.child(room.with("fill", "none").with("pointer-events", "all"));
        }
        let (from, to) = (low.clamp(left, right), high.clamp(left, right));
        group = group.child(Element::line((from, y), (to, y), "line s1"));
        for (place, end, inwards) in [(low, left, 1.0), (high, right, -1.0)] {
            // An interval that goes on beyond the edge ends in an arrow.
            // A hundredth of a pixel is rounding and no arrow.
            let is_beyond = (place - end) * inwards < -0.01;
            let tip = if is_beyond { end } else { place.clamp(left, right) };
            group = group.child(if is_beyond {
                let back = tip + 8.0 * inwards;
                look::polygon(&[(tip, y), (back, y - 4.5), (back, y + 4.5)], "fill s1")
            } else {
                Element::line((tip, y - 5.0), (tip, y + 5.0), "line s1")
            });
        }
        if (left..=right).contains(&estimate) {
            group = group.child(look::marker(1, (estimate, y), 4.5));
        }
        sheet.add_mark(group, &title, row.link.as_deref());
    }

    fn numbers(&self, row: &ForestRow, decimals: usize) -> String {
        let printed = |value| decimal(value, decimals);
        let mut text = printed(row.estimate);
        if !row.low.is_nan() && !row.high.is_nan() {
            text += &format!(" [{}, {}]", printed(row.low), printed(row.high));
        }
        if let Some(note) = row.note.as_ref().filter(|note| !note.is_empty()) {
            text += &format!(" {note}");
        }
        text
    }

    fn decimals(&self) -> usize {
        let fine = || Ruler::new(&self.x, self.values(), 10).fine_decimals();
        self.decimals.unwrap_or_else(fine)
    }

    fn interval(&self, row: &ForestRow, x: &Ruler, columns: usize, glyphs: Glyphs) -> String {
        let mut cells = vec![' '; columns];
        let last = columns.saturating_sub(1) as f64;
        let column = |fraction: f64| (fraction.clamp(0.0, 1.0) * last).round() as usize;
        let mut put = |column: usize, character: char| {
            if let Some(cell) = cells.get_mut(column) {
                *cell = character;
            }
        };
        let reference = self.reference.and_then(|value| x.fraction(value));
        if let Some(reference) = reference.filter(|place| (0.0..=1.0).contains(place)) {
            put(column(reference), glyphs.choose('┊', ':'));
        }
        if let Some(estimate) = x.fraction(row.estimate) {
            let limit = |value: f64| if value.is_nan() { estimate } else { fraction(x, value) };
            let (low, high) = (limit(row.low), limit(row.high));
            let (from, to) = (column(low), column(high));
            (from..=to).for_each(|column| put(column, glyphs.choose('─', '-')));
            let ends = glyphs.choose(['├', '┤', '◀', '▶'], ['|', '|', '<', '>']);
            put(from, if low < 0.0 { ends[2] } else { ends[0] });
            put(to, if high > 1.0 { ends[3] } else { ends[1] });
            if (0.0..=1.0).contains(&estimate) {
                put(column(estimate), glyphs.choose('●', 'o'));
            }
        }
        cells.into_iter().collect()
    }

    fn description(&self) -> String {
        let decimals = self.decimals();
        let mut text = format!("Forest plot of {} estimates", self.rows.len());
        if !self.x.label.is_empty() {
            text += &format!(" of {}", self.x.label);
        }
        text += ". ";
        for row in self.rows.iter().take(40) {
            text += &format!("{}: {}. ", row.label, self.numbers(row, decimals));
        }
        text.trim_end().to_owned()
    }
}

/// A label and numbers on one line, or on two if there is no room for both.
fn over(label: &str, numbers: &str, width: usize, glyphs: Glyphs) -> String {
    // An empty label needs no room, but the numbers do.
    let room = width.checked_sub(columns(numbers) + 2);
    if let Some(room) = room.filter(|room| *room >= columns(label).min(10)) {
        return format!("{}  {numbers}", glyphs.padded(label, room));
    }
    format!("{}\n{}", glyphs.shortened(label, width), glyphs.right(numbers, width))
}

fn heading(sheet: &mut Sheet, group: &str, y: f64) {
    let room = sheet.width - 2.0 * MARGIN;
    // The wider letters of bold text are allowed for by asking for less room.
    let text = shortened(group, TEXT, room / BOLD);
    let element = Element::new("text").with("x", MARGIN).with("y", y + TEXT * 0.35);
    let element = element.with("font-size", TEXT).with("font-weight", "600").with("class", "halo");
    sheet.add(element.text(&text).title(group));
}

/// Where a limit is on a ruler, beyond its ends if it is infinite or has no place.
fn fraction(ruler: &Ruler, limit: f64) -> f64 {
    let beyond = if limit == f64::INFINITY { 2.0 } else { -1.0 };
    ruler.fraction(limit).unwrap_or(beyond)
}

fn reach(panel: &Panel, ruler: &Ruler, limit: f64) -> f64 {
    let Rectangle { left, right, .. } = panel.area;
    left + fraction(ruler, limit) * (right - left)
}
