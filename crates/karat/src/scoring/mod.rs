//! Scoring systems against a benchmark.
//!
//! ```
//! use karat::formats::{ReadOptions, Source};
//! use karat::inputs::Run;
//! use karat::scoring::Scoring;
//!
//! let read = |text: &str| {
//!     let input = Source::memory("a.tsv", text).into();
//!     karat::registry().read(&input, None, &ReadOptions::default()).map(|outcome| outcome.corpus)
//! };
//! let gold = read("d1\t0\t5\tQ64\nd1\t10\t14\tQ90\n")?;
//! let system = Run::new("mine", read("d1\t0\t5\tQ64\n")?);
//! let scoring = Scoring::named("karat", &["link"])?;
//! let board = scoring.score("gold", &gold, &[system]);
//! let link = &board.systems[0].evaluation.results[0];
//! assert_eq!(link.micro.get("recall"), Some(Some(0.5)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
mod common;
mod common_means;
pub mod counts;
mod drawing;
mod fuzzy;
mod gates;
pub(crate) mod intervals;
pub mod json;
mod key;
mod labels;
mod linked;
mod measured;
mod names;
mod neleval;
mod over_benchmarks;
pub mod plots;
mod request;
pub mod rows;
mod sentence;
pub mod similarity;
pub(crate) mod statistic;
mod stream;
pub mod tables;
mod texts;

use crate::inputs::{Coverage, Run, signed_gold};

use karat_facets::Facet;
use karat_kb::Identity;
use karat_match::Pairing;
use karat_measures::{
    Convention, Evaluation, MacroScores, NameError, Plan, Preset, Selection, Signature, evaluate,
    on_threads, tune,
};
use karat_model::{Corpus, Digest, Progress, Statistics, Watch};
use karat_stats::{Bootstrap, Method};
use std::sync::Arc;

pub use answer::EvaluationAnswer;
pub use common::Common;
pub use drawing::few_trials;
pub use drawing::{DrawingRequest, MOST_TRIALS};
pub use gates::is_score;
pub use intervals::Intervals;
pub use names::{MeasureNames, NoMeasure};
pub use over_benchmarks::BenchmarkMean;
pub use request::check_attributes;
pub(crate) use request::documents_to_score;
pub use request::{Evaluated, EvaluationRequest};
pub(crate) use stream::{Parts, Rest};
pub use stream::{StreamError, StreamInput, Streamed};
pub use texts::OtherTexts;

/// What is to be scored, and how.
#[derive(Debug, Clone)]
pub struct Scoring {
    /// Everything that decides a number.
    pub convention: Convention,
    /// The measures.
    pub selection: Selection,
    /// Which spellings are one entity.
    pub identity: Identity,
    /// What results are sliced by.
    pub facets: Vec<Vec<Arc<dyn Facet>>>,
    /// How intervals are made; `None` for none.
    pub bootstrap: Option<Bootstrap>,
    /// What is drawn again for them.
    pub resampling: Resampling,
    /// The measures of similarity by which systems are compared with each other, if they are.
    pub similarity: Option<Selection>,
    /// Whether scores are followed over all thresholds on confidence as well.
    pub sweep: bool,
    /// How many threads; 0 for all cores.
    pub threads: usize,
    /// A development set on which a threshold on confidence is chosen for each system.
    pub development: Option<Development>,
    /// Whether outputs of systems get digests as well as gold. They change no number, and take as
    /// long as that of gold each.
    pub digest_systems: bool,
    /// Whatever else the numbers depend on, for the signature.
    pub provenance: Vec<(&'static str, String)>,
    /// Who watches, and may stop the work. What comes out of work that was stopped means nothing.
    pub watch: Watch,
}

/// A gold standard that is not scored.
#[derive(Debug, Clone)]
pub struct Development {
    /// What it is called.
    pub name: String,
    /// Its documents.
    pub gold: Arc<Corpus>,
}

/// What is drawn again for intervals.
#[derive(Debug, Clone, Default)]
pub enum Resampling {
    /// Documents, from all documents.
    #[default]
    Documents,
    /// Documents, from those with the same label: each label keeps its number of documents.
    Strata(Arc<dyn Facet>),
    /// Labels, with all documents that carry them.
    Clusters(Arc<dyn Facet>),
}

impl std::fmt::Display for Resampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Resampling::Documents => f.write_str("doc"),
            Resampling::Strata(facet) => write!(f, "strata({})", facet.name()),
            Resampling::Clusters(facet) => write!(f, "clusters({})", facet.name()),
        }
    }
}

/// How systems did on one benchmark.
#[derive(Debug, Clone)]
pub struct Board {
    /// The benchmark.
    pub benchmark: String,
    /// What reproduces the numbers.
    pub signature: Signature,
    /// What the gold standard holds.
    pub gold: Statistics,
    /// The digest of the gold standard.
    pub digest: Digest,
    /// The measures and what is to be shown of them.
    pub selection: Selection,
    /// How sure the intervals are, in percent; `None` if there are none.
    pub level: Option<f64>,
    /// The systems, in the order given.
    pub systems: Vec<SystemScores>,
    /// How much every two of them have in common, if that was asked for.
    pub similarities: Vec<similarity::Similarity>,
}

/// How one system did.
#[derive(Debug, Clone)]
pub struct SystemScores {
    /// What it is called.
    pub name: String,
    /// Where it was read from.
    pub source: String,
    /// The digest of its output, if that was asked for.
    pub digest: Option<Digest>,
    /// Its scores.
    pub evaluation: Evaluation,
    /// For each measure the intervals of its scores.
    pub intervals: Vec<Intervals>,
    /// The same for each slice of the evaluation.
    pub slice_intervals: Vec<Vec<Intervals>>,
    /// Documents of gold for which the system says nothing.
    pub silent_documents: usize,
    /// Documents that gold does not have.
    pub unknown_documents: Vec<String>,
    /// The threshold on confidence that was chosen on a development set.
    pub tuned: Option<f64>,
    /// For each measure of linking alone, how it does on what all systems found, where they found
    /// different mentions. Other measures have none.
    pub common: Vec<Option<Common>>,
    /// For each measure its means over the documents where a score is defined for all systems, where
    /// these are others than its own.
    pub common_means: Vec<Option<MacroScores>>,
}

impl SystemScores {
    /// Which documents of the benchmark it speaks of.
    fn coverage(&self, board: &Board) -> Coverage {
        Coverage {
            documents: board.gold.documents,
            silent: self.silent_documents,
            unknown: self.unknown_documents.clone(),
        }
    }
}

impl Scoring {
    /// These measures under a preset; its own measures if none are named.
    pub fn named(preset: &str, measures: &[&str]) -> Result<Scoring, NameError> {
        let preset = Preset::named(preset).ok_or_else(|| NameError {
            message: format!("there is no preset `{preset}`"),
            hint: "`karat presets` lists them".into(),
        })?;
        Scoring::under(preset, measures)
    }

    /// The same for a preset that is at hand.
    pub fn under(preset: &Preset, measures: &[&str]) -> Result<Scoring, NameError> {
        let measures = if measures.is_empty() { preset.measures } else { measures };
        Scoring::new((preset.convention)(), measures)
    }

    /// These measures under a convention.
    pub fn new(convention: Convention, measures: &[&str]) -> Result<Scoring, NameError> {
        let selection = Selection::parse(measures.iter().copied(), &convention)?;
        let identity = convention.identity();
        let bootstrap = convention.intervals.then(Bootstrap::default);
        Ok(Scoring {
            convention,
            selection,
            identity,
            facets: Vec::new(),
            bootstrap,
            resampling: Resampling::Documents,
            similarity: None,
            sweep: false,
            threads: 0,
            development: None,
            digest_systems: false,
            provenance: Vec::new(),
            watch: Watch::default(),
        })
    }

    /// Scores systems on a benchmark.
    pub fn score(&self, benchmark: &str, gold: &Corpus, systems: &[Run]) -> Board {
        let digest = |system: &Run| self.digest_systems.then(|| system.corpus.digest());
        let described = || {
            let digests: Vec<Option<Digest>> = systems.iter().map(digest).collect();
            (self.signature(benchmark, gold), gold.statistics(), digests)
        };
        let scored = || -> Vec<SystemScores> {
            let mut scored: Vec<SystemScores> =
                systems.iter().map(|system| self.score_one(gold, system)).collect();
            let common = self.common(gold, systems);
            for (at, system) in scored.iter_mut().enumerate() {
                let of_system = |all: &Option<Vec<Common>>| all.as_ref()?.get(at).copied();
                system.common = common.iter().map(of_system).collect();
            }
            self.find_common_means(&mut scored);
            scored
        };
        let scored = || (scored(), self.similarities(gold, systems));
        // Digests and statistics depend on nothing in the scores, so that they are made beside
        // them.
        let ((signature, statistics, digests), (mut scored, similarities)) =
            on_threads(self.threads, || rayon::join(described, scored));
        for (system, digest) in scored.iter_mut().zip(digests) {
            system.digest = digest;
        }
        Board {
            benchmark: benchmark.to_owned(),
            signature,
            gold: statistics,
            digest: gold.digest(),
            selection: self.selection.clone(),
            level: self.bootstrap.map(|bootstrap| bootstrap.level),
            systems: scored,
            similarities,
        }
    }

    /// What is computed for each system.
    pub fn plan(&self) -> Plan {
        Plan {
            facets: self.facets.clone(),
            threads: self.threads,
            keep_documents: self.bootstrap.is_some(),
            sweep: self.sweep,
            ..Plan::new(self.convention.clone(), self.selection.clone())
        }
    }

    fn score_one(&self, gold: &Corpus, system: &Run) -> SystemScores {
        let mut plan = self.plan();
        let Some(development) = &self.development else {
            return self.score_with(&plan, gold, system, &system.corpus, None);
        };
        // What the system says of the development set serves to tune it and nothing else.
        let known = |name: &str| development.gold.document(name).is_some();
        let rehearsal = system.corpus.only_documents(known);
        let rest = system.corpus.only_documents(|name| !known(name));
        let pairing = Pairing::new(&development.gold, &rehearsal, &self.identity);
        let threshold = tune(&pairing.watched(&self.watch), &plan);
        // A threshold that was tuned elsewhere is not searched for again.
        plan.convention.oracle = false;
        for measure in &mut plan.selection.measures {
            measure.settings.threshold = threshold;
        }
        self.score_with(&plan, gold, system, &rest, threshold)
    }

    fn score_with(
        &self,
        plan: &Plan,
        gold: &Corpus,
        system: &Run,
        corpus: &Corpus,
        tuned: Option<f64>,
    ) -> SystemScores {
        let pairing = Pairing::new(gold, corpus, &self.identity).watched(&self.watch);
        // Scores of one system come before its intervals, so each system has steps of its own.
        self.watch.begin("scoring", pairing.len() as u64);
        let evaluation = evaluate(&pairing, plan);
        let intervals = self.intervals(&evaluation, Some(gold));
        // Silent means: of gold and not in the output. A place has at least one side.
        let places = pairing.places().iter();
        let unknown = places.clone().enumerate().filter(|(_, place)| place.gold.is_none());
        SystemScores {
            name: system.name.clone(),
            source: system.source.clone(),
            digest: None,
            intervals: intervals.whole,
            slice_intervals: intervals.slices,
            silent_documents: places.filter(|place| place.system.is_none()).count(),
            unknown_documents: unknown.map(|(at, _)| pairing.name(at).to_owned()).collect(),
            tuned,
            common: Vec::new(),
            common_means: Vec::new(),
            evaluation,
        }
    }

    /// The weights of what is not strict in the measures of fuzzy recall, in the order of these.
    pub fn alphas(&self) -> Vec<f64> {
        let measures = self.selection.measures.iter();
        measures.filter_map(|measure| measure.compute.alpha()).collect()
    }

    pub(crate) fn signature(&self, benchmark: &str, gold: &Corpus) -> Signature {
        self.signature_of(benchmark, gold.digest())
    }

    pub(crate) fn signature_of(&self, benchmark: &str, gold: Digest) -> Signature {
        self.signature_with(Some((benchmark, gold)))
    }

    /// The signature but for the gold standard: what is the same for all parts of one.
    fn settings(&self) -> String {
        self.signature_with(None).to_string()
    }

    fn signature_with(&self, gold: Option<(&str, Digest)>) -> Signature {
        let mut convention = self.convention.clone();
        // A threshold that was tuned on a development set is no oracle, and the signature must not
        // call it one.
        convention.oracle &= self.development.is_none();
        let mut signature = Signature::new(&convention);
        if let Some(kb) = self.identity.signature() {
            signature.push("kb", &kb);
        }
        if let Some((benchmark, gold)) = gold {
            signature.push("gold", &signed_gold(benchmark, gold));
        }
        if let Some(Development { name, gold }) = &self.development {
            signature.tune(&format!("{name}@{}", gold.digest().short()));
        }
        for (name, value) in &self.provenance {
            signature.push(name, value);
        }
        let alphas = self.alphas();
        // Alphas are in the signature only where some weight depends on them; otherwise they change
        // no number.
        if !alphas.is_empty() && self.convention.membership.knows_alpha() {
            let alphas: Vec<String> = alphas.iter().map(f64::to_string).collect();
            signature.push("alpha", &alphas.join(","));
        }
        if let Some(Bootstrap { trials, seed, level, method }) = self.bootstrap {
            let drawn = &self.resampling;
            // The percentile method is the usual one and goes unnamed, to keep signatures short.
            let method = match method {
                Method::Percentile => String::new(),
                other => format!(",{other}"),
            };
            let boot = format!("{drawn},{trials},seed={seed},level={level}{method}");
            signature.push("boot", &boot);
        }
        signature
    }
}
