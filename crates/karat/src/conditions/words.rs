//! The names that conditions on cases may have.

use super::reader::{ConditionPart, WordProblem};
use super::{Condition, ConditionTest};
use crate::pattern::{PatternError, compiled};
use karat_facets::{FACETS, FacetContext, FacetError, facet};
use karat_model::{Hint, closest};

/// A name that conditions know, with what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseWord {
    /// The name.
    pub name: &'static str,
    /// What it means, in a sentence.
    pub about: &'static str,
}

/// States: conditions without a label.
pub const CASE_STATES: &[CaseWord] = &[
    CaseWord { name: "right", about: "The link is right, or NIL is." },
    CaseWord { name: "wrong", about: "It is an error of some kind." },
    CaseWord { name: "ignored", about: "It counts for nothing." },
    CaseWord { name: "optional", about: "Gold has it, and it need not be found." },
    CaseWord { name: "nil", about: "Gold says NIL, or the system where gold says nothing." },
    CaseWord { name: "coreference", about: "It refers back to another mention." },
];

/// Fields that are no facets, or say more about cases than the facet of their name.
pub const CASE_FIELDS: &[CaseWord] = &[
    CaseWord { name: "text", about: "The text of the mention." },
    CaseWord { name: "entity", about: "The entity of gold, or the one that was predicted." },
    CaseWord { name: "gold", about: "The entity of gold, or `NIL`." },
    CaseWord { name: "predicted", about: "The entity that was predicted, or `NIL`." },
];

/// Whether cases can be asked for a condition.
pub(super) fn check(condition: &Condition) -> Result<(), WordProblem> {
    let name = condition.name.as_str();
    let is_state = CASE_STATES.iter().any(|state| state.name == name);
    let problem =
        |message: String, hint: Hint| Err(WordProblem { part: ConditionPart::Name, message, hint });
    match &condition.test {
        ConditionTest::Holds if is_state => Ok(()),
        ConditionTest::Holds if field_error(name).is_none() => {
            let hint = Hint::template("write {where=FACET=LABEL}, as {where=type=PER}");
            problem(format!("`{name}` names no label"), hint)
        }
        ConditionTest::Holds => {
            problem(format!("there is no condition `{name}`"), names_like(name))
        }
        ConditionTest::Is(_) | ConditionTest::Fits(_) if is_state => problem(
            format!("`{name}` takes no label"),
            format!("write `{name}` alone, or `-{name}` for its opposite").into(),
        ),
        ConditionTest::Is(_) => check_field(name),
        ConditionTest::Fits(patterns) => {
            check_field(name)?;
            patterns.iter().enumerate().try_for_each(|(at, pattern)| check_regex(at, pattern))
        }
    }
}

fn check_field(name: &str) -> Result<(), WordProblem> {
    let Some(error) = field_error(name) else { return Ok(()) };
    let hint = match &error {
        FacetError::Unknown { .. } => names_like(name),
        FacetError::NoKey { .. } | FacetError::NoBase { .. } => error.hint(),
    };
    Err(WordProblem { part: ConditionPart::Name, message: error.to_string(), hint })
}

/// Why there is no field of this name, if there is none. Whether a knowledge base is there is asked later.
fn field_error(name: &str) -> Option<FacetError> {
    if CASE_FIELDS.iter().any(|field| field.name == name) {
        return None;
    }
    let made = facet(name, &FacetContext::default());
    // Whether there is a base is not known here; the facet is refused later where it needs one.
    made.err().filter(|error| !matches!(error, FacetError::NoBase { .. }))
}

/// What may have been meant by a name that nothing has.
fn names_like(name: &str) -> Hint {
    let mut fields: Vec<String> = FACETS.iter().map(|facet| facet.asked_for()).collect();
    let more = CASE_FIELDS.iter().map(|field| field.name.to_owned());
    fields.extend(more.filter(|name| !FACETS.iter().any(|facet| facet.name == *name)));
    let states: Vec<&str> = CASE_STATES.iter().map(|state| state.name).collect();
    let all = fields.iter().map(String::as_str).chain(states.iter().copied());
    let meant = closest(name, all).map(|meant| format!("did you mean `{meant}`? "));
    let (fields, states) = (fields.join(", "), states.join(", "));
    format!("{}facets are {fields}; states are {states}", meant.unwrap_or_default()).into()
}

fn check_regex(at: usize, pattern: &str) -> Result<(), WordProblem> {
    compiled(pattern, false).map(drop).map_err(|PatternError { message, hint }| WordProblem {
        part: ConditionPart::Label(at),
        message,
        hint,
    })
}
