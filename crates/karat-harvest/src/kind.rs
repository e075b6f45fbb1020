//! What an input is.

use crate::field::{Columns, Field, headings};
use crate::sql::{self, SqlTable};
use crate::wikidata;
use karat_formats::{Kind, Problem, Source};
use std::io::Read;

/// What a file can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// A table whose first line says what its columns are.
    Delimited(Delimiter),
    /// A table without a first line of headings, known by the name of the file.
    Headless(Shape),
    /// One JSON object per line.
    JsonLines,
    /// A title and what redirects to it on each line.
    RedirectMap,
    /// A table in Parquet.
    Parquet,
    /// A dump of Wikidata in JSON.
    Wikidata,
    /// A dump of a table of Wikipedia.
    Sql(SqlTable),
}

impl InputKind {
    /// What it is, in words.
    pub fn name(self) -> &'static str {
        match self {
            InputKind::Delimited(Delimiter::Tab) => "a TSV table",
            InputKind::Delimited(Delimiter::Comma) => "a CSV table",
            InputKind::Headless(shape) => shape.name(),
            InputKind::JsonLines => "a JSONL table",
            InputKind::RedirectMap => "a map of redirects",
            InputKind::Parquet => "a Parquet table",
            InputKind::Wikidata => "a dump of Wikidata",
            InputKind::Sql(SqlTable::Page) => "a dump of pages",
            InputKind::Sql(SqlTable::Redirect) => "a dump of redirects",
            InputKind::Sql(SqlTable::PageProperties) => "a dump of facts about pages",
        }
    }
}

/// What stands between cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// A tab; quotes are letters like others.
    Tab,
    /// A comma; cells may stand in quotes.
    Comma,
}

/// Tables that have no headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `entities.tsv` of a folder of facts: id, name, types, QUANTITY or DATETIME, whether it is a place.
    Entities,
    /// `popular.tsv`: a text as JSON, `exact` or `inferred`, the most popular ids.
    Popular,
    /// `demonyms.tsv`: a text, and 1 if it is a demonym.
    Demonyms,
    /// `word_counts.tsv`: benchmark, document, words, lowercased words.
    Words,
    /// `whitelist_types.tsv`: the id and the name of a type.
    Whitelist,
    /// `same_as.tsv`: two ids of one entity.
    SameAs,
    /// `titles.tsv`: the title of an article, and the id of its entity.
    Titles,
    /// `aliases.tsv`: a text, an id, and how often the text means it.
    Aliases,
    /// `types.tsv`: a type and the type above it.
    Types,
    /// `quantity.tsv`: the ids of all quantities.
    Quantities,
    /// `datetime.tsv`: the ids of all points in time.
    DateTimes,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 11] = [
        Shape::Entities,
        Shape::Popular,
        Shape::Demonyms,
        Shape::Words,
        Shape::Whitelist,
        Shape::SameAs,
        Shape::Titles,
        Shape::Aliases,
        Shape::Types,
        Shape::Quantities,
        Shape::DateTimes,
    ];

    /// The stem of the name of such a file.
    pub fn stem(self) -> &'static str {
        match self {
            Shape::Entities => "entities",
            Shape::Popular => "popular",
            Shape::Demonyms => "demonyms",
            Shape::Words => "word_counts",
            Shape::Whitelist => "whitelist_types",
            Shape::SameAs => "same_as",
            Shape::Titles => "titles",
            Shape::Aliases => "aliases",
            Shape::Types => "types",
            Shape::Quantities => "quantity",
            Shape::DateTimes => "datetime",
        }
    }

    /// What such a table says, in words.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Entities => "facts about entities",
            Shape::Popular => "most popular entities of texts",
            Shape::Demonyms => "demonyms",
            Shape::Words => "numbers of words",
            Shape::Whitelist => "types to report",
            Shape::SameAs => "ids of the same entities",
            Shape::Titles => "titles and their entities",
            Shape::Aliases => "counts of what texts mean",
            Shape::Types => "types above types",
            Shape::Quantities => "all quantities",
            Shape::DateTimes => "all points in time",
        }
    }

    pub(crate) fn fields(self) -> &'static [Field] {
        match self {
            Shape::Entities => {
                &[Field::Id, Field::Name, Field::Types, Field::Kind, Field::Location]
            }
            Shape::Popular => &[Field::PopularText, Field::Evidence, Field::Popular],
            Shape::Demonyms => &[Field::Demonym, Field::IsDemonym],
            Shape::Words => &[Field::Benchmark, Field::Document, Field::Words, Field::Lowercased],
            Shape::Whitelist => &[Field::ListedType, Field::Name],
            Shape::SameAs => &[Field::Id, Field::SameAs],
            Shape::Titles => &[Field::Title, Field::Id],
            Shape::Aliases => &[Field::Mention, Field::Id, Field::Count],
            Shape::Types => &[Field::Id, Field::Parents],
            Shape::Quantities => &[Field::Quantity],
            Shape::DateTimes => &[Field::DateTime],
        }
    }

    /// Whether what is absent from such a table does not exist.
    pub(crate) fn is_dictionary(self) -> bool {
        matches!(self, Shape::SameAs | Shape::Titles | Shape::Aliases | Shape::Types)
    }
}

/// The name of a map of redirects.
const REDIRECTS: &str = "redirects";
/// How much of a file is looked at.
const HEAD: u64 = 64 << 10;

/// What a file is, by its first lines, and by its name where it has no headings.
pub fn recognise(source: &Source) -> Result<InputKind, Problem> {
    let head = head(source)?;
    if head.starts_with(b"PAR1") {
        return Ok(InputKind::Parquet);
    }
    let text = String::from_utf8_lossy(&head);
    let text = text.trim_start_matches('\u{feff}');
    if wikidata::is_dump(text) {
        return Ok(InputKind::Wikidata);
    }
    if let Some(table) = sql::table_of(text) {
        return Ok(InputKind::Sql(table));
    }
    if text.trim_start().starts_with('{') {
        return Ok(InputKind::JsonLines);
    }
    let first = text.lines().next().unwrap_or_default();
    for (delimiter, separator) in DELIMITERS {
        if Columns::of_headings(headings_of(first, separator)).is_some() {
            return Ok(InputKind::Delimited(delimiter));
        }
    }
    let stem = source.stem().to_lowercase().replace('-', "_");
    if let Some(shape) = Shape::ALL.into_iter().find(|shape| shape.stem() == stem) {
        return Ok(InputKind::Headless(shape));
    }
    // The maps of AIDA's evaluation are called map-testb-fromapi.
    if stem.contains("redirect") || (stem.starts_with("map_") && stem.contains("fromapi")) {
        return Ok(InputKind::RedirectMap);
    }
    Err(unknown(source, &head, first))
}

const DELIMITERS: [(Delimiter, char); 2] = [(Delimiter::Tab, '\t'), (Delimiter::Comma, ',')];

fn headings_of(line: &str, separator: char) -> impl Iterator<Item = &str> {
    line.split(separator).map(|cell| cell.trim().trim_matches('"'))
}

fn head(source: &Source) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    let read = source.open(None)?.take(HEAD).read_to_end(&mut head);
    match read {
        Err(error) if head.is_empty() => Err(source.unreadable(&error)),
        _ => Ok(head),
    }
}

fn unknown(source: &Source, head: &[u8], first: &str) -> Problem {
    let problem = |message: &str| Problem::new(Kind::Format, source.name(), message);
    if head.is_empty() {
        return problem("the file is empty").hint("give a table, a map of redirects or a dump");
    }
    if head.starts_with(b"KARAT KB") {
        return problem("this is a knowledge base already").hint(
            "it is asked with `karat kb get` and others; build anew from what it was built from",
        );
    }
    let semicolons = Columns::of_headings(headings_of(first, ';'));
    if semicolons.is_some() {
        return problem("the columns are separated by semicolons")
            .hint("write them with commas or tabs");
    }
    let lack = |(_, separator)| Columns::found(headings_of(first, separator)).lack();
    let stems: Vec<&str> = Shape::ALL.into_iter().map(Shape::stem).collect();
    let lack = DELIMITERS.into_iter().find_map(lack).map(|lack| format!(": {lack}"));
    let message = "this is nothing that a knowledge base can be built from";
    problem(&format!("{message}{}", lack.unwrap_or_default())).hint(format!(
        "give the columns headings ({}), or call a table without headings {} or {REDIRECTS}",
        headings().join(", "),
        stems.join(", ")
    ))
}
