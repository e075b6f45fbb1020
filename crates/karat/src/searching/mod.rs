//! Finds mentions, entities, documents and systems by what they are called.
//!
//! There is no index: all names that are held in memory are compared with what is looked for, which takes less time than
//! a page takes to be sent. Only documents whose mentions are listed are judged.
//!
//! ```
//! use karat::inputs::{InputRequest, Inputs, Shelf};
//! use karat::request::Request;
//! use karat::searching::SearchRequest;
//! use karat::work::Work;
//! use std::sync::Arc;
//!
//! let mut shelf = Shelf::default();
//! shelf.add(karat::sample::experiment()?, Vec::new());
//! let request = SearchRequest {
//!     benchmarks: vec![Inputs {
//!         gold: vec![InputRequest::held("sample")],
//!         systems: vec![InputRequest::held("careful")],
//!         ..Inputs::default()
//!     }],
//!     query: "Geneva".to_owned(),
//!     ..SearchRequest::default()
//! };
//! let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
//! let answer = request.answer(&work)?;
//! assert_eq!(answer.mentions.items[0].in_text.mention.as_deref(), Some("Geneva"));
//! assert_eq!(answer.entities.items[0].entity, "Q71");
//! # Ok::<(), karat::error::Error>(())
//! ```

mod answer;
mod matching;
mod request;

pub use answer::{
    FoundDocument, FoundEntity, FoundOutcome, FoundSystem, MentionHit, SearchAnswer, SearchHits,
};
pub use request::{SearchKind, SearchRequest};
