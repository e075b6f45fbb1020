//! The sweep: deletes what nothing refers to.
//!
//! Nothing that was acknowledged is swept while something refers to it. Files and corpora are left
//! alone for a day, because what refers to them may be on its way.

use crate::sql::args;
use crate::trash::TRASH;
use crate::{Result, Store};
use serde::{Deserialize, Serialize};

/// What is younger is not swept, in milliseconds: a day.
const FRESH: i64 = 24 * 3600 * 1000;
/// An evaluation that nobody asked for in so long can be made again, in milliseconds: thirty days.
const FORGOTTEN: i64 = 30 * 24 * 3600 * 1000;

/// What a sweep took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swept {
    /// Benchmarks, systems, runs and boards whose time in the trash was over.
    pub removed: u64,
    /// Evaluations, comparisons and answers that nobody asked for.
    pub evaluations: u64,
    /// Corpora of no edition, run or evaluation.
    pub corpora: u64,
    /// Files that nothing refers to, and uploads that never ended.
    pub files: u64,
    /// Sessions, answers and jobs whose time was over.
    pub records: u64,
}

impl Store {
    /// Sweeps once. To be called every hour or so.
    pub async fn sweep(&self) -> Result<Swept> {
        let now = self.now();
        let removed = self.sweep_all(&REMOVED, now - TRASH).await?;
        let evaluations = self.sweep_all(&FORGOTTEN_EVALUATIONS, now - FORGOTTEN).await?;
        let corpora = self.sweep_all(&[CORPORA], now - FRESH).await?;
        let files = self.sweep_all(&[UPLOADS, FILES], now - FRESH).await?;
        let records = self.sweep_all(&ENDED_BY_THEMSELVES, now).await?
            + self.sweep_all(&[JOBS], now - FORGOTTEN).await?;
        Ok(Swept { removed, evaluations, corpora, files, records })
    }

    /// Each statement is a transaction of its own, so that writers wait for one only.
    async fn sweep_all(&self, statements: &[&'static str], before: i64) -> Result<u64> {
        let mut swept = 0;
        for sql in statements {
            let mut act = self.write().await?;
            swept += act.run(sql, args![before]).await?;
            act.commit().await?;
        }
        Ok(swept)
    }
}

const REMOVED: [&str; 4] = [
    "DELETE FROM run WHERE removed < $1",
    "DELETE FROM system WHERE removed < $1",
    "DELETE FROM benchmark WHERE removed < $1",
    "DELETE FROM board WHERE removed < $1",
];

const FORGOTTEN_EVALUATIONS: [&str; 3] = [
    "DELETE FROM evaluation WHERE asked < $1 \
     AND NOT EXISTS (SELECT 1 FROM board_entry t WHERE t.evaluation = evaluation.key)",
    "DELETE FROM comparison WHERE asked < $1",
    "DELETE FROM answer WHERE asked < $1",
];

const CORPORA: &str = "DELETE FROM corpus WHERE made < $1 \
     AND NOT EXISTS (SELECT 1 FROM edition e WHERE e.corpus = corpus.digest) \
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.corpus = corpus.digest) \
     AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.gold = corpus.digest) \
     AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.answers = corpus.digest)";

const UPLOADS: &str = "DELETE FROM file WHERE digest IS NULL AND made < $1";

const FILES: &str = "DELETE FROM file WHERE digest IS NOT NULL AND made < $1 \
     AND NOT EXISTS (SELECT 1 FROM corpus c WHERE c.content = file.digest) \
     AND NOT EXISTS (SELECT 1 FROM corpus c WHERE c.upload = file.digest) \
     AND NOT EXISTS (SELECT 1 FROM edition e WHERE e.upload = file.digest) \
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.upload = file.digest) \
     AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.counts = file.digest) \
     AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.cases = file.digest)";

const ENDED_BY_THEMSELVES: [&str; 3] = [
    "DELETE FROM session WHERE until < $1",
    "DELETE FROM idempotency WHERE until < $1",
    "DELETE FROM invitation WHERE until < $1 AND taken IS NULL",
];

const JOBS: &str = "DELETE FROM job WHERE ended < $1";
