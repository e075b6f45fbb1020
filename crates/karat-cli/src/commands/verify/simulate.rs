//! `karat verify simulate`

use crate::failure::Failure;
use crate::forms::{Form, forms};
use clap::Args;
use karat::campaigns::plan::Redundancy;
use karat::campaigns::simulation::{SimulatedPeople, SimulationDesign};
use karat::verify::SimulateRequest;

/// Say what a campaign will cost and how sure its rates will be
///
/// People are simulated: good ones, sloppy ones who verify too much, those who always verify, and those who guess. All
/// answer controls first, and who fails is left out. Each design is one line: how often items are judged, how many
/// outcomes are right, how wide the interval of the verification rate is, and how often it has the true rate.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// Items of a campaign
    #[arg(long, value_name = "N", default_value_t = 600)]
    items: usize,
    /// True shares of verify, modify and remove
    #[arg(long, value_name = "V,M,R", value_parser = numbers::<f64, 3>, default_value = "0.86,0.10,0.04")]
    shares: Numbers<f64, 3>,
    /// How many are good, are sloppy, always verify, and guess
    #[arg(long, value_name = "G,S,V,X", value_parser = numbers::<usize, 4>, default_value = "30,15,4,1")]
    people: Numbers<usize, 4>,
    /// Controls that everybody answers
    #[arg(long, value_name = "N", default_value_t = 12)]
    controls: usize,
    /// Who has a smaller share of controls right is left out; 0 leaves nobody out
    #[arg(long, value_name = "SHARE", default_value_t = 0.6)]
    leave_out: f64,
    /// Judgements of each item to compare with: one design for each number
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,3,5")]
    judgements: Vec<usize>,
    /// Campaigns of each design
    #[arg(long, value_name = "N", default_value_t = 20)]
    campaigns: usize,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  karat verify simulate
      judgements as needed, against one, three and five of each item
  karat verify simulate --people 35,0,15,0 --controls 0 --leave-out 0
      what becomes of results when three in ten always verify, and nobody looks";

/// So many numbers with commas between them.
type Numbers<T, const N: usize> = [T; N];

fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> Result<Numbers<T, N>, String> {
    let parsed: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let parsed = parsed.and_then(|parsed| <[T; N]>::try_from(parsed).ok());
    parsed.ok_or_else(|| format!("expected {N} numbers with commas between them"))
}

impl Simulate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let kinds = [
            SimulatedPeople::good,
            SimulatedPeople::sloppy,
            SimulatedPeople::nodding,
            SimulatedPeople::guessing,
        ];
        let design = SimulationDesign {
            items: self.items,
            shares: self.shares,
            people: kinds.iter().zip(&self.people).map(|(kind, &number)| kind(number)).collect(),
            controls: self.controls,
            leave_out_below: (self.leave_out > 0.0).then_some(self.leave_out),
            seed: self.seed,
            ..SimulationDesign::default()
        };
        let others =
            self.judgements.iter().map(|&judgements| Redundancy::Fixed { judgements }).collect();
        let request = SimulateRequest { design, others, campaigns: self.campaigns };
        super::print(&super::answered(&request)?, Vec::new(), self.format)
    }
}
