//! Cancelling a job.

use crate::action::{Action, SentForm};
use crate::address::Address;
use crate::refusal::Refusal;
use karat_store::StoreError;

/// Cancels a job: at once if it waits, else as soon as its worker looks up.
#[derive(Debug)]
pub(crate) struct CancelJob;

impl Action for CancelJob {
    fn path(&self) -> &'static str {
        "/jobs/{id}/cancel"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let id = form.parameter("id");
        let job = form.workspace.wait(form.workspace.store().job(id))?;
        if !form.visitor.sees_job_of(job.person.as_deref()) {
            return Err(StoreError::NotFound { what: "job", id: job.id }.into());
        }
        match form.workspace.wait(form.workspace.store().cancel_job(&form.by, id)) {
            // Its page says how it ended.
            Ok(_) | Err(StoreError::NotNow { .. }) => Ok(Address::path(["jobs", id])),
            Err(error) => Err(error.into()),
        }
    }
}
