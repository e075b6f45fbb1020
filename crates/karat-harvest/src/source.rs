//! What a source of a knowledge base is.

use crate::error::HarvestError;
use crate::{Harvested, Options, Taken};
use karat_formats::{Sample, Source};
use karat_kb::Builder;

/// A kind of file that knowledge bases are built from: a CSV table, a dump of Wikidata.
///
/// # The idea
///
/// A knowledge base is built in one pass. Each file is given to one source, which reads it from front
/// to back and tells a [`Builder`] what it says: this id is called so, these two ids are one
/// entity, this title redirects to that one, this text means that entity so often. The builder
/// sorts, joins and settles what files disagree about, so a source knows nothing of other files, and
/// nothing of how a base is stored.
///
/// # How a file finds its source
///
/// [`detect`](KbSource::detect) is asked about the beginning of the file, decompressed, and the
/// source that is surest reads it; of equals the one that the registry lists first. Content says
/// more than a name: a source that goes by the name of a file answers at most 20, so that a table
/// with headings may be called anything. A file that no source claims is refused with the list of what
/// could have been meant, or left out where it came with a folder.
///
/// # What a source tells the builder
///
/// Facts in any order and as often as the file has them. Beside facts it says what the file has
/// *all* of ([`Builder::covers`]): a dictionary knows that an absent text means nothing, a table of
/// facts about some texts does not, and everything that is asked of a base later depends on
/// this difference. A source that is not sure covers nothing.
///
/// # What must hold
///
/// - Memory does not grow with the file: read lines ([`SourceLines`](crate::SourceLines)) or
///   records ([`karat_formats::table::for_each_record`]), never the whole of it.
/// - Nothing is skipped without a word. A record that cannot be understood ends the reading with a
///   [`Problem`](karat_formats::Problem) that has its place and a hint; columns that are not used
///   are named in [`Taken`].
/// - The same file gives the same base, whatever else is read and on whatever machine.
/// - No bytes make it panic: `fuzz/` and `tests/it/hostile.rs` try every source of the registry.
///
/// # Example
///
/// A source is one file in `sources/` and one line in [`SOURCES`](crate::SOURCES). A program may
/// have sources of its own beside these:
///
/// ```
/// use karat_formats::{Sample, Source};
/// use karat_harvest::{HarvestError, KbSource, KbSourceInfo, KbSources, Options, SourceLines, Taken};
/// use karat_kb::{Builder, FactCoverage};
///
/// /// `Q64 = Berlin`, a line for each name.
/// #[derive(Debug)]
/// struct NameList;
///
/// impl KbSource for NameList {
///     fn info(&self) -> &KbSourceInfo {
///         &KbSourceInfo {
///             name: "name-list",
///             title: "a list of names",
///             about: "an id, `=` and a name on each line, below the line `# names`",
///             file_name: None,
///         }
///     }
///
///     fn detect(&self, sample: &Sample<'_>) -> u8 {
///         if sample.first_line() == "# names" { 90 } else { 0 }
///     }
///
///     fn read(
///         &self,
///         source: &Source,
///         builder: &mut Builder,
///         options: &Options,
///     ) -> Result<Taken, HarvestError> {
///         builder.covers(FactCoverage::Mentions);
///         let mut lines = SourceLines::open(source, options.progress())?;
///         let mut records = 0;
///         while let Some(line) = lines.next()? {
///             if line.as_str().starts_with('#') {
///                 continue;
///             }
///             let Some((id, name)) = line.as_str().split_once(" = ") else {
///                 let problem = line.problem(0, line.as_str().len(), "expected `Q64 = Berlin`");
///                 return Err(problem.hint("each line has an id, ` = ` and a name").into());
///             };
///             builder.mention(name, id, None)?;
///             records += 1;
///         }
///         Ok(Taken::of(records))
///     }
/// }
///
/// let sources = KbSources::default().with(&[&NameList]);
/// let file = Source::memory("cities.txt", "# names\nQ64 = Berlin\nQ64 = BER\n");
/// let mut builder = Builder::in_memory();
/// let harvested = sources.harvest(&[file.into()], &mut builder, &Options::default())?;
/// assert_eq!(harvested[0].taken.records, 2);
/// assert_eq!(builder.finish()?.candidates("BER").known().map(|all| all.len()), Some(1));
/// # Ok::<(), HarvestError>(())
/// ```
pub trait KbSource: std::fmt::Debug + Sync {
    /// What it is; help and docs are made from this.
    fn info(&self) -> &KbSourceInfo;

    /// How sure one may be that a file with this beginning is of this source: 0 no, 50 could be,
    /// 100 certainly; at most 20 for what only its name says.
    fn detect(&self, sample: &Sample<'_>) -> u8;

    /// Tells the builder what the file says.
    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError>;

    /// Called once when all files were read, if any was of this source: for what needs several
    /// files together. `harvested` are all of them.
    fn conclude(
        &self,
        _harvested: &[Harvested],
        _builder: &mut Builder,
    ) -> Result<(), HarvestError> {
        Ok(())
    }
}

/// What a source is, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbSourceInfo {
    /// Its name; no other source has it.
    pub name: &'static str,
    /// What a file of it is called in a sentence: `a CSV table`.
    pub title: &'static str,
    /// What it looks like and what is taken from it, in a sentence without its full stop.
    pub about: &'static str,
    /// What a file must be called, without extension, where its content could be several things.
    pub file_name: Option<&'static str>,
}
