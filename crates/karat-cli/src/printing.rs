//! Results on standard output.

use crate::failure::Failure;
use crate::forms::Form;
use crate::show;
use karat::report::{RenderOptions, Report};
use std::io::Write;

/// Prints a report in a form. What the form cannot hold is said on standard error.
pub(crate) fn print(report: &Report<'_>, form: Form, width: Option<u16>) -> Result<(), Failure> {
    let rendered = report.render(form, &RenderOptions { width });
    let text = rendered.text.as_bytes();
    match form.audience().is_data() {
        // What looks like a colour belongs to the data.
        true => std::io::stdout().write_all(text)?,
        // Colours are for terminals; a form for people lets none through that are not ours.
        false => anstream::stdout().write_all(text)?,
    }
    rendered.remarks.iter().for_each(|remark| show::note(remark));
    for signature in &rendered.signatures {
        show::say(&format!("signature: {signature}"));
    }
    Ok(())
}
