//! Text for a terminal.

use super::{Audience, OutputForm, RenderOptions, visible};
use crate::plot::Plot;
use crate::prose;
use crate::table::{Align, Table};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

/// Where nobody says how wide a terminal is, lines are this long.
const PROSE: u16 = 100;
/// Plots are narrower, so that they fit beside quotation marks and line numbers.
const PLOT: u16 = 80;

#[derive(Debug)]
pub(super) struct Text;

impl OutputForm for Text {
    fn name(&self) -> &'static str {
        "table"
    }

    fn about(&self) -> &'static str {
        "For reading in a terminal"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn audience(&self) -> Audience {
        Audience::Terminal
    }

    fn escape(&self, text: &str) -> String {
        visible(text)
    }

    fn table(&self, table: &Table, options: &RenderOptions) -> String {
        let mut shown = comfy_table::Table::new();
        let rule = LineStyle::none().fill('─').junction('─');
        shown.load_style(TableStyle::new().header_separator(rule));
        shown.set_content_arrangement(match options.width {
            // Columns are squeezed only where a width is known: a file or a pipe gets whole lines,
            // which other programs can read.
            Some(_) => ContentArrangement::Dynamic,
            None => ContentArrangement::Disabled,
        });
        if let Some(width) = options.width {
            shown.set_width(width);
        }
        shown.set_header(table.columns.iter().map(|column| visible(&column.name)));
        for row in table.rows() {
            let cells = table.columns.iter().zip(row).map(|(column, cell)| {
                let marks = cell.marks().map(|marks| format!(" {marks}")).unwrap_or_default();
                visible(&(cell.printed(column, "–") + &marks))
            });
            shown.add_row(cells);
        }
        for (index, column) in table.columns.iter().enumerate() {
            if let Some(shown) = shown.column_mut(index) {
                shown.set_padding((0, 1));
                if column.align == Align::Right {
                    shown.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        // Padding at the end of lines shows up in diffs and in pasted text.
        let lines = shown.lines().map(|line| format!("{}\n", line.trim_end()));
        lines.collect()
    }

    fn result(&self, sentence: &str, options: &RenderOptions) -> String {
        format!("{}\n\n", filled(sentence, options))
    }

    fn prose(&self, text: &str, options: &RenderOptions) -> String {
        let width = options.width.unwrap_or(PROSE).into();
        format!("{}\n", visible(&prose::paragraphs(text, width)))
    }

    fn lines(&self, text: &str) -> String {
        match text.trim_end_matches('\n') {
            "" => String::new(),
            lines => format!("{lines}\n"),
        }
    }

    fn plot(&self, plot: &dyn Plot, options: &RenderOptions) -> String {
        format!("\n{}\n", plot.text(options.width.unwrap_or(PLOT)))
    }

    fn remarks(&self, remarks: &[String], options: &RenderOptions) -> String {
        let lines: String =
            remarks.iter().map(|remark| format!("{}\n", filled(remark, options))).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }
}

/// A sentence in lines that fit.
fn filled(sentence: &str, options: &RenderOptions) -> String {
    prose::words(&visible(sentence), options.width.unwrap_or(PROSE).into())
}
