//! Requests as command lines.
//!
//! A page shows the command that gives its numbers, and a person pastes it into a terminal. So a request knows how to
//! say itself as a command line ([`Request::commands`](crate::request::Request::commands)), with everything that was
//! asked: a front end that puts words together by itself forgets a setting, and then the numbers are others. The command
//! line holds itself to this: its tests read what is worded here back into the same request.

use crate::convention::ConventionRequest;
use crate::inputs::{DocumentsBy, FileDescription, InputRequest, Inputs, ReadingRequest};
use crate::scoring::DrawingRequest;
use std::fmt::{self, Display};

/// A command line, word by word. It is displayed as a shell takes it.
///
/// ```
/// use karat::request::Request;
/// use karat::inputs::{InputRequest, Inputs};
/// use karat::scoring::EvaluationRequest;
///
/// let gold = vec![InputRequest::parse("gold.tsv")];
/// let systems = vec![InputRequest::parse("my system=mine.tsv")];
/// let request = EvaluationRequest {
///     inputs: Inputs { gold, systems, ..Inputs::default() },
///     measures: vec!["link".to_owned(), "mention.f1".to_owned()],
///     convention: "gerbil;match=overlap".parse()?,
///     ..EvaluationRequest::default()
/// };
/// let commands: Vec<String> = request.commands().iter().map(ToString::to_string).collect();
/// assert_eq!(commands, [
///     "karat eval -g gold.tsv -s 'my system=mine.tsv' --preset gerbil --set match=overlap -m link,mention.f1"
/// ]);
/// # Ok::<(), karat::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    words: Vec<String>,
}

impl CommandLine {
    /// A command of karat, as `eval` or `collection stats`.
    pub fn of(command: &str) -> CommandLine {
        let words = ["karat"].into_iter().chain(command.split(' '));
        CommandLine { words: words.map(str::to_owned).collect() }
    }

    /// Its words; the first is the name of the program.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The command with arguments that need no option.
    #[must_use]
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = String>) -> CommandLine {
        self.words.extend(arguments);
        self
    }

    /// The command with an option and its value.
    #[must_use]
    pub fn option(mut self, flag: &str, value: impl Display) -> CommandLine {
        let value = value.to_string();
        match value.starts_with('-') {
            // What begins with a minus would be taken for another option.
            true => self.words.push(format!("{flag}={value}")),
            false => self.words.extend([flag.to_owned(), value]),
        }
        self
    }

    /// The same if there is a value.
    #[must_use]
    pub fn maybe(self, flag: &str, value: Option<impl Display>) -> CommandLine {
        match value {
            Some(value) => self.option(flag, value),
            None => self,
        }
    }

    /// The same for each value.
    #[must_use]
    pub fn each(self, flag: &str, values: impl IntoIterator<Item = impl Display>) -> CommandLine {
        values.into_iter().fold(self, |command, value| command.option(flag, value))
    }

    /// The same for several values as one, if there are any.
    #[must_use]
    pub fn list(self, flag: &str, values: &[String]) -> CommandLine {
        self.maybe(flag, (!values.is_empty()).then(|| values.join(",")))
    }

    /// The same if it is not the value that everybody gets who says nothing.
    #[must_use]
    pub fn unusual<T: Display + PartialEq>(self, flag: &str, value: T, usual: T) -> CommandLine {
        self.maybe(flag, (value != usual).then_some(value))
    }

    /// The command with an option that has two values.
    #[must_use]
    pub fn pair(mut self, flag: &str, values: [&String; 2]) -> CommandLine {
        self.words.push(flag.to_owned());
        self.words.extend(values.map(String::clone));
        self
    }

    /// The command with an option that has no value, where it is switched on.
    #[must_use]
    pub fn switch(mut self, flag: &str, is_on: bool) -> CommandLine {
        self.words.extend(is_on.then(|| flag.to_owned()));
        self
    }

    /// The command about gold and systems.
    #[must_use]
    pub(crate) fn inputs(self, inputs: &Inputs) -> CommandLine {
        let Inputs { gold, systems, unified, sentences, documents_by, reading } = inputs;
        self.each("-g", gold.iter().map(InputRequest::written))
            .each("-s", systems.iter().map(InputRequest::written))
            .switch("--unified", *unified)
            .maybe("--sentences", sentences.as_ref())
            .unusual("--documents-by", documents_by.name(), DocumentsBy::default().name())
            .reading(reading, gold.iter().chain(systems))
    }

    /// The command with how files are read: all of them, and each of these.
    #[must_use]
    pub(crate) fn reading<'i>(
        self,
        reading: &ReadingRequest,
        inputs: impl IntoIterator<Item = &'i InputRequest>,
    ) -> CommandLine {
        // Whether offsets decide is for who checks files, and no flag.
        let ReadingRequest { describe, lenient, strict, documents, list_all, offsets_decide: _ } =
            reading;
        let of_all = self.description(describe, None);
        let each = |command: CommandLine, input: &InputRequest| {
            let patches = input.patches.iter().map(|patch| format!("{}={patch}", input.called()));
            command.description(&input.describe, Some(&input.called())).each("--patch", patches)
        };
        inputs
            .into_iter()
            .fold(of_all, each)
            .switch("--lenient", *lenient)
            .switch("--strict", *strict)
            .maybe("--documents", documents.as_ref())
            .switch("--verbose", *list_all)
    }

    fn description(self, describe: &FileDescription, input: Option<&str>) -> CommandLine {
        let FileDescription { from, unit, end, columns, shift } = describe;
        let said = |value: String| match input {
            Some(input) => format!("{input}={value}"),
            None => value,
        };
        let pairs = columns.iter().map(|(name, column)| format!("{name}={column}"));
        let columns = pairs.collect::<Vec<_>>().join(",");
        let columns = match input {
            Some(input) if !columns.is_empty() => format!("{input}:{columns}"),
            _ => columns,
        };
        self.maybe("--from", from.clone().map(said))
            .maybe("--unit", unit.map(|unit| said(unit.name().to_owned())))
            .maybe("--end", end.map(|end| said(end.to_string())))
            .maybe("--columns", (!columns.is_empty()).then_some(columns))
            .maybe("--shift", shift.map(|shift| said(shift.to_string())))
    }

    /// The command under a convention.
    #[must_use]
    pub(crate) fn convention(self, convention: &ConventionRequest) -> CommandLine {
        let ConventionRequest { preset, settings, redirects, kb } = convention;
        let set = settings.0.iter().map(|(name, value)| format!("{name}={value}"));
        self.unusual("--preset", preset, &ConventionRequest::default().preset)
            .each("--set", set)
            .maybe("--redirects", redirects.as_ref())
            .maybe("--kb", kb.as_ref())
    }

    /// The command with how documents are drawn again.
    #[must_use]
    pub(crate) fn drawing(self, drawing: &DrawingRequest) -> CommandLine {
        let usual = DrawingRequest::default();
        let DrawingRequest { trials, seed, level, interval, strata, clusters } = drawing;
        self.maybe("--trials", trials.as_ref())
            .unusual("--seed", *seed, usual.seed)
            .unusual("--level", *level, usual.level)
            .unusual("--interval", interval, &usual.interval)
            .maybe("--strata", strata.as_ref())
            .maybe("--clusters", clusters.as_ref())
    }
}

/// The line as it is typed into a shell.
impl Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        f.write_str(&words.join(" "))
    }
}

/// A word of a command, in quotes if a shell would not take it as it is.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=@,:+%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
