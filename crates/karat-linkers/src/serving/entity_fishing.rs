//! entity-fishing: an object, or a form with one, in; `entities` out; offsets in UTF-16.

use super::{Answered, Question, ServedReply, ServedRequest, Shape, forms, malformed};
use crate::failure::LinkFailure;
use crate::info::AnswerUnit;
use crate::texts::UnitIndex;
use karat_model::Span;
use serde_json::{Value, json};

pub(super) static ENTITY_FISHING: Shape = Shape {
    name: "entity-fishing",
    paths: &["/disambiguate", "/service/disambiguate"],
    hello: None,
    read,
    write,
};

fn read(request: &ServedRequest) -> Result<Question, LinkFailure> {
    let query = forms::part(request, "query");
    let query = query.as_deref().unwrap_or(&request.body);
    let asked: Value = serde_json::from_str(query)
        .map_err(|error| malformed(format!("the query cannot be read: {error}")))?;
    let text =
        asked["text"].as_str().ok_or_else(|| malformed("the query has no `text`"))?.to_owned();
    let language = asked["language"]["lang"].as_str().map(str::to_owned);
    let index = UnitIndex::new(&text);
    let position = |value: &Value| index.position(value.as_u64()?, AnswerUnit::Utf16);
    let given = asked["entities"].as_array().filter(|given| !given.is_empty());
    let span = |entity: &Value| {
        let span = position(&entity["offsetStart"]).zip(position(&entity["offsetEnd"]));
        span.filter(|(start, end)| start <= end)
            .map(|(start, end)| Span::new(start, end))
            .ok_or_else(|| malformed("a given entity is outside the text"))
    };
    let mentions = given.map(|given| given.iter().map(span).collect::<Result<Vec<_>, _>>());
    let mentions = mentions.transpose()?;
    drop(index);
    Ok(Question { name: "text".to_owned(), text, language, mentions })
}

fn write(question: &Question, answered: &Answered<'_>) -> Result<ServedReply, LinkFailure> {
    let entities: Vec<Value> = answered
        .linked()
        .map(|(mention, entity)| {
            let (start, end) = answered.utf16(&mention);
            let mut found = json!({
                "rawName": answered.surface(&mention),
                "offsetStart": start,
                "offsetEnd": end,
                "wikidataId": entity,
            });
            if let Some(confidence) = mention.confidence() {
                found["confidence_score"] = json!(confidence);
            }
            found
        })
        .collect();
    Ok(ServedReply::json(&json!({
        "software": "karat",
        "runtime": 0,
        "nbest": false,
        "text": question.text,
        "language": { "lang": question.language.as_deref().unwrap_or("en"), "conf": 1.0 },
        "entities": entities,
    })))
}
