//! No label and no value breaks a plot.

use crate::reading::{check_svg, check_text};
use karat_report::plot::{
    Axis, CriticalDifference, CurveKind, Forest, ForestRow, Glyphs, HeatMap, Histogram,
    HistogramValues, LinePlot, LineStyle, Plot, Radar, RadarSeries, RankedSystem, ReferenceLine,
    Scale, Series, TheoryCurve,
};
use proptest::prelude::*;

/// One plot of every kind, in several variants, of these labels and values.
fn plots(labels: &[String], values: &[f64]) -> Vec<Box<dyn Plot>> {
    let label = |index: usize| labels.get(index % labels.len().max(1)).cloned().unwrap_or_default();
    let value = |index: usize| values.get(index % values.len().max(1)).copied().unwrap_or(f64::NAN);
    let pairs: Vec<(f64, f64)> =
        (0..values.len()).map(|index| (value(index), value(index + 1))).collect();
    let count = labels.len();
    let mut plots: Vec<Box<dyn Plot>> = Vec::new();
    for scale in [Scale::Linear, Scale::Logarithmic] {
        let axis = Axis { label: label(0), scale, low: None, high: None, counts: false };
        for axis in [axis.clone(), axis.between(value(0), value(1))] {
            let styles = [LineStyle::Line, LineStyle::Steps, LineStyle::Points];
            let series = (0..count).map(|index| Series {
                name: label(index),
                points: pairs.clone(),
                band: (index % 2 == 0).then(|| pairs.clone()),
                style: styles[index % 3],
                like: (index % 4 == 3).then_some(index + 7),
            });
            plots.push(Box::new(LinePlot {
                title: label(1),
                x: axis.clone(),
                y: axis.clone(),
                series: series.collect(),
                marks: vec![
                    ReferenceLine::x(value(2), label(2)),
                    ReferenceLine::y(value(3), label(3)),
                ],
            }));
            let rows = (0..count).map(|index| ForestRow {
                label: label(index),
                estimate: value(index),
                low: value(index + 1),
                high: value(index + 2),
                note: (index % 2 == 0).then(|| label(index + 1)),
                group: (index % 3 > 0).then(|| label(index / 3)),
                link: None,
            });
            plots.push(Box::new(Forest {
                title: label(1),
                x: axis.clone(),
                rows: rows.collect(),
                reference: Some(value(4)),
                decimals: None,
            }));
            plots.push(Box::new(Histogram {
                title: label(1),
                x: axis.clone(),
                samples: vec![HistogramValues { name: label(2), values: values.to_vec() }],
                curves: [CurveKind::Density, CurveKind::Probability]
                    .map(|kind| TheoryCurve { name: label(3), points: pairs.clone(), kind })
                    .to_vec(),
                bins: values.first().map(|value| *value as usize),
                ..Histogram::default()
            }));
        }
    }
    plots.push(Box::new(CriticalDifference {
        title: label(1),
        systems: (0..count)
            .map(|index| RankedSystem { name: label(index), rank: value(index), link: None })
            .collect(),
        critical_difference: Some(value(5)),
        groups: count.is_multiple_of(2).then(|| vec![(0, 3), (7, 1), (2, 9)]),
        note: label(2),
    }));
    plots.push(Box::new(Radar {
        title: label(1),
        axes: labels.iter().take(12).cloned().collect(),
        series: (0..count.min(9))
            .map(|row| RadarSeries {
                name: label(row),
                values: (0..row).map(|axis| Some(value(row + axis))).collect(),
                links: Vec::new(),
            })
            .collect(),
    }));
    plots.push(Box::new(HeatMap {
        title: label(1),
        label: label(2),
        rows: labels.iter().take(30).cloned().collect(),
        columns: labels.iter().take(40).cloned().collect(),
        values: (0..count.min(30))
            .map(|row| (0..row).map(|column| Some(value(row + column))).collect())
            .collect(),
        ..HeatMap::default()
    }));
    plots
}

fn check(labels: &[String], values: &[f64]) {
    for plot in plots(labels, values) {
        for width in [0, 360, 800] {
            check_svg(&*plot, width);
        }
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            for width in [0, 72] {
                check_text(&*plot, width, glyphs);
            }
        }
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn labels_cannot_break_out() {
    let labels = names(&[
        "</text><script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "]]><!-- & &amp; &#0;",
        "\u{0}\u{1b}[2J\u{7}\r\n\t\u{7f}\u{9b}",
        "\u{202e}desrever\u{2066}",
        "\u{fffe}\u{ffff}\u{feff}",
        "e\u{301}\u{301}\u{301} 👩‍👩‍👧 実体連結",
        "",
        " ",
        &"W".repeat(500),
        &"word ".repeat(100),
    ]);
    check(&labels, &[0.1, 0.5, 0.3, 0.2, 0.9, 0.7]);
}

#[test]
fn few_and_equal_values_are_plotted() {
    let labels = names(&["a", "b", "c"]);
    let sets: [&[f64]; 10] = [
        &[],
        &[1.0],
        &[0.0],
        &[-3.0, -3.0, -3.0],
        &[f64::NAN],
        &[f64::INFINITY, f64::NEG_INFINITY],
        &[f64::MAX, f64::MIN, 0.0],
        &[5e-324, -5e-324],
        &[1e16, 1e16 + 2.0],
        &[0.3, 0.1 + 0.2],
    ];
    for values in sets {
        check(&labels, values);
        check(&[], values);
    }
}

/// Found by the property test with another seed: without a label, numbers were written beyond the edge.
#[test]
fn a_single_value_without_a_name_is_plotted() {
    check(&names(&[""]), &[0.3209873953651591]);
}

#[test]
fn a_thousand_series_have_a_legend_that_ends() {
    let labels: Vec<String> = (0..1000).map(|index| format!("series number {index}")).collect();
    for plot in plots(&labels, &[0.1, 0.5, 0.3]) {
        check_svg(&*plot, 480);
        check_text(&*plot, 80, Glyphs::Unicode);
    }
    let svg = plots(&labels, &[0.1, 0.5, 0.3])[0].svg();
    assert!(svg.contains("more</text>"));
}

#[test]
fn what_is_drawn_in_ascii_is_ascii() {
    let labels = names(&["a", "b", "c", "a very long name of a system that is cut"]);
    for plot in plots(&labels, &[0.1, f64::INFINITY, 0.3, f64::NAN, 0.9]) {
        let text = check_text(&*plot, 60, Glyphs::Ascii);
        assert!(text.is_ascii(), "{text}");
    }
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![
        4 => -1.0..1.0f64,
        2 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 0.0]),
        1 => (-1000i32..1000).prop_map(f64::from),
    ];
    prop::collection::vec(value, 0..12)
}

fn labels() -> impl Strategy<Value = Vec<String>> {
    let label = prop::collection::vec(any::<char>(), 0..30);
    prop::collection::vec(label.prop_map(|label| label.into_iter().collect()), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_labels_and_values_plots_are_well_formed(labels in labels(), values in values()) {
        check(&labels, &values);
    }

    #[test]
    fn no_number_is_printed_that_is_none(values in values()) {
        for plot in plots(&names(&["a", "b", "c"]), &values) {
            for text in [plot.svg(), plot.text(80)] {
                prop_assert!(!text.contains("NaN") && !text.contains("inf"), "{}", text);
            }
        }
    }
}
