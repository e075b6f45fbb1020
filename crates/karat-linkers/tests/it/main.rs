//! Linkers on published data, and on the sample.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod baselines;
mod data;
#[cfg(feature = "http")]
mod server;
#[cfg(feature = "http")]
mod services;
