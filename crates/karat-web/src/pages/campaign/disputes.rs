//! What people disagree about: the queue, the card of each item, rules that decide many at once, and what was decided.

use super::card::{ItemCard, ItemShown, chances, decision, pager, shown_link};
use super::{AFTER, CampaignTab, CampaignView, ITEM, LEAST, RULE, TabContent};
use crate::campaigns::{JudgedCampaign, MergePreview, action_words, preview_merge};
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::text::counted;
use crate::components::time::date;
use crate::judging::words;
use crate::refusal::Refusal;
use karat::campaigns::VerifyAction;
use karat::campaigns::adjudication::{Dispute, MergeRule};
use karat::campaigns::outcome::CampaignOutcomes;
use karat_store::DecisionRow;
use maud::{Markup, html};

/// Items that should be decided.
#[derive(Debug)]
pub(super) struct Disputes;

/// So many items stand on a page.
const ON_A_PAGE: usize = 100;

impl CampaignTab for Disputes {
    fn name(&self) -> &'static str {
        "disputes"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let judged = view.judged()?;
        let found = judged.outcomes();
        let disputes = judged.disputes(&found);
        if let Some(wanted) = view.asked.get(ITEM) {
            return card(view, &judged, &found, &disputes, wanted);
        }
        let decided = view.wait(view.store().decisions(view.row.id))?;
        let sentence = match (disputes.len(), decided.len()) {
            (0, 0) => "Nothing waits to be decided.".to_owned(),
            (waiting, decided) => {
                let waiting = match waiting {
                    0 => "Nothing waits to be decided".to_owned(),
                    1 => "One item waits to be decided".to_owned(),
                    many => format!("{many} items wait to be decided"),
                };
                format!("{waiting}; {} decided.", counted(decided, "item is", "items are"))
            }
        };
        let body = html! {
            (queue(view, &judged, &found, &disputes)?)
            (rules(view)?)
            (decisions(view, &judged, &decided))
        };
        Ok(TabContent { sentence, body, ..TabContent::default() })
    }
}

fn card(
    view: &CampaignView<'_>,
    judged: &JudgedCampaign,
    found: &CampaignOutcomes,
    disputes: &[Dispute],
    wanted: &str,
) -> Result<TabContent, Refusal> {
    let place = wanted.parse().ok().and_then(|item| judged.place(item));
    let place = place.ok_or_else(|| Refusal::Missing {
        what: format!("There is no item {}.", visible(wanted)),
        hint: Some("The list of items has all.".to_owned()),
    })?;
    let at = disputes.iter().position(|one| one.item == place);
    let after = match at {
        Some(at) => disputes.get(at + 1).or_else(|| disputes.first()),
        None => disputes.first(),
    };
    let next = after.filter(|one| one.item != place).map(|one| judged.items[one.item].id);
    let outcome = &found.items[place];
    ItemCard { view, judged, place, outcome, next, waiting: disputes.len() }.show()
}

fn queue(
    view: &CampaignView<'_>,
    judged: &JudgedCampaign,
    found: &CampaignOutcomes,
    disputes: &[Dispute],
) -> Result<Markup, Refusal> {
    let first = view.asked.number(AFTER)?.unwrap_or_default();
    let votes = judged.votes();
    Ok(html! {
        @if disputes.is_empty() {
            p.empty { "Items come here when the model of people is less than 90 % sure of them, or when answers tie." }
        } @else {
            div.scroll tabindex="0" role="region" aria-label="The queue" {
                table.caselist data-rows {
                    caption { "To be decided, the most unsure first" }
                    thead { tr {
                        th scope="col" class="kw" { "in the text" } th scope="col" { "link" } th scope="col" { "votes" }
                        th scope="col" { "the model" } th scope="col" class="n" { "sources" }
                    } }
                    tbody { @for one in disputes.iter().skip(first).take(ON_A_PAGE) {
                        @let there = view.tab("disputes").with(ITEM.name, judged.items[one.item].id.to_string());
                        @if let Some(item) = ItemShown::of(judged, one.item) { tr data-row {
                            td.kw { (link(view.asked.links, &there, &item.in_line())) }
                            td data-label="link" { (shown_link(item.link, None)) }
                            td data-label="votes" { (votes_words(votes[one.item])) }
                            td data-label="the model" { (chances(found.items.get(one.item))) }
                            td.n data-label="sources" { (one.sources) }
                        } }
                    } }
                }
            }
            (pager(view, &view.tab("disputes"), (first, ON_A_PAGE), disputes.len()))
        }
    })
}

/// Votes, the most frequent answers named.
pub(super) fn votes_words(votes: [usize; 4]) -> String {
    let actions = VerifyAction::JUDGEMENTS.into_iter().chain([VerifyAction::Skip]);
    let said = actions.zip(votes).filter(|(_, votes)| *votes > 0);
    let said: Vec<String> =
        said.map(|(action, votes)| format!("{votes} {}", action_words(action))).collect();
    if said.is_empty() { "none".to_owned() } else { said.join(", ") }
}

/// The rules, with the least that each takes if nothing is said.
const RULES: [(&str, &str, &str); 3] = [
    ("unanimous", "everybody says the same", "2"),
    ("majority", "more than half say the same", "3"),
    ("chance", "the model is this sure", "0.95"),
];

/// The rule of a form.
pub(crate) fn rule(named: &str, least: &str) -> Result<MergeRule, Refusal> {
    let usual = RULES.iter().find(|(known, ..)| *known == named).map(|(_, _, least)| *least);
    let Some(usual) = usual else {
        return Err(Refusal::missing("rule", named, RULES.iter().map(|(known, ..)| *known)));
    };
    let least = if least.is_empty() { usual } else { least };
    let wrong = || {
        let what = if named == "chance" { "a chance from 0 to 1" } else { "a number from 1" };
        Refusal::bad_request(format!("{} is not {what}", visible(least)), "go back and change it")
    };
    Ok(match named {
        "chance" => {
            let least: f64 = least.parse().map_err(|_| wrong())?;
            if !(0.0..=1.0).contains(&least) {
                return Err(wrong());
            }
            MergeRule::Chance { least }
        }
        _ => {
            let least: usize = least.parse().map_err(|_| wrong())?;
            if least == 0 {
                return Err(wrong());
            }
            match named {
                "unanimous" => MergeRule::Unanimous { least },
                _ => MergeRule::Majority { least },
            }
        }
    })
}

/// Rules that decide many items at once; what one would do is shown before it does it.
fn rules(view: &CampaignView<'_>) -> Result<Markup, Refusal> {
    let named = view.asked.get(RULE).unwrap_or_default();
    let least = view.asked.get(LEAST).unwrap_or_default();
    let tried = match named {
        "" => None,
        named => {
            let rule = rule(named, least)?;
            Some(view.workspace.wait(preview_merge(view.store(), &view.row, rule))?)
        }
    };
    Ok(html! {
        details open[tried.is_some()] {
            summary { "Decide many by a rule" }
            form.edit method="get" action=(crate::address::Address::campaign(&view.row.name).to_path()) {
                input type="hidden" name="show" value="disputes";
                label { "Rule " select name=(RULE.name) {
                    @for (known, words, _) in RULES { option value=(known) selected[known == named] { (words) } }
                } }
                label { "At least so many judgements, or this chance " input name=(LEAST.name) value=(visible(least)) placeholder="2, 3 or 0.95" maxlength="10" inputmode="decimal" autocomplete="off"; }
                button { "Show what it would decide" }
            }
            @if let Some(tried) = &tried { (preview(view, tried, (named, least))) }
            p.soft { "A rule never touches what a person has decided, and its decisions can be taken back." }
        }
    })
}

fn preview(view: &CampaignView<'_>, tried: &MergePreview, (named, least): (&str, &str)) -> Markup {
    let all: usize = tried.decisions.iter().sum();
    html! {
        div.scroll tabindex="0" role="region" aria-label="What the rule would decide" {
            table {
                caption { "What the rule would decide" }
                thead { tr { th scope="col" { "answer" } th scope="col" class="n" { "items" } } }
                tbody {
                    @for (action, count) in VerifyAction::JUDGEMENTS.into_iter().zip(tried.decisions) { tr { th scope="row" { (action_words(action)) } td.n { (count) } } }
                    tr { th scope="row" { b { "all" } } td.n { b { (all) } } }
                }
            }
        }
        p { (counted(tried.changes, "item", "items")) " would have another outcome than now. " (counted(tried.disputes_before, "dispute", "disputes")) " now, " (tried.disputes_after) " afterwards." }
        @if all > 0 {
            form.edit method="post" action=(view.action("rules")) {
                input type="hidden" name=(RULE.name) value=(named);
                input type="hidden" name=(LEAST.name) value=(least);
                button { @if all == 1 { "Decide this item" } @else { "Decide these " (all) " items" } }
            }
        }
    }
}

/// The decisions that hold.
fn decisions(view: &CampaignView<'_>, judged: &JudgedCampaign, decided: &[DecisionRow]) -> Markup {
    let links: Vec<_> = decided.iter().filter_map(|one| one.link.clone()).collect();
    let named = words(view.asked.workbench.kb(), &links);
    let mut rows: Vec<&DecisionRow> = decided.iter().collect();
    rows.sort_by_key(|one| std::cmp::Reverse(one.id));
    html! {
        @if !rows.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Decided" {
                table.caselist data-rows {
                    caption { "Decided, the last first" @if rows.len() > ON_A_PAGE { "; the first " (ON_A_PAGE) " of " (rows.len()) } }
                    thead { tr {
                        th scope="col" class="kw" { "in the text" } th scope="col" { "link" } th scope="col" { "decision" }
                        th scope="col" { "who" } th scope="col" { "when" }
                    } }
                    tbody { @for one in rows.iter().take(ON_A_PAGE) {
                        @let place = judged.place(one.item).unwrap_or(usize::MAX);
                        @let there = view.tab("disputes").with(ITEM.name, one.item.to_string());
                        @if let Some(item) = ItemShown::of(judged, place) { tr data-row {
                            td.kw { (link(view.asked.links, &there, &item.in_line())) }
                            td data-label="link" { (shown_link(item.link, None)) }
                            td data-label="decision" { (decision(one, &named)) }
                            td data-label="who" { (name(&one.who)) }
                            td data-label="when" { (date(one.at)) }
                        } }
                    } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_from_forms() {
        assert_eq!(rule("unanimous", "").ok(), Some(MergeRule::Unanimous { least: 2 }));
        assert_eq!(rule("majority", "4").ok(), Some(MergeRule::Majority { least: 4 }));
        assert_eq!(rule("chance", "0.9").ok(), Some(MergeRule::Chance { least: 0.9 }));
        for (named, least) in [
            ("chance", "2"),
            ("chance", "NaN"),
            ("majority", "0"),
            ("best", "1"),
            ("majority", "x"),
        ] {
            assert!(rule(named, least).is_err(), "{named} {least}");
        }
    }

    #[test]
    fn votes_are_named() {
        assert_eq!(votes_words([2, 0, 1, 0]), "2 right, 1 not an entity");
        assert_eq!(votes_words([0; 4]), "none");
    }
}
