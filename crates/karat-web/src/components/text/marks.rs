//! Marks: what became of a case, as a sign and in words.

use karat::documents::{CaseOutcome, DocumentAnswer, TextCase};
use karat::model::{Dimension, DimensionCategory};

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
    /// All cases, with the category that gold has in one dimension, which colours the strip of gold too.
    Categories(Dimension),
    /// None.
    None,
}

impl Marks {
    /// All of them, the usual first.
    pub const ALL: [Marks; 9] = [
        Marks::All,
        Marks::Errors,
        Marks::Lost,
        Marks::Types,
        Marks::Categories(Dimension::BaseForm),
        Marks::Categories(Dimension::PartOfSpeech),
        Marks::Categories(Dimension::Overlap),
        Marks::Categories(Dimension::Reference),
        Marks::None,
    ];

    /// What it is called in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Marks::All => "all",
            Marks::Errors => "errors",
            Marks::Lost => "lost",
            Marks::Types => "type",
            Marks::Categories(dimension) => dimension.key(),
            Marks::None => "none",
        }
    }

    /// Whether a case has a marker.
    pub fn has(self, case: &TextCase) -> bool {
        let outcome = |at: usize| case.runs.get(at).and_then(|run| run.outcome);
        case.listed
            && match self {
                Marks::All | Marks::Types | Marks::Categories(_) => true,
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

/// The tag that a case has in a dimension, and the number of its colour: that of its category among those of the
/// dimension, from 1.
pub(super) fn category(case: &TextCase, dimension: Dimension) -> Option<(&str, usize)> {
    let tags = case.gold.iter().flat_map(|gold| &gold.tags);
    let tag = tags.map(String::as_str).find(|tag| Dimension::of(tag) == Some(dimension))?;
    Some((tag, colour_of(tag, dimension)))
}

/// The number of the colour of a tag; tags of no known category have the last.
pub(super) fn colour_of(tag: &str, dimension: Dimension) -> usize {
    let known = DimensionCategory::of(tag);
    let place = dimension.categories().position(|category| Some(category) == known);
    place.map_or(CATEGORY_COLOURS, |place| (place + 1).min(CATEGORY_COLOURS))
}

/// How many colours categories have.
pub(super) const CATEGORY_COLOURS: usize = 7;

/// A tag without what says its dimension: `Full` for `el:Mnt-Full`.
pub(super) fn short_tag(tag: &str) -> &str {
    let name = tag.rsplit([':', '#', '/']).next().unwrap_or(tag);
    name.split_once('-').map_or(name, |(_, rest)| rest)
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
    if let Marks::Categories(dimension) = marks {
        let tag = category(case, dimension).map(|(tag, _)| short_tag(tag));
        return super::super::name::visible(tag.unwrap_or("–")).chars().take(20).collect();
    }
    if marks == Marks::Types {
        let types = case.gold.as_ref().map(|gold| gold.types.join(" ")).unwrap_or_default();
        return if types.is_empty() {
            "–".to_owned()
        } else {
            super::super::name::visible(&types).chars().take(20).collect()
        };
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
/// What the marker shows beside its sign stands in it too, so that those who see it can say what they mean.
pub(super) fn marker_label(answer: &DocumentAnswer, case: &TextCase, shown: &str) -> String {
    let surface = case.surface.as_deref().unwrap_or_default();
    let mut label: String = super::super::name::visible(surface).chars().take(60).collect();
    let words = shown.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '+');
    if !words.is_empty() {
        label.push(' ');
        label.push_str(words);
    }
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
