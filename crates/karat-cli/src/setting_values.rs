//! What shells may complete where a setting or a preset is named.

use clap::builder::{PossibleValue, TypedValueParser};
use karat::listings::{named_values, preset_names, setting_names};
use std::ffi::OsStr;

/// Takes any text, and tells shells what it could be. What is wrong is said later, by the setting itself.
#[derive(Debug, Clone)]
pub(crate) struct Suggested(Vec<(String, &'static str)>);

impl Suggested {
    /// The names of presets.
    pub(crate) fn presets() -> Suggested {
        Suggested(preset_names().map(|name| (name.to_owned(), "")).collect())
    }

    /// The values of one setting.
    pub(crate) fn values(name: &str) -> Suggested {
        let values = named_values(name).into_iter();
        Suggested(values.map(|(value, about)| (value.to_owned(), about)).collect())
    }

    /// All settings, each with its values.
    pub(crate) fn settings() -> Suggested {
        let pairs = setting_names().flat_map(|name| {
            let values = named_values(name).into_iter();
            values.map(move |(value, about)| (format!("{name}={value}"), about))
        });
        Suggested(pairs.collect())
    }
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
