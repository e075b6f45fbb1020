//! A program on this machine that reads a question a line and answers a line.

use super::declaration::{Declaration, Talk};
use super::values::split_command;
use crate::answer::LinkAnswer;
use crate::failure::{FailureKind, LinkFailure};
use crate::info::{AnswerUnit, LinkerInfo};
use crate::lines::{question_line, read_line};
use crate::linker::Linker;
use crate::registry::LinkerError;
use crate::task::LinkTask;
use crate::wire::{Wire, WireAnswer, WireRequest, ask_once};
use karat_model::Digest;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The method of a request to a program.
const LINE: &str = "LINE";
/// How long a program may take to end once nobody asks it any more.
const FAREWELL: Duration = Duration::from_secs(10);
/// How long a program may take to say who it is before it is asked. One that says nothing costs that much once a run.
const GREETING: Duration = Duration::from_secs(3);
/// The longest line that is read.
const LONGEST_LINE: usize = 32 << 20;

/// A linker that is a program.
///
/// It is started when it is first asked, and again when it ended. Its words are never seen by a shell.
pub struct ProgramLinker {
    info: LinkerInfo,
    command: Vec<String>,
    time_out: Duration,
    first_time_out: Duration,
    /// Whether it said who it is before it was asked.
    is_greeted: bool,
    /// It said so too late to be asked again.
    late: OnceLock<()>,
    running: Mutex<Option<Running>>,
}

impl ProgramLinker {
    /// The program of a declaration.
    pub fn declared(declaration: Declaration) -> Result<ProgramLinker, LinkerError> {
        let Talk::Program(command) = declaration.talk else {
            return Err(LinkerError::new("this is no local program"));
        };
        let (time_out, first_time_out) = (declaration.time_out, declaration.first_time_out);
        let mut info = LinkerInfo { concurrency: 1, ..declaration.info };
        info.settings.push(command_setting(&command));
        Ok(ProgramLinker { time_out, first_time_out, ..ProgramLinker::new(info, command) })
    }

    /// The program of a command line, whose offsets count in this unit unless it says otherwise itself.
    pub fn of_command(command: &str, unit: AnswerUnit) -> Result<ProgramLinker, LinkerError> {
        let words = split_command(command).map_err(|failure| LinkerError::new(failure.message))?;
        let mut info = LinkerInfo::named("process", "");
        (info.version, info.unit) = (None, unit);
        info.settings = vec![command_setting(&words)];
        Ok(ProgramLinker::new(info, words))
    }

    fn new(info: LinkerInfo, command: Vec<String>) -> ProgramLinker {
        ProgramLinker {
            info,
            command,
            time_out: Duration::from_secs(120),
            first_time_out: Duration::from_secs(600),
            is_greeted: false,
            late: OnceLock::new(),
            running: Mutex::new(None),
        }
    }

    /// Starts the program and waits a moment for its greeting, which says what it is like: its name and version, how it counts,
    /// how many questions it takes at once.
    pub fn greeted(mut self) -> Result<ProgramLinker, LinkFailure> {
        let running = Running::start(&self.command)?;
        let until = Instant::now() + GREETING;
        while let Ok(line) =
            running.lines.recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            if let Some(greeting) = Greeting::read(&line) {
                self.learn(greeting?);
                break;
            }
        }
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
        Ok(self)
    }

    fn learn(&mut self, greeting: Greeting) {
        self.is_greeted = true;
        if let Some(unit) = greeting.unit {
            self.info.unit = unit;
        }
        if let Some(batch) = greeting.batch {
            self.info.batch = batch.clamp(1, 10_000);
        }
        self.info.version = greeting.version.or(self.info.version.take());
        if let Some(name) = greeting.name {
            self.info.name = name;
        }
    }
}

/// The first line of a program that says who it is.
#[derive(Deserialize)]
struct Greeting {
    name: Option<String>,
    version: Option<String>,
    unit: Option<AnswerUnit>,
    batch: Option<usize>,
}

impl Greeting {
    /// The greeting that a line is; an answer or talk is none. One that cannot be read may say how the program counts.
    fn read(line: &str) -> Option<Result<Greeting, LinkFailure>> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
        object.contains_key("karat").then(|| {
            serde_json::from_str(line).map_err(|error| {
                let message =
                    format!("the line that says what the program is cannot be read: {error}");
                LinkFailure::new(FailureKind::Refused(0), message)
            })
        })
    }
}

/// A program was asked without knowing how it counts.
fn late() -> LinkFailure {
    let message = "the program said how it counts after it was asked; it has to say so first, before it loads a model";
    LinkFailure::new(FailureKind::Refused(0), message)
}

/// What the answers of a program depend on: its command. Runs are given away, so that paths and keys in it stay as a digest.
fn command_setting(words: &[String]) -> (String, String) {
    let program = words.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
    let digest = Digest::of_pieces(words.iter().map(String::as_bytes)).short();
    ("command".to_owned(), format!("{} {digest}", program.to_string_lossy()))
}

impl Linker for ProgramLinker {
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

impl Wire for ProgramLinker {
    fn request(&self, tasks: &[LinkTask<'_>]) -> Result<WireRequest, LinkFailure> {
        let lines = tasks.iter().map(|task| question_line(task, task.document, self.info.unit));
        Ok(WireRequest {
            method: LINE.to_owned(),
            url: self.info.name.clone(),
            content_type: String::new(),
            body: lines.collect::<Vec<_>>().join("\n"),
        })
    }

    fn send(&self, request: &WireRequest, is_first: bool) -> Result<WireAnswer, LinkFailure> {
        let begun = Instant::now();
        let mut slot = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Whatever goes wrong, the program is not in a state to be asked again: it is put back only after a good answer.
        let mut running = match slot.take() {
            Some(running) => running,
            None if self.late.get().is_some() => return Err(late()),
            None => Running::start(&self.command)?,
        };
        let time_out = if is_first { self.first_time_out } else { self.time_out };
        let lines = match running.ask(&request.body, begun + time_out, self.is_greeted) {
            Ok(lines) => lines,
            Err(failure) => {
                kill_group(&mut running.child);
                if failure == late() {
                    // It would be so again, after loading its model for every text.
                    let _ = self.late.set(());
                }
                return Err(failure);
            }
        };
        *slot = Some(running);
        let mut answer = WireAnswer { status: 0, body: lines.join("\n"), ..WireAnswer::default() };
        answer.times.all = begun.elapsed().as_secs_f64() * 1e3;
        answer.times.first = answer.times.all;
        Ok(answer)
    }

    fn read(
        &self,
        tasks: &[LinkTask<'_>],
        _: &WireRequest,
        answer: &WireAnswer,
    ) -> Vec<Result<LinkAnswer, LinkFailure>> {
        let malformed = |message: String| LinkFailure::new(FailureKind::Malformed, message);
        let mut read: Vec<Option<Result<LinkAnswer, LinkFailure>>> = vec![None; tasks.len()];
        for line in answer.body.lines() {
            let said = read_line(line).and_then(|(id, answer)| {
                let place = tasks.iter().position(|task| task.document == id);
                let place = place.ok_or_else(|| {
                    malformed(format!("it answers to `{id}`, which was not asked"))
                })?;
                match read[place].replace(answer) {
                    None => Ok(()),
                    Some(_) => Err(malformed(format!("it answers twice to `{id}`"))),
                }
            });
            if let Err(failure) = said {
                return vec![Err(failure); tasks.len()];
            }
        }
        let missing = || Err(malformed("it did not answer to this text".to_owned()));
        read.into_iter().map(|answer| answer.unwrap_or_else(missing)).collect()
    }
}

/// A program that was started.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    /// The lines that it writes, read on a thread of their own, so that waiting for one can end.
    lines: Receiver<String>,
}

impl Running {
    fn start(command: &[String]) -> Result<Running, LinkFailure> {
        let crashed = |message: String| LinkFailure::new(FailureKind::Crashed, message);
        let [program, arguments @ ..] = command else {
            return Err(crashed("the command is empty".to_owned()));
        };
        let mut starting = Command::new(program);
        starting.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A group of its own, so that what it starts ends with it.
            starting.process_group(0);
        }
        let mut child = starting
            .spawn()
            .map_err(|error| crashed(format!("`{program}` cannot be started: {error}")))?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output?);
            loop {
                let mut line = Vec::new();
                let length = std::io::Read::take(&mut output, LONGEST_LINE as u64)
                    .read_until(b'\n', &mut line);
                if length.ok().is_none_or(|length| length == 0) {
                    return Some(());
                }
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                if !line.is_empty() && send.send(line).is_err() {
                    return Some(());
                }
            }
        });
        Ok(Running { child, input, lines })
    }

    /// Writes questions and reads as many answers; lines that are no objects are talk. A program that was started again greets
    /// again; one that greets for the first time now was asked without knowing how it counts.
    fn ask(
        &mut self,
        questions: &str,
        until: Instant,
        is_greeted: bool,
    ) -> Result<Vec<String>, LinkFailure> {
        let expected = questions.lines().count();
        let ended = |message: &str| LinkFailure::new(FailureKind::Crashed, message);
        let input = self.input.as_mut().ok_or_else(|| ended("the program ended"))?;
        let written =
            input.write_all(format!("{questions}\n").as_bytes()).and_then(|()| input.flush());
        written.map_err(|_| ended("the program ended"))?;
        let mut answers = Vec::with_capacity(expected);
        while answers.len() < expected {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if !line.starts_with('{') => {}
                Ok(line) => match Greeting::read(&line) {
                    None => answers.push(line),
                    Some(_) if is_greeted => {}
                    Some(_) => return Err(late()),
                },
                Err(RecvTimeoutError::Timeout) => {
                    return Err(LinkFailure::new(
                        FailureKind::TimeOut,
                        "the program does not answer in time",
                    ));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ended("the program ended before it answered"));
                }
            }
        }
        Ok(answers)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Whoever reads to the end of its input ends by itself.
        drop(self.input.take());
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_group(&mut self.child);
    }
}

/// Ends a program and everything that it started.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    #[allow(unsafe_code)]
    {
        if let Ok(group) = i32::try_from(child.id()) {
            // SAFETY: `killpg` takes two numbers and no memory. The group is that of a child which was not waited for yet, so the
            // number cannot be anybody else's.
            unsafe {
                libc::killpg(group, libc::SIGKILL);
            }
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linker in a few lines of Python, which finds the word Bern.
    const PROGRAM: &str = r#"
import sys, json
print('{"karat":1,"name":"bern","version":"2","unit":"code-points","batch":2}', flush=True)
for line in sys.stdin:
    task = json.loads(line)
    if "crash" in task["text"]: sys.exit(3)
    if "sleep" in task["text"]:
        import time; time.sleep(60)
    print("loading", flush=True)
    at = task["text"].find("Bern")
    found = [] if at < 0 else [{"start": at, "end": at + 4, "id": "Q70"}]
    print(json.dumps({"id": task["id"], "mentions": found}), flush=True)
"#;

    fn program() -> (tempfile::TempDir, ProgramLinker) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my link.py");
        std::fs::write(&path, PROGRAM).unwrap();
        let command = format!("python3 '{}'", path.display());
        let linker = ProgramLinker::of_command(&command, AnswerUnit::Utf16).unwrap();
        let mut linker = linker.greeted().unwrap();
        linker.time_out = Duration::from_millis(1500);
        (folder, linker)
    }

    #[test]
    fn a_program_answers_and_is_started_again_when_it_ended_or_hangs() {
        let (_folder, linker) = program();
        let ask = |text: &str| linker.link(&[LinkTask::of_text("d1", text)]).remove(0);
        assert_eq!(ask("😀 Bern").unwrap().mentions[0].at, Some((2, 6)));
        assert_eq!(ask("crash").unwrap_err().kind, FailureKind::Crashed);
        assert_eq!(ask("in Bern").unwrap().mentions.len(), 1);
        assert_eq!(ask("sleep").unwrap_err().kind, FailureKind::TimeOut);
        assert!(ask("nothing").unwrap().mentions.is_empty());
    }

    #[test]
    fn a_program_says_how_it_counts_before_it_is_asked() {
        let (_folder, linker) = program();
        assert_eq!((linker.info.name.as_str(), linker.info.unit), ("bern", AnswerUnit::CodePoints));
        // As if it had loaded a model for longer than anybody waits.
        let command = linker.command.clone();
        let late =
            ProgramLinker { command, ..ProgramLinker::of_command("x", linker.info.unit).unwrap() };
        let failure = late.link(&[LinkTask::of_text("d1", "Bern")]).remove(0).unwrap_err();
        assert!(failure.message.contains("after it was asked"), "{failure}");
        assert_eq!(late.link(&[LinkTask::of_text("d2", "Thun")]), [Err(failure)]);
        assert!(Greeting::read(r#"{"karat":1,"unit":"utf-16"}"#).unwrap().is_err());
        assert!(Greeting::read(r#"{"id":"d1","mentions":[]}"#).is_none());
    }

    #[test]
    fn another_command_is_another_linker_and_its_words_stay_here() {
        let text = "name = \"mine\"\n[program]\ncommand = \"/home/ada/link --key sk-1\"";
        let declaration = Declaration::parse(text).unwrap();
        let declared = ProgramLinker::declared(declaration).unwrap();
        let given =
            ProgramLinker::of_command("/home/ada/link --key sk-2", AnswerUnit::Bytes).unwrap();
        let [one, two] = [&declared, &given].map(|linker| linker.info.settings[0].1.clone());
        assert!(one.starts_with("link ") && two.starts_with("link ") && one != two, "{one} {two}");
        assert!(!one.contains("sk-1") && !one.contains("ada"), "{one}");
    }

    #[test]
    fn answers_to_nobody_are_refused() {
        let (_folder, linker) = program();
        let tasks = [LinkTask::of_text("d1", "Bern"), LinkTask::of_text("d2", "")];
        let read = |body: &str| {
            let answer = WireAnswer { body: body.to_owned(), ..WireAnswer::default() };
            linker.read(&tasks, &WireRequest::default(), &answer)
        };
        let one = r#"{"id":"d1","mentions":[]}"#;
        let two = r#"{"id":"d2","mentions":[]}"#;
        assert!(read(&format!("{two}\n{one}")).iter().all(Result::is_ok), "in any order");
        assert!(read(&format!("{one}\n{one}"))[0].as_ref().unwrap_err().message.contains("twice"));
        let other = r#"{"id":"d3","mentions":[]}"#;
        assert!(read(other)[0].as_ref().unwrap_err().message.contains("not asked"));
        assert!(read(one)[1].is_err());
        assert!(
            ProgramLinker::of_command("no-such-program", AnswerUnit::Bytes)
                .unwrap()
                .link(&tasks[..1])[0]
                .is_err()
        );
    }
}
