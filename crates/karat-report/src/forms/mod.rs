//! The forms of output: one file each, one line here.

mod csv;
mod html;
mod json;
mod jsonl;
mod latex;
mod markdown;
mod separated;
mod text;
mod tsv;

use crate::plot::Plot;
use crate::report::{Report, SectionBody};
use crate::table::Table;
use std::fmt;

/// For reading in a terminal.
pub const TEXT: &dyn OutputForm = &text::Text;
/// JSON.
pub const JSON: &dyn OutputForm = &json::Json;
/// Tab-separated.
pub const TSV: &dyn OutputForm = &tsv::Tsv;
/// Comma-separated.
pub const CSV: &dyn OutputForm = &csv::Csv;
/// One JSON object on each line.
pub const JSON_LINES: &dyn OutputForm = &jsonl::JsonLines;
/// Markdown.
pub const MARKDOWN: &dyn OutputForm = &markdown::Markdown;
/// LaTeX.
pub const LATEX: &dyn OutputForm = &latex::Latex;
/// HTML.
pub const HTML: &dyn OutputForm = &html::Html;

/// All forms, in the order in which they are offered.
pub static FORMS: &[&dyn OutputForm] = &[TEXT, JSON, TSV, CSV, JSON_LINES, MARKDOWN, LATEX, HTML];

/// The form of this name.
pub fn form(name: &str) -> Option<&'static dyn OutputForm> {
    FORMS.iter().copied().find(|form| form.name() == name)
}

/// A form of output: how a [`Report`] is written down.
///
/// This is the seam between results and everything that shows them. A command, a page or a notebook makes a
/// [`Report`] and hands it to a form; it never asks which form that is. A form, in turn, never asks what was
/// computed: it sees titles, tables of typed cells, sentences and signatures. So each of the two can be added
/// to without touching the other.
///
/// # Who reads it
///
/// [`audience`](OutputForm::audience) is the one place that says whether a form is for people or for
/// programs, and it decides what of a report is shown. Whoever must know, because a question to the user makes no
/// sense beside data for instance, asks for the audience and not for the name: the next form will have another name.
///
/// - Forms for people show everything: titles, the sentence that says the result, tables with rounded
///   numbers, plots if they can draw, remarks, signatures.
/// - Forms for programs show values and nothing else. Remarks and signatures would not be read as what they are, so
///   they are handed back beside the text ([`Rendered`]); a front end says them where it talks to people. A
///   number never goes without its signature.
///
/// # How a report becomes text
///
/// [`render`](OutputForm::render) goes through the report and asks the form for each piece: a title, a section,
/// the remarks. Every piece brings its own line ends and the empty line before it, if the form wants one, so that
/// pieces are put together by appending. All pieces have a default in terms of
/// [`escape`](OutputForm::escape) and [`table`](OutputForm::table); a form overrides those that it writes
/// otherwise. Only a form that shows a report as a whole, as JSON does, overrides `render` itself.
///
/// Names of systems, documents and entities come from files that somebody else wrote. Whatever is not
/// [`Prose`](SectionBody::Prose) or [`Lines`](SectionBody::Lines) is such data, and must go through `escape`: it
/// must not become markup, and no control character may reach a terminal.
///
/// # Adding a form
///
/// One file in `forms/` with a unit struct that implements this trait, and its line among [`FORMS`]. The command
/// line, its help and completions offer what is in that list, and `tests/it/forms.rs` of this crate tries
/// every one on the same hostile report. This is a complete form for Org mode:
///
/// ```
/// use karat_report::{Audience, Cell, Column, OutputForm, RenderOptions, Report, Table};
///
/// #[derive(Debug)]
/// struct Org;
///
/// impl OutputForm for Org {
///     fn name(&self) -> &'static str {
///         "org"
///     }
///     fn about(&self) -> &'static str {
///         "Org mode"
///     }
///     fn extension(&self) -> &'static str {
///         "org"
///     }
///     fn audience(&self) -> Audience {
///         Audience::Page
///     }
///     fn escape(&self, text: &str) -> String {
///         text.replace('|', "\\vert{}").replace(['\n', '\r'], " ").replace(char::is_control, "\u{fffd}")
///     }
///     fn table(&self, table: &Table, _: &RenderOptions) -> String {
///         let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
///         let columns = table.columns();
///         let mut text = line(columns.iter().map(|column| self.escape(&column.name)).collect());
///         text += "|-\n";
///         for row in table.rows() {
///             let cells = columns.iter().zip(row);
///             let cells = cells.map(|(column, cell)| {
///                 let raised = |marks| format!("^{{{}}}", self.escape(marks));
///                 let value = self.escape(&cell.printed(column, "–"));
///                 value + &cell.marks().map(raised).unwrap_or_default()
///             });
///             text += &line(cells.collect());
///         }
///         text
///     }
/// }
///
/// let mut table = Table::new([Column::text("system"), Column::number("F1", 2)]);
/// table.row([Cell::from("schwa"), Cell::from(0.70612)]);
/// let report = Report { signatures: vec!["karat:0.1.0".to_owned()], ..Report::of(table) };
/// let written = report.render(&Org, &RenderOptions::default());
/// assert_eq!(written.text, "| system | F1 |\n|-\n| schwa | 0.71 |\n\nkarat:0.1.0\n");
/// ```
pub trait OutputForm: fmt::Debug + Send + Sync {
    /// What users call it, as in `--format md`: short, in small letters.
    fn name(&self) -> &'static str;

    /// What it is, in a few words, for help and menus.
    fn about(&self) -> &'static str;

    /// How the names of files in this form end, without the dot.
    fn extension(&self) -> &'static str;

    /// Who reads it: the one place that tells data from what is for people.
    fn audience(&self) -> Audience;

    /// Text as it must be written to stand for itself within a line of this form. Programs get it as it
    /// is.
    fn escape(&self, text: &str) -> String {
        text.to_owned()
    }

    /// A table alone, with its line end.
    fn table(&self, table: &Table, options: &RenderOptions) -> String;

    /// What must come before everything else, given that there are tables.
    fn opening(&self) -> String {
        String::new()
    }

    /// The title of a report.
    fn title(&self, title: &str) -> String {
        format!("{}\n\n", self.escape(title))
    }

    /// The sentence that says the result.
    fn result(&self, sentence: &str, _options: &RenderOptions) -> String {
        format!("{}\n\n", self.escape(sentence))
    }

    /// The title of a section, where there are several.
    fn heading(&self, title: &str) -> String {
        format!("{}\n\n", self.escape(title))
    }

    /// A table of several, with its title.
    fn titled_table(&self, title: &str, table: &Table, options: &RenderOptions) -> String {
        self.heading(title) + &self.table(table, options)
    }

    /// Paragraphs in our own words, in plain Markdown; see [`SectionBody::Prose`].
    fn prose(&self, text: &str, _options: &RenderOptions) -> String {
        format!("{}\n", self.escape(text))
    }

    /// Lines that stay as they are; see [`SectionBody::Lines`].
    fn lines(&self, text: &str) -> String {
        let lines = text.lines().map(|line| self.escape(&crate::prose::without_colours(line)));
        lines.map(|line| line + "\n").collect()
    }

    /// A plot; nothing where the form cannot draw.
    fn plot(&self, _plot: &dyn Plot, _options: &RenderOptions) -> String {
        String::new()
    }

    /// Sentences under the tables.
    fn remarks(&self, remarks: &[String], _options: &RenderOptions) -> String {
        remarks.iter().map(|remark| format!("\n{}\n", self.escape(remark))).collect()
    }

    /// What the numbers depend on.
    fn signature(&self, signature: &str) -> String {
        format!("\n{}\n", self.escape(signature))
    }

    /// The whole report.
    fn render(&self, report: &Report<'_>, options: &RenderOptions) -> Rendered {
        match self.audience().is_data() {
            true => {
                let tables = report.tables();
                let tables = tables.iter().map(|(_, table)| self.table(table, options));
                // An empty line between tables, so that programs can tell where the next one
                // begins.
                Rendered::beside(tables.collect::<Vec<_>>().join("\n"), report)
            }
            false => Rendered::complete(for_people(self, report, options)),
        }
    }
}

/// Who reads a form, and so what of a [`Report`] it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Somebody at a terminal.
    Terminal,
    /// The readers of a page: a paper, a README, a web site.
    Page,
    /// Programs that read one table, row by row.
    Rows,
    /// Programs that read the whole answer.
    Record,
}

impl Audience {
    /// Whether programs read it, so that it must have values and nothing else.
    pub fn is_data(self) -> bool {
        matches!(self, Audience::Rows | Audience::Record)
    }
}

/// What a form must know of the place where its text will stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// How wide a terminal is, in characters; not known where the text goes to a file.
    pub width: Option<u16>,
}

/// A report in some form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text, with its last line end.
    pub text: String,
    /// The remarks, if the text cannot hold them.
    pub remarks: Vec<String>,
    /// The signatures, if the text cannot hold them.
    pub signatures: Vec<String>,
}

impl Rendered {
    /// A text that says everything itself.
    fn complete(text: String) -> Rendered {
        Rendered { text, ..Rendered::default() }
    }

    /// A text that holds only values.
    fn beside(text: String, report: &Report<'_>) -> Rendered {
        Rendered { text, remarks: report.remarks.clone(), signatures: report.signatures.clone() }
    }
}

/// A report with all its pieces in their order.
fn for_people<F: OutputForm + ?Sized>(
    form: &F,
    report: &Report<'_>,
    options: &RenderOptions,
) -> String {
    let sections = report.shown_to(form.audience());
    let mut text = String::new();
    if sections.iter().any(|(_, table)| table.is_some()) {
        text += &form.opening();
    }
    text += &report.title.as_deref().map(|title| form.title(title)).unwrap_or_default();
    let result = report.result.as_deref().map(|sentence| form.result(sentence, options));
    text += &result.unwrap_or_default();
    for (at, (section, table)) in sections.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        let title = Some(section.title.as_str());
        // The title of a single section would only repeat the title of the report.
        let title = title.filter(|title| sections.len() > 1 && !title.is_empty());
        text += &match (title, table) {
            (Some(title), Some(table)) => form.titled_table(title, table, options),
            (None, Some(table)) => form.table(table, options),
            (title, None) => {
                title.map(|title| form.heading(title)).unwrap_or_default()
                    + &in_words(form, &section.body, options)
            }
        };
        let remarks = section.remarks.iter();
        text.extend(remarks.map(|remark| format!("\n{}", form.prose(remark, options))));
    }
    text += &form.remarks(&report.remarks, options);
    for plot in &report.plots {
        text += &form.plot(plot.as_ref(), options);
    }
    text.extend(report.signatures.iter().map(|signature| form.signature(signature)));
    text
}

/// What a section says if it is no table.
fn in_words<F: OutputForm + ?Sized>(
    form: &F,
    body: &SectionBody<'_>,
    options: &RenderOptions,
) -> String {
    match body {
        SectionBody::Table(_) => String::new(),
        SectionBody::Prose(text) => form.prose(text, options),
        SectionBody::Lines(text) => form.lines(text),
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
