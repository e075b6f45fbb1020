//! NIF, as GERBIL's annotators speak it.

use super::{
    Answered, JSON, Question, ServedReply, ServedRequest, Shape, TURTLE, addressed, malformed,
};
use crate::failure::LinkFailure;
use crate::linker::Linker;
use karat_model::{CorpusBuilder, Link, Span};

pub(super) static NIF: Shape =
    Shape { name: "nif", paths: &["/nif", "/annotate_aida"], hello: Some(hello), read, write };

fn hello(linker: &dyn Linker) -> ServedReply {
    let value = serde_json::json!({ "linker": linker.info().name, "speaks": "NIF" });
    ServedReply { status: 200, content_type: JSON, body: value.to_string() }
}

fn read(request: &ServedRequest) -> Result<Question, LinkFailure> {
    let corpus = crate::nif::parsed(&request.body)?;
    let mut documents = corpus.documents();
    let document = documents.next().ok_or_else(|| malformed("there is no context in the NIF"))?;
    let text = document.text().ok_or_else(|| malformed("the context has no text"))?;
    let mut spans: Vec<Span> = document.mentions().map(|mention| mention.span()).collect();
    spans.sort_unstable();
    spans.dedup();
    Ok(Question {
        name: document.name().to_owned(),
        text: text.to_owned(),
        language: document.language().map(str::to_owned),
        // Phrases that are sent are those to link.
        mentions: (!spans.is_empty()).then_some(spans),
    })
}

fn write(question: &Question, answered: &Answered<'_>) -> Result<ServedReply, LinkFailure> {
    let mut builder = CorpusBuilder::new();
    builder.continue_document(&question.name);
    builder.set_text(&question.text);
    for mention in answered.document.mentions() {
        // NIL keeps an address of its own, which GERBIL needs.
        let link = match mention.entity() {
            Some(entity) => Link::to(builder.intern(&addressed(entity))),
            None => match mention.link().is_nil() {
                true => Link::NIL,
                false => continue,
            },
        };
        let annotation = builder.annotate(mention.span(), link);
        if let Some(confidence) = mention.confidence() {
            let _ = annotation.confidence(confidence);
        }
    }
    let body = crate::nif::written(&builder.finish())?;
    Ok(ServedReply { status: 200, content_type: TURTLE, body })
}
