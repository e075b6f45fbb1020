//! The drawing of lines as SVG.

use super::{AxisSide, LinePlot, LineStyle, ReferenceLine, Series};
use crate::plot::axis::{Ruler, label_width};
use crate::plot::clip::{Point, Rectangle};
use crate::plot::frame::{Anchor, BELOW_PANEL, Entry, MARGIN, Panel, Sheet, Symbol, spread};
use crate::plot::lettering::{SMALL, TEXT, width};
use crate::plot::look;
use crate::plot::svg::{Element, path_data};

/// The distance between names at the ends of lines.
const NAME_ROW: f64 = 17.0;

/// Where the names of series stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// At the ends of lines, if they fit there.
    AtEnds,
    /// In a legend: the ends of lines say nothing.
    InLegend,
}

pub(super) fn svg(plot: &LinePlot, wide: u16, names: Names) -> String {
    let mut sheet = Sheet::new(wide);
    let mut top = sheet.heading(&plot.title);
    let height = (sheet.width * 0.55).clamp(180.0, 380.0);
    let y = Ruler::new(&plot.y, plot.y_values(), (height / 36.0) as usize);
    let names_at_ends = names == Names::AtEnds && names_fit_at_ends(plot, sheet.width, height);
    if !names_at_ends {
        top = sheet.legend(&entries(plot), top);
    }
    if !plot.y.label.is_empty() {
        let room = sheet.width - 2.0 * MARGIN;
        sheet.label(&plot.y.label, (MARGIN, top + 6.0), Anchor::Start, TEXT, room, "");
        top += 26.0;
    }
    let left = MARGIN + y.widest_label(label_width) + 6.0;
    let names = if names_at_ends { longest_name(plot) + 20.0 } else { 6.0 };
    let right = sheet.width - MARGIN - names;
    let area = Rectangle { left, top, right, bottom: top + height };
    let panel = Panel { area };
    let x = Ruler::along(&plot.x_axis(), plot.x_values(), right - left, label_width);
    panel.horizontal_axis(&mut sheet, &x, &plot.x.label);
    panel.vertical_axis(&mut sheet, &y);
    let canvas = LineCanvas { panel, x, y };
    let mut lines = Vec::new();
    // Bands first, then marks, then lines: what is drawn later covers what was drawn before.
    for (index, series) in plot.series.iter().enumerate() {
        canvas.band(&mut sheet, series.look(index), series);
    }
    for mark in &plot.marks {
        canvas.mark(&mut sheet, mark);
    }
    for (index, series) in plot.series.iter().enumerate() {
        lines.extend(canvas.series(&mut sheet, series.look(index), series));
    }
    if plot.is_empty() {
        let middle = ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0);
        sheet.label("no data", middle, Anchor::Middle, TEXT, f64::INFINITY, "soft halo");
    }
    canvas.mark_labels(&mut sheet, &plot.marks, &lines);
    if names_at_ends {
        canvas.names(&mut sheet, &plot.series);
    }
    sheet.finish(area.bottom + BELOW_PANEL, &plot.title, &plot.description())
}

fn entries(plot: &LinePlot) -> Vec<Entry> {
    let named = plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
    let symbol = |series: &Series| match series.style {
        LineStyle::Points => Symbol::Points,
        _ => Symbol::Line { marked: series.has_markers() },
    };
    named
        .map(|(index, series)| Entry {
            series: series.look(index),
            name: series.name.clone(),
            symbol: symbol(series),
        })
        .collect()
}

fn longest_name(plot: &LinePlot) -> f64 {
    plot.series.iter().map(|series| width(&series.name, TEXT)).fold(0.0, f64::max)
}

/// Names at the ends of lines say more than a legend, if they have room and the
/// lines end near the edge.
fn names_fit_at_ends(plot: &LinePlot, sheet: f64, height: f64) -> bool {
    let ends: Option<Vec<f64>> =
        plot.series.iter().map(|series| Some(series.points.last()?.0)).collect();
    let Some(ends) = ends.filter(|ends| !ends.is_empty()) else { return false };
    let ruler = Ruler::new(&plot.x_axis(), plot.x_values(), 5);
    let at_edge =
        |end: &f64| ruler.fraction(*end).is_some_and(|place| (0.85..=1.0).contains(&place));
    let longest = longest_name(plot);
    plot.series.iter().all(|series| series.style != LineStyle::Points && !series.name.is_empty())
        && ends.iter().all(at_edge)
        && longest <= 0.28 * sheet
        && sheet >= 400.0
        && ends.len() as f64 * NAME_ROW <= height
}

struct LineCanvas {
    panel: Panel,
    x: Ruler,
    y: Ruler,
}

impl LineCanvas {
    fn on_sheet(&self, (x, y): Point) -> Point {
        let Rectangle { left, top, right, bottom } = self.panel.area;
        (left + x * (right - left), bottom - y * (bottom - top))
    }

    fn band(&self, sheet: &mut Sheet, index: usize, series: &Series) {
        for (low, high) in series.edges(&self.x, &self.y) {
            let corners = high.into_iter().chain(low.into_iter().rev());
            let corners: Vec<Point> = corners.map(|place| self.on_sheet(place)).collect();
            let corners = self.panel.area.area(&corners);
            if corners.len() > 2 {
                sheet.add(look::polygon(&corners, &format!("band {}", look::class(index))));
            }
        }
    }

    /// Draws a series and returns its lines.
    fn series(&self, sheet: &mut Sheet, index: usize, series: &Series) -> Vec<Vec<Point>> {
        let area = self.panel.area;
        let mut lines = Vec::new();
        let mut markers = Vec::new();
        for run in series.runs(&self.x, &self.y) {
            let run: Vec<Point> = run.into_iter().map(|place| self.on_sheet(place)).collect();
            if series.has_markers() || run.len() == 1 {
                markers.extend(run.iter().copied().filter(|place| area.contains(*place)));
            }
            if series.style == LineStyle::Points {
                lines.extend(run.iter().map(|place| vec![*place, *place]));
            } else {
                lines.extend(area.line(&run));
            }
        }
        let mut group = Element::new("g");
        if !series.name.is_empty() {
            group = group.title(&series.name);
        }
        if series.style != LineStyle::Points {
            let data: String = lines.iter().map(|line| path_data(line)).collect();
            let line = Element::path(&data, &format!("line {}", look::class(index)));
            group = group.child(look::dashed(line, index));
        }
        for place in markers {
            group = group.child(look::marker(index, place, 3.5));
        }
        sheet.add(group);
        lines
    }

    fn mark_ends(&self, mark: &ReferenceLine) -> Option<(Point, Point)> {
        let Rectangle { left, top, right, bottom } = self.panel.area;
        let (from, to) = match mark.on {
            AxisSide::X => {
                let x = self.panel.x(&self.x, mark.at)?;
                ((x, top), (x, bottom))
            }
            AxisSide::Y => {
                let y = self.panel.y(&self.y, mark.at)?;
                ((left, y), (right, y))
            }
        };
        self.panel.area.contains(from).then_some((from, to))
    }

    fn mark(&self, sheet: &mut Sheet, mark: &ReferenceLine) {
        if let Some((from, to)) = self.mark_ends(mark) {
            let line = Element::line(from, to, "thin soft").with("stroke-dasharray", "4 3");
            sheet.add(if mark.label.is_empty() { line } else { line.title(&mark.label) });
        }
    }

    /// Writes the labels of marks where they cover as little as possible.
    fn mark_labels(&self, sheet: &mut Sheet, marks: &[ReferenceLine], lines: &[Vec<Point>]) {
        let mut taken: Vec<Rectangle> = Vec::new();
        for mark in marks {
            let Some((from, _)) = self.mark_ends(mark).filter(|_| !mark.label.is_empty()) else {
                continue;
            };
            let covered = |room: &Rectangle| {
                let segments = lines.iter().flat_map(|line| line.windows(2));
                let crossing = segments.filter(
                    |pair| matches!(pair, [from, to] if room.segment(*from, *to).is_some()),
                );
                // Covering another label is worse than covering any number of lines.
                crossing.count() + 10_000 * taken.iter().filter(|other| other.meets(room)).count()
            };
            let (inside, outside): (Vec<_>, Vec<_>) =
                self.label_places(mark, from).into_iter().partition(|room| {
                    self.panel.area.contains((room.left, room.top))
                        && self.panel.area.contains((room.right, room.bottom))
                });
            let places = if inside.is_empty() { outside } else { inside };
            if let Some(room) = places.into_iter().min_by_key(covered) {
                let at = (room.left, (room.top + room.bottom) / 2.0);
                let most = room.right - room.left + 0.1;
                sheet.label(&mark.label, at, Anchor::Start, SMALL, most, "soft halo");
                taken.push(room);
            }
        }
    }

    /// Where the label of a mark may stand, the best first.
    fn label_places(&self, mark: &ReferenceLine, from: Point) -> Vec<Rectangle> {
        let area = self.panel.area;
        let length = width(&mark.label, SMALL).min(area.right - area.left - 12.0);
        let height = SMALL + 3.0;
        let at = |left: f64, top: f64| {
            let left =
                left.clamp(area.left + 4.0, (area.right - length - 2.0).max(area.left + 4.0));
            Rectangle { left, top, right: left + length, bottom: top + height }
        };
        let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
        match mark.on {
            AxisSide::Y => {
                let free = area.right - area.left - length;
                let lefts = shares.iter().rev().map(|share| area.left + share * free);
                lefts
                    .flat_map(|left| [from.1 - height - 2.0, from.1 + 2.0].map(|y| at(left, y)))
                    .collect()
            }
            AxisSide::X => {
                let free = area.bottom - area.top - height;
                let tops = shares.map(|share| area.top + 4.0 + share * (free - 8.0));
                let lefts = [from.0 + 5.0, from.0 - 5.0 - length];
                tops.iter().flat_map(|top| lefts.map(|left| at(left, *top))).collect()
            }
        }
    }

    fn names(&self, sheet: &mut Sheet, series: &[Series]) {
        let Rectangle { top, right, bottom, .. } = self.panel.area;
        let mut ends: Vec<(Point, usize)> = Vec::new();
        for (index, series) in series.iter().enumerate() {
            let runs = series.runs(&self.x, &self.y);
            let end = runs.last().and_then(|run| run.last()).copied().unwrap_or((1.0, 0.0));
            let (x, y) = self.on_sheet(end);
            ends.push(((x, y.clamp(top, bottom)), index));
        }
        ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
        let wishes: Vec<f64> = ends.iter().map(|(end, _)| end.1).collect();
        let places = spread(&wishes, NAME_ROW, top, bottom);
        for ((end, index), y) in ends.into_iter().zip(places) {
            let Some(series) = series.get(index) else { continue };
            let class = format!("thin {}", look::class(series.look(index)));
            let leader = [(end.0.min(right) + 3.0, end.1), (right + 6.0, end.1), (right + 14.0, y)];
            sheet.add(Element::path(&path_data(&leader), &class));
            let room = sheet.width - right - 16.0;
            sheet.label(&series.name, (right + 17.0, y), Anchor::Start, TEXT, room, "");
        }
    }
}
