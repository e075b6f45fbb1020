//! What tests mean by equal.

/// Panics unless a value is within `tolerance` of what it should be, relative to it
/// where it is above 1.
#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64, tolerance: f64) {
    let near = found == expected
        || found.is_nan() && expected.is_nan()
        || (found - expected).abs() <= tolerance * expected.abs().max(1.0);
    assert!(near, "{found} instead of {expected}");
}

/// The same, relative to values of any size: for small probabilities.
#[track_caller]
pub(crate) fn assert_ratio_near(found: f64, expected: f64, tolerance: f64) {
    let near = found == expected || (found / expected - 1.0).abs() <= tolerance;
    assert!(near, "{found} instead of {expected}");
}
