//! Requests and answers: what every front end speaks.

use crate::command::CommandLine;
use crate::error::Error;
use crate::work::Work;
use karat_model::Notice;
use karat_report::Report;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

/// The version of the shape of requests and answers. It grows when a key changes its meaning; keys that
/// are only added leave it as it is.
pub const SCHEMA: u32 = 1;

/// Something that can be asked of karat.
///
/// A request is a plain value: a command line makes one of its arguments, a page of its form, a program writes it as
/// JSON. It says *what* is wanted and never how it is shown. Fields that are left out have the defaults of
/// the preset, so that a request stays short and a stored one means the same later.
///
/// # Who calls it, and when
///
/// A front end that knows which request it has calls [`answer`](Request::answer) and gets the typed answer. One that
/// does not, such as a server that is sent JSON, calls the function [`answer`](answer()), which looks the
/// name up in [`REQUESTS`]. Either is one call: nothing is kept between two requests but what is in the
/// [`Work`], such as corpora on its [`Shelf`](crate::inputs::Shelf). Several threads may answer
/// requests at the same time.
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
///
/// # What an implementor must promise
///
/// - Answering reads files, checks, warns and computes; it never prints and never ends the process. What a
///   reader has to know beside the numbers is in the notices of the answer, and what cannot be answered is
///   an [`Error`], which is data as well.
/// - The answer depends on the request and the files it names alone: not on the number of threads, on the
///   clock, or on who watches. Whatever is random is drawn from a seed in the request.
/// - Work that takes long is announced with [`Work::begin`], done with [`Work::run`], and stops when it is
///   cancelled. What comes out of a loop that was stopped is incomplete, so [`Work::check`] comes before
///   it is used.
/// - Every field has a default (`#[serde(default)]`) and unknown fields are refused
///   (`#[serde(deny_unknown_fields)]`): a misspelt setting that is passed over would give the numbers
///   of another request.
/// - [`NAME`](Request::NAME) and the names of fields are a contract with stored requests. New ones are added; a change
///   of meaning raises [`SCHEMA`].
///
/// # Adding a request
///
/// A type that implements this trait, and its line in [`REQUESTS`]. A program can have requests of its own
/// beside these, with the same reading, notices and output forms:
///
/// ```
/// use karat::error::Error;
/// use karat::inputs::{InputRequest, ReadingRequest};
/// use karat::model::Notice;
/// use karat::report::{Cell, Column, Report, Table};
/// use karat::request::{Answer, Request};
/// use karat::work::Work;
/// use serde::{Deserialize, Serialize};
///
/// /// How many mentions have no link?
/// #[derive(Debug, Serialize, Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct UnlinkedRequest {
///     input: InputRequest,
///     #[serde(default)]
///     reading: ReadingRequest,
/// }
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct UnlinkedAnswer {
///     unlinked: usize,
///     notices: Vec<Notice>,
/// }
///
/// impl Request for UnlinkedRequest {
///     type Answer = UnlinkedAnswer;
///     const NAME: &'static str = "unlinked";
///
///     fn answer(&self, work: &Work) -> Result<UnlinkedAnswer, Error> {
///         let read = self.reading.read_alone(&self.input, work)?;
///         let mentions = read.outcome.corpus.documents().flat_map(|document| document.mentions());
///         let unlinked = mentions.filter(|mention| mention.entity().is_none()).count();
///         // What the reader skipped or repaired belongs to the answer.
///         Ok(UnlinkedAnswer { unlinked, notices: read.notices })
///     }
/// }
///
/// impl Answer for UnlinkedAnswer {
///     fn notices(&self) -> &[Notice] {
///         &self.notices
///     }
///     fn report(&self) -> Report<'_> {
///         let mut table = Table::new([Column::count("unlinked")]);
///         table.row([Cell::Count(self.unlinked as u64)]);
///         Report::of(table)
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mine.tsv");
/// std::fs::write(&path, "d1\t0\t5\tQ64\nd1\t10\t14\tNIL\n")?;
/// let request: UnlinkedRequest = serde_json::from_value(serde_json::json!({"input": {"path": path}}))?;
/// assert_eq!(request.answer(&Work::default())?.unlinked, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Pitfalls
///
/// - Validate everything that can be validated before a file is read: a misspelt measure should not be found
///   after minutes of reading.
/// - A request that comes from a network may name any path. Whether that is allowed is for the front end to
///   decide before it calls `answer`; a server that holds corpora accepts `held:` names only.
pub trait Request: Serialize + DeserializeOwned {
    /// What it is answered with.
    type Answer: Answer;

    /// What it is called in JSON.
    const NAME: &'static str;

    /// Answers it.
    fn answer(&self, work: &Work) -> Result<Self::Answer, Error>;

    /// The commands that print the numbers of the answer, for a page that shows them; none where no command does.
    ///
    /// A request that a command asks is said whole: the command makes the same request of its arguments. What only a
    /// page asks, such as a board, is said by the commands that have its numbers.
    fn commands(&self) -> Vec<CommandLine> {
        Vec::new()
    }
}

/// An answer: a plain record that can be kept, sent and read back.
///
/// Its serialisation is what `--format json` prints. Tables and sentences for people are made from the record
/// alone, so that an answer from a cache or from another machine looks the same.
///
/// [`Request::answer`] makes it; then a front end shows the [`notices`](Answer::notices), renders the
/// [`report`](Answer::report) in the [form](karat_report::OutputForm) that was asked for, and takes its exit code
/// from [`passes`](Answer::passes). An example of both traits is at [`Request`].
///
/// An implementor promises:
///
/// - What is written as JSON and read back is equal (`PartialEq`) and makes the same report. So everything that a
///   table shows is in the record, no field is skipped that a report needs, and what is undefined is `None`: JSON
///   has no NaN, and NaN is not equal to itself.
/// - The report borrows from the record and makes tables only when a form asks for them
///   ([`Deferred`](karat_report::Deferred)): a program that wants JSON should not pay for tables.
/// - Keys are added, never renamed or reused. Readers of records that were kept depend on them.
/// - Names in the record come from files that somebody else wrote, as they are. To escape them is the
///   task of the form, which alone knows how.
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
pub(crate) fn record(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}

/// What answering any request gives.
pub type AnyResult = Result<Box<dyn AnyAnswer>, Error>;

/// A kind of request, by the name it has in JSON: one line in [`REQUESTS`] each.
pub struct RequestKind {
    /// What it is called.
    pub name: &'static str,
    answer: fn(Value, &Work) -> AnyResult,
}

impl fmt::Debug for RequestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RequestKind").field(&self.name).finish()
    }
}

/// An answer to any request: what a front end needs that does not know which it is.
pub trait AnyAnswer {
    /// What a reader of the numbers has to know.
    fn notices(&self) -> &[Notice];

    /// What is shown of it.
    fn report(&self) -> Report<'_>;

    /// Whether it is good enough where something was demanded.
    fn passes(&self) -> bool;

    /// The answer as JSON.
    fn record(&self) -> Value;
}

impl<A: Answer> AnyAnswer for A {
    fn notices(&self) -> &[Notice] {
        Answer::notices(self)
    }

    fn report(&self) -> Report<'_> {
        Answer::report(self)
    }

    fn passes(&self) -> bool {
        Answer::passes(self)
    }

    fn record(&self) -> Value {
        record(self)
    }
}

const fn kind<R: Request>() -> RequestKind
where
    R::Answer: 'static,
{
    RequestKind {
        name: R::NAME,
        answer: |fields, work| {
            let request: R = serde_json::from_value(fields).map_err(|error| {
                let hint = "the fields of a request are those of its type in the library";
                Error::bad_request(format!("the request `{}`: {error}", R::NAME), hint)
            })?;
            Ok(Box::new(request.answer(work)?))
        },
    }
}

/// Everything that can be asked, one line each.
pub static REQUESTS: &[RequestKind] = &[
    kind::<crate::scoring::EvaluationRequest>(),
    kind::<crate::counts::CountsRequest>(),
    kind::<crate::counts::MergeRequest>(),
    kind::<crate::comparison::ComparisonRequest>(),
    kind::<crate::comparison::ResolutionRequest>(),
    kind::<crate::board::BoardRequest>(),
    kind::<crate::number::NumberRequest>(),
    kind::<crate::conventions::ConventionsRequest>(),
    kind::<crate::errors::ErrorsRequest>(),
    kind::<crate::errors::CasesRequest>(),
    kind::<crate::errors::ErrorRatesRequest>(),
    kind::<crate::errors::ContrastRequest>(),
    kind::<crate::documents::DocumentRequest>(),
    kind::<crate::documents::DocumentsRequest>(),
    kind::<crate::searching::SearchRequest>(),
    kind::<crate::editions::EditionsRequest>(),
    kind::<crate::errors::AgreementRequest>(),
    kind::<crate::errors::ChangedCasesRequest>(),
    kind::<crate::elevant::ElevantRequest>(),
    kind::<crate::curves::CurvesRequest>(),
    kind::<crate::knowledge::KnowledgeRequest>(),
    kind::<crate::knowledge::KnowledgeBuildRequest>(),
    kind::<crate::validation::ValidationRequest>(),
    kind::<crate::validation::BenchmarkChecksRequest>(),
    kind::<crate::collection::CollectionStatsRequest>(),
    kind::<crate::collection::MentionsRequest>(),
    kind::<crate::collection::SampleRequest>(),
    kind::<crate::collection::QueryModelRequest>(),
    kind::<crate::collection::CollectionSizeRequest>(),
    kind::<crate::conversion::ConversionRequest>(),
    kind::<crate::tagging::TaggingRequest>(),
    kind::<crate::linking::LinkingRequest>(),
    kind::<crate::linking::LinkerListRequest>(),
    kind::<crate::gold::GoldDiffRequest>(),
    kind::<crate::gold::GoldApplyRequest>(),
    kind::<crate::gold::GoldCheckRequest>(),
    kind::<crate::gold::GoldLogRequest>(),
    kind::<crate::gold::GoldMergeRequest>(),
    kind::<crate::gold::GoldRevertRequest>(),
    kind::<crate::gold::GoldRebaseRequest>(),
    kind::<crate::gold::GoldReviewRequest>(),
    kind::<crate::gold::GoldCorrectionsRequest>(),
    kind::<crate::verify::VerifyReportRequest>(),
    kind::<crate::verify::SimulateRequest>(),
    kind::<crate::verify::VerifyPatchRequest>(),
    kind::<crate::shared::CheckRequest>(),
    kind::<crate::shared::DifferenceRequest>(),
];

/// Answers a request that is given as JSON: an object with its name under `request`, the version of its shape
/// under `schema`, and its fields.
///
/// ```
/// let error = karat::request::answer(r#"{"request": "evaluatoin"}"#, &Default::default());
/// let message = error.err().map(|error| error.to_string());
/// assert_eq!(message.as_deref(), Some("there is no request `evaluatoin`"));
/// ```
pub fn answer(request: &str, work: &Work) -> AnyResult {
    let hint = "write {\"request\": \"evaluation\", \"schema\": 1, \"inputs\": {...}}";
    let wrong = |message: String| Error::bad_request(message, hint);
    let mut fields: Map<String, Value> = serde_json::from_str(request)
        .map_err(|error| wrong(format!("the request is no JSON object: {error}")))?;
    let name = match fields.remove("request") {
        Some(Value::String(name)) => name,
        _ => return Err(wrong("the request does not say what is asked".to_owned())),
    };
    match fields.remove("schema").map(|schema| schema.as_u64()) {
        None | Some(Some(1)) => {}
        _ => return Err(wrong(format!("this karat knows requests of schema {SCHEMA} only"))),
    }
    let kind = REQUESTS.iter().find(|kind| kind.name == name);
    let names = REQUESTS.iter().map(|kind| kind.name);
    let kind = kind.ok_or_else(|| Error::unknown("request", &name, names))?;
    (kind.answer)(Value::Object(fields), work)
}

#[cfg(test)]
mod tests {
    use super::REQUESTS;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// How many requests the files of a folder implement.
    fn implemented(folder: &Path) -> usize {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let requests = entries.map(|path| match path.is_dir() {
            true => implemented(&path),
            false => {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                text.lines().filter(|line| line.starts_with("impl Request for ")).count()
            }
        });
        requests.sum()
    }

    #[test]
    fn every_request_can_be_asked_by_its_name() {
        let names: BTreeSet<&str> = REQUESTS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), REQUESTS.len(), "two requests of one name");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(implemented(&source), REQUESTS.len());
    }
}
