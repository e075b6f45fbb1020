//! Plots as text: a canvas of dots, and the axes and legends around it.
//!
//! No colour is used. Series are told apart by letters.

use crate::plot::axis::{Axis, Ruler};
use crate::plot::clip::{Point, Rectangle};
use crate::plot::lettering::{clean, columns, shortened_to_columns};

/// The characters that text is drawn with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Glyphs {
    /// Braille, blocks and lines.
    #[default]
    Unicode,
    /// Only ASCII, but for what is in labels.
    Ascii,
}

impl Glyphs {
    /// One of two spellings.
    pub(crate) fn choose<T>(self, unicode: T, ascii: T) -> T {
        match self {
            Glyphs::Unicode => unicode,
            Glyphs::Ascii => ascii,
        }
    }

    /// A text cut to so many columns.
    pub(crate) fn shortened(self, text: &str, room: usize) -> String {
        shortened_to_columns(text, room, self.choose("…", "..."))
    }

    /// A text in exactly so many columns.
    pub(crate) fn padded(self, text: &str, room: usize) -> String {
        let text = self.shortened(text, room);
        let missing = room.saturating_sub(columns(&text));
        text + &" ".repeat(missing)
    }

    /// A text in exactly so many columns, at their right end.
    pub(crate) fn right(self, text: &str, room: usize) -> String {
        let text = self.shortened(text, room);
        " ".repeat(room.saturating_sub(columns(&text))) + &text
    }

    /// Numbers and what stands beside them, as they may be shown.
    pub(crate) fn spelled(self, text: &str) -> String {
        let text: String = text.chars().map(clean).collect();
        self.choose(text.clone(), text.replace('∞', "inf").replace('–', "-"))
    }
}

/// The width that text is drawn in: what is narrower than 24 gets 24.
pub(crate) fn usable(width: u16) -> usize {
    // Wider than 240 columns no plot gets easier to read.
    usize::from(width.clamp(24, 240))
}

/// The letter of a series.
pub(crate) fn letter(series: usize) -> char {
    let letters = ('A'..='Z').chain('a'..='z');
    // After 52 series letters repeat; nobody can tell that many lines apart.
    letters.clone().nth(series % letters.count()).unwrap_or('*')
}

// The bits of the eight dots of a Braille character, by row and column (Unicode block U+2800).
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
const UNIT: Rectangle = Rectangle { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };

/// A rectangle of characters. Places on it are fractions of its width and of its
/// height, from the bottom.
#[derive(Debug)]
pub(crate) struct Canvas {
    glyphs: Glyphs,
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    dots: Vec<u8>,
    letters: Vec<Option<char>>,
}

impl Canvas {
    pub(crate) fn new(columns: usize, rows: usize, glyphs: Glyphs) -> Canvas {
        let cells = columns * rows;
        Canvas { glyphs, columns, rows, dots: vec![0; cells], letters: vec![None; cells] }
    }

    pub(crate) fn glyphs(&self) -> Glyphs {
        self.glyphs
    }

    /// The column and the row of a place.
    pub(crate) fn cell(&self, place: Point) -> (usize, usize) {
        let (x, y) = self.pixel(place);
        let (wide, high) = self.pixels_of_cell();
        (x / wide, y / high)
    }

    /// Draws a line from place to place, of which every `every`th dot is seen.
    pub(crate) fn stroke(&mut self, from: Point, to: Point, every: usize, letter: char) {
        // Cut at the edges first: a line that leaves the canvas far outside would need as many
        // steps as its length.
        let Some((from, to)) = UNIT.segment(from, to) else { return };
        let ((x0, y0), (x1, y1)) = (self.pixel(from), self.pixel(to));
        // As many steps as the longer side has pixels, so that a line has no gaps.
        let steps = x0.abs_diff(x1).max(y0.abs_diff(y1));
        for step in (0..=steps).step_by(every.max(1)) {
            let between = |from: usize, to: usize| {
                let share = step as f64 / steps.max(1) as f64;
                (from as f64 + share * (to as f64 - from as f64)).round() as usize
            };
            self.dot((between(x0, x1), between(y0, y1)), letter);
        }
    }

    /// Draws a character over whatever is at a cell.
    pub(crate) fn put(&mut self, (column, row): (usize, usize), character: char) {
        if let Some(cell) = self.index(column, row).and_then(|index| self.letters.get_mut(index)) {
            *cell = Some(character);
        }
    }

    /// Whether nothing is at a cell.
    pub(crate) fn is_free(&self, (column, row): (usize, usize)) -> bool {
        self.index(column, row).is_some_and(|index| {
            self.letters.get(index) == Some(&None) && self.dots.get(index) == Some(&0)
        })
    }

    /// The rows of the canvas from the top.
    pub(crate) fn lines(&self) -> Vec<String> {
        let character = |(dots, letter): (&u8, &Option<char>)| match (letter, dots) {
            (Some(letter), _) => *letter,
            (None, 0) => ' ',
            (None, dots) => char::from_u32(0x2800 + u32::from(*dots)).unwrap_or(' '),
        };
        let cells: Vec<char> = self.dots.iter().zip(&self.letters).map(character).collect();
        cells.chunks(self.columns.max(1)).map(|row| row.iter().collect()).collect()
    }

    fn dot(&mut self, (x, y): (usize, usize), letter: char) {
        let (wide, high) = self.pixels_of_cell();
        let Some(index) = self.index(x / wide, y / high) else { return };
        match self.glyphs {
            Glyphs::Ascii => {
                if let Some(cell) = self.letters.get_mut(index) {
                    *cell = Some(letter);
                }
            }
            Glyphs::Unicode => {
                let bit = DOTS.get(y % high).and_then(|row| row.get(x % wide));
                if let (Some(cell), Some(bit)) = (self.dots.get_mut(index), bit) {
                    // Dots of several lines share a cell, so they are added and not replaced.
                    *cell |= bit;
                }
            }
        }
    }

    fn index(&self, column: usize, row: usize) -> Option<usize> {
        (column < self.columns && row < self.rows).then(|| row * self.columns + column)
    }

    fn pixels_of_cell(&self) -> (usize, usize) {
        self.glyphs.choose((2, 4), (1, 1))
    }

    fn pixel(&self, (x, y): Point) -> (usize, usize) {
        let (wide, high) = self.pixels_of_cell();
        let (right, bottom) = ((self.columns * wide) as f64 - 1.0, (self.rows * high) as f64 - 1.0);
        let at = |fraction: f64, last: f64| (fraction.clamp(0.0, 1.0) * last).round() as usize;
        (at(x, right), at(1.0 - y, bottom))
    }
}

/// How many columns a label of a tick takes.
pub(crate) fn label_columns(label: &str) -> f64 {
    columns(label) as f64
}

/// A title over the rest, cut to the width.
pub(crate) fn title(title: &str, width: usize, glyphs: Glyphs) -> String {
    if title.is_empty() { String::new() } else { glyphs.shortened(title, width) + "\n" }
}

/// A canvas between its axes; `left` columns are for the labels of the vertical one.
pub(crate) fn framed(
    canvas: &Canvas,
    left: usize,
    rulers: (&Ruler, &Ruler),
    axes: (&Axis, &Axis),
) -> String {
    let glyphs = canvas.glyphs;
    let mut labels = vec![None; canvas.rows];
    for tick in &rulers.1.ticks {
        let Some(fraction) = rulers.1.fraction(tick.value) else { continue };
        let row = canvas.cell((0.0, fraction)).1;
        // The first of two labels on one row stays; overwriting it would put the wrong number at
        // its tick.
        if let Some(free @ None) = labels.get_mut(row) {
            *free = Some(tick.label.as_str());
        }
    }
    let mut text = String::new();
    if !axes.1.label.is_empty() {
        text += &glyphs.shortened(&axes.1.label, left + 2 + canvas.columns);
        text.push('\n');
    }
    for (line, label) in canvas.lines().iter().zip(labels) {
        let tick =
            if label.is_some() { glyphs.choose('┤', '+') } else { glyphs.choose('│', '|') };
        let label = glyphs.right(label.unwrap_or(""), left);
        text += format!("{label} {tick}{line}").trim_end();
        text.push('\n');
    }
    text + &below(rulers.0, &axes.0.label, left + 1, canvas.columns, glyphs)
}

/// A horizontal axis: a line with its ticks, their labels, and what it measures.
pub(crate) fn below(
    ruler: &Ruler,
    label: &str,
    indent: usize,
    columns_of_ruler: usize,
    glyphs: Glyphs,
) -> String {
    let mut line: Vec<char> = vec![glyphs.choose('─', '-'); columns_of_ruler + 1];
    if let Some(corner) = line.first_mut() {
        *corner = glyphs.choose('└', '+');
    }
    let width = indent + 1 + columns_of_ruler;
    let mut labels = String::new();
    for tick in &ruler.ticks {
        let Some(fraction) = ruler.fraction(tick.value).filter(|f| (0.0..=1.0).contains(f)) else {
            continue;
        };
        let column = (fraction * (columns_of_ruler as f64 - 1.0)).round() as usize + 1;
        if let Some(cell) = line.get_mut(column) {
            *cell = glyphs.choose('┬', '+');
        }
        let length = columns(&tick.label);
        let start = (indent + column).saturating_sub(length / 2).min(width.saturating_sub(length));
        // A label that would touch the one before it is left out; its tick stays.
        if labels.is_empty() || start > columns(&labels) {
            labels += &" ".repeat(start.saturating_sub(columns(&labels)));
            labels += &tick.label;
        }
    }
    let line: String = line.into_iter().collect();
    let mut text = format!("{}{line}\n{labels}\n", " ".repeat(indent));
    if !label.is_empty() {
        let label = glyphs.shortened(label, width);
        let middle = (width + indent).saturating_sub(columns(&label)) / 2;
        let start = middle.min(width.saturating_sub(columns(&label)));
        text += &format!("{}{label}\n", " ".repeat(start));
    }
    text
}

/// The entries of a legend, as many to a line as fit, and at most eight lines.
pub(crate) fn legend(entries: &[(String, String)], width: usize, glyphs: Glyphs) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (index, (sign, name)) in entries.iter().enumerate() {
        let entry = glyphs.shortened(&format!("{sign} {name}"), width);
        let count = lines.len();
        match lines.last_mut() {
            Some(line) if columns(line) + 3 + columns(&entry) <= width => {
                *line += &format!("   {entry}");
            }
            _ if count == 8 => {
                lines.push(format!("and {} more", entries.len() - index));
                break;
            }
            _ => lines.push(entry),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stroke_goes_from_corner_to_corner() {
        let mut canvas = Canvas::new(2, 1, Glyphs::Unicode);
        canvas.stroke((0.0, 0.0), (1.0, 1.0), 1, 'A');
        assert_eq!(canvas.lines(), ["⡠⠊"]);
        let mut canvas = Canvas::new(3, 3, Glyphs::Ascii);
        canvas.stroke((0.0, 0.0), (1.0, 1.0), 1, 'A');
        assert_eq!(canvas.lines(), ["  A", " A ", "A  "]);
    }

    #[test]
    fn labels_fill_their_columns() {
        assert_eq!(Glyphs::Unicode.padded("schwa", 7), "schwa  ");
        assert_eq!(Glyphs::Unicode.padded("schwartz", 5), "schw…");
        assert_eq!(Glyphs::Ascii.right("schwartz", 5), "sc...");
        assert_eq!(Glyphs::Unicode.padded("\u{1b}[2J", 5), "\u{fffd}[2J ");
    }

    #[test]
    fn long_legends_end() {
        let entries: Vec<_> = (0..1000).map(|n| (letter(n).to_string(), format!("n{n}"))).collect();
        let text = legend(&entries, 30, Glyphs::Unicode);
        assert_eq!(text.lines().count(), 9);
        assert!(text.lines().all(|line| columns(line) <= 30), "{text}");
    }
}
