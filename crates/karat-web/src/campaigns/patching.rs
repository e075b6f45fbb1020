//! The corrections that follow from a campaign, for the gold standard of the workspace.

use super::looking::JudgedCampaign;
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use crate::workspace::Workspace;
use karat::gold::{PatchAnswer, PatchFile, ReviewDecision};
use karat::inputs::Benchmark;
use karat::verify::VerifyPatchRequest;
use karat_store::By;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The patch of a campaign, against the gold standard as it is now.
#[derive(Debug)]
pub struct CampaignPatch {
    /// What addresses call the benchmark.
    pub slug: String,
    /// The patch.
    pub file: PatchFile,
    /// Its changes, and what becomes of them.
    pub answer: PatchAnswer,
    gold: Benchmark,
}

impl CampaignPatch {
    /// The corrections of a campaign as it is now.
    pub fn of(workbench: &Workbench, judged: &JudgedCampaign) -> Result<CampaignPatch, Refusal> {
        let texts = judged.file.plan.texts.iter();
        let datasets: BTreeSet<&str> = texts.map(|text| text.dataset.as_str()).collect();
        let several = || {
            Refusal::bad_request(
                "a patch is for one benchmark, and this campaign is about several",
                "export the judgements, and make a patch of each benchmark on the command line",
            )
        };
        let dataset = datasets.first().filter(|_| datasets.len() == 1).ok_or_else(several)?;
        let catalogue = workbench.catalogue();
        let benchmark = catalogue.benchmarks.iter().find(|it| it.name == **dataset);
        let benchmark = benchmark.ok_or_else(|| Refusal::Missing {
            what: format!("The benchmark {dataset} of this campaign is not in the workspace."),
            hint: Some("Export the judgements: patches can be made on the command line.".into()),
        })?;
        let gold = workbench.shelf().benchmark(&benchmark.name)?;
        let row = &judged.campaign;
        let request = VerifyPatchRequest {
            source: row.settings.gold.clone(),
            model: row.settings.model.clone(),
            name: Some(row.name.clone()),
            by: Some(format!("campaign {}", row.name)),
            ..VerifyPatchRequest::default()
        };
        let (file, answer) = request.patch_of_held(&judged.file, &judged.decisions, &gold)?;
        Ok(CampaignPatch { slug: benchmark.slug.clone(), file, answer, gold })
    }

    /// The number of a document of the benchmark, from 1.
    pub fn number_of(&self, document: &str) -> Option<usize> {
        self.gold.corpus.document(document).map(|it| it.index() + 1)
    }

    /// The same with what somebody accepts and refuses.
    pub fn reviewed(
        mut self,
        decisions: &[ReviewDecision],
        who: &str,
    ) -> Result<CampaignPatch, Refusal> {
        if decisions.is_empty() {
            return Ok(self);
        }
        if who.is_empty() {
            return Err(Refusal::bad_request("nobody is named who decides", "say who you are"));
        }
        let reviewed = self.file.patch.reviewed(decisions, who);
        self.file.patch = reviewed
            .map_err(|error| Refusal::bad_request(error.to_string(), "open the page again"))?;
        Ok(self)
    }

    /// Makes a new edition of the benchmark with these corrections. All runs come along, so that what the corrections change
    /// in their scores can be seen.
    pub fn new_edition(
        &self,
        workspace: &Workspace,
        workbench: &Workbench,
        by: &By,
    ) -> Result<(), Refusal> {
        let patched = self.file.patch.applied_to(&self.gold.corpus);
        if patched.counts().applies == 0 {
            return Err(Refusal::bad_request(
                "no correction applies to the newest edition",
                "they may be there already",
            ));
        }
        let catalogue = workbench.catalogue();
        let benchmark = catalogue.benchmark(&self.slug)?;
        let mut gold = self.gold.clone();
        gold.corpus = Arc::new(patched.corpus);
        let note = format!("with the patch {}", self.file.name);
        workspace.next_edition(by, benchmark, &gold, &note)?;
        Ok(())
    }
}
