//! Specific agreement: if one person gives an answer, how often does another give it too?
//!
//! For skewed answers it is the number that people understand: nine in ten agree on *verify* whatever they do, and
//! what matters is whether they agree on *remove*.

use super::AgreementCounts;

/// The specific agreement of each category; `None` where nobody gave it on an item with two answers.
pub fn specific_agreement(counts: &AgreementCounts) -> Vec<Option<f64>> {
    let of = |category| {
        let given = counts.pairable(category);
        (given > 0.0).then(|| counts.coincidences(category) / given)
    };
    counts.each().map(of).collect()
}
