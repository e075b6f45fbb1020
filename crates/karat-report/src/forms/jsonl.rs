//! JSON Lines.

use super::{Audience, OutputForm, RenderOptions, Rendered};
use crate::report::Report;
use crate::table::Table;

#[derive(Debug)]
pub(super) struct JsonLines;

impl OutputForm for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn about(&self) -> &'static str {
        "One JSON object on each line"
    }

    fn extension(&self) -> &'static str {
        "jsonl"
    }

    fn audience(&self) -> Audience {
        Audience::Rows
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        let objects = (0..table.len()).map(|at| serde_json::Value::Object(table.object(at)));
        objects.map(|object| format!("{object}\n")).collect()
    }

    fn render(&self, report: &Report<'_>, options: &RenderOptions) -> Rendered {
        if let Some(records) = &report.records {
            let lines = records.get().iter().map(|record| format!("{record}\n")).collect();
            return Rendered::complete(lines);
        }
        // An empty line is no object.
        let tables = report.tables();
        let lines = tables.iter().map(|(_, table)| self.table(table, options)).collect();
        Rendered::beside(lines, report)
    }
}
