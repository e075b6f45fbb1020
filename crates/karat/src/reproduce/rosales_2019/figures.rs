//! Figures 4 and 5.

use super::{SYSTEMS, Study, expected, unnamed};
use crate::curves::Curves;
use crate::reproduce::{Attachment, Data, Row, Section};
use crate::scoring::{Board, EvaluationAnswer, Scoring, plots};
use karat_facets::{ByCombination, Facet};
use karat_formats::Problem;
use karat_measures::presets::{ROSALES_2019, ROSALES_2019_TEXT};
use karat_measures::{CurvePoint, Membership, Preset};
use karat_report::TSV;
use karat_report::plot::Plot;
use rayon::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// Values that come from the same divisions of the same numbers differ by less.
const TOLERANCE: f64 = 1e-9;

/// The variants of Figure 5: what is strict, how alternatives are put together, and what they are called in the
/// file of reference values.
static VARIANTS: [(&str, &str, &Preset, &str); 4] = [
    (
        "maximal overlap is strict, code",
        "strict",
        &ROSALES_2019,
        "maximal strict|code-min-after-merge",
    ),
    ("maximal overlap is strict, text", "strict", &ROSALES_2019_TEXT, "maximal strict|text-max"),
    (
        "no overlap is strict, code",
        "strict-text",
        &ROSALES_2019,
        "none-only strict|code-min-after-merge",
    ),
    ("no overlap is strict, text", "strict-text", &ROSALES_2019_TEXT, "none-only strict|text-max"),
];

impl Study {
    pub(super) fn figure_4(&self, data: &Data) -> Result<Section, Problem> {
        let scoring = Scoring::under(&ROSALES_2019, &[]).map_err(unnamed)?;
        let facets: [Arc<dyn Facet>; 1] = [Arc::new(ByCombination)];
        let curves = Curves::of(&scoring, "gold", &self.gold, &self.systems, &facets);
        let reference = expected(data, "fig4.json")?;
        let mut rows = Vec::new();
        for (score, panel) in [("precision", "P"), ("recall", "R"), ("f1", "F1")] {
            for ((short, _), (_, best_first)) in SYSTEMS.iter().zip(&curves.systems) {
                let curve = best_first.curves.iter().find(|curve| curve.score == score);
                let points = curve.map(|curve| curve.points.as_slice()).unwrap_or_default();
                let ends = ends_of_equals(points);
                let values: Vec<Option<f64>> = ends.iter().map(|&at| points[at].value).collect();
                let printed = reference.as_ref().and_then(|all| all.get(panel)?.get(*short));
                let printed = printed.map(numbers).map(|printed| at_places(&printed, &ends));
                rows.push(compared(&[short, panel], printed, &values));
            }
        }
        let record = curves.record();
        let mut files: Vec<Attachment> = record
            .plots()
            .iter()
            .map(|(score, plot)| Attachment::new(format!("figure-4-{score}.svg"), plot.svg()))
            .collect();
        let table = record.data().render(TSV, None);
        files.push(Attachment::new("figure-4.tsv".to_owned(), table));
        let remarks = [
            "A row is a whole curve: how many of its points are the same up to 1e-9. The paper prints no numbers; \
             `printed` is a reference computed from the same release of gold by another program.",
            "Which of several equally good combinations comes first is open, and the other program goes by the last digits \
             of 2PR/(P+R). A point among them is taken for the same where the curves meet again behind them.",
            "The curves end at 4230 mentions of 4231: the three annotations of one mention have two base forms each, and so no \
             combination. The paper counts categories from 1 in its text and from 0 in its plot.",
        ];
        let title = "Figure 4: combinations of tags added one by one, the best first";
        let section = Section::new(title, &["system", "panel"], rows, &remarks);
        Ok(Section { files, ..section })
    }

    pub(super) fn figure_5(&self, data: &Data) -> Result<Section, Problem> {
        let reference = expected(data, "fig5.json")?;
        let (mut rows, mut files) = (Vec::new(), Vec::new());
        let alphas: Vec<f64> = (0..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
        let measures: Vec<String> =
            alphas.iter().map(|alpha| format!("fuzzy(alpha={alpha})")).collect();
        let measures: Vec<&str> = measures.iter().map(String::as_str).collect();
        let mut table = String::from("variant\tsystem\talpha\tprecision\trecall\tf1\n");
        let board = |(_, strict, preset, _): &(&str, &str, &Preset, &str)| {
            let convention = (preset.convention)();
            let membership = Membership::named(strict).unwrap_or_default();
            let membership = membership.put_together_like(&convention.membership);
            let convention = karat_measures::Convention { membership, ..convention };
            let scoring = Scoring::new(convention, &measures).map_err(unnamed)?;
            Ok(self.score(&scoring, &self.gold))
        };
        let boards: Result<Vec<Board>, Problem> = VARIANTS.par_iter().map(board).collect();
        for ((name, _, _, key), board) in VARIANTS.into_iter().zip(boards?) {
            for (short, system) in SYSTEMS.iter().zip(&board.systems) {
                let scores = |name: &str| -> Vec<Option<f64>> {
                    let results = system.evaluation.results.iter();
                    results.map(|result| result.micro.get(name).flatten()).collect()
                };
                let (precision, recall, f1) = (scores("precision"), scores("recall"), scores("f1"));
                let reference = reference.as_ref();
                for release in ["aug", "may"] {
                    let of_system =
                        reference.and_then(|all| all.get(format!("{release}|{key}"))?.get(short.0));
                    for (place, (score, values)) in
                        [("P", &precision), ("R*", &recall), ("F1*", &f1)].into_iter().enumerate()
                    {
                        let printed = of_system.map(|points| column(points, place));
                        rows.push(compared(&[name, release, short.0, score], printed, values));
                    }
                }
                for (at, alpha) in alphas.iter().enumerate() {
                    let value = |values: &[Option<f64>]| {
                        values.get(at).copied().flatten().map_or(String::new(), |v| v.to_string())
                    };
                    let scores = [value(&precision), value(&recall), value(&f1)].join("\t");
                    table.push_str(&format!("{name}\t{}\t{alpha}\t{scores}\n", short.0));
                }
            }
            if let Some(mut plot) =
                plots::sweep(&EvaluationAnswer::of(std::slice::from_ref(&board)))
            {
                plot.title = format!("F1* by the weight of what is not strict: {name}");
                let name = name.replace(", ", "-").replace(' ', "-");
                files.push(Attachment::new(format!("figure-5-{name}.svg"), plot.svg()));
            }
        }
        files.push(Attachment::new("figure-5.tsv".to_owned(), table));
        let remarks = [
            "A row is a curve of eleven points from alpha = 0 to 1. The paper prints no numbers; `printed` is the first \
             variant of the file that the authors published, and a reference computed by another program for the others.",
            "The published figure follows the code: a name that contains another mention is strict, and a mention weighs \
             what the least of all tags of all its alternatives weighs. By the text of the paper, AIDA is ahead \
             of DBpedia Spotlight at alpha = 0.",
            "The releases of gold of May and August differ in no point: what was corrected concerns no strict mention. \
             Both are computed here from the release of August.",
        ];
        let title = "Figure 5: fuzzy F1 by the weight of what is not strict";
        let section =
            Section::new(title, &["variant", "release", "system", "score"], rows, &remarks);
        Ok(Section { files, ..section })
    }
}

/// For each point where the run of categories ends that are as good as its own.
fn ends_of_equals(points: &[CurvePoint]) -> Vec<usize> {
    let mut ends = Vec::with_capacity(points.len());
    for run in points.chunk_by(|a, b| a.own == b.own) {
        let end = ends.len() + run.len() - 1;
        ends.extend(run.iter().map(|_| end));
    }
    ends
}

/// The values at these places, and those behind the last.
fn at_places(values: &[f64], places: &[usize]) -> Vec<f64> {
    let known = places.iter().filter_map(|&at| values.get(at));
    known.chain(values.iter().skip(places.len())).copied().collect()
}

/// How many points of a curve are the same.
fn compared(labels: &[&str], printed: Option<Vec<f64>>, computed: &[Option<f64>]) -> Row {
    let Some(printed) = printed else {
        return Row::new(labels, "", format!("{} points", computed.len()));
    };
    let same = |(printed, computed): &(&f64, &Option<f64>)| {
        computed.is_some_and(|computed| (*printed - computed).abs() < TOLERANCE)
    };
    let same = printed.iter().zip(computed).filter(same).count();
    let surplus = computed.len().saturating_sub(printed.len());
    let found = match surplus {
        0 => format!("{same} points"),
        _ => format!("{same} points and {surplus} more"),
    };
    Row::new(labels, &format!("{} points", printed.len()), found)
}

fn numbers(values: &Value) -> Vec<f64> {
    let values = values.as_array().map(Vec::as_slice).unwrap_or_default();
    values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

/// One number of each point.
fn column(points: &Value, place: usize) -> Vec<f64> {
    let points = points.as_array().map(Vec::as_slice).unwrap_or_default();
    let number = |point: &Value| point.get(place)?.as_f64();
    points.iter().map(|point| number(point).unwrap_or(f64::NAN)).collect()
}
