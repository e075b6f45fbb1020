//! The mentions that a statistic counts, each in its text.

use super::{AFTER, BenchmarkView, Part, WHERE, list};
use crate::address::{Address, Links};
use crate::components::apparatus::said;
use crate::components::cases::{missing, with_text};
use crate::components::context::in_context;
use crate::components::frame::link;
use crate::components::name::name;
use crate::refusal::Refusal;
use karat::collection::{ListedMention, MentionsAnswer, MentionsRequest, StatisticsRow};
use karat::inputs::InputRequest;
use maud::{Markup, html};

/// The address of the mentions of a statistic.
pub(super) fn address(slug: &str, row: &StatisticsRow) -> Address {
    let asked = format!("{}={}", row.property, row.label);
    Address::benchmark(slug).with("show", "mentions").with(WHERE.name, asked)
}

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let asked = view.asked.get(WHERE).unwrap_or("figure=mentions");
    let Some((property, label)) = asked.split_once('=') else {
        return Err(Refusal::bad_request(
            "where is a property and a label",
            "write a property, = and a label, as type=PER",
        ));
    };
    let answer = view.asked.workbench.answer(&MentionsRequest {
        gold: InputRequest::held(&view.benchmark.name),
        property: property.to_owned(),
        label: label.to_owned(),
        after: view.asked.number(AFTER)?.unwrap_or_default(),
        ..MentionsRequest::default()
    })?;
    let body = html! {
        @if view.asked.get(WHERE).is_some() {
            p.choices {
                span { "where " b { (name(property)) " = " (name(label)) } }
                (link(view.asked.links, &view.here().with(WHERE.name, "").with(AFTER.name, ""), &html! { "all mentions" }))
            }
        }
        (with_text(view.asked.links, &table(view.asked.links, &view.benchmark.slug, &answer)))
        (pager(view, &answer))
    };
    Ok(Part {
        body,
        command: list::command(view.asked, &[view.benchmark]),
        signature: answer.signature.clone(),
        notices: answer.notices.clone(),
        answer,
    })
}

fn table(links: &dyn Links, slug: &str, answer: &MentionsAnswer) -> Markup {
    let caption = match answer.total {
        0 => "No mention".to_owned(),
        1 => "One mention".to_owned(),
        total => format!("{total} mentions"),
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.caselist data-rows {
                caption { (caption) }
                thead { tr {
                    th scope="col" class="kw" { "mention in its text" }
                    @for words in ["gold", "types", "tags", "document"] { th scope="col" { (words) } }
                } }
                tbody { @for mention in &answer.mentions { (row(links, slug, mention)) } }
            }
        }
    }
}

fn row(links: &dyn Links, slug: &str, mention: &ListedMention) -> Markup {
    let there = Address::document(slug, mention.number);
    let there = there.with("at", format!("{}-{}", mention.start, mention.end));
    let words = match &mention.mention {
        Some(words) => in_context(&mention.before, words, &mention.after),
        None => {
            html! { span.kwic { b { (mention.start) "–" (mention.end) } span.kwa { " no text is given" } } }
        }
    };
    let listed = |labels: &[String], why: &str| {
        html! {
            @if labels.is_empty() { (missing(why)) } @else { (name(&labels.join(" "))) }
        }
    };
    html! {
        tr data-row data-case={ (mention.number) "." (mention.start) } {
            td.kw { (link(links, &there, &words)) }
            td data-label="gold" { (said(&mention.answer)) @if mention.is_part { " " span.soft { "part of another reading" } } }
            td data-label="types" { (listed(&mention.types, "no type is given")) }
            td data-label="tags" { (listed(&mention.tags, "no tag is given")) }
            td data-label="document" { (name(&mention.document)) }
        }
    }
}

/// Links to the other pages of the list.
fn pager(view: &BenchmarkView<'_>, answer: &MentionsAnswer) -> Markup {
    let (first, shown) = (answer.after, answer.mentions.len());
    super::pager(view, first, shown, answer.total)
}
