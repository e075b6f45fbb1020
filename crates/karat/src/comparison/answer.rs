//! The answer to a comparison: the contract of `karat compare --format json`. Keys are added, never renamed.

use super::{Across, Comparison, Mentions, NotRanked, Pair, ScoreComparison, rows, tables};
use crate::inputs::ComparedDigests;
use crate::request::{Answer, record};
use karat_measures::{Sides, Signature};
use karat_model::Notice;
use karat_report::{Deferred, Report, ReportSection};
use karat_stats::Interval;
use serde::{Deserialize, Serialize};

/// Which systems are really better.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces all numbers.
    pub signature: Option<String>,
    /// How systems compare on each benchmark.
    pub benchmarks: Vec<BenchmarkComparison>,
    /// How they rank over all benchmarks, or over the documents of the only one, by each score.
    pub across: Vec<RanksRecord>,
    /// The digests of gold and systems, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<ComparedDigests>,
    /// How sure intervals are, in percent.
    #[serde(default)]
    pub level: f64,
    /// How p-values are corrected for the number of pairs.
    #[serde(default)]
    pub correction: String,
    /// Whether `p` is one-sided. Corrected p-values are always two-sided.
    #[serde(default)]
    pub one_sided: bool,
    /// What a reader of the numbers has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// How systems compare on one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkComparison {
    /// The benchmark.
    pub name: String,
    /// Whether it is all other benchmarks together.
    pub unified: bool,
    /// What reproduces the numbers.
    pub signature: String,
    /// How many documents gold has.
    pub documents: usize,
    /// How many documents, or clusters of them, are drawn again and exchanged.
    pub units: usize,
    /// The systems in the order given.
    pub systems: Vec<ComparedSystem>,
    /// A comparison for each score, first of the whole corpus, then of its parts.
    pub scores: Vec<ScoreRecord>,
    /// Measures that cannot be compared.
    pub left_out: Vec<String>,
    /// What the numbers mean, in sentences.
    pub remarks: Vec<String>,
}

/// A system that is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedSystem {
    /// What it is called.
    pub name: String,
    /// Where its runs were read from.
    pub sources: Vec<String>,
    /// How many documents of gold it says nothing about.
    pub silent_documents: usize,
    /// How many documents it has that gold does not have.
    pub unknown_documents: usize,
}

/// Systems compared by one score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreRecord {
    /// The score with its measure, as `link.f1@macro`.
    pub name: String,
    /// The measure, as it was asked for.
    pub measure: String,
    /// The facet of the part that was scored, several joined by `+`; `None` for the whole corpus.
    pub facet: Option<String>,
    /// The label of the part.
    pub label: Option<String>,
    /// The label of each facet.
    pub labels: Option<Vec<String>>,
    /// Where each system stands, in the order given.
    pub systems: Vec<StandingRecord>,
    /// Each pair of systems.
    pub pairs: Vec<PairRecord>,
    /// The largest groups of systems, from the best down, in which no two differ significantly.
    pub groups: Vec<Vec<String>>,
    /// The smallest difference that would be found: the median over all pairs.
    pub detectable: Option<f64>,
    /// Why there are no pairs, where they were left out: no test of them could have been significant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_tested: Option<String>,
}

/// Where a system stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StandingRecord {
    /// The system.
    pub name: String,
    /// Its score; of several runs the mean.
    pub score: Option<f64>,
    /// Where the score may lie.
    pub ci: Option<[f64; 2]>,
    /// Its rank, 1 for the best.
    pub rank: Option<usize>,
    /// Where the rank may lie.
    pub rank_ci: Option<[usize; 2]>,
    /// In which share of the samples it is the best.
    pub first: Option<f64>,
    /// The systems that it is significantly better than.
    pub beats: Vec<String>,
    /// The scores of its runs.
    pub runs: Vec<Option<f64>>,
    /// In how many samples it has no score.
    pub undefined_trials: usize,
    /// Its strength by Bradley and Terry.
    pub strength: Option<f64>,
    /// Over how many documents its score is a mean, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<usize>,
}

/// Two systems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The first system.
    pub first: String,
    /// The second.
    pub second: String,
    /// How far the first is above the second.
    pub difference: Option<f64>,
    /// Where the difference may lie.
    pub ci: Option<[f64; 2]>,
    /// Its standard error.
    pub standard_error: Option<f64>,
    /// The p-value of the test.
    pub p: Option<f64>,
    /// The two-sided p-value corrected for the number of pairs.
    pub p_adjusted: Option<f64>,
    /// Whether the corrected p-value is below the level.
    pub significant: bool,
    /// The p-value of the exchange in the direction that was seen.
    pub p_one_sided: Option<f64>,
    /// The p-value of the exchange in either direction.
    pub p_two_sided: Option<f64>,
    /// The p-value of the bootstrap.
    pub p_bootstrap: Option<f64>,
    /// In which share of the samples the first is better.
    pub first_better: Option<f64>,
    /// The smallest difference that would be found.
    pub detectable: Option<f64>,
    /// Whether not even the largest difference would be found.
    pub out_of_reach: bool,
    /// Cohen's h of the two scores.
    pub cohens_h: Option<f64>,
    /// Documents in which the first is better, equal, worse.
    pub documents: OutcomesRecord,
    /// Gold mentions that only one of them found.
    pub mentions: Option<MentionsRecord>,
    /// How far the first is from being better throughout, over the runs of both.
    pub stochastic_order: Option<OrderRecord>,
}

/// Documents by which of two systems is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomesRecord {
    /// The first is better.
    pub wins: u64,
    /// They are equal.
    pub ties: u64,
    /// The second is better.
    pub losses: u64,
}

/// Gold mentions that one of two systems found and the other did not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MentionsRecord {
    /// Found by the first only.
    pub first_only: u64,
    /// Found by the second only.
    pub second_only: u64,
    /// Found by both or neither.
    pub concordant: u64,
    /// McNemar's exact p-value.
    pub p: f64,
    /// The same, with half the chance of what was seen.
    pub mid_p: f64,
    /// The p-value that knows that mentions of one document are alike.
    pub p_clustered: Option<f64>,
    /// How much more often the first is the one that finds.
    pub odds_ratio: Option<f64>,
}

/// Almost stochastic order of two systems with several runs each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OrderRecord {
    /// How far the order is violated.
    pub ratio: f64,
    /// The upper bound of that.
    pub bound: f64,
}

/// How systems rank by one score over benchmarks or documents, or why they cannot be ranked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RanksRecord {
    /// They can.
    Ranked(Box<RankedRecord>),
    /// They cannot.
    NotRanked {
        /// Why.
        reason: String,
    },
}

/// How systems rank over benchmarks or documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedRecord {
    /// The score, as `link.f1`.
    pub score: String,
    /// The facet of the part that was scored.
    pub facet: Option<String>,
    /// The label of the part.
    pub label: Option<String>,
    /// The label of each facet.
    pub labels: Option<Vec<String>>,
    /// What they were ranked on: `benchmarks`, `documents` or `clusters`.
    pub blocks: String,
    /// How many of these there are.
    pub number: usize,
    /// The average rank of each system.
    pub ranks: Vec<RankRecord>,
    /// Friedman's statistic.
    pub chi_squared: f64,
    /// Its p-value.
    pub p: f64,
    /// The statistic of Iman and Davenport.
    pub f: Option<f64>,
    /// Its p-value.
    pub f_p: Option<f64>,
    /// Average ranks at least this far apart differ.
    pub critical_difference: f64,
    /// The largest groups of systems that do not differ, from the best down.
    pub groups: Vec<Vec<String>>,
    /// On how many benchmarks at least two systems differ.
    pub replicated: Vec<ReplicatedRecord>,
}

/// The average rank of a system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankRecord {
    /// The system.
    pub name: String,
    /// Its average rank.
    pub rank: f64,
}

/// On how many benchmarks at least two systems differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplicatedRecord {
    /// The first system.
    pub first: String,
    /// The second.
    pub second: String,
    /// The number of benchmarks.
    pub benchmarks: usize,
}

impl ComparisonAnswer {
    /// The answer that comparisons give, one for each benchmark.
    pub fn of(comparisons: &[Comparison]) -> ComparisonAnswer {
        let signatures: Vec<Signature> =
            comparisons.iter().map(|comparison| comparison.signature.clone()).collect();
        let comparing = comparisons.first().map(|comparison| &comparison.comparing);
        ComparisonAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: (!signatures.is_empty())
                .then(|| Signature::together(&signatures).to_string()),
            benchmarks: comparisons.iter().map(BenchmarkComparison::of).collect(),
            across: match comparing.is_some_and(|comparing| comparing.standings_only) {
                true => Vec::new(),
                false => Across::of(comparisons).iter().map(RanksRecord::of).collect(),
            },
            digests: Vec::new(),
            level: comparing.map_or(0.0, |comparing| comparing.bootstrap.level),
            correction: comparing.map_or(String::new(), |it| it.correction.to_string()),
            one_sided: comparing.is_some_and(|it| it.scoring.convention.sides == Sides::One),
            notices: Vec::new(),
        }
    }

    /// The ranks that could be made.
    pub fn ranked(&self) -> impl Iterator<Item = &RankedRecord> {
        self.across.iter().filter_map(|ranks| match ranks {
            RanksRecord::Ranked(ranked) => Some(ranked.as_ref()),
            RanksRecord::NotRanked { .. } => None,
        })
    }

    /// The report with a row for each pair of systems instead of each system.
    pub fn report_of_pairs(&self) -> Report<'_> {
        Report { rows: Some(Deferred::by(|| rows::pairs(self))), ..self.report() }
    }
}

impl Answer for ComparisonAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let paper = |benchmark| {
            let table = Deferred::by(move || tables::paper(self, benchmark));
            ReportSection::new(benchmark.name.as_str(), table)
        };
        let mut report = Report {
            sections: vec![
                ReportSection::new("Systems", Deferred::by(|| tables::standings(self))),
                ReportSection::new("Pairs", Deferred::by(|| tables::pairs(self))),
            ],
            page: self.benchmarks.iter().map(paper).collect(),
            rows: Some(Deferred::by(|| rows::standings(self))),
            record: Some(Deferred::by(|| record(self))),
            signatures: self.benchmarks.iter().map(|one| one.signature.clone()).collect(),
            ..Report::default()
        };
        // Ranks over the documents of one benchmark are for the diagram only.
        if self.benchmarks.len() > 1 && self.ranked().next().is_some() {
            for sections in [&mut report.sections, &mut report.page] {
                let ranks = Deferred::by(|| tables::across(self));
                sections.push(ReportSection::new("Ranks over all benchmarks", ranks));
            }
        }
        for remark in self.benchmarks.iter().flat_map(|benchmark| &benchmark.remarks) {
            // What is true of all benchmarks is said once.
            if !report.remarks.contains(remark) {
                report.remarks.push(remark.clone());
            }
        }
        report
    }
}

impl BenchmarkComparison {
    fn of(comparison: &Comparison) -> BenchmarkComparison {
        let systems = comparison.systems.iter().map(|system| ComparedSystem {
            name: system.name.clone(),
            sources: system.sources.clone(),
            silent_documents: system.silent_documents,
            unknown_documents: system.unknown_documents.len(),
        });
        let names: Vec<&str> =
            comparison.systems.iter().map(|system| system.name.as_str()).collect();
        let not_tested = super::remarks::nothing_can_be_found(comparison);
        BenchmarkComparison {
            name: comparison.benchmark.clone(),
            unified: comparison.unified,
            signature: comparison.signature.to_string(),
            documents: comparison.documents,
            units: comparison.units,
            systems: systems.collect(),
            scores: comparison
                .scores
                .iter()
                .map(|score| ScoreRecord {
                    not_tested: score.pairs.is_empty().then(|| not_tested.clone()).flatten(),
                    ..ScoreRecord::of(&names, score)
                })
                .collect(),
            left_out: comparison.left_out.clone(),
            remarks: super::remarks(comparison),
        }
    }
}

impl ScoreRecord {
    fn of(names: &[&str], score: &ScoreComparison) -> ScoreRecord {
        let name = |at: usize| names[at].to_owned();
        let all = |places: &[usize]| places.iter().map(|&at| name(at)).collect::<Vec<_>>();
        let systems = score.systems.iter().enumerate().map(|(at, standing)| StandingRecord {
            name: name(at),
            score: standing.score,
            ci: standing.interval.map(ends),
            rank: standing.ranks.map(|ranks| ranks.rank),
            rank_ci: standing.ranks.and_then(|ranks| ranks.interval),
            first: standing.ranks.and_then(|ranks| ranks.first),
            beats: all(&standing.beats),
            runs: standing.runs.clone(),
            undefined_trials: standing.undefined,
            strength: standing.strength.filter(|strength| strength.is_finite()),
            documents: standing.averaged,
        });
        let part = score.part.as_ref();
        ScoreRecord {
            name: score.name.clone(),
            measure: score.measure.clone(),
            facet: part.map(|part| part.facet.clone()),
            label: part.map(|part| part.label.clone()),
            labels: part.map(|part| part.labels.clone()),
            systems: systems.collect(),
            pairs: score
                .pairs
                .iter()
                .map(|pair| PairRecord::of(pair, name(pair.first), name(pair.second)))
                .collect(),
            groups: score.groups.iter().map(|group| all(group)).collect(),
            detectable: score.detectable,
            not_tested: None,
        }
    }

    /// What people call it: the score, and the part of the corpus if there is one, as
    /// `link.f1 type=PER`.
    pub fn title(&self) -> String {
        title(&self.name, self.facet.as_deref(), self.label.as_deref())
    }

    /// The systems from the best to the worst, with their places; those without a score last.
    pub fn by_score(&self) -> Vec<(usize, &StandingRecord)> {
        let mut order: Vec<(usize, &StandingRecord)> = self.systems.iter().enumerate().collect();
        let score = |standing: &StandingRecord| standing.score.unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|a, b| score(b.1).total_cmp(&score(a.1)));
        order
    }
}

fn title(score: &str, facet: Option<&str>, label: Option<&str>) -> String {
    match (facet, label) {
        (Some(facet), Some(label)) => format!("{score} {facet}={label}"),
        _ => score.to_owned(),
    }
}

impl PairRecord {
    fn of(pair: &Pair, first: String, second: String) -> PairRecord {
        let drawn = pair.difference.and_then(|found| found.drawn);
        PairRecord {
            first,
            second,
            difference: pair.difference.map(|found| found.value),
            ci: drawn.and_then(|found| found.interval).map(ends),
            standard_error: drawn.map(|found| found.standard_error),
            p: pair.p,
            p_adjusted: pair.adjusted,
            significant: pair.is_significant,
            p_one_sided: pair.randomised.map(|found| found.one_sided()),
            p_two_sided: pair.randomised.map(|found| found.two_sided()),
            p_bootstrap: drawn.map(|found| found.two_sided),
            first_better: drawn.map(|found| found.first_better),
            detectable: pair.detectable,
            out_of_reach: pair.is_out_of_reach,
            cohens_h: pair.cohens_h,
            documents: OutcomesRecord {
                wins: pair.documents.wins,
                ties: pair.documents.ties,
                losses: pair.documents.losses,
            },
            mentions: pair.mentions.map(MentionsRecord::of),
            stochastic_order: pair
                .order
                .map(|order| OrderRecord { ratio: order.ratio, bound: order.bound }),
        }
    }
}

impl MentionsRecord {
    fn of(mentions: Mentions) -> MentionsRecord {
        MentionsRecord {
            first_only: mentions.exact.first_only,
            second_only: mentions.exact.second_only,
            concordant: mentions.concordant,
            p: mentions.exact.two_sided(),
            mid_p: mentions.exact.mid_p(),
            p_clustered: finite(mentions.clustered.p),
            odds_ratio: mentions.exact.odds_ratio().filter(|ratio| ratio.is_finite()),
        }
    }
}

impl RanksRecord {
    fn of(across: &Result<Across, NotRanked>) -> RanksRecord {
        let across = match across {
            Ok(across) => across,
            Err(reason) => return RanksRecord::NotRanked { reason: reason.to_string() },
        };
        let name = |at: usize| across.systems[at].clone();
        let group = |group: &Vec<usize>| group.iter().map(|&at| name(at)).collect();
        let ranks = across.systems.iter().zip(&across.friedman.average_ranks);
        let replicated = across.replicated.iter().map(|&(first, second, benchmarks)| {
            ReplicatedRecord { first: name(first), second: name(second), benchmarks }
        });
        let part = across.part.as_ref();
        RanksRecord::Ranked(Box::new(RankedRecord {
            score: across.score.clone(),
            facet: part.map(|part| part.facet.clone()),
            label: part.map(|part| part.label.clone()),
            labels: part.map(|part| part.labels.clone()),
            blocks: across.blocks.name().to_owned(),
            number: across.friedman.benchmarks,
            ranks: ranks.map(|(name, &rank)| RankRecord { name: name.clone(), rank }).collect(),
            chi_squared: across.friedman.chi_squared,
            p: across.friedman.p,
            f: finite(across.friedman.f),
            f_p: finite(across.friedman.f_p),
            critical_difference: across.critical_difference,
            groups: across.groups.iter().map(group).collect(),
            replicated: replicated.collect(),
        }))
    }
}

impl RankedRecord {
    /// The score, and the part of the corpus if there is one.
    pub fn title(&self) -> String {
        title(&self.score, self.facet.as_deref(), self.label.as_deref())
    }
}

/// JSON has no infinity.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}
