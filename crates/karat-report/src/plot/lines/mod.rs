//! Lines, steps and points over a pair of axes.

mod drawing;
mod text;

use crate::plot::axis::{Axis, Ruler, Scale, number};
use crate::plot::clip::Point;
use crate::plot::{Glyphs, Plot};
use drawing::Names;

/// Lines, steps or points over a pair of axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinePlot {
    /// What stands over it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Lines to compare with.
    pub marks: Vec<ReferenceLine>,
}

/// Points that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Its name; without one it is in no legend.
    pub name: String,
    /// Its points, in the order in which a line goes through them. A point that is
    /// not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// Low and high of each point, such as an interval. An infinite value goes to
    /// the edge.
    pub band: Option<Vec<(f64, f64)>>,
    /// How it is drawn.
    pub style: LineStyle,
    /// The place of the series whose colour and marker it shares; `None` for its own.
    pub like: Option<usize>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LineStyle {
    /// Straight from point to point.
    #[default]
    Line,
    /// A value holds until the next point.
    Steps,
    /// Points alone.
    Points,
}

/// A line to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceLine {
    /// Which axis its value is on.
    pub on: AxisSide,
    /// Its value.
    pub at: f64,
    /// What it means.
    pub label: String,
}

/// One of the two axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisSide {
    /// The horizontal axis: a mark there is a vertical line.
    X,
    /// The vertical axis: a mark there is a horizontal line.
    Y,
}

impl ReferenceLine {
    /// A vertical line at this value of the horizontal axis.
    pub fn x(at: f64, label: impl Into<String>) -> ReferenceLine {
        ReferenceLine { on: AxisSide::X, at, label: label.into() }
    }

    /// A horizontal line at this value of the vertical axis.
    pub fn y(at: f64, label: impl Into<String>) -> ReferenceLine {
        ReferenceLine { on: AxisSide::Y, at, label: label.into() }
    }
}

impl Plot for LinePlot {
    fn svg_of_width(&self, width: u16) -> String {
        drawing::svg(self, width, Names::AtEnds)
    }

    fn text_with(&self, width: u16, glyphs: Glyphs) -> String {
        text::text(self, width, glyphs)
    }

    fn series_classes(&self) -> Vec<(String, String)> {
        let named = self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        let class = |(at, series): (usize, &Series)| {
            (series.name.clone(), crate::plot::look::class(series.look(at)).to_owned())
        };
        named.map(class).collect()
    }
}

/// More points than this in one line are thinned out to what can be seen.
const MOST_POINTS: usize = 4000;
/// Lines of at most so many points have a marker at each.
const MOST_MARKERS: usize = 16;

impl LinePlot {
    /// The SVG with all names in a legend.
    pub(crate) fn svg_with_legend(&self, width: u16) -> String {
        drawing::svg(self, width, Names::InLegend)
    }

    fn x_values(&self) -> impl Iterator<Item = f64> + '_ {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.map(|point| point.0).chain(self.marked(AxisSide::X))
    }

    /// The horizontal axis from the first to the last point: lines may touch the
    /// sides of a plot.
    fn x_axis(&self) -> Axis {
        let usable =
            |value: &f64| value.is_finite() && (self.x.scale == Scale::Linear || *value > 0.0);
        let values = || self.x_values().filter(usable);
        let low = self.x.low.or_else(|| values().reduce(f64::min));
        let high = self.x.high.or_else(|| values().reduce(f64::max));
        Axis { low, high, ..self.x.clone() }
    }

    fn y_values(&self) -> impl Iterator<Item = f64> + '_ {
        let points = self.series.iter().flat_map(|series| &series.points);
        let bands = self.series.iter().flat_map(|series| series.band.iter().flatten());
        points
            .map(|point| point.1)
            .chain(bands.flat_map(|(low, high)| [*low, *high]))
            .chain(self.marked(AxisSide::Y))
    }

    /// Whether there is no point that has a place.
    fn is_empty(&self) -> bool {
        let mut points = self.series.iter().flat_map(|series| &series.points);
        !points.any(|point| point.0.is_finite() && point.1.is_finite())
    }

    fn marked(&self, side: AxisSide) -> impl Iterator<Item = f64> + '_ {
        self.marks.iter().filter(move |mark| mark.on == side).map(|mark| mark.at)
    }

    fn description(&self) -> String {
        let axis = |name: &str, axis: &Axis, values: Vec<f64>| {
            let finite = || values.iter().copied().filter(|value| value.is_finite());
            let (low, high) = (finite().reduce(f64::min)?, finite().reduce(f64::max)?);
            let label = if axis.label.is_empty() { name } else { &axis.label };
            Some(format!("{label} from {} to {}. ", number(low), number(high)))
        };
        let mut text = format!("Plot of {} series. ", self.series.len());
        text.extend(axis("x", &self.x, self.x_values().collect()));
        text.extend(axis("y", &self.y, self.y_values().collect()));
        for series in self.series.iter().take(20) {
            let finite = |point: &&Point| point.0.is_finite() && point.1.is_finite();
            let first = series.points.iter().find(finite);
            let last = series.points.iter().rfind(finite);
            if let (Some(first), Some(last)) = (first, last) {
                text += &format!(
                    "{}: {} points, {} at {} to {} at {}. ",
                    series.name,
                    series.points.len(),
                    number(first.1),
                    number(first.0),
                    number(last.1),
                    number(last.0),
                );
            }
        }
        for mark in &self.marks {
            text += &format!("Mark at {}: {}. ", number(mark.at), mark.label);
        }
        text.trim_end().to_owned()
    }
}

impl Series {
    /// The lines of the series in fractions of the axes, interrupted where a point
    /// has no place.
    fn runs(&self, x: &Ruler, y: &Ruler) -> Vec<Vec<Point>> {
        let place = |point: &Point| Some((x.fraction(point.0)?, y.fraction(point.1)?));
        self.placed(self.points.iter().map(place))
    }

    /// The lower and the upper edge of the band, likewise.
    fn edges(&self, x: &Ruler, y: &Ruler) -> Vec<(Vec<Point>, Vec<Point>)> {
        let Some(band) = &self.band else { return Vec::new() };
        let edge = |side: fn(&Point) -> f64| {
            let places = self.points.iter().zip(band).map(|(point, limits)| {
                let is_known = !limits.0.is_nan() && !limits.1.is_nan();
                let place = (x.fraction(point.0)?, fraction_or_edge(y, side(limits)));
                is_known.then_some(place)
            });
            self.placed(places)
        };
        edge(|limits| limits.0).into_iter().zip(edge(|limits| limits.1)).collect()
    }

    fn placed(&self, places: impl Iterator<Item = Option<Point>>) -> Vec<Vec<Point>> {
        let mut runs = vec![Vec::new()];
        for place in places {
            match (place, runs.last_mut()) {
                (Some(place), Some(run)) => run.push(place),
                _ => runs.push(Vec::new()),
            }
        }
        runs.retain(|run| !run.is_empty());
        let shaped = |run: Vec<Point>| match self.style {
            LineStyle::Steps => stepped(&thinned(run)),
            LineStyle::Line => thinned(run),
            LineStyle::Points => run,
        };
        runs.into_iter().map(shaped).collect()
    }

    /// What decides its colour and marker.
    fn look(&self, index: usize) -> usize {
        self.like.unwrap_or(index)
    }

    fn has_markers(&self) -> bool {
        match self.style {
            LineStyle::Points => true,
            LineStyle::Line => self.points.len() <= MOST_MARKERS,
            LineStyle::Steps => false,
        }
    }
}

fn fraction_or_edge(ruler: &Ruler, value: f64) -> f64 {
    let edge = if value == f64::INFINITY { 1.0 } else { 0.0 };
    ruler.fraction(value).unwrap_or(edge)
}

fn stepped(run: &[Point]) -> Vec<Point> {
    let mut steps: Vec<Point> = Vec::with_capacity(2 * run.len());
    for &(x, y) in run {
        if let Some(&(_, before)) = steps.last() {
            steps.push((x, before));
        }
        steps.push((x, y));
    }
    steps
}

/// Of the points of a long line from left to right, the first, the lowest, the
/// highest and the last of every small piece of the axis.
fn thinned(run: Vec<Point>) -> Vec<Point> {
    // A line that goes back cannot be thinned by pieces of the axis: its points are in no order.
    let goes_right = run.windows(2).all(|pair| matches!(pair, [a, b] if a.0 <= b.0));
    if run.len() <= MOST_POINTS || !goes_right {
        return run;
    }
    let piece = |point: &Point| (point.0 * (MOST_POINTS / 4) as f64).floor();
    let mut kept = Vec::with_capacity(MOST_POINTS);
    for points in run.chunk_by(|a, b| piece(a) == piece(b)) {
        let by_height = |a: &&Point, b: &&Point| a.1.total_cmp(&b.1);
        let lowest = points.iter().min_by(by_height);
        let highest = points.iter().max_by(by_height);
        let mut few: Vec<Point> = [points.first(), lowest, highest, points.last()]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        few.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(few);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_keep_their_extremes() {
        let mut run: Vec<Point> = (0..100_000).map(|i| (f64::from(i) / 1e5, 0.5)).collect();
        run[31_415].1 = 1.0;
        run[31_416].1 = 0.0;
        let kept = thinned(run);
        assert!(kept.len() <= 4100, "{}", kept.len());
        for height in [0.0, 1.0] {
            assert!(kept.iter().any(|point| point.1 == height));
        }
    }

    #[test]
    fn a_missing_value_interrupts_the_line() {
        let series = Series {
            points: vec![(0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 0.0)],
            ..Series::default()
        };
        let ruler = Ruler::new(&Axis::default(), [0.0, 4.0], 4);
        let lengths: Vec<_> = series.runs(&ruler, &ruler).iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 2]);
    }
}
