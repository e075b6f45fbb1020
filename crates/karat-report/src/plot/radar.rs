//! Values around a circle, one spoke for each axis.
//!
//! GERBIL draws its results so, and readers look for it. The area of a shape depends on the order of the axes and says
//! nothing; the note below the drawing says that, and a table or a heat map shows the same better.

use crate::plot::Plot;
use crate::plot::axis::decimal;
use crate::plot::frame::{Anchor, Entry, MARGIN, Sheet, Symbol};
use crate::plot::lettering::{SMALL, TEXT};
use crate::plot::look;
use crate::plot::svg::{Element, path_data};
use crate::plot::terminal::{self, Glyphs};
use std::f64::consts::TAU;

/// Values from 0 to 1 on three to eight axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Radar {
    /// What stands over it.
    pub title: String,
    /// The names of the axes. Fewer than three make no shape, and more than eight cannot be read: the first eight are
    /// drawn.
    pub axes: Vec<String>,
    /// What is drawn.
    pub series: Vec<RadarSeries>,
}

/// The values of one series.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RadarSeries {
    /// Its name.
    pub name: String,
    /// A value for each axis. What is missing or not finite leaves a gap: it is not 0.
    pub values: Vec<Option<f64>>,
    /// Where the marks of the series lead in an SVG on a page, axis by axis; empty if nowhere.
    pub links: Vec<Option<String>>,
}

/// So many axes can be drawn.
const MOST_AXES: usize = 8;

const NOTE: &str = "The size of a shape depends on the order of the axes and means nothing.";

impl Plot for Radar {
    fn svg_of_width(&self, wide: u16) -> String {
        let mut sheet = Sheet::new(wide);
        let top = sheet.heading(&self.title);
        let entries = self.series.iter().enumerate().map(|(series, it)| Entry {
            series,
            name: it.name.clone(),
            symbol: Symbol::Line { marked: true },
        });
        let top = sheet.legend(&entries.collect::<Vec<_>>(), top);
        let radius = (0.26 * sheet.width).min(170.0);
        let middle = (sheet.width / 2.0, top + radius + 2.0 * TEXT);
        let wheel = Wheel { middle, radius, axes: self.shown().len() };
        wheel.draw_axes(&mut sheet, self.shown());
        for (at, series) in self.series.iter().enumerate() {
            self.draw(&mut sheet, &wheel, at, series);
        }
        let bottom = middle.1 + radius + 2.0 * TEXT + SMALL;
        let room = sheet.width - 2.0 * MARGIN;
        sheet.label(NOTE, (MARGIN, bottom), Anchor::Start, SMALL, room, "soft");
        sheet.finish(bottom + 2.0 * MARGIN, &self.title, &self.description())
    }

    fn text_with(&self, width: u16, glyphs: Glyphs) -> String {
        let width = terminal::usable(width);
        let mut text = terminal::title(&self.title, width, glyphs);
        for series in &self.series {
            text += &glyphs.shortened(&series.name, width);
            text.push('\n');
            for (axis, value) in self.shown().iter().zip(&series.values) {
                let value = value.filter(|value| value.is_finite());
                let value = value.map_or_else(|| "-".to_owned(), |value| decimal(value, 3));
                let room = width.saturating_sub(value.len() + 4).max(4);
                text += &format!("  {} {value}\n", glyphs.padded(axis, room.min(30)));
            }
        }
        text
    }

    fn series_classes(&self) -> Vec<(String, String)> {
        let class = |at: usize| look::class(at).to_owned();
        self.series.iter().enumerate().map(|(at, it)| (it.name.clone(), class(at))).collect()
    }
}

/// Where axes and values lie.
struct Wheel {
    middle: (f64, f64),
    radius: f64,
    axes: usize,
}

impl Wheel {
    /// The place of a share of an axis. The first points upwards, and the others follow clockwise.
    fn place(&self, axis: usize, share: f64) -> (f64, f64) {
        let angle = TAU * axis as f64 / self.axes.max(1) as f64;
        let length = self.radius * share;
        (self.middle.0 + length * angle.sin(), self.middle.1 - length * angle.cos())
    }

    fn draw_axes(&self, sheet: &mut Sheet, names: &[String]) {
        for ring in [0.25, 0.5, 0.75, 1.0] {
            let corners: Vec<(f64, f64)> =
                (0..=self.axes).map(|axis| self.place(axis, ring)).collect();
            sheet.add(Element::path(&path_data(&corners), "thin grid"));
            let (x, y) = self.place(0, ring);
            let at = (x + 4.0, y + 6.0);
            sheet.label(&decimal(ring, 2), at, Anchor::Start, SMALL, f64::INFINITY, "soft halo");
        }
        for (axis, name) in names.iter().enumerate() {
            sheet.add(Element::line(self.middle, self.place(axis, 1.0), "thin grid"));
            let (x, y) = self.place(axis, 1.0 + 1.2 * TEXT / self.radius.max(1.0));
            let aside = x - self.middle.0;
            let (anchor, room) = match () {
                () if aside.abs() < 1.0 => (Anchor::Middle, sheet.width - 2.0 * MARGIN),
                () if aside > 0.0 => (Anchor::Start, sheet.width - x - MARGIN),
                () => (Anchor::End, x - MARGIN),
            };
            sheet.label(name, (x, y), anchor, TEXT, room, "");
        }
    }
}

impl Radar {
    fn shown(&self) -> &[String] {
        &self.axes[..self.axes.len().min(MOST_AXES)]
    }

    fn draw(&self, sheet: &mut Sheet, wheel: &Wheel, at: usize, series: &RadarSeries) {
        let value = |axis: usize| {
            let value = series.values.get(axis % wheel.axes.max(1)).copied().flatten();
            value.filter(|value| value.is_finite()).map(|value| value.clamp(0.0, 1.0))
        };
        let mut data = String::new();
        for axis in 0..wheel.axes {
            // A gap on either side of what is missing: a line through it would be a value.
            if let (Some(from), Some(to)) = (value(axis), value(axis + 1)) {
                data += &path_data(&[wheel.place(axis, from), wheel.place(axis + 1, to)]);
            }
        }
        let line = Element::path(&data, &format!("line {}", look::class(at)));
        sheet.add(look::dashed(line, at));
        for (axis, name) in self.shown().iter().enumerate() {
            let Some(value) = value(axis) else { continue };
            let title = format!("{}, {name}: {}", series.name, decimal(value, 3));
            let mark = Element::new("g").title(&title);
            let mark = mark.child(look::marker(at, wheel.place(axis, value), 3.5));
            let link = series.links.get(axis).and_then(Option::as_deref);
            sheet.add_mark(mark, &title, link);
        }
    }

    fn description(&self) -> String {
        let count = self.series.len();
        format!("Radar of {count} series on {} axes. {NOTE}", self.shown().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radar(values: Vec<Option<f64>>) -> Radar {
        let series = RadarSeries { name: "a".into(), values, ..RadarSeries::default() };
        let axes = ["AIDA", "KORE50", "MSNBC"].map(str::to_owned).to_vec();
        Radar { title: "F1".into(), axes, series: vec![series] }
    }

    #[test]
    fn what_is_missing_is_a_gap_and_not_zero() {
        let whole = radar(vec![Some(0.5), Some(0.6), Some(0.7)]).svg();
        let gap = radar(vec![Some(0.5), None, Some(0.7)]).svg();
        assert_eq!(whole.matches("<title>a, ").count(), 3);
        assert_eq!(gap.matches("<title>a, ").count(), 2);
        // Three sides, and one where two of them end nowhere.
        let sides = |svg: &str| {
            let line = svg.split("class=\"line s1\"").last().unwrap_or_default().to_owned();
            line.split("/>").next().unwrap_or_default().matches('M').count()
        };
        assert_eq!((sides(&whole), sides(&gap)), (3, 1));
    }

    #[test]
    fn words_stand_in_for_the_drawing() {
        let text = radar(vec![Some(0.5), None, Some(0.7)]).text(40);
        assert!(text.contains("KORE50") && text.contains("0.700"), "{text}");
        assert!(Radar::default().svg().contains("</svg>"));
    }
}
