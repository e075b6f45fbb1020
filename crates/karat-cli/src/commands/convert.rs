//! `karat convert`

use crate::arguments::{ReadArguments, VocabularyArgument, note_unnamed};
use crate::failure::Failure;
use crate::show::{self, counted};
use crate::written::check_is_no_input;
use clap::{Args, ValueEnum};
use karat::formats::{Adapted, Format, Info};
use karat::model::{Corpus, Features, Loss, Restriction, Role};
use karat::report::prose;

/// Convert a corpus from one format to another
///
/// Offsets are translated between units (bytes, UTF-16, code points; inclusive or exclusive end)
/// and every mention is checked against the text. What the target format cannot hold is left out
/// and counted; `karat formats NAME` says what that is. The output appears only when everything
/// was written.
#[derive(Debug, Args)]
#[command(after_help = examples())]
pub(crate) struct Convert {
    /// The corpus to read: a file, a directory, `-`, or several joined by commas
    input: String,
    /// Where to write: a file or directory, or `-` for standard output
    output: String,
    /// Format of the output; without it, the extension of OUTPUT decides, and where several formats
    /// share that, the format of the input
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Names of category tags in the output; by default those that are usual in its format
    #[arg(long, value_enum, value_name = "VOCABULARY")]
    tags: Option<VocabularyArgument>,
    /// Which annotations to write of a file that has those of a gold standard and of a system, as
    /// ELEVANT's linked articles; most formats cannot hold both
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<SideArgument>,
    #[command(flatten)]
    reading: ReadArguments,
}

/// The sides of a file that has both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideArgument {
    /// What should be found
    Gold,
    /// What was found
    System,
}

impl From<SideArgument> for Role {
    fn from(side: SideArgument) -> Role {
        match side {
            SideArgument::Gold => Role::Gold,
            SideArgument::System => Role::System,
        }
    }
}

fn examples() -> String {
    let names = |written: bool| {
        let formats = karat::registry();
        let infos = formats.formats().map(Format::info);
        let names = infos.filter(|info| info.writes.is_some() == written).map(|info| info.name);
        prose::words(&names.collect::<Vec<_>>().join(", "), 96).replace('\n', "\n  ")
    };
    format!(
        "Formats (`karat formats NAME` describes one):
  {}
Formats that are only read:
  {}

Examples:
  karat convert gold.ttl gold.tsv
      NIF to neleval's TSV, by the names of the files
  karat convert AIDA-YAGO2-dataset.tsv aida.jsonl.zst --to elevant
      compressed because of its name
  karat convert predictions.csv - --to neleval --columns doc=docid,start=begin,end=stop,link=qid
      a table with columns of its own; to standard output
  karat convert system.jsonl fixed.jsonl --to jsonl --unit utf16
      offsets that were counted by a Java or JavaScript program
  karat convert tac.xml,tac.tab tac.tsv
      one corpus in two files
  karat convert gold.tsv gold.ttl --documents texts.jsonl
      texts from another file, for a format that needs them
  karat convert gold.ttl gold.fel.ttl --to nif-categorised --tags fel
      category tags in the published vocabulary
  karat convert gold.ttl corpus --to brat
      a format of several files: `corpus` becomes a directory
  zcat system.tsv.gz | karat convert - system.parquet",
        names(true),
        names(false)
    )
}

/// What a format keeps of a corpus, and what it loses, where overlap tags would be wrong
/// for the mentions that are left; with how many were set anew.
fn retagged(corpus: &Corpus, keeps: &Restriction) -> Option<(Corpus, Loss, usize)> {
    let all_mentions = Features::PARTS
        | Features::ALTERNATIVES
        | Features::OVERLAPS
        | Features::REPEATS
        | Features::EMPTY_SPANS;
    if !keeps.features.contains(Features::TAGS) || keeps.features.contains(all_mentions) {
        return None;
    }
    let mut mentions = corpus.documents().flat_map(|document| document.mentions());
    if !mentions.any(|mention| mention.tags().next().is_some()) {
        return None;
    }
    let (left, loss) = corpus.restrict(keeps);
    let (left, changed) = karat::checks::follow_spans(corpus, &left);
    (changed > 0).then_some((left, loss, changed))
}

impl Convert {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // A name that says nothing is refused before anything is read.
        self.target(&[])?;
        check_is_no_input(&self.output, [&self.input])?;
        let mut outcome = self.reading.read(&self.input)?;
        let target = self.target(&outcome.formats)?;
        let info = target.info();
        self.choose_side(&mut outcome.corpus, info)?;
        if let Some(Adapted { corpus, documents, what }) = target.adapted(&outcome.corpus) {
            outcome.corpus = corpus;
            let documents = counted(documents, "document");
            self.reading
                .note(&format!("to suit `{}`, {what} was changed in {documents}", info.name));
        }
        let write = |corpus: &Corpus| {
            let registry = karat::registry();
            let vocabulary = self.tags.map(Into::into);
            let written = registry.write_spelled(corpus, target, &self.output, vocabulary);
            written.map_err(|error| Failure::output(&self.output, error))
        };
        let loss = match retagged(&outcome.corpus, &info.keeps) {
            None => write(&outcome.corpus)?,
            Some((corpus, loss, changed)) => {
                write(&corpus)?;
                let tags = counted(changed, "overlap tag");
                self.reading
                    .note(&format!("{tags} set anew, as a mention around or inside is left out"));
                loss
            }
        };
        // Quiet or not, nothing is left out without a word.
        show::loss(info.name, &loss);
        if self.reading.quiet {
            return Ok(());
        }
        if info.keeps.features.contains(Features::TAGS) {
            note_unnamed(&outcome.corpus, self.tags.map(Into::into));
        }
        if self.output != "-" {
            show::note(&format!(
                "read {} and {} ({}), wrote `{}` ({})",
                counted(outcome.corpus.len(), "document"),
                counted(outcome.corpus.annotations().len(), "annotation"),
                outcome.formats.join(", "),
                self.output,
                info.name
            ));
        }
        Ok(())
    }

    /// Leaves the annotations of the side that was asked for. Gold must not become the output of
    /// a system, so both are not written to a format that cannot tell them apart.
    fn choose_side(&self, corpus: &mut Corpus, target: &Info) -> Result<(), Failure> {
        if let Some(side) = self.side.map(Role::from) {
            let left = corpus.filter(|mention| side.plays(mention.flags()));
            if left.annotations().is_empty() && !corpus.annotations().is_empty() {
                show::warning(&format!("`{}` has no annotations of that side", self.input));
            }
            *corpus = left;
            return Ok(());
        }
        let all_play = |side: Role| corpus.annotations().iter().all(|one| side.plays(one.flags));
        let has_one_side = all_play(Role::Gold) || all_play(Role::System);
        if has_one_side || target.keeps.features.contains(Features::SIDES) {
            return Ok(());
        }
        let registry = karat::registry();
        let keeping: Vec<String> = registry
            .formats()
            .map(Format::info)
            .filter(|info| info.writes.is_some() && info.keeps.features.contains(Features::SIDES))
            .map(|info| format!("`{}`", info.name))
            .collect();
        Err(Failure::usage(
            format!(
                "`{}` has annotations of gold and of a system, and `{}` cannot tell them apart",
                self.input, target.name
            ),
            format!(
                "say which are meant with --side gold or --side system; {} hold both",
                keeping.join(", ")
            ),
        ))
    }

    /// The format to write what was read from these formats.
    fn target(&self, formats: &[&str]) -> Result<&'static dyn Format, Failure> {
        let registry = karat::registry();
        if let Some(name) = &self.to {
            return Ok(registry.named(name)?);
        }
        registry.for_output_of(&self.output, formats).ok_or_else(|| {
            let message = match self.output.as_str() {
                "-" => "standard output needs the name of a format".to_owned(),
                name => format!("cannot tell the format of `{name}` from its name"),
            };
            Failure::usage(message, "name it with --to; `karat formats` lists the formats")
        })
    }
}
