//! Reading the statements of a large text on several threads.

use super::{Settings, Turtle};
use rayon::prelude::*;

/// Below this size a second thread is not worth starting.
const WORTHWHILE: usize = 1 << 20;

/// Reads all statements of a text, in as many stretches as there are threads;
/// what `read` makes of each stretch comes back in the order of the text.
///
/// Where a statement starts can only be guessed without reading all before it.
/// So each stretch must end exactly where the next one starts, and no prefix may
/// change its meaning on the way; if that fails, the text is read again in one go.
pub(crate) fn in_parallel<'t, R: Send>(
    text: &'t str,
    settings: Settings,
    threads: usize,
    read: impl Fn(&mut Turtle<'t>) -> R + Sync,
) -> Vec<R> {
    let mut head = Turtle::new(text, settings);
    let starts = starts(text, threads.min(text.len() / WORTHWHILE));
    if !starts.is_empty() {
        head.read_prefixes();
        let found = in_stretches(&head, text.len(), &starts, &read);
        if let Some(found) = found {
            return found;
        }
        head = Turtle::new(text, settings);
    }
    vec![read(&mut head)]
}

fn in_stretches<'t, R: Send>(
    head: &Turtle<'t>,
    len: usize,
    starts: &[usize],
    read: &(impl Fn(&mut Turtle<'t>) -> R + Sync),
) -> Option<Vec<R>> {
    let bounds: Vec<usize> = [0].into_iter().chain(starts.iter().copied()).chain([len]).collect();
    let stretch = |start: usize, stop: usize| {
        let mut turtle = head.between(start, stop);
        let found = read(&mut turtle);
        // A wrong guess inside a long string makes the stretch before it end somewhere else, which
        // is noticed here.
        let fits = turtle.position() == stop || stop == len;
        (fits && !turtle.prefixes_changed()).then_some(found)
    };
    let stretches: Vec<&[usize]> = bounds.windows(2).collect();
    stretches.par_iter().with_max_len(1).map(|bound| stretch(bound[0], bound[1])).collect()
}

/// Where stretches of about equal length may start, the first one left out.
fn starts(text: &str, stretches: usize) -> Vec<usize> {
    let mut starts: Vec<usize> = (1..stretches)
        .filter_map(|number| next_start(text.as_bytes(), text.len() / stretches * number))
        .collect();
    starts.dedup();
    starts
}

/// The next line that begins with `<` after a line that ends with a dot.
fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let after = bytes.get(from..)?;
    memchr::memmem::find_iter(after, b"\n<")
        .map(|newline| from + newline + 1)
        .find(|&line| bytes[..line].trim_ascii_end().ends_with(b"."))
}
