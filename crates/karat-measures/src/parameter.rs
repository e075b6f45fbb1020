//! The parameters of measures, which stand in brackets behind a name: `fuzzy(alpha=0.3)`.

use crate::measure::Parameters;
use crate::preset::Convention;
use crate::settings::SettingError;
use crate::values::{ValueAbout, Values};
use std::fmt::Debug;

/// A parameter of a measure, whatever the type of its values.
///
/// A measure declares its parameters, and what a name says in brackets is checked against them before the
/// measure is made. So a measure never sees a value that is none of a parameter's, and the list that users
/// read is the one that is checked.
pub trait Parameter: Debug + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it decides, in a sentence.
    fn about(&self) -> &'static str;

    /// The values it takes.
    fn values(&self) -> Vec<ValueAbout>;

    /// The same in words: `strict, exact, partial or type`.
    fn expected(&self) -> String;

    /// Its value where a name says nothing; `None` where the convention decides.
    fn default(&self) -> Option<String>;

    /// Whether it takes this value.
    fn check(&self, value: &str) -> Result<(), SettingError>;
}

/// A parameter with values of one type.
#[derive(Debug)]
pub(crate) struct ParameterOf<T: 'static> {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) values: &'static Values<T>,
    pub(crate) otherwise: Otherwise<T>,
}

/// The value of a parameter that is not given.
#[derive(Debug)]
pub(crate) enum Otherwise<T> {
    /// This one.
    Is(T),
    /// That of the convention.
    OfConvention(fn(&Convention) -> T),
}

impl<T: Clone + PartialEq + Debug + Sync> Parameter for ParameterOf<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn values(&self) -> Vec<ValueAbout> {
        self.values.about()
    }

    fn expected(&self) -> String {
        self.values.expected()
    }

    fn default(&self) -> Option<String> {
        match &self.otherwise {
            Otherwise::Is(value) => self.values.write(value),
            Otherwise::OfConvention(_) => None,
        }
    }

    fn check(&self, value: &str) -> Result<(), SettingError> {
        self.values.check(self.name, value).map(|_| ())
    }
}

/// What a measure is made from: the parameters that its name gives, all checked, and the convention that it is
/// made under.
#[derive(Debug, Clone, Copy)]
pub struct MeasureContext<'n> {
    given: &'n Parameters,
    convention: &'n Convention,
}

impl<'n> MeasureContext<'n> {
    /// The context of a measure with these parameters, after each of them that is given was checked.
    pub(crate) fn checked(
        parameters: &[&dyn Parameter],
        given: &'n Parameters,
        convention: &'n Convention,
    ) -> Result<MeasureContext<'n>, SettingError> {
        // Checked when a measure is named, so that `value` below can read without failing.
        for parameter in parameters {
            if let Some(value) = given.get(parameter.name()) {
                parameter.check(value)?;
            }
        }
        Ok(MeasureContext::new(given, convention))
    }

    /// The context of a measure with parameters that were checked.
    pub(crate) fn new(given: &'n Parameters, convention: &'n Convention) -> MeasureContext<'n> {
        MeasureContext { given, convention }
    }

    /// The convention.
    pub fn convention(&self) -> &'n Convention {
        self.convention
    }

    /// The value of a parameter: what is given, or else what it is otherwise.
    pub(crate) fn value<T: Clone + PartialEq>(&self, parameter: &ParameterOf<T>) -> T {
        self.given(parameter).unwrap_or_else(|| match &parameter.otherwise {
            Otherwise::Is(value) => value.clone(),
            Otherwise::OfConvention(value) => value(self.convention),
        })
    }

    /// What is given for a parameter. Everything was checked, so nothing that is given is lost here.
    pub(crate) fn given<T: Clone + PartialEq>(&self, parameter: &ParameterOf<T>) -> Option<T> {
        parameter.values.read(self.given.get(parameter.name)?)
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::MEASURES;
    use crate::settings::setting;
    use std::collections::BTreeSet;

    #[test]
    fn every_parameter_is_described_and_takes_its_own_values() {
        for measure in MEASURES {
            let names: BTreeSet<&str> = measure.parameters.iter().map(|it| it.name()).collect();
            assert_eq!(names.len(), measure.parameters.len(), "{}", measure.name);
            for parameter in measure.parameters {
                let what = format!("{}({})", measure.name, parameter.name());
                assert!(parameter.about().ends_with('.'), "{what}");
                assert!(!parameter.values().is_empty(), "{what}");
                for value in parameter.values() {
                    assert_eq!(parameter.check(value.name), Ok(()), "{what}");
                }
                if let Some(value) = parameter.default() {
                    assert_eq!(parameter.check(&value), Ok(()), "{what}");
                }
            }
        }
    }

    /// A parameter hides the setting of its name, so it may only be one that no measure has of its own anyway.
    #[test]
    fn no_parameter_hides_a_setting_of_matching() {
        for measure in MEASURES {
            for parameter in measure.parameters {
                let hidden = setting(parameter.name()).filter(|setting| setting.is_of_matching());
                assert!(hidden.is_none(), "{}({})", measure.name, parameter.name());
            }
        }
    }
}
