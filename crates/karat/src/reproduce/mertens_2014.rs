//! Mertens et al. (2014), on the test collections of entity linking. FIRE.
//!
//! Tables 1 and 2 give percentages, from which the counts follow; the counts give Table 3 and Figure 3.
//! The runs behind Figures 1 and 4 are not public: what the paper does with them is done here with
//! public outputs for AIDA, where these are at hand (`trial.rs`).

mod trial;

use super::{Attachment, Data, Paper, Row, Section, Verdict};
use crate::collection::f1_distribution;
use karat_formats::Problem;
use karat_report::plot::Plot;
use karat_report::{Cell, Column, TSV, Table};
use karat_stats::collection::{
    Cells, CollectionChange, Distribution, Model, Published, kolmogorov_smirnov, observed,
};

pub(super) static PAPER: Paper = Paper {
    name: "mertens-2014",
    title: "Mertens et al. (2014): the test collections of entity linking",
    needs: "nothing; with aida-testb and elevant also the trials on AIDA",
    run,
};

fn run(data: &Data) -> Result<Vec<Section>, Problem> {
    let all = SUBSETS.iter().map(Subset::cells).fold(Cells::default(), |sum, cells| sum + cells);
    let mut sections = vec![tables_1_and_2(&all), table_3(&all), figure_3()];
    sections.extend(trial::sections(data)?);
    Ok(sections)
}

/// A part of the queries, as Tables 1 and 2 describe it.
struct Subset {
    name: &'static str,
    published: Published,
    /// The total precision that Table 2 prints, in percent.
    precision: &'static str,
}

const SUBSETS: [Subset; 3] = [
    Subset {
        name: "Manual",
        published: Published {
            queries: 500,
            link_share: 73.4,
            link_recall: 86.6,
            nil_recall: 84.2,
            link_precision: 91.1,
            nil_precision: 74.2,
            recall: 86.0,
            decimals: 1,
        },
        precision: "87.1",
    },
    Subset {
        name: "RD",
        published: Published {
            queries: 1407,
            link_share: 53.5,
            link_recall: 80.5,
            nil_recall: 92.5,
            link_precision: 89.1,
            nil_precision: 83.2,
            recall: 86.1,
            decimals: 1,
        },
        precision: "87.0",
    },
    Subset {
        name: "RM",
        published: Published {
            queries: 946,
            link_share: 17.9,
            link_recall: 56.2,
            nil_recall: 97.8,
            link_precision: 81.9,
            nil_precision: 91.6,
            recall: 90.4,
            decimals: 1,
        },
        precision: "89.8",
    },
];

impl Subset {
    /// The counts behind the percentages, if they are the only ones.
    fn cells(&self) -> Cells {
        match self.published.solutions().as_slice() {
            [only] => *only,
            _ => Cells::default(),
        }
    }
}

/// What the paper's definition gives where it prints another total precision.
const SLIPS: [(&str, &str); 2] = [("Manual", "86.6"), ("RD", "86.4")];

fn tables_1_and_2(all: &Cells) -> Section {
    let mut rows = Vec::new();
    for subset in &SUBSETS {
        let cells = subset.cells();
        let scores = cells.scores();
        let solutions = subset.published.solutions().len();
        let found = format!("whole numbers that give the percentages: {solutions}");
        rows.push(Row::new(&[subset.name, "L S T M C"], "", totals(&cells)).note(&found));
        let recall = format!("{:.1}", subset.published.recall);
        rows.push(Row::new(&[subset.name, "recall"], &recall, percent(scores.recall)));
        let row =
            Row::new(&[subset.name, "precision"], subset.precision, percent(scores.precision));
        let is_slip = SLIPS.contains(&(subset.name, percent(scores.precision).as_str()));
        rows.push(match row.verdict {
            Verdict::Differs if is_slip => row
                .judged(Verdict::Slip)
                .note("the paper's own definition and its other columns give the computed number"),
            _ => row,
        });
        rows.push(Row::new(&[subset.name, "F1"], "", decimals(scores.f1, 4)));
    }
    rows.push(Row::new(&["all (Set 1)", "L S T M C"], "", totals(all)));
    rows.push(Row::new(&["all (Set 1)", "F1"], "0.876", decimals(all.scores().f1, 3)));
    let remarks = [
        "L gold links, S of them answered with a link, T rightly; M gold NIL, C of them answered NIL. The search goes \
         through all whole numbers that give the share of links, link and NIL precision and recall, and the share of \
         right answers to one decimal.",
    ];
    Section::new(
        "Tables 1 and 2: the counts behind the percentages",
        &["queries", "number"],
        rows,
        &remarks,
    )
}

/// As Table 3 prints it: the size, then mean, standard deviation, lowest and highest of 10,000 draws,
/// for the first set and for the second.
const TABLE_3: [(u64, [[&str; 4]; 2]); 3] = [
    (10, [["0.876", "0.000", "0.875", "0.877"], ["0.876", "0.001", "0.874", "0.882"]]),
    (50, [["0.876", "0.001", "0.873", "0.879"], ["0.876", "0.002", "0.869", "0.888"]]),
    (100, [["0.876", "0.001", "0.872", "0.881"], ["0.876", "0.003", "0.865", "0.893"]]),
];
/// How often the paper draws.
const DRAWS: u64 = 10_000;
/// How many queries the second set has.
const SET_2: u64 = 1000;

fn table_3(all: &Cells) -> Section {
    let sets = [("Set 1", *all), ("Set 2", all.scaled(SET_2))];
    let mut rows = Vec::new();
    for (removed, printed) in TABLE_3 {
        for ((set, cells), [mean, deviation, lowest, highest]) in sets.iter().zip(printed) {
            let Some(f1) = f1_after(cells, removed) else { continue };
            let size = format!("X = {removed}");
            let row = |number: &str, printed, computed| {
                Row::new(&[set, &size, number], printed, computed)
            };
            let error = 4.0 * f1.deviation / (DRAWS as f64).sqrt();
            rows.push(agreement(
                row("mean", mean, format!("{:.3}", f1.mean)),
                [f1.mean - error, f1.mean + error],
                &format!(
                    "{:.5} is on the edge of both; the paper's is the mean of 10,000 draws",
                    f1.mean
                ),
            ));
            rows.push(row("std", deviation, format!("{:.3}", f1.deviation)));
            let [low, high] = f1.range_of_lowest(DRAWS, 0.95);
            rows.push(agreement(row("min", lowest, range(low, high)), [low, high], ""));
            let [low, high] = f1.range_of_highest(DRAWS, 0.95);
            rows.push(agreement(row("max", highest, range(low, high)), [low, high], ""));
        }
    }
    rows.extend(text_differences());
    let bounds = |(set, cells): &(&str, Cells)| {
        let f1 = Model::new(*cells, CollectionChange::Remove(100)).ok()?.extremes().f1;
        Some(format!("{set} {:.3} to {:.3}", f1.worst, f1.best))
    };
    let bounds: Vec<String> = sets.iter().filter_map(bounds).collect();
    Section::new(
        "Table 3: F1 when X queries are removed at random",
        &["queries", "removed", "number"],
        rows,
        &[
            "Mean and standard deviation are exact. The paper's minima and maxima are the lowest and highest of \
             10,000 random draws; computed is the range in which these lie with a chance of 95%, from the exact \
             distribution.",
            &format!(
                "They are not the worst and the best that can happen, which for X = 100 are: {}.",
                bounds.join(", ")
            ),
            "Set 2 has the shares of Set 1 among 1000 queries.",
        ],
    )
}

/// What the text says about the first lines of the table, and what these lines say.
fn text_differences() -> Vec<Row> {
    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
    let (removed, sets) = TABLE_3[0];
    let size = format!("X = {removed}");
    let row = |((set, said), [_, _, lowest, highest]): ((&str, &str), [&str; 4])| {
        let difference = format!("{:.3}", number(highest) - number(lowest));
        Row::new(&[set, &size, "max - min"], said, difference)
            .judged(Verdict::Slip)
            .note("said in the text; the table itself has the computed number")
    };
    [("Set 1", "0.02"), ("Set 2", "0.08")].into_iter().zip(sets).map(row).collect()
}

fn f1_after(cells: &Cells, removed: u64) -> Option<Distribution> {
    Some(Model::new(*cells, CollectionChange::Remove(removed)).ok()?.exact()?.f1)
}

/// A row that agrees if what is printed may be the rounding of something in a range.
fn agreement(row: Row, [low, high]: [f64; 2], note: &str) -> Row {
    let half = 0.5
        * 0.1f64.powi(row.printed.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32));
    let fits = row
        .printed
        .parse()
        .is_ok_and(|printed: f64| low - half <= printed && printed <= high + half);
    match row.verdict {
        Verdict::Differs if fits => row.judged(Verdict::Agrees).note(note),
        _ => row,
    }
}

fn figure_3() -> Section {
    let mut rows = Vec::new();
    let mut files = Vec::new();
    let names = ["queries", "removed", "series"].map(Column::text);
    let numbers = ["chance of that or less", "F1"].map(Column::exact);
    let mut data = Table::new(names.into_iter().chain(numbers));
    for subset in &SUBSETS {
        let cells = subset.cells();
        for (share, removed) in [5, 20].map(|share| (share, (cells.queries() * share + 50) / 100)) {
            let Ok(model) = Model::new(cells, CollectionChange::Remove(removed)) else { continue };
            let theory = model.simulate(DRAWS as usize, 1);
            let drawn = model.simulate_one_by_one(DRAWS as usize, 2);
            let (Some(exact), Some(theory), Some(removal)) =
                (model.exact(), observed(&theory), observed(&drawn))
            else {
                continue;
            };
            let title = format!("F1 of {} without {share}% of its queries", subset.name);
            let plot = f1_distribution(title, &drawn, Some(&exact.f1));
            let name = format!("figure-3-{}-q{share}.svg", subset.name.to_lowercase());
            files.push(Attachment::new(name, plot.svg()));
            for (series, f1) in [("model", &exact.f1), ("removed one by one", &removal.f1)] {
                let head = [subset.name, &format!("{share}%"), series].map(Cell::from);
                for percent in 1..100 {
                    let chance = f64::from(percent) / 100.0;
                    let numbers = [chance, f1.quantile(chance)].map(Cell::from);
                    data.row(head.iter().cloned().chain(numbers));
                }
            }
            let distance = theory.f1.distance(&removal.f1);
            let p = kolmogorov_smirnov(distance, DRAWS as usize, DRAWS as usize).unwrap_or(0.0);
            let labels = [subset.name, &format!("q = {share}%"), "F1"];
            let with_sd = |f1: &Distribution| format!("{:.4} ± {:.4}", f1.mean, f1.deviation);
            let note = format!(
                "model {}, removed one by one {}; exact {}; distance {distance:.4}",
                with_sd(&theory.f1),
                with_sd(&removal.f1),
                with_sd(&exact.f1)
            );
            // Six tests: together they fail by chance as often as one at 5%.
            let verdict = if p >= 0.05 / 6.0 { Verdict::Agrees } else { Verdict::Differs };
            let row = Row::new(&labels, "no difference", format!("p = {p:.2}"));
            rows.push(row.judged(verdict).note(&note));
        }
    }
    files.push(Attachment::new("figure-3.tsv".to_owned(), data.render(TSV, None)));
    let section = Section::new(
        "Figure 3: the model against random removals",
        &["queries", "removed", "score"],
        rows,
        &[
            "The paper draws both distributions without printing numbers. 10,000 draws of the model are compared with \
             10,000 removals of single queries from a list, by the two-sample test of Kolmogorov and Smirnov.",
            "With -o, the removals are drawn beside the exact distribution of the model, from the counts behind Tables 1 and 2.",
        ],
    );
    Section { files, ..section }
}

fn totals(cells: &Cells) -> String {
    cells.totals().map(|total| total.to_string()).join(" ")
}

fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:.1}", 100.0 * share))
}

fn decimals(score: Option<f64>, decimals: usize) -> String {
    score.map_or(String::new(), |score| format!("{score:.decimals$}"))
}

fn range(low: f64, high: f64) -> String {
    format!("{low:.4}–{high:.4}")
}
