//! From documents and proposals to texts, items and tasks.

use super::layers::{divided, layers};
use super::sampling::sampled;
use super::{
    CampaignDesign, CampaignPlan, CampaignTask, CampaignText, ItemKind, LeftOut, LeftOutReason,
    Proposal, TaskOrder, TaskPurpose, VerifyItem,
};
use crate::LinkTarget;
use crate::chunking::{SentenceSplitter, chunk_of};
use karat_model::{Span, TextIndex};
use karat_stats::Random;
use std::collections::{BTreeMap, BTreeSet};

/// A document of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanDocument {
    /// Its name.
    pub name: String,
    /// The benchmark that it belongs to.
    pub dataset: String,
    /// Its text.
    pub text: String,
    /// Its sentences, where the input has them.
    pub sentences: Option<Vec<Span>>,
}

/// Something that a source says of a document, with its link in the spelling of the knowledge base.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanProposal {
    /// The place of the document in the list.
    pub document: usize,
    /// A system, or the gold standard.
    pub source: String,
    /// The span, in code points.
    pub span: Span,
    /// The link, normalised.
    pub link: LinkTarget,
    /// The link as the source spelled it, if that is another spelling.
    pub spelled: Option<String>,
    /// How sure the source was.
    pub confidence: Option<f64>,
    /// The stratum for sampling; empty if there is only one.
    pub stratum: String,
}

/// Where sentences begin, for tasks that are divided.
type Sentences = Vec<Vec<Span>>;

impl CampaignDesign {
    /// Builds a campaign. Proposals may come in any order; the plan does not depend on it.
    pub fn plan(
        &self,
        documents: &[PlanDocument],
        proposals: &[PlanProposal],
        splitter: &SentenceSplitter,
    ) -> CampaignPlan {
        let mut plan = CampaignPlan::default();
        let sentences: Sentences = documents
            .iter()
            .map(|document| {
                document.sentences.clone().unwrap_or_else(|| splitter.sentences(&document.text))
            })
            .collect();
        let first_texts = self.cut(documents, &sentences, &mut plan);
        let sources = self.pool(documents, proposals, &first_texts, &mut plan);
        if let Some(size) = self.sample {
            sampled(&mut plan, size, self.seed);
        }
        self.deal(&sources, documents, &sentences, &mut plan);
        plan
    }

    /// Texts. Gives the place of the first text of each document, and one more.
    fn cut(
        &self,
        documents: &[PlanDocument],
        sentences: &Sentences,
        plan: &mut CampaignPlan,
    ) -> Vec<usize> {
        let mut first_texts = vec![0];
        for (document, sentences) in documents.iter().zip(sentences) {
            let index = TextIndex::new(&document.text);
            let chunks = self.chunking.chunks(&document.text, sentences);
            if chunks.is_empty() {
                plan.vanished.push(document.name.clone());
            }
            for chunk in chunks {
                plan.texts.push(CampaignText {
                    document: document.name.clone(),
                    dataset: document.dataset.clone(),
                    begin: chunk.start,
                    end: chunk.end,
                    words: index.slice(chunk).unwrap_or_default().to_owned(),
                });
            }
            first_texts.push(plan.texts.len());
        }
        first_texts
    }

    /// Items and their proposals. Gives the sources of each item.
    fn pool(
        &self,
        documents: &[PlanDocument],
        proposals: &[PlanProposal],
        first_texts: &[usize],
        plan: &mut CampaignPlan,
    ) -> Vec<BTreeSet<String>> {
        let spans: Vec<Span> = plan.texts.iter().map(CampaignText::span).collect();
        let mut ordered: Vec<&PlanProposal> =
            proposals.iter().filter(|one| one.document < documents.len()).collect();
        ordered.sort_by_key(|one| (one.document, one.span, &one.link, &one.source));
        let mut items: BTreeMap<(usize, Span, &LinkTarget, &str), usize> = BTreeMap::new();
        let mut sources: Vec<BTreeSet<String>> = Vec::new();
        for one in ordered {
            if one.link == LinkTarget::Nil && !self.nil {
                plan.left_out.push(left_out(documents, one, LeftOutReason::Nil));
                continue;
            }
            let first = first_texts[one.document];
            let texts = &spans[first..first_texts[one.document + 1]];
            let Some(text) = chunk_of(texts, one.span).map(|at| first + at) else {
                plan.left_out.push(left_out(documents, one, LeftOutReason::AcrossTexts));
                continue;
            };
            let apart = if self.pool { "" } else { one.source.as_str() };
            let item = *items.entry((text, one.span, &one.link, apart)).or_insert_with(|| {
                plan.items.push(item(text, one));
                sources.push(BTreeSet::new());
                plan.items.len() - 1
            });
            if !sources[item].insert(one.source.clone()) {
                plan.left_out.push(left_out(documents, one, LeftOutReason::Repeated));
                continue;
            }
            plan.proposals.push(Proposal {
                item,
                source: one.source.clone(),
                spelled: one.spelled.clone(),
                confidence: one.confidence,
            });
        }
        sources
    }

    /// Tasks.
    fn deal(
        &self,
        sources: &[BTreeSet<String>],
        documents: &[PlanDocument],
        sentences: &Sentences,
        plan: &mut CampaignPlan,
    ) {
        let sentences: BTreeMap<&str, &Vec<Span>> =
            documents.iter().map(|document| document.name.as_str()).zip(sentences).collect();
        let mut by_text: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, item) in plan.items.iter().enumerate().filter(|(_, item)| item.probability > 0.0) {
            by_text.entry(item.text).or_default().push(at);
        }
        let mut tasks = Vec::new();
        for (text, items) in by_text {
            let mut random = Random::new(self.seed, text as u64);
            let rank = random.next();
            let span = |item: usize| plan.items[item].span();
            let groups: Vec<(Option<String>, Vec<usize>)> = if self.pool {
                layers(&items, span, &mut random).into_iter().map(|layer| (None, layer)).collect()
            } else {
                by_source(&items, sources)
            };
            let sentences = sentences.get(plan.texts[text].document.as_str());
            for (source, group) in groups {
                for items in divided(group, self.max_items, span, sentences.map_or(&[], |s| s)) {
                    let shuffle = match self.order {
                        TaskOrder::Random => random.next(),
                        TaskOrder::Text => rank,
                    };
                    let purpose = TaskPurpose::Main;
                    let priority = purpose.priority();
                    tasks.push(CampaignTask {
                        text,
                        purpose,
                        priority,
                        shuffle,
                        items,
                        source: source.clone(),
                    });
                }
            }
        }
        plan.tasks = tasks;
    }
}

fn item(text: usize, one: &PlanProposal) -> VerifyItem {
    VerifyItem {
        text,
        begin: one.span.start,
        end: one.span.end,
        link: one.link.clone(),
        kind: ItemKind::Real,
        stratum: one.stratum.clone(),
        probability: 1.0,
        weight: 1.0,
    }
}

fn left_out(documents: &[PlanDocument], one: &PlanProposal, why: LeftOutReason) -> LeftOut {
    LeftOut {
        document: documents[one.document].name.clone(),
        source: one.source.clone(),
        begin: one.span.start,
        end: one.span.end,
        link: one.link.clone(),
        why,
    }
}

/// The items of each source, as in the paper: a task is a pair of text and source.
fn by_source(items: &[usize], sources: &[BTreeSet<String>]) -> Vec<(Option<String>, Vec<usize>)> {
    let mut groups: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
    for &item in items {
        for source in &sources[item] {
            groups.entry(source).or_default().push(item);
        }
    }
    groups.into_iter().map(|(source, items)| (Some(source.clone()), items)).collect()
}
