//! The verified gold: spans with the links that people confirmed.

use crate::outcome::{CampaignOutcomes, counted};
use crate::plan::{CampaignPlan, ItemKind};
use crate::{ItemJudgement, LinkTarget, VerifyAction};
use karat_model::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What a campaign says is right. Several links of a span are alternatives. A span all of whose items were removed is not
/// in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerifiedGold {
    /// Of each document, the readings of each span.
    pub documents: BTreeMap<String, BTreeMap<Span, BTreeSet<LinkTarget>>>,
}

/// A link that a person would rather have counts when so many agree.
const AGREEING: usize = 2;

impl VerifiedGold {
    /// A link is a reading of its span when its item turned out right, or when a decision, or two people who modified items of
    /// this span, named it.
    pub fn of(
        plan: &CampaignPlan,
        judgements: &[ItemJudgement],
        outcomes: &CampaignOutcomes,
    ) -> VerifiedGold {
        let mut gold = VerifiedGold::default();
        for (item, outcome) in plan.items.iter().zip(&outcomes.items) {
            if item.kind != ItemKind::Real {
                continue;
            }
            let document = &plan.texts[item.text].document;
            match outcome.action {
                Some(VerifyAction::Verify) => gold.add(document, item.span(), item.link.clone()),
                Some(VerifyAction::Modify) if outcome.is_decided => {
                    for (link, _) in &outcome.links {
                        gold.add(document, item.span(), link.clone());
                    }
                }
                _ => {}
            }
        }
        let is_modified = |item: usize| {
            let outcome = outcomes.items.get(item);
            outcome.is_some_and(|one| one.action == Some(VerifyAction::Modify) && !one.is_decided)
        };
        let mut named: BTreeMap<(&str, Span, &LinkTarget), BTreeSet<&str>> = BTreeMap::new();
        for one in counted(plan, judgements).filter(|one| is_modified(one.item)) {
            if let (VerifyAction::Modify, Some(link)) = (one.action, &one.link) {
                let item = &plan.items[one.item];
                let document = plan.texts[item.text].document.as_str();
                named.entry((document, item.span(), link)).or_default().insert(&one.worker);
            }
        }
        for ((document, span, link), people) in named {
            if people.len() >= AGREEING {
                gold.add(document, span, link.clone());
            }
        }
        gold
    }

    fn add(&mut self, document: &str, span: Span, link: LinkTarget) {
        self.documents
            .entry(document.to_owned())
            .or_default()
            .entry(span)
            .or_default()
            .insert(link);
    }

    /// The readings of a span.
    pub fn readings(&self, document: &str, span: Span) -> Option<&BTreeSet<LinkTarget>> {
        self.documents.get(document)?.get(&span)
    }

    /// How many spans there are.
    pub fn len(&self) -> usize {
        self.documents.values().map(BTreeMap::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }
}
