//! The forms a table can take.

use crate::table::{Align, Cell, Column, Table};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

/// A form of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For reading in a terminal.
    Text,
    /// One object per row, full precision.
    Json,
    /// Tab-separated, with a heading.
    Tsv,
    /// Comma-separated, with a heading.
    Csv,
    /// A Markdown table.
    Markdown,
    /// A LaTeX `tabular`.
    Latex,
    /// An HTML table.
    Html,
}

impl Table {
    /// The table in this form; `width` is that of the terminal, for text.
    pub fn render(&self, form: Form, width: Option<u16>) -> String {
        match form {
            Form::Text => self.text(width),
            Form::Json => format!("{:#}\n", self.json()),
            Form::Tsv => self.separated(b'\t'),
            Form::Csv => self.separated(b','),
            Form::Markdown => self.markdown(),
            Form::Latex => self.titled_latex(""),
            Form::Html => self.html(),
        }
    }

    /// The rows as JSON objects.
    pub fn json(&self) -> serde_json::Value {
        let value = |cell: &Cell| match cell {
            Cell::Text(text) | Cell::Markdown(text) => text.as_str().into(),
            Cell::Count(count) => (*count).into(),
            Cell::Number(number) | Cell::Marked { number, .. } | Cell::Exact(number) => {
                (*number).into()
            }
            Cell::Interval { low, high } => serde_json::json!([low, high]),
            Cell::Named(numbers) => {
                let numbers = numbers.iter().map(|(name, number)| (name.clone(), (*number).into()));
                numbers.collect::<serde_json::Map<_, _>>().into()
            }
            Cell::Flag(flag) => (*flag).into(),
            Cell::Missing => serde_json::Value::Null,
        };
        self.rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let is_new = |key: &String| self.columns.iter().all(|column| column.name != *key);
                let details = self.details.get(&at).into_iter().flatten();
                let details = details.filter(|(key, _)| is_new(key));
                let details = details.map(|(key, value)| (key.clone(), value.clone()));
                let pairs = self.columns.iter().zip(row);
                let pairs = pairs.map(|(column, cell)| (column.name.clone(), value(cell)));
                pairs.chain(details).collect()
            })
            .collect::<Vec<serde_json::Map<_, _>>>()
            .into()
    }

    fn text(&self, width: Option<u16>) -> String {
        let mut table = comfy_table::Table::new();
        let rule = LineStyle::none().fill('─').junction('─');
        table.load_style(TableStyle::new().header_separator(rule));
        table.set_content_arrangement(match width {
            Some(_) => ContentArrangement::Dynamic,
            None => ContentArrangement::Disabled,
        });
        if let Some(width) = width {
            table.set_width(width);
        }
        table.set_header(self.columns.iter().map(|column| visible(&column.name)));
        for row in &self.rows {
            let cells = self.printed(row, "–", |marks| format!(" {marks}"));
            table.add_row(cells.map(|cell| visible(&cell)));
        }
        for (index, column) in self.columns.iter().enumerate() {
            if let Some(shown) = table.column_mut(index) {
                shown.set_padding((0, 1));
                if column.align == Align::Right {
                    shown.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
        lines.collect()
    }

    /// The cells of a row, with their marks as `raised` has them.
    fn printed<'a>(
        &'a self,
        row: &'a [Cell],
        missing: &'a str,
        raised: impl Fn(&str) -> String + 'a,
    ) -> impl Iterator<Item = String> + 'a {
        self.columns.iter().zip(row).map(move |(column, cell)| {
            cell.printed(column, missing) + &cell.marks().map(&raised).unwrap_or_default()
        })
    }

    fn separated(&self, delimiter: u8) -> String {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let heading = self.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        // Programs want numbers, and a small probability is not none.
        let cell = |(column, cell): (&Column, &Cell)| match cell {
            Cell::Number(number) if column.is_probability => number.to_string(),
            cell => cell.printed(column, ""),
        };
        let printed =
            |row: &Vec<Cell>| -> Vec<String> { self.columns.iter().zip(row).map(cell).collect() };
        let rows = self.rows.iter().map(printed);
        for record in std::iter::once(heading).chain(rows) {
            // Writing to memory does not fail, and all rows have the same length.
            let _ = writer.write_record(&record);
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &Column| match column.align {
            Align::Left => "---".to_owned(),
            Align::Right => "---:".to_owned(),
        };
        let mut text =
            line(self.columns.iter().map(|column| markdown_escape(&column.name)).collect());
        text += &line(self.columns.iter().map(rule).collect());
        for row in &self.rows {
            let cells = self.columns.iter().zip(row).map(|(column, cell)| {
                let raised = |marks| format!("<sup>{}</sup>", markdown_escape(marks));
                let value = match cell {
                    Cell::Markdown(text) => markdown_in_cell(text),
                    cell => markdown_escape(&cell.printed(column, "–")),
                };
                value + &cell.marks().map(raised).unwrap_or_default()
            });
            text += &line(cells.collect());
        }
        text
    }

    /// The table in LaTeX. A title is its first row; an empty one is left out.
    pub fn titled_latex(&self, title: &str) -> String {
        let align = |column: &Column| if column.align == Align::Left { 'l' } else { 'r' };
        let aligns: String = self.columns.iter().map(align).collect();
        let line = |cells: Vec<String>| format!("  {} \\\\\n", cells.join(" & "));
        let heading = self.columns.iter().map(|column| latex_escape(&column.name)).collect();
        let mut text = format!("\\begin{{tabular}}{{{aligns}}}\n  \\toprule\n");
        if !title.is_empty() {
            let (columns, title) = (self.columns.len(), latex_escape(title));
            text += &format!(
                "  \\multicolumn{{{columns}}}{{l}}{{\\textbf{{{title}}}}} \\\\\n  \\midrule\n"
            );
        }
        text += &line(heading);
        text += "  \\midrule\n";
        for row in &self.rows {
            let cells = self.columns.iter().zip(row).map(|(column, cell)| {
                let raised = |marks| format!("\\textsuperscript{{{}}}", latex_escape(marks));
                let value = latex_escape(&cell.printed(column, "--"));
                value + &cell.marks().map(raised).unwrap_or_default()
            });
            text += &line(cells.collect());
        }
        text += "  \\bottomrule\n\\end{tabular}\n";
        text
    }

    fn html(&self) -> String {
        let class = |column: &Column| match column.align {
            Align::Left => "",
            Align::Right => " class=\"number\"",
        };
        let mut text = String::from("<table>\n<thead><tr>");
        for column in &self.columns {
            text += &format!("<th{}>{}</th>", class(column), html_escape(&column.name));
        }
        text += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            text += "<tr>";
            for (column, cell) in self.columns.iter().zip(row) {
                let raised = |marks| format!("<sup>{}</sup>", html_escape(marks));
                let marks = cell.marks().map(raised).unwrap_or_default();
                let value = html_escape(&cell.printed(column, "–"));
                text += &format!("<td{}>{value}{marks}</td>", class(column));
            }
            text += "</tr>\n";
        }
        text += "</tbody>\n</table>\n";
        text
    }
}

impl Form {
    /// Text as it must be written to stand for itself in this form.
    pub fn escape(self, text: &str) -> String {
        match self {
            Form::Markdown => markdown_escape(text),
            Form::Latex => latex_escape(text),
            Form::Html => html_escape(text),
            Form::Text => visible(text),
            Form::Json | Form::Tsv | Form::Csv => text.to_owned(),
        }
    }
}

/// Text for a terminal: control characters, which could steer it, made visible.
pub fn visible(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
}

/// Whether a character steers terminals and has no place in a document.
fn steers(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\r' | '\t')
}

/// Markdown as it stands in a cell, which ends at a bar and with its line.
fn markdown_in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

fn markdown_escape(text: &str) -> String {
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

fn latex_escape(text: &str) -> String {
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
            '\n' | '\r' => escaped.push(' '),
            _ if steers(character) => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn html_escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ if steers(character) => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new([
            Column::text("system"),
            Column::count("mentions"),
            Column::number("F1", 2),
        ]);
        table.row([Cell::from("a|b & <c>\t_"), Cell::from(12usize), Cell::from(0.375)]);
        table.row([Cell::from("empty"), Cell::from(0usize), Cell::from(f64::NAN)]);
        table
    }

    #[track_caller]
    fn expect(form: Form, text: &str) {
        assert_eq!(table().render(form, None), text);
    }

    #[test]
    fn every_form_escapes_what_it_must() {
        expect(Form::Tsv, "system\tmentions\tF1\n\"a|b & <c>\t_\"\t12\t0.38\nempty\t0\t\n");
        expect(Form::Csv, "system,mentions,F1\na|b & <c>\t_,12,0.38\nempty,0,\n");
        expect(
            Form::Markdown,
            "| system | mentions | F1 |\n| --- | ---: | ---: |\n| a\\|b & \\<c>\t_ | 12 | 0.38 |\n| empty | 0 | – |\n",
        );
        expect(
            Form::Latex,
            "\\begin{tabular}{lrr}\n  \\toprule\n  system & mentions & F1 \\\\\n  \\midrule\n  a\\textbar{}b \\& \\textless{}c\\textgreater{}\t\\_ & 12 & 0.38 \\\\\n  empty & 0 & -- \\\\\n  \\bottomrule\n\\end{tabular}\n",
        );
        expect(
            Form::Html,
            "<table>\n<thead><tr><th>system</th><th class=\"number\">mentions</th><th class=\"number\">F1</th></tr></thead>\n<tbody>\n<tr><td>a|b &amp; &lt;c&gt;\t_</td><td class=\"number\">12</td><td class=\"number\">0.38</td></tr>\n<tr><td>empty</td><td class=\"number\">0</td><td class=\"number\">–</td></tr>\n</tbody>\n</table>\n",
        );
    }

    #[test]
    fn what_could_steer_a_terminal_is_seen_and_data_stays_what_it_is() {
        let mut table = Table::new([Column::text("name\x1b[2J")]);
        table.row([Cell::from("a\x1b[31mb\x07")]);
        for form in [Form::Text, Form::Markdown, Form::Latex, Form::Html] {
            let text = table.render(form, None);
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert_eq!(text.matches('\u{fffd}').count(), 3, "{text:?}");
        }
        assert_eq!(table.render(Form::Csv, None), "name\x1b[2J\na\x1b[31mb\x07\n");
        assert_eq!(table.json()[0]["name\x1b[2J"], "a\x1b[31mb\x07");
    }

    #[test]
    fn marks_are_raised_where_the_form_can() {
        let mut table = Table::new([Column::number("F1", 3)]);
        table.row([Cell::Marked { number: 0.5, marks: "a,b".to_owned() }]);
        assert!(
            table
                .render(Form::Html, None)
                .contains("<td class=\"number\">0.500<sup>a,b</sup></td>")
        );
        assert_eq!(table.render(Form::Csv, None), "F1\n0.500\n");
        assert!(table.render(Form::Markdown, None).contains("| 0.500<sup>a,b</sup> |"));
        assert!(table.render(Form::Latex, None).contains("0.500\\textsuperscript{a,b} \\\\"));
        let first = "\\toprule\n  \\multicolumn{1}{l}{\\textbf{one \\& two}} \\\\\n  \\midrule\n";
        let titled = table.titled_latex("one & two");
        assert!(titled.contains(first), "{titled}");
        assert!(table.render(Form::Text, None).contains("0.500 a,b"));
        assert_eq!(table.json()[0]["F1"], 0.5);
    }

    #[test]
    fn numbers_are_numbers_for_programs() {
        let mut table = Table::new([
            Column::numbers("95%", 2),
            Column::numbers("other", 2),
            Column::number("threshold", 2),
        ]);
        table.row([
            Cell::Interval { low: 0.125, high: 0.5 },
            Cell::Named(vec![("accuracy".to_owned(), Some(0.625)), ("rest".to_owned(), None)]),
            Cell::Exact(0.0625),
        ]);
        assert_eq!(
            table.render(Form::Csv, None),
            "95%,other,threshold\n0.12–0.50,accuracy=0.62 rest=-,0.0625\n"
        );
        let row = &table.json()[0];
        assert_eq!(row["95%"], serde_json::json!([0.125, 0.5]));
        assert_eq!(row["other"], serde_json::json!({"accuracy": 0.625, "rest": null}));
        assert_eq!(row["threshold"], 0.0625);
    }

    #[test]
    fn details_are_for_programs_alone() {
        let mut table = table();
        let plain = table.render(Form::Tsv, None);
        table.detail("span", vec![3, 9]);
        let rows = table.json();
        let (last, others) = rows.as_array().unwrap().split_last().unwrap();
        assert_eq!(last["span"], serde_json::json!([3, 9]));
        assert!(others.iter().all(|row| row.get("span").is_none()));
        assert_eq!(table.render(Form::Tsv, None), plain);
    }

    #[test]
    fn markdown_stays_markdown_in_a_table_of_markdown() {
        let mut table = Table::new([Column::text("measure")]);
        table.row([Cell::Markdown("[`a|b`](#a)".to_owned())]);
        assert!(table.render(Form::Markdown, None).contains("| [`a\\|b`](#a) |"));
        assert!(table.render(Form::Text, None).contains("[`a|b`](#a)"));
    }

    #[test]
    fn a_small_probability_is_not_printed_as_none() {
        let mut table = Table::new([Column::probability("p", 3)]);
        table.row([Cell::from(0.0004)]);
        table.row([Cell::from(0.001)]);
        assert!(table.render(Form::Text, None).ends_with("<0.001\n 0.001\n"));
        assert_eq!(table.render(Form::Csv, None), "p\n0.0004\n0.001\n");
    }

    #[test]
    fn json_keeps_full_precision_and_null() {
        let json = table().json();
        assert_eq!(json[0]["F1"], 0.375);
        assert!(json[1]["F1"].is_null());
    }

    #[test]
    fn text_is_aligned() {
        let mut table = Table::new([Column::text("name"), Column::count("n")]);
        table.row(["a".into(), Cell::from(5usize)]);
        table.row(["bcdefg".into(), Cell::from(12345usize)]);
        let text = table.render(Form::Text, None);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "name        n");
        assert_eq!(lines[2], "a           5");
        assert_eq!(lines[3], "bcdefg  12345");
    }
}
