//! Tab-separated tables without headings: what their columns are is known by the name of the file.
//!
//! Most are the files of a folder of facts about ELEVANT's results. Another one is a static here and a
//! line in the registry.

use super::tsv::read_rows;
use crate::error::HarvestError;
use crate::field::{Columns, Field};
use crate::lines::SourceLines;
use crate::registry::has;
use crate::row::Rows;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Harvested, Options, Taken};
use karat_formats::{Sample, Source};
use karat_kb::{Builder, FactCoverage};

/// A table that is known by its name.
#[derive(Debug)]
pub(crate) struct NamedTable {
    /// The name is that of the file, in lower case, with `_` between words.
    info: KbSourceInfo,
    fields: &'static [Field],
    /// Whether what is absent from such a table does not exist.
    is_dictionary: bool,
}

impl NamedTable {
    /// A table of facts about some entities or texts.
    const fn of_facts(
        file_name: &'static str,
        title: &'static str,
        about: &'static str,
        fields: &'static [Field],
    ) -> NamedTable {
        let info = KbSourceInfo { name: file_name, title, about, file_name: Some(file_name) };
        NamedTable { info, fields, is_dictionary: false }
    }

    /// A table of everything that there is of its kind.
    const fn of_dictionary(
        file_name: &'static str,
        title: &'static str,
        about: &'static str,
        fields: &'static [Field],
    ) -> NamedTable {
        let facts = NamedTable::of_facts(file_name, title, about, fields);
        NamedTable { is_dictionary: true, ..facts }
    }
}

pub(super) static ENTITIES: NamedTable = NamedTable::of_facts(
    "entities",
    "facts about entities",
    "id, name, types, QUANTITY or DATETIME for a number or a time, 1 for a place; of ELEVANT's results",
    &[Field::Id, Field::Name, Field::Types, Field::Kind, Field::Location],
);
pub(super) static POPULAR: NamedTable = NamedTable::of_facts(
    "popular",
    "most popular entities of texts",
    "a text as JSON, `exact` or `inferred`, the ids of the most popular entities it means; of ELEVANT's results",
    &[Field::PopularText, Field::Evidence, Field::Popular],
);
pub(super) static DEMONYMS: NamedTable = NamedTable::of_facts(
    "demonyms",
    "demonyms",
    "a text, and 1 if it is a demonym or 0 if it is none; of ELEVANT's results",
    &[Field::Demonym, Field::IsDemonym],
);
pub(super) static WORDS: NamedTable = NamedTable::of_facts(
    "word_counts",
    "numbers of words",
    "benchmark, document, its words, its lowercased words; of ELEVANT's results",
    &[Field::Benchmark, Field::Document, Field::Words, Field::Lowercased],
);
pub(super) static WHITELIST: NamedTable = NamedTable::of_facts(
    "whitelist_types",
    "types to report",
    "the id and the name of a type that results are broken down by; of ELEVANT's results",
    &[Field::ListedType, Field::Name],
);
pub(super) static SAME_AS: NamedTable = NamedTable::of_dictionary(
    "same_as",
    "ids of the same entities",
    "two ids of one entity",
    &[Field::Id, Field::SameAs],
);
pub(super) static TITLES: NamedTable = NamedTable::of_dictionary(
    "titles",
    "titles and their entities",
    "the title of an article, and the id of its entity",
    &[Field::Title, Field::Id],
);
pub(super) static ALIASES: NamedTable = NamedTable::of_dictionary(
    "aliases",
    "counts of what texts mean",
    "a text, an id, and how often the text means it",
    &[Field::Mention, Field::Id, Field::Count],
);
pub(super) static TYPES: NamedTable = NamedTable::of_dictionary(
    "types",
    "types above types",
    "a type and the type above it",
    &[Field::Id, Field::Parents],
);
pub(super) static QUANTITIES: NamedTable = NamedTable::of_facts(
    "quantity",
    "all quantities",
    "the ids of all quantities; with those of all points in time, everything else is neither",
    &[Field::Quantity],
);
pub(super) static DATE_TIMES: NamedTable = NamedTable::of_facts(
    "datetime",
    "all points in time",
    "the ids of all points in time; with those of all quantities, everything else is neither",
    &[Field::DateTime],
);

impl KbSource for NamedTable {
    fn info(&self) -> &KbSourceInfo {
        &self.info
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        // At most 20, as everything that is told by the name of a file alone.
        if sample.stem().to_lowercase().replace('-', "_") == self.info.name { 20 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        let columns = Columns::in_order(self.fields);
        let rows = match self.is_dictionary {
            true => Rows::of_dictionary(columns, builder),
            false => Rows::of_facts(columns),
        };
        let hint = format!(
            "`{}` without headings was taken for {}; give it headings, or another name, if it is something else",
            self.info.name, self.info.title
        );
        let lines = SourceLines::open(source, options.progress())?;
        read_rows(lines, &rows, &hint, builder)
    }

    /// Whoever lists all quantities and all points in time says of everything what it is.
    fn conclude(&self, harvested: &[Harvested], builder: &mut Builder) -> Result<(), HarvestError> {
        if has(harvested, QUANTITIES.info.name) && has(harvested, DATE_TIMES.info.name) {
            builder.covers(FactCoverage::Kinds);
        }
        Ok(())
    }
}
