//! The map of the CoNLL-2003 evaluation scripts: a title, then what redirects to it.

use crate::Options;
use crate::error::HarvestError;
use crate::lines::Lines;
use karat_formats::Source;
use karat_kb::{Builder, Redirects};

pub(crate) fn harvest(
    source: &Source,
    builder: &mut Builder,
    options: &Options,
) -> Result<u64, HarvestError> {
    let mut lines = Lines::open(source, options.progress())?;
    let mut records = 0;
    while let Some(line) = lines.next()? {
        let Some((target, titles)) = Redirects::titles(line.as_str()) else { continue };
        for title in titles {
            builder.redirect(title, target)?;
            records += 1;
        }
    }
    Ok(records)
}
