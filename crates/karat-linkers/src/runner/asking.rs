//! One question after the other: asked, kept, asked again, read.

use super::gate::{Came, Gate};
use super::questions::{Asking, Question};
use super::tally::Tally;
use super::{RunSettings, Runner};
use crate::answer::LinkAnswer;
use crate::failure::{FailureKind, LinkFailure};
use crate::in_process::{CALL, InProcess};
use crate::recording::{Exchange, KeptAnswers, RecordingError, exchange_key, moment_now};
use crate::task::LinkTask;
use crate::wire::{Wire, WireAnswer, WireRequest};
use karat_model::Corpus;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;
use std::time::Duration;

/// How often an answer that cannot be understood is asked for again.
const MALFORMED_AGAIN: u32 = 2;
/// How often a text that is too long is cut in halves.
const HALVINGS: u32 = 4;
/// The longest wait between two attempts, where the server says nothing.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The longest wait that a server may ask for.
const LONGEST_ASKED_WAIT: Duration = Duration::from_secs(600);

/// What came of a question: of itself, or of the parts that it was cut into.
pub(super) type Settled<'c> = (Question<'c>, Result<LinkAnswer, LinkFailure>);

/// Asks questions, from several threads.
pub(super) struct Asker<'r> {
    pub(super) runner: &'r Runner<'r>,
    pub(super) corpus: &'r Corpus,
    pub(super) asking: &'r Asking<'r>,
    pub(super) kept: &'r KeptAnswers,
    pub(super) gate: &'r Gate,
    pub(super) tally: &'r Tally,
    /// The recording could not be written, so nothing more is asked.
    pub(super) broken: &'r Mutex<Option<RecordingError>>,
}

impl<'r> Asker<'r> {
    /// The answers to a batch of questions.
    pub(super) fn ask<'c>(&self, questions: Vec<Question<'c>>) -> Vec<Settled<'c>> {
        let answers = self.ask_together(&questions);
        let is_batch = questions.len() > 1;
        let mut came = Vec::with_capacity(questions.len());
        for (question, answer) in questions.into_iter().zip(answers) {
            match answer {
                // One bad text must not cost the others of its batch their answers.
                Err(failure) if is_batch && self.may_go_on(&failure) => {
                    came.extend(self.ask(vec![question]));
                }
                Err(failure)
                    if failure.kind == FailureKind::TooLong && question.halved < HALVINGS =>
                {
                    came.extend(self.ask_in_halves(question, failure));
                }
                answer => came.push((question, answer)),
            }
        }
        came
    }

    fn ask_in_halves<'c>(&self, question: Question<'c>, failure: LinkFailure) -> Vec<Settled<'c>> {
        let document = self.corpus.document_at(question.place);
        let text = document.and_then(|document| document.text()).unwrap_or_default();
        match self.asking.halves(&question, text) {
            Some(halves) => halves.into_iter().flat_map(|half| self.ask(vec![half])).collect(),
            None => vec![(question, Err(failure))],
        }
    }

    fn may_go_on(&self, failure: &LinkFailure) -> bool {
        let is_final = matches!(
            failure.kind,
            FailureKind::Cancelled | FailureKind::Budget | FailureKind::NotRecorded
        );
        !is_final && self.gate.stopped().is_none()
    }

    fn ask_together(&self, questions: &[Question<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        let RunSettings { sample, seed, .. } = self.runner.settings;
        let tasks: Vec<LinkTask<'_>> =
            questions.iter().map(|question| question.task(sample, seed)).collect();
        match self.runner.linker.wire() {
            Some(wire) => self.exchange(wire, &tasks, |request, is_first, _| {
                (wire.send(request, is_first), None)
            }),
            None => {
                let own = InProcess { linker: self.runner.linker };
                // Nobody reads what is not kept.
                if self.runner.recording.is_none() && !self.runner.replays {
                    return own.ask(&tasks).1;
                }
                self.exchange(&own, &tasks, |_, _, tasks| {
                    let (answer, read) = own.ask(tasks);
                    (Ok(answer), Some(read))
                })
            }
        }
    }

    /// Asks over a wire, until there is an answer or no sense in asking again.
    fn exchange(
        &self,
        wire: &dyn Wire,
        tasks: &[LinkTask<'_>],
        send: impl Fn(
            &WireRequest,
            bool,
            &[LinkTask<'_>],
        ) -> (Result<WireAnswer, LinkFailure>, Option<Read>),
    ) -> Vec<Result<LinkAnswer, LinkFailure>> {
        let all = |failure: LinkFailure| vec![Err(failure); tasks.len()];
        let request = match wire.request(tasks) {
            Ok(request) => request,
            Err(failure) => return all(failure),
        };
        let key = exchange_key(&request, self.runner.settings.sample);
        if let Some(kept) = self.kept.get(&key) {
            let read = read(wire, tasks, &request, &kept);
            if self.runner.replays || read.iter().all(Result::is_ok) {
                self.tally.kept(tasks, &kept);
                return read;
            }
        }
        if self.runner.replays {
            return all(LinkFailure::new(
                FailureKind::NotRecorded,
                "the recording has no answer to this question",
            ));
        }
        let mut attempt = 1;
        loop {
            let entered = match self.gate.enter() {
                Ok(entered) => entered,
                Err(failure) => return all(failure),
            };
            if let Err(failure) = self.tally.pay(self.runner.linker.info(), tasks) {
                self.gate.leave(Came::Works);
                self.gate.stop(failure.clone());
                return all(failure);
            }
            let (sent, read_already) = send(&request, entered.is_first, tasks);
            let (mut answer, results) = match sent {
                Ok(answer) => {
                    let results =
                        read_already.unwrap_or_else(|| read(wire, tasks, &request, &answer));
                    (answer, results)
                }
                Err(failure) => (WireAnswer::default(), all(failure)),
            };
            answer.times.wait = entered.waited.as_secs_f64() * 1e3;
            let failure = results.iter().find_map(|result| result.as_ref().err()).cloned();
            self.tally.asked(tasks, &answer, &results);
            if let Err(error) = self.keep(&key, tasks, &request, answer, attempt, failure.as_ref())
            {
                let told = LinkFailure::new(FailureKind::Cancelled, error.to_string());
                self.gate.leave(Came::Works);
                self.gate.stop(told.clone());
                *self.broken.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                    Some(error);
                return all(told);
            }
            self.gate.leave(came(failure.as_ref()));
            let Some(failure) = failure else { return results };
            if !self.asks_again(&failure, attempt) || !self.gate.sleep(self.wait(&failure, attempt))
            {
                return results;
            }
            attempt += 1;
        }
    }

    fn asks_again(&self, failure: &LinkFailure, attempt: u32) -> bool {
        let again = match failure.kind {
            FailureKind::Malformed => {
                MALFORMED_AGAIN.min(self.runner.settings.attempts.saturating_sub(1))
            }
            _ => self.runner.settings.attempts.saturating_sub(1),
        };
        failure.is_retryable() && attempt <= again && self.gate.stopped().is_none()
    }

    /// How long to wait before the next attempt: what the server asks for, else a random part of twice as long each time, so
    /// that those who failed together do not come back together.
    fn wait(&self, failure: &LinkFailure, attempt: u32) -> Duration {
        if let Some(asked) = failure.wait {
            return asked.min(LONGEST_ASKED_WAIT);
        }
        let first = self.runner.settings.first_wait;
        let longest = first.saturating_mul(1 << (attempt - 1).min(16)).min(LONGEST_WAIT);
        let random = RandomState::new().hash_one(attempt) as f64 / u64::MAX as f64;
        longest.mul_f64(random)
    }

    fn keep(
        &self,
        key: &str,
        tasks: &[LinkTask<'_>],
        request: &WireRequest,
        answer: WireAnswer,
        attempt: u32,
        failure: Option<&LinkFailure>,
    ) -> Result<(), RecordingError> {
        let (Some(recording), Some(first)) = (self.runner.recording, tasks.first()) else {
            return Ok(());
        };
        let mut request = request.clone();
        if request.method == CALL {
            // The texts are in the benchmark, and the key says which they were.
            request.body.clear();
        }
        recording.add(&Exchange {
            key: key.to_owned(),
            document: first.document.to_owned(),
            part: [first.part.start, first.part.end],
            more: tasks.len() - 1,
            sample: first.sample,
            attempt,
            at: moment_now(),
            request,
            answer,
            failure: failure.cloned(),
        })
    }
}

type Read = Vec<Result<LinkAnswer, LinkFailure>>;

/// What an answer says of each task.
fn read(
    wire: &dyn Wire,
    tasks: &[LinkTask<'_>],
    request: &WireRequest,
    answer: &WireAnswer,
) -> Read {
    let mut read = wire.read(tasks, request, answer);
    let missing =
        || LinkFailure::new(FailureKind::Malformed, "the answer says nothing of this text");
    read.resize_with(tasks.len(), || Err(missing()));
    read
}

fn came(failure: Option<&LinkFailure>) -> Came {
    match failure {
        Some(failure) if failure.is_of_access() => Came::NoAccess(failure.clone()),
        Some(failure)
            if matches!(failure.kind, FailureKind::Limited | FailureKind::Refused(429)) =>
        {
            Came::Limited
        }
        Some(failure) if failure.is_of_service() => Came::Failed(failure.clone()),
        _ => Came::Works,
    }
}
