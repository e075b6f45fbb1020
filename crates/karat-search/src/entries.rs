//! What an index has of each text.

use crate::rank::Rank;
use karat_kb::{Candidates, KnowledgeBase, Known};
use std::path::Path;
use tantivy::columnar::Column;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer,
};
use tantivy::{
    DocId, Index, IndexSettings, IndexSortByField, IndexWriter, Order, SegmentReader,
    TantivyDocument,
};

/// The fields of an entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The words of the text.
    pub(crate) words: Field,
    /// The first letters of the words, one, two and three of them.
    pub(crate) beginnings: Field,
    /// The whole text, as one word.
    pub(crate) whole: Field,
    /// The text itself.
    pub(crate) text: Field,
    /// The entity of the text, where the base does not have it for this text.
    pub(crate) entity: Field,
}

/// Words that begin with so few letters are so many that they are not looked for one by one.
pub(crate) const SHORT: usize = 3;

const WORDS: &str = "words";
const BEGINNINGS: &str = "beginnings";
const WHOLE: &str = "whole";
/// The [`Rank`] of an entry. Entries lie in this order, however the index was put together.
const RANK: &str = "rank";
/// How many words the text has.
const LENGTH: &str = "length";
const TEXT: &str = "text";
const ENTITY: &str = "entity";
const TOKENIZER: &str = "karat";
/// The tokenizer that leaves a text as it is.
const RAW: &str = "raw";
/// Texts are stored in blocks of so many bytes. A search reads some dozens of texts from as many blocks,
/// so blocks are small.
const BLOCK: usize = 2 << 10;
/// Memory of the writer.
const MEMORY: usize = 256 << 20;

impl Fields {
    pub(crate) fn of(schema: &Schema) -> tantivy::Result<Fields> {
        let field = |name| schema.get_field(name);
        Ok(Fields {
            words: field(WORDS)?,
            beginnings: field(BEGINNINGS)?,
            whole: field(WHOLE)?,
            text: field(TEXT)?,
            entity: field(ENTITY)?,
        })
    }
}

/// The numbers of the entries of a segment. Opening them reads a part of them, so it is done once.
pub(crate) struct Columns {
    ranks: Column<u64>,
    lengths: Column<u64>,
}

impl Columns {
    pub(crate) fn of(segment: &SegmentReader) -> tantivy::Result<Columns> {
        let column = |name| segment.fast_fields().u64(name);
        Ok(Columns { ranks: column(RANK)?, lengths: column(LENGTH)? })
    }

    /// The rank of an entry; one that has none is the last.
    pub(crate) fn rank(&self, entry: DocId) -> Rank {
        Rank(self.ranks.first(entry).unwrap_or(u64::MAX))
    }

    /// How many words the text of an entry has.
    pub(crate) fn length(&self, entry: DocId) -> u64 {
        self.lengths.first(entry).unwrap_or(0)
    }
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    let terms = |tokenizer: &str| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            // Scores are those of `Rank` and `Best`, not BM25, so neither lengths nor frequencies
            // are stored.
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::Basic);
        TextOptions::default().set_indexing_options(indexing)
    };
    schema.add_text_field(WORDS, terms(TOKENIZER));
    schema.add_text_field(BEGINNINGS, terms(RAW));
    schema.add_text_field(WHOLE, STRING);
    schema.add_u64_field(RANK, FAST);
    schema.add_u64_field(LENGTH, FAST);
    schema.add_text_field(TEXT, TextOptions::default().set_stored());
    schema.add_text_field(ENTITY, TextOptions::default().set_stored());
    schema.build()
}

/// Words in lower case and without accents.
pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(100))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// The words of a text as the index has them.
pub(crate) fn words(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut stream = analyzer.token_stream(text);
    stream.process(&mut |token| words.push(token.text.clone()));
    words
}

/// The first letter of a word, the first two and the first three, as far as it has them.
fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
    ends.take(SHORT).map(|end| &word[..end])
}

/// Writes the entries of all texts of a base.
pub(crate) fn write(base: &KnowledgeBase, folder: &Path) -> tantivy::Result<()> {
    let schema = schema();
    let fields = Fields::of(&schema)?;
    let (rank, length) = (schema.get_field(RANK)?, schema.get_field(LENGTH)?);
    let in_order = IndexSortByField { field: RANK.to_owned(), order: Order::Asc };
    let settings = IndexSettings {
        sort_by_field: Some(in_order),
        docstore_blocksize: BLOCK,
        ..IndexSettings::default()
    };
    let index = Index::builder().schema(schema).settings(settings).create_in_dir(folder)?;
    index.tokenizers().register(TOKENIZER, analyzer());
    let mut writer: IndexWriter = index.writer(MEMORY)?;
    let mut analyzer = analyzer();
    let mut order = 0;
    let mut add = |text: &str, entity: Option<&str>, weight: u64| {
        let words = words(&mut analyzer, text);
        let mut entry = TantivyDocument::default();
        entry.add_text(fields.words, text);
        for beginning in words.iter().flat_map(|word| beginnings(word)) {
            entry.add_text(fields.beginnings, beginning);
        }
        entry.add_text(fields.whole, words.join(" "));
        entry.add_u64(rank, Rank::new(weight, words.len(), order).0);
        entry.add_u64(length, words.len() as u64);
        order += 1;
        entry.add_text(fields.text, text);
        if let Some(entity) = entity {
            entry.add_text(fields.entity, entity);
        }
        writer.add_document(entry).map(|_| ())
    };
    for (text, candidates) in base.mentions() {
        add(text, None, weight_of(base, &candidates))?;
    }
    for entity in base.entities() {
        let known = |text: &str| means(base, text, entity.id());
        for text in entity.name().into_iter().chain(entity.aliases()).filter(|text| !known(text)) {
            add(text, Some(entity.id()), entity.popularity().unwrap_or(0))?;
        }
    }
    writer.commit()?;
    writer.wait_merging_threads()
}

/// Whether the base says that a text may mean an entity.
fn means(base: &KnowledgeBase, text: &str, id: &str) -> bool {
    match base.candidates(text) {
        Known::Known(candidates) => candidates.iter().any(|candidate| candidate.id == id),
        Known::Unknown => false,
    }
}

/// The count or the popularity of the likeliest candidate, whichever is known.
fn weight_of(base: &KnowledgeBase, candidates: &Candidates<'_>) -> u64 {
    let Some(first) = candidates.iter().next() else { return 0 };
    let popularity = || base.entity(first.id).and_then(|entity| entity.popularity());
    first.count.or_else(popularity).unwrap_or(0)
}
