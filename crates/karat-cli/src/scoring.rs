//! Arguments of the commands that score systems.

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::setting_values::Suggested;
use clap::Args;
use karat::convention::ConventionRequest;
use karat::inputs::{DocumentsBy, InputPart, InputRequest, Inputs, take_named_systems};
use std::path::PathBuf;

/// What is compared with what.
#[derive(Debug, Clone, Args)]
pub(crate) struct Compared {
    /// The gold standard, then systems, in place of -g and -s
    #[arg(value_names = ["GOLD", "SYSTEM"], num_args = 2.., conflicts_with_all = ["gold", "systems"])]
    inputs: Vec<String>,
    /// The gold standard; may be given several times, one benchmark each
    #[arg(long, short, value_name = "[NAME=]INPUT", required_unless_present = "inputs")]
    gold: Vec<String>,
    /// With several -g: score all benchmarks together as well, as the benchmark `unified`
    #[arg(long, requires = "gold")]
    pub(crate) unified: bool,
    /// The output of a system; may be given several times. NAME@BENCHMARK=INPUT is for one benchmark only
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", required_unless_present = "inputs")]
    systems: Vec<String>,
    /// Cut predictions that cross the end of a sentence there, as the scripts of Hachey et al. (2014)
    /// do. The sentences are those of this corpus, as a file of AIDA-CoNLL has them
    #[arg(long, value_name = "INPUT")]
    sentences: Option<String>,
    /// By what documents of gold and systems are lined up, if not by name: title, text, number (the last
    /// in their names) or stem (names without folders and extensions)
    #[arg(long, value_name = "WHAT", default_value = "name", hide_default_value = true)]
    documents_by: String,
    #[command(flatten)]
    pub(crate) reading: ReadArguments,
}

/// The heading of arguments about the convention.
const CONVENTION: &str = "Convention";

/// The convention.
#[derive(Debug, Clone, Args)]
pub(crate) struct ConventionArguments {
    /// The convention of the literature to follow; `karat presets` lists them
    #[arg(long, value_name = "NAME", default_value = "karat", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::presets(), hide_possible_values = true)]
    pub(crate) preset: String,
    /// When two spans fit: exact, overlap, expanded, containment, entity, length, or a share such as 50%
    #[arg(long = "match", value_name = "HOW", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::values("match"), hide_possible_values = true)]
    spans: Option<String>,
    /// Who gets whom: one-to-one, greedy, existential, last-wins, sets or by-span
    #[arg(long, value_name = "HOW", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::values("assign"), hide_possible_values = true)]
    assign: Option<String>,
    /// What the system was given: end-to-end (nothing), disambiguation (the gold mentions)
    #[arg(long, value_name = "TASK", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::values("task"), hide_possible_values = true)]
    task: Option<String>,
    /// Leave out predictions below this confidence
    #[arg(long, value_name = "CONFIDENCE", help_heading = CONVENTION)]
    threshold: Option<f64>,
    /// Take mentions whose gold answer is NIL off both sides, as Hoffart et al. (2011) do
    #[arg(long, help_heading = CONVENTION)]
    linkable: bool,
    /// Any other setting that `karat settings` lists, as `optional=no`
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = CONVENTION)]
    #[arg(value_parser = Suggested::settings(), hide_possible_values = true)]
    settings: Vec<String>,
    /// Redirects of the knowledge base: title, then what redirects to it, tab-separated. Titles are
    /// known in every spelling, addresses of Wikipedia and DBpedia included; `--set titles=plain-addresses`
    /// knows fewer
    #[arg(long, value_name = "FILE", help_heading = CONVENTION)]
    redirects: Option<String>,
    /// A knowledge base of `karat kb build`: every spelling of an id becomes the one id that it
    /// leads to
    #[arg(long, value_name = "FILE", help_heading = CONVENTION)]
    kb: Option<PathBuf>,
}

impl Compared {
    /// Everything that is read.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &String> {
        self.gold().iter().chain(self.systems()).chain(&self.sentences)
    }

    /// What is compared with what, as a request.
    pub(crate) fn request(&self) -> Result<Inputs, Failure> {
        Ok(Inputs {
            unified: self.unified,
            sentences: self.sentences.clone(),
            documents_by: DocumentsBy::parse(&self.documents_by)?,
            ..gold_and_systems(self.gold(), self.systems(), &self.reading)?
        })
    }

    fn gold(&self) -> &[String] {
        if self.inputs.is_empty() { &self.gold } else { &self.inputs[..1] }
    }

    fn systems(&self) -> &[String] {
        if self.inputs.is_empty() { &self.systems } else { &self.inputs[1..] }
    }

    /// Takes out the systems that are named without an input and were given with one: they say which
    /// are meant.
    pub(crate) fn take_named(&mut self) -> Result<Vec<String>, Failure> {
        Ok(take_named_systems(&mut self.systems)?)
    }
}

/// Gold and systems, with what is said of each.
pub(crate) fn gold_and_systems(
    gold: &[String],
    systems: &[String],
    reading: &ReadArguments,
) -> Result<Inputs, Failure> {
    let parsed = |arguments: &[String]| -> Vec<InputRequest> {
        arguments.iter().map(|argument| InputRequest::parse(argument)).collect()
    };
    let (mut gold, mut systems) = (parsed(gold), parsed(systems));
    let parts = gold.iter_mut().map(|input| (InputPart::Gold, input));
    reading
        .said()
        .describe(parts.chain(systems.iter_mut().map(|input| (InputPart::System, input))))?;
    Ok(Inputs { gold, systems, reading: reading.request(), ..Inputs::default() })
}

impl ConventionArguments {
    /// The convention as a request.
    pub(crate) fn request(&self) -> Result<ConventionRequest, Failure> {
        let mut request = ConventionRequest {
            preset: self.preset.clone(),
            redirects: self.redirects.clone(),
            kb: self.kb.as_ref().map(|path| path.to_string_lossy().into_owned()),
            ..ConventionRequest::default()
        };
        let given = [("match", &self.spans), ("assign", &self.assign), ("task", &self.task)];
        for (name, value) in given {
            if let Some(value) = value {
                request.settings.push(name, value);
            }
        }
        if let Some(threshold) = self.threshold {
            request.settings.push("threshold", threshold.to_string());
        }
        if self.linkable {
            request.settings.push("linkable", "yes");
        }
        for pair in &self.settings {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(Failure::usage(
                    format!("`{pair}` says nothing"),
                    "write --set KEY=VALUE; `karat settings` lists the keys",
                ));
            };
            request.settings.push(name.trim(), value.trim());
        }
        Ok(request)
    }
}
