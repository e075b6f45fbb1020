//! `karat collection sample`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::printing;
use crate::show::{self, counted};
use clap::{Args, ValueEnum};
use karat::collection::{SampleBy, SampleRequest};
use karat::outputs::{check_is_no_input, write_file};
use karat::report::{JSON_LINES, RenderOptions};
use karat::request::Answer;

/// Choose mentions to annotate from a corpus with detected mentions
///
/// `--by document` chooses a document, all alike, and then one of the forms in it (Random Document):
/// scores on such queries are means over documents. `--by mention` chooses a form, all alike, and then
/// one of the documents that have it (Random Mention): scores are means over forms, most of which are rare. A form
/// is the words of a mention, and stands for all its places in a document; none is chosen twice, and by
/// mention each form is chosen once at most.
///
/// The corpus is read once, in parts, and need not fit into memory: karat holds the chosen mentions and some
/// sixteen bytes for every document. The choice depends on the seed and the content alone, not on the order of the
/// documents. The mentions come in the order in which they were drawn, so that the first hundred of five hundred are a
/// sample of a hundred.
///
/// The result is an annotation task, one JSON object on each line: `task` (a unique name), `document`, `span` (code
/// points, end exclusive), `mention`, `before` and `after` (up to 200 characters of text), `candidates` (what the
/// corpus links or might link the mention to, the best first), `stratum`, `probability` (how likely the
/// mention was to be chosen, given the first that was not) and `weight`, one over it: sums weighted so estimate
/// sums over all queries. Without weights, a score over the chosen is that of the scheme.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sample {
    /// The corpus: a file, a directory, `-`, or several joined by commas
    corpus: String,
    /// What is chosen first
    #[arg(long, value_enum)]
    by: ByArgument,
    /// How many mentions; with --strata, of each stratum
    #[arg(long = "number", short, value_name = "N", allow_negative_numbers = true)]
    number: usize,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Choose from each part of the corpus by itself: type, topic, language, tag, link, attribute:KEY, or
    /// several joined by +
    #[arg(long, value_name = "FACET")]
    strata: Option<String>,
    /// Other numbers for some strata, as `PER=200,ORG=50`
    #[arg(long, value_name = "LABEL=N,...", value_delimiter = ',', requires = "strata")]
    sizes: Vec<String>,
    /// Where to write; standard output by default
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: String,
    /// Write the documents with the chosen mentions in this format of `karat formats`, instead of the task.
    /// The corpus is read twice
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
}

/// What is chosen first.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ByArgument {
    /// A document, then one of its forms
    Document,
    /// A form, then one of its documents
    Mention,
}

const EXAMPLES: &str = "Examples:
  karat collection sample --by mention -n 500 --seed 1 corpus.jsonl.zst > task.jsonl
      500 forms, one mention of each
  karat collection sample --by document -n 100 --strata topic corpus.jsonl -o task.jsonl
      100 mentions of each topic
  karat collection sample --by document -n 100 corpus.jsonl -o chosen.ttl --to nif
      the chosen mentions with their documents, as NIF";

impl Sample {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = self.request()?;
        if let Some(format) = &self.to {
            request.check_target(format)?;
        }
        check_is_no_input(&self.output, [self.corpus.as_str()])?;
        let answer = self.reading.asked(&request)?;
        match &self.to {
            Some(format) => {
                let (work, bar) = self.reading.work();
                let notices = request.write(&answer.tasks, format, &self.output, &work);
                bar.clear();
                show::notices(&notices?, self.reading.quiet);
            }
            None if self.output == "-" => {
                return printing::print(&answer.report(), JSON_LINES, None);
            }
            None => {
                let lines = answer.report().render(JSON_LINES, &RenderOptions::default()).text;
                write_file(&self.output, &lines)?;
            }
        }
        if self.output != "-" {
            let mentions = counted(answer.tasks.len(), "mention");
            self.reading.note(&format!("chose {mentions}, wrote `{}`", self.output));
        }
        Ok(())
    }

    fn request(&self) -> Result<SampleRequest, Failure> {
        Ok(SampleRequest {
            corpus: self.reading.only(&self.corpus)?,
            by: match self.by {
                ByArgument::Document => SampleBy::Document,
                ByArgument::Mention => SampleBy::Mention,
            },
            number: self.number,
            seed: self.seed,
            strata: self.strata.clone(),
            sizes: self.sizes.iter().map(|size| label_size(size)).collect::<Result<_, _>>()?,
            reading: self.reading.request(),
        })
    }
}

/// A stratum and how many are to be chosen of it.
fn label_size(text: &str) -> Result<(String, usize), Failure> {
    let split = text.rsplit_once('=');
    let size =
        split.and_then(|(label, size)| Some((label.trim().to_owned(), size.trim().parse().ok()?)));
    size.filter(|(label, _)| !label.is_empty()).ok_or_else(|| {
        Failure::usage(
            format!("`{text}` names no stratum and number"),
            "write for example --sizes PER=200,ORG=50",
        )
    })
}
