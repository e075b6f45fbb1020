//! Raw agreement: the share of pairs of answers that are equal.

use super::{AgreementCounts, AgreementValue, Coefficient, UndefinedAgreement};

pub(super) static RAW: Coefficient = Coefficient {
    name: "raw",
    title: "raw agreement",
    question: "how often do two people give the same answer, by chance or not?",
    score,
};

fn score(counts: &AgreementCounts) -> Result<AgreementValue, UndefinedAgreement> {
    let observed = counts.observed().ok_or(UndefinedAgreement::NoPairs)?;
    Ok(AgreementValue { value: observed, observed, expected: None })
}
