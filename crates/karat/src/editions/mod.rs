//! Two editions of a benchmark side by side: what was added, removed and changed, and what that changed in scores and
//! ranks.

mod answer;
mod difference;
mod request;

pub use answer::{ChangedField, EditionChange, EditionChangeKind, EditionRecord, EditionsAnswer};
pub use request::EditionsRequest;
