//! Checks of a corpus beyond what its format demands.
//!
//! A reader already refuses offsets outside the text and surface forms that
//! differ. These checks look for what is well-formed and still wrong: a mention
//! that starts inside a word, an overlap tag that contradicts the spans, a
//! document that the gold standard does not know. Each check is one file in
//! `checks/` and one line in [`CHECKS`]; many propose a fix.
//!
//! ```
//! use karat_checks::{CHECKS, CheckReport};
//! use karat_model::{CorpusBuilder, Link, Span};
//!
//! let mut builder = CorpusBuilder::new();
//! builder.begin_document("d1")?;
//! builder.set_text("Berlin is large.");
//! builder.annotate(Span::new(0, 7), Link::NIL);
//! let corpus = builder.finish();
//!
//! let report = CheckReport::of(&corpus, None, CHECKS);
//! assert_eq!(report.findings()[0].check, "white-space");
//! let mended = report.fixed(&corpus);
//! assert_eq!(mended.annotations()[0].span, Span::new(0, 6));
//! # Ok::<(), karat_model::DuplicateDocument>(())
//! ```

mod category;
mod check;
mod checks;
mod fixing;
mod mending;
mod rule;
#[cfg(test)]
mod tests;

pub use check::{Check, CheckFinding, CheckInfo, CheckReport, Severity, Subject};
pub use checks::{CHECKS, follow_spans, rootless};
pub use mending::{Mended, mend};
pub use rule::{BadRule, Rule};
