//! The apparatus of a text: a note for each case, with everything that is known of it.

use super::name::{name, visible};
use super::table::figures;
use super::text::{colour, sign, spoken};
use crate::address::entity_page;
use karat::documents::{
    CaseOutcome, CasePrediction, DocumentAnswer, GoldMention, RankedCandidate, ReadingPart,
    RunAnswer, TextCase,
};
use karat::errors::MentionAnswer;
use maud::{Markup, html};

/// Up to how many cases the apparatus of a document is whole; that of longer ones comes in pieces.
pub const WHOLE: usize = 400;

/// How many notes such a piece has.
pub const PIECE: usize = 100;

/// How many candidates of a system are listed.
const CANDIDATES: usize = 10;

/// The notes of these cases.
pub fn apparatus(answer: &DocumentAnswer, cases: &[&TextCase], selected: Option<usize>) -> Markup {
    html! {
        ol.app data-apparatus {
            @for case in cases { (entry(answer, case, selected == Some(case.number))) }
        }
    }
}

/// The note of one case: gold first, then each run.
pub fn entry(answer: &DocumentAnswer, case: &TextCase, is_selected: bool) -> Markup {
    let is_plain = |run: &RunAnswer| run.outcome.is_some_and(CaseOutcome::is_right);
    let is_short = !case.runs.is_empty() && case.runs.iter().all(is_plain);
    let chain = case.gold.as_ref().and_then(|gold| gold.chain);
    let others = chain.map(|chain| chain_of(answer, chain, case.number)).unwrap_or_default();
    html! {
        li class=(if is_selected { "e on" } else { "e" }) id={ "c" (case.number) } data-h=[chain] {
            p.head {
                a.no href={ "#t" (case.number) } aria-label={ "note " (case.number) ", to the text" } { (case.number) }
                " " b dir="auto" { (visible(case.surface.as_deref().unwrap_or("–"))) } " "
                @match &case.gold {
                    Some(gold) => (gold_answer(gold)),
                    None => span.soft { "gold has nothing here" },
                }
                @if is_short { " " (signs(answer, case)) }
            }
            @if let Some(gold) = &case.gold { (facts(gold)) }
            @if !others.is_empty() {
                p.soft { "the same entity: " @for number in others.iter().take(8) { a href={ "#t" (number) } { (number) } " " }
                    @if others.len() > 8 { "…" } }
            }
            @if !is_short {
                ul {
                    @for (layer, run) in answer.runs.iter().zip(&case.runs) {
                        @if says_something(run) { (of_run(&layer.name, case, run)) }
                    }
                }
            }
        }
    }
}

/// Whether a run needs a line: not where it has nothing on a mention that does not count.
fn says_something(run: &RunAnswer) -> bool {
    run.outcome.is_some_and(|outcome| outcome != CaseOutcome::Ignored || run.prediction.is_some())
}

/// The other cases of a chain.
fn chain_of(answer: &DocumentAnswer, chain: usize, but: usize) -> Vec<usize> {
    let is_other = |case: &&TextCase| {
        case.number != but && case.gold.as_ref().and_then(|gold| gold.chain) == Some(chain)
    };
    answer.cases.iter().filter(is_other).map(|case| case.number).take(9).collect()
}

fn signs(answer: &DocumentAnswer, case: &TextCase) -> Markup {
    html! {
        @for (layer, run) in answer.runs.iter().zip(&case.runs) {
            @if let Some(outcome) = run.outcome {
                span class=(colour(outcome)) title={ (visible(&layer.name)) ": " (spoken(outcome)) } { (sign(outcome)) }
            }
        }
    }
}

fn gold_answer(gold: &GoldMention) -> Markup {
    html! {
        span.soft { "gold " } (said(&gold.answer))
        @if let Some(cluster) = &gold.nil_cluster { " " span.soft { "cluster " (name(cluster)) } }
        @for other in gold.equivalents.iter().take(CANDIDATES) { " or " (entity(other)) }
        @if let Some(reason) = gold.ignored { " " span.oi { "not counted: " (reason.reason()) } }
    }
}

/// What else gold says: types, tags, other readings, remarks.
fn facts(gold: &GoldMention) -> Markup {
    let mut words: Vec<&str> = gold.types.iter().chain(&gold.tags).map(String::as_str).collect();
    if gold.refers_back {
        words.push("refers back");
    }
    html! {
        @if !words.is_empty() { p.soft { (name(&words.join(" · "))) } }
        @for (number, parts) in (1..).zip(gold.readings.iter().take(CANDIDATES)) {
            p.soft { "reading " (number) ": "
                @for (place, part) in parts.iter().take(CANDIDATES).enumerate() {
                    @if place > 0 { " and " }
                    (reading_part(part))
                }
            }
        }
        @if let Some(comment) = &gold.comment { p.soft { "remark: " (name(comment)) } }
    }
}

fn reading_part(part: &ReadingPart) -> Markup {
    html! { @if let Some(surface) = &part.surface { i { (name(surface)) } " " } (said(&part.answer)) }
}

fn of_run(system: &str, case: &TextCase, run: &RunAnswer) -> Markup {
    let outcome = run.outcome.unwrap_or(CaseOutcome::Ignored);
    let words = match run.ignored {
        // What gold says of itself need not be said again.
        Some(_) if case.gold.as_ref().is_some_and(|gold| gold.ignored.is_some()) => {
            "not counted".to_owned()
        }
        Some(reason) => format!("not counted: {}", reason.reason()),
        None => reason(case, outcome),
    };
    html! {
        // The sign stands before the line by the style sheet: notes are many, and an element for each would be too.
        li class=(colour(outcome)) data-s=(sign(outcome)) {
            (name(system)) " "
            @if let Some(said_here) = &run.prediction { (predicted(case, said_here)) " " }
            span class=(colour(outcome)) { (words) }
            @if !run.categories.is_empty() { span.soft { " · " (run.categories.join(", ").replace(['_', '-'], " ")) } }
            @else if let Some(category) = &run.if_all_known { span.soft { " · " (category.replace(['_', '-'], " ")) "?" } }
            @if let Some(rank) = run.prediction.as_ref().and_then(|said| ranked(case, outcome, said)) {
                span.soft { " · " (rank) }
            }
            @if let Some(said) = run.prediction.as_ref().filter(|it| it.candidates.len() > 1) { (candidates(said)) }
        }
    }
}

/// What became of a mention, and why: what it should have been, or that nothing should be here.
fn reason(case: &TextCase, outcome: CaseOutcome) -> String {
    let gold = case.gold.as_ref().and_then(|gold| gold.answer.entity.as_deref()).map(visible);
    match (outcome, gold) {
        (CaseOutcome::WrongLink, Some(gold)) => format!("wrong link, instead of {gold}"),
        (CaseOutcome::LinkAsNil, Some(gold)) => format!("NIL instead of {gold}"),
        (CaseOutcome::Extra, None) => "extra: gold has nothing here".to_owned(),
        (CaseOutcome::Extra, Some(_)) => "extra".to_owned(),
        (outcome, _) => spoken(outcome).to_owned(),
    }
}

fn predicted(case: &TextCase, prediction: &CasePrediction) -> Markup {
    let is_elsewhere = (prediction.start, prediction.end) != (case.start, case.end);
    html! {
        (said(&prediction.answer))
        @if let Some(sure) = prediction.confidence { " " span.num { (figures(&format!("{sure:.2}"))) } }
        @if is_elsewhere { " " span.soft { "on " (prediction.start) "–" (prediction.end) } }
    }
}

/// Where the right entity was among the candidates: `Q142 was 2nd of 2`.
fn ranked(case: &TextCase, outcome: CaseOutcome, said: &CasePrediction) -> Option<String> {
    let entity = case.gold.as_ref()?.answer.entity.as_deref()?;
    let of = said.candidates.len();
    if outcome.is_right() || of < 2 {
        return None;
    }
    let entity = visible(entity);
    Some(match said.right_rank {
        Some(rank) => format!("{entity} was {} of {of}", ordinal(rank)),
        None => format!("{entity} was not among {of}"),
    })
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn candidates(said: &CasePrediction) -> Markup {
    let more = said.candidates.len().saturating_sub(CANDIDATES);
    let score =
        |candidate: &RankedCandidate| candidate.score.map(|it| figures(&format!("{it:.2}")));
    html! {
        details { summary { "all " (said.candidates.len()) " candidates" }
            ol {
                @for candidate in said.candidates.iter().take(CANDIDATES) {
                    li {
                        @match &candidate.entity { Some(id) => (entity(id)), None => "NIL" }
                        @if let Some(called) = &candidate.name { " " (name(called)) }
                        @if let Some(score) = score(candidate) { " " span.num { (score) } }
                    }
                }
            }
            @if more > 0 { p.soft { "and " (more) " more" } }
        }
    }
}

/// An answer: an entity with its name, a quantity or a date, or NIL.
pub fn said(answer: &MentionAnswer) -> Markup {
    html! {
        @match &answer.entity {
            Some(id) => (entity(id)),
            None => @match &answer.literal { Some(literal) => (name(literal)), None => "NIL" },
        }
        @if let (Some(_), Some(called)) = (&answer.entity, &answer.name) { " " (name(called)) }
    }
}

/// An entity, as a link if its id leads to a page.
fn entity(id: &str) -> Markup {
    html! {
        @match entity_page(id) {
            Some(url) => a href=(url) rel="noreferrer" dir="auto" { (visible(id)) },
            None => (name(id)),
        }
    }
}
