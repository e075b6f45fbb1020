//! What to do about something, in words that every front end can finish.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// What a user can do, as text in which settings are named and not spelled.
///
/// A library does not know who is listening: a setting is a flag on a command line, a field on a page, an
/// argument in Python. So a hint keeps the settings it names apart from the words around them, and
/// each front end puts in its own spelling with [`Hint::worded`].
///
/// ```
/// use karat_model::Hint;
///
/// let hint = Hint::template("try {unit=bytes}, or give the texts with {documents}");
/// assert_eq!(hint.to_string(), "try `unit=bytes`, or give the texts with `documents`");
/// let flags = hint.worded(|setting| match &setting.value {
///     Some(value) => format!("--{} {value}", setting.name),
///     None => format!("--{}", setting.name),
/// });
/// assert_eq!(flags, "try --unit bytes, or give the texts with --documents");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hint {
    parts: Vec<HintPart>,
}

/// A piece of a [`Hint`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HintPart {
    /// Words, shown as they are.
    Text(Cow<'static, str>),
    /// A setting, spelled by the front end.
    Setting(NamedSetting),
}

/// A setting that a hint speaks of, and the value that would help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedSetting {
    /// Its name, such as `unit`.
    pub name: Cow<'static, str>,
    /// The value, such as `bytes`; `None` where the user has to choose one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Cow<'static, str>>,
}

impl Hint {
    /// A hint with its settings in braces: `{unit}` or `{unit=bytes}`. Only for text that is part of a
    /// program: what comes from a file may have braces of its own, and is added with [`Hint::text`].
    pub fn template(template: &'static str) -> Hint {
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((setting, after)) = after.split_once('}') else { break };
            if !before.is_empty() {
                parts.push(HintPart::Text(before.into()));
            }
            let (name, value) = match setting.split_once('=') {
                Some((name, value)) => (name, Some(value.into())),
                None => (setting, None),
            };
            parts.push(HintPart::Setting(NamedSetting { name: name.into(), value }));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(HintPart::Text(rest.into()));
        }
        Hint { parts }
    }

    /// The hint with more words, which are shown as they are.
    #[must_use]
    pub fn text(mut self, text: impl Into<Cow<'static, str>>) -> Hint {
        self.parts.push(HintPart::Text(text.into()));
        self
    }

    /// The hint with a setting and the value that would help.
    #[must_use]
    pub fn setting(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Hint {
        let value = Some(value.into());
        self.parts.push(HintPart::Setting(NamedSetting { name: name.into(), value }));
        self
    }

    /// The hint with another behind it.
    #[must_use]
    pub fn then(mut self, other: Hint) -> Hint {
        self.parts.extend(other.parts);
        self
    }

    /// Its pieces, in order.
    pub fn parts(&self) -> &[HintPart] {
        &self.parts
    }

    /// The settings it names, in order.
    pub fn settings(&self) -> impl Iterator<Item = &NamedSetting> {
        self.parts.iter().filter_map(|part| match part {
            HintPart::Setting(setting) => Some(setting),
            HintPart::Text(_) => None,
        })
    }

    /// The whole hint, with settings spelled as the front end spells them.
    pub fn worded(&self, spell: impl Fn(&NamedSetting) -> String) -> String {
        let worded = self.parts.iter().map(|part| match part {
            HintPart::Text(text) => Cow::Borrowed(text.as_ref()),
            HintPart::Setting(setting) => Cow::Owned(spell(setting)),
        });
        worded.collect()
    }
}

/// Settings by their names, for a reader who has no front end.
impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut quoted = false;
        for part in &self.parts {
            // Words that quote a setting themselves are not quoted twice.
            let quote = if quoted { "" } else { "`" };
            match part {
                HintPart::Text(text) => f.write_str(text)?,
                HintPart::Setting(NamedSetting { name, value: Some(value) }) => {
                    write!(f, "{quote}{name}={value}{quote}")?;
                }
                HintPart::Setting(NamedSetting { name, .. }) => write!(f, "{quote}{name}{quote}")?,
            }
            quoted = matches!(part, HintPart::Text(text) if text.ends_with('`'));
        }
        Ok(())
    }
}

impl From<&'static str> for Hint {
    fn from(text: &'static str) -> Hint {
        Hint::default().text(text)
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Hint {
        Hint::default().text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_apart_at_their_braces() {
        let hint = Hint::template("{lenient} skips them; or say {end=inclusive}.");
        let names: Vec<&str> = hint.settings().map(|setting| setting.name.as_ref()).collect();
        assert_eq!(names, ["lenient", "end"]);
        assert_eq!(hint.to_string(), "`lenient` skips them; or say `end=inclusive`.");
        assert_eq!(Hint::template("an open { brace").to_string(), "an open { brace");
        let quoted = Hint::template("say `{unit=bytes}` or {end}");
        assert_eq!(quoted.to_string(), "say `unit=bytes` or `end`");
    }

    #[test]
    fn text_of_files_is_never_taken_for_a_setting() {
        let hint = Hint::from("did you mean ".to_owned()).text("{unit=bytes}".to_owned());
        assert_eq!(hint.to_string(), "did you mean {unit=bytes}");
        assert_eq!(hint.settings().count(), 0);
    }
}
