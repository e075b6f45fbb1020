//! Comma-separated values.

use super::separated::separated;
use super::{Audience, OutputForm, RenderOptions};
use crate::table::Table;

#[derive(Debug)]
pub(super) struct Csv;

impl OutputForm for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "Comma-separated"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn audience(&self) -> Audience {
        Audience::Rows
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        separated(table, b',')
    }
}
