//! The settings: everything about a convention that a user can change, in one table.
//!
//! A signature, the display of a preset, `--set`, the help and the page of the book are all made from
//! [`SETTINGS`]. A new setting is a field of [`Convention`] or [`Settings`] and one entry in `table.rs`.

mod table;
mod threshold;

pub use table::SETTINGS;
pub(crate) use table::{DECIMALS, HIT_EARNS, MEMBERSHIP, OVER_ALTERNATIVES, OVER_TAGS};

use crate::preset::{Convention, Preset};
use crate::presets::PRESETS;
use crate::values::{ValueAbout, Values};
use karat_match::Settings;
use karat_model::{Hint, closest};
use std::fmt::Debug;

/// One setting of a convention.
///
/// A setting has a name, values that can be written, and words that say what it does. It reads and
/// changes its part of a [`Convention`] and nothing else, and what [`Setting::get`] writes
/// [`Setting::set`] reads: that is how a signature becomes a convention again.
///
/// ```
/// use karat_measures::{Convention, setting};
///
/// let mut convention = Convention::default();
/// let spans = setting("match").expect("there is such a setting");
/// assert_eq!(spans.get(&convention).as_deref(), Some("exact"));
/// spans.set(&mut convention, "overlap")?;
/// assert_eq!(spans.get(&convention).as_deref(), Some("overlap"));
///
/// let error = spans.set(&mut convention, "overlp").unwrap_err();
/// assert_eq!(error.hint().map(|hint| hint.to_string()).as_deref(), Some("did you mean `match=overlap`?"));
/// # Ok::<(), karat_measures::SettingError>(())
/// ```
pub trait Setting: Debug + Sync {
    /// Its name, as signatures write it. Never changed once published.
    fn name(&self) -> &'static str;

    /// What it decides, in a sentence or two.
    fn about(&self) -> &'static str;

    /// The values it takes.
    fn values(&self) -> Vec<ValueAbout>;

    /// The same in words: `exact, overlap, or a share of the gold span such as 50%`.
    fn expected(&self) -> String;

    /// What a value does; what the setting decides, for values that are written out.
    fn meaning(&self, value: &str) -> &'static str {
        let values = self.values().into_iter();
        // An example (`0.5`) is no value with a meaning of its own.
        let mut named = values.filter(|about| !about.is_example && about.name == value);
        named.next().map_or(self.about(), |about| about.about)
    }

    /// When a signature names it.
    fn signed(&self) -> Signed {
        Signed::WhenChanged
    }

    /// Its value in a convention; `None` where the value has no name by which it could be set again, as a
    /// membership function of a file has none.
    fn get(&self, convention: &Convention) -> Option<String>;

    /// Gives it a value.
    fn set(&self, convention: &mut Convention, value: &str) -> Result<(), SettingError>;

    /// Whether a measure may have a value of its own, in brackets: `link(match=overlap)`.
    fn is_of_matching(&self) -> bool {
        false
    }

    /// Gives it a value for one measure alone. Settings that hold for a whole evaluation refuse.
    fn set_for_measure(&self, _settings: &mut Settings, _value: &str) -> Result<(), SettingError> {
        Err(SettingError::NotOfMeasure { setting: self.name() })
    }
}

/// When a signature names a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// In every signature: what everybody asks about.
    Always,
    /// Where its value is not that of the preset.
    WhenChanged,
}

/// A setting that there is not, or a value that it does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// There is no such setting.
    #[error("there is no setting `{name}`")]
    Name {
        /// What was asked for.
        name: String,
    },
    /// The setting has no such value.
    #[error("`{value}` is no value of `{setting}`: expected {expected}")]
    Value {
        /// The setting, or the parameter of a measure.
        setting: &'static str,
        /// What was given.
        value: String,
        /// What would have been right, in words.
        expected: String,
        /// The named value that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A measure was to have a value of its own.
    #[error("`{setting}` holds for a whole evaluation: no measure has its own")]
    NotOfMeasure {
        /// The setting.
        setting: &'static str,
    },
}

impl SettingError {
    /// What to do about it; `None` where the message says all there is to say.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            SettingError::Name { name } => {
                let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name()).collect();
                let meant = closest(name, names.iter().copied());
                let meant = meant.map(|meant| format!("did you mean `{meant}`? "));
                let meant = meant.unwrap_or_default();
                Some(format!("{meant}settings are {}", names.join(", ")).into())
            }
            SettingError::Value { setting, nearest, .. } => nearest
                .map(|nearest| Hint::from("did you mean ").setting(setting, nearest).text("?")),
            SettingError::NotOfMeasure { setting } => Some(
                format!("leave `{setting}` out of the brackets and set it for all measures").into(),
            ),
        }
    }
}

/// The setting with this name.
pub fn setting(name: &str) -> Option<&'static dyn Setting> {
    SETTINGS.iter().copied().find(|setting| setting.name() == name)
}

/// The values that a setting has in presets, each with the presets that have it: that of karat's own first. A value
/// without a name is empty.
pub fn values_in_presets(setting: &dyn Setting) -> Vec<(String, Vec<&'static Preset>)> {
    let mut values: Vec<(String, Vec<&'static Preset>)> = Vec::new();
    for preset in PRESETS {
        let value = setting.get(&(preset.convention)()).unwrap_or_default();
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, presets)) => presets.push(preset),
            None => values.push((value, vec![preset])),
        }
    }
    values
}

impl Convention {
    /// Its settings by name, as a signature writes them: the preset first.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let settings = SETTINGS.iter();
        let settings = settings.filter_map(|setting| Some((setting.name(), setting.get(self)?)));
        std::iter::once(("preset", self.preset.name.to_owned())).chain(settings).collect()
    }

    /// The value of a setting; `None` where there is no such setting, or its value has no name.
    pub fn get(&self, name: &str) -> Option<String> {
        setting(name)?.get(self)
    }

    /// Changes one setting by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        match setting(name) {
            Some(setting) => setting.set(self, value),
            None => Err(SettingError::Name { name: name.to_owned() }),
        }
    }
}

/// A setting with values of one type, kept in one place of a convention.
#[derive(Debug)]
pub(crate) struct SettingOf<T: 'static> {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) values: &'static Values<T>,
    pub(crate) signed: Signed,
    pub(crate) kept: Kept<T>,
}

/// Where a value is kept.
#[derive(Debug)]
pub(crate) enum Kept<T> {
    /// In what decides who meets whom: each measure has its own.
    Matching {
        /// The value there.
        get: fn(&Settings) -> T,
        /// Puts a value there.
        put: fn(&mut Settings, T),
    },
    /// In what holds for a whole evaluation.
    Convention {
        /// The value there.
        get: fn(&Convention) -> T,
        /// Puts a value there.
        put: fn(&mut Convention, T),
    },
}

impl<T: Clone + PartialEq + Debug + Sync> Setting for SettingOf<T> {
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

    fn signed(&self) -> Signed {
        self.signed
    }

    fn get(&self, convention: &Convention) -> Option<String> {
        self.values.write(&match self.kept {
            Kept::Matching { get, .. } => get(&convention.settings),
            Kept::Convention { get, .. } => get(convention),
        })
    }

    fn set(&self, convention: &mut Convention, value: &str) -> Result<(), SettingError> {
        let value = self.values.check(self.name, value)?;
        match self.kept {
            Kept::Matching { put, .. } => put(&mut convention.settings, value),
            Kept::Convention { put, .. } => put(convention, value),
        }
        Ok(())
    }

    fn is_of_matching(&self) -> bool {
        matches!(self.kept, Kept::Matching { .. })
    }

    fn set_for_measure(&self, settings: &mut Settings, value: &str) -> Result<(), SettingError> {
        match self.kept {
            Kept::Matching { put, .. } => put(settings, self.values.check(self.name, value)?),
            // A measure has settings of matching of its own and no others: a taxonomy that differs
            // from measure to measure would make one table of two conventions.
            Kept::Convention { .. } => {
                return Err(SettingError::NotOfMeasure { setting: self.name });
            }
        }
        Ok(())
    }
}
