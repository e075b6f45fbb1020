//! The setting `threshold`, which is kept in two places: a number decides who meets whom, and a search for the
//! best number is a matter of the whole evaluation.

use super::{Setting, SettingError, Signed};
use crate::preset::Convention;
use crate::values::{ValueAbout, Values, WrittenValue, named};
use karat_match::Settings;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct Threshold;

/// What of the predictions is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Keeping {
    Everything,
    Best,
    From(f64),
}

static WHOLE: Values<Keeping> = Values {
    named: &[
        named("none", Keeping::Everything, "All predictions are kept."),
        named(
            "oracle",
            Keeping::Best,
            "The threshold that is best on the data that is scored, for each measure. Such numbers are an \
             upper bound and are marked.",
        ),
    ],
    written: Some(NUMBER),
};

/// A measure by itself has no search of its own.
static OF_MEASURE: Values<Keeping> = Values {
    named: &[named("none", Keeping::Everything, "All predictions are kept.")],
    written: Some(NUMBER),
};

const NUMBER: WrittenValue<Keeping> = WrittenValue {
    about: "a confidence",
    example: "0.5",
    read: |text| {
        // `inf` and `nan` parse as numbers; neither is a confidence.
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Keeping::From)
    },
    write: |keeping| match keeping {
        Keeping::From(least) => Some(least.to_string()),
        Keeping::Everything | Keeping::Best => None,
    },
};

impl Setting for Threshold {
    fn name(&self) -> &'static str {
        "threshold"
    }

    fn about(&self) -> &'static str {
        "Predictions below this confidence are left out. Those without a confidence stay."
    }

    fn values(&self) -> Vec<ValueAbout> {
        WHOLE.about()
    }

    fn expected(&self) -> String {
        WHOLE.expected()
    }

    fn signed(&self) -> Signed {
        Signed::Always
    }

    fn get(&self, convention: &Convention) -> Option<String> {
        WHOLE.write(&match (convention.oracle, convention.settings.threshold) {
            (true, _) => Keeping::Best,
            (false, Some(least)) => Keeping::From(least),
            (false, None) => Keeping::Everything,
        })
    }

    fn set(&self, convention: &mut Convention, value: &str) -> Result<(), SettingError> {
        let keeping = WHOLE.check(self.name(), value)?;
        convention.oracle = keeping == Keeping::Best;
        match keeping {
            // The number stays, as it is used again if the search is switched off.
            Keeping::Best => Ok(()),
            Keeping::Everything | Keeping::From(_) => {
                self.set_for_measure(&mut convention.settings, value)
            }
        }
    }

    fn is_of_matching(&self) -> bool {
        true
    }

    fn set_for_measure(&self, settings: &mut Settings, value: &str) -> Result<(), SettingError> {
        settings.threshold = match OF_MEASURE.check(self.name(), value)? {
            Keeping::From(least) => Some(least),
            Keeping::Everything | Keeping::Best => None,
        };
        Ok(())
    }
}
