//! Everything that pages can name, by two questions.
//!
//! A server asks for the catalogue each time something has changed, and not for each page:
//! [`Store::catalogue_version`] tells cheaply whether it has.

use crate::sql::{Columns, Stored, args};
use crate::{Result, Store};
use serde::{Deserialize, Serialize};

/// The most rows that one question gives.
const MOST_ROWS: i64 = 100_000;

/// An edition of a benchmark whose gold was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueEdition {
    /// The id of the benchmark.
    pub benchmark: String,
    /// The name of the benchmark in addresses.
    pub slug: String,
    /// The name of the benchmark for people.
    pub title: String,
    /// Whether everybody sees the benchmark.
    pub visible: bool,
    /// Whether texts and cases are for organisers only.
    pub gold_hidden: bool,
    /// The id of the edition.
    pub edition: String,
    /// The name of the edition.
    pub label: String,
    /// When the edition was made.
    pub made: i64,
    /// The digest of its gold.
    pub corpus: String,
    /// How many documents the gold has.
    pub documents: i64,
    /// What was noticed when the gold was read, as JSON.
    pub findings: String,
}

impl Stored for CatalogueEdition {
    fn read(columns: &mut Columns) -> Result<CatalogueEdition> {
        Ok(CatalogueEdition {
            benchmark: columns.take()?,
            slug: columns.take()?,
            title: columns.take()?,
            visible: columns.take()?,
            gold_hidden: columns.take()?,
            edition: columns.take()?,
            label: columns.take()?,
            made: columns.take()?,
            corpus: columns.take()?,
            documents: columns.take()?,
            findings: columns.take()?,
        })
    }
}

/// A run whose output was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogueRow {
    /// The id of the run.
    pub run: String,
    /// The id of the edition.
    pub edition: String,
    /// The id of the system.
    pub system: String,
    /// The name of the system in addresses.
    pub system_slug: String,
    /// The name of the system for people.
    pub system_title: String,
    /// Whether something better took the place of the system.
    pub deprecated: bool,
    /// What tells the run from other runs of the system.
    pub label: String,
    /// The digest of its output.
    pub corpus: String,
    /// When it was sent.
    pub sent: i64,
    /// How long the system took.
    pub seconds: Option<f64>,
    /// Whether everybody sees it.
    pub visible: bool,
    /// The id of the person who sent it.
    pub sent_by: Option<String>,
    /// What was noticed when the output was read, as JSON.
    pub findings: String,
}

impl Stored for CatalogueRow {
    fn read(columns: &mut Columns) -> Result<CatalogueRow> {
        Ok(CatalogueRow {
            run: columns.take()?,
            edition: columns.take()?,
            system: columns.take()?,
            system_slug: columns.take()?,
            system_title: columns.take()?,
            deprecated: columns.take()?,
            label: columns.take()?,
            corpus: columns.take()?,
            sent: columns.take()?,
            seconds: columns.take()?,
            visible: columns.take()?,
            sent_by: columns.take()?,
            findings: columns.take()?,
        })
    }
}

impl Store {
    /// A text that differs whenever the catalogue may differ.
    ///
    /// Every change of an object leaves an entry in the audit, whose number is kept. Only a job that has read a
    /// corpus leaves none, so corpora in use are counted as well.
    pub async fn catalogue_version(&self) -> Result<String> {
        let sql = "SELECT (SELECT value FROM counter WHERE name = 'audit'), \
                   (SELECT COUNT(*) FROM run WHERE corpus IS NOT NULL), \
                   (SELECT COUNT(*) FROM edition WHERE corpus IS NOT NULL)";
        let found: Option<(i64, i64, i64)> = self.read().await?.one(sql, args![]).await?;
        let (audit, runs, editions) = found.unwrap_or_default();
        Ok(format!("{audit}-{runs}-{editions}"))
    }

    /// The editions that have gold, by benchmark, the newest first.
    pub async fn catalogue_editions(&self) -> Result<Vec<CatalogueEdition>> {
        let sql = "SELECT b.id, b.slug, b.title, b.visible, b.gold_hidden, e.id, e.label, e.made, \
                   c.digest, c.documents, c.findings FROM benchmark b \
                   JOIN edition e ON e.benchmark = b.id JOIN corpus c ON c.digest = e.corpus \
                   WHERE b.removed IS NULL ORDER BY b.slug, e.made DESC, e.id DESC LIMIT $1";
        self.read().await?.all(sql, args![MOST_ROWS]).await
    }

    /// The runs that were read, by system, the newest first.
    pub async fn catalogue_runs(&self) -> Result<Vec<CatalogueRow>> {
        let sql = "SELECT r.id, r.edition, s.id, s.slug, s.title, s.deprecated, r.label, c.digest, \
                   r.sent, r.seconds, r.visible, r.sent_by, c.findings FROM run r \
                   JOIN system s ON s.id = r.system JOIN corpus c ON c.digest = r.corpus \
                   WHERE r.removed IS NULL AND s.removed IS NULL \
                   ORDER BY s.slug, r.sent DESC, r.id LIMIT $1";
        self.read().await?.all(sql, args![MOST_ROWS]).await
    }
}
