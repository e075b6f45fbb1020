//! The columns a table can have and how they are found.

use super::headings::Headings;
use crate::problem::{Kind, Problem};
use crate::reading::ReadOptions;
use karat_model::{Hint, attribute, distance};
use std::collections::{BTreeMap, HashMap};

/// What a column says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The document's name.
    Document,
    /// Where the mention starts.
    Start,
    /// Where it ends.
    End,
    /// How long it is, instead of where it ends.
    Length,
    /// The entity it is linked to.
    Link,
    /// Whether the entity is unknown, or the cluster it is in.
    Nil,
    /// The cluster of an unknown entity.
    Cluster,
    /// The confidence of the system.
    Score,
    /// Its types, joined by `|`.
    Type,
    /// The text of the mention.
    Surface,
    /// The text of the document.
    Text,
    /// Whether finding it is optional.
    Optional,
    /// Whether it is a coreference; empty when the file does not say.
    Coreference,
    /// Whether it describes rather than names.
    Descriptive,
    /// `gold`, `system` or both, joined by `|`.
    Side,
    /// Category tags, joined by `|`.
    Tags,
    /// Other names of the linked entity that are just as right, joined by `|`.
    Equivalents,
    /// Ranked answers of the system.
    Candidates,
    /// Further facts about the annotation.
    Attributes,
    /// Language of the document.
    Language,
    /// Topic of the document.
    Topic,
    /// Title of the document.
    Title,
    /// Where the document came from.
    Url,
}

/// Each field, its name and what other files call it, the surest first.
const FIELDS: [(Field, &str, &[&str]); 23] = [
    (
        Field::Document,
        "doc",
        &[
            "docid",
            "doc_id",
            "document",
            "document_id",
            "doc_name",
            "pmid",
            "filename",
            "file_name",
        ],
    ),
    (
        Field::Start,
        "start",
        &[
            "begin",
            "start_char",
            "start_offset",
            "begin_offset",
            "offset",
            "start_span",
            "off0",
            "offsets",
            "span",
            "char_span",
            "char_offsets",
            "start_end",
            "position",
        ],
    ),
    (Field::End, "end", &["stop", "end_char", "end_offset", "end_span", "off1"]),
    (Field::Length, "length", &["len"]),
    (
        Field::Link,
        "link",
        &[
            "qid",
            "entity_id",
            "kb_id",
            "wikidata_id",
            "wikidata_qid",
            "uri",
            "iri",
            "entity",
            "label_id",
            "concept_id",
            "cui",
            "code",
        ],
    ),
    (Field::Nil, "nil", &["is_nil"]),
    (Field::Cluster, "cluster", &["nil_cluster", "cluster_id"]),
    (Field::Score, "score", &["confidence", "probability", "prob"]),
    (Field::Type, "type", &["types", "entity_type", "ner_type", "label"]),
    (Field::Surface, "surface", &["surface_form", "mention", "mention_text"]),
    (Field::Text, "text", &["document_text", "doc_text"]),
    (Field::Optional, "optional", &["is_optional"]),
    (Field::Coreference, "coreference", &["coref", "is_coref"]),
    (Field::Descriptive, "descriptive", &["is_descriptive"]),
    (Field::Side, "side", &[]),
    (Field::Tags, "tags", &[]),
    (Field::Equivalents, "equivalents", &[]),
    (Field::Candidates, "candidates", &[]),
    (Field::Attributes, "attributes", &[]),
    (Field::Language, "language", &["lang"]),
    (Field::Topic, "topic", &["domain"]),
    (Field::Title, "title", &["doc_title"]),
    (Field::Url, "url", &["doc_url"]),
];

impl Field {
    /// All fields, in the order in which they are written.
    pub fn all() -> impl Iterator<Item = Field> {
        FIELDS.iter().map(|&(field, ..)| field)
    }

    /// The name of its column.
    pub fn name(self) -> &'static str {
        FIELDS[self as usize].1
    }

    /// All names its column may have, the surest first.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name()).chain(FIELDS[self as usize].2.iter().copied())
    }

    /// Whether it says something of the document and not of a mention.
    pub(crate) fn is_of_document(self) -> bool {
        matches!(self, Field::Document | Field::Text) || self.document_attribute().is_some()
    }

    /// The document attribute it is, if it is one.
    pub(crate) fn document_attribute(self) -> Option<&'static str> {
        match self {
            Field::Language => Some(attribute::LANGUAGE),
            Field::Topic => Some(attribute::TOPIC),
            Field::Title => Some(attribute::TITLE),
            Field::Url => Some(attribute::URL),
            _ => None,
        }
    }
}

/// Which column of a file is which field.
#[derive(Debug, Clone)]
pub struct Mapping {
    source_name: String,
    columns: Vec<(Field, usize)>,
    names: Vec<String>,
    /// Columns that are not read on purpose: another says the same, or the user left them out.
    left_out: Vec<usize>,
    /// Whether it is what the user said, and not only usual names.
    is_named: bool,
}

impl Mapping {
    /// Finds the columns: those the user named, and by their usual names the rest.
    pub fn find(
        source_name: &str,
        names: &[&str],
        options: &ReadOptions,
    ) -> Result<Mapping, Problem> {
        let named = Mapping::look(source_name, names, &options.columns);
        // With several inputs, columns that the user named for one of them must not make the others
        // unreadable.
        let mapping = match options.columns_where_they_fit {
            true => named.or_else(|problem| {
                Mapping::look(source_name, names, &BTreeMap::new()).map_err(|_| problem)
            })?,
            false => named?,
        };
        mapping.check_names(source_name)?;
        Ok(mapping)
    }

    fn look(
        source_name: &str,
        names: &[&str],
        columns: &BTreeMap<String, String>,
    ) -> Result<Mapping, Problem> {
        let mapping = Mapping::look_for(source_name, names, columns, |_| true)?;
        mapping.check()?;
        Ok(mapping)
    }

    /// Finds the columns of some fields only, for files that have those of documents and those of mentions in
    /// different places. None of them has to be there but those the user named.
    pub(crate) fn of_fields(
        source_name: &str,
        names: &[&str],
        options: &ReadOptions,
        is_meant: fn(Field) -> bool,
    ) -> Result<Mapping, Problem> {
        let named = Mapping::look_for(source_name, names, &options.columns, is_meant);
        let mapping = match options.columns_where_they_fit {
            true => named.or_else(|problem| {
                let usual = Mapping::look_for(source_name, names, &BTreeMap::new(), is_meant);
                usual.map_err(|_| problem)
            })?,
            false => named?,
        };
        mapping.check_names(source_name)?;
        Ok(mapping)
    }

    /// The same where a column is read in another way.
    pub(crate) fn leaving_out(mut self, column: Option<&str>) -> Mapping {
        let at = column.and_then(|column| self.names.iter().position(|name| name == column));
        self.left_out.extend(at);
        self
    }

    fn look_for(
        source_name: &str,
        names: &[&str],
        columns: &BTreeMap<String, String>,
        is_meant: fn(Field) -> bool,
    ) -> Result<Mapping, Problem> {
        let is_named = !columns.is_empty();
        let mut wanted = wanted(source_name, columns)?;
        wanted.retain(|(field, _)| is_meant(*field));
        let headings = Headings::new(names, plain);
        let (mut columns, mut left_out) = (Vec::new(), Vec::new());
        for &(field, column) in &wanted {
            if column.is_empty() {
                // `--columns text=` leaves a field out, whatever its column is called.
                left_out.extend(field.names().filter_map(|name| headings.position(name)));
                continue;
            }
            let Some(index) = headings.position(column) else {
                return Err(no_such_column(source_name, names, field, column));
            };
            columns.push((field, index));
        }
        let is_open =
            |field: &Field| is_meant(*field) && wanted.iter().all(|(named, _)| named != field);
        for field in Field::all().filter(is_open) {
            let is_free = |index| columns.iter().all(|&(_, taken)| taken != index);
            if let Some(index) = headings.find(field.names(), is_free) {
                columns.push((field, index));
            }
        }
        let has = |field| columns.iter().any(|&(found, _)| found == field);
        let asked = |field| wanted.iter().any(|&(named, _)| named == field);
        // Of two ways to say where a mention ends, the one the user named counts.
        if has(Field::End) && has(Field::Length) {
            let other =
                if asked(Field::Length) && !asked(Field::End) { Field::End } else { Field::Length };
            left_out.extend(columns.extract_if(.., |(field, _)| *field == other).map(|(_, at)| at));
        }
        columns.sort_unstable();
        let source_name = source_name.to_owned();
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Ok(Mapping { source_name, columns, names, left_out, is_named })
    }

    /// Whether these are the columns of a table karat would understand.
    pub(crate) fn fits(names: &[&str], columns: &BTreeMap<String, String>) -> bool {
        Mapping::look("", names, columns).is_ok()
    }

    /// The fields found, with the position of their columns.
    pub fn columns(&self) -> &[(Field, usize)] {
        &self.columns
    }

    /// Whether there is a column for this field.
    pub fn has(&self, field: Field) -> bool {
        self.columns.iter().any(|&(found, _)| found == field)
    }

    /// The position of a field's column, and its name in the file.
    pub fn column(&self, field: Field) -> Option<(usize, &str)> {
        let &(_, index) = self.columns.iter().find(|&&(found, _)| found == field)?;
        Some((index, self.names.get(index)?))
    }

    /// The columns that karat would not write again under the same name: those it has no use
    /// for, and those that it calls otherwise.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = &str> {
        let kept = |index: usize, name: &str| {
            let field = self.columns.iter().find(|&&(_, at)| at == index).map(|&(field, _)| field);
            field.is_some_and(|field| field != Field::Length && field.name() == name)
        };
        let names = self.names.iter().enumerate();
        names.filter(move |&(index, name)| !kept(index, name)).map(|(_, name)| name.as_str())
    }

    /// The columns that karat has no use for. Those without a name, as the numbers of rows that a data
    /// frame writes, are not worth telling.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &str> {
        let is_read = |index: usize| {
            self.left_out.contains(&index) || self.columns.iter().any(|&(_, at)| at == index)
        };
        let names = self.names.iter().enumerate();
        let unread = names.filter(move |&(index, name)| !is_read(index) && !name.trim().is_empty());
        unread.map(|(_, name)| name.as_str())
    }

    /// The column that may have been meant as the link where none is read as it.
    pub(crate) fn nearest_to_link(&self) -> Option<&str> {
        // Whether a link is one to the page of the document cannot be told from its name.
        let of_document = [Field::Url, Field::Title].into_iter();
        let read_otherwise = of_document.filter_map(|field| Some(self.column(field)?.1));
        let names = self.unread().chain(read_otherwise);
        let sureness = |name: &str| {
            let name = plain(name);
            LINK_WORDS.iter().position(|word| name.contains(word))
        };
        let likely = names.filter_map(|name| Some((sureness(name)?, name)));
        likely.min_by_key(|&(sureness, _)| sureness).map(|(_, name)| name)
    }

    /// Whether it is what the user said, and not only usual names.
    pub(crate) fn is_named(&self) -> bool {
        self.is_named
    }

    /// The file it is of.
    pub(crate) fn source_name(&self) -> &str {
        &self.source_name
    }

    /// The names of all columns of the file.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same where the column `text` has the words of mentions and not the text of documents.
    pub(crate) fn with_words_as_text(mut self) -> Mapping {
        for (field, _) in &mut self.columns {
            if *field == Field::Text {
                *field = Field::Surface;
            }
        }
        self.columns.sort_unstable();
        self
    }

    /// Whether it is a table of texts, and of nothing else: an unknown column may be an offset.
    fn is_of_texts(&self) -> bool {
        self.has(Field::Document)
            && self.has(Field::Text)
            && self.columns.len() == self.names.len()
            && self.columns.iter().all(|&(field, _)| field.is_of_document())
    }

    /// Refuses columns of the same name where one of them is read.
    fn check_names(&self, source_name: &str) -> Result<(), Problem> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for name in &self.names {
            *counts.entry(plain(name)).or_default() += 1;
        }
        let mut read = self.columns.iter().filter_map(|&(_, index)| self.names.get(index));
        match read.find(|name| counts.get(&plain(name)).is_some_and(|&count| count > 1)) {
            None => Ok(()),
            Some(name) => {
                let message = format!("two columns are called `{name}`");
                Err(Problem::new(Kind::Format, source_name, message)
                    .hint("rename one of them; which is meant cannot be told"))
            }
        }
    }

    /// Whether the column of the start may hold both offsets, as `686-696`.
    fn start_may_have_both(&self) -> bool {
        self.column(Field::Start).is_some_and(|(_, name)| BOTH.contains(&plain(name).as_str()))
    }

    fn check(&self) -> Result<(), Problem> {
        if self.is_of_texts() {
            return Ok(());
        }
        let mut missing = Vec::new();
        for field in [Field::Document, Field::Start] {
            if !self.has(field) {
                missing.push(format!("`{}`", field.name()));
            }
        }
        if !self.has(Field::End) && !self.has(Field::Length) && !self.start_may_have_both() {
            missing.push("`end` (or `length`)".to_owned());
        }
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!(
            "no column for {}; the columns are {}",
            missing.join(" and "),
            listed(self.names.iter().map(String::as_str))
        );
        Err(Problem::new(Kind::Format, &self.source_name, message).hint(Hint::template(EXAMPLE)))
    }
}

/// Columns that may hold where a mention starts and where it ends, folded.
const BOTH: [&str; 7] =
    ["offset", "offsets", "span", "char_span", "char_offsets", "start_end", "position"];

/// Parts of the names of columns that have links in them, the surest first.
const LINK_WORDS: [&str; 18] = [
    "link",
    "qid",
    "wikidata",
    "entity",
    "wikipedia",
    "dbpedia",
    "yago",
    "uri",
    "iri",
    "url",
    "kb",
    "concept",
    "cui",
    "mesh",
    "wiki",
    "title",
    "answer",
    "id",
];

/// How the user says which column is which.
const EXAMPLE: &str =
    "say which column is which, for instance {columns=doc=docid,start=begin,end=stop,link=qid}";

fn wanted<'o>(
    source_name: &str,
    columns: &'o BTreeMap<String, String>,
) -> Result<Vec<(Field, &'o str)>, Problem> {
    let field_named = |name: &str| {
        Field::all().find(|field| field.name() == name).ok_or_else(|| {
            let nearest = nearest(name, Field::all().map(Field::name)).unwrap_or_default();
            let message = format!(
                "karat knows no column `{name}`; it knows {}",
                listed(Field::all().map(Field::name))
            );
            Problem::new(Kind::Format, source_name, message).hint(
                Hint::from("did you mean ")
                    .setting("columns", format!("{nearest}=..."))
                    .text("? the name of karat's column stands first"),
            )
        })
    };
    columns.iter().map(|(name, column)| Ok((field_named(name)?, column.as_str()))).collect()
}

fn no_such_column(source_name: &str, names: &[&str], field: Field, column: &str) -> Problem {
    let message =
        format!("no column `{column}`; the columns are {}", listed(names.iter().copied()));
    let nearest = nearest(column, names.iter().copied()).unwrap_or_default();
    Problem::new(Kind::Format, source_name, message).hint(
        Hint::from("did you mean ")
            .setting("columns", format!("{}={nearest}", field.name()))
            .text("?"),
    )
}

fn nearest<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = plain(name);
    others.min_by_key(|other| distance(&name, &plain(other)))
}

/// A name without what people vary: case, and how words are joined.
pub(crate) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' ', '.'], "_")
}

/// Names for a message, not too many of them.
pub(crate) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 30;
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "none".to_owned(),
        count if count > SHOWN => {
            format!("{} and {} more", names[..SHOWN].join(", "), count - SHOWN)
        }
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(names: &[&str], columns: &[(&str, &str)]) -> Result<Vec<(Field, usize)>, Problem> {
        let columns = columns.iter().map(|&(f, c)| (f.to_owned(), c.to_owned())).collect();
        let options = ReadOptions { columns, ..ReadOptions::default() };
        Mapping::find("t", names, &options).map(|mapping| mapping.columns)
    }

    #[test]
    fn the_table_is_in_the_order_of_the_fields() {
        for (index, field) in Field::all().enumerate() {
            assert_eq!(field as usize, index);
        }
    }

    #[test]
    fn usual_names_are_known() {
        for names in [
            ["doc", "start", "end", "link"],
            ["Doc ID", "BEGIN", "stop", "QID"],
            ["document_id", "start_char", "end-char", "entity"],
        ] {
            let expected =
                [(Field::Document, 0), (Field::Start, 1), (Field::End, 2), (Field::Link, 3)];
            assert_eq!(find(&names, &[]).unwrap(), expected);
        }
        let found = find(&["entity", "qid", "len", "offset", "docid"], &[]).unwrap();
        assert_eq!(
            found,
            [(Field::Document, 4), (Field::Start, 3), (Field::Length, 2), (Field::Link, 1)],
            "`qid` says more surely what it is than `entity`"
        );
    }

    #[test]
    fn the_user_has_the_last_word() {
        let names = ["doc", "start", "end", "len", "link", "text"];
        let found = find(&names, &[("length", "len"), ("text", ""), ("link", "LINK")]).unwrap();
        assert_eq!(
            found,
            [(Field::Document, 0), (Field::Start, 1), (Field::Length, 3), (Field::Link, 4)]
        );
    }

    #[test]
    fn a_table_of_texts_has_no_mentions_and_no_name_is_there_twice() {
        assert_eq!(
            find(&["doc", "text", "lang"], &[]).unwrap().len(),
            3,
            "texts of documents and what else is known of them"
        );
        for mentions in [
            &["doc", "text", "link"][..],
            &["doc", "mention", "text"],
            &["doc_id", "text", "char_start", "char_end"],
        ] {
            assert!(find(mentions, &[]).is_err(), "{mentions:?}");
        }
        assert!(find(&["text", "title"], &[]).is_err());
        for again in ["link", "Link"] {
            let problem = find(&["doc", "start", "end", "link", again], &[]).unwrap_err();
            assert_eq!(problem.message, "two columns are called `link`");
        }
        let others = find(&["doc", "start", "end", "note", "note"], &[]).unwrap();
        assert_eq!(others.len(), 3, "what is not read may be there twice");
    }

    #[test]
    fn what_is_missing_is_named() {
        let problem = find(&["a", "begin"], &[]).unwrap_err();
        assert_eq!(
            problem.message,
            "no column for `doc` and `end` (or `length`); the columns are `a`, `begin`"
        );
        assert!(problem.hint.unwrap().to_string().contains("`columns=doc=docid,"));
        let problem = find(&["doc", "start", "end", "wiki_id"], &[("link", "wikiid")]).unwrap_err();
        assert!(problem.message.starts_with("no column `wikiid`"));
        assert_eq!(problem.hint.unwrap().to_string(), "did you mean `columns=link=wiki_id`?");
        let problem = find(&["doc", "start", "end"], &[("links", "x")]).unwrap_err();
        assert!(problem.hint.unwrap().to_string().contains("`columns=link="));
    }
}
