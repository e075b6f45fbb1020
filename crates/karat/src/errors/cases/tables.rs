//! Cases as tables.

use super::answer::{CaseRow, CasesAnswer};
use super::request::CaseGrouping;
use crate::errors::MentionAnswer;
use crate::inputs::counted;
use karat_report::{Cell, Column, Table};

/// What was found, in a sentence.
pub(super) fn sentence(answer: &CasesAnswer) -> String {
    let CasesAnswer { total, of, filter, .. } = answer;
    let without = || {
        let best = answer.without.iter().max_by_key(|it| it.total).filter(|it| it.total > 0)?;
        let are = if best.total == 1 { "is" } else { "are" };
        Some(format!("; without `{}` there {are} {}", best.condition, best.total))
    };
    match (*total, filter.is_empty(), answer.group) {
        (0, true, _) => "There are no cases.".to_owned(),
        (0, false, _) => format!("No case fits{}.", without().unwrap_or_default()),
        (_, true, CaseGrouping::None) => format!("{}.", counted(*total, "case")),
        (_, false, CaseGrouping::None) => format!("{total} of {} fit.", counted(*of, "case")),
        (..) => {
            let groups = counted(answer.groups_total, "group");
            format!("{} in {groups}.", counted(*total, "case"))
        }
    }
}

/// The cases one by one.
pub(super) fn rows(answer: &CasesAnswer) -> Table {
    let words = ["context", "gold", "prediction", "error", "category", "type"].map(Column::text);
    let beside = answer
        .beside
        .iter()
        .flat_map(|name| [Column::text(name.clone()), Column::text(format!("{name} prediction"))]);
    let columns = [Column::text("document"), Column::count("start"), Column::count("end")];
    let numbers = [Column::number("confidence", 3), Column::count("rank")];
    let mut table = Table::new(columns.into_iter().chain(words).chain(numbers).chain(beside));
    for row in &answer.rows {
        let cells = [
            Cell::from(row.name.as_str()),
            Cell::from(row.in_text.start as usize),
            Cell::from(row.in_text.end as usize),
            Cell::from(row.in_text.context()),
            said(row.gold.as_ref()),
            said(row.prediction.as_ref()),
            Cell::from(row.error.clone()),
            Cell::from(row.category.clone()),
            Cell::from(Some(row.types.join(" ")).filter(|types| !types.is_empty())),
            Cell::from(row.confidence),
            Cell::from(row.rank),
        ];
        let beside = answer.beside.iter().flat_map(|_| beside_cells(row));
        table.row(cells.into_iter().chain(beside));
    }
    table
}

fn beside_cells(row: &CaseRow) -> [Cell; 2] {
    let Some(beside) = &row.beside else { return [Cell::Missing, Cell::Missing] };
    [Cell::from(beside.error.clone()), said(beside.prediction.as_ref())]
}

fn said(answer: Option<&MentionAnswer>) -> Cell {
    Cell::from(answer.map(ToString::to_string))
}

/// How often each thing occurs.
pub(super) fn groups(answer: &CasesAnswer) -> Table {
    let of = match answer.group {
        CaseGrouping::Mention => "mention",
        CaseGrouping::Gold => "gold",
        CaseGrouping::Predicted => "prediction",
        CaseGrouping::Pair | CaseGrouping::None => "gold and prediction",
    };
    let columns = [Column::text(of), Column::count("cases"), Column::text("example")];
    let mut table = Table::new(columns.into_iter().chain([Column::text("document")]));
    for group in &answer.groups {
        table.row([
            Cell::from(group.label.as_str()),
            Cell::from(group.count),
            Cell::from(group.example.in_text.context()),
            Cell::from(group.example.name.as_str()),
        ]);
    }
    table
}
