//! Reading a large file in stretches of whole documents, several at a time.
//!
//! In NIF any statement may refer to any other. Large files nevertheless hold one
//! document after the other, so each stretch is read as if it were a file of its
//! own. What it took to be its own it claims; as soon as two stretches claim the
//! same, or one refers to what it does not hold, or anything at all is wrong, the
//! file has to be read as a whole.

use crate::block::in_blocks;
use crate::problem::{Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use crate::syntax::turtle::{Settings, Turtle};
use karat_model::{CorpusBuilder, Repeated};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// Smaller files are read as a whole.
const LARGE: u64 = 1 << 20;

/// How much of a file is searched for the prefixes that hold for all of it.
const HEAD: u64 = 64 << 10;

/// What a stretch took to be its own.
#[derive(Debug, Default)]
pub(super) struct Claims {
    keys: Vec<u64>,
    dangling: bool,
}

impl Claims {
    /// Claims a name, which no other stretch may know.
    pub(super) fn add(&mut self, name: &str) {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        self.keys.push(hasher.finish());
    }

    /// Says that something is not in the stretch but may be elsewhere in the file.
    pub(super) fn look_elsewhere(&mut self) {
        self.dangling = true;
    }
}

/// Reads a file in stretches; `None` if it is small or must be read as a whole.
pub(super) fn read(
    file: &Source,
    settings: Settings,
    options: &ReadOptions,
    read: impl Fn(&Text<'_>, &mut Turtle<'_>, &mut Claims, &mut Reading<'_>) -> Result<(), Problem>
    + Sync,
) -> Option<CorpusBuilder> {
    if file.size() < LARGE {
        return None;
    }
    let head = file.head(HEAD).ok()?;
    let mut prefixes = Turtle::new(valid(&head), settings);
    prefixes.read_prefixes();
    let claimed = Mutex::new(HashMap::new());
    let strict = ReadOptions { lenient: false, ..options.clone() };
    let mut whole = Reading::new(&strict);
    let result = in_blocks(file, before_document, Repeated::Refuse, &mut whole, |text, reading| {
        let mut turtle = prefixes.of_text(text.as_str());
        let mut claims = Claims::default();
        read(text, &mut turtle, &mut claims, reading)?;
        let mut claimed = claimed.lock().unwrap_or_else(PoisonError::into_inner);
        let stretch = text.lines_before();
        let apart =
            claims.keys.iter().all(|key| *claimed.entry(*key).or_insert(stretch) == stretch);
        if apart && !claims.dangling && !turtle.prefixes_changed() {
            return Ok(());
        }
        Err(text.problem(Kind::UnknownDocument, 0, 0, "a stretch refers to another"))
    });
    // What is noted beside the documents is noted by a reading of the whole, with its lines.
    (result.is_ok() && whole.findings.is_empty()).then_some(whole.corpus)
}

/// The part of a head that is text, without a byte order mark.
fn valid(head: &[u8]) -> &str {
    let end = std::str::from_utf8(head).map_or_else(|error| error.valid_up_to(), str::len);
    let text = std::str::from_utf8(&head[..end]).unwrap_or_default();
    text.trim_start_matches('\u{feff}')
}

/// Where the last statement that begins a document starts. This is a guess; if
/// it is wrong, the stretches do not hold together and the file is read as a whole.
fn before_document(bytes: &[u8]) -> Option<usize> {
    // What comes last may not be complete, and so says nothing.
    let mut following = None;
    let finder = memchr::memmem::FinderRev::new(b"\n<");
    for newline in finder.rfind_iter(bytes) {
        let start = newline + 1;
        if !bytes[..start].trim_ascii_end().ends_with(b".") {
            continue;
        }
        if following.is_some_and(|end| begins_document(&bytes[start..end])) {
            return Some(start);
        }
        following = Some(start);
    }
    None
}

fn begins_document(statement: &[u8]) -> bool {
    let has = |name: &str| memchr::memmem::find(statement, name.as_bytes()).is_some();
    (has("isString") || has("sourceUrl"))
        && !(has("broaderContext") || has("referenceContext") || has("anchorOf"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_cut_before_documents() {
        let document = "<d2>\n  nif:isString \"a\" .\n";
        let mention = "<d2#0,1>\n nif:anchorOf \"a\" ;\n nif:referenceContext <d2> .\n";
        let before = "<d1>\n  nif:isString \"a\" .\n";
        for (text, cut) in [
            (format!("{before}{document}{mention}"), Some(before.len())),
            (format!("{before}{document}"), None),
            (format!("{before}{mention}{mention}"), None),
            (before.to_owned(), None),
        ] {
            assert_eq!(before_document(text.as_bytes()), cut, "{text}");
        }
    }
}
