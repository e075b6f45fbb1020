//! Results as people and programs want them.
//!
//! A [`Table`] holds values, not strings: rounding is the printer's job, and
//! JSON gets full precision. [`plot`] has the pictures.
//!
//! ```
//! use karat_report::{Cell, Column, Form, Table};
//!
//! let mut table = Table::new([Column::text("system"), Column::number("F1", 3)]);
//! table.row([Cell::from("schwa"), Cell::from(0.70612)]);
//! assert_eq!(table.render(Form::Tsv, None), "system\tF1\nschwa\t0.706\n");
//! ```

mod forms;
pub mod plot;
mod table;

pub use forms::{Form, visible};
pub use table::{Align, Cell, Column, Table};
