//! One line of text for each case, as a concordance has it.

use super::marks::{Marks, colour, sign, spoken};
use super::{as_shown, is_language};
use crate::components::context::in_context;
use crate::components::name::{name, visible};
use karat::documents::{DocumentAnswer, TextCase};
use karat::model::{Span, TextIndex};
use maud::{Markup, html};

/// How many lines are shown.
pub const LINES_SHOWN: usize = 400;

/// How many characters stand on either side.
const AROUND: u32 = 60;

/// The marked cases one by one, each with what stands around it.
pub fn lines(answer: &DocumentAnswer, marks: Marks) -> Markup {
    let marked: Vec<&TextCase> = answer.cases.iter().filter(|case| marks.has(case)).collect();
    let index = answer.text.as_deref().map(TextIndex::new);
    let lang = answer.language.as_deref().filter(|tag| is_language(tag));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Cases in context" {
            table.lines.caselist {
                caption { "Cases in context, " (marked.len()) }
                thead { tr {
                    th scope="col" { "no." } th.kw scope="col" { "mention in its text" } th scope="col" { "gold" }
                    @for run in &answer.runs { th scope="col" { (name(&run.name)) } }
                } }
                tbody lang=[lang] {
                    @for case in marked.iter().take(LINES_SHOWN) { (line(case, index.as_ref(), answer)) }
                }
            }
        }
        @if marked.len() > LINES_SHOWN {
            p.note { "The first " (LINES_SHOWN) " of " (marked.len()) " are shown." }
        }
    }
}

fn line(case: &TextCase, index: Option<&TextIndex<'_>>, answer: &DocumentAnswer) -> Markup {
    let [before, after] = around(case, index);
    let mention = case.surface.as_deref().unwrap_or("–");
    html! {
        tr {
            td { a href={ "#c" (case.number) } id={ "t" (case.number) } data-e[case.has_error()] { (case.number) } }
            th.kw scope="row" { (in_context(&before, mention, &after)) }
            td lang="en" data-label="gold" { @match &case.gold { Some(gold) => (name(&gold.answer.to_string())), None => "–" } }
            @for (run, layer) in case.runs.iter().zip(&answer.runs) {
                td lang="en" data-label=(visible(&layer.name)) {
                    @if let Some(outcome) = run.outcome {
                        span class=(colour(outcome)) title=(spoken(outcome)) { (sign(outcome)) }
                        @if let Some(said) = run.prediction.as_ref().filter(|_| !outcome.is_right()) {
                            " " (name(&said.answer.to_string()))
                        }
                    } @else { "–" }
                }
            }
        }
    }
}

fn around(case: &TextCase, index: Option<&TextIndex<'_>>) -> [String; 2] {
    let Some(index) = index else { return Default::default() };
    let end = case.end.min(index.len());
    let before =
        Span::new(case.start.saturating_sub(AROUND).min(index.len()), case.start.min(index.len()));
    let after = Span::new(end, end.saturating_add(AROUND).min(index.len()));
    let [before, after] = [before, after].map(|span| index.slice(span).unwrap_or_default());
    // A word that is cut says nothing; where there are no spaces nothing is left out.
    let before = match case.start > AROUND {
        true => before.split_once(char::is_whitespace).map_or(before, |(_, rest)| rest),
        false => before,
    };
    let after = match end.saturating_add(AROUND) < index.len() {
        true => after.rsplit_once(char::is_whitespace).map_or(after, |(rest, _)| rest),
        false => after,
    };
    [before, after].map(on_one_line)
}

/// White space as single spaces; a comma after a mention stays next to it.
fn on_one_line(text: &str) -> String {
    let words = as_shown(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let [start, end] = [text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)]
        .map(|is_space| if is_space { " " } else { "" });
    format!("{start}{words}{end}")
}
