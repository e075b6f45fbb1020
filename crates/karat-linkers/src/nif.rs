//! The protocol of GERBIL's annotators: a text in NIF out, the same with annotations back.

use crate::answer::{AnsweredLink, AnsweredMention, LinkAnswer};
use crate::failure::{FailureKind, LinkFailure};
use crate::task::LinkTask;
use karat_formats::{FORMATS, Format, Layout, Output, ReadOptions, Registry, Source};
use karat_model::{Corpus, CorpusBuilder, Link};

/// The format that both sides speak.
const NIF: &str = "nif";

/// The text of a task with its given mentions, as NIF.
pub(crate) fn request(task: &LinkTask<'_>) -> Result<String, LinkFailure> {
    let mut builder = CorpusBuilder::new();
    builder.continue_document(task.document);
    builder.set_text(task.text);
    for span in task.mentions.unwrap_or_default() {
        builder.annotate(*span, Link::NONE);
    }
    written(&builder.finish())
}

/// A corpus as NIF.
pub(crate) fn written(corpus: &Corpus) -> Result<String, LinkFailure> {
    let failed = |why: String| {
        LinkFailure::new(FailureKind::Malformed, format!("cannot be written as NIF: {why}"))
    };
    let registry = Registry::new(FORMATS);
    let format: &'static dyn Format =
        registry.named(NIF).map_err(|problem| failed(problem.to_string()))?;
    let mut output = Output::memory(Layout::File);
    registry.write(corpus, format, &mut output).map_err(|error| failed(error.to_string()))?;
    let written = output.into_sources();
    let text = written.first().map(|source| source.text().map(|text| text.as_str().to_owned()));
    match text {
        Some(Ok(text)) => Ok(text),
        Some(Err(problem)) => Err(failed(problem.to_string())),
        None => Ok(String::new()),
    }
}

/// Reads NIF that somebody sent, leniently.
pub(crate) fn parsed(text: &str) -> Result<Corpus, LinkFailure> {
    let options = ReadOptions { lenient: true, threads: 1, ..ReadOptions::default() };
    let read = Registry::new(FORMATS).read(
        &Source::memory("answer.ttl", text.to_owned()).into(),
        Some(NIF),
        &options,
    );
    match read {
        Ok(outcome) => Ok(outcome.corpus),
        Err(problem) => Err(LinkFailure::new(
            FailureKind::Malformed,
            format!("the NIF cannot be read: {problem}"),
        )),
    }
}

/// What an answer says of the text of a request.
pub(crate) fn read(request: &str, answer: &str) -> Result<LinkAnswer, LinkFailure> {
    let malformed = |message: &str| Err(LinkFailure::new(FailureKind::Malformed, message));
    if answer.trim().is_empty() || answer.trim() == "null" {
        return malformed("the answer is empty");
    }
    if answer == request {
        // Some servers echo while they load their model, and when something goes wrong.
        return malformed("the answer is the request");
    }
    let asked = parsed(request)?;
    let answered = parsed(answer)?;
    let text_of = |corpus: &Corpus| {
        corpus.documents().next().and_then(|document| document.text()).map(str::to_owned)
    };
    let text = text_of(&asked);
    // Of several contexts that with the text that was sent.
    let document = answered.documents().find(|document| document.text() == text.as_deref());
    let Some(document) = document else {
        return match answered.is_empty() {
            true => malformed("the answer has no context"),
            false => {
                let message = "the answer is about another text than the one that was sent";
                Err(LinkFailure::new(FailureKind::TextChanged, message))
            }
        };
    };
    let index = document.text_index();
    let mentions: Vec<AnsweredMention> = document
        .mentions()
        .map(|mention| AnsweredMention {
            at: Some((mention.span().start.into(), mention.span().end.into())),
            surface: index
                .as_ref()
                .and_then(|index| index.slice(mention.span()))
                .map(str::to_owned),
            link: match mention.entity() {
                Some(entity) => AnsweredLink::To(entity.to_owned()),
                None if mention.link().is_nil() => AnsweredLink::Nil,
                None => AnsweredLink::NoAnswer,
            },
            confidence: mention.confidence(),
            types: mention.types().map(str::to_owned).collect(),
            candidates: Vec::new(),
        })
        .collect();
    Ok(LinkAnswer { mentions: without_echoes(mentions), ..LinkAnswer::default() })
}

/// Given phrases come back unlinked beside their answers: one that another answers goes.
fn without_echoes(mentions: Vec<AnsweredMention>) -> Vec<AnsweredMention> {
    let answered: std::collections::HashSet<(u64, u64)> = mentions
        .iter()
        .filter(|mention| mention.link != AnsweredLink::NoAnswer)
        .filter_map(|mention| mention.at)
        .collect();
    let is_kept = |mention: &AnsweredMention| {
        mention.link != AnsweredLink::NoAnswer
            || mention.at.is_none_or(|at| !answered.contains(&at))
    };
    mentions.into_iter().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::Span;

    #[test]
    fn what_is_sent_is_read_again_and_an_echo_is_no_answer() {
        let task = LinkTask {
            mentions: Some(&[Span::new(2, 6)]),
            ..LinkTask::of_text("d1", "😀 Bern \"x\"\n")
        };
        let request = request(&task).unwrap();
        let corpus = parsed(&request).unwrap();
        assert_eq!(corpus.documents().next().unwrap().text(), Some("😀 Bern \"x\"\n"));
        assert_eq!(read(&request, &request).unwrap_err().kind, FailureKind::Malformed);
        for bad in ["", "null", "<html>"] {
            assert_eq!(read(&request, bad).unwrap_err().kind, FailureKind::Malformed, "{bad}");
        }
        let mut answer = CorpusBuilder::new();
        answer.continue_document("d1");
        answer.set_text("😀 Bern \"x\"\n");
        let bern = answer.intern("http://www.wikidata.org/entity/Q70");
        answer.annotate(Span::new(2, 6), Link::to(bern)).confidence(0.5);
        let answer = written(&answer.finish()).unwrap();
        let read_again = read(&request, &answer).unwrap();
        assert_eq!(read_again.mentions.len(), 1);
        assert_eq!(read_again.mentions[0].at, Some((2, 6)));
        let other = written(&parsed(&answer.replace("Bern", "Thun")).unwrap()).unwrap();
        assert_eq!(read(&request, &other).unwrap_err().kind, FailureKind::TextChanged);
    }
}
