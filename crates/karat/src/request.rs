//! Requests and answers: what every front end speaks.

use crate::error::Error;
use crate::work::Work;
use karat_model::Notice;
use karat_report::Report;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The version of the shape of requests and answers. It grows when a key changes its meaning; keys that
/// are only added leave it as it is.
pub const SCHEMA: u32 = 1;

/// Something that can be asked of karat.
///
/// A request is a plain value: a command line makes one of its arguments, a page of its form, a program writes it as
/// JSON. It says *what* is wanted and never how it is shown. Fields that are left out have the defaults of
/// the preset, so that a request stays short and a stored one means the same later.
///
/// Answering reads files, checks, warns and computes; it never prints. What a reader has to know beside the numbers is
/// in the notices of the answer. A request that cannot be answered gives an [`Error`], which is data as
/// well.
///
/// ```
/// use karat::request::{Answer, Request};
/// use karat::scoring::EvaluationRequest;
/// use karat::work::Work;
///
/// let folder = tempfile::tempdir()?;
/// let file = |name: &str, text: &str| {
///     let path = folder.path().join(name);
///     std::fs::write(&path, text).map(|()| path.display().to_string())
/// };
/// let gold = file("gold.tsv", "d1\t0\t5\tQ64\nd1\t10\t14\tQ90\n")?;
/// let mine = file("mine.tsv", "d1\t0\t5\tQ64\n")?;
/// let request = serde_json::json!({
///     "inputs": {"gold": [{"path": gold}], "systems": [{"path": mine}]},
///     "measures": ["link"],
/// });
/// let request: EvaluationRequest = serde_json::from_value(request)?;
/// let answer = request.answer(&Work::default())?;
/// assert_eq!(answer.systems[0].measures[0].score("recall"), Some(Some(0.5)));
/// assert!(answer.notices().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Request: Serialize + DeserializeOwned {
    /// What it is answered with.
    type Answer: Answer;

    /// What it is called in JSON.
    const NAME: &'static str;

    /// Answers it.
    fn answer(&self, work: &Work) -> Result<Self::Answer, Error>;
}

/// An answer: a plain record that can be kept, sent and read back.
///
/// Its serialisation is what `--format json` prints. Tables and sentences for people are made from the record
/// alone, so that an answer from a cache or from another machine looks the same.
pub trait Answer: Serialize + DeserializeOwned + PartialEq {
    /// What a reader of the numbers has to know.
    fn notices(&self) -> &[Notice];

    /// What is shown of it, whatever the form.
    fn report(&self) -> Report<'_>;

    /// Whether it is good enough where something was demanded: the gates of an evaluation, the checks of a
    /// validation.
    fn passes(&self) -> bool {
        true
    }
}

/// An answer as JSON. Records are made of strings, numbers and lists, which JSON can always hold.
pub(crate) fn record(answer: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(answer).unwrap_or_default()
}
