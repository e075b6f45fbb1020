//! What decides who meets whom.

use crate::criteria::Given;
use crate::types::Types;
use karat_model::{Annotation, StrId};

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
    /// So many candidates of a prediction may be right, the best first; of gold only the first.
    pub best_candidates: u32,
    /// A prediction whose words are not those of the text on its span is not on it, where spans must be equal.
    pub same_words: bool,
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
            best_candidates: 1,
            same_words: false,
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
    /// Starts and ends are at most so many positions apart, both together.
    Near(u32),
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
