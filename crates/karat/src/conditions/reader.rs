//! From a text to conditions.

use super::{Condition, ConditionTest, LONGEST, Where, WhereError, quoted};
use karat_model::Hint;
use std::ops::Range;

/// What is wrong with a condition that is well-formed.
pub(super) struct WordProblem {
    /// Which part of it is wrong.
    pub(super) part: ConditionPart,
    pub(super) message: String,
    pub(super) hint: Hint,
}

/// A part of a condition.
pub(super) enum ConditionPart {
    Name,
    /// One of its labels, by number.
    Label(usize),
}

/// Reads conditions; each must pass `check`.
pub(super) fn read(
    text: &str,
    check: impl Fn(&Condition) -> Result<(), WordProblem>,
) -> Result<Where, WhereError> {
    let mut reader = Reader { text, at: 0 };
    if text.len() > LONGEST {
        let place = text.floor_char_boundary(LONGEST)..text.len();
        let message = "the conditions are too long";
        return Err(reader.error(place, message, format!("at most {LONGEST} bytes are read")));
    }
    let mut conditions: Vec<Condition> = Vec::new();
    while let Some(read) = reader.condition()? {
        if let Err(problem) = check(&read.condition) {
            let place = match problem.part {
                ConditionPart::Name => read.name,
                ConditionPart::Label(at) => read.labels.get(at).cloned().unwrap_or(read.name),
            };
            // `type=PER ORG` most likely means one label with a space in it.
            let hint = match meant_quotes(conditions.last(), &read.condition) {
                Some(quotes) => Hint::from(quotes),
                None => problem.hint,
            };
            return Err(reader.error(place, problem.message, hint));
        }
        conditions.push(read.condition);
    }
    Ok(Where { conditions })
}

/// A label with a space that has no quotes is read as a label and a word that nobody knows.
fn meant_quotes(before: Option<&Condition>, word: &Condition) -> Option<String> {
    let before = before.filter(|_| word.test == ConditionTest::Holds)?;
    let (sign, labels) = match &before.test {
        ConditionTest::Holds => return None,
        ConditionTest::Is(labels) => ('=', labels),
        ConditionTest::Fits(labels) => ('~', labels),
    };
    let minus = if word.negated { "-" } else { "" };
    let whole = quoted(&format!("{} {minus}{}", labels.last()?, word.name));
    Some(format!("quotes hold what has a space: {}{sign}{whole}", before.name))
}

/// Whether a name needs no quotes.
pub(super) fn is_bare_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_of_name)
}

/// Whether a label needs no quotes.
pub(super) fn is_bare_value(value: &str) -> bool {
    !value.is_empty() && value.chars().all(is_of_value)
}

fn is_of_name(c: char) -> bool {
    is_of_value(c) && c != '=' && c != '~'
}

fn is_of_value(c: char) -> bool {
    !c.is_whitespace() && c != ',' && c != '"'
}

/// A condition with the places of its parts.
struct ReadCondition {
    condition: Condition,
    name: Range<usize>,
    labels: Vec<Range<usize>>,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let is_next = self.next() == Some(c);
        self.at += if is_next { c.len_utf8() } else { 0 };
        is_next
    }

    /// The next characters that are of some sort.
    fn take(&mut self, of: fn(char) -> bool) -> String {
        let rest = self.rest();
        let taken = rest.find(|c| !of(c)).map_or(rest, |end| &rest[..end]).to_owned();
        self.at += taken.len();
        taken
    }

    fn error(
        &self,
        place: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<Hint>,
    ) -> WhereError {
        let (message, hint) = (message.into(), hint.into());
        WhereError { message, hint, place, text: self.text.to_owned() }
    }

    /// The place of the next character, or the end.
    fn here(&self) -> Range<usize> {
        self.at..self.at + self.next().map_or(0, char::len_utf8)
    }

    fn condition(&mut self) -> Result<Option<ReadCondition>, WhereError> {
        self.take(char::is_whitespace);
        if self.rest().is_empty() {
            return Ok(None);
        }
        // A minus is part of the language only before a name; in a label it is a letter.
        let negated = self.eat('-');
        let start = self.at;
        let name = match self.next() {
            Some('"') => self.quoted()?,
            _ => self.take(is_of_name),
        };
        if self.at == start {
            let hint = "write a facet and a label, as `type=PER`, or a state, as `wrong`";
            return Err(self.error(self.here(), "a condition begins with a name", hint));
        }
        let place = start..self.at;
        let test: fn(Vec<String>) -> ConditionTest = if self.eat('=') {
            ConditionTest::Is
        } else if self.eat('~') {
            ConditionTest::Fits
        } else if self.next().is_none_or(char::is_whitespace) {
            let condition = Condition { negated, name, test: ConditionTest::Holds };
            return Ok(Some(ReadCondition { condition, name: place, labels: Vec::new() }));
        } else {
            let message = format!("`{name}` is not followed by a space");
            let hint = "a comma stands between labels of one name, as `type=PER,ORG`";
            return Err(self.error(place, message, hint));
        };
        let (values, labels) = self.values()?;
        let condition = Condition { negated, name, test: test(values) };
        Ok(Some(ReadCondition { condition, name: place, labels }))
    }

    /// Labels with commas between them, and where they are.
    fn values(&mut self) -> Result<(Vec<String>, Vec<Range<usize>>), WhereError> {
        let (mut values, mut places) = (Vec::new(), Vec::new());
        loop {
            let start = self.at;
            let value = match self.next() {
                Some('"') => self.quoted()?,
                _ => self.take(is_of_value),
            };
            if self.at == start {
                let hint = "nothing is written between quotes, as `text=\"\"`";
                return Err(self.error(start..start, "a label is missing", hint));
            }
            values.push(value);
            places.push(start..self.at);
            if self.eat(',') {
                continue;
            }
            if self.next().is_some_and(|c| !c.is_whitespace()) {
                let hint = "put the whole label between quotes, and write a quote in it as `\\\"`";
                return Err(self.error(self.here(), "a quote stands within a label", hint));
            }
            return Ok((values, places));
        }
    }

    /// What stands between quotes. A backslash keeps what follows it if that is a quote or a backslash, and
    /// is itself otherwise, so that a regular expression needs no doubling of it.
    fn quoted(&mut self) -> Result<String, WhereError> {
        let start = self.at;
        self.eat('"');
        let mut text = String::new();
        loop {
            match self.next() {
                None => {
                    let hint = "write a quote at the end of the label";
                    return Err(self.error(start..self.at, "the quote is not closed", hint));
                }
                Some('"') => {
                    self.eat('"');
                    return Ok(text);
                }
                Some('\\') => {
                    self.eat('\\');
                    match self.next().filter(|c| matches!(c, '"' | '\\')) {
                        Some(kept) => {
                            self.eat(kept);
                            text.push(kept);
                        }
                        // Any other backslash stands for itself, so that regular expressions need
                        // no double ones.
                        None => text.push('\\'),
                    }
                }
                Some(other) => {
                    self.eat(other);
                    text.push(other);
                }
            }
        }
    }
}
