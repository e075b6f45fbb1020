//! HIPE: historical newspapers, one token per row with columns for names and links.

use crate::format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::tokens;
use karat_model::{Corpus, Document, Features, Restriction};
use std::collections::BTreeMap;

mod cells;
mod header;
mod read;
#[cfg(test)]
mod tests;
mod write;

/// The format.
#[derive(Debug)]
pub(crate) struct Hipe;

static INFO: Info = Info {
    name: "hipe",
    title: "HIPE-2020 and HIPE-2022 TSV",
    about: "A header line `TOKEN  NE-COARSE-LIT ... NEL-LIT  NEL-METO  MISC`, then documents: comment lines \
            `# hipe2022:document_id = ...` with facts about the document, and one token per row with IOB tags and links \
            (`Q64`, `NIL`, `_` or `-` for none, ranked ones joined by `|`). The literal coarse type and link make \
            the annotation; the other columns are kept as its attributes, among them the metonymic type and link. Tokens are joined by a space, \
            by a line break after `EndOfLine` and by nothing after `NoSpaceAfter`; `EndOfSentence` ends a sentence, \
            and `Partial-2:7` says which characters of a token the mention covers; \
            other flags stay with the token. Where no tag marks a mention, rows with the same link are one. Runs may lack the header, \
            the comments and MISC: their rows are those of gold, which says what documents they are. \
            `--columns type=NE-FINE-LIT` and `link=NEL-METO` read other columns.",
    reference: "HIPE-2022 data, README; CLEF-HIPE-2020 participation guidelines",
    extensions: &["hipe.tsv"],
    offsets: Offsets::TOKENS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::SENTENCES)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::CANDIDATES)
            .union(Features::TYPE),
        document_attributes: &["*"],
        annotation_attributes: &[
            "metonymic_type",
            "fine_type",
            "metonymic_fine_type",
            "components",
            "nested_type",
            "metonymic_link",
        ],
    },
};

/// The columns, in the order in which they are written.
const COLUMNS: [&str; 10] = [
    "TOKEN",
    "NE-COARSE-LIT",
    "NE-COARSE-METO",
    "NE-FINE-LIT",
    "NE-FINE-METO",
    "NE-FINE-COMP",
    "NE-NESTED",
    "NEL-LIT",
    "NEL-METO",
    "MISC",
];

const TOKEN: usize = 0;
const COARSE: usize = 1;
const FINE: usize = 3;
const LINK: usize = 7;
const METONYMIC_LINK: usize = 8;
const MISC: usize = 9;

/// The attributes that hold the columns beside type and link.
const ATTRIBUTES: [(usize, &str); 6] = [
    (2, "metonymic_type"),
    (FINE, "fine_type"),
    (4, "metonymic_fine_type"),
    (5, "components"),
    (6, "nested_type"),
    (METONYMIC_LINK, "metonymic_link"),
];

/// What stands where there is nothing to say.
const NOTHING: &str = "_";
const NIL: &str = "NIL";

/// Whether a cell says that there is no link. Runs of HIPE-2022 have `-` there, on every token.
fn is_no_link(cell: &str) -> bool {
    matches!(cell, NOTHING | "-" | "")
}

/// Ends the key of the comment that names the document; HIPE-2022 has a prefix before it.
const DOCUMENT_ID: &str = "document_id";
const LANGUAGE: [&str; 2] = ["hipe2022:language", "language"];

impl Format for Hipe {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if header::has_header(sample.first_line()) {
            return 95;
        }
        // Runs come without a header too. Nothing else has nine columns of which six are tags.
        let mut rows =
            sample.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# "));
        let first = rows.next().is_some_and(header::is_row);
        if first && rows.take(20).all(header::is_row) { 90 } else { 0 }
    }

    fn detect_mapped(&self, sample: &Sample<'_>, columns: &BTreeMap<String, String>) -> Option<u8> {
        header::names_columns(columns).then(|| self.detect(sample))
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        files.iter().try_for_each(|file| read::file(&file.text()?, reading))
    }

    fn adapted(&self, corpus: &Corpus) -> Option<Adapted> {
        let tokens = |document: &Document<'_>| match write::fits(document) {
            true => None,
            false => tokens::needed(document, &write::GAPS),
        };
        let documents = corpus.documents().filter(|document| tokens(document).is_some()).count();
        let what = "the white space of the text";
        (documents > 0).then(|| Adapted {
            corpus: corpus.respaced(tokens, &write::GAPS),
            documents,
            what,
        })
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            writeln!(out, "{}", COLUMNS.join("\t"))?;
            corpus.documents().try_for_each(|document| write::document(out, &document))
        })
    }
}
