//! What a format is.

use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::{ReadOptions, Reading};
use crate::source::Source;
use crate::syntax::nil::NilWords;
use karat_model::{Corpus, End, Hint, OffsetUnit, Restriction};
use std::collections::BTreeMap;
use std::io::ErrorKind;

/// A file format: how its files are recognised, read and written.
///
/// This is the seam between files and everything else in karat. Nothing behind it knows what a file looked like,
/// and no format knows what is done with a corpus. Each format is one file in `formats/` and one line in
/// [`FORMATS`](crate::FORMATS); the command line, its help, the docs and the property tests take it from there.
///
/// # Who calls it, and when
///
/// A [`Registry`](crate::Registry) reads an [`Input`]: a file, a folder, or several.
///
/// 1. Every format is shown the first 64 KiB of every file, decompressed ([`detect`](Format::detect)). The surest one
///    gets the file; equal scores are an error that names both. If the user named a format, only that one is asked.
/// 2. The files of one format are read together ([`read`](Format::read)), or one by one where each
///    [stands alone](Format::files_stand_alone).
/// 3. What is left to do is the same for all formats and done by the registry: words such as `NULL` become NIL
///    ([`nil_words`](Format::nil_words)), documents without text get that of `--documents`, documents that another file
///    had before are refused.
///
/// For writing, the registry first restricts the corpus to what the format [keeps](Info::keeps) and counts what is
/// lost. [`write`](Format::write) is given the rest, all of which it must be able to hold.
///
/// # What must hold
///
/// One rule, which a property test checks for every format in the registry with the same generated corpora:
///
/// ```text
/// read(write(c)) == c.restrict(format.keeps)      or the writer refuses and says why
/// ```
///
/// Beyond it:
///
/// - Nothing is lost silently. What a reader cannot understand it reports ([`Reading::report`]), what it mends it
///   notes ([`Reading::repaired`]), and what the model has no place for it counts ([`Reading::passed_over`]).
/// - A problem has a place and a hint. Use [`Text::problem_at`](crate::Text::problem_at) or [`Here`](crate::Here), which
///   know the line.
/// - No bytes make a reader panic, and its time grows linearly with the file. What is spent on one bad record does not
///   depend on how long the file is: a hostile file has a million of them.
/// - The result does not depend on the number of threads. Formats whose records are lines or documents read through
///   [`in_blocks`](crate::in_blocks), which guarantees it; a parser must then carry nothing from one block to the next.
/// - Offsets are checked against the text where there is one ([`Here::anchor`](crate::Here::anchor)), and options such as
///   `--unit` are asked for through [`Reading::offsets`], so that a user hears of an option that had no use.
///
/// # Pitfalls
///
/// A sample may end in the middle of a record: judge complete lines only ([`Sample::lines`]). Names of documents
/// and ids of entities may contain your separator, a line break or nothing at all; a writer must escape or refuse them
/// ([`WriteError::unrepresentable`]), or the rule is broken. A document may come again in a later block or file: say with
/// [`Repeated`](karat_model::Repeated) whether it goes on. Spans are code points in the corpus, whatever the file counts.
///
/// # Example
///
/// A whole format, with one annotation on each line:
///
/// ```
/// use karat_formats::{
///     Format, Info, Input, Kind, Layout, Offsets, Output, Problem, ReadOptions, Reading, Registry, Sample, Source,
///     WriteError, at_line_ends, in_blocks,
/// };
/// use karat_model::{Corpus, Features, Link, Repeated, Restriction, Span};
///
/// /// `d1|0|6|Q64`, or `NIL` for the entity.
/// struct Piped;
///
/// static INFO: Info = Info {
///     name: "piped",
///     title: "Piped lines",
///     about: "Document, start, end and entity on each line, separated by bars.",
///     reference: "the docs of `Format`",
///     extensions: &["piped"],
///     offsets: Offsets::CODE_POINTS,
///     writes: Some(Layout::File),
///     needs_text: false,
///     keeps: Restriction {
///         features: Features::NIL.union(Features::OVERLAPS).union(Features::REPEATS),
///         document_attributes: &[],
///         annotation_attributes: &[],
///     },
/// };
///
/// impl Format for Piped {
///     fn info(&self) -> &'static Info {
///         &INFO
///     }
///
///     fn detect(&self, sample: &Sample<'_>) -> u8 {
///         if sample.first_line().split('|').count() == 4 { 60 } else { 0 }
///     }
///
///     fn read(&self, files: &[Source], _: &Input, reading: &mut Reading<'_>) -> Result<(), Problem> {
///         for file in files {
///             in_blocks(file, at_line_ends, Repeated::Merge, reading, |text, reading| {
///                 for line in text.as_str().lines() {
///                     let fields: Vec<&str> = line.split('|').collect();
///                     let numbers = |a: &str, b: &str| Some((a.parse().ok()?, b.parse().ok()?));
///                     let parsed = match fields.as_slice() {
///                         &[document, start, end, entity] => {
///                             numbers(start, end).map(|(start, end)| (document, Span::new(start, end), entity))
///                         }
///                         _ => None,
///                     };
///                     let Some((document, span, entity)) = parsed else {
///                         let problem = text.problem_at(Kind::Malformed, line, "expected document|start|end|entity");
///                         reading.report(problem.hint("offsets are whole numbers from 0"))?;
///                         continue;
///                     };
///                     reading.corpus.continue_document(document);
///                     let link = match entity {
///                         "NIL" => Link::NIL,
///                         entity => Link::to(reading.corpus.intern(entity)),
///                     };
///                     reading.corpus.annotate(span, link);
///                 }
///                 Ok(())
///             })?;
///         }
///         Ok(())
///     }
///
///     fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
///         output.single(|out| {
///             for document in corpus.documents() {
///                 for mention in document.mentions() {
///                     let (name, span) = (document.name(), mention.span());
///                     let entity = mention.entity().unwrap_or("NIL");
///                     if [name, entity].iter().any(|text| text.contains(['|', '\n', '\r'])) {
///                         return Err(WriteError::unrepresentable(name, "a name contains a bar or a line break"));
///                     }
///                     writeln!(out, "{name}|{}|{}|{entity}", span.start, span.end)?;
///                 }
///             }
///             Ok(())
///         })
///     }
/// }
///
/// let registry = Registry::new(&[&Piped]);
/// let lines = "d1|0|6|Q64\nd1|10|15|NIL\n";
/// let input = Input::from(Source::memory("gold.piped", lines));
/// let outcome = registry.read(&input, None, &ReadOptions::default())?;
/// assert_eq!((outcome.formats, outcome.corpus.annotations().len()), (vec!["piped"], 2));
///
/// let mut output = Output::memory(Layout::File);
/// registry.write(&outcome.corpus, &Piped, &mut output)?;
/// assert_eq!(output.into_sources()[0].text()?.as_str(), lines);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Format: Sync {
    /// What it is; the docs and `karat formats` are made from this.
    fn info(&self) -> &'static Info;

    /// How sure one may be that a file with this beginning is of this format:
    /// 0 no, 50 could be, 100 certainly. Judged by content; the name of the file
    /// may only break ties.
    fn detect(&self, sample: &Sample<'_>) -> u8;

    /// As [`Format::detect`], when the user said which column is which; `None` for a format that has no
    /// columns to name. A score of 50 or more says that the columns are there; a lower one that the
    /// file may be a table, whose reader can say which columns it has instead.
    fn detect_mapped(
        &self,
        _sample: &Sample<'_>,
        _columns: &BTreeMap<String, String>,
    ) -> Option<u8> {
        None
    }

    /// Whether the reader of this format says best what is wrong with a file of no format: a table does, of one that
    /// has the names of columns and none that it knows.
    fn explains(&self, _sample: &Sample<'_>) -> bool {
        false
    }

    /// Reads the files of an input that are of this format.
    fn read(
        &self,
        files: &[Source],
        input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem>;

    /// Whether each file stands for itself, so that a document of two files is a
    /// mistake. Formats that give a document line by line let it go on within a file;
    /// only by this is it kept from going on in the next one.
    fn files_stand_alone(&self) -> bool {
        false
    }

    /// Whether each line is a record of its own, so that one that cannot be read, because of its
    /// encoding for instance, takes nothing else with it.
    fn lines_are_records(&self) -> bool {
        false
    }

    /// A corpus that the format can hold in place of one it would refuse, where something
    /// has to change and not only to be left out; `None` where nothing has to.
    ///
    /// Whoever writes decides whether to change a corpus: [`Format::write`] never does.
    fn adapted(&self, _corpus: &Corpus) -> Option<Adapted> {
        None
    }

    /// Which words are NIL where a link is expected, beside what the reader itself takes for NIL. They
    /// are recognised when all is read, and refused as names of entities when a corpus is written.
    fn nil_words(&self) -> NilWords {
        NilWords::All
    }

    /// Whether the format has spellings of its own for category tags, and so follows
    /// [`Output::vocabulary`] itself. Others write tags as they stand.
    fn spells_tags(&self) -> bool {
        false
    }

    /// Writes a corpus that was restricted to what the format keeps.
    fn write(&self, _corpus: &Corpus, _output: &mut Output) -> Result<(), WriteError> {
        Err(WriteError::NotWritable(self.info().name))
    }
}

/// A corpus that was changed to suit a format.
#[derive(Debug)]
pub struct Adapted {
    /// The corpus.
    pub corpus: Corpus,
    /// How many documents changed.
    pub documents: usize,
    /// What changed in them: `the white space of the text`.
    pub what: &'static str,
}

/// The description of a format.
#[derive(Debug, Clone, Copy)]
pub struct Info {
    /// The name that users choose it by.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it looks like and what to look out for, in a few sentences.
    pub about: &'static str,
    /// Where it is defined or used.
    pub reference: &'static str,
    /// Usual extensions, the first used when writing into a directory.
    pub extensions: &'static [&'static str],
    /// How its offsets count.
    pub offsets: Offsets,
    /// What it writes; `None` for a format that is only read.
    pub writes: Option<Layout>,
    /// Whether documents must have text to be written.
    pub needs_text: bool,
    /// What it keeps of a corpus.
    pub keeps: Restriction,
}

/// How offsets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offsets {
    /// What they count.
    pub unit: OffsetUnit,
    /// What the end means.
    pub end: End,
    /// Whether they decide where the text there is not what the file says it is.
    pub decide: bool,
    /// How far all offsets of the input are to be moved. Whoever reads the input does that when all of it was read;
    /// until then mentions are only checked where they are meant to be.
    pub shift: i64,
}

impl Offsets {
    /// Code points, end exclusive: the custom of most formats.
    pub const CODE_POINTS: Offsets =
        Offsets { unit: OffsetUnit::CodePoints, end: End::Exclusive, decide: false, shift: 0 };

    /// The same with an end that is the last one inside.
    pub const INCLUSIVE: Offsets = Offsets { end: End::Inclusive, ..Offsets::CODE_POINTS };

    /// Tokens, end exclusive.
    pub const TOKENS: Offsets = Offsets { unit: OffsetUnit::Tokens, ..Offsets::CODE_POINTS };

    /// These offsets, unless the user says otherwise.
    pub fn or(self, options: &ReadOptions) -> Offsets {
        Offsets {
            unit: options.unit.unwrap_or(self.unit),
            end: options.end.unwrap_or(self.end),
            decide: options.offsets_decide,
            shift: options.shift,
        }
    }
}

/// What a format writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One file.
    File,
    /// Several files in a directory.
    Directory,
}

/// The beginning of a file, to recognise its format by.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The file's name.
    pub name: &'a str,
    /// The first bytes, decompressed.
    pub bytes: &'a [u8],
    /// The first bytes as text, without a broken character at the end; empty for binary files.
    pub text: &'a str,
    /// Whether the sample is the whole file.
    pub complete: bool,
}

impl<'a> Sample<'a> {
    /// Complete lines of the sample.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> {
        let end = if self.complete {
            self.text.len()
        } else {
            // Without a line break the sample is one unfinished line, which is still worth a look.
            self.text.rfind('\n').map_or(self.text.len(), |newline| newline + 1)
        };
        self.text[..end].lines()
    }

    /// The first line that is not blank.
    pub fn first_line(&self) -> &'a str {
        self.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
    }

    /// The file's name without its extension and that of a compressed file.
    pub fn stem(&self) -> &'a str {
        crate::source::stem(self.name)
    }

    /// Whether the file's name ends like this, compressed or not.
    pub fn has_extension(&self, extension: &str) -> bool {
        has_extension(self.name, extension)
    }
}

/// Whether the name of a file ends like this, compressed or not.
pub(crate) fn has_extension(mut name: &str, extension: &str) -> bool {
    for suffix in [".gz", ".zst", ".bz2"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    name.strip_suffix(extension).is_some_and(|rest| rest.ends_with('.'))
}

/// Why a corpus could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The format can only be read.
    #[error("karat reads `{0}` but does not write it")]
    NotWritable(&'static str),
    /// Something in the corpus has no form in this format.
    #[error("document `{document}`: {message}")]
    Unrepresentable {
        /// The document it is in.
        document: String,
        /// What it is, and why.
        message: String,
    },
    /// The format needs the text of documents.
    #[error("`{format}` needs the text of every document; `{document}` has none")]
    NoText {
        /// The format.
        format: &'static str,
        /// The first document without text.
        document: String,
    },
    /// The first name or text begins like the mark of an encoding.
    #[error("the file would begin with U+FEFF, which readers take off as the mark of an encoding")]
    NotText,
    /// The output cannot be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl WriteError {
    /// Something that has no form in the format.
    pub fn unrepresentable(document: &str, message: impl Into<String>) -> WriteError {
        WriteError::Unrepresentable { document: document.to_owned(), message: message.into() }
    }

    /// What the user can do.
    pub fn hint(&self) -> Option<Hint> {
        let template = match self {
            WriteError::NotWritable(_) => "`karat formats` lists the formats that can be written",
            WriteError::NoText { .. } => {
                "give a corpus that has the texts with {documents}, or choose a format without text such as neleval"
            }
            WriteError::Unrepresentable { .. } | WriteError::NotText => {
                "choose another format; `karat-jsonl` holds everything"
            }
            WriteError::Io(error) => match error.kind() {
                ErrorKind::NotFound => "the folder must exist; create it first",
                ErrorKind::PermissionDenied => {
                    "check who may write there with `ls -ld`, or choose another folder"
                }
                ErrorKind::AlreadyExists | ErrorKind::InvalidInput => {
                    "choose another name for the output"
                }
                ErrorKind::StorageFull => "free some space, or choose another place",
                _ => return None,
            },
        };
        Some(Hint::template(template))
    }
}
