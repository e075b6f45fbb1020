//! `karat collection size`

use super::Quantity;
use crate::arguments::terminal_width;
use crate::drawing::trials;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::scoring::Compared;
use crate::show;
use crate::written::{check_are_apart, check_plot, write_file};
use clap::{Args, ValueEnum};
use karat::collection::tables::json;
use karat::collection::{Evolution, Queries};
use karat::inputs::Experiment;
use karat::measures::Signature;
use karat::model::Corpus;
use karat::report::plot::Plot;
use karat::report::{Deferred, Report};
use karat::stats::collection::{Resampling, Unit, sizes};

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
        self.check()?;
        let convention = super::convention();
        let identity = super::identity(self.redirects.as_deref(), &convention)?;
        let contests = self.compared.read()?;
        let [contest] = contests.as_slice() else {
            return Err(Failure::usage(
                "there is more than one test set",
                "one grows at a time: give one -g",
            ));
        };
        self.check_systems(contest)?;
        let mut signature = Signature::new(&convention);
        if let Some(kb) = identity.signature() {
            signature.push("kb", &kb);
        }
        signature.push(
            "gold",
            &format!("{}@{}", contest.benchmark.name, contest.benchmark.corpus.digest().short()),
        );
        let by = if self.by == UnitArgument::Query { "query" } else { "doc" };
        for (name, value) in self.compared.provenance()? {
            signature.push(name, &value);
        }
        signature.push("boot", &format!("{by},{},seed={},level=95", self.trials, self.seed));
        signature.push("orders", &self.orders.to_string());
        for system in &contest.runs {
            super::say_who_is_absent(
                &contest.benchmark.name,
                &contest.benchmark.corpus,
                &system.name,
                &system.corpus,
            );
        }
        let systems: Vec<&Corpus> =
            contest.runs.iter().map(|system| system.corpus.as_ref()).collect();
        let queries =
            Queries::new(&contest.benchmark.corpus, &systems, &identity, &convention.settings);
        let evolution = self.evolution(contest, &queries)?;
        self.print(&evolution, &signature)
    }

    fn check(&self) -> Result<(), Failure> {
        if self.width.is_nan() || self.width <= 0.0 || self.width > 1.0 {
            return Err(Failure::usage(
                format!("`{}` is no width of an interval", self.width),
                "write a share above 0, as --width 0.02",
            ));
        }
        if self.trials == 0 {
            return Err(Failure::usage(
                "no samples are to be drawn",
                "give --trials a number, 100 or more",
            ));
        }
        let plots = [&self.growth, &self.separation, &self.power];
        let plots: Vec<&String> = plots.into_iter().flatten().collect();
        for path in &plots {
            check_plot(path, self.compared.inputs().chain(&self.redirects))?;
        }
        check_are_apart(plots)?;
        karat::scoring::few_trials(self.trials).iter().for_each(show::notice);
        Ok(())
    }

    /// One system cannot be told from another.
    fn check_systems(&self, contest: &Experiment) -> Result<(), Failure> {
        let is_about_several = self.separation.is_some() || self.power.is_some();
        match is_about_several && contest.runs.len() < 2 {
            true => Err(Failure::usage(
                "--separation and --power tell systems apart, and one is given",
                "give another with -s NAME=INPUT; --growth plots a single one",
            )),
            false => Ok(()),
        }
    }

    fn evolution(&self, contest: &Experiment, queries: &Queries) -> Result<Evolution, Failure> {
        let unit = match self.by {
            UnitArgument::Query => Unit::Query,
            UnitArgument::Document => Unit::Document,
        };
        let names: Vec<&str> = contest.runs.iter().map(|system| system.name.as_str()).collect();
        let all = queries.answers.growth(unit).len();
        let sizes = match self.at.as_slice() {
            [] => sizes(all),
            asked => asked.iter().map(|quantity| quantity.of(all as u64) as usize).collect(),
        };
        if let Some(large) = sizes.iter().find(|&&size| size > all || size == 0) {
            return Err(Failure::usage(
                format!("the set cannot be looked at with {large} of {all}"),
                "--at takes sizes from 1 to everything; what is not there cannot be drawn",
            ));
        }
        let resampling = Resampling { trials: self.trials, seed: self.seed, level: 95.0 };
        Evolution::new(&names, &queries.answers, unit, &sizes, self.orders, &resampling).ok_or_else(
            || {
                Failure::usage(
                    format!("`{}` has no queries", contest.benchmark.name),
                    "give a gold standard with mentions",
                )
            },
        )
    }

    fn print(&self, evolution: &Evolution, signature: &Signature) -> Result<(), Failure> {
        let plots = [evolution.f1_plot(), evolution.separation_plot(), evolution.power_plot()];
        for (path, plot) in [&self.growth, &self.separation, &self.power].into_iter().zip(&plots) {
            if let Some(path) = path {
                write_file(path, &plot.svg())?;
            }
        }
        let enough = format!("Now, and how many an interval of {} needs", self.width);
        let tables = |orders| {
            [
                (enough.as_str(), "systems", evolution.standings(self.width)),
                ("As the set grows, in the order given", "growth", evolution.growth()),
                ("In random orders: median and 95% band", "orders", orders),
            ]
        };
        let shown = tables(evolution.random_orders());
        let plots = plots.into_iter().filter(|_| self.plot);
        let report = Report {
            rows: Some(Deferred::by(|| evolution.in_rows(self.width))),
            record: Some(Deferred::by(|| {
                let tables = tables(evolution.random_orders_in_rows());
                let keyed = tables.each_ref().map(|(_, key, table)| (*key, table));
                json(&keyed, &[signature.to_string()])
            })),
            plots: plots.map(|plot| Box::new(plot) as Box<dyn Plot>).collect(),
            ..super::report(&shown, signature)
        };
        printing::print(&report, self.format, terminal_width())
    }
}
