//! The language of conditions: which cases are meant.
//!
//! One small language for command lines, pages and programs. A text such as
//!
//! ```text
//! error=wrong-link,missing type=PER -optional doc="wire talks" text~^the entity=Q64
//! ```
//!
//! is a list of conditions that must all hold. `NAME=LABEL` asks for a label, a comma between labels is *or*, a
//! minus before a condition is *not*, `NAME~REGEX` asks for a label that fits a regular expression, and a
//! [state](CASE_STATES) stands by itself. Quotes hold what has a space or a comma; within them, `\"` is a quote and `\\` a
//! backslash.
//!
//! ```
//! use karat::conditions::Where;
//!
//! let asked = Where::parse("type=PER,ORG   -optional doc=\"wire-talks\"")?;
//! assert_eq!(asked.conditions.len(), 3);
//! // What is printed is one spelling of it, and reads back as the same.
//! assert_eq!(asked.to_string(), "type=PER,ORG -optional doc=wire-talks");
//!
//! let wrong = Where::parse("type=PER typ=ORG").unwrap_err();
//! assert_eq!((wrong.place.start, wrong.hint.to_string().starts_with("did you mean `type`?")), (9, true));
//! # Ok::<(), karat::conditions::WhereError>(())
//! ```

mod reader;
mod words;

pub use words::{CASE_FIELDS, CASE_STATES, CaseWord};

use crate::error::Error;
use crate::notices;
use karat_model::{Hint, NoticePlace};
use std::fmt;
use std::ops::Range;

/// How long a text may be, in bytes. It comes from addresses, too.
const LONGEST: usize = 4_000;

/// Conditions that must all hold; everything is meant if there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Where {
    /// The conditions, in the order in which they were written.
    pub conditions: Vec<Condition>,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Whether it must not hold.
    pub negated: bool,
    /// What it is about: a facet, another field of a case, or a state.
    pub name: String,
    /// What is asked of it.
    pub test: ConditionTest,
}

/// What a condition asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConditionTest {
    /// That the case is in the state of this name.
    Holds,
    /// That it has one of these labels.
    Is(Vec<String>),
    /// That one of its labels fits one of these regular expressions.
    Fits(Vec<String>),
}

/// Why a text is no list of conditions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WhereError {
    /// What is wrong.
    pub message: String,
    /// What can be done.
    pub hint: Hint,
    /// Where it is in the text, in bytes.
    pub place: Range<usize>,
    /// The text.
    pub text: String,
}

impl Where {
    /// The conditions in a text, whose names are those of cases.
    pub fn parse(text: &str) -> Result<Where, WhereError> {
        reader::read(text, words::check)
    }

    /// One condition that asks for one label.
    pub fn label(name: &str, label: &str) -> Where {
        Where { conditions: vec![Condition::is(name, label)] }
    }

    /// The same without one of the conditions.
    #[must_use]
    pub fn without(&self, index: usize) -> Where {
        let mut conditions = self.conditions.clone();
        if index < conditions.len() {
            conditions.remove(index);
        }
        Where { conditions }
    }

    /// The same with one more condition.
    #[must_use]
    pub fn with(&self, condition: Condition) -> Where {
        let mut conditions = self.conditions.clone();
        // Once: asking for the same thing twice changes nothing.
        conditions.retain(|other| *other != condition);
        conditions.push(condition);
        Where { conditions }
    }

    /// The same with a label added to those of which a case must have one, or taken out if it is among them.
    #[must_use]
    pub fn toggled(&self, name: &str, label: &str) -> Where {
        let mut conditions = self.conditions.clone();
        let labels = conditions.iter_mut().find_map(|condition| match &mut condition.test {
            ConditionTest::Is(labels) if condition.name == name && !condition.negated => {
                Some(labels)
            }
            _ => None,
        });
        match labels {
            Some(labels) if labels.iter().any(|it| it == label) => labels.retain(|it| it != label),
            Some(labels) => labels.push(label.to_owned()),
            None => conditions.push(Condition::is(name, label)),
        }
        // A name without labels would ask for nothing at all and match no case.
        conditions.retain(|it| !matches!(&it.test, ConditionTest::Is(labels) if labels.is_empty()));
        Where { conditions }
    }

    /// The same without what is said about one name.
    #[must_use]
    pub fn without_name(&self, name: &str) -> Where {
        let others = self.conditions.iter().filter(|condition| condition.name != name);
        Where { conditions: others.cloned().collect() }
    }

    /// Whether one of the conditions asks for this label, alone or among others.
    pub fn asks_for(&self, name: &str, label: &str) -> bool {
        self.conditions.iter().any(|condition| match &condition.test {
            ConditionTest::Is(labels) => {
                condition.name == name
                    && !condition.negated
                    && labels.iter().any(|asked| asked == label)
            }
            ConditionTest::Holds | ConditionTest::Fits(_) => false,
        })
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }
}

impl Condition {
    /// Asks for one label.
    pub fn is(name: &str, label: &str) -> Condition {
        let test = ConditionTest::Is(vec![label.to_owned()]);
        Condition { negated: false, name: name.to_owned(), test }
    }
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, condition) in self.conditions.iter().enumerate() {
            write!(f, "{}{condition}", if at > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match reader::is_bare_name(&self.name) {
            true => self.name.clone(),
            false => quoted(&self.name),
        };
        write!(f, "{}{name}", if self.negated { "-" } else { "" })?;
        let (sign, values) = match &self.test {
            ConditionTest::Holds => return Ok(()),
            ConditionTest::Is(values) => ("=", values),
            ConditionTest::Fits(values) => ("~", values),
        };
        let value = |value: &String| match reader::is_bare_value(value) {
            true => value.clone(),
            false => quoted(value),
        };
        write!(f, "{sign}{}", values.iter().map(value).collect::<Vec<_>>().join(","))
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl From<WhereError> for Error {
    fn from(error: WhereError) -> Error {
        // Columns are counted in characters, places in bytes.
        let column = error.text[..error.place.start].chars().count() as u64 + 1;
        let place = NoticePlace {
            file: "where".to_owned(),
            line: Some(1),
            column: Some(column),
            excerpt: error.text,
            highlight: (error.place.start, error.place.end),
        };
        let notice = notices::BAD_REQUEST.notice(error.message).hint(error.hint);
        Error::Refused(Box::new(notice.at(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Where {
        Where::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn the_language_has_and_or_not_quotes_and_regular_expressions() {
        let text =
            "error=wrong-link,missing type=PER -optional doc=\"wire talks\" text~^the entity=Q64";
        let asked = parsed(text);
        assert_eq!(asked.to_string(), text);
        let is = |values: &[&str]| {
            ConditionTest::Is(values.iter().map(|value| (*value).to_owned()).collect())
        };
        let tests: Vec<&ConditionTest> = asked.conditions.iter().map(|it| &it.test).collect();
        assert_eq!(*tests[0], is(&["wrong-link", "missing"]));
        assert_eq!(*tests[2], ConditionTest::Holds);
        assert_eq!(*tests[3], is(&["wire talks"]));
        assert_eq!(*tests[4], ConditionTest::Fits(vec!["^the".to_owned()]));
        let negated: Vec<bool> = asked.conditions.iter().map(|it| it.negated).collect();
        assert_eq!(negated, [false, false, true, false, false, false]);
        assert!(parsed("  ").is_empty());
    }

    #[test]
    fn what_needs_no_quotes_is_printed_without() {
        for (text, printed) in [
            ("type=\"PER\"", "type=PER"),
            ("text=\"a \\\"b\\\" \\\\ c\"", "text=\"a \\\"b\\\" \\\\ c\""),
            ("text~\\bthe", "text~\\bthe"),
            ("text~\"\\bthe x\"", "text~\"\\\\bthe x\""),
            ("  wrong\t-nil ", "wrong -nil"),
            ("\"attribute:a b\"=c", "\"attribute:a b\"=c"),
            ("text=\"\"", "text=\"\""),
            ("type=-", "type=-"),
            ("text=a=b", "text=a=b"),
        ] {
            let asked = parsed(text);
            assert_eq!(asked.to_string(), printed);
            assert_eq!(parsed(printed), asked);
        }
    }

    #[test]
    fn what_is_wrong_is_located() {
        for (text, message, place) in [
            ("type=PER colour=red", "there is no facet `colour`", 9..15),
            ("wrogn", "there is no condition `wrogn`", 0..5),
            ("type", "`type` names no label", 0..4),
            ("type=", "a label is missing", 5..5),
            ("type=PER,", "a label is missing", 9..9),
            ("type=PER, ORG", "a label is missing", 9..9),
            ("=PER", "a condition begins with a name", 0..1),
            ("wrong=yes", "`wrong` takes no label", 0..5),
            ("type=\"PER", "the quote is not closed", 5..9),
            ("doc=a\"b\"", "a quote stands within a label", 5..6),
            ("text~(", "`(` is no regular expression", 5..6),
            ("attribute=x", "`attribute` alone says nothing: it needs a key", 0..9),
            ("right,wrong", "`right` is not followed by a space", 0..5),
            ("\u{e9}=x", "there is no facet `\u{e9}`", 0..2),
        ] {
            let error = Where::parse(text).expect_err(text);
            assert_eq!((error.to_string().as_str(), error.place), (message, place), "{text}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered_and_quotes_where_they_are_missing() {
        let hint = |text: &str| Where::parse(text).expect_err(text).hint.to_string();
        assert!(hint("typ=PER").starts_with("did you mean `type`?"), "{}", hint("typ=PER"));
        assert!(hint("wrongs").starts_with("did you mean `wrong`?"), "{}", hint("wrongs"));
        let split = hint("doc=wire talks");
        assert!(split.contains("doc=\"wire talks\""), "{split}");
        let long = format!("text=\"{}\"", "x".repeat(LONGEST));
        assert_eq!(Where::parse(&long).expect_err("too long").place, LONGEST..long.len());
        let long = format!("text~{}", "x".repeat(crate::pattern::LONGEST + 1));
        assert!(hint(&long).contains("200"), "{}", hint(&long));
        let large = "text~(((a{99}){99}){99}){99}";
        assert!(Where::parse(large).is_err());
    }

    #[test]
    fn labels_are_put_in_and_taken_out() {
        let asked = parsed("type=PER -error=missing");
        let with = asked.toggled("type", "ORG").toggled("error", "extra");
        assert_eq!(with.to_string(), "type=PER,ORG -error=missing error=extra");
        assert!(with.asks_for("type", "ORG") && !with.asks_for("error", "missing"));
        let without = with.toggled("type", "PER").toggled("type", "ORG").toggled("error", "extra");
        assert_eq!(without.to_string(), "-error=missing");
    }

    fn names() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("type".to_owned()),
            Just("error".to_owned()),
            Just("text".to_owned()),
            "[ -~\u{e9}]{1,6}".prop_map(|key| format!("attribute:{key}")),
        ]
    }

    fn conditions() -> impl Strategy<Value = Condition> {
        let state = prop::sample::select(CASE_STATES)
            .prop_map(|word| (word.name.to_owned(), ConditionTest::Holds));
        let values = prop::collection::vec("[ -~\u{e9}\u{2009}]{0,8}", 1..4);
        let labels = (names(), values).prop_map(|(name, all)| (name, ConditionTest::Is(all)));
        (any::<bool>(), prop_oneof![state, labels]).prop_map(|(negated, (name, test))| Condition {
            negated,
            name,
            test,
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(conditions in prop::collection::vec(conditions(), 0..5)) {
            let asked = Where { conditions };
            prop_assert_eq!(Where::parse(&asked.to_string()), Ok(asked));
        }

        #[test]
        fn every_text_is_read_or_refused_within_it(text in "[ -~\u{e9}\t]{0,40}") {
            match Where::parse(&text) {
                Ok(asked) => prop_assert_eq!(Where::parse(&asked.to_string()), Ok(asked)),
                Err(error) => {
                    prop_assert!(error.place.end <= text.len());
                    prop_assert!(text.get(error.place.clone()).is_some());
                    let _: Error = error.into();
                }
            }
        }
    }
}
