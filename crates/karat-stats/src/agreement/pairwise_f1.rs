//! F1 of the marks of two people, the mean over all pairs: specific agreement where what nobody marked cannot be
//! counted (Hripcsak and Rothschild 2005). It holds for nested marks as well.

use super::UndefinedAgreement;

/// F1 between people.
#[derive(Debug, Clone, PartialEq)]
pub struct PairwiseF1 {
    /// The mean over pairs.
    pub mean: f64,
    /// Each pair: first person, second person, F1. Pairs of which neither marked anything are left out.
    pub pairs: Vec<(usize, usize, f64)>,
}

/// The F1 of what people marked; marks are the same when they are equal.
pub fn pairwise_f1<M: Ord>(people: &[Vec<M>]) -> Result<PairwiseF1, UndefinedAgreement> {
    if people.len() < 2 {
        return Err(UndefinedAgreement::OnePerson);
    }
    let sets: Vec<std::collections::BTreeSet<&M>> =
        people.iter().map(|marks| marks.iter().collect()).collect();
    let mut pairs = Vec::new();
    for (at, first) in sets.iter().enumerate() {
        for (to, second) in sets.iter().enumerate().skip(at + 1) {
            let all = first.len() + second.len();
            if all > 0 {
                let common = first.intersection(second).count();
                pairs.push((at, to, 2.0 * common as f64 / all as f64));
            }
        }
    }
    if pairs.is_empty() {
        return Err(UndefinedAgreement::NoUnits);
    }
    let mean = pairs.iter().map(|&(_, _, f1)| f1).sum::<f64>() / pairs.len() as f64;
    Ok(PairwiseF1 { mean, pairs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_people() {
        let people = [
            vec![(3, 12), (20, 26), (40, 52), (70, 75)],
            vec![(3, 12), (24, 26), (40, 52), (60, 64)],
            vec![(3, 12), (20, 26), (40, 52)],
        ];
        let found = pairwise_f1(&people).expect("defined");
        let values: Vec<f64> = found.pairs.iter().map(|&(_, _, f1)| f1).collect();
        assert_eq!(values, [0.5, 6.0 / 7.0, 4.0 / 7.0]);
        assert_eq!(pairwise_f1::<u32>(&[vec![], vec![]]), Err(UndefinedAgreement::NoUnits));
    }
}
