//! Weights that suit some documents.

use super::{AGREEMENT_WEIGHT, ByContext, Chosen, TUNED_ON, WORDS_WEIGHT};
use crate::answer::AnsweredLink;
use crate::baselines::baseline::{Choice, Passage};
use crate::baselines::oracle::gold_units;
use crate::baselines::settings::SettingReader;
use crate::registry::{LinkerContext, LinkerError};
use crate::task::LinkTask;
use karat_model::{Corpus, Digest, Hint, Span, Watch};

/// The weights that are tried, of each of the two.
const WEIGHTS: [f64; 7] = [0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

/// Weights that were tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriedWeights {
    /// How much the words around a mention counted.
    pub words: f64,
    /// How much agreement counted.
    pub agreement: f64,
    /// How many links were right.
    pub right: u64,
}

/// Weights of `context` that were chosen on documents with gold.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextTuning {
    /// The weights with most right links; of equal ones the smallest.
    pub best: TriedWeights,
    /// Of how many links.
    pub links: u64,
    /// All that were tried.
    pub tried: Vec<TriedWeights>,
    /// What the documents are recognised by. Whoever scores the same documents measures what was fitted.
    pub documents: Digest,
}

impl ContextTuning {
    /// Tries weights on the mentions of these documents that have to be found and are linked to an entity. Documents without text say nothing.
    pub fn on(
        documents: &Corpus,
        context: &LinkerContext,
        watch: &Watch,
    ) -> Result<ContextTuning, LinkerError> {
        let mut choice = ByContext::read(context, &mut SettingReader::new(context))?;
        let questions: Vec<Question<'_>> = documents
            .documents()
            .filter_map(|document| {
                let units = gold_units(&document).into_iter();
                let linked = units.filter_map(|unit| {
                    Some((unit.span(), choice.base.resolve(unit.entity()?).into_owned()))
                });
                let (spans, ids): (Vec<Span>, Vec<String>) = linked.unzip();
                let task = LinkTask {
                    language: document.language(),
                    ..LinkTask::of_text(document.name(), document.text()?)
                };
                (!spans.is_empty()).then_some(Question { task, spans, ids })
            })
            .collect();
        let links = questions.iter().map(|question| question.spans.len() as u64).sum();
        if links == 0 {
            let hint = Hint::default()
                .text("weights are chosen on gold with texts and links to entities of the base");
            return Err(LinkerError::new("there is no link to choose weights on").hint(hint));
        }
        let mut tried = Vec::new();
        for words in WEIGHTS {
            for agreement in WEIGHTS {
                if watch.is_cancelled() {
                    return Err(LinkerError::new("cancelled"));
                }
                (choice.words_weight, choice.agreement_weight) = (words, agreement);
                let right = questions.iter().map(|question| question.right(&choice)).sum();
                tried.push(TriedWeights { words, agreement, right });
            }
        }
        // Those with small weights were tried first, and the first of equal ones is kept.
        let mut best = TriedWeights { words: 0.0, agreement: 0.0, right: 0 };
        for one in &tried {
            if one.right > best.right {
                best = *one;
            }
        }
        Ok(ContextTuning { best, links, tried, documents: documents.digest() })
    }

    /// Puts the weights among the settings of a linker, with what they were chosen on.
    pub fn apply(&self, context: &mut LinkerContext) {
        let weights = [(WORDS_WEIGHT, self.best.words), (AGREEMENT_WEIGHT, self.best.agreement)];
        for ((name, ..), weight) in weights {
            context.settings.insert(name.to_owned(), weight.to_string());
        }
        context.settings.insert(TUNED_ON.0.to_owned(), self.documents.short());
    }
}

/// A text with its mentions, and what they are.
struct Question<'d> {
    task: LinkTask<'d>,
    spans: Vec<Span>,
    ids: Vec<String>,
}

impl Question<'_> {
    fn right(&self, choice: &ByContext) -> u64 {
        let task = LinkTask { mentions: Some(&self.spans), ..self.task.clone() };
        let text = karat_model::TextIndex::new(task.text);
        let passage = Passage { task: &task, text, spans: self.spans.clone() };
        let is_right = |(chosen, id): &(Chosen, &String)| matches!(&chosen.link, AnsweredLink::To(to) if to == *id);
        choice.choose(&passage).into_iter().zip(&self.ids).filter(is_right).count() as u64
    }
}
