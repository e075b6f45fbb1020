//! From the cells of a row to what the builder is told.

use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::{Columns, Field};
use karat_formats::Problem;
use karat_kb::{Builder, CandidateWeight, EntityKind, FactCoverage, Facts, Popular};

/// What ELEVANT writes for an entity without any of the types that it lists.
const NO_TYPE: &str = "OTHER";
/// What a list of most popular entities has for one that is not known by id.
const UNNAMED: &str = "?";
const UNNAMED_LOCATION: &str = "?LOC";

/// Takes rows of one table.
pub(crate) struct Rows {
    columns: Columns,
    /// Whether names are texts that may mean the entity.
    names_are_mentions: bool,
}

/// Says where a column of the row at hand is, and what is wrong with it.
pub(crate) trait Locate {
    fn problem(&self, column: usize, message: String) -> Problem;
}

impl<F: Fn(usize, String) -> Problem> Locate for F {
    fn problem(&self, column: usize, message: String) -> Problem {
        self(column, message)
    }
}

/// A row and the way to say what is wrong with it.
struct Row<'r, 'a> {
    columns: &'r Columns,
    cells: &'r [Cell<'a>],
    locate: &'r dyn Locate,
}

impl Rows {
    /// A table whose names are part of the dictionary.
    pub(crate) fn of_dictionary(columns: Columns, builder: &mut Builder) -> Rows {
        let has = |field| columns.place(field).is_some();
        if [Field::Name, Field::Aliases, Field::Mention].into_iter().any(has) {
            builder.covers(FactCoverage::Mentions);
        }
        // Only then does a text without a count mean "never seen".
        if has(Field::Mention) && (has(Field::Count) || has(Field::Prior)) {
            builder.covers(FactCoverage::Counts);
        }
        // A list of demonyms lists all there are; one with a column for yes and no says something
        // of the listed texts only.
        if has(Field::Demonym) && !has(Field::IsDemonym) {
            builder.covers(FactCoverage::Demonyms);
        }
        Rows { columns, names_are_mentions: true }
    }

    /// A table of facts about some entities, whose names say nothing of texts.
    pub(crate) fn of_facts(columns: Columns) -> Rows {
        Rows { columns, names_are_mentions: false }
    }

    /// What the columns say.
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Tells the builder what a row says. A row that says nothing is refused: it is cut, or its
    /// columns are not what they were taken for.
    pub(crate) fn take(
        &self,
        cells: &[Cell<'_>],
        locate: &dyn Locate,
        builder: &mut Builder,
    ) -> Result<(), HarvestError> {
        let row = Row { columns: &self.columns, cells, locate };
        let mut says = false;
        if row.has_column(Field::From) && row.has_column(Field::To) {
            says |= row.redirect(builder)?;
        }
        if let Some(text) = row.text(Field::Demonym) {
            builder.demonym(text, row.flag(Field::IsDemonym)?.unwrap_or(true))?;
            says = true;
        }
        if let Some(id) = row.text(Field::ListedType) {
            builder.whitelist(id, row.text(Field::Name).unwrap_or(id));
            says = true;
        }
        for (field, kind) in
            [(Field::Quantity, EntityKind::Quantity), (Field::DateTime, EntityKind::DateTime)]
        {
            if let Some(id) = row.text(field) {
                builder.entity(id, &Facts { kind, ..Facts::default() })?;
                says = true;
            }
        }
        says |= row.words(builder)?;
        says |= row.popular(builder)?;
        if row.has_column(Field::Id) || row.has_column(Field::Title) {
            let id = row.text(Field::Id).or(row.text(Field::Title));
            let id = id.ok_or_else(|| row.problem(Field::Id, "a row without an id".to_owned()))?;
            says |= self.entity(&row, id, builder)?;
        }
        match says {
            true => Ok(()),
            false => Err(row.says_nothing().into()),
        }
    }

    /// Whether the row says anything of the entity.
    fn entity(
        &self,
        row: &Row<'_, '_>,
        id: &str,
        builder: &mut Builder,
    ) -> Result<bool, HarvestError> {
        let mut says = self.columns.have_facts();
        if let Some(title) = row.text(Field::Title)
            && row.text(Field::Id).is_some()
        {
            builder.title(title, id)?;
            says = true;
        }
        for other in row.items(Field::SameAs, '|') {
            builder.same(id, other)?;
            says = true;
        }
        if let Some(text) = row.text(Field::Mention) {
            builder.weighted_mention(text, id, row.weight()?)?;
            says = true;
        }
        // A row of facts makes its id known, even where every other cell is empty.
        if self.columns.have_facts() {
            let facts = row.facts()?;
            if self.names_are_mentions {
                for text in facts.name.iter().chain(&facts.aliases) {
                    builder.mention(text, id, None)?;
                }
            }
            builder.entity(id, &facts)?;
        }
        Ok(says)
    }
}

impl<'r, 'a> Row<'r, 'a> {
    fn has_column(&self, field: Field) -> bool {
        self.columns.place(field).is_some()
    }

    fn cell(&self, field: Field) -> Option<&'r Cell<'a>> {
        self.columns.place(field).and_then(|at| self.cells.get(at))
    }

    fn text(&self, field: Field) -> Option<&'r str> {
        self.cell(field).and_then(Cell::text)
    }

    fn items(&self, field: Field, separator: char) -> Vec<&'r str> {
        self.cell(field).map(|cell| cell.items(separator)).unwrap_or_default()
    }

    fn problem(&self, field: Field, message: String) -> Problem {
        self.locate.problem(self.columns.place(field).unwrap_or(0), message)
    }

    fn facts(&self) -> Result<Facts<'r>, Problem> {
        let kind = match self.text(Field::Kind) {
            None => EntityKind::Thing,
            Some(name) => EntityKind::of_literal(&name.to_uppercase()).ok_or_else(|| {
                let message = format!("expected QUANTITY, DATETIME or nothing, found `{name}`");
                self.problem(Field::Kind, message)
            })?,
        };
        let types = self.items(Field::Types, '|');
        // No answer is no statement; a list without items, or ELEVANT's word for it, is one.
        let has_types = match self.cell(Field::Types) {
            Some(Cell::List(_)) => true,
            _ => !types.is_empty(),
        };
        let types = types.into_iter().filter(|id| *id != NO_TYPE).collect();
        Ok(Facts {
            name: self.text(Field::Name),
            description: self.text(Field::Description),
            popularity: self.number(Field::Popularity)?,
            kind,
            location: self.flag(Field::Location)?,
            types: has_types.then_some(types),
            aliases: self.items(Field::Aliases, '|'),
            parents: self.items(Field::Parents, '|'),
        })
    }

    fn number(&self, field: Field) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(field) else { return Ok(None) };
        // Tables that went through a data frame have `3.0` for 3.
        let whole = text.strip_suffix(".0").unwrap_or(text);
        whole.trim().parse().map(Some).map_err(|_| {
            self.problem(
                field,
                format!("expected a whole number that is not negative, found `{text}`"),
            )
        })
    }

    fn flag(&self, field: Field) -> Result<Option<bool>, Problem> {
        match self.text(field) {
            None => Ok(None),
            Some("1" | "true" | "True" | "yes") => Ok(Some(true)),
            Some("0" | "false" | "False" | "no") => Ok(Some(false)),
            Some(other) => Err(self.problem(field, format!("expected 1 or 0, found `{other}`"))),
        }
    }

    /// How often a text means an entity.
    fn weight(&self) -> Result<CandidateWeight, Problem> {
        if let Some(count) = self.number(Field::Count)? {
            return Ok(CandidateWeight::Count(count));
        }
        let Some(text) = self.text(Field::Prior) else { return Ok(CandidateWeight::Unknown) };
        match text.trim().parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(CandidateWeight::Prior(share)),
            _ => Err(self.problem(
                Field::Prior,
                format!("expected a share between 0 and 1, found `{text}`"),
            )),
        }
    }

    fn redirect(&self, builder: &mut Builder) -> Result<bool, HarvestError> {
        match (self.text(Field::From), self.text(Field::To)) {
            (Some(from), Some(to)) => builder.redirect(from, to).map(|()| true).map_err(Into::into),
            (None, None) => Ok(false),
            (from, _) => {
                let empty = if from.is_none() { Field::From } else { Field::To };
                let message = format!("a redirect whose column `{}` is empty", empty.heading());
                Err(self.problem(empty, message).into())
            }
        }
    }

    fn says_nothing(&self) -> Problem {
        let empty = |field: &Field| self.text(*field).is_none();
        let first = self.columns.fields().find(empty).unwrap_or(Field::Id);
        let message = format!("a row that says nothing: its column `{}` is empty", first.heading());
        self.problem(first, message)
    }

    fn words(&self, builder: &mut Builder) -> Result<bool, HarvestError> {
        let Some((benchmark, document)) =
            self.text(Field::Benchmark).zip(self.text(Field::Document))
        else {
            return Ok(false);
        };
        let all = self.number(Field::Words)?;
        let all = all.ok_or_else(|| self.problem(Field::Words, "no number of words".to_owned()))?;
        let lowercased = self.number(Field::Lowercased)?.unwrap_or(0);
        if lowercased > all {
            let message = format!("{lowercased} lowercased words of {all} words");
            return Err(self.problem(Field::Lowercased, message).into());
        }
        builder.words(benchmark, document, all, lowercased)?;
        Ok(true)
    }

    fn popular(&self, builder: &mut Builder) -> Result<bool, HarvestError> {
        let Some(json) = self.text(Field::PopularText) else { return Ok(false) };
        let text: String = serde_json::from_str(json).map_err(|error| {
            self.problem(Field::PopularText, format!("expected a text in quotes, as JSON: {error}"))
        })?;
        let inferred = match self.text(Field::Evidence) {
            Some("exact") => false,
            Some("inferred") => true,
            other => {
                let found = other.unwrap_or_default();
                let message = format!("expected `exact` or `inferred`, found `{found}`");
                return Err(self.problem(Field::Evidence, message).into());
            }
        };
        let all = self.items(Field::Popular, ',');
        let popular = Popular {
            inferred,
            unnamed: all.contains(&UNNAMED),
            unnamed_location: all.contains(&UNNAMED_LOCATION),
            ids: all.into_iter().filter(|id| !id.starts_with(UNNAMED)).collect(),
        };
        builder.popular(&text, &popular)?;
        Ok(true)
    }
}
