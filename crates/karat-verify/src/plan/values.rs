//! The rows of a campaign. Numbers of texts, items and tasks are their places in the lists of the plan.

use crate::{LinkTarget, VerifyAction};
use karat_model::Span;
use serde::{Deserialize, Serialize};

/// Everything that was built for a campaign.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CampaignPlan {
    /// The texts.
    pub texts: Vec<CampaignText>,
    /// What is judged.
    pub items: Vec<VerifyItem>,
    /// What sources said; several may belong to one item.
    pub proposals: Vec<Proposal>,
    /// The right answers of controls and practice items.
    pub keys: Vec<ItemKey>,
    /// What people get at once.
    pub tasks: Vec<CampaignTask>,
    /// Proposals that nobody is asked about.
    pub left_out: Vec<LeftOut>,
    /// Documents that are too short to be a text.
    pub vanished: Vec<String>,
}

/// A chunk of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignText {
    /// The document.
    pub document: String,
    /// The benchmark that the document belongs to.
    pub dataset: String,
    /// Where it begins in the document, in code points.
    pub begin: u32,
    /// Where it ends.
    pub end: u32,
    /// Its words.
    pub words: String,
}

impl CampaignText {
    /// Its place in the document.
    pub fn span(&self) -> Span {
        Span::new(self.begin, self.end)
    }
}

/// What is judged: a span and a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerifyItem {
    /// Its text.
    pub text: usize,
    /// Where it begins in the document, in code points.
    pub begin: u32,
    /// Where it ends.
    pub end: u32,
    /// What it is said to mean.
    pub link: LinkTarget,
    /// What it is asked for.
    pub kind: ItemKind,
    /// The stratum that it was drawn from.
    pub stratum: String,
    /// The chance with which it was drawn.
    pub probability: f64,
    /// For how many items it stands.
    pub weight: f64,
}

impl VerifyItem {
    /// Its place in the document.
    pub fn span(&self) -> Span {
        Span::new(self.begin, self.end)
    }
}

/// What an item is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemKind {
    /// For its answer.
    Real,
    /// Its answer is known, which tells about the person.
    Control,
    /// It was shown to the same person before.
    Repeat,
    /// To learn.
    Practice,
}

impl ItemKind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Real => "real",
            ItemKind::Control => "control",
            ItemKind::Repeat => "repeat",
            ItemKind::Practice => "practice",
        }
    }
}

/// What one source said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The item that it is judged as.
    pub item: usize,
    /// A system, or the gold standard.
    pub source: String,
    /// The link as the source spelled it, if that is another spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spelled: Option<String>,
    /// How sure the source was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// The right answer of a control or practice item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemKey {
    /// The item.
    pub item: usize,
    /// The actions that are right.
    pub actions: Vec<VerifyAction>,
    /// The entities that are right; naming one is reported apart from the action.
    #[serde(default)]
    pub links: Vec<LinkTarget>,
    /// What is said to somebody who practises.
    #[serde(default)]
    pub explanation: String,
    /// Where it comes from: `expert`, `calibration`, `generated`.
    pub origin: String,
    /// Whether an organiser has confirmed it; generated keys are not used before.
    pub confirmed: bool,
}

impl ItemKey {
    /// Whether an answer is right; a skip is neither.
    pub fn accepts(&self, action: VerifyAction) -> Option<bool> {
        (action != VerifyAction::Skip).then(|| self.actions.contains(&action))
    }
}

/// What a person gets at once: a text, and items on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CampaignTask {
    /// The text.
    pub text: usize,
    /// What it is for.
    pub purpose: TaskPurpose,
    /// Lower numbers are given out first.
    pub priority: u32,
    /// Decides among tasks of one priority.
    pub shuffle: u64,
    /// The items, by place.
    pub items: Vec<usize>,
    /// The source, where a task is a pair of text and source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What a task is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskPurpose {
    /// The first judgements.
    Main,
    /// More judgements of items that are not sure yet.
    More,
    /// Controls.
    Control,
    /// Practice.
    Practice,
    /// A task that the same person had before.
    Repeat,
}

impl TaskPurpose {
    /// Follow-ups come before new work.
    pub fn priority(self) -> u32 {
        match self {
            TaskPurpose::Practice => 0,
            TaskPurpose::More => 1,
            TaskPurpose::Control | TaskPurpose::Repeat | TaskPurpose::Main => 2,
        }
    }
}

/// A proposal that nobody is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The document.
    pub document: String,
    /// The source.
    pub source: String,
    /// Where it begins.
    pub begin: u32,
    /// Where it ends.
    pub end: u32,
    /// What it says.
    pub link: LinkTarget,
    /// Why.
    pub why: LeftOutReason,
}

/// Why a proposal is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOutReason {
    /// It begins in one text and ends in another, or between texts.
    AcrossTexts,
    /// The same source says the same twice.
    Repeated,
    /// It is NIL, and only links are judged.
    Nil,
}
