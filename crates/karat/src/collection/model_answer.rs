//! How far scores move when queries are removed or added: the answer, its tables and its plots.

use super::distribution::f1_distribution;
use crate::request::{Answer, record};
use karat_model::Notice;
use karat_report::plot::Histogram;
use karat_report::{Column, Deferred, Report, ReportSection, RowsRecord, Table};
use karat_stats::collection::{
    Cells, CollectionChange, Model, deviation_after_removal, largest_removal,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far scores move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueryModelAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the numbers depend on.
    pub signature: String,
    /// What became of the queries, a row for each system.
    pub answers: Vec<QueryCounts>,
    /// What happens to each score, a row for each system, change and score.
    pub changes: Vec<ChangedScore>,
    /// How many queries can be removed, a row for each system, if that was asked for.
    pub budget: Vec<RemovalBudget>,
    /// The names of the systems; none if the queries were given as counts.
    #[serde(default)]
    pub systems: Vec<String>,
    /// How many random changes were to be drawn.
    #[serde(default)]
    pub draws: usize,
    /// What the random numbers depend on.
    #[serde(default)]
    pub seed: u64,
    /// What a reader of the numbers has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What a system answered, with the letters of Mertens et al. (2014).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueryCounts {
    /// The system, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Gold links.
    #[serde(rename = "L")]
    pub links: u64,
    /// Those that were answered with a link.
    #[serde(rename = "S")]
    pub answered: u64,
    /// Those that were answered with the right link.
    #[serde(rename = "T")]
    pub right: u64,
    /// Gold NIL.
    #[serde(rename = "M")]
    pub nil: u64,
    /// Those that were answered NIL.
    #[serde(rename = "C")]
    pub right_nil: u64,
    /// The precision of links.
    #[serde(rename = "P link")]
    pub link_precision: Option<f64>,
    /// The recall of links.
    #[serde(rename = "R link")]
    pub link_recall: Option<f64>,
    /// The precision of NIL.
    #[serde(rename = "P NIL")]
    pub nil_precision: Option<f64>,
    /// The recall of NIL.
    #[serde(rename = "R NIL")]
    pub nil_recall: Option<f64>,
    /// The precision of both.
    #[serde(rename = "P")]
    pub precision: Option<f64>,
    /// The recall of both.
    #[serde(rename = "R")]
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    #[serde(rename = "F1")]
    pub f1: Option<f64>,
}

/// What a change does to a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedScore {
    /// The system, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The change, as `remove 10` or `add 10`.
    #[serde(with = "in_words")]
    pub change: CollectionChange,
    /// How many queries there are afterwards.
    pub queries: u64,
    /// The score: `precision`, `recall` or `F1`.
    pub score: String,
    /// Its mean.
    pub mean: Option<f64>,
    /// Its standard deviation.
    pub sd: Option<f64>,
    /// It is lower in 2.5% of all cases.
    #[serde(rename = "2.5%")]
    pub low: Option<f64>,
    /// It is higher in 2.5% of all cases.
    #[serde(rename = "97.5%")]
    pub high: Option<f64>,
    /// The worst that can happen.
    pub worst: f64,
    /// The best that can happen.
    pub best: f64,
    /// The mean over random changes, where some were drawn.
    #[serde(default, rename = "drawn mean", skip_serializing_if = "Option::is_none")]
    pub drawn_mean: Option<f64>,
    /// The standard deviation over random changes.
    #[serde(default, rename = "drawn sd", skip_serializing_if = "Option::is_none")]
    pub drawn_sd: Option<f64>,
    /// The lowest of the random changes.
    #[serde(default, rename = "drawn min", skip_serializing_if = "Option::is_none")]
    pub drawn_min: Option<f64>,
    /// The highest of the random changes.
    #[serde(default, rename = "drawn max", skip_serializing_if = "Option::is_none")]
    pub drawn_max: Option<f64>,
}

/// How many queries of a system can be removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemovalBudget {
    /// The system, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// How many queries there are.
    pub queries: u64,
    /// Its recall.
    pub recall: Option<f64>,
    /// How many can go.
    #[serde(rename = "can go")]
    pub can_go: Option<u64>,
    /// The standard deviation of recall when they are gone.
    #[serde(rename = "sd of recall then")]
    pub deviation: Option<f64>,
}

impl Answer for QueryModelAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let section = |title, table: fn(&QueryModelAnswer) -> Table| {
            ReportSection::unless_empty(title, Deferred::by(move || table(self)))
        };
        Report {
            sections: vec![
                section("The answers", QueryModelAnswer::answers_table),
                section("When queries go or come", QueryModelAnswer::changes_table),
                section("How many can go", QueryModelAnswer::budget_table),
            ],
            rows: Some(Deferred::by(|| {
                let answers = self.answers_table();
                let (changes, budget) = (self.changes_table(), self.budget_table());
                let tables = [("answers", &answers), ("changes", &changes), ("budget", &budget)];
                Table::in_rows(&tables, &["system", "change", "score"])
            })),
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::default()
        }
    }
}

impl QueryModelAnswer {
    /// What each system answered.
    fn answers_table(&self) -> Table {
        let counts = ["L", "S", "T", "M", "C"].map(Column::count);
        let scores = ["P link", "R link", "P NIL", "R NIL", "P", "R", "F1"];
        let scores = scores.map(|name| Column::number(name, 4));
        self.table(counts.into_iter().chain(scores), &self.answers)
    }

    /// What the changes do.
    fn changes_table(&self) -> Table {
        let columns = [Column::text("change"), Column::count("queries"), Column::text("score")];
        let numbers = ["mean", "sd", "2.5%", "97.5%", "worst", "best"];
        let drawn = ["drawn mean", "drawn sd", "drawn min", "drawn max"];
        let is_drawn = self.changes.iter().any(|row| row.drawn_mean.is_some());
        let drawn = drawn.iter().filter(|_| is_drawn);
        let numbers = numbers.iter().chain(drawn).map(|name| Column::number(*name, 4));
        self.table(columns.into_iter().chain(numbers), &self.changes)
    }

    /// How many queries can go.
    fn budget_table(&self) -> Table {
        let columns = [Column::count("queries"), Column::number("recall", 4)];
        let more = [Column::count("can go"), Column::number("sd of recall then", 5)];
        self.table(columns.into_iter().chain(more), &self.budget)
    }

    /// The rows of a record as a table: its keys are the names of the columns.
    fn table(&self, columns: impl Iterator<Item = Column>, rows: &[impl Serialize]) -> Table {
        let system = (self.answers.len() > 1).then(|| Column::text("system"));
        let object = |row| match record(row) {
            Value::Object(object) => object,
            _ => serde_json::Map::new(),
        };
        let columns = system.into_iter().chain(columns).collect();
        RowsRecord { rows: rows.iter().map(object).collect(), columns }.table()
    }

    /// The distribution of F1 after each change, by theory and as it comes out of changing queries one by one.
    ///
    /// The answer has the counts, the changes and the seed, from which everything is computed again: a record with
    /// all points would be a thousand times as long.
    pub fn f1_histograms(&self) -> Vec<Histogram> {
        let f1 = self.changes.iter().filter(|row| row.score == "F1");
        f1.filter_map(|row| self.f1_histogram(row)).collect()
    }

    fn f1_histogram(&self, row: &ChangedScore) -> Option<Histogram> {
        let answers = self.answers.iter().find(|answers| answers.system == row.system)?;
        let model = Model::new(Cells::from_totals(answers.totals()).ok()?, row.change).ok()?;
        // Large changes take long one by one; a few hundred draws still make a histogram.
        let affordable = (MOST_TAKEN / model.size().max(1)).clamp(FEWEST_PLOTTED, MOST_PLOTTED);
        let drawn = model.simulate_one_by_one(self.draws.min(affordable as usize), self.seed);
        let theory = model.exact().map(|exact| exact.f1);
        let words = in_words::words(row.change);
        let title = match row.system.as_ref().or(self.systems.first()) {
            None => format!("F1 after: {words}"),
            Some(name) => format!("F1 of {name} after: {words}"),
        };
        Some(f1_distribution(title, &drawn, theory.as_ref()))
    }
}

/// More draws than these make a histogram no better.
const MOST_PLOTTED: u64 = 10_000;
/// Fewer make none.
const FEWEST_PLOTTED: u64 = 200;
/// How many single queries are taken for one histogram, about.
const MOST_TAKEN: u64 = 100_000_000;

impl QueryCounts {
    pub(super) fn of(system: Option<String>, cells: &Cells) -> QueryCounts {
        let [links, answered, right, nil, right_nil] = cells.totals();
        let scores = cells.scores();
        QueryCounts {
            system,
            links,
            answered,
            right,
            nil,
            right_nil,
            link_precision: scores.link_precision,
            link_recall: scores.link_recall,
            nil_precision: scores.nil_precision,
            nil_recall: scores.nil_recall,
            precision: scores.precision,
            recall: scores.recall,
            f1: scores.f1,
        }
    }

    /// The counts in the order of the paper.
    pub fn totals(&self) -> [u64; 5] {
        [self.links, self.answered, self.right, self.nil, self.right_nil]
    }
}

impl RemovalBudget {
    pub(super) fn of(system: Option<String>, cells: &Cells, deviation: f64) -> RemovalBudget {
        let can_go = largest_removal(cells, deviation);
        RemovalBudget {
            system,
            queries: cells.queries(),
            recall: cells.scores().recall,
            can_go,
            deviation: can_go.and_then(|most| deviation_after_removal(cells, most)),
        }
    }
}

/// A change as `remove 10` or `add 10`.
pub(super) mod in_words {
    use karat_stats::collection::CollectionChange;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn words(change: CollectionChange) -> String {
        match change {
            CollectionChange::Remove(size) => format!("remove {size}"),
            CollectionChange::Add(size) => format!("add {size}"),
        }
    }

    pub(super) fn serialize<S: Serializer>(
        change: &CollectionChange,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&words(*change))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<CollectionChange, D::Error> {
        let text = String::deserialize(deserializer)?;
        let change = match text.split_once(' ') {
            Some(("remove", size)) => size.parse().ok().map(CollectionChange::Remove),
            Some(("add", size)) => size.parse().ok().map(CollectionChange::Add),
            _ => None,
        };
        change.ok_or_else(|| D::Error::custom(format!("`{text}` is no change as `remove 10`")))
    }
}
