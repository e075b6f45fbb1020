//! DBpedia Spotlight: forms in, `Resources` out, all values texts, offsets in UTF-16.

use super::{Answered, Question, ServedReply, ServedRequest, Shape, addressed, forms, malformed};
use crate::failure::LinkFailure;
use serde_json::{Value, json};

pub(super) static SPOTLIGHT: Shape = Shape {
    name: "spotlight",
    paths: &["/annotate", "/rest/annotate", "/en/annotate"],
    hello: None,
    read,
    write,
};

fn read(request: &ServedRequest) -> Result<Question, LinkFailure> {
    let text =
        forms::field(request, "text").ok_or_else(|| malformed("there is no field `text`"))?;
    Ok(Question { name: "text".to_owned(), text, ..Question::default() })
}

fn write(question: &Question, answered: &Answered<'_>) -> Result<ServedReply, LinkFailure> {
    let resource = |entity: &str| match karat_kb::title_of(entity) {
        Some(title) if !entity.contains("://") => format!("http://dbpedia.org/resource/{title}"),
        _ => addressed(entity),
    };
    let resources: Vec<Value> = answered
        .linked()
        .map(|(mention, entity)| {
            json!({
                "@URI": resource(entity),
                "@support": "0",
                "@types": mention.types().collect::<Vec<_>>().join(","),
                "@surfaceForm": answered.surface(&mention),
                "@offset": answered.utf16(&mention).0.to_string(),
                "@similarityScore": mention.confidence().unwrap_or_default().to_string(),
                "@percentageOfSecondRank": "0.0",
            })
        })
        .collect();
    // The list is there when it is empty: a client of it expects the key.
    Ok(ServedReply::json(&json!({
        "@text": question.text,
        "@confidence": "0.0",
        "@support": "0",
        "@types": "",
        "@sparql": "",
        "@policy": "whitelist",
        "Resources": resources,
    })))
}
