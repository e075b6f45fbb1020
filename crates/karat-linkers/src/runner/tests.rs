//! The runner with linkers that fail on purpose.

use super::*;
use crate::answer::{AnsweredLink, AnsweredMention, LinkAnswer};
use crate::info::{AnswerUnit, TextEdit, TextLimit};
use crate::recording::read_recording;
use crate::task::LinkTask;
use crate::wire::{Wire, WireAnswer, WireRequest, ask_once};
use karat_model::{CorpusBuilder, Link};
use std::collections::HashMap;

/// How a text fails at an attempt, if it does.
type Failing = dyn Fn(&str, u32) -> Option<LinkFailure> + Send + Sync;

/// Finds words that begin with a capital, behind a wire that fails as it is told to.
struct Capitals {
    info: LinkerInfo,
    /// How a text is answered the first times that it is asked.
    failing: Box<Failing>,
    asked: Mutex<HashMap<String, u32>>,
}

impl Capitals {
    fn new(failing: impl Fn(&str, u32) -> Option<LinkFailure> + Send + Sync + 'static) -> Capitals {
        let mut info = LinkerInfo::named("capitals", "1");
        info.concurrency = 8;
        Capitals { info, failing: Box::new(failing), asked: Mutex::default() }
    }

    fn asked(&self) -> u32 {
        self.asked.lock().unwrap().values().sum()
    }
}

impl Linker for Capitals {
    fn info(&self) -> &LinkerInfo {
        &self.info
    }

    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        ask_once(self, tasks)
    }

    fn wire(&self) -> Option<&dyn Wire> {
        Some(self)
    }
}

impl Wire for Capitals {
    fn request(&self, tasks: &[LinkTask<'_>]) -> Result<WireRequest, LinkFailure> {
        let texts: Vec<String> = tasks.iter().map(|task| task.text.to_owned()).collect();
        let spans = tasks[0].mentions.map(|spans| format!("{spans:?}")).unwrap_or_default();
        Ok(WireRequest {
            method: "POST".into(),
            url: spans,
            body: texts.join("\u{1}"),
            ..WireRequest::default()
        })
    }

    fn send(&self, request: &WireRequest, _: bool) -> Result<WireAnswer, LinkFailure> {
        let mut asked = self.asked.lock().unwrap();
        let attempt = asked.entry(request.body.clone()).or_default();
        *attempt += 1;
        match (self.failing)(&request.body, *attempt) {
            Some(failure) => Err(failure),
            None => {
                Ok(WireAnswer { status: 200, body: request.body.clone(), ..WireAnswer::default() })
            }
        }
    }

    fn read(
        &self,
        tasks: &[LinkTask<'_>],
        _: &WireRequest,
        answer: &WireAnswer,
    ) -> Vec<Result<LinkAnswer, LinkFailure>> {
        let texts = answer.body.split('\u{1}');
        tasks.iter().zip(texts).map(|(_, text)| Ok(found(text))).collect()
    }
}

fn found(text: &str) -> LinkAnswer {
    let mut mentions = Vec::new();
    let mut start = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let name = word.trim();
        let length = name.chars().count() as u64;
        if name.starts_with(char::is_uppercase) {
            let link = AnsweredLink::To(name.to_lowercase());
            mentions.push(AnsweredMention::at(start, start + length, link).with_surface(name));
        }
        start += word.chars().count() as u64;
    }
    LinkAnswer { mentions, ..LinkAnswer::default() }
}

fn corpus(texts: &[&str]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (number, text) in texts.iter().enumerate() {
        builder.continue_document(&format!("d{number}"));
        builder.set_text(text);
    }
    builder.finish()
}

fn quick() -> RunSettings {
    let first_wait = Duration::from_millis(1);
    RunSettings { first_wait, pause: Duration::from_millis(1), ..RunSettings::default() }
}

fn said(outcome: &RunOutcome) -> Vec<(String, Span, Option<String>)> {
    let mentions = outcome.corpus.documents().flat_map(|document| document.mentions());
    let told = mentions.map(|mention| {
        let entity = mention.entity().map(str::to_owned);
        (mention.document().name().to_owned(), mention.span(), entity)
    });
    told.collect()
}

fn failure(kind: FailureKind) -> Option<LinkFailure> {
    Some(LinkFailure::new(kind, "as told"))
}

#[test]
fn what_fails_at_first_is_asked_again_and_what_fails_always_is_named() {
    let texts: Vec<String> = (0..40).map(|number| format!("In Bern or Basel {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let corpus = corpus(&texts);
    let well = Capitals::new(|_, _| None);
    let expected = Runner::new(&well, quick()).run(&corpus, None, &Watch::default()).unwrap();
    let flaky = Capitals::new(|text, attempt| {
        let number: u32 = text.rsplit(' ').next()?.parse().ok()?;
        let kinds = [FailureKind::Connect, FailureKind::TimeOut, FailureKind::Malformed];
        (attempt <= number % 3).then(|| LinkFailure::new(kinds[number as usize % 3], "as told"))
    });
    let outcome = Runner::new(&flaky, quick()).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&outcome), said(&expected));
    assert_eq!(outcome.costs.requests, 40 + 13 + 2 * 13);
    assert_eq!(outcome.costs.failed.values().sum::<u64>(), 13 + 2 * 13);

    let refusing = Capitals::new(|text, _| match text.ends_with(" 7") {
        true => failure(FailureKind::Refused(400)),
        false => None,
    });
    let outcome = Runner::new(&refusing, quick()).run(&corpus, None, &Watch::default()).unwrap();
    let failed: Vec<&DocumentOutcome> =
        outcome.documents.iter().filter(|document| !document.status.is_answered()).collect();
    assert_eq!((failed.len(), failed[0].name.as_str()), (1, "d7"));
    assert_eq!(failed[0].status, DocumentStatus::Failed);
    assert_eq!(outcome.costs.requests, 40, "a refusal is no reason to ask again");
    assert_eq!(outcome.corpus.document("d7").unwrap().attribute("status"), Some("failed"));
}

#[test]
fn a_service_that_knows_nobody_or_does_not_work_ends_the_run() {
    let texts: Vec<String> = (0..100).map(|number| format!("Bern {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let corpus = corpus(&texts);
    for kind in [FailureKind::Refused(401), FailureKind::Refused(503)] {
        let closed = Capitals::new(move |_, _| failure(kind));
        let outcome = Runner::new(&closed, quick()).run(&corpus, None, &Watch::default()).unwrap();
        assert_eq!(outcome.stopped.unwrap().kind, kind);
        assert!(outcome.documents.iter().all(|document| !document.status.is_answered()));
        assert!(closed.asked() < 60, "{}", closed.asked());
    }
}

#[test]
fn a_text_that_is_too_long_is_halved() {
    let corpus = corpus(&["In Bern and in Basel and in Zug and in Chur"]);
    let short = Capitals::new(|text, _| match text.len() > 20 {
        true => failure(FailureKind::TooLong),
        false => None,
    });
    let outcome = Runner::new(&short, quick()).run(&corpus, None, &Watch::default()).unwrap();
    let whole = Capitals::new(|_, _| None);
    let expected = Runner::new(&whole, quick()).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&outcome), said(&expected));
    assert_eq!(outcome.documents[0].status, DocumentStatus::Answered);
    assert!(outcome.counted["texts-halved"] >= 2);
}

#[test]
fn parts_and_edits_do_not_show_in_the_output() {
    let text = "  In Bern\r\nand in Basel. Later in Zug. Then in Chur and Brig  ";
    let corpus = corpus(&[text]);
    let whole = Capitals::new(|_, _| None);
    let expected = Runner::new(&whole, quick()).run(&corpus, None, &Watch::default()).unwrap();
    let mut cut = Capitals::new(|_, _| None);
    cut.info.edits = vec![TextEdit::CrlfToSpace, TextEdit::Strip];
    cut.info.max_text = Some(TextLimit { count: 24, unit: AnswerUnit::CodePoints });
    let outcome = Runner::new(&cut, quick()).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&outcome), said(&expected));
    assert!(cut.asked() > 2);
    cut.info.overlap = 12;
    let overlapping = Runner::new(&cut, quick()).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&overlapping), said(&expected));
    assert!(overlapping.counted.contains_key("answered-in-two-parts"), "{:?}", overlapping.counted);
}

#[test]
fn given_mentions_reach_the_linker_and_only_they_are_answered() {
    let corpus = corpus(&["In Bern and in Basel"]);
    let given = [vec![Span::new(3, 7), Span::new(8, 11)]];
    for (way, requests) in
        [(MentionsWay::Native, 1), (MentionsWay::Filter, 1), (MentionsWay::PerMention, 2)]
    {
        let mut linker = Capitals::new(|_, _| None);
        linker.info.mentions = vec![MentionsWay::Native, MentionsWay::PerMention];
        let settings = RunSettings { way: Some(way), ..quick() };
        let runner = Runner::new(&linker, settings);
        let outcome = runner.run(&corpus, Some(&given), &Watch::default()).unwrap();
        let document = outcome.corpus.documents().next().unwrap();
        let links: Vec<(Span, Link)> =
            document.mentions().map(|mention| (mention.span(), mention.link())).collect();
        assert_eq!(links.len(), 2, "{way:?}");
        assert_eq!((links[1].0, links[1].1), (Span::new(8, 11), Link::NONE));
        assert_eq!(document.mentions().next().unwrap().entity(), Some("bern"));
        assert_eq!(outcome.costs.requests, requests);
        assert!(outcome.counted["answers-elsewhere"] >= 1);
    }
    let linker = Capitals::new(|_, _| None);
    let settings = RunSettings { way: Some(MentionsWay::Marked), ..quick() };
    let refused = Runner::new(&linker, settings).run(&corpus, Some(&given), &Watch::default());
    assert!(matches!(refused, Err(RunError::CannotDo(_))));
}

#[test]
fn a_run_goes_on_where_it_ended_and_its_recording_replays_to_the_same() {
    let texts: Vec<String> = (0..30).map(|number| format!("In Bern {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let corpus = corpus(&texts);
    let folder = tempfile::tempdir().unwrap();
    let linker = Capitals::new(|text, attempt| match text.ends_with('7') && attempt == 1 {
        true => failure(FailureKind::Refused(400)),
        false => None,
    });
    let run = |linker: &Capitals| {
        let runner = Runner::new(linker, quick());
        let head = runner.head("texts", None).unwrap();
        let (recording, there) = Recording::open(folder.path(), &head).unwrap();
        runner.recorded(&recording, there).run(&corpus, None, &Watch::default()).unwrap()
    };
    let first = run(&linker);
    assert_eq!(first.documents.iter().filter(|one| !one.status.is_answered()).count(), 3);
    let second = run(&linker);
    assert_eq!(
        (second.costs.requests, second.costs.kept),
        (3, 27),
        "only what failed is asked again"
    );
    assert!(second.documents.iter().all(|one| one.status.is_answered()));
    assert_eq!(run(&linker).costs.requests, 0);
    let silent = Capitals::new(|_, _| panic!("a replay asks nobody"));
    let (_, there) = read_recording(folder.path()).unwrap();
    let replayed = Runner::new(&silent, quick())
        .replayed(there)
        .run(&corpus, None, &Watch::default())
        .unwrap();
    assert_eq!(said(&replayed), said(&second));
    let (_, mut there) = read_recording(folder.path()).unwrap();
    there.truncate(5);
    let partly = Runner::new(&silent, quick())
        .replayed(there)
        .run(&corpus, None, &Watch::default())
        .unwrap();
    let missing = partly.documents.iter().filter_map(|one| one.failure.as_ref());
    assert!(missing.clone().all(|failure| failure.kind == FailureKind::NotRecorded));
    assert!(missing.count() >= 25);
}

#[test]
fn linkers_of_this_process_are_recorded_too() {
    let corpus = corpus(&["in Bern", "", "Basel"]);
    let folder = tempfile::tempdir().unwrap();
    let own = InProcessCapitals(LinkerInfo { batch: 2, ..LinkerInfo::named("own", "1") });
    let runner = Runner::new(&own, quick());
    let (recording, there) =
        Recording::open(folder.path(), &runner.head("texts", None).unwrap()).unwrap();
    let outcome = runner.recorded(&recording, there).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&outcome).len(), 2);
    assert_eq!(outcome.documents[1].status, DocumentStatus::Empty);
    let (_, there) = read_recording(folder.path()).unwrap();
    assert_eq!((there.len(), there[0].more), (1, 1));
    assert!(!there[0].request.url.is_empty() && there[0].request.body.is_empty());
    let replayed =
        Runner::new(&own, quick()).replayed(there).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&replayed), said(&outcome));
}

struct InProcessCapitals(LinkerInfo);

impl Linker for InProcessCapitals {
    fn info(&self) -> &LinkerInfo {
        &self.0
    }

    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        tasks.iter().map(|task| Ok(found(task.text))).collect()
    }
}
