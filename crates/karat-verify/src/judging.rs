//! What people answer.

use crate::LinkTarget;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What somebody says of an item. It is said explicitly and never derived from a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerifyAction {
    /// The link is right.
    Verify,
    /// The mention is right and the link is wrong: another one, NIL, or no better one was found.
    Modify,
    /// The words mean no entity.
    Remove,
    /// Cannot tell: an answer, but no judgement. Another person is asked.
    Skip,
}

impl VerifyAction {
    /// The three answers that are judgements, in the order of tables and matrices.
    pub const JUDGEMENTS: [VerifyAction; 3] =
        [VerifyAction::Verify, VerifyAction::Modify, VerifyAction::Remove];

    /// Its place among the judgements; `None` for a skip.
    pub fn index(self) -> Option<usize> {
        VerifyAction::JUDGEMENTS.iter().position(|&one| one == self)
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            VerifyAction::Verify => "verify",
            VerifyAction::Modify => "modify",
            VerifyAction::Remove => "remove",
            VerifyAction::Skip => "skip",
        }
    }
}

impl fmt::Display for VerifyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no action has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no action: expected verify, modify, remove or skip")]
pub struct ActionError(String);

impl FromStr for VerifyAction {
    type Err = ActionError;

    fn from_str(name: &str) -> Result<VerifyAction, ActionError> {
        Ok(match name {
            "verify" => VerifyAction::Verify,
            // The words of the original's code.
            "modify" | "edit" => VerifyAction::Modify,
            "remove" => VerifyAction::Remove,
            "skip" => VerifyAction::Skip,
            _ => return Err(ActionError(name.to_owned())),
        })
    }
}

/// Why a link or a mention is wrong, if somebody says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JudgementReason {
    /// Another entity is meant.
    WrongEntity,
    /// The entity is more general than what is meant.
    TooGeneral,
    /// The entity is more specific than what is meant.
    TooSpecific,
    /// The words mean no entity.
    NotAnEntity,
    /// The mention has too many or too few words.
    BadSpan,
}

impl JudgementReason {
    /// All of them.
    pub const ALL: [JudgementReason; 5] = [
        JudgementReason::WrongEntity,
        JudgementReason::TooGeneral,
        JudgementReason::TooSpecific,
        JudgementReason::NotAnEntity,
        JudgementReason::BadSpan,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            JudgementReason::WrongEntity => "wrong-entity",
            JudgementReason::TooGeneral => "too-general",
            JudgementReason::TooSpecific => "too-specific",
            JudgementReason::NotAnEntity => "not-an-entity",
            JudgementReason::BadSpan => "bad-span",
        }
    }
}

/// A name that no reason has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no reason: expected wrong-entity, too-general, too-specific, not-an-entity or bad-span"
)]
pub struct ReasonError(String);

impl FromStr for JudgementReason {
    type Err = ReasonError;

    fn from_str(name: &str) -> Result<JudgementReason, ReasonError> {
        let known = JudgementReason::ALL.into_iter().find(|one| one.name() == name);
        known.ok_or_else(|| ReasonError(name.to_owned()))
    }
}

/// One answer of one person on one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemJudgement {
    /// The number of the item.
    pub item: usize,
    /// Who answered, by pseudonym.
    pub worker: String,
    /// The answer.
    pub action: VerifyAction,
    /// The link that a modification names; `None` if no better one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkTarget>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<JudgementReason>,
    /// How sure, from 1 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// Where the mention should begin and end, if the person says so, in code points of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(u32, u32)>,
    /// A note. It may be personal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// How long the person worked on the item, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_ms: Option<u64>,
    /// How long it was in view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<u64>,
    /// How often the answer was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<u64>,
    /// How often entities were searched for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searches: Option<u64>,
    /// When it came, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// Whether it counts: answers that came too late, and those of excluded people, are kept and do not.
    #[serde(default = "counts")]
    pub counted: bool,
}

fn counts() -> bool {
    true
}

impl ItemJudgement {
    /// A counted answer without anything beside it.
    pub fn new(item: usize, worker: impl Into<String>, action: VerifyAction) -> ItemJudgement {
        ItemJudgement {
            item,
            worker: worker.into(),
            action,
            link: None,
            reason: None,
            confidence: None,
            span: None,
            note: String::new(),
            active_ms: None,
            total_ms: None,
            changes: None,
            searches: None,
            at: None,
            counted: true,
        }
    }
}
