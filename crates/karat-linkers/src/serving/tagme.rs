//! TagMe: forms in, `annotations` out, offsets in UTF-16.

use super::{Answered, Question, ServedReply, ServedRequest, Shape, forms, malformed, titled};
use crate::failure::LinkFailure;
use serde_json::{Value, json};

pub(super) static TAGME: Shape =
    Shape { name: "tagme", paths: &["/tag", "/tagme/tag"], hello: None, read, write };

fn read(request: &ServedRequest) -> Result<Question, LinkFailure> {
    let text =
        forms::field(request, "text").ok_or_else(|| malformed("there is no field `text`"))?;
    let language = forms::field(request, "lang");
    Ok(Question { name: "text".to_owned(), text, language, mentions: None })
}

fn write(question: &Question, answered: &Answered<'_>) -> Result<ServedReply, LinkFailure> {
    let annotations: Vec<Value> = answered
        .linked()
        .enumerate()
        .map(|(number, (mention, entity))| {
            let (start, end) = answered.utf16(&mention);
            json!({
                "spot": answered.surface(&mention),
                "start": start,
                "end": end,
                "id": number,
                "title": titled(entity),
                "link_probability": 0.0,
                "rho": mention.confidence().unwrap_or_default(),
            })
        })
        .collect();
    Ok(ServedReply::json(&json!({
        "test": "5",
        "annotations": annotations,
        "time": 0,
        "api": "tag",
        "lang": question.language.as_deref().unwrap_or("en"),
        "timestamp": "1970-01-01T00:00:00",
    })))
}
