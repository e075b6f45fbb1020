//! Category tags that follow from what is there: from the spans of a document, the words of a
//! mention, and the names and types of its entity.
//!
//! ```
//! use karat_model::{CorpusBuilder, Link, Span};
//! use karat_tagger::{Aspect, Tagger};
//!
//! let mut builder = CorpusBuilder::new();
//! builder.begin_document("d1")?;
//! builder.set_text("In Paris, Hilton said she is tired.");
//! let hilton = Link::to(builder.intern("https://en.wikipedia.org/wiki/Paris_Hilton"));
//! builder.annotate(Span::new(10, 16), hilton);
//! builder.annotate(Span::new(22, 25), hilton);
//!
//! let tagged = Tagger::new().tag(&builder.finish(), &Aspect::ALL);
//! let document = tagged.corpus.documents().next().expect("one document");
//! let tags: Vec<Vec<&str>> = document.mentions().map(|m| m.tags().collect()).collect();
//! assert_eq!(tags[0], ["el:Mnt-Short", "el:Olp-None"]);
//! assert_eq!(tags[1], ["el:Mnt-ProForm", "el:PoS-NounSingular", "el:Olp-None", "el:Ref-Anaphoric"]);
//! # Ok::<(), karat_model::DuplicateDocument>(())
//! ```

mod accuracy;
mod base_form;
mod context;
mod derived;
mod entity_type;
mod names;
mod overlap;
mod tagger;
#[cfg(test)]
mod tests;
mod words;

pub use accuracy::{Accuracy, AspectAgreement, TagLabel};
pub use entity_type::EntityType;
pub use overlap::MentionOverlaps;
pub use tagger::{Aspect, Tagged, Tagger, Tally};
