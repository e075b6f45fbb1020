//! Mewsli-9: tables of documents and mentions beside a folder of texts.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::{Given, span};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use karat_model::{Features, Link, Restriction, TextIndex, attribute};
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Mewsli;

const MENTIONS: [&str; 4] = ["docid", "position", "length", "mention"];
const DOCUMENTS: [&str; 3] = ["docid", "title", "curid"];
/// Columns of documents that are kept, and under which name.
const DOCUMENT_FACTS: [(&str, &str); 4] =
    [("title", attribute::TITLE), ("url", attribute::URL), ("curid", "curid"), ("revid", "revid")];
/// Columns of mentions that are kept.
const MENTION_FACTS: [&str; 3] = ["url", "qid_in_refs", "freq_bin"];
const HINT: &str = "mentions.tsv has the columns docid, position, length, mention, url, lang, qid, qid_in_refs, freq_bin";

static INFO: Info = Info {
    name: "mewsli",
    title: "Mewsli-9",
    about: "Per language a folder with docs.tsv, mentions.tsv and a folder text with one file per document, named by docid. \
            Positions and lengths count code points. A mention is checked against its text where the text is there; the \
            text_md5 of docs.tsv is not checked. Without texts (they are not distributed but extracted by a script, or given \
            as documents) the mentions keep their surface form as an attribute.",
    reference: "google-research/google-research, dense_representations_for_entity_retrieval/mel/mewsli-9.md",
    extensions: &["tsv"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &["title", "url", "curid", "revid", "language"],
        annotation_attributes: &["url", "qid_in_refs", "freq_bin", "surface"],
    },
};

impl Format for Mewsli {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let header: Vec<&str> = sample.first_line().trim_end().split('\t').collect();
        if header.starts_with(&MENTIONS) || header.starts_with(&DOCUMENTS) { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut tables = Vec::new();
        for file in files {
            tables.extend(reading.accept(Table::read(file))?);
        }
        // Only mentions were given: the table of documents beside them also has those without
        // mentions, which count in averages over documents.
        if tables.iter().all(|table| table.has("position")) {
            let beside = files.iter().filter_map(|file| input.companion(file, "docs.tsv", &[]));
            for file in beside.collect::<Vec<_>>() {
                reading.findings.note_use(file.name());
                tables.extend(reading.accept(Table::read(&file))?);
            }
        }
        let by_name = input.sources().iter().map(|source| (source.file_name(), source)).collect();
        let texts = Texts { by_name, input, given: Given::new(reading.options) };
        let (mentions, documents): (Vec<_>, Vec<_>) =
            tables.iter().partition(|table| table.has("position"));
        // Documents first, whatever the order of the files: mentions continue a document that
        // is there, but start one that is not, and its own row would then be refused as a
        // repetition.
        for table in documents {
            read_documents(table, &texts, reading)?;
        }
        for table in mentions {
            read_mentions(table, &texts, reading)?;
        }
        Ok(())
    }
}

/// A table of one file.
struct Table {
    file: Source,
    content: String,
    columns: HashMap<String, usize>,
    /// Each row and where it starts.
    rows: Vec<(csv::StringRecord, usize)>,
}

impl Table {
    fn read(file: &Source) -> Result<Table, Problem> {
        let text = file.text()?;
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b'\t')
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_str().as_bytes());
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| {
                Problem::new(Kind::Malformed, file.name(), format!("not a table: {error}"))
                    .hint(HINT)
            })?;
            // `csv` gives the byte at which a record starts, which is all that is needed to show
            // the line of a problem.
            let at = record.position().map_or(0, |position| position.byte() as usize);
            rows.push((record, at));
        }
        let header = if rows.is_empty() { csv::StringRecord::new() } else { rows.remove(0).0 };
        let columns = header.iter().enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        let table = Table { file: file.clone(), content: text.as_str().to_owned(), columns, rows };
        for column in if table.has("position") { &MENTIONS[..] } else { &DOCUMENTS[..1] } {
            if !table.has(column) {
                let message = format!("expected a column `{column}` in the first line");
                return Err(text.problem(Kind::Malformed, 0, 1, message).hint(HINT));
            }
        }
        Ok(table)
    }

    fn has(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }

    /// A cell of a row; empty where the row or the table has none.
    fn cell<'t>(&self, row: &'t csv::StringRecord, column: &str) -> &'t str {
        self.columns.get(column).and_then(|&at| row.get(at)).unwrap_or_default()
    }

    fn text(&self) -> Text<'_> {
        Text::new(self.file.name(), &self.content)
    }
}

/// The texts that belong to the tables.
struct Texts<'i> {
    by_name: HashMap<&'i str, &'i Source>,
    input: &'i Input,
    given: Given<'i>,
}

impl Texts<'_> {
    /// The text of a document: from its file, or from the given documents. It is
    /// taken byte by byte, as positions count everything in it.
    fn find(
        &self,
        table: &Table,
        name: &str,
        reading: &mut Reading<'_>,
    ) -> Result<Option<String>, Problem> {
        let given = self.by_name.get(name).map(|&source| source.clone());
        let file = given.or_else(|| self.input.companion(&table.file, name, &["text"]));
        let Some(file) = file else { return Ok(self.given.text_of(name).map(str::to_owned)) };
        reading.findings.note_use(file.name());
        let bytes = file.bytes(None)?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(file.not_utf8(&bytes)),
        }
    }
}

fn read_documents(
    table: &Table,
    texts: &Texts<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let file = table.text();
    for (row, at) in &table.rows {
        let name = table.cell(row, "docid");
        let here = Here { text: &file, at: *at, len: name.len() };
        if let Err(duplicate) = here.begin_document(name, &mut reading.corpus) {
            reading.report(duplicate)?;
            continue;
        }
        let text = texts.find(table, name, reading);
        if let Some(text) = reading.accept(text)?.flatten() {
            reading.corpus.set_text(&text);
        }
        for (column, key) in DOCUMENT_FACTS {
            reading.corpus.document_attribute(key, table.cell(row, column));
        }
    }
    Ok(())
}

fn read_mentions(
    table: &Table,
    texts: &Texts<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let file = table.text();
    // Grouped by document, as the rows need not stand together and the text of a document should be
    // indexed once.
    for (name, rows) in by_document(table) {
        let known = reading.corpus.len();
        reading.corpus.continue_document(name);
        let is_new = reading.corpus.len() > known;
        if is_new {
            let text = texts.find(table, name, reading);
            if let Some(text) = reading.accept(text)?.flatten() {
                reading.corpus.set_text(&text);
            }
        }
        if let Some((_, at)) = rows.first() {
            let here = Here { text: &file, at: *at, len: name.len() };
            reading.names(name, |kind, message| here.problem(kind, message));
        }
        let language = rows.first().map_or("", |(row, _)| table.cell(row, "lang"));
        reading.corpus.document_attribute(attribute::LANGUAGE, language);
        // Copied out, because annotations are added to the corpus while the text is looked at.
        let text = reading.corpus.text().map(str::to_owned);
        let index = text.as_deref().map(TextIndex::new);
        for (row, at) in rows {
            let here = Here { text: &file, at: *at, len: name.len() };
            if let Err(problem) = add(table, row, index.as_ref(), here, reading) {
                reading.report(problem)?;
            }
        }
    }
    Ok(())
}

/// The rows of each document, in the order in which the documents first occur.
fn by_document(table: &Table) -> Vec<(&str, Vec<&(csv::StringRecord, usize)>)> {
    let mut groups: Vec<(&str, Vec<_>)> = Vec::new();
    let mut known = HashMap::new();
    for row in &table.rows {
        let name = table.cell(&row.0, "docid");
        let group = *known.entry(name).or_insert(groups.len());
        if group == groups.len() {
            groups.push((name, Vec::new()));
        }
        groups[group].1.push(row);
    }
    groups
}

fn add(
    table: &Table,
    row: &csv::StringRecord,
    index: Option<&TextIndex<'_>>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let number = |column: &str| {
        let cell = table.cell(row, column);
        cell.parse::<u64>().map_err(|_| {
            let message = format!("expected a whole number as `{column}`, found `{cell}`");
            here.problem(Kind::Malformed, message).hint(HINT)
        })
    };
    let (start, length) = (number("position")?, number("length")?);
    let surface = table.cell(row, "mention");
    let offsets = Offsets { unit: reading.unit(INFO.offsets).unit, ..INFO.offsets };
    // Saturating: a hostile length becomes an offset outside of the text, which is reported,
    // instead of an overflow.
    let ends = (start, start.saturating_add(length));
    let span = span(index, offsets, ends, Some(surface), here, reading)?;
    let link = match table.cell(row, "qid") {
        "" => Link::NONE,
        entity => Link::to(reading.corpus.intern(entity)),
    };
    let mut annotation = reading.corpus.annotate(span, link);
    for column in MENTION_FACTS {
        annotation = annotation.attribute(column, table.cell(row, column));
    }
    // Without a text, the surface form in the table is all that is known of the words.
    if index.is_none() {
        annotation.attribute(attribute::SURFACE, surface);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::{ReadOptions, ReadOutcome, Registry};
    use karat_model::Span;

    const DOCS: &str = "docid\ttitle\tcurid\trevid\turl\ttext_md5\ntr-8\t\"\"\"Bugün.\"\"\"\t8\t123\thttps://x\tabc\ntr-9\tLeer\t9\t1\t\t\n";
    const ROWS: &str = "docid\tposition\tlength\tmention\turl\tlang\tqid\tqid_in_refs\tfreq_bin\n";

    fn read_with(files: &[(&str, &str)], options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&Mewsli, files, options)
    }

    fn read(files: &[(&str, &str)]) -> Result<ReadOutcome, Problem> {
        read_with(files, &ReadOptions::default())
    }

    fn mention(position: u32) -> String {
        format!("{ROWS}tr-8\t{position}\t6\tTürkçe\thttp://tr.wikipedia.org/x\ttr\tQ43\tTrue\t4\n")
    }

    #[test]
    fn tables_and_texts_come_together() {
        let outcome = read(&[
            ("tr/docs.tsv", DOCS),
            ("tr/mentions.tsv", &mention(7)),
            ("tr/text/tr-8", "😀 𝄞 e\u{301} Türkçe\n"),
        ])
        .unwrap();
        assert_eq!(outcome.ignored, [""; 0], "all three were used");
        assert_eq!(outcome.corpus.len(), 2);
        let document = outcome.corpus.document("tr-8").unwrap();
        assert_eq!(document.attribute("title"), Some("\"Bugün.\""));
        assert_eq!((document.language(), document.attribute("revid")), (Some("tr"), Some("123")));
        let mention = document.mentions().next().unwrap();
        assert_eq!((mention.span(), mention.surface()), (Span::new(7, 13), Some("Türkçe")));
        assert_eq!((mention.entity(), mention.attribute("freq_bin")), (Some("Q43"), Some("4")));
        assert_eq!(outcome.corpus.document("tr-9").unwrap().mentions().len(), 0);
    }

    #[test]
    fn a_table_of_documents_with_columns_of_its_own_is_used() {
        let docs = "docid\ttitle\turl\ntr-8\tT\thttps://x\n";
        let files = [("tr/docs.tsv", docs), ("tr/mentions.tsv", &mention(14))];
        let outcome = read(&files).unwrap();
        assert_eq!(outcome.corpus.document("tr-8").unwrap().attribute("title"), Some("T"));
        assert_eq!(outcome.ignored, [""; 0]);
    }

    #[test]
    fn texts_may_be_missing() {
        let outcome = read(&[("mentions.tsv", &mention(14))]).unwrap();
        let mention = outcome.corpus.document("tr-8").unwrap().mentions().next().unwrap();
        assert_eq!((mention.span(), mention.surface()), (Span::new(14, 20), Some("Türkçe")));
    }

    #[test]
    fn a_single_table_finds_what_is_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let mentions = folder.path().join("mentions.tsv");
        std::fs::create_dir(folder.path().join("text")).unwrap();
        std::fs::write(&mentions, mention(0)).unwrap();
        std::fs::write(folder.path().join("docs.tsv"), DOCS).unwrap();
        std::fs::write(folder.path().join("text/tr-8"), "Türkçe").unwrap();
        let input = Input::from(Source::file(mentions));
        let outcome =
            Registry::new(&[&Mewsli]).read(&input, None, &ReadOptions::default()).unwrap();
        let document = outcome.corpus.document("tr-8").unwrap();
        assert_eq!((document.text(), document.attribute("curid")), (Some("Türkçe"), Some("8")));
    }

    #[test]
    fn a_lenient_reading_skips_a_table_without_its_columns() {
        let files = [("mentions.tsv", "docid\tposition\tqid\nd\t0\tQ1\n")];
        let read = |options: &ReadOptions| testing::read_as(&Mewsli, &files, options);
        let problem = read(&ReadOptions::default()).unwrap_err();
        assert_eq!(problem.message, "expected a column `length` in the first line");
        assert_eq!(read(&testing::lenient()).unwrap().findings.skipped().len(), 1);
    }

    #[test]
    fn bad_rows_are_located() {
        let texts = ("text/tr-8", "Türkçe");
        for (row, message) in [
            ("tr-8\tx\t6\tTürkçe\n", "expected a whole number as `position`, found `x`"),
            ("tr-8\t0\n", "expected a whole number as `length`, found ``"),
            ("tr-8\t1\t5\tTürkçe\n", "the mention is “Türkçe” but the text at 1..6 is “ürkçe”"),
        ] {
            let content = mention(0) + row;
            let files = [("mentions.tsv", content.as_str()), texts];
            let problem = read(&files).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 3, 1));
            let lenient = testing::lenient();
            assert_eq!(read_with(&files, &lenient).unwrap().findings.skipped().len(), 1);
        }
        let problem = read(&[("docs.tsv", &(DOCS.to_owned() + "tr-8\tx\t1\n"))]).unwrap_err();
        assert_eq!(problem.message, "document `tr-8` occurs twice");
    }
}
