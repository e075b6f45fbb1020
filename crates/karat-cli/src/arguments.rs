//! Arguments that several commands share.

use crate::failure::Failure;
use crate::progress::Bar;
use crate::show;
use crate::threads;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use karat::formats::{Input, Outcome, ReadOptions};
use karat::model::{Category, Corpus, End, OffsetUnit, Severity, Vocabulary};
use karat::report::Form;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The heading of arguments that say how to read. Each argument has it for itself: what a group says of
/// its next headings would go on behind the group.
const READING: &str = "Reading";

/// How to read inputs.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArguments {
    /// Format of the input; without it, each file is recognised by its content
    #[arg(long, value_name = "FORMAT", help_heading = READING)]
    pub(crate) from: Option<String>,
    /// Skip bad records, count and list them, and go on; without it, the first one stops karat
    #[arg(long, help_heading = READING)]
    pub(crate) lenient: bool,
    /// What the offsets of the input count, if not what is usual in its format
    #[arg(long, value_enum, help_heading = READING)]
    pub(crate) unit: Option<Unit>,
    /// What the end offset of the input means, if not what is usual in its format
    #[arg(long, value_enum, help_heading = READING)]
    pub(crate) end: Option<EndArgument>,
    /// For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`
    #[arg(long, value_name = "NAME=COLUMN,...", value_parser = columns, help_heading = READING)]
    pub(crate) columns: Option<BTreeMap<String, String>>,
    /// A corpus, in any format, with the texts of the documents, for an input that has none
    #[arg(long, value_name = "CORPUS", help_heading = READING)]
    pub(crate) documents: Option<String>,
    /// Number of threads; all cores by default
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        value_parser = threads::parser(),
        help_heading = READING
    )]
    pub(crate) threads: usize,
    /// No progress bar and no remarks; what is left out is still counted
    #[arg(long, short, help_heading = READING)]
    pub(crate) quiet: bool,
    /// List everything that was skipped, repaired or found, not only the first few of each
    #[arg(long, short, help_heading = READING)]
    pub(crate) verbose: bool,
    /// How bad a skipped record is
    #[arg(skip = show::Level::Warning)]
    pub(crate) level: show::Level,
    /// Whether every skipped record is kept, not only the first thousand
    #[arg(skip)]
    pub(crate) list_all: bool,
    /// Whether the text at the offsets of a mention goes before the words that the file has for it
    #[arg(skip)]
    pub(crate) offsets_decide: bool,
    /// The corpus with the texts, once it was read
    #[arg(skip)]
    given: OnceLock<Arc<Corpus>>,
}

/// The units of offsets.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Unit {
    /// Unicode code points, as Python counts
    CodePoints,
    /// UTF-16 code units, as Java and JavaScript count
    Utf16,
    /// Bytes of UTF-8
    Bytes,
    /// Tokens
    Tokens,
}

/// The meanings of an end offset.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EndArgument {
    /// The last position of the mention
    Inclusive,
    /// One past the last position
    Exclusive,
}

/// The vocabularies of category tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VocabularyArgument {
    /// `el:Mnt-Full`, as in the published datasets
    El,
    /// `fel:FullProperForm`, as in the published vocabulary
    Fel,
    /// `mnt:FullMentionPN`, the older names of NIFify; it has none for references
    Mnt,
}

impl From<VocabularyArgument> for Vocabulary {
    fn from(vocabulary: VocabularyArgument) -> Vocabulary {
        match vocabulary {
            VocabularyArgument::El => Vocabulary::El,
            VocabularyArgument::Fel => Vocabulary::Fel,
            VocabularyArgument::Mnt => Vocabulary::Mnt,
        }
    }
}

/// Says how many tags of a corpus keep their names, as a vocabulary has none for them.
pub(crate) fn note_unnamed(corpus: &Corpus, vocabulary: Option<Vocabulary>) {
    let Some(vocabulary) = vocabulary else { return };
    let mentions = corpus.documents().flat_map(|document| document.mentions());
    let categories = mentions.flat_map(|mention| mention.tags().filter_map(Category::of));
    let unnamed = categories.filter(|category| category.name(vocabulary).is_none()).count();
    if unnamed > 0 {
        let tags = show::counted(unnamed, "tag");
        let keep = if unnamed == 1 { "keeps its name" } else { "keep their names" };
        show::note(&format!(
            "{tags} {keep}: `{}:` has none for references, so the output mixes vocabularies",
            vocabulary.prefix()
        ));
    }
}

/// The forms of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormArgument {
    /// For reading in a terminal
    Table,
    /// JSON
    Json,
    /// Tab-separated
    Tsv,
    /// Comma-separated
    Csv,
    /// Markdown
    Md,
    /// LaTeX
    Latex,
    /// HTML
    Html,
}

/// The forms of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultForm {
    /// For reading in a terminal
    Table,
    /// JSON
    Json,
    /// Tab-separated
    Tsv,
    /// Comma-separated
    Csv,
    /// One JSON object on each line
    Jsonl,
    /// Markdown
    Md,
    /// LaTeX
    Latex,
    /// HTML
    Html,
    /// Exactly what neleval prints
    Neleval,
    /// ELEVANT's eval_results.json
    Elevant,
}

/// The forms of results that are karat's own; the others are refused where they have nothing to say,
/// and not offered.
pub(crate) fn own_forms() -> impl TypedValueParser<Value = ResultForm> {
    let shown = ResultForm::value_variants().iter().filter_map(|form| {
        let is_foreign = matches!(form, ResultForm::Neleval | ResultForm::Elevant);
        Some(form.to_possible_value()?.hide(is_foreign))
    });
    PossibleValuesParser::new(shown).try_map(|name| ResultForm::from_str(&name, false))
}

impl ResultForm {
    /// Refuses the form of ELEVANT, which has files for scores and cases only.
    pub(crate) fn check_table(self) -> Result<(), Failure> {
        match self {
            ResultForm::Elevant => Err(Failure::usage(
                "ELEVANT has no file for this",
                "`karat eval --format elevant` writes its results and cases; choose another --format",
            )),
            _ => Ok(()),
        }
    }
}

impl From<ResultForm> for Form {
    fn from(form: ResultForm) -> Form {
        match form {
            ResultForm::Table => Form::Text,
            ResultForm::Json | ResultForm::Jsonl | ResultForm::Elevant => Form::Json,
            ResultForm::Tsv | ResultForm::Neleval => Form::Tsv,
            ResultForm::Csv => Form::Csv,
            ResultForm::Md => Form::Markdown,
            ResultForm::Latex => Form::Latex,
            ResultForm::Html => Form::Html,
        }
    }
}

impl From<FormArgument> for ResultForm {
    fn from(form: FormArgument) -> ResultForm {
        match form {
            FormArgument::Table => ResultForm::Table,
            FormArgument::Json => ResultForm::Json,
            FormArgument::Tsv => ResultForm::Tsv,
            FormArgument::Csv => ResultForm::Csv,
            FormArgument::Md => ResultForm::Md,
            FormArgument::Latex => ResultForm::Latex,
            FormArgument::Html => ResultForm::Html,
        }
    }
}

impl From<FormArgument> for Form {
    fn from(form: FormArgument) -> Form {
        match form {
            FormArgument::Table => Form::Text,
            FormArgument::Json => Form::Json,
            FormArgument::Tsv => Form::Tsv,
            FormArgument::Csv => Form::Csv,
            FormArgument::Md => Form::Markdown,
            FormArgument::Latex => Form::Latex,
            FormArgument::Html => Form::Html,
        }
    }
}

fn columns(text: &str) -> Result<BTreeMap<String, String>, String> {
    text.split(',')
        .map(|pair| match pair.split_once('=') {
            // An empty column leaves out one that would be found by its name.
            Some((name, column)) if !name.is_empty() => {
                Ok((name.trim().to_owned(), column.trim().to_owned()))
            }
            _ => Err(format!("expected NAME=COLUMN, found `{pair}`")),
        })
        .collect()
}

impl ReadArguments {
    /// Reads one input as the arguments say and shows what was skipped.
    pub(crate) fn read(&self, argument: &str) -> Result<Outcome, Failure> {
        let outcome = self.read_silently(argument)?;
        self.say(&outcome);
        Ok(outcome)
    }

    /// Reads one input as the arguments say.
    pub(crate) fn read_silently(&self, argument: &str) -> Result<Outcome, Failure> {
        let (_, input) = Input::named(argument)?;
        let bar = self.bar(input.size());
        let outcome = self.read_input(&input, self.options(&bar, self.threads)?);
        bar.clear();
        outcome
    }

    /// Reads several named inputs, `NAME=INPUT` each, several at a time.
    pub(crate) fn read_all(
        &self,
        arguments: &[&String],
    ) -> Result<Vec<(String, Outcome)>, Failure> {
        let inputs: Vec<(String, Input)> = arguments
            .iter()
            .map(|argument| Ok(Input::named(argument)?))
            .collect::<Result<_, Failure>>()?;
        let bar = self.bar(inputs.iter().map(|(_, input)| input.size()).sum());
        let threads = threads::start(self.threads);
        // Two files on two cores need not wait for each other, while two cores on one file do.
        let at_once = threads.min(inputs.len()).max(1);
        let options = self.options(&bar, threads / at_once)?;
        let read: Vec<Result<Outcome, Failure>> = inputs
            .par_iter()
            .with_max_len(1)
            .map(|(_, input)| self.read_input(input, options.clone()))
            .collect();
        bar.clear();
        // The first input that cannot be read is the one that is named, whichever failed first.
        let names = inputs.into_iter().map(|(name, _)| name);
        names
            .zip(read)
            .map(|(name, outcome)| {
                let outcome = outcome?;
                self.say(&outcome);
                Ok((name, outcome))
            })
            .collect()
    }

    pub(crate) fn bar(&self, bytes: u64) -> Arc<Bar> {
        let bar = Bar::new(bytes, self.quiet);
        bar.message("reading");
        bar
    }

    fn read_input(&self, input: &Input, options: ReadOptions) -> Result<Outcome, Failure> {
        Ok(karat::registry().read(input, self.from.as_deref(), &options)?)
    }

    pub(crate) fn options(&self, bar: &Arc<Bar>, threads: usize) -> Result<ReadOptions, Failure> {
        Ok(ReadOptions {
            lenient: self.lenient,
            list_all: self.list_all || self.verbose,
            offsets_decide: self.offsets_decide,
            threads,
            unit: self.unit.map(|unit| match unit {
                Unit::CodePoints => OffsetUnit::CodePoints,
                Unit::Utf16 => OffsetUnit::Utf16,
                Unit::Bytes => OffsetUnit::Bytes,
                Unit::Tokens => OffsetUnit::Tokens,
            }),
            end: self.end.map(|end| match end {
                EndArgument::Inclusive => End::Inclusive,
                EndArgument::Exclusive => End::Exclusive,
            }),
            columns: self.columns.clone().unwrap_or_default(),
            columns_where_they_fit: false,
            documents: self.given_documents()?,
            progress: Some(bar.clone()),
            parts: None,
        })
    }

    /// The documents with the texts, read once for all inputs.
    fn given_documents(&self) -> Result<Option<Arc<Corpus>>, Failure> {
        let Some(documents) = &self.documents else { return Ok(None) };
        if let Some(given) = self.given.get() {
            return Ok(Some(Arc::clone(given)));
        }
        let options = ReadOptions { threads: self.threads, ..ReadOptions::default() };
        let outcome = karat::registry().read(&Input::named(documents)?.1, None, &options)?;
        let given = self.given.get_or_init(|| Arc::new(outcome.corpus));
        Ok(Some(Arc::clone(given)))
    }

    /// A remark, which a quiet command does not make.
    pub(crate) fn note(&self, remark: &str) {
        if !self.quiet {
            show::note(remark);
        }
    }

    /// Shows what a reading skipped, repaired and passed over.
    fn say(&self, outcome: &Outcome) {
        // Quiet or not, nothing is left out without a word.
        let listed = match (self.quiet, self.verbose) {
            (true, _) => show::Listed::None,
            (_, true) => show::Listed::All,
            _ => show::Listed::Few,
        };
        show::findings(&outcome.findings, self.level, listed);
        let notices = outcome.notices.iter();
        notices
            .filter(|notice| !self.quiet || notice.severity > Severity::Note)
            .for_each(show::notice);
        let (were, their) = match outcome.ignored.len() {
            0 => return,
            1 => ("was", "its"),
            _ => ("were", "their"),
        };
        let shown = if self.verbose { outcome.ignored.len() } else { FEW_FILES };
        let files = show::named(&outcome.ignored, shown);
        self.note(&format!(
            "{files} {were} not read: {their} content is of no format that karat knows or was told"
        ));
    }
}

/// Of so many files that were not read the names are told.
const FEW_FILES: usize = 3;

/// The width of the terminal, if standard output is one.
pub(crate) fn terminal_width() -> Option<u16> {
    use std::io::IsTerminal;
    let shown = std::io::stdout().is_terminal();
    shown.then(|| terminal_size::terminal_size().map(|(width, _)| width.0)).flatten()
}
