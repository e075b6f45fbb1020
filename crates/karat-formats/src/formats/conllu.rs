//! CoNLL-U: entities in brackets in the last column, as in GUM and CorefUD, or links on tokens.

mod brackets;
mod links;
#[cfg(test)]
mod tests;

use self::brackets::{Brackets, Fields};
use self::links::Links;
use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::fragments::FRAGMENTS;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use crate::syntax::token_rows::TokenText;
use karat_model::{CorpusBuilder, Features, Link, Restriction, Span};
use std::cmp::Reverse;

/// The format.
#[derive(Debug)]
pub(crate) struct Conllu;

const HINT: &str =
    "a row has ten columns between tabs: id, form, ..., and in the last `Entity=` or `_`";
const COLUMNS: usize = 10;
const FORM: usize = 1;
const MISC: usize = 9;
const NEW_DOCUMENT: &str = "newdoc id";
const FIELDS: &str = "global.Entity";

static INFO: Info = Info {
    name: "conllu",
    title: "CoNLL-U with entities",
    about: "Universal Dependencies, whose last column has `Entity=` in the manner of GUM and CorefUD: `(1-person-...-Lord_Byron` opens and `1)` closes, and \
            `# global.Entity` says which part is what. `etype` (or `entity`) is the type, `identity` the link, and the number of the chain is kept as `group`; mentions of \
            several parts are kept as `fragments`. Else tokens with `Wikidata=`, `Wikipedia=` or `Link=` are mentions, whole with \
            `NER=B-PER` and the like. `# newdoc id` names a document, else the file does. The text is the forms, with a space where there is no `SpaceAfter=No`. Syntax, bridging, \
            split antecedents and empty nodes are not read.",
    reference: "universaldependencies.org/format.html; CorefUD; GUM",
    extensions: &["conllu"],
    offsets: Offsets::TOKENS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::SENTENCES)
            .union(Features::UNLINKED)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &["group", FRAGMENTS],
    },
};

impl Format for Conllu {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let rows = sample.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let (mut fit, mut not) = (0, 0);
        for row in rows.take(50) {
            let is_row = row.split('\t').count() == COLUMNS
                && row.starts_with(|c: char| c.is_ascii_digit())
                && row.split('\t').next().is_some_and(|id| Id::parse(id).is_some());
            match is_row {
                true => fit += 1,
                false => not += 1,
            }
        }
        match fit {
            0 => 0,
            _ if not > fit => 0,
            _ if not == 0 || sample.text.contains("# sent_id") => 90,
            _ => 60,
        }
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let text = file.text()?;
            let mut state = State::default();
            for line in text.as_str().lines() {
                state.line(file, &text, line, reading)?;
            }
            state.finish(&text, reading)?;
        }
        Ok(())
    }
}

/// The number of a row.
enum Id {
    Word(u32),
    /// Words that are written as one.
    Range(u32),
    /// A word that is not written.
    Empty,
}

impl Id {
    fn parse(id: &str) -> Option<Id> {
        if let Some((first, last)) = id.split_once('-') {
            first.parse::<u32>().ok()?;
            return last.parse().ok().map(Id::Range);
        }
        if let Some((word, number)) = id.split_once('.') {
            let (_, _): (u32, u32) = (word.parse().ok()?, number.parse().ok()?);
            return Some(Id::Empty);
        }
        id.parse().ok().map(Id::Word)
    }
}

/// What was read of a file so far.
#[derive(Default)]
struct State<'t> {
    fields: Fields,
    draft: Option<Draft<'t>>,
    /// The document cannot be used, and that was reported.
    refused: bool,
}

impl<'t> State<'t> {
    fn line(
        &mut self,
        file: &Source,
        text: &'t Text<'_>,
        line: &'t str,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        if let Some(comment) = line.strip_prefix('#') {
            let Some((key, value)) = comment.split_once('=') else { return Ok(()) };
            match key.trim() {
                NEW_DOCUMENT => {
                    self.finish(text, reading)?;
                    self.begin(text, line, value.trim(), reading)?;
                }
                FIELDS => self.fields = Fields::parse(value.trim()),
                _ => {}
            }
            return Ok(());
        }
        if line.trim().is_empty() {
            self.draft.iter_mut().for_each(Draft::end_sentence);
            return Ok(());
        }
        if self.draft.is_none() && !self.refused {
            self.begin(text, line, file.stem(), reading)?;
        }
        match &mut self.draft {
            Some(draft) => draft.row(text, line, &self.fields, reading),
            None => Ok(()),
        }
    }

    fn begin(
        &mut self,
        text: &'t Text<'_>,
        line: &str,
        name: &str,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let begun = Here::of(text, line).begin_document(name, &mut reading.corpus);
        self.draft = reading.accept(begun)?.map(|()| Draft::default());
        self.refused = self.draft.is_none();
        Ok(())
    }

    fn finish(&mut self, text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
        match self.draft.take() {
            Some(draft) => draft.finish(text, reading),
            None => Ok(()),
        }
    }
}

/// A mention and what is said of it.
struct Found<'t> {
    span: Span,
    link: &'t str,
    kind: &'t str,
    group: &'t str,
    fragments: String,
}

/// A document while its rows are read.
#[derive(Default)]
struct Draft<'t> {
    tokens: TokenText,
    /// Whether the last form has no space after it.
    joins: bool,
    /// The last word of the form that stands for several, where it stands, and whether a space follows.
    range: Option<(u32, Span)>,
    brackets: Brackets<'t>,
    links: Links<'t>,
    found: Vec<Found<'t>>,
}

impl<'t> Draft<'t> {
    fn row(
        &mut self,
        text: &Text<'_>,
        line: &'t str,
        fields: &Fields,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let cells: Vec<&'t str> = line.split('\t').collect();
        let id = Id::parse(cells[0]);
        let (Some(id), COLUMNS) = (id, cells.len()) else {
            let message = match cells.len() {
                COLUMNS => format!("expected the number of a word, found `{}`", cells[0]),
                found => format!("expected {COLUMNS} columns, found {found}"),
            };
            return reading.report(text.problem_at(Kind::Malformed, line, message).hint(HINT));
        };
        let misc = || cells[MISC].split('|');
        let joins = misc().any(|fact| fact == "SpaceAfter=No");
        let span = match (id, self.range) {
            (Id::Empty, _) => return Ok(()),
            (Id::Range(last), _) => {
                let span = self.push(cells[FORM], joins);
                self.range = Some((last, span));
                return Ok(());
            }
            (Id::Word(word), Some((last, span))) if word <= last => span,
            (Id::Word(_), _) => {
                self.range = None;
                self.push(cells[FORM], joins)
            }
        };
        for (key, value) in misc().filter_map(|fact| fact.split_once('=')) {
            match key {
                "Entity" => {
                    for found in self.brackets.cell(text, span, value, fields) {
                        self.found.extend(reading.accept(found)?);
                    }
                }
                _ => self.links.fact(key, value),
            }
        }
        self.found.extend(self.links.end_of_word(span));
        Ok(())
    }

    fn push(&mut self, form: &str, joins: bool) -> Span {
        let before = if self.joins { "" } else { " " };
        self.joins = joins;
        self.tokens.push(before, form)
    }

    fn end_sentence(&mut self) {
        self.tokens.end_sentence();
        self.found.extend(self.links.end_of_sentence());
        self.range = None;
    }

    fn finish(mut self, text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
        self.end_sentence();
        let open = std::mem::take(&mut self.brackets).unclosed(text);
        self.tokens.record(&mut reading.corpus);
        for problem in open {
            reading.report(problem)?;
        }
        // Those that contain others come first, as they do in the file.
        self.found.sort_by_key(|found| (found.span.start, Reverse(found.span.end)));
        self.found.into_iter().for_each(|found| found.add(&mut reading.corpus));
        Ok(())
    }
}

impl Found<'_> {
    fn add(self, corpus: &mut CorpusBuilder) {
        let link = match decoded(self.link) {
            link if link.is_empty() => Link::NONE,
            link => Link::to(corpus.intern(&link)),
        };
        let kind = Some(self.kind).filter(|kind| !kind.is_empty());
        let mut annotation = corpus.annotate(self.span, link).types(kind);
        for (key, value) in [("group", self.group), (FRAGMENTS, &self.fragments)] {
            if !value.is_empty() {
                annotation = annotation.attribute(key, value);
            }
        }
    }
}

/// Brackets, dashes and commas have a meaning in the column and are written as `%28` and so on.
fn decoded(value: &str) -> String {
    let mut out = value.to_owned();
    for (code, character) in [
        ("%28", "("),
        ("%29", ")"),
        ("%2D", "-"),
        ("%2C", ","),
        ("%7C", "|"),
        ("%3D", "="),
        ("%25", "%"),
    ] {
        if out.contains('%') {
            out = out.replace(code, character);
        }
    }
    out
}
