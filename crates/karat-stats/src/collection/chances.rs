//! How likely each value of a count is.

/// A count that depends on chance: the values it takes and how likely each is.
///
/// The chances are built from the likeliest value outwards by the ratio of neighbours, with nothing
/// but the four operations of arithmetic: no digit depends on the machine. What is less likely
/// than 10^-18 of the likeliest is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Chances {
    lowest: u64,
    chances: Vec<f64>,
}

/// What is less likely than this part of the likeliest value is left out.
const NEGLIGIBLE: f64 = 1e-18;

impl Chances {
    /// How many of `draws` drawn without replacement are marked, if `marked` of a
    /// population are. More draws than there is population count as all of it.
    pub fn hypergeometric(population: u64, marked: u64, draws: u64) -> Chances {
        let marked = marked.min(population);
        let draws = draws.min(population);
        let lowest = (marked + draws).saturating_sub(population);
        let highest = marked.min(draws);
        // The mode of the distribution. 128 bits, because the product of two counts may not fit
        // into 64.
        let likeliest =
            (u128::from(draws + 1) * u128::from(marked + 1) / u128::from(population + 2)) as u64;
        Chances::outwards(lowest, likeliest.clamp(lowest, highest), highest, |value| {
            // The chance of one more over that of this value.
            let taken = (marked - value) as f64 * (draws - value) as f64;
            let left = (population + value + 1 - marked - draws) as f64;
            taken / ((value + 1) as f64 * left)
        })
    }

    /// How many of `draws` drawn with replacement are marked.
    pub fn binomial(population: u64, marked: u64, draws: u64) -> Chances {
        let marked = marked.min(population);
        if marked == 0 {
            return Chances { lowest: 0, chances: vec![1.0] };
        }
        if marked == population {
            return Chances { lowest: draws, chances: vec![1.0] };
        }
        let odds = marked as f64 / (population - marked) as f64;
        let likeliest =
            (u128::from(draws + 1) * u128::from(marked) / u128::from(population)) as u64;
        Chances::outwards(0, likeliest.min(draws), draws, |value| {
            (draws - value) as f64 / (value + 1) as f64 * odds
        })
    }

    fn outwards(lowest: u64, likeliest: u64, highest: u64, ratio: impl Fn(u64) -> f64) -> Chances {
        let mut below = Vec::new();
        let (mut value, mut chance) = (likeliest, 1.0);
        while value > lowest {
            chance /= ratio(value - 1);
            if chance < NEGLIGIBLE {
                break;
            }
            value -= 1;
            below.push(chance);
        }
        let lowest = value;
        below.reverse();
        let mut chances = below;
        chances.push(1.0);
        let (mut value, mut chance) = (likeliest, 1.0);
        while value < highest {
            chance *= ratio(value);
            if chance < NEGLIGIBLE {
                break;
            }
            value += 1;
            chances.push(chance);
        }
        let total: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= total);
        Chances { lowest, chances }
    }

    /// The values that are worth a look, with their chances.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, f64)> + Clone + '_ {
        self.chances.iter().enumerate().map(|(at, &chance)| (self.lowest + at as u64, chance))
    }

    /// How many values are worth a look.
    pub fn width(&self) -> usize {
        self.chances.len()
    }

    /// The value at which the chances, added up, pass a number between 0 and 1.
    pub fn at(&self, share: f64) -> u64 {
        let mut sum = 0.0;
        for (value, chance) in self.iter() {
            sum += chance;
            if share < sum {
                return value;
            }
        }
        self.lowest + self.chances.len() as u64 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(chances: &Chances, expected: &[(u64, f64)]) {
        for &(value, expected) in expected {
            let found = chances.iter().find(|&(known, _)| known == value).map_or(0.0, |(_, p)| p);
            assert!(
                (found - expected).abs() <= 1e-12 * expected.max(1e-12),
                "{value}: {found:e} {expected:e}"
            );
        }
    }

    #[test]
    fn hypergeometric_chances_are_those_of_scipy() {
        // scipy 1.17.1: scipy.stats.hypergeom(2853, 1289, 100).pmf([30, 45, 60]); the same digits
        // come out of binomial coefficients as fractions of whole numbers.
        expect(
            &Chances::hypergeometric(2853, 1289, 100),
            &[(30, 0.000596884363073547), (45, 0.0813704738601013), (60, 0.000852880073426254)],
        );
        // Everything is drawn, nothing is marked, nothing is there.
        expect(&Chances::hypergeometric(10, 4, 10), &[(4, 1.0)]);
        expect(&Chances::hypergeometric(10, 0, 3), &[(0, 1.0)]);
        expect(&Chances::hypergeometric(0, 3, 9), &[(0, 1.0)]);
        // 7 of 10 are marked and 5 are drawn: at least 2 of them are marked.
        expect(
            &Chances::hypergeometric(10, 7, 5),
            &[(1, 0.0), (2, 21.0 / 252.0), (5, 21.0 / 252.0)],
        );
    }

    #[test]
    fn binomial_chances_are_those_of_scipy() {
        // scipy 1.17.1: scipy.stats.binom(200, 1289 / 2853).pmf([70, 90, 120])
        expect(
            &Chances::binomial(2853, 1289, 200),
            &[(70, 0.000823981888163970), (90, 0.0565569258245727), (120, 8.42757680601277e-6)],
        );
        expect(&Chances::binomial(5, 5, 3), &[(3, 1.0)]);
        expect(&Chances::binomial(5, 0, 3), &[(0, 1.0)]);
        expect(&Chances::binomial(0, 0, 3), &[(0, 1.0)]);
    }

    #[test]
    fn shares_lead_to_values() {
        let chances = Chances::hypergeometric(4, 2, 1);
        assert_eq!([0.0, 0.49, 0.51, 1.0].map(|share| chances.at(share)), [0, 0, 1, 1]);
    }
}
