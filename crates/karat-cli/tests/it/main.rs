//! The command as a user meets it: what it prints, where, and its exit code.
//!
//! `SNAPSHOTS=overwrite` accepts changed snapshots, `KARAT_UPDATE_DOCS=1`
//! rewrites the output shown in the pages.

mod bad_input;
mod commands;
mod folder;
mod inputs;
mod outputs;
mod pages;
