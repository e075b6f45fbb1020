//! The cells of a HIPE row: IOB tags, the flags of MISC, and columns as attributes.

use super::{NOTHING, is_no_link};

/// An IOB tag; `E` and `S` of the IOBES scheme end the mention they are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag<'t> {
    Outside,
    Begin { kind: &'t str, ends: bool },
    Inside { kind: &'t str, ends: bool },
}

impl<'t> Tag<'t> {
    pub(super) fn parse(cell: &'t str) -> Option<Tag<'t>> {
        let (letter, kind) = cell.split_once('-').unwrap_or((cell, ""));
        match letter {
            "O" | NOTHING | "" => Some(Tag::Outside),
            "B" => Some(Tag::Begin { kind, ends: false }),
            "S" => Some(Tag::Begin { kind, ends: true }),
            "I" => Some(Tag::Inside { kind, ends: false }),
            "E" => Some(Tag::Inside { kind, ends: true }),
            _ => None,
        }
    }

    /// The tag of a row of a mention, as a cell.
    pub(super) fn cell(kind: &str, first: bool) -> String {
        let letter = if first { "B" } else { "I" };
        if kind.is_empty() { letter.to_owned() } else { format!("{letter}-{kind}") }
    }
}

/// The tags of one column over the rows of a mention, as the value of an
/// attribute: the type if it covers the mention, otherwise all tags. `None` if
/// there are none.
pub(super) fn fold_tags(cells: &[&str]) -> Option<String> {
    let tags: Vec<Option<Tag<'_>>> = cells.iter().map(|cell| Tag::parse(cell)).collect();
    if tags.iter().all(|tag| *tag == Some(Tag::Outside)) {
        return None;
    }
    if let Some(Some(Tag::Begin { kind, .. })) = tags.first() {
        let whole: Vec<String> = (0..cells.len()).map(|row| Tag::cell(kind, row == 0)).collect();
        if !kind.is_empty() && whole == cells && !are_tags(kind, cells.len()) {
            return Some((*kind).to_owned());
        }
    }
    Some(cells.join(" "))
}

/// Whether a value lists one tag for each row.
fn are_tags(value: &str, rows: usize) -> bool {
    value.split(' ').count() == rows && value.split(' ').all(|cell| Tag::parse(cell).is_some())
}

/// The cells for the value of an attribute.
pub(super) fn unfold_tags(value: &str, rows: usize) -> Vec<String> {
    if are_tags(value, rows) {
        return value.split(' ').map(str::to_owned).collect();
    }
    (0..rows).map(|row| Tag::cell(value, row == 0)).collect()
}

/// As [`fold_tags`], for a column of links.
pub(super) fn fold_links(cells: &[&str]) -> Option<String> {
    let first = *cells.first()?;
    match cells.iter().all(|&cell| cell == first) {
        true if is_no_link(first) => None,
        true => Some(first.to_owned()),
        false => Some(cells.join(" ")),
    }
}

/// As [`unfold_tags`], for a column of links.
pub(super) fn unfold_links(value: &str, rows: usize) -> Vec<String> {
    let cells: Vec<String> = value.split(' ').map(str::to_owned).collect();
    if rows > 1 && cells.len() == rows { cells } else { vec![value.to_owned(); rows] }
}

/// The flags of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misc<'t> {
    flags: Vec<&'t str>,
}

pub(super) const NO_SPACE_AFTER: &str = "NoSpaceAfter";
pub(super) const END_OF_LINE: &str = "EndOfLine";
pub(super) const END_OF_SENTENCE: &str = "EndOfSentence";

impl<'t> Misc<'t> {
    pub(super) fn parse(cell: &'t str) -> Misc<'t> {
        let flags = cell.split('|').map(str::trim);
        Misc { flags: flags.filter(|&flag| !is_no_link(flag)).collect() }
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    pub(super) fn ends_sentence(&self) -> bool {
        self.has(END_OF_SENTENCE)
    }

    /// The white space between this token and the next.
    pub(super) fn separator(&self) -> &'static str {
        match () {
            () if self.has(NO_SPACE_AFTER) => "",
            () if self.has(END_OF_LINE) => "\n",
            () => " ",
        }
    }

    /// The characters of the token that the mention covers.
    pub(super) fn partial(&self) -> Option<(&'t str, u32, u32)> {
        self.flags.iter().find_map(|flag| {
            let (start, end) = flag.strip_prefix("Partial-")?.split_once(':')?;
            Some((*flag, start.parse().ok()?, end.parse().ok()?))
        })
    }

    /// The flags that nothing else in the document tells: not the end of a
    /// sentence, not the part of a token, and unless the token is the last, not
    /// the white space after it.
    pub(super) fn rest(&self, used: Option<&str>, last: bool) -> String {
        let separator = match self.separator() {
            _ if last => NOTHING,
            "" => NO_SPACE_AFTER,
            "\n" => END_OF_LINE,
            _ => NOTHING,
        };
        let told = |flag: &str| flag == END_OF_SENTENCE || flag == separator || Some(flag) == used;
        let rest: Vec<&str> = self.flags.iter().copied().filter(|flag| !told(flag)).collect();
        rest.join("|")
    }
}
