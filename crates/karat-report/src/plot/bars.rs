//! Bars in groups, lying, so that labels have room.

use crate::plot::Plot;
use crate::plot::axis::{Axis, Ruler, Scale, decimal, label_width};
use crate::plot::clip::Rectangle;
use crate::plot::frame::{Anchor, BELOW_PANEL, Entry, MARGIN, Panel, Sheet, Symbol};
use crate::plot::lettering::{SMALL, TEXT, columns, width};
use crate::plot::look;
use crate::plot::svg::Element;
use crate::plot::terminal::{self, Glyphs, label_columns};

/// Bars of several series, side by side for each group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// What stands over it.
    pub title: String,
    /// What the length of a bar means. Bars begin at zero, or where the axis does.
    pub x: Axis,
    /// The labels of the groups.
    pub groups: Vec<String>,
    /// The series, each with a bar for every group.
    pub series: Vec<BarSeries>,
    /// How many decimals numbers get; one more than the axis has if not given.
    pub decimals: Option<usize>,
}

/// The bars of one colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BarSeries {
    /// Its name.
    pub name: String,
    /// A bar for every group.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Where it ends; there is none if this is not finite.
    pub value: f64,
    /// An interval around it.
    pub interval: Option<(f64, f64)>,
}

impl From<f64> for Bar {
    fn from(value: f64) -> Bar {
        Bar { value, interval: None }
    }
}

const BAR: f64 = 15.0;
const BETWEEN_BARS: f64 = 3.0;
const BETWEEN_GROUPS: f64 = 12.0;
const LABEL_ROW: f64 = 20.0;

impl Plot for Bars {
    fn svg_of_width(&self, wide: u16) -> String {
        let mut sheet = Sheet::new(wide);
        let top = sheet.heading(&self.title);
        let top = sheet.legend(&self.entries(), top);
        let layout = self.layout(sheet.width);
        let x = Ruler::along(&self.x, self.values(), layout.right - layout.left, label_width);
        let height = (BETWEEN_GROUPS + layout.group_height) * self.groups.len() as f64;
        let bottom = top + height + BETWEEN_GROUPS;
        let area = Rectangle { left: layout.left, top, right: layout.right, bottom };
        let panel = Panel { area };
        panel.horizontal_axis(&mut sheet, &x, &self.x.label);
        let mut y = top + BETWEEN_GROUPS;
        for (group, label) in self.groups.iter().enumerate() {
            let (at, room) = if layout.is_beside {
                ((MARGIN, y + layout.group_height / 2.0), layout.labels)
            } else {
                ((MARGIN, y + LABEL_ROW / 2.0), sheet.width - 2.0 * MARGIN)
            };
            sheet.label(label, at, Anchor::Start, TEXT, room + 0.1, "halo");
            let mut top = if layout.is_beside { y } else { y + LABEL_ROW };
            for (index, series) in self.series.iter().enumerate() {
                if let Some(bar) = series.bars.get(group) {
                    let title = format!(
                        "{label}, {}: {}",
                        series.name,
                        printed(bar, layout.decimals, true)
                    );
                    draw(&mut sheet, index, bar, (&panel, &x), top, &title);
                    let at = (sheet.width - MARGIN, top + BAR / 2.0);
                    let number = printed(bar, layout.decimals, layout.with_intervals);
                    let room = width(&number, SMALL) + 0.1;
                    sheet.label(&number, at, Anchor::End, SMALL, room, "soft halo");
                }
                top += BAR + BETWEEN_BARS;
            }
            y += layout.group_height + BETWEEN_GROUPS;
        }
        sheet.finish(bottom + BELOW_PANEL, &self.title, &self.description())
    }

    fn text_with(&self, wide: u16, glyphs: Glyphs) -> String {
        let wide = terminal::usable(wide);
        let is_single = self.series.len() < 2;
        let longest = self.groups.iter().map(|group| columns(group)).max().unwrap_or(0);
        let before = if is_single { longest.min(wide / 3) + 1 } else { 4 };
        let all = self.series.iter().flat_map(|series| &series.bars);
        let decimals = self.decimals();
        let printed =
            |bar: &Bar, with_interval| glyphs.spelled(&printed(bar, decimals, with_interval));
        let room = |with_interval: bool| {
            let longest = all.clone().map(|bar| columns(&printed(bar, with_interval))).max();
            wide.saturating_sub(before + 2 + longest.unwrap_or(0))
        };
        let with_interval = room(true) >= wide / 3;
        let length = room(with_interval).max(8);
        let x = Ruler::along(&self.x, self.values(), length as f64, label_columns);
        let mut text = terminal::title(&self.title, wide, glyphs);
        for (group, label) in self.groups.iter().enumerate() {
            if !is_single {
                text += &glyphs.shortened(label, wide);
                text.push('\n');
            }
            for (index, series) in self.series.iter().enumerate() {
                let Some(bar) = series.bars.get(group) else { continue };
                let start = if is_single {
                    glyphs.padded(label, before - 1)
                } else {
                    format!("  {}", terminal::letter(index))
                };
                let blocks = self.blocks(bar, &x, length, glyphs);
                let line = format!("{start}  {blocks} {}", printed(bar, with_interval));
                text += &glyphs.shortened(line.trim_end(), wide);
                text.push('\n');
            }
        }
        text += &terminal::below(&x, &self.x.label, before, length, glyphs);
        let names = self.series.iter().enumerate();
        let entries: Vec<_> = names
            .filter(|_| !is_single)
            .map(|(index, series)| (terminal::letter(index).to_string(), series.name.clone()))
            .collect();
        text + &terminal::legend(&entries, wide, glyphs)
    }
}

struct Layout {
    is_beside: bool,
    with_intervals: bool,
    decimals: usize,
    labels: f64,
    left: f64,
    right: f64,
    group_height: f64,
}

impl Bars {
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let bars = self.series.iter().flat_map(|series| &series.bars);
        let limits = |bar: &Bar| bar.interval.map_or([bar.value; 2], |(low, high)| [low, high]);
        // A bar shows an amount, so the axis has its zero.
        bars.flat_map(move |bar| [bar.value].into_iter().chain(limits(bar))).chain([0.0])
    }

    fn entries(&self) -> Vec<Entry> {
        let many = self.series.len() > 1;
        let series = self.series.iter().enumerate().filter(|_| many);
        series
            .map(|(index, series)| Entry {
                series: index,
                name: series.name.clone(),
                symbol: Symbol::Area,
            })
            .collect()
    }

    fn layout(&self, sheet: f64) -> Layout {
        let labels = self.groups.iter().map(|group| width(group, TEXT)).fold(0.0, f64::max);
        let is_beside = sheet >= 440.0 || labels <= 0.2 * sheet;
        let labels = labels.min(0.3 * sheet);
        let all = || self.series.iter().flat_map(|series| &series.bars);
        let decimals = self.decimals();
        let longest = |with_interval: bool| {
            let texts = all().map(|bar| printed(bar, decimals, with_interval));
            texts.map(|text| width(&text, SMALL)).fold(0.0, f64::max)
        };
        let with_intervals = longest(true) <= 0.3 * sheet;
        let numbers = longest(with_intervals);
        let left = if is_beside { MARGIN + labels + 12.0 } else { MARGIN + 6.0 };
        let right = (sheet - MARGIN - numbers - 12.0).max(left + 40.0);
        let bars = (BAR + BETWEEN_BARS) * self.series.len() as f64;
        let group_height = if is_beside { bars.max(LABEL_ROW) } else { bars + LABEL_ROW };
        Layout { is_beside, with_intervals, decimals, labels, left, right, group_height }
    }

    fn decimals(&self) -> usize {
        let fine = || Ruler::new(&self.x, self.values(), 10).fine_decimals();
        self.decimals.unwrap_or_else(fine)
    }

    fn blocks(&self, bar: &Bar, x: &Ruler, length: usize, glyphs: Glyphs) -> String {
        let Some(end) = x.fraction(bar.value) else { return " ".repeat(length) };
        let start = base(self.x.scale, x).clamp(0.0, 1.0);
        let end = end.clamp(0.0, 1.0);
        let eighths = |fraction: f64| (fraction * 8.0 * length as f64).round() as usize;
        let (from, to) = (eighths(start.min(end)), eighths(start.max(end)));
        let partial = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
        let cell = |column: usize| {
            let covered = to.min(8 * column + 8).saturating_sub(from.max(8 * column));
            let at_end = glyphs == Glyphs::Unicode && from <= 8 * column;
            match covered {
                0 => ' ',
                8 => glyphs.choose('█', '#'),
                part if at_end => partial.get(part - 1).copied().unwrap_or(' '),
                part if part >= 4 => glyphs.choose('█', '#'),
                _ => ' ',
            }
        };
        (0..length).map(cell).collect()
    }

    fn description(&self) -> String {
        let decimals = self.decimals();
        let mut text =
            format!("Bars of {} series in {} groups", self.series.len(), self.groups.len());
        if !self.x.label.is_empty() {
            text += &format!(" by {}", self.x.label);
        }
        text += ". ";
        for (group, label) in self.groups.iter().take(20).enumerate() {
            for series in self.series.iter().take(10) {
                if let Some(bar) = series.bars.get(group) {
                    text +=
                        &format!("{label}, {}: {}. ", series.name, printed(bar, decimals, true));
                }
            }
        }
        text.trim_end().to_owned()
    }
}

fn printed(bar: &Bar, decimals: usize, with_interval: bool) -> String {
    let number = |value| decimal(value, decimals);
    match bar.interval.filter(|_| with_interval) {
        Some((low, high)) => {
            format!("{} [{}, {}]", number(bar.value), number(low), number(high))
        }
        None => number(bar.value),
    }
}

/// Where bars begin.
fn base(scale: Scale, x: &Ruler) -> f64 {
    match scale {
        Scale::Linear => x.fraction(0.0).unwrap_or(0.0),
        Scale::Logarithmic => 0.0,
    }
}

fn draw(
    sheet: &mut Sheet,
    index: usize,
    bar: &Bar,
    (panel, x): (&Panel, &Ruler),
    top: f64,
    title: &str,
) {
    let Rectangle { left, right, .. } = panel.area;
    let Some(end) = panel.x(x, bar.value) else { return };
    let zero = panel.x(x, 0.0).unwrap_or(left).clamp(left, right);
    let end = end.clamp(left, right);
    let shape = Rectangle { left: zero.min(end), top, right: zero.max(end), bottom: top + BAR };
    let mut group = Element::new("g").title(title);
    for part in look::filled(index, shape) {
        group = group.child(part);
    }
    if let Some((low, high)) = bar.interval
        && let (Some(low), Some(high)) = (panel.x(x, low), panel.x(x, high))
    {
        let y = top + BAR / 2.0;
        let (low, high) = (low.clamp(left, right), high.clamp(left, right));
        for class in ["under", "line"] {
            group = group
                .child(Element::line((low, y), (high, y), class))
                .child(Element::line((low, y - 4.0), (low, y + 4.0), class))
                .child(Element::line((high, y - 4.0), (high, y + 4.0), class));
        }
    }
    sheet.add(group);
}
