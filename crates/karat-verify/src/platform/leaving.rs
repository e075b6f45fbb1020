//! How people go back.

use super::{Arrived, Exit, Platform};
use crate::life::Ending;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a page offers at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "way")]
pub enum Leaving {
    /// A link.
    Redirect {
        /// Where to.
        address: String,
    },
    /// A form that is posted.
    Post {
        /// Where to.
        address: String,
        /// Its fields.
        fields: BTreeMap<String, String>,
    },
    /// A code to copy.
    Code {
        /// The code.
        code: String,
    },
    /// Nothing is left to do.
    Nothing,
}

/// What is known at the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeavingFacts {
    /// The code of this ending.
    pub code: Option<String>,
    /// Who came.
    pub arrived: Arrived,
    /// The number of the assignment here.
    pub submission: String,
    /// What the organiser said of the platform.
    pub options: BTreeMap<String, String>,
}

/// Why nobody can be sent back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeavingError {
    /// Something is not known.
    #[error("the way back needs `{0}`, which nobody gave")]
    Missing(String),
    /// It would lead to a site that the platform does not name.
    #[error("the way back would lead to a site that does not belong to {0}")]
    OtherSite(String),
}

/// What stays as it is in a query.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl Platform {
    /// What is offered to somebody whose assignment ended.
    pub fn leaving(&self, how: Ending, facts: &LeavingFacts) -> Result<Leaving, LeavingError> {
        if how == Ending::Returned {
            return Ok(Leaving::Nothing);
        }
        match &self.end {
            Exit::Nothing => Ok(Leaving::Nothing),
            Exit::Code => Ok(match &facts.code {
                Some(code) => Leaving::Code { code: code.clone() },
                None => Leaving::Nothing,
            }),
            Exit::Redirect { address } => {
                let address = filled(address, facts, true)?;
                self.check_site(&address, &[])?;
                Ok(Leaving::Redirect { address })
            }
            Exit::Post { .. } if !how.is_paid() => Ok(Leaving::Nothing),
            Exit::Post { address, hosts, fields } => {
                let address = filled(address, facts, false)?;
                self.check_site(&address, hosts)?;
                let value = |(name, value): (&String, &String)| {
                    Ok((name.clone(), filled(value, facts, false)?))
                };
                let fields = fields.iter().map(value).collect::<Result<_, _>>()?;
                Ok(Leaving::Post { address, fields })
            }
        }
    }

    /// An address leads to one of these sites, or is at least a whole address with a plain host.
    fn check_site(&self, address: &str, hosts: &[String]) -> Result<(), LeavingError> {
        let other = || LeavingError::OtherSite(self.title.clone());
        let rest = address.strip_prefix("https://").ok_or_else(other)?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_plain = !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        let is_listed = |site: &String| site.strip_prefix("https://") == Some(host);
        match is_plain && (hosts.is_empty() || hosts.iter().any(is_listed)) {
            true => Ok(()),
            false => Err(other()),
        }
    }
}

/// A text with its places filled.
fn filled(template: &str, facts: &LeavingFacts, encode: bool) -> Result<String, LeavingError> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        let value = value(name, facts).ok_or_else(|| LeavingError::Missing(name.to_owned()))?;
        // An address that a platform gave may end in a slash.
        let value = if text.is_empty() { value.trim_end_matches('/') } else { value };
        match encode {
            true => text.extend(utf8_percent_encode(value, VALUE)),
            false => text.push_str(value),
        }
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}

fn value<'f>(name: &str, facts: &'f LeavingFacts) -> Option<&'f str> {
    let arrived = &facts.arrived;
    match name {
        "code" => facts.code.as_deref(),
        "worker" => Some(&arrived.worker),
        "assignment" => arrived.assignment.as_deref(),
        "study" => arrived.study.as_deref(),
        "submission" => Some(&facts.submission),
        _ => arrived.also.get(name).or_else(|| facts.options.get(name)).map(String::as_str),
    }
}
