//! Tab-separated values.

use super::separated::separated;
use super::{Audience, OutputForm, RenderOptions};
use crate::table::Table;

#[derive(Debug)]
pub(super) struct Tsv;

impl OutputForm for Tsv {
    fn name(&self) -> &'static str {
        "tsv"
    }

    fn about(&self) -> &'static str {
        "Tab-separated"
    }

    fn extension(&self) -> &'static str {
        "tsv"
    }

    fn audience(&self) -> Audience {
        Audience::Rows
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        separated(table, b'\t')
    }
}
