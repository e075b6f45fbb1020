//! Cases to counts, and counts to scores.
//!
//! A measure folds one document into a short vector of counts and turns *summed*
//! vectors into scores. That vectors add is what makes threads, streams, bootstrap
//! and a cluster of machines the same operation.
//!
//! ```
//! use karat_kb::Identity;
//! use karat_match::Pairing;
//! use karat_measures::{Convention, Plan, Selection, evaluate};
//! use karat_model::{CorpusBuilder, Link, Span};
//!
//! let mut builder = CorpusBuilder::new();
//! builder.continue_document("d1");
//! let link = Link::to(builder.intern("Q64"));
//! builder.annotate(Span::new(0, 6), link);
//! let corpus = builder.finish();
//!
//! let convention = Convention::default();
//! let selection = Selection::parse(["link.f1"], &convention)?;
//! let plan = Plan::new(convention, selection);
//! let evaluation = evaluate(&Pairing::new(&corpus, &corpus, &Identity::new()), &plan);
//! assert_eq!(evaluation.results[0].micro.get("f1"), Some(Some(1.0)));
//! # Ok::<(), karat_measures::NameError>(())
//! ```

mod algebra;
mod asked;
mod best_first;
mod confidence;
mod evaluate;
mod evaluation_key;
mod fields;
mod harmonic;
mod hierarchy;
mod items;
mod judged;
mod measure;
mod measures;
mod membership;
mod name;
mod parameter;
mod preset;
mod queries;
mod ranks;
mod score;
mod select;
mod settings;
mod signature;
mod survey;
mod tag_weights;
mod threshold;
mod type_weights;
mod values;

pub mod clustering;
pub mod presets;

pub use best_first::{BestFirst, Curve, CurvePoint, RANKINGS};
pub use confidence::{Bin, Confidences};
pub use evaluate::{
    Accumulator, CountedDocuments, Evaluation, MacroScores, Plan, Result, Slice, evaluate,
    on_threads,
};
pub use evaluation_key::EvaluationKey;
pub use hierarchy::{Hierarchy, HierarchyError};
pub use karat_model::closest;
pub use measure::{
    Compute, CorpusMeasure, Definition, DocumentMeasure, Gathered, Numbers, Parameters, Points,
    Scored, Scores, count_at, usual_name,
};
pub use measures::disambiguation::{Disambiguated, disambiguated};
pub use measures::{MEASURES, QUERY};
pub use membership::{
    Decimals, DecimalsError, HitEarns, Membership, MembershipError, OverAlternatives, OverTags,
    TagWeight,
};
pub use name::{Average, Name, NameError};
pub use parameter::{MeasureContext, Parameter};
pub use preset::{Convention, Grouping, Preset, Sides, SpellingRule};
pub use presets::PRESETS;
pub use score::{Credit, Prf, Zero};
pub use select::{Measure, Selection, Wanted, definition, group, groups};
pub use settings::{SETTINGS, Setting, SettingError, Signed, setting, values_in_presets};
pub use signature::{Signature, SignatureError};
pub use threshold::{Classes, Grid, Keeps, Search, tune};
pub use type_weights::{TypeWeights, TypeWeightsError};
pub use values::ValueAbout;
