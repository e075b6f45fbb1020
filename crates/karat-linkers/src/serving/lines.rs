//! karat's own objects: those that programs read and write a line of.

use super::{Answered, JSON, Question, ServedReply, ServedRequest, Shape, malformed};
use crate::answer::{AnsweredCandidate, AnsweredLink, AnsweredMention, LinkAnswer};
use crate::failure::LinkFailure;
use crate::info::AnswerUnit;
use crate::lines::{QuestionLine, answer_line};

pub(super) static LINES: Shape =
    Shape { name: "karat", paths: &["/link"], hello: None, read, write };

fn read(request: &ServedRequest) -> Result<Question, LinkFailure> {
    let asked: QuestionLine = serde_json::from_str(&request.body)
        .map_err(|error| malformed(format!("the question cannot be read: {error}")))?;
    let mentions = asked.spans(AnswerUnit::CodePoints)?;
    Ok(Question { name: asked.id, text: asked.text, language: asked.language, mentions })
}

fn write(question: &Question, answered: &Answered<'_>) -> Result<ServedReply, LinkFailure> {
    let mentions = answered.document.mentions().map(|mention| {
        let (start, end) = (mention.span().start.into(), mention.span().end.into());
        let link = match mention.entity() {
            Some(entity) => AnsweredLink::To(entity.to_owned()),
            None if mention.link().is_nil() => AnsweredLink::Nil,
            None => AnsweredLink::NoAnswer,
        };
        let candidates = mention.candidates().filter_map(|candidate| {
            let id = candidate.entity?.to_owned();
            Some(AnsweredCandidate { id, score: candidate.score })
        });
        AnsweredMention {
            surface: Some(answered.surface(&mention).to_owned()),
            confidence: mention.confidence(),
            types: mention.types().map(str::to_owned).collect(),
            candidates: candidates.collect(),
            ..AnsweredMention::at(start, end, link)
        }
    });
    let answer = LinkAnswer { mentions: mentions.collect(), ..LinkAnswer::default() };
    Ok(ServedReply {
        status: 200,
        content_type: JSON,
        body: answer_line(&question.name, &Ok(answer)),
    })
}
