//! Laws of inference on simulated systems.

mod coverage;
