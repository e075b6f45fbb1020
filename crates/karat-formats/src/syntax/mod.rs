//! How files are spelled, whatever they say: JSON, XML and Turtle, rows of tokens,
//! tables, and the columns and separators of delimited text. A module here knows the characters
//! of a file and where they stand, and nothing of any one format.

pub(crate) mod columns;
pub(crate) mod json;
pub(crate) mod nil;
pub(crate) mod numbered;
pub(crate) mod scan;
pub mod table;
pub(crate) mod token_rows;
pub(crate) mod tokens;
pub(crate) mod turtle;
pub(crate) mod xml_tree;
