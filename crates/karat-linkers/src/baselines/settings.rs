//! What can be set about baselines, and how it is read.

use crate::registry::{LinkerContext, LinkerError};
use karat_model::Hint;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A setting as a [`BuiltIn`](crate::BuiltIn) declares it: its name, what it decides, and its value when it is not given.
pub(super) type Declared = (&'static str, &'static str, &'static str);

/// How many candidates come with an answer.
pub(super) const LISTED: Declared =
    ("listed", "how many candidates are listed with each answer", "10");

/// How long a text of the dictionary may be.
pub(super) const MAX_WORDS: Declared =
    ("max-words", "how many words a mention may have that is looked for in the base", "20");

/// The values of declared settings, read one after the other, and remembered for the signature.
pub(super) struct SettingReader<'c> {
    context: &'c LinkerContext,
    read: Vec<(String, String)>,
}

impl<'c> SettingReader<'c> {
    /// Begins with what everything depends on that asks a base.
    pub(super) fn new(context: &'c LinkerContext) -> SettingReader<'c> {
        let mut read = Vec::new();
        if let Some(base) = &context.base {
            read.push(("kb".to_owned(), base.signature()));
        }
        SettingReader { context, read }
    }

    /// What was read, for [`LinkerInfo::settings`](crate::LinkerInfo::settings).
    pub(super) fn finish(self) -> Vec<(String, String)> {
        self.read
    }

    fn given(&self, declared: Declared) -> &'c str {
        let (name, _, default) = declared;
        self.context.settings.get(name).map_or(default, |given| given.trim())
    }

    /// Tells something that is no setting.
    pub(super) fn remember(&mut self, name: &str, value: String) {
        self.read.push((name.to_owned(), value));
    }

    /// Any text.
    pub(super) fn text(&mut self, declared: Declared) -> &'c str {
        let text = self.given(declared);
        self.remember(declared.0, text.to_owned());
        text
    }

    fn take<T>(
        &mut self,
        declared: Declared,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, LinkerError> {
        let text = self.given(declared);
        let value = read(text).ok_or_else(|| {
            let shown: String = text.chars().take(40).map(visible).collect();
            LinkerError::new(format!("`{}` cannot be `{shown}`", declared.0))
                .hint(Hint::default().text(format!("it is {what}")))
        })?;
        self.remember(declared.0, text.to_owned());
        Ok(value)
    }

    /// A whole number.
    pub(super) fn number<T>(
        &mut self,
        declared: Declared,
        range: RangeInclusive<T>,
    ) -> Result<T, LinkerError>
    where
        T: FromStr + PartialOrd + std::fmt::Display,
    {
        let what = format!("a number from {} to {}", range.start(), range.end());
        self.take(declared, &what, |text| text.parse().ok().filter(|value| range.contains(value)))
    }

    /// A weight.
    pub(super) fn weight(&mut self, declared: Declared) -> Result<f64, LinkerError> {
        let read = |text: &str| text.parse().ok().filter(|value: &f64| (0.0..=1e6).contains(value));
        self.take(declared, "a number of at least 0", read)
    }

    /// Yes or no.
    pub(super) fn answer(&mut self, declared: Declared) -> Result<bool, LinkerError> {
        self.take(declared, "`yes` or `no`", |text| match text {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        })
    }

    /// Ids, separated by commas.
    pub(super) fn ids(&mut self, declared: Declared) -> Result<Vec<String>, LinkerError> {
        self.take(declared, "ids, separated by commas", |text| {
            let ids = text.split(',').map(str::trim).filter(|id| !id.is_empty());
            Some(ids.map(str::to_owned).collect::<Vec<_>>()).filter(|ids| !ids.is_empty())
        })
    }
}

fn visible(character: char) -> char {
    if character.is_control() { '\u{fffd}' } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused_and_all_of_them_are_told() {
        let mut context = LinkerContext::default();
        let mut reader = SettingReader::new(&context);
        assert_eq!(reader.number(LISTED, 0..=1000).unwrap(), 10);
        assert!(reader.answer(("sure", "", "yes")).unwrap());
        assert_eq!(reader.ids(("types", "", "Q5, Q6,")).unwrap(), ["Q5", "Q6"]);
        let told = [("listed", "10"), ("sure", "yes"), ("types", "Q5, Q6,")];
        let told = told.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(reader.finish(), told);

        for (name, value, message) in [
            ("listed", "-1", "`listed` cannot be `-1`; it is a number from 0 to 1000"),
            ("listed", "many\n", "`listed` cannot be `many`; it is a number from 0 to 1000"),
            ("weight", "NaN", "`weight` cannot be `NaN`; it is a number of at least 0"),
            ("weight", "-1", "`weight` cannot be `-1`; it is a number of at least 0"),
            ("sure", "si\u{1b}no", "`sure` cannot be `si\u{fffd}no`; it is `yes` or `no`"),
            ("types", ",", "`types` cannot be `,`; it is ids, separated by commas"),
        ] {
            context.settings = [(name.to_owned(), value.to_owned())].into();
            let mut reader = SettingReader::new(&context);
            let error = reader
                .number(LISTED, 0..=1000)
                .and_then(|_| reader.weight(("weight", "", "1")))
                .and_then(|_| reader.answer(("sure", "", "yes")))
                .and_then(|_| reader.ids(("types", "", "Q5")))
                .unwrap_err();
            assert_eq!(format!("{}; {}", error.message, error.hint.unwrap()), message);
        }
    }
}
