//! Comparing systems: which differences are real, how large they are, and what the test set could
//! have shown.
//!
//! ```
//! use karat::comparison::Comparing;
//! use karat::formats::{ReadOptions, Source};
//! use karat::inputs::Run;
//! use karat::scoring::Scoring;
//!
//! let read = |text: &str| {
//!     let input = Source::memory("a.tsv", text).into();
//!     karat::registry().read(&input, None, &ReadOptions::default()).map(|outcome| outcome.corpus)
//! };
//! let gold = read("d1\t0\t5\tQ64\nd2\t0\t4\tQ90\n")?;
//! let systems = [
//!     Run::new("a", read("d1\t0\t5\tQ64\nd2\t0\t4\tQ90\n")?),
//!     Run::new("b", read("d1\t0\t5\tQ64\nd2\t0\t4\tQ1\n")?),
//! ];
//! let comparing = Comparing::new(Scoring::named("karat", &["link"])?);
//! let comparison = comparing.compare("gold", &gold, &systems);
//! let pair = &comparison.scores[0].pairs[0];
//! assert_eq!(pair.difference.map(|difference| difference.value), Some(0.5));
//! // Two documents cannot show that the systems differ.
//! assert!(!pair.is_significant);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod across;
pub mod answer;
mod entered;
mod mentions;
mod plots;
mod remarks;
mod request;
mod resolution;
pub mod rows;
mod score;
mod sentence;
pub mod tables;
mod tested;

use crate::counts::EvaluationCounts;
use crate::error::Error;
use crate::inputs::Run;
use crate::scoring::{Resampling, Scoring};
use entered::EnteredSystems;
use karat_measures::{Selection, Sides, Signature, on_threads};
use karat_model::{Corpus, Digest};
use karat_stats::{Bootstrap, Correction, Power};
use std::sync::Arc;

pub use across::{Across, Blocks, NotRanked};
pub use answer::ComparisonAnswer;
pub use mentions::Mentions;
pub(crate) use mentions::found_by;
pub use plots::{critical_difference, critical_difference_files, forest};
pub use remarks::remarks;
pub use request::ComparisonRequest;
pub use resolution::{ResolutionAnswer, ResolutionRequest, ResolutionRow};
pub use score::{ComparedPart, Pair, ScoreComparison, Standing};
pub use tested::{PairKeeper, PairKey, TestedPair};

/// How systems are compared.
#[derive(Debug, Clone)]
pub struct Comparing {
    /// What is scored, and how.
    pub scoring: Scoring,
    /// How documents are drawn again, and how often they are exchanged.
    pub bootstrap: Bootstrap,
    /// How p-values are corrected for the number of pairs.
    pub correction: Correction,
    /// When a difference counts as real, and how often it is to be found.
    pub power: Power,
    /// Whether only standings and groups are wanted. Pairs are then left out where no test of them could be
    /// significant.
    pub standings_only: bool,
    /// Keeps the tests of pairs, so that each is made once.
    pub pair_keeper: Option<Arc<dyn PairKeeper>>,
}

/// How systems compare on one benchmark.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The benchmark.
    pub benchmark: String,
    /// Whether it is all other benchmarks together: it then says nothing that they do not.
    pub unified: bool,
    /// What reproduces the numbers.
    pub signature: Signature,
    /// How many documents gold has.
    pub documents: usize,
    /// How many units are drawn again and exchanged: documents that gold or any system has, or clusters
    /// of them.
    pub units: usize,
    /// The systems in the order given.
    pub systems: Vec<EnteredSystem>,
    /// A comparison for each score, first of the whole corpus, then of its parts.
    pub scores: Vec<ScoreComparison>,
    /// Measures that cannot be compared, because they need the whole corpus at once.
    pub left_out: Vec<String>,
    /// What should be known of parts without a label.
    pub notes_on_parts: Vec<String>,
    /// How systems are compared.
    pub comparing: Comparing,
}

/// A system that is compared.
#[derive(Debug, Clone)]
pub struct EnteredSystem {
    /// What it is called.
    pub name: String,
    /// Where its runs were read from.
    pub sources: Vec<String>,
    /// Documents of gold for which it says nothing, in the run that says least.
    pub silent_documents: usize,
    /// Documents that gold does not have.
    pub unknown_documents: Vec<String>,
}

impl Comparing {
    /// Compares as karat does: with the trials of the scoring, or 1000, Holm's correction, a level of
    /// 0.05 and a power of 0.8.
    pub fn new(scoring: Scoring) -> Comparing {
        let bootstrap = scoring.bootstrap.unwrap_or_default();
        Comparing {
            scoring,
            bootstrap,
            correction: Correction::Holm,
            power: Power::default(),
            standings_only: false,
            pair_keeper: None,
        }
    }

    /// Compares systems on a benchmark. Systems with the same name are runs of one system, with
    /// other seeds say: it scores the mean of its runs.
    pub fn compare(&self, benchmark: &str, gold: &Corpus, systems: &[Run]) -> Comparison {
        on_threads(self.scoring.threads, || self.compare_here(benchmark, gold, systems))
    }

    fn compare_here(&self, benchmark: &str, gold: &Corpus, systems: &[Run]) -> Comparison {
        let compared = || {
            let entered = EnteredSystems::new(self, gold, systems);
            let compared = entered.compare();
            (entered, compared)
        };
        let ((entered, compared), digest) =
            // The digest of gold, which the signature needs, takes a while and depends on nothing
            // else.
            rayon::join(compared, || gold.digest());
        self.found(benchmark, (gold.len(), digest), &entered, compared)
    }

    /// Compares systems by what was counted before. No text is read.
    pub(crate) fn compare_counts(&self, counts: &EvaluationCounts) -> Result<Comparison, Error> {
        counts.check_measures(&self.scoring)?;
        let entered = EnteredSystems::of_counts(self, counts)?;
        let compared = entered.compare();
        let gold = &counts.gold;
        let gold = (gold.documents, gold.digests.clone().finish());
        Ok(self.found(&counts.plan.benchmark, gold, &entered, compared))
    }

    fn found(
        &self,
        benchmark: &str,
        (documents, digest): (usize, Digest),
        entered: &EnteredSystems<'_>,
        (scores, left_out): (Vec<ScoreComparison>, Vec<String>),
    ) -> Comparison {
        let mut signature = self.signature_of_scores(benchmark, digest);
        let systems = entered.names();
        self.sign_tests(&mut signature, &systems);
        Comparison {
            benchmark: benchmark.to_owned(),
            unified: false,
            signature,
            documents,
            units: entered.units(),
            systems,
            scores,
            left_out,
            notes_on_parts: self.scoring.notes_on_parts(entered.slices()),
            comparing: self.clone(),
        }
    }

    fn signature_of_scores(&self, benchmark: &str, gold: Digest) -> Signature {
        let mut scoring = self.scoring.clone();
        // The trials of the comparison, not those of the preset, make the intervals here.
        scoring.bootstrap = Some(self.bootstrap);
        scoring.signature_of(benchmark, gold)
    }

    fn sign_tests(&self, signature: &mut Signature, systems: &[EnteredSystem]) {
        let Bootstrap { trials, seed, .. } = self.bootstrap;
        let Power { alpha, .. } = self.power;
        let correction = self.correction;
        let tests = self.tests(systems).join("+");
        signature.push("test", &format!("{tests},{trials},seed={seed},{correction},alpha={alpha}"));
    }

    /// The tests of pairs of these systems: runs are no documents, so where there are several, only
    /// drawing again says something.
    fn tests(&self, systems: &[EnteredSystem]) -> Vec<String> {
        let exchanged = match &self.scoring.resampling {
            Resampling::Documents | Resampling::Strata(_) => "doc".to_owned(),
            clusters => clusters.to_string(),
        };
        let with_runs = systems.iter().filter(|system| system.sources.len() > 1).count();
        let exchange = (systems.len() > with_runs + 1 || with_runs == 0)
            .then(|| format!("exchange({exchanged})"));
        let bootstrap = (with_runs > 0).then(|| format!("boot({},runs)", self.scoring.resampling));
        exchange.into_iter().chain(bootstrap).collect()
    }

    /// The smallest p-value that is left after correction for so many pairs, if their tests give none below
    /// `least`, nor any below that of one trial among all.
    fn least_p(&self, least: f64, pairs: usize) -> f64 {
        // With n trials no p-value is below 1 / (n + 1), however different the systems are.
        let least = least.max(self.sides() / (self.bootstrap.trials + 1) as f64).min(1.0);
        self.correction.adjust(&vec![least; pairs]).first().copied().unwrap_or(1.0)
    }

    /// How many times a p-value counts: one in the direction that was seen counts twice, because it
    /// might have been the other.
    fn sides(&self) -> f64 {
        match self.scoring.convention.sides {
            Sides::One => 2.0,
            Sides::Two => 1.0,
        }
    }

    /// A p-value in either direction, whichever way the convention counts.
    fn two_sided(&self, p: f64) -> f64 {
        (self.sides() * p).min(1.0)
    }

    fn selection(&self) -> &Selection {
        &self.scoring.selection
    }
}
