//! Which file of an input is read as what, and what becomes of those that are of no format.

use super::{Detection, Registry, SAMPLE, UNKNOWN, UTF16_SAMPLE, quoted_list};
use crate::format::{Format, Offsets, Sample, has_extension};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::Source;
use karat_model::Hint;

type Group = (&'static dyn Format, Vec<Source>);

/// The files of an input.
pub(super) struct Sorted {
    /// By format.
    pub(super) groups: Vec<Group>,
    /// Those of none.
    pub(super) unclaimed: Vec<Unclaimed>,
}

/// A file of no format, which may yet belong to another file.
pub(super) struct Unclaimed {
    pub(super) source: Source,
    why: Why,
}

enum Why {
    /// It does not look like the format that the user named.
    NotAs(&'static dyn Format),
    /// Nobody knows it.
    Unknown(Problem),
}

/// How files that accompany a corpus are called.
const ABOUT: [&str; 8] =
    ["readme", "license", "licence", "copying", "notice", "citation", "changelog", "checksums"];

impl Registry {
    /// A format the user named that finds nothing where another would is a mistake.
    pub(super) fn check_named(
        &self,
        input: &Input,
        from: Option<&str>,
        whole: &Reading<'_>,
    ) -> Result<(), Problem> {
        // Only a single file: in a folder, files of other formats are no surprise.
        let (Some(from), [source]) = (from, input.sources()) else { return Ok(()) };
        if !whole.corpus.has_no_annotations() || !whole.findings.is_empty() {
            return Ok(());
        }
        match self.read(input, None, whole.options) {
            Ok(other) if !other.corpus.annotations().is_empty() => {
                let likely = other.formats.join(", ");
                let message = format!("read as `{from}`, this file has no annotations");
                Err(Problem::new(Kind::Format, source.name(), message).hint(
                    Hint::from(format!("read as `{likely}` it has; leave "))
                        .then(Hint::template("{from} out or name that")),
                ))
            }
            _ => Ok(()),
        }
    }

    /// The files of an input that are of a format the user named, and the others.
    pub(super) fn as_named(
        &self,
        input: &Input,
        name: &str,
        options: &ReadOptions,
    ) -> Result<Sorted, Problem> {
        let format = self.named(name)?;
        // Its zero bytes are valid UTF-8, so no reader would say what is wrong.
        if let [source] = input.sources()
            && let Some(problem) = source.utf16_problem(&source.head(UTF16_SAMPLE)?)
        {
            return Err(problem);
        }
        let only = Registry::new(&[format]);
        let (mut files, mut others) = (Vec::new(), Vec::new());
        for source in input.sources() {
            if input.sources().len() == 1
                || matches!(only.detect_with(source, options)?, Detection::Format(_))
            {
                files.push(source.clone());
            } else {
                others.push(Unclaimed { source: source.clone(), why: Why::NotAs(format) });
            }
        }
        // Nothing looks like the format that was named. It is read all the same, to say what is
        // wrong with it.
        if files.is_empty() {
            (files, others) = (input.sources().to_vec(), Vec::new());
        }
        Ok(Sorted { groups: vec![(format, files)], unclaimed: others })
    }

    /// The files of an input by their recognised formats, and those of no format.
    pub(super) fn group(&self, input: &Input, options: &ReadOptions) -> Result<Sorted, Problem> {
        let mut groups: Vec<Group> = Vec::new();
        let mut unclaimed = Vec::new();
        for source in input.sources() {
            match self.detect_with(source, options)? {
                Detection::Format(format) => {
                    let name = format.info().name;
                    match groups.iter_mut().find(|(known, _)| known.info().name == name) {
                        Some((_, files)) => files.push(source.clone()),
                        None => groups.push((format, vec![source.clone()])),
                    }
                }
                Detection::Several(names) => {
                    // A damaged file may look like several formats; then the damage is the problem.
                    if let Some(damage) = source.damage() {
                        return Err(damage);
                    }
                    let message = format!("this could be {}", quoted_list(&names));
                    return Err(Problem::new(Kind::Format, source.name(), message).hint(
                        Hint::template("say which with {from}, for instance `")
                            .setting("from", names[0])
                            .text("`; `karat formats NAME` describes one"),
                    ));
                }
                Detection::Unknown(problem) => {
                    unclaimed
                        .push(Unclaimed { source: source.clone(), why: Why::Unknown(problem) });
                }
            }
        }
        Ok(Sorted { groups, unclaimed })
    }

    /// Whether a file of no format was meant to be read: one that the user named is, and of
    /// those found in a directory one that is called like the files of a format read there.
    pub(super) fn is_meant(&self, file: &Unclaimed, formats: &[&'static str]) -> bool {
        let Unclaimed { source, why } = file;
        if !source.is_found() || formats.is_empty() {
            return true;
        }
        let stem = source.stem().to_ascii_lowercase();
        if ABOUT.iter().any(|about| stem.starts_with(about)) {
            return false;
        }
        match why {
            Why::NotAs(format) => is_called_like(source, *format),
            Why::Unknown(_) => self.beside(source, formats).is_some(),
        }
    }

    /// The format that files beside this one were read as and that has files called like it.
    fn beside(&self, source: &Source, formats: &[&'static str]) -> Option<&'static dyn Format> {
        let mut read = formats.iter().filter_map(|name| self.find(name));
        read.find(|&format| is_called_like(source, format))
    }

    /// Reads a file as what the user says it is, or says why it cannot be read.
    pub(super) fn settle(
        &self,
        file: Unclaimed,
        formats: &[&'static str],
        input: &Input,
        whole: &mut Reading<'_>,
    ) -> Result<Option<Offsets>, Problem> {
        let Unclaimed { source, why } = file;
        match why {
            Why::NotAs(format) => {
                if let Some(problem) = source.utf16_problem(&source.head(UTF16_SAMPLE)?) {
                    return Err(problem);
                }
                self.read_group(format, std::slice::from_ref(&source), input, whole)
            }
            Why::Unknown(problem) => {
                let explained = || self.explained(problem, &source, formats, input, whole.options);
                let problem = source.damage().unwrap_or_else(explained);
                // Where there is nothing else, nothing would be left to go on with.
                match formats {
                    [] => Err(problem),
                    _ => whole.report(problem).map(|()| None),
                }
            }
        }
    }

    /// The format whose reader says best what is wrong with a file.
    fn explaining(&self, source: &Source) -> Option<&'static dyn Format> {
        let head = source.head(SAMPLE).ok()?;
        let text = std::str::from_utf8(&head).unwrap_or_else(|error| {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        });
        let complete = (head.len() as u64) < SAMPLE;
        let sample = Sample { name: source.file_name(), bytes: &head, text, complete };
        self.formats().find(|format| format.explains(&sample))
    }

    /// Says what the format that the name of a file suggests finds wrong with it, of several the
    /// one that files beside it were read as.
    fn explained(
        &self,
        unknown: Problem,
        source: &Source,
        formats: &[&'static str],
        input: &Input,
        options: &ReadOptions,
    ) -> Problem {
        // Other problems (an empty file, UTF-16) already say what is wrong.
        if unknown.message != UNKNOWN {
            return unknown;
        }
        let suggested = self
            .explaining(source)
            .or_else(|| self.beside(source, formats))
            .or_else(|| self.for_output(source.file_name()));
        let suggested = suggested.filter(|_| options.columns.is_empty());
        let Some(format) = suggested else { return unknown };
        // Strict, so that the first problem is told; and silent, because nothing of it is kept.
        let strict = ReadOptions { lenient: false, parts: None, progress: None, ..options.clone() };
        let read = format.read(std::slice::from_ref(source), input, &mut Reading::new(&strict));
        // What is in some place, or that the columns of a table are unknown.
        let tells = |problem: &Problem| problem.place.is_some() || problem.kind == Kind::Format;
        let Some(problem) = read.err().filter(tells) else { return unknown };
        let message = format!("{UNKNOWN}; read as `{}`: {}", format.info().name, problem.message);
        let hint = problem.hint.map(|hint| hint.text("; ")).unwrap_or_default();
        // A file that was cut off in its first record is one whose end is missing, whatever it was.
        let kind = match problem.kind {
            Kind::Truncated => Kind::Truncated,
            _ => unknown.kind,
        };
        Problem { kind, message, place: problem.place, ..unknown }.hint(hint.then(Hint::template(
            "if this is another format, name it with {from}; `karat formats` lists them",
        )))
    }
}

/// Whether files of a format are called like this one.
fn is_called_like(source: &Source, format: &dyn Format) -> bool {
    let mut extensions = format.info().extensions.iter();
    extensions.any(|end| has_extension(source.file_name(), end))
}
