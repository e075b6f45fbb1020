//! Questions and answers as JSON objects: what programs read and write a line of, what is kept of linkers in this process, and
//! what karat's own server speaks.
//!
//! A question is `{"id":"d1","text":"…","language":"en","mentions":[{"start":0,"end":6}]}`, an answer
//! `{"id":"d1","mentions":[{"start":0,"end":6,"id":"Q64","confidence":0.9}]}` or `{"id":"d1","error":"…"}`. An `id` of a mention
//! that is null is NIL, and none at all no answer.

use crate::answer::{AnsweredCandidate, AnsweredLink, AnsweredMention, LinkAnswer};
use crate::failure::{FailureKind, LinkFailure};
use crate::info::AnswerUnit;
use crate::task::LinkTask;
use crate::texts::UnitIndex;
use karat_model::Span;
use serde::{Deserialize, Deserializer, Serialize};

/// The question of a task, with mentions in this unit.
pub fn question_line(task: &LinkTask<'_>, id: &str, unit: AnswerUnit) -> String {
    let index = UnitIndex::new(task.text);
    let offset = |position| index.offset(position, unit).unwrap_or_default();
    let given = |span: &Span| GivenSpan { start: offset(span.start), end: offset(span.end) };
    let question = QuestionLine {
        id: id.to_owned(),
        text: task.text.to_owned(),
        language: task.language.map(str::to_owned),
        mentions: task.mentions.map(|spans| spans.iter().map(given).collect()),
        candidates: task.candidates.map(<[_]>::to_vec),
    };
    // It has nothing but strings and numbers, which JSON can always hold.
    serde_json::to_string(&question).unwrap_or_default()
}

/// A question as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionLine {
    /// What the answer is to name.
    #[serde(default)]
    pub id: String,
    /// The text.
    pub text: String,
    /// Its language, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The mentions that are to be linked, where they are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentions: Option<Vec<GivenSpan>>,
    /// For each of them the ids to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Vec<String>>>,
}

/// Where a given mention lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenSpan {
    /// Its first position.
    pub start: u64,
    /// One past its last.
    pub end: u64,
}

impl QuestionLine {
    /// The given mentions in code points; `None` where none are given. A span outside the text is a failure.
    pub fn spans(&self, unit: AnswerUnit) -> Result<Option<Vec<Span>>, LinkFailure> {
        let Some(mentions) = &self.mentions else { return Ok(None) };
        let index = UnitIndex::new(&self.text);
        let span = |given: &GivenSpan| {
            let pair = (index.position(given.start, unit), index.position(given.end, unit));
            match pair {
                (Some(start), Some(end)) if start <= end => Ok(Span::new(start, end)),
                _ => {
                    let message =
                        format!("the mention {}..{} is outside the text", given.start, given.end);
                    Err(LinkFailure::new(FailureKind::Malformed, message))
                }
            }
        };
        mentions.iter().map(span).collect::<Result<Vec<_>, _>>().map(Some)
    }
}

#[derive(Serialize, Deserialize)]
struct AnswerLine {
    #[serde(default, deserialize_with = "text_or_number")]
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mentions: Option<Vec<MentionLine>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct MentionLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    surface: Option<String>,
    /// Absent for no answer, null for NIL.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "said")]
    id: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(
        default,
        rename = "type",
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    types: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CandidateLine>,
}

#[derive(Serialize, Deserialize)]
struct CandidateLine {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

/// Tells a null from nothing.
fn said<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(reader).map(Some)
}

fn text_or_number<'de, D: Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
    Ok(match serde_json::Value::deserialize(reader)? {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    })
}

fn one_or_more<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Types {
        One(String),
        More(Vec<String>),
        None,
    }
    Ok(match Types::deserialize(reader)? {
        Types::One(one) => vec![one],
        Types::More(more) => more,
        Types::None => Vec::new(),
    })
}

/// The line of an answer or a failure, its offsets as they are.
pub fn answer_line(id: &str, answer: &Result<LinkAnswer, LinkFailure>) -> String {
    let line = match answer {
        Ok(answer) => AnswerLine {
            id: id.to_owned(),
            mentions: Some(answer.mentions.iter().map(mention_line).collect()),
            error: None,
            model: answer.model.clone(),
        },
        Err(failure) => AnswerLine {
            id: id.to_owned(),
            mentions: None,
            error: Some(failure.message.clone()),
            model: None,
        },
    };
    serde_json::to_string(&line).unwrap_or_default()
}

fn mention_line(mention: &AnsweredMention) -> MentionLine {
    let candidate = |candidate: &AnsweredCandidate| CandidateLine {
        id: candidate.id.clone(),
        score: candidate.score,
    };
    MentionLine {
        start: mention.at.map(|at| at.0),
        end: mention.at.map(|at| at.1),
        surface: mention.surface.clone(),
        id: match &mention.link {
            AnsweredLink::To(id) => Some(Some(id.clone())),
            AnsweredLink::Nil => Some(None),
            AnsweredLink::NoAnswer => None,
        },
        confidence: mention.confidence,
        types: mention.types.clone(),
        candidates: mention.candidates.iter().map(candidate).collect(),
    }
}

/// What a line says: the question that it answers, and its answer.
pub(crate) fn read_line(
    line: &str,
) -> Result<(String, Result<LinkAnswer, LinkFailure>), LinkFailure> {
    let malformed = |message: String| LinkFailure::new(FailureKind::Malformed, message);
    let read: AnswerLine = serde_json::from_str(line)
        .map_err(|error| malformed(format!("the answer cannot be read: {error}")))?;
    if let Some(error) = read.error {
        let failure = LinkFailure::new(FailureKind::Refused(422), format!("it says: {error}"));
        return Ok((read.id, Err(failure)));
    }
    let Some(mentions) = read.mentions else {
        return Err(malformed("the answer has neither `mentions` nor `error`".to_owned()));
    };
    let mentions = mentions.into_iter().map(answered_mention);
    let answer = LinkAnswer {
        mentions: mentions.collect::<Result<_, _>>()?,
        model: read.model,
        ..LinkAnswer::default()
    };
    Ok((read.id, Ok(answer)))
}

fn answered_mention(line: MentionLine) -> Result<AnsweredMention, LinkFailure> {
    let at = match (line.start, line.end) {
        (Some(start), Some(end)) => Some((start, end)),
        (None, None) if line.surface.is_some() => None,
        _ => {
            let message = "a mention has neither `start` and `end` nor a `surface`";
            return Err(LinkFailure::new(FailureKind::Malformed, message));
        }
    };
    Ok(AnsweredMention {
        at,
        surface: line.surface,
        link: match line.id {
            Some(Some(id)) => AnsweredLink::To(id),
            Some(None) => AnsweredLink::Nil,
            None => AnsweredLink::NoAnswer,
        },
        confidence: line.confidence,
        types: line.types,
        candidates: line
            .candidates
            .into_iter()
            .map(|candidate| AnsweredCandidate { id: candidate.id, score: candidate.score })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_was_written() {
        let mut mention = AnsweredMention::at(0, 4, AnsweredLink::To("Q70".into()))
            .with_surface("Bern")
            .with_confidence(0.1 + 0.2);
        mention.types = vec!["LOC".into()];
        mention.candidates = vec![AnsweredCandidate { id: "Q70".into(), score: Some(-3.5) }];
        let mut surface = AnsweredMention::at(0, 0, AnsweredLink::Nil).with_surface("Ada");
        surface.at = None;
        let mentions = vec![mention, surface, AnsweredMention::at(5, 6, AnsweredLink::NoAnswer)];
        let answer = Ok(LinkAnswer { mentions, ..LinkAnswer::default() });
        let line = answer_line("d\"1", &answer);
        assert_eq!(read_line(&line).unwrap(), ("d\"1".to_owned(), answer));
    }

    #[test]
    fn answers_of_programs_are_read_leniently_and_nonsense_is_told() {
        let (id, answer) =
            read_line(r#"{"id":7,"mentions":[{"start":0,"end":4,"id":null,"type":"LOC","x":1}]}"#)
                .unwrap();
        assert_eq!((id.as_str(), answer.unwrap().mentions[0].types.len()), ("7", 1));
        let failure = read_line(r#"{"id":"d1","error":"no model"}"#).unwrap().1.unwrap_err();
        assert_eq!(failure.message, "it says: no model");
        for bad in [r#"{"id":"d1"}"#, "[]", "", r#"{"id":"d1","mentions":[{"start":1}]}"#] {
            assert_eq!(read_line(bad).unwrap_err().kind, FailureKind::Malformed, "{bad}");
        }
    }

    #[test]
    fn a_question_counts_its_mentions_in_the_unit_of_the_program() {
        let task =
            LinkTask { mentions: Some(&[Span::new(1, 2)]), ..LinkTask::of_text("d1", "😀z") };
        let line = question_line(&task, "d1", AnswerUnit::Utf16);
        assert_eq!(line, r#"{"id":"d1","text":"😀z","mentions":[{"start":2,"end":3}]}"#);
        let question: QuestionLine = serde_json::from_str(&line).unwrap();
        assert_eq!(question.spans(AnswerUnit::Utf16).unwrap(), Some(vec![Span::new(1, 2)]));
        assert!(question.spans(AnswerUnit::CodePoints).is_err());
    }
}
