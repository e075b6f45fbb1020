//! How systems do on the categories they are best at, then on more and more of them.
//!
//! ```
//! use karat::curves::Curves;
//! use karat::facets::{FacetContext, facet};
//! use karat::formats::{ReadOptions, Source};
//! use karat::inputs::Run;
//! use karat::scoring::Scoring;
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
//! let curves = Curves::of(&scoring, "sample", &gold, &[Run::new("mine", system)], &facets);
//! let recall = &curves.systems[0].1.curves[1];
//! assert_eq!(recall.points.iter().map(|point| point.value).collect::<Vec<_>>(), [Some(1.0), Some(0.5)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::convention::{ConventionRequest, facets};
use crate::error::Error;
use crate::inputs::{Inputs, Repeats, Run, Spellings, counted};
use crate::notices;
use crate::request::{Answer, Request, record};
use crate::scoring::{Scoring, documents_to_score};
use crate::work::Work;
use karat_facets::Facet;
use karat_match::{Pairing, Spans, Unknowns};
use karat_measures::{BestFirst, Convention, Curve, RANKINGS, Signature, on_threads};
use karat_model::{Corpus, Hint, Notice};
use karat_report::plot::{Axis, LinePlot, Series};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
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
        systems: &[Run],
        facets: &[Arc<dyn Facet>],
    ) -> Curves {
        let convention = &scoring.convention;
        let of_system = |system: &Run| {
            let pairing =
                Pairing::new(gold, &system.corpus, &scoring.identity).watched(&scoring.watch);
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

    /// The curves as a record.
    pub fn record(&self) -> CurvesRecord {
        let curve = |best_first: &BestFirst, curve: &Curve| {
            let category = |category: usize| best_first.categories.get(category).cloned();
            let points = || curve.points.iter();
            ScoreCurve {
                score: curve.score.to_owned(),
                categories: points().map(|point| category(point.category)).collect(),
                own: points().map(|point| point.own).collect(),
                counts: points().map(|point| point.counts).collect(),
                values: points().map(|point| point.value).collect(),
            }
        };
        let system = |(name, best_first): &(String, BestFirst)| {
            let curves = best_first.curves.iter().map(|found| curve(best_first, found));
            SystemCurves { name: name.clone(), curves: curves.collect() }
        };
        CurvesRecord {
            benchmark: self.benchmark.clone(),
            signature: self.signature.to_string(),
            facet: self.facet.clone(),
            left_out: self.left_out(),
            systems: self.systems.iter().map(system).collect(),
        }
    }
}

/// Adds the categories of a gold standard one by one, the best of each system first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CurvesRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// The facet whose labels are the categories, or several joined by `+`.
    pub group_by: String,
}

impl Default for CurvesRequest {
    fn default() -> CurvesRequest {
        CurvesRequest {
            inputs: Inputs::default(),
            convention: ConventionRequest::default(),
            group_by: "combination".to_owned(),
        }
    }
}

/// Curves on one or more benchmarks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurvesAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces all numbers.
    pub signature: String,
    /// The curves on each benchmark.
    pub benchmarks: Vec<CurvesRecord>,
    /// What a reader of the numbers has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// The curves of several systems on one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurvesRecord {
    /// The benchmark.
    pub benchmark: String,
    /// What reproduces the numbers.
    pub signature: String,
    /// What the categories are, facets joined by `+`.
    pub facet: String,
    /// How many gold annotations belong to no category, or to several.
    pub left_out: usize,
    /// The systems, in the order given.
    pub systems: Vec<SystemCurves>,
}

/// The curves of one system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemCurves {
    /// The system.
    pub name: String,
    /// A curve for each score.
    pub curves: Vec<ScoreCurve>,
}

/// A score as categories are added: a value for each of them in every list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreCurve {
    /// The score.
    pub score: String,
    /// The categories, the best first.
    pub categories: Vec<Option<String>>,
    /// The score on the category alone.
    pub own: Vec<Option<f64>>,
    /// Right, extra and missed up to here.
    pub counts: Vec<[u64; 3]>,
    /// The score up to here.
    pub values: Vec<Option<f64>>,
}

/// Why a curve does not end at a score of an evaluation.
const LEFT_OUT: &str =
    "Predictions on other spans than those of the gold annotations are left out.";

impl Request for CurvesRequest {
    type Answer = CurvesAnswer;

    const NAME: &'static str = "curves";

    fn answer(&self, work: &Work) -> Result<CurvesAnswer, Error> {
        let mut told = Vec::new();
        let mut scoring = Scoring::new(self.by_span()?, &["all"])?;
        scoring.identity = self.convention.identity(&scoring.convention, &mut told)?;
        scoring.bootstrap = None;
        scoring.threads = work.own_threads();
        scoring.watch = work.watch();
        scoring.provenance.extend(self.inputs.provenance()?);
        let (convention, identity) = (&scoring.convention, &scoring.identity);
        let facets = facets(&self.group_by, convention, Unknowns::Ignored, identity)?;
        let experiments = self.inputs.read(Repeats::Refused, work, &mut told)?;
        let Scoring { convention, identity, .. } = &mut scoring;
        Spellings::settle(&experiments, convention, identity, &mut told);
        work.begin("scoring", documents_to_score(&experiments))?;
        let mut all = Vec::new();
        for experiment in &experiments {
            let gold = &experiment.benchmark;
            all.push(work.run(|| {
                Curves::of(&scoring, &gold.name, &gold.corpus, &experiment.runs, &facets)
            })?);
        }
        scoring.identity.check()?;
        for curves in &all {
            self.check(curves, &mut told)?;
        }
        let signatures: Vec<Signature> =
            all.iter().map(|curves| curves.signature.clone()).collect();
        Ok(CurvesAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: Signature::together(&signatures).to_string(),
            benchmarks: all.iter().map(Curves::record).collect(),
            notices: told,
        })
    }
}

impl CurvesRequest {
    /// The convention. All that stands on one span is one mention, whatever else it says.
    fn by_span(&self) -> Result<Convention, Error> {
        let convention = self.convention.convention()?;
        match convention.settings.spans {
            Spans::Exact | Spans::Expanded => Ok(convention),
            _ => Err(Error::bad_request(
                "curves take all that stands on one span for one mention",
                Hint::template("they need exact spans: leave out {match}, or say {match=exact}"),
            )),
        }
    }

    /// A gold standard without categories has no curves.
    fn check(&self, curves: &Curves, told: &mut Vec<Notice>) -> Result<(), Error> {
        let benchmark = &curves.benchmark;
        let categories = curves.systems.first().map_or(0, |(_, found)| found.categories.len());
        if categories == 0 {
            return Err(Error::bad_request(
                format!("no annotation of `{benchmark}` has exactly one `{}`", self.group_by),
                Hint::template(
                    "{group-by} names the facet that makes the categories, as base-form, combination or type",
                ),
            ));
        }
        if curves.left_out() > 0 {
            let annotations = counted(curves.left_out(), "annotation");
            let message =
                format!("{annotations} of `{benchmark}` in no category, or in several; left out");
            told.push(notices::NO_CATEGORY.notice(message).about(benchmark));
        }
        Ok(())
    }
}

impl CurvesAnswer {
    /// The points of all benchmarks in one table, to compute with; several benchmarks are named.
    pub fn rows(&self) -> Table {
        let several = self.benchmarks.len() > 1;
        let mut table = points(several.then_some("benchmark"), 12);
        self.benchmarks.iter().for_each(|curves| curves.add_points(&mut table, several));
        table
    }
}

impl Answer for CurvesAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let sections = self.benchmarks.iter().map(|one| {
            ReportSection::new(one.benchmark.as_str(), Deferred::by(move || one.table()))
        });
        Report {
            sections: sections.collect(),
            rows: Some(Deferred::by(|| self.rows())),
            record: Some(Deferred::by(|| record(self))),
            remarks: vec![LEFT_OUT.to_owned()],
            signatures: self.benchmarks.iter().map(|one| one.signature.clone()).collect(),
            ..Report::default()
        }
    }
}

impl CurvesRecord {
    /// A row for each point, to read.
    pub fn table(&self) -> Table {
        let mut table = points(None, 3);
        self.add_points(&mut table, false);
        table
    }

    /// A row for each point, to compute with: as many decimals as there is to know.
    pub fn data(&self) -> Table {
        let mut table = points(None, 12);
        self.add_points(&mut table, false);
        table
    }

    fn add_points(&self, table: &mut Table, is_named: bool) {
        for SystemCurves { name, curves } in &self.systems {
            for curve in curves {
                for (at, [right, extra, missed]) in curve.counts.iter().copied().enumerate() {
                    let number = |all: &[Option<f64>]| Cell::from(all.get(at).copied().flatten());
                    let category = curve.categories.get(at).and_then(Option::as_deref);
                    let benchmark = is_named.then(|| Cell::from(self.benchmark.as_str()));
                    let cells = [
                        Cell::from(name.as_str()),
                        Cell::from(curve.score.as_str()),
                        Cell::Count(at as u64 + 1),
                        Cell::from(category),
                        number(&curve.own),
                        Cell::Count(right),
                        Cell::Count(extra),
                        Cell::Count(missed),
                        number(&curve.values),
                    ];
                    table.row(benchmark.into_iter().chain(cells));
                }
            }
        }
    }

    /// A plot for each score, with its name.
    pub fn plots(&self) -> Vec<(&'static str, LinePlot)> {
        RANKINGS.into_iter().map(|score| (score, self.plot(score))).collect()
    }

    fn plot(&self, score: &str) -> LinePlot {
        let series = self.systems.iter().flat_map(|system| {
            let curves = system.curves.iter().filter(|curve| curve.score == score);
            curves.map(|curve| {
                let values = curve.values.iter().enumerate();
                // NaN breaks the line where a score is undefined.
                let points = values.map(|(at, value)| (at as f64 + 1.0, value.unwrap_or(f64::NAN)));
                Series { name: system.name.clone(), points: points.collect(), ..Series::default() }
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

/// An empty table of points.
fn points(benchmark: Option<&str>, decimals: usize) -> Table {
    let columns = [
        Column::text("system"),
        Column::text("score"),
        Column::count("rank"),
        Column::text("category"),
        Column::number("own", decimals),
        Column::count("tp"),
        Column::count("fp"),
        Column::count("fn"),
        Column::number("value", decimals),
    ];
    Table::new(benchmark.map(Column::text).into_iter().chain(columns))
}

fn shown(score: &str) -> &'static str {
    match score {
        "precision" => "Precision",
        "recall" => "Recall",
        _ => "F1",
    }
}
