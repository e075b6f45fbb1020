//! The map of the CoNLL-2003 evaluation scripts: a title, then what redirects to it.

use crate::error::HarvestError;
use crate::lines::SourceLines;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Options, Taken};
use karat_formats::{Sample, Source};
use karat_kb::{Builder, Redirects};

/// The source.
#[derive(Debug)]
pub(crate) struct RedirectMap;

impl KbSource for RedirectMap {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "redirects",
            title: "a map of redirects",
            about: "a title, then what redirects to it, between tabs, as the CoNLL-2003 scripts have it; the file may also \
                    be called map-...-fromapi",
            file_name: Some("redirects"),
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let stem = sample.stem().to_lowercase().replace('-', "_");
        // The maps of AIDA's evaluation are called map-testb-fromapi.
        let is_map =
            stem.contains("redirect") || (stem.starts_with("map_") && stem.contains("fromapi"));
        if is_map { 10 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        let mut lines = SourceLines::open(source, options.progress())?;
        let mut records = 0;
        while let Some(line) = lines.next()? {
            let Some((target, titles)) = Redirects::titles(line.as_str()) else { continue };
            for title in titles {
                builder.redirect(title, target)?;
                records += 1;
            }
        }
        Ok(Taken::of(records))
    }
}
