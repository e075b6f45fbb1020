//! The gold patch that follows from a campaign.

use super::judgements::JudgementFile;
use crate::error::Error;
use crate::gold::{PatchAnswer, PatchFile, PatchView, write_patch};
use crate::inputs::{Benchmark, InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::Request;
use crate::work::Work;
use karat_formats::Input;
use karat_model::{Corpus, Hint, OffsetUnit};
use karat_verify::outcome::{ItemDecision, OutcomeRule, outcomes};
use karat_verify::patch::{GoldPatch, VerifiedCampaign};
use serde::{Deserialize, Serialize};

/// Makes a gold patch of what people judged: what was removed goes, what was modified is corrected, and what gold lacks comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerifyPatchRequest {
    /// The file of judgements.
    pub judgements: String,
    /// The gold standard that was judged.
    pub gold: InputRequest,
    /// The source of the judgements that is this gold standard; `gold` or `GT` if there is such a source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The model of people that outcomes are made by.
    pub model: String,
    /// Where the patch is written: a file, or `-` for standard output. Empty for nowhere.
    pub output: String,
    /// What the patch is called; as its file if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Leave words out, for texts that may not be shared.
    pub mask: bool,
    /// How gold is read.
    pub reading: ReadingRequest,
}

impl Default for VerifyPatchRequest {
    fn default() -> VerifyPatchRequest {
        VerifyPatchRequest {
            judgements: String::new(),
            gold: InputRequest::default(),
            source: None,
            model: "dawid-skene-crowd".to_owned(),
            output: String::new(),
            name: None,
            by: None,
            mask: false,
            reading: ReadingRequest::default(),
        }
    }
}

impl VerifyPatchRequest {
    /// Refuses to write over gold.
    pub fn check_output(&self) -> Result<(), Error> {
        check_is_no_input(&self.output, [self.gold.path.as_str()])
    }

    /// The patch of a campaign that is in memory, with the decisions about it.
    pub fn patch_of(
        &self,
        file: &JudgementFile,
        decisions: &[ItemDecision],
        work: &Work,
    ) -> Result<PatchAnswer, Error> {
        let read = self.reading.read_alone(&self.gold, work)?;
        let corpus = &read.outcome.corpus;
        let patch = self.patch_for(file, decisions, (&read.name, corpus, read.outcome.unit()))?;
        let mut answer = PatchAnswer::new(PatchView::Log, read.notices.clone());
        let name = patch.name.clone().unwrap_or_default();
        let file = PatchFile { name, path: self.output.clone(), patch };
        if !self.output.is_empty() {
            write_patch(&file.patch, &self.output, work)?;
            answer.output = Some(self.output.clone());
        }
        if !["", "-"].contains(&self.output.as_str()) {
            let number = counted(file.patch.changes.len(), "correction");
            let message = format!("{number} of `{}`, in `{}`", read.name, self.output);
            answer.notices.push(notices::PATCH_WRITTEN.notice(message).about(&file.name));
        }
        answer.enter(&file, Some(corpus), None);
        Ok(answer)
    }

    /// The patch of a gold standard that is in memory, and what becomes of its changes. Nothing is written.
    pub fn patch_of_held(
        &self,
        file: &JudgementFile,
        decisions: &[ItemDecision],
        gold: &Benchmark,
    ) -> Result<(PatchFile, PatchAnswer), Error> {
        let corpus = &*gold.corpus;
        let patch =
            self.patch_for(file, decisions, (&gold.name, corpus, OffsetUnit::CodePoints))?;
        let name = patch.name.clone().unwrap_or_default();
        let file = PatchFile { name, path: self.output.clone(), patch };
        let mut answer = PatchAnswer::new(PatchView::Show, Vec::new());
        answer.enter(&file, Some(corpus), Some(&file.patch.against(corpus)));
        Ok((file, answer))
    }

    fn patch_for(
        &self,
        file: &JudgementFile,
        decisions: &[ItemDecision],
        (name, corpus, unit): (&str, &Corpus, OffsetUnit),
    ) -> Result<GoldPatch, Error> {
        let source = self.source_of(file)?;
        let rule = OutcomeRule::Consensus;
        let found = outcomes(&file.plan, &file.judgements, decisions, rule, &self.model);
        let campaign = VerifiedCampaign {
            plan: &file.plan,
            judgements: &file.judgements,
            outcomes: &found,
            gold: &source,
        };
        let mut patch = GoldPatch::of_campaign(&campaign, corpus, unit);
        patch.name = self.name.clone().or_else(|| Some(Input::name_of(&self.output)));
        patch.base.name = Some(name.to_owned());
        patch.by.clone_from(&self.by);
        Ok(if self.mask { patch.masked() } else { patch })
    }

    fn source_of(&self, file: &JudgementFile) -> Result<String, Error> {
        let has = |name: &str| file.plan.proposals.iter().any(|one| one.source == name);
        let usual = || ["gold", "GT"].into_iter().find(|name| has(name)).map(str::to_owned);
        let name = self.source.clone().or_else(usual).ok_or_else(|| {
            let hint = Hint::from("say which source of the judgements is gold");
            Error::bad_request("no source of the judgements is called gold", hint)
        })?;
        match has(&name) {
            true => Ok(name),
            false => {
                let mut names: Vec<&str> =
                    file.plan.proposals.iter().map(|one| one.source.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                Err(Error::unknown("source", &name, names))
            }
        }
    }
}

impl Request for VerifyPatchRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "verify-patch";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        for input in [&self.judgements, &self.gold.path] {
            check_is_no_input(&self.output, [input.as_str()])?;
        }
        let file = JudgementFile::open(&self.judgements, None)?;
        self.patch_of(&file, &[], work)
    }
}
