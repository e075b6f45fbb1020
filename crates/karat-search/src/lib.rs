//! Full-text search over the names of a knowledge base.
//!
//! The index lies in a folder beside the base, `wikidata.kb.search` beside `wikidata.kb`: the
//! base itself stays one file that needs nothing of this crate, and an index can be thrown
//! away and made again. It holds one entry for each text that may mean an entity; what the
//! text means, and how likely, is looked up in the base. An index of another base, or of another layout, is refused.

mod best;
mod damage;
mod entries;
mod index;
mod query;
mod rank;
mod read_only;

pub use damage::is_guarded;
pub use index::{SearchError, SearchIndex, folder_of, is_index};
pub use query::Hit;
