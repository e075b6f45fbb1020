//! Which names are meant.

use crate::error::Error;
use crate::pattern::compiled;
use serde::{Deserialize, Serialize};

/// Names that are meant: all, some, or those that a regular expression fits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameFilter {
    /// All.
    #[default]
    All,
    /// These.
    Names(Vec<String>),
    /// Those in which this regular expression is found, in upper or lower case.
    Fits(String),
}

/// Says of a name whether it passes.
pub(super) type NameTest<'f> = Box<dyn Fn(&str) -> bool + 'f>;

impl NameFilter {
    /// A filter as people write it: names with commas between them, or `~` and a regular expression. Nothing is
    /// all.
    pub fn parse(text: &str) -> Result<NameFilter, Error> {
        let filter = match text.strip_prefix('~') {
            Some(pattern) => NameFilter::Fits(pattern.to_owned()),
            None if text.is_empty() => NameFilter::All,
            None => NameFilter::Names(text.split(',').map(str::to_owned).collect()),
        };
        filter.test().map(|_| ())?;
        Ok(filter)
    }

    /// Whether this name is meant.
    pub fn is_meant(&self, name: &str) -> Result<bool, Error> {
        Ok(self.test()?(name))
    }

    /// Says of names whether they are meant.
    pub fn test(&self) -> Result<NameTest<'_>, Error> {
        let pattern = match self {
            NameFilter::All => return Ok(Box::new(|_| true)),
            NameFilter::Names(names) => {
                return Ok(Box::new(|name| names.iter().any(|known| known == name)));
            }
            NameFilter::Fits(pattern) => pattern,
        };
        let compiled = compiled(pattern, true)?;
        Ok(Box::new(move |name| compiled.is_match(name)))
    }
}
