//! Where the published data is, if it is here.

#[path = "../../../karat/tests/it/published.rs"]
mod published;

pub(crate) use published::published as file;
