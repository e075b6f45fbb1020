//! Systems over several benchmarks, or over the documents of one.

use super::score::title;
use super::{ComparedPart, Comparison, ScoreComparison};
use karat_stats::{Combination, Friedman, FriedmanError, Replicability};

/// How systems rank over several blocks.
#[derive(Debug, Clone)]
pub struct Across {
    /// The score, as `link.f1`.
    pub score: String,
    /// The part of the corpus that was scored; `None` for all of it.
    pub part: Option<ComparedPart>,
    /// What the systems were ranked on.
    pub blocks: Blocks,
    /// The systems.
    pub systems: Vec<String>,
    /// The test of their ranks.
    pub friedman: Friedman,
    /// Average ranks at least this far apart differ.
    pub critical_difference: f64,
    /// The largest groups of systems that do not differ, from the best down.
    pub groups: Vec<Vec<usize>>,
    /// For each pair of systems on how many benchmarks at least they differ; none over documents.
    pub replicated: Vec<(usize, usize, usize)>,
}

/// What systems are ranked on, one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// Benchmarks.
    Benchmarks,
    /// The documents of the only benchmark.
    Documents,
    /// Clusters of its documents, where these are drawn whole.
    Clusters,
}

impl Blocks {
    /// What they are called.
    pub fn name(self) -> &'static str {
        match self {
            Blocks::Benchmarks => "benchmarks",
            Blocks::Documents => "documents",
            Blocks::Clusters => "clusters",
        }
    }
}

/// Why systems cannot be ranked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRanked {
    /// A system is missing somewhere.
    #[error("`{system}` has no {score} on `{benchmark}`")]
    Missing {
        /// The system.
        system: String,
        /// The score.
        score: String,
        /// Where it has none.
        benchmark: String,
    },
    /// There is nothing to rank.
    #[error(transparent)]
    Friedman(#[from] FriedmanError),
}

impl Across {
    /// The ranks by each score: over benchmarks if there are several, else over documents. Parts
    /// of the corpus that cannot be ranked are left out: few benchmarks have the same. All benchmarks
    /// together are no further one.
    pub fn of(comparisons: &[Comparison]) -> Vec<Result<Across, NotRanked>> {
        let comparisons: Vec<&Comparison> =
            comparisons.iter().filter(|comparison| !comparison.unified).collect();
        let Some(first) = comparisons.first() else { return Vec::new() };
        let ranked = first.scores.iter().map(|score| {
            let ranks = match comparisons.as_slice() {
                [only] => over_documents(only, score),
                several => over_benchmarks(several, score),
            };
            (score.part.is_some(), ranks)
        });
        ranked
            // A part that fails is silently left out, but the whole corpus that fails must say why.
            .filter(|(is_part, ranks)| ranks.is_ok() || !is_part)
            .map(|(_, ranks)| ranks)
            .collect()
    }

    /// The score, and the part of the corpus if there is one.
    pub fn title(&self) -> String {
        title(&self.score, self.part.as_ref())
    }

    fn new(
        comparison: &Comparison,
        score: &ScoreComparison,
        blocks: Blocks,
        systems: Vec<String>,
        rows: &[Vec<f64>],
    ) -> Result<Across, NotRanked> {
        let friedman = Friedman::new(rows)?;
        let alpha = comparison.comparing.power.alpha;
        Ok(Across {
            score: score.name.clone(),
            part: score.part.clone(),
            blocks,
            critical_difference: friedman.critical_difference(alpha),
            groups: friedman.groups(alpha),
            systems,
            friedman,
            replicated: Vec::new(),
        })
    }
}

fn over_documents(comparison: &Comparison, score: &ScoreComparison) -> Result<Across, NotRanked> {
    let names = comparison.systems.iter().map(|system| system.name.clone()).collect();
    // A test of ranks needs every system in every block; a document where one has no score is no
    // block.
    let is_whole = |row: &&Vec<f64>| row.iter().all(|score| !score.is_nan());
    let (blocks, rows) = match &score.clusters {
        Some(clusters) => (Blocks::Clusters, clusters),
        None => (Blocks::Documents, &score.documents),
    };
    let rows: Vec<Vec<f64>> = rows.iter().filter(is_whole).cloned().collect();
    Across::new(comparison, score, blocks, names, &rows)
}

fn over_benchmarks(
    comparisons: &[&Comparison],
    wanted: &ScoreComparison,
) -> Result<Across, NotRanked> {
    let first = comparisons[0];
    let names: Vec<String> = first.systems.iter().map(|system| system.name.clone()).collect();
    let row = |comparison: &Comparison| -> Result<Vec<f64>, NotRanked> {
        let place =
            |name: &String| comparison.systems.iter().position(|system| system.name == *name);
        let compared = comparison.scores.iter().find(|score| score.is_like(wanted));
        let score = |name: &String| {
            let found = place(name).and_then(|at| compared?.systems[at].score);
            found.ok_or_else(|| NotRanked::Missing {
                system: name.clone(),
                score: wanted.title(),
                benchmark: comparison.benchmark.clone(),
            })
        };
        let mut row = names.iter().map(score).collect::<Result<Vec<f64>, _>>()?;
        // Scores that differ by rounding are ties, and ties have equal ranks.
        wanted.tolerance.level(&mut row);
        Ok(row)
    };
    let rows = comparisons.iter().copied().map(row).collect::<Result<Vec<_>, _>>()?;
    let mut across = Across::new(first, wanted, Blocks::Benchmarks, names.clone(), &rows)?;
    across.replicated = replicated(comparisons, wanted, &names);
    Ok(across)
}

/// On how many benchmarks at least the systems of each pair differ.
fn replicated(
    comparisons: &[&Comparison],
    wanted: &ScoreComparison,
    names: &[String],
) -> Vec<(usize, usize, usize)> {
    let mut counts = Vec::new();
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let p = |comparison: &Comparison| {
                let name = |at: usize| &comparison.systems[at].name;
                let compared = comparison.scores.iter().find(|score| score.is_like(wanted))?;
                let both = [&names[first], &names[second]];
                let is_pair = |pair: &&super::Pair| {
                    both.contains(&name(pair.first)) && both.contains(&name(pair.second))
                };
                let p = compared.pairs.iter().find(is_pair)?.p?;
                Some(comparison.comparing.two_sided(p))
            };
            // A benchmark without a p-value counts as one that shows nothing, not as one that is
            // not there.
            let p_values: Vec<f64> =
                comparisons.iter().map(|comparison| p(comparison).unwrap_or(f64::NAN)).collect();
            let alpha = comparisons[0].comparing.power.alpha;
            let analysis = Replicability::new(&p_values, Combination::Bonferroni);
            counts.push((first, second, analysis.count(alpha)));
        }
    }
    counts
}
