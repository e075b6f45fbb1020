//! The knowledge base: one file, mapped, that answers questions about ids and texts.

use crate::build::{FactCoverage, words_key};
use crate::candidates::Candidates;
use crate::canonical::Waypoints;
use crate::encoding::{Fields, Strings};
use crate::entity::Entity;
use crate::error::KbError;
use crate::image::{Bytes, Image, ImageWriter, Table};
use crate::known::Known;
use karat_model::Digest;
use std::fs::File;
use std::path::Path;

/// What is known of entities, texts and types. It is shared freely between threads.
///
/// Answers that the base was never given what it needs for are [`Known::Unknown`].
#[derive(Debug)]
pub struct KnowledgeBase {
    image: Image,
    name: String,
    digest: Digest,
    coverage: Vec<FactCoverage>,
    waypoints: Waypoints,
}

/// How many words a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Words {
    /// All words.
    pub all: u64,
    /// Those that begin with a lowercase letter.
    pub lowercased: u64,
}

/// How many entries each table of a base has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Entities.
    pub entities: u64,
    /// Texts that may mean an entity.
    pub mentions: u64,
    /// Spellings that lead to another.
    pub links: u64,
    /// Texts of which it is known whether they are demonyms.
    pub demonyms: u64,
    /// Documents whose words were counted.
    pub documents: u64,
    /// Types that results are broken down by.
    pub whitelist: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl KnowledgeBase {
    /// Opens a file that `karat kb build` wrote. It is mapped, not read, so this takes
    /// milliseconds however large it is.
    pub fn open(path: &Path) -> Result<KnowledgeBase, KbError> {
        let fail = |error: &std::io::Error| KbError::unreadable(path, error);
        let file = File::open(path).map_err(|error| fail(&error))?;
        if file.metadata().map_err(|error| fail(&error))?.is_dir() {
            let reason = "it is a folder".to_owned();
            return Err(KbError::Unreadable { path: path.display().to_string(), reason });
        }
        let bytes = Bytes::map(&file).map_err(|error| fail(&error))?;
        KnowledgeBase::new(path.display().to_string(), bytes)
    }

    /// Opens the bytes of a knowledge base.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<KnowledgeBase, KbError> {
        KnowledgeBase::new(name.to_owned(), Bytes::Memory(bytes))
    }

    /// Completes what a builder wrote, and opens it.
    pub(crate) fn written(writer: ImageWriter) -> Result<KnowledgeBase, KbError> {
        match writer.finish()? {
            (Some(path), _) => KnowledgeBase::open(&path),
            (None, bytes) => KnowledgeBase::from_bytes("memory", bytes),
        }
    }

    fn new(path: String, bytes: Bytes) -> Result<KnowledgeBase, KbError> {
        let stem = Path::new(&path).file_stem();
        let name = stem.map_or_else(|| path.clone(), |stem| stem.to_string_lossy().into_owned());
        let image = Image::open(path, bytes)?;
        let digest = image.digest();
        let covers = |coverage: &FactCoverage| image.get(Table::About, coverage.key().as_bytes());
        let coverage =
            FactCoverage::ALL.into_iter().filter(|coverage| covers(coverage).is_some()).collect();
        // The coverage was just read from the image: damage met on the way must not look like "not
        // covered".
        image.check()?;
        let waypoints = Waypoints::default();
        Ok(KnowledgeBase { image, name, digest, coverage, waypoints })
    }

    /// The name of the file, without its ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Six digits that change when anything in the base does.
    pub fn fingerprint(&self) -> String {
        self.digest.short()
    }

    /// The digest of the checksums of the file, which opening it reads anyway. It tells versions
    /// of a base apart; against somebody who forges a base on purpose it is as weak as they are.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// What a signature says of it.
    pub fn signature(&self) -> String {
        format!("{}@{}", self.name, self.fingerprint())
    }

    /// An entity, by any spelling of its id.
    pub fn entity(&self, id: &str) -> Option<Entity<'_>> {
        // Most ids are spelled as the base spells them. Resolving costs several look-ups, so it
        // comes second.
        self.exact_entity(id).or_else(|| self.exact_entity(&self.resolve(id)))
    }

    fn exact_entity(&self, id: &str) -> Option<Entity<'_>> {
        let (key, record) = self.image.get(Table::Entities, id.as_bytes())?;
        self.decoded(key, record)
    }

    fn decoded<'a>(&'a self, key: &'a [u8], record: &'a [u8]) -> Option<Entity<'a>> {
        let entity = std::str::from_utf8(key).ok().and_then(|id| Entity::decode(id, record));
        self.noted(entity)
    }

    /// All entities, in the order of their ids.
    pub fn entities(&self) -> impl Iterator<Item = Entity<'_>> {
        // Ends at the first record that cannot be read. `check` then says why, which an iterator
        // cannot.
        self.image.records(Table::Entities).map_while(|(key, record)| self.decoded(key, record))
    }

    /// The entities that a text may mean, the likeliest first.
    pub fn candidates(&self, mention: &str) -> Known<Candidates<'_>> {
        let counted = self.covers(FactCoverage::Counts);
        match self.image.get(Table::Mentions, mention.as_bytes()) {
            Some((_, record)) => self.noted(Candidates::decode(record, counted)).into(),
            None if self.covers(FactCoverage::Mentions) => Known::Known(Candidates::none(counted)),
            None => Known::Unknown,
        }
    }

    /// Texts and the entities they may mean, in the order of the texts.
    pub fn mentions(&self) -> impl Iterator<Item = (&str, Candidates<'_>)> {
        let counted = self.covers(FactCoverage::Counts);
        self.image.records(Table::Mentions).map_while(move |(text, record)| {
            let candidates = Candidates::decode(record, counted);
            self.noted(std::str::from_utf8(text).ok().zip(candidates))
        })
    }

    /// Whether a text is a demonym, such as `French`.
    pub fn is_demonym(&self, text: &str) -> Known<bool> {
        match self.image.get(Table::Demonyms, text.as_bytes()) {
            Some((_, record)) => self.noted(record.first().map(|&flag| flag != 0)).into(),
            None if self.covers(FactCoverage::Demonyms) => Known::Known(false),
            None => Known::Unknown,
        }
    }

    /// How many words a document of a benchmark has.
    pub fn words(&self, benchmark: &str, document: &str) -> Known<Words> {
        let record = self.image.get(Table::Words, &words_key(benchmark, document));
        let words = record.and_then(|(_, record)| {
            let mut fields = Fields::new(record);
            self.noted(fields.number().zip(fields.number()))
        });
        words.map(|(all, lowercased)| Words { all, lowercased }).into()
    }

    /// The types that results are broken down by, with their names, in the order given.
    pub fn whitelist(&self) -> impl Iterator<Item = (&str, &str)> {
        self.image.records(Table::Whitelist).map_while(|(_, record)| {
            let strings = Fields::new(record).strings();
            self.noted(strings.and_then(|mut strings| strings.next().zip(strings.next())))
        })
    }

    /// What a type is called.
    pub fn type_name(&self, id: &str) -> Option<&str> {
        let listed = self.whitelist().find(|(listed, _)| *listed == id).map(|(_, name)| name);
        listed.or_else(|| self.entity(id).and_then(|entity| entity.name()))
    }

    /// The types directly above a type.
    pub fn type_parents(&self, id: &str) -> Strings<'_> {
        self.entity(id).map(|entity| entity.parents()).unwrap_or_default()
    }

    /// Whether the base knows what an absent entry means.
    pub fn covers(&self, coverage: FactCoverage) -> bool {
        self.coverage.contains(&coverage)
    }

    /// How large the base is, table by table.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            entities: self.image.count(Table::Entities),
            mentions: self.image.count(Table::Mentions),
            links: self.image.count(Table::Links),
            demonyms: self.image.count(Table::Demonyms),
            documents: self.image.count(Table::Words),
            whitelist: self.image.count(Table::Whitelist),
            bytes: self.image.len(),
        }
    }

    /// The inputs it was built from.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let records = self.image.records(Table::About);
        records
            .filter(|(key, _)| key.starts_with(b"source "))
            .filter_map(|(_, name)| std::str::from_utf8(name).ok())
    }

    /// Fails if any answer so far met damage. Answers cannot say so themselves.
    pub fn check(&self) -> Result<(), KbError> {
        self.image.check()
    }

    /// Reads the whole file, and fails if any byte of it was changed.
    pub fn verify(&self) -> Result<(), KbError> {
        self.image.verify()
    }

    pub(crate) fn image(&self) -> &Image {
        &self.image
    }

    pub(crate) fn waypoints(&self) -> &Waypoints {
        &self.waypoints
    }

    /// Notes damage where something could not be read.
    fn noted<T>(&self, read: Option<T>) -> Option<T> {
        if read.is_none() {
            self.image.note("a record cannot be read");
        }
        read
    }
}
