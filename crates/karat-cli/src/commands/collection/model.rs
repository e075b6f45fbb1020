//! `karat collection model`

use crate::arguments::ReadArguments;
use crate::drawing::trials;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::scoring::gold_and_systems;
use clap::Args;
use karat::collection::{Quantity, QueryModelRequest};
use karat::outputs::{check_plots, write_file};
use karat::report::plot::{Histogram, Plot};

/// Say how far scores move when queries are removed or added
///
/// Removing queries at random changes precision, recall and F1; so does adding queries like those that are there.
/// For each change: the mean and the standard deviation of each score, the values between which it lies in
/// 95% of all cases, the worst and the best that can happen at all, and the lowest and highest of some random
/// draws. Mean, deviation and the 95% are exact: removals follow the hypergeometric distribution, additions the
/// binomial. Where there are too many cases to go through, they are those of the draws, and karat says so.
///
/// The queries are given by five counts, or come from the output of a system: gold links L, those of them that were
/// answered with a link S, and rightly T; gold NIL M, and those of them that were answered NIL C.
///
/// --mix says which queries change: the share a of links among them, the share b of these that were answered with a
/// link, and the share c of the others, which are NIL, that were answered NIL. Then only chance about
/// right links is left.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Model {
    /// The counts
    #[arg(long, value_name = "L,S,T,M,C", conflicts_with_all = ["gold", "systems"])]
    cells: Option<String>,
    /// The gold standard
    #[arg(long, short, value_name = "[NAME=]INPUT", requires = "systems")]
    gold: Option<String>,
    /// The output of a system; may be given several times
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", requires = "gold")]
    systems: Vec<String>,
    /// How many queries are removed, as `10,50,5%`
    #[arg(long, value_name = "X,...", value_delimiter = ',', allow_negative_numbers = true)]
    remove: Vec<Quantity>,
    /// How many queries are added, as `100,10%`
    #[arg(long, value_name = "A,...", value_delimiter = ',', allow_negative_numbers = true)]
    add: Vec<Quantity>,
    /// Which queries change: three shares, as `0.5,0.8,0.9`
    #[arg(long, value_name = "a,b,c")]
    mix: Option<String>,
    /// Say how many queries can be removed so that the standard deviation of recall stays below this
    #[arg(long, value_name = "SD", allow_negative_numbers = true)]
    deviation: Option<f64>,
    /// How many random changes are drawn; 0 for none
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = trials(), allow_negative_numbers = true)]
    draws: usize,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Draw the distribution of F1 as well, in a terminal or in HTML
    #[arg(long)]
    plot: bool,
    /// Write the distribution of F1 after the first change to an SVG file
    #[arg(long, value_name = "FILE")]
    distribution: Option<String>,
    /// Redirects of the knowledge base: title, then what redirects to it, tab-separated
    #[arg(long, value_name = "FILE")]
    redirects: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  karat collection model --cells 1289,1058,1019,1564,1477 --remove 10,50,100
      Table 3 of Mertens et al. (2014), its first set
  karat collection model -g gold.tsv -s mine=system.tsv --remove 5% --add 20%
      a real system
  karat collection model --cells 452,371,357,548,518 --remove 100 --mix 0.5,0.8,0.9
      half links, 80% of them answered, 90% of the NIL right
  karat collection model --cells 452,371,357,548,518 --remove 20% --distribution f1.svg
      a plot of theory and simulation
  karat collection model --cells 452,371,357,548,518 --deviation 0.005
      how many annotations could have been saved";

impl Model {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.check()?;
        let answer = self.reading.asked(&self.request()?)?;
        let plots = Some(&answer).filter(|_| self.is_plotted());
        let plots: Vec<Histogram> =
            plots.map(karat::collection::QueryModelAnswer::f1_histograms).unwrap_or_default();
        if let (Some(path), Some(first)) = (&self.distribution, plots.first()) {
            write_file(path, &first.svg())?;
        }
        super::print(&answer, plots.into_iter().filter(|_| self.plot), self.format)
    }

    fn request(&self) -> Result<QueryModelRequest, Failure> {
        Ok(QueryModelRequest {
            cells: self.cells.as_deref().map(cells).transpose()?,
            inputs: gold_and_systems(self.gold.as_slice(), &self.systems, &self.reading)?,
            redirects: self.redirects.clone(),
            remove: self.remove.clone(),
            add: self.add.clone(),
            mix: self.mix.as_deref().map(shares).transpose()?,
            deviation: self.deviation,
            draws: self.draws,
            seed: self.seed,
        })
    }

    fn is_plotted(&self) -> bool {
        self.plot || self.distribution.is_some()
    }

    fn check(&self) -> Result<(), Failure> {
        let inputs = self.gold.iter().chain(&self.systems).chain(&self.redirects);
        check_plots(&self.distribution, inputs)?;
        match self.is_plotted() && self.remove.is_empty() && self.add.is_empty() {
            true => Err(Failure::usage(
                "there is no change of which F1 could be plotted",
                "say how many queries go or come: --remove 10%, or --add 10%",
            )),
            false => Ok(()),
        }
    }
}

fn cells(text: &str) -> Result<[u64; 5], Failure> {
    let hint = "write five whole numbers, L,S,T,M,C: gold links, those answered with a link, those answered \
                rightly, gold NIL, those answered NIL";
    let numbers: Result<Vec<u64>, &str> =
        text.split(',').map(|number| number.trim().parse().map_err(|_| number)).collect();
    let numbers =
        numbers.map_err(|bad| Failure::usage(format!("`{bad}` in --cells is no count"), hint))?;
    numbers.try_into().map_err(|numbers: Vec<u64>| {
        Failure::usage(format!("--cells has {} numbers, not 5", numbers.len()), hint)
    })
}

fn shares(text: &str) -> Result<[f64; 3], Failure> {
    let shares: Option<Vec<f64>> = text.split(',').map(|share| share.trim().parse().ok()).collect();
    shares.and_then(|shares| shares.try_into().ok()).ok_or_else(|| {
        Failure::usage(
            format!("`{text}` are not three shares"),
            "write --mix a,b,c, each from 0 to 1: links of all, answered of the links, right of the NIL",
        )
    })
}
