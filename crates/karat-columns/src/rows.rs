//! Rows of tables that are no annotations.

use crate::column::{Strings, lists, numbers, whole_numbers};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use karat_formats::Flaw;
use std::borrow::Cow;
use std::ops::Range;

/// What a row says in a column; numbers are written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowCell<'a> {
    /// Nothing.
    Empty,
    /// A text or a number.
    Text(Cow<'a, str>),
    /// Several.
    List(Vec<Cow<'a, str>>),
}

/// A column of texts, numbers, or lists of them.
pub(crate) enum AnyColumn<'b> {
    Texts(Strings<'b>),
    Whole(Vec<Option<i64>>),
    Numbers(Vec<Option<f64>>),
    Flags(Vec<Option<bool>>),
    Lists(Vec<Option<Range<usize>>>, Box<AnyColumn<'b>>),
    Nothing,
}

impl<'b> AnyColumn<'b> {
    /// The column behind an array, or the type that has no place in a table.
    pub(crate) fn of(array: &'b dyn Array) -> Result<AnyColumn<'b>, Flaw> {
        if let Some(texts) = Strings::of(array) {
            return Ok(AnyColumn::Texts(texts));
        }
        if let Some(whole) = whole_numbers(array) {
            return Ok(AnyColumn::Whole(whole));
        }
        if let Some(numbers) = numbers(array) {
            return Ok(AnyColumn::Numbers(numbers));
        }
        if let Some(flags) = array.as_boolean_opt() {
            return Ok(AnyColumn::Flags(flags.iter().collect()));
        }
        match lists(array) {
            Some((ranges, items)) => match AnyColumn::of(items)? {
                AnyColumn::Lists(..) => Err("lists of lists".into()),
                items => Ok(AnyColumn::Lists(ranges, Box::new(items))),
            },
            None if array.data_type() == &DataType::Null => Ok(AnyColumn::Nothing),
            None => Err(array.data_type().to_string().into()),
        }
    }

    pub(crate) fn cell(&self, row: usize) -> RowCell<'_> {
        match self {
            AnyColumn::Lists(ranges, items) => match ranges.get(row).cloned().flatten() {
                Some(range) => RowCell::List(range.filter_map(|item| items.text(item)).collect()),
                None => RowCell::Empty,
            },
            plain => plain.text(row).map_or(RowCell::Empty, RowCell::Text),
        }
    }

    fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        let written = |text: String| Some(Cow::Owned(text));
        match self {
            AnyColumn::Texts(texts) => texts.get(row).map(Cow::Borrowed),
            AnyColumn::Whole(numbers) => written((*numbers.get(row)?)?.to_string()),
            AnyColumn::Numbers(numbers) => written((*numbers.get(row)?)?.to_string()),
            AnyColumn::Flags(flags) => written(u8::from((*flags.get(row)?)?).to_string()),
            AnyColumn::Lists(..) | AnyColumn::Nothing => None,
        }
    }
}
