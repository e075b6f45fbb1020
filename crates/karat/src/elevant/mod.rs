//! Results in the files of ELEVANT, which its web application can show.

mod results;

pub use results::results;
