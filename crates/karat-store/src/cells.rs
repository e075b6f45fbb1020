//! The cells of a board, by one question.

use crate::evaluations::{EvaluationState, ScoreRow, ScoredUnder};
use crate::sql::{Column, Columns, Stored, args};
use crate::{Result, Store};
use serde::{Deserialize, Serialize};

/// The most cells that one question gives.
const MOST_CELLS: i64 = 20_000;

/// One cell of a board: a run, and its score if there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredCell {
    /// The slug of the benchmark.
    pub benchmark: String,
    /// The id of the edition.
    pub edition: String,
    /// The name of the edition.
    pub edition_label: String,
    /// The slug of the system.
    pub system: String,
    /// Whether something better took the place of the system.
    pub deprecated: bool,
    /// The id of the run.
    pub run: String,
    /// The name of the run.
    pub run_label: String,
    /// When the run was sent.
    pub sent: i64,
    /// The job that reads the run.
    pub job: Option<String>,
    /// The key of its evaluation; nothing if it was not scored.
    pub evaluation: Option<String>,
    /// How its evaluation ended.
    pub state: Option<EvaluationState>,
    /// The score; nothing if the measure has none.
    pub score: Option<ScoreRow>,
}

impl Stored for StoredCell {
    fn read(columns: &mut Columns) -> Result<StoredCell> {
        Ok(StoredCell {
            benchmark: columns.take()?,
            edition: columns.take()?,
            edition_label: columns.take()?,
            system: columns.take()?,
            deprecated: columns.take()?,
            run: columns.take()?,
            run_label: columns.take()?,
            sent: columns.take()?,
            job: columns.take()?,
            evaluation: columns.take()?,
            state: columns.take()?,
            score: columns
                .take::<Option<String>>()?
                .map(|_| ScoreRow::read(columns))
                .transpose()?,
        })
    }
}

impl Column for Option<EvaluationState> {
    fn get(columns: &Columns, at: usize) -> Result<Self> {
        Ok(Option::<String>::get(columns, at)?.as_deref().and_then(EvaluationState::from_word))
    }
}

/// What a board asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellsWanted {
    /// What the runs are scored under.
    pub under: ScoredUnder,
    /// The measure.
    pub measure: String,
    /// Only one benchmark, by id.
    pub benchmark: Option<String>,
    /// Also runs and benchmarks that not everybody sees.
    pub hidden: bool,
}

impl Store {
    /// All runs with their scores, by benchmark, system and date, the newest first.
    ///
    /// Runs without a score are there too: a board says why a cell is empty.
    pub async fn board_cells(&self, wanted: &CellsWanted) -> Result<Vec<StoredCell>> {
        let sql = "SELECT b.slug, e.id, e.label, s.slug, s.deprecated, r.id, r.label, r.sent, \
                   r.job, v.key, v.state, c.measure, c.measure, c.facet, c.label, c.tp, c.fp, \
                   c.fn, c.precision, c.recall, c.f1, c.value, c.low, c.high \
                   FROM run r JOIN system s ON s.id = r.system JOIN edition e ON e.id = r.edition \
                   JOIN benchmark b ON b.id = e.benchmark \
                   LEFT JOIN evaluation v ON v.gold = e.corpus AND v.answers = r.corpus \
                   AND v.convention = $1 AND v.kb = $2 AND v.engine = $3 \
                   LEFT JOIN score c ON c.evaluation = v.key AND c.measure = $4 AND c.facet = '' \
                   AND c.label = '' \
                   WHERE r.removed IS NULL AND s.removed IS NULL AND b.removed IS NULL \
                   AND ($5 IS NULL OR b.id = $5) \
                   AND ((r.visible = 1 AND b.visible = 1) OR $6 = 1) \
                   ORDER BY b.slug, s.slug, r.sent DESC, r.id LIMIT $7";
        let ScoredUnder { convention, kb, engine } = &wanted.under;
        let CellsWanted { measure, benchmark, hidden, .. } = wanted;
        let args = args![convention, kb, engine, measure, benchmark, *hidden, MOST_CELLS];
        self.read().await?.all(sql, args).await
    }

    /// The cells that a published board is frozen to, in its order. Runs that were removed since
    /// are not shown.
    pub async fn frozen_cells(&self, board: &str, measure: &str) -> Result<Vec<StoredCell>> {
        let sql = "SELECT b.slug, e.id, e.label, s.slug, s.deprecated, r.id, r.label, r.sent, \
                   r.job, v.key, v.state, c.measure, c.measure, c.facet, c.label, c.tp, c.fp, \
                   c.fn, c.precision, c.recall, c.f1, c.value, c.low, c.high \
                   FROM board_entry t JOIN evaluation v ON v.key = t.evaluation \
                   JOIN run r ON r.id = t.run JOIN system s ON s.id = r.system \
                   JOIN edition e ON e.id = r.edition JOIN benchmark b ON b.id = e.benchmark \
                   LEFT JOIN score c ON c.evaluation = v.key AND c.measure = $2 AND c.facet = '' \
                   AND c.label = '' \
                   WHERE t.board = $1 AND r.removed IS NULL AND s.removed IS NULL \
                   AND b.removed IS NULL ORDER BY t.n LIMIT $3";
        self.read().await?.all(sql, args![board, measure, MOST_CELLS]).await
    }
}
