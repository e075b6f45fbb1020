//! The cells of one column, whatever type they are stored as.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, BooleanArray, LargeStringArray, StringArray, StringViewArray, StructArray,
};
use arrow_schema::DataType;
use karat_formats::Flaw;
use karat_formats::table::{CandidateCell, Field, RepeatedString, Rows, Value};
use karat_model::CorpusBuilder;
use std::borrow::Cow;
use std::ops::Range;

/// Where the items of each list are; `None` for no list.
type Ranges = Vec<Option<Range<usize>>>;

/// The cells of one column of a batch.
pub(crate) enum Column<'b> {
    Empty,
    /// Strings that were looked up for the whole batch.
    Known(Vec<Option<RepeatedString>>),
    Text(Strings<'b>),
    Whole(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
    Flag(&'b BooleanArray),
    Lists(Ranges, Strings<'b>),
    Candidates(Ranges, Box<Candidates<'b>>),
}

impl<'b> Column<'b> {
    pub(crate) fn of(
        array: &'b dyn Array,
        field: Field,
        rows: &mut Rows,
        corpus: &mut CorpusBuilder,
    ) -> Result<Column<'b>, Flaw> {
        if let Some(strings) = Strings::of(array) {
            return Ok(match field {
                // These columns repeat their values. Looking a string up once per batch, or per
                // entry of a dictionary, replaces a look-up for every row.
                Field::Document | Field::Link | Field::Type | Field::Cluster => {
                    Column::Known(strings.known(field, rows, corpus))
                }
                _ => Column::Text(strings),
            });
        }
        if let Some(whole) = whole_numbers(array) {
            return Ok(Column::Whole(whole));
        }
        if let Some(numbers) = numbers(array) {
            return Ok(Column::Number(numbers));
        }
        if let Some(flags) = array.as_boolean_opt() {
            return Ok(Column::Flag(flags));
        }
        if let Some((ranges, values)) = lists(array) {
            if let Some(strings) = Strings::of(values) {
                return Ok(Column::Lists(ranges, strings));
            }
            if let (Field::Candidates, Some(values)) = (field, values.as_struct_opt()) {
                return Ok(Column::Candidates(ranges, Box::new(Candidates::of(values)?)));
            }
        }
        // A document column without a single value could claim any number of rows.
        match array.data_type() {
            DataType::Null if field != Field::Document => Ok(Column::Empty),
            other => Err(format!("expected {}, found the type {other}", expected(field)).into()),
        }
    }

    pub(crate) fn value(&self, row: usize) -> Value<'_> {
        fn maybe<'v, T>(value: Option<T>, is: impl Fn(T) -> Value<'v>) -> Value<'v> {
            value.map_or(Value::Missing, is)
        }
        match self {
            Column::Empty => Value::Missing,
            Column::Known(known) => maybe(known.get(row).copied().flatten(), Value::Known),
            Column::Text(strings) => maybe(strings.get(row), Value::Text),
            Column::Whole(numbers) => maybe(numbers.get(row).copied().flatten(), Value::Whole),
            Column::Number(numbers) => maybe(numbers.get(row).copied().flatten(), Value::Number),
            Column::Flag(flags) => {
                maybe((!flags.is_null(row)).then(|| flags.value(row)), Value::Flag)
            }
            Column::Lists(ranges, strings) => maybe(ranges.get(row).cloned().flatten(), |range| {
                Value::List(range.filter_map(|item| strings.get(item)).collect())
            }),
            Column::Candidates(ranges, candidates) => {
                maybe(ranges.get(row).cloned().flatten(), |range| {
                    Value::Candidates(range.map(|item| candidates.get(item)).collect())
                })
            }
        }
    }
}

fn expected(field: Field) -> &'static str {
    match field {
        Field::Start | Field::End | Field::Length => "whole numbers",
        Field::Score => "numbers",
        Field::Optional | Field::Coreference | Field::Descriptive => "true or false",
        Field::Candidates => "lists of structs with a `link` and a `score`, or JSON text",
        Field::Attributes => "JSON text",
        _ => "strings",
    }
}

/// Strings in any of Arrow's layouts.
pub(crate) enum Strings<'b> {
    Small(&'b StringArray),
    Large(&'b LargeStringArray),
    View(&'b StringViewArray),
    Dictionary(Vec<Option<usize>>, Box<Strings<'b>>),
}

impl<'b> Strings<'b> {
    pub(crate) fn of(array: &'b dyn Array) -> Option<Strings<'b>> {
        match array.data_type() {
            DataType::Utf8 => array.as_string_opt().map(Strings::Small),
            DataType::LargeUtf8 => array.as_string_opt().map(Strings::Large),
            DataType::Utf8View => array.as_string_view_opt().map(Strings::View),
            // The values of a dictionary are plain; one within another is not read.
            DataType::Dictionary(_, values) if !values.is_nested() => {
                let dictionary = array.as_any_dictionary_opt()?;
                let values = Strings::of(dictionary.values())?;
                let keys = whole_numbers(dictionary.keys())?;
                let keys = keys.into_iter().map(|key| usize::try_from(key?).ok()).collect();
                Some(Strings::Dictionary(keys, Box::new(values)))
            }
            _ => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Strings::Small(array) => array.len(),
            Strings::Large(array) => array.len(),
            Strings::View(array) => array.len(),
            Strings::Dictionary(keys, _) => keys.len(),
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        fn value<'a, A: arrow_array::ArrayAccessor<Item = &'a str>>(
            array: A,
            row: usize,
        ) -> Option<&'a str> {
            (row < array.len() && !array.is_null(row)).then(|| array.value(row))
        }
        match self {
            Strings::Small(array) => value(*array, row),
            Strings::Large(array) => value(*array, row),
            Strings::View(array) => value(*array, row),
            Strings::Dictionary(keys, values) => values.get(keys.get(row).copied().flatten()?),
        }
    }

    /// Looks every string up; each entry of a dictionary once.
    fn known(
        &self,
        field: Field,
        rows: &mut Rows,
        corpus: &mut CorpusBuilder,
    ) -> Vec<Option<RepeatedString>> {
        match self {
            Strings::Dictionary(keys, values) => {
                let mut seen: Vec<Option<RepeatedString>> = vec![None; values.len()];
                let mut look_up = |key: usize| {
                    let entry = seen.get_mut(key)?;
                    if entry.is_none() {
                        *entry = rows.known(corpus, field, values.get(key)?);
                    }
                    *entry
                };
                keys.iter().map(|key| look_up((*key)?)).collect()
            }
            plain => {
                (0..plain.len()).map(|row| rows.known(corpus, field, plain.get(row)?)).collect()
            }
        }
    }
}

/// The answers in a column of lists.
pub(crate) struct Candidates<'b> {
    link: Option<Strings<'b>>,
    nil: Option<&'b BooleanArray>,
    cluster: Option<Strings<'b>>,
    score: Option<Vec<Option<f64>>>,
    types: Option<Strings<'b>>,
}

impl<'b> Candidates<'b> {
    fn of(array: &'b StructArray) -> Result<Candidates<'b>, Flaw> {
        let strings = |name: &str| match array.column_by_name(name) {
            None => Ok(None),
            Some(column) => match (Strings::of(column), column.data_type()) {
                (Some(strings), _) => Ok(Some(strings)),
                (None, DataType::Null) => Ok(None),
                (None, other) => {
                    Err(format!("expected strings in `{name}`, found the type {other}"))
                }
            },
        };
        let score = match array.column_by_name("score") {
            Some(column) if column.data_type() != &DataType::Null => {
                let whole = || {
                    let numbers = whole_numbers(column)?.into_iter();
                    Some(numbers.map(|number| number.map(|number| number as f64)).collect())
                };
                let wrong = || format!("expected numbers in `score`, found {}", column.data_type());
                Some(numbers(column).or_else(whole).ok_or_else(wrong)?)
            }
            _ => None,
        };
        Ok(Candidates {
            link: strings("link")?,
            nil: array.column_by_name("nil").and_then(|column| column.as_boolean_opt()),
            cluster: strings("cluster")?,
            score,
            types: strings("type")?,
        })
    }

    fn get(&self, item: usize) -> CandidateCell<'_> {
        fn text<'a>(strings: &'a Option<Strings<'_>>, item: usize) -> Option<Cow<'a, str>> {
            strings.as_ref()?.get(item).map(Cow::Borrowed)
        }
        let nil = self.nil.filter(|nil| item < nil.len() && !nil.is_null(item));
        CandidateCell {
            link: text(&self.link, item),
            nil: nil.is_some_and(|nil| nil.value(item)),
            cluster: text(&self.cluster, item),
            score: self.score.as_ref().and_then(|scores| scores.get(item).copied().flatten()),
            types: text(&self.types, item),
        }
    }
}

/// Where the items of each list are, and the items.
pub(crate) fn lists(array: &dyn Array) -> Option<(Ranges, &dyn Array)> {
    fn ranges(
        array: &dyn Array,
        offsets: impl Iterator<Item = (Option<usize>, Option<usize>)>,
    ) -> Ranges {
        let present = |row: usize| !array.is_null(row);
        offsets.enumerate().map(|(row, (from, to))| present(row).then_some(from?..to?)).collect()
    }
    fn pairs<O: arrow_array::OffsetSizeTrait>(
        offsets: &[O],
    ) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
        offsets.windows(2).map(|pair| match pair {
            [from, to] => (from.to_usize(), to.to_usize()),
            _ => (None, None),
        })
    }
    if let Some(list) = array.as_list_opt::<i32>() {
        return Some((ranges(array, pairs(list.value_offsets())), list.values()));
    }
    let list = array.as_list_opt::<i64>()?;
    Some((ranges(array, pairs(list.value_offsets())), list.values()))
}

pub(crate) fn whole_numbers(array: &dyn Array) -> Option<Vec<Option<i64>>> {
    macro_rules! widened {
        ($($name:ident: $kind:ty),*) => {
            match array.data_type() {
                $(DataType::$name => {
                    let array = array.as_primitive_opt::<$kind>()?;
                    // Only a number beyond 63 bits does not fit; no text is that long.
                    let wide = |number| i64::try_from(number).unwrap_or(i64::MAX);
                    Some(array.iter().map(|number| number.map(wide)).collect())
                })*
                _ => None,
            }
        };
    }
    widened!(Int8: Int8Type, Int16: Int16Type, Int32: Int32Type, Int64: Int64Type,
        UInt8: UInt8Type, UInt16: UInt16Type, UInt32: UInt32Type, UInt64: UInt64Type)
}

pub(crate) fn numbers(array: &dyn Array) -> Option<Vec<Option<f64>>> {
    match array.data_type() {
        DataType::Float64 => Some(array.as_primitive_opt::<Float64Type>()?.iter().collect()),
        DataType::Float32 => {
            let numbers = array.as_primitive_opt::<Float32Type>()?;
            Some(numbers.iter().map(|number| number.map(f64::from)).collect())
        }
        DataType::Float16 => {
            let numbers = array.as_primitive_opt::<Float16Type>()?;
            Some(numbers.iter().map(|number| number.map(f64::from)).collect())
        }
        _ => None,
    }
}
