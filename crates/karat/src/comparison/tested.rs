//! Tests of pairs that are kept.

use karat_stats::{Counts, Difference, Drawn, Interval, Randomised};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Where the tests of pairs are kept.
///
/// Whether two systems differ is told by their counts and the way of testing, and by nothing else: neither by other systems nor by
/// names. A board of fifty systems has 1,225 pairs; when one system more comes, only its own fifty pairs are new. What
/// depends on all pairs, such as corrected p-values and groups, is made of the tests each time.
pub trait PairKeeper: std::fmt::Debug + Send + Sync {
    /// The tests that were kept under these keys, in their order.
    fn kept(&self, keys: &[PairKey]) -> Vec<Option<TestedPair>>;

    /// Keeps tests. What was kept before under the same key may stay.
    fn keep(&self, tested: &[(&PairKey, &TestedPair)]);
}

/// What the test of a pair depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// The digest of the counts of the first system.
    pub first: String,
    /// The digest of the counts of the second.
    pub second: String,
    /// The score, and how is tested. It is made for comparing only.
    pub test: String,
}

/// What the trials say of two systems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "TestRecord", into = "TestRecord")]
pub struct TestedPair {
    /// What exchanging documents said; `None` where it says nothing.
    pub(super) randomised: Option<Randomised>,
    /// How far they are apart, and what drawing documents again says of it.
    pub(super) difference: Option<Difference>,
}

/// A test as it is written.
#[derive(Clone, Serialize, Deserialize)]
struct TestRecord {
    exchange: Option<ExchangeRecord>,
    difference: Option<f64>,
    drawn: Option<DrawnRecord>,
}

#[derive(Clone, Serialize, Deserialize)]
struct ExchangeRecord {
    difference: f64,
    in_direction: usize,
    in_either: usize,
    trials: usize,
}

#[derive(Clone, Serialize, Deserialize)]
struct DrawnRecord {
    interval: Option<[f64; 2]>,
    standard_error: f64,
    two_sided: f64,
    one_sided: f64,
    first_better: f64,
}

impl From<TestRecord> for TestedPair {
    fn from(record: TestRecord) -> TestedPair {
        let drawn = record.drawn.map(|it| Drawn {
            interval: it.interval.map(|[low, high]| Interval { low, high }),
            standard_error: it.standard_error,
            two_sided: it.two_sided,
            one_sided: it.one_sided,
            first_better: it.first_better,
        });
        TestedPair {
            randomised: record.exchange.map(|it| Randomised {
                difference: it.difference,
                in_direction: it.in_direction,
                in_either: it.in_either,
                trials: it.trials,
            }),
            difference: record.difference.map(|value| Difference { value, drawn }),
        }
    }
}

impl From<TestedPair> for TestRecord {
    fn from(tested: TestedPair) -> TestRecord {
        let drawn = tested.difference.and_then(|difference| difference.drawn);
        TestRecord {
            exchange: tested.randomised.map(|it| ExchangeRecord {
                difference: it.difference,
                in_direction: it.in_direction,
                in_either: it.in_either,
                trials: it.trials,
            }),
            difference: tested.difference.map(|difference| difference.value),
            drawn: drawn.map(|it| DrawnRecord {
                interval: it.interval.map(|Interval { low, high }| [low, high]),
                standard_error: it.standard_error,
                two_sided: it.two_sided,
                one_sided: it.one_sided,
                first_better: it.first_better,
            }),
        }
    }
}

/// What tells the counts of a system from all others. Whoever sends an output can choose its counts, and must not be able to
/// choose those of somebody else's digest.
pub(super) fn digest(counts: &Counts) -> String {
    let mut hasher = Sha256::new();
    hasher.update((counts.width() as u64).to_le_bytes());
    hasher.update(format!("{:?}", counts.tolerance()));
    for count in counts.rows().flatten() {
        hasher.update(count.to_le_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
