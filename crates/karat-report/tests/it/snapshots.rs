//! Small plots as they look, so that changes are seen.

use crate::reading::{check_svg, check_text};
use karat_report::plot::{
    Axis, CriticalDifference, Forest, ForestRow, Glyphs, HeatMap, Histogram, HistogramValues,
    LinePlot, LineStyle, Plot, RankedSystem, ReferenceLine, Series,
};
use snapbox::{Data, assert_data_eq};

#[track_caller]
fn expect(plot: &dyn Plot, name: &str) {
    let file = |kind: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots");
        Data::read_from(format!("{folder}/{name}.{kind}").as_ref(), None)
    };
    let text = check_text(plot, 60, Glyphs::Unicode) + "\n" + &check_text(plot, 40, Glyphs::Ascii);
    assert_data_eq!(text, file("txt"));
    let svg = check_svg(plot, 480);
    // The style sheet is the same in all of them.
    let (before, rest) = svg.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    assert_data_eq!(format!("{before}<style/>{after}"), file("svg.txt"));
}

#[test]
fn lines() {
    let series = |name: &str, points: &[(f64, f64)], style: LineStyle| Series {
        name: name.into(),
        points: points.to_vec(),
        style,
        ..Series::default()
    };
    let mut plot = LinePlot {
        title: "F1 as the set grows".into(),
        x: Axis::new("documents"),
        y: Axis::new("F1"),
        series: vec![
            series("schwa", &[(0.0, 0.5), (100.0, 0.7), (200.0, 0.72)], LineStyle::Line),
            series("tagme", &[(0.0, 0.6), (100.0, f64::NAN), (200.0, 0.61)], LineStyle::Line),
            series("best", &[(0.0, 0.6), (50.0, 0.65), (200.0, 0.72)], LineStyle::Steps),
        ],
        marks: vec![ReferenceLine::y(0.68, "published"), ReferenceLine::x(150.0, "today")],
    };
    plot.series[0].band = Some(vec![(0.4, 0.6), (0.65, 0.75), (0.7, 0.74)]);
    expect(&plot, "lines");
}

#[test]
fn forest() {
    let row = |group: &str, label: &str, estimate, low, high| ForestRow {
        group: Some(group.into()),
        label: label.into(),
        estimate,
        low,
        high,
        note: None,
        link: None,
    };
    let plot = Forest {
        title: "Difference to the baseline".into(),
        x: Axis::new("difference in F1"),
        rows: vec![
            row("AIDA", "schwa", 0.08, 0.05, 0.11),
            row("AIDA", "tagme", -0.01, -0.03, 0.01),
            row("MSNBC", "schwa & <friends>", 0.02, f64::NEG_INFINITY, 0.06),
        ],
        reference: Some(0.0),
        decimals: Some(3),
    };
    expect(&plot, "forest");
}

#[test]
fn critical_difference() {
    let systems = [("schwa", 1.5), ("tagme", 3.75), ("aida", 2.0), ("cucerzan", 2.75)];
    let plot = CriticalDifference {
        title: "Ranks over eight benchmarks".into(),
        systems: systems
            .map(|(name, rank)| RankedSystem { name: name.into(), rank, link: None })
            .to_vec(),
        critical_difference: Some(1.3),
        groups: None,
        note: "Ranks say nothing of how far the scores of two systems are apart, on any benchmark."
            .into(),
    };
    expect(&plot, "critical-difference");
}

#[test]
fn histogram() {
    let plot = Histogram {
        title: "F1 when queries are removed".into(),
        x: Axis::new("F1"),
        samples: vec![HistogramValues {
            name: "schwa".into(),
            values: vec![0.68, 0.69, 0.7, 0.7, 0.71, 0.73],
        }],
        bins: Some(5),
        ..Histogram::default()
    };
    expect(&plot, "histogram");
}

#[test]
fn heat_map() {
    let plot = HeatMap {
        title: "F1 of systems on benchmarks".into(),
        label: "F1".into(),
        rows: vec!["schwa".into(), "tagme".into()],
        columns: vec!["AIDA".into(), "MSNBC".into()],
        values: vec![vec![Some(0.9), None], vec![Some(0.5), Some(0.7)]],
        ..HeatMap::default()
    };
    expect(&plot, "heat-map");
}
