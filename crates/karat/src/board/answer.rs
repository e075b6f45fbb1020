//! A board as a record.

use super::request::NotCompared;
use super::view::{BoardField, BoardGrouping, BoardOrder, BoardShape};
use super::{sentence, tables};
use crate::comparison::ComparisonAnswer;
use crate::comparison::answer::{ScoreRecord, StandingRecord};
use crate::errors::ErrorRatesAnswer;
use crate::request::{Answer, record};
use crate::scoring::answer::{EvaluationAnswer, MeasureRecord, SliceRecord, SystemRecord};
use karat_model::Notice;
use karat_report::{Deferred, Report, ReportSection};
use serde::{Deserialize, Serialize};

/// Systems beside each other on several benchmarks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BoardAnswer {
    /// The version of karat.
    pub karat: String,
    /// The measure, as it was asked for.
    pub measure: String,
    /// The score of it that is shown.
    pub score: String,
    /// Whether it is the mean over documents.
    #[serde(rename = "macro")]
    pub mean: bool,
    /// How sure intervals are, in percent.
    pub level: Option<f64>,
    /// How p-values are corrected for the number of pairs.
    pub correction: String,
    /// The benchmarks that are shown.
    pub benchmarks: Vec<BoardColumn>,
    /// The systems that are shown, in order.
    pub rows: Vec<BoardRow>,
    /// How many systems the view leaves out.
    pub left_out: usize,
    /// What is shown of each system on each benchmark.
    pub fields: Vec<BoardField>,
    /// By what rows were put in order.
    pub sort: Vec<BoardOrder>,
    /// Whether a row is a system or one run of it.
    pub shape: BoardShape,
    /// What rows of runs stand together by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<BoardGrouping>,
    /// With a row for each run, the runs in order: places of the system and of the benchmark.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<[usize; 2]>,
    /// What a reader of the numbers has to know.
    pub notices: Vec<Notice>,
}

/// A benchmark of a board.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BoardColumn {
    /// The benchmark.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// What reproduces the scores.
    pub signature: String,
    /// What reproduces ranks and groups, if systems could be compared.
    pub comparison_signature: Option<String>,
    /// The smallest difference that would be found: the median over all pairs.
    pub detectable: Option<f64>,
    /// The result in words.
    pub sentence: String,
    /// Systems that are shown to be better than all others here.
    pub best: Option<String>,
    /// Why systems could not be compared, if they could not.
    pub not_compared: Option<String>,
}

/// A system of a board.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BoardRow {
    /// The system.
    pub system: String,
    /// How it did on each benchmark.
    pub cells: Vec<BoardCell>,
    /// The mean over the benchmarks that are shown, each with the same weight; `None` unless it has a score on all of
    /// them.
    pub mean: Option<f64>,
    /// On how many benchmarks it has a score.
    pub scored: usize,
}

/// How a system did on one benchmark.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BoardCell {
    /// Whether there is a score.
    pub state: CellState,
    /// The score.
    pub value: Option<f64>,
    /// Where it may lie.
    pub ci: Option<[f64; 2]>,
    /// Its rank, 1 for the best.
    pub rank: Option<usize>,
    /// Where the rank may lie.
    pub rank_ci: Option<[usize; 2]>,
    /// The letters of its groups: systems that share one were not told apart.
    pub letters: String,
    /// Whether it is in the first group while others are not.
    pub leads: bool,
    /// The other scores and the counts of the measure, by name.
    pub numbers: Vec<(String, Option<f64>)>,
}

/// Whether there is a score, and why not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellState {
    /// There is.
    Scored,
    /// The system has no run on the benchmark.
    #[default]
    NoRun,
    /// The score is not defined: there is nothing to divide by.
    Undefined,
}

impl CellState {
    /// Why there is no score; `None` if there is one.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            CellState::Scored => None,
            CellState::NoRun => Some("no run"),
            CellState::Undefined => Some("not defined: there is nothing to divide by"),
        }
    }
}

/// What a board is made of: the scores of all systems on one benchmark, and their comparison or why there is
/// none.
#[derive(Debug, Clone)]
pub struct BoardPart<'p> {
    /// The scores.
    pub evaluation: &'p EvaluationAnswer,
    /// How they compare.
    pub comparison: Result<&'p ComparisonAnswer, NotCompared>,
    /// The errors of each system by category, where columns show them, by the names of the systems.
    pub errors: Vec<(&'p str, &'p ErrorRatesAnswer)>,
}

/// The score of a measure that a board shows.
struct ChosenScore {
    measure: String,
    score: String,
    mean: bool,
}

impl BoardAnswer {
    /// The board of these evaluations and comparisons, one of each for every benchmark, with everything in it.
    pub fn of(parts: &[BoardPart<'_>]) -> BoardAnswer {
        let mut board = BoardAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            fields: BoardField::USUAL.map(BoardField::from).to_vec(),
            ..BoardAnswer::default()
        };
        let chosen = parts.iter().find_map(|part| ChosenScore::of(part.evaluation));
        let Some(chosen) = chosen else { return board };
        board.level = parts.iter().find_map(|part| part.evaluation.level);
        for part in parts {
            if let Ok(comparison) = part.comparison {
                board.correction = comparison.correction.clone();
            }
            let place = board.benchmarks.len();
            let compared = chosen.compared(part);
            board.benchmarks.push(BoardColumn::of(part, compared, &chosen));
            for system in &part.evaluation.systems {
                let mut cell = BoardCell::of(system, compared, &chosen);
                cell.numbers.extend(chosen.by_label(system));
                let errors = part.errors.iter().filter(|(name, _)| *name == system.name);
                cell.numbers.extend(errors.flat_map(|(_, errors)| rates(errors)));
                let row = match board.rows.iter().position(|row| row.system == system.name) {
                    Some(known) => &mut board.rows[known],
                    None => {
                        let system = system.name.clone();
                        board.rows.push(BoardRow { system, ..BoardRow::default() });
                        let last = board.rows.len() - 1;
                        &mut board.rows[last]
                    }
                };
                row.cells.resize(place, BoardCell::default());
                row.cells.push(cell);
            }
            let comparison = part.comparison.as_ref().ok().map(|found| found.notices.as_slice());
            for notice in part.evaluation.notices.iter().chain(comparison.unwrap_or_default()) {
                if !board.notices.contains(notice) {
                    board.notices.push(notice.clone());
                }
            }
        }
        for row in &mut board.rows {
            row.cells.resize(parts.len(), BoardCell::default());
            row.average();
        }
        (board.measure, board.score, board.mean) = (chosen.measure, chosen.score, chosen.mean);
        board
    }

    /// What tables call the score that is shown: `F1`, `precision`, `macro F1`.
    pub fn score_title(&self) -> String {
        let name = if self.score == "f1" { "F1" } else { &self.score };
        if self.mean { format!("macro {name}") } else { name.to_owned() }
    }

    /// The result in words.
    pub fn sentence(&self) -> String {
        sentence::of_board(self)
    }

    /// Where one system stands, in words.
    pub fn sentence_of(&self, system: &str) -> String {
        sentence::of_system(self, system)
    }

    /// Whether ranks or groups are shown: what tests of systems against each other say.
    pub fn shows_tests(&self) -> bool {
        self.fields.iter().any(|field| ["rank", "group"].contains(&field.name()))
    }

    /// A system on a benchmark.
    pub fn cell(&self, system: &str, benchmark: &str) -> Option<&BoardCell> {
        let place = self.benchmarks.iter().position(|column| column.name == benchmark)?;
        self.rows.iter().find(|row| row.system == system)?.cells.get(place)
    }

    /// The names of the scores and counts that columns can show beside the score.
    pub fn further_fields(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.numbers)
        {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

impl Answer for BoardAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let signatures = self.benchmarks.iter().flat_map(|column| {
            std::iter::once(&column.signature).chain(&column.comparison_signature).cloned()
        });
        Report {
            result: Some(self.sentence()),
            sections: vec![ReportSection::new("", Deferred::by(|| tables::printed(self)))],
            page: vec![ReportSection::new("", Deferred::by(|| tables::paper(self)))],
            rows: Some(Deferred::by(|| tables::visible(self))),
            record: Some(Deferred::by(|| record(self))),
            signatures: signatures.collect(),
            ..Report::default()
        }
    }
}

impl BoardRow {
    /// The mean over all benchmarks, and on how many there is a score.
    pub(super) fn average(&mut self) {
        let values: Vec<f64> = self.cells.iter().filter_map(|cell| cell.value).collect();
        self.scored = values.len();
        let is_complete = !values.is_empty() && values.len() == self.cells.len();
        self.mean = is_complete.then(|| values.iter().sum::<f64>() / values.len() as f64);
    }
}

impl ChosenScore {
    fn of(evaluation: &EvaluationAnswer) -> Option<ChosenScore> {
        let shown = evaluation.shown.first()?;
        let measure = evaluation.systems.first()?.measures.get(shown.measure)?;
        let first = || measure.scores.first().map(|(name, _)| name.as_str());
        let usual = || Some("f1").filter(|name| measure.score(name).is_some()).or_else(first);
        let score = shown.score.as_deref().or_else(usual)?;
        let (measure, score) = (measure.name.clone(), score.to_owned());
        Some(ChosenScore { measure, score, mean: shown.mean })
    }

    /// The comparison of systems by this score.
    fn compared<'p>(&self, part: &BoardPart<'p>) -> Option<&'p ScoreRecord> {
        let suffix = if self.mean { "@macro" } else { "" };
        let name = format!("{}.{}{suffix}", self.measure, self.score);
        let scores = part.comparison.as_ref().ok()?.benchmarks.first()?.scores.iter();
        scores.filter(|score| score.facet.is_none()).find(|score| score.name == name)
    }

    fn value(&self, measure: &MeasureRecord) -> Option<f64> {
        match self.mean {
            true => measure.mean.as_ref()?.score(&self.score).flatten(),
            false => measure.score(&self.score).flatten(),
        }
    }

    /// The score on each part of the corpus, by the label of the part: `type=PER`.
    fn by_label(&self, system: &SystemRecord) -> Vec<(String, Option<f64>)> {
        let of_slice = |slice: &SliceRecord| {
            let measure = slice.measures.iter().find(|it| it.name == self.measure)?;
            let value = self.value(measure).filter(|_| !measure.over_nothing);
            Some((format!("{}={}", slice.facet, slice.label), value))
        };
        system.slices.iter().filter_map(of_slice).collect()
    }

    fn interval(&self, measure: &MeasureRecord) -> Option<[f64; 2]> {
        match self.mean {
            true => measure.mean.as_ref()?.ci.get(&self.score).copied(),
            false => measure.ci.get(&self.score).copied(),
        }
    }
}

/// The rates of a system's errors by category: `error=ner_fn.lowercased`.
fn rates(errors: &ErrorRatesAnswer) -> Vec<(String, Option<f64>)> {
    let rates = errors.categories.iter();
    rates.map(|it| (format!("error={}.{}", it.family, it.category), it.rate)).collect()
}

impl BoardColumn {
    fn of(
        part: &BoardPart<'_>,
        compared: Option<&ScoreRecord>,
        chosen: &ChosenScore,
    ) -> BoardColumn {
        let gold = &part.evaluation.gold;
        let comparison = part.comparison.as_ref().ok();
        let of_benchmark = comparison.and_then(|comparison| comparison.benchmarks.first());
        let nothing = "systems cannot be compared by this score".to_owned();
        let sentence = match of_benchmark.zip(compared) {
            Some((benchmark, score)) => benchmark.sentence(score),
            None => sentence::of_scores(part.evaluation, &chosen.score),
        };
        let rivals = part.evaluation.systems.len().saturating_sub(1);
        let best = compared.into_iter().flat_map(|score| &score.systems);
        BoardColumn {
            name: gold.name.clone(),
            documents: gold.documents,
            signature: gold.signature.clone(),
            comparison_signature: of_benchmark.map(|benchmark| benchmark.signature.clone()),
            detectable: compared.and_then(|score| score.detectable),
            sentence,
            best: best
                .filter(|standing| rivals > 0 && standing.beats.len() == rivals)
                .map(|standing| standing.name.clone())
                .next(),
            not_compared: match &part.comparison {
                Err(why) => Some(why.to_string()),
                Ok(_) => compared.is_none().then_some(nothing),
            },
        }
    }
}

impl BoardCell {
    fn of(
        system: &SystemRecord,
        compared: Option<&ScoreRecord>,
        chosen: &ChosenScore,
    ) -> BoardCell {
        let Some(measure) = system.measures.iter().find(|it| it.name == chosen.measure) else {
            return BoardCell { state: CellState::Undefined, ..BoardCell::default() };
        };
        let value = chosen.value(measure);
        let standing: Option<&StandingRecord> = compared
            .and_then(|score| score.systems.iter().find(|standing| standing.name == system.name));
        let others = measure.scores.iter().filter(|(name, _)| chosen.mean || *name != chosen.score);
        let first = compared.and_then(|score| score.groups.first());
        BoardCell {
            state: if value.is_some() { CellState::Scored } else { CellState::Undefined },
            value,
            ci: chosen.interval(measure),
            rank: standing.and_then(|standing| standing.rank),
            rank_ci: standing.and_then(|standing| standing.rank_ci),
            letters: compared.map(|score| score.letters(&system.name)).unwrap_or_default(),
            leads: first.is_some_and(|group| {
                group.len() < compared.map_or(0, |score| score.systems.len())
                    && group.contains(&system.name)
            }),
            numbers: others.chain(&measure.counts).cloned().collect(),
        }
    }
}
