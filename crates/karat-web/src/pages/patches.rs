//! The patches of a benchmark, and what somebody decides about their changes.
//!
//! A patch is a file that whoever started the server has named. The page shows each change in its text, with what becomes of it, and a form that
//! accepts and refuses. What is refused stays in the patch. The form works without scripts.

use crate::address::{Address, entity_page};
use crate::catalogue::{Catalogue, CatalogueBenchmark};
use crate::components::chips::{Chip, chips};
use crate::components::context::in_context;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::text::counted;
use crate::page::{Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use karat::gold::{ChangeRecord, GoldReviewRequest, PatchAnswer};
use karat::inputs::{InputRequest, PatchedEdition};
use karat::request::{AnyAnswer, Request};
use karat::verify::patch::ChangeState;
use karat::work::Work;
use maud::{Markup, html};
use std::sync::Arc;

/// A patch and its changes.
#[derive(Debug)]
pub(crate) struct PatchPage;

const SHOW: QueryKey = key(
    "show",
    "changes that apply, are already there, in trouble, refused or open; all without it",
);
const AFTER: QueryKey = key("after", "how many changes are passed over");

/// So many changes stand on a page, so that its form is not too long to be sent.
const ON_A_PAGE: usize = 100;

/// What the field with the name of who decides is called.
pub(crate) const WHO: &str = "who";
/// What stands before the id of a change in the name of a field.
pub(crate) const VERDICT: &str = "verdict.";
/// The same for the reason.
pub(crate) const WHY: &str = "why.";

/// Which changes are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Listed {
    #[default]
    All,
    Applies,
    There,
    Trouble,
    Refused,
    Open,
}

impl Listed {
    const ALL: [Listed; 6] = [
        Listed::All,
        Listed::Open,
        Listed::Trouble,
        Listed::Applies,
        Listed::There,
        Listed::Refused,
    ];

    fn name(self) -> &'static str {
        match self {
            Listed::All => "all",
            Listed::Applies => "applies",
            Listed::There => "there",
            Listed::Trouble => "trouble",
            Listed::Refused => "refused",
            Listed::Open => "open",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Listed::All => "all",
            Listed::Applies => "applies",
            Listed::There => "already there",
            Listed::Trouble => "does not apply",
            Listed::Refused => "refused",
            Listed::Open => "to choose from",
        }
    }

    fn has(self, change: &ChangeRecord) -> bool {
        let state = change.state;
        match self {
            Listed::All => true,
            Listed::Applies => state == Some(ChangeState::Applies),
            Listed::There => state == Some(ChangeState::AlreadyThere),
            Listed::Trouble => state.is_some_and(ChangeState::is_trouble),
            Listed::Refused => change.refused.is_some(),
            Listed::Open => change.refused.is_none() && !change.open.is_empty(),
        }
    }
}

/// A benchmark's gold standard as it was named, with its patches; none where no patch was given.
pub(crate) fn with_patches<'c>(
    catalogue: &'c Catalogue,
    benchmark: &CatalogueBenchmark,
) -> Option<&'c InputRequest> {
    let edition = benchmark.name.parse::<PatchedEdition>();
    let gold = edition.as_ref().map_or(benchmark.name.as_str(), |edition| &edition.gold);
    let found = catalogue.files.gold.iter().find(|input| input.called() == gold);
    found.filter(|input| !input.patches.is_empty())
}

/// The address of a patch, counted from 1.
pub(crate) fn address(slug: &str, number: usize) -> Address {
    Address::path(["benchmarks", slug, "patches", &number.to_string()])
}

/// The request about a patch that an address names.
pub(crate) fn request_for(
    catalogue: &Catalogue,
    slug: &str,
    number: &str,
) -> Result<GoldReviewRequest, Refusal> {
    let benchmark = catalogue.benchmark(slug)?;
    let gold = with_patches(catalogue, benchmark);
    let patches = gold.map(|gold| gold.patches.as_slice()).unwrap_or_default();
    let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let patch = at.and_then(|at| patches.get(at)).ok_or_else(|| Refusal::Missing {
        what: format!("{} has no patch {}.", visible(&benchmark.name), visible(number)),
        hint: Some("Patches are given with --patch when karat is started.".to_owned()),
    })?;
    let gold = gold.map(|gold| InputRequest { patches: Vec::new(), ..gold.clone() });
    Ok(GoldReviewRequest {
        patch: patch.clone(),
        gold,
        reading: catalogue.files.reading.clone(),
        ..GoldReviewRequest::default()
    })
}

/// Links to the patches of a benchmark.
pub(crate) fn patches(asked: &Asked<'_>, benchmark: &CatalogueBenchmark) -> Markup {
    let gold = with_patches(&asked.catalogue, benchmark);
    let patches = gold.map(|gold| gold.patches.as_slice()).unwrap_or_default();
    let is_there = asked.links.is_live() && !patches.is_empty();
    html! {
        @if is_there {
            p { "Patches: " @for (at, path) in patches.iter().enumerate() {
                @if at > 0 { ", " }
                @let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
                (link(asked.links, &address(&benchmark.slug, at + 1), &name(file)))
            } }
        }
    }
}

impl Page for PatchPage {
    fn path(&self) -> &'static str {
        "/benchmarks/{slug}/patches/{patch}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[SHOW, AFTER]
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let benchmark = asked.catalogue.benchmark(asked.parameter("slug"))?;
        let answer = answered(asked)?;
        let listed = asked.one_of(SHOW, &Listed::ALL, Listed::name)?;
        let first = asked.number(AFTER)?.unwrap_or_default();
        let view = PatchView { asked, answer: &answer, listed, first };
        let title = answer.patches.first().map(|patch| patch.name.clone()).unwrap_or_default();
        Ok(PageContent {
            title: visible(&title),
            crumbs: vec![
                ("Benchmarks".to_owned(), Address::benchmarks()),
                (visible(&benchmark.name), Address::benchmark(&benchmark.slug)),
            ],
            sentence: Some(sentence(&answer)),
            body: view.body(),
            here: view.here(),
            notices: answer.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(answered(asked).map(|answer| Arc::new(answer) as Arc<dyn AnyAnswer>))
    }
}

/// The answer as the file is now: somebody may have saved decisions a moment ago, so that it is never kept.
fn answered(asked: &Asked<'_>) -> Result<PatchAnswer, Refusal> {
    let request = request_for(&asked.catalogue, asked.parameter("slug"), asked.parameter("patch"))?;
    Ok(request.answer(&Work::default())?)
}

/// What there is to decide.
pub(crate) fn sentence(answer: &PatchAnswer) -> String {
    let count = |listed: Listed| answer.changes.iter().filter(|it| listed.has(it)).count();
    let mut parts = vec![format!("{} apply", count(Listed::Applies))];
    for (listed, words) in [
        (Listed::There, "already there"),
        (Listed::Trouble, "cannot be applied"),
        (Listed::Refused, "refused"),
        (Listed::Open, "wait for a choice"),
    ] {
        if count(listed) > 0 {
            parts.push(format!("{} {words}", count(listed)));
        }
    }
    format!("{}: {}.", counted(answer.changes.len(), "change", "changes"), parts.join(", "))
}

struct PatchView<'a> {
    asked: &'a Asked<'a>,
    answer: &'a PatchAnswer,
    listed: Listed,
    first: usize,
}

impl PatchView<'_> {
    fn place(&self) -> Address {
        let number = self.asked.parameter("patch");
        Address::path(["benchmarks", self.asked.parameter("slug"), "patches", number])
    }

    fn here(&self) -> Address {
        let usual = self.listed == Listed::default();
        let after = if self.first == 0 { String::new() } else { self.first.to_string() };
        let show = if usual { "" } else { self.listed.name() };
        self.place().with(SHOW.name, show).with(AFTER.name, after)
    }

    fn body(&self) -> Markup {
        let changes: Vec<&ChangeRecord> =
            self.answer.changes.iter().filter(|it| self.listed.has(it)).collect();
        let shown = changes.iter().skip(self.first).take(ON_A_PAGE);
        let action = self.place().to_path();
        html! {
            (self.filters())
            @if changes.is_empty() { p.empty { "No change is listed here." } }
            @else {
                form.review method="post" action=(action) {
                    input type="hidden" name="show" value=(self.listed.name());
                    input type="hidden" name="after" value=(self.first);
                    ol.changes start=(self.first + 1) { @for change in shown { li { (change_fields(change, &self.document(change))) } } }
                    p.by {
                        label { "Who decides " input name=(WHO) required maxlength="200" autocomplete="name"; }
                        " " button name="do" value="save" { "Save" }
                        " " button name="do" value="download" { "Download with these decisions" }
                    }
                    p.legend { "Saving writes the decisions of this page into the patch. What is refused stays in it, with who and why, and is not applied." }
                }
                (self.pager(changes.len()))
            }
            p { a href={ (action) "/file" } download { "The patch as it is" } }
        }
    }

    fn filters(&self) -> Markup {
        let chip = |listed: &Listed| {
            let count = self.answer.changes.iter().filter(|it| listed.has(it)).count();
            let show = if *listed == Listed::All { "" } else { listed.name() };
            let is_on = *listed == self.listed;
            let address = self.place().with(SHOW.name, if is_on { "" } else { show });
            Chip { label: listed.words().to_owned(), known_as: None, count, is_on, address }
        };
        let is_there = |chip: &Chip| chip.count > 0 || chip.is_on;
        // Everything is what is listed when no label is on.
        let all: Vec<Chip> = Listed::ALL[1..].iter().map(chip).filter(is_there).collect();
        chips(self.asked.links, "changes", &all)
    }

    fn document(&self, change: &ChangeRecord) -> Markup {
        let slug = self.asked.parameter("slug");
        let shelf = self.asked.workbench.shelf();
        let benchmark = self.asked.catalogue.benchmark(slug).ok();
        let corpus = benchmark.and_then(|it| shelf.benchmark(&it.name).ok()).map(|it| it.corpus);
        let number = corpus.and_then(|it| it.document(&change.document).map(|it| it.index() + 1));
        html! {
            @match number {
                Some(number) => {
                    @let there = Address::document(slug, number).with("at", format!("{}-{}", change.start, change.end));
                    (link(self.asked.links, &there, &name(&change.document)))
                },
                None => (name(&change.document)),
            }
        }
    }

    fn pager(&self, total: usize) -> Markup {
        let there = |after: usize| {
            let after = if after == 0 { String::new() } else { after.to_string() };
            self.here().with(AFTER.name, after)
        };
        let last = (self.first + ON_A_PAGE).min(total);
        html! {
            @if total > ON_A_PAGE {
                nav.pager aria-label="Pages of the list" {
                    @if self.first > 0 { (link(self.asked.links, &there(self.first.saturating_sub(ON_A_PAGE)), &html! { "earlier" })) }
                    @if last < total { (link(self.asked.links, &there(last), &html! { "later" })) }
                    span.soft { (self.first + 1) " to " (last) " of " (total) }
                }
            }
        }
    }
}

/// A change with its words in their text, what becomes of it, and the fields that accept and refuse it.
pub(crate) fn change_fields(change: &ChangeRecord, document: &Markup) -> Markup {
    let id = &change.id;
    let is_refused = change.refused.is_some();
    let is_open = !change.open.is_empty() && !is_refused;
    let said = |key: &str| {
        let refused = change.refused.as_ref()?;
        refused.get(key)?.as_str().map(str::to_owned)
    };
    let words = change.words.clone().unwrap_or_else(|| format!("{}–{}", change.start, change.end));
    html! {
        fieldset.change id=(id) {
            legend { b { (name(&words)) } " " span.what { (described(change)) } }
            @if let Some([before, words, after]) = &change.context {
                p.line { (in_context(before, words, after)) }
            }
            p.soft.facts {
                (document)
                @if let Some(why) = &change.why { " · " (name(why)) }
                @if let Some(note) = &change.note { " · " (name(note)) }
                @let source = change.source();
                @if !source.is_empty() { " · " (name(&source)) }
            }
            @if let Some(state) = change.state {
                p.state { (state.name())
                    @if let Some(reason) = &change.reason { ": " (name(reason)) }
                }
            }
            @if is_open {
                p.state { "It contradicts " @for (at, rival) in change.open.iter().enumerate() {
                    @if at > 0 { ", " }
                    a href={ "#" (rival) } { (rival) }
                } ". Accepting one refuses the other." }
            }
            div.verdict {
                label { input type="radio" name={ (VERDICT) (id) } value="accept" checked[!is_open && !is_refused]; " accept" }
                label { input type="radio" name={ (VERDICT) (id) } value="refuse" checked[is_refused]; " refuse" }
                input name={ (WHY) (id) } value=[said("why")] maxlength="500" placeholder="why" aria-label={ "Why " (visible(&words)) " is refused" } autocomplete="off";
            }
        }
    }
}

/// What is changed: the old answer struck out, the new one beside it.
fn described(change: &ChangeRecord) -> Markup {
    let id = |text: &str| match entity_page(text) {
        Some(url) => html! { a href=(url) rel="noreferrer" { (visible(text)) } },
        None => name(text),
    };
    html! {
        @match change.change.split_once(" -> ") {
            Some((old, new)) if change.action == "set" && !new.contains(';') => { del { (id(old)) } " " ins { (id(new)) } },
            _ if change.action == "add" => ins { (name(&change.change)) },
            _ if change.action == "remove" => del { (name(&change.change)) },
            _ => (name(&change.change)),
        }
    }
}
