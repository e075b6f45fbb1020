//! The mentions of a document.

use super::keys::{Keys, PAIRS};
use crate::problem::{Flaw, Problem};
use crate::source::Text;
use crate::syntax::json::{Object, nth_item};
use crate::syntax::table::{Field, Locate, Value, value_of};
use serde_json::Value as Json;

/// The cells of a mention, as a row of a table has them.
pub(super) fn cells<'m>(mention: &'m Json, keys: &Keys) -> Result<Vec<(Field, Value<'m>)>, Flaw> {
    let Some(object) = mention.as_object() else {
        return Err(format!(
            "expected a mention as an object with keys such as `start` and `end`, found `{mention}`"
        )
        .into());
    };
    let mut cells: Vec<(Field, Value<'m>)> = object
        .iter()
        .filter_map(|(key, value)| Some((keys.field(key)?, value_of(value))))
        .collect();
    let has = |wanted: Field| cells.iter().any(|(field, _)| *field == wanted);
    if !has(Field::Start)
        && let Some([start, end]) = PAIRS.iter().find_map(|key| pair(object, key))
    {
        cells.push((Field::Start, Value::Whole(start)));
        cells.push((Field::End, Value::Whole(end)));
    } else if !has(Field::Start) && !has(Field::End) {
        return Err("expected a mention with a start and an end".into());
    }
    Ok(cells)
}

/// Two offsets under one key.
pub(super) fn pair(object: &Object, key: &str) -> Option<[i64; 2]> {
    match object.get(key)?.as_array()?.as_slice() {
        [start, end] => Some([start.as_i64()?, end.as_i64()?]),
        _ => None,
    }
}

/// Finds keys in a mention; a place is the number of the mention in its list.
pub(super) struct InItem<'t> {
    pub(super) text: &'t Text<'t>,
    pub(super) line: &'t str,
    pub(super) list: &'t str,
    pub(super) keys: &'t Keys,
}

impl InItem<'_> {
    /// The problem at a field of a mention, or at the mention.
    pub(super) fn place(&self, place: u64, field: Option<Field>, problem: Problem) -> Problem {
        let item = usize::try_from(place).ok().and_then(|at| nth_item(self.line, self.list, at));
        let item = item.unwrap_or(self.line);
        let part = field.and_then(|field| {
            self.keys.keys(field).find_map(|key| {
                let quoted = format!("\"{key}\"");
                item.find(&quoted).and_then(|at| item.get(at..at + quoted.len()))
            })
        });
        let Problem { kind, message, hint, .. } = problem;
        Problem { hint, ..self.text.problem_at(kind, part.unwrap_or(item), message) }
    }
}

impl Locate for InItem<'_> {
    fn locate(&self, place: u64, field: Field, problem: Problem) -> Problem {
        self.place(place, Some(field), problem)
    }
}
