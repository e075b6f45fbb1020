//! One document of a benchmark with everything that is said of it, and the list of all documents.
//!
//! A reader wants to see a text with its gold and with what systems made of it. [`DocumentRequest`] gives the text,
//! its layers, and one [`TextCase`] for each gold mention and each stray prediction. What became of a mention is
//! decided where `karat errors` decides it; here it is only put together. Only the document that was asked for is
//! judged, however large the benchmark is.
//!
//! [`DocumentsRequest`] lists all documents with how many mentions became what.
//!
//! ```
//! use karat::documents::{DocumentChoice, DocumentRequest};
//! use karat::inputs::{InputRequest, Inputs, Shelf};
//! use karat::request::Request;
//! use karat::work::Work;
//! use std::sync::Arc;
//!
//! let mut shelf = Shelf::default();
//! shelf.add(karat::sample::experiment()?, Vec::new());
//! let request = DocumentRequest {
//!     inputs: Inputs {
//!         gold: vec![InputRequest::held("sample")],
//!         systems: vec![InputRequest::held("careful"), InputRequest::held("popular")],
//!         ..Inputs::default()
//!     },
//!     document: DocumentChoice::Number(1),
//!     ..DocumentRequest::default()
//! };
//! let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
//! let answer = request.answer(&work)?;
//! assert_eq!(answer.documents, 14);
//! assert_eq!(answer.cases[0].surface.as_deref(), Some("Geneva"));
//! assert_eq!((answer.cases[0].right, answer.cases[0].of), (2, 2));
//! # Ok::<(), karat::error::Error>(())
//! ```

mod answer;
mod assembly;
mod context;
mod list;
mod outcome;
mod request;

pub use crate::errors::NotCounted;
pub use answer::{
    CasePrediction, DocumentAnswer, GoldMention, NeighbourDocument, RankedCandidate, ReadingPart,
    RunAnswer, RunLayer, TextCase,
};
pub use list::{DocumentEntry, DocumentsAnswer, DocumentsOrder, DocumentsRequest};
pub use outcome::{CaseOutcome, OutcomeCounts};
pub use request::{DocumentChoice, DocumentRequest};
