//! Fleiss' kappa (1971), in its form for missing answers: agreement is the mean over items with two or more, and the
//! share of a category the mean over all items of its share there (Gwet 2014).

use super::{AgreementCounts, AgreementValue, Coefficient, UndefinedAgreement};

pub(super) static FLEISS: Coefficient = Coefficient {
    name: "fleiss",
    title: "Fleiss' kappa",
    question: "how far do they agree beyond people who answer at random with these shares?",
    score,
};

fn score(counts: &AgreementCounts) -> Result<AgreementValue, UndefinedAgreement> {
    let observed = counts.observed().ok_or(UndefinedAgreement::NoPairs)?;
    let expected = counts.each().map(|category| counts.share(category).powi(2)).sum();
    AgreementValue::corrected(observed, expected)
}

/// Fleiss' kappa of each category against all others.
pub fn category_kappas(
    counts: &AgreementCounts,
) -> Vec<Result<AgreementValue, UndefinedAgreement>> {
    let of = |category| {
        let against = counts.disagreement(category).ok_or(UndefinedAgreement::NoPairs)?;
        let share = counts.share(category);
        AgreementValue::corrected(1.0 - against, share.powi(2) + (1.0 - share).powi(2))
    };
    counts.each().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::RatedItem;
    use crate::near::assert_near;

    #[test]
    fn the_textbook_example() {
        // Ten subjects, fourteen raters, five categories: .210 in every textbook.
        let items = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ]
        .map(|counts| RatedItem::counted(counts.to_vec()));
        let found = score(&AgreementCounts::of(5, &items)).expect("defined");
        assert_near(found.value, 0.209_930_704_421, 1e-9);
    }

    #[test]
    fn one_answer_everywhere_is_no_coefficient() {
        let items = [RatedItem::of(&[0, 0]), RatedItem::of(&[0, 0, 0])];
        assert_eq!(score(&AgreementCounts::of(3, &items)), Err(UndefinedAgreement::OneCategory));
        let alone = [RatedItem::of(&[0]), RatedItem::of(&[1])];
        assert_eq!(score(&AgreementCounts::of(3, &alone)), Err(UndefinedAgreement::NoPairs));
    }
}
