//! What a board says, in words.

use super::answer::{BoardAnswer, BoardCell};
use crate::scoring::answer::{EvaluationAnswer, SystemRecord};

/// With more benchmarks than this, they are counted instead of named.
const NAMED: usize = 3;

/// What all benchmarks say together.
pub(super) fn of_board(board: &BoardAnswer) -> String {
    match board.benchmarks.as_slice() {
        [] => "There is nothing to score yet.".to_owned(),
        [only] => only.sentence.clone(),
        few if few.len() <= NAMED => {
            let each = few.iter().map(|column| format!("{}: {}", column.name, column.sentence));
            each.collect::<Vec<_>>().join(" ")
        }
        many => {
            let mut best: Vec<(&str, usize)> = Vec::new();
            for name in many.iter().filter_map(|column| column.best.as_deref()) {
                match best.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, count)) => *count += 1,
                    None => best.push((name, 1)),
                }
            }
            // The most often first; those of the same number in the order of the benchmarks.
            best.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let decided: usize = best.iter().map(|(_, count)| count).sum();
            let each: Vec<String> =
                best.iter().map(|(name, count)| format!("{name} on {count}")).collect();
            match decided {
                0 => format!(
                    "No system is shown to be the best on any of the {} benchmarks.",
                    many.len()
                ),
                _ => format!(
                    "A best system is shown on {decided} of {} benchmarks: {}.",
                    many.len(),
                    each.join(", ")
                ),
            }
        }
    }
}

/// Where one system stands.
pub(super) fn of_system(board: &BoardAnswer, system: &str) -> String {
    let cells: Vec<(&str, &BoardCell)> = board
        .benchmarks
        .iter()
        .filter_map(|column| Some((column.name.as_str(), board.cell(system, &column.name)?)))
        .filter(|(_, cell)| cell.value.is_some())
        .collect();
    let title = board.score_title();
    match cells.as_slice() {
        [] => format!("{system} has no score yet."),
        few if few.len() <= NAMED => {
            let each = few.iter().map(|(benchmark, cell)| {
                let value = cell.value.unwrap_or_default();
                let rank = cell.ranks().map(|ranks| format!(", rank {ranks}")).unwrap_or_default();
                format!("{title} {value:.3}{rank} on {benchmark}")
            });
            format!("{system} reaches {}.", each.collect::<Vec<_>>().join("; "))
        }
        many => {
            let leading = many.iter().filter(|(_, cell)| cell.leads).count();
            format!(
                "{system} has scores on {} of {} benchmarks, and is in the first group on {leading}.",
                many.len(),
                board.benchmarks.len()
            )
        }
    }
}

/// What scores say that are not compared.
pub(super) fn of_scores(evaluation: &EvaluationAnswer, score: &str) -> String {
    match evaluation.systems.as_slice() {
        [only] => only.sentence(),
        systems => {
            let value = |system: &SystemRecord| {
                system.measures.first().and_then(|measure| measure.score(score).flatten())
            };
            let highest = systems
                .iter()
                .filter_map(|system| Some((value(system)?, system.name.as_str())))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            match highest {
                Some((_, name)) => {
                    format!("{name} has the highest score; whether that is chance was not tested.")
                }
                None => "No system has a score.".to_owned(),
            }
        }
    }
}
