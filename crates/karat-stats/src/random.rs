//! Random numbers that stay the same for ever.

mod wide;

/// A small generator (SplitMix64). Its stream is keyed by a seed and the number
/// of a trial, never by a thread: the same seed gives the same digits anywhere.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of one trial.
    pub fn new(seed: u64, trial: u64) -> Random {
        // The fraction of the square root of 2, as in SHA-2: any fixed constant would do, but it
        // can never change.
        let mut keyed = Random { state: seed ^ 0x6a09_e667_f3bc_c908 };
        let start = keyed.next();
        let mut random = Random { state: start ^ trial.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
        // One step away from the key, so that neighbouring trials do not begin with neighbouring
        // states.
        random.next();
        random
    }

    /// The next 64 bits.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "a stream without end is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mixed(self.state)
    }

    /// A number below `bound`, which must not be 0. For the bounds that occur here
    /// the bias of the multiplication is below 2^-32.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Draws as many of so many units as there are, and gives them out some at a time. Two come from
    /// each 64 bits of the stream; their bias is below `units` / 2^32, which no number of trials that
    /// anyone waits for can show.
    #[inline]
    pub(crate) fn draw(&mut self, units: usize, mut each: impl FnMut(&[u32])) {
        let mut pairs = [[0; 2]; PAIRS];
        let mut left = units;
        while left > 0 {
            let pairs = &mut pairs[..left.div_ceil(2).min(PAIRS)];
            // Units are counted in 32 bits: a matrix with more of them does not fit into memory.
            wide::fill_below(self.state, units as u32, pairs);
            self.state = self.state.wrapping_add(STEP.wrapping_mul(pairs.len() as u64));
            let drawn = pairs.as_flattened();
            let drawn = &drawn[..drawn.len().min(left)];
            each(drawn);
            left -= drawn.len();
        }
    }

    /// A number from 0 up to and without 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// So many pairs are drawn at once: enough to fill wide registers often, and few enough that a draw of
/// a handful of units does not wait until all of them are cleared.
const PAIRS: usize = 64;

/// How far the state moves from one number to the next.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that a state stands for.
#[inline(always)]
fn mixed(state: u64) -> u64 {
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // The first outputs of SplitMix64 for the state 1234567, as its author lists them.
        let mut random = Random { state: 1_234_567 };
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn many_draws_are_those_of_the_stream() {
        for units in [0, 1, 2, 231, 2 * PAIRS, 2 * PAIRS + 1, 5000] {
            let (mut one, mut many) = (Random::new(3, 5), Random::new(3, 5));
            let mut drawn = Vec::new();
            many.draw(units, |some| drawn.extend_from_slice(some));
            let below = |half: u64| ((half * units as u64) >> 32) as u32;
            let pair = |_| {
                let bits = one.next();
                [below(bits >> 32), below(bits & 0xffff_ffff)]
            };
            let expected: Vec<u32> = (0..units.div_ceil(2)).flat_map(pair).take(units).collect();
            assert_eq!(drawn, expected);
            assert_eq!(many.next(), one.next(), "{units}");
        }
    }

    #[test]
    fn all_numbers_below_a_bound_come_about_equally_often() {
        let mut random = Random::new(1, 0);
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
    }
}
