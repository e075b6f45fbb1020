//! Test collections: how far the scores of a system depend on which queries, and how many, there
//! happen to be. After Mertens et al., FIRE 2014.
//!
//! ```
//! use karat_stats::collection::{Cells, CollectionChange, Model};
//!
//! // 100 of the 2853 queries of the paper's first set are taken out at random.
//! let cells = Cells::from_totals([1289, 1058, 1019, 1564, 1477])?;
//! let model = Model::new(cells, CollectionChange::Remove(100))?;
//! let f1 = model.exact().expect("few cases").f1;
//! assert_eq!(format!("{:.4} {:.4}", f1.mean, f1.deviation), "0.8755 0.0012");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod cells;
mod chances;
mod distribution;
mod evolution;
mod exact;
mod extremes;
mod frame;
mod lowest;
mod model;
mod published;

pub use budget::{deviation_after_removal, largest_removal};
pub use cells::{Cells, CellsError, QueryScores, query_scores};
pub use chances::Chances;
pub use distribution::{Distribution, kolmogorov_smirnov};
pub use evolution::{
    Answers, CollectionResampling, GrownStanding, Growth, Sampled, Size, Unit, sizes,
};
pub use frame::{Frame, Query, Scheme, weighted_scores};
pub use lowest::{DrawnSample, Lowest, uniform_key, weighted_chance, weighted_key};
pub use model::{ChangeError, CollectionChange, Each, Mix, Model, Range, observed};
pub use published::Published;
