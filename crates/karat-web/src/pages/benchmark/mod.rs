//! What is in a benchmark, what is wrong with it, and which systems ran on it.

mod checks;
mod corrections;
mod editions;
mod list;
mod mentions;
mod resolution;
mod statistics;
mod suspicions;

pub(crate) use corrections::{OF_CHECKS, OF_SUSPICIONS, decided_places};
pub(crate) use list::{Benchmarks, statistics as statistics_of};

use crate::address::Address;
use crate::components::documents::documents;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::tabs::{Tab, tabs};
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::pages::patches::patches;
use crate::refusal::Refusal;
use crate::workbench::{CatalogueBenchmark, CatalogueRun};
use karat::documents::{DocumentsAnswer, DocumentsOrder, DocumentsRequest};
use karat::model::Notice;
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::sync::Arc;

/// One benchmark.
#[derive(Debug)]
pub(crate) struct BenchmarkPage;

const SHOW: QueryKey =
    key("show", "documents, statistics, mentions, checks, suspicions, resolution or editions");
const IN: QueryKey = key("in", "share shows counts as shares");
const BESIDE: QueryKey = key("beside", "other benchmarks whose statistics stand beside");
const WHERE: QueryKey = key("where", "a property and a label of the mentions, as type=PER");
const CHECK: QueryKey = key("check", "the check whose findings are listed");
const AFTER: QueryKey = key("after", "how many are passed over in a long list");
const STATE: QueryKey =
    key("state", "suspicions about which this was decided: open, confirmed, refuted or later");
const FROM: QueryKey = key("from", "the edition with which this one is compared");
const LIST: QueryKey =
    key("list", "the order of the documents: number, name, errors, disagreement or length");

/// The parts of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Shown {
    #[default]
    Documents,
    Statistics,
    Mentions,
    Checks,
    Suspicions,
    Resolution,
    Editions,
}

impl Shown {
    const ALL: [Shown; 7] = [
        Shown::Documents,
        Shown::Statistics,
        Shown::Mentions,
        Shown::Checks,
        Shown::Suspicions,
        Shown::Resolution,
        Shown::Editions,
    ];

    fn name(self) -> &'static str {
        match self {
            Shown::Documents => "documents",
            Shown::Statistics => "statistics",
            Shown::Mentions => "mentions",
            Shown::Checks => "checks",
            Shown::Suspicions => "suspicions",
            Shown::Resolution => "resolution",
            Shown::Editions => "editions",
        }
    }

    /// What the tab is called.
    fn words(self) -> &'static str {
        match self {
            Shown::Resolution => "what can it resolve",
            other => other.name(),
        }
    }
}

/// One part of the page, with the answer that it shows.
struct Part {
    body: Markup,
    command: String,
    signature: String,
    notices: Vec<Notice>,
    answer: Arc<dyn AnyAnswer>,
}

impl Page for BenchmarkPage {
    fn path(&self) -> &'static str {
        "/benchmarks/{slug}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[SHOW, IN, BESIDE, WHERE, CHECK, STATE, FROM, LIST, AFTER, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let view = BenchmarkView::of(asked)?;
        let part = view.part()?;
        Ok(PageContent {
            title: visible(&view.benchmark.name),
            crumbs: vec![("Benchmarks".to_owned(), Address::benchmarks())],
            sentence: Some(view.sentence()),
            body: html! {
                (view.systems())
                (patches(asked, view.benchmark))
                (view.tabs())
                (part.body)
            },
            here: view.here(),
            signatures: vec![part.signature],
            command: Some(part.command).filter(|command| !command.is_empty()),
            notices: part.notices,
            convention: view.has_convention().then(|| asked.convention()).transpose()?,
            has_forms: true,
            edit: asked
                .edit("benchmark", view.benchmark.slug.split('@').next().unwrap_or_default()),
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(BenchmarkView::of(asked).and_then(|view| Ok(view.part()?.answer)))
    }
}

/// What was asked for.
struct BenchmarkView<'a> {
    asked: &'a Asked<'a>,
    benchmark: &'a CatalogueBenchmark,
    shown: Shown,
}

impl<'a> BenchmarkView<'a> {
    fn of(asked: &'a Asked<'a>) -> Result<BenchmarkView<'a>, Refusal> {
        let benchmark = asked.catalogue.benchmark(asked.parameter("slug"))?;
        let shown = asked.one_of(SHOW, &Shown::ALL, Shown::name)?;
        Ok(BenchmarkView { asked, benchmark, shown })
    }

    fn part(&self) -> Result<Part, Refusal> {
        match self.shown {
            Shown::Documents => self.documents(),
            Shown::Statistics => statistics::show(self),
            Shown::Mentions => mentions::show(self),
            Shown::Checks => checks::show(self),
            Shown::Suspicions => suspicions::show(self),
            Shown::Resolution => resolution::show(self),
            Shown::Editions => editions::show(self),
        }
    }

    /// Only what compares gold and runs depends on a convention.
    fn has_convention(&self) -> bool {
        !matches!(self.shown, Shown::Statistics | Shown::Mentions | Shown::Checks)
    }

    /// The address of this view.
    fn here(&self) -> Address {
        self.asked.here(Address::benchmark(&self.benchmark.slug))
    }

    fn runs(&self) -> Vec<&'a CatalogueRun> {
        self.asked.catalogue.runs_on(&self.benchmark.slug).collect()
    }

    /// What there is, in words.
    fn sentence(&self) -> String {
        let counted = crate::components::text::counted;
        format!(
            "{}, and the output of {}.",
            counted(self.benchmark.documents, "document", "documents"),
            counted(self.runs().len(), "system", "systems"),
        )
    }

    fn tabs(&self) -> Markup {
        let runs = self.runs().len();
        // Of one system nothing is suspected, and people may have noted something all the same.
        let may_be_noted = self.asked.workbench.workspace().is_some() && runs > 0;
        let is_there = |shown: &Shown| match shown {
            Shown::Suspicions if may_be_noted => true,
            Shown::Suspicions | Shown::Resolution => runs > 1 || *shown == self.shown,
            Shown::Editions => editions::editions(self).len() > 1,
            _ => true,
        };
        let tab = |shown: Shown| Tab {
            words: shown.words(),
            count: None,
            // Keys that only one part has are left behind.
            address: Address::benchmark(&self.benchmark.slug)
                .with(SHOW.name, if shown == Shown::default() { "" } else { shown.name() })
                .with(AS.name, self.asked.get(AS).unwrap_or_default()),
            is_here: shown == self.shown,
        };
        let all: Vec<Tab> = Shown::ALL.into_iter().filter(is_there).map(tab).collect();
        tabs(self.asked.links, "Parts of the benchmark", &all)
    }

    fn systems(&self) -> Markup {
        let runs = self.runs();
        html! {
            p {
                "Systems: "
                @if runs.is_empty() { span.soft { "none yet" } }
                @for (place, run) in runs.iter().enumerate() {
                    @if place > 0 { ", " }
                    (link(self.asked.links, &Address::run(&run.id), &name(&run.system)))
                }
                @if runs.len() > 1 {
                    " · "
                    (link(self.asked.links, &Address::compare(runs.iter().map(|run| run.id.as_str())), &html! { "compare them" }))
                }
            }
        }
    }

    fn documents(&self) -> Result<Part, Refusal> {
        let asked = self.asked;
        let answer = listed(asked, self.benchmark)?;
        let convention = convention_text(&asked.convention()?);
        let there = |number| {
            let address = Address::document(&self.benchmark.slug, number);
            address.with(AS.name, convention.clone())
        };
        let order = asked.one_of(LIST, &DocumentsOrder::ALL, DocumentsOrder::name)?;
        Ok(Part {
            body: documents(asked.links, &answer, order, 0, &there, &self.here()),
            command: asked.catalogue.commands(&documents_of(asked, self.benchmark)?),
            signature: answer.signature.clone(),
            notices: answer.notices.clone(),
            answer,
        })
    }
}

fn listed(
    asked: &Asked<'_>,
    benchmark: &CatalogueBenchmark,
) -> Result<Arc<DocumentsAnswer>, Refusal> {
    asked.workbench.answer(&documents_of(asked, benchmark)?)
}

fn documents_of(
    asked: &Asked<'_>,
    benchmark: &CatalogueBenchmark,
) -> Result<DocumentsRequest, Refusal> {
    Ok(DocumentsRequest {
        inputs: asked.catalogue.inputs(benchmark, asked.catalogue.runs_on(&benchmark.slug)),
        convention: asked.convention()?,
        ..DocumentsRequest::default()
    })
}

/// Links to the pages of a list before and after this one.
fn pager(view: &BenchmarkView<'_>, first: usize, shown: usize, total: usize) -> Markup {
    /// How many stand on a page; the requests have the same number.
    const PAGE: usize = 100;
    let there = |after: usize| {
        let after = if after == 0 { String::new() } else { after.to_string() };
        view.here().with(AFTER.name, after)
    };
    html! {
        @if shown < total {
            nav.pager aria-label="Pages of the list" {
                @if first > 0 { (link(view.asked.links, &there(first.saturating_sub(PAGE)), &html! { "earlier" })) }
                @if first + shown < total { (link(view.asked.links, &there(first + shown), &html! { "later" })) }
                span.soft { (first + 1) " to " (first + shown) " of " (total) }
            }
        }
    }
}
