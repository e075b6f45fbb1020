//! What is behind one number.

use crate::address::Address;
use crate::components::frame::link;
use crate::components::number::card;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::refusal::Refusal;
use karat::conventions::{ConventionsAnswer, ConventionsRequest};
use karat::inputs::Inputs;
use karat::number::{NumberAnswer, NumberRequest};
use karat::request::AnyAnswer;
use karat::scoring::DrawingRequest;
use maud::{Markup, html};
use std::sync::Arc;

/// The page of one number, and its card.
#[derive(Debug)]
pub(crate) struct NumberPage;

const SCORE: QueryKey = key("m", "the score, such as link.f1");

/// The address of a number.
pub(super) fn address(run: &str, measure: &str, convention: &str) -> Address {
    Address::path(["numbers", run]).with(SCORE.name, measure).with(AS.name, convention)
}

impl Page for NumberPage {
    fn path(&self) -> &'static str {
        "/numbers/{run}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[SCORE, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let number = answer(asked)?;
        let run = asked.catalogue.run(asked.parameter("run"))?;
        let convention = asked.convention()?;
        let score = asked.get(SCORE).unwrap_or("link");
        let all = Address::conventions(&run.id).with("m", score);
        let body = html! {
            (show_card(asked, &number))
            p { (link(asked.links, &all, &html! { "The same under all conventions" })) }
            h2 { "Definition" }
            dl.facts {
                @for (heading, text) in &number.definition { dt { (heading) } dd { (text) } }
            }
        };
        Ok(PageContent {
            title: format!("{} of {} on {}", number.title(), number.system, number.benchmark),
            crumbs: vec![
                ("Board".to_owned(), Address::board()),
                (number.system.clone(), Address::run(&run.id)),
            ],
            sentence: Some(format!("{}.", number.summary)),
            here: asked.here(Address::path(["numbers", &run.id])),
            body,
            signatures: vec![number.signature.clone()],
            command: Some(command_of(asked)?),
            convention: Some(convention),
            notices: number.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(answer(asked).map(|answer| answer as Arc<dyn AnyAnswer>))
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        (name == "card").then(|| answer(asked).map(|number| show_card(asked, &number)))
    }
}

fn inputs(asked: &Asked<'_>) -> Result<Inputs, Refusal> {
    let run = asked.catalogue.run(asked.parameter("run"))?;
    Ok(asked.catalogue.inputs(asked.catalogue.benchmark(&run.benchmark)?, [run]))
}

fn request(asked: &Asked<'_>) -> Result<NumberRequest, Refusal> {
    let score = asked.get(SCORE).unwrap_or("link").to_owned();
    Ok(NumberRequest { inputs: inputs(asked)?, convention: asked.convention()?, score })
}

fn answer(asked: &Asked<'_>) -> Result<Arc<NumberAnswer>, Refusal> {
    asked.workbench.answer(&request(asked)?)
}

fn show_card(asked: &Asked<'_>, number: &NumberAnswer) -> Markup {
    // What other conventions say is beside the point: a card without it is still one.
    let others = others(asked, number).ok();
    let convention = asked.convention().map(|it| convention_text(&it)).unwrap_or_default();
    let run = Address::run(asked.parameter("run")).with("as", convention);
    let command = command_of(asked).unwrap_or_default();
    card(number, others.as_deref(), &run, &command, asked.links)
}

/// The command that gives the number.
fn command_of(asked: &Asked<'_>) -> Result<String, Refusal> {
    Ok(asked.catalogue.commands(&request(asked)?))
}

fn others(asked: &Asked<'_>, number: &NumberAnswer) -> Result<Arc<ConventionsAnswer>, Refusal> {
    let suffix = if number.mean { "@macro" } else { "" };
    asked.workbench.answer(&ConventionsRequest {
        inputs: inputs(asked)?,
        measure: format!("{}.{}{suffix}", number.measure, number.score),
        drawing: DrawingRequest { trials: Some(0), ..DrawingRequest::default() },
        ..ConventionsRequest::default()
    })
}
