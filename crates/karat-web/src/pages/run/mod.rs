//! Everything about one output.

mod cases;
mod curves;
mod errors;
mod measures;
mod slices;

use crate::access::Act;
use crate::address::Address;
use crate::components::name::name;
use crate::components::tabs::{Tab, tabs};
use crate::components::time::date;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::refusal::Refusal;
use crate::workbench::{CatalogueBenchmark, CatalogueRun};
use karat::convention::ConventionRequest;
use karat::errors::{CasesAnswer, CasesRequest};
use karat::inputs::Inputs;
use karat::model::{Notice, closest};
use karat::report::plot::Plot;
use karat::request::AnyAnswer;
use karat::scoring::answer::SystemRecord;
use karat::scoring::{EvaluationAnswer, EvaluationRequest};
use maud::{Markup, html};
use std::sync::Arc;

/// A run of a system on a benchmark.
#[derive(Debug)]
pub(crate) struct RunPage;

const SHOW: QueryKey = key("show", "measures, slices, errors, cases or curves");
const BESIDE: QueryKey = key("beside", "a second system on the same benchmark");
const BY: QueryKey = key("by", "the facet of slices, or two of them");
const WHERE: QueryKey = key("where", "which cases, as error=missing type=PER");
const GROUP: QueryKey = key("group", "groups cases: by mention, gold, predicted or pair");
const SORT: QueryKey = key("sort", "the order of cases: document, confidence or frequency");
const PICK: QueryKey = key("pick", "only the cases at these places, as 3.12,4.1");
const ROWS: QueryKey = key("rows", "how many cases are listed at once, at most 500");
const AFTER: QueryKey = key("after", "where the page of cases before this one ended");

/// The parts of the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Shown {
    #[default]
    Measures,
    Slices,
    Errors,
    Cases,
    Curves,
}

impl Shown {
    const ALL: [Shown; 5] =
        [Shown::Measures, Shown::Slices, Shown::Errors, Shown::Cases, Shown::Curves];

    fn name(self) -> &'static str {
        match self {
            Shown::Measures => "measures",
            Shown::Slices => "slices",
            Shown::Errors => "errors",
            Shown::Cases => "cases",
            Shown::Curves => "curves",
        }
    }

    fn of(asked: &Asked<'_>) -> Result<Shown, Refusal> {
        one_of(asked, SHOW, Shown::ALL.map(|shown| (shown, shown.name())))
    }
}

/// The value of a key that has a few names; the first if it is not given.
fn one_of<T: Copy + Default, const N: usize>(
    asked: &Asked<'_>,
    key: QueryKey,
    all: [(T, &'static str); N],
) -> Result<T, Refusal> {
    let Some(wanted) = asked.get(key) else { return Ok(T::default()) };
    let names = || all.iter().map(|(_, name)| *name);
    let found = all.iter().find(|(_, name)| *name == wanted).map(|(value, _)| *value);
    found.ok_or_else(|| {
        let meant = closest(wanted, names()).map(|meant| format!("did you mean {meant}? "));
        let all: Vec<&str> = names().collect();
        Refusal::bad_request(
            format!("{} cannot be {wanted}", key.name),
            format!("{}it can be {}", meant.unwrap_or_default(), all.join(", ")),
        )
    })
}

impl Page for RunPage {
    fn path(&self) -> &'static str {
        "/runs/{id}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[SHOW, BY, WHERE, GROUP, SORT, PICK, ROWS, AFTER, BESIDE, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let view = RunView::of(asked)?;
        let (part, told) = match view.shown {
            Shown::Measures => measures::show(&view)?,
            Shown::Slices => slices::show(&view)?,
            Shown::Errors => errors::show(&view)?,
            Shown::Cases => cases::show(&view)?,
            Shown::Curves => curves::show(&view)?,
        };
        let link = view.links()?;
        let mut notices = link.notices.clone();
        notices.extend(told.into_iter().filter(|notice| !link.notices.contains(notice)));
        Ok(PageContent {
            title: format!("{} on {}", view.run.system, view.benchmark.name),
            crumbs: vec![
                (view.benchmark.name.clone(), Address::benchmark(&view.benchmark.slug)),
                (view.run.system.clone(), Address::system(&view.run.system_slug)),
            ],
            sentence: link.systems.first().map(SystemRecord::sentence),
            convention: Some(view.convention.clone()),
            here: asked.here(view.address()),
            tabs: Some(view.tabs()?),
            body: html! { (view.facts()) (part) },
            signatures: vec![link.signature.clone()],
            command: Some(view.commands()?),
            notices,
            has_forms: true,
            edit: asked.edit("run", &view.run.id),
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        let answered = || -> Result<Arc<dyn AnyAnswer>, Refusal> {
            let view = RunView::of(asked)?;
            Ok(match view.shown {
                Shown::Measures => view.desk_answer(&measures::request(&view))?,
                Shown::Slices => view.desk_answer(&slices::request(&view)?)?,
                Shown::Errors => view.desk_answer(&errors::by_category(&view))?,
                Shown::Cases => view.desk_answer(&cases::request(&view)?)?,
                Shown::Curves => view.desk_answer(&curves::all(&view))?,
            })
        };
        Some(answered())
    }

    fn plot(&self, asked: &Asked<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        RunView::of(asked).and_then(|view| curves::drawn(&view, kind)).transpose()
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        (name == "rows").then(|| {
            let view = RunView::of(asked)?;
            Ok(cases::show(&view)?.0)
        })
    }
}

/// What is asked of a run.
struct RunView<'v> {
    asked: &'v Asked<'v>,
    run: &'v CatalogueRun,
    benchmark: &'v CatalogueBenchmark,
    /// The second run, if there is one.
    beside: Option<&'v CatalogueRun>,
    convention: ConventionRequest,
    shown: Shown,
}

/// What a part of the page is made into: its content, and what has to be known.
type Part = (Markup, Vec<Notice>);

impl<'v> RunView<'v> {
    /// Whether the reader may decide about the gold of the benchmark, which is in a store.
    fn may_organise(&self) -> bool {
        let has_store = self.asked.workbench.workspace().is_some();
        has_store && self.asked.visitor.may(Act::Organise, &self.benchmark.id)
    }

    fn of(asked: &'v Asked<'v>) -> Result<RunView<'v>, Refusal> {
        let run = asked.catalogue.run(asked.parameter("id"))?;
        let benchmark = asked.catalogue.benchmark(&run.benchmark)?;
        let others = || asked.catalogue.runs_on(&run.benchmark).filter(|other| other.id != run.id);
        let beside = asked.get(BESIDE).map(|wanted| {
            let found = others().find(|other| other.system_slug == wanted);
            let names = others().map(|other| other.system_slug.as_str());
            found.ok_or_else(|| Refusal::missing("other system", wanted, names))
        });
        Ok(RunView {
            asked,
            run,
            benchmark,
            beside: beside.transpose()?,
            convention: asked.convention()?,
            shown: Shown::of(asked)?,
        })
    }

    fn address(&self) -> Address {
        Address::run(&self.run.id)
    }

    /// A part of the page under the same convention, with the same run beside.
    fn part(&self, shown: Shown) -> Address {
        let show = if shown == Shown::default() { "" } else { shown.name() };
        let beside = self.beside.map_or("", |run| run.system_slug.as_str());
        let address = self.address().with("show", show);
        self.with_frame(address.with("beside", beside))
    }

    fn with_frame(&self, address: Address) -> Address {
        address.with("as", convention_text(&self.convention))
    }

    /// The cases that fit conditions.
    fn cases_where(&self, filter: impl Into<String>) -> Address {
        let beside = self.beside.map_or("", |run| run.system_slug.as_str());
        let address = self.address().with("show", "cases").with("where", filter);
        self.with_frame(address.with("beside", beside))
    }

    /// The run, and the one beside it.
    fn runs(&self) -> impl Iterator<Item = &'v CatalogueRun> {
        std::iter::once(self.run).chain(self.beside)
    }

    fn inputs(&self) -> Inputs {
        self.asked.catalogue.inputs(self.benchmark, self.runs())
    }

    /// The links of the run, by which the page says what it is like.
    fn links(&self) -> Result<Arc<EvaluationAnswer>, Refusal> {
        self.asked.workbench.answer(&EvaluationRequest {
            inputs: self.asked.catalogue.inputs(self.benchmark, [self.run]),
            convention: self.convention.clone(),
            measures: vec!["link".to_owned()],
            ..EvaluationRequest::default()
        })
    }

    /// How many cases there are, and how many of them are wrong.
    fn wrong(&self) -> Result<Arc<CasesAnswer>, Refusal> {
        self.asked.workbench.answer(&CasesRequest {
            inputs: self.asked.catalogue.inputs(self.benchmark, [self.run]),
            convention: self.convention.clone(),
            filter: "wrong".to_owned(),
            limit: 1,
            ..CasesRequest::default()
        })
    }

    /// What is known of the run beside its content.
    fn facts(&self) -> Markup {
        let CatalogueRun { sent, seconds, deprecated, private, .. } = self.run;
        let facts: Vec<String> = [
            sent.map(|sent| format!("sent {}", date(sent))),
            seconds.map(|seconds| format!("linked in {seconds} s")),
            deprecated.then(|| "the system is deprecated".to_owned()),
            private.then(|| "not visible to others".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        html! { @if !facts.is_empty() { p.legend { (facts.join(" · ")) } } }
    }

    fn desk_answer<R>(&self, request: &R) -> Result<Arc<dyn AnyAnswer>, Refusal>
    where
        R: karat::request::Request + Sync,
        R::Answer: Send + Sync + 'static,
    {
        let answer: Arc<dyn AnyAnswer> = self.asked.workbench.answer(request)?;
        Ok(answer)
    }

    fn tabs(&self) -> Result<Markup, Refusal> {
        let wrong = self.wrong()?;
        let tab = |shown: Shown| Tab {
            words: shown.name(),
            count: match shown {
                Shown::Errors => Some(wrong.total),
                Shown::Cases => Some(wrong.of),
                _ => None,
            },
            address: self.part(shown),
            is_here: shown == self.shown,
        };
        Ok(tabs(self.asked.links, "Parts of this run", &Shown::ALL.map(tab)))
    }

    /// The form of a part that only chooses the run beside.
    fn beside_form(&self) -> Markup {
        html! {
            @if self.asked.links.is_live() {
                form.asking method="get" action=[self.asked.links.href(&self.address())] {
                    (self.kept_fields())
                    (self.beside_field())
                    button { "Show" }
                }
            }
        }
    }

    /// A field that chooses the run beside, for the form of a part.
    fn beside_field(&self) -> Markup {
        let others: Vec<&CatalogueRun> = self
            .asked
            .catalogue
            .runs_on(&self.run.benchmark)
            .filter(|other| other.id != self.run.id)
            .collect();
        html! {
            @if !others.is_empty() {
                label { "beside " select name="beside" {
                    option value="" { "no other" }
                    @for other in others {
                        option value=(other.system_slug) selected[Some(other) == self.beside] { (name(&other.system)) }
                    }
                } }
            }
        }
    }

    /// The fields that a form of a part keeps as they are.
    fn kept_fields(&self) -> Markup {
        let convention = convention_text(&self.convention);
        html! {
            @if self.shown != Shown::default() { input type="hidden" name="show" value=(self.shown.name()); }
            @if !convention.is_empty() { input type="hidden" name="as" value=(convention); }
        }
    }

    /// The commands that give the numbers of the part.
    fn commands(&self) -> Result<String, Refusal> {
        let catalogue = &self.asked.catalogue;
        Ok(match self.shown {
            Shown::Measures => catalogue.commands(&measures::request(self)),
            Shown::Slices => catalogue.commands(&slices::request(self)?),
            Shown::Errors => catalogue.commands(&errors::by_category(self)),
            Shown::Cases => catalogue.commands(&cases::request(self)?),
            Shown::Curves => catalogue.commands(&curves::all(self)),
        })
    }
}
