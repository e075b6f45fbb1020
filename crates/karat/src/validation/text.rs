//! Findings as lines of a terminal.

use super::answer::{FindingRecord, ValidatedInput};
use crate::inputs::counted;
use karat_model::{Hint, Severity};
use karat_report::visible;
use std::collections::BTreeMap;

const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// How many findings of a check are shown if not all are.
const SHOWN: usize = 10;

/// An input: what is in it, the first findings, and how many there are.
pub(super) fn lines(
    input: &ValidatedInput,
    list_all: bool,
    worded: &impl Fn(&Hint) -> String,
) -> String {
    let mut text = format!(
        "{BOLD}{}{PLAIN} ({}): {}, {}: {} linked, {} NIL, {} without answer\n",
        visible(&input.input),
        input.formats.join(", "),
        counted(input.documents, "document"),
        counted(input.annotations, "annotation"),
        input.linked,
        input.nil,
        input.unlinked
    );
    let shown = shown(&input.findings, list_all);
    text.extend(shown.iter().map(|finding| of_finding(finding)));
    let hidden = input.findings.len() - shown.len();
    if hidden > 0 {
        let rest = worded(&Hint::template("{verbose} lists all"));
        text += &format!("  and {hidden} more; {rest}\n");
    }
    text + &format!("  {}\n", summary(input, worded))
}

/// The first few findings of each check, or all.
fn shown(findings: &[FindingRecord], list_all: bool) -> Vec<&FindingRecord> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let few = findings.iter().filter(|&finding| {
        let count = counts.entry(finding.check.as_str()).or_default();
        *count += 1;
        list_all || *count <= SHOWN
    });
    few.collect()
}

/// A finding in two lines: what and where, and the text around it.
fn of_finding(finding: &FindingRecord) -> String {
    let colour = match finding.severity {
        Severity::Error => "\x1b[1m\x1b[91m",
        Severity::Warning => "\x1b[1m\x1b[93m",
        Severity::Note => "\x1b[1m\x1b[92m",
    };
    let document = visible(finding.document.as_deref().unwrap_or_default());
    let place = match (finding.start, finding.end) {
        (Some(start), Some(end)) => format!("{document} {start}..{end}"),
        _ => document,
    };
    let fix = if finding.fixable { " (can be fixed)" } else { "" };
    let mut lines = format!(
        "  {colour}{}{PLAIN} [{}] {place}: {}{fix}\n",
        finding.severity.name(),
        finding.check,
        visible(&finding.message)
    );
    if let Some([before, mention, after]) = &finding.context {
        let clean = |text: &str| visible(&text.replace(['\n', '\r', '\t'], " "));
        let (before, mention, after) = (clean(before), clean(mention), clean(after));
        lines += &format!("      {before}⟦{BOLD}{mention}{PLAIN}⟧{after}\n");
    }
    lines
}

fn summary(input: &ValidatedInput, worded: &impl Fn(&Hint) -> String) -> String {
    let total: usize = input.counts.values().sum();
    if total + input.unreadable == 0 {
        return "nothing to complain about".to_owned();
    }
    let unreadable = match input.unreadable {
        0 => String::new(),
        count => format!("{} could not be read; ", counted(count, "record")),
    };
    let counts: Vec<String> =
        input.counts.iter().map(|(check, count)| format!("{count} {check}")).collect();
    let counts =
        if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    let fix = match input.fixable {
        0 => String::new(),
        count => {
            let mends = Hint::template("{fix} mends ").text(count.to_string());
            format!("; {}", worded(&mends))
        }
    };
    format!("{unreadable}{}{counts}{fix}", counted(total, "finding"))
}
