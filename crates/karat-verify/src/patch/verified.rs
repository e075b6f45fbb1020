//! The patch that a campaign makes of a gold standard: what people verified, as corrections with their votes.

use super::change::{GoldChange, PatchAction, Piece};
use super::content::{GoldAnswer, GoldContent, GoldField};
use super::view::DocumentGold;
use super::{GoldPatch, PatchBase};
use crate::outcome::{CampaignOutcomes, ItemOutcome, counted};
use crate::plan::{CampaignPlan, ItemKind};
use crate::results::VerifiedGold;
use crate::{ItemJudgement, LinkTarget, VerifyAction};
use karat_model::{Corpus, Document, OffsetUnit, Span, TextIndex};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a campaign knows.
#[derive(Debug, Clone, Copy)]
pub struct VerifiedCampaign<'c> {
    /// What was asked.
    pub plan: &'c CampaignPlan,
    /// What was answered.
    pub judgements: &'c [ItemJudgement],
    /// What follows from the answers and the decisions.
    pub outcomes: &'c CampaignOutcomes,
    /// The source that is the gold standard.
    pub gold: &'c str,
}

impl GoldPatch {
    /// The corrections of a gold standard that follow from a campaign.
    ///
    /// A mention of gold that was removed goes; one whose link was modified gets the link that a decision or two people
    /// named; spans that gold lacks and people verified come; further links of a span that were verified are alternatives. What
    /// is open changes nothing.
    pub fn of_campaign(
        campaign: &VerifiedCampaign<'_>,
        gold: &Corpus,
        unit: OffsetUnit,
    ) -> GoldPatch {
        let verified = VerifiedGold::of(campaign.plan, campaign.judgements, campaign.outcomes);
        let items = Items::of(campaign);
        let mut patch = GoldPatch { base: PatchBase::of(gold, unit), ..GoldPatch::default() };
        for document in gold.documents() {
            let index = document.text_index();
            let making = Making {
                document: &document,
                index: index.as_ref(),
                items: &items,
                verified: &verified,
            };
            making.changes(&mut patch.changes);
        }
        patch.settle();
        // Two items of one span may ask for different things; then nobody has decided yet.
        patch.opened()
    }
}

/// What is known of an item.
struct Judged<'c> {
    link: &'c LinkTarget,
    /// How gold spells the link, if gold proposed it.
    of_gold: Option<&'c str>,
    outcome: &'c ItemOutcome,
    votes: [usize; 3],
}

/// The items of each span of each document.
struct Items<'c>(BTreeMap<(&'c str, Span), Vec<Judged<'c>>>);

impl<'c> Items<'c> {
    fn of(campaign: &VerifiedCampaign<'c>) -> Items<'c> {
        let plan = campaign.plan;
        let mut votes: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
        for one in counted(plan, campaign.judgements) {
            if let Some(at) = one.action.index() {
                votes.entry(one.item).or_default()[at] += 1;
            }
        }
        let mut spelled: BTreeMap<usize, &str> = BTreeMap::new();
        for proposal in plan.proposals.iter().filter(|one| one.source == campaign.gold) {
            spelled.insert(proposal.item, proposal.spelled.as_deref().unwrap_or_default());
        }
        let mut items: BTreeMap<(&str, Span), Vec<Judged<'_>>> = BTreeMap::new();
        for (at, item) in plan.items.iter().enumerate().filter(|(_, it)| it.kind == ItemKind::Real)
        {
            let Some(outcome) = campaign.outcomes.items.get(at) else { continue };
            let document = plan.texts[item.text].document.as_str();
            items.entry((document, item.span())).or_default().push(Judged {
                link: &item.link,
                of_gold: spelled.get(&at).copied(),
                outcome,
                votes: votes.get(&at).copied().unwrap_or_default(),
            });
        }
        Items(items)
    }
}

struct Making<'m, 'c> {
    document: &'m Document<'m>,
    index: Option<&'m TextIndex<'m>>,
    items: &'m Items<'c>,
    verified: &'m VerifiedGold,
}

impl Making<'_, '_> {
    fn changes(&self, into: &mut Vec<GoldChange>) {
        let name = self.document.name();
        let spans: BTreeSet<Span> =
            self.document.mentions().map(|mention| mention.span()).collect();
        let gold = DocumentGold::of(self.document);
        for (span, roots) in &gold.by_span {
            // Of several mentions of one span nobody can say which was judged.
            let ([root], Some(judged)) = (roots.as_slice(), self.items.0.get(&(name, *span)))
            else {
                continue;
            };
            let answer = root.content.answer.written();
            let is_own = |one: &&Judged<'_>| {
                let spelled = one.of_gold.filter(|spelled| !spelled.is_empty());
                one.of_gold.is_some()
                    && (spelled == Some(answer.as_str()) || answer == one.link.to_string())
            };
            if let Some(own) = judged.iter().find(is_own) {
                self.about(*span, own, &root.content, into);
            }
        }
        for ((_, span), judged) in self
            .items
            .0
            .range((name, Span::new(0, 0))..)
            .take_while(|((document, _), _)| *document == name)
        {
            if spans.contains(span) {
                continue;
            }
            self.missing(*span, judged, into);
        }
    }

    /// What becomes of a mention of gold.
    fn about(
        &self,
        span: Span,
        own: &Judged<'_>,
        content: &GoldContent,
        into: &mut Vec<GoldChange>,
    ) {
        let place = (span, content.answer.clone());
        let readings = self.verified.readings(self.document.name(), span);
        let own_link = own.link;
        let others: Vec<&LinkTarget> =
            readings.into_iter().flatten().filter(|link| *link != own_link).collect();
        match own.outcome.action {
            Some(VerifyAction::Remove) => {
                let piece = Piece::Mention { content: content.clone(), copy: None };
                into.push(self.change(place, PatchAction::Remove(piece), "not-an-entity", own));
            }
            Some(VerifyAction::Modify) => {
                let named = own.outcome.links.first().map(|(link, _)| link);
                let best = named.filter(|link| others.contains(link)).or(others.first().copied());
                let Some(best) = best else { return };
                let new = GoldContent { answer: meant(best), ..content.clone() };
                let fields = [GoldField::Link, GoldField::Nil].into_iter().filter_map(|field| {
                    let (old, new) = (content.value(field), new.value(field));
                    (old != new).then_some((field, old, new))
                });
                let set = PatchAction::Set(fields.collect());
                into.push(self.change(place, set, "wrong-link", own));
            }
            Some(VerifyAction::Verify) => {
                for link in others {
                    let part = GoldContent { span, answer: meant(link), ..GoldContent::default() };
                    let piece = Piece::Reading {
                        of: span,
                        answer: content.answer.clone(),
                        parts: vec![part],
                    };
                    let judged = self.items.0.get(&(self.document.name(), span));
                    let who =
                        judged.into_iter().flatten().find(|one| one.link == link).unwrap_or(own);
                    into.push(self.change(
                        place.clone(),
                        PatchAction::Add(piece),
                        "alternative",
                        who,
                    ));
                }
            }
            Some(VerifyAction::Skip) | None => {}
        }
    }

    /// A span that gold lacks.
    fn missing(&self, span: Span, judged: &[Judged<'_>], into: &mut Vec<GoldChange>) {
        let Some(readings) = self.verified.readings(self.document.name(), span) else { return };
        let strength = |link: &&LinkTarget| {
            judged.iter().filter(|one| one.link == *link).map(|one| one.votes[0]).sum::<usize>()
        };
        // Of equals the first in the order of ids.
        let Some(best) = readings.iter().rev().max_by_key(strength) else { return };
        let Some(who) = judged.iter().find(|one| one.link == best).or(judged.first()) else {
            return;
        };
        let part =
            |link: &LinkTarget| GoldContent { span, answer: meant(link), ..GoldContent::default() };
        let readings =
            readings.iter().filter(|link| *link != best).map(|link| vec![part(link)]).collect();
        let content = GoldContent { readings, ..part(best) };
        let piece = Piece::Mention { content, copy: None };
        into.push(self.change((span, meant(best)), PatchAction::Add(piece), "missing", who));
    }

    fn change(
        &self,
        place: (Span, GoldAnswer),
        action: PatchAction,
        why: &str,
        judged: &Judged<'_>,
    ) -> GoldChange {
        let change = GoldChange::new(self.document, self.index, place, action);
        let from = vec![Value::Object(origin(judged))];
        GoldChange { why: Some(why.to_owned()), from, ..change }
    }
}

/// Votes for what became of an item, and how sure that is.
fn origin(judged: &Judged<'_>) -> Map<String, Value> {
    let mut from = Map::new();
    let all: usize = judged.votes.iter().sum();
    if let Some(at) = judged.outcome.action.and_then(VerifyAction::index) {
        from.insert("votes".to_owned(), json!(format!("{}/{all}", judged.votes[at])));
        if let Some(chances) = judged.outcome.chances.filter(|_| !judged.outcome.is_decided) {
            from.insert("posterior".to_owned(), json!((chances[at] * 1000.0).round() / 1000.0));
        }
    }
    if judged.outcome.is_decided {
        from.insert("decision".to_owned(), json!("adjudicated"));
    }
    from
}

fn meant(link: &LinkTarget) -> GoldAnswer {
    match link {
        LinkTarget::Nil => GoldAnswer::Nil(None),
        LinkTarget::Entity(id) => GoldAnswer::Entity(id.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{ItemDecision, OutcomeRule, outcomes};
    use crate::patch::ChangeState;
    use crate::plan::{CampaignText, Proposal, VerifyItem};
    use karat_model::{CorpusBuilder, Link};

    const TEXT: &str = "Paris met London and STRIKE in Rome and Oslo.";

    fn gold() -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d1");
        builder.set_text(TEXT);
        for (start, end, id) in [(0, 5, "Q90"), (10, 16, "Q84"), (21, 27, "Q80"), (31, 35, "Q220")]
        {
            let link = Link::to(builder.intern(id));
            builder.annotate(Span::new(start, end), link);
        }
        builder.finish()
    }

    /// Items by span, link and whether gold says so.
    fn plan() -> CampaignPlan {
        let rows = [
            (0, 5, "Q90", true),
            (10, 16, "Q84", true),
            (21, 27, "Q80", true),
            (31, 35, "Q220", true),
            (40, 44, "Q585", false),
            (10, 16, "Q145", false),
        ];
        let mut plan = CampaignPlan::default();
        plan.texts.push(CampaignText {
            document: "d1".into(),
            dataset: String::new(),
            begin: 0,
            end: 45,
            words: TEXT.into(),
        });
        for (at, (begin, end, link, is_gold)) in rows.into_iter().enumerate() {
            plan.items.push(VerifyItem {
                text: 0,
                begin,
                end,
                link: LinkTarget::from(link.to_owned()),
                kind: ItemKind::Real,
                stratum: String::new(),
                probability: 1.0,
                weight: 1.0,
            });
            let source = if is_gold { "gold" } else { "system" };
            let proposal =
                Proposal { item: at, source: source.into(), spelled: None, confidence: None };
            plan.proposals.push(proposal);
        }
        plan
    }

    #[test]
    fn verdicts_become_corrections_with_their_votes() {
        use VerifyAction::{Modify, Remove, Verify};
        let plan = plan();
        let mut judgements = Vec::new();
        let answers = [Modify, Verify, Remove, Verify, Verify, Verify];
        for (item, action) in answers.into_iter().enumerate() {
            for worker in ["a", "b"] {
                let link = (action == Modify).then(|| LinkTarget::from("Q142".to_owned()));
                judgements.push(ItemJudgement { link, ..ItemJudgement::new(item, worker, action) });
            }
        }
        // Somebody decides against the crowd.
        let decisions = [ItemDecision { item: 3, action: Remove, link: None }];
        let outcomes = outcomes(&plan, &judgements, &decisions, OutcomeRule::Consensus, "majority");
        let campaign = VerifiedCampaign {
            plan: &plan,
            judgements: &judgements,
            outcomes: &outcomes,
            gold: "gold",
        };
        let gold = gold();
        let patch = GoldPatch::of_campaign(&campaign, &gold, OffsetUnit::CodePoints);
        let said: Vec<(String, &str)> = patch
            .changes
            .iter()
            .map(|it| (it.described(), it.why.as_deref().unwrap_or_default()))
            .collect();
        let expected = [
            ("Q90 -> Q142".to_owned(), "wrong-link"),
            ("add Q145 as a reading of Q84".to_owned(), "alternative"),
            ("remove Q80".to_owned(), "not-an-entity"),
            ("remove Q220".to_owned(), "not-an-entity"),
            ("add Q585".to_owned(), "missing"),
        ];
        assert_eq!(said, expected);
        assert_eq!(patch.changes[0].votes(), 2);
        assert_eq!(patch.changes[3].from[0]["decision"], "adjudicated");
        let judged = patch.against(&gold);
        assert!(judged.iter().all(|it| it.state == ChangeState::Applies), "{judged:?}");
        let corrected = patch.applied_to(&gold).corpus;
        // What is corrected needs no second correction.
        let again = super::super::read(&patch.to_string()).expect("written patches can be read");
        assert!(again.against(&corrected).iter().all(|it| it.state == ChangeState::AlreadyThere));
    }

    #[test]
    fn what_is_open_changes_nothing() {
        let plan = plan();
        let outcomes = outcomes(&plan, &[], &[], OutcomeRule::Consensus, "majority");
        let campaign =
            VerifiedCampaign { plan: &plan, judgements: &[], outcomes: &outcomes, gold: "gold" };
        let patch = GoldPatch::of_campaign(&campaign, &gold(), OffsetUnit::CodePoints);
        assert!(patch.changes.is_empty());
    }
}
