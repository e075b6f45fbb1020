//! Where something stands in the JSON of an answer.
//!
//! A path is keys and numbers joined by dots. `[]` goes through a list, and through one object as through a list of one; `^` is
//! the object one level up; `a|b` is the first that is there.

use serde_json::Value;

/// A path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath(Vec<Vec<Step>>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Place(usize),
    Each,
    Up,
}

/// A value with the objects and lists that it is in, outermost first.
#[derive(Debug, Clone)]
pub(super) struct Found<'v> {
    pub(super) value: &'v Value,
    around: Vec<&'v Value>,
}

impl JsonPath {
    /// Reads a path; the error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<JsonPath, BadPath> {
        text.split('|').map(|one| steps(one.trim())).collect::<Result<_, _>>().map(JsonPath)
    }

    /// All values that it leads to.
    pub(super) fn all<'v>(&self, from: &Found<'v>) -> Vec<Found<'v>> {
        let walked = self.0.iter().map(|steps| walk(steps, from));
        walked.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The path to the list that this goes through last, where it ends so.
    pub(super) fn without_last_list(&self) -> Option<JsonPath> {
        let (last, steps) = self.0.first()?.split_last()?;
        let leads_to_list =
            *last == Step::Each && !steps.is_empty() && !steps.contains(&Step::Each);
        leads_to_list.then(|| JsonPath(vec![steps.to_vec()]))
    }

    /// The first value that it leads to, if it is not null.
    pub(super) fn one<'v>(&self, from: &Found<'v>) -> Option<&'v Value> {
        let mut walked = self.0.iter().flat_map(|steps| walk(steps, from));
        walked.find(|found| !found.value.is_null()).map(|found| found.value)
    }
}

/// A text that is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct BadPath(String);

fn steps(text: &str) -> Result<Vec<Step>, BadPath> {
    let mut steps = Vec::new();
    if text.is_empty() {
        return Err(BadPath("a path is empty".to_owned()));
    }
    for part in text.split('.') {
        let (name, lists) = match part.find("[]") {
            Some(at) => part.split_at(at),
            None => (part, ""),
        };
        if name.is_empty() && lists.is_empty()
            || !lists.replace("[]", "").is_empty()
            || name.contains(['[', ']'])
        {
            return Err(BadPath(format!(
                "`{text}` is no path: keys and numbers are joined by dots, and lists are `[]`"
            )));
        }
        match name {
            "" => {}
            "^" => steps.push(Step::Up),
            name => steps.push(match name.parse() {
                Ok(place) => Step::Place(place),
                Err(_) => Step::Key(name.to_owned()),
            }),
        }
        steps.extend(std::iter::repeat_n(Step::Each, lists.len() / 2));
    }
    Ok(steps)
}

impl<'v> Found<'v> {
    pub(super) fn root(value: &'v Value) -> Found<'v> {
        Found { value, around: Vec::new() }
    }

    fn inside(&self, value: &'v Value) -> Found<'v> {
        let mut around = self.around.clone();
        // Lists are passed through: one level up is the object around them.
        if self.value.is_object() {
            around.push(self.value);
        }
        Found { value, around }
    }
}

fn walk<'v>(steps: &[Step], from: &Found<'v>) -> Vec<Found<'v>> {
    let Some((step, rest)) = steps.split_first() else { return vec![from.clone()] };
    match step {
        Step::Key(key) => {
            from.value.get(key).map_or(Vec::new(), |value| walk(rest, &from.inside(value)))
        }
        // A number is a key where there is an object.
        Step::Place(place) => {
            let value = from.value.get(*place).or_else(|| from.value.get(place.to_string()));
            value.map_or(Vec::new(), |value| walk(rest, &from.inside(value)))
        }
        Step::Up => match from.around.split_last() {
            Some((above, around)) => walk(rest, &Found { value: above, around: around.to_vec() }),
            None => Vec::new(),
        },
        Step::Each => match from.value {
            Value::Array(items) => {
                items.iter().flat_map(|item| walk(rest, &from.inside(item))).collect()
            }
            Value::Null => Vec::new(),
            _ => walk(rest, from),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(path: &str, value: &Value) -> Vec<Value> {
        let found = JsonPath::parse(path).unwrap().all(&Found::root(value));
        found.into_iter().map(|found| found.value.clone()).collect()
    }

    #[test]
    fn paths_lead_through_lists_and_up_again() {
        let value = json!({"documents": [{"entities": [{"url": "u", "matches": [{"offset": 1}, {"offset": 2}]}]}]});
        let each = JsonPath::parse("documents[].entities[].matches[]").unwrap();
        let found = each.all(&Found::root(&value));
        assert_eq!(found.len(), 2);
        let url = JsonPath::parse("^.url").unwrap();
        assert_eq!(url.one(&found[1]), Some(&json!("u")));
        let either = JsonPath::parse("start|offset").unwrap();
        assert_eq!(either.one(&found[1]), Some(&json!(2)));
    }

    #[test]
    fn one_object_is_a_list_of_one_and_null_of_none() {
        assert_eq!(values("R[].@o", &json!({"R": {"@o": "1"}})), [json!("1")]);
        assert_eq!(values("R[].@o", &json!({"R": [{"@o": "1"}, {"@o": "2"}]})).len(), 2);
        assert!(
            values("R[]", &json!({"R": null})).is_empty() && values("R[]", &json!({})).is_empty()
        );
        assert_eq!(values("[].spans[].2", &json!([{"spans": [[0, 4, "Bern"]]}])), [json!("Bern")]);
        assert_eq!(values("[]", &json!([[1], [2]])).len(), 2);
    }

    #[test]
    fn what_is_no_path_is_told() {
        for bad in ["", "a..b", "a[0]", "a|", "[x]"] {
            assert!(JsonPath::parse(bad).is_err(), "{bad}");
        }
    }
}
