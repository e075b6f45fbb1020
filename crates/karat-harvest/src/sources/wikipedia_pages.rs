//! A dump of the table `page`: numbers and titles.

use crate::error::HarvestError;
use crate::source::{KbSource, KbSourceInfo};
use crate::sql::{PAGES, SqlTable};
use crate::{Options, Taken};
use karat_formats::{Sample, Source};
use karat_kb::Builder;

/// The source.
#[derive(Debug)]
pub(crate) struct WikipediaPages;

static TABLE: SqlTable =
    SqlTable { name: "page", columns: &[("page_id", 0), ("page_namespace", 1), ("page_title", 2)] };

impl KbSource for WikipediaPages {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: PAGES,
            title: "a dump of pages",
            about: "of Wikipedia's table `page` in SQL: numbers and titles of articles, which redirects and items need",
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
            match (row.number(0), row.number(1), row.text(2)) {
                // Namespace 0 is that of articles.
                (Some(page), Some(0), Some(title)) => builder.page(page, &title)?,
                _ => return Ok(false),
            }
            Ok(true)
        })
    }
}
