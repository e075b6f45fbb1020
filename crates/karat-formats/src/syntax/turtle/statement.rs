//! Statements: what is said about what.

use super::scanner::Scanner;
use super::vocabulary::Prefixes;
use super::{Blank, Fault, Iri, Namespace, Settings, Term, Triple};

/// How deep brackets and collections may be nested.
const DEPTH: usize = 100;

/// Reads a text statement by statement.
#[derive(Debug, Clone)]
pub(crate) struct Turtle<'t> {
    scanner: Scanner<'t>,
    /// Where the stretch that is read starts.
    start: usize,
    /// Statements that start here or later are not read.
    stop: usize,
    levels: Vec<Level<'t>>,
}

/// Where the next object belongs.
#[derive(Debug, Clone)]
struct Level<'t> {
    kind: LevelKind,
    subject: Term<'t>,
    predicate: Iri<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LevelKind {
    /// The statement itself.
    Statement,
    /// A statement about brackets or a collection, which may say nothing more.
    Bare,
    Brackets,
    /// A collection whose next cell is the object of the level's predicate.
    Collection,
}

/// What comes next in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Verb,
    Object,
    Separator,
    Item,
    Nothing,
}

impl<'t> Turtle<'t> {
    pub(crate) fn new(text: &'t str, settings: Settings) -> Turtle<'t> {
        let prefixes = Prefixes::new();
        let scanner = Scanner { text, at: 0, settings, prefixes };
        Turtle { scanner, start: 0, stop: text.len(), levels: Vec::new() }
    }

    /// This reader for another stretch of the text, with the prefixes known so far.
    pub(super) fn between(&self, start: usize, stop: usize) -> Turtle<'t> {
        let mut other = self.clone();
        other.scanner.at = start;
        other.scanner.prefixes.settle();
        other.start = start;
        other.stop = stop;
        other
    }

    /// A reader of another text, with the prefixes known so far.
    pub(crate) fn of_text<'s>(&self, text: &'s str) -> Turtle<'s>
    where
        't: 's,
    {
        let mut scanner: Scanner<'s> = self.scanner.clone();
        scanner.prefixes.settle();
        let stop = text.len();
        Turtle { scanner: Scanner { text, at: 0, ..scanner }, start: 0, stop, levels: Vec::new() }
    }

    /// Reads the prefixes at the beginning of a file.
    pub(crate) fn read_prefixes(&mut self) {
        loop {
            let before = self.scanner.at;
            self.scanner.skip_space();
            if !self.directive().unwrap_or(false) {
                self.scanner.at = before;
                return;
            }
        }
    }

    /// Makes room for the records of the rest of the text, once enough was read
    /// to tell how many there will be. Growing by doubling would cost as much
    /// memory again.
    pub(crate) fn reserve<T>(&self, records: &mut Vec<T>) {
        const ENOUGH: usize = 1 << 10;
        if records.len() == ENOUGH {
            let read = self.scanner.at.saturating_sub(self.start).max(1);
            let rest = self.stop.saturating_sub(self.scanner.at);
            let bytes_each = (read / ENOUGH).max(1);
            records.reserve_exact(rest / bytes_each + rest / bytes_each / 16);
        }
    }

    /// Where the next statement starts.
    pub(super) fn position(&mut self) -> usize {
        self.scanner.skip_space();
        self.scanner.at
    }

    /// Whether a prefix got another meaning on the way.
    pub(crate) fn prefixes_changed(&self) -> bool {
        self.scanner.prefixes.changed()
    }

    /// The whole text of an IRI.
    pub(crate) fn expand(&self, iri: &Iri<'t>) -> std::borrow::Cow<'t, str> {
        if iri.namespace == Namespace::WHOLE {
            return iri.local.clone();
        }
        let namespace = self.scanner.prefixes.namespace(iri.namespace);
        format!("{namespace}{}", iri.local).into()
    }

    /// Reads the next statement: what it says replaces what is in `triples`, and
    /// the byte it starts at is given back; `None` at the end. After a fault the
    /// reader stands at the next statement.
    pub(crate) fn read(&mut self, triples: &mut Vec<Triple<'t>>) -> Option<Result<usize, Fault>> {
        loop {
            triples.clear();
            self.scanner.skip_space();
            let start = self.scanner.at;
            if start >= self.stop {
                return None;
            }
            let result = match self.directive() {
                Ok(true) => continue,
                Ok(false) => self.statement(triples),
                Err(fault) => Err(fault),
            };
            if let Err(fault) = &result {
                self.recover(start, fault.at);
            }
            return Some(result.map(|()| start));
        }
    }

    /// Goes to the next line that looks like the beginning of a statement.
    fn recover(&mut self, start: usize, fault: usize) {
        let bytes = self.scanner.text.as_bytes();
        // A line that begins like a statement, after one that ends like one: good enough to lose one
        // bad statement and not the rest of the file.
        let begins = |at: usize| {
            let rest = &bytes[at..];
            rest.starts_with(b"<") || rest.starts_with(b"@") || rest.starts_with(b"_:")
        };
        let mut lines = memchr::memchr_iter(b'\n', bytes.get(start..).unwrap_or_default())
            .map(|newline| start + newline + 1)
            .skip_while(|&line| line < fault);
        let found = lines.find(|&line| {
            let ended = bytes[..line].trim_ascii_end().ends_with(b".");
            begins(line) && (ended || line == fault)
        });
        self.scanner.at = found.unwrap_or(bytes.len());
    }

    /// `@prefix`, `@base` and their SPARQL forms.
    fn directive(&mut self) -> Result<bool, Fault> {
        let sparql = self.scanner.peek() != Some(b'@');
        let start = self.scanner.at;
        self.scanner.at += usize::from(!sparql);
        if self.scanner.keyword("prefix") {
            self.scanner.skip_space();
            let prefix = self.scanner.declared_prefix()?;
            let iri = self.directive_iri()?;
            if !self.scanner.prefixes.declare(prefix, &iri) {
                return Err(self.scanner.fault(0, "too many prefixes", false));
            }
        } else if self.scanner.keyword("base") {
            let base = self.directive_iri()?;
            self.scanner.prefixes.set_base(base);
        } else {
            self.scanner.at = start;
            return Ok(false);
        }
        // Only the forms with `@` end in a dot, and not all files know.
        self.scanner.skip_space();
        if self.scanner.peek() == Some(b'.') && !sparql {
            self.scanner.at += 1;
        }
        Ok(true)
    }

    fn directive_iri(&mut self) -> Result<String, Fault> {
        self.scanner.skip_space();
        if self.scanner.peek() != Some(b'<') {
            return Err(self.scanner.expected("an IRI in `<...>`"));
        }
        self.scanner.iri().map(std::borrow::Cow::into_owned)
    }

    fn statement(&mut self, triples: &mut Vec<Triple<'t>>) -> Result<(), Fault> {
        self.levels.clear();
        let mut next = self.subject(triples)?;
        while next != Next::Nothing {
            self.scanner.skip_space();
            next = match next {
                Next::Verb => self.verb()?,
                Next::Object => self.object(triples)?,
                Next::Separator => self.separator()?,
                Next::Item => self.item(triples)?,
                Next::Nothing => Next::Nothing,
            };
        }
        Ok(())
    }

    fn subject(&mut self, triples: &mut Vec<Triple<'t>>) -> Result<Next, Fault> {
        let at = self.scanner.at;
        match self.scanner.peek() {
            Some(b'[') => {
                let node = Term::Blank(Blank::Brackets(at));
                self.push(LevelKind::Bare, node.clone())?;
                self.open_brackets(node)
            }
            Some(b'(') => {
                self.push(LevelKind::Bare, nil())?;
                self.scanner.at += 1;
                self.push(LevelKind::Collection, nil())?;
                self.item(triples)
            }
            Some(b'"' | b'\'' | b'0'..=b'9' | b'.' | b';' | b',' | b']' | b')' | b'@') => {
                Err(self.scanner.expected("the subject of a statement"))
            }
            _ => {
                let subject = self.scanner.term("the subject of a statement")?;
                self.push(LevelKind::Statement, subject)?;
                Ok(Next::Verb)
            }
        }
    }

    fn push(&mut self, kind: LevelKind, subject: Term<'t>) -> Result<(), Fault> {
        // Levels are a list and no recursion, so depth costs memory only; the limit keeps even that
        // small.
        if self.levels.len() >= DEPTH {
            let message = format!("brackets are nested more than {DEPTH} deep");
            return Err(self.scanner.fault(1, message, false));
        }
        self.levels.push(Level { kind, subject, predicate: Iri::whole("") });
        Ok(())
    }

    fn level(&mut self) -> Result<&mut Level<'t>, Fault> {
        let at = self.scanner.at;
        self.levels.last_mut().ok_or_else(|| Fault {
            at,
            len: 0,
            message: "expected a statement".to_owned(),
            truncated: false,
        })
    }

    fn open_brackets(&mut self, node: Term<'t>) -> Result<Next, Fault> {
        self.scanner.at += 1;
        self.push(LevelKind::Brackets, node)?;
        Ok(Next::Verb)
    }

    /// What comes after brackets or a collection were closed.
    fn close(&mut self) -> Next {
        self.scanner.at += 1;
        self.levels.pop();
        match self.levels.last().map(|level| level.kind) {
            Some(LevelKind::Collection) => Next::Item,
            Some(LevelKind::Bare) => Next::Verb,
            _ => Next::Separator,
        }
    }

    fn verb(&mut self) -> Result<Next, Fault> {
        let kind = self.level()?.kind;
        match self.scanner.peek() {
            Some(b']') if kind == LevelKind::Brackets => return Ok(self.close()),
            Some(b'.') if kind != LevelKind::Brackets => {
                let silent = self.level()?.predicate.local.is_empty();
                if silent && kind == LevelKind::Statement {
                    return Err(self.scanner.expected("a predicate"));
                }
                self.scanner.at += 1;
                return Ok(Next::Nothing);
            }
            Some(b';') => {
                self.scanner.at += 1;
                return Ok(Next::Verb);
            }
            _ => {}
        }
        let predicate = if self.scanner.verb_a() {
            Iri::known(Namespace::RDF, "type")
        } else {
            self.scanner.name("a predicate")?
        };
        let level = self.level()?;
        level.predicate = predicate;
        // Brackets as a subject were the subject; from here on it is a statement.
        if level.kind == LevelKind::Bare {
            level.kind = LevelKind::Statement;
        }
        Ok(Next::Object)
    }

    fn object(&mut self, triples: &mut Vec<Triple<'t>>) -> Result<Next, Fault> {
        let at = self.scanner.at;
        match self.scanner.peek() {
            Some(b'[') => {
                let node = Term::Blank(Blank::Brackets(at));
                self.add(triples, node.clone(), at)?;
                self.open_brackets(node)
            }
            Some(b'(') => {
                self.scanner.at += 1;
                let Level { subject, predicate, .. } = self.level()?.clone();
                self.push(LevelKind::Collection, subject)?;
                self.level()?.predicate = predicate;
                Ok(Next::Item)
            }
            _ => {
                let object = self.scanner.term("an object")?;
                self.add(triples, object, at)?;
                Ok(Next::Separator)
            }
        }
    }

    fn add(
        &mut self,
        triples: &mut Vec<Triple<'t>>,
        object: Term<'t>,
        at: usize,
    ) -> Result<(), Fault> {
        let level = self.level()?;
        let (subject, predicate) = (level.subject.clone(), level.predicate.clone());
        triples.push(Triple { subject, predicate, object, at });
        Ok(())
    }

    fn separator(&mut self) -> Result<Next, Fault> {
        let kind = self.level()?.kind;
        let next = match self.scanner.peek() {
            Some(b',') => Next::Object,
            Some(b';') => Next::Verb,
            Some(b']') if kind == LevelKind::Brackets => return Ok(self.close()),
            Some(b'.') if kind == LevelKind::Statement => Next::Nothing,
            _ if kind == LevelKind::Brackets => {
                return Err(self.scanner.expected("`;`, `,` or `]`"));
            }
            _ => return Err(self.scanner.expected("`;`, `,` or `.`")),
        };
        self.scanner.at += 1;
        Ok(next)
    }

    /// An item of a collection, or its end.
    fn item(&mut self, triples: &mut Vec<Triple<'t>>) -> Result<Next, Fault> {
        self.scanner.skip_space();
        let at = self.scanner.at;
        let end = self.scanner.peek() == Some(b')');
        let cell = if end { nil() } else { Term::Blank(Blank::Cell(at)) };
        let starts_subject = self.level()?.predicate.local.is_empty();
        if starts_subject {
            // A collection as a subject: its first cell is what is spoken about.
            let count = self.levels.len();
            if let Some(outer) = count.checked_sub(2).and_then(|outer| self.levels.get_mut(outer)) {
                outer.subject = cell.clone();
            }
        } else {
            self.add(triples, cell.clone(), at)?;
        }
        if end {
            return Ok(self.close());
        }
        let level = self.level()?;
        level.subject = cell;
        level.predicate = Iri::known(Namespace::RDF, "first");
        let next = self.object(triples)?;
        // The collection is the level the item was read in, below what the item opened.
        let opened = usize::from(next != Next::Separator);
        let index = self.levels.len().saturating_sub(1 + opened);
        if let Some(level) = self.levels.get_mut(index) {
            level.predicate = Iri::known(Namespace::RDF, "rest");
        }
        Ok(if next == Next::Separator { Next::Item } else { next })
    }
}

fn nil<'t>() -> Term<'t> {
    Term::Iri(Iri::known(Namespace::RDF, "nil"))
}
