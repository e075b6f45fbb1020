//! What a pair of gold and prediction counts as.

bitflags::bitflags! {
    /// What a case counts as; a wrong link is both missed and extra.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Verdicts: u8 {
        /// A false negative.
        const MISSED = 1;
        /// A false positive.
        const EXTRA = 1 << 1;
        /// A true positive.
        const HIT = 1 << 2;
    }
}

/// What is done about entities that the knowledge base does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unknowns {
    /// Finding them is not asked for, and NIL is no answer.
    Ignored,
    /// They are to be found, and to be recognised as NIL.
    Required,
}

impl Unknowns {
    /// Both.
    pub const BOTH: [Unknowns; 2] = [Unknowns::Ignored, Unknowns::Required];

    /// Its place in a pair.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What a gold mention stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// An entity of the knowledge base.
    Known,
    /// An entity that it does not have.
    Nil,
    /// A quantity or a date: neither known nor unknown.
    Literal,
}

/// Gold and prediction as a verdict sees them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// The gold mention, and whether it is optional.
    pub(super) gold: Option<(Meaning, bool)>,
    /// Whether the prediction has an entity.
    pub(super) system: Option<bool>,
    /// They say the same: the same entity, or the same kind of literal.
    pub(super) same: bool,
    /// Parts of the gold mention are not optional, though it is itself.
    pub(super) required_parts: bool,
}

impl Pair {
    /// What it counts as in linking.
    pub(super) fn linking(&self, unknowns: Unknowns) -> Verdicts {
        let required = unknowns == Unknowns::Required;
        let only_if = |condition: bool, verdicts: Verdicts| match condition {
            true => verdicts,
            false => Verdicts::empty(),
        };
        let Some((meaning, optional)) = self.gold else {
            return self.alone(required);
        };
        let Some(linked) = self.system else {
            return self.unmet(meaning, optional, required);
        };
        let wrong = Verdicts::MISSED | Verdicts::EXTRA;
        match (meaning, optional, linked) {
            // A literal or an optional mention can be right at best without any credit: benchmarks
            // do not require them, and systems that link neither must not lose by it.
            (_, true, _) | (Meaning::Literal, ..) if self.same => Verdicts::empty(),
            (Meaning::Nil, true, false) => Verdicts::empty(),
            (_, true, linked) | (Meaning::Literal, _, linked) => {
                only_if(linked || required, Verdicts::EXTRA)
            }
            (Meaning::Known, _, true) => {
                if self.same {
                    Verdicts::HIT
                } else {
                    wrong
                }
            }
            (Meaning::Known, _, false) => {
                if required {
                    wrong
                } else {
                    Verdicts::MISSED
                }
            }
            (Meaning::Nil, _, true) => {
                if required {
                    wrong
                } else {
                    Verdicts::EXTRA
                }
            }
            (Meaning::Nil, _, false) => only_if(required, Verdicts::HIT),
        }
    }

    /// What it counts as in recognition, where any answer on the span will do.
    pub(super) fn recognition(&self, unknowns: Unknowns) -> Verdicts {
        let required = unknowns == Unknowns::Required;
        let Some((meaning, optional)) = self.gold else {
            return self.alone(required);
        };
        let Some(linked) = self.system else {
            return self.unmet(meaning, optional, required);
        };
        match (meaning, optional, linked) {
            (Meaning::Nil, _, true) if !required => Verdicts::EXTRA,
            (_, true, _) | (Meaning::Literal, ..) => Verdicts::empty(),
            _ if required => Verdicts::HIT,
            (Meaning::Known, _, true) => Verdicts::HIT,
            (Meaning::Known, _, false) => Verdicts::MISSED,
            (Meaning::Nil, ..) => Verdicts::empty(),
        }
    }

    /// A prediction where gold has nothing.
    fn alone(&self, required: bool) -> Verdicts {
        match self.system {
            Some(linked) if linked || required => Verdicts::EXTRA,
            _ => Verdicts::empty(),
        }
    }

    /// Gold where the system has nothing.
    fn unmet(&self, meaning: Meaning, optional: bool, required: bool) -> Verdicts {
        let asked_for = !optional || self.required_parts;
        match asked_for && (meaning == Meaning::Known || required) {
            true => Verdicts::MISSED,
            false => Verdicts::empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row of the table of cases in ELEVANT's evaluation: linking and recognition, unknown
    /// entities ignored and required.
    fn check(gold: Option<(Meaning, bool)>, system: Option<bool>, same: bool, expected: [&str; 4]) {
        let pair = Pair { gold, system, same, required_parts: false };
        let [ignored, required] = Unknowns::BOTH;
        let found = [
            pair.linking(ignored),
            pair.linking(required),
            pair.recognition(ignored),
            pair.recognition(required),
        ];
        let spelled = found.map(|verdicts| {
            let names = [(Verdicts::HIT, "TP"), (Verdicts::MISSED, "FN"), (Verdicts::EXTRA, "FP")];
            let of = names.into_iter().filter(|(verdict, _)| verdicts.contains(*verdict));
            let names: Vec<&str> = of.map(|(_, name)| name).collect();
            if names.is_empty() { "-".to_owned() } else { names.join("+") }
        });
        assert_eq!(spelled, expected, "{gold:?} {system:?} {same}");
    }

    #[test]
    fn every_kind_of_pair_counts_as_in_elevant() {
        use Meaning::{Known, Literal, Nil};
        let (known, nil) = (Some(true), Some(false));
        check(None, known, false, ["FP", "FP", "FP", "FP"]);
        check(None, nil, false, ["-", "FP", "-", "FP"]);
        for meaning in [Known, Nil, Literal] {
            check(Some((meaning, true)), None, false, ["-", "-", "-", "-"]);
        }
        check(Some((Known, false)), None, false, ["FN", "FN", "FN", "FN"]);
        check(Some((Nil, false)), None, false, ["-", "FN", "-", "FN"]);
        check(Some((Known, true)), known, true, ["-", "-", "-", "-"]);
        check(Some((Known, true)), known, false, ["FP", "FP", "-", "-"]);
        check(Some((Known, true)), nil, false, ["-", "FP", "-", "-"]);
        check(Some((Literal, true)), known, true, ["-", "-", "-", "-"]);
        check(Some((Literal, true)), known, false, ["FP", "FP", "-", "-"]);
        check(Some((Literal, true)), nil, false, ["-", "FP", "-", "-"]);
        check(Some((Nil, true)), known, false, ["FP", "FP", "FP", "-"]);
        check(Some((Nil, true)), nil, true, ["-", "-", "-", "-"]);
        check(Some((Known, false)), known, true, ["TP", "TP", "TP", "TP"]);
        check(Some((Known, false)), known, false, ["FN+FP", "FN+FP", "TP", "TP"]);
        check(Some((Known, false)), nil, false, ["FN", "FN+FP", "FN", "TP"]);
        check(Some((Nil, false)), known, false, ["FP", "FN+FP", "FP", "TP"]);
        check(Some((Nil, false)), nil, true, ["-", "TP", "-", "TP"]);
    }

    #[test]
    fn required_parts_make_an_optional_mention_one_that_can_be_missed() {
        let pair = |meaning| Pair {
            gold: Some((meaning, true)),
            system: None,
            same: false,
            required_parts: true,
        };
        assert_eq!(pair(Meaning::Known).linking(Unknowns::Ignored), Verdicts::MISSED);
        assert_eq!(pair(Meaning::Literal).linking(Unknowns::Ignored), Verdicts::empty());
        assert_eq!(pair(Meaning::Literal).linking(Unknowns::Required), Verdicts::MISSED);
    }
}
