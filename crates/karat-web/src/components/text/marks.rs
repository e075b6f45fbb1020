//! Marks: what became of a case, as a sign and in words.

use karat::documents::{CaseOutcome, DocumentAnswer, TextCase};

/// Which cases have a marker in the text, and what it shows. Strips are drawn all the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Marks {
    /// All cases.
    #[default]
    All,
    /// Those where a run is wrong.
    Errors,
    /// Those where the first run is right and another is wrong; with one run, those it missed.
    Lost,
    /// All cases, with the types of gold.
    Types,
    /// None.
    None,
}

impl Marks {
    /// All of them, the usual first.
    pub const ALL: [Marks; 5] = [Marks::All, Marks::Errors, Marks::Lost, Marks::Types, Marks::None];

    /// What it is called in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Marks::All => "all",
            Marks::Errors => "errors",
            Marks::Lost => "lost",
            Marks::Types => "type",
            Marks::None => "none",
        }
    }

    /// Whether a case has a marker.
    pub fn has(self, case: &TextCase) -> bool {
        let outcome = |at: usize| case.runs.get(at).and_then(|run| run.outcome);
        case.listed
            && match self {
                Marks::All | Marks::Types => true,
                Marks::Errors => case.has_error(),
                Marks::Lost if case.runs.len() == 1 => outcome(0) == Some(CaseOutcome::Missing),
                Marks::Lost => {
                    outcome(0).is_some_and(CaseOutcome::is_right)
                        && (1..case.runs.len())
                            .any(|at| outcome(at).is_some_and(CaseOutcome::is_wrong))
                }
                Marks::None => false,
            }
    }
}

/// The sign of an outcome.
pub fn sign(outcome: CaseOutcome) -> &'static str {
    match outcome {
        CaseOutcome::Right => "●",
        CaseOutcome::RightNil => "◉",
        CaseOutcome::WrongLink => "≠",
        CaseOutcome::LinkAsNil => "∅",
        CaseOutcome::NilAsLink => "∄",
        CaseOutcome::Missing => "○",
        CaseOutcome::Extra => "+",
        CaseOutcome::Ignored => "·",
    }
}

/// The letter that stands for the colour and strip of an outcome in classes.
pub(super) fn letter(outcome: CaseOutcome) -> char {
    match outcome {
        CaseOutcome::Right | CaseOutcome::RightNil => 'r',
        CaseOutcome::WrongLink | CaseOutcome::LinkAsNil | CaseOutcome::NilAsLink => 'w',
        CaseOutcome::Missing => 'm',
        CaseOutcome::Extra => 'x',
        CaseOutcome::Ignored => 'i',
    }
}

/// The class of the colour of an outcome.
pub fn colour(outcome: CaseOutcome) -> &'static str {
    match letter(outcome) {
        'r' => "or",
        'w' => "ow",
        'm' => "om",
        'x' => "ox",
        _ => "oi",
    }
}

/// An outcome in words.
pub fn spoken(outcome: CaseOutcome) -> &'static str {
    match outcome {
        CaseOutcome::Right => "right",
        CaseOutcome::RightNil => "right, NIL",
        CaseOutcome::WrongLink => "wrong link",
        CaseOutcome::LinkAsNil => "NIL instead of a link",
        CaseOutcome::NilAsLink => "a link instead of NIL",
        CaseOutcome::Missing => "missed",
        CaseOutcome::Extra => "extra",
        CaseOutcome::Ignored => "not counted",
    }
}

/// The outcome that a marker of several runs shows: the worst, where all are right that they are right.
pub(super) fn shown_outcome(case: &TextCase) -> Option<CaseOutcome> {
    const WORST_FIRST: [CaseOutcome; 8] = [
        CaseOutcome::WrongLink,
        CaseOutcome::NilAsLink,
        CaseOutcome::LinkAsNil,
        CaseOutcome::Missing,
        CaseOutcome::Extra,
        CaseOutcome::Right,
        CaseOutcome::RightNil,
        CaseOutcome::Ignored,
    ];
    let has = |outcome: &CaseOutcome| case.runs.iter().any(|run| run.outcome == Some(*outcome));
    WORST_FIRST.into_iter().find(has)
}

/// What a marker says: the sign and, for several runs, how many are right; of what is extra, how many say it.
pub(super) fn marker_text(case: &TextCase, marks: Marks) -> String {
    if marks == Marks::Types {
        let types = case.gold.as_ref().map(|gold| gold.types.join(" ")).unwrap_or_default();
        return if types.is_empty() { "–".to_owned() } else { types.chars().take(20).collect() };
    }
    let said = || case.runs.iter().filter(|run| run.outcome.is_some()).count();
    match shown_outcome(case) {
        None => case.number.to_string(),
        Some(CaseOutcome::Ignored) => sign(CaseOutcome::Ignored).to_owned(),
        Some(outcome) if case.runs.len() < 2 => sign(outcome).to_owned(),
        Some(CaseOutcome::Extra) if case.gold.is_none() => format!("+{}", said()),
        Some(outcome) => format!("{}{}/{}", sign(outcome), case.right, case.of),
    }
}

/// What a marker says to those who listen: `Paris: wrong link in popular and spotter`.
pub(super) fn marker_label(answer: &DocumentAnswer, case: &TextCase) -> String {
    let surface = case.surface.as_deref().unwrap_or_default();
    let mut label: String = super::super::name::visible(surface).chars().take(60).collect();
    let mut parts = Vec::new();
    for outcome in CaseOutcome::COUNTED.into_iter().rev().chain([CaseOutcome::Ignored]) {
        let names: Vec<&str> = answer
            .runs
            .iter()
            .zip(&case.runs)
            .filter(|(_, run)| run.outcome == Some(outcome))
            .map(|(layer, _)| layer.name.as_str())
            .collect();
        let names: Vec<String> = names.into_iter().map(super::super::name::visible).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let is_all = names.len() == answer.runs.len();
        match (names.is_empty(), is_all) {
            (true, _) => {}
            (false, true) => parts.push(spoken(outcome).to_owned()),
            (false, false) => parts.push(format!("{} in {}", spoken(outcome), joined(&names))),
        }
    }
    if parts.is_empty() {
        parts.push("gold".to_owned());
    }
    label.push_str(": ");
    label.push_str(&parts.join(", "));
    label
}

/// Names as a list in a sentence, the first few of many.
pub(super) fn joined(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} and {second}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}
