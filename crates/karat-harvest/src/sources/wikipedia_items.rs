//! A dump of the table `page_props`: facts about pages, of which the items of Wikidata are taken.

use crate::error::HarvestError;
use crate::source::{KbSource, KbSourceInfo};
use crate::sql::{SqlTable, needs_pages};
use crate::{Harvested, Options, Taken};
use karat_formats::{Sample, Source};
use karat_kb::Builder;

/// The source.
#[derive(Debug)]
pub(crate) struct WikipediaItems;

static TABLE: SqlTable = SqlTable {
    name: "page_props",
    columns: &[("pp_page", 0), ("pp_propname", 1), ("pp_value", 2)],
};

impl KbSource for WikipediaItems {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "wikipedia-items",
            title: "a dump of facts about pages",
            about: "of Wikipedia's table `page_props` in SQL: the items of articles; `page` is needed too",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        TABLE.detect(sample)
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        TABLE.read(source, options, |row| {
            match (row.number(0), row.text(1).as_deref(), row.text(2)) {
                (Some(page), Some("wikibase_item"), Some(item)) => {
                    builder.page_item(page, &item)?;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })
    }

    fn conclude(
        &self,
        harvested: &[Harvested],
        _builder: &mut Builder,
    ) -> Result<(), HarvestError> {
        needs_pages(self.info().name, harvested)
    }
}
