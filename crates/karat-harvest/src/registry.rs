//! All sources: finding the right one, and reading with it.

use crate::error::HarvestError;
use crate::field::{Columns, headings};
use crate::source::KbSource;
use crate::sources::SOURCES;
use crate::{Harvested, Options, Taken};
use karat_formats::{Input, Kind, Problem, Sample, Source};
use karat_kb::Builder;
use std::io::Read;

/// The sources that a program knows.
#[derive(Debug, Clone)]
pub struct KbSources {
    sources: Vec<&'static dyn KbSource>,
}

/// How much of a file is looked at.
const HEAD: u64 = 64 << 10;

impl Default for KbSources {
    /// The sources of this crate.
    fn default() -> KbSources {
        KbSources { sources: SOURCES.to_vec() }
    }
}

impl KbSources {
    /// These sources and more.
    #[must_use]
    pub fn with(mut self, sources: &[&'static dyn KbSource]) -> KbSources {
        self.sources.extend(sources);
        self
    }

    /// All sources, in the order of the registry.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn KbSource> {
        self.sources.iter().copied()
    }

    /// What a file is: by its first lines, and by its name where these could be several things.
    pub fn recognise(&self, source: &Source) -> Result<&'static dyn KbSource, Problem> {
        let head = head(source)?;
        let text = String::from_utf8_lossy(&head);
        let text = text.trim_start_matches('\u{feff}');
        let complete = (head.len() as u64) < HEAD;
        let sample = Sample { name: source.file_name(), bytes: &head, text, complete };
        let mut best: Option<(u8, &'static dyn KbSource)> = None;
        for candidate in self.iter() {
            let sure = candidate.detect(&sample);
            // Strictly surer: of equals the one that the registry lists first wins.
            if sure > best.map_or(0, |(most, _)| most) {
                best = Some((sure, candidate));
            }
        }
        best.map(|(_, found)| found).ok_or_else(|| self.unknown(source, &sample))
    }

    /// Reads inputs into a builder, in the order given.
    pub fn harvest(
        &self,
        inputs: &[Input],
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Vec<Harvested>, HarvestError> {
        builder.dumps_are_in(&options.language);
        let mut harvested = Vec::new();
        for input in inputs {
            for source in input.sources() {
                // A folder may hold more than is needed; a file that was named must be understood.
                let is_one_of_many = input.sources().len() > 1;
                let kind = match self.recognise(source) {
                    Ok(kind) => Some(kind),
                    Err(problem) if problem.kind == Kind::Format && is_one_of_many => None,
                    Err(problem) => return Err(undamaged(source, problem.into())),
                };
                let taken = match kind {
                    Some(kind) => kind
                        .read(source, builder, options)
                        .map_err(|error| undamaged(source, error))?,
                    None => Taken::default(),
                };
                if kind.is_some() {
                    builder.source(source.file_name());
                }
                harvested.push(Harvested { source: source.name().to_owned(), kind, taken });
            }
        }
        // After all files, because some sources say more together than each alone.
        for kind in self.iter().filter(|kind| has(&harvested, kind.info().name)) {
            kind.conclude(&harvested, builder)?;
        }
        Ok(harvested)
    }

    /// Why a file is of no source.
    fn unknown(&self, source: &Source, sample: &Sample<'_>) -> Problem {
        let problem = |message: &str| Problem::new(Kind::Format, source.name(), message);
        if sample.bytes.is_empty() {
            return problem("the file is empty").hint("give a table, a map of redirects or a dump");
        }
        if sample.bytes.starts_with(b"KARAT KB") {
            return problem("this is a knowledge base already").hint(
                "it is asked with `karat kb get` and others; build anew from what it was built from",
            );
        }
        let columns = |delimiter: u8| Columns::of_header(sample.text, delimiter);
        if columns(b';').say_something() {
            return problem("the columns are separated by semicolons")
                .hint("write them with commas or tabs");
        }
        let lack = [b'\t', b','].into_iter().find_map(|delimiter| columns(delimiter).lack());
        let lack = lack.map(|lack| format!(": {lack}")).unwrap_or_default();
        let names: Vec<&str> = self.iter().filter_map(|kind| kind.info().file_name).collect();
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        let message = "this is nothing that a knowledge base can be built from";
        problem(&format!("{message}{lack}")).hint(format!(
            "give the columns headings ({}), or call a table without headings {} or {last}",
            headings().join(", "),
            others.join(", ")
        ))
    }
}

/// Whether any file was of the source with this name.
pub(crate) fn has(harvested: &[Harvested], name: &str) -> bool {
    harvested.iter().any(|one| one.is_of(name))
}

/// An error of a file, or the damage that is behind it.
fn undamaged(source: &Source, error: HarvestError) -> HarvestError {
    match error {
        HarvestError::Input(problem) => source.behind(*problem).into(),
        HarvestError::Base(_) => error,
    }
}

fn head(source: &Source) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    let read = source.open(None)?.take(HEAD).read_to_end(&mut head);
    match read {
        Err(error) if head.is_empty() => Err(source.unreadable(&error)),
        _ => Ok(head),
    }
}
