//! All formats: finding the right one, reading, writing.

use crate::format::{Format, Info, Layout, Sample, WriteError};
use crate::input::Input;
use crate::lent;
use crate::output::Output;
use crate::problem::{Findings, Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::Source;
use karat_model::{Corpus, Loss, Repeated};

/// The formats a program knows.
#[derive(Clone)]
pub struct Registry {
    formats: Vec<&'static dyn Format>,
}

/// What a reading gave.
#[derive(Debug)]
pub struct Outcome {
    /// The documents and annotations.
    pub corpus: Corpus,
    /// What was skipped or repaired.
    pub findings: Findings,
    /// The names of the formats that were read.
    pub formats: Vec<&'static str>,
    /// Files of a directory that no format claimed or used.
    pub ignored: Vec<String>,
}

/// How much of a file is looked at to recognise its format.
const SAMPLE: u64 = 64 << 10;
/// How much of it to recognise its encoding.
const UTF16_SAMPLE: u64 = 4 << 10;

impl Registry {
    /// A registry of these formats.
    pub fn new(formats: &[&'static dyn Format]) -> Registry {
        Registry { formats: formats.to_vec() }
    }

    /// This registry with more formats.
    #[must_use]
    pub fn with(mut self, formats: &[&'static dyn Format]) -> Registry {
        self.formats.extend(formats);
        self
    }

    /// All formats, in the order of the registry.
    pub fn formats(&self) -> impl Iterator<Item = &'static dyn Format> {
        self.formats.iter().copied()
    }

    /// The format with this name.
    pub fn find(&self, name: &str) -> Option<&'static dyn Format> {
        self.formats().find(|format| format.info().name == name)
    }

    /// The format with this name, or a problem that lists the names there are.
    pub fn named(&self, name: &str) -> Result<&'static dyn Format, Problem> {
        self.find(name).ok_or_else(|| {
            // A name that holds what was typed is closer than one that is merely short.
            let key = |other: &&str| (!other.contains(name), distance(name, other));
            let closest = self.names().min_by_key(key);
            let hint = format!(
                "did you mean `{}`? `karat formats` lists all",
                closest.unwrap_or_default()
            );
            Problem::new(Kind::Format, "", format!("no format is called `{name}`")).hint(hint)
        })
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.formats().map(|format| format.info().name)
    }

    /// The format that a file name suggests for writing.
    pub fn for_output(&self, path: &str) -> Option<&'static dyn Format> {
        let sample = Sample { name: path, bytes: &[], text: "", complete: true };
        // A file name never asks for a directory; those formats are named with --to.
        let writable = self.formats().filter(|f| f.info().writes == Some(Layout::File));
        writable
            .filter_map(|format| {
                let extensions = format.info().extensions.iter();
                let longest =
                    extensions.filter(|e| sample.has_extension(e)).map(|e| e.len()).max()?;
                Some((longest, format))
            })
            // The first of the longest: the registry lists the usual format first.
            .fold(None, |best: Option<(usize, &'static dyn Format)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            })
            .map(|(_, format)| format)
    }

    /// The format of a file, judged by its content.
    pub fn detect(&self, source: &Source) -> Result<Detection, Problem> {
        self.detect_with(source, &ReadOptions::default())
    }

    /// The format of a file that is to be read like this: with columns named by
    /// the user, a table is meant.
    fn detect_with(&self, source: &Source, options: &ReadOptions) -> Result<Detection, Problem> {
        let head = source.head(SAMPLE)?;
        let text = match std::str::from_utf8(&head) {
            Ok(text) => text,
            // Only a character cut by the end of the sample is forgiven.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => "",
        };
        let sample = Sample {
            name: source.file_name(),
            bytes: &head,
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            complete: (head.len() as u64) < SAMPLE,
        };
        let mut scores: Vec<(u8, &'static dyn Format)> = self
            .formats()
            .map(|format| match options.columns.is_empty() {
                true => (format.detect(&sample), format),
                false => (format.detect_mapped(&sample, &options.columns), format),
            })
            .filter(|&(score, _)| score > 0)
            .collect();
        scores.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        match scores.as_slice() {
            [] => Ok(Detection::Unknown(unknown_format(source, &head, text))),
            [(best, format), rest @ ..] => {
                let rivals: Vec<&'static str> = rest
                    .iter()
                    .take_while(|(score, _)| score == best)
                    .map(|(_, rival)| rival.info().name)
                    .collect();
                if rivals.is_empty() {
                    Ok(Detection::Format(*format))
                } else {
                    let mut names = vec![format.info().name];
                    names.extend(rivals);
                    Ok(Detection::Several(names))
                }
            }
        }
    }

    /// Reads an input. `from` names the format; without it, each file is recognised.
    pub fn read(
        &self,
        input: &Input,
        from: Option<&str>,
        options: &ReadOptions,
    ) -> Result<Outcome, Problem> {
        let (groups, mut ignored) = match from {
            Some(name) => self.as_named(input, name, options)?,
            None => self.group(input, options)?,
        };
        let mut whole = Reading::new(options);
        let mut formats = Vec::new();
        for (format, files) in groups {
            let groups = match format.files_stand_alone() {
                true => files.chunks(1),
                false => files.chunks(files.len().max(1)),
            };
            for files in groups {
                self.read_group(format, files, input, &mut whole)?;
            }
            formats.push(format.info().name);
        }
        self.check_named(input, from, &whole)?;
        ignored.retain(|name| !whole.findings.is_used(name));
        ignored.sort();
        Ok(Outcome { corpus: whole.corpus.finish(), findings: whole.findings, formats, ignored })
    }

    /// Reads files that belong together and adds what they hold.
    fn read_group(
        &self,
        format: &'static dyn Format,
        files: &[Source],
        input: &Input,
        whole: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut part = Reading::new(whole.options);
        format.read(files, input, &mut part)?;
        whole.findings.merge(part.findings, 0);
        let name = files.first().map_or("", Source::name);
        // Of several files only those formats that say so are known to give which document.
        whole.corpus.begin_source(if files.len() == 1 { name } else { "" });
        whole.corpus.begin_sources_of(&part.corpus);
        let part = part.corpus.finish();
        let lent = lent::texts(&part, format.info(), name, whole.options);
        for duplicate in whole.corpus.absorb(part, Repeated::Refuse) {
            whole.report(crate::block::refused_document(name, &duplicate))?;
        }
        for text in lent {
            let Some((document, text)) = whole.accept(text)? else { continue };
            whole.corpus.continue_document(&document);
            if whole.corpus.text().is_none() {
                whole.corpus.set_text(text);
            }
        }
        Ok(())
    }

    /// A format the user named that finds nothing where another would is a mistake.
    fn check_named(
        &self,
        input: &Input,
        from: Option<&str>,
        whole: &Reading<'_>,
    ) -> Result<(), Problem> {
        let (Some(from), [source]) = (from, input.sources()) else { return Ok(()) };
        if !whole.corpus.has_no_annotations() || !whole.findings.is_empty() {
            return Ok(());
        }
        match self.read(input, None, whole.options) {
            Ok(other) if !other.corpus.annotations().is_empty() => {
                let likely = other.formats.join(", ");
                let message = format!("read as `{from}`, this file has no annotations");
                Err(Problem::new(Kind::Format, source.name(), message)
                    .hint(format!("read as `{likely}` it has; leave --from out or name that")))
            }
            _ => Ok(()),
        }
    }

    /// The files of an input that are of a format the user named, and the others.
    fn as_named(
        &self,
        input: &Input,
        name: &str,
        options: &ReadOptions,
    ) -> Result<Groups, Problem> {
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
                others.push(source.name().to_owned());
            }
        }
        if files.is_empty() {
            (files, others) = (input.sources().to_vec(), Vec::new());
        }
        Ok((vec![(format, files)], others))
    }

    /// The files of an input by their recognised formats, and those of no format.
    fn group(&self, input: &Input, options: &ReadOptions) -> Result<Groups, Problem> {
        let mut groups: Vec<Group> = Vec::new();
        let mut unknown = Vec::new();
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
                    let message = format!("this could be {}", quoted_list(&names));
                    return Err(Problem::new(Kind::Format, source.name(), message)
                        .hint(format!(
                            "say which with --from, for instance `--from {}`; `karat formats NAME` describes one",
                            names[0]
                        )));
                }
                Detection::Unknown(problem) => unknown.push(problem),
            }
        }
        if groups.is_empty() && !unknown.is_empty() {
            return Err(unknown.swap_remove(0));
        }
        Ok((groups, unknown.into_iter().map(|problem| problem.source_name).collect()))
    }

    /// Writes a corpus and says what the format could not hold.
    pub fn write(
        &self,
        corpus: &Corpus,
        format: &'static dyn Format,
        output: &mut Output,
    ) -> Result<Loss, WriteError> {
        let info: &Info = format.info();
        if info.writes.is_none() {
            return Err(WriteError::NotWritable(info.name));
        }
        let (restricted, loss) = corpus.restricted(&info.keeps);
        if info.needs_text
            && let Some(document) =
                restricted.documents().find(|document| document.text().is_none())
        {
            let document = document.name().to_owned();
            return Err(WriteError::NoText { format: info.name, document });
        }
        format.write(&restricted, output)?;
        Ok(loss)
    }

    /// Writes a corpus to a path, all or nothing.
    pub fn write_to(
        &self,
        corpus: &Corpus,
        format: &'static dyn Format,
        path: &str,
    ) -> Result<Loss, WriteError> {
        let layout = format.info().writes.unwrap_or(Layout::File);
        let mut output = Output::create(path, layout)?;
        let loss = self.write(corpus, format, &mut output)?;
        output.commit()?;
        Ok(loss)
    }
}

type Group = (&'static dyn Format, Vec<Source>);
/// Files by format, and the names of those of none.
type Groups = (Vec<Group>, Vec<String>);

/// What a file seems to be.
pub enum Detection {
    /// Of this format.
    Format(&'static dyn Format),
    /// Of one of these, with equal right.
    Several(Vec<&'static str>),
    /// Of none, and why.
    Unknown(Problem),
}

/// Why the beginning of a file is of no format.
fn unknown_format(source: &Source, head: &[u8], text: &str) -> Problem {
    if head.is_empty() {
        return Problem::new(Kind::Format, source.name(), "the file is empty")
            .hint("name its format with --from if it is meant to be");
    }
    if let Some(problem) = source.utf16_problem(head) {
        return problem;
    }
    let control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
    if text.is_empty() && !head.iter().any(control) {
        return source.not_utf8(head);
    }
    let message = if text.is_empty() {
        "not a format karat knows, and not text"
    } else {
        "not a format karat knows"
    };
    Problem::new(Kind::Format, source.name(), message).hint(
        "`karat formats` lists what can be read; name the format with --from to see where this file departs from it",
    )
}

fn quoted_list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// Edit distance, for suggestions.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
