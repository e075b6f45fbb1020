//! Cohen's kappa (1960) of two people.

use super::{AgreementValue, UndefinedAgreement};
use crate::{Interval, normal};

/// Cohen's kappa and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CohenKappa {
    /// Kappa, the share of equal answers, and what chance would give.
    pub agreement: AgreementValue,
    /// Its variance in large samples (Fleiss, Cohen and Everitt 1969).
    pub variance: f64,
    /// The items that both judged.
    pub items: f64,
}

impl CohenKappa {
    /// The normal interval at a level in percent.
    pub fn interval(&self, level: f64) -> Interval {
        let half = normal::critical(1.0 - level / 100.0) * self.variance.sqrt();
        Interval { low: self.agreement.value - half, high: self.agreement.value + half }
    }
}

/// Cohen's kappa of a square table: how often the first gave the answer of the row and the second that of the
/// column.
pub fn cohen_kappa(table: &[Vec<f64>]) -> Result<CohenKappa, UndefinedAgreement> {
    let items: f64 = table.iter().flatten().sum();
    if items == 0.0 {
        return Err(UndefinedAgreement::NoPairs);
    }
    let each = 0..table.len();
    let cell = |row: usize, column: usize| table[row].get(column).copied().unwrap_or(0.0) / items;
    let first: Vec<f64> =
        each.clone().map(|at| each.clone().map(|to| cell(at, to)).sum()).collect();
    let second: Vec<f64> =
        each.clone().map(|at| each.clone().map(|to| cell(to, at)).sum()).collect();
    let observed: f64 = each.clone().map(|at| cell(at, at)).sum();
    let expected: f64 = first.iter().zip(&second).map(|(first, second)| first * second).sum();
    let agreement = AgreementValue::corrected(observed, expected)?;

    let (kappa, left) = (agreement.value, 1.0 - expected);
    let diagonal =
        |at: usize| cell(at, at) * (1.0 - (first[at] + second[at]) * (1.0 - kappa)).powi(2);
    let beside = |row: usize, column: usize| match row == column {
        true => 0.0,
        false => cell(row, column) * (second[row] + first[column]).powi(2),
    };
    let same: f64 = each.clone().map(diagonal).sum();
    let other: f64 = each
        .clone()
        .flat_map(|row| each.clone().map(move |column| (row, column)))
        .map(|(row, column)| beside(row, column))
        .sum();
    let chance = (kappa - expected * (1.0 - kappa)).powi(2);
    let variance = (same + (1.0 - kappa).powi(2) * other - chance) / (left * left * items);
    Ok(CohenKappa { agreement, variance: variance.max(0.0), items })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;

    #[test]
    fn the_example_of_the_paper() {
        // Cohen 1960, p. 45: .492; the variance and its interval by statsmodels 0.15.
        let table = [vec![88.0, 14.0, 18.0], vec![10.0, 40.0, 10.0], vec![2.0, 6.0, 12.0]];
        let found = cohen_kappa(&table).expect("defined");
        assert_near(found.agreement.value, 0.491_525_423_729, 1e-9);
        assert_near(found.variance, 0.002_601_185_192_056, 1e-9);
        assert_near(found.interval(95.0).low, 0.391_563_702_054, 1e-9);
    }

    #[test]
    fn undefined_says_why() {
        assert_eq!(cohen_kappa(&[]), Err(UndefinedAgreement::NoPairs));
        let table = [vec![5.0, 0.0], vec![0.0, 0.0]];
        assert_eq!(cohen_kappa(&table), Err(UndefinedAgreement::OneCategory));
    }
}
