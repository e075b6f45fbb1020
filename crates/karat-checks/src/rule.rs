//! Rules a user writes: a condition on tags and text, and tags to add or remove.

use crate::category::{as_in, is_same_tag};
use crate::check::{CheckInfo, CheckReport, Severity};
use karat_model::{Change, Corpus, DimensionCategory, Edit, Mention};

/// A rule such as `{tag@el:Mnt-ProForm,mnt@it}[el:Ref-Anaphoric](el:Ref-Direct)`, which may have
/// a name: `pronouns: {mnt@it}[el:Mnt-ProForm]`.
///
/// The condition comes first: `{a,b}` holds when all of its parts do, `<a,b>`
/// when one does; `tag@X` is a tag, `mnt@text` the text of the mention. Then the
/// tags to add in `[...]` and the tags to remove in `(...)`, either may be left out. A tag is
/// the same in all vocabularies: `mnt:CommonFormPN` finds `el:Mnt-CommonForm`, and what is added is
/// written as the other tags of the mention are.
#[derive(Debug, Clone)]
pub struct Rule {
    name: Option<String>,
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
    name: Rule::CHECK,
    about: "A rule of the user.",
    severity: Severity::Warning,
    fix: Some("adds and removes the tags the rule names"),
};

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> Result<Rule, BadRule> {
        let (name, body) = named(text);
        let mut parser = Parser { text, at: text.len() - body.len() };
        let condition = parser.condition(0)?;
        let add = parser.list('[', ']')?;
        let remove = parser.list('(', ')')?;
        if !parser.rest().is_empty() {
            return Err(parser.expected("the end of the rule"));
        }
        if add.is_empty() && remove.is_empty() {
            return Err(parser.expected("tags to add in [...] or to remove in (...)"));
        }
        Ok(Rule { name: name.map(str::to_owned), condition, add, remove })
    }

    /// Reads a file of rules, one on a line. Empty lines and those that start with `#` say nothing.
    pub fn parse_all(text: &str) -> Result<Vec<Rule>, BadRule> {
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
        let rules = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let parse = |(line, number): (&str, usize)| {
            Rule::parse(line)
                .map_err(|bad| BadRule { message: format!("line {number}: {}", bad.message) })
        };
        rules.map(parse).collect()
    }

    /// What the check of rules is called.
    pub const CHECK: &str = "rule";

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn run(&self, corpus: &Corpus, report: &mut CheckReport) {
        for document in corpus.documents() {
            let text = document.text_index();
            for (index, mention) in document.mentions().enumerate() {
                let surface = match &text {
                    Some(text) => text.slice(mention.span()),
                    None => mention.surface(),
                };
                if self.condition.holds(&mention, surface)
                    && let Some((message, tags)) = self.judged(&mention)
                {
                    let edit = Edit::Change(Change::tags(tags));
                    report.mention(&INFO, &mention, message, vec![(index, edit)]);
                }
            }
        }
    }

    /// What the rule asks of a mention for which its condition holds, and the tags that follow.
    fn judged(&self, mention: &Mention<'_>) -> Option<(String, Vec<String>)> {
        let missing: Vec<&String> = self.add.iter().filter(|tag| !has_tag(mention, tag)).collect();
        let wrong: Vec<&String> = self.remove.iter().filter(|tag| has_tag(mention, tag)).collect();
        if missing.is_empty() && wrong.is_empty() {
            return None;
        }
        let goes = |tag: &&str| wrong.iter().any(|wrong| is_same_tag(wrong, tag));
        let kept = mention.tags().filter(|tag| !goes(tag)).map(str::to_owned);
        let spelled = |tag: &&String| {
            DimensionCategory::of(tag)
                .map_or_else(|| tag.to_string(), |category| as_in(mention, category))
        };
        let tags = kept.chain(missing.iter().map(spelled)).collect();
        let name = self.name.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
        let message = format!(
            "the rule{name} asks for{}{}",
            missing.iter().map(|tag| format!(" +{tag}")).collect::<String>(),
            wrong.iter().map(|tag| format!(" -{tag}")).collect::<String>()
        );
        Some((message, tags))
    }
}

/// The name of a rule, if it has one, and the rest.
fn named(text: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
    };
    match text.split_once(':') {
        Some((name, rest)) if is_name(name.trim()) => (Some(name.trim()), rest.trim_start()),
        _ => (None, text),
    }
}

fn has_tag(mention: &Mention<'_>, tag: &str) -> bool {
    mention.tags().any(|other| is_same_tag(other, tag))
}

impl Condition {
    fn holds(&self, mention: &Mention<'_>, surface: Option<&str>) -> bool {
        match self {
            Condition::All(parts) => parts.iter().all(|part| part.holds(mention, surface)),
            Condition::Any(parts) => parts.iter().any(|part| part.holds(mention, surface)),
            Condition::Tag(tag) => has_tag(mention, tag),
            Condition::Mention(text) => surface == Some(text),
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
        // The text of a mention may contain anything but these three characters, which end a
        // condition.
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
