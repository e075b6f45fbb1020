//! `karat collection model`

use super::Quantity;
use crate::arguments::{ReadArguments, terminal_width};
use crate::drawing::trials;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::scoring::read_one;
use crate::show;
use crate::written::{check_plot, write_file};
use clap::Args;
use karat::collection::{Queries, f1_distribution};
use karat::inputs::Experiment;
use karat::measures::Signature;
use karat::model::Corpus;
use karat::report::plot::{Histogram, Plot};
use karat::report::{Cell, Column, Deferred, Report, Table};
use karat::stats::collection::{
    self as stats, Cells, CellsError, Change, ChangeError, Distribution, Each, Mix, Range,
};

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

/// More draws than these make a histogram no better.
const MOST_PLOTTED: u64 = 10_000;
/// Fewer make none.
const FEWEST_PLOTTED: u64 = 200;
/// How many single queries are taken for one histogram, about.
const MOST_TAKEN: u64 = 100_000_000;

/// A system and what became of its queries.
type Named = (String, Cells);

impl Model {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.check()?;
        let (systems, mut signature) = self.systems()?;
        let mut changes = Vec::new();
        for (name, cells) in &systems {
            let all = cells.queries();
            let removals = self.remove.iter().map(|quantity| Change::Remove(quantity.of(all)));
            let additions = self.add.iter().map(|quantity| Change::Add(quantity.of(all)));
            for change in removals.chain(additions) {
                let model = stats::Model::new(*cells, change).map_err(change_failure)?;
                changes.push((name.as_str(), model, change));
            }
        }
        let several = systems.len() > 1;
        let mut table = self.change_table(several);
        for (name, model, change) in &changes {
            self.add_rows(&mut table, several.then_some(*name), model, *change)?;
        }
        if let Some(mix) = &self.mix {
            signature.push("mix", mix);
        }
        if self.draws() > 0 {
            signature.push("draws", &format!("{},seed={}", self.draws, self.seed));
        }
        let tables = [
            ("The answers", "answers", answers(&systems)),
            ("When queries go or come", "changes", table),
            ("How many can go", "budget", self.budget(&systems)?),
        ];
        let keyed = tables.each_ref().map(|(_, key, table)| (*key, table));
        let plotted = changes.iter().filter(|_| self.plot || self.distribution.is_some());
        let plots: Vec<Histogram> =
            plotted.map(|(name, model, change)| self.plot_of(name, model, *change)).collect();
        if let (Some(path), Some(first)) = (&self.distribution, plots.first()) {
            write_file(path, &first.svg())?;
        }
        let shown = plots.into_iter().filter(|_| self.plot);
        let report = Report {
            rows: Some(Deferred::by(|| Table::in_rows(&keyed, &["system", "change", "score"]))),
            plots: shown.map(|plot| Box::new(plot) as Box<dyn Plot>).collect(),
            ..super::report(&tables, &signature)
        };
        printing::print(&report, self.format, terminal_width())
    }

    fn check(&self) -> Result<(), Failure> {
        if let Some(path) = &self.distribution {
            let inputs = self.gold.iter().chain(&self.systems).chain(&self.redirects);
            check_plot(path, inputs)?;
        }
        let is_plotted = self.plot || self.distribution.is_some();
        match is_plotted && self.remove.is_empty() && self.add.is_empty() {
            true => Err(Failure::usage(
                "there is no change of which F1 could be plotted",
                "say how many queries go or come: --remove 10%, or --add 10%",
            )),
            false => Ok(()),
        }
    }

    /// F1 by theory, and as it was drawn.
    fn plot_of(&self, name: &str, model: &stats::Model, change: Change) -> Histogram {
        // Large changes take long one by one; a few hundred draws still make a histogram.
        let affordable = (MOST_TAKEN / model.size().max(1)).clamp(FEWEST_PLOTTED, MOST_PLOTTED);
        let drawn = model.simulate_one_by_one(self.draws.min(affordable as usize), self.seed);
        let theory = model.exact().map(|exact| exact.f1);
        let title = match (name, words(change)) {
            ("", words) => format!("F1 after: {words}"),
            (name, words) => format!("F1 of {name} after: {words}"),
        };
        f1_distribution(title, &drawn, theory.as_ref())
    }

    /// The systems, and what their numbers depend on.
    fn systems(&self) -> Result<(Vec<Named>, Signature), Failure> {
        let convention = super::convention();
        let mut signature = Signature::new(&convention);
        if let Some(cells) = &self.cells {
            signature.push("cells", cells);
            return Ok((vec![(String::new(), parse_cells(cells)?)], signature));
        }
        let Some(gold) = &self.gold else {
            return Err(Failure::usage(
                "there are no queries",
                "give the counts with --cells L,S,T,M,C, or a gold standard and a system with -g and -s",
            ));
        };
        let identity = super::identity(self.redirects.as_deref(), &convention)?;
        let experiment = read_one(gold, &self.systems, &self.reading)?;
        let Experiment { benchmark, runs } = &experiment;
        for run in runs {
            super::say_who_is_absent(&benchmark.name, &benchmark.corpus, &run.name, &run.corpus);
        }
        let outputs: Vec<&Corpus> = runs.iter().map(|run| run.corpus.as_ref()).collect();
        let queries = Queries::new(&benchmark.corpus, &outputs, &identity, &convention.settings);
        if let Some(kb) = identity.signature() {
            signature.push("kb", &kb);
        }
        let gold = format!("{}@{}", benchmark.name, benchmark.corpus.digest().short());
        signature.push("gold", &gold);
        let names = runs.iter().map(|run| run.name.clone());
        let systems = names.enumerate().map(|(at, name)| (name, queries.cells(at)));
        Ok((systems.collect(), signature))
    }

    /// How many changes are drawn: none with a mix, when they would be of another kind.
    fn draws(&self) -> usize {
        if self.mix.is_some() { 0 } else { self.draws }
    }

    fn change_table(&self, several: bool) -> Table {
        let system = several.then(|| Column::text("system"));
        let numbers = ["mean", "sd", "2.5%", "97.5%", "worst", "best"];
        let drawn = ["drawn mean", "drawn sd", "drawn min", "drawn max"];
        let drawn = drawn.iter().filter(|_| self.draws() > 0);
        let columns = [Column::text("change"), Column::count("queries"), Column::text("score")];
        let numbers = numbers.iter().chain(drawn).map(|name| Column::number(*name, 4));
        Table::new(system.into_iter().chain(columns).chain(numbers))
    }

    fn add_rows(
        &self,
        table: &mut Table,
        name: Option<&str>,
        model: &stats::Model,
        change: Change,
    ) -> Result<(), Failure> {
        let (range, exact) = match &self.mix {
            Some(mix) => {
                let mix = parse_mix(mix, model.size())?;
                let range = model.extremes_of(&mix).map_err(change_failure)?;
                (range, Some(model.distribution_of(&mix).map_err(change_failure)?))
            }
            None => (model.extremes(), model.exact()),
        };
        let drawn = stats::observed(&model.simulate(self.draws(), self.seed));
        let words = words(change);
        if exact.is_none() && !self.reading.quiet {
            show::note(&format!(
                "{words}: there are too many cases to go through; mean, sd and the 95% are those of the draws"
            ));
        }
        for (at, (score, range)) in range.named().into_iter().enumerate() {
            let one = |each: &Option<Each<Distribution>>| {
                each.as_ref().map(|each| each.named()[at].1.clone())
            };
            let named = name.map(Cell::from);
            let head =
                [Cell::from(words.as_str()), Cell::Count(model.queries_after()), Cell::from(score)];
            let cells = numbers(one(&exact).or_else(|| one(&drawn)), range)
                .into_iter()
                .chain(draws_of(one(&drawn)));
            table.row(named.into_iter().chain(head).chain(cells));
        }
        Ok(())
    }

    fn budget(&self, systems: &[Named]) -> Result<Table, Failure> {
        let several = systems.len() > 1;
        let system = several.then(|| Column::text("system"));
        let columns = [Column::count("queries"), Column::number("recall", 4)];
        let more = [Column::count("can go"), Column::number("sd of recall then", 5)];
        let mut table = Table::new(system.into_iter().chain(columns).chain(more));
        let Some(deviation) = self.deviation else { return Ok(table) };
        if !deviation.is_finite() || deviation < 0.0 {
            return Err(Failure::usage(
                format!("`{deviation}` is no standard deviation"),
                "write a small number that is not negative, as 0.005",
            ));
        }
        for (name, cells) in systems {
            let most = stats::largest_removal(cells, deviation);
            let then = most.and_then(|most| stats::deviation_after_removal(cells, most));
            let numbers = [
                Cell::Count(cells.queries()),
                Cell::from(cells.scores().recall),
                most.map_or(Cell::Missing, Cell::Count),
                Cell::from(then),
            ];
            table.row(several.then(|| Cell::from(name.as_str())).into_iter().chain(numbers));
        }
        Ok(table)
    }
}

/// What each system answered.
fn answers(systems: &[Named]) -> Table {
    let several = systems.len() > 1;
    let counts = ["L", "S", "T", "M", "C"].map(Column::count);
    let scores = ["P link", "R link", "P NIL", "R NIL", "P", "R", "F1"];
    let system = several.then(|| Column::text("system"));
    let scores = scores.map(|name| Column::number(name, 4));
    let mut table = Table::new(system.into_iter().chain(counts).chain(scores));
    for (name, cells) in systems {
        let found = cells.scores();
        let scores = [
            found.link_precision,
            found.link_recall,
            found.nil_precision,
            found.nil_recall,
            found.precision,
            found.recall,
            found.f1,
        ];
        let named = several.then(|| Cell::from(name.as_str()));
        let totals = cells.totals().map(Cell::Count);
        table.row(named.into_iter().chain(totals).chain(scores.map(Cell::from)));
    }
    table
}

fn numbers(known: Option<Distribution>, range: &Range) -> [Cell; 6] {
    let of = |value: fn(&Distribution) -> f64| Cell::from(known.as_ref().map(value));
    [
        of(|known| known.mean),
        of(|known| known.deviation),
        of(|known| known.quantile(0.025)),
        of(|known| known.quantile(0.975)),
        Cell::from(range.worst),
        Cell::from(range.best),
    ]
}

fn draws_of(drawn: Option<Distribution>) -> Vec<Cell> {
    drawn.map_or(Vec::new(), |drawn| {
        [drawn.mean, drawn.deviation, drawn.lowest(), drawn.highest()].map(Cell::from).to_vec()
    })
}

fn words(change: Change) -> String {
    match change {
        Change::Remove(size) => format!("remove {size}"),
        Change::Add(size) => format!("add {size}"),
    }
}

fn parse_cells(text: &str) -> Result<Cells, Failure> {
    let hint = "write five whole numbers, L,S,T,M,C: gold links, those answered with a link, those answered \
                rightly, gold NIL, those answered NIL";
    let numbers: Result<Vec<u64>, &str> =
        text.split(',').map(|number| number.trim().parse().map_err(|_| number)).collect();
    let numbers =
        numbers.map_err(|bad| Failure::usage(format!("`{bad}` in --cells is no count"), hint))?;
    let totals: [u64; 5] = numbers.try_into().map_err(|numbers: Vec<u64>| {
        Failure::usage(format!("--cells has {} numbers, not 5", numbers.len()), hint)
    })?;
    Cells::from_totals(totals)
        .map_err(|error: CellsError| Failure::usage(error.to_string(), error.hint()))
}

fn parse_mix(text: &str, size: u64) -> Result<Mix, Failure> {
    let share = |text: &str| text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
    let shares: Option<Vec<f64>> = text.split(',').map(share).collect();
    let Some([a, b, c]) = shares.as_deref().and_then(|shares| <[f64; 3]>::try_from(shares).ok())
    else {
        return Err(Failure::usage(
            format!("`{text}` are not three shares"),
            "write --mix a,b,c, each from 0 to 1: links of all, answered of the links, right of the NIL",
        ));
    };
    let part = |share: f64, all: u64| (share * all as f64).round() as u64;
    let links = part(a, size);
    Ok(Mix { links, answered: part(b, links), right_nil: part(c, size - links) })
}

fn change_failure(error: ChangeError) -> Failure {
    Failure::usage(error.to_string(), error.hint())
}
