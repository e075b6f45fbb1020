//! Platforms that people come from: crowds, invitation links, accounts.
//!
//! A platform is data: which parameters of the address say who comes, what is a preview, how it ends and which endings have
//! codes of their own. The built-in ones are TOML files in `platforms/`; another one is a file of the same kind and
//! needs no Rust.
//!
//! ```
//! use karat_verify::life::Ending;
//! use karat_verify::platform::{Arrival, Leaving, LeavingFacts, platform};
//!
//! let prolific = platform("prolific").expect("built in");
//! let given = |name: &str| (name != "other").then(|| format!("a-{name}"));
//! let Ok(Arrival::Person(who)) = prolific.arrival(given) else { panic!("somebody comes") };
//! assert_eq!(who.worker, "a-PROLIFIC_PID");
//! let facts = LeavingFacts { code: Some("C1 23".into()), arrived: who, ..LeavingFacts::default() };
//! let address = "https://app.prolific.com/submissions/complete?cc=C1%2023".to_owned();
//! assert_eq!(prolific.leaving(Ending::Finished, &facts), Ok(Leaving::Redirect { address }));
//! ```

mod arriving;
mod leaving;
mod reader;
#[cfg(test)]
mod tests;

pub use arriving::{Arrival, ArrivalError, Arrived};
pub use leaving::{Leaving, LeavingError, LeavingFacts};
pub use reader::PlatformProblem;

use crate::life::Ending;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Where people come from and how they go back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Platform {
    /// Its name in requests: the name of its file.
    #[serde(default)]
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it is, for organisers.
    pub about: String,
    /// Whether people are paid for each assignment. Those who are work in a hurry: their leases are short.
    #[serde(default)]
    pub paid: bool,
    /// The least that the platform lets people earn in an hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_pay: Option<PayAmount>,
    /// How people are known.
    pub enter: Entrance,
    /// What tells that somebody only looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<PreviewMark>,
    /// What an organiser has to say beside it, by name, with what it is.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// How it ends.
    pub end: Exit,
    /// The endings that have a completion code of their own, which the organiser gives or karat makes.
    #[serde(default)]
    pub codes: Vec<PlatformEnding>,
    /// Sites that show our pages in a frame. Empty for all that do not: then nobody may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

/// An amount of money: for an hour, or for an assignment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayAmount {
    /// How much.
    pub amount: f64,
    /// Of what, by its three letters.
    pub currency: String,
}

/// How people are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entrance {
    /// By what.
    pub by: KnownBy,
    /// The parameter of the address that says who it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The one that says which assignment of theirs it is. Without it a person has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<String>,
    /// The one that says which study, project or HIT it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// Others that are needed to go back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// By what people are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownBy {
    /// By parameters that the platform puts into the address.
    Parameters,
    /// By an invitation that we made.
    Invitation,
    /// By their account here.
    Account,
}

/// What tells that somebody only looks: then nothing is stored and nothing is leased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreviewMark {
    /// The parameter of the address.
    pub parameter: String,
    /// Its value in a preview.
    pub value: String,
}

/// How an assignment ends for its platform. Addresses and values have places in braces: `{code}`, `{worker}`, `{assignment}`,
/// `{study}`, `{submission}`, options and further parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "way")]
pub enum Exit {
    /// A link leads back.
    Redirect {
        /// Where to.
        address: String,
    },
    /// A form is posted.
    Post {
        /// Where to.
        address: String,
        /// The only sites that it may be posted to.
        hosts: Vec<String>,
        /// The fields of the form.
        fields: BTreeMap<String, String>,
    },
    /// A code is shown, to be copied.
    Code,
    /// Nothing: people just stop.
    Nothing,
}

/// An ending as a platform sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlatformEnding {
    /// All tasks are done.
    Finished,
    /// There was no more work: paid in full.
    NoWorkLeft,
    /// The person did not consent.
    NoConsent,
    /// The comprehension check was failed twice.
    FailedCheck,
    /// The person does not belong to whom the study is for.
    ScreenedOut,
}

impl PlatformEnding {
    /// All of them.
    pub const ALL: [PlatformEnding; 5] = [
        PlatformEnding::Finished,
        PlatformEnding::NoWorkLeft,
        PlatformEnding::NoConsent,
        PlatformEnding::FailedCheck,
        PlatformEnding::ScreenedOut,
    ];

    /// What a platform calls the ending of an assignment; `None` for those of which it hears nothing.
    pub fn of(how: Ending) -> Option<PlatformEnding> {
        match how {
            // Who was excluded is paid, and is told no reason by a code.
            Ending::Finished | Ending::Excluded => Some(PlatformEnding::Finished),
            Ending::NoWorkLeft => Some(PlatformEnding::NoWorkLeft),
            Ending::NoConsent => Some(PlatformEnding::NoConsent),
            Ending::FailedCheck => Some(PlatformEnding::FailedCheck),
            Ending::Returned => None,
        }
    }

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            PlatformEnding::Finished => "finished",
            PlatformEnding::NoWorkLeft => "no-work-left",
            PlatformEnding::NoConsent => "no-consent",
            PlatformEnding::FailedCheck => "failed-check",
            PlatformEnding::ScreenedOut => "screened-out",
        }
    }
}

impl Platform {
    /// The code of an ending, among those that were given by name: its own, or that of finished work where there is none.
    pub fn code<'c>(&self, how: Ending, codes: &'c BTreeMap<String, String>) -> Option<&'c str> {
        let ending = PlatformEnding::of(how)?;
        let own = codes.get(ending.name());
        let paid = || codes.get(PlatformEnding::Finished.name()).filter(|_| how.is_paid());
        own.or_else(paid).map(String::as_str)
    }

    /// For how long a task is leased: half an hour in a crowd, four hours otherwise.
    pub fn lease_ms(&self) -> u64 {
        if self.paid { 30 * MINUTE } else { 4 * 60 * MINUTE }
    }
}

const MINUTE: u64 = 60_000;

/// The platforms that are built in.
pub fn platforms() -> &'static [Platform] {
    &PLATFORMS
}

/// A built-in platform by its name.
pub fn platform(name: &str) -> Option<&'static Platform> {
    platforms().iter().find(|one| one.name == name)
}

static PLATFORMS: LazyLock<Vec<Platform>> = LazyLock::new(|| {
    // A test reads every one of them.
    FILES.iter().filter_map(|(name, text)| Platform::read(name, text).ok()).collect()
});

const FILES: [(&str, &str); 6] = [
    ("prolific", include_str!("../../platforms/prolific.toml")),
    ("connect", include_str!("../../platforms/connect.toml")),
    ("sona", include_str!("../../platforms/sona.toml")),
    ("mturk", include_str!("../../platforms/mturk.toml")),
    ("link", include_str!("../../platforms/link.toml")),
    ("accounts", include_str!("../../platforms/accounts.toml")),
];
