//! Systems compared by one score.

use super::Comparing;
use super::mentions::{Answers, Mentions};
use super::tested::{self, PairKeeper, PairKey, TestedPair};
use crate::scoring::statistic::Statistic;
use karat_measures::{Average, Convention, Sides, Slice};
use karat_model::hash_of;
use karat_stats::{
    AlmostStochasticOrder, BradleyTerry, Contest, Correction, Counts, Difference, Interval,
    Outcomes, Power, Randomisation, Randomised, Ranks, Runs, Sampling, Tolerance, Violation,
    cohens_h, wins,
};
use rayon::prelude::*;
use std::collections::HashSet;

/// How systems compare by one score.
#[derive(Debug, Clone)]
pub struct ScoreComparison {
    /// The measure, as it was asked for.
    pub measure: String,
    /// The score with its measure, as `link.f1@macro`.
    pub name: String,
    /// The part of the corpus that was scored; `None` for all of it.
    pub part: Option<ComparedPart>,
    /// Each system, in the order given.
    pub systems: Vec<Standing>,
    /// Each pair of systems, in the order given. None where only standings were wanted and no test could have been
    /// significant.
    pub pairs: Vec<Pair>,
    /// Whether the score is a count and not a share.
    pub is_count: bool,
    /// The largest groups of systems, from the best down, in which no two differ significantly.
    pub groups: Vec<Vec<usize>>,
    /// The smallest difference that would be found: the median over all pairs.
    pub detectable: Option<f64>,
    /// The scores of all systems in each document that has anything of the part; not a number where
    /// one has none.
    pub documents: Vec<Vec<f64>>,
    /// The same in each cluster, from its counts together, where clusters are drawn.
    pub clusters: Option<Vec<Vec<f64>>>,
    /// When two scores are the same. Scores of documents and clusters that are, are equal already.
    pub tolerance: Tolerance,
}

/// A part of the corpus by which systems are compared apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ComparedPart {
    /// The facet, or several joined by `+`.
    pub facet: String,
    /// The label, or several joined by `+`, those that have one themselves in quotes.
    pub label: String,
    /// The label of each facet: labels may have a `+` themselves.
    pub labels: Vec<String>,
}

impl ComparedPart {
    pub(super) fn of(slice: &Slice) -> ComparedPart {
        let Slice { facet, label, labels, .. } = slice;
        ComparedPart { facet: facet.clone(), label: label.clone(), labels: labels.clone() }
    }
}

impl std::fmt::Display for ComparedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.facet, self.label)
    }
}

/// Where a system stands.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its score; of several runs the mean.
    pub score: Option<f64>,
    /// Where the score may lie.
    pub interval: Option<Interval>,
    /// Where it may rank.
    pub ranks: Option<Ranks>,
    /// The systems that it is significantly better than.
    pub beats: Vec<usize>,
    /// The scores of its runs.
    pub runs: Vec<Option<f64>>,
    /// In how many trials it has no score: they are left out, and if they are many nothing is made of
    /// the others.
    pub undefined: usize,
    /// Its strength by Bradley and Terry, from documents won and lost against all others.
    pub strength: Option<f64>,
    /// Over how many documents its score is a mean: those where it is defined. `None` if it is no mean.
    pub averaged: Option<usize>,
}

/// Two systems.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The first system.
    pub first: usize,
    /// The second system.
    pub second: usize,
    /// How far they are apart, and what drawing documents again says of it.
    pub difference: Option<Difference>,
    /// What exchanging documents said; `None` where a system has several runs.
    pub randomised: Option<Randomised>,
    /// The p-value: of the exchange, or of the draws where there are several runs.
    pub p: Option<f64>,
    /// The two-sided p-value corrected for the number of pairs: who is better was not said before.
    pub adjusted: Option<f64>,
    /// Whether the corrected p-value is below the level.
    pub is_significant: bool,
    /// The smallest difference that would be found on such a test set, after correction, as often as
    /// the power says; `None` if none would.
    pub detectable: Option<f64>,
    /// Whether none would because it had to be larger than any difference of scores is.
    pub is_out_of_reach: bool,
    /// Cohen's h of the two scores.
    pub cohens_h: Option<f64>,
    /// Documents in which the first is better, equal, worse.
    pub documents: Outcomes,
    /// The mentions that only one of them found.
    pub mentions: Option<Mentions>,
    /// How far the first is from being better throughout, over the runs of both; `None` where one has
    /// fewer than three.
    pub order: Option<Violation>,
}

/// What is compared: for each system the counts of its runs, and what it found.
pub(super) struct Rows<'r> {
    pub(super) part: Option<&'r ComparedPart>,
    /// The documents that have anything of the part, as places among all: the rows of the counts.
    pub(super) documents: &'r [u32],
    /// How many documents there are.
    pub(super) length: usize,
    pub(super) systems: Vec<Vec<Counts>>,
    pub(super) answers: Vec<Option<&'r Answers>>,
}

impl ScoreComparison {
    pub(super) fn new(
        comparing: &Comparing,
        sampling: &Sampling,
        measure: usize,
        statistic: &Statistic<'_>,
        rows: &Rows<'_>,
    ) -> ScoreComparison {
        let all: Vec<&Counts> = rows.systems.iter().flatten().collect();
        let counts = Counts::beside(&all);
        let (width, tolerance) =
            (all.first().map_or(0, |counts| counts.width()), counts.tolerance());
        // Draws depend on what the systems counted and not on their names or order: the same pair
        // gives the same p-value whoever is named first.
        let keys: Vec<u64> = rows.systems.iter().map(|runs| key(runs)).collect();
        let mut next = 0;
        let systems: Vec<Runs> = rows
            .systems
            .iter()
            .zip(&keys)
            .map(|(runs, &key)| {
                let places = next..next + runs.len();
                next = places.end;
                let columns = places.map(|run| run * width..(run + 1) * width).collect();
                Runs { key, columns }
            })
            .collect();
        // `of_all` and not `of_sums`: a system that says nothing in a draw has no score there,
        // whatever the convention calls it.
        let score = |sums: &[f64]| statistic.of_all(sums);
        // All documents are drawn, so that a part sees the draws of the whole; what is made of single
        // documents is made of those of the part.
        let bootstrap = &comparing.bootstrap;
        let watching = comparing.scoring.watching();
        let spread = counts.spread(rows.documents, rows.length);
        let contest = Contest::of_part(
            bootstrap,
            &spread,
            sampling,
            &systems,
            &score,
            rows.documents,
            &watching,
        );
        let sampling = &sampling.only(rows.documents);
        // The counts of all runs as one, for what is counted by documents (wins, ranks); the mean
        // of runs is for scores.
        let together: Vec<Counts> = rows.systems.iter().map(|runs| pooled(runs)).collect();
        let documents = scores_of_rows(&together, statistic);
        let clusters = matches!(sampling, Sampling::Clusters(_)).then(|| {
            let clusters: Vec<Counts> =
                (together.iter()).map(|counts| sampling.together(counts).into_owned()).collect();
            scores_of_rows(&clusters, statistic)
        });
        let bout = Bout {
            comparing,
            measure,
            sampling,
            statistic,
            rows,
            contest: &contest,
            documents: &documents,
        };
        let level = comparing.bootstrap.level;
        let (mut pairs, (intervals, ranks)) = rayon::join(
            || bout.pairs(),
            || {
                let systems = (0..systems.len()).into_par_iter();
                let intervals = || systems.map(|at| contest.interval(at)).collect::<Vec<_>>();
                rayon::join(intervals, || contest.ranks(level))
            },
        );
        correct(&mut pairs, comparing);
        let strengths = match comparing.standings_only {
            true => vec![None; keys.len()],
            false => strengths(&documents, &keys),
        };
        let mut beaten = beaten(&pairs, rows.systems.len());
        let mut standing = |(at, runs): (usize, &Vec<Counts>)| Standing {
            score: contest.scores[at],
            // Student's distribution of a few runs can reach beyond 0 and 1, where no score is.
            interval: intervals[at].map(|found| match runs.len() > 1 && !statistic.is_count() {
                true => within(found, 0.0),
                false => found,
            }),
            ranks: ranks[at],
            beats: std::mem::take(&mut beaten[at]),
            runs: runs.iter().map(|run| statistic.of_all(&run.sums())).collect(),
            undefined: contest.undefined(at),
            strength: strengths[at],
            averaged: (statistic.average() == Average::Macro)
                .then(|| documents.iter().filter(|row| !row[at].is_nan()).count()),
        };
        let standings: Vec<Standing> = rows.systems.iter().enumerate().map(&mut standing).collect();
        let measure = comparing.selection().measures[measure].name.clone();
        let suffix = if statistic.average() == Average::Macro { "@macro" } else { "" };
        ScoreComparison {
            name: format!("{measure}.{}{suffix}", statistic.score_name()),
            part: rows.part.cloned(),
            is_count: statistic.is_count(),
            measure,
            groups: groups(&standings, &pairs, tolerance),
            detectable: median(pairs.iter().filter_map(|pair| pair.detectable).collect()),
            systems: standings,
            pairs,
            documents,
            clusters,
            tolerance,
        }
    }

    /// What people call it: the score, and the part of the corpus if there is one, as
    /// `link.f1 type=PER`.
    pub fn title(&self) -> String {
        title(&self.name, self.part.as_ref())
    }

    /// Whether another is the same score of the same part.
    pub(super) fn is_like(&self, other: &ScoreComparison) -> bool {
        (&self.name, &self.part) == (&other.name, &other.part)
    }

    /// The systems from the best to the worst; those without a score last.
    pub fn by_score(&self) -> Vec<usize> {
        by_score(&self.systems, self.tolerance)
    }
}

pub(super) fn title(score: &str, part: Option<&ComparedPart>) -> String {
    part.map_or(score.to_owned(), |part| format!("{score} {part}"))
}

/// What tells a system from others whatever it is called, and in whatever order its runs come.
fn key(runs: &[Counts]) -> u64 {
    let key = |run: &Counts| {
        let bytes: Vec<u8> = run.rows().flatten().flat_map(|count| count.to_le_bytes()).collect();
        hash_of(&bytes)
    };
    // A sum, because the order of runs says nothing.
    runs.iter().map(key).fold(0, u64::wrapping_add)
}

/// The errors of a few runs know nothing of where scores and their differences end.
fn within(Interval { low, high }: Interval, lowest: f64) -> Interval {
    Interval { low: low.clamp(lowest, 1.0), high: high.clamp(lowest, 1.0) }
}

/// The same for the interval of a difference.
fn within_differences(mut difference: Difference) -> Difference {
    if let Some(drawn) = &mut difference.drawn {
        drawn.interval = drawn.interval.map(|found| within(found, -1.0));
    }
    difference
}

/// The strengths of systems by documents won. They are fitted in an order that no argument decides,
/// because their last digits depend on it.
fn strengths(documents: &[Vec<f64>], keys: &[u64]) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&at| keys[at]);
    let sorted: Vec<Vec<f64>> =
        documents.iter().map(|row| order.iter().map(|&at| row[at]).collect()).collect();
    let mut strengths = vec![None; keys.len()];
    if let Ok(fit) = BradleyTerry::fit(&wins(&sorted), 0.0) {
        for (&at, strength) in order.iter().zip(fit.log_strengths()) {
            strengths[at] = strength;
        }
    }
    strengths
}

/// The scores of all systems by rows of their counts, not a number where one has none. Those of a row that
/// are the same are equal.
fn scores_of_rows(systems: &[Counts], statistic: &Statistic<'_>) -> Vec<Vec<f64>> {
    let length = systems.iter().map(Counts::len).min().unwrap_or(0);
    let mut documents: Vec<_> = systems.iter().map(Counts::rows).collect();
    let score =
        |row: Option<&[f64]>| row.and_then(|row| statistic.of_sums(row)).unwrap_or(f64::NAN);
    let tolerance = systems.iter().map(Counts::tolerance).fold(Tolerance::default(), Tolerance::or);
    let row = |_| {
        let mut row: Vec<f64> = documents.iter_mut().map(|rows| score(rows.next())).collect();
        tolerance.level(&mut row);
        row
    };
    (0..length).map(row).collect()
}

/// The counts of several runs in one.
fn pooled(runs: &[Counts]) -> Counts {
    if let [only] = runs {
        return only.clone();
    }
    let width = runs.first().map_or(0, Counts::width);
    let joint = Counts::beside(&runs.iter().collect::<Vec<_>>());
    let sum = |row: &[f64]| -> Vec<f64> {
        (0..width).map(|at| row.iter().skip(at).step_by(width).sum()).collect()
    };
    Counts::new(width, joint.rows().flat_map(sum).collect()).within(joint.tolerance())
}

/// Everything that a pair is compared by.
struct Bout<'b> {
    comparing: &'b Comparing,
    /// The measure, as a place in the selection.
    measure: usize,
    sampling: &'b Sampling,
    statistic: &'b Statistic<'b>,
    rows: &'b Rows<'b>,
    contest: &'b Contest,
    documents: &'b [Vec<f64>],
}

impl Bout<'_> {
    /// All pairs in the order given; none where only standings are wanted and no pair could change them.
    fn pairs(&self) -> Vec<Pair> {
        if self.comparing.standings_only && self.is_hopeless() {
            return Vec::new();
        }
        let systems = self.rows.systems.len();
        let pairs: Vec<(usize, usize)> = (0..systems)
            .flat_map(|first| (first + 1..systems).map(move |second| (first, second)))
            .collect();
        let tested = self.tested(&pairs);
        let pairs = pairs.par_iter().zip(tested);
        pairs.map(|(&(first, second), tested)| self.pair(first, second, tested)).collect()
    }

    /// What the trials say of these pairs: of those that were tested before what is kept.
    fn tested(&self, pairs: &[(usize, usize)]) -> Vec<TestedPair> {
        let test = |&(first, second): &(usize, usize)| self.test(first, second);
        let Some((keeper, keys)) = self.keeper(pairs) else {
            return pairs.par_iter().map(test).collect();
        };
        let kept = keeper.kept(&keys);
        let tested: Vec<TestedPair> = (pairs.par_iter().zip(&kept))
            .map(|(pair, kept)| kept.clone().unwrap_or_else(|| test(pair)))
            .collect();
        // A test that was stopped says nothing.
        if !self.comparing.scoring.watch.is_cancelled() {
            let is_new = |at: &usize| kept[*at].is_none();
            let new = (0..keys.len()).filter(is_new).map(|at| (&keys[at], &tested[at]));
            keeper.keep(&new.collect::<Vec<_>>());
        }
        tested
    }

    /// Who keeps tests, and the key of each pair. Only what is exchanged and drawn document by document is kept: what else
    /// decides draws is no part of the counts.
    fn keeper(&self, pairs: &[(usize, usize)]) -> Option<(&dyn PairKeeper, Vec<PairKey>)> {
        let keeper = self.comparing.pair_keeper.as_deref()?;
        let is_plain = self.rows.part.is_none() && *self.sampling == Sampling::Documents;
        let single = |runs: &Vec<Counts>| match runs.as_slice() {
            [only] if is_plain => Some(tested::digest(only)),
            _ => None,
        };
        let systems: Vec<String> = self.rows.systems.iter().map(single).collect::<Option<_>>()?;
        let Comparing { scoring, bootstrap, .. } = self.comparing;
        let measure = &self.comparing.selection().measures[self.measure].name;
        let (score, average) = (self.statistic.score_name(), self.statistic.average());
        // Not the whole convention: its preset is written with an address, which differs from process to process.
        let Convention { preset, settings, zero, .. } = &scoring.convention;
        let test = format!(
            "{measure}.{score} {average:?} {bootstrap:?} {} {settings:?} {zero:?}",
            preset.name
        );
        let key = |&(first, second): &(usize, usize)| PairKey {
            first: systems[first].clone(),
            second: systems[second].clone(),
            test: test.clone(),
        };
        Some((keeper, pairs.iter().map(key).collect()))
    }

    fn test(&self, first: usize, second: usize) -> TestedPair {
        let (randomised, difference) = rayon::join(
            || self.randomised(first, second),
            || self.contest.difference(first, second),
        );
        TestedPair { randomised, difference }
    }

    fn pair(&self, first: usize, second: usize, tested: TestedPair) -> Pair {
        let TestedPair { randomised, difference } = tested;
        let is_count = self.statistic.is_count();
        let difference = difference.map(|found| match is_count {
            true => found,
            false => within_differences(found),
        });
        let one_sided = self.comparing.scoring.convention.sides == Sides::One;
        let exchanged = randomised.map(|found| match one_sided {
            true => found.one_sided(),
            false => found.two_sided(),
        });
        let drawn = difference.and_then(|found| found.drawn);
        let by_draws = drawn.map(|found| match one_sided {
            true => found.one_sided,
            false => found.two_sided,
        });
        let has_runs = self.has_runs(first, second);
        let scores = self.contest.scores[first].zip(self.contest.scores[second]);
        let mentions = self.rows.answers[first].zip(self.rows.answers[second]);
        // What does not vary between draws says nothing about what they could show.
        let detectable = drawn
            .filter(|found| found.standard_error > 0.0 && (has_runs || self.can_decide()))
            .and_then(|found| self.power().detectable(found.standard_error));
        let is_possible = |&found: &f64| is_count || found <= 1.0;
        Pair {
            first,
            second,
            // Runs are drawn as well as documents, and exchanging documents could not account for
            // them.
            p: if has_runs { by_draws } else { exchanged },
            adjusted: None,
            is_significant: false,
            detectable: detectable.filter(is_possible),
            is_out_of_reach: detectable.is_some_and(|found| !is_possible(&found)),
            cohens_h: scores.and_then(|(first, second)| {
                let mut scores = [first, second];
                self.contest.tolerance().level(&mut scores);
                cohens_h(scores[0], scores[1])
            }),
            documents: Outcomes::new(self.documents.iter().map(|row| (row[first], row[second]))),
            mentions: mentions.map(|(first, second)| Mentions::new(first, second)),
            order: self.order(first, second),
            difference,
            randomised,
        }
    }

    fn has_runs(&self, first: usize, second: usize) -> bool {
        self.rows.systems[first].len() > 1 || self.rows.systems[second].len() > 1
    }

    /// Exchanges documents, or whole clusters of them. Runs are no documents: where a system has
    /// several, only drawing again says something.
    fn randomised(&self, first: usize, second: usize) -> Option<Randomised> {
        let ([first], [second]) =
            (self.rows.systems[first].as_slice(), self.rows.systems[second].as_slice())
        else {
            return None;
        };
        // A single unit gives the same difference either way round.
        if self.units() < 2 {
            return None;
        }
        let (first, second) = (self.sampling.together(first), self.sampling.together(second));
        let statistic = |sums: &[f64]| self.statistic.of_all(sums);
        let watching = self.comparing.scoring.watching();
        self.randomisation().test_watched(&first, &second, &statistic, &watching)
    }

    /// What is asked of the test of one pair among all: the level that it must reach alone if no
    /// other pair differs.
    fn power(&self) -> Power {
        let pairs = match self.comparing.correction {
            Correction::None => 1,
            _ => self.number_of_pairs(),
        };
        let Power { alpha, power } = self.comparing.power;
        Power { alpha: alpha / pairs.max(1) as f64, power }
    }

    /// Whether exchanging can find anything at all.
    fn can_decide(&self) -> bool {
        let least = least_by_exchange(self.units());
        self.comparing.least_p(least, self.number_of_pairs()) < self.comparing.power.alpha
    }

    /// Whether no test of any pair can be significant, whatever it finds. Where systems have several runs,
    /// their tests are others.
    fn is_hopeless(&self) -> bool {
        self.rows.systems.iter().all(|runs| runs.len() == 1) && !self.can_decide()
    }

    /// How many documents, or clusters of them, are exchanged.
    fn units(&self) -> usize {
        self.sampling.number_of_units(self.documents.len())
    }

    fn number_of_pairs(&self) -> usize {
        let systems = self.rows.systems.len();
        systems * systems.saturating_sub(1) / 2
    }

    fn randomisation(&self) -> Randomisation {
        let bootstrap = self.comparing.bootstrap;
        Randomisation { trials: bootstrap.trials, seed: bootstrap.seed }
    }

    /// Over runs, if both systems have some.
    fn order(&self, first: usize, second: usize) -> Option<Violation> {
        const FEWEST_RUNS: usize = 3;
        let runs = |at: usize| -> Option<Vec<f64>> {
            let runs = &self.rows.systems[at];
            let scores = runs.iter().map(|run| self.statistic.of_all(&run.sums()));
            scores.collect::<Option<Vec<f64>>>().filter(|scores| scores.len() >= FEWEST_RUNS)
        };
        let (first_runs, second_runs) = (runs(first)?, runs(second)?);
        let test = AlmostStochasticOrder {
            seed: self.comparing.bootstrap.seed,
            level: self.comparing.bootstrap.level,
            ..AlmostStochasticOrder::default()
        };
        test.test(&first_runs, &second_runs)
    }
}

/// The smallest two-sided p-value of exchanging so many units: of all ways to exchange them, only the one that
/// was seen and its mirror image are as far apart.
pub(super) fn least_by_exchange(units: usize) -> f64 {
    2.0 * 0.5f64.powi(units.min(1000) as i32)
}

/// Corrects the p-values of all pairs together, as two-sided ones.
fn correct(pairs: &mut [Pair], comparing: &Comparing) {
    let known: Vec<usize> = (0..pairs.len()).filter(|&at| pairs[at].p.is_some()).collect();
    let two_sided = |&at: &usize| pairs[at].p.map(|p| comparing.two_sided(p));
    let p_values: Vec<f64> = known.iter().filter_map(two_sided).collect();
    for (at, adjusted) in known.into_iter().zip(comparing.correction.adjust(&p_values)) {
        pairs[at].adjusted = Some(adjusted);
        pairs[at].is_significant = adjusted < comparing.power.alpha;
    }
}

/// For each system those that are significantly worse.
fn beaten(pairs: &[Pair], systems: usize) -> Vec<Vec<usize>> {
    let mut beaten = vec![Vec::new(); systems];
    for pair in pairs.iter().filter(|pair| pair.is_significant) {
        match pair.difference.map(|found| found.value) {
            Some(value) if value > 0.0 => beaten[pair.first].push(pair.second),
            Some(value) if value < 0.0 => beaten[pair.second].push(pair.first),
            _ => {}
        }
    }
    // In the order of the systems, whichever stands first in its pair.
    beaten.iter_mut().for_each(|worse| worse.sort_unstable());
    beaten
}

/// From the best to the worst; those that are the same stay in the order given.
fn by_score(systems: &[Standing], tolerance: Tolerance) -> Vec<usize> {
    let score = |standing: &Standing| standing.score.unwrap_or(f64::NEG_INFINITY);
    let mut scores: Vec<f64> = systems.iter().map(score).collect();
    tolerance.level(&mut scores);
    let mut order: Vec<usize> = (0..systems.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

/// Neighbours in the order of scores among which no two differ significantly, as many as possible.
fn groups(systems: &[Standing], pairs: &[Pair], tolerance: Tolerance) -> Vec<Vec<usize>> {
    let mut order = by_score(systems, tolerance);
    order.retain(|&at| systems[at].score.is_some());
    let significant: HashSet<(usize, usize)> =
        pairs.iter().filter(|pair| pair.is_significant).map(|it| (it.first, it.second)).collect();
    let differ = |a: usize, b: usize| significant.contains(&(a.min(b), a.max(b)));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut reached = 0;
    for start in 0..order.len() {
        let mut end = start + 1;
        while end < order.len() && !order[start..end].iter().any(|&at| differ(at, order[end])) {
            end += 1;
        }
        if end > reached {
            groups.push(order[start..end].to_vec());
            reached = end;
        }
    }
    groups
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    karat_stats::percentile(&values, 50.0)
}
