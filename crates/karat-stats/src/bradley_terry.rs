//! Strengths from who beat whom.

use crate::Tolerance;
use std::cmp::Ordering;

/// The model of Bradley and Terry (1952): every system has a strength, and system i
/// beats system j with probability `s_i / (s_i + s_j)`. The strengths are those under
/// which the observed wins are likeliest.
///
/// There are such strengths only if systems are connected by wins in both
/// directions, perhaps through others (Ford 1957). Otherwise systems fall into
/// groups that are connected within, and between groups all wins go one way: there a
/// strength is infinite, or nothing is known. A `prior` avoids this.
#[derive(Debug, Clone, PartialEq)]
pub struct BradleyTerry {
    /// Logarithms of strengths; their mean is 0 in each group.
    within: Vec<f64>,
    /// The group of each system.
    group: Vec<usize>,
    /// Whether a chain of wins leads from one system to another.
    reaches: Vec<Vec<bool>>,
}

/// Wins to which the model cannot be fitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BradleyTerryError {
    /// The matrix is not square.
    #[error("row {row} of the wins has {found} numbers for {expected} systems: give one for each")]
    NotSquare {
        /// The row, from 0.
        row: usize,
        /// How many numbers it has.
        found: usize,
        /// How many systems there are.
        expected: usize,
    },
    /// A number of wins is negative or not finite.
    #[error(
        "the wins of system {winner} over system {loser} are no count: give a number from 0 up"
    )]
    NoCount {
        /// The row, from 0.
        winner: usize,
        /// The column, from 0.
        loser: usize,
    },
    /// The iteration did not settle.
    #[error(
        "no strengths after {sweeps} sweeps: too few wins connect the systems; give a prior, 0.5 say"
    )]
    NotSettled {
        /// How many there were.
        sweeps: usize,
    },
}

/// How many times all strengths are computed anew.
const SWEEPS: usize = 10_000;

impl BradleyTerry {
    /// Fits the model to `wins[i][j]`, how often system i beat system j, with a tie as
    /// half a win for both; see [`wins`]. As many wins as `prior` says are added for
    /// each system over each other.
    pub fn fit(wins: &[Vec<f64>], prior: f64) -> Result<BradleyTerry, BradleyTerryError> {
        let wins = with_prior(wins, prior)?;
        let systems = wins.len();
        let reaches = reachable(&wins);
        let mut group = vec![0; systems];
        let mut within = vec![0.0; systems];
        for system in 0..systems {
            let connected = |&other: &usize| reaches[system][other] && reaches[other][system];
            let members: Vec<usize> = (0..systems).filter(connected).collect();
            // A system is connected with itself, so there is a first member.
            group[system] = members[0];
            if group[system] == system {
                let strengths = log_strengths(&wins, &members)?;
                for (member, strength) in members.into_iter().zip(strengths) {
                    within[member] = strength;
                }
            }
        }
        Ok(BradleyTerry { within, group, reaches })
    }

    /// Logarithms of the strengths, seen from the largest group of connected systems,
    /// in which their mean is 0. Systems that beat all of it and never lose to it are
    /// infinitely strong, those that only lose infinitely weak. `None` for a system
    /// that was never compared with it, and for all if no group is the largest.
    pub fn log_strengths(&self) -> Vec<Option<f64>> {
        let size = |group: usize| self.group.iter().filter(|&&other| other == group).count();
        let largest = self.group.iter().map(|&group| size(group)).max().unwrap_or(0);
        let mut candidates: Vec<usize> =
            self.group.iter().copied().filter(|&group| size(group) == largest).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let &[reference] = candidates.as_slice() else { return vec![None; self.group.len()] };
        let seen = |system: usize| match (
            self.reaches[system][reference],
            self.reaches[reference][system],
        ) {
            (true, true) => Some(self.within[system]),
            (true, false) => Some(f64::INFINITY),
            (false, true) => Some(f64::NEG_INFINITY),
            (false, false) => None,
        };
        (0..self.group.len()).map(seen).collect()
    }

    /// The probability that one system beats another. `None` if no chain of wins
    /// leads from either to the other.
    pub fn beats(&self, system: usize, other: usize) -> Option<f64> {
        let there = *self.reaches.get(system)?.get(other)?;
        let back = *self.reaches.get(other)?.get(system)?;
        match (there, back) {
            // As a function of the difference of logarithms: strengths themselves may overflow.
            (true, true) => Some(1.0 / (1.0 + libm::exp(self.within[other] - self.within[system]))),
            (true, false) => Some(1.0),
            (false, true) => Some(0.0),
            (false, false) => None,
        }
    }
}

/// The matrix of wins of systems from their scores, higher is better: one row per
/// document (or benchmark), one column per system. Equal scores are half a win for
/// both; where one is not a number or missing, nobody wins.
pub fn wins(scores: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let systems = scores.iter().map(Vec::len).max().unwrap_or(0);
    let mut wins = vec![vec![0.0; systems]; systems];
    for row in scores {
        for (system, score) in row.iter().enumerate() {
            for (other, against) in row.iter().enumerate().filter(|&(other, _)| other != system) {
                wins[system][other] += match Tolerance::ROUNDING.compare(*score, *against) {
                    Some(Ordering::Greater) => 1.0,
                    Some(Ordering::Equal) => 0.5,
                    _ => 0.0,
                };
            }
        }
    }
    wins
}

/// The wins with the prior, none over oneself.
fn with_prior(wins: &[Vec<f64>], prior: f64) -> Result<Vec<Vec<f64>>, BradleyTerryError> {
    let systems = wins.len();
    let count = |winner: usize, loser: usize, count: f64| match count + prior {
        _ if winner == loser => Ok(0.0),
        sum if count >= 0.0 && prior >= 0.0 && sum.is_finite() => Ok(sum),
        _ => Err(BradleyTerryError::NoCount { winner, loser }),
    };
    let row = |(row, counts): (usize, &Vec<f64>)| {
        if counts.len() != systems {
            let found = counts.len();
            return Err(BradleyTerryError::NotSquare { row, found, expected: systems });
        }
        counts.iter().enumerate().map(|(loser, &wins)| count(row, loser, wins)).collect()
    };
    wins.iter().enumerate().map(row).collect()
}

/// Between which systems there is a chain of wins; from each to itself there is.
fn reachable(wins: &[Vec<f64>]) -> Vec<Vec<bool>> {
    let from = |start: usize| {
        let mut reached = vec![false; wins.len()];
        reached[start] = true;
        let mut open = vec![start];
        while let Some(winner) = open.pop() {
            for (loser, count) in wins[winner].iter().enumerate() {
                if *count > 0.0 && !std::mem::replace(&mut reached[loser], true) {
                    open.push(loser);
                }
            }
        }
        reached
    };
    (0..wins.len()).map(from).collect()
}

/// The likeliest strengths of connected systems, by Newman's form (2023) of
/// Zermelo's iteration, the fixed point of which is the same and nearer:
/// `s_i = Σ_j w_ij s_j / (s_i + s_j) / Σ_j w_ji / (s_i + s_j)`.
fn log_strengths(wins: &[Vec<f64>], members: &[usize]) -> Result<Vec<f64>, BradleyTerryError> {
    let mut logarithms = vec![0.0; members.len()];
    if members.len() < 2 {
        return Ok(logarithms);
    }
    for _ in 0..SWEEPS {
        // Logarithms are kept between sweeps and centred, so strengths cannot drift out of range.
        let mut strengths: Vec<f64> = logarithms.iter().copied().map(libm::exp).collect();
        for (at, &system) in members.iter().enumerate() {
            let own = strengths[at];
            let (mut won, mut lost) = (0.0, 0.0);
            for (&other, &strength) in members.iter().zip(&strengths) {
                won += wins[system][other] * strength / (own + strength);
                lost += wins[other][system] / (own + strength);
            }
            strengths[at] = won / lost;
        }
        let next = centred(strengths.into_iter().map(libm::log).collect());
        let change = |(old, new): (&f64, &f64)| (old - new).abs();
        let settled = logarithms.iter().zip(&next).map(change).all(|change| change < 1e-13);
        logarithms = next;
        if settled {
            return Ok(logarithms);
        }
    }
    Err(BradleyTerryError::NotSettled { sweeps: SWEEPS })
}

fn centred(values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.into_iter().map(|value| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    fn fit<const SYSTEMS: usize>(wins: &[[f64; SYSTEMS]], prior: f64) -> BradleyTerry {
        let wins: Vec<Vec<f64>> = wins.iter().map(|row| row.to_vec()).collect();
        BradleyTerry::fit(&wins, prior).expect("a fit")
    }

    fn check<const SYSTEMS: usize>(
        wins: [[f64; SYSTEMS]; SYSTEMS],
        prior: f64,
        expected: [f64; SYSTEMS],
    ) {
        let found = fit(&wins, prior).log_strengths();
        for (found, expected) in found.into_iter().zip(expected) {
            assert_near(found.expect("connected systems"), expected, 1e-9);
        }
    }

    const FOUR: [[f64; 4]; 4] =
        [[0.0, 7.0, 9.0, 12.0], [3.0, 0.0, 6.5, 8.0], [1.0, 3.5, 0.0, 5.0], [2.0, 2.0, 5.0, 0.0]];

    /// The first always wins, the last never.
    const LADDER: [[f64; 4]; 4] =
        [[0.0, 4.0, 2.0, 1.0], [0.0, 0.0, 3.0, 2.0], [0.0, 1.0, 0.0, 2.0], [0.0; 4]];

    #[test]
    fn strengths_are_the_likeliest() {
        // scipy 1.17.1: minimize (BFGS) of the negative logarithm of the likelihood with
        // strengths that sum to 0, then root of its gradient.
        let expected =
            [1.1730902831304757, 0.27394166567536093, -0.6620892077919784, -0.7849427410138581];
        check(FOUR, 0.0, expected);
        let expected =
            [1.0360499508063354, 0.24464387743388838, -0.5807851157859463, -0.6999087124542775];
        check(FOUR, 0.5, expected);
        let one_sided = [[0.0, 100.0, 0.0], [1.0, 0.0, 3.0], [0.0, 2.0, 0.0]];
        check(one_sided, 0.0, [3.2052684933614497, -1.3999016926266425, -1.8053668007348072]);
        assert_near(fit(&FOUR, 0.0).beats(0, 1).expect("connected"), 0.7107745118328113, 1e-10);
    }

    #[test]
    fn who_always_wins_is_infinitely_strong() {
        let model = fit(&LADDER, 0.0);
        // Three wins to one: half the logarithm of 3 above and below.
        let half = 0.549306144334055;
        let found = model.log_strengths();
        assert_eq!((found[0], found[3]), (Some(f64::INFINITY), Some(f64::NEG_INFINITY)));
        assert_near(found[1].expect("connected"), half, 1e-12);
        assert_near(found[2].expect("connected"), -half, 1e-12);
        assert_eq!((model.beats(0, 3), model.beats(3, 1)), (Some(1.0), Some(0.0)));
        assert_near(model.beats(1, 2).expect("connected"), 0.75, 1e-12);
        // By the same minimisation.
        let expected =
            [1.5294924953274378, 0.13092425586859688, -0.3416028361202921, -1.3188139150757425];
        check(LADDER, 0.5, expected);
    }

    #[test]
    fn who_never_met_cannot_be_compared() {
        let apart =
            fit(&[[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0; 4]], 0.0);
        assert_eq!(apart.log_strengths(), [Some(0.0), Some(0.0), None, None]);
        assert_eq!((apart.beats(0, 2), apart.beats(2, 3)), (None, Some(1.0)));
        assert_eq!((apart.beats(0, 9), apart.beats(9, 0)), (None, None));
        let order = fit(&[[0.0, 1.0], [0.0, 0.0]], 0.0);
        assert_eq!(order.log_strengths(), [None, None]);
        assert_eq!(order.beats(0, 1), Some(1.0));
        assert!(fit::<0>(&[], 0.0).log_strengths().is_empty());
        assert_eq!(fit(&[[5.0]], 0.0).log_strengths(), [Some(0.0)]);
    }

    #[test]
    fn wins_are_counted_with_halves() {
        let scores = [vec![0.5, 0.4, 0.5], vec![0.1, 0.2, f64::NAN], vec![0.3]];
        assert_eq!(wins(&scores), [[0.0, 1.0, 0.5], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0]]);
        assert!(wins(&[]).is_empty());
    }

    #[test]
    fn wins_that_are_none_are_named() {
        for (wins, prior, expected) in [
            (
                vec![vec![0.0, 1.0], vec![1.0]],
                0.0,
                "row 1 of the wins has 1 numbers for 2 systems: give one for each",
            ),
            (
                vec![vec![0.0, -1.0], vec![1.0, 0.0]],
                0.0,
                "the wins of system 0 over system 1 are no count: give a number from 0 up",
            ),
            (
                vec![vec![0.0, 1.0], vec![1.0, 0.0]],
                f64::NAN,
                "the wins of system 0 over system 1 are no count: give a number from 0 up",
            ),
        ] {
            let error = BradleyTerry::fit(&wins, prior).expect_err("no wins");
            assert_eq!(error.to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn expected_wins_are_the_observed_ones(counts in prop::collection::vec(0_u8..20, 25)) {
            let wins: Vec<Vec<f64>> = counts
                .chunks(5)
                .map(|row| row.iter().map(|&count| f64::from(count)).collect())
                .collect();
            let model = BradleyTerry::fit(&wins, 0.5).unwrap();
            for (system, counts) in wins.iter().enumerate() {
                let (mut won, mut expected) = (0.0, 0.0);
                for (other, count) in counts.iter().enumerate().filter(|&(other, _)| other != system) {
                    let games = count + wins[other][system] + 1.0;
                    won += count + 0.5;
                    expected += games * model.beats(system, other).unwrap();
                }
                prop_assert!((won - expected).abs() < 1e-8, "{} {}", won, expected);
            }
        }
    }
}
