//! Gwet's AC1 (2008): chance plays a part only where people are unsure, so that a skewed answer does not
//! make good agreement look bad. Its `q` is the number of *possible* answers, not of those that were given.

use super::{AgreementCounts, AgreementValue, Coefficient, UndefinedAgreement};

pub(super) static AC1: Coefficient = Coefficient {
    name: "ac1",
    title: "Gwet's AC1",
    question: "how far do they agree where they are not guessing?",
    score,
};

fn score(counts: &AgreementCounts) -> Result<AgreementValue, UndefinedAgreement> {
    let observed = counts.observed().ok_or(UndefinedAgreement::NoPairs)?;
    if counts.categories() < 2 {
        return Err(UndefinedAgreement::OneCategory);
    }
    let unsure: f64 =
        counts.each().map(|category| counts.share(category)).map(|p| p * (1.0 - p)).sum();
    // Full agreement on one answer is a dash for every coefficient, here too: there was nothing to tell apart.
    if unsure <= f64::EPSILON {
        return Err(UndefinedAgreement::OneCategory);
    }
    AgreementValue::corrected(observed, unsure / (counts.categories() as f64 - 1.0))
}
