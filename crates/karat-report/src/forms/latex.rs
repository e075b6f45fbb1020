//! LaTeX, to be pasted into a paper.

use super::{Audience, OutputForm, RenderOptions, steers};
use crate::prose::{self, Block, blocks};
use crate::table::{Align, Column, Table};

#[derive(Debug)]
pub(super) struct Latex;

impl OutputForm for Latex {
    fn name(&self) -> &'static str {
        "latex"
    }

    fn about(&self) -> &'static str {
        "LaTeX"
    }

    fn extension(&self) -> &'static str {
        "tex"
    }

    fn audience(&self) -> Audience {
        Audience::Page
    }

    fn escape(&self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '\\' => escaped.push_str("\\textbackslash{}"),
                '<' => escaped.push_str("\\textless{}"),
                '>' => escaped.push_str("\\textgreater{}"),
                '|' => escaped.push_str("\\textbar{}"),
                '~' => escaped.push_str("\\textasciitilde{}"),
                '^' => escaped.push_str("\\textasciicircum{}"),
                '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                    escaped.push('\\');
                    escaped.push(character);
                }
                // A line break in a cell would end the row of a `tabular`, or start a paragraph.
                '\n' | '\r' => escaped.push(' '),
                _ if steers(character) => escaped.push('\u{fffd}'),
                _ => escaped.push(character),
            }
        }
        escaped
    }

    fn table(&self, table: &Table, _options: &RenderOptions) -> String {
        self.tabular(None, table)
    }

    fn opening(&self) -> String {
        "% needs \\usepackage{booktabs}\n".to_owned()
    }

    fn title(&self, title: &str) -> String {
        format!("\\noindent\\textbf{{{}}}\\par\n\n", self.escape(title))
    }

    fn result(&self, sentence: &str, _options: &RenderOptions) -> String {
        format!("\\noindent {}\\par\n\n", self.escape(sentence))
    }

    fn titled_table(&self, title: &str, table: &Table, _options: &RenderOptions) -> String {
        // A comment would not be printed, and a paragraph not be copied with the table.
        self.tabular(Some(title), table)
    }

    fn prose(&self, text: &str, _options: &RenderOptions) -> String {
        let lines = blocks(text).into_iter().map(|block| match block {
            Block::Paragraph(text) => self.escape(&text) + "\n",
            Block::Table(rows) => self.lines(&prose::columns(&rows)),
        });
        lines.collect()
    }

    fn lines(&self, text: &str) -> String {
        let text = prose::without_colours(text).replace(steers, "\u{fffd}");
        // What is in the lines must not end them.
        let text = text.replace("\\end{verbatim}", "\\end {verbatim}");
        format!("\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n", text.trim_end_matches('\n'))
    }

    fn remarks(&self, remarks: &[String], _options: &RenderOptions) -> String {
        let note = |remark: &String| {
            format!("\\par\\noindent{{\\footnotesize {}\\par}}\n", self.escape(remark))
        };
        remarks.iter().map(note).collect()
    }

    fn signature(&self, signature: &str) -> String {
        // A comment ends with its line.
        format!("% {}\n", signature.replace(char::is_control, " "))
    }
}

impl Latex {
    /// A table; its title, if it has one, is its first row.
    fn tabular(&self, title: Option<&str>, table: &Table) -> String {
        let align = |column: &Column| if column.align == Align::Left { 'l' } else { 'r' };
        let aligns: String = table.columns.iter().map(align).collect();
        let line = |cells: Vec<String>| format!("  {} \\\\\n", cells.join(" & "));
        let heading = table.columns.iter().map(|column| self.escape(&column.name)).collect();
        let mut text = format!("\\begin{{tabular}}{{{aligns}}}\n  \\toprule\n");
        if let Some(title) = title {
            let (columns, title) = (table.columns.len(), self.escape(title));
            text += &format!(
                "  \\multicolumn{{{columns}}}{{l}}{{\\textbf{{{title}}}}} \\\\\n  \\midrule\n"
            );
        }
        text += &line(heading);
        text += "  \\midrule\n";
        for row in table.rows() {
            let cells = table.columns.iter().zip(row).map(|(column, cell)| {
                let raised = |marks| format!("\\textsuperscript{{{}}}", self.escape(marks));
                let value = self.escape(&cell.printed(column, "--"));
                value + &cell.marks().map(raised).unwrap_or_default()
            });
            text += &line(cells.collect());
        }
        text += "  \\bottomrule\n\\end{tabular}\n";
        text
    }
}
