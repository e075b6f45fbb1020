//! What a linker is, and what it is like to talk to.

use karat_model::{End, OffsetUnit};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a linker can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkingTask {
    /// Finds mentions and links them.
    Link,
    /// Links mentions that are given.
    Disambiguate,
}

/// What the offsets of an answer count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerUnit {
    /// Unicode code points.
    #[default]
    CodePoints,
    /// Code units of UTF-16.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Grapheme clusters: what a reader takes for one character.
    Graphemes,
    /// There are no offsets, only surfaces.
    None,
}

impl AnswerUnit {
    /// All of them, in the order in which they are tried.
    pub const ALL: [AnswerUnit; 5] = [
        AnswerUnit::CodePoints,
        AnswerUnit::Utf16,
        AnswerUnit::Bytes,
        AnswerUnit::Graphemes,
        AnswerUnit::None,
    ];

    /// Its name in declarations and signatures.
    pub fn name(self) -> &'static str {
        match self {
            AnswerUnit::CodePoints => "code-points",
            AnswerUnit::Utf16 => "utf16",
            AnswerUnit::Bytes => "bytes",
            AnswerUnit::Graphemes => "graphemes",
            AnswerUnit::None => "none",
        }
    }

    /// The unit of files that counts the same, where there is one.
    pub fn of_files(self) -> Option<OffsetUnit> {
        match self {
            AnswerUnit::CodePoints => Some(OffsetUnit::CodePoints),
            AnswerUnit::Utf16 => Some(OffsetUnit::Utf16),
            AnswerUnit::Bytes => Some(OffsetUnit::Bytes),
            AnswerUnit::Graphemes | AnswerUnit::None => None,
        }
    }
}

/// How a linker spells the ids of entities.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum IdForm {
    /// As they are; what they mean is found out from their spelling.
    #[default]
    AsIs,
    /// Items of Wikidata: `Q64`.
    Wikidata,
    /// Titles of the Wikipedia in this language.
    Title(String),
    /// Resources of DBpedia.
    Dbpedia,
    /// Numbers of the pages of a Wikipedia.
    PageId,
    /// Topics of Freebase or Google: `/m/0156q`.
    Mid,
    /// A prefix and an id, `mesh:D0`.
    Curie,
    /// Addresses.
    Iri,
    /// An address with `{}` where the id of the linker goes.
    Template(String),
}

impl IdForm {
    /// An id of the linker, spelled so that it says what it is of. What is an address already stays one.
    ///
    /// ```
    /// use karat_linkers::IdForm;
    ///
    /// assert_eq!(IdForm::Title("de".into()).spelled("Kap Arkona"), "https://de.wikipedia.org/wiki/Kap_Arkona");
    /// assert_eq!(IdForm::Wikidata.spelled("wd:Q64"), "Q64");
    /// assert_eq!(IdForm::Template("http://x/{}".into()).spelled("7"), "http://x/7");
    /// ```
    pub fn spelled(&self, id: &str) -> String {
        let id = id.trim();
        if id.contains("://") {
            return id.to_owned();
        }
        // In an address these would mean something else.
        let titled = |id: &str| {
            let title = id.replace(' ', "_").replace('%', "%25");
            title.replace('?', "%3F").replace('#', "%23")
        };
        match self {
            IdForm::AsIs | IdForm::Curie | IdForm::Iri => id.to_owned(),
            IdForm::Wikidata => id.rsplit([':', '/']).next().unwrap_or(id).to_owned(),
            IdForm::Title(language) => {
                format!("https://{language}.wikipedia.org/wiki/{}", titled(id))
            }
            IdForm::Dbpedia => format!("http://dbpedia.org/resource/{}", titled(id)),
            IdForm::PageId => format!("https://en.wikipedia.org/?curid={id}"),
            IdForm::Mid => id.strip_prefix("m.").map_or(id.to_owned(), |id| format!("/m/{id}")),
            IdForm::Template(template) => template.replace("{}", id),
        }
    }
}

/// How mentions that are given reach a linker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MentionsWay {
    /// The linker takes spans.
    Native,
    /// Marks in the text.
    Marked,
    /// One request for each mention.
    PerMention,
    /// The linker is asked freely, and what it says of exactly these spans is taken.
    Filter,
}

impl MentionsWay {
    /// Its name in declarations and signatures.
    pub fn name(self) -> &'static str {
        match self {
            MentionsWay::Native => "native",
            MentionsWay::Marked => "marked",
            MentionsWay::PerMention => "per-mention",
            MentionsWay::Filter => "filter",
        }
    }
}

/// How much text a linker takes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextLimit {
    /// So many.
    pub count: u64,
    /// Of these.
    pub unit: AnswerUnit,
}

/// What is done to a text before a linker sees it, because the linker would do it anyway and count afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextEdit {
    /// White space at both ends goes.
    Strip,
    /// A carriage return with its line feed becomes one blank.
    CrlfToSpace,
    /// A run of white space becomes one blank.
    CollapseSpace,
    /// Control characters other than tabs and ends of lines go.
    WithoutControls,
    /// Unicode's composed normal form.
    Nfc,
    /// Of a character that is repeated more often, so many stay.
    MaxRun(u32),
}

/// Where a text that is too long is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitAt {
    /// Where it is too long: at paragraphs, else at ends of sentences, else at blanks.
    #[default]
    Paragraph,
    /// At every end of a sentence, however short the text is.
    Sentence,
}

/// How many requests a linker takes in a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestRate {
    /// So many.
    pub requests: u32,
    /// In this time.
    pub per: Duration,
}

impl std::str::FromStr for RequestRate {
    type Err = BadRate;

    /// Reads `5/s`, `300/min`, `1000/h` or `300 per 100s`.
    fn from_str(text: &str) -> Result<RequestRate, BadRate> {
        let bad = || BadRate(text.to_owned());
        let (requests, per) =
            text.split_once('/').or_else(|| text.split_once(" per ")).ok_or_else(bad)?;
        let requests: u32 = requests.trim().parse().map_err(|_| bad())?;
        let per = per.trim();
        let digits = per.len() - per.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, unit) = per.split_at(digits);
        let count: u32 = if count.is_empty() { 1 } else { count.parse().map_err(|_| bad())? };
        let seconds = match unit.trim() {
            "s" => 1,
            "min" | "m" => 60,
            "h" => 3600,
            _ => return Err(bad()),
        };
        let per = Duration::from_secs(seconds) * count;
        match requests > 0 && !per.is_zero() {
            true => Ok(RequestRate { requests, per }),
            false => Err(bad()),
        }
    }
}

/// A text that is no rate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no rate of requests")]
pub struct BadRate(pub String);

/// What an answer costs, where a declaration says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PricePer {
    /// A request.
    Request,
    /// A thousand characters that are sent.
    ThousandCharacters,
}

/// What a linker is, and what it is like to talk to.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkerInfo {
    /// Its name, as users call it.
    pub name: String,
    /// Its version, as far as it is known.
    pub version: Option<String>,
    /// What it can do.
    pub tasks: Vec<LinkingTask>,
    /// What the offsets of its answers count.
    pub unit: AnswerUnit,
    /// Whether the end of its mentions is the last position or one past it.
    pub end: End,
    /// How it spells ids.
    pub id_form: IdForm,
    /// How much text it takes at once; `None` for any.
    pub max_text: Option<TextLimit>,
    /// Where longer texts are cut.
    pub split: SplitAt,
    /// How much of a text the next part repeats, in the unit of [`max_text`](LinkerInfo::max_text).
    pub overlap: u64,
    /// What is done to texts before they are sent, in this order. Offsets of answers are those of the edited text.
    pub edits: Vec<TextEdit>,
    /// How many tasks it takes at once.
    pub batch: usize,
    /// How many requests it may be asked at once.
    pub concurrency: usize,
    /// How many requests it takes in a time; `None` for any number.
    pub rate: Option<RequestRate>,
    /// What it costs, where that is known.
    pub price: Option<(f64, PricePer)>,
    /// How it takes given mentions, best first; empty where it cannot.
    pub mentions: Vec<MentionsWay>,
    /// What its answers depend on beside the question, such as settings and the fingerprint of a knowledge base: pairs in a fixed
    /// order. Two linkers with the same pairs are the same linker.
    pub settings: Vec<(String, String)>,
}

impl LinkerInfo {
    /// A linker in this process: code points, any text, ids as they are, any mentions.
    pub fn named(name: impl Into<String>, version: impl Into<String>) -> LinkerInfo {
        LinkerInfo {
            name: name.into(),
            version: Some(version.into()),
            tasks: vec![LinkingTask::Link, LinkingTask::Disambiguate],
            unit: AnswerUnit::CodePoints,
            end: End::Exclusive,
            id_form: IdForm::AsIs,
            max_text: None,
            split: SplitAt::default(),
            overlap: 0,
            edits: Vec::new(),
            batch: 1,
            concurrency: 1,
            rate: None,
            price: None,
            mentions: vec![MentionsWay::Native],
            settings: Vec::new(),
        }
    }
}
