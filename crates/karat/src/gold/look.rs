//! Looking at patches: what they say, and what becomes of them.

use super::answer::{PatchAnswer, PatchView};
use super::file::{PatchFile, trouble_notices};
use super::selection::PatchSelection;
use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest};
use crate::request::Request;
use crate::work::Work;
use karat_model::Notice;
use serde::{Deserialize, Serialize};

/// Says what becomes of the changes of patches against a gold standard, and changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldCheckRequest {
    /// The gold standard.
    pub gold: InputRequest,
    /// The patches, each for itself.
    pub patches: Vec<String>,
    /// Which changes are looked at.
    pub only: PatchSelection,
    /// How gold is read.
    pub reading: ReadingRequest,
}

impl Request for GoldCheckRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-check";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        let files = PatchFile::all(&self.patches)?;
        let read = self.reading.read_alone(&self.gold, work)?;
        let mut answer = PatchAnswer::new(PatchView::States, read.notices.clone());
        let corpus = &read.outcome.corpus;
        for file in files {
            let file = PatchFile { patch: self.only.of(&file.patch)?, ..file };
            file.check_unit(corpus, read.outcome.unit())?;
            let judged = file.patch.against(corpus);
            // The table lists what does not apply.
            let listed = [crate::notices::PATCH_CONFLICT.id, crate::notices::PATCH_PARTLY.id];
            let told = trouble_notices(&file, &read.name, corpus, &judged, true);
            let is_new = |notice: &Notice| !listed.contains(&&*notice.id);
            answer.notices.extend(told.into_iter().filter(is_new));
            answer.done &= !judged.iter().any(|it| it.state.is_trouble());
            answer.enter(&file, Some(corpus), Some(&judged));
        }
        Ok(answer)
    }
}

/// Says what patches change, and who changed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldLogRequest {
    /// The patches.
    pub patches: Vec<String>,
    /// The gold standard, to show changes in their texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<InputRequest>,
    /// Which changes are shown.
    pub only: PatchSelection,
    /// Whether who changed what is listed, or each change is shown in its text.
    pub view: PatchView,
    /// How gold is read.
    pub reading: ReadingRequest,
}

impl Request for GoldLogRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-log";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        let files = PatchFile::all(&self.patches)?;
        let mut answer = PatchAnswer::new(self.view, Vec::new());
        let gold =
            self.gold.as_ref().map(|gold| self.reading.read_alone(gold, work)).transpose()?;
        if let Some(gold) = &gold {
            answer.notices.extend(gold.notices.iter().cloned());
        }
        let corpus = gold.as_ref().map(|gold| &gold.outcome.corpus);
        for file in files {
            let file = PatchFile { patch: self.only.of(&file.patch)?, ..file };
            if let Some(gold) = &gold {
                file.check_unit(&gold.outcome.corpus, gold.outcome.unit())?;
            }
            let judged = corpus.map(|corpus| file.patch.against(corpus));
            answer.enter(&file, corpus, judged.as_deref());
        }
        Ok(answer)
    }
}
