//! Which checks and rules are asked for.

use super::ValidationRequest;
use crate::error::Error;
use crate::inputs::plain_text;
use crate::notices;
use karat_checks::{BadRule, CHECKS, Check, Rule};
use karat_model::{Hint, Notice};
use karat_report::{Cell, Column, Table};
use std::fmt;

/// The checks and rules to run.
pub(super) struct Asked {
    pub(super) checks: Vec<&'static dyn Check>,
    pub(super) rules: Vec<Rule>,
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let checks: Vec<&str> = self.checks.iter().map(|check| check.info().name).collect();
        f.debug_struct("Asked").field("checks", &checks).field("rules", &self.rules).finish()
    }
}

/// All checks there are: how bad their findings are, what they look for, and what a fix does.
pub fn check_list() -> Table {
    let mut table = Table::new([
        Column::text("check"),
        Column::text("severity"),
        Column::text("what it looks for"),
        Column::text("fix"),
    ]);
    for check in CHECKS {
        let info = check.info();
        table.row([
            Cell::from(info.name),
            Cell::from(info.severity.name()),
            Cell::from(info.about),
            Cell::from(info.fix),
        ]);
    }
    table
}

impl ValidationRequest {
    /// The checks and rules that the request names.
    pub(super) fn asked(&self, told: &mut Vec<Notice>) -> Result<Asked, Error> {
        let mut rules = self.parsed_rules()?;
        let checks = self.named_checks(&rules)?;
        // Where only some checks are wanted, rules are wanted if they are among them.
        if !self.checks.is_empty() && !rules.is_empty() {
            rules.retain(|rule| self.checks.iter().any(|name| is_called(rule, name)));
            if rules.is_empty() {
                let hint = Hint::template("{check} names none; `rule` are all rules");
                told.push(notices::NO_RULES.notice("no rules are checked").hint(hint));
            }
        }
        Ok(Asked { checks, rules })
    }

    fn parsed_rules(&self) -> Result<Vec<Rule>, Error> {
        let bad = |message: String| {
            let hint = "a rule looks like `{tag@A,mnt@text}[tags to add](tags to remove)`";
            Error::bad_request(message, hint)
        };
        let parse = |rule: &String| Rule::parse(rule).map_err(|wrong| bad(wrong.message));
        let mut rules: Vec<Rule> = self.rules.iter().map(parse).collect::<Result<_, _>>()?;
        if let Some(path) = &self.rules_file {
            let (text, _) = plain_text(path)?;
            let wrong = |wrong: BadRule| bad(format!("`{path}`: {}", wrong.message));
            rules.extend(Rule::parse_all(&text).map_err(wrong)?);
        }
        Ok(rules)
    }

    fn named_checks(&self, rules: &[Rule]) -> Result<Vec<&'static dyn Check>, Error> {
        if rules.is_empty() && self.checks.iter().any(|name| name == Rule::CHECK) {
            let hint = Hint::template("give some with {rule} or {rules}");
            return Err(Error::bad_request("there are no rules to check", hint));
        }
        let is_rule = |name: &str| rules.iter().any(|rule| is_called(rule, name));
        let is_unknown = |name: &&String| {
            !CHECKS.iter().any(|check| check.info().name == *name) && !is_rule(name)
        };
        if let Some(name) = self.checks.iter().find(is_unknown) {
            let message = format!("no check is called `{name}`");
            let hint = Hint::template("`karat validate {list}` lists the checks");
            return Err(Error::refused(&notices::UNKNOWN_NAME, message, hint));
        }
        let is_named = |name: &str| self.checks.iter().any(|asked| asked == name);
        let asks_base = |check: &&dyn Check| check.needs_base() && is_named(check.info().name);
        if self.kb.is_none() && CHECKS.iter().any(asks_base) {
            return Err(Error::bad_request(
                "links cannot be looked up without a knowledge base",
                Hint::template("name one with {kb}; `karat kb build` makes it"),
            ));
        }
        let is_wanted = |name: &str| self.checks.is_empty() || is_named(name);
        Ok(CHECKS.iter().copied().filter(|check| is_wanted(check.info().name)).collect())
    }
}

/// Whether a name is that of a rule, or that of all rules.
fn is_called(rule: &Rule, name: &str) -> bool {
    name == Rule::CHECK || rule.name() == Some(name)
}
