//! Deriving category tags, and how well derived tags agree with given ones.
//!
//! ```
//! use karat::inputs::InputRequest;
//! use karat::request::Request;
//! use karat::tagging::TaggingRequest;
//! use karat::work::Work;
//!
//! let folder = tempfile::tempdir()?;
//! let path = |name: &str| folder.path().join(name).display().to_string();
//! let annotations = r#"[{"span":[0,6],"link":"https://en.wikipedia.org/wiki/Berlin"}]"#;
//! let record = format!(r#"{{"document":"d1","text":"Berlin is","annotations":{annotations}}}"#);
//! std::fs::write(path("a.karat.jsonl"), record)?;
//! let request = TaggingRequest {
//!     input: InputRequest::parse(&path("a.karat.jsonl")),
//!     output: Some(path("b.karat.jsonl")),
//!     dimensions: vec!["overlap".to_owned()],
//!     ..TaggingRequest::default()
//! };
//! let answer = request.answer(&Work::default())?;
//! assert_eq!(answer.written.map(|written| written.tallies[0].derived), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accuracy;

use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use crate::written::{loss_notice, lost, unnamed, write};
use karat_formats::{Format, ReadOutcome};
use karat_kb::KnowledgeBase;
use karat_model::{Features, Hint, Notice, Vocabulary};
use karat_report::{Deferred, Report, ReportSection};
use karat_tagger::{Accuracy, Aspect, Tagger};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

pub use accuracy::{AgreementRecord, TagAgreement};

/// Derives category tags and writes them, or compares them with those that a corpus has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaggingRequest {
    /// The corpus.
    pub input: InputRequest,
    /// Where the corpus is written with derived tags. Without it nothing is written, and derived tags are
    /// compared with those of the corpus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The format to write; that of the input if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The file of a knowledge base, for the names and types of entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// What is derived: `base-form`, `pos`, `overlap`, `reference`, `type`; all if none is named.
    pub dimensions: Vec<String>,
    /// Names of category tags; those that are usual in the format of the output if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<TagVocabulary>,
    /// Whether tags are overwritten that were not derived.
    pub overwrite: bool,
    /// How the corpus is read.
    pub reading: ReadingRequest,
}

/// The names of category tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagVocabulary {
    /// `el:Mnt-Full`, as in the published datasets.
    El,
    /// `fel:FullProperForm`, as in the published vocabulary.
    Fel,
    /// `mnt:FullMentionPN`, the older names of NIFify; it has none for references.
    Mnt,
}

impl From<TagVocabulary> for Vocabulary {
    fn from(vocabulary: TagVocabulary) -> Vocabulary {
        match vocabulary {
            TagVocabulary::El => Vocabulary::El,
            TagVocabulary::Fel => Vocabulary::Fel,
            TagVocabulary::Mnt => Vocabulary::Mnt,
        }
    }
}

/// What was derived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaggingAnswer {
    /// The version of karat.
    pub karat: String,
    /// How well derived tags agree with those of the corpus; empty where they were written.
    pub dimensions: Vec<AgreementRecord>,
    /// What was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<TaggedFile>,
    /// What has to be known beside it.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// A corpus that was written with derived tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaggedFile {
    /// Where.
    pub path: String,
    /// In which format.
    pub format: String,
    /// What was derived, for each dimension.
    pub tallies: Vec<TallyRecord>,
    /// What the format cannot hold and was left out, and how often.
    pub lost: BTreeMap<String, usize>,
}

/// How much was derived of one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyRecord {
    /// The dimension.
    pub dimension: String,
    /// For how many annotations it was derived.
    pub derived: usize,
    /// How many have one that a person gave, and kept it.
    pub kept: usize,
    /// For how many it is unknown.
    pub unknown: usize,
}

impl Request for TaggingRequest {
    type Answer = TaggingAnswer;

    const NAME: &'static str = "tagging";

    fn answer(&self, work: &Work) -> Result<TaggingAnswer, Error> {
        let aspects = self.aspects()?;
        let base = self.kb.as_ref().map(|kb| KnowledgeBase::open(Path::new(kb))).transpose()?;
        let mut tagger = Tagger::new().watched(&work.watch());
        if let Some(base) = &base {
            tagger = tagger.with_base(base);
        }
        if self.overwrite {
            tagger = tagger.overwriting();
        }
        if let Some(output) = &self.output {
            check_is_no_input(output, [self.input.path.as_str()])?;
        }
        let read = self.reading.read_alone(&self.input, work)?;
        work.begin("tagging", read.outcome.corpus.len() as u64)?;
        let mut answer = TaggingAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            dimensions: Vec::new(),
            written: None,
            notices: read.notices,
        };
        match &self.output {
            Some(output) => {
                self.tag(&read.outcome, output, &tagger, &aspects, work, &mut answer)?;
            }
            None => {
                let accuracy = self.accuracy(&read.outcome, &tagger, &aspects, work)?;
                let vocabulary = self.vocabulary.map_or(Vocabulary::El, Into::into);
                let dimensions = accuracy.dimensions.iter();
                answer.dimensions =
                    dimensions.map(|found| AgreementRecord::of(found, vocabulary)).collect();
            }
        }
        Ok(answer)
    }
}

impl TaggingRequest {
    /// What is derived.
    fn aspects(&self) -> Result<Vec<Aspect>, Error> {
        let named = |name: &String| {
            let known = Aspect::ALL.into_iter().find(|aspect| aspect.key() == name.trim());
            known.ok_or_else(|| {
                let names = Aspect::ALL.map(Aspect::key).join(", ");
                let message = format!("nothing that can be derived is called `{name}`");
                Error::refused(&notices::UNKNOWN_NAME, message, format!("there are {names}"))
            })
        };
        let asked: Vec<Aspect> = self.dimensions.iter().map(named).collect::<Result<_, _>>()?;
        let is_wanted = |aspect: &Aspect| match (asked.is_empty(), aspect) {
            // Without a knowledge base nobody knows a type, and nobody asked.
            (true, Aspect::EntityType) => self.kb.is_some(),
            (true, Aspect::Category(_)) => true,
            (false, aspect) => asked.contains(aspect),
        };
        Ok(Aspect::ALL.into_iter().filter(is_wanted).collect())
    }

    /// Writes a corpus with derived tags.
    fn tag(
        &self,
        outcome: &ReadOutcome,
        output: &str,
        tagger: &Tagger<'_>,
        aspects: &[Aspect],
        work: &Work,
        answer: &mut TaggingAnswer,
    ) -> Result<(), Error> {
        let format = self.target(outcome)?;
        let info = format.info();
        if !info.keeps.features.contains(Features::TAGS) {
            let message = format!("`{}` has no room for category tags", info.name);
            let hint = "choose another with {to}, such as karat-jsonl or nif-categorised";
            return Err(Error::bad_request(message, Hint::template(hint)));
        }
        let tagged = work.run(|| tagger.tag(&outcome.corpus, aspects))?;
        tagger.base().map_or(Ok(()), KnowledgeBase::check)?;
        let vocabulary = self.vocabulary.map(Into::into);
        let loss = write(&tagged.corpus, format, output, vocabulary, work)?;
        let tallies = tagged.tallies.iter().map(|(aspect, tally)| TallyRecord {
            dimension: aspect.key().to_owned(),
            derived: tally.derived,
            kept: tally.kept,
            unknown: tally.unknown,
        });
        let written = TaggedFile {
            path: output.to_owned(),
            format: info.name.to_owned(),
            tallies: tallies.collect(),
            lost: lost(&loss),
        };
        answer.notices.extend(loss_notice(info.name, &loss));
        answer.notices.extend(unnamed(&tagged.corpus, vocabulary));
        answer.notices.extend(written.notices());
        answer.written = Some(written);
        Ok(())
    }

    /// The format to write.
    fn target(&self, outcome: &ReadOutcome) -> Result<&'static dyn Format, Error> {
        let registry = crate::registry();
        match (&self.to, outcome.formats.as_slice()) {
            (Some(name), _) => Ok(registry.named(name)?),
            (None, [format]) => Ok(registry.named(format)?),
            (None, _) => Err(Error::bad_request(
                "the input is not of one format",
                Hint::template("name the format of the output with {to}"),
            )),
        }
    }

    /// How well derived tags agree with those of the corpus.
    fn accuracy(
        &self,
        outcome: &ReadOutcome,
        tagger: &Tagger<'_>,
        aspects: &[Aspect],
        work: &Work,
    ) -> Result<Accuracy, Error> {
        if aspects == [Aspect::EntityType] && tagger.base().is_none() {
            return Err(Error::bad_request(
                "the types of entities are not known without a knowledge base",
                Hint::template("name one with {kb}; `karat kb build` makes it"),
            ));
        }
        let accuracy = work.run(|| Accuracy::of(&outcome.corpus, tagger, aspects))?;
        tagger.base().map_or(Ok(()), KnowledgeBase::check)?;
        if accuracy.dimensions.iter().all(|found| found.compared() == 0) {
            return Err(Error::bad_request(
                format!("`{}` has no such tags or types that people gave", self.input.written()),
                "tags look like `el:Mnt-Full`, types like `Person`; `karat tag INPUT -o OUTPUT` derives some",
            ));
        }
        Ok(accuracy)
    }
}

impl TaggedFile {
    /// What was derived and written.
    fn notices(&self) -> impl Iterator<Item = Notice> {
        let derived = self.tallies.iter().map(|tally| {
            let TallyRecord { dimension, derived, kept, unknown } = tally;
            let derived = counted(*derived, "annotation");
            let message =
                format!("{dimension}: derived for {derived}, {kept} kept, {unknown} unknown");
            notices::DERIVED_TAGS.notice(message).about(dimension)
        });
        let message = format!("wrote `{}` ({})", self.path, self.format);
        let written = (self.path != "-").then(|| notices::CONVERTED.notice(message));
        derived.chain(written)
    }
}

impl Answer for TaggingAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let mut sections = vec![
            ReportSection::new("Dimensions", Deferred::by(|| accuracy::overview(&self.dimensions))),
            ReportSection::new("Tags", Deferred::by(|| accuracy::tags(&self.dimensions))),
        ];
        sections.extend(self.dimensions.iter().map(|found| {
            let title = format!("Derived {} for each that was given", found.name);
            ReportSection::new(title, Deferred::by(|| found.confusion()))
        }));
        Report {
            sections,
            rows: Some(Deferred::by(|| accuracy::tags(&self.dimensions))),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}
