//! Results as people and programs want them.
//!
//! A [`Table`] holds values, not strings: rounding is the printer's job, and
//! JSON gets full precision. A [`Report`] is all that a result has to say, and an
//! [`OutputForm`] writes it down. [`plot`] has the pictures.
//!
//! ```
//! use karat_report::{Cell, Column, Table, TSV};
//!
//! let mut table = Table::new([Column::text("system"), Column::number("F1", 3)]);
//! table.row([Cell::from("schwa"), Cell::from(0.70612)]);
//! assert_eq!(table.render(TSV, None), "system\tF1\nschwa\t0.706\n");
//! ```

mod forms;
pub mod plot;
pub mod prose;
mod report;
mod rows;
mod table;

pub use forms::{
    Audience, CSV, FORMS, HTML, JSON, JSON_LINES, LATEX, MARKDOWN, OutputForm, RenderOptions,
    Rendered, TEXT, TSV, form, visible,
};
pub use report::{Deferred, Report, ReportSection, SectionBody};
pub use rows::{RowsRecord, as_rows};
pub use table::{Align, Cell, Column, Table};
