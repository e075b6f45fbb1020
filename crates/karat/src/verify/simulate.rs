//! Campaigns with simulated people: request and answer.

use crate::error::Error;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_model::{Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use karat_verify::plan::Redundancy;
use karat_verify::simulation::{SimulationDesign, SimulationOutcome};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Asks what designs cost and how sure their rates will be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulateRequest {
    /// Items and people; its redundancy is the first design.
    pub design: SimulationDesign,
    /// Other redundancies to compare with.
    pub others: Vec<Redundancy>,
    /// How many campaigns are simulated for each.
    pub campaigns: usize,
}

impl Default for SimulateRequest {
    fn default() -> SimulateRequest {
        let fixed = |judgements| Redundancy::Fixed { judgements };
        let design = SimulationDesign::default();
        SimulateRequest { design, others: vec![fixed(1), fixed(3), fixed(5)], campaigns: 20 }
    }
}

/// What designs cost and how sure their rates are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulateAnswer {
    /// The version of karat.
    pub karat: String,
    /// What was simulated.
    pub request: SimulateRequest,
    /// Each design.
    pub designs: Vec<DesignRecord>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What came out of one design: means over campaigns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DesignRecord {
    /// How often items are judged.
    pub redundancy: Redundancy,
    /// Judgements per item.
    pub per_item: f64,
    /// Judgements of a campaign.
    pub judgements: f64,
    /// The share of items whose outcome is right.
    pub accuracy: f64,
    /// The verification rate.
    pub rate: f64,
    /// Half the width of its 95% interval.
    pub half_width: f64,
    /// The share of campaigns whose interval has the true rate.
    pub coverage: f64,
    /// People who were left out because of their controls.
    pub left_out: f64,
}

/// More than this takes minutes.
const MANY: usize = 10_000;

impl Request for SimulateRequest {
    type Answer = SimulateAnswer;

    const NAME: &'static str = "verification-simulation";

    fn answer(&self, work: &Work) -> Result<SimulateAnswer, Error> {
        self.check()?;
        work.begin("simulating", self.campaigns as u64)?;
        let redundancies =
            std::iter::once(self.design.redundancy).chain(self.others.iter().copied());
        let mut designs = Vec::new();
        for redundancy in redundancies {
            let design = SimulationDesign { redundancy, ..self.design.clone() };
            let runs = work.run(|| -> Vec<SimulationOutcome> {
                (0..self.campaigns as u64)
                    .into_par_iter()
                    .map(|number| design.run(number))
                    .collect()
            })?;
            designs.push(summed_up(&design, &runs));
            work.check()?;
        }
        Ok(SimulateAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            request: self.clone(),
            designs,
            notices: Vec::new(),
        })
    }
}

impl SimulateRequest {
    fn check(&self) -> Result<(), Error> {
        let wrong = |message: String, hint: Hint| Err(Error::bad_request(message, hint));
        let design = &self.design;
        if self.campaigns == 0
            || self.campaigns > MANY
            || design.items == 0
            || design.items > 1_000_000
        {
            let hint = Hint::template("give {campaigns} 1 to 10000 and {items} 1 to 1000000");
            return wrong("nothing is to be simulated, or too much".to_owned(), hint);
        }
        let sums_to_one = |shares: &[f64; 3]| {
            (shares.iter().sum::<f64>() - 1.0).abs() < 1e-6
                && shares.iter().all(|share| *share >= 0.0)
        };
        if !sums_to_one(&design.shares) {
            let message = format!("the shares {:?} do not sum to 1", design.shares);
            return wrong(message, Hint::template("write {shares} as 0.86,0.10,0.04"));
        }
        if let Some(people) =
            design.people.iter().find(|people| !people.rows.iter().all(sums_to_one))
        {
            let message = format!("a row of the people `{}` does not sum to 1", people.name);
            return wrong(
                message,
                Hint::from("each row has the chances of verify, modify and remove"),
            );
        }
        let most = std::iter::once(design.redundancy).chain(self.others.iter().copied());
        let most = most.map(|one| match one {
            Redundancy::Fixed { judgements } => judgements,
            Redundancy::Adaptive { most, .. } => most,
        });
        let (most, people) = (
            most.max().unwrap_or(0),
            design.people.iter().map(|people| people.number).sum::<usize>(),
        );
        if most == 0 || people < most {
            let message = format!("{people} people cannot judge every item {most} times");
            return wrong(message, Hint::template("raise {people}, or ask for fewer judgements"));
        }
        Ok(())
    }
}

fn summed_up(design: &SimulationDesign, runs: &[SimulationOutcome]) -> DesignRecord {
    let mean = |of: &dyn Fn(&SimulationOutcome) -> f64| {
        runs.iter().map(of).sum::<f64>() / runs.len() as f64
    };
    let width = |run: &SimulationOutcome| {
        run.rate.and_then(|rate| rate.interval).map_or(0.0, |[low, high]| (high - low) / 2.0)
    };
    let per_item = mean(&|run| run.per_item);
    DesignRecord {
        redundancy: design.redundancy,
        per_item,
        judgements: per_item * design.items as f64,
        accuracy: mean(&|run| run.accuracy),
        rate: mean(&|run| run.rate.map_or(0.0, |rate| rate.value)),
        half_width: mean(&width),
        coverage: mean(&|run| f64::from(u8::from(run.covers(design.shares[0])))),
        left_out: mean(&|run| run.left_out as f64),
    }
}

impl Answer for SimulateAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let design = &self.request.design;
        let mut section = ReportSection::new("", Deferred::by(|| self.table()));
        let people: Vec<String> = design
            .people
            .iter()
            .map(|people| format!("{} {}", people.number, people.name))
            .collect();
        section.remarks = vec![format!(
            "{} campaigns of {} items each, of which {:.0}% are right; people: {}; {} controls each. Coverage is how often the 95% \
             interval has the true rate.",
            self.request.campaigns,
            design.items,
            100.0 * design.shares[0],
            people.join(", "),
            design.controls
        )];
        Report {
            title: Some("Simulated campaigns".to_owned()),
            sections: vec![section],
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}

impl SimulateAnswer {
    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("design"),
            Column::number("per item", 2),
            Column::count("judgements"),
            Column::number("accuracy", 3),
            Column::number("rate", 3),
            Column::number("+/-", 3),
            Column::number("coverage", 2),
            Column::number("left out", 1),
        ]);
        for one in &self.designs {
            let name = match one.redundancy {
                Redundancy::Fixed { judgements } => format!("fixed {judgements}"),
                Redundancy::Adaptive { least, most, .. } => format!("adaptive {least} to {most}"),
            };
            table.row([
                Cell::from(name),
                one.per_item.into(),
                Cell::Count(one.judgements.round() as u64),
                one.accuracy.into(),
                one.rate.into(),
                one.half_width.into(),
                one.coverage.into(),
                one.left_out.into(),
            ]);
        }
        table
    }
}
