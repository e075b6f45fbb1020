//! A dump of the table `redirect`: where pages that are redirects lead.

use crate::error::HarvestError;
use crate::source::{KbSource, KbSourceInfo};
use crate::sql::{SqlTable, needs_pages};
use crate::{Harvested, Options, Taken};
use karat_formats::{Sample, Source};
use karat_kb::Builder;

/// The source.
#[derive(Debug)]
pub(crate) struct WikipediaRedirects;

static TABLE: SqlTable = SqlTable {
    name: "redirect",
    columns: &[("rd_from", 0), ("rd_namespace", 1), ("rd_title", 2), ("rd_interwiki", 3)],
};

impl KbSource for WikipediaRedirects {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "wikipedia-redirects",
            title: "a dump of redirects",
            about: "of Wikipedia's table `redirect` in SQL: where pages lead; `page` is needed too",
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
            // A redirect to another wiki leads nowhere here.
            match (row.number(0), row.number(1), row.text(2), row.text(3)) {
                (Some(page), Some(0), Some(target), None) => {
                    builder.page_redirect(page, &target)?;
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
