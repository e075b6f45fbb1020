//! Converting a corpus from one format to another.
//!
//! ```
//! use karat::conversion::ConversionRequest;
//! use karat::inputs::InputRequest;
//! use karat::request::Request;
//! use karat::work::Work;
//!
//! let folder = tempfile::tempdir()?;
//! let path = |name: &str| folder.path().join(name).display().to_string();
//! std::fs::write(path("a.tsv"), "d1\t0\t5\tQ64\n")?;
//! let input = InputRequest::parse(&path("a.tsv"));
//! let request = ConversionRequest { input, output: path("a.csv"), ..ConversionRequest::default() };
//! let answer = request.answer(&Work::default())?;
//! assert_eq!((answer.format.as_str(), answer.written.annotations), ("csv", 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::{Answer, Request, record};
use crate::tagging::TagVocabulary;
use crate::work::Work;
use crate::written::{loss_notice, lost, unnamed, write};
use karat_formats::{Format, Info};
use karat_model::{Corpus, Features, Hint, Notice, Restriction, Role};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Converts a corpus from one format to another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConversionRequest {
    /// The corpus.
    pub input: InputRequest,
    /// Where it is written: a file, a folder, or `-` for standard output.
    pub output: String,
    /// The format to write. Without it the ending of the output decides, and where several formats share that,
    /// the format of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Names of category tags in the output; those that are usual in its format if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<TagVocabulary>,
    /// Which annotations are written of a file that has those of gold and of a system; all if absent, which
    /// few formats can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<WrittenSide>,
    /// How it is read.
    pub reading: ReadingRequest,
}

/// The sides of a file that has both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenSide {
    /// What should be found.
    Gold,
    /// What was found.
    System,
}

impl From<WrittenSide> for Role {
    fn from(side: WrittenSide) -> Role {
        match side {
            WrittenSide::Gold => Role::Gold,
            WrittenSide::System => Role::System,
        }
    }
}

/// What a conversion did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConversionAnswer {
    /// The version of karat.
    pub karat: String,
    /// The input, as the user wrote it.
    pub input: String,
    /// The formats it was read as.
    pub formats: Vec<String>,
    /// What was read, of the side that was asked for.
    pub read: CorpusSize,
    /// Where it was written.
    pub output: String,
    /// The format it was written in.
    pub format: String,
    /// What was written.
    pub written: CorpusSize,
    /// What the format cannot hold and was left out, and how often.
    pub lost: BTreeMap<String, usize>,
    /// What was changed to suit the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapted: Option<Adaptation>,
    /// How many overlap tags were set anew, because mentions around or inside were left out.
    pub retagged: usize,
    /// What has to be known beside it.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// How large a corpus is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusSize {
    /// Documents.
    pub documents: usize,
    /// Annotations.
    pub annotations: usize,
}

impl From<&Corpus> for CorpusSize {
    fn from(corpus: &Corpus) -> CorpusSize {
        CorpusSize { documents: corpus.len(), annotations: corpus.annotations().len() }
    }
}

/// What was changed in documents to suit a format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adaptation {
    /// What was changed, such as `the white space of the text`.
    pub what: String,
    /// In how many documents.
    pub documents: usize,
}

impl Request for ConversionRequest {
    type Answer = ConversionAnswer;

    const NAME: &'static str = "conversion";

    fn answer(&self, work: &Work) -> Result<ConversionAnswer, Error> {
        // A name that says nothing is refused before anything is read.
        self.target(&[])?;
        // Before anything is opened for writing, which would empty the input.
        check_is_no_input(&self.output, [self.input.path.as_str()])?;
        let read = self.reading.read_alone(&self.input, work)?;
        let (mut told, outcome) = (read.notices, read.outcome);
        let target = self.target(&outcome.formats)?;
        let info = target.info();
        let mut corpus = self.of_side(outcome.corpus, info, &mut told)?;
        // Adapted first and restricted then: what is lost is told of the corpus as it will be
        // written.
        let adapted = adapt(&mut corpus, target, &mut told);
        work.check()?;
        let (left, loss) = corpus.restricted(&info.keeps);
        work.check()?;
        let (left, retagged) = retagged(&corpus, left, &info.keeps, &mut told);
        let vocabulary = self.tags.map(Into::into);
        write(&left, target, &self.output, vocabulary, work)?;
        told.extend(loss_notice(info.name, &loss));
        if info.keeps.features.contains(Features::TAGS) {
            told.extend(unnamed(&corpus, vocabulary));
        }
        let mut answer = ConversionAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            input: self.input.written(),
            formats: outcome.formats.iter().map(|&name| name.to_owned()).collect(),
            read: CorpusSize::from(&corpus),
            output: self.output.clone(),
            format: info.name.to_owned(),
            written: CorpusSize::from(left.as_ref()),
            lost: lost(&loss),
            adapted,
            retagged,
            notices: told,
        };
        answer.notices.extend(answer.done());
        Ok(answer)
    }
}

impl ConversionRequest {
    /// The annotations of the side that was asked for. Gold must not become the output of a system, so both
    /// are not written to a format that cannot tell them apart.
    fn of_side(
        &self,
        corpus: Corpus,
        target: &Info,
        told: &mut Vec<Notice>,
    ) -> Result<Corpus, Error> {
        let input = self.input.written();
        if let Some(side) = self.side.map(Role::from) {
            let left = corpus.filter(|mention| side.plays(mention.flags()));
            if left.annotations().is_empty() && !corpus.annotations().is_empty() {
                let message = format!("`{input}` has no annotations of that side");
                told.push(notices::NO_SUCH_SIDE.notice(message).about(&input));
            }
            return Ok(left);
        }
        // Marks of one side only are no mixture, and any format can hold them without the marks.
        let all_play = |side: Role| corpus.annotations().iter().all(|one| side.plays(one.flags));
        let has_one_side = all_play(Role::Gold) || all_play(Role::System);
        if has_one_side || target.keeps.features.contains(Features::SIDES) {
            return Ok(corpus);
        }
        let registry = crate::registry();
        let keeping: Vec<String> = registry
            .formats()
            .map(Format::info)
            .filter(|info| info.writes.is_some() && info.keeps.features.contains(Features::SIDES))
            .map(|info| format!("`{}`", info.name))
            .collect();
        Err(Error::bad_request(
            format!(
                "`{input}` has annotations of gold and of a system, and `{}` cannot tell them apart",
                target.name
            ),
            Hint::template("say which are meant with {side=gold} or {side=system}; ")
                .text(format!("{} hold both", keeping.join(", "))),
        ))
    }

    /// The format to write what was read from these formats.
    pub(crate) fn target(&self, formats: &[&str]) -> Result<&'static dyn Format, Error> {
        let registry = crate::registry();
        if let Some(name) = &self.to {
            return Ok(registry.named(name)?);
        }
        registry.for_output_of(&self.output, formats).ok_or_else(|| {
            let message = match self.output.as_str() {
                "-" => "standard output needs the name of a format".to_owned(),
                name => format!("cannot tell the format of `{name}` from its name"),
            };
            let hint = Hint::template("name it with {to}; `karat formats` lists the formats");
            Error::bad_request(message, hint)
        })
    }
}

/// Changes a corpus to suit a format.
fn adapt(
    corpus: &mut Corpus,
    target: &'static dyn Format,
    told: &mut Vec<Notice>,
) -> Option<Adaptation> {
    let adapted = target.adapted(corpus)?;
    *corpus = adapted.corpus;
    let (what, documents) = (adapted.what, counted(adapted.documents, "document"));
    let name = target.info().name;
    let message = format!("to suit `{name}`, {what} was changed in {documents}");
    told.push(notices::ADAPTED.notice(message).about(name));
    Some(Adaptation { what: what.to_owned(), documents: adapted.documents })
}

/// What a format keeps of a corpus, with overlap tags that are right for the mentions that are left, and how many were
/// set anew.
fn retagged<'c>(
    corpus: &Corpus,
    left: Cow<'c, Corpus>,
    keeps: &Restriction,
    told: &mut Vec<Notice>,
) -> (Cow<'c, Corpus>, usize) {
    let all_mentions = Features::PARTS
        | Features::ALTERNATIVES
        | Features::OVERLAPS
        | Features::REPEATS
        | Features::EMPTY_SPANS;
    // A format that keeps all mentions leaves overlap tags true.
    if !keeps.features.contains(Features::TAGS) || keeps.features.contains(all_mentions) {
        return (left, 0);
    }
    let mut mentions = corpus.documents().flat_map(|document| document.mentions());
    if !mentions.any(|mention| mention.tags().next().is_some()) {
        return (left, 0);
    }
    match karat_checks::follow_spans(corpus, &left) {
        (_, 0) => (left, 0),
        (followed, changed) => {
            let tags = counted(changed, "overlap tag");
            let message = format!("{tags} set anew, as a mention around or inside is left out");
            told.push(notices::RETAGGED.notice(message));
            (Cow::Owned(followed), changed)
        }
    }
}

impl ConversionAnswer {
    /// What was done, where the output does not show it.
    fn done(&self) -> Option<Notice> {
        let message = format!(
            "read {} and {} ({}), wrote `{}` ({})",
            counted(self.read.documents, "document"),
            counted(self.read.annotations, "annotation"),
            self.formats.join(", "),
            self.output,
            self.format
        );
        (self.output != "-").then(|| notices::CONVERTED.notice(message).about(&self.input))
    }

    /// What was read and what was written, one row each.
    pub fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("file"),
            Column::text("format"),
            Column::count("documents"),
            Column::count("annotations"),
        ]);
        let formats = self.formats.join(", ");
        for (file, format, size) in
            [(&self.input, &formats, self.read), (&self.output, &self.format, self.written)]
        {
            table.row([
                Cell::from(file.as_str()),
                Cell::from(format.as_str()),
                Cell::from(size.documents),
                Cell::from(size.annotations),
            ]);
        }
        table
    }
}

impl Answer for ConversionAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let record = Deferred::by(|| record(self));
        Report { record: Some(record), ..Report::of(self.table()) }
    }
}
