//! ELEVANT's annotation markup: articles as plain text with brackets around mentions.

mod cell;
mod header;
#[cfg(test)]
mod tests;
mod write;

use crate::anchor::Here;
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::placing::trees;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use cell::{Cell, Linked, NO_COREF_ALT, referenced};
use header::{ARTICLE, Header};
use karat_model::{
    Corpus, CorpusBuilder, Features, Link, Place, Restriction, Span, TextIndex, attribute,
};

/// The format.
#[derive(Debug)]
pub(crate) struct ElevantMarkup;

/// Where the part that is annotated begins and ends.
const START: &str = "<START>";
const END: &str = "<END>";

static INFO: Info = Info {
    name: "elevant-markup",
    title: "ELEVANT annotation markup",
    about: "Plain text in which annotators put brackets around mentions: `[Q64:Berlin|the city]`, nested for alternatives, \
            with the tags `OPTIONAL:`, `DESC:`, `COREF:` and `NO_COREF_ALT:` before the entity, `Unknown3` for an unknown one, \
            and `QUANTITY` or `DATETIME` for a literal. Each article begins with a line `**** ARTICLE #1: Title (URL) *****`; \
            `<START>` and `<END>` enclose what is annotated. Brackets without `|` are text. The markup has no escape; karat writes \
            `&#91;` and the like, and puts what brackets cannot say behind the name, where ELEVANT does not look.",
    reference: "github.com/ad-freiburg/elevant, scripts/create_benchmark.py and benchmarks/noshow",
    extensions: &["annotations.txt"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::EVALUATION_SPAN)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::OPTIONAL)
            .union(Features::COREFERENCE)
            .union(Features::DESCRIPTIVE)
            .union(Features::PARTS)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[attribute::TITLE, attribute::URL],
        annotation_attributes: &[attribute::NAME, NO_COREF_ALT],
    },
};

impl Format for ElevantMarkup {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // What else is NIL is ELEVANT's rule.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.first_line().starts_with(ARTICLE) { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let text = file.text()?;
            for article in articles(text.as_str()) {
                read_article(&text, file.stem(), &article, reading)?;
            }
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                out.write_all(write::document(&document)?.as_bytes())?;
            }
            Ok(())
        })
    }
}

/// An article in the file.
struct Article<'t> {
    /// Its first line; empty for text before the first such line.
    header: &'t str,
    body: &'t str,
}

/// The articles of a file. The line break before the next one belongs to neither.
fn articles(text: &str) -> impl Iterator<Item = Article<'_>> {
    let starts = memchr::memmem::find_iter(text.as_bytes(), ARTICLE)
        .filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    let mut starts: Vec<usize> = starts.collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).filter_map(|(start, end)| {
        let article = &text[start..end];
        let (header, body) = if article.starts_with(ARTICLE) {
            article.split_once('\n').unwrap_or((article, ""))
        } else {
            ("", article)
        };
        let nothing = header.is_empty() && body.trim().is_empty();
        (!nothing).then(|| Article { header, body: body.strip_suffix('\n').unwrap_or(body) })
    })
}

fn read_article(
    text: &Text<'_>,
    stem: &str,
    article: &Article<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let header = match article.header {
        "" => Header { name: stem.to_owned(), ..Header::default() },
        line => Header::parse(line),
    };
    if let Err(duplicate) = reading.corpus.begin_document(&header.name) {
        let problem = text
            .problem_at(Kind::DuplicateDocument, article.header, duplicate.to_string())
            .hint("the number of a Wikipedia article, or else the title, names a document and must be unique");
        return reading.report(problem);
    }
    let mut markup = Markup::default();
    markup.scan(article.body);
    reading.corpus.set_text(&markup.text);
    reading.corpus.document_attribute(attribute::TITLE, &header.title);
    reading.corpus.document_attribute(attribute::URL, &header.url);
    if let Some(start) = markup.start {
        let end = markup.end.unwrap_or(markup.position).max(start);
        reading.corpus.set_evaluation_span(Span::new(start, end));
    }
    let index = TextIndex::new(&markup.text);
    let mut checked = Vec::with_capacity(markup.found.len());
    for bracket in &markup.found {
        let here = Here::of(text, bracket.cell);
        checked.push(reading.accept(bracket.check(here, &index))?);
    }
    let circular = circular(&checked);
    let mut indices = vec![None; markup.found.len()];
    let mut places = Vec::new();
    for (number, (found, bracket)) in checked.into_iter().zip(&markup.found).enumerate() {
        let Some((cell, span, place)) = found else { continue };
        if circular[number] {
            let message = "by its `&part=` this annotation is a part of itself";
            reading.report(text.problem_at(Kind::Malformed, bracket.cell, message).hint(
                "`&part=` is the number, from 0, of the annotation that this one belongs to",
            ))?;
            continue;
        }
        indices[number] = Some(reading.corpus.next_index());
        places.extend(place.map(|place| (number, place)));
        add(&mut reading.corpus, span, &cell);
    }
    for (number, place) in places {
        let parent = indices.get(place.parent as usize).copied().flatten();
        if let (Some(index), Some(parent)) = (indices[number], parent)
            && let Some(annotation) = reading.corpus.annotation_mut(index)
        {
            annotation.part_of(parent, place.reading);
        }
    }
    Ok(())
}

/// Which annotations are, parent by parent, parts of themselves.
fn circular(found: &[Option<(Cell, Span, Option<Place>)>]) -> Vec<bool> {
    let parent = |place: Place| place.parent as usize;
    let parents: Vec<Option<usize>> =
        found.iter().map(|found| found.as_ref()?.2.map(parent)).collect();
    trees::circular(&parents)
}

fn add(corpus: &mut CorpusBuilder, span: Span, cell: &Cell) {
    let link = match cell.link() {
        Linked::Entity(entity) => Link::to(corpus.intern(entity)),
        Linked::Cluster(cluster) => Link::nil_cluster(corpus.intern(cluster)),
        Linked::Nil => Link::NIL,
        Linked::Nothing => Link::NONE,
    };
    let annotation = corpus
        .annotate(span, link)
        .flags(cell.flags)
        .types(cell.types.iter().map(String::as_str))
        .attribute(attribute::NAME, &cell.name);
    if cell.no_coref_alternative {
        annotation.attribute(NO_COREF_ALT, "true");
    }
}

/// The text of an article without its markup, and the markup.
#[derive(Default)]
struct Markup<'t> {
    text: String,
    /// The length of the text so far.
    position: u32,
    found: Vec<Bracket<'t>>,
    /// The brackets that are open; `None` for one that is text.
    open: Vec<Option<usize>>,
    /// The innermost annotation that is open.
    around: Option<usize>,
    start: Option<u32>,
    end: Option<u32>,
}

/// An annotation.
struct Bracket<'t> {
    /// What stands before `|`.
    cell: &'t str,
    start: u32,
    /// `None` until it is closed.
    end: Option<u32>,
    /// The bracket around it.
    around: Option<usize>,
}

impl<'t> Markup<'t> {
    fn scan(&mut self, mut rest: &'t str) {
        while let Some(at) = rest.find(['[', ']', '<', '&']) {
            self.plain(&rest[..at]);
            rest = &rest[at..];
            let length = match rest.as_bytes()[0] {
                b'[' => self.open(rest),
                b']' => self.close(),
                b'<' => self.tag(rest),
                _ => self.reference(rest),
            };
            rest = &rest[length..];
        }
        self.plain(rest);
    }

    fn plain(&mut self, text: &str) {
        self.text.push_str(text);
        self.position += text.chars().count() as u32;
    }

    /// A bracket is an annotation if `|` comes before the next bracket, and a line
    /// break before that shows that it was not meant.
    fn open(&mut self, rest: &'t str) -> usize {
        let inside = &rest[1..];
        let cell = inside.find(['[', ']', '|', '\n']).filter(|&at| inside.as_bytes()[at] == b'|');
        let Some(bar) = cell else {
            self.plain("[");
            if !self.open.is_empty() {
                self.open.push(None);
            }
            return 1;
        };
        let around = self.around.replace(self.found.len());
        self.open.push(self.around);
        let cell = &inside[..bar];
        self.found.push(Bracket { cell, start: self.position, end: None, around });
        bar + 2
    }

    fn close(&mut self) -> usize {
        match self.open.pop().flatten() {
            Some(number) => {
                self.found[number].end = Some(self.position);
                self.around = self.found[number].around;
            }
            None => self.plain("]"),
        }
        1
    }

    fn tag(&mut self, rest: &str) -> usize {
        if rest.starts_with(START) {
            self.start.get_or_insert(self.position);
            START.len()
        } else if rest.starts_with(END) {
            self.end.get_or_insert(self.position);
            END.len()
        } else {
            self.plain("<");
            1
        }
    }

    fn reference(&mut self, rest: &str) -> usize {
        let (character, length) = referenced(rest).unwrap_or(('&', 1));
        self.text.push(character);
        self.position += 1;
        length
    }
}

impl Bracket<'_> {
    fn check(
        &self,
        here: Here<'_>,
        index: &TextIndex<'_>,
    ) -> Result<(Cell, Span, Option<Place>), Problem> {
        let cell = Cell::parse(self.cell).map_err(|message| {
            here.problem(Kind::Malformed, message)
                .hint("`&span=`, `&part=` and `&types=` are karat's own; remove them to read the brackets as they stand")
        })?;
        let Some(end) = self.end else {
            return Err(here
                .problem(Kind::Malformed, "this annotation is never closed")
                .hint("an annotation looks like `[Q64:Berlin|the city]`; brackets may be nested"));
        };
        if let Some((span, place)) = cell.standoff {
            let (start, end) = (span.start.into(), span.end.into());
            let span = here.anchor(index, INFO.offsets, start, end, None)?;
            return Ok((cell, span, place));
        }
        let place = self.around.map(|parent| Place { parent: parent as u32, reading: 1 });
        Ok((cell, Span::new(self.start, end), place))
    }
}
