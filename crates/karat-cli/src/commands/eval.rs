//! `karat eval`

use crate::arguments::terminal_width;
use crate::counting::CountingArguments;
use crate::drawing::DrawingArguments;
use crate::failure::Failure;
use crate::forms::{ResultForm, forms_and};
use crate::printing;
use crate::scoring::{Compared, ConventionArguments};
use crate::show;
use clap::Args;
use karat::elevant::ElevantRequest;
use karat::model::Notice;
use karat::outputs::{check_plots, write_file};
use karat::report::Audience;
use karat::report::plot::Plot;
use karat::request::Answer;
use karat::scoring::{Evaluated, EvaluationAnswer, EvaluationRequest, MeasureNames, plots};
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

/// Score one or more systems against a gold standard
///
/// Every number depends on a convention: what a span must be to count, what optional gold is worth,
/// what is done about NIL. The convention is chosen by name and written, with everything else the
/// numbers depend on, in the signature under the table. The default is karat's own.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Eval {
    #[command(flatten)]
    compared: Compared,
    /// What to measure: measures, groups or single scores, as `link`, `hachey`, `link.f1@macro`;
    /// `karat measures` lists them
    #[arg(long = "measure", short, value_name = "NAME,...")]
    measures: Vec<MeasureNames>,
    #[command(flatten)]
    convention: ConventionArguments,
    /// A development set: its gold. The threshold on confidence that is best there is chosen for each
    /// system, whose input must hold its output for these documents as well
    #[arg(long, value_name = "INPUT", conflicts_with = "threshold")]
    tune: Option<String>,
    /// Weights for pairs of types, as `types=FILE`: gold type, system type, weight, tab-separated; or
    /// `types=FILE.json`, a hierarchy as {"parent": ["child", ...]} in which each step costs half
    #[arg(long, value_name = "types=FILE")]
    weight: Option<String>,
    /// A hierarchy of types for `hierarchical-type`: child and parent, tab-separated
    #[arg(long, value_name = "FILE")]
    hierarchy: Option<String>,
    /// Weigh gold mentions by their category tags, and report recall that asks less for what not everybody
    /// would annotate: alpha=0.3 for the weight of what is not strict, or alpha=0,0.1,...,1 for a sweep;
    /// `strict`, `strict-text`, `questionnaire` or `systems`; attribute:KEY for a number that each mention
    /// has itself; a TOML file of weights; or a table of a survey. May be given several times
    #[arg(long, value_name = "WEIGHTS")]
    fuzzy: Vec<String>,
    /// Show each part of the corpus apart: doc, type, topic, language, link, entity, tag, base-form,
    /// pos, overlap, reference, combination, error, relation, span-error, category, mention-type,
    /// attribute:KEY, or several joined by +
    #[arg(long, value_name = "FACET", value_delimiter = ',')]
    group_by: Vec<String>,
    /// With --group-by: write the F1 of each part and system as a heat map to an SVG file
    #[arg(long, value_name = "FILE", requires = "group_by")]
    heat_map: Option<String>,
    /// Write the curves of `average-precision` (precision by recall), `risk-coverage` or
    /// `calibration-error`, and of any measure with precision and recall its scores at every threshold on
    /// confidence, to a file: the points of all to FILE.tsv, or the first drawn in FILE.svg
    #[arg(long, value_name = "FILE")]
    curve: Option<String>,
    /// Set every two systems side by side as well: how much their outputs have in common, by
    /// `similarity` or what -m asks of it, as `similarity(of=mention)`
    #[arg(long, conflicts_with = "stream")]
    similarity: bool,
    /// With a sweep of --fuzzy: write fuzzy F1 by alpha to an SVG file
    #[arg(long, value_name = "FILE", requires = "fuzzy")]
    sweep: Option<String>,
    /// Exit with 1 unless every system reaches this, as `link.f1=0.8`; may be given several times. A
    /// group must reach it in all its measures; `f1` alone is that of `link`
    #[arg(long, value_name = "SCORE=VALUE")]
    fail_under: Vec<String>,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// Read gold and systems side by side and keep no more of them in memory than needed; the lines of a
    /// document must stand together. Not for clustering measures. What can only be told of a whole corpus is not
    /// said: mentions that are parts of themselves, a system whose annotations are all gold, ids that the preset
    /// does not know
    #[arg(long, conflicts_with_all = ["tune", "strata", "clusters", "sentences"])]
    stream: bool,
    #[command(flatten)]
    counting: CountingArguments,
    /// Form of the result
    #[arg(
        long,
        value_parser = forms_and([ResultForm::Neleval, ResultForm::Elevant]),
        default_value = "table"
    )]
    format: ResultForm,
    /// With --format elevant: a folder for eval_results.json and eval_cases.jsonl of each system,
    /// which ELEVANT's web application can show
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  karat eval -g gold.tsv -s mine=system.tsv
      the default measures of karat, with intervals
  karat eval -g gold.ttl -s a=a.ttl -s b=b.ttl -m link.f1,mention.f1 --group-by type
      two systems, two scores, one row for each type as well
  karat eval -g gold.tsv -s schwa.tsv --preset neleval -m hachey --format neleval
      exactly what neleval prints
  karat eval -g aida=aida.tsv -g msnbc=msnbc.tsv -s mine=all.tsv
      several benchmarks in one table
  karat eval -g gold.tsv -s mine=system.tsv --fail-under link.f1=0.8
      a gate for continuous integration: exit code 1 below 0.8";

/// In pixels: wide enough for the names of categories.
const HEAT_MAP: u16 = 600;

impl Eval {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if matches!(self.format, ResultForm::Elevant) {
            return self.run_as_elevant();
        }
        let request = self.request()?;
        self.check(&request)?;
        if let Some(path) = self.counting.file() {
            return self.counting.run(path, request, &self.compared);
        }
        let (work, bar) = self.compared.reading.work();
        let evaluated = request.evaluate(&work);
        bar.clear();
        let evaluated = evaluated?;
        let judged = show_and_judge(&evaluated.answer, self.compared.reading.quiet, || {
            self.print(&evaluated)
        });
        // The process ends with this command; to free what was computed would only take time.
        std::mem::forget(evaluated);
        judged
    }

    /// Prints the results as ELEVANT has them, or writes its files to a folder.
    fn run_as_elevant(&self) -> Result<(), Failure> {
        let request = ElevantRequest {
            inputs: self.compared.request()?,
            convention: self.convention.request()?,
            cases: self.output.is_some(),
        };
        let answer = self.compared.reading.asked(&request)?;
        match &self.output {
            Some(folder) => Ok(answer.write(folder, SystemTime::now())?),
            None => Ok(writeln!(anstream::stdout(), "{}", answer.results())?),
        }
    }

    fn request(&self) -> Result<EvaluationRequest, Failure> {
        Ok(EvaluationRequest {
            inputs: self.compared.request()?,
            convention: self.convention.request()?,
            measures: self.measures.iter().flat_map(|names| names.0.clone()).collect(),
            tune: self.tune.clone(),
            weight: self.weight.clone(),
            hierarchy: self.hierarchy.clone(),
            fuzzy: self.fuzzy.clone(),
            group_by: self.group_by.clone(),
            similarity: self.similarity,
            curve: self.curve.is_some(),
            fail_under: self.fail_under.clone(),
            drawing: self.drawing.request(),
            digests: self.format.is_record(),
            stream: self.stream,
        })
    }

    /// Refuses outputs that cannot be written, before anything is computed.
    fn check(&self, request: &EvaluationRequest) -> Result<(), Failure> {
        if self.output.is_some() {
            return Err(Failure::usage(
                "only --format elevant writes files",
                "leave out -o, and send standard output to a file",
            ));
        }
        let plots = self.heat_map.iter().chain(&self.sweep).chain(&self.curve);
        check_plots(plots, self.compared.inputs())?;
        if self.sweep.is_some() && request.alphas()? < 2 {
            return Err(Failure::usage(
                "a sweep has several values of alpha",
                "write for example --fuzzy alpha=0,0.1,...,1",
            ));
        }
        let holds_several = match self.format {
            ResultForm::Own(form) => form.audience() != Audience::Rows,
            ResultForm::Neleval | ResultForm::Elevant => false,
        };
        if self.similarity && !holds_several {
            return Err(Failure::usage(
                "this form holds one table, and similarities are another",
                "choose --format json, or a form with several tables",
            ));
        }
        match self.format {
            ResultForm::Neleval => Ok(request.check_is_of_neleval()?),
            _ => Ok(()),
        }
    }

    fn write_plots(&self, answer: &EvaluationAnswer) -> Result<(), Failure> {
        if let Some(path) = &self.heat_map {
            write_file(path, &plots::heat_map(answer).svg_of_width(HEAT_MAP))?;
        }
        if let Some(path) = &self.curve {
            write_file(path, &plots::curves_for(answer, path)?)?;
        }
        match (&self.sweep, plots::sweep(answer)) {
            (Some(path), Some(plot)) => Ok(write_file(path, &plot.svg())?),
            _ => Ok(()),
        }
    }

    fn print(&self, evaluated: &Evaluated) -> Result<(), Failure> {
        self.write_plots(&evaluated.answer)?;
        match self.format {
            ResultForm::Own(form) => {
                printing::print(&evaluated.answer.report(), form, terminal_width())
            }
            _ => Ok(write!(anstream::stdout(), "{}", evaluated.neleval())?),
        }
    }
}

/// Shows what has to be known, the result, and last the gates that were missed: these are why a command fails,
/// whatever else is said.
pub(crate) fn show_and_judge(
    answer: &EvaluationAnswer,
    quiet: bool,
    print: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_gate = |notice: &Notice| notice.id == karat::notices::GATE_MISSED.id;
    let (gates, notices): (Vec<Notice>, Vec<Notice>) =
        answer.notices.iter().cloned().partition(is_gate);
    show::notices(&notices, quiet);
    print()?;
    gates.iter().for_each(|gate| show::error(&gate.message, None));
    if answer.passes() { Ok(()) } else { Err(Failure::Gate) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{changed_convention, described_inputs, read_back};
    use karat::inputs::Inputs;
    use karat::scoring::DrawingRequest;

    #[test]
    fn a_request_as_a_command_is_the_same_request() {
        let several = |values: &[&str]| values.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let full = EvaluationRequest {
            inputs: described_inputs(),
            convention: changed_convention(),
            measures: several(&["link", "similarity(of=mention,by=span)", "mention.f1@macro"]),
            tune: Some("development.tsv".to_owned()),
            weight: Some("types=w.tsv".to_owned()),
            hierarchy: Some("types.tsv".to_owned()),
            fuzzy: several(&["alpha=0,0.1,...,1", "strict"]),
            group_by: several(&["type+topic", "error"]),
            similarity: true,
            fail_under: several(&["link.f1=0.8", "f1=0.5"]),
            drawing: DrawingRequest {
                trials: Some(500),
                seed: 7,
                level: 99.5,
                interval: "bca".to_owned(),
                strata: Some("topic".to_owned()),
                clusters: None,
            },
            ..EvaluationRequest::default()
        };
        let stream = EvaluationRequest { stream: true, ..EvaluationRequest::default() };
        let inputs = Inputs { sentences: None, ..described_inputs() };
        for request in [full, EvaluationRequest { inputs, ..stream }] {
            let read: Eval = read_back(&request, 1);
            assert_eq!(read.request().ok(), Some(request));
        }
    }
}
