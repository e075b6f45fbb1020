//! Random numbers that stay the same for ever.

/// A small generator (SplitMix64). Its stream is keyed by a seed and the number
/// of a trial, never by a thread: the same seed gives the same digits anywhere.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of one trial.
    pub fn new(seed: u64, trial: u64) -> Random {
        let mut keyed = Random { state: seed ^ 0x6a09_e667_f3bc_c908 };
        let start = keyed.next();
        let mut random = Random { state: start ^ trial.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
        random.next();
        random
    }

    /// The next 64 bits.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "a stream without end is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0. For the bounds that occur here
    /// the bias of the multiplication is below 2^-32.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Two numbers below `bound` from one draw of 64 bits. Their bias is below `bound` / 2^32,
    /// which no number of trials that anyone waits for can show.
    #[inline]
    pub(crate) fn two_below(&mut self, bound: u32) -> [u32; 2] {
        let bits = self.next();
        let below = |half: u64| (((half & 0xffff_ffff) * u64::from(bound)) >> 32) as u32;
        [below(bits >> 32), below(bits)]
    }

    /// A number from 0 up to and without 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
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
    fn all_numbers_below_a_bound_come_about_equally_often() {
        let mut random = Random::new(1, 0);
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
    }
}
