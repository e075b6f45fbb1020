//! Results on standard output, each in the manner of its form.

use crate::arguments::{Form, ResultForm};
use crate::failure::Failure;
use crate::show;
use crate::wrap;
use karat::report::{HTML, LATEX, MARKDOWN, RenderOptions, Table};
use karat::scoring::json;
use std::io::Write;

/// Prints tables with the signatures of their numbers, each in the manner of the form.
pub(crate) fn print(
    form: ResultForm,
    tables: &[(&str, &Table)],
    signatures: &[String],
    width: Option<u16>,
) -> Result<(), Failure> {
    print_tables(form, tables, width)?;
    print_signatures(form, signatures)
}

/// Prints tables, with titles where there are several.
pub(crate) fn print_tables(
    form: ResultForm,
    tables: &[(&str, &Table)],
    width: Option<u16>,
) -> Result<(), Failure> {
    // Nothing here has styles, and what looks like one belongs to the data.
    let mut out = std::io::stdout();
    if form == ResultForm::Jsonl {
        for (_, table) in tables {
            write!(out, "{}", json::lines(table))?;
        }
        return Ok(());
    }
    let several = tables.len() > 1;
    if form == ResultForm::Latex && !tables.is_empty() {
        writeln!(out, "% needs \\usepackage{{booktabs}}")?;
    }
    for (at, (title, table)) in tables.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        if several && !title.is_empty() {
            let written = Form::from(form).escape(title);
            match form {
                ResultForm::Table | ResultForm::Md => writeln!(out, "{written}\n")?,
                ResultForm::Html => writeln!(out, "<h2>{written}</h2>")?,
                _ => {}
            }
        }
        let written = match form {
            // A comment would not be printed, and a paragraph not be copied with the table.
            ResultForm::Latex if several => {
                LATEX.titled_table(title, table, &RenderOptions::default())
            }
            _ => table.render(Form::from(form), width),
        };
        write!(out, "{written}")?;
    }
    Ok(())
}

/// Prints sentences under a table. Where only data is printed they are said instead.
pub(crate) fn print_remarks(
    form: ResultForm,
    remarks: &[String],
    width: Option<u16>,
) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    if form == ResultForm::Table && !remarks.is_empty() {
        writeln!(out)?;
    }
    for remark in remarks {
        match form {
            ResultForm::Table => {
                writeln!(out, "{}", wrap::words(remark, width.unwrap_or(100).into()))?;
            }
            ResultForm::Md => writeln!(out, "\n{}", MARKDOWN.escape(remark))?,
            ResultForm::Latex => {
                let note = one_line(&LATEX.escape(remark));
                writeln!(out, "\\par\\noindent{{\\footnotesize {note}\\par}}")?;
            }
            ResultForm::Html => {
                writeln!(out, "<p class=\"remark\">{}</p>", HTML.escape(remark))?;
            }
            ResultForm::Tsv
            | ResultForm::Csv
            | ResultForm::Json
            | ResultForm::Jsonl
            | ResultForm::Neleval
            | ResultForm::Elevant => {
                show::note(remark);
            }
        }
    }
    Ok(())
}

/// Prints the signatures of numbers in the manner of the form.
pub(crate) fn print_signatures(form: ResultForm, signatures: &[String]) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    for signature in signatures {
        match form {
            ResultForm::Table => writeln!(out, "\n{signature}")?,
            ResultForm::Md => writeln!(out, "\n`{}`", signature.replace('`', "'"))?,
            ResultForm::Latex => writeln!(out, "% {}", one_line(signature))?,
            ResultForm::Html => {
                writeln!(out, "<p class=\"signature\">{}</p>", HTML.escape(signature))?;
            }
            // Rows only: the signature is said, not written among the data.
            ResultForm::Tsv
            | ResultForm::Csv
            | ResultForm::Json
            | ResultForm::Jsonl
            | ResultForm::Neleval
            | ResultForm::Elevant => {
                show::say(&format!("signature: {signature}"));
            }
        }
    }
    Ok(())
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
