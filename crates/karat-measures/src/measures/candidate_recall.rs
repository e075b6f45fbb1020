//! Gold entities among the candidates.
//!
//! What it is: how often the right entity is among the ranked answers of the system at all, or among
//! its first k. What candidate generation misses no ranking can find.
//! Formula: recall = gold entities at rank k or above / linked gold mentions whose span was predicted;
//! with `over=all`, / all linked gold mentions. Without `k`, any rank.
//! Example: gold [0,5) Q64, predicted [0,5) with Q1, Q64, Q90: 1; `candidate-recall(k=1)` is 0.
//! Source: the candidate experiment of Cornolti et al. (2013), over commonly spotted mentions; recall@k
//! of BLINK (Wu et al. 2020).
//! Pitfalls: a prediction without candidates has its link as the only one. Lists of different length are
//! not comparable without `k`. `recall@5` is short for `candidate-recall(k=5)`.

use crate::measure::Definition;
use crate::parameter::{Otherwise, ParameterOf};
use crate::ranks::{Credit, OVER, mean_credit};
use crate::values::{Values, WrittenValue, named};

/// See the head of this file.
pub(super) static CANDIDATE_RECALL: Definition = Definition {
    name: "candidate-recall",
    aliases: &["recall@k", "recall-at-k"],
    groups: &["ranks"],
    file: include_str!("candidate_recall.rs"),
    parameters: &[&CUT_OFF, &OVER],
    compute: |context| mean_credit("recall", context, Credit::Within(context.value(&CUT_OFF))),
};

static CUT_OFF: ParameterOf<usize> = ParameterOf {
    name: "k",
    about: "How many candidates of a mention are looked at, from the first; `recall@5` is short for `k=5`.",
    values: &Values {
        named: &[named("all", usize::MAX, "All candidates.")],
        written: Some(WrittenValue {
            about: "a whole number from 1",
            example: "5",
            read: |text| text.parse().ok().filter(|number| *number > 0),
            write: |number| Some(number.to_string()),
        }),
    },
    otherwise: Otherwise::Is(usize::MAX),
};
