//! JSON: cutting a file into its records, values that borrow from the text for
//! formats with a fixed schema, a cursor for their usual lines, and objects with any
//! fields for those without.

mod borrowed;
mod cursor;
mod object;
mod records;

pub(crate) use borrowed::{Borrowed, Scalar};
pub(crate) use cursor::{Cursor, Once, key};
pub(crate) use object::{
    Object, Outline, as_offset, each_line, first_string, nth_item, objects, offset, string,
    string_end, text, write_line,
};
pub(crate) use records::{InRecord, JsonRecords, each_record};
