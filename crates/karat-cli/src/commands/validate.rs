//! `karat validate`

use crate::arguments::{ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show;
use crate::wording::in_flags;
use clap::Args;
use karat::inputs::{InputPart, InputRequest};
use karat::report::Report;
use karat::request::Answer;
use karat::validation::{FixRequest, ValidationRequest, check_list};

/// Check files, list what is wrong, and mend what can be mended
///
/// First every record is read against its format: shape, offsets, surface forms. Then the corpus
/// is checked: mentions with white space at their edges or inside a word, duplicate and crossing
/// mentions, damaged links, category tags that contradict their scheme or the spans, with
/// --gold, documents that are missing, unknown or differ in their text, and, with --kb, links to what
/// is not there, to redirects and to lists of meanings.
///
/// Records that are wrong in a way that can be told from the rest are repaired while they are read. They are
/// findings too, and --fix writes them as they should be. Bad records never stop a validation; --lenient
/// is about those of --gold.
///
/// Exit code 0: nothing but notes; 1: warnings or errors of the checks, or repaired records; 2: records that
/// could not be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat validate gold.ttl
  karat validate runs/*.tsv --gold gold.tsv
  karat validate gold.ttl --fix --output gold.fixed.ttl
  karat validate gold.ttl --fix --fix-surface
      where the words of a mention are not those of the text, take the text's
  karat validate gold.ttl --rule '{tag@el:Mnt-ProForm}[el:Ref-Anaphoric](el:Ref-Direct)'
  karat validate gold.ttl --rules my-rules.txt --kb wikipedia.kb
  karat validate --list")]
pub(crate) struct Validate {
    /// What to check, each an input of its own: a file, a directory, `-`, or several joined by commas
    #[arg(value_name = "INPUT", required_unless_present = "list")]
    inputs: Vec<String>,
    /// The gold standard the files belong to
    #[arg(long, short, value_name = "GOLD")]
    gold: Option<String>,
    /// Apply the proposed fixes and write the file again
    #[arg(long)]
    fix: bool,
    /// With --fix: where the words of a mention are not those of the text at its offsets, take the text's
    #[arg(long, requires = "fix")]
    fix_surface: bool,
    /// Where --fix writes; by default over the input, which is kept as FILE.orig, FILE.orig.1 and so on
    #[arg(long, short, value_name = "FILE", requires = "fix")]
    output: Option<String>,
    /// A rule of your own, `{CONDITIONS}[TAGS TO ADD](TAGS TO REMOVE)`; may be given several times
    ///
    /// A condition is `tag@NAME`, the mention has this tag, or `mnt@TEXT`, its text is this. Those in
    /// `{a,b}` must all hold, of those in `<a,b>` one.
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// A file of rules, one on a line; a rule may have a name, as in `pronouns: {mnt@it}[el:Mnt-ProForm]`
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// A knowledge base of `karat kb build`, to look the links up in
    #[arg(long, value_name = "FILE")]
    kb: Option<String>,
    /// Only these checks, joined by commas; `rule` are all rules, the name of a rule that one
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    check: Vec<String>,
    /// List the checks there are
    #[arg(long)]
    list: bool,
    /// Form of the output
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Validate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.list {
            let report = Report::of(check_list());
            return printing::print(&report, self.format, terminal_width().or(Some(100)));
        }
        let request = self.request()?;
        let (work, bar) = self.reading.work();
        let validation = request.validate(&work);
        bar.clear();
        let mut validation = validation?;
        let quiet = self.reading.quiet;
        show::notices(validation.answer.notices(), quiet);
        let found = validation.answer.notices().len();
        printing::print(&validation.answer.worded(in_flags), self.format, terminal_width())?;
        let fixed = validation.fix(&work);
        let answer = validation.answer;
        show::notices(&answer.notices()[found..], quiet);
        fixed?;
        match answer.passes() {
            _ if answer.is_unreadable() => Err(Failure::BadInput),
            true => Ok(()),
            false => Err(Failure::Gate),
        }
    }

    fn request(&self) -> Result<ValidationRequest, Failure> {
        let mut inputs: Vec<InputRequest> =
            self.inputs.iter().map(|input| InputRequest::parse(input)).collect();
        let mut gold = self.gold.as_deref().map(InputRequest::parse);
        let parts = inputs.iter_mut().map(|input| (InputPart::Only, input));
        let gold_part = gold.iter_mut().map(|gold| (InputPart::Gold, gold));
        self.reading.said().describe(gold_part.chain(parts))?;
        let fix = FixRequest { surface: self.fix_surface, output: self.output.clone() };
        Ok(ValidationRequest {
            inputs,
            gold,
            kb: self.kb.clone(),
            checks: self.check.clone(),
            rules: self.rule.clone(),
            rules_file: self.rules.clone(),
            fix: self.fix.then_some(fix),
            reading: self.reading.request(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{described_inputs, read_back};
    use karat::inputs::Inputs;

    #[test]
    fn a_request_as_a_command_is_the_same_request() {
        let Inputs { gold, systems, reading, .. } = described_inputs();
        let rule = "{mnt@it}[el:Mnt-ProForm](el:Mnt-Full)".to_owned();
        let request = ValidationRequest {
            inputs: systems,
            gold: gold.into_iter().next(),
            kb: Some("my base.kb".to_owned()),
            checks: vec!["rule".to_owned(), "overlap".to_owned()],
            rules: vec![rule],
            rules_file: Some("rules.txt".to_owned()),
            fix: Some(FixRequest { surface: true, output: Some("fixed.ttl".to_owned()) }),
            reading,
        };
        let read: Validate = read_back(&request, 1);
        assert_eq!(read.request().ok(), Some(request));
    }
}
