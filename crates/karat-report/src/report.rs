//! What a result has to say, whatever the form in which it is said.

use crate::forms::{Audience, OutputForm, RenderOptions, Rendered};
use crate::plot::Plot;
use crate::table::Table;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A result, ready to be put into a form.
///
/// A report is made once and knows nothing of forms; a form ([`OutputForm`]) knows nothing of what was
/// computed. Between the two stands this: a title, one sentence that says the result, sections for
/// people, plots, remarks and signatures, and the same result for programs, which want one table of
/// rows, or the whole answer as a record. Everything is optional. A form takes what its audience wants:
///
/// | audience | what it is shown | without it |
/// | --- | --- | --- |
/// | [`Audience::Terminal`] | [`sections`](Report::sections) | |
/// | [`Audience::Page`] | [`page`](Report::page) | `sections` |
/// | [`Audience::Rows`] | [`rows`](Report::rows) | the tables of `sections`, one after the other |
/// | [`Audience::Record`] | [`record`](Report::record) | `rows`, then the tables of `sections`, as JSON |
///
/// What only some forms show is made when a form asks for it ([`Deferred`]): a list of errors may have a
/// million rows, and nobody who asked for a count of them should wait for the list in JSON.
///
/// ```
/// use karat_report::{Cell, Column, JSON, LATEX, RenderOptions, Report, TEXT, Table};
///
/// let mut table = Table::new([Column::text("system"), Column::number("F1", 3)]);
/// table.row([Cell::from("schwa"), Cell::from(0.70612)]);
/// let report = Report {
///     result: Some("schwa links 71% of the mentions rightly.".to_owned()),
///     signatures: vec!["karat:0.1.0|preset:karat".to_owned()],
///     ..Report::of(table)
/// };
/// let options = RenderOptions::default();
/// let text = report.render(TEXT, &options).text;
/// assert!(text.starts_with("schwa links 71%"));
/// assert!(text.ends_with("\nkarat:0.1.0|preset:karat\n"));
/// // Rows cannot hold a signature, so the front end has to say it in another way.
/// assert_eq!(report.render(JSON, &options).signatures, report.signatures);
/// assert!(report.render(LATEX, &options).signatures.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Report<'a> {
    /// What the result is of.
    pub title: Option<String>,
    /// The result in one sentence, for those who read no further.
    pub result: Option<String>,
    /// What people read.
    pub sections: Vec<ReportSection<'a>>,
    /// The sections for a page, where these are others: a paper wants one compact table where a terminal
    /// has room for several.
    pub page: Vec<ReportSection<'a>>,
    /// All numbers in one table, with full precision, for programs that read rows.
    pub rows: Option<Deferred<'a, Table>>,
    /// One object for each thing, for programs that read JSON Lines, where the rows would say less. They
    /// are complete: remarks and signatures are not said beside them.
    pub records: Option<Deferred<'a, Vec<Value>>>,
    /// The whole answer, for programs that read JSON. It is complete: remarks and signatures are not said
    /// beside it.
    pub record: Option<Deferred<'a, Value>>,
    /// Pictures, for the forms that can draw.
    pub plots: Vec<Box<dyn Plot + 'a>>,
    /// Sentences that belong under the tables. They may name what comes from data.
    pub remarks: Vec<String>,
    /// What the numbers depend on, one line for each benchmark.
    pub signatures: Vec<String>,
}

/// A part of a report.
#[derive(Debug)]
pub struct ReportSection<'a> {
    /// Which part it is. It is shown only where there are several, and may be empty.
    pub title: String,
    /// What it says.
    pub body: SectionBody<'a>,
    /// Whether it is left out if its table has no rows, because that goes without saying.
    pub is_optional: bool,
    /// What must be known about it: paragraphs in our own words, as those of
    /// [`SectionBody::Prose`].
    pub remarks: Vec<String>,
}

/// What a section says.
#[derive(Debug)]
pub enum SectionBody<'a> {
    /// A table of values.
    Table(Deferred<'a, Table>),
    /// Paragraphs in our own words, in plain Markdown: an empty line between two of them, lines that begin
    /// with a bar for a table. The form breaks the lines.
    Prose(String),
    /// Lines that stay as they are, for a terminal. They may have colours, so whatever comes from data must
    /// have gone through [`visible`](crate::visible).
    Lines(String),
}

/// A section and its table, if it is one.
pub(crate) type Shown<'s, 'a> = (&'s ReportSection<'a>, Option<Cow<'s, Table>>);

impl<'a> Report<'a> {
    /// A report of one table.
    pub fn of(table: impl Into<Deferred<'a, Table>>) -> Report<'a> {
        let sections = vec![ReportSection::new("", table)];
        Report { sections, ..Report::default() }
    }

    /// The report in a form.
    pub fn render(&self, form: &dyn OutputForm, options: &RenderOptions) -> Rendered {
        form.render(self, options)
    }

    /// What people see of it, with tables made.
    pub(crate) fn shown_to(&self, audience: Audience) -> Vec<Shown<'_, 'a>> {
        let sections = match audience {
            // A report without sections for pages has the same ones for all.
            Audience::Page if !self.page.is_empty() => &self.page,
            _ => &self.sections,
        };
        sections.iter().filter_map(ReportSection::shown).collect()
    }

    /// What programs see of it, with titles: the rows, or else the tables of all sections.
    pub fn tables(&self) -> Vec<(&str, Cow<'_, Table>)> {
        match &self.rows {
            Some(rows) => vec![("", rows.get())],
            None => {
                let shown = self.sections.iter().filter_map(ReportSection::shown);
                shown
                    .filter_map(|(section, table)| Some((section.title.as_str(), table?)))
                    .collect()
            }
        }
    }
}

impl<'a> ReportSection<'a> {
    /// A titled table.
    pub fn new(
        title: impl Into<String>,
        table: impl Into<Deferred<'a, Table>>,
    ) -> ReportSection<'a> {
        ReportSection::with(title, SectionBody::Table(table.into()))
    }

    /// The same, left out if there are no rows.
    pub fn unless_empty(
        title: impl Into<String>,
        table: impl Into<Deferred<'a, Table>>,
    ) -> ReportSection<'a> {
        ReportSection { is_optional: true, ..ReportSection::new(title, table) }
    }

    /// Paragraphs.
    pub fn prose(text: impl Into<String>) -> ReportSection<'a> {
        ReportSection::with("", SectionBody::Prose(text.into()))
    }

    /// Lines for a terminal.
    pub fn lines(text: impl Into<String>) -> ReportSection<'a> {
        ReportSection::with("", SectionBody::Lines(text.into()))
    }

    fn with(title: impl Into<String>, body: SectionBody<'a>) -> ReportSection<'a> {
        ReportSection { title: title.into(), body, is_optional: false, remarks: Vec::new() }
    }

    /// The section with its table made, unless it is left out.
    fn shown(&self) -> Option<Shown<'_, 'a>> {
        let table = match &self.body {
            SectionBody::Table(table) => Some(table.get()),
            SectionBody::Prose(_) | SectionBody::Lines(_) => None,
        };
        let is_empty = table.as_ref().is_some_and(|table| table.is_empty());
        (!(self.is_optional && is_empty)).then_some((self, table))
    }
}

/// Something that is made when it is asked for, or was made already.
pub struct Deferred<'a, T>(State<'a, T>);

enum State<'a, T> {
    Made(T),
    Lent(&'a T),
    Later(Box<dyn Fn() -> T + 'a>),
}

impl<'a, T: Clone> Deferred<'a, T> {
    /// What this function will make.
    pub fn by(make: impl Fn() -> T + 'a) -> Deferred<'a, T> {
        Deferred(State::Later(Box::new(make)))
    }

    /// The thing. It is made each time, so ask once.
    pub fn get(&self) -> Cow<'_, T> {
        match &self.0 {
            State::Made(made) => Cow::Borrowed(made),
            State::Lent(lent) => Cow::Borrowed(lent),
            // Made anew at each call: forms ask once, and keeping a large table would cost memory
            // for nothing.
            State::Later(make) => Cow::Owned(make()),
        }
    }
}

impl<T> From<T> for Deferred<'_, T> {
    fn from(made: T) -> Self {
        Deferred(State::Made(made))
    }
}

impl<'a, T> From<&'a T> for Deferred<'a, T> {
    fn from(lent: &'a T) -> Self {
        Deferred(State::Lent(lent))
    }
}

impl<T: fmt::Debug> fmt::Debug for Deferred<'_, T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            State::Made(made) => made.fmt(to),
            State::Lent(lent) => lent.fmt(to),
            State::Later(_) => to.write_str("Deferred"),
        }
    }
}
