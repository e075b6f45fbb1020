//! Identity of entities: when two spellings name the same thing.
//!
//! An [`Identity`] is what stands between the ids of files and the comparison of
//! gold and system. Without one, ids are compared as they are spelled.
//!
//! ```
//! use karat_kb::{Identity, Redirects};
//!
//! let redirects = Redirects::parse("Bob Dylan\tRobert Zimmerman\tDylan\n");
//! let identity = Identity::new().with_wikipedia_titles().with_redirects(redirects);
//! let url = "http://en.wikipedia.org/wiki/Robert_Zimmerman";
//! assert_eq!(identity.canonical(url), "Bob_Dylan");
//! ```

mod article;
mod base;
mod build;
mod candidates;
mod canonical;
mod composition;
mod encoding;
mod entity;
mod error;
mod escapes;
mod hierarchy;
mod identity;
mod image;
mod known;
mod redirects;
mod spelling;
mod vocabulary;

pub use article::{spelled_like, title_of};
pub use base::{KnowledgeBase, Sizes, Words};
pub use build::{Builder, Built, Conflict, Disagreement, FactCoverage, Step};
pub use candidates::{
    CandidateEntity, CandidateIter, CandidateWeight, Candidates, Evidence, Popular,
};
pub use canonical::Explained;
pub use encoding::Strings;
pub use entity::{Entity, EntityKind, FICTIONAL_LOCATION, Facts, GEOGRAPHIC_ENTITY};
pub use error::KbError;
pub use escapes::without_unicode_escapes;
pub use identity::{Identity, Knowledge, Naming, Titles};
pub use known::Known;
pub use redirects::Redirects;
