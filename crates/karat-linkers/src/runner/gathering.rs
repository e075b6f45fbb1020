//! From answers to a corpus: offsets in the document, parts put together, ids as karat spells them.

use super::asking::Settled;
use super::questions::Question;
use super::{DocumentOutcome, DocumentStatus, RunSettings};
use crate::answer::{AnsweredLink, LinkAnswer};
use crate::failure::{FailureKind, LinkFailure};
use crate::info::{AnswerUnit, LinkerInfo};
use crate::texts::{PlacedMention, place};
use karat_model::{Corpus, CorpusBuilder, Document, End, Link, Span};
use std::collections::BTreeMap;

/// Mentions that were answered where none was given.
const ELSEWHERE: &str = "answers-elsewhere";
/// Given mentions without an answer.
const UNANSWERED: &str = "given-without-answer";
/// Texts that were edited before they were sent.
const EDITED: &str = "texts-edited";
/// Texts that were cut in halves because they were too long.
const HALVED: &str = "texts-halved";
/// Mentions of the overlap of two parts that were answered twice.
const TWICE: &str = "answered-in-two-parts";

/// What is said of a document so far.
#[derive(Debug, Default)]
struct Gathered {
    mentions: Vec<(Span, PlacedMention)>,
    answered: usize,
    failures: Vec<LinkFailure>,
}

/// Puts answers together.
pub(super) struct Gathering<'g> {
    info: &'g LinkerInfo,
    settings: &'g RunSettings,
    corpus: &'g Corpus,
    given: Option<&'g [Vec<Span>]>,
    documents: Vec<Gathered>,
    counted: BTreeMap<String, u64>,
    /// Ways of counting that answers fit better than the declared one, and how many answers.
    better: BTreeMap<String, u64>,
}

/// What comes out of a run, but for what it took.
pub(super) struct Put {
    pub(super) corpus: Corpus,
    pub(super) documents: Vec<DocumentOutcome>,
    pub(super) counted: BTreeMap<String, u64>,
    pub(super) better: BTreeMap<String, u64>,
}

impl<'g> Gathering<'g> {
    pub(super) fn new(
        info: &'g LinkerInfo,
        settings: &'g RunSettings,
        corpus: &'g Corpus,
        given: Option<&'g [Vec<Span>]>,
    ) -> Gathering<'g> {
        let mut documents = Vec::new();
        documents.resize_with(corpus.len(), Gathered::default);
        let (counted, better) = Default::default();
        Gathering { info, settings, corpus, given, documents, counted, better }
    }

    /// Adds what came of a question.
    pub(super) fn add(&mut self, (question, answer): Settled<'_>) {
        if question.edited.is_changed() {
            self.count(EDITED, 1);
        }
        if question.halved > 0 {
            self.count(HALVED, 1);
        }
        match answer {
            Err(failure) => self.documents[question.place].failures.push(failure),
            Ok(answer) => {
                let mentions = self.mentions(&question, &answer);
                let gathered = &mut self.documents[question.place];
                gathered.answered += 1;
                gathered.mentions.extend(mentions.into_iter().map(|one| (question.part, one)));
            }
        }
    }

    /// The mentions of an answer at their places in the document.
    fn mentions(&mut self, question: &Question<'_>, answer: &LinkAnswer) -> Vec<PlacedMention> {
        let (unit, end) = (self.info.unit, self.info.end);
        let text = question.edited.text();
        let placing = place(text, answer, unit, end, self.settings.repair_offsets);
        for (what, count) in placing.counted {
            self.count(what, count);
        }
        for (what, count) in &answer.counted {
            self.count(what, *count);
        }
        if let Some(better) = placing.better {
            *self.better.entry(way_of_counting(better)).or_default() += 1;
        }
        let start = question.part.start;
        let in_document = placing.placed.into_iter().map(|placed| {
            let span = question.edited.source(placed.span);
            PlacedMention { span: Span::new(span.start + start, span.end + start), ..placed }
        });
        let mentions: Vec<PlacedMention> = in_document.collect();
        match &question.given {
            Some(given) => self.on_given(given, mentions),
            None => mentions,
        }
    }

    /// One answer for each given mention; what was said of other spans is left out.
    fn on_given(&mut self, given: &[Span], mentions: Vec<PlacedMention>) -> Vec<PlacedMention> {
        let mut by_span: BTreeMap<Span, PlacedMention> = BTreeMap::new();
        for mention in mentions {
            if given.contains(&mention.span) {
                by_span.entry(mention.span).or_insert(mention);
            } else {
                self.count(ELSEWHERE, 1);
            }
        }
        let mut unanswered = 0;
        let mut answered = |span: &Span| {
            by_span.remove(span).unwrap_or_else(|| {
                unanswered += 1;
                PlacedMention { span: *span, mention: Default::default() }
            })
        };
        let all = given.iter().map(&mut answered).collect();
        self.count(UNANSWERED, unanswered);
        all
    }

    fn count(&mut self, what: &str, number: u64) {
        if number > 0 {
            *self.counted.entry(what.to_owned()).or_default() += number;
        }
    }

    /// The corpus of all answers. `asked` says how many questions there were about each document.
    pub(super) fn finish(mut self, asked: &[usize]) -> Put {
        let mut builder = CorpusBuilder::new();
        let mut outcomes = Vec::with_capacity(self.documents.len());
        let gathered = std::mem::take(&mut self.documents);
        for ((document, gathered), asked) in self.corpus.documents().zip(gathered).zip(asked) {
            let outcome = outcome_of(&document, &gathered, *asked);
            begin(&mut builder, &document, &outcome);
            let mentions = match self.info.overlap > 0 && self.given.is_none() {
                true => self.stitched(gathered.mentions, &document),
                false => gathered.mentions.into_iter().map(|(_, mention)| mention).collect(),
            };
            let mut mentions: Vec<PlacedMention> = mentions;
            mentions.sort_by_key(|mention| (mention.span.start, mention.span.end));
            for mention in &mentions {
                self.write(&mut builder, mention);
            }
            outcomes.push(DocumentOutcome { mentions: mentions.len() as u64, ..outcome });
        }
        let (counted, better) = (self.counted, self.better);
        Put { corpus: builder.finish(), documents: outcomes, counted, better }
    }

    /// The mentions of parts that overlap: of those that meet, the one that lies further from the edges of its part.
    fn stitched(
        &mut self,
        mentions: Vec<(Span, PlacedMention)>,
        document: &Document<'_>,
    ) -> Vec<PlacedMention> {
        let length = document.text_index().map_or(0, |index| index.len());
        let room = |part: Span, span: Span| {
            let before = if part.start == 0 { u32::MAX } else { span.start - part.start };
            let after =
                if part.end >= length { u32::MAX } else { part.end.saturating_sub(span.end) };
            before.min(after)
        };
        let mut sorted = mentions;
        sorted.sort_by_key(|(part, mention)| (mention.span.start, mention.span.end, part.start));
        let mut kept: Vec<(Span, PlacedMention)> = Vec::with_capacity(sorted.len());
        for (part, mention) in sorted {
            let meets = |(other, last): &&(Span, PlacedMention)| {
                *other != part && last.span.overlaps(mention.span)
            };
            match kept.last().filter(meets).map(|(other, last)| room(*other, last.span)) {
                Some(of_other) => {
                    self.count(TWICE, 1);
                    if of_other < room(part, mention.span) {
                        kept.pop();
                        kept.push((part, mention));
                    }
                }
                None => kept.push((part, mention)),
            }
        }
        kept.into_iter().map(|(_, mention)| mention).collect()
    }

    fn write(&self, builder: &mut CorpusBuilder, placed: &PlacedMention) {
        let form = &self.info.id_form;
        let mention = &placed.mention;
        let link = match &mention.link {
            AnsweredLink::To(id) => Link::to(builder.intern(&form.spelled(id))),
            AnsweredLink::Nil => Link::NIL,
            AnsweredLink::NoAnswer => Link::NONE,
        };
        let candidates: Vec<(Link, f64)> = mention
            .candidates
            .iter()
            .map(|candidate| {
                let id = builder.intern(&form.spelled(&candidate.id));
                (Link::to(id), candidate.score.unwrap_or(f64::NAN))
            })
            .collect();
        let mut annotation = builder.annotate(placed.span, link);
        if let Some(confidence) = mention.confidence {
            annotation = annotation.confidence(confidence);
        }
        annotation = annotation.types(mention.types.iter().map(String::as_str));
        for (link, score) in candidates {
            annotation = annotation.candidate(link, score);
        }
        let _ = annotation.index();
    }
}

/// A document of the output: its text, its language, and what became of it where it was not answered.
fn begin(builder: &mut CorpusBuilder, document: &Document<'_>, outcome: &DocumentOutcome) {
    builder.continue_document(document.name());
    if let Some(text) = document.text() {
        builder.set_text(text);
    }
    for (key, value) in document.attributes() {
        builder.document_attribute(key, value);
    }
    if let Some(span) = document.evaluation_span() {
        builder.set_evaluation_span(span);
    }
    if !outcome.status.is_answered() {
        builder.document_attribute("status", outcome.status.name());
    }
}

fn outcome_of(document: &Document<'_>, gathered: &Gathered, asked: usize) -> DocumentOutcome {
    let never_asked = |failure: &LinkFailure| {
        matches!(failure.kind, FailureKind::Cancelled | FailureKind::Budget)
    };
    let failure = gathered.failures.iter().find(|failure| !never_asked(failure));
    let failure = failure.or(gathered.failures.first());
    let status = match (gathered.answered, failure) {
        (_, None) if gathered.mentions.is_empty() => DocumentStatus::Empty,
        (_, None) => DocumentStatus::Answered,
        (0, Some(failure)) if never_asked(failure) => DocumentStatus::NotAsked,
        (0, Some(_)) => DocumentStatus::Failed,
        (_, Some(_)) => DocumentStatus::Partly,
    };
    DocumentOutcome {
        name: document.name().to_owned(),
        status,
        questions: asked as u64,
        mentions: 0,
        failure: failure.cloned(),
    }
}

fn way_of_counting((unit, end): (AnswerUnit, End)) -> String {
    let end = match end {
        End::Inclusive => "inclusive",
        End::Exclusive => "exclusive",
    };
    format!("unit = \"{}\", end = \"{end}\"", unit.name())
}
