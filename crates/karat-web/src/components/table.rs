//! A table of an answer.

use super::name::{shown, visible};
use karat::report::{Align, Cell, Column, Table};
use maud::{Markup, html};

/// A table as the answer has it: a caption, a heading for each column, and a scroll region that can be reached by
/// keyboard where the table is wider than the page.
pub fn table(caption: &str, table: &Table) -> Markup {
    let caption = shown(caption);
    let columns = table.columns();
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                thead { tr {
                    @for column in columns { th scope="col" class=[figure(column)] { (shown(&column.name)) } }
                } }
                tbody {
                    @for row in table.rows() { tr {
                        @for (place, (column, cell)) in columns.iter().zip(row).enumerate() {
                            @if place == 0 && column.align == Align::Left {
                                th scope="row" { (value(column, cell)) }
                            } @else {
                                td class=[figure(column)] { (value(column, cell)) }
                            }
                        }
                    } }
                }
            }
        }
    }
}

fn figure(column: &Column) -> Option<&'static str> {
    (column.align == Align::Right).then_some("n")
}

/// A value as it is printed; what is missing is a dash.
pub fn value(column: &Column, cell: &Cell) -> Markup {
    let printed = cell.printed(column, "–");
    html! {
        @match cell {
            Cell::Text(_) | Cell::Markdown(_) => bdi { (visible(&printed)) },
            Cell::Missing => span.missing title="not defined" { (printed) },
            _ => (figures(&printed)),
        }
        @if let Some(marks) = cell.marks() { sup { (marks) } }
    }
}

/// Figures as papers print them: no zero before the point, and a minus sign that is one.
pub fn figures(printed: &str) -> String {
    let mut text = String::with_capacity(printed.len());
    let mut rest = printed;
    // `0.` begins a number if no digit stands before it.
    while let Some(at) = rest.find("0.") {
        let is_start = !rest[..at].ends_with(|c: char| c.is_ascii_digit() || c == '.');
        text.push_str(&rest[..at]);
        if !is_start {
            text.push('0');
        }
        text.push('.');
        rest = &rest[at + 2..];
    }
    text.push_str(rest);
    text.replace('-', "\u{2212}")
}

/// A score with three digits, as everywhere on pages; a dash where there is none.
pub fn score(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| figures(&format!("{value:.3}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_set_as_in_papers() {
        assert_eq!(figures("0.663"), ".663");
        assert_eq!(figures("0.527–0.667"), ".527–.667");
        assert_eq!(figures("-0.041"), "\u{2212}.041");
        assert_eq!(figures("10.5"), "10.5");
        assert_eq!(figures("1.000"), "1.000");
        assert_eq!(score(None), "–");
    }

    #[test]
    fn tables_have_headings_and_escape() {
        let mut rows = Table::new([Column::text("system"), Column::number("F1", 3)]);
        rows.row([Cell::from("<b>"), Cell::from(0.5)]);
        rows.row([Cell::from("b"), Cell::Missing]);
        let markup = table("Scores", &rows).into_string();
        assert!(
            markup.contains("<th scope=\"row\"><bdi>&lt;b&gt;</bdi></th><td class=\"n\">.500</td>"),
            "{markup}"
        );
        assert!(markup.contains("not defined"), "{markup}");
    }
}
