//! The ways of the paper, of its code, and our own.

use crate::outcome::OutcomeRule;
use serde::{Deserialize, Serialize};

/// How results are made of judgements.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ResultPreset {
    /// Its name in requests and reports.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What decides about an item.
    pub outcome: OutcomeRule,
    /// Whose judgements count.
    pub accepted: Acceptance,
    /// What becomes of a text that is not judged whole for a source.
    pub incomplete: Incomplete,
    /// What a source has verified.
    pub verified: VerifiedSet,
    /// What the union is made of.
    pub union: UnionOf,
    /// When a proposal is right.
    pub hits: RightWhen,
    /// How intervals are drawn.
    pub interval: IntervalKind,
}

/// Whose judgements count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acceptance {
    /// Everybody's: who is not to be trusted gets little weight from the model.
    Everybody,
    /// Those of people who got so many of three controls right. Without controls, everybody's.
    OfThreeControls(u8),
}

/// What becomes of a text that is not judged whole for a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Incomplete {
    /// It is dropped for that source.
    Dropped,
    /// It stays; items without an outcome are open.
    Open,
}

/// What a source has verified: its `V(m)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerifiedSet {
    /// Its proposals that were verified.
    Verified,
    /// All that is left of its proposals after judging, with the links of people.
    LeftAfterJudging,
    /// The units of the verified gold that it has right.
    UnitsOfGold,
}

/// What the union `V` is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnionOf {
    /// What sources verified, on all texts; its size is the number of different ones.
    AllTexts,
    /// On texts that were judged for all sources; its size is the number without overlaps.
    TextsOfAll,
    /// The verified gold: spans with their readings.
    VerifiedGold,
}

/// When a proposal counts as right, for precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RightWhen {
    /// It was verified: precision is the verification rate.
    Outcome,
    /// Anything in the union has its entity and overlaps it.
    Weak,
    /// Its span and link are a reading of the verified gold.
    Reading,
}

/// How intervals are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalKind {
    /// 95 percent, documents drawn again.
    Documents,
    /// Values 50 and 950 of 1000 draws of single outcomes: 90 percent, though called 95.
    SingleOutcomes,
}

/// As the paper describes it.
pub const DING_2022: ResultPreset = ResultPreset {
    name: "ding-2022",
    about: "Ding, Botzer and Weninger (2022), as the paper describes it",
    outcome: OutcomeRule::First,
    accepted: Acceptance::OfThreeControls(3),
    incomplete: Incomplete::Dropped,
    verified: VerifiedSet::Verified,
    union: UnionOf::AllTexts,
    hits: RightWhen::Outcome,
    interval: IntervalKind::Documents,
};

/// As the code of the paper computes it.
pub const DING_2022_CODE: ResultPreset = ResultPreset {
    name: "ding-2022-code",
    about: "the same, as its code computes it",
    verified: VerifiedSet::LeftAfterJudging,
    union: UnionOf::TextsOfAll,
    hits: RightWhen::Weak,
    interval: IntervalKind::SingleOutcomes,
    ..DING_2022
};

/// karat's own.
pub const KARAT: ResultPreset = ResultPreset {
    name: "karat",
    about: "consensus of all judgements, verified gold with alternatives, documents drawn again",
    outcome: OutcomeRule::Consensus,
    accepted: Acceptance::Everybody,
    incomplete: Incomplete::Open,
    verified: VerifiedSet::UnitsOfGold,
    union: UnionOf::VerifiedGold,
    hits: RightWhen::Reading,
    interval: IntervalKind::Documents,
};

/// All presets; the first is the default.
pub static RESULT_PRESETS: &[&ResultPreset] = &[&KARAT, &DING_2022, &DING_2022_CODE];

/// The preset of a name.
pub fn result_preset(name: &str) -> Option<&'static ResultPreset> {
    RESULT_PRESETS.iter().copied().find(|preset| preset.name == name)
}
