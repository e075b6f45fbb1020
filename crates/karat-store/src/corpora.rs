//! Corpora as canonical karat-jsonl, and the list of their documents.

use crate::files;
use crate::frames::FramedFile;
use crate::listing::Position;
use crate::sql::{Access, Arg, Bulk, Columns, Stored, args};
use crate::words::words;
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

words! {
    /// What a corpus is for.
    CorpusSide {
        /// It says what is right.
        Gold = "gold",
        /// It is the output of a system.
        Run = "run",
    }
}

/// A corpus to be kept.
#[derive(Clone, Debug)]
pub struct NewCorpus {
    /// Its name: the digest of what it says, in 64 hexadecimal digits.
    pub digest: String,
    /// What it is for.
    pub side: CorpusSide,
    /// The digest of the file it was read from, if that is kept.
    pub upload: Option<String>,
    /// The format it was read from.
    pub format: String,
    /// How many annotations it has.
    pub annotations: i64,
    /// How many of them have an entity.
    pub linked: i64,
    /// How many of them are NIL.
    pub nil: i64,
    /// What was noticed when it was read, as JSON.
    pub findings: String,
    /// Its documents in the order of the parts of `content`.
    pub documents: Vec<NewDocument>,
    /// Canonical karat-jsonl, one part for each document.
    pub content: FramedFile,
}

/// What lists of documents show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewDocument {
    /// Its name in the corpus.
    pub name: String,
    /// Its title, or nothing.
    pub title: String,
    /// Its language, or nothing.
    pub language: String,
    /// How long its text is.
    pub characters: i64,
    /// How many annotations it has.
    pub mentions: i64,
}

/// A corpus that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusRow {
    /// The digest of what it says.
    pub digest: String,
    /// What it is for.
    pub side: CorpusSide,
    /// The digest of the file it was read from.
    pub upload: Option<String>,
    /// The digest of the file that holds it: a plain `.zst` of karat-jsonl.
    pub content: String,
    /// The format it was read from.
    pub format: String,
    /// How many documents it has.
    pub documents: i64,
    /// How many annotations it has.
    pub annotations: i64,
    /// How many of them have an entity.
    pub linked: i64,
    /// How many of them are NIL.
    pub nil: i64,
    /// What was noticed when it was read, as JSON.
    pub findings: String,
    /// When it was last brought.
    pub made: i64,
}

impl Stored for CorpusRow {
    fn read(columns: &mut Columns) -> Result<CorpusRow> {
        Ok(CorpusRow {
            digest: columns.take()?,
            side: columns.take()?,
            upload: columns.take()?,
            content: columns.take()?,
            format: columns.take()?,
            documents: columns.take()?,
            annotations: columns.take()?,
            linked: columns.take()?,
            nil: columns.take()?,
            findings: columns.take()?,
            made: columns.take()?,
        })
    }
}

/// A document of a corpus that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// Its number in the corpus, from 0.
    pub n: i64,
    /// Its name in the corpus.
    pub name: String,
    /// Its title, or nothing.
    pub title: String,
    /// Its language, or nothing.
    pub language: String,
    /// How long its text is.
    pub characters: i64,
    /// How many annotations it has.
    pub mentions: i64,
}

impl Stored for DocumentRow {
    fn read(columns: &mut Columns) -> Result<DocumentRow> {
        Ok(DocumentRow {
            n: columns.take()?,
            name: columns.take()?,
            title: columns.take()?,
            language: columns.take()?,
            characters: columns.take()?,
            mentions: columns.take()?,
        })
    }
}

impl Store {
    /// Keeps a corpus; one that is there already is left as it is.
    pub async fn keep_corpus(&self, corpus: &NewCorpus) -> Result<()> {
        let mut act = self.write().await?;
        put(&mut act, corpus, self.now()).await?;
        act.commit().await
    }

    /// What is known about a corpus.
    pub async fn corpus(&self, digest: &str) -> Result<CorpusRow> {
        let sql = "SELECT digest, side, upload, content, format, documents, annotations, linked, \
                   nil, findings, made FROM corpus WHERE digest = $1";
        let corpus = self.read().await?.one(sql, args![digest]).await?;
        corpus.ok_or_else(|| StoreError::not_found("corpus", digest))
    }

    /// The documents of a corpus, in its order.
    pub async fn documents(&self, corpus: &str, from: &ListFrom) -> Result<ListPage<DocumentRow>> {
        let after = from.position(Position::new(-1, ""))?.number;
        let sql = "SELECT n, name, title, language, characters, mentions FROM document \
                   WHERE corpus = $1 AND n > $2 ORDER BY n LIMIT $3";
        let rows = self.read().await?.all(sql, args![corpus, after, from.fetch()]).await?;
        Ok(from.page(rows, |row: &DocumentRow| Position::new(row.n, "")))
    }

    /// One document by its number.
    pub async fn document(&self, corpus: &str, n: i64) -> Result<DocumentRow> {
        let sql = "SELECT n, name, title, language, characters, mentions FROM document \
                   WHERE corpus = $1 AND n = $2";
        let row = self.read().await?.one(sql, args![corpus, n]).await?;
        row.ok_or_else(|| StoreError::not_found("document", &n.to_string()))
    }

    /// One document by its name.
    pub async fn document_named(&self, corpus: &str, name: &str) -> Result<DocumentRow> {
        let sql = "SELECT n, name, title, language, characters, mentions FROM document \
                   WHERE corpus = $1 AND name = $2 ORDER BY n LIMIT 1";
        let row = self.read().await?.one(sql, args![corpus, name]).await?;
        row.ok_or_else(|| StoreError::not_found("document", name))
    }

    /// The line of one document, read from one frame.
    pub async fn document_line(&self, corpus: &str, n: i64) -> Result<Vec<u8>> {
        let content = self.corpus(corpus).await?.content;
        self.file_part(&content, n).await
    }

    /// The lines of all documents.
    pub async fn corpus_lines(&self, corpus: &str) -> Result<Vec<u8>> {
        let content = self.corpus(corpus).await?.content;
        let bytes = self.file_bytes(&content).await?;
        zstd::decode_all(&*bytes).map_err(StoreError::Frame)
    }
}

/// Keeps a corpus within a transaction.
pub(crate) async fn put(act: &mut Access, corpus: &NewCorpus, now: i64) -> Result<()> {
    let parts = corpus.content.parts.len();
    if parts != corpus.documents.len() {
        let documents = corpus.documents.len();
        return Err(StoreError::Refused(format!("{parts} parts for {documents} documents")));
    }
    let sql = "UPDATE corpus SET made = $2 WHERE digest = $1";
    if act.run(sql, args![&corpus.digest, now]).await? == 1 {
        return Ok(());
    }
    // The lock on files also keeps others from bringing the same corpus now.
    let content = files::put_framed(act, &corpus.content, now).await?;
    let inserted = insert(act, corpus, &content, now).await?;
    if inserted == 0 {
        return Ok(());
    }
    let mut values: Vec<Arg<'_>> = Vec::with_capacity(7 * corpus.documents.len());
    for (n, one) in corpus.documents.iter().enumerate() {
        let NewDocument { name, title, language, characters, mentions } = one;
        let digest = &corpus.digest;
        values.extend(args![digest, n as i64, name, title, language, *characters, *mentions]);
    }
    act.insert(&DOCUMENTS, &values).await
}

static DOCUMENTS: LazyLock<Bulk> = LazyLock::new(|| {
    let columns = "corpus, n, name, title, language, characters, mentions";
    Bulk::new(&format!("INSERT INTO document ({columns})"), 7, "")
});

async fn insert(act: &mut Access, corpus: &NewCorpus, content: &str, now: i64) -> Result<u64> {
    let sql = "INSERT INTO corpus (digest, side, upload, content, format, documents, annotations, \
               linked, nil, findings, made) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
               ON CONFLICT (digest) DO NOTHING";
    let args = args![
        &corpus.digest,
        corpus.side,
        &corpus.upload,
        content,
        &corpus.format,
        corpus.documents.len() as i64,
        corpus.annotations,
        corpus.linked,
        corpus.nil,
        &corpus.findings,
        now,
    ];
    act.run(sql, args).await
}
