//! What decides who meets whom.

use crate::criteria::Given;
use crate::types::Types;
use karat_model::{Annotation, StrId};
use std::fmt;
use std::str::FromStr;

/// Everything that decides which items may meet and who gets whom. A convention
/// of the literature is one value of this; nothing else knows its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// When two spans fit each other.
    pub spans: Spans,
    /// Who gets whom when several fit.
    pub assignment: Assignment,
    /// Optional gold is neither asked for nor punished; otherwise it is gold like any other.
    pub honour_optional: bool,
    /// A gold mention is also found through an alternative reading.
    pub honour_alternatives: bool,
    /// White space around a mention does not belong to it.
    pub trim: bool,
    /// What happens to predictions and gold that overlap among themselves.
    pub overlaps: Overlaps,
    /// Predictions outside the evaluation span of a document are left out.
    pub evaluation_span: bool,
    /// Mentions whose gold answer is NIL are taken off both sides (Hoffart's setting).
    pub linkable: bool,
    /// Predictions below this confidence are left out; those without one stay.
    pub threshold: Option<f64>,
    /// Entities of a document are counted as often as they are given, not once.
    pub repeated_tags: bool,
    /// All NIL mentions without a cluster are one cluster; otherwise each is its own.
    pub one_nil_cluster: bool,
    /// What of the gold the system was given.
    pub given: Given,
    /// A mention without any answer is there for measures of spans only; otherwise it is NIL.
    pub answers_only: bool,
    /// Any candidate of a mention may be the right one, on both sides.
    pub any_candidate: bool,
    /// Thresholds pass over the confidence of mentions with types and of tags of whole documents,
    /// in measures of links.
    pub untyped_scores: bool,
    /// Thresholds pass over all confidences.
    pub no_scores: bool,
    /// How mentions with parts are judged where predictions are looked up by span.
    pub judging: Judging,
    /// NIL agrees with NIL; otherwise gold that is NIL is there to be missed.
    pub nil_agrees: bool,
    /// Which document says what its evaluation span is.
    pub window_of: WindowOf,
    /// Gold of other types is left out.
    pub gold_types: Types,
    /// Predictions of other types are left out.
    pub predicted_types: Types,
    /// Gold does not label what the knowledge base does not have: an extra mention with a capital may be
    /// such an entity wherever gold has nothing.
    pub no_unknowns: bool,
}

/// Which document says what its evaluation span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WindowOf {
    /// That of gold alone: without one, all of the document is evaluated.
    #[default]
    Gold,
    /// That of the system, or that of gold where the system has none.
    System,
}

/// How mentions with parts are judged where predictions are looked up by span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judging {
    /// A prediction of NIL is an answer, and the right one for a mention that is NIL. Otherwise it is
    /// none where gold has nothing, nor in deciding whether a mention is judged by its parts.
    pub nil_answers: bool,
    /// An optional mention can be missed if some of its parts are not optional.
    pub required_parts: bool,
}

impl Default for Judging {
    fn default() -> Judging {
        Judging { nil_answers: true, required_parts: true }
    }
}

impl Default for Settings {
    /// karat's own convention.
    fn default() -> Settings {
        Settings {
            spans: Spans::Exact,
            assignment: Assignment::OneToOne,
            honour_optional: true,
            honour_alternatives: true,
            trim: true,
            overlaps: Overlaps::Keep,
            evaluation_span: true,
            linkable: false,
            threshold: None,
            repeated_tags: false,
            one_nil_cluster: false,
            given: Given::Nothing,
            answers_only: false,
            any_candidate: false,
            untyped_scores: false,
            no_scores: false,
            judging: Judging::default(),
            nil_agrees: true,
            window_of: WindowOf::Gold,
            gold_types: Types::default(),
            predicted_types: Types::default(),
            no_unknowns: false,
        }
    }
}

impl Settings {
    /// The confidence of an annotation as thresholds see it.
    pub fn confidence(&self, annotation: &Annotation) -> Option<f64> {
        let is_untyped = annotation.types == StrId::EMPTY && !annotation.span.is_empty();
        let counts = !self.no_scores && (!self.untyped_scores || is_untyped);
        (counts && !annotation.confidence.is_nan()).then_some(annotation.confidence)
    }

    /// Whether each gold mention is judged by what is predicted on its span, as ELEVANT does. Where mentions
    /// are given, who met whom is all there is to judge.
    pub fn judges_by_span(&self) -> bool {
        self.assignment == Assignment::LastWins && self.given == Given::Nothing
    }

    /// The settings by name, as a signature writes them and [`Settings::set`] reads them.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let yes_no = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
        let overlaps = match self.overlaps {
            Overlaps::Keep => "keep",
            Overlaps::KeepLongest => "longest",
        };
        vec![
            ("task", self.given.to_string()),
            ("match", self.spans.to_string()),
            ("assign", self.assignment.to_string()),
            ("optional", yes_no(self.honour_optional)),
            ("alternatives", yes_no(self.honour_alternatives)),
            ("trim", yes_no(self.trim)),
            ("overlaps", overlaps.to_owned()),
            ("window", yes_no(self.evaluation_span)),
            ("linkable", yes_no(self.linkable)),
            ("threshold", self.threshold.map_or("none".to_owned(), |least| least.to_string())),
            ("tags", if self.repeated_tags { "repeated" } else { "once" }.to_owned()),
            ("nil-cluster", if self.one_nil_cluster { "one" } else { "own" }.to_owned()),
            ("no-answer", if self.answers_only { "left-out" } else { "nil" }.to_owned()),
            ("candidates", if self.any_candidate { "any" } else { "first" }.to_owned()),
            ("scores", self.scores().to_owned()),
            ("nil-answers", yes_no(self.judging.nil_answers)),
            ("required-parts", yes_no(self.judging.required_parts)),
            ("nil", if self.nil_agrees { "agrees" } else { "missed" }.to_owned()),
            (
                "window-of",
                if self.window_of == WindowOf::System { "system" } else { "gold" }.to_owned(),
            ),
            ("gold-types", self.gold_types.to_string()),
            ("predicted-types", self.predicted_types.to_string()),
            ("no-unknowns", yes_no(self.no_unknowns)),
        ]
    }

    /// Which confidences thresholds see.
    fn scores(&self) -> &'static str {
        match (self.no_scores, self.untyped_scores) {
            (true, _) => "none",
            (false, true) => "untyped",
            (false, false) => "all",
        }
    }

    /// Changes one setting by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingsError> {
        match name {
            "task" => self.given = value.parse()?,
            "match" => self.spans = value.parse()?,
            "assign" => self.assignment = value.parse()?,
            "optional" => self.honour_optional = flag("optional", value, "yes", "no")?,
            "alternatives" => self.honour_alternatives = flag("alternatives", value, "yes", "no")?,
            "trim" => self.trim = flag("trim", value, "yes", "no")?,
            "overlaps" => {
                let longest = flag("overlaps", value, "longest", "keep")?;
                self.overlaps = if longest { Overlaps::KeepLongest } else { Overlaps::Keep };
            }
            "window" => self.evaluation_span = flag("window", value, "yes", "no")?,
            "linkable" => self.linkable = flag("linkable", value, "yes", "no")?,
            "threshold" => self.threshold = threshold(value)?,
            "tags" => self.repeated_tags = flag("tags", value, "repeated", "once")?,
            "nil-cluster" => self.one_nil_cluster = flag("nil-cluster", value, "one", "own")?,
            "no-answer" => self.answers_only = flag("no-answer", value, "left-out", "nil")?,
            "candidates" => self.any_candidate = flag("candidates", value, "any", "first")?,
            "scores" => {
                self.no_scores = value == "none";
                self.untyped_scores = !self.no_scores && flag("scores", value, "untyped", "all")?;
            }
            "nil-answers" => self.judging.nil_answers = flag("nil-answers", value, "yes", "no")?,
            "required-parts" => {
                self.judging.required_parts = flag("required-parts", value, "yes", "no")?;
            }
            "nil" => self.nil_agrees = flag("nil", value, "agrees", "missed")?,
            "window-of" => {
                let system = flag("window-of", value, "system", "gold")?;
                self.window_of = if system { WindowOf::System } else { WindowOf::Gold };
            }
            "gold-types" => self.gold_types = types("gold-types", value)?,
            "predicted-types" => self.predicted_types = types("predicted-types", value)?,
            "no-unknowns" => self.no_unknowns = flag("no-unknowns", value, "yes", "no")?,
            _ => {
                return Err(SettingsError {
                    name: "settings",
                    value: name.to_owned(),
                    expected: "task, match, assign, optional, alternatives, trim, overlaps, window, \
                               linkable, threshold, tags, nil-cluster, no-answer, candidates, scores, \
                               nil-answers, required-parts, nil, window-of, gold-types, \
                               predicted-types or no-unknowns",
                });
            }
        }
        Ok(())
    }
}

fn flag(
    name: &'static str,
    value: &str,
    yes: &'static str,
    no: &'static str,
) -> Result<bool, SettingsError> {
    match value {
        _ if value == yes => Ok(true),
        _ if value == no => Ok(false),
        _ => {
            let expected = match yes {
                "yes" => "yes or no",
                "longest" => "longest or keep",
                "repeated" => "repeated or once",
                "left-out" => "left-out or nil",
                "any" => "any or first",
                "untyped" => "untyped, all or none",
                "agrees" => "agrees or missed",
                "system" => "system or gold",
                _ => "one or own",
            };
            Err(SettingsError { name, value: value.to_owned(), expected })
        }
    }
}

fn types(name: &'static str, value: &str) -> Result<Types, SettingsError> {
    value.parse().map_err(|error| SettingsError { name, ..error })
}

fn threshold(value: &str) -> Result<Option<f64>, SettingsError> {
    let number = || value.parse::<f64>().ok().filter(|number| number.is_finite());
    match value {
        "none" => Ok(None),
        _ => number().map(Some).ok_or_else(|| SettingsError {
            name: "threshold",
            value: value.to_owned(),
            expected: "a number, or none",
        }),
    }
}

/// When two spans fit each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spans {
    /// Same start, same end.
    Exact,
    /// They share a position.
    Overlap,
    /// Exact once both are widened to whole words.
    Expanded,
    /// One lies within the other.
    Containment,
    /// They share at least this part of the gold span, in percent.
    AtLeast(f64),
    /// Always: only what is linked counts.
    Anywhere,
    /// Same length, wherever they are.
    Length,
}

/// Who gets whom when several fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// The one-to-one assignment with the most agreement; no order of the input changes it.
    OneToOne,
    /// Each gold mention, in the order of the file, takes the first prediction that is left.
    Greedy,
    /// A mention is right if anything fits it, however often that was used.
    Existential,
    /// Of several mentions on one span only the last of the file counts.
    LastWins,
    /// Equal mentions are one; sets of both sides are intersected.
    Sets,
    /// All annotations of a span are one mention, on both sides; it is right if they have an entity
    /// in common. Otherwise it is missed, and what is predicted there is one extra.
    BySpan,
}

impl Assignment {
    /// Whether the order of annotations in a file can decide who gets whom.
    pub fn follows_file(self) -> bool {
        match self {
            Assignment::Greedy | Assignment::Existential | Assignment::LastWins => true,
            Assignment::OneToOne | Assignment::Sets | Assignment::BySpan => false,
        }
    }
}

/// What happens to mentions that overlap on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlaps {
    /// They stay.
    Keep,
    /// The longest of each run of overlapping mentions stays.
    KeepLongest,
}

/// A setting that karat does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is no value of `{name}`: expected {expected}")]
pub struct SettingsError {
    /// The setting.
    pub name: &'static str,
    /// What was given.
    pub value: String,
    /// What would have been right.
    pub expected: &'static str,
}

impl fmt::Display for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spans::Exact => f.write_str("exact"),
            Spans::Overlap => f.write_str("overlap"),
            Spans::Expanded => f.write_str("expanded"),
            Spans::Containment => f.write_str("containment"),
            Spans::AtLeast(percent) => write!(f, "{percent}%"),
            Spans::Anywhere => f.write_str("entity"),
            Spans::Length => f.write_str("length"),
        }
    }
}

impl FromStr for Spans {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Spans, SettingsError> {
        let share = || {
            let percent: f64 = text.strip_suffix('%')?.parse().ok()?;
            (percent > 0.0 && percent <= 100.0).then_some(Spans::AtLeast(percent))
        };
        match text {
            "exact" | "strong" => Ok(Spans::Exact),
            "overlap" | "weak" => Ok(Spans::Overlap),
            "expanded" => Ok(Spans::Expanded),
            "containment" => Ok(Spans::Containment),
            "entity" => Ok(Spans::Anywhere),
            "length" => Ok(Spans::Length),
            _ => share().ok_or_else(|| SettingsError {
                name: "match",
                value: text.to_owned(),
                expected: "exact, overlap, expanded, containment, entity, length, or a share of the gold span such as 50%",
            }),
        }
    }
}

const GIVEN: [(&str, Given); 3] = [
    ("end-to-end", Given::Nothing),
    ("disambiguation", Given::Mentions),
    ("linked-disambiguation", Given::LinkedMentions),
];

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = GIVEN.iter().find(|(_, given)| given == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for Given {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Given, SettingsError> {
        let named = GIVEN.iter().find(|(name, _)| *name == text);
        named.map(|&(_, given)| given).ok_or_else(|| SettingsError {
            name: "task",
            value: text.to_owned(),
            expected: "end-to-end, disambiguation or linked-disambiguation",
        })
    }
}

const ASSIGNMENTS: [(&str, Assignment); 6] = [
    ("one-to-one", Assignment::OneToOne),
    ("greedy", Assignment::Greedy),
    ("existential", Assignment::Existential),
    ("last-wins", Assignment::LastWins),
    ("sets", Assignment::Sets),
    ("by-span", Assignment::BySpan),
];

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = ASSIGNMENTS.iter().find(|(_, assignment)| assignment == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for Assignment {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Assignment, SettingsError> {
        let named = ASSIGNMENTS.iter().find(|(name, _)| *name == text);
        named.map(|&(_, assignment)| assignment).ok_or_else(|| SettingsError {
            name: "assign",
            value: text.to_owned(),
            expected: "one-to-one, greedy, existential, last-wins, sets or by-span",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_parse_back_from_their_parts() {
        let changed = Settings {
            spans: Spans::AtLeast(50.0),
            assignment: Assignment::Greedy,
            overlaps: Overlaps::KeepLongest,
            threshold: Some(0.25),
            linkable: true,
            given: Given::Mentions,
            answers_only: true,
            any_candidate: true,
            untyped_scores: true,
            nil_agrees: false,
            window_of: WindowOf::System,
            gold_types: "PER,LOC".parse().expect("types"),
            no_unknowns: true,
            ..Settings::default()
        };
        let mut read = Settings::default();
        for (name, value) in changed.parts() {
            read.set(name, &value).expect("its own spelling");
        }
        assert_eq!(read, changed);
        assert!(read.set("optional", "maybe").is_err() && read.set("colour", "red").is_err());
        assert!(read.set("gold-types", " , ").is_err());
    }

    #[test]
    fn names_parse_back() {
        for (name, assignment) in ASSIGNMENTS {
            assert_eq!(assignment.to_string(), name);
            assert_eq!(name.parse(), Ok(assignment));
        }
        for name in ["exact", "overlap", "expanded", "containment", "entity", "length", "50%"] {
            assert_eq!(name.parse::<Spans>().map(|spans| spans.to_string()), Ok(name.to_owned()));
        }
        assert!("0%".parse::<Spans>().is_err() && "close".parse::<Spans>().is_err());
    }
}
