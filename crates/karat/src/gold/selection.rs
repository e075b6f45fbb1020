//! Some changes of a patch.

use crate::error::Error;
use karat_model::Hint;
use karat_verify::patch::{GoldChange, GoldPatch};
use serde::{Deserialize, Serialize};

/// Which changes of a patch are meant. What is said of one kind are alternatives; different kinds must all hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PatchSelection {
    /// Ids, or how they begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// Documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    /// Reasons, as `wrong-link`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// How many people must have voted for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_votes: Option<u64>,
}

impl PatchSelection {
    /// Reads what people write: `document=1163testb`, `id=4f0c9a71b2d0`, `why=wrong-link`, `min-votes=2`.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<PatchSelection, Error> {
        let mut selection = PatchSelection::default();
        for text in texts {
            let wrong = || {
                Error::bad_request(
                    format!("`{text}` does not say which changes are meant"),
                    Hint::template(
                        "write {only=id=ID}, {only=document=NAME}, {only=why=REASON} or {only=min-votes=N}",
                    ),
                )
            };
            let (kind, value) = text.split_once('=').ok_or_else(wrong)?;
            match kind {
                "id" => selection.ids.push(value.to_owned()),
                "document" => selection.documents.push(value.to_owned()),
                "why" => selection.reasons.push(value.to_owned()),
                "min-votes" => selection.min_votes = Some(value.parse().map_err(|_| wrong())?),
                _ => return Err(wrong()),
            }
        }
        Ok(selection)
    }

    /// The changes that are meant. A selection that means nothing is a mistake.
    pub fn of(&self, patch: &GoldPatch) -> Result<GoldPatch, Error> {
        let chosen = patch.only(|change| self.means(change));
        match chosen.changes.is_empty() && !patch.changes.is_empty() {
            true => Err(Error::bad_request(
                "no change of the patch is meant",
                "`karat gold log PATCH` lists ids, documents and reasons",
            )),
            false => Ok(chosen),
        }
    }

    fn means(&self, change: &GoldChange) -> bool {
        let any = |wanted: &[String], is: &dyn Fn(&str) -> bool| {
            wanted.is_empty() || wanted.iter().any(|it| is(it))
        };
        let why = change.why.as_deref().unwrap_or_default();
        any(&self.ids, &|id| change.id().starts_with(id))
            && any(&self.documents, &|document| change.document == document)
            && any(&self.reasons, &|reason| why.split(',').any(|it| it.trim() == reason))
            && self.min_votes.is_none_or(|least| change.votes() >= least)
    }
}
