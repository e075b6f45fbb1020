//! What a column says.

use karat_formats::table::{Headings, header};

/// What a column of a table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    /// The id of the entity, or of the type, that the row is about.
    Id,
    /// What it is called.
    Name,
    /// What else it is called.
    Aliases,
    /// What it is, in a few words.
    Description,
    /// Its types.
    Types,
    /// How well known it is.
    Popularity,
    /// QUANTITY or DATETIME.
    Kind,
    /// Whether it is a place.
    Location,
    /// The types above it.
    Parents,
    /// The title of its article.
    Title,
    /// Other ids of it.
    SameAs,
    /// A text that may mean it.
    Mention,
    /// How often the text does.
    Count,
    /// The share of the text's occurrences that do.
    Prior,
    /// A title that redirects.
    From,
    /// Where it leads.
    To,
    /// A text.
    Demonym,
    /// Whether the text is a demonym.
    IsDemonym,
    /// The benchmark of a document.
    Benchmark,
    /// The document.
    Document,
    /// Its words.
    Words,
    /// Its lowercased words.
    Lowercased,
    /// A type that results are broken down by.
    ListedType,
    /// A text as JSON, of which the most popular entities are known.
    PopularText,
    /// How the most popular entities are known.
    Evidence,
    /// The most popular entities.
    Popular,
    /// The id of a quantity.
    Quantity,
    /// The id of a point in time.
    DateTime,
}

/// The headings that mean a field, in lower case; the first is the one that messages name. What
/// separates words does not matter.
const HEADINGS: &[(Field, &[&str])] = &[
    (
        Field::Id,
        &[
            "id",
            "qid",
            "entity",
            "entityid",
            "wikidataid",
            "wikidata",
            "curie",
            "uri",
            "iri",
            "conceptid",
            "cui",
            "item",
            "kbid",
        ],
    ),
    (Field::Name, &["name", "label", "preferredname", "entityname"]),
    (Field::Aliases, &["aliases", "synonyms", "altlabels", "alternativenames", "names"]),
    (Field::Description, &["description", "desc", "definition", "abstract"]),
    (Field::Types, &["types", "instanceof", "semantictypes", "p31", "type", "class"]),
    (Field::Popularity, &["popularity", "sitelinks", "pageviews", "views", "inlinks"]),
    (Field::Kind, &["kind"]),
    (Field::Location, &["location", "islocation"]),
    (Field::Parents, &["parents", "parent", "subclassof", "supertype", "superclass", "p279"]),
    (Field::Title, &["title", "wikipediatitle", "wikititle", "page", "article"]),
    (Field::SameAs, &["same_as", "same", "equivalent", "equivalents", "otherid", "otherids"]),
    (Field::Mention, &["mention", "alias", "anchor", "surface", "surfaceform", "text"]),
    (Field::Count, &["count", "counts", "frequency", "freq", "links"]),
    (Field::Prior, &["prior", "probability", "commonness"]),
    (Field::From, &["from", "redirect", "source", "redirectfrom"]),
    (Field::To, &["to", "target", "redirectto"]),
    (Field::Demonym, &["demonym"]),
    (Field::IsDemonym, &["is_demonym"]),
    (Field::Benchmark, &["benchmark"]),
    (Field::Document, &["document", "doc"]),
    (Field::Words, &["words"]),
    (Field::Lowercased, &["lowercased", "lowercasedwords"]),
];

/// Headings that mean a type: what a row is about where it has no other id, as in a table of types.
const TYPE: [&str; 2] = ["type", "class"];

impl Field {
    /// How messages call a column that says this.
    pub(crate) fn heading(self) -> &'static str {
        self.names().first().copied().unwrap_or("?")
    }

    /// The headings that mean it, the surest first; none for what only named tables have.
    fn names(self) -> &'static [&'static str] {
        let named = HEADINGS.iter().find(|(field, _)| *field == self);
        named.map_or(&[], |(_, names)| names)
    }
}

/// All headings that a table may have, by their first names.
pub fn headings() -> Vec<&'static str> {
    HEADINGS.iter().map(|(field, _)| field.heading()).collect()
}

fn plain(heading: &str) -> String {
    let letters = heading.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The columns of a table: what each says, if anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    fields: Vec<Option<Field>>,
    ignored: Vec<String>,
}

impl Columns {
    /// Columns by their headings; `None` if they say nothing that can be used.
    pub(crate) fn of_headings<'a>(headings: impl IntoIterator<Item = &'a str>) -> Option<Columns> {
        let columns = Columns::found(headings);
        columns.say_something().then_some(columns)
    }

    /// Columns by their headings, whatever they say. Of several columns with the same meaning the one
    /// with the surest heading counts, and of those the first.
    pub(crate) fn found<'a>(headings: impl IntoIterator<Item = &'a str>) -> Columns {
        let headings: Vec<&str> = headings.into_iter().collect();
        let places = Headings::new(&headings, plain);
        let mut fields: Vec<Option<Field>> = vec![None; headings.len()];
        for (field, names) in HEADINGS {
            let is_free = |at: usize| fields[at].is_none();
            let mut found = places.find(names.iter().copied(), is_free);
            let titles = || places.find(Field::Title.names().iter().copied(), is_free);
            // A title is an id as well, so only a table with neither takes its types for what rows
            // are about.
            if *field == Field::Id && found.is_none() && titles().is_none() {
                found = places.find(TYPE, is_free);
            }
            if let Some(at) = found {
                fields[at] = Some(*field);
            }
        }
        let unused = headings.iter().zip(&fields).filter(|(_, field)| field.is_none());
        let ignored = unused.map(|(heading, _)| (*heading).to_owned()).collect();
        Columns { fields, ignored }
    }

    /// Columns by the first record of a delimited text, whatever they say.
    pub(crate) fn of_header(text: &str, delimiter: u8) -> Columns {
        let headings = header(text, delimiter);
        Columns::found(headings.iter().map(|heading| heading.trim()))
    }

    /// Columns by their order.
    pub(crate) fn in_order(fields: &[Field]) -> Columns {
        Columns { fields: fields.iter().copied().map(Some).collect(), ignored: Vec::new() }
    }

    /// What the columns say, in their order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        self.fields.iter().copied().flatten()
    }

    /// The headings of columns that say nothing.
    pub(crate) fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// Whether rows say anything of an entity beside its id.
    pub(crate) fn have_facts(&self) -> bool {
        FACTS.into_iter().any(|field| self.place(field).is_some())
    }

    /// What keeps headings from being those of a table, for people.
    pub(crate) fn lack(&self) -> Option<String> {
        let has = |field: Field| self.place(field).is_some();
        let missing = |field: Field| Some(format!("there is no column `{}`", field.heading()));
        match () {
            _ if self.fields.iter().all(Option::is_none) => None,
            _ if has(Field::From) || has(Field::To) => {
                missing(if has(Field::From) { Field::To } else { Field::From })
            }
            _ if !has(Field::Id) => missing(Field::Id),
            _ => Some("no column says anything beside the id".to_owned()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The column that says something.
    pub(crate) fn place(&self, field: Field) -> Option<usize> {
        self.fields.iter().position(|found| *found == Some(field))
    }

    /// Whether a column is used at all.
    pub(crate) fn is_used(&self, at: usize) -> bool {
        self.fields.get(at).is_some_and(Option::is_some)
    }

    /// Whether rows of such a table say anything.
    pub(crate) fn say_something(&self) -> bool {
        let has = |field| self.place(field).is_some();
        let said = [Field::Title, Field::SameAs, Field::Mention];
        (has(Field::Id) && (self.have_facts() || said.into_iter().any(has)))
            || (has(Field::From) && has(Field::To))
            || (has(Field::Title) && (has(Field::SameAs) || has(Field::Mention)))
            || has(Field::Demonym)
            || (has(Field::Benchmark) && has(Field::Document) && has(Field::Words))
    }
}

/// What is said of an entity itself.
const FACTS: [Field; 8] = [
    Field::Name,
    Field::Aliases,
    Field::Description,
    Field::Types,
    Field::Popularity,
    Field::Kind,
    Field::Location,
    Field::Parents,
];
