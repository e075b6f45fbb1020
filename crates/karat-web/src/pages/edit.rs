//! Renaming and removing.

use super::job::workspace;
use crate::access::Act;
use crate::actions::kind_named;
use crate::address::Address;
use crate::api::{CurlCommand, operation};
use crate::components::name::name;
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use crate::workspace::EditableThing;
use karat::command::quoted;
use karat_store::{EVERYTHING, ListFrom, MOST_ITEMS, Removable};
use maud::{Markup, html};

/// The forms that change something.
#[derive(Debug)]
pub(crate) struct Edit;

/// What was removed and can come back.
#[derive(Debug)]
pub(crate) struct Trash;

impl Page for Edit {
    fn path(&self) -> &'static str {
        "/edit/{kind}/{id}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let workspace = workspace(asked)?;
        let kind = kind_named(asked.parameter("kind"))?;
        let thing = workspace.thing(&asked.visitor, kind, asked.parameter("id"))?;
        let title = format!("Rename or remove the {} {}", kind.word(), thing.name);
        let back = match kind {
            Removable::Benchmark => Address::benchmark(&thing.name),
            Removable::System => Address::system(&thing.name),
            Removable::Run => Address::run(&thing.id),
            Removable::Board => Address::path(["boards", &thing.name]),
        };
        Ok(PageContent {
            crumbs: vec![("Board".to_owned(), Address::board()), (thing.name.clone(), back)],
            here: Address::path(["edit", kind.word(), &thing.id]),
            body: html! { (rename(&thing)) (remove(&thing)) },
            call: call(&thing),
            title,
            ..PageContent::default()
        })
    }
}

/// The command that changes the same by the API. As it stands it changes nothing but the version.
fn call(thing: &EditableThing) -> Option<CurlCommand> {
    let (id, name, key) = match thing.kind {
        Removable::Benchmark => ("changeBenchmark", &thing.name, "title"),
        Removable::System => ("changeSystem", &thing.name, "title"),
        Removable::Run => ("changeRun", &thing.id, "label"),
        Removable::Board => ("changeBoard", &thing.name, "title"),
    };
    let body = serde_json::json!({key: thing.title}).to_string();
    let body = format!("-H 'If-Match: \"{}\"' --json {}", thing.version, quoted(&body));
    Some(CurlCommand::of(operation(id)?, |_| name, &[]).with(&body))
}

fn rename(thing: &EditableThing) -> Markup {
    let is_run = thing.kind == Removable::Run;
    html! {
        form.edit method="post" action=(format!("/edit/{}/{}", thing.kind.word(), thing.id)) {
            fieldset {
                legend { "Rename" }
                @match is_run {
                    true => label { "Label " input name="label" value=(thing.title) maxlength="60"; },
                    false => label { "Name for people " input name="title" value=(thing.title) maxlength="200"; },
                }
                @if let Some(slug) = &thing.slug {
                    label { "Name in addresses " input name="slug" value=(slug) maxlength="60"; }
                    p.soft { "Links with the old name lead nowhere then." }
                }
                label { "Notes " textarea name="about" rows="3" cols="60" { (thing.about) } }
                @match thing.kind {
                    Removable::Benchmark => {
                        label { "Licence " input name="licence" value=(thing.licence) maxlength="200"; }
                        label { input type="checkbox" name="hidden" value="1" checked[thing.flag];
                            " hide its gold: scores only, no texts and no cases" }
                    },
                    Removable::System => label {
                        input type="checkbox" name="deprecated" value="1" checked[thing.flag];
                        " something better took its place"
                    },
                    _ => {},
                }
                p { button { "Save" } }
            }
        }
    }
}

fn remove(thing: &EditableThing) -> Markup {
    let with = match thing.kind {
        Removable::Benchmark => "Its editions and all runs on them go with it.",
        Removable::System => "All its runs go with it.",
        Removable::Run | Removable::Board => "",
    };
    html! {
        form.edit method="post" action=(format!("/edit/{}/{}/remove", thing.kind.word(), thing.id)) {
            fieldset {
                legend { "Remove" }
                p { (with) " It stays in the trash for 30 days." }
                label { "Type " strong { (name(&thing.name)) } " to remove it "
                    input name="name" autocomplete="off" required; }
                p { button { "Remove" } }
            }
        }
    }
}

impl Page for Trash {
    fn path(&self) -> &'static str {
        "/trash"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let workspace = workspace(asked)?;
        let from = ListFrom { limit: MOST_ITEMS, after: None };
        let own = match asked.visitor.may(Act::Organise, EVERYTHING) {
            true => None,
            // An id that nobody has finds nothing.
            false => Some(asked.visitor.person().map_or("", |person| person.id.as_str())),
        };
        let rows = workspace.wait(workspace.store().trash(own, &from))?.items;
        let now = workspace.store().now();
        let days = |removed: i64| (30 - (now - removed) / (24 * 3600 * 1000)).max(0);
        let body = html! {
            @if rows.is_empty() { p { "The trash is empty." } }
            @else {
                table {
                    caption { "The newest first" }
                    thead { tr {
                        th scope="col" { "what" } th scope="col" { "name" } th scope="col" { "gone for good in" }
                        th scope="col" { "undo" }
                    } }
                    tbody { @for row in &rows {
                        tr {
                            td { (row.kind.word()) }
                            th scope="row" { (name(if row.title.is_empty() { &row.id } else { &row.title })) }
                            td { (days(row.removed)) " days" }
                            td {
                                form method="post" action="/trash/restore" {
                                    input type="hidden" name="kind" value=(row.kind.word());
                                    input type="hidden" name="id" value=(row.id);
                                    button { "Restore" }
                                }
                            }
                        }
                    } }
                }
            }
        };
        Ok(PageContent {
            title: "Trash".to_owned(),
            sentence: Some("What was removed can come back for 30 days.".to_owned()),
            crumbs: vec![("Board".to_owned(), Address::board())],
            here: Address::path(["trash"]),
            body,
            ..PageContent::default()
        })
    }
}
