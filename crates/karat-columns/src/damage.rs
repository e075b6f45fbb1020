//! Damaged files, in karat's words.

use karat_formats::{Kind, Problem, Source};
use std::cell::Cell;
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
    GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(false);
    result.unwrap_or_else(|_| Err(damaged(source, "its parts contradict each other")))
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread is caught and becomes a problem, so that a program's
/// panic hook need not speak of it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// The problem of a file that does not decode.
pub(crate) fn damaged(source: &Source, message: impl std::fmt::Display) -> Problem {
    Problem::new(Kind::Malformed, source.name(), format!("the file is damaged: {message}"))
        .hint("get it again, or write it again, for instance with pandas or pyarrow")
}

/// The problem of a file that is not whole.
pub(crate) fn truncated(source: &Source) -> Problem {
    Problem::new(Kind::Truncated, source.name(), "the file ends too early")
        .hint("it was probably not written or copied to the end; get it again")
}

/// The problem of a file that needs what karat leaves out.
pub(crate) fn unsupported(
    source: &Source,
    message: impl Into<String>,
    hint: &'static str,
) -> Problem {
    Problem::new(Kind::Format, source.name(), message).hint(hint)
}
