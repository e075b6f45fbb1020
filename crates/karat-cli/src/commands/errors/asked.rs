//! What the arguments of `karat errors` ask for, and what does not go together.

use super::{By, Errors, Kind, UnknownsArgument};
use crate::failure::Failure;
use crate::forms::ResultForm;
use karat::errors::ErrorCase;
use karat::facets::Finding;
use karat::facets::taxonomy::Category;
use karat::matching::Unknowns;
use karat::measures::closest;

const EXAMPLES: &str = "Examples:
  karat errors -g gold.tsv -s mine=system.tsv
      how many mentions are missing, extra or linked wrongly
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --kb facts.kb --by category
      errors by category, with the share of mentions in which they could be made
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --kb facts.kb --by category --where type=PER
      the same of some mentions only, by any facet
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --category metonymy --system a --where type=PER
      the mentions behind a number, of one of the systems
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --diff a b
      what one gets right and the other wrong
  karat errors -g gold.jsonl -s a=a.jsonl --partial-spans
      right links on spans that are not quite those of gold
  karat errors -g gold.ttl -s a=a.ttl --preset rosales-2019 --confusion base-form
      links that are right by an alternative of another category
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl -s c=c.jsonl --suspects --format jsonl
      where gold itself may be wrong";

/// Examples, and the names that --category takes.
pub(super) fn help() -> String {
    let kinds: Vec<String> = Kind::all().map(Kind::name).collect();
    let mut help = format!("{EXAMPLES}\n\nKinds: {}\n\nCategories:", kinds.join(", "));
    let mut families: Vec<&str> = Vec::new();
    for category in Category::all() {
        if !families.contains(&category.family()) {
            families.push(category.family());
        }
    }
    for family in families {
        help.push_str(&format!("\n  {family}"));
        for category in Category::all().filter(|category| category.family() == family) {
            let (name, key) = (category.name(), category.key());
            help.push_str(&format!("\n    .{key:<32} {}", category.summary()));
            if name != key && name != family {
                help.push_str(&format!("; {name}"));
            }
        }
    }
    help
}

impl Errors {
    /// Whether kinds of errors are asked for, which need no labelled cases.
    pub(super) fn is_about_kinds(&self) -> bool {
        let is_category = |name: &String| !is_kind(name) && !Category::named(name).is_empty();
        matches!(self.by, None | Some(By::Error))
            && !self.suspects
            && !self.partial_spans
            && self.confusion.is_none()
            && self.diff.is_empty()
            && self.filters.is_empty()
            && !self.category.iter().any(is_category)
    }

    pub(super) fn lists(&self) -> bool {
        let narrows = !self.filters.is_empty() && self.by != Some(By::Category);
        self.list || !self.category.is_empty() || narrows
    }

    pub(super) fn unknowns(&self) -> Unknowns {
        match self.unknowns {
            None | Some(UnknownsArgument::Ignored) => Unknowns::Ignored,
            Some(UnknownsArgument::Required) => Unknowns::Required,
        }
    }

    /// Refuses what would be left out without a word.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let refuse = |message: &str, hint: &'static str| Err(Failure::usage(message, hint));
        let by_side = matches!(self.by, Some(By::Relation | By::SpanError));
        if !matches!(self.format, ResultForm::Own(_)) && !self.is_about_kinds() {
            return Err(no_such_list());
        }
        if self.unique && !self.is_about_kinds() {
            return refuse(
                "--unique is about kinds of errors",
                "leave it out, or leave out --by, --where, --diff, --suspects and categories",
            );
        }
        if self.unknowns.is_some() && (by_side || self.is_about_kinds()) {
            return refuse(
                "only categories treat unknown entities in two ways",
                "add --by category",
            );
        }
        if self.suspects && !self.category.is_empty() {
            return refuse(
                "suspects are of all categories",
                "leave out --category; --where category=NAME narrows them down",
            );
        }
        if self.by.is_some() && (self.suspects || !self.diff.is_empty()) {
            return refuse(
                "--diff and --suspects list mentions, and --by counts them",
                "leave out --by",
            );
        }
        if by_side && self.lists() {
            return refuse(
                "--by relation and --by span-error count mentions and list none",
                "leave out --by; --where relation=LABEL and --where span-error=LABEL list them",
            );
        }
        if !self.filters.is_empty() && (self.by == Some(By::Error) || by_side) {
            return refuse(
                "--where lists mentions, and --by counts them",
                "leave out --by, or count with --by category",
            );
        }
        if let [first, second] = self.diff.as_slice()
            && first == second
        {
            return refuse(
                "a system does not differ from itself",
                "write --diff A B, of two systems",
            );
        }
        match self.agree {
            0 => refuse("at least one system must say something", "write --agree 1 or more"),
            _ => Ok(()),
        }
    }

    /// The kinds that are asked for.
    pub(super) fn kinds(&self) -> Result<Vec<Kind>, Failure> {
        if self.category.is_empty() {
            // neleval lists what is right as well.
            let right = matches!(self.format, ResultForm::Neleval);
            let kept = |finding: &Finding| right || !finding.is_right();
            return Ok(Finding::ALL.into_iter().filter(kept).map(Kind::of).collect());
        }
        let named = |name: &String| Kind::named(name).ok_or_else(|| no_category(name));
        self.category.iter().map(named).collect()
    }

    /// The kinds and categories that are asked for.
    pub(super) fn narrowed(&self) -> Result<Narrowed, Failure> {
        let mut narrowed = Narrowed::default();
        for name in &self.category {
            let categories = Category::named(name);
            match Kind::named(name) {
                Some(kind) => narrowed.kinds.push(kind),
                None if categories.is_empty() => return Err(no_category(name)),
                None => narrowed.categories.extend(categories),
            }
        }
        Ok(narrowed)
    }
}

/// Kinds and categories to which a list is narrowed; none if everything that is wrong is listed.
#[derive(Debug, Default)]
pub(super) struct Narrowed {
    pub(super) kinds: Vec<Kind>,
    pub(super) categories: Vec<Category>,
}

impl Narrowed {
    /// Whether a case is listed.
    pub(super) fn has(&self, case: &ErrorCase) -> bool {
        if self.kinds.is_empty() && self.categories.is_empty() {
            return case.is_wrong;
        }
        self.kinds.iter().any(|kind| kind.has_case(case))
            || case.categories.iter().any(|category| self.categories.contains(category))
    }
}

pub(super) fn no_such_list() -> Failure {
    Failure::usage("neleval has no such list", "choose another --format")
}

fn is_kind(name: &str) -> bool {
    Kind::named(name).is_some()
}

fn no_category(name: &str) -> Failure {
    let kinds: Vec<String> = Kind::all().map(Kind::name).collect();
    let long: Vec<String> =
        Category::all().map(|c| format!("{}.{}", c.family(), c.key())).collect();
    let names = Category::all().flat_map(|c| [c.name(), c.family(), c.key()]);
    let names = names.chain(kinds.iter().chain(&long).map(String::as_str));
    let hint = match closest(name, names) {
        Some(meant) => format!("did you mean `{meant}`? `karat errors --help` lists all"),
        None => format!(
            "kinds are {}; categories are {}",
            kinds.join(", "),
            Category::all().map(Category::name).collect::<Vec<_>>().join(", ")
        ),
    };
    Failure::usage(format!("there is no kind or category `{name}`"), hint)
}
