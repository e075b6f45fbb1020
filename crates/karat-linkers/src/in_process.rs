//! A linker of this process as one with a wire, so that its answers can be kept and read again like all others.

use crate::LinkAnswer;
use crate::failure::{FailureKind, LinkFailure};
use crate::info::AnswerUnit;
use crate::lines::{answer_line, question_line, read_line};
use crate::linker::Linker;
use crate::task::LinkTask;
use crate::wire::{Wire, WireAnswer, WireRequest};
use std::fmt::Write;
use std::time::Instant;

/// The method of a request that goes nowhere.
pub(crate) const CALL: &str = "CALL";

/// A linker of this process.
pub(crate) struct InProcess<'l> {
    pub(crate) linker: &'l dyn Linker,
}

impl InProcess<'_> {
    /// What stands for the linker where others have an address. What its answers depend on is part of it.
    fn address(&self) -> String {
        let info = self.linker.info();
        let version = info.version.as_deref().unwrap_or_default();
        let mut address = format!("karat:{}@{version}", info.name);
        for (name, value) in &info.settings {
            let _ = write!(address, ";{name}={value}");
        }
        address
    }

    /// Asks, and gives both the answers and what is kept of them.
    pub(crate) fn ask(
        &self,
        tasks: &[LinkTask<'_>],
    ) -> (WireAnswer, Vec<Result<LinkAnswer, LinkFailure>>) {
        let begun = Instant::now();
        let mut answers = self.linker.link(tasks);
        let missing = || LinkFailure::new(FailureKind::Malformed, "the linker left out a text");
        answers.resize_with(tasks.len(), || Err(missing()));
        let mut kept = WireAnswer { status: 200, ..WireAnswer::default() };
        kept.times.all = begun.elapsed().as_secs_f64() * 1e3;
        kept.times.first = kept.times.all;
        let lines =
            tasks.iter().zip(&answers).map(|(task, answer)| answer_line(task.document, answer));
        kept.body = lines.collect::<Vec<_>>().join("\n");
        (kept, answers)
    }
}

impl Wire for InProcess<'_> {
    fn request(&self, tasks: &[LinkTask<'_>]) -> Result<WireRequest, LinkFailure> {
        let lines = tasks.iter().map(|task| {
            let part = format!("{}-{} {} ", task.part.start, task.part.end, task.seed);
            part + &question_line(task, task.document, AnswerUnit::CodePoints)
        });
        Ok(WireRequest {
            method: CALL.to_owned(),
            url: self.address(),
            content_type: String::new(),
            body: lines.collect::<Vec<_>>().join("\n"),
        })
    }

    fn send(&self, _: &WireRequest, _: bool) -> Result<WireAnswer, LinkFailure> {
        // Asking needs the tasks; the runner calls `ask`.
        Err(LinkFailure::new(FailureKind::Connect, "a linker of this process has no connection"))
    }

    fn read(
        &self,
        tasks: &[LinkTask<'_>],
        _: &WireRequest,
        answer: &WireAnswer,
    ) -> Vec<Result<LinkAnswer, LinkFailure>> {
        let mut lines = answer.body.lines();
        let missing = || LinkFailure::new(FailureKind::Malformed, "the kept answer is incomplete");
        let read = tasks.iter().map(|_| {
            let (_, answer) = read_line(lines.next().ok_or_else(missing)?)?;
            answer
        });
        read.collect()
    }
}
