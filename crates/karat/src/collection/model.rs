//! How far scores move when queries are removed or added: the request.

use super::asked::{AskedQueries, check_draws, convention_of_queries, no_queries};
use super::model_answer::{ChangedScore, QueryCounts, QueryModelAnswer, RemovalBudget, in_words};
use super::quantity::Quantity;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::notices;
use crate::request::Request;
use crate::work::Work;
use karat_measures::Signature;
use karat_model::{Hint, Notice};
use karat_stats::collection::{
    Cells, ChangeError, CollectionChange, Distribution, Each, Mix, Model, observed,
};
use serde::{Deserialize, Serialize};

/// Asks how far precision, recall and F1 move when queries are removed or added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueryModelRequest {
    /// The queries as counts, in place of files: gold links L, those of them that were answered with a link S, and
    /// rightly T; gold NIL M, and those of them that were answered NIL C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<[u64; 5]>,
    /// A gold standard and systems.
    pub inputs: Inputs,
    /// A file of redirects of the knowledge base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirects: Option<String>,
    /// How many queries are removed, one change each.
    pub remove: Vec<Quantity>,
    /// How many queries are added, one change each.
    pub add: Vec<Quantity>,
    /// Which queries change: the share of links among them, the share of these that were answered with a link, and
    /// the share of the others that were answered NIL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mix: Option<[f64; 3]>,
    /// Asks how many queries can be removed so that the standard deviation of recall stays below this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// How many random changes are drawn; 0 for none.
    pub draws: usize,
    /// What the random numbers depend on.
    pub seed: u64,
}

impl Default for QueryModelRequest {
    fn default() -> QueryModelRequest {
        QueryModelRequest {
            cells: None,
            inputs: Inputs::default(),
            redirects: None,
            remove: Vec::new(),
            add: Vec::new(),
            mix: None,
            deviation: None,
            draws: 10_000,
            seed: 1,
        }
    }
}

impl Request for QueryModelRequest {
    type Answer = QueryModelAnswer;

    const NAME: &'static str = "query-model";

    fn answer(&self, work: &Work) -> Result<QueryModelAnswer, Error> {
        self.check()?;
        let mut told = Vec::new();
        let (systems, cells, mut signature) = self.queries(work, &mut told)?;
        let is_one = cells.len() == 1;
        let named = |at: usize| systems.get(at).filter(|_| !is_one).cloned();
        let mut changes = Vec::new();
        for (at, cells) in cells.iter().enumerate() {
            for change in self.changes(cells) {
                work.check()?;
                changes.extend(self.changed(named(at), *cells, change, &mut told)?);
            }
        }
        if let Some([links, answered, right_nil]) = self.mix {
            signature.push("mix", &format!("{links},{answered},{right_nil}"));
        }
        // Without draws no number depends on the seed, and the signature need not name it.
        if self.table_draws() > 0 {
            signature.push("draws", &format!("{},seed={}", self.draws, self.seed));
        }
        let each = || cells.iter().enumerate().map(|(at, cells)| (named(at), cells));
        let budget = |deviation: f64| {
            each().map(move |(system, cells)| RemovalBudget::of(system, cells, deviation)).collect()
        };
        Ok(QueryModelAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: signature.to_string(),
            answers: each().map(|(system, cells)| QueryCounts::of(system, cells)).collect(),
            changes,
            budget: self.deviation.map(budget).unwrap_or_default(),
            systems,
            draws: self.draws,
            seed: self.seed,
            notices: told,
        })
    }
}

impl QueryModelRequest {
    fn check(&self) -> Result<(), Error> {
        check_draws(self.draws)?;
        if let Some(mix) = &self.mix
            && !mix.iter().all(|share| (0.0..=1.0).contains(share))
        {
            return Err(Error::bad_request(
                format!("`{},{},{}` are not three shares", mix[0], mix[1], mix[2]),
                Hint::template(
                    "write {mix=a,b,c}, each from 0 to 1: links of all, answered of the links, right of the NIL",
                ),
            ));
        }
        match self.deviation.filter(|deviation| !deviation.is_finite() || *deviation < 0.0) {
            Some(deviation) => Err(Error::bad_request(
                format!("`{deviation}` is no standard deviation"),
                "write a small number that is not negative, as 0.005",
            )),
            None => Ok(()),
        }
    }

    /// The systems by name, what became of their queries, and what that depends on. Counts have no name.
    fn queries(
        &self,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<(Vec<String>, Vec<Cells>, Signature), Error> {
        let has_files = !self.inputs.gold.is_empty();
        match &self.cells {
            Some(_) if has_files => Err(Error::bad_request(
                "queries are given as counts and as files",
                Hint::template("leave out {cells}, or {gold} and {system}"),
            )),
            Some(totals) => {
                let cells = Cells::from_totals(*totals)
                    .map_err(|error| Error::bad_request(error.to_string(), error.hint()))?;
                let convention = convention_of_queries(None).convention()?;
                let mut signature = Signature::new(&convention);
                signature.push("cells", &totals.map(|count| count.to_string()).join(","));
                Ok((Vec::new(), vec![cells], signature))
            }
            None if has_files => {
                let asked = AskedQueries::read(&self.inputs, self.redirects.as_ref(), work, told)?;
                let systems = 0..asked.systems.len();
                let cells = systems.map(|system| asked.queries.cells(system)).collect();
                Ok((asked.systems, cells, asked.signature))
            }
            None => Err(no_queries()),
        }
    }

    /// The changes of so many queries.
    fn changes(&self, cells: &Cells) -> Vec<CollectionChange> {
        let all = cells.queries();
        let removals =
            self.remove.iter().map(|quantity| CollectionChange::Remove(quantity.of(all)));
        let additions = self.add.iter().map(|quantity| CollectionChange::Add(quantity.of(all)));
        removals.chain(additions).collect()
    }

    /// How many changes are drawn for the table: none with a mix, when they would be of another kind.
    fn table_draws(&self) -> usize {
        if self.mix.is_some() { 0 } else { self.draws }
    }

    /// What a change does to the three scores.
    fn changed(
        &self,
        system: Option<String>,
        cells: Cells,
        change: CollectionChange,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<ChangedScore>, Error> {
        let refused = |error: ChangeError| Error::bad_request(error.to_string(), error.hint());
        let model = Model::new(cells, change).map_err(refused)?;
        let (range, exact) = match &self.mix {
            Some(mix) => {
                let mix = queries_of(mix, model.size());
                let range = model.extremes_of(&mix).map_err(refused)?;
                (range, Some(model.distribution_of(&mix).map_err(refused)?))
            }
            None => (model.extremes(), model.exact()),
        };
        let drawn = observed(&model.simulate(self.table_draws(), self.seed));
        // The exact distribution goes through all combinations that matter and gives up where these
        // are too many.
        if exact.is_none() {
            told.push(too_many_cases(change, drawn.is_some()));
        }
        let of_score = |each: &Option<Each<Distribution>>, at: usize| {
            each.as_ref().map(|each| each.named()[at].1.clone())
        };
        let scores = range.named().into_iter().enumerate().map(|(at, (score, range))| {
            let drawn = of_score(&drawn, at);
            let known = of_score(&exact, at).or_else(|| drawn.clone());
            let of = |value: fn(&Distribution) -> f64| known.as_ref().map(value);
            let of_draws = |value: fn(&Distribution) -> f64| drawn.as_ref().map(value);
            ChangedScore {
                system: system.clone(),
                change,
                queries: model.queries_after(),
                score: score.to_owned(),
                mean: of(|known| known.mean),
                sd: of(|known| known.deviation),
                low: of(|known| known.quantile(0.025)),
                high: of(|known| known.quantile(0.975)),
                worst: range.worst,
                best: range.best,
                drawn_mean: of_draws(|drawn| drawn.mean),
                drawn_sd: of_draws(|drawn| drawn.deviation),
                drawn_min: of_draws(Distribution::lowest),
                drawn_max: of_draws(Distribution::highest),
            }
        });
        Ok(scores.collect())
    }
}

/// The queries of a mix among so many that change.
fn queries_of([links, answered, right_nil]: &[f64; 3], size: u64) -> Mix {
    let part = |share: f64, all: u64| (share * all as f64).round() as u64;
    let links = part(*links, size);
    // Rounded one after the other, so that the parts add up to the size.
    Mix { links, answered: part(*answered, links), right_nil: part(*right_nil, size - links) }
}

/// Says that a distribution is not the exact one.
fn too_many_cases(change: CollectionChange, is_drawn: bool) -> Notice {
    let known = match is_drawn {
        true => "mean, sd and the 95% are those of the draws",
        false => "without draws, mean, sd and the 95% are not known",
    };
    let change = in_words::words(change);
    let message = format!("{change}: there are too many cases to go through; {known}");
    notices::TOO_MANY_CASES.notice(message)
}
