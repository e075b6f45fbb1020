//! How many queries are enough: request and answer.

use super::asked::{AskedQueries, check_draws};
use super::evolution::{Evolution, SizeUnit};
use super::quantity::Quantity;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::request::{Answer, Request, record};
use crate::scoring::few_trials;
use crate::work::{Work, watching};
use karat_model::{Hint, Notice, Watch};
use karat_report::{Deferred, Report, ReportSection, RowsRecord, Table};
use karat_stats::collection::{CollectionResampling, sizes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Asks how many queries are enough: to narrow an interval, and to tell systems apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollectionSizeRequest {
    /// One gold standard, and systems.
    pub inputs: Inputs,
    /// A file of redirects of the knowledge base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirects: Option<String>,
    /// The width that the 95% interval of F1 should have.
    pub width: f64,
    /// What the set grows by.
    pub by: SizeUnit,
    /// At which sizes to look; 1, 2, 5, 10 and so on if there are none.
    pub at: Vec<Quantity>,
    /// In how many random orders the set is grown.
    pub orders: usize,
    /// How many samples are drawn at each size.
    pub trials: usize,
    /// What the random numbers depend on.
    pub seed: u64,
}

impl Default for CollectionSizeRequest {
    fn default() -> CollectionSizeRequest {
        CollectionSizeRequest {
            inputs: Inputs::default(),
            redirects: None,
            width: 0.02,
            by: SizeUnit::default(),
            at: Vec::new(),
            orders: 20,
            trials: 1000,
            seed: 1,
        }
    }
}

/// How many queries are enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CollectionSizeAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the numbers depend on.
    pub signature: String,
    /// A row for each system: F1, its interval, and how many queries or documents are needed.
    pub systems: Vec<Map<String, Value>>,
    /// A row for each size, in the order given.
    pub growth: Vec<Map<String, Value>>,
    /// A row for each size and score, over random orders.
    pub orders: Vec<Map<String, Value>>,
    /// The width that the intervals should have.
    pub width: f64,
    /// The same numbers by system and size. Whatever is shown is made from these.
    pub evolution: Evolution,
    /// What a reader of the numbers has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

impl Request for CollectionSizeRequest {
    type Answer = CollectionSizeAnswer;

    const NAME: &'static str = "collection-size";

    fn answer(&self, work: &Work) -> Result<CollectionSizeAnswer, Error> {
        self.check()?;
        let mut told: Vec<Notice> = few_trials(self.trials).into_iter().collect();
        let mut asked = AskedQueries::read(&self.inputs, self.redirects.as_ref(), work, &mut told)?;
        let by = if self.by == SizeUnit::Query { "query" } else { "doc" };
        let boot = format!("{by},{},seed={},level={LEVEL}", self.trials, self.seed);
        asked.signature.push("boot", &boot);
        asked.signature.push("orders", &self.orders.to_string());
        let sizes = self.sizes(&asked)?;
        let rounds = self.orders * sizes.len();
        work.begin("drawing", (rounds * self.trials) as u64)?;
        let evolution = work.run(|| self.evolution(&asked, &sizes, &work.watch()))??;
        let rows = |table: &Table| RowsRecord::from(table).rows;
        Ok(CollectionSizeAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: asked.signature.to_string(),
            systems: rows(&evolution.standings(self.width)),
            growth: rows(&evolution.growth()),
            orders: rows(&evolution.random_orders_in_rows()),
            width: self.width,
            evolution,
            notices: told,
        })
    }
}

/// How sure the intervals are, in percent.
const LEVEL: f64 = 95.0;

impl CollectionSizeRequest {
    fn check(&self) -> Result<(), Error> {
        if self.width.is_nan() || self.width <= 0.0 || self.width > 1.0 {
            return Err(Error::bad_request(
                format!("`{}` is no width of an interval", self.width),
                Hint::template("write a share above 0, as {width=0.02}"),
            ));
        }
        if self.trials == 0 {
            return Err(Error::bad_request(
                "no samples are to be drawn",
                Hint::template("give {trials} a number, 100 or more"),
            ));
        }
        check_draws(self.trials)?;
        check_draws(self.orders)
    }

    /// The sizes at which the set is looked at.
    fn sizes(&self, asked: &AskedQueries) -> Result<Vec<usize>, Error> {
        let all = asked.queries.answers.growth(self.by.into()).len();
        let sizes = match self.at.as_slice() {
            [] => sizes(all),
            given => given.iter().map(|quantity| quantity.of(all as u64) as usize).collect(),
        };
        if let Some(large) = sizes.iter().find(|&&size| size > all || size == 0) {
            return Err(Error::bad_request(
                format!("the set cannot be looked at with {large} of {all}"),
                Hint::template(
                    "{at} takes sizes from 1 to everything; what is not there cannot be drawn",
                ),
            ));
        }
        Ok(sizes)
    }

    fn evolution(
        &self,
        asked: &AskedQueries,
        sizes: &[usize],
        watch: &Watch,
    ) -> Result<Evolution, Error> {
        let answers = &asked.queries.answers;
        let names: Vec<&str> = asked.systems.iter().map(String::as_str).collect();
        let resampling =
            CollectionResampling { trials: self.trials, seed: self.seed, level: LEVEL };
        let watching = watching(watch);
        let found =
            Evolution::new(&names, answers, self.by, sizes, self.orders, &resampling, &watching);
        found.ok_or_else(|| {
            Error::bad_request(
                format!("`{}` has no queries", asked.benchmark),
                "give a gold standard with mentions",
            )
        })
    }
}

impl Answer for CollectionSizeAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let section = |title: String, table: fn(&CollectionSizeAnswer) -> Table| {
            ReportSection::unless_empty(title, Deferred::by(move || table(self)))
        };
        Report {
            sections: vec![
                section(
                    format!("Now, and how many an interval of {} needs", self.width),
                    |answer| answer.evolution.standings(answer.width),
                ),
                section("As the set grows, in the order given".to_owned(), |answer| {
                    answer.evolution.growth()
                }),
                section("In random orders: median and 95% band".to_owned(), |answer| {
                    answer.evolution.random_orders()
                }),
            ],
            rows: Some(Deferred::by(|| self.evolution.in_rows(self.width))),
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::default()
        }
    }
}
