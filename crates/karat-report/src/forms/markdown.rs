//! Markdown, to be pasted into a page.

use super::{Audience, OutputForm, RenderOptions, steers};
use crate::prose::{self, Block, blocks};
use crate::table::{Align, Cell, Column, Table};

/// Titles are plain paragraphs: a heading would have to know how deep in a page it will be pasted.
#[derive(Debug)]
pub(super) struct Markdown;

impl OutputForm for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn about(&self) -> &'static str {
        "Markdown"
    }

    fn extension(&self) -> &'static str {
        "md"
    }

    fn audience(&self) -> Audience {
        Audience::Page
    }

    fn escape(&self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                // Underscores within words mean nothing in Markdown, and names of measures have many.
                '\\' | '|' | '<' | '*' | '`' | '[' | ']' => {
                    escaped.push('\\');
                    escaped.push(character);
                }
                '\n' | '\r' => escaped.push(' '),
                _ if steers(character) => escaped.push('\u{fffd}'),
                _ => escaped.push(character),
            }
        }
        escaped
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &Column| match column.align {
            Align::Left => "---".to_owned(),
            Align::Right => "---:".to_owned(),
        };
        let names = table.columns.iter().map(|column| self.escape(&column.name));
        let mut text = line(names.collect());
        text += &line(table.columns.iter().map(rule).collect());
        for row in table.rows() {
            let cells = table.columns.iter().zip(row).map(|(column, cell)| {
                let raised = |marks| format!("<sup>{}</sup>", self.escape(marks));
                let value = match cell {
                    // Text that karat itself wrote as Markdown. Everything else is data.
                    Cell::Markdown(text) => in_cell(text),
                    cell => self.escape(&cell.printed(column, "–")),
                };
                value + &cell.marks().map(raised).unwrap_or_default()
            });
            text += &line(cells.collect());
        }
        text
    }

    fn prose(&self, text: &str, options: &RenderOptions) -> String {
        let width = options.width.unwrap_or(100).into();
        let lines = blocks(text).into_iter().map(|block| match block {
            Block::Paragraph(text) => prose::words(&text, width) + "\n",
            Block::Table(rows) => rows.join("\n") + "\n",
        });
        lines.collect::<String>().replace(steers, "\u{fffd}")
    }

    fn lines(&self, text: &str) -> String {
        // Indented, not fenced: what is in the lines cannot end it.
        let line = |line: &str| format!("    {}\n", line.replace(steers, "\u{fffd}"));
        prose::without_colours(text).lines().map(line).collect()
    }

    fn signature(&self, signature: &str) -> String {
        format!("\n`{}`\n", signature.replace('`', "'").replace(char::is_control, " "))
    }
}

/// Markdown as it stands in a cell, which ends at a bar and with its line.
fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
