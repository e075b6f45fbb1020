//! Who met whom: gold and system of one document become cases.
//!
//! A [`Pairing`] lines the documents of two corpora up and gives their ids common
//! numbers; a [`Scene`] is one document of it, both sides as sorted items; a
//! [`Matcher`] says which items met. How strict it is, is said by [`Settings`]
//! (what may meet at all, and who gets whom) and [`Criteria`] (which items are
//! looked at, and what must agree).
//!
//! ```
//! use karat_kb::Identity;
//! use karat_match::{Criteria, Matcher, Pairing, Scene, Settings};
//! use karat_model::{CorpusBuilder, Link, Span};
//!
//! let corpus = |entity: &str| {
//!     let mut builder = CorpusBuilder::new();
//!     builder.continue_document("d1");
//!     let link = Link::to(builder.intern(entity));
//!     builder.annotate(Span::new(0, 6), link);
//!     builder.finish()
//! };
//! let (gold, system) = (corpus("Q64"), corpus("Q90"));
//! let pairing = Pairing::new(&gold, &system, &Identity::new());
//! let settings = Settings::default();
//! let mut scene = Scene::default();
//! pairing.stage(0, &settings, &mut scene);
//! assert_eq!(Matcher::new(&settings, Criteria::MENTION).counts(&scene).hits, 1);
//! assert_eq!(Matcher::new(&settings, Criteria::LINK).counts(&scene).hits, 0);
//! ```

mod alternatives;
mod by_span;
mod candidates;
mod cases;
mod criteria;
mod extras;
mod forgiving;
mod judge;
mod keys;
mod letters;
mod nearby;
mod one_to_one;
mod order;
mod pairing;
mod readings;
mod scene;
mod settings;
mod span_index;
#[cfg(test)]
mod testing;
mod types;
mod vocabulary;

pub mod assignment;

pub use alternatives::{Likeness, select_alternatives};
pub use by_span::{SpanAnnotation, SpanMention, SpanMentions};
pub use cases::{Alike, Case, MatchCounts, Matcher, Outcome};
pub use criteria::{Agreement, Criteria, Given, Keep};
pub use judge::{CaseStanding, Judgement, Meaning, Unknowns, Verdicts, judge};
pub use karat_model::Link;
pub use letters::{is_alphanumeric, is_letter};
pub use nearby::{FEW_NEARBY, Nearby};
pub use pairing::{DocumentPlace, Pairing};
pub use scene::{Item, Scene, Side};
pub use settings::{Assignment, Judging, Overlaps, Settings, Spans, WindowOf};
pub use span_index::{
    AnySpan, Overlapping, SameSpan, SpanEntry, SpanIndex, SpanLimits, WantedSpans,
};
pub use types::Types;
