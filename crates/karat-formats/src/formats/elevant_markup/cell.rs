//! What stands between `[` and `|`: tags, entity, name and what only karat writes.

use crate::formats::elevant::reference::{self, LITERALS, Reference};
use crate::problem::Flaw;
use karat_model::{Flags, Link, Mention, Place, Span, attribute};

/// The annotation is an alternative only where coreferences are left out.
pub(super) const NO_COREF_ALT: &str = "no_coref_alternative";
/// A mention without an answer; ELEVANT has no word for it.
const NONE: &str = "<NONE>";

const TAGS: [&str; 4] = ["OPTIONAL", "DESC", "COREF", "NO_COREF_ALT"];

/// An annotation's cell. What ELEVANT has no form for goes behind the name, which
/// its own reader passes over: `&types=`, `&coref=no`, and for an annotation that
/// brackets cannot enclose `&span=` and `&part=`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) flags: Flags,
    pub(super) no_coref_alternative: bool,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) types: Vec<String>,
    /// Where the annotation is, if not where its brackets are, and what it is a part of.
    pub(super) standoff: Option<(Span, Option<Place>)>,
}

impl Cell {
    /// The cell that is spelled so; an error says what is wrong.
    pub(super) fn parse(mut cell: &str) -> Result<Cell, Flaw> {
        let mut parsed = Cell::default();
        while let Some((tag, rest)) = cell.split_once(':').filter(|(tag, _)| TAGS.contains(tag)) {
            match tag {
                "OPTIONAL" => parsed.flags |= Flags::OPTIONAL,
                "DESC" => parsed.flags |= Flags::DESCRIPTIVE,
                "COREF" => parsed.flags |= Flags::COREFERENCE,
                _ => parsed.no_coref_alternative = true,
            }
            cell = rest;
        }
        let (id, rest) = cell.split_once(':').unwrap_or((cell, ""));
        let (rest, part) = cut(rest, "&part=");
        let (rest, span) = cut(rest, "&span=");
        let (rest, coref) = cut(rest, "&coref=");
        let (name, types) = cut(rest, "&types=");
        parsed.id = unescape(id);
        parsed.name = unescape(name);
        if coref == Some("no") {
            parsed.flags |= Flags::NOT_COREFERENCE;
        }
        parsed.types = match types {
            Some(types) => types.split(',').map(unescape).collect(),
            None if LITERALS.contains(&&*parsed.id) => vec![parsed.id.clone()],
            None => Vec::new(),
        };
        if let Some(span) = span {
            let ends =
                span.split_once('-').and_then(|(s, e)| Some((s.parse().ok()?, e.parse().ok()?)));
            let (start, end) = ends.ok_or_else(|| format!("`{span}` is no span such as 0-6"))?;
            let parent =
                part.map(|part| part.parse().map_err(|_| format!("`{part}` is no number")));
            let place = parent.transpose()?.map(|parent| Place { parent, reading: 1 });
            parsed.standoff = Some((Span::new(start, end), place));
        }
        Ok(parsed)
    }

    /// What it links to; the string is an entity or a cluster.
    pub(super) fn link(&self) -> Linked<'_> {
        if self.id == NONE || LITERALS.contains(&&*self.id) {
            return Linked::Nothing;
        }
        match Reference::parse(&self.id) {
            Reference::Entity(entity) => Linked::Entity(entity),
            Reference::Cluster(cluster) => Linked::Cluster(cluster),
            Reference::Nil | Reference::NoMapping => Linked::Nil,
        }
    }

    /// The cell of an annotation; an error says why it has none.
    pub(super) fn of(mention: &Mention<'_>) -> Result<Cell, Flaw> {
        let types: Vec<String> = mention.types().map(str::to_owned).collect();
        let literal = types.iter().find(|name| LITERALS.contains(&name.as_str()));
        let id = match mention.link() {
            Link::NONE => literal.map_or(NONE, String::as_str).to_owned(),
            link => {
                reference::spell(link, mention.entity(), mention.nil_cluster(), reference::UNKNOWN)
                    .ok_or("an entity or cluster means something else in this markup")?
            }
        };
        let entity_is_word = mention.entity().is_some_and(|entity| {
            entity == NONE || LITERALS.contains(&entity) || TAGS.contains(&entity)
        });
        if entity_is_word {
            return Err(format!("the entity `{id}` is a word of this markup").into());
        }
        let no_coref_alternative = match mention.attribute(NO_COREF_ALT) {
            None => false,
            Some("true") => true,
            Some(other) => return Err(format!("`{NO_COREF_ALT}` is `{other}`, not true").into()),
        };
        let name = mention.attribute(attribute::NAME).unwrap_or_default().to_owned();
        let kept =
            Flags::OPTIONAL | Flags::DESCRIPTIVE | Flags::COREFERENCE | Flags::NOT_COREFERENCE;
        let flags = mention.flags() & kept;
        Ok(Cell { flags, no_coref_alternative, id, name, types, standoff: None })
    }

    /// How the cell is spelled.
    pub(super) fn spelled(&self) -> String {
        let mut cell = String::new();
        for (set, tag) in [
            (self.flags.contains(Flags::OPTIONAL), "OPTIONAL:"),
            (self.flags.contains(Flags::DESCRIPTIVE), "DESC:"),
            (self.flags.contains(Flags::COREFERENCE), "COREF:"),
            (self.no_coref_alternative, "NO_COREF_ALT:"),
        ] {
            cell.push_str(if set { tag } else { "" });
        }
        cell.push_str(&escape(&self.id));
        let mut more = escape(&self.name);
        let implied = LITERALS.contains(&&*self.id) && self.types == [self.id.as_str()];
        if !self.types.is_empty() && !implied {
            let types: Vec<String> = self.types.iter().map(|name| escape(name)).collect();
            more.push_str(&format!("&types={}", types.join(",")));
        }
        if self.flags.contains(Flags::NOT_COREFERENCE) {
            more.push_str("&coref=no");
        }
        if let Some((span, place)) = self.standoff {
            more.push_str(&format!("&span={}-{}", span.start, span.end));
            if let Some(place) = place {
                more.push_str(&format!("&part={}", place.parent));
            }
        }
        if !more.is_empty() {
            cell.push(':');
            cell.push_str(&more);
        }
        cell
    }
}

/// What a cell links to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Linked<'c> {
    Entity(&'c str),
    Cluster(&'c str),
    Nil,
    Nothing,
}

fn cut<'t>(text: &'t str, marker: &str) -> (&'t str, Option<&'t str>) {
    text.split_once(marker).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// The characters that have a meaning in the markup. ELEVANT knows no escape;
/// karat writes them as numbered references of HTML.
const ESCAPED: [(char, &str); 10] = [
    ('\n', "&#10;"),
    ('\r', "&#13;"),
    ('&', "&#38;"),
    ('*', "&#42;"),
    (',', "&#44;"),
    (':', "&#58;"),
    ('<', "&#60;"),
    ('[', "&#91;"),
    (']', "&#93;"),
    ('|', "&#124;"),
];

/// The reference for a character of the markup.
pub(super) fn escaped(character: char) -> Option<&'static str> {
    ESCAPED.iter().find(|(escaped, _)| *escaped == character).map(|&(_, reference)| reference)
}

/// The character that a text begins with a reference for, and the length of that.
pub(super) fn referenced(text: &str) -> Option<(char, usize)> {
    let (character, reference) =
        ESCAPED.iter().find(|(_, reference)| text.starts_with(reference))?;
    Some((*character, reference.len()))
}

fn escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        // These two have no meaning in a cell.
        match escaped(character).filter(|_| !matches!(character, '*' | '<')) {
            Some(reference) => result.push_str(reference),
            None => result.push(character),
        }
    }
    result
}

fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        result.push_str(&rest[..at]);
        let (character, length) = referenced(&rest[at..]).unwrap_or(('&', 1));
        result.push(character);
        rest = &rest[at + length..];
    }
    result + rest
}
