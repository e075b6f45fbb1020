//! Rules a user writes: a condition on tags and text, and tags to add or remove.

use crate::check::{CheckInfo, Report, Severity};
use karat_model::{Corpus, Edit, Mention};

/// A rule such as `{tag@el:Mnt-ProForm,mnt@it}[el:Ref-Anaphoric](el:Ref-Direct)`.
///
/// The condition comes first: `{a,b}` holds when all of its parts do, `<a,b>`
/// when one does; `tag@X` is a tag, `mnt@text` the text of the mention. Then the
/// tags to add in `[...]` and the tags to remove in `(...)`, either may be left out.
#[derive(Debug, Clone)]
pub struct Rule {
    condition: Condition,
    add: Vec<String>,
    remove: Vec<String>,
}

#[derive(Debug, Clone)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Tag(String),
    Mention(String),
}

/// A rule that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRule {
    /// What was expected, and where.
    pub message: String,
}

impl std::fmt::Display for BadRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadRule {}

static INFO: CheckInfo = CheckInfo {
    name: "rule",
    about: "A rule of the user (`--rule`).",
    severity: Severity::Warning,
    fix: Some("adds and removes the tags the rule names"),
};

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> Result<Rule, BadRule> {
        let mut parser = Parser { text, at: 0 };
        let condition = parser.condition(0)?;
        let add = parser.list('[', ']')?;
        let remove = parser.list('(', ')')?;
        if !parser.rest().is_empty() {
            return Err(parser.expected("the end of the rule"));
        }
        if add.is_empty() && remove.is_empty() {
            return Err(parser.expected("tags to add in [...] or to remove in (...)"));
        }
        Ok(Rule { condition, add, remove })
    }

    pub(crate) fn run(&self, corpus: &Corpus, report: &mut Report) {
        for document in corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                if !self.condition.holds(&mention) {
                    continue;
                }
                let has = |tag: &String| mention.tags().any(|other| other == tag);
                let missing: Vec<&String> = self.add.iter().filter(|tag| !has(tag)).collect();
                let wrong: Vec<&String> = self.remove.iter().filter(|tag| has(tag)).collect();
                if missing.is_empty() && wrong.is_empty() {
                    continue;
                }
                let kept = mention.tags().filter(|tag| !wrong.iter().any(|other| other == tag));
                let tags: Vec<String> =
                    kept.map(str::to_owned).chain(missing.iter().copied().cloned()).collect();
                let edit = Edit::Change { span: None, entity: None, tags: Some(tags) };
                let message = format!(
                    "the rule asks for{}{}",
                    missing.iter().map(|tag| format!(" +{tag}")).collect::<String>(),
                    wrong.iter().map(|tag| format!(" -{tag}")).collect::<String>()
                );
                report.mention(&INFO, &mention, message, vec![(index, edit)]);
            }
        }
    }
}

impl Condition {
    fn holds(&self, mention: &Mention<'_>) -> bool {
        match self {
            Condition::All(parts) => parts.iter().all(|part| part.holds(mention)),
            Condition::Any(parts) => parts.iter().any(|part| part.holds(mention)),
            Condition::Tag(tag) => mention.tags().any(|other| other == tag),
            Condition::Mention(text) => mention.surface() == Some(text),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

/// Nobody nests conditions deeper than a person can read.
const MAX_DEPTH: usize = 16;

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn expected(&self, what: &str) -> BadRule {
        let column = self.text[..self.at].chars().count() + 1;
        BadRule { message: format!("expected {what} at column {column} of the rule") }
    }

    fn take(&mut self, character: char) -> bool {
        let found = self.rest().starts_with(character);
        self.at += if found { character.len_utf8() } else { 0 };
        found
    }

    fn condition(&mut self, depth: usize) -> Result<Condition, BadRule> {
        if depth > MAX_DEPTH {
            return Err(self.expected("a simpler condition"));
        }
        if self.take('{') {
            return Ok(Condition::All(self.parts('}', depth)?));
        }
        if self.take('<') {
            return Ok(Condition::Any(self.parts('>', depth)?));
        }
        let end = self.rest().find([',', '}', '>']).unwrap_or(self.rest().len());
        let word = self.rest()[..end].trim();
        let condition = match word.split_once('@') {
            Some(("tag", tag)) => Condition::Tag(tag.to_owned()),
            Some(("mnt", text)) => Condition::Mention(text.to_owned()),
            _ => return Err(self.expected("`{`, `<`, `tag@...` or `mnt@...`")),
        };
        self.at += end;
        Ok(condition)
    }

    fn parts(&mut self, close: char, depth: usize) -> Result<Vec<Condition>, BadRule> {
        let mut parts = vec![self.condition(depth + 1)?];
        loop {
            if self.take(close) {
                return Ok(parts);
            }
            if !self.take(',') {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
            parts.push(self.condition(depth + 1)?);
        }
    }

    fn list(&mut self, open: char, close: char) -> Result<Vec<String>, BadRule> {
        if !self.take(open) {
            return Ok(Vec::new());
        }
        let Some(end) = self.rest().find(close) else {
            return Err(self.expected(&format!("`{close}`")));
        };
        let items = self.rest()[..end].split(',').map(|item| item.trim().to_owned());
        let items = items.filter(|item| !item.is_empty()).collect();
        self.at += end + close.len_utf8();
        Ok(items)
    }
}
