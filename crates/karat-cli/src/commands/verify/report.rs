//! `karat verify report`

use crate::drawing::trials;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use clap::Args;
use karat::outputs::{check_plots, write_file};
use karat::report::plot::Plot;
use karat::verify::{VerifyReportRequest, before_and_after, outcome_shares};

/// Say what follows from the judgements of a campaign
///
/// The file has a row for each judgement, as CSV, TSV or JSON lines: document, begin, end, link, sources (joined by |), worker,
/// action (verify, modify, remove or skip), and if there are any: item, dataset, text, kind (real, control, repeat,
/// practice), accepts (the right actions of a control), weight, new_link, counted, active_ms. A row without worker and
/// action is an item that nobody has judged. Folders with the tables of Ding, Botzer and Weninger (2022) are read too, and so is
/// the output of Label Studio and Potato.
///
/// `--preset karat` takes the consensus of all judgements by a model of the people, and verified gold with alternatives.
/// `ding-2022` counts as Ding, Botzer and Weninger (2022) describe it, `ding-2022-code` as their code does.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyReport {
    /// The judgements; `-` for standard input
    judgements: String,
    /// A file of judgements with the items, for output of Label Studio or Potato that says only what items are called
    #[arg(long, value_name = "FILE")]
    items: Option<String>,
    /// How results are made: karat, ding-2022 or ding-2022-code
    #[arg(long, value_name = "NAME", default_value = "karat")]
    preset: String,
    /// The source that is the gold standard; `gold` or `GT` if there is such a source
    #[arg(long, value_name = "SOURCE")]
    gold: Option<String>,
    /// How many of three controls a person must have right, for the presets of the paper
    #[arg(long, value_name = "N")]
    pass: Option<u8>,
    /// How often documents are drawn again
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = trials(), allow_negative_numbers = true)]
    trials: usize,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Draw the plots as well, in a terminal or in HTML
    #[arg(long)]
    plot: bool,
    /// Write a plot of precision and recall before and after verification to an SVG file
    #[arg(long, value_name = "FILE")]
    before_and_after: Option<String>,
    /// Write a plot of what became of proposals to an SVG file
    #[arg(long, value_name = "FILE")]
    outcomes: Option<String>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  karat verify report judgements.csv
      rates, precision and recall, agreement and people
  karat verify report judgements.csv --preset ding-2022 --pass 2
      as in the paper, with two of three controls right
  karat verify report judgements.csv --outcomes figure4.svg --format json
      everything as a record, and a figure";

impl VerifyReport {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let files = self.before_and_after.iter().chain(&self.outcomes);
        check_plots(files, [&self.judgements])?;
        let answer = super::answered(&VerifyReportRequest {
            judgements: self.judgements.clone(),
            items: self.items.clone(),
            preset: self.preset.clone(),
            gold: self.gold.clone(),
            pass: self.pass,
            trials: self.trials,
            seed: self.seed,
        })?;
        let (before, outcomes) = (before_and_after(&answer), outcome_shares(&answer.results));
        if let Some(path) = &self.before_and_after {
            write_file(path, &before.svg())?;
        }
        if let Some(path) = &self.outcomes {
            write_file(path, &outcomes.svg())?;
        }
        let plots: Vec<Box<dyn Plot>> = match self.plot {
            true => vec![Box::new(before), Box::new(outcomes)],
            false => Vec::new(),
        };
        super::print(&answer, plots, self.format)
    }
}
