//! The corpus model of karat.
//!
//! A [`Corpus`] holds documents and their annotations, gold or system alike, in
//! a few contiguous arrays. It does no I/O and prints nothing; readers
//! fill it through a [`CorpusBuilder`], and all later steps read it
//! through [`Document`] and [`Mention`] views.
//!
//! ```
//! use karat_model::{CorpusBuilder, Link, Span};
//!
//! let mut builder = CorpusBuilder::new();
//! builder.begin_document("d1")?;
//! builder.set_text("Berlin is large.");
//! let berlin = Link::to(builder.intern("Q64"));
//! builder.annotate(Span::new(0, 6), berlin);
//! let corpus = builder.finish();
//!
//! let document = corpus.documents().next().expect("one document");
//! let mention = document.mentions().next().expect("one mention");
//! assert_eq!(mention.surface(), Some("Berlin"));
//! assert_eq!(mention.entity(), Some("Q64"));
//! # Ok::<(), karat_model::DuplicateDocument>(())
//! ```
//!
//! # How it is laid out
//!
//! A plain annotation (span, link, one confidence, types, flags) is 32 bytes.
//! What only some annotations have (candidates, tags, attributes, a place in a
//! tree of alternatives) lies in side arrays which a plain annotation does not
//! pay for. All strings are interned once per corpus.

mod annotation;
mod builder;
mod by_name;
mod category;
mod copy;
mod corpus;
mod digest;
mod edit;
mod equality;
mod features;
mod hint;
mod intern;
mod link;
mod notice;
mod part;
mod progress;
mod respace;
mod room;
mod span;
mod stable_hash;
mod statistics;
mod text;
mod view;
mod wording;

pub mod attribute;
pub mod literal;

pub use annotation::{Annotation, Candidate, Flags, Place, Role};
pub use builder::{AnnotationMut, CorpusBuilder, DuplicateDocument, Repeated};
pub use category::{Dimension, DimensionCategory, Vocabulary};
pub use copy::Rewriting;
pub use corpus::{Corpus, Mark, MarkKind};
pub use digest::{Digest, DigestError, DocumentDigests, fingerprint};
pub use edit::{Change, Edit};
pub use features::{Features, Loss, Restriction};
pub use hint::{Hint, HintPart, NamedSetting};
pub use intern::{Interner, Key, StrId};
pub use link::Link;
pub use notice::{Notice, NoticeKind, NoticePlace, Severity};
pub use part::{Assembly, Part};
pub use progress::{Cancel, Progress, Watch};
pub use span::{End, OffsetUnit, Span};
pub use stable_hash::hash_of;
pub use statistics::Statistics;
pub use text::{TextIndex, first_difference};
pub use view::{CandidateView, Document, Mention};
pub use wording::{closest, distance, in_words};
