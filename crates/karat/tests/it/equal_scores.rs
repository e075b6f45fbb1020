//! Ties are decided as they would be in fractions: wins, ranks, strengths and p-values against exact
//! enumeration.

use karat::comparison::{Across, Comparing, ScoreComparison};
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::model::Corpus;
use karat::scoring::Scoring;
use karat::stats::{Bootstrap, BradleyTerry};
use proptest::prelude::*;
use std::cmp::Ordering;

/// A fraction in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    const NONE: Fraction = Fraction { numerator: 0, denominator: 1 };

    fn new(numerator: i128, denominator: i128) -> Fraction {
        let (mut a, mut b) = (numerator.abs(), denominator.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Fraction { numerator: numerator / a.max(1), denominator: denominator / a.max(1) }
    }

    fn plus(self, other: Fraction) -> Fraction {
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Fraction::new(numerator, self.denominator * other.denominator)
    }

    fn minus(self, other: Fraction) -> Fraction {
        self.plus(Fraction { numerator: -other.numerator, ..other })
    }

    fn size(self) -> Fraction {
        Fraction { numerator: self.numerator.abs(), ..self }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

/// Right, extra and missed links of one document.
type Counted = [i128; 3];

/// A score of some documents, exactly; `None` where it is undefined.
type Exact = fn(&[Counted]) -> Option<Fraction>;

fn f1(documents: &[Counted]) -> Option<Fraction> {
    let sum = |at: usize| documents.iter().map(|counts| counts[at]).sum::<i128>();
    let whole = 2 * sum(0) + sum(1) + sum(2);
    (whole > 0).then(|| Fraction::new(2 * sum(0), whole))
}

fn precision(documents: &[Counted]) -> Option<Fraction> {
    let sum = |at: usize| documents.iter().map(|counts| counts[at]).sum::<i128>();
    let whole = sum(0) + sum(1);
    (whole > 0).then(|| Fraction::new(sum(0), whole))
}

fn mean_f1(documents: &[Counted]) -> Option<Fraction> {
    let scores: Vec<Fraction> =
        documents.iter().filter_map(|counts| f1(std::slice::from_ref(counts))).collect();
    let sum = scores.iter().fold(Fraction::NONE, |sum, score| sum.plus(*score));
    let number = scores.len() as i128;
    (number > 0).then(|| Fraction::new(sum.numerator, sum.denominator * number))
}

/// For each document how many mentions gold has, and for each system how many of them it finds and how
/// many it invents.
#[derive(Debug, Clone)]
struct Systems {
    gold: Vec<usize>,
    answers: Vec<Vec<(usize, usize)>>,
}

impl Systems {
    fn counted(&self, system: usize) -> Vec<Counted> {
        let answers = self.gold.iter().zip(&self.answers[system]);
        let counts = |(&gold, &(found, extra)): (&usize, &(usize, usize))| {
            let found = found.min(gold);
            [found as i128, extra as i128, (gold - found) as i128]
        };
        answers.map(counts).collect()
    }

    fn corpus(&self, system: Option<usize>) -> Corpus {
        let mut rows = String::new();
        for (document, &gold) in self.gold.iter().enumerate() {
            let (found, extra) = system.map_or((gold, 0), |at| self.answers[at][document]);
            let right = (0..found.min(gold)).map(|at| (at, at));
            let wrong = (0..extra).map(|at| (100 + at, 100 + at));
            for (place, entity) in right.chain(wrong) {
                let start = place * 10;
                rows.push_str(&format!("d{document}\t{start}\t{}\tQ{entity}\n", start + 5));
            }
        }
        let input = Source::memory("a.tsv", rows.as_str()).into();
        let options = ReadOptions::default();
        match rows.is_empty() {
            true => Corpus::default(),
            false => {
                karat::registry().read(&input, Some("neleval"), &options).expect("rows").corpus
            }
        }
    }

    fn compared(&self, score: &str) -> (ScoreComparison, Option<Across>) {
        let scoring = Scoring::named("karat", &[score]).expect("a known score");
        let bootstrap = Bootstrap { trials: TRIALS, ..Bootstrap::default() };
        let comparing = Comparing { bootstrap, ..Comparing::new(scoring) };
        let systems: Vec<Run> = (0..self.answers.len())
            .map(|at| Run::new(format!("s{at}"), self.corpus(Some(at))))
            .collect();
        let comparison = comparing.compare("gold", &self.corpus(None), &systems);
        let across = Across::of(std::slice::from_ref(&comparison)).into_iter().next();
        let score = comparison.scores.into_iter().next().expect("one score");
        (score, across.and_then(Result::ok))
    }
}

const TRIALS: usize = 2000;

fn some_systems() -> impl Strategy<Value = Systems> {
    (2_usize..8, 2_usize..4).prop_flat_map(|(documents, systems)| {
        let answers = prop::collection::vec((0_usize..5, 0_usize..4), documents);
        let all = prop::collection::vec(answers, systems);
        (prop::collection::vec(1_usize..5, documents), all)
            .prop_map(|(gold, answers)| Systems { gold, answers })
    })
}

/// For each document the score of each system.
fn by_document(systems: &Systems, exact: Exact) -> Vec<Vec<Option<Fraction>>> {
    let counted: Vec<Vec<Counted>> =
        (0..systems.answers.len()).map(|at| systems.counted(at)).collect();
    (0..systems.gold.len())
        .map(|document| {
            counted.iter().map(|counts| exact(std::slice::from_ref(&counts[document]))).collect()
        })
        .collect()
}

/// The share of all ways to exchange documents that make a difference at least as large, and what it is.
fn by_exchange(first: &[Counted], second: &[Counted], exact: Exact) -> Option<f64> {
    let real = exact(first)?.minus(exact(second)?).size();
    let ways = 1_u32 << first.len();
    let as_far = |way: &u32| {
        let exchanged = |at: usize| way >> at & 1 == 1;
        let of = |own: &[Counted], other: &[Counted]| -> Vec<Counted> {
            (0..own.len()).map(|at| if exchanged(at) { other[at] } else { own[at] }).collect()
        };
        match (exact(&of(first, second)), exact(&of(second, first))) {
            (Some(first), Some(second)) => first.minus(second).size() >= real,
            _ => true,
        }
    };
    Some((0..ways).filter(as_far).count() as f64 / f64::from(ways))
}

fn check(systems: &Systems, name: &str, exact: Exact) -> Result<(), TestCaseError> {
    let (found, across) = systems.compared(name);
    let number = systems.answers.len();
    let counted: Vec<Vec<Counted>> = (0..number).map(|at| systems.counted(at)).collect();
    let scores: Vec<Option<Fraction>> = counted.iter().map(|counts| exact(counts)).collect();
    let documents = by_document(systems, exact);
    for (at, standing) in found.systems.iter().enumerate() {
        let better = scores.iter().flatten().filter(|other| Some(**other) > scores[at]).count();
        let rank = scores[at].map(|_| better + 1);
        prop_assert_eq!(standing.ranks.map(|ranks| ranks.rank), rank, "{} {}", name, at);
    }
    let mut wins = vec![vec![0.0; number]; number];
    for pair in &found.pairs {
        let (first, second) = (pair.first, pair.second);
        let mut expected = [0; 3];
        for row in &documents {
            if let (Some(a), Some(b)) = (row[first], row[second]) {
                let order = a.cmp(&b);
                expected[(1 - order as i8) as usize] += 1;
                wins[first][second] += f64::from(1 + order as i8) / 2.0;
                wins[second][first] += f64::from(1 - order as i8) / 2.0;
            }
        }
        let outcomes = pair.documents;
        let outcomes = [outcomes.wins, outcomes.ties, outcomes.losses];
        prop_assert_eq!(outcomes, expected, "{} {} {}", name, first, second);
        let difference = scores[first].zip(scores[second]).map(|(a, b)| a.minus(b).numerator);
        let signs = (difference.map(i128::signum), pair.difference.map(|found| found.value));
        if let (Some(sign), Some(value)) = signs {
            prop_assert_eq!(sign, if value == 0.0 { 0 } else { value.signum() as i128 });
        }
        if expected[0] + expected[2] == 0 && name == "link.f1@macro" {
            let drawn = pair.difference.and_then(|found| found.drawn);
            prop_assert!(drawn.is_none_or(|drawn| drawn.two_sided == 1.0));
            prop_assert!(drawn.is_none_or(|drawn| drawn.first_better == 0.5));
        }
        if let (Some(p), Some(found)) =
            (by_exchange(&counted[first], &counted[second], exact), pair.p)
        {
            let error = 5.0 * (p * (1.0 - p) / TRIALS as f64).sqrt();
            let bias = 1.0 / TRIALS as f64;
            prop_assert!((found - p).abs() <= error + bias, "{} {} {}", name, found, p);
        }
    }
    let strengths = BradleyTerry::fit(&wins, 0.0).expect("wins").log_strengths();
    for (expected, standing) in strengths.iter().zip(&found.systems) {
        let near = match (expected, standing.strength) {
            (Some(a), Some(b)) => *a == b || (a - b).abs() < 1e-9,
            (a, b) => *a == b,
        };
        prop_assert!(near, "{} {:?} {:?}", name, expected, standing.strength);
    }
    let whole: Option<Vec<Vec<Fraction>>> =
        Some(documents.iter().filter_map(|row| row.iter().copied().collect()).collect());
    if let (Some(rows), Some(across)) = (whole.filter(|rows| rows.len() > 1), across) {
        for (at, found) in across.friedman.average_ranks.iter().enumerate() {
            let rank = |row: &Vec<Fraction>| {
                let above = row.iter().filter(|other| **other > row[at]).count() as f64;
                let same = row.iter().filter(|other| **other == row[at]).count() as f64;
                above + (same + 1.0) / 2.0
            };
            let expected = rows.iter().map(rank).sum::<f64>() / rows.len() as f64;
            prop_assert!((found - expected).abs() < 1e-12, "{} {} {}", name, found, expected);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn ties_are_those_of_fractions(systems in some_systems()) {
        check(&systems, "link.f1", f1)?;
        check(&systems, "link.precision", precision)?;
        check(&systems, "link.f1@macro", mean_f1)?;
    }
}

/// Means over documents that are the same as fractions, and are sums of other fractions.
#[test]
fn means_of_different_scores_may_be_the_same() {
    // 2/3 + 1/2 + 2/3 and 1/3 + 1 + 1/2.
    let systems = Systems {
        gold: vec![3, 3, 4],
        answers: vec![vec![(3, 3), (1, 0), (3, 2)], vec![(1, 2), (3, 0), (2, 2)]],
    };
    let exact: Vec<Option<Fraction>> = (0..2).map(|at| mean_f1(&systems.counted(at))).collect();
    assert_eq!(exact[0], exact[1]);
    let (found, _) = systems.compared("link.f1@macro");
    assert_eq!(found.pairs[0].difference.map(|found| found.value), Some(0.0));
    let ranks = found.systems.iter().map(|standing| standing.ranks.map(|ranks| ranks.rank));
    assert!(ranks.into_iter().all(|rank| rank == Some(1)));
    assert_eq!(found.pairs[0].p, Some(1.0));
}
