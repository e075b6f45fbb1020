//! Gold patches: corrections of a gold standard as files that can be made, checked, applied, merged and undone.
//!
//! What a patch is and what its laws are stands in [`karat_verify::patch`]; here are the requests about files.
//!
//! ```
//! use karat::gold::{GoldApplyRequest, GoldDiffRequest};
//! use karat::inputs::InputRequest;
//! use karat::request::Request;
//! use karat::work::Work;
//!
//! let folder = tempfile::tempdir()?;
//! let path = |name: &str| folder.path().join(name).display().to_string();
//! std::fs::write(path("old.tsv"), "d1\t0\t5\tQ90\n")?;
//! std::fs::write(path("new.tsv"), "d1\t0\t5\tQ142\n")?;
//! let input = |name: &str| InputRequest::parse(&path(name));
//! let (old, new) = (input("old.tsv"), input("new.tsv"));
//! let diff = GoldDiffRequest { old, new, output: path("fix.goldpatch.jsonl"), ..Default::default() };
//! assert_eq!(diff.answer(&Work::default())?.changes[0].change, "Q90 -> Q142");
//! let apply = GoldApplyRequest {
//!     gold: input("old.tsv"),
//!     patches: vec![path("fix.goldpatch.jsonl")],
//!     output: path("out.tsv"),
//!     ..Default::default()
//! };
//! apply.answer(&Work::default())?;
//! assert_eq!(std::fs::read_to_string(path("out.tsv"))?, std::fs::read_to_string(path("new.tsv"))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod apply;
mod corrections;
mod diff;
mod file;
mod look;
mod review;
mod selection;
mod together;

pub use karat_verify::patch::{DecidedPlace, ReviewDecision, ReviewVerdict};

pub use answer::{ChangeRecord, PatchAnswer, PatchRecord, PatchView};
pub use apply::GoldApplyRequest;
pub use corrections::{Corrections, GoldCorrectionsRequest};
pub use diff::GoldDiffRequest;
pub use file::PatchFile;
pub(crate) use file::{trouble_notices, write as write_patch};
pub use look::{GoldCheckRequest, GoldLogRequest};
pub use review::GoldReviewRequest;
pub use selection::PatchSelection;
pub use together::{GoldMergeRequest, GoldRebaseRequest, GoldRevertRequest};
