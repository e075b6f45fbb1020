//! BioC in JSON.

use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::formats::bioc::{self, Article, Infons, Scalar};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::{Source, Text};
use karat_model::Corpus;
use serde::Deserialize;
use std::collections::HashSet;

/// The format.
#[derive(Debug)]
pub(crate) struct BiocJson;

static INFO: Info = Info {
    name: "bioc-json",
    title: "BioC JSON",
    about: "The same as BioC XML in JSON: `documents`, `passages`, `annotations` with `infons`, `text` and `locations`. \
            One collection, a list of collections as the services of the NCBI give it, the export of PubTator 3, or one \
            collection or document per line. Everything said about BioC XML holds here too.",
    reference: "Comeau et al. 2013 and 2019, https://www.ncbi.nlm.nih.gov/research/bionlp/APIs/BioC-PMC/",
    extensions: &["bioc.json"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: bioc::KEEPS,
};

impl Format for BiocJson {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let has = |key: &str| {
            let mut found = sample.text.match_indices(key);
            found.any(|(at, _)| sample.text[at + key.len()..].trim_start().starts_with(':'))
        };
        match () {
            () if !sample.text.trim_start().starts_with(['{', '[']) => 0,
            () if has("\"infons\"") && has("\"passages\"") => 90,
            // A collection without documents.
            () if has("\"documents\"") && has("\"source\"") && has("\"key\"") => 80,
            () => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            read_file(&file.text()?, reading)?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            write!(
                out,
                "{{\"source\":\"karat\",\"date\":\"\",\"key\":\"\",\"infons\":{{}},\"documents\":["
            )?;
            for (number, article) in bioc::documents(corpus).enumerate() {
                let article = article?;
                check(&article)?;
                out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
                serde_json::to_writer(&mut *out, &article)
                    .map_err(|error| WriteError::Io(error.into()))?;
            }
            Ok(out.write_all(b"\n]}\n")?)
        })
    }
}

/// A collection, or a document that stands alone.
#[derive(Deserialize)]
struct Collection<'t> {
    #[serde(borrow, default, alias = "PubTator3")]
    documents: Option<Vec<Article<'t>>>,
    #[serde(borrow, default)]
    id: Option<Scalar<'t>>,
    #[serde(borrow, default)]
    infons: Infons<'t>,
    #[serde(borrow, default)]
    passages: Option<Vec<bioc::Passage<'t>>>,
    #[serde(borrow, default)]
    annotations: Option<Vec<bioc::Entity<'t>>>,
}

impl<'t> Collection<'t> {
    fn articles(self) -> Vec<Article<'t>> {
        let Collection { documents, id, infons, passages, annotations } = self;
        let annotations = annotations.unwrap_or_default();
        match (documents, passages) {
            (Some(documents), _) => documents,
            (None, Some(passages)) => {
                vec![Article { id, infons, passages, annotations, ..Article::default() }]
            }
            (None, None) => Vec::new(),
        }
    }
}

fn read_file(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let content = text.as_str();
    let problem = |error: &serde_json::Error| {
        text.json_problem(content, error)
            .hint("expected a BioC collection: an object with `documents`, each with `passages`")
    };
    if content.trim_start().starts_with('[') {
        let list: Result<Vec<Collection<'_>>, _> = serde_json::from_str(content);
        let list = list.map_err(|error| problem(&error));
        let collections = reading.accept(list)?.unwrap_or_default();
        return collections
            .into_iter()
            .flat_map(Collection::articles)
            .try_for_each(|article| bioc::read_article(text, &INFO, &article, reading));
    }
    for collection in serde_json::Deserializer::from_str(content).into_iter::<Collection<'_>>() {
        let collection = collection.map_err(|error| problem(&error));
        let Some(collection) = reading.accept(collection)? else { break };
        for article in collection.articles() {
            bioc::read_article(text, &INFO, &article, reading)?;
        }
    }
    Ok(())
}

/// An object of JSON has no room for two values of one key.
fn check(article: &Article<'_>) -> Result<(), WriteError> {
    let entities = article.passages.iter().flat_map(|passage| &passage.annotations);
    let infons = entities.map(|entity| &entity.infons).chain([&article.infons]);
    for infons in infons {
        let mut seen = HashSet::new();
        if let Some((key, _)) = infons.0.iter().find(|(key, _)| !seen.insert(key.as_str())) {
            let message = format!("JSON has no form for two attributes `{}`", key.as_str());
            let name = article.id.as_ref().map_or("", Scalar::as_str);
            return Err(WriteError::unrepresentable(name, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
