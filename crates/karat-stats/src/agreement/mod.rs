//! How far people agree: answers on common items, and units that people mark in a text.
//!
//! All that a coefficient needs of the items of a document is a row of sums ([`AgreementCounts`]). Rows add up, so
//! an interval comes from drawing documents again, as everywhere in this crate.
//!
//! What is not defined is no number: [`UndefinedAgreement`] says why.
//!
//! ```
//! use karat_stats::agreement::{AgreementCounts, COEFFICIENTS, RatedItem};
//!
//! // Three people on four items; 0 is "verify", 1 is "remove".
//! let items = [vec![0, 0, 0], vec![0, 0], vec![0, 1, 1], vec![1, 1]];
//! let rated = items.map(|answers| RatedItem::of(&answers));
//! let counts = AgreementCounts::of(2, &rated);
//! let alpha = COEFFICIENTS.iter().find(|one| one.name == "alpha").expect("known");
//! let found = (alpha.score)(&counts).expect("two answers were given");
//! assert!((found.value - 0.625).abs() < 1e-12);
//! ```

mod ac1;
mod alpha;
mod cohen;
mod continuum;
mod counts;
mod fleiss;
mod pairwise_f1;
mod raw;
mod specific;
mod u_alpha;
mod unitized;

pub use alpha::category_alphas;
pub use cohen::{CohenKappa, cohen_kappa};
pub use continuum::{Continuum, MarkedUnit};
pub use counts::{AgreementCounts, RatedItem};
pub use fleiss::category_kappas;
pub use pairwise_f1::{PairwiseF1, pairwise_f1};
pub use specific::specific_agreement;
pub use u_alpha::{UAlpha, u_alpha};
pub use unitized::{AlphaU, CategoryAlphaU, alpha_u};

use std::fmt;

/// A coefficient of agreement between any number of people: one file, one line in [`COEFFICIENTS`].
#[derive(Debug)]
pub struct Coefficient {
    /// Its name in requests, tables and JSON.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The question that it answers, for people who have to choose one.
    pub question: &'static str,
    /// Its value for these counts.
    pub score: fn(&AgreementCounts) -> Result<AgreementValue, UndefinedAgreement>,
}

/// All coefficients of answers on common items by any number of people.
pub static COEFFICIENTS: &[&Coefficient] = &[&raw::RAW, &fleiss::FLEISS, &alpha::ALPHA, &ac1::AC1];

/// A coefficient, and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgreementValue {
    /// The coefficient: 1 is full agreement; 0, where it corrects for chance, is what chance gives.
    pub value: f64,
    /// The agreement that was seen.
    pub observed: f64,
    /// The agreement that chance would give; `None` where chance plays no part.
    pub expected: Option<f64>,
}

impl AgreementValue {
    /// What is left of the agreement after chance: `(observed - expected) / (1 - expected)`.
    fn corrected(observed: f64, expected: f64) -> Result<AgreementValue, UndefinedAgreement> {
        if expected >= 1.0 {
            return Err(UndefinedAgreement::OneCategory);
        }
        let value = (observed - expected) / (1.0 - expected);
        Ok(AgreementValue { value, observed, expected: Some(expected) })
    }
}

/// Why there is no coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UndefinedAgreement {
    /// No item has two answers.
    NoPairs,
    /// Everybody gave the same answer everywhere: chance explains all of it, and nothing is left to compare.
    OneCategory,
    /// Units of one person overlap.
    Overlap,
    /// Nobody marked anything.
    NoUnits,
    /// There are fewer than two people.
    OnePerson,
}

impl fmt::Display for UndefinedAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndefinedAgreement::NoPairs => "no item has two answers",
            UndefinedAgreement::OneCategory => "only one answer was ever given",
            UndefinedAgreement::Overlap => "units of one person overlap",
            UndefinedAgreement::NoUnits => "nobody marked anything",
            UndefinedAgreement::OnePerson => "there are fewer than two people",
        })
    }
}

impl std::error::Error for UndefinedAgreement {}
