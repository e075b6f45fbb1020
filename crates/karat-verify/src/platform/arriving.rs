//! Who comes.

use super::{KnownBy, Platform};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What somebody is who comes from a platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// Somebody who only looks: nothing is stored.
    Preview,
    /// A person.
    Person(Arrived),
}

/// A person, as the platform knows them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Arrived {
    /// The id of the person.
    pub worker: String,
    /// The id of their assignment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<String>,
    /// The study, project or HIT.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// Further parameters that are needed to go back.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub also: BTreeMap<String, String>,
}

/// Why nobody can be let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArrivalError {
    /// A parameter of the address is missing.
    #[error("the address has no `{0}`: open the study from its platform")]
    Missing(String),
    /// A parameter is too long to be what it says.
    #[error("`{0}` in the address is too long")]
    TooLong(String),
    /// The platform knows people by an account.
    #[error("this campaign is for people with an account: log in first")]
    NeedsAccount,
}

/// Ids of platforms have 24 to 64 letters.
const LONGEST: usize = 512;

impl Platform {
    /// Who comes, by the parameters of the address.
    pub fn arrival(
        &self,
        parameter: impl Fn(&str) -> Option<String>,
    ) -> Result<Arrival, ArrivalError> {
        if let Some(preview) = &self.preview
            && parameter(&preview.parameter).as_ref() == Some(&preview.value)
        {
            return Ok(Arrival::Preview);
        }
        if self.enter.by == KnownBy::Account {
            return Err(ArrivalError::NeedsAccount);
        }
        let needed = |name: &String| match parameter(name).filter(|it| !it.trim().is_empty()) {
            None => Err(ArrivalError::Missing(name.clone())),
            Some(value) if value.len() > LONGEST => Err(ArrivalError::TooLong(name.clone())),
            Some(value) => Ok(value),
        };
        let worker = self.enter.worker.as_ref().map(needed).transpose()?;
        let also = self.enter.also.iter().map(|name| Ok((name.clone(), needed(name)?)));
        Ok(Arrival::Person(Arrived {
            worker: worker.ok_or(ArrivalError::NeedsAccount)?,
            assignment: self.enter.assignment.as_ref().map(needed).transpose()?,
            study: self.enter.study.as_ref().map(needed).transpose()?,
            also: also.collect::<Result<_, _>>()?,
        }))
    }
}
