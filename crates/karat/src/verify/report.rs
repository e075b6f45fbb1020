//! The results of a campaign: request.

use super::answer::VerifyReportAnswer;
use super::before::before;
use super::judgements::JudgementFile;
use crate::command::CommandLine;
use crate::error::Error;
use crate::notices;
use crate::request::Request;
use crate::scoring::few_trials;
use crate::work::Work;
use karat_model::{Hint, Notice};
use karat_stats::Bootstrap;
use karat_verify::agreement::{agreement, pairs};
use karat_verify::outcome::{ItemDecision, OutcomeRule, outcomes};
use karat_verify::quality::people;
use karat_verify::results::{Acceptance, RESULT_PRESETS, ResultPreset, result_preset, results};
use serde::{Deserialize, Serialize};

/// Asks what a campaign says of its sources, from a file of judgements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerifyReportRequest {
    /// The file: CSV, TSV or JSON lines with a row for each judgement; or a folder with the tables of the original, or the
    /// output of Label Studio or Potato.
    pub judgements: String,
    /// A file of judgements with the items, for output of other tools that says only what items are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<String>,
    /// How results are made: `karat`, `ding-2022` or `ding-2022-code`.
    pub preset: String,
    /// The source that is the gold standard; without one, `gold` or `GT` if there is such a source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<String>,
    /// How many of three controls a person must have right, in presets that leave people out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<u8>,
    /// How often documents are drawn again.
    pub trials: usize,
    /// What the random numbers depend on.
    pub seed: u64,
}

impl Default for VerifyReportRequest {
    fn default() -> VerifyReportRequest {
        VerifyReportRequest {
            judgements: String::new(),
            items: None,
            preset: "karat".to_owned(),
            gold: None,
            pass: None,
            trials: 1000,
            seed: 1,
        }
    }
}

/// Cohen's kappa of two people is shown from so many common items on.
const COMMON: usize = 20;

impl Request for VerifyReportRequest {
    type Answer = VerifyReportAnswer;

    const NAME: &'static str = "verification";

    fn answer(&self, work: &Work) -> Result<VerifyReportAnswer, Error> {
        // A name that is wrong is said before a long file is read.
        self.preset()?;
        work.begin("reading", 0)?;
        let file = JudgementFile::open(&self.judgements, self.items.as_deref())?;
        self.answer_of(&file, &[], work)
    }

    fn commands(&self) -> Vec<CommandLine> {
        let usual = VerifyReportRequest::default();
        let VerifyReportRequest { judgements, items, preset, gold, pass, trials, seed } = self;
        let command = CommandLine::of("verify report")
            .arguments([judgements.clone()])
            .maybe("--items", items.as_ref())
            .unusual("--preset", preset, &usual.preset)
            .maybe("--gold", gold.as_ref())
            .maybe("--pass", *pass)
            .unusual("--trials", *trials, usual.trials)
            .unusual("--seed", *seed, usual.seed);
        vec![command]
    }
}

impl VerifyReportRequest {
    /// The same for what is in memory, with the decisions of adjudicators.
    pub fn answer_of(
        &self,
        file: &JudgementFile,
        decisions: &[ItemDecision],
        work: &Work,
    ) -> Result<VerifyReportAnswer, Error> {
        let preset = self.preset()?;
        let gold = self.gold(file)?;
        let mut told: Vec<Notice> = few_trials(self.trials).into_iter().collect();
        let bootstrap = Bootstrap { trials: self.trials, seed: self.seed, ..Bootstrap::default() };
        work.begin("drawing", 0)?;
        let answer =
            work.run(|| self.computed(file, decisions, gold.as_deref(), &preset, &bootstrap))?;
        work.check()?;
        told.extend(notices_of(&answer));
        Ok(VerifyReportAnswer { notices: told, ..answer })
    }

    fn preset(&self) -> Result<ResultPreset, Error> {
        let names = RESULT_PRESETS.iter().map(|preset| preset.name);
        let found = result_preset(&self.preset);
        let mut preset = *found.ok_or_else(|| Error::unknown("preset", &self.preset, names))?;
        match (self.pass, preset.accepted) {
            (None, _) => {}
            (Some(needed @ 1..=3), Acceptance::OfThreeControls(_)) => {
                preset.accepted = Acceptance::OfThreeControls(needed);
            }
            (Some(1..=3), Acceptance::Everybody) => {
                let hint = Hint::template("leave out {pass}, or take {preset=ding-2022}");
                return Err(Error::bad_request("this preset leaves nobody out", hint));
            }
            (Some(other), _) => {
                let hint = Hint::template("give {pass} 1, 2 or 3");
                return Err(Error::bad_request(
                    format!("{other} of 3 controls cannot be right"),
                    hint,
                ));
            }
        }
        Ok(preset)
    }

    /// The source that is gold.
    fn gold(&self, file: &JudgementFile) -> Result<Option<String>, Error> {
        let has = |name: &str| file.plan.proposals.iter().any(|one| one.source == name);
        match &self.gold {
            None => Ok(["gold", "GT"].into_iter().find(|name| has(name)).map(str::to_owned)),
            Some(name) if has(name) => Ok(Some(name.clone())),
            Some(name) => {
                let mut names: Vec<&str> =
                    file.plan.proposals.iter().map(|one| one.source.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                Err(Error::unknown("source", name, names))
            }
        }
    }

    fn computed(
        &self,
        file: &JudgementFile,
        decisions: &[ItemDecision],
        gold: Option<&str>,
        preset: &ResultPreset,
        bootstrap: &Bootstrap,
    ) -> VerifyReportAnswer {
        let JudgementFile { plan, judgements, .. } = file;
        let found = results(plan, judgements, decisions, gold, preset, bootstrap);
        let by_model = outcomes(plan, judgements, &[], OutcomeRule::Consensus, &found.model);
        VerifyReportAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            gold: gold.map(str::to_owned),
            before: gold.map(|gold| before(plan, gold, bootstrap)).unwrap_or_default(),
            agreement: agreement(plan, judgements, |_, _| true, bootstrap),
            pairs: pairs(plan, judgements, COMMON),
            people: people(plan, judgements, &by_model),
            results: found,
            notices: Vec::new(),
        }
    }
}

/// What must be known of the results.
fn notices_of(answer: &VerifyReportAnswer) -> Vec<Notice> {
    let mut told = Vec::new();
    let results = &answer.results;
    if results.accepted < results.people {
        let message = format!(
            "{} of {} people failed their controls: their judgements are left out",
            results.people - results.accepted,
            results.people
        );
        told.push(notices::PEOPLE_LEFT_OUT.notice(message));
    }
    if let Some(refused) = &results.refused {
        told.push(
            notices::NO_WORKER_MODEL.notice(format!("{refused}: every vote counts the same")),
        );
    }
    let open: f64 = results.all.sources.iter().map(|source| source.open).sum();
    if open > 0.0 {
        let message =
            format!("{open} proposals have no outcome yet: nobody judged them, or answers tie");
        told.push(notices::OPEN_ITEMS.notice(message));
    }
    told
}
