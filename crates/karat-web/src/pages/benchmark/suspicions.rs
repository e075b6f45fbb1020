//! Where gold may be wrong: several systems agree on another answer, or somebody noted it.

use super::{BenchmarkView, Part, STATE, corrections};
use crate::access::Act;
use crate::address::Address;
use crate::components::apparatus::said;
use crate::components::cases::missing;
use crate::components::context::in_context;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::suspicion::{decided, judge};
use crate::components::text::counted;
use crate::pages::document::plain;
use crate::refusal::Refusal;
use karat::errors::{ErrorsAnswer, ErrorsQuestion, ErrorsRequest, FoundErrors, VerificationTask};
use karat_store::{NewSuspicion, SuspicionRow, SuspicionState};
use maud::{Markup, html};
use std::collections::HashMap;

/// How many are listed.
const LISTED: usize = 100;

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let runs = view.runs();
    let convention = view.asked.convention()?;
    let inputs = view.asked.catalogue.inputs(view.benchmark, runs.iter().copied());
    let question = ErrorsQuestion::Suspects { agree: 2 };
    let request = ErrorsRequest { inputs, convention, question, ..ErrorsRequest::default() };
    let answer = view.asked.workbench.answer(&request)?;
    let command = view.asked.catalogue.commands(&request);
    let listed = Suspicions::of(view, &answer)?;
    Ok(Part {
        body: listed.body(&command),
        command,
        signature: answer.signature.clone(),
        notices: answer.notices.clone(),
        answer,
    })
}

/// What systems suspect and what people said of it.
struct Suspicions<'v> {
    view: &'v BenchmarkView<'v>,
    /// What systems suspect, as the store would keep it, with what it has.
    tasks: Vec<(&'v VerificationTask, NewSuspicion, Option<SuspicionRow>)>,
    /// What is known and no system suspects: noted by people, or by runs that are gone.
    noted: Vec<SuspicionRow>,
    /// The state that is shown; all if there is none.
    state: Option<SuspicionState>,
    may_judge: bool,
}

impl<'v> Suspicions<'v> {
    fn of(
        view: &'v BenchmarkView<'v>,
        answer: &'v ErrorsAnswer,
    ) -> Result<Suspicions<'v>, Refusal> {
        let found = match &answer.found {
            FoundErrors::Tasks { tasks } => tasks.as_slice(),
            FoundErrors::Rows(_) => &[],
        };
        let mut known = known(view)?;
        let numbers = numbers(view);
        let mut tasks = Vec::new();
        for task in found {
            let what = as_kept(view, &numbers, task);
            let place = known.iter().position(|row| is_same(&row.what, &what));
            tasks.push((task, what, place.map(|place| known.remove(place))));
        }
        let states = SuspicionState::ALL;
        let state = view.asked.get(STATE).map(|word| {
            SuspicionState::from_word(word).ok_or_else(|| {
                Refusal::missing("state", word, states.iter().map(|state| state.word()))
            })
        });
        let may = view.asked.visitor.may(Act::Organise, &view.benchmark.id);
        let may_judge =
            may && view.asked.workbench.workspace().is_some() && view.asked.links.is_live();
        Ok(Suspicions { view, tasks, noted: known, state: state.transpose()?, may_judge })
    }

    fn body(&self, command: &str) -> Markup {
        let state =
            |row: &Option<SuspicionRow>| row.as_ref().map_or(SuspicionState::Open, |it| it.state);
        let is_shown = |found: SuspicionState| self.state.is_none_or(|wanted| wanted == found);
        let tasks: Vec<_> = self.tasks.iter().filter(|(_, _, row)| is_shown(state(row))).collect();
        let noted: Vec<_> = self.noted.iter().filter(|row| is_shown(row.state)).collect();
        html! {
            p { "Where at least two systems agree on another answer than gold, gold may be wrong. Those on which most agree come first." }
            (self.states())
            @if tasks.is_empty() && noted.is_empty() {
                p.empty { @match self.state {
                    Some(state) => { "No suspicion is " (state.word()) "." },
                    None => "No two systems agree against gold, and nobody noted anything.",
                } }
            }
            @if !tasks.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Suspicions" {
                    table.caselist data-rows {
                        caption { (counted(tasks.len(), "suspicion", "suspicions")) @if tasks.len() > LISTED { ", the first " (LISTED) " are listed" } }
                        thead { tr {
                            th scope="col" class="n" { "rank" } th scope="col" class="kw" { "mention in its text" }
                            @for words in ["gold", "systems say", "for", "against", "document", "decided"] { th scope="col" { (words) } }
                        } }
                        tbody { @for (task, what, row) in tasks.iter().take(LISTED) { (self.row(task, what, row.as_ref())) } }
                    }
                }
            }
            @if !noted.is_empty() { (self.noted(&noted)) }
            (corrections::form(self.view, Some(self.confirmed()), None))
            @if !self.tasks.is_empty() { p { "As tasks for people who verify them: " code { (command) " --format json" } } }
            @if self.view.asked.workbench.workspace().is_some() && self.may_judge {
                p { "What was decided, for programs: " a href={ "/api/v1/suspicions?edition=" (self.view.benchmark.edition_id) } { "JSON" } }
            }
        }
    }

    fn confirmed(&self) -> usize {
        let rows = self.tasks.iter().filter_map(|(_, _, row)| row.as_ref()).chain(&self.noted);
        rows.filter(|row| row.state == SuspicionState::Confirmed).count()
    }

    /// How many have been decided, each a link that shows only these.
    fn states(&self) -> Markup {
        let count = |wanted: SuspicionState| {
            let of_task = |row: &Option<SuspicionRow>| {
                row.as_ref().map_or(SuspicionState::Open, |it| it.state)
            };
            let tasks = self.tasks.iter().filter(|(_, _, row)| of_task(row) == wanted).count();
            tasks + self.noted.iter().filter(|row| row.state == wanted).count()
        };
        let here = |value: &str| self.view.here().with(STATE.name, value);
        html! {
            @if self.view.asked.links.is_live() && self.view.asked.workbench.workspace().is_some() {
                ul.chips aria-label="States" {
                    @for state in SuspicionState::ALL {
                        @let is_on = self.state == Some(*state);
                        @let there = here(if is_on { "" } else { state.word() });
                        @if let Some(href) = self.view.asked.links.href(&there) {
                            li { a href=(href) aria-current=[is_on.then_some("true")] { (state.word()) " " (count(*state)) } }
                        }
                    }
                    @if self.may_judge && self.confirmed() > 0 { li { a href="#correct" { "Correct it" } } }
                }
            }
        }
    }

    fn row(
        &self,
        task: &VerificationTask,
        what: &NewSuspicion,
        row: Option<&SuspicionRow>,
    ) -> Markup {
        let view = self.view;
        let number = usize::try_from(what.document).ok().filter(|number| *number > 0);
        let words = in_context(&task.before, &task.mention, &task.after);
        let there = number.map(|number| {
            let there = Address::document(&view.benchmark.slug, number);
            there.with("at", format!("{}-{}", task.start, task.end))
        });
        let systems = |names: &[String], why: &str| {
            html! {
                @if names.is_empty() { (missing(why)) } @else { (name(&names.join(", "))) }
            }
        };
        html! {
            tr data-row {
                td.n data-label="rank" { (task.rank) }
                td.kw { @match &there { Some(there) => (link(view.asked.links, there, &words)), None => (words) } }
                td data-label="gold" { @match &task.gold { Some(gold) => (said(gold)), None => (missing("gold has nothing here")) } }
                td data-label="systems say" { (said(&task.proposed)) }
                td data-label="for" { (task.systems.len()) " of " (task.of) " " span.soft { (systems(&task.systems, "no system")) } }
                td data-label="against" { (systems(&task.dissenting, "no system says what gold says")) }
                td data-label="document" { (name(&task.document)) }
                (self.decision(what, row))
            }
        }
    }

    fn decision(&self, what: &NewSuspicion, row: Option<&SuspicionRow>) -> Markup {
        html! {
            td data-label="decided" {
                (decided(row))
                @if self.may_judge {
                    (judge(&self.view.benchmark.slug, what, row.map_or("", |row| row.note.as_str()), "benchmark"))
                }
            }
        }
    }

    /// What people noted.
    fn noted(&self, rows: &[&SuspicionRow]) -> Markup {
        let nothing = |text: &str| html! { @if text.is_empty() { (missing("no mention")) } @else { (name(text)) } };
        html! {
            div.scroll tabindex="0" role="region" aria-label="Noted" {
                table.caselist data-rows {
                    caption { (rows.len()) " noted by people, or by runs that are not here any more" }
                    thead { tr { @for words in ["place", "gold", "proposed", "decided"] { th scope="col" { (words) } } } }
                    tbody { @for row in rows.iter().take(LISTED) {
                        @let number = usize::try_from(row.what.document).unwrap_or_default();
                        @let there = Address::document(&self.view.benchmark.slug, number).with("at", format!("{}-{}", row.what.start, row.what.end));
                        tr data-row {
                            td data-label="place" { (link(self.view.asked.links, &there, &html! { "document " (number) ", " (row.what.start) "–" (row.what.end) })) }
                            td data-label="gold" { (nothing(&row.what.gold)) }
                            td data-label="proposed" { (nothing(&row.what.proposed)) }
                            (self.decision(&row.what, Some(row)))
                        }
                    } }
                }
            }
        }
    }
}

/// What the store has of this edition.
fn known(view: &BenchmarkView<'_>) -> Result<Vec<SuspicionRow>, Refusal> {
    match view.asked.workbench.workspace() {
        Some(workspace) => corrections::known(workspace, &view.benchmark.edition_id),
        None => Ok(Vec::new()),
    }
}

/// The numbers of all documents: there may be as many suspicions as documents.
fn numbers(view: &BenchmarkView<'_>) -> HashMap<String, usize> {
    let shelf = view.asked.workbench.shelf();
    let Ok(benchmark) = shelf.benchmark(&view.benchmark.name) else { return HashMap::new() };
    let names = benchmark.corpus.documents().map(|document| document.name().to_owned());
    names.zip(1..).collect()
}

/// A suspicion of systems as the store keeps it.
fn as_kept(
    view: &BenchmarkView<'_>,
    numbers: &HashMap<String, usize>,
    task: &VerificationTask,
) -> NewSuspicion {
    let number = numbers.get(&task.document).copied().unwrap_or_default();
    NewSuspicion {
        edition: view.benchmark.edition_id.clone(),
        document: i64::try_from(number).unwrap_or_default(),
        start: task.start.into(),
        end: task.end.into(),
        gold: task.gold.as_ref().map(plain).unwrap_or_default(),
        proposed: plain(&task.proposed),
        agree: serde_json::to_string(&task.dissenting).unwrap_or_default(),
        differ: serde_json::to_string(&task.systems).unwrap_or_default(),
        weight: i64::try_from(task.systems.len()).unwrap_or_default(),
    }
}

/// Whether two are about the same: runs that say so come and go.
fn is_same(a: &NewSuspicion, b: &NewSuspicion) -> bool {
    let place = |it: &NewSuspicion| (it.document, it.start, it.end);
    place(a) == place(b) && a.gold == b.gold && a.proposed == b.proposed
}
