//! All formats: finding the right one, reading, writing.

#[cfg(test)]
mod damaged;
mod sorting;

use self::sorting::Sorted;
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::lent;
use crate::notices::UsedOptions;
use crate::output::Output;
use crate::problem::{Findings, Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::repeated;
use crate::source::{Source, valid_lines};
use karat_model::{
    Change, Corpus, CorpusBuilder, DimensionCategory, Edit, Hint, Loss, Notice, OffsetUnit,
    Repeated, Vocabulary, Watch, closest,
};
use std::borrow::Cow;

/// The formats a program knows.
#[derive(Clone)]
pub struct Registry {
    formats: Vec<&'static dyn Format>,
}

/// What a reading gave.
#[derive(Debug, Default)]
pub struct ReadOutcome {
    /// The documents and annotations.
    pub corpus: Corpus,
    /// What was skipped or repaired.
    pub findings: Findings,
    /// What a reader of the corpus has to know; [`crate::notices::NOTICES`] are all that there are.
    pub notices: Vec<Notice>,
    /// Which options that describe files were of use.
    pub used: UsedOptions,
    /// The names of the formats that were read.
    pub formats: Vec<&'static str>,
    /// Files of a directory that no format claimed or used.
    pub ignored: Vec<String>,
    /// How the offsets of documents without text count; what is not said here counts code points.
    pub bare: Option<Offsets>,
}

impl ReadOutcome {
    /// What the offsets of documents without text count.
    pub fn unit(&self) -> OffsetUnit {
        self.bare.map_or(OffsetUnit::CodePoints, |offsets| offsets.unit)
    }
}

/// How much of a file is looked at to recognise its format.
pub(crate) const SAMPLE: u64 = 64 << 10;
/// So sure is a table that has the columns that were named.
const FITS: u8 = 50;
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
            let holding = self.names().filter(|other| other.contains(name));
            let holding = holding.min_by_key(|other| other.len());
            let meant = holding.or_else(|| closest(name, self.names()));
            let meant = meant.map(|meant| format!("did you mean `{meant}`? "));
            let hint = format!("{}`karat formats` lists all", meant.unwrap_or_default());
            Problem::new(Kind::Format, "", format!("no format is called `{name}`")).hint(hint)
        })
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.formats().map(|format| format.info().name)
    }

    /// The format that a file name suggests for writing.
    pub fn for_output(&self, path: &str) -> Option<&'static dyn Format> {
        self.for_output_of(path, &[])
    }

    /// The format that a file name suggests for writing what was read from these formats: of
    /// several that share an extension it is that of the input, if it came from one, and
    /// otherwise the first, as the registry lists the usual format first.
    pub fn for_output_of(&self, path: &str, formats: &[&str]) -> Option<&'static dyn Format> {
        let sample = Sample { name: path, bytes: &[], text: "", complete: true };
        // A file name never asks for a directory; those formats have to be named.
        let writable = self.formats().filter(|f| f.info().writes == Some(Layout::File));
        let suggested: Vec<(usize, &'static dyn Format)> = writable
            .filter_map(|format| {
                let extensions = format.info().extensions.iter();
                let fitting = extensions.filter(|e| sample.has_extension(e));
                // The longest extension decides: `.linked_articles.jsonl` says more than `.jsonl`.
                Some((fitting.map(|e| e.len()).max()?, format))
            })
            .collect();
        let longest = suggested.iter().map(|(length, _)| *length).max()?;
        let mut closest = suggested.iter().filter(|(length, _)| *length == longest);
        let is_input = |(_, format): &&(usize, &'static dyn Format)| {
            formats.len() == 1 && formats.contains(&format.info().name)
        };
        let found = closest.clone().find(is_input).or_else(|| closest.next());
        found.map(|(_, format)| *format)
    }

    /// The format of a file, judged by its content.
    pub fn detect(&self, source: &Source) -> Result<Detection, Problem> {
        self.detect_with(source, &ReadOptions::default())
    }

    /// The format of a file that is to be read like this: with columns named by
    /// the user, a table is meant.
    fn detect_with(&self, source: &Source, options: &ReadOptions) -> Result<Detection, Problem> {
        let head = source.head(SAMPLE)?;
        let kept: String;
        let text = match std::str::from_utf8(&head) {
            Ok(text) => text,
            // A character cut by the end of the sample is forgiven.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) if options.lenient && !head.iter().any(is_control) => {
                kept = valid_lines(&head).0;
                &kept
            }
            Err(_) => "",
        };
        let sample = Sample {
            name: source.file_name(),
            bytes: &head,
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            complete: (head.len() as u64) < SAMPLE,
        };
        let mut scores = self.scores(&sample, options);
        scores.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        match scores.as_slice() {
            [] => Ok(Detection::Unknown(unknown_format(source, &head, text))),
            [(best, format), rest @ ..] => {
                // Equal scores are an error and not a choice: reading a file as the wrong format
                // gives wrong numbers without a word.
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

    /// How sure each format is of a file; those that are not at all are left out. If the user named columns,
    /// a table that has them is meant. A file that is no such table is what it would be without them; only where it
    /// is nothing else, the reader of a table says which columns are missing.
    fn scores(&self, sample: &Sample<'_>, options: &ReadOptions) -> Vec<(u8, &'static dyn Format)> {
        let scored = |score: &dyn Fn(&'static dyn Format) -> u8| -> Vec<(u8, &'static dyn Format)> {
            let all = self.formats().map(|format| (score(format), format));
            all.filter(|&(score, _)| score > 0).collect()
        };
        if options.columns.is_empty() {
            return scored(&|format| format.detect(sample));
        }
        let mapped = |format: &dyn Format| format.detect_mapped(sample, &options.columns);
        // Only tables know columns. A table without these columns must not win over another format
        // just because it could be read as a table.
        let fitting = scored(&|format| mapped(format).filter(|&score| score >= FITS).unwrap_or(0));
        if !fitting.is_empty() {
            return fitting;
        }
        let others = scored(&|format| match mapped(format) {
            Some(_) if !options.columns_where_they_fit => 0,
            _ => format.detect(sample),
        });
        match others.is_empty() {
            true => scored(&|format| mapped(format).unwrap_or(0)),
            false => others,
        }
    }

    /// Whether a file of an input looks like one of this format. What a user says about one of several
    /// inputs is tried with this before the others are read that way.
    pub fn looks_like(
        &self,
        input: &Input,
        name: &str,
        options: &ReadOptions,
    ) -> Result<bool, Problem> {
        let only = Registry::new(&[self.named(name)?]);
        for source in input.sources() {
            if matches!(only.detect_with(source, options)?, Detection::Format(_)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads an input. `from` names the format; without it, each file is recognised.
    pub fn read(
        &self,
        input: &Input,
        from: Option<&str>,
        options: &ReadOptions,
    ) -> Result<ReadOutcome, Problem> {
        let Sorted { groups, unclaimed } = match from {
            Some(name) => self.as_named(input, name, options)?,
            None => self.group(input, options)?,
        };
        let mut whole = Reading::new(options);
        let (mut formats, mut bare) = (Vec::new(), None);
        for (format, files) in groups {
            // Where files stand alone, a document of two files is a mistake, and reading them one
            // by one is how it is noticed.
            let groups = match format.files_stand_alone() {
                true => files.chunks(1),
                false => files.chunks(files.len().max(1)),
            };
            for files in groups {
                let found = self.read_group(format, files, input, &mut whole)?;
                bare = bare.or(found);
            }
            formats.push(format.info().name);
        }
        // After reading, because only an empty result is suspicious.
        self.check_named(input, from, &whole)?;
        let mut ignored = Vec::new();
        for unclaimed in unclaimed {
            if whole.findings.is_used(unclaimed.source.name()) {
                continue;
            }
            if !self.is_meant(&unclaimed, &formats) {
                ignored.push(unclaimed.source.name().to_owned());
                continue;
            }
            let found = self.settle(unclaimed, &formats, input, &mut whole)?;
            bare = bare.or(found);
        }
        ignored.sort();
        let (corpus, findings) = (whole.corpus.finish(), whole.findings);
        let notices = findings.remarks.notices(&input.shown_name());
        let used = findings.remarks.used;
        Ok(ReadOutcome { corpus, findings, notices, used, formats, ignored, bare })
    }

    /// Reads files that belong together and adds what they hold. If there are documents
    /// without text left, says how their offsets count.
    fn read_group(
        &self,
        format: &'static dyn Format,
        files: &[Source],
        input: &Input,
        whole: &mut Reading<'_>,
    ) -> Result<Option<Offsets>, Problem> {
        let offsets = format.info().offsets.or(whole.options);
        whole.options.check(files.first().map_or("", Source::name))?;
        let strict = ReadOptions { strict: true, ..whole.options.clone() };
        let mut part = read_files(format, files, input, whole.options)?;
        if let Some(problem) = part.findings.placings.refusal() {
            match whole.options.lenient {
                // Parts that were sent already cannot be taken back.
                true if whole.options.parts.is_some() => {}
                // All that does not fit is skipped then.
                true => part = read_files(format, files, input, &strict)?,
                false => return Err(problem),
            }
        }
        part.recognise_nil();
        whole.findings.merge(part.findings, 0);
        let name = files.first().map_or("", Source::name);
        // Of several files only those formats that say so are known to give which document.
        whole.corpus.begin_source(if files.len() == 1 { name } else { "" });
        whole.corpus.begin_sources_of(&part.corpus);
        // Offsets that were translated are not those that the file has.
        let as_read = offsets.unit == OffsetUnit::CodePoints && format.lines_are_records();
        let file = files.first().filter(|_| as_read && files.len() == 1);
        let (unfinished, lent) = lend_texts(part.corpus, offsets, name, file, whole)?;
        let left = unfinished.bare_count() > lent.len();
        // Offsets of documents without text stay in the unit that they are said to count.
        if left || !lent.is_empty() {
            whole.unit(offsets);
        }
        let refused = whole.corpus.absorb_unfinished(unfinished, Repeated::Refuse);
        let again = |reading: &mut Reading<'_>| format.read(files, input, reading);
        repeated::report(refused, files, whole, again)?;
        set_texts(lent, whole);
        Ok(left.then_some(offsets))
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
        // After the restriction: what is not written cannot be mistaken for NIL when it is read.
        format.nil_words().check_written(&restricted)?;
        match output.vocabulary() {
            // A format that spells tags by itself takes them under one name.
            Some(_) if format.spells_tags() => {
                format.write(&respelled(&restricted, Vocabulary::El), output)?;
            }
            Some(vocabulary) => format.write(&respelled(&restricted, vocabulary), output)?,
            None => format.write(&restricted, output)?,
        }
        Ok(loss)
    }

    /// Writes a corpus to a path, all or nothing.
    pub fn write_to(
        &self,
        corpus: &Corpus,
        format: &'static dyn Format,
        path: &str,
    ) -> Result<Loss, WriteError> {
        self.write_spelled(corpus, format, path, None, &Watch::default())
    }

    /// Writes a corpus to a path, all or nothing, with category tags in the names of a vocabulary.
    /// Those that it has no name for keep theirs. Fails at the next block once the watch is cancelled.
    pub fn write_spelled(
        &self,
        corpus: &Corpus,
        format: &'static dyn Format,
        path: &str,
        vocabulary: Option<Vocabulary>,
        watch: &Watch,
    ) -> Result<Loss, WriteError> {
        let layout = format.info().writes.unwrap_or(Layout::File);
        let mut output = Output::create(path, layout)?.with_vocabulary(vocabulary).watched(watch);
        let loss = self.write(corpus, format, &mut output)?;
        output.commit()?;
        Ok(loss)
    }
}

/// Reads what lies in no file, a table in memory for instance. `fill` does what [`Format::read`] does
/// with files; `name` stands for the file in problems, and `offsets` are the custom that options may
/// override. What follows a reading is the same as for files: documents without text get that of
/// [`ReadOptions::documents`].
///
/// ```
/// use karat_formats::{Offsets, ReadOptions, read_in_memory};
/// use karat_model::{Link, Span};
///
/// let outcome = read_in_memory("mine", Offsets::CODE_POINTS, &ReadOptions::default(), |reading| {
///     reading.corpus.continue_document("d1");
///     let berlin = reading.corpus.intern("Q64");
///     reading.corpus.annotate(Span::new(0, 6), Link::to(berlin));
///     Ok(())
/// })?;
/// assert_eq!(outcome.corpus.annotations().len(), 1);
/// # Ok::<(), karat_formats::Problem>(())
/// ```
pub fn read_in_memory(
    name: &str,
    offsets: Offsets,
    options: &ReadOptions,
    fill: impl FnOnce(&mut Reading<'_>) -> Result<(), Problem>,
) -> Result<ReadOutcome, Problem> {
    let offsets = offsets.or(options);
    let mut part = Reading::new(options);
    part.corpus.begin_source(name);
    fill(&mut part)?;
    let mut whole = Reading::new(options);
    whole.findings.merge(part.findings, 0);
    whole.corpus.begin_source(name);
    let (unfinished, lent) = lend_texts(part.corpus, offsets, name, None, &mut whole)?;
    let left = unfinished.bare_count() > lent.len();
    // Nothing was there before, so no document is refused.
    let _ = whole.corpus.absorb_unfinished(unfinished, Repeated::Refuse);
    set_texts(lent, &mut whole);
    let (corpus, findings) = (whole.corpus.finish(), whole.findings);
    let bare = left.then_some(offsets);
    let (notices, used) = (findings.remarks.notices(name), findings.remarks.used);
    let (formats, ignored) = (Vec::new(), Vec::new());
    Ok(ReadOutcome { corpus, findings, notices, used, formats, ignored, bare })
}

/// The names of documents that have no text themselves, with the texts that others have for them.
type LentTexts<'o> = Vec<(String, &'o str)>;

/// What was read with its offsets in code points, without what does not fit the documents that the
/// user gave, and the texts of these for documents without one. `file` is where misfits are looked
/// for, to say their lines.
fn lend_texts<'o>(
    unfinished: CorpusBuilder,
    offsets: Offsets,
    name: &str,
    file: Option<&Source>,
    whole: &mut Reading<'o>,
) -> Result<(CorpusBuilder, LentTexts<'o>), Problem> {
    let Some(given) = whole.options.documents.as_deref() else {
        return Ok((unfinished, Vec::new()));
    };
    let mut part = unfinished.finish();
    if offsets.unit != OffsetUnit::CodePoints {
        let (moved, problems) = lent::in_code_points(&part, offsets.unit, given, name);
        problems.into_iter().try_for_each(|problem| whole.report(problem))?;
        part = moved;
    }
    let (fitting, misfits) = lent::fitting(&part, given, name);
    let problems = match file {
        Some(file) => lent::located(misfits, file, offsets.end)?,
        None => misfits.into_iter().map(|misfit| misfit.problem).collect(),
    };
    problems.into_iter().try_for_each(|problem| whole.report(problem))?;
    if let Cow::Owned(fitting) = fitting {
        part = fitting;
    }
    let lent = lent::texts(&part, given);
    Ok((CorpusBuilder::reopen(part), lent))
}

/// Gives documents without a text the one that they were lent.
fn set_texts(lent: Vec<(String, &str)>, whole: &mut Reading<'_>) {
    for (document, text) in lent {
        whole.corpus.continue_document(&document);
        if whole.corpus.text().is_none() {
            whole.corpus.set_text(text);
        }
    }
}

/// Reads files. Where lines are records, a lenient reading goes on without those that are not UTF-8.
fn read_files<'o>(
    format: &'static dyn Format,
    files: &[Source],
    input: &Input,
    options: &'o ReadOptions,
) -> Result<Reading<'o>, Problem> {
    let begun = || Reading { nil_words: format.nil_words(), ..Reading::new(options) };
    let mut part = begun();
    let problem = match format.read(files, input, &mut part) {
        Ok(()) => return Ok(part),
        Err(problem) => problem,
    };
    let named = files.iter().chain(input.sources()).find(|f| f.name() == problem.source_name);
    let problem = match named {
        Some(file) => file.behind(problem),
        None => problem,
    };
    // Parts that were sent already cannot be taken back.
    let again = options.lenient && options.parts.is_none() && format.lines_are_records();
    if problem.kind != Kind::Encoding || !again {
        return Err(problem);
    }
    let mended: Vec<(Source, Vec<Problem>)> =
        files.iter().map(Source::without_bad_lines).collect::<Result<_, _>>()?;
    let sources: Vec<Source> = mended.iter().map(|(source, _)| source.clone()).collect();
    let mut part = begun();
    format.read(&sources, input, &mut part)?;
    // Problems were found in a file without its bad lines, so their line numbers are moved past
    // those.
    for (source, problems) in mended {
        let place = |problem: &Problem| problem.place.as_ref().map(|place| place.line);
        let lines: Vec<u64> = problems.iter().filter_map(place).collect();
        part.findings.make_room(source.name(), &lines);
        problems.into_iter().try_for_each(|problem| part.report(problem))?;
    }
    Ok(part)
}

/// A corpus with its category tags in the names of a vocabulary.
fn respelled(corpus: &Corpus, vocabulary: Vocabulary) -> Corpus {
    let spelled = |tag: &str| match DimensionCategory::of(tag) {
        Some(category) => category.tag(vocabulary),
        None => tag.to_owned(),
    };
    corpus.edit(|mention| match mention.tags().next() {
        Some(_) => Edit::Change(Change::tags(mention.tags().map(spelled))),
        None => Edit::Keep,
    })
}

/// What a file seems to be.
pub enum Detection {
    /// Of this format.
    Format(&'static dyn Format),
    /// Of one of these, with equal right.
    Several(Vec<&'static str>),
    /// Of none, and why.
    Unknown(Problem),
}

/// A byte that no text holds.
fn is_control(byte: &u8) -> bool {
    *byte < b' ' && !byte.is_ascii_whitespace()
}

/// What is said of a text of no format.
const UNKNOWN: &str = "not a format karat knows";

/// Why the beginning of a file is of no format.
fn unknown_format(source: &Source, head: &[u8], text: &str) -> Problem {
    if head.is_empty() {
        return Problem::new(Kind::Format, source.name(), "the file is empty")
            .hint(Hint::template("name its format with {from} if it is meant to be"));
    }
    if let Some(problem) = source.utf16_problem(head) {
        return problem;
    }
    if text.is_empty() && !head.iter().any(is_control) {
        return source.not_utf8(head);
    }
    let message = if text.is_empty() { "not a format karat knows, and not text" } else { UNKNOWN };
    Problem::new(Kind::Format, source.name(), message).hint(Hint::template(
        "`karat formats` lists what can be read; name the format with {from} to see where this file departs from it",
    ))
}

fn quoted_list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}
