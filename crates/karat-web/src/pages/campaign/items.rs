//! What is judged, item by item.

use super::card::{ItemShown, chances, pager, shown_link};
use super::disputes::votes_words;
use super::{AFTER, CampaignTab, CampaignView, ITEM, KIND, STATE, TabContent};
use crate::campaigns::{JudgedCampaign, action_words};
use crate::components::cases::missing;
use crate::components::chips::{Chip, chips};
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::text::counted;
use crate::refusal::Refusal;
use karat::campaigns::outcome::{CampaignOutcomes, ItemOutcome};
use karat::campaigns::plan::ItemKind;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// All items.
#[derive(Debug)]
pub(super) struct Items;

/// So many items stand on a page.
const ON_A_PAGE: usize = 100;

/// What an item is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Any,
    Of(ItemKind),
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::Any,
        Kind::Of(ItemKind::Real),
        Kind::Of(ItemKind::Control),
        Kind::Of(ItemKind::Repeat),
        Kind::Of(ItemKind::Practice),
    ];

    fn name(self) -> &'static str {
        match self {
            Kind::Any => "any",
            Kind::Of(ItemKind::Real) => "real",
            Kind::Of(ItemKind::Control) => "control",
            Kind::Of(ItemKind::Repeat) => "repeat",
            Kind::Of(ItemKind::Practice) => "practice",
        }
    }
}

/// Where the judging of an item is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Any,
    Judged,
    Open,
    Disputed,
    Decided,
}

impl State {
    const ALL: [State; 5] =
        [State::Any, State::Judged, State::Open, State::Disputed, State::Decided];

    fn name(self) -> &'static str {
        match self {
            State::Any => "any",
            State::Judged => "judged",
            State::Open => "open",
            State::Disputed => "disputed",
            State::Decided => "decided",
        }
    }

    fn has(self, outcome: &ItemOutcome, is_disputed: bool) -> bool {
        match self {
            State::Any => true,
            State::Judged => !outcome.is_open(),
            State::Open => outcome.is_open(),
            State::Disputed => is_disputed,
            State::Decided => outcome.is_decided,
        }
    }
}

/// Everything that the list is made of.
struct List<'v> {
    view: &'v CampaignView<'v>,
    judged: JudgedCampaign,
    found: CampaignOutcomes,
    disputed: BTreeSet<usize>,
    kind: Kind,
    state: State,
}

impl List<'_> {
    fn has(&self, kind: Kind, state: State, place: usize) -> bool {
        let item = &self.judged.file.plan.items[place];
        let fits = kind == Kind::Any || kind == Kind::Of(item.kind);
        fits && state.has(&self.found.items[place], self.disputed.contains(&place))
    }

    fn count(&self, kind: Kind, state: State) -> usize {
        (0..self.judged.items.len()).filter(|place| self.has(kind, state, *place)).count()
    }

    /// Labels that choose, each with how many there are.
    fn filters(&self) -> Markup {
        let here = |kind: Kind, state: State| {
            let word = |word: &'static str| if word == "any" { "" } else { word };
            self.view
                .tab("items")
                .with(KIND.name, word(kind.name()))
                .with(STATE.name, word(state.name()))
        };
        let chip = |label: &str, count: usize, is_on: bool, address| Chip {
            label: label.to_owned(),
            known_as: None,
            count,
            is_on,
            address,
        };
        let is_there = |chip: &Chip| chip.count > 0 || chip.is_on;
        let kinds = Kind::ALL[1..].iter().map(|&kind| {
            let is_on = kind == self.kind;
            let there = here(if is_on { Kind::Any } else { kind }, self.state);
            chip(kind.name(), self.count(kind, self.state), is_on, there)
        });
        let states = State::ALL[1..].iter().map(|&state| {
            let is_on = state == self.state;
            let there = here(self.kind, if is_on { State::Any } else { state });
            chip(state.name(), self.count(self.kind, state), is_on, there)
        });
        let kinds: Vec<Chip> = kinds.filter(is_there).collect();
        let states: Vec<Chip> = states.filter(is_there).collect();
        let links = self.view.asked.links;
        html! { (chips(links, "kind", &kinds)) (chips(links, "state", &states)) }
    }

    fn rows(&self, places: &[usize]) -> Markup {
        let votes = self.judged.votes();
        html! {
            div.scroll tabindex="0" role="region" aria-label="Items" {
                table.caselist data-rows {
                    caption { "Items, in the order of their texts" }
                    thead { tr {
                        th scope="col" class="kw" { "in the text" } th scope="col" { "link" } th scope="col" { "votes" }
                        th scope="col" { "outcome" } th scope="col" { "the model" } th scope="col" { "kind" } th scope="col" { "document" }
                    } }
                    tbody { @for &place in places {
                        @let there = self.view.tab("disputes").with(ITEM.name, self.judged.items[place].id.to_string());
                        @let outcome = &self.found.items[place];
                        @if let Some(item) = ItemShown::of(&self.judged, place) { tr data-row {
                            td.kw { (link(self.view.asked.links, &there, &item.in_line())) }
                            td data-label="link" { (shown_link(item.link, None)) }
                            td data-label="votes" { (votes_words(votes[place])) }
                            td data-label="outcome" { @match outcome.action {
                                Some(action) => { (action_words(action)) @if outcome.is_decided { " (decided)" } },
                                None => (missing("open: nobody judged it, or answers tie")),
                            } }
                            td data-label="the model" { (chances(Some(outcome))) }
                            td data-label="kind" { (self.judged.items[place].kind) }
                            td data-label="document" { (name(item.document)) }
                        } }
                    } }
                }
            }
        }
    }
}

impl CampaignTab for Items {
    fn name(&self) -> &'static str {
        "items"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let judged = view.judged()?;
        let found = judged.outcomes();
        let disputed = judged.disputes(&found).iter().map(|one| one.item).collect();
        let kind = view.asked.one_of(KIND, &Kind::ALL, Kind::name)?;
        let state = view.asked.one_of(STATE, &State::ALL, State::name)?;
        let first = view.asked.number(AFTER)?.unwrap_or_default();
        let list = List { view, judged, found, disputed, kind, state };
        let all: Vec<usize> =
            (0..list.judged.items.len()).filter(|place| list.has(kind, state, *place)).collect();
        let shown: Vec<usize> = all.iter().copied().skip(first).take(ON_A_PAGE).collect();
        let here = view.asked.here(view.tab("items")).with(AFTER.name, "");
        let real = Kind::Of(ItemKind::Real);
        let sentence = format!(
            "{}: {} with an outcome, {} disputed.",
            counted(list.count(real, State::Any), "item is judged", "items are judged"),
            list.count(real, State::Judged),
            list.count(real, State::Disputed),
        );
        let body = html! {
            (list.filters())
            @if all.is_empty() { p.empty { "No item fits." } } @else { (list.rows(&shown)) }
            (pager(view, &here, (first, ON_A_PAGE), all.len()))
        };
        Ok(TabContent { sentence, body, ..TabContent::default() })
    }
}
