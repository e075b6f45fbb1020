//! Reading the declaration of a platform.

use super::{Exit, KnownBy, Platform};
use std::ops::Range;

/// What is wrong with a declaration, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlatformProblem {
    /// Which bytes of the text are meant.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What can be done.
    pub hint: String,
}

const HINT: &str = "docs/verification.md has an example of a platform with all keys";

/// Places that are always known.
const KNOWN: [&str; 5] = ["code", "worker", "assignment", "study", "submission"];

impl Platform {
    /// Reads a declaration. A platform is called as its file unless it says otherwise.
    pub fn read(name: &str, text: &str) -> Result<Platform, PlatformProblem> {
        let mut platform: Platform = toml::from_str(text).map_err(|error| {
            let at = error.span().unwrap_or_default();
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            PlatformProblem { at, message, hint: HINT.to_owned() }
        })?;
        if platform.name.is_empty() {
            name.clone_into(&mut platform.name);
        }
        platform.checked().map_err(|(value, message)| {
            let start = text.find(&value).filter(|_| !value.is_empty()).unwrap_or(0);
            let at = start..start + text[start..].find(&value).map_or(0, |_| value.len());
            PlatformProblem { at, message, hint: HINT.to_owned() }
        })?;
        Ok(platform)
    }

    /// What is well-formed and makes no sense, with the value that is meant.
    fn checked(&self) -> Result<(), (String, String)> {
        let wrong = |value: &str, message: String| Err((value.to_owned(), message));
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !self.name.bytes().all(is_name) || self.name.is_empty() {
            let message = format!("`{}` is no name: small letters, digits and `-`", self.name);
            return wrong(&self.name, message);
        }
        if self.enter.by != KnownBy::Account && self.enter.worker.is_none() {
            return wrong(
                "[enter]",
                "`enter` needs `worker`: the parameter that says who it is".into(),
            );
        }
        for site in self.frames.iter().chain(self.hosts()) {
            let host = site.strip_prefix("https://").unwrap_or_default();
            let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
            if host.is_empty() || !host.bytes().all(is_host) {
                return wrong(site, format!("`{site}` is no site: write https:// and a host"));
            }
        }
        for template in self.templates() {
            self.check_template(template)?;
        }
        match &self.end {
            Exit::Redirect { address } if !address.starts_with("https://") => {
                wrong(address, "a way back begins with https://".into())
            }
            Exit::Post { hosts, .. } if hosts.is_empty() => {
                wrong("[end]", "`hosts` must say where a form may be posted to".into())
            }
            _ => Ok(()),
        }
    }

    fn check_template(&self, template: &str) -> Result<(), (String, String)> {
        let mut rest = template;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((place, behind)) = after.split_once('}') else {
                return Err((template.to_owned(), "a place `{` is never closed".to_owned()));
            };
            let also = self.enter.also.iter().map(String::as_str);
            let names: Vec<&str> = KNOWN
                .into_iter()
                .chain(also)
                .chain(self.options.keys().map(String::as_str))
                .collect();
            if !names.contains(&place) {
                let message = format!("`{{{place}}}` is no place: places are {}", names.join(", "));
                return Err((format!("{{{place}}}"), message));
            }
            rest = behind;
        }
        Ok(())
    }

    fn hosts(&self) -> &[String] {
        match &self.end {
            Exit::Post { hosts, .. } => hosts,
            _ => &[],
        }
    }

    fn templates(&self) -> Vec<&str> {
        match &self.end {
            Exit::Redirect { address } => vec![address],
            Exit::Post { address, fields, .. } => {
                std::iter::once(address).chain(fields.values()).map(String::as_str).collect()
            }
            Exit::Code | Exit::Nothing => Vec::new(),
        }
    }
}
