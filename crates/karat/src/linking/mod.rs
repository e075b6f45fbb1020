//! Asking linkers: a benchmark and a linker in, what the linker says of every document out, scored on request.
//!
//! ```
//! use karat::inputs::InputRequest;
//! use karat::linking::LinkingRequest;
//! use karat::request::Request;
//! use karat::work::Work;
//!
//! let folder = tempfile::tempdir()?;
//! let gold = folder.path().join("gold.karat.jsonl");
//! std::fs::write(&gold, r#"{"document":"d1","text":"In Berlin","annotations":[{"span":[3,9],"link":"Q64"}]}"#)?;
//! let request = LinkingRequest {
//!     linker: "oracle".to_owned(),
//!     input: InputRequest::parse(&gold.display().to_string()),
//!     scored: true,
//!     measures: vec!["link".to_owned()],
//!     ..LinkingRequest::default()
//! };
//! let answer = request.answer(&Work::default())?;
//! assert_eq!(answer.documents.answered, 1);
//! let scores = answer.scores.ok_or("it was scored")?;
//! assert_eq!(scores.systems[0].measures[0].score("f1"), Some(Some(1.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod folder;
mod linkers;
mod request;

pub use answer::{LinkedDocuments, LinkedOutput, LinkingAnswer};
pub use karat_linkers::serving::{Annotator, ServedReply, ServedRequest};
pub use linkers::{LinkerListAnswer, LinkerListRequest, LinkerRecord, LinkerSetting, annotator};
pub use request::{FailuresAllowed, LinkingRequest, LinkingSettings};
