//! The argument that names a form of output.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use karat::report::{Audience, FORMS, OutputForm};

/// A form that karat knows.
pub(crate) type Form = &'static dyn OutputForm;

/// What a command with scores or errors prints: a report in a form, or what another tool would print,
/// which only that command can say.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ResultForm {
    /// A form of reports.
    Own(Form),
    /// What neleval prints.
    Neleval,
    /// The file of ELEVANT.
    Elevant,
}

/// Whether a form is the record of an answer, with everything that is in it.
pub(crate) fn is_record(form: Form) -> bool {
    form.audience() == Audience::Record
}

impl ResultForm {
    /// Whether it is the record of an answer.
    pub(crate) fn is_record(self) -> bool {
        matches!(self, ResultForm::Own(form) if is_record(form))
    }

    fn name(self) -> &'static str {
        match self {
            ResultForm::Own(form) => form.name(),
            ResultForm::Neleval => "neleval",
            ResultForm::Elevant => "elevant",
        }
    }

    fn about(self) -> &'static str {
        match self {
            ResultForm::Own(form) => form.about(),
            ResultForm::Neleval => "Exactly what neleval prints",
            ResultForm::Elevant => "ELEVANT's eval_results.json",
        }
    }
}

/// Reads the name of a form, and offers all there are.
pub(crate) fn forms() -> impl TypedValueParser<Value = Form> {
    parser(FORMS.iter().map(|form| ResultForm::Own(*form)).collect()).try_map(|form| match form {
        ResultForm::Own(form) => Ok(form),
        other => Err(format!("`{}` is no form of a report", other.name())),
    })
}

/// The same, with those of other tools.
pub(crate) fn forms_and<const N: usize>(
    others: [ResultForm; N],
) -> impl TypedValueParser<Value = ResultForm> {
    parser(FORMS.iter().map(|form| ResultForm::Own(*form)).chain(others).collect())
}

fn parser(all: Vec<ResultForm>) -> impl TypedValueParser<Value = ResultForm> {
    let offered = all.iter().map(|form| PossibleValue::new(form.name()).help(form.about()));
    PossibleValuesParser::new(offered.collect::<Vec<_>>()).try_map(move |name| {
        let named = all.iter().find(|form| form.name() == name);
        named.copied().ok_or_else(|| format!("there is no form `{name}`"))
    })
}
