//! Krippendorff's alpha for categories, with missing answers: items with one answer play no part, all others
//! weigh by how many they have.

use super::{AgreementCounts, AgreementValue, Coefficient, UndefinedAgreement};

pub(super) static ALPHA: Coefficient = Coefficient {
    name: "alpha",
    title: "Krippendorff's alpha",
    question: "could these answers be the same ones dealt out at random?",
    score,
};

fn score(counts: &AgreementCounts) -> Result<AgreementValue, UndefinedAgreement> {
    let all: f64 = counts.each().map(|category| counts.pairable(category)).sum();
    if all == 0.0 {
        return Err(UndefinedAgreement::NoPairs);
    }
    let alike: f64 = counts.each().map(|category| counts.coincidences(category)).sum();
    let dealt: f64 = counts.each().map(|category| pairs(counts.pairable(category))).sum();
    AgreementValue::corrected(alike / all, dealt / pairs(all))
}

/// The alpha of each category against all others.
pub fn category_alphas(
    counts: &AgreementCounts,
) -> Vec<Result<AgreementValue, UndefinedAgreement>> {
    let all: f64 = counts.each().map(|category| counts.pairable(category)).sum();
    let of = |category| {
        if all == 0.0 {
            return Err(UndefinedAgreement::NoPairs);
        }
        let given = counts.pairable(category);
        let apart = 2.0 * (given - counts.coincidences(category)) / all;
        AgreementValue::corrected(1.0 - apart, (pairs(given) + pairs(all - given)) / pairs(all))
    };
    counts.each().map(of).collect()
}

/// Ordered pairs of so many things.
fn pairs(things: f64) -> f64 {
    things * (things - 1.0)
}
