//! One document: read as an edition with its apparatus.

mod header;
mod suspicions;

pub(crate) use suspicions::plain;

use crate::address::Address;
use crate::components::apparatus::{PIECE, WHOLE, apparatus};
use crate::components::documents::documents;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::text::{Marks, TextView, annotated, counted, legend, lines, pages_of};
use crate::page::{AS, Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use crate::workbench::{CatalogueBenchmark, CatalogueRun};
use karat::conditions::Where;
use karat::documents::{
    DocumentAnswer, DocumentChoice, DocumentRequest, DocumentsOrder, DocumentsRequest, RunAnswer,
    TextCase,
};
use karat::errors::{ErrorsBy, ErrorsQuestion, ErrorsRequest};
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A document of a benchmark with its layers.
#[derive(Debug)]
pub(crate) struct DocumentPage;

const RUNS: QueryKey =
    key("runs", "the runs that are shown, by the names of their systems, or none");
const LAY: QueryKey = key("lay", "layers, columns or lines");
const MARKS: QueryKey = key(
    "marks",
    "which cases have a note: all, errors, lost, type, base-form, pos, overlap, reference or none",
);
const WHERE: QueryKey = key("where", "only cases with this label, as error=wrong-link");
const SPAN: QueryKey = key("span", "all shows what is not evaluated as well");
const AT: QueryKey =
    key("at", "the case that is selected: its number, or where it starts and ends, as 10-15");
const FROM: QueryKey = key("from", "where the page of a long text begins");
const CASES: QueryKey = key("cases", "the first note that is shown, where there are many");
const LIST: QueryKey =
    key("list", "lists all documents: by number, name, errors, disagreement or length");

/// How many runs are shown where nothing was asked: more cannot be told apart.
pub(crate) const RUNS_SHOWN: usize = 7;

/// How layers are laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Lay {
    #[default]
    Layers,
    Columns,
    Lines,
}

impl Lay {
    const ALL: [Lay; 3] = [Lay::Layers, Lay::Columns, Lay::Lines];

    fn name(self) -> &'static str {
        match self {
            Lay::Layers => "layers",
            Lay::Columns => "columns",
            Lay::Lines => "lines",
        }
    }
}

impl Page for DocumentPage {
    fn path(&self) -> &'static str {
        "/benchmarks/{slug}/{n}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[RUNS, LAY, MARKS, WHERE, SPAN, AT, FROM, CASES, LIST, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let view = DocumentView::new(asked)?;
        let answer = &view.answer;
        let title = answer.title.as_deref().unwrap_or(&answer.name);
        Ok(PageContent {
            title: visible(title),
            crumbs: vec![(view.benchmark.name.clone(), Address::benchmark(&view.benchmark.slug))],
            sentence: Some(header::sentence(answer)),
            convention: Some(asked.convention()?),
            here: asked.here(view.address()),
            body: view.body()?,
            legend: Some(legend(answer, view.marks)),
            signatures: vec![answer.signature.clone()],
            command: Some(view.command()?),
            notices: answer.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(DocumentView::new(asked).map(|view| view.answer as Arc<dyn AnyAnswer>))
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        match name {
            "cases" => Some(DocumentView::new(asked).map(|view| view.notes())),
            "beside" => Some(DocumentView::new(asked).map(|view| view.beside())),
            _ => None,
        }
    }
}

/// The answer that the page shows.
pub(crate) fn answer_of(asked: &Asked<'_>) -> Result<Arc<DocumentAnswer>, Refusal> {
    Ok(DocumentView::new(asked)?.answer)
}

/// What was asked for, and the answer.
struct DocumentView<'a> {
    asked: &'a Asked<'a>,
    benchmark: &'a CatalogueBenchmark,
    /// All runs on the benchmark.
    known: Vec<&'a CatalogueRun>,
    /// Those that are shown.
    runs: Vec<&'a CatalogueRun>,
    answer: Arc<DocumentAnswer>,
    lay: Lay,
    marks: Marks,
    at: Option<usize>,
    /// The stretch of text on this page, and the page among all.
    stretch: Range<u32>,
    pages: Vec<Range<u32>>,
}

impl<'a> DocumentView<'a> {
    fn new(asked: &'a Asked<'a>) -> Result<DocumentView<'a>, Refusal> {
        let benchmark = asked.catalogue.benchmark(asked.parameter("slug"))?;
        let known: Vec<&CatalogueRun> = asked.catalogue.runs_on(&benchmark.slug).collect();
        let runs = chosen(asked, &known)?;
        let number = asked.parameter("n").parse::<usize>().ok();
        let number = number.ok_or_else(|| {
            Refusal::missing("document", asked.parameter("n"), std::iter::empty())
        })?;
        let request = DocumentRequest {
            inputs: asked.catalogue.inputs(benchmark, runs.iter().copied()),
            convention: asked.convention()?,
            document: DocumentChoice::Number(number),
            filters: asked.get(WHERE).map(str::to_owned).into_iter().collect(),
            ..DocumentRequest::default()
        };
        let answer = asked.workbench.answer(&request)?;
        let lay = asked.one_of(LAY, &Lay::ALL, Lay::name)?;
        let marks = asked.one_of(MARKS, &Marks::ALL, Marks::name)?;
        let at = case_at(asked, &answer)?;
        let whole = 0..answer.characters.unwrap_or_default();
        let evaluated = answer.evaluated.filter(|_| asked.get(SPAN) != Some("all"));
        let shown = evaluated
            .map_or(whole.clone(), |[start, end]| start.min(whole.end)..end.min(whole.end));
        let pages = match asked.links.is_live() {
            true => pages_of(&answer, shown),
            false => vec![shown],
        };
        let from = asked.number(FROM)?.map(|from| from as u32);
        let selected = at.and_then(|at| answer.cases.get(at.checked_sub(1)?));
        let place = from.or(selected.map(|case| case.start)).unwrap_or_default();
        let page = pages.iter().find(|page| page.contains(&place)).or(pages.first());
        let stretch = page.cloned().unwrap_or_default();
        Ok(DocumentView { asked, benchmark, known, runs, answer, lay, marks, at, stretch, pages })
    }

    /// The address of the document, without a view.
    fn address(&self) -> Address {
        Address::document(&self.benchmark.slug, self.answer.number)
    }

    /// The address of this view.
    fn here(&self) -> Address {
        self.asked.here(self.address())
    }

    fn command(&self) -> Result<String, Refusal> {
        let document = Where::label("doc", &self.answer.name).to_string();
        let further = self.asked.get(WHERE).map(str::to_owned);
        let catalogue = &self.asked.catalogue;
        Ok(catalogue.commands(&ErrorsRequest {
            inputs: catalogue.inputs(self.benchmark, self.runs.iter().copied()),
            convention: self.asked.convention()?,
            question: ErrorsQuestion::List(ErrorsBy::Error),
            filters: [document].into_iter().chain(further).collect(),
            ..ErrorsRequest::default()
        }))
    }

    fn body(&self) -> Result<Markup, Refusal> {
        let list = self.list()?;
        Ok(html! {
            (header::header(self))
            (suspicions::suspicions(self))
            @if let Some(list) = list { (list) }
            div class={ "doc lay-" (self.lay.name()) } data-document {
                section.reading aria-label="Text" {
                    (self.text())
                    (self.other_pages())
                }
                section.notes aria-label="Notes" data-notes { (self.notes()) }
            }
        })
    }

    fn text(&self) -> Markup {
        let answer = &self.answer;
        let view = |without_ids: BTreeSet<usize>| TextView {
            marks: self.marks,
            stretch: self.stretch.clone(),
            selected: self.at,
            without_ids,
        };
        if !self.asked.links.shows_texts(&self.benchmark.slug) {
            let hidden = DocumentAnswer { text: None, ..DocumentAnswer::clone(answer) };
            return html! {
                p.note { "The text is not shown here, because its licence does not allow it. "
                    "Mentions are listed in the order of their offsets." }
                (lines(&hidden, self.marks))
            };
        }
        html! {
            @match (&answer.text, self.lay) {
                (_, Lay::Lines) => (lines(answer, self.marks)),
                (None, _) => {
                    p.note { "This document has no text: the file counts in offsets of a text that is not in it. "
                        "Its mentions are listed in the order of their offsets." }
                    (lines(answer, self.marks))
                },
                (Some(_), Lay::Layers) => (annotated(answer, &view(BTreeSet::new()))),
                (Some(_), Lay::Columns) => div.columns {
                    @for (at, layer) in answer.runs.iter().enumerate() {
                        section.column { h2 { (name(&layer.name)) } (annotated(&answer.of_run(at), &view(self.shown_before(at)))) }
                    }
                },
            }
        }
    }

    /// The cases that a column before this one shows as well: an id is given once.
    fn shown_before(&self, at: usize) -> BTreeSet<usize> {
        let is_before = |case: &&TextCase| {
            let said = |run: &RunAnswer| run.outcome.is_some();
            at > 0 && (case.gold.is_some() || case.runs.iter().take(at).any(said))
        };
        self.answer.cases.iter().filter(is_before).map(|case| case.number).collect()
    }

    /// The text with the note of the case that is selected, for a list of cases that shows it beside.
    fn beside(&self) -> Markup {
        let selected: Vec<&TextCase> =
            self.cases().into_iter().filter(|case| Some(case.number) == self.at).collect();
        let title = self.answer.title.as_deref().unwrap_or(&self.answer.name);
        html! {
            h2 { (link(self.asked.links, &self.here(), &name(title))) }
            (apparatus(&self.answer, &selected, self.at))
            div.reading { (self.text()) }
        }
    }

    /// Links to the other pages of a long text.
    fn other_pages(&self) -> Markup {
        html! {
            @if self.pages.len() > 1 && self.lay != Lay::Lines {
                nav.pages aria-label="Pages of the text" {
                    @for (number, page) in (1..).zip(&self.pages) {
                        @let there = self.here().with("at", "").with("from", page.start.to_string());
                        @if *page == self.stretch { b { (number) } } @else {
                            (link(self.asked.links, &there, &html! { (number) }))
                        } " "
                    }
                }
            }
        }
    }

    /// The cases of this page of the text; lists have no pages.
    fn cases(&self) -> Vec<&TextCase> {
        let is_list = self.answer.text.is_none() || self.lay == Lay::Lines;
        let is_shown = |case: &&TextCase| {
            let reaches_in = case.start < self.stretch.end && case.end > self.stretch.start;
            is_list || reaches_in || self.stretch.contains(&case.start)
        };
        self.answer.cases.iter().filter(is_shown).collect()
    }

    /// The apparatus: whole, or the piece that was asked for.
    fn notes(&self) -> Markup {
        let cases = self.cases();
        let first = self.asked.get(CASES).and_then(|text| text.parse::<usize>().ok()).or(self.at);
        // A report cannot be asked for the rest.
        let is_whole = cases.len() <= WHOLE || !self.asked.links.is_live();
        let length = if is_whole { cases.len() } else { PIECE };
        let start = first.map_or(0, |first| cases.partition_point(|case| case.number < first));
        let start = start.min(cases.len() - length);
        let shown = &cases[start..start + length];
        let number = |at: usize| cases.get(at).map(|case| case.number.to_string());
        let piece = |at: Option<usize>, words: String| {
            let there = at.and_then(number).map(|number| self.here().with("cases", number));
            html! { @if let Some(there) = there { (link(self.asked.links, &there, &html! { (words) })) " " } }
        };
        html! {
            (apparatus(&self.answer, shown, self.at))
            @if cases.is_empty() { p.note { "There is nothing to note here." } }
            @if shown.len() < cases.len() {
                nav.pages aria-label="More notes" data-pieces=(PIECE) {
                    (piece((start > 0).then(|| start.saturating_sub(PIECE)), "earlier notes".to_owned()))
                    (piece(Some(start + PIECE).filter(|at| *at < cases.len()), "later notes".to_owned()))
                    span.soft { (counted(shown.len(), "note", "notes")) " of " (cases.len()) }
                }
            }
        }
    }

    /// The list of all documents, if it was asked for: it looks at all of them.
    fn list(&self) -> Result<Option<Markup>, Refusal> {
        if self.asked.get(LIST).is_none() {
            return Ok(None);
        }
        let order = self.asked.one_of(LIST, &DocumentsOrder::ALL, DocumentsOrder::name)?;
        let request = DocumentsRequest {
            inputs: self.asked.catalogue.inputs(self.benchmark, self.runs.iter().copied()),
            convention: self.asked.convention()?,
            ..DocumentsRequest::default()
        };
        let list = self.asked.workbench.answer(&request)?;
        let there = |number: usize| {
            let there = Address::document(&self.benchmark.slug, number);
            self.asked.here(there).with("at", "").with("from", "").with("cases", "")
        };
        Ok(Some(documents(
            self.asked.links,
            &list,
            order,
            self.answer.number,
            &there,
            &self.here(),
        )))
    }
}

/// The runs that were asked for.
fn chosen<'a>(
    asked: &Asked<'_>,
    known: &[&'a CatalogueRun],
) -> Result<Vec<&'a CatalogueRun>, Refusal> {
    match asked.get(RUNS) {
        None => Ok(known.iter().copied().take(RUNS_SHOWN).collect()),
        Some("none") => Ok(Vec::new()),
        Some(names) => names
            .split(',')
            .map(|slug| {
                let found = known.iter().find(|run| run.system_slug == slug || run.id == slug);
                let names = known.iter().map(|run| run.system_slug.as_str());
                found.copied().ok_or_else(|| Refusal::missing("run", slug, names))
            })
            .collect(),
    }
}

/// The number of the case that is selected, where there is one.
fn case_at(asked: &Asked<'_>, answer: &DocumentAnswer) -> Result<Option<usize>, Refusal> {
    let place = asked.get(AT).and_then(|text| text.split_once('-'));
    let Some((start, end)) = place else { return asked.number(AT) };
    let is_there =
        |case: &&TextCase| start.parse() == Ok(case.start) && end.parse() == Ok(case.end);
    Ok(answer.cases.iter().find(is_there).map(|case| case.number))
}

#[cfg(test)]
mod tests;
