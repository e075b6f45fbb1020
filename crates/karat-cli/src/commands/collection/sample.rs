//! `karat collection sample`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::show::{self, counted};
use crate::written::{check_is_no_input, write_file};
use clap::{Args, ValueEnum};
use karat::collection::{self, By, SampleError, Task};
use karat::convention::facets;
use karat::facets::UNLABELLED;
use karat::formats::Format;
use karat::inputs::InputRequest;
use karat::kb::Identity;
use karat::matching::Unknowns;
use karat::measures::Convention;
use karat::scoring::StreamInput;
use std::collections::BTreeMap;
use std::io::Write;

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
        let sample = self.sample()?;
        let target = self.target()?;
        check_is_no_input(&self.output, [&self.corpus])?;
        let corpus = InputRequest::parse(&self.corpus);
        let (_, input) = corpus.open()?;
        let (work, bar) = self.reading.work();
        work.begin("reading", input.size())?;
        let described = self.reading.request().described(&corpus, &work)?;
        let stream = StreamInput { name: "corpus", input: &input, described: &described };
        let tasks = sample.draw(&stream).map_err(failure);
        bar.clear();
        let tasks = tasks?;
        self.say_what_is_missing(&tasks);
        match target {
            None => self.write(&tasks)?,
            Some(target) => self.write_corpus(target, &tasks, &stream)?,
        }
        if !self.reading.quiet && self.output != "-" {
            show::note(&format!(
                "chose {}, wrote `{}`",
                counted(tasks.len(), "mention"),
                self.output
            ));
        }
        Ok(())
    }

    fn write_corpus(
        &self,
        target: &'static dyn Format,
        tasks: &[Task],
        stream: &StreamInput<'_>,
    ) -> Result<(), Failure> {
        let corpus = collection::Sample::corpus(tasks, stream).map_err(failure)?;
        let loss = karat::registry()
            .write_to(&corpus, target, &self.output)
            .map_err(|error| Failure::output(&self.output, error))?;
        show::loss(target.info().name, &loss);
        Ok(())
    }

    fn sample(&self) -> Result<collection::Sample, Failure> {
        let strata = match &self.strata {
            None => Vec::new(),
            Some(names) => {
                facets(names, &Convention::default(), Unknowns::Ignored, &Identity::new())?
            }
        };
        if self.number == 0 {
            return Err(Failure::usage("nothing is to be chosen", "give -n a number from 1"));
        }
        Ok(collection::Sample {
            by: match self.by {
                ByArgument::Document => By::Document,
                ByArgument::Mention => By::Mention,
            },
            size: self.number,
            sizes: self.sizes.iter().map(|size| label_size(size)).collect::<Result<_, _>>()?,
            strata,
            seed: self.seed,
        })
    }

    fn target(&self) -> Result<Option<&'static dyn Format>, Failure> {
        let Some(name) = &self.to else { return Ok(None) };
        if self.corpus.split(',').any(|part| part == "-") {
            return Err(Failure::usage(
                "a corpus from standard input cannot be read twice",
                "give a file, or leave out --to for an annotation task",
            ));
        }
        Ok(Some(karat::registry().named(name)?))
    }

    fn write(&self, tasks: &[Task]) -> Result<(), Failure> {
        let mut lines = String::new();
        for task in tasks {
            lines += &format!("{}\n", task.json());
        }
        match self.output.as_str() {
            "-" => Ok(anstream::stdout().write_all(lines.as_bytes())?),
            path => write_file(path, &lines),
        }
    }

    /// A sample that is smaller than asked for is said to be.
    fn say_what_is_missing(&self, tasks: &[Task]) {
        let mut found: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for task in tasks {
            *found.entry(task.stratum.as_deref()).or_default() += 1;
        }
        if tasks.is_empty() {
            show::warning("the corpus has no mentions: nothing was chosen");
        }
        for (label, size) in self.sizes.iter().filter_map(|size| label_size(size).ok()) {
            if size > 0 && !found.contains_key(&Some(label.as_str())) {
                let labels: Vec<&str> = found.keys().flatten().copied().collect();
                show::warning(&format!(
                    "nothing is labelled `{label}`; the labels are {}",
                    labels.join(", ")
                ));
            }
        }
        for (stratum, count) in found {
            let asked = stratum.and_then(|label| {
                let size =
                    |size: &String| label_size(size).ok().filter(|(known, _)| known == label);
                self.sizes.iter().find_map(size).map(|(_, size)| size)
            });
            if count < asked.unwrap_or(self.number) && !self.reading.quiet {
                let part = stratum.map_or(String::new(), |label| match label {
                    UNLABELLED => " without a label".to_owned(),
                    label => format!(" labelled `{label}`"),
                });
                show::note(&format!(
                    "there are only {}{part} to choose from",
                    counted(count, "form")
                ));
            }
        }
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

fn failure(error: SampleError) -> Failure {
    match error {
        SampleError::Input(problem) => Failure::Input(problem),
        SampleError::Scattered(document) => Failure::usage(
            format!("the document `{document}` comes again after others"),
            "the lines of a document must stand together: sort the file",
        ),
        SampleError::NoForms(document) => Failure::usage(
            format!(
                "the words of the mentions of `{document}` are not known, and so no form can be chosen"
            ),
            "give a corpus with the texts with --documents, or choose --by document",
        ),
    }
}
