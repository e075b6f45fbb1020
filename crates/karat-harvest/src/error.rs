//! Why an input cannot become part of a knowledge base.

use karat_formats::Problem;
use karat_kb::KbError;

/// Why a harvest failed.
#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    /// Something is wrong with an input.
    #[error(transparent)]
    Input(Box<Problem>),
    /// The knowledge base cannot be written.
    #[error(transparent)]
    Base(#[from] KbError),
}

impl From<Problem> for HarvestError {
    fn from(problem: Problem) -> HarvestError {
        HarvestError::Input(Box::new(problem))
    }
}
