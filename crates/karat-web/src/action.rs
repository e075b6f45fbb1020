//! What forms change, and the list of all.

use crate::access::Visitor;
use crate::actions;
use crate::address::Address;
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use crate::workspace::Workspace;
use karat_store::By;

/// All actions, one line each.
pub static ACTIONS: &[&dyn Action] = &[
    &actions::CancelJob,
    &actions::ChangeThing,
    &actions::RemoveThing,
    &actions::RestoreThing,
    &actions::TakeSample,
    &actions::SaveBoard,
    &actions::ChangeBoardView,
    &actions::PublishBoard,
    &actions::JudgeSuspicion,
    &actions::SuspectCases,
    &actions::AddCampaign,
    &actions::StepCampaign,
    &actions::ChangeCampaign,
    &actions::WriteText,
    &actions::ChangePerson,
    &actions::ChangeControls,
    &actions::DecideItem,
    &actions::DecideByRule,
    &actions::EndLink,
];

/// Something that a form does: a POST to an address, which changes the workspace and leads to a page.
///
/// An action checks what was filled in, asks the store to do it, and gives the address of the page that shows
/// what was done. It is done on a thread that may wait. Uploads are no actions, because they are taken in while they
/// arrive.
pub trait Action: Sync {
    /// Its path, with what differs in braces.
    fn path(&self) -> &'static str;

    /// Does it, and says where to go then.
    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal>;
}

/// A form that was sent.
#[derive(Debug)]
pub struct SentForm<'a> {
    /// What stands in the place of the braces of the path.
    pub parameters: Vec<(String, String)>,
    /// The fields.
    pub fields: Vec<(String, String)>,
    /// The store.
    pub workspace: &'a Workspace,
    /// Answers, for what has to be computed.
    pub workbench: &'a Workbench,
    /// Who sent it.
    pub visitor: Visitor,
    /// The same for the audit.
    pub by: By,
}

impl SentForm<'_> {
    /// What stands in the place of a brace of the path.
    pub fn parameter(&self, name: &str) -> &str {
        value(&self.parameters, name).unwrap_or_default()
    }

    /// What was filled in; nothing for a field that was not sent.
    pub fn field(&self, name: &str) -> Option<&str> {
        value(&self.fields, name).map(str::trim)
    }
}

fn value<'v>(pairs: &'v [(String, String)], name: &str) -> Option<&'v str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}
