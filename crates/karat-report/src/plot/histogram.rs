//! Distributions over one another: histograms of samples, and what theory says.

use crate::plot::axis::{Axis, steps_around};
use crate::plot::{Glyphs, LinePlot, LineStyle, Plot, ReferenceLine, Series};

/// Distributions of samples and of theory over the same bins. Every area is one,
/// so that all can be compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    /// What stands over it.
    pub title: String,
    /// What is distributed.
    pub x: Axis,
    /// The vertical axis; its label is `density` if it has none.
    pub y: Axis,
    /// What was observed or simulated.
    pub samples: Vec<HistogramValues>,
    /// What theory expects.
    pub curves: Vec<TheoryCurve>,
    /// About how many bins there are; chosen by Freedman and Diaconis' rule if not
    /// given.
    pub bins: Option<usize>,
    /// Values to compare with.
    pub marks: Vec<ReferenceLine>,
}

/// Values of which a histogram is made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistogramValues {
    /// Its name.
    pub name: String,
    /// Its values, in any order.
    pub values: Vec<f64>,
}

/// A distribution by theory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TheoryCurve {
    /// Its name.
    pub name: String,
    /// Values with their density or their probability.
    pub points: Vec<(f64, f64)>,
    /// Which of the two it is.
    pub kind: CurveKind,
}

/// What the points of a curve are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CurveKind {
    /// Densities, drawn as a line.
    #[default]
    Density,
    /// Probabilities of single values, summed up over each bin.
    Probability,
}

/// The most bins that can be told apart.
const MOST_BINS: usize = 60;

impl Plot for Histogram {
    fn svg_of_width(&self, width: u16) -> String {
        self.lines(true).svg_with_legend(width)
    }

    fn text_with(&self, width: u16, glyphs: Glyphs) -> String {
        self.lines(false).text_with(width, glyphs)
    }
}

impl Histogram {
    /// The outlines of all distributions, with what is below them filled or not.
    fn lines(&self, is_filled: bool) -> LinePlot {
        let edges = self.edges();
        let samples = self.samples.iter().map(|sample| {
            let values = sample.values.iter().filter(|value| value.is_finite());
            let weighted: Vec<(f64, f64)> = values.map(|value| (*value, 1.0)).collect();
            let points = outline(&edges, &densities(&edges, &weighted));
            let band =
                is_filled.then(|| points.iter().map(|(_, density)| (0.0, *density)).collect());
            Series { name: sample.name.clone(), points, band, style: LineStyle::Steps, like: None }
        });
        let curves = self.curves.iter().map(|curve| {
            let finite = |point: &&(f64, f64)| point.0.is_finite() && point.1.is_finite();
            let points: Vec<(f64, f64)> = curve.points.iter().filter(finite).copied().collect();
            let points = match curve.kind {
                CurveKind::Density => points,
                CurveKind::Probability => at_centres(&edges, &densities(&edges, &points)),
            };
            Series { name: curve.name.clone(), points, ..Series::default() }
        });
        let series = samples.chain(curves).collect();
        let mut y = Axis { low: self.y.low.or(Some(0.0)), ..self.y.clone() };
        if y.label.is_empty() {
            y.label = "density".into();
        }
        let (title, x) = (self.title.clone(), self.x.clone());
        LinePlot { title, x, y, series, marks: self.marks.clone() }
    }

    /// The edges of the bins: multiples of a step of 1, 2 or 5.
    fn edges(&self) -> Vec<f64> {
        let samples = self.samples.iter().flat_map(|sample| sample.values.iter().copied());
        let likely = self.curves.iter().filter(|curve| curve.kind == CurveKind::Probability);
        let likely = likely.flat_map(|curve| curve.points.iter().copied());
        // Tails that nobody would see must not widen the bins of the whole plot.
        let likely = likely.filter(|(_, probability)| *probability > 1e-5).map(|(value, _)| value);
        let mut values: Vec<f64> =
            samples.chain(likely).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let wanted = self.bins.unwrap_or_else(|| freedman_diaconis(&values));
        steps_around(values.into_iter(), wanted.clamp(1, MOST_BINS))
    }
}

/// How many bins of two interquartile ranges over the cube root of the number of
/// values there are.
fn freedman_diaconis(sorted: &[f64]) -> usize {
    let quantile = |share: usize| sorted.get(sorted.len().saturating_sub(1) * share / 4).copied();
    let (Some(low), Some(first), Some(third), Some(high)) =
        (quantile(0), quantile(1), quantile(3), quantile(4))
    else {
        return 1;
    };
    let bin = 2.0 * (third - first) / libm::cbrt(sorted.len() as f64);
    let bins = (high - low) / bin;
    if bins.is_finite() { bins.clamp(5.0, MOST_BINS as f64).ceil() as usize } else { 10 }
}

/// Weights per bin over their sum and the width of the bin.
fn densities(edges: &[f64], weighted: &[(f64, f64)]) -> Vec<f64> {
    let mut sums = vec![0.0; edges.len().saturating_sub(1)];
    let bins = sums.len();
    let hair = match edges {
        [first, second, ..] => 1e-9 * (second - first),
        _ => 0.0,
    };
    for (value, weight) in weighted {
        // A value on an edge belongs to the bin above, and the last edge to the last;
        // a value that rounding put a hair below an edge is on it.
        let bin = edges.partition_point(|edge| *edge <= value + hair).saturating_sub(1);
        if let Some(sum) = sums.get_mut(bin.min(bins.saturating_sub(1))) {
            *sum += weight;
        }
    }
    let total: f64 = sums.iter().sum();
    let density = |(sum, pair): (f64, &[f64])| match pair {
        [low, high] if total > 0.0 => sum / total / (high - low),
        _ => 0.0,
    };
    sums.into_iter().zip(edges.windows(2)).map(density).collect()
}

fn outline(edges: &[f64], densities: &[f64]) -> Vec<(f64, f64)> {
    let start = edges.first().map(|edge| (*edge, 0.0));
    let steps = edges.iter().copied().zip(densities.iter().copied().chain([0.0]));
    start.into_iter().chain(steps).collect()
}

fn at_centres(edges: &[f64], densities: &[f64]) -> Vec<(f64, f64)> {
    let centres = edges.windows(2).map(|pair| pair.iter().sum::<f64>() / 2.0);
    centres.zip(densities.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64], bins: Option<usize>) -> Histogram {
        let sample = HistogramValues { name: "sample".into(), values: values.to_vec() };
        Histogram { samples: vec![sample], bins, ..Histogram::default() }
    }

    #[test]
    fn every_area_is_one() {
        let values: Vec<f64> = (0..1000).map(|i| (f64::from(i) / 10.0).sin()).collect();
        let mut histogram = of(&values, None);
        let points = (0..=40).map(|i| (f64::from(i) / 20.0 - 1.0, 1.0 / 41.0)).collect();
        let kind = CurveKind::Probability;
        histogram.curves = vec![TheoryCurve { name: "theory".into(), points, kind }];
        let edges = histogram.edges();
        for series in &histogram.lines(true).series {
            let heights = match series.style {
                LineStyle::Steps => &series.points[1..],
                _ => &series.points[..],
            };
            let bins = edges.windows(2).map(|pair| pair[1] - pair[0]);
            let area: f64 = bins.zip(heights).map(|(width, (_, height))| width * height).sum();
            assert!((area - 1.0).abs() < 1e-9, "{}: {area}", series.name);
        }
    }

    #[test]
    fn a_value_on_an_edge_is_counted_once() {
        let histogram = of(&[0.0, 1.0, 1.0, 2.0], Some(2));
        assert_eq!(histogram.edges(), [0.0, 1.0, 2.0]);
        // numpy.histogram([0, 1, 1, 2], [0, 1, 2], density=True) of numpy 2.4.6.
        let points = &histogram.lines(true).series[0].points;
        assert_eq!(points[..], [(0.0, 0.0), (0.0, 0.25), (1.0, 0.75), (2.0, 0.0)]);
    }

    #[test]
    fn bins_are_as_many_as_freedman_and_diaconis_say() {
        let mut values: Vec<f64> = (0..1000).map(|i| (f64::from(i) / 10.0).sin()).collect();
        values.sort_by(f64::total_cmp);
        // len(numpy.histogram_bin_edges([sin(i / 10) for i in range(1000)], "fd")) - 1
        // of numpy 2.4.6.
        assert_eq!(freedman_diaconis(&values), 8);
    }

    #[test]
    fn values_that_are_all_equal_have_bins() {
        for values in [vec![], vec![3.0], vec![3.0; 50], vec![f64::NAN], vec![1e308, -1e308]] {
            let edges = of(&values, None).edges();
            assert!(edges.len() > 1 && edges.len() < 100, "{values:?}: {edges:?}");
        }
    }
}
