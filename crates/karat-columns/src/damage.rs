//! Damaged files.

use karat_formats::{Kind, Problem, Source};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a reading of a file that may be damaged in ways its library does not foresee.
///
/// The decoders of Parquet and Arrow check most of what they read but index and
/// slice by some numbers of the file as they are, and panic on those. Whatever
/// was read is thrown away together with the reading, so nothing half-done is seen.
pub(crate) fn guarded(
    source: &Source,
    read: impl FnOnce() -> Result<(), Problem>,
) -> Result<(), Problem> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(damaged(source, said.unwrap_or("its parts contradict each other")))
    })
}

/// The problem of a file that does not decode.
pub(crate) fn damaged(source: &Source, message: impl std::fmt::Display) -> Problem {
    Problem::new(Kind::Malformed, source.name(), format!("cannot decode: {message}"))
        .hint("the file is damaged or uses something karat does not know; write it again, for instance with pandas or pyarrow")
}
