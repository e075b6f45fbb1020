//! What people say of inputs beside naming them: of one input, by its name or its part, or of all that it fits.

use super::{FileDescription, InputRequest, give_patches};
use crate::error::Error;
use karat_formats::Input;
use karat_model::{End, OffsetUnit};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// A value that is true of one input, or of every input that it fits. It is written as `VALUE` or `INPUT=VALUE`, and columns,
/// which have equals signs themselves, as `INPUT:NAME=COLUMN,...`.
///
/// ```
/// use karat::inputs::ForInput;
/// use karat::model::OffsetUnit;
///
/// let said: ForInput<OffsetUnit> = "gold=bytes".parse()?;
/// assert_eq!((said.input.as_deref(), said.value), (Some("gold"), OffsetUnit::Bytes));
/// # Ok::<(), karat::inputs::ForInputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForInput<T> {
    /// The name of the input, or the name of its part; `None` for all.
    pub input: Option<String>,
    /// What is said.
    pub value: T,
}

/// Text that says nothing of an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForInputError {
    /// No unit of offsets.
    #[error("expected code-points, utf16, bytes or tokens")]
    Unit,
    /// No meaning of an end.
    #[error("expected inclusive or exclusive")]
    End,
    /// No number to move offsets by.
    #[error("expected a whole number such as -1")]
    Shift,
    /// No pair of a name and a column.
    #[error("expected NAME=COLUMN, found `{0}`")]
    Column(String),
}

impl FromStr for ForInput<String> {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (input, value) = of_input(text);
        Ok(ForInput { input, value: value.to_owned() })
    }
}

impl FromStr for ForInput<OffsetUnit> {
    type Err = ForInputError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        use OffsetUnit::{Bytes, CodePoints, Tokens, Utf16};
        let (input, value) = of_input(text);
        let mut units = [CodePoints, Utf16, Bytes, Tokens].into_iter();
        let value = units.find(|unit| unit.name().eq_ignore_ascii_case(value));
        Ok(ForInput { input, value: value.ok_or(ForInputError::Unit)? })
    }
}

impl FromStr for ForInput<End> {
    type Err = ForInputError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (input, value) = of_input(text);
        let mut ends = [End::Inclusive, End::Exclusive].into_iter();
        let value = ends.find(|end| end.to_string().eq_ignore_ascii_case(value));
        Ok(ForInput { input, value: value.ok_or(ForInputError::End)? })
    }
}

impl FromStr for ForInput<i64> {
    type Err = ForInputError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (input, value) = of_input(text);
        Ok(ForInput { input, value: value.parse().map_err(|_| ForInputError::Shift)? })
    }
}

impl FromStr for ForInput<BTreeMap<String, String>> {
    type Err = ForInputError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // What stands before a colon and has no equals sign names an input.
        let (input, value) = match text.split_once(':') {
            Some((input, value)) if !input.contains(['=', ',']) => (Some(input.to_owned()), value),
            _ => (None, text),
        };
        let pairs = value.split(',').map(|pair| match pair.split_once('=') {
            // An empty column leaves out one that would be found by its name.
            Some((name, column)) if !name.is_empty() => {
                Ok((name.trim().to_owned(), column.trim().to_owned()))
            }
            _ => Err(ForInputError::Column(pair.to_owned())),
        });
        Ok(ForInput { input, value: pairs.collect::<Result<_, _>>()? })
    }
}

fn of_input(text: &str) -> (Option<String>, &str) {
    match text.split_once('=') {
        Some((input, value)) => (Some(input.to_owned()), value),
        None => (None, text),
    }
}

/// The part that an input plays, by which it can be meant as well as by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputPart {
    /// `gold`
    Gold,
    /// `system`
    System,
    /// The only input, `input`.
    Only,
}

impl InputPart {
    fn name(self) -> &'static str {
        match self {
            InputPart::Gold => "gold",
            InputPart::System => "system",
            InputPart::Only => "input",
        }
    }
}

/// Everything that was said of inputs. What is said of one input goes before what is said of all, and of two things that
/// are said of the same the last counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SaidOfInputs {
    /// Formats.
    pub from: Vec<ForInput<String>>,
    /// What offsets count.
    pub unit: Vec<ForInput<OffsetUnit>>,
    /// What the end of a mention means.
    pub end: Vec<ForInput<End>>,
    /// Which column is what.
    pub columns: Vec<ForInput<BTreeMap<String, String>>>,
    /// By how much offsets are moved.
    pub shift: Vec<ForInput<i64>>,
    /// Patches of gold standards, `FILE` or `GOLD=FILE`.
    pub patches: Vec<String>,
}

impl SaidOfInputs {
    /// What is said of all inputs.
    pub fn of_all(&self) -> FileDescription {
        let mut describe = FileDescription::default();
        self.fill(&mut describe, |input| input.is_none());
        describe
    }

    /// The inputs that people named, in their part, with what is said of each.
    pub fn inputs(&self, part: InputPart, named: &[String]) -> Result<Vec<InputRequest>, Error> {
        let mut inputs: Vec<InputRequest> =
            named.iter().map(|text| InputRequest::parse(text)).collect();
        self.describe(inputs.iter_mut().map(|input| (part, input)))?;
        Ok(inputs)
    }

    /// Adds what is said of single inputs to these, which are all there are.
    pub fn describe<'i>(
        &self,
        inputs: impl IntoIterator<Item = (InputPart, &'i mut InputRequest)>,
    ) -> Result<(), Error> {
        let mut inputs: Vec<(InputPart, &mut InputRequest)> = inputs.into_iter().collect();
        let has_gold = inputs.iter().any(|(part, _)| *part == InputPart::Gold);
        let patched = if has_gold { InputPart::Gold } else { InputPart::Only };
        let gold = inputs.iter_mut().filter(|(part, _)| *part == patched);
        give_patches(gold.map(|(_, input)| &mut **input), &self.patches)?;
        let mut meant: BTreeSet<String> = BTreeSet::new();
        let mut known: Vec<String> = Vec::new();
        for (part, input) in inputs {
            let names = [part.name().to_owned(), input.path.clone(), input.called()];
            self.fill(&mut input.describe, |name| {
                name.is_some_and(|name| names.iter().any(|it| it == name))
            });
            known.extend(names.last().cloned());
            meant.extend(names);
        }
        match self.named_inputs().find(|name| !meant.contains(*name)) {
            Some(unknown) => {
                Err(Error::unknown("input", unknown, known.iter().map(String::as_str)))
            }
            None => Ok(()),
        }
    }

    /// The inputs that something is said of.
    fn named_inputs(&self) -> impl Iterator<Item = &String> {
        let formats = self.from.iter().map(|said| &said.input);
        let units = self.unit.iter().map(|said| &said.input);
        let ends = self.end.iter().map(|said| &said.input);
        let columns = self.columns.iter().map(|said| &said.input);
        let shifts = self.shift.iter().map(|said| &said.input);
        formats.chain(units).chain(ends).chain(columns).chain(shifts).flatten()
    }

    fn fill(&self, describe: &mut FileDescription, is_meant: impl Fn(Option<&str>) -> bool) {
        fn last<T: Clone>(
            said: &[ForInput<T>],
            is_meant: impl Fn(Option<&str>) -> bool,
        ) -> Option<T> {
            let meant = said.iter().rev().find(|said| is_meant(said.input.as_deref()));
            meant.map(|said| said.value.clone())
        }
        describe.from = last(&self.from, &is_meant);
        describe.unit = last(&self.unit, &is_meant);
        describe.end = last(&self.end, &is_meant);
        describe.columns = last(&self.columns, &is_meant).unwrap_or_default();
        describe.shift = last(&self.shift, &is_meant);
    }
}

/// Takes out of the inputs those that are a name only, and the name of another one: they say which systems are meant.
pub fn take_named_systems(systems: &mut Vec<String>) -> Result<Vec<String>, Error> {
    let is_file = |text: &String| std::path::Path::new(text).exists();
    let given: Vec<String> = systems
        .iter()
        .filter_map(|text| Input::split_name(text).0)
        .map(|name| name.split('@').next().unwrap_or(name).to_owned())
        .collect();
    let is_name = |text: &String| given.contains(text) && !is_file(text);
    let (named, rest) = std::mem::take(systems).into_iter().partition(is_name);
    *systems = rest;
    // What has neither a folder nor an ending was hardly meant as a file.
    let is_unknown = |text: &&String| !text.contains(['=', '/', '.', ':']) && !is_file(text);
    match systems.iter().find(is_unknown).filter(|_| !given.is_empty()) {
        Some(unknown) => Err(no_system(unknown, given.iter().map(String::as_str))),
        None => Ok(named),
    }
}

/// A name that no system has.
pub fn no_system<'n>(name: &str, systems: impl Iterator<Item = &'n str>) -> Error {
    let mut names: Vec<&str> = systems.collect();
    names.dedup();
    let hint = format!("systems are {}", names.join(", "));
    Error::bad_request(format!("there is no system `{name}`"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_goes_before_what_is_said_of_all() {
        let unit = ["bytes", "a.tsv=utf16", "system=tokens"].map(|text| text.parse().unwrap());
        let said = SaidOfInputs { unit: unit.to_vec(), ..SaidOfInputs::default() };
        assert_eq!(said.of_all().unit, Some(OffsetUnit::Bytes));
        let (mut gold, mut system) = (InputRequest::parse("a.tsv"), InputRequest::parse("b.tsv"));
        said.describe([(InputPart::Gold, &mut gold), (InputPart::System, &mut system)]).unwrap();
        assert_eq!(gold.describe.unit, Some(OffsetUnit::Utf16));
        assert_eq!(system.describe.unit, Some(OffsetUnit::Tokens));
    }

    #[test]
    fn an_input_that_is_not_there_is_refused_with_those_that_are() {
        let shift = vec!["c.tsv=-1".parse().unwrap()];
        let said = SaidOfInputs { shift, ..SaidOfInputs::default() };
        let refused = said.inputs(InputPart::Only, &["a=x.tsv".to_owned()]).unwrap_err();
        assert_eq!(refused.to_string(), "there is no input `c.tsv`");
    }

    #[test]
    fn text_that_says_nothing_is_refused() {
        assert_eq!("half".parse::<ForInput<OffsetUnit>>(), Err(ForInputError::Unit));
        assert_eq!("gold=half".parse::<ForInput<End>>(), Err(ForInputError::End));
        assert_eq!("x".parse::<ForInput<i64>>(), Err(ForInputError::Shift));
        let columns = "gold:doc=id,link".parse::<ForInput<BTreeMap<String, String>>>();
        assert_eq!(columns, Err(ForInputError::Column("link".to_owned())));
    }

    #[test]
    fn systems_that_are_only_named_say_which_are_meant() {
        let mut systems = ["a=a.tsv", "b=b.tsv", "a"].map(str::to_owned).to_vec();
        assert_eq!(take_named_systems(&mut systems).unwrap(), ["a"]);
        assert_eq!(systems, ["a=a.tsv", "b=b.tsv"]);
        systems.push("c".to_owned());
        assert!(take_named_systems(&mut systems).is_err());
    }
}
