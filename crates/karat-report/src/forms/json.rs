//! The whole answer as JSON.

use super::{Audience, OutputForm, RenderOptions, Rendered};
use crate::report::Report;
use crate::table::Table;
use serde_json::{Map, Value};

#[derive(Debug)]
pub(super) struct Json;

impl OutputForm for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "JSON"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn audience(&self) -> Audience {
        Audience::Record
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        printed(&table.json())
    }

    fn render(&self, report: &Report<'_>, _options: &RenderOptions) -> Rendered {
        // The record is the answer itself, with its notices and signatures, so nothing has to be
        // said beside it.
        if let Some(record) = &report.record {
            return Rendered::complete(printed(&record.get()));
        }
        let tables = report.tables();
        let value = match tables.as_slice() {
            [(_, table)] => table.json(),
            several => {
                let keyed =
                    several.iter().map(|(title, table)| ((*title).to_owned(), table.json()));
                Value::Object(keyed.collect::<Map<_, _>>())
            }
        };
        Rendered::beside(printed(&value), report)
    }
}

fn printed(value: &Value) -> String {
    format!("{value:#}\n")
}
