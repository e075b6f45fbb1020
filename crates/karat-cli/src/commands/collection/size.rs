//! `karat collection size`

use crate::drawing::trials;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::scoring::Compared;
use clap::{Args, ValueEnum};
use karat::collection::{CollectionSizeRequest, Quantity, SizeUnit};
use karat::outputs::{check_plots, write_file};
use karat::report::plot::Plot;

/// Say how many queries are enough
///
/// For each system: its F1, the interval in which it lies, and how many queries would narrow the interval to a
/// width of your choice, if more of the same kind were added. For each system but the best: whether this test set
/// tells it from the best, and how many queries would.
///
/// Then how the scores develop as the set grows: F1 on the first queries, and the number of systems that are
/// not significantly below the best. At each size, samples of as many queries are drawn with replacement,
/// the same for all systems; a system is below the best if the best is better in more than 95% of the samples.
/// One order of the queries can mislead: the same is shown for many random orders, as median and 95% band.
///
/// Answers within one document resemble each other. `--by document` grows the set by whole documents and draws whole
/// documents, which is the more cautious and usually the right thing to do.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    // One test set grows at a time, so that what several benchmarks would need is not offered.
    mut_arg("gold", |arg| arg.help("The gold standard")),
    mut_arg("unified", |arg| arg.hide(true)),
    mut_arg("systems", |arg| arg.help("The output of a system; may be given several times")),
)]
pub(crate) struct Size {
    #[command(flatten)]
    compared: Compared,
    /// The width that the 95% interval of F1 should have
    #[arg(long, value_name = "WIDTH", default_value_t = 0.02, allow_negative_numbers = true)]
    width: f64,
    /// What the set grows by
    #[arg(long, value_enum, default_value = "query")]
    by: UnitArgument,
    /// At which sizes to look, in queries or documents, as `10,100,50%`; by default 1, 2, 5, 10 and so on
    #[arg(long, value_name = "N,...", value_delimiter = ',', allow_negative_numbers = true)]
    at: Vec<Quantity>,
    /// In how many random orders the set is grown
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = trials(), allow_negative_numbers = true)]
    orders: usize,
    /// How many samples are drawn at each size
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = trials(), allow_negative_numbers = true)]
    trials: usize,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Draw the plots as well, in a terminal or in HTML
    #[arg(long)]
    plot: bool,
    /// Write a plot of F1 as the set grows to an SVG file
    #[arg(long, value_name = "FILE")]
    growth: Option<String>,
    /// Write a plot of the number of systems not below the best to an SVG file
    #[arg(long, value_name = "FILE")]
    separation: Option<String>,
    /// Write power curves to an SVG file: the chance to tell each system from the best by the number of queries or
    /// documents
    #[arg(long, value_name = "FILE")]
    power: Option<String>,
    /// Redirects of the knowledge base: title, then what redirects to it, tab-separated
    #[arg(long, value_name = "FILE")]
    redirects: Option<String>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

/// What the set grows by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum UnitArgument {
    /// Single queries
    Query,
    /// Whole documents
    Document,
}

const EXAMPLES: &str = "Examples:
  karat collection size -g gold.tsv -s a=a.tsv -s b=b.tsv -s c=c.tsv
      which systems can be told apart, and how many queries it takes
  karat collection size -g gold.tsv -s a=a.tsv --width 0.01 --by document
      how many documents an interval of one point takes
  karat collection size -g gold.tsv -s a=a.tsv -s b=b.tsv --at 100,200,400,100% --orders 200 --format tsv
      data for a plot";

impl Size {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = self.request()?;
        self.check(&request)?;
        let answer = self.compared.reading.asked(&request)?;
        let evolution = &answer.evolution;
        let plots = [evolution.f1_plot(), evolution.separation_plot(), evolution.power_plot()];
        for (path, plot) in self.plots().into_iter().zip(&plots) {
            if let Some(path) = path {
                write_file(path, &plot.svg())?;
            }
        }
        super::print(&answer, plots.into_iter().filter(|_| self.plot), self.format)
    }

    fn request(&self) -> Result<CollectionSizeRequest, Failure> {
        Ok(CollectionSizeRequest {
            inputs: self.compared.request()?,
            redirects: self.redirects.clone(),
            width: self.width,
            by: match self.by {
                UnitArgument::Query => SizeUnit::Query,
                UnitArgument::Document => SizeUnit::Document,
            },
            at: self.at.clone(),
            orders: self.orders,
            trials: self.trials,
            seed: self.seed,
        })
    }

    fn plots(&self) -> [Option<&String>; 3] {
        [self.growth.as_ref(), self.separation.as_ref(), self.power.as_ref()]
    }

    /// Refuses plots that cannot be written or would say nothing, before anything is computed.
    fn check(&self, request: &CollectionSizeRequest) -> Result<(), Failure> {
        let inputs = self.compared.inputs().chain(&self.redirects);
        check_plots(self.plots().into_iter().flatten(), inputs)?;
        let is_about_several = self.separation.is_some() || self.power.is_some();
        match is_about_several && request.inputs.systems.len() < 2 {
            true => Err(Failure::usage(
                "--separation and --power tell systems apart, and one is given",
                "give another with -s NAME=INPUT; --growth plots a single one",
            )),
            false => Ok(()),
        }
    }
}
