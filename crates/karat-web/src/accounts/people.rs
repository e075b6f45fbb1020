//! The pages of owners: people with their rights, and the audit.

use super::INVITATION_LIFE;
use super::context::{Context, does, onwards, shows};
use crate::access::Act;
use crate::components::name::{name, shown};
use crate::components::text::counted;
use crate::components::time::date;
use crate::page::PageContent;
use crate::refusal::Refusal;
use crate::server::Shared;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use karat_store::{
    AuditCheck, AuditRow, EVERYTHING, InvitationRow, ListFrom, PersonRole, PersonRow, RightRow,
};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/people", shows(show))
        .route("/people/invite", does(invite))
        .route("/people/right", does(right))
        .route("/people/disable", does(disable))
        .route("/audit", shows(audit))
}

async fn show(context: Context) -> Result<Response, Refusal> {
    page(&context, None).await
}

/// The page, with the link of a new invitation if there is one.
async fn page(context: &Context, link: Option<&str>) -> Result<Response, Refusal> {
    context.needs(Act::Own)?;
    let after = Some(context.get("after")).filter(|after| !after.is_empty()).map(str::to_owned);
    let people = context.store.people(&ListFrom { after, ..ListFrom::default() }).await?;
    let mut rows = Vec::new();
    for person in people.items {
        let rights = context.store.rights(&person.id).await?;
        rows.push((person, rights));
    }
    let invitations = context.store.invitations().await?;
    let benchmarks = benchmarks(context).await?;
    let now = context.store.now();
    let body = html! {
        @if let Some(link) = link {
            div.secret role="status" {
                p { "Send this link to the person. It is good once, for a week, and is not shown again." }
                pre { code { (link) } }
            }
        }
        (table(&rows, &benchmarks))
        @if let Some(next) = &people.next { p { a href=(format!("/people?after={next}")) { "More people" } } }
        h2 { "Give or change a right" }
        (right_form(&rows, &benchmarks))
        h2 { "Invite somebody" }
        (invitation_form(&benchmarks))
        (open_invitations(&invitations, now))
        p { a href="/audit" { "What was done, and by whom" } }
    };
    let title = "People".to_owned();
    let has_more = if people.next.is_some() { " are on this page" } else { "" };
    let sentence = Some(format!("{}{has_more}.", counted(rows.len(), "account", "accounts")));
    let content = PageContent { title, sentence, body, ..PageContent::default() };
    Ok(context.page(StatusCode::OK, &content))
}

/// What rights are for: the ids of benchmarks with their names.
async fn benchmarks(context: &Context) -> Result<BTreeMap<String, String>, Refusal> {
    let editions = context.store.catalogue_editions().await?.into_iter();
    let title = |title: String, slug: String| if title.is_empty() { slug } else { title };
    Ok(editions.map(|it| (it.benchmark, title(it.title, it.slug))).collect())
}

fn table(rows: &[(PersonRow, Vec<RightRow>)], benchmarks: &BTreeMap<String, String>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="People" {
            table {
                caption { "People and their rights" }
                thead { tr {
                    th scope="col" { "login" }
                    th scope="col" { "name" }
                    th scope="col" { "rights" }
                    th scope="col" { "since" }
                    th scope="col" { "account" }
                } }
                tbody {
                    @for (person, rights) in rows {
                        tr {
                            th scope="row" { (name(&person.login)) }
                            td { (name(&person.name)) }
                            td {
                                @for right in rights {
                                    (right.role.word()) " of "
                                    @if right.object == EVERYTHING { "everything" } @else { (name(benchmarks.get(&right.object).unwrap_or(&right.object))) }
                                    " "
                                }
                            }
                            td { time { (date(person.made)) } }
                            td {
                                form method="post" action="/people/disable" {
                                    input type="hidden" name="person" value=(person.id);
                                    input type="hidden" name="disabled" value=(!person.disabled);
                                    @let verb = if person.disabled { "Enable" } else { "Disable" };
                                    button aria-label=(format!("{verb} {}", person.login)) { (verb) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Roles to choose from, and what they are for.
fn role_and_object(benchmarks: &BTreeMap<String, String>) -> Markup {
    html! {
        p { label { "Role " select name="role" {
            @for role in PersonRole::ALL { option value=(role.word()) { (role.word()) } }
        } } }
        p { label { "For " select name="object" {
            option value=(EVERYTHING) { "everything" }
            @for (id, title) in benchmarks { option value=(id) { (shown(title)) } }
        } } }
    }
}

fn right_form(
    rows: &[(PersonRow, Vec<RightRow>)],
    benchmarks: &BTreeMap<String, String>,
) -> Markup {
    html! {
        form.account method="post" action="/people/right" {
            p { label { "Person " select name="person" {
                @for (person, _) in rows { option value=(person.id) { (shown(&person.login)) } }
            } } }
            (role_and_object(benchmarks))
            button name="do" value="give" { "Give" } " "
            button name="do" value="take" { "Take away" }
        }
    }
}

fn invitation_form(benchmarks: &BTreeMap<String, String>) -> Markup {
    html! {
        form.account method="post" action="/people/invite" {
            p { label { "Whom it is for " input name="note" maxlength="200"; } }
            (role_and_object(benchmarks))
            button { "Make an invitation" }
        }
    }
}

fn open_invitations(invitations: &[InvitationRow], now: i64) -> Markup {
    let is_open = |it: &&InvitationRow| it.taken_by.is_none() && it.until > now;
    html! {
        @for invitation in invitations.iter().filter(is_open) {
            p {
                "Invited: " (name(&invitation.note)) " as " (invitation.role.word())
                ", until " (date(invitation.until)) "."
            }
        }
    }
}

/// A role and an object as a form gives them.
async fn asked(context: &Context) -> Result<(PersonRole, String), Refusal> {
    let role = PersonRole::from_word(context.get("role"));
    let roles = PersonRole::ALL.iter().map(|role| role.word());
    let role = role.ok_or_else(|| Refusal::missing("role", context.get("role"), roles))?;
    let object = match context.get("object").trim() {
        EVERYTHING => EVERYTHING.to_owned(),
        benchmark => context.store.benchmark(benchmark).await?.id,
    };
    Ok((role, object))
}

async fn invite(context: Context) -> Result<Response, Refusal> {
    context.needs(Act::Own)?;
    let (role, object) = asked(&context).await?;
    let (by, note) = (context.visitor.by(), context.get("note"));
    let secret = context.store.invite(&by, &object, role, note, INVITATION_LIFE).await?;
    let link = format!("{}/invitations/{secret}", context.accounts()?.origin);
    page(&context, Some(&link)).await
}

async fn right(context: Context) -> Result<Response, Refusal> {
    context.needs(Act::Own)?;
    let (role, object) = asked(&context).await?;
    let right = RightRow { person: context.get("person").to_owned(), object, role };
    let by = context.visitor.by();
    match context.get("do") {
        "take" => context.store.revoke(&by, &right).await?,
        _ => context.store.grant(&by, &right).await?,
    }
    Ok(onwards("/people"))
}

async fn disable(context: Context) -> Result<Response, Refusal> {
    context.needs(Act::Own)?;
    let person = context.get("person");
    // Whoever locks themselves out could lock everybody out.
    if context.visitor.person().is_some_and(|own| own.id == person) {
        return Err(Refusal::bad_request(
            "this is your own account",
            "ask another owner to disable it",
        ));
    }
    let disabled = context.get("disabled") == "true";
    context.store.disable_person(&context.visitor.by(), person, disabled).await?;
    Ok(onwards("/people"))
}

async fn audit(context: Context) -> Result<Response, Refusal> {
    context.needs(Act::Own)?;
    let after = Some(context.get("after")).filter(|after| !after.is_empty()).map(str::to_owned);
    let object = Some(context.get("object")).filter(|object| !object.is_empty());
    let entries = context.store.audit(object, &ListFrom { after, ..ListFrom::default() }).await?;
    let sentence = match context.get("check") {
        "" => None,
        _ => Some(match context.store.check_audit().await? {
            AuditCheck::Whole(head) => format!(
                "All {} entries are as they were written; the last digest is {}.",
                head.entries, head.digest
            ),
            AuditCheck::Broken { seq } => {
                format!("Entry {seq} is not followed as it should be: somebody changed the audit.")
            }
        }),
    };
    // Entries have ids, which stay when a login changes; people know logins.
    let mut logins = BTreeMap::new();
    for entry in entries.items.iter().filter(|entry| !entry.who.is_empty()) {
        if !logins.contains_key(&entry.who) {
            let person = context.store.person(&entry.who).await.ok();
            logins.insert(entry.who.clone(), person.map(|person| person.login));
        }
    }
    let body = html! {
        form method="get" action="/audit" { button name="check" value="1" { "Check the whole chain" } }
        (audit_table(&entries.items, &logins))
        @if let Some(next) = &entries.next { p { a href=(format!("/audit?after={next}")) { "Older entries" } } }
    };
    let title = "Audit".to_owned();
    let content = PageContent { title, sentence, body, ..PageContent::default() };
    Ok(context.page(StatusCode::OK, &content))
}

fn audit_table(entries: &[AuditRow], logins: &BTreeMap<String, Option<String>>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Audit" {
            table {
                caption { "What was done, the newest first" }
                thead { tr {
                    th scope="col" class="n" { "number" }
                    th scope="col" { "when" }
                    th scope="col" { "who" }
                    th scope="col" { "through" }
                    th scope="col" { "what" }
                    th scope="col" { "to" }
                    th scope="col" { "before and after" }
                } }
                tbody {
                    @for entry in entries {
                        tr {
                            th scope="row" class="n" { (entry.seq) }
                            td { time { (date(entry.at)) } }
                            td { @match logins.get(&entry.who) {
                                None => "–",
                                Some(Some(login)) => span title=(entry.who) { (name(login)) },
                                Some(None) => (name(&entry.who)),
                            } }
                            td { (entry.via.word()) }
                            td { (entry.act) }
                            td { (name(&entry.object)) }
                            td { @if entry.detail != "{}" { details { summary { "show" } pre { code { (shown(&entry.detail)) } } } } }
                        }
                    }
                }
            }
        }
    }
}
