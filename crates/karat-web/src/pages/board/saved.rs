//! Boards that were saved: a name for a view, and what it was when it was published.

use super::view;
use super::{AFTER, BENCHMARK, BY, KEYS, MEASURE, NamedBoard, request, tools, whole};
use crate::access::Act;
use crate::address::{Address, Paths, slug};
use crate::catalogue::{Catalogue, CatalogueBenchmark, CatalogueRun};
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::time::date;
use crate::library::EvaluationId;
use crate::page::{AS, Asked};
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use crate::workspace::Workspace;
use karat::board::{BoardAnswer, BoardRequest};
use karat::counts::CountsRequest;
use karat_store::{BoardEntry, By, EVERYTHING, StoreError, StoredBoard};
use maud::{Markup, html};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A board that was saved.
pub(crate) struct SavedBoard {
    pub(crate) row: StoredBoard,
    published: Option<Published>,
}

/// What a board was when it was published.
struct Published {
    at: i64,
    content: PublishedContent,
    entries: Vec<BoardEntry>,
}

/// What is kept of a board that is published: its numbers, so that they are the same in ten years, whatever becomes of runs,
/// benchmarks and karat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PublishedContent {
    /// The version and the build of karat that computed it.
    engine: String,
    /// All numbers; a view of them is chosen when they are shown.
    board: BoardAnswer,
}

impl SavedBoard {
    /// The board that the path names.
    pub(super) fn of(asked: &Asked<'_>) -> Result<SavedBoard, Refusal> {
        let name = asked.parameter("board");
        let missing = || Refusal::missing("board", name, []);
        let workspace = asked.workbench.workspace().ok_or_else(missing)?;
        let store = workspace.store();
        let row = match workspace.wait(store.board(name)) {
            Ok(row) => row,
            Err(StoreError::NotFound { .. }) => return Err(missing()),
            Err(error) => return Err(error.into()),
        };
        let Some(at) = row.published else { return Ok(SavedBoard { row, published: None }) };
        let (content, entries) = workspace.wait(async {
            let content = store.board_content(&row.id).await?;
            Ok::<_, StoreError>((content, store.board_entries(&row.id).await?))
        })?;
        let content = content.and_then(|body| serde_json::from_slice(&body).ok());
        let lost = || Refusal::Failed(format!("The numbers of the board {name} cannot be read."));
        let published = Published { at, content: content.ok_or_else(lost)?, entries };
        Ok(SavedBoard { row, published: Some(published) })
    }

    /// What it is called.
    pub(super) fn title(&self) -> &str {
        if self.row.title.is_empty() { &self.row.slug } else { &self.row.title }
    }

    /// Whether another measure or convention can be chosen.
    pub(super) fn can_change(&self) -> bool {
        self.published.is_none()
    }

    fn address(&self) -> Address {
        Address::path(["boards", &self.row.slug])
    }

    /// What was asked, with the view that was saved if the address has none of its own.
    pub(super) fn asked<'a>(&self, asked: &Asked<'a>) -> Result<Asked<'a>, Refusal> {
        let saved = parsed(asked, &self.row.query)?;
        let query = match asked.query.is_empty() {
            true => saved.clone(),
            false => asked.query.clone(),
        };
        let value = |query: &[(&'static str, String)], key: &str| {
            query.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone())
        };
        let differs = |key: &str| value(&query, key) != value(&saved, key);
        // What was measured is frozen; only what is shown of it can be chosen.
        if self.published.is_some() && [MEASURE, AS, BY].iter().any(|key| differs(key.name)) {
            let mut live = Address::board();
            for (key, value) in &query {
                live = live.with(key, value.clone());
            }
            return Err(Refusal::Elsewhere {
                what: "This board is published: its measure and its convention are frozen."
                    .to_owned(),
                links: vec![
                    ("The board as it was published".to_owned(), self.address()),
                    ("This view of what there is now".to_owned(), live),
                ],
            });
        }
        Ok(Asked {
            parameters: asked.parameters.clone(),
            query,
            workbench: asked.workbench,
            catalogue: Arc::clone(&asked.catalogue),
            links: asked.links,
            visitor: asked.visitor.clone(),
        })
    }

    /// The address of this view.
    pub(super) fn here(&self, asked: &Asked<'_>) -> Address {
        asked.here(self.address())
    }

    /// What it shows: what there is now, or what there was when it was published.
    pub(super) fn board(&self, asked: &Asked<'_>) -> Result<BoardAnswer, Refusal> {
        let Some(published) = &self.published else { return super::board(asked) };
        let frozen = &published.content.board;
        let hidden = published.hidden(asked);
        let shown = frozen.without_benchmarks(&hidden);
        Ok(shown.viewed(&view::asked(asked, Some(frozen))?)?)
    }

    /// What it is, since when, and what has changed since then.
    pub(super) fn standing(&self, asked: &Asked<'_>) -> Markup {
        let live = self.query_address(asked);
        html! {
            @if !self.row.about.is_empty() { p { (name(&self.row.about)) } }
            @if let Some(published) = &self.published {
                @let changes = published.changes(asked);
                div.note {
                    p { "Published on " (date(published.at)) ", frozen to " (published.entries.len())
                        (if published.entries.len() == 1 { " evaluation" } else { " evaluations" })
                        " of karat " (published.content.board.karat) ". "
                        @match changes.is_empty() {
                            true => "Nothing has changed since.",
                            false => "What has changed since:",
                        }
                    }
                    @if !changes.is_empty() { ul { @for change in &changes { li { (name(change)) } } } }
                    p { (link(asked.links, &live, &html! { "The same view of what there is now" })) }
                }
            }
        }
    }

    fn query_address(&self, asked: &Asked<'_>) -> Address {
        let mut live = Address::board();
        for (key, value) in parsed(asked, &self.row.query).unwrap_or_default() {
            live = live.with(key, value);
        }
        live
    }

    /// What can be done with it, by those who may.
    pub(super) fn tools(&self, asked: &Asked<'_>) -> Markup {
        let may = asked.visitor.may(Act::Organise, EVERYTHING);
        let action = |what: &str| format!("/boards/{}/{what}", self.row.slug);
        let query = tools::query_text(asked);
        let is_other = query != self.row.query;
        html! {
            @if may && self.published.is_none() {
                @if is_other {
                    form.inline method="post" action=(action("view")) {
                        input type="hidden" name="query" value=(query);
                        button { "Save this view" }
                    }
                }
                details {
                    summary { "publish" }
                    form method="post" action=(action("publish")) {
                        p.legend { "Its numbers are kept as they are now, for good. What everybody may see is published: private runs and benchmarks are left out. The view cannot be changed afterwards." }
                        button { "Publish" }
                    }
                }
            }
        }
    }
}

impl Published {
    /// The benchmarks that this reader may not see now.
    fn hidden(&self, asked: &Asked<'_>) -> Vec<String> {
        let all = asked.workbench.catalogue();
        let is_known = |catalogue: &Catalogue, id: &str| {
            catalogue.benchmarks.iter().any(|it| it.edition_id == id)
        };
        let hidden = self.entries.iter().filter(|entry| {
            is_known(&all, &entry.edition) && !is_known(&asked.catalogue, &entry.edition)
        });
        let mut names: Vec<String> = hidden.map(|entry| entry.benchmark.clone()).collect();
        names.dedup();
        names
    }

    /// What is not as it was, in words.
    fn changes(&self, asked: &Asked<'_>) -> Vec<String> {
        let catalogue = &asked.catalogue;
        let hidden = self.hidden(asked);
        let mut changes = Vec::new();
        let gone = self.entries.iter().filter(|entry| !hidden.contains(&entry.benchmark));
        let gone = gone.filter(|entry| catalogue.run(&entry.run).is_err());
        let gone = gone.map(|entry| format!("{} on {}", entry.system, entry.benchmark));
        changes.extend(some_of(gone.collect(), "was removed", "were removed"));
        let is_entered = |run: &&CatalogueRun| self.entries.iter().any(|it| it.run == run.id);
        let editions = |it: &&CatalogueBenchmark| {
            self.entries.iter().any(|entry| entry.edition == it.edition_id)
        };
        let mut added = Vec::new();
        for benchmark in catalogue.benchmarks.iter().filter(editions) {
            let runs = catalogue.runs_on(&benchmark.slug).filter(|run| !is_entered(run));
            added.extend(runs.map(|run| format!("{} on {}", run.system, benchmark.name)));
            if benchmark.superseded {
                changes.push(format!("{} has a newer edition", benchmark.name));
            }
        }
        changes.extend(some_of(added, "was added", "were added"));
        if self.content.engine != crate::engine::engine() {
            changes.push(format!(
                "karat is another build ({} then, {} now)",
                self.content.board.karat,
                env!("CARGO_PKG_VERSION")
            ));
        }
        changes
    }
}

/// A list in words, with the first few by name.
fn some_of(names: Vec<String>, one: &str, several: &str) -> Option<String> {
    const NAMED: usize = 5;
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("{only} {one}")),
        all if all.len() <= NAMED => Some(format!("{} {several}", all.join(", "))),
        all => {
            Some(format!("{} and {} more {several}", all[..NAMED].join(", "), all.len() - NAMED))
        }
    }
}

/// The keys and values of a query that was saved.
fn parsed(asked: &Asked<'_>, query: &str) -> Result<Vec<(&'static str, String)>, Refusal> {
    let pairs = pairs(query);
    let (workbench, links) = (asked.workbench, asked.links);
    Ok(Asked::new(&NamedBoard, Vec::new(), &pairs, workbench, links)?.query)
}

fn pairs(query: &str) -> Vec<(String, String)> {
    let decoded =
        |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let parts = query.trim_start_matches('?').split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (decoded(key), decoded(value))
        })
        .collect()
}

/// A query in the one way in which it is written, if a board can show it.
pub(crate) fn checked_query(workbench: &Workbench, query: &str) -> Result<String, Refusal> {
    let asked = Asked::new(&NamedBoard, Vec::new(), &pairs(query), workbench, &Paths)?;
    request(&asked)?;
    view::asked(&asked, None)?;
    Ok(tools::query_text(&asked))
}

/// Publishes a board: computes it from what everybody may see, keeps the evaluations behind it and its numbers.
pub(crate) fn publish(
    workbench: &Workbench,
    workspace: &Workspace,
    by: &By,
    row: &StoredBoard,
) -> Result<StoredBoard, Refusal> {
    let all = workbench.catalogue();
    let mut asked = Asked::new(&NamedBoard, Vec::new(), &pairs(&row.query), workbench, &Paths)?;
    let view = view::asked(&asked, None)?;
    let shown = view.benchmarks.test()?;
    let mut catalogue = Catalogue::clone(&all);
    catalogue.benchmarks.retain(|it| !it.private && shown(&it.name));
    let is_public = |slug: &str| catalogue.benchmarks.iter().any(|it| it.slug == slug);
    catalogue.runs.retain(|run| !run.private && is_public(&run.benchmark));
    asked.catalogue = Arc::new(catalogue);
    let request = request(&asked)?;
    let named = asked.list(BENCHMARK);
    let board = whole(workbench, &asked.catalogue, &named, &request)?;
    if board.rows.is_empty() {
        return Err(Refusal::bad_request(
            "there is nothing to publish on this board",
            "it needs a run that everybody may see; private runs and benchmarks are left out",
        ));
    }
    let mut entries = Vec::new();
    for benchmark in super::benchmarks(&asked.catalogue, &named) {
        for run in asked.catalogue.runs_on(&benchmark.slug) {
            entries.push(entry(workbench, workspace, &request, benchmark, run)?);
        }
    }
    let content = PublishedContent { engine: crate::engine::engine().to_owned(), board };
    let body = serde_json::to_vec(&content)
        .map_err(|error| Refusal::Failed(format!("The board cannot be written: {error}.")))?;
    let store = workspace.store();
    Ok(workspace.wait(store.publish_board(by, &row.id, row.version, &entries, &body))?)
}

/// A run on a board with the key of its evaluation, which is kept if it was not.
fn entry(
    workbench: &Workbench,
    workspace: &Workspace,
    request: &BoardRequest,
    benchmark: &CatalogueBenchmark,
    run: &CatalogueRun,
) -> Result<BoardEntry, Refusal> {
    let measures = [request.measure.clone()];
    let counts =
        CountsRequest::of_run(&benchmark.name, &run.system, &request.convention, &measures);
    let digest = |run: Option<&str>| {
        let found = workbench.corpus_digest(&benchmark.name, run);
        found.ok_or_else(|| Refusal::missing("run", run.unwrap_or(&benchmark.name), []))
    };
    let id = EvaluationId::of(&counts, &digest(None)?, &digest(Some(&run.system))?);
    let known = workspace.wait(workspace.store().evaluation_counts(&id.key))?;
    if known.is_none() {
        id.keep_now(workspace, &*workbench.answer(&counts)?)?;
    }
    Ok(BoardEntry {
        run: run.id.clone(),
        evaluation: id.key,
        edition: benchmark.edition_id.clone(),
        benchmark: benchmark.name.clone(),
        system: run.system.clone(),
    })
}

/// What a board shows, in words.
pub(super) fn in_words(query: &str) -> String {
    let pairs = pairs(query);
    let known = pairs.iter().filter(|(key, _)| {
        *key != AFTER.name && KEYS.iter().any(|known| known.name == key.as_str())
    });
    let words: Vec<String> =
        known.map(|(key, value)| format!("{key} {}", visible(value))).collect();
    match words.is_empty() {
        true => "everything".to_owned(),
        false => words.join(" · "),
    }
}

/// Names in addresses of what is on a published board and may not be here any more.
pub(super) fn frozen_slugs(board: &BoardAnswer) -> [Vec<(String, String)>; 2] {
    let of = |name: &String| (slug(name), name.clone());
    [
        board.rows.iter().map(|row| of(&row.system)).collect(),
        board.benchmarks.iter().map(|column| of(&column.name)).collect(),
    ]
}

#[cfg(test)]
mod tests;
