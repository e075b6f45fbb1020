//! What shells may complete where a setting or a preset is named.

use clap::builder::{PossibleValue, TypedValueParser};
use karat::measures::{PRESETS, SETTINGS, Setting, setting};
use std::ffi::OsStr;

/// Takes any text, and tells shells what it could be. What is wrong is said later, by the setting itself.
#[derive(Debug, Clone)]
pub(crate) struct Suggested(Vec<(String, &'static str)>);

impl Suggested {
    /// The names of presets.
    pub(crate) fn presets() -> Suggested {
        let presets = PRESETS.iter().map(|preset| (preset.name.to_owned(), ""));
        Suggested(presets.collect())
    }

    /// The values of one setting.
    pub(crate) fn values(name: &str) -> Suggested {
        let values = setting(name).map(named_values).unwrap_or_default();
        Suggested(values.into_iter().map(|(value, about)| (value.to_owned(), about)).collect())
    }

    /// All settings, each with its values.
    pub(crate) fn settings() -> Suggested {
        let pairs = SETTINGS.iter().flat_map(|setting| {
            let name = setting.name();
            named_values(*setting)
                .into_iter()
                .map(move |(value, about)| (format!("{name}={value}"), about))
        });
        Suggested(pairs.collect())
    }
}

/// The values that have names; others cannot be completed.
fn named_values(setting: &dyn Setting) -> Vec<(&'static str, &'static str)> {
    let values = setting.values().into_iter().filter(|value| !value.is_example);
    values.map(|value| (value.name, value.about)).collect()
}

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values =
            self.0.iter().map(|(value, about)| PossibleValue::new(value.clone()).help(*about));
        Some(Box::new(values))
    }
}
