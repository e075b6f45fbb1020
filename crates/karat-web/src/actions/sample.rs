//! Trying the sample.

use crate::action::{Action, SentForm};
use crate::address::Address;
use crate::refusal::Refusal;

/// Takes the built-in sample into the workspace, so that there is something to look at.
#[derive(Debug)]
pub(crate) struct TakeSample;

impl Action for TakeSample {
    fn path(&self) -> &'static str {
        "/sample"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let sample = karat::sample::experiment()?;
        form.workspace.take_in(&form.by, &sample, &[])?;
        Ok(Address::board())
    }
}
