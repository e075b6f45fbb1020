//! Writes one plot of each kind, as SVG of two widths and as text.
//!
//! `cargo run -p karat-report --example plots -- DIR`

use karat_report::plot::{
    Axis, CriticalDifference, CurveKind, Forest, ForestRow, Glyphs, HeatMap, Histogram,
    HistogramValues, LinePlot, LineStyle, Plot, RankedSystem, ReferenceLine, Scale, Series,
    TheoryCurve,
};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for (name, plot) in plots() {
        let files = [
            (format!("{name}.svg"), plot.svg()),
            (format!("{name}-800.svg"), plot.svg_of_width(800)),
            (format!("{name}-360.svg"), plot.svg_of_width(360)),
            (format!("{name}.txt"), plot.text(80)),
            (format!("{name}-40.txt"), plot.text(40)),
            (format!("{name}-ascii.txt"), plot.text_with(80, Glyphs::Ascii)),
        ];
        for (file, content) in files {
            std::fs::write(folder.join(file), content)?;
        }
    }
    Ok(())
}

fn plots() -> Vec<(&'static str, Box<dyn Plot>)> {
    vec![
        ("evolution", Box::new(evolution())),
        ("discriminative-power", Box::new(discriminative_power())),
        ("power", Box::new(power())),
        ("many-lines", Box::new(many_lines())),
        ("forest", Box::new(forest())),
        ("critical-difference", Box::new(critical_difference(7, 1.9))),
        ("critical-difference-20", Box::new(critical_difference(20, 4.7))),
        ("histogram", Box::new(histogram())),
        ("heat-map", Box::new(heat_map())),
    ]
}

/// Noise between -1 and 1 that is the same every time.
fn noise(seed: u64, index: u64) -> f64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index + 1);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn evolution() -> LinePlot {
    let systems = [("schwa", 0.706), ("tagme_289", 0.62), ("aida", 0.694), ("cucerzan", 0.581)];
    let series = systems.iter().zip(1..).map(|((name, f1), seed)| {
        let sizes = (1..=46).map(|step| step * 5);
        let points: Vec<(f64, f64)> = sizes
            .map(|size| (size as f64, f1 + 0.5 * noise(seed, size) / (size as f64).sqrt()))
            .collect();
        let half = |size: f64| 0.45 / size.sqrt();
        let band = points.iter().map(|(x, y)| (y - half(*x), y + half(*x))).collect();
        let band = (seed == 1).then_some(band);
        Series { name: (*name).into(), points, band, ..Series::default() }
    });
    LinePlot {
        title: "F1 as the test set grows".into(),
        x: Axis::new("documents"),
        y: Axis::new("F1"),
        series: series.collect(),
        ..LinePlot::default()
    }
}

fn discriminative_power() -> LinePlot {
    let steps = |seed: u64, from: f64| {
        let points = (1..=40).map(|step| {
            let size = step as f64 * 25.0;
            (size, (1.0 + from / (size / 60.0) + noise(seed, step).abs()).round())
        });
        points.collect()
    };
    LinePlot {
        title: "Systems not significantly below the best, as queries are added".into(),
        x: Axis::new("queries"),
        y: Axis { low: Some(0.0), ..Axis::new("systems") },
        series: vec![
            Series {
                name: "in the order of the set".into(),
                points: steps(1, 9.0),
                style: LineStyle::Steps,
                ..Series::default()
            },
            Series {
                name: "mean of 1,000 random orders".into(),
                points: steps(2, 7.0),
                style: LineStyle::Steps,
                ..Series::default()
            },
        ],
        marks: vec![
            ReferenceLine::x(500.0, "half of the set"),
            ReferenceLine::y(1.0, "the best alone"),
        ],
    }
}

fn power() -> LinePlot {
    let curve = |effect: f64| -> Vec<(f64, f64)> {
        let sizes = [20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
        sizes.iter().map(|&size: &f64| (size, 1.0 - 0.95 * (-effect * size.sqrt()).exp())).collect()
    };
    let series = [("1 point", 0.012), ("2 points", 0.03), ("5 points", 0.09)];
    LinePlot {
        title: "Power to see a difference in F1".into(),
        x: Axis { scale: Scale::Logarithmic, ..Axis::new("documents") },
        y: Axis::new("power").between(0.0, 1.0),
        series: series
            .iter()
            .map(|(name, effect)| Series {
                name: (*name).into(),
                points: curve(*effect),
                ..Series::default()
            })
            .collect(),
        marks: vec![ReferenceLine::y(0.8, "wished: 0.8"), ReferenceLine::x(231.0, "this set")],
    }
}

fn many_lines() -> LinePlot {
    let series = (0..14).map(|system| {
        let points = (0..=20).map(|step| {
            let coverage = f64::from(step) / 20.0;
            let risk = coverage.powi(2) * (0.2 + 0.02 * f64::from(system));
            (coverage, risk + 0.004 * noise(system as u64, step as u64))
        });
        let name = format!("system {system} of the shared task");
        Series { name, points: points.collect(), ..Series::default() }
    });
    LinePlot {
        title: "Risk and coverage of fourteen systems with long names, as an example of a plot whose legend takes several rows".into(),
        x: Axis::new("coverage"),
        y: Axis::new("risk"),
        series: series.collect(),
        ..LinePlot::default()
    }
}

fn forest() -> Forest {
    let rows = [
        ("AIDA testb", "schwa", 0.706, 0.03, "1st"),
        ("AIDA testb", "tagme_289", 0.62, 0.034, "3rd"),
        (
            "AIDA testb",
            "a linker with a name that is far too long for its column",
            0.694,
            0.029,
            "1st-2nd",
        ),
        ("MSNBC", "schwa", 0.61, 0.08, "2nd"),
        ("MSNBC", "tagme_289", 0.66, 0.075, "1st"),
    ];
    let rows = rows.iter().map(|(group, label, estimate, half, note)| ForestRow {
        label: (*label).into(),
        estimate: *estimate - 0.62,
        low: estimate - half - 0.62,
        high: if *half > 0.079 { f64::INFINITY } else { estimate + half - 0.62 },
        note: Some((*note).into()),
        group: Some((*group).into()),
        link: None,
    });
    Forest {
        title: "Difference to the baseline in F1, with 95% intervals".into(),
        x: Axis::new("difference in F1"),
        rows: rows.collect(),
        reference: Some(0.0),
        ..Forest::default()
    }
}

fn critical_difference(count: usize, difference: f64) -> CriticalDifference {
    let names =
        ["schwa", "tagme_289", "aida", "cucerzan", "a linker with a long name", "REL", "GENRE"];
    let systems = (0..count).map(|index| RankedSystem {
        name: match names.get(index) {
            Some(name) => (*name).to_owned(),
            None => format!("system {index}"),
        },
        rank: 1.2
            + (count as f64 - 1.6) * (index as f64 / (count - 1) as f64).powf(1.3)
            + 0.1 * noise(3, index as u64),
        link: None,
    });
    CriticalDifference {
        title: "Average ranks over twelve benchmarks".into(),
        systems: systems.collect(),
        critical_difference: Some(difference),
        ..CriticalDifference::default()
    }
}

fn histogram() -> Histogram {
    let sample = |seed: u64, middle: f64, deviation: f64| {
        let sums = (0..2000u64)
            .map(|draw| (0..12).map(|part| noise(seed, 12 * draw + part)).sum::<f64>() / 2.0);
        sums.map(|sum| middle + deviation * sum).collect()
    };
    let theory = (0..=200).map(|step| {
        let f1 = 0.6 + f64::from(step) / 1000.0;
        (f1, (-((f1 - 0.7) / 0.02).powi(2) / 2.0).exp())
    });
    Histogram {
        title: "F1 when 50 queries are removed".into(),
        x: Axis::new("F1"),
        samples: vec![
            HistogramValues { name: "schwa".into(), values: sample(1, 0.7, 0.02) },
            HistogramValues { name: "aida".into(), values: sample(2, 0.68, 0.025) },
        ],
        curves: vec![TheoryCurve {
            name: "hypergeometric model".into(),
            points: theory.collect(),
            kind: CurveKind::Probability,
        }],
        marks: vec![ReferenceLine::x(0.706, "all queries")],
        ..Histogram::default()
    }
}

fn heat_map() -> HeatMap {
    let benchmarks =
        ["AIDA testb", "MSNBC", "ACE2004", "AQUAINT", "KORE50", "Wiki", "OKE 2015", "News-100"];
    let systems = ["schwa", "tagme_289", "aida", "cucerzan", "a linker with a long name"];
    let value = |row: u64, column: u64| 0.55 + 0.35 * noise(row, 31 * column);
    HeatMap {
        title: "F1 of systems on benchmarks".into(),
        label: "F1".into(),
        rows: systems.iter().map(|name| (*name).into()).collect(),
        columns: benchmarks.iter().map(|name| (*name).into()).collect(),
        values: (0..5)
            .map(|row| {
                (0..8)
                    .map(|column| ((row * 3 + column) % 7 != 5).then(|| value(row, column)))
                    .collect()
            })
            .collect(),
        decimals: Some(2),
        ..HeatMap::default()
    }
}
