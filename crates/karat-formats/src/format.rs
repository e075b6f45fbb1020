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

/// A file format: one file in `formats/`, one line in the registry.
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
}

impl Offsets {
    /// Code points, end exclusive: the custom of most formats.
    pub const CODE_POINTS: Offsets =
        Offsets { unit: OffsetUnit::CodePoints, end: End::Exclusive, decide: false };

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
            WriteError::Unrepresentable { .. } => {
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
