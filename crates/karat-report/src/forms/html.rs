//! HTML, to stand in a page.

use super::{Audience, OutputForm, RenderOptions, steers};
use crate::plot::Plot;
use crate::prose::{self, Block, blocks};
use crate::table::{Align, Column, Table};

#[derive(Debug)]
pub(super) struct Html;

impl OutputForm for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn about(&self) -> &'static str {
        "HTML"
    }

    fn extension(&self) -> &'static str {
        "html"
    }

    fn audience(&self) -> Audience {
        Audience::Page
    }

    fn escape(&self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '&' => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '"' => escaped.push_str("&quot;"),
                '\'' => escaped.push_str("&#39;"),
                // Control characters are not allowed in HTML, and some browsers act on them.
                _ if steers(character) => escaped.push('\u{fffd}'),
                _ => escaped.push(character),
            }
        }
        escaped
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        let class = |column: &Column| match column.align {
            Align::Left => "",
            Align::Right => " class=\"number\"",
        };
        let mut text = String::from("<table>\n<thead><tr>");
        for column in &table.columns {
            text += &format!("<th{}>{}</th>", class(column), self.escape(&column.name));
        }
        text += "</tr></thead>\n<tbody>\n";
        for row in table.rows() {
            text += "<tr>";
            for (column, cell) in table.columns.iter().zip(row) {
                let raised = |marks| format!("<sup>{}</sup>", self.escape(marks));
                let marks = cell.marks().map(raised).unwrap_or_default();
                let value = self.escape(&cell.printed(column, "–"));
                text += &format!("<td{}>{value}{marks}</td>", class(column));
            }
            text += "</tr>\n";
        }
        text += "</tbody>\n</table>\n";
        text
    }

    fn title(&self, title: &str) -> String {
        format!("<h1>{}</h1>\n", self.escape(title))
    }

    fn result(&self, sentence: &str, _options: &RenderOptions) -> String {
        format!("<p class=\"result\">{}</p>\n", self.escape(sentence))
    }

    fn heading(&self, title: &str) -> String {
        format!("<h2>{}</h2>\n", self.escape(title))
    }

    fn prose(&self, text: &str, _options: &RenderOptions) -> String {
        let lines = blocks(text).into_iter().map(|block| match block {
            Block::Paragraph(text) if text.is_empty() => String::new(),
            Block::Paragraph(text) => format!("<p>{}</p>\n", self.escape(&text)),
            Block::Table(rows) => self.lines(&prose::columns(&rows)),
        });
        lines.collect()
    }

    fn lines(&self, text: &str) -> String {
        let text = self.escape(&prose::without_colours(text));
        format!("<pre>{}</pre>\n", text.trim_end_matches('\n'))
    }

    fn plot(&self, plot: &dyn Plot, _options: &RenderOptions) -> String {
        // A plot escapes its own labels, so its markup is put in as it is.
        format!("<figure>\n{}\n</figure>\n", plot.svg().trim_end())
    }

    fn remarks(&self, remarks: &[String], _options: &RenderOptions) -> String {
        let paragraph =
            |remark: &String| format!("<p class=\"remark\">{}</p>\n", self.escape(remark));
        remarks.iter().map(paragraph).collect()
    }

    fn signature(&self, signature: &str) -> String {
        format!("<p class=\"signature\">{}</p>\n", self.escape(signature))
    }
}
