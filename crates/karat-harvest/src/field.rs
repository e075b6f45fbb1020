//! What a column says.

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
}

/// The headings that mean a field, in lower case and without what separates words.
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
            "type",
            "class",
            "item",
            "kbid",
        ],
    ),
    (Field::Name, &["name", "label", "preferredname", "entityname"]),
    (Field::Aliases, &["aliases", "synonyms", "altlabels", "alternativenames", "names"]),
    (Field::Description, &["description", "desc", "definition", "abstract"]),
    (Field::Types, &["types", "instanceof", "semantictypes", "p31"]),
    (Field::Popularity, &["popularity", "sitelinks", "pageviews", "views", "inlinks"]),
    (Field::Kind, &["kind"]),
    (Field::Location, &["location", "islocation"]),
    (Field::Parents, &["parents", "parent", "subclassof", "supertype", "superclass", "p279"]),
    (Field::Title, &["title", "wikipediatitle", "wikititle", "page", "article"]),
    (Field::SameAs, &["sameas", "same", "equivalent", "equivalents", "otherid", "otherids"]),
    (Field::Mention, &["mention", "alias", "anchor", "surface", "surfaceform", "text"]),
    (Field::Count, &["count", "counts", "frequency", "freq", "links"]),
    (Field::Prior, &["prior", "probability", "commonness"]),
    (Field::From, &["from", "redirect", "source", "redirectfrom"]),
    (Field::To, &["to", "target", "redirectto"]),
    (Field::Demonym, &["demonym"]),
    (Field::IsDemonym, &["isdemonym"]),
    (Field::Benchmark, &["benchmark"]),
    (Field::Document, &["document", "doc"]),
    (Field::Words, &["words"]),
    (Field::Lowercased, &["lowercased", "lowercasedwords"]),
];

impl Field {
    /// The field that a heading means.
    pub(crate) fn of_heading(heading: &str) -> Option<Field> {
        let plain: String = heading
            .trim_start_matches('\u{feff}')
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        let means = |(_, names): &&(Field, &[&str])| names.contains(&plain.as_str());
        HEADINGS.iter().find(means).map(|(field, _)| *field)
    }
}

/// The columns of a table: what each says, if anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    fields: Vec<Option<Field>>,
}

impl Columns {
    /// Columns by their headings; `None` if they say nothing that can be used.
    pub(crate) fn of_headings<'a>(headings: impl IntoIterator<Item = &'a str>) -> Option<Columns> {
        let mut fields: Vec<Option<Field>> = Vec::new();
        for heading in headings {
            // Of two columns with the same meaning the first counts.
            let field = Field::of_heading(heading).filter(|field| !fields.contains(&Some(*field)));
            fields.push(field);
        }
        let columns = Columns { fields };
        columns.say_something().then_some(columns)
    }

    /// Columns by their order.
    pub(crate) fn in_order(fields: &[Field]) -> Columns {
        Columns { fields: fields.iter().copied().map(Some).collect() }
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

    fn say_something(&self) -> bool {
        let has = |field| self.place(field).is_some();
        let facts = [
            Field::Name,
            Field::Aliases,
            Field::Description,
            Field::Types,
            Field::Popularity,
            Field::Kind,
            Field::Location,
            Field::Parents,
            Field::Title,
            Field::SameAs,
            Field::Mention,
        ];
        (has(Field::Id) && facts.into_iter().any(has))
            || (has(Field::From) && has(Field::To))
            || (has(Field::Title) && (has(Field::SameAs) || has(Field::Mention)))
            || has(Field::Demonym)
            || (has(Field::Benchmark) && has(Field::Document) && has(Field::Words))
    }
}
