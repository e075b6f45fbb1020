//! The threads of a command.

use clap::builder::{RangedU64ValueParser, TypedValueParser};

/// More than any machine has use for; starting a hundred thousand takes minutes.
const MOST: u64 = 1024;

/// Reads how many threads are wanted.
pub(crate) fn parser() -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::<usize>::new().range(..=MOST)
}

/// Starts so many threads for everything that the command does, 0 for all cores, and says how many there
/// are. The one that calls is one of them: on a small input, starting another and waiting for
/// it takes longer than its share of the work.
pub(crate) fn start(threads: usize) -> usize {
    // It fails where they were started before, and those are as good.
    let _ =
        rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build_global();
    rayon::current_num_threads()
}
