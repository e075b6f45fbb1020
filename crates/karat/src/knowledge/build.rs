//! Building a knowledge base.

use crate::error::Error;
use crate::inputs::counted;
use crate::notices;
use crate::outputs::check_is_none_of;
use crate::request::{Answer, Request};
use crate::work::Work;
use karat_formats::{Input, Source};
use karat_harvest::{Harvested, Options, harvest};
use karat_kb::{Builder, FactCoverage};
use karat_model::Notice;
use karat_report::{Cell, Column, Report, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Builds a knowledge base from tables and dumps.
///
/// The file appears when it is complete; nothing of a building that was cancelled or that failed is left behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnowledgeBuildRequest {
    /// What it is built from: files, folders, or several joined by commas each.
    pub inputs: Vec<String>,
    /// The file to write.
    pub output: String,
    /// The language whose names are taken from dumps, and then others of which only titles are.
    pub languages: Vec<String>,
    /// What the inputs have all of.
    pub complete: Vec<CompleteFacts>,
    /// How much memory sorting may take, in MiB.
    pub memory: usize,
}

/// What inputs may have all of: what they do not list does not exist then, and is not unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompleteFacts {
    /// Every text that is a demonym.
    Demonyms,
    /// Every entity that is a quantity or a date.
    Kinds,
}

impl Default for KnowledgeBuildRequest {
    fn default() -> KnowledgeBuildRequest {
        KnowledgeBuildRequest {
            inputs: Vec::new(),
            output: String::new(),
            languages: vec!["en".to_owned()],
            complete: Vec::new(),
            memory: 512,
        }
    }
}

/// A knowledge base that was built.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeBuildAnswer {
    /// Its file.
    pub kb: String,
    /// How many entities it has.
    pub entities: u64,
    /// How many texts that may mean one.
    pub mentions: u64,
    /// How many spellings that lead to another.
    pub links: u64,
    /// What was made of each input.
    pub sources: Vec<HarvestedRecord>,
    /// What has to be known beside it.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What was made of an input of a knowledge base.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarvestedRecord {
    /// The file.
    pub source: String,
    /// What it was taken for; absent where it was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_for: Option<String>,
    /// How many records it has.
    pub records: u64,
    /// Columns that were not used.
    pub unused: Vec<String>,
}

impl Request for KnowledgeBuildRequest {
    type Answer = KnowledgeBuildAnswer;

    const NAME: &'static str = "knowledge-build";

    fn answer(&self, work: &Work) -> Result<KnowledgeBuildAnswer, Error> {
        let output = Path::new(&self.output);
        let mut answer =
            KnowledgeBuildAnswer { kb: self.output.clone(), ..KnowledgeBuildAnswer::default() };
        let mut inputs = Vec::new();
        for input in &self.inputs {
            inputs.push(without_indexes(input, Input::open(input)?, &mut answer.notices)?);
        }
        let files = inputs.iter().flat_map(Input::sources).filter_map(Source::path);
        check_is_none_of(output, files)?;
        work.begin("reading", inputs.iter().map(Input::size).sum())?;
        let watch = work.watch();
        let mut builder = Builder::watched(output, self.memory.max(1) << 20, &watch)?;
        self.complete.iter().for_each(|&complete| builder.covers(complete.into()));
        let mut languages = self.languages.iter().cloned();
        let options = Options {
            language: languages.next().unwrap_or_default(),
            titles: languages.collect(),
            progress: Some(Arc::new(watch)),
        };
        let harvested = harvest(&inputs, &mut builder, &options)?;
        work.begin("sorting", 0)?;
        let built = builder.complete()?;
        for harvested in &harvested {
            answer.notices.extend(told(harvested));
            answer.sources.push(HarvestedRecord::from(harvested));
        }
        let contradictions = built.conflicts.iter();
        answer.notices.extend(
            contradictions
                .map(|it| notices::SOURCES_DISAGREE.notice(it.to_string()).about(&it.subject)),
        );
        let sizes = built.base.sizes();
        (answer.entities, answer.mentions) = (sizes.entities, sizes.mentions);
        answer.links = sizes.links;
        answer.notices.push(notices::BASE_BUILT.notice(format!(
            "`{}` is built: entities {}, mentions {}, links {}",
            self.output, sizes.entities, sizes.mentions, sizes.links,
        )));
        Ok(answer)
    }
}

impl Answer for KnowledgeBuildAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let texts = ["file", "taken for"].map(Column::text);
        let columns = texts.into_iter().chain([Column::count("records"), Column::text("not used")]);
        let mut table = Table::new(columns);
        for source in &self.sources {
            table.row([
                Cell::from(source.source.as_str()),
                Cell::from(source.taken_for.as_deref().unwrap_or_default()),
                Cell::Count(source.records),
                Cell::from(source.unused.join(", ")),
            ]);
        }
        Report::of(table)
    }
}

impl From<CompleteFacts> for FactCoverage {
    fn from(complete: CompleteFacts) -> FactCoverage {
        match complete {
            CompleteFacts::Demonyms => FactCoverage::Demonyms,
            CompleteFacts::Kinds => FactCoverage::Kinds,
        }
    }
}

impl From<&Harvested> for HarvestedRecord {
    fn from(harvested: &Harvested) -> HarvestedRecord {
        HarvestedRecord {
            source: harvested.source.clone(),
            taken_for: harvested.kind.map(|kind| kind.info().title.to_owned()),
            records: harvested.taken.records,
            unused: harvested.taken.ignored.iter().cloned().collect(),
        }
    }
}

/// What has to be known of an input that was read.
fn told(harvested: &Harvested) -> Vec<Notice> {
    let source = harvested.source.as_str();
    let records = counted(harvested.taken.records as usize, "record");
    let read = match harvested.kind {
        Some(kind) => {
            notices::HARVESTED.notice(format!("`{source}`: {}, {records}", kind.info().title))
        }
        None => notices::NOT_HARVESTED.notice(format!(
            "`{source}` was left out: it is nothing that a knowledge base can be built from"
        )),
    };
    let unused: Vec<String> =
        harvested.taken.ignored.iter().map(|heading| format!("`{heading}`")).collect();
    let columns = if unused.len() == 1 { "a column was" } else { "columns were" };
    let unused = (!unused.is_empty()).then(|| {
        notices::UNUSED_COLUMNS
            .notice(format!("`{source}`: {columns} not used: {}", unused.join(", ")))
    });
    [Some(read), unused].into_iter().flatten().map(|notice| notice.about(source)).collect()
}

/// An input without the files of search indexes, which lie beside the bases they are of and hold nothing that
/// a base could be built from.
#[cfg(feature = "search")]
fn without_indexes(argument: &str, input: Input, told: &mut Vec<Notice>) -> Result<Input, Error> {
    let index_of = |source: &Source| {
        let folder = source.path()?.parent()?;
        karat_search::is_index(folder).then(|| folder.to_owned())
    };
    let indexes: std::collections::BTreeSet<_> =
        input.sources().iter().filter_map(index_of).collect();
    for index in &indexes {
        let index = index.display().to_string();
        let message = format!("`{index}` was left out: it is the search index of a base");
        told.push(notices::INDEX_LEFT_OUT.notice(message).about(index));
    }
    let kept = input.sources().iter().filter(|source| index_of(source).is_none());
    let kept: Input = kept.cloned().collect();
    match kept.sources().is_empty() {
        true => Err(Error::bad_request(
            format!("`{argument}` has nothing but a search index"),
            "give the tables and dumps that the base should be built from",
        )),
        false => Ok(kept),
    }
}

/// Without search there is nothing that knows an index.
#[cfg(not(feature = "search"))]
fn without_indexes(_: &str, input: Input, _: &mut Vec<Notice>) -> Result<Input, Error> {
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_built_by_a_request_and_its_answer_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let entities = "id,name,colour\nQ64,Berlin,grey\nQ90,Paris,blue\n";
        std::fs::write(path("entities.csv"), entities).unwrap();
        let request = KnowledgeBuildRequest {
            inputs: vec![path("entities.csv")],
            output: path("mine.kb"),
            complete: vec![CompleteFacts::Kinds],
            ..KnowledgeBuildRequest::default()
        };
        let json = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<KnowledgeBuildRequest>(&json).unwrap(), request);
        let answer = request.answer(&Work::default()).unwrap();
        assert_eq!((answer.entities, answer.sources[0].unused.join(" ").as_str()), (2, "colour"));
        let ids: Vec<&str> = answer.notices.iter().map(|notice| notice.id.as_ref()).collect();
        assert_eq!(ids, ["harvested", "unused-columns", "base-built"]);
        let json = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<KnowledgeBuildAnswer>(&json).unwrap(), answer);
        // Nothing is written over what is read.
        let over = KnowledgeBuildRequest { output: path("entities.csv"), ..request };
        assert!(over.answer(&Work::default()).is_err());
        assert_eq!(std::fs::read_to_string(path("entities.csv")).unwrap(), entities);
    }
}
