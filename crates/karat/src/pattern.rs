//! Regular expressions that somebody wrote, in a request or an address.

use crate::error::Error;
use karat_model::Hint;
use regex::{Regex, RegexBuilder};

/// How long a regular expression may be, in characters.
pub(crate) const LONGEST: usize = 200;

/// What a compiled one may take, in bytes. They are matched in linear time, but a short one can ask for a lot of
/// memory.
const LARGEST: usize = 1 << 20;

/// Why a text is no regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatternError {
    pub(crate) message: String,
    pub(crate) hint: Hint,
}

/// A regular expression that is not too long and not too large.
pub(crate) fn compiled(pattern: &str, ignores_case: bool) -> Result<Regex, PatternError> {
    if pattern.chars().count() > LONGEST {
        return Err(PatternError {
            message: "the regular expression is too long".to_owned(),
            hint: format!("at most {LONGEST} characters are read").into(),
        });
    }
    let mut builder = RegexBuilder::new(pattern);
    let compiled = builder.case_insensitive(ignores_case).size_limit(LARGEST).build();
    compiled.map_err(|error| {
        // The last line says what is wrong; those before it draw where, for a terminal.
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
        PatternError {
            message: format!("`{pattern}` is no regular expression"),
            hint: reason.to_owned().into(),
        }
    })
}

impl From<PatternError> for Error {
    fn from(error: PatternError) -> Error {
        Error::bad_request(error.message, error.hint)
    }
}
