//! Values in rows and columns, as numbers on colours.

use crate::plot::Plot;
use crate::plot::axis::{Axis, Ruler, decimal};
use crate::plot::clip::Rectangle;
use crate::plot::frame::{Anchor, MARGIN, Sheet};
use crate::plot::lettering::{
    SMALL, TEXT, columns, halves, inside_columns, shortened_inside, width,
};
use crate::plot::look;
use crate::plot::svg::Element;
use crate::plot::terminal::{self, Glyphs};
use std::collections::HashSet;

/// Values in rows and columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// What stands over it.
    pub title: String,
    /// What the values are.
    pub label: String,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The values, row by row; what is missing or not finite is hatched.
    pub values: Vec<Vec<Option<f64>>>,
    /// Where cells lead in an SVG on a page, row by row; empty if nowhere.
    pub links: Vec<Vec<Option<String>>>,
    /// The value of the lightest colour, if not the smallest.
    pub low: Option<f64>,
    /// The value of the darkest colour, if not the largest.
    pub high: Option<f64>,
    /// How many decimals numbers get; as many as tell a hundredth of the range if not
    /// given.
    pub decimals: Option<usize>,
}

const CELL_HEIGHT: f64 = 26.0;
/// Where names of rows take two lines.
const HIGH_CELL: f64 = 34.0;
const LINE_HEIGHT: f64 = 13.0;
/// A sheet is widened rather than have narrower cells.
const NARROWEST_CELL: f64 = 18.0;
const LONGEST_COLUMN_NAME: f64 = 120.0;
/// Names of rows get no more room than this to be told apart.
const WIDEST_NAMES: f64 = 600.0;
/// More rows than this are not described in words.
const MOST_DESCRIBED: usize = 60;

impl Plot for HeatMap {
    fn svg_of_width(&self, wide: u16) -> String {
        let mut sheet = Sheet::new(wide);
        let (room, names) = self.row_names(sheet.width);
        let left = MARGIN + room + 8.0;
        let count = self.columns.len().max(1) as f64;
        let cell = ((sheet.width - MARGIN - left) / count).clamp(NARROWEST_CELL, 120.0);
        sheet.width = sheet.width.max(left + cell * count + MARGIN);
        let top = sheet.heading(&self.title);
        let top = self.column_names(&mut sheet, top, left, cell);
        let scale = self.scale();
        let is_high = names.iter().any(|lines| lines.len() > 1);
        let height = if is_high { HIGH_CELL } else { CELL_HEIGHT };
        for (row, lines) in names.iter().enumerate() {
            let y = top + height * row as f64;
            let size = if lines.len() > 1 { SMALL } else { TEXT };
            for (line, shown) in lines.iter().enumerate() {
                let from_middle = (line as f64 - (lines.len() - 1) as f64 / 2.0) * LINE_HEIGHT;
                let (x, y) = (left - 8.0, y + height / 2.0 + from_middle + size * 0.35);
                let text = Element::new("text").with("x", x).with("y", y).with("font-size", size);
                let text = text.with("text-anchor", "end").text(shown);
                let name = self.rows.get(row).filter(|name| !name.contains(shown));
                sheet.add(match name {
                    Some(name) => text.title(name),
                    None => text,
                });
            }
            for column in 0..self.columns.len() {
                let x = left + cell * column as f64;
                let shape = Rectangle { left: x, top: y, right: x + cell, bottom: y + height };
                self.cell(&mut sheet, (row, column), shape, &scale);
            }
        }
        let bottom = top + height * self.rows.len() as f64;
        let bottom = self.key(&mut sheet, left, bottom + 14.0, &scale);
        sheet.finish(bottom + MARGIN, &self.title, &self.description())
    }

    fn text_with(&self, wide: u16, glyphs: Glyphs) -> String {
        let wide = terminal::usable(wide);
        let scale = self.scale();
        let longest = self.rows.iter().map(|name| columns(name)).max().unwrap_or(0);
        let (names, rows) = self.told_apart(longest.min(wide / 3) as f64, 1.0, |name, room| {
            let room = room as usize;
            let shown = inside_columns(name, room, glyphs.choose("…", "..."));
            (shown, room >= longest.min(wide * 2 / 3))
        });
        let names = names as usize;
        let printed = |row: usize, column: usize| match self.value(row, column) {
            Some(value) => {
                format!("{} {}", self.printed(value, &scale), shade(&scale, value, glyphs))
            }
            None => glyphs.choose("– ", "- ").to_owned(),
        };
        let widest = |column: usize, name: &str| {
            let cells = (0..self.rows.len()).map(|row| columns(&printed(row, column)));
            let cells = cells.max().unwrap_or(0);
            columns(name).clamp(cells, cells.max(12)).min(wide - names - 2)
        };
        let widths: Vec<usize> =
            self.columns.iter().enumerate().map(|(column, name)| widest(column, name)).collect();
        let mut text = terminal::title(&self.title, wide, glyphs);
        for part in parts(&widths, wide - names) {
            text += &glyphs.padded("", names);
            for (column, width) in part.clone().zip(widths.iter().skip(part.start)) {
                let name = self.columns.get(column).map_or("", String::as_str);
                text += &format!("  {}", glyphs.right(name, *width));
            }
            text.push('\n');
            for (row, name) in rows.iter().enumerate() {
                let mut line = glyphs.padded(name, names);
                for (column, width) in part.clone().zip(widths.iter().skip(part.start)) {
                    line += &format!("  {}", glyphs.right(&printed(row, column), *width));
                }
                text += line.trim_end();
                text.push('\n');
            }
        }
        if !self.label.is_empty() {
            text += &glyphs.shortened(&self.label, wide);
            text.push('\n');
        }
        text
    }
}

impl HeatMap {
    fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values.get(row)?.get(column).copied().flatten().filter(|value| value.is_finite())
    }

    /// How wide the names of rows are, and the lines of each: one, or two where it is long.
    fn row_names(&self, wide: f64) -> (f64, Vec<Vec<String>>) {
        let (narrow, usual) = (0.3 * wide, 0.45 * wide);
        let longest = self.rows.iter().map(|name| width(name, TEXT)).fold(0.0, f64::max);
        let broken = |name: &String| {
            let (first, second) = halves(name, SMALL);
            width(first, SMALL).max(width(second, SMALL))
        };
        let long = self.rows.iter().filter(|name| width(name, TEXT) > narrow);
        let needed = long.map(broken).fold(0.0, f64::max);
        let first = if longest <= narrow { longest } else { needed.clamp(narrow, usual) };
        self.told_apart(first, 16.0, |name, room| {
            let lines = match width(name, TEXT) <= room + 0.1 {
                true => vec![shortened_inside(name, TEXT, room + 0.1)],
                false => {
                    let (first, second) = halves(name, SMALL);
                    [first, second].map(|line| shortened_inside(line, SMALL, room)).to_vec()
                }
            };
            (lines, room >= needed.min(WIDEST_NAMES))
        })
    }

    /// The names of rows as they are shown in the least room, of at least this much, in which no two
    /// look alike that are different, or in which they are shown whole.
    fn told_apart<T: Eq + std::hash::Hash>(
        &self,
        mut room: f64,
        step: f64,
        shown: impl Fn(&str, f64) -> (T, bool),
    ) -> (f64, Vec<T>) {
        // Two rows with one name are the same row to a reader; they need not be told apart.
        let different = self.rows.iter().collect::<HashSet<_>>().len();
        loop {
            let (names, whole): (Vec<T>, Vec<bool>) =
                self.rows.iter().map(|name| shown(name, room)).unzip();
            let is_enough = names.iter().collect::<HashSet<_>>().len() == different;
            // At the latest when names are shown whole, so the loop ends.
            if is_enough || whole.into_iter().all(|whole| whole) {
                return (room, names);
            }
            room += step;
        }
    }

    fn scale(&self) -> Ruler {
        let axis = Axis { low: self.low, high: self.high, ..Axis::default() };
        let values = || self.values.iter().flatten().filter_map(|value| *value);
        let finite = || values().filter(|value| value.is_finite());
        let low = self.low.or_else(|| finite().reduce(f64::min));
        let high = self.high.or_else(|| finite().reduce(f64::max));
        Ruler::new(&Axis { low, high, ..axis }, values(), 10)
    }

    fn printed(&self, value: f64, scale: &Ruler) -> String {
        decimal(value, self.decimals.unwrap_or(scale.fine_decimals()))
    }

    /// Writes the names of columns, upright if they are wider than their column,
    /// and returns where the room below them begins.
    fn column_names(&self, sheet: &mut Sheet, top: f64, left: f64, cell: f64) -> f64 {
        let longest = self.columns.iter().map(|name| width(name, TEXT)).fold(0.0, f64::max);
        let is_flat = longest <= cell - 6.0;
        let height = if is_flat { 20.0 } else { longest.min(LONGEST_COLUMN_NAME) + 6.0 };
        for (column, name) in self.columns.iter().enumerate() {
            let x = left + cell * (column as f64 + 0.5);
            if is_flat {
                let at = (x, top + height / 2.0);
                sheet.label(name, at, Anchor::Middle, TEXT, cell, "");
            } else {
                let shown = shortened_inside(name, TEXT, LONGEST_COLUMN_NAME);
                let (x, y) = (x + TEXT * 0.35, top + height - 5.0);
                let turn = format!("rotate(-90 {x:.2} {y:.2})");
                let text = Element::new("text").with("x", x).with("y", y).with("font-size", TEXT);
                sheet.add(text.with("transform", turn.as_str()).text(&shown).title(name));
            }
        }
        top + height
    }

    fn cell(
        &self,
        sheet: &mut Sheet,
        (row, column): (usize, usize),
        shape: Rectangle,
        scale: &Ruler,
    ) {
        let Rectangle { left, top, right, bottom } = shape;
        let name = |names: &[String], index: usize| names.get(index).cloned().unwrap_or_default();
        let place = format!("{}, {}", name(&self.rows, row), name(&self.columns, column));
        let Some(value) = self.value(row, column) else {
            let hatch = look::hatched(shape, 6.0, true, "thin soft").with("stroke-opacity", ".6");
            sheet.add(hatch.title(&format!("{place}: no value")));
            return;
        };
        let number = self.printed(value, scale);
        let share = scale.fraction(value).unwrap_or(0.0).clamp(0.0, 1.0);
        // Half a pixel more on each side, or the paper shines through between cells.
        let rectangle = Element::rectangle(left, top, right - left + 0.5, bottom - top + 0.5, "");
        let colour = shading(share);
        let fill = hexadecimal(colour);
        let title = format!("{place}: {number}");
        let rectangle = rectangle.with("fill", fill.as_str()).title(&title);
        let link = self.links.get(row).and_then(|row| row.get(column)?.as_deref());
        sheet.add_mark(rectangle, &title, link);
        // A zero before the point may go where there is little room.
        let short = number.replacen("0.", ".", usize::from(value.abs() < 1.0));
        let fits = |text: &&String| width(text, SMALL) <= right - left - 2.0;
        if let Some(text) = [&number, &short].into_iter().find(fits) {
            let class = look::letters_on(colour);
            let at = ((left + right) / 2.0, (top + bottom) / 2.0);
            sheet.label(text, at, Anchor::Middle, SMALL, f64::INFINITY, class);
        }
    }

    /// Draws the scale of colours and returns where it ends.
    fn key(&self, sheet: &mut Sheet, left: f64, top: f64, scale: &Ruler) -> f64 {
        let (low, high) = (self.printed(scale.low, scale), self.printed(scale.high, scale));
        let ends = width(&low, SMALL) + width(&high, SMALL) + 12.0;
        let length = (sheet.width - left - MARGIN - ends).clamp(40.0, 160.0);
        let start = left.min(sheet.width - MARGIN - ends - length) + width(&low, SMALL) + 6.0;
        let y = top + 6.0;
        sheet.label(&low, (start - 6.0, y), Anchor::End, SMALL, f64::INFINITY, "soft");
        for step in 0..20 {
            let share = f64::from(step) / 19.0;
            let (x, wide) = (start + length * f64::from(step) / 20.0, length / 20.0 + 0.5);
            let part = Element::rectangle(x, top, wide, 12.0, "");
            sheet.add(part.with("fill", hexadecimal(shading(share)).as_str()));
        }
        let after = start + length + 6.0;
        sheet.label(&high, (after, y), Anchor::Start, SMALL, f64::INFINITY, "soft");
        let mut notes = vec![self.label.clone()];
        let cells = self.rows.len() * self.columns.len();
        let known = (0..self.rows.len())
            .flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)))
            .filter(|(row, column)| self.value(*row, *column).is_some());
        if known.count() < cells {
            notes.push("hatched: no value".to_owned());
        }
        notes.retain(|note| !note.is_empty());
        if notes.is_empty() {
            return top + 12.0;
        }
        let room = sheet.width - 2.0 * MARGIN;
        let text = notes.join("; ");
        let at = left.min(sheet.width - MARGIN - width(&text, SMALL)).max(MARGIN);
        sheet.label(&text, (at, top + 26.0), Anchor::Start, SMALL, room, "soft");
        top + 34.0
    }

    fn description(&self) -> String {
        let scale = self.scale();
        let mut text =
            format!("Table of {} rows and {} columns. ", self.rows.len(), self.columns.len());
        for (row, name) in self.rows.iter().enumerate().take(MOST_DESCRIBED) {
            text += &format!("{name}: ");
            for (column, of) in self.columns.iter().enumerate().take(20) {
                let value = self.value(row, column);
                let value =
                    value.map_or("no value".to_owned(), |value| self.printed(value, &scale));
                text += &format!("{of} {value}, ");
            }
        }
        let mut text = text.trim_end_matches([' ', ',']).to_owned();
        if self.rows.len() > MOST_DESCRIBED {
            text += &format!("; and {} more rows", self.rows.len() - MOST_DESCRIBED);
        }
        text
    }
}

/// The colour of a share of the scale: one hue that only gets darker, which is the
/// same order to everybody and in grey.
fn shading(share: f64) -> [u8; 3] {
    let anchors = [[238.0, 244.0, 250.0], [64.0, 150.0, 205.0], [0.0, 44.0, 84.0]];
    let at = share.clamp(0.0, 1.0) * 2.0;
    let (from, to, between) = match anchors {
        [light, middle, _] if at < 1.0 => (light, middle, at),
        [_, middle, dark] => (middle, dark, at - 1.0),
    };
    std::array::from_fn(|part| (from[part] + between * (to[part] - from[part])).round() as u8)
}

fn hexadecimal([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn shade(scale: &Ruler, value: f64, glyphs: Glyphs) -> char {
    let shades = glyphs.choose([' ', '░', '▒', '▓', '█'], [' ', '.', ':', 'o', '#']);
    let share = scale.fraction(value).unwrap_or(0.0).clamp(0.0, 1.0);
    shades.get((share * 4.999) as usize).copied().unwrap_or(' ')
}

/// Runs of columns that fit side by side.
fn parts(widths: &[usize], room: usize) -> Vec<std::ops::Range<usize>> {
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    let mut used = 0;
    for (column, width) in widths.iter().enumerate() {
        match parts.last_mut() {
            Some(part) if used + width + 2 <= room => part.end = column + 1,
            _ => {
                parts.push(column..column + 1);
                used = 0;
            }
        }
        used += width + 2;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_get_darker() {
        let lightness = |share: f64| {
            let [red, green, blue] = shading(share).map(u32::from);
            299 * red + 587 * green + 114 * blue
        };
        let all: Vec<u32> = (0..=50).map(|step| lightness(f64::from(step) / 50.0)).collect();
        assert!(all.is_sorted_by(|a, b| a > b), "{all:?}");
    }

    fn map(rows: Vec<String>) -> HeatMap {
        let values = vec![vec![Some(0.5); 3]; rows.len()];
        let columns = ["a", "b", "c"].map(str::to_owned).to_vec();
        HeatMap { rows, columns, values, ..HeatMap::default() }
    }

    #[test]
    fn names_of_rows_are_told_apart() {
        let base_forms = ["Mnt-Full", "Mnt-NumericTemporal"];
        let overlaps = ["Olp-Maximal", "Olp-Intermediate", "Olp-None"];
        let references = ["Ref-Direct", "Ref-Descriptive"];
        let mut rows = Vec::new();
        for base_form in base_forms {
            for overlap in overlaps {
                for reference in references {
                    rows.push(format!("{base_form}+PoS-NounSingular+{overlap}+{reference}"));
                }
            }
        }
        let map = map(rows);
        for wide in [320.0, 640.0, 1200.0] {
            let (_, names) = map.row_names(wide);
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), map.rows.len(), "{wide}");
        }
        let (room, names) = map.row_names(640.0);
        let whole = |(lines, name): (&Vec<String>, &String)| lines.concat() == *name;
        assert!(names.iter().zip(&map.rows).all(whole), "{names:?}");
        assert!(room < 0.45 * 640.0, "{room}");
        let text = map.text_with(80, Glyphs::Ascii);
        let lines: HashSet<&str> = text.lines().collect();
        assert!(lines.len() > map.rows.len(), "{text}");
    }

    #[test]
    fn short_names_stay_on_one_line_and_hostile_ones_end_somewhere() {
        let (room, names) = map(vec!["person".to_owned(), String::new()]).row_names(640.0);
        assert_eq!(names, [vec!["person".to_owned()], vec![String::new()]]);
        assert!(room < 60.0, "{room}");
        let ends = |middle: &str| format!("{0}{middle}{0}", "a ".repeat(50_000));
        let (room, _) = map(vec![ends("b"), ends("c")]).row_names(640.0);
        assert!(room <= WIDEST_NAMES + 16.0, "{room}");
        let equal = map(vec!["a very long name of a row of a map".to_owned(); 2]);
        assert!(equal.row_names(320.0).0 < 200.0, "nothing tells them apart");
    }

    #[test]
    fn columns_that_do_not_fit_go_below() {
        assert_eq!(parts(&[5, 5, 5], 14), [0..2, 2..3]);
        assert_eq!(parts(&[50, 50], 14), [0..1, 1..2]);
        assert_eq!(parts(&[], 14), []);
    }
}
