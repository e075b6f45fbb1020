//! What a reading has to tell beside its corpus.
//!
//! Nothing is wrong with these inputs, but something in them was read in a way that their author
//! may not have meant. While files are read it is only counted (`Remarks`), block by block and in
//! any order; when all is read, each kind becomes one [`Notice`].

use crate::table::{Field, Mapping};
use karat_model::{Hint, Notice, NoticeKind, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Words that are no ids were read as NIL.
pub static NIL_WORDS: NoticeKind = NoticeKind {
    id: "nil-words",
    severity: Severity::Note,
    about: "Words such as `NULL`, `None`, `nan` or `-` stand in place of links. They are read as NIL and not as \
            an entity of that name.",
};

/// Words that may mean NIL were read as ids.
pub static MAYBE_NIL: NoticeKind = NoticeKind {
    id: "maybe-nil",
    severity: Severity::Note,
    about: "Links are called `N/A`. Programs write this where there is no entity, but published outputs have it as \
            the name of a page, so it is read as an entity.",
};

/// Rows of a table have no link.
pub static EMPTY_LINKS: NoticeKind = NoticeKind {
    id: "empty-links",
    severity: Severity::Note,
    about: "A table has rows whose link is empty and no column that says which entities are NIL. They are read as mentions \
            without an answer, which most conventions count as NIL.",
};

/// Columns of a table are not read.
pub static UNREAD_COLUMNS: NoticeKind = NoticeKind {
    id: "unread-columns",
    severity: Severity::Note,
    about: "A table has columns whose names karat does not know. They are passed over; if one of them is meant, \
            say which it is.",
};

/// A table has no links.
pub static NO_LINK_COLUMN: NoticeKind = NoticeKind {
    id: "no-link-column",
    severity: Severity::Warning,
    about: "No column of a table is read as the link, so that its mentions are linked to nothing. Mostly the column has \
            a name that karat does not know.",
};

/// Labels belong to labels that are not there.
pub static MISSING_PARENTS: NoticeKind = NoticeKind {
    id: "missing-parents",
    severity: Severity::Warning,
    about: "Labels of an ELEVANT benchmark name a parent that is not in their document. They and all below them \
            belong to no root and count nowhere, as in ELEVANT.",
};

/// All that a reading can tell.
pub static NOTICES: &[&NoticeKind] =
    &[&NIL_WORDS, &MAYBE_NIL, &EMPTY_LINKS, &UNREAD_COLUMNS, &NO_LINK_COLUMN, &MISSING_PARENTS];

/// Which options that describe a file found something to describe.
///
/// An option that is of no use to any input is probably a mistake, but which inputs there are only
/// the caller knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsedOptions {
    /// Whether a table was read whose columns were named.
    pub columns: bool,
    /// Whether offsets were read in the unit that was given.
    pub unit: bool,
    /// Whether end offsets were read as they were said to count.
    pub end: bool,
}

/// What there is to tell so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remarks {
    nil_words: BTreeMap<String, usize>,
    maybe_nil: BTreeMap<String, usize>,
    unread_columns: BTreeSet<String>,
    unlinked: Option<Unlinked>,
    /// Whether there is a table with links, and whether there is one that says which are NIL.
    has_links: bool,
    says_nil: bool,
    empty_links: usize,
    missing_parents: usize,
    first_missing_parent: Option<String>,
    pub(crate) used: UsedOptions,
}

/// A table without links.
#[derive(Debug, Clone)]
struct Unlinked {
    source_name: String,
    nearest: Option<String>,
    /// Whether it has columns that are not read.
    has_others: bool,
}

impl Remarks {
    pub(crate) fn add_nil_word(&mut self, word: &str, count: usize) {
        *self.nil_words.entry(word.to_owned()).or_default() += count;
    }

    pub(crate) fn add_maybe_nil(&mut self, word: &str, count: usize) {
        *self.maybe_nil.entry(word.to_owned()).or_default() += count;
    }

    pub(crate) fn add_empty_links(&mut self, count: usize) {
        self.empty_links += count;
    }

    pub(crate) fn add_missing_parent(&mut self, first: impl FnOnce() -> String) {
        self.missing_parents += 1;
        self.first_missing_parent.get_or_insert_with(first);
    }

    pub(crate) fn add_columns(&mut self, mapping: &Mapping) {
        self.used.columns |= mapping.is_named();
        self.unread_columns.extend(mapping.unread().map(str::to_owned));
        self.has_links |= mapping.has(Field::Link);
        let says_nil = mapping.has(Field::Nil) || mapping.has(Field::Cluster);
        self.says_nil |= says_nil;
        let has_others = mapping.unread().next().is_some();
        // A table of mentions that are all NIL, or that have candidates, needs no links.
        let needs_links = !says_nil && !mapping.has(Field::Candidates);
        let is_unlinked = mapping.has(Field::Start) && !mapping.has(Field::Link);
        if is_unlinked && (needs_links || has_others) {
            let nearest = mapping.nearest_to_link().map(str::to_owned);
            let source_name = mapping.source_name().to_owned();
            self.unlinked.get_or_insert(Unlinked { source_name, nearest, has_others });
        }
    }

    /// Adds what a later part of the input has to tell.
    pub(crate) fn merge(&mut self, other: Remarks) {
        for (word, count) in other.nil_words {
            self.add_nil_word(&word, count);
        }
        for (word, count) in other.maybe_nil {
            self.add_maybe_nil(&word, count);
        }
        self.unread_columns.extend(other.unread_columns);
        self.unlinked = self.unlinked.take().or(other.unlinked);
        self.has_links |= other.has_links;
        self.says_nil |= other.says_nil;
        self.empty_links += other.empty_links;
        self.missing_parents += other.missing_parents;
        self.first_missing_parent = self.first_missing_parent.take().or(other.first_missing_parent);
        self.used.columns |= other.used.columns;
        self.used.unit |= other.used.unit;
        self.used.end |= other.used.end;
    }

    /// The notices about an input of this name.
    pub(crate) fn notices(&self, input: &str) -> Vec<Notice> {
        let all = [
            self.of_nil_words(input),
            self.of_maybe_nil(input),
            self.of_empty_links(input),
            self.of_unread_columns(input),
            self.of_unlinked(),
            self.of_missing_parents(input),
        ];
        all.into_iter().flatten().map(|notice| notice.about(input)).collect()
    }

    fn of_nil_words(&self, input: &str) -> Option<Notice> {
        let were = if self.nil_words.len() == 1 { "was" } else { "were" };
        let message = format!("in `{input}`, {} {were} read as NIL", counted(&self.nil_words));
        (!self.nil_words.is_empty()).then(|| NIL_WORDS.notice(message))
    }

    fn of_maybe_nil(&self, input: &str) -> Option<Notice> {
        let was = match self.maybe_nil.len() {
            1 => "was read as an entity of this name",
            _ => "were read as entities of these names",
        };
        let message = format!("in `{input}`, {} {was}, and not as NIL", counted(&self.maybe_nil));
        let hint = "write NIL if it says that there is no entity";
        (!self.maybe_nil.is_empty()).then(|| MAYBE_NIL.notice(message).hint(hint))
    }

    fn of_empty_links(&self, input: &str) -> Option<Notice> {
        // In a table that says which mentions are NIL, an empty link is an answer and not a gap.
        let are_meant = self.empty_links > 0 && self.has_links && !self.says_nil;
        let rows = match self.empty_links {
            1 => "1 row has no link and is a mention".to_owned(),
            count => format!("{count} rows have no link and are mentions"),
        };
        let message = format!("in `{input}`, {rows} without an answer");
        let hint = "write NIL, or a column `nil` with `true`, where the entity is not in the knowledge base";
        are_meant.then(|| EMPTY_LINKS.notice(message).hint(hint))
    }

    fn of_unread_columns(&self, input: &str) -> Option<Notice> {
        let names: Vec<&str> = self.unread_columns.iter().map(String::as_str).collect();
        let listed = crate::table::listed(names.iter().copied());
        let message = match names.len() {
            1 => format!("column {listed} of `{input}` is not read"),
            _ => format!("columns {listed} of `{input}` are not read"),
        };
        let hint =
            Hint::template("say with {columns} which column is which, if one of them is meant");
        (!names.is_empty()).then(|| UNREAD_COLUMNS.notice(message).hint(hint))
    }

    fn of_unlinked(&self) -> Option<Notice> {
        let Unlinked { source_name, nearest, has_others } = self.unlinked.as_ref()?;
        let message = format!(
            "no column of `{source_name}` is read as `link`, so its mentions are linked to nothing"
        );
        Some(match nearest {
            Some(nearest) => {
                let setting = format!("link={nearest}");
                let hint = Hint::from("is it this one? ").setting("columns", setting);
                NO_LINK_COLUMN.notice(format!("{message}; the nearest is `{nearest}`")).hint(hint)
            }
            None if *has_others => NO_LINK_COLUMN
                .notice(message)
                .hint(Hint::template("say which column is the link with {columns=link=...}")),
            None => NO_LINK_COLUMN.notice(message),
        })
    }

    fn of_missing_parents(&self, input: &str) -> Option<Notice> {
        let first = self.first_missing_parent.as_ref()?;
        let labels = match self.missing_parents {
            1 => "1 label names a parent that is not there, and counts".to_owned(),
            count => format!("{count} labels name a parent that is not there, and count"),
        };
        let message =
            format!("in `{input}`, {labels} nowhere, as in ELEVANT; the first is {first}");
        let hint = "`parent` is the `id` of another label of the same document; `karat validate` lists them";
        Some(MISSING_PARENTS.notice(message).hint(hint))
    }
}

/// Words, each with how often it occurs.
fn counted(words: &BTreeMap<String, usize>) -> String {
    let times = |(word, count): (&String, &usize)| match count {
        1 => format!("`{word}` (once)"),
        count => format!("`{word}` ({count} times)"),
    };
    words.iter().map(times).collect::<Vec<_>>().join(", ")
}
