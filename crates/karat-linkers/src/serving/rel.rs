//! REL: objects in, lists out, offsets in code points and lengths.

use super::{Answered, Question, ServedReply, ServedRequest, Shape, malformed, titled};
use crate::failure::LinkFailure;
use crate::linker::Linker;
use karat_model::Span;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) static REL: Shape =
    Shape { name: "rel", paths: &["/", "/ne"], hello: Some(hello), read, write };

fn hello(linker: &dyn Linker) -> ServedReply {
    let version = linker.info().version.as_deref().unwrap_or_default();
    ServedReply::json(&json!({
        "schemaVersion": 1,
        "label": "status",
        "message": format!("{} {version}", linker.info().name),
        "color": "green",
    }))
}

#[derive(Deserialize)]
struct Asked {
    text: String,
    #[serde(default)]
    spans: Vec<AskedSpan>,
}

/// A list as REL's own clients send it, or an object as GERBIL's adapter does.
#[derive(Deserialize)]
#[serde(untagged)]
enum AskedSpan {
    List(u32, u32),
    Object { start: u32, length: u32 },
}

fn read(request: &ServedRequest) -> Result<Question, LinkFailure> {
    let asked: Asked = serde_json::from_str(&request.body)
        .map_err(|error| malformed(format!("the request cannot be read: {error}")))?;
    let length = asked.text.chars().count();
    let span = |span: &AskedSpan| {
        let (start, long) = match *span {
            AskedSpan::List(start, long) => (start, long),
            AskedSpan::Object { start, length } => (start, length),
        };
        let end = start.checked_add(long).filter(|end| *end as usize <= length);
        end.map(|end| Span::new(start, end)).ok_or_else(|| malformed("a span is outside the text"))
    };
    let spans = asked.spans.iter().map(span).collect::<Result<Vec<_>, _>>()?;
    let mentions = (!spans.is_empty()).then_some(spans);
    Ok(Question { name: "text".to_owned(), text: asked.text, mentions, language: None })
}

fn write(_: &Question, answered: &Answered<'_>) -> Result<ServedReply, LinkFailure> {
    let each = answered.linked().map(|(mention, entity)| {
        let confidence = mention.confidence();
        let kind = mention.types().next().unwrap_or("NULL");
        let span = mention.span();
        json!([
            span.start,
            span.len(),
            answered.surface(&mention),
            titled(entity),
            confidence,
            confidence,
            kind
        ])
    });
    Ok(ServedReply::json(&each.collect::<Value>()))
}
