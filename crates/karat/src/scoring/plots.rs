//! An evaluation as plots.

use super::answer::{EvaluationAnswer, SliceRecord, SystemRecord};
use super::measured::MeasureRecord;
use super::tables;
use crate::error::Error;
use karat_facets::order;
use karat_measures::Selection;
use karat_model::Hint;
use karat_report::TSV;
use karat_report::plot::{Axis, HeatMap, LinePlot, Plot, Series};

/// The F1 of every part of the corpus, or of the one score that its first measure has, by system.
pub fn heat_map(answer: &EvaluationAnswer) -> HeatMap {
    let columns = columns(answer);
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for (_, system) in &columns {
        for slice in &system.slices {
            if !rows.contains(&(&slice.facet, &slice.label)) {
                rows.push((&slice.facet, &slice.label));
            }
        }
    }
    rows.sort_by(|a, b| (a.0, order(a.1)).cmp(&(b.0, order(b.1))));
    let several = rows.iter().any(|row| rows.first().is_some_and(|first| first.0 != row.0));
    let name = |&(facet, label): &(&str, &str)| match several {
        true => format!("{facet} {label}"),
        false => label.to_owned(),
    };
    let value = |&(facet, label): &(&str, &str), system: &SystemRecord| {
        let is_it = |slice: &&SliceRecord| slice.facet == facet && slice.label == label;
        let slice = system.slices.iter().find(is_it)?;
        slice.measures.first().and_then(f1)
    };
    let result = columns.first().and_then(|(_, system)| system.measures.first());
    let measure = result.map_or("", |result| result.name.as_str());
    let score = result.map_or("f1", score);
    let facets = rows.first().map_or("part", |row| row.0);
    let by = if several { "part of the corpus" } else { facets };
    HeatMap {
        title: format!("{measure}.{score} by {by}"),
        label: format!("{measure}.{score}"),
        rows: rows.iter().map(name).collect(),
        columns: columns.iter().map(|(name, _)| name.clone()).collect(),
        links: Vec::new(),
        values: rows
            .iter()
            .map(|row| columns.iter().map(|(_, system)| value(row, system)).collect())
            .collect(),
        low: Some(0.0),
        high: Some(1.0),
        decimals: Some(2),
    }
}

/// Fuzzy F1 of every system by the weight of what is not strict; `None` if there are not two weights.
pub fn sweep(answer: &EvaluationAnswer) -> Option<LinePlot> {
    let series: Vec<Series> = columns(answer)
        .into_iter()
        .map(|(name, system)| {
            let point =
                |result: &MeasureRecord| Some((result.alpha?, f1(result).unwrap_or(f64::NAN)));
            let mut points: Vec<(f64, f64)> = system.measures.iter().filter_map(point).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            // A measure may be asked for twice, by name and by `--fuzzy`; a line goes through each
            // weight once.
            points.dedup_by_key(|point| point.0);
            Series { name, points, ..Series::default() }
        })
        .collect();
    let swept = series.first().is_some_and(|series| series.points.len() > 1);
    swept.then(|| LinePlot {
        title: "F1* by the weight of what is not strict".to_owned(),
        x: Axis::new("alpha"),
        y: Axis::new("F1*").between(0.0, 1.0),
        series,
        ..LinePlot::default()
    })
}

/// The curves behind the first measure that has any, one for each system; `None` if none has. What
/// measures are about goes before what becomes of their scores by threshold.
pub fn curves(answer: &EvaluationAnswer) -> Option<LinePlot> {
    let columns = columns(answer);
    let first = |sweep: bool| {
        columns.iter().find_map(|(_, system)| {
            let results = system.measures.iter().enumerate();
            let mut curves = results.filter_map(|(at, it)| Some((at, it, it.curve.as_ref()?)));
            curves.find(|(_, _, curve)| curve.is_sweep() == sweep)
        })
    };
    let (at, measure, curve) = first(false).or_else(|| first(true))?;
    let title = measure.name.clone();
    let [x, y] = curve.names().map(Axis::new);
    // A threshold may be any number, while scores lie between 0 and 1.
    let x = if curve.is_sweep() { x } else { x.between(0.0, 1.0) };
    let series = columns.iter().map(|(name, system)| {
        let curve = system.measures.get(at).and_then(|result| result.curve.as_ref());
        let points = curve.into_iter().flat_map(|curve| {
            curve.rows.iter().map(|row| <(f64, f64)>::from(curve.coordinates(row)))
        });
        Series { name: name.clone(), points: points.collect(), ..Series::default() }
    });
    let series = series.collect();
    Some(LinePlot { title, x, y: y.between(0.0, 1.0), series, ..LinePlot::default() })
}

/// How many points a sweep over these measures has.
pub fn swept(selection: &Selection) -> usize {
    let measures = selection.measures.iter();
    let mut alphas: Vec<f64> = measures.filter_map(|measure| measure.compute.alpha()).collect();
    alphas.sort_by(f64::total_cmp);
    alphas.dedup();
    alphas.len()
}

/// F1, or the first score of a measure that has none.
fn score(result: &MeasureRecord) -> &str {
    match result.has_f1() {
        true => "f1",
        false => result.scores.first().map_or("f1", |(name, _)| name),
    }
}

fn f1(result: &MeasureRecord) -> Option<f64> {
    result.score(score(result)).flatten()
}

/// The systems, with the names of their benchmarks where there are several.
fn columns(answer: &EvaluationAnswer) -> Vec<(String, &SystemRecord)> {
    let name = |system: &SystemRecord| match answer.all_benchmarks().len() {
        0 | 1 => system.name.clone(),
        _ => format!("{}, {}", system.name, system.benchmark),
    };
    answer.systems.iter().map(|system| (name(system), system)).collect()
}

/// The curves of an answer for a file of this name: drawn where it is that of an SVG, and as a table of points otherwise.
pub fn curves_for(answer: &EvaluationAnswer, path: &str) -> Result<String, Error> {
    let Some(plot) = curves(answer) else {
        return Err(Error::bad_request(
            "no measure that was asked for has a curve",
            Hint::template(
                "ask for {measure=link} or another measure with precision and recall, average-precision, \
                 risk-coverage or calibration-error; their inputs need confidences",
            ),
        ));
    };
    Ok(match path.ends_with(".svg") {
        true => plot.svg(),
        false => tables::curves(answer).render(TSV, None),
    })
}
