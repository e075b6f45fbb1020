//! The standard normal distribution. Nothing here panics: what is undefined is
//! not a number.

use std::f64::consts::{PI, SQRT_2};

/// The probability of a value above `z`.
pub(crate) fn above(z: f64) -> f64 {
    0.5 * libm::erfc(z / SQRT_2)
}

/// The probability of a value at least as far from 0 as `z`.
pub(crate) fn beyond(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// The density at `z`.
pub(crate) fn density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// The value below which a share `p` lies.
pub(crate) fn quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    -SQRT_2 * statrs::function::erf::erfc_inv(2.0 * p)
}

/// How far from 0 a two-sided test at the level `alpha` starts to reject.
pub(crate) fn critical(alpha: f64) -> f64 {
    if alpha > 1.0 { f64::NAN } else { -quantile(alpha / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_ratio_near;

    #[test]
    fn quantiles_are_those_of_scipy_and_tails_lead_back() {
        // scipy 1.17.1, scipy.stats.norm.ppf.
        for (p, expected) in [
            (1e-300, -37.0470962993612),
            (1e-20, -9.262340089798409),
            (1e-05, -4.264890793922825),
            (0.025, -1.9599639845400545),
            (0.2, -0.8416212335729142),
            (0.4999, -0.0002506628300880075),
            (0.8, 0.8416212335729143),
            (0.975, 1.959963984540054),
            (0.9999999, 5.199337582290661),
        ] {
            assert_ratio_near(quantile(p), expected, 1e-12);
            assert_ratio_near(above(-expected), p, 1e-12);
        }
    }

    #[test]
    fn ends_and_what_lies_outside() {
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
        assert_eq!(quantile(0.5), 0.0);
        assert!([-0.1, 1.1, f64::NAN].into_iter().all(|p| quantile(p).is_nan()));
        assert_eq!((critical(1.0), critical(0.0)), (0.0, f64::INFINITY));
        assert!([-0.1, 1.1, f64::NAN].into_iter().all(|alpha| critical(alpha).is_nan()));
        assert_eq!(beyond(0.0), 1.0);
    }
}
