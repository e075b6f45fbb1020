//! Evaluations by their key, with what is derived from them for boards and lists.

use crate::files;
use crate::frames::FramedFile;
use crate::sql::{Access, Arg, Bulk, Columns, Stored, args};
use crate::words::words;
use crate::{Result, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

words! {
    /// How an evaluation ended.
    EvaluationState {
        /// It has numbers.
        Done = "done",
        /// It has a reason why there are none.
        Failed = "failed",
    }
}

/// What makes an evaluation what it is, beside the two corpora.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredUnder {
    /// The convention, with all settings in a fixed order.
    pub convention: String,
    /// The digest of the knowledge base, or nothing.
    pub kb: String,
    /// The version and the digest of the program.
    pub engine: String,
}

/// What came out of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvaluationBody {
    /// Its answer, as JSON.
    Done(String),
    /// Nothing, and why.
    Failed(String),
}

/// An evaluation to be kept.
#[derive(Clone, Debug)]
pub struct NewEvaluation {
    /// The digest of everything it depends on.
    pub key: String,
    /// The digest of the gold corpus.
    pub gold: String,
    /// The digest of the corpus of the run.
    pub answers: String,
    /// What it was scored under.
    pub under: ScoredUnder,
    /// How long it took, in milliseconds.
    pub took: i64,
    /// What came out.
    pub body: EvaluationBody,
    /// Documents by counts, in a form of the caller.
    pub counts: Option<Vec<u8>>,
    /// The cases, one part for each document.
    pub cases: Option<FramedFile>,
    /// What boards show.
    pub scores: Vec<ScoreRow>,
    /// What lists of documents show.
    pub tallies: Vec<TallyRow>,
}

/// An evaluation that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluationRow {
    /// The digest of everything it depends on.
    pub key: String,
    /// The digest of the gold corpus.
    pub gold: String,
    /// The digest of the corpus of the run.
    pub answers: String,
    /// What it was scored under.
    pub under: ScoredUnder,
    /// How it ended.
    pub state: EvaluationState,
    /// Why there are no numbers.
    pub problem: Option<String>,
    /// How long it took, in milliseconds.
    pub took: i64,
    /// When it was made.
    pub made: i64,
    /// When it was last asked for.
    pub asked: i64,
    /// The file of the counts.
    pub counts: Option<String>,
    /// The file of the cases.
    pub cases: Option<String>,
    /// What came out, as JSON.
    pub body: String,
}

impl Stored for EvaluationRow {
    fn read(columns: &mut Columns) -> Result<EvaluationRow> {
        Ok(EvaluationRow {
            key: columns.take()?,
            gold: columns.take()?,
            answers: columns.take()?,
            under: ScoredUnder {
                convention: columns.take()?,
                kb: columns.take()?,
                engine: columns.take()?,
            },
            state: columns.take()?,
            problem: columns.take()?,
            took: columns.take()?,
            made: columns.take()?,
            asked: columns.take()?,
            counts: columns.take()?,
            cases: columns.take()?,
            body: columns.take()?,
        })
    }
}

/// One score of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreRow {
    /// The measure.
    pub measure: String,
    /// The facet that the score is a slice of; nothing for all cases.
    pub facet: String,
    /// The label of the slice.
    pub label: String,
    /// True positives, where the measure counts.
    pub tp: Option<i64>,
    /// False positives.
    pub fp: Option<i64>,
    /// False negatives.
    #[serde(rename = "fn")]
    pub fn_: Option<i64>,
    /// Precision, where it is defined.
    pub precision: Option<f64>,
    /// Recall, where it is defined.
    pub recall: Option<f64>,
    /// F1, where it is defined.
    pub f1: Option<f64>,
    /// What a board shows: F1 for most measures.
    pub value: Option<f64>,
    /// The low end of the interval of `value`.
    pub low: Option<f64>,
    /// The high end.
    pub high: Option<f64>,
}

impl Stored for ScoreRow {
    fn read(columns: &mut Columns) -> Result<ScoreRow> {
        Ok(ScoreRow {
            measure: columns.take()?,
            facet: columns.take()?,
            label: columns.take()?,
            tp: columns.take()?,
            fp: columns.take()?,
            fn_: columns.take()?,
            precision: columns.take()?,
            recall: columns.take()?,
            f1: columns.take()?,
            value: columns.take()?,
            low: columns.take()?,
            high: columns.take()?,
        })
    }
}

/// How many cases of a document have a label: an outcome, a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyRow {
    /// The number of the document in the gold corpus.
    pub document: i64,
    /// The label.
    pub label: String,
    /// How many cases.
    pub n: i64,
}

impl Stored for TallyRow {
    fn read(columns: &mut Columns) -> Result<TallyRow> {
        Ok(TallyRow { document: columns.take()?, label: columns.take()?, n: columns.take()? })
    }
}

impl Store {
    /// Keeps an evaluation with all that is derived from it. One that is done is never replaced.
    pub async fn keep_evaluation(&self, new: &NewEvaluation) -> Result<()> {
        let mut act = self.write().await?;
        put(&mut act, new, self.now()).await?;
        act.commit().await
    }

    /// An evaluation by its key, if it is kept.
    pub async fn evaluation(&self, key: &str) -> Result<Option<EvaluationRow>> {
        let sql = "SELECT key, gold, answers, convention, kb, engine, state, problem, took, made, \
                   asked, counts, cases, body FROM evaluation WHERE key = $1";
        self.read().await?.one(sql, args![key]).await
    }

    /// How many evaluations are kept.
    pub async fn number_of_evaluations(&self) -> Result<usize> {
        let number = self.read().await?.number("SELECT COUNT(*) FROM evaluation", args![]).await?;
        Ok(usize::try_from(number).unwrap_or_default())
    }

    /// The counts of an evaluation that is done, if it is kept with some. It is noted that they were asked for.
    pub async fn evaluation_counts(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT counts FROM evaluation WHERE key = $1 AND state = 'done'";
        let found: Option<(Option<String>,)> = self.read().await?.one(sql, args![key]).await?;
        let Some((Some(counts),)) = found else { return Ok(None) };
        self.evaluations_asked(&[key.to_owned()]).await?;
        Ok(Some(self.file_bytes(&counts).await?))
    }

    /// Notes that evaluations were asked for, so that they are not swept away. Once a day is
    /// enough: what was noted within the last day is not written again.
    pub async fn evaluations_asked(&self, keys: &[String]) -> Result<()> {
        const DAY: i64 = 24 * 3600 * 1000;
        let now = self.now();
        let mut read = self.read().await?;
        let mut stale = Vec::new();
        for key in keys {
            let sql = "SELECT COUNT(*) FROM evaluation WHERE key = $1 AND asked < $2";
            if read.number(sql, args![key, now - DAY]).await? > 0 {
                stale.push(key);
            }
        }
        drop(read);
        if stale.is_empty() {
            return Ok(());
        }
        let mut act = self.write().await?;
        for key in stale {
            act.run("UPDATE evaluation SET asked = $2 WHERE key = $1", args![key, now]).await?;
        }
        act.commit().await
    }

    /// The scores of an evaluation, of one facet (nothing for all cases).
    pub async fn scores(&self, key: &str, facet: &str) -> Result<Vec<ScoreRow>> {
        let sql = "SELECT measure, facet, label, tp, fp, fn, precision, recall, f1, value, low, \
                   high FROM score WHERE evaluation = $1 AND facet = $2 ORDER BY measure, label \
                   LIMIT 10000";
        self.read().await?.all(sql, args![key, facet]).await
    }

    /// The tallies of an evaluation, of one label or of all.
    pub async fn tallies(&self, key: &str, label: Option<&str>) -> Result<Vec<TallyRow>> {
        let sql = "SELECT document, label, n FROM tally WHERE evaluation = $1 \
                   AND ($2 IS NULL OR label = $2) ORDER BY document, label LIMIT 1000000";
        self.read().await?.all(sql, args![key, label]).await
    }

    /// The cases of one document of an evaluation.
    pub async fn cases_of(&self, key: &str, document: i64) -> Result<Vec<u8>> {
        let sql = "SELECT cases FROM evaluation WHERE key = $1";
        let cases = self.read().await?.one::<(Option<String>,)>(sql, args![key]).await?;
        let cases = cases.and_then(|(cases,)| cases);
        let cases = cases.ok_or_else(|| StoreError::not_found("evaluation with cases", key))?;
        self.file_part(&cases, document).await
    }
}

/// Keeps an evaluation within a transaction.
pub(crate) async fn put(act: &mut Access, new: &NewEvaluation, now: i64) -> Result<()> {
    // Whoever failed may be tried again, for instance with more memory.
    let sql = "DELETE FROM evaluation WHERE key = $1 AND state = 'failed'";
    act.run(sql, args![&new.key]).await?;
    let counts = match &new.counts {
        Some(bytes) => Some(files::put(act, bytes, now).await?),
        None => None,
    };
    let cases = match &new.cases {
        Some(file) => Some(files::put_framed(act, file, now).await?),
        None => None,
    };
    if insert(act, new, &counts, &cases, now).await? == 0 {
        return Ok(());
    }
    for score in &new.scores {
        insert_score(act, &new.key, score).await?;
    }
    let mut values: Vec<Arg<'_>> = Vec::with_capacity(4 * new.tallies.len());
    for tally in &new.tallies {
        values.extend(args![&new.key, tally.document, &tally.label, tally.n]);
    }
    act.insert(&TALLIES, &values).await
}

static TALLIES: LazyLock<Bulk> =
    LazyLock::new(|| Bulk::new("INSERT INTO tally (evaluation, document, label, n)", 4, ""));

async fn insert(
    act: &mut Access,
    new: &NewEvaluation,
    counts: &Option<String>,
    cases: &Option<String>,
    now: i64,
) -> Result<u64> {
    let (state, problem, body) = match &new.body {
        EvaluationBody::Done(body) => (EvaluationState::Done, None, body.as_str()),
        EvaluationBody::Failed(problem) => (EvaluationState::Failed, Some(problem.as_str()), ""),
    };
    let sql = "INSERT INTO evaluation (key, gold, answers, convention, kb, engine, state, problem, \
               took, made, asked, counts, cases, body) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13) \
               ON CONFLICT (key) DO NOTHING";
    let args = args![
        &new.key,
        &new.gold,
        &new.answers,
        &new.under.convention,
        &new.under.kb,
        &new.under.engine,
        state,
        problem,
        new.took,
        now,
        counts,
        cases,
        body,
    ];
    act.run(sql, args).await
}

async fn insert_score(act: &mut Access, key: &str, score: &ScoreRow) -> Result<()> {
    let sql = "INSERT INTO score (evaluation, measure, facet, label, tp, fp, fn, precision, \
               recall, f1, value, low, high) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    let args = args![
        key,
        &score.measure,
        &score.facet,
        &score.label,
        score.tp,
        score.fp,
        score.fn_,
        score.precision,
        score.recall,
        score.f1,
        score.value,
        score.low,
        score.high,
    ];
    act.run(sql, args).await?;
    Ok(())
}
