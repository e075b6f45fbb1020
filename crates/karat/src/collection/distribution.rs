//! The distribution of F1 after a change of the collection.

use karat_report::plot::{Axis, CurveKind, Histogram, HistogramValues, TheoryCurve};
use karat_stats::collection::{Distribution, Each};

/// F1 as it came out of changing queries one by one, beside what theory says, if it is known.
pub fn f1_distribution(
    title: String,
    drawn: &[Each<f64>],
    theory: Option<&Distribution>,
) -> Histogram {
    let curve = |theory: &Distribution| TheoryCurve {
        name: "model".to_owned(),
        points: theory.chances().collect(),
        kind: CurveKind::Probability,
    };
    Histogram {
        title,
        x: Axis::new("F1"),
        samples: vec![HistogramValues {
            name: "queries one by one".to_owned(),
            values: drawn.iter().map(|each| each.f1).collect(),
        }],
        curves: theory.map(curve).into_iter().collect(),
        ..Histogram::default()
    }
}
