//! Making and opening an index.

use crate::damage::{Manifest, guarded};
use karat_kb::{Candidates, KbError, KnowledgeBase, Known};
use std::path::{Path, PathBuf};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer,
};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument};

/// Why there is nothing to search in.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is no index.
    #[error("{folder}: there is no index for search")]
    Missing {
        /// Where it should be.
        folder: String,
    },
    /// The index is of another base.
    #[error("{folder}: the index for search is of another knowledge base, {found}")]
    Stale {
        /// Where it is.
        folder: String,
        /// The base it was made for.
        found: String,
    },
    /// The index was changed after it was made.
    #[error("{folder}: the index for search is damaged: {what}")]
    Damaged {
        /// Where it is.
        folder: String,
        /// What does not fit.
        what: String,
    },
    /// The index cannot be made.
    #[error("{folder}: the index for search cannot be made: {reason}")]
    Unusable {
        /// Where it should be.
        folder: String,
        /// Why not.
        reason: String,
    },
    /// The knowledge base cannot be read.
    #[error(transparent)]
    Base(#[from] KbError),
}

impl SearchError {
    /// What the user can do.
    pub fn hint(&self) -> &'static str {
        match self {
            SearchError::Missing { .. } | SearchError::Stale { .. } => {
                "make it with `karat kb index FILE`"
            }
            SearchError::Damaged { .. } => "make it again with `karat kb index FILE`",
            SearchError::Unusable { .. } => {
                "check who may write there, the space left, and what else has this name"
            }
            SearchError::Base(error) => error.hint(),
        }
    }
}

/// An index over the names of one knowledge base.
pub struct SearchIndex {
    pub(crate) reader: IndexReader,
    pub(crate) analyzer: TextAnalyzer,
    pub(crate) fields: Fields,
    pub(crate) folder: PathBuf,
}

/// The fields of an entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// The words of the text.
    pub(crate) words: Field,
    /// The whole text, as one word.
    pub(crate) whole: Field,
    /// How well known the best entity of the text is.
    pub(crate) weight: Field,
    /// How many words the text has.
    pub(crate) length: Field,
    /// Which text of all it is. What fits equally well comes in this order, however the index
    /// was put together.
    pub(crate) order: Field,
    /// The text itself.
    pub(crate) text: Field,
    /// The entity of the text, where the base does not have it for this text.
    pub(crate) entity: Field,
}

/// Names of the fields that are read by name.
pub(crate) const WEIGHT: &str = "weight";
pub(crate) const LENGTH: &str = "length";
pub(crate) const ORDER: &str = "order";

const TOKENIZER: &str = "karat";
/// The file that says which base an index is of.
const BASE: &str = "karat-base";
/// Memory of the writer.
const MEMORY: usize = 256 << 20;

/// Where the index of a base is.
pub fn folder_of(base: &Path) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(".search");
    PathBuf::from(name)
}

impl SearchIndex {
    /// Makes the index of a base, all or nothing, in place of an older one.
    pub fn build(base: &KnowledgeBase, folder: &Path) -> Result<SearchIndex, SearchError> {
        let unusable = |reason: &dyn std::fmt::Display| unusable(folder, reason);
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let temporary = tempfile::Builder::new()
            .prefix(".karat-search-")
            .tempdir_in(parent.unwrap_or(Path::new(".")))
            .map_err(|error| unusable(&error))?;
        write(base, temporary.path()).map_err(|error| unusable(&error))?;
        // An index of a damaged base would lack what could not be read.
        base.check()?;
        let manifest = Manifest::of(temporary.path()).map_err(|error| unusable(&error))?;
        let about = format!("{}\n{}", base.fingerprint(), manifest.written());
        std::fs::write(temporary.path().join(BASE), about).map_err(|error| unusable(&error))?;
        if folder.join(BASE).is_file() {
            std::fs::remove_dir_all(folder).map_err(|error| unusable(&error))?;
        }
        let made = temporary.keep();
        std::fs::rename(&made, folder).map_err(|error| {
            let _ = std::fs::remove_dir_all(&made);
            unusable(&error)
        })?;
        SearchIndex::open(base, folder)
    }

    /// Opens the index of a base. The files of a large one are only measured; [`verify`](Self::verify)
    /// reads them.
    pub fn open(base: &KnowledgeBase, folder: &Path) -> Result<SearchIndex, SearchError> {
        let manifest = manifest(base, folder)?;
        if let Some(what) = manifest.damage(folder) {
            return Err(damaged(folder, what));
        }
        let opened = guarded(|| SearchIndex::opened(folder)).and_then(Result::ok);
        opened.ok_or_else(|| damaged(folder, CONTRADICTION))
    }

    /// Reads the whole index of a base, and fails if any byte of it was changed.
    pub fn verify(base: &KnowledgeBase, folder: &Path) -> Result<(), SearchError> {
        let damage = manifest(base, folder)?.any_damage(folder);
        damage.map_or(Ok(()), |what| Err(damaged(folder, what)))
    }

    fn opened(folder: &Path) -> tantivy::Result<SearchIndex> {
        let index = Index::open_in_dir(folder)?;
        let schema = index.schema();
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let field = |name: &str| schema.get_field(name);
        let fields = Fields {
            words: field("words")?,
            whole: field("whole")?,
            weight: field(WEIGHT)?,
            length: field(LENGTH)?,
            order: field(ORDER)?,
            text: field("text")?,
            entity: field("entity")?,
        };
        Ok(SearchIndex { reader, analyzer: analyzer(), fields, folder: folder.to_owned() })
    }

    /// How many texts it has.
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is wrong with an index that its library cannot read.
pub(crate) const CONTRADICTION: &str = "its parts contradict each other";

pub(crate) fn damaged(folder: &Path, what: impl Into<String>) -> SearchError {
    SearchError::Damaged { folder: folder.display().to_string(), what: what.into() }
}

/// What the index of a base says of its files.
fn manifest(base: &KnowledgeBase, folder: &Path) -> Result<Manifest, SearchError> {
    let name = || folder.display().to_string();
    let Ok(about) = std::fs::read_to_string(folder.join(BASE)) else {
        return Err(SearchError::Missing { folder: name() });
    };
    let (found, files) = about.split_once('\n').unwrap_or((&about, ""));
    if found != base.fingerprint() {
        return Err(SearchError::Stale { folder: name(), found: found.to_owned() });
    }
    let manifest = Manifest::read(files).filter(|_| !files.is_empty());
    manifest.ok_or_else(|| damaged(folder, "the list of its files was changed"))
}

fn unusable(folder: &Path, reason: &dyn std::fmt::Display) -> SearchError {
    SearchError::Unusable { folder: folder.display().to_string(), reason: reason.to_string() }
}

/// Words in lower case and without accents.
fn analyzer() -> TextAnalyzer {
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

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::Basic);
    let fields = Fields {
        words: schema
            .add_text_field("words", TextOptions::default().set_indexing_options(indexing)),
        whole: schema.add_text_field("whole", STRING),
        weight: schema.add_u64_field(WEIGHT, FAST),
        length: schema.add_u64_field(LENGTH, FAST),
        order: schema.add_u64_field(ORDER, FAST),
        text: schema.add_text_field("text", TextOptions::default().set_stored()),
        entity: schema.add_text_field("entity", TextOptions::default().set_stored()),
    };
    (schema.build(), fields)
}

fn write(base: &KnowledgeBase, folder: &Path) -> tantivy::Result<()> {
    let (schema, fields) = schema();
    let index = Index::create_in_dir(folder, schema)?;
    index.tokenizers().register(TOKENIZER, analyzer());
    let mut writer: IndexWriter = index.writer(MEMORY)?;
    let mut analyzer = analyzer();
    let mut order = 0;
    let mut add = |text: &str, entity: Option<&str>, weight: u64| {
        let words = words(&mut analyzer, text);
        let mut entry = TantivyDocument::default();
        entry.add_text(fields.words, text);
        entry.add_text(fields.whole, words.join(" "));
        entry.add_u64(fields.weight, weight);
        entry.add_u64(fields.length, words.len() as u64);
        entry.add_u64(fields.order, order);
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
