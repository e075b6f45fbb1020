//! How systems do on the categories they are best at, then on more and more of them.
//!
//! ```
//! use karat::curves::Curves;
//! use karat::facets::{FacetContext, facet};
//! use karat::formats::{ReadOptions, Source};
//! use karat::scoring::{Scoring, System};
//!
//! let read = |text: &str| {
//!     let input = Source::memory("a.jsonl", text).into();
//!     karat::registry().read(&input, Some("karat-jsonl"), &ReadOptions::default()).map(|outcome| outcome.corpus)
//! };
//! let annotations = r#"[{"span":[0,6],"link":"Q64","types":["place"]},{"span":[7,9],"link":"Q1","types":["thing"]}]"#;
//! let gold = read(&format!(r#"{{"document":"d1","text":"Berlin it","annotations":{annotations}}}"#))?;
//! let system = read(r#"{"document":"d1","text":"Berlin it","annotations":[{"span":[0,6],"link":"Q64"}]}"#)?;
//! let scoring = Scoring::named("rosales-2019", &[])?;
//! let facets = [facet("type", &FacetContext::default()).expect("there is such a facet")];
//! let curves = Curves::of(&scoring, "sample", &gold, &[System::new("mine", system)], &facets);
//! let recall = &curves.systems[0].1.curves[1];
//! assert_eq!(recall.points.iter().map(|point| point.value).collect::<Vec<_>>(), [Some(1.0), Some(0.5)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::scoring::{Scoring, System};
use karat_facets::Facet;
use karat_match::Pairing;
use karat_measures::{BestFirst, Curve, RANKINGS, Signature, on_threads};
use karat_model::Corpus;
use karat_report::plot::{Axis, LinePlot, Series};
use karat_report::{Cell, Column, Table};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Curves of several systems on one benchmark.
#[derive(Debug, Clone)]
pub struct Curves {
    /// The benchmark.
    pub benchmark: String,
    /// What reproduces the numbers.
    pub signature: Signature,
    /// What the categories are, facets joined by `+`.
    pub facet: String,
    /// Each system with its curves, in the order given.
    pub systems: Vec<(String, BestFirst)>,
}

impl Curves {
    /// The curves of these systems over the categories of these facets.
    pub fn of(
        scoring: &Scoring,
        benchmark: &str,
        gold: &Corpus,
        systems: &[System],
        facets: &[Arc<dyn Facet>],
    ) -> Curves {
        let convention = &scoring.convention;
        let of_system = |system: &System| {
            let pairing = Pairing::new(gold, &system.corpus, &scoring.identity);
            let curves = BestFirst::of(&pairing, &convention.settings, convention.zero, facets);
            (system.name.clone(), curves)
        };
        let names: Vec<&str> = facets.iter().map(|facet| facet.name()).collect();
        let mut signature = scoring.signature(benchmark, gold);
        // What is predicted elsewhere is of no category, and no score of `all` leaves it out.
        signature.push("curve", "gold-spans");
        Curves {
            benchmark: benchmark.to_owned(),
            signature,
            facet: names.join("+"),
            systems: on_threads(scoring.threads, || systems.par_iter().map(of_system).collect()),
        }
    }

    /// How many gold annotations belong to no category, or to several.
    pub fn left_out(&self) -> usize {
        self.systems.first().map_or(0, |(_, curves)| curves.left_out)
    }

    /// A row for each point, to read.
    pub fn table(&self) -> Table {
        self.table_of(3)
    }

    /// A row for each point, to compute with: as many decimals as there is to know.
    pub fn data(&self) -> Table {
        self.table_of(12)
    }

    fn table_of(&self, decimals: usize) -> Table {
        let mut table = Table::new([
            Column::text("system"),
            Column::text("score"),
            Column::count("rank"),
            Column::text("category"),
            Column::number("own", decimals),
            Column::count("tp"),
            Column::count("fp"),
            Column::count("fn"),
            Column::number("value", decimals),
        ]);
        for (system, best_first) in &self.systems {
            for curve in &best_first.curves {
                for (at, point) in curve.points.iter().enumerate() {
                    let category = best_first.categories.get(point.category);
                    let [right, extra, missed] = point.counts;
                    table.row([
                        Cell::from(system.as_str()),
                        Cell::from(curve.score),
                        Cell::Count(at as u64 + 1),
                        Cell::from(category.map(String::as_str)),
                        Cell::from(point.own),
                        Cell::Count(right),
                        Cell::Count(extra),
                        Cell::Count(missed),
                        Cell::from(point.value),
                    ]);
                }
            }
        }
        table
    }

    /// The values of each curve with the categories in their order.
    pub fn json(&self) -> Value {
        let curve = |best_first: &BestFirst, curve: &Curve| {
            let category = |category: usize| best_first.categories.get(category).cloned();
            let points = || curve.points.iter();
            json!({
                "score": curve.score,
                "categories": points().map(|point| category(point.category)).collect::<Vec<_>>(),
                "own": points().map(|point| point.own).collect::<Vec<_>>(),
                "counts": points().map(|point| point.counts).collect::<Vec<_>>(),
                "values": points().map(|point| point.value).collect::<Vec<_>>(),
            })
        };
        let system = |(name, best_first): &(String, BestFirst)| {
            let curves = best_first.curves.iter().map(|found| curve(best_first, found));
            json!({ "name": name, "curves": curves.collect::<Vec<_>>() })
        };
        json!({
            "benchmark": self.benchmark,
            "signature": self.signature.to_string(),
            "facet": self.facet,
            "left_out": self.left_out(),
            "systems": self.systems.iter().map(system).collect::<Vec<_>>(),
        })
    }

    /// A plot for each of [`RANKINGS`].
    pub fn plots(&self) -> Vec<LinePlot> {
        RANKINGS.into_iter().map(|score| self.plot(score)).collect()
    }

    fn plot(&self, score: &str) -> LinePlot {
        let series = self.systems.iter().flat_map(|(name, best_first)| {
            let curves = best_first.curves.iter().filter(|curve| curve.score == score);
            curves.map(move |curve| {
                let values = curve.points.iter().enumerate();
                let point = |value: Option<f64>| value.unwrap_or(f64::NAN);
                let points = values.map(|(at, point_of)| (at as f64 + 1.0, point(point_of.value)));
                Series { name: name.clone(), points: points.collect(), ..Series::default() }
            })
        });
        let shown = shown(score);
        LinePlot {
            title: format!("{shown} as categories are added, best first"),
            x: Axis::counting(format!("categories ({})", self.facet)),
            y: Axis::new(shown).between(0.0, 1.0),
            series: series.collect(),
            ..LinePlot::default()
        }
    }
}

/// The curves of several benchmarks in one object.
pub fn json(all: &[Curves]) -> Value {
    let benchmarks: Vec<Value> = all.iter().map(Curves::json).collect();
    let signatures: Vec<Signature> = all.iter().map(|curves| curves.signature.clone()).collect();
    json!({
        "karat": env!("CARGO_PKG_VERSION"),
        "signature": Signature::together(&signatures).to_string(),
        "benchmarks": benchmarks,
    })
}

fn shown(score: &str) -> &'static str {
    match score {
        "precision" => "Precision",
        "recall" => "Recall",
        _ => "F1",
    }
}
