//! Boards: systems beside each other on several benchmarks.
//!
//! A board is made in two steps. [`BoardAnswer::of`] puts evaluations and comparisons side by side: every system gets a
//! cell on every benchmark, with its score, its interval, the range of its rank and the letters of its groups. Ranks
//! and letters belong to the whole board. A [`BoardView`] then chooses systems, benchmarks and columns and puts
//! rows in order; it moves no system between groups, because nothing is tested again.
//!
//! ```
//! use karat::board::{BoardRequest, BoardView, NameFilter};
//! use karat::inputs::{InputRequest, Inputs, Shelf};
//! use karat::request::Request;
//! use karat::work::Work;
//! use std::sync::Arc;
//!
//! let mut shelf = Shelf::default();
//! shelf.add(karat::sample::experiment()?, Vec::new());
//! let held = |names: &[&str]| names.iter().map(|name| InputRequest::held(name)).collect();
//! let request = BoardRequest {
//!     benchmarks: vec![Inputs {
//!         gold: held(&["sample"]),
//!         systems: held(&["spotter", "careful", "popular"]),
//!         ..Inputs::default()
//!     }],
//!     view: BoardView { systems: NameFilter::parse("~^(careful|popular)$")?, ..BoardView::default() },
//!     ..BoardRequest::default()
//! };
//! let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
//! let board = request.answer(&work)?;
//! let systems: Vec<&str> = board.rows.iter().map(|row| row.system.as_str()).collect();
//! assert_eq!(systems, ["careful", "popular"]);
//! # Ok::<(), karat::error::Error>(())
//! ```

mod answer;
mod correlation;
mod filter;
mod plots;
mod request;
mod sentence;
mod tables;
mod view;

pub use answer::{BoardAnswer, BoardCell, BoardColumn, BoardPart, BoardRow, CellState};
pub use correlation::{FEWEST_BENCHMARKS, correlations};
pub use filter::NameFilter;
pub use plots::{DatedRun, forest, heat_map, over_time, radar};
pub use request::{BY_ERROR, BoardRequest, NotCompared};
pub use tables::visible as visible_table;
pub use view::{BoardField, BoardGrouping, BoardKey, BoardOrder, BoardShape, BoardView};
