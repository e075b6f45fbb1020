//! What a campaign says of its sources: verification rates, the union of what was verified, precision and recall after
//! verifying, what gold lacks.
//!
//! Everything is counted by document, so that intervals come from drawing documents again. A [`ResultPreset`] is a value: which
//! judgements decide, whose count, what is compared with what. No code asks for its name.

mod bias;
mod counting;
mod presets;
mod relations;
mod sets;
mod summary;
mod verified;

pub use bias::VerifyBias;
pub use presets::{
    Acceptance, DING_2022, DING_2022_CODE, Incomplete, IntervalKind, KARAT, RESULT_PRESETS,
    ResultPreset, RightWhen, UnionOf, VerifiedSet, result_preset,
};
pub use relations::{Relations, SpanRelation};
pub use sets::{VerifiedUnit, greedy_size, weak_hits};
pub use summary::{
    CampaignResults, Estimate, GroupResults, SourceResults, results, single_outcomes,
};
pub use verified::VerifiedGold;
