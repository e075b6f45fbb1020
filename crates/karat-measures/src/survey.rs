//! Answers of a survey: which share of people would annotate mentions of a category.

use crate::membership::{MembershipError, named_category};
use karat_model::DimensionCategory;
use std::collections::BTreeMap;

/// The share for each category. A line is a tag and a ratio, or a tag and how many said yes and no,
/// separated by tabs or commas; a first line may say what the columns are. Several ratios of a tag are
/// averaged, by how many were asked if that is said; several counts are added.
pub(crate) fn ratios(text: &str) -> Result<Vec<(DimensionCategory, f64)>, MembershipError> {
    let mut answers: BTreeMap<DimensionCategory, (f64, f64)> = BTreeMap::new();
    let mut columns: Option<Vec<Column>> = None;
    // Spreadsheets begin their exports with a byte order mark.
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
        let at_line = |error: SurveyError| wrong(number, error);
        let fields = fields(line);
        let Some(columns) = &columns else {
            let is_heading = is_heading(&fields);
            let found = if is_heading { headed(&fields) } else { usual(&fields) };
            let found = columns.insert(found.map_err(at_line)?);
            if !is_heading {
                add(&mut answers, found, &fields).map_err(at_line)?;
            }
            continue;
        };
        add(&mut answers, columns, &fields).map_err(at_line)?;
    }
    if answers.is_empty() {
        return Err(wrong(1, SurveyError::Empty));
    }
    // Part and whole are added up and divided once, so that several lines of a tag are weighted by
    // how many answered.
    Ok(answers.into_iter().map(|(category, (part, whole))| (category, part / whole)).collect())
}

/// What is wrong with a line of a survey.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum SurveyError {
    #[error("no answers")]
    Empty,
    #[error("no column of a survey is called `{0}`: expected {known}", known = headings())]
    Heading(String),
    #[error("the columns {0} do not say which share said yes")]
    Headings(String),
    #[error("expected 2 or 3 fields, found {0}")]
    Width(usize),
    #[error("expected {wanted} fields as in the first line, found {found}")]
    OtherWidth { wanted: usize, found: usize },
    #[error("`{0}` is no category tag")]
    Tag(String),
    #[error("`{0}` is no number of people")]
    People(String),
    #[error("`{0}` is no ratio from 0 to 1")]
    Ratio(String),
    #[error("it does not say which share said yes")]
    NoShare,
    #[error("more people said it than were asked")]
    TooMany,
    #[error("nobody answered")]
    Nobody,
}

fn headings() -> String {
    let known: Vec<&str> = HEADINGS.iter().flat_map(|(_, names)| *names).copied().collect();
    known.join(", ")
}

/// What a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Tag,
    /// Which share said yes.
    Ratio,
    /// How many said yes.
    Yes,
    /// How many said no.
    No,
    /// How many were asked.
    All,
}

/// What columns are called.
const HEADINGS: [(Column, &[&str]); 5] = [
    (Column::Tag, &["tag", "category"]),
    (Column::Ratio, &["ratio", "share", "proportion", "mean", "average", "membership", "weight"]),
    (Column::Yes, &["yes", "for", "agree"]),
    (Column::No, &["no", "against", "disagree"]),
    (Column::All, &["all", "total", "respondents", "answers", "people", "n"]),
];

fn fields(line: &str) -> Vec<&str> {
    let separator = if line.contains('\t') { '\t' } else { ',' };
    line.split(separator).map(|field| field.trim().trim_matches('"').trim()).collect()
}

/// Whether a first line says what the columns are: none of it is a tag or a number.
fn is_heading(fields: &[&str]) -> bool {
    // Not a single number, and no tag in the first column: data always have both.
    fields.iter().all(|field| field.parse::<f64>().is_err())
        && fields.first().is_none_or(|tag| named_category(tag).is_none())
}

/// The columns that a heading names.
fn headed(fields: &[&str]) -> Result<Vec<Column>, SurveyError> {
    let column = |name: &&str| {
        let is_it = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let known = HEADINGS.iter().find(|(_, names)| is_it(names));
        known.map(|(column, _)| *column).ok_or_else(|| SurveyError::Heading((*name).to_owned()))
    };
    let columns: Vec<Column> = fields.iter().map(column).collect::<Result<_, _>>()?;
    let mut sorted = columns.clone();
    sorted.sort_by_key(|column| *column as u8);
    use Column::{All, No, Ratio, Tag, Yes};
    match sorted.as_slice() {
        [Tag, Ratio] | [Tag, Ratio, All] | [Tag, Yes, No] | [Tag, Yes, All] | [Tag, No, All] => {
            Ok(columns)
        }
        _ => Err(SurveyError::Headings(fields.join(", "))),
    }
}

/// The columns of a table without a heading.
fn usual(fields: &[&str]) -> Result<Vec<Column>, SurveyError> {
    match fields.len() {
        2 => Ok(vec![Column::Tag, Column::Ratio]),
        3 => Ok(vec![Column::Tag, Column::Yes, Column::No]),
        other => Err(SurveyError::Width(other)),
    }
}

/// Adds the answer of a line to those of its category.
fn add(
    answers: &mut BTreeMap<DimensionCategory, (f64, f64)>,
    columns: &[Column],
    fields: &[&str],
) -> Result<(), SurveyError> {
    if columns.len() != fields.len() {
        let (wanted, found) = (columns.len(), fields.len());
        return Err(SurveyError::OtherWidth { wanted, found });
    }
    let field = |wanted: Column| {
        let at = columns.iter().position(|column| *column == wanted)?;
        fields.get(at).copied()
    };
    let tag = field(Column::Tag).unwrap_or_default();
    let (part, whole) = share(&field)?;
    let category = named_category(tag).ok_or_else(|| SurveyError::Tag(tag.to_owned()))?;
    let sums = answers.entry(category).or_default();
    *sums = (sums.0 + part, sums.1 + whole);
    Ok(())
}

/// Sums of more would not be exact.
const MOST: f64 = 1e12;

/// The answer of a line as a part of a whole.
fn share<'t>(field: &impl Fn(Column) -> Option<&'t str>) -> Result<(f64, f64), SurveyError> {
    let number = |field: &str| field.parse().ok().filter(|n: &f64| (0.0..=MOST).contains(n));
    let count = |column: Column| match field(column) {
        None => Ok(None),
        Some(text) => number(text).map(Some).ok_or_else(|| SurveyError::People(text.to_owned())),
    };
    let (yes, no, all) = (count(Column::Yes)?, count(Column::No)?, count(Column::All)?);
    if let Some(text) = field(Column::Ratio) {
        let ratio = number(text).filter(|ratio| *ratio <= 1.0);
        let ratio = ratio.ok_or_else(|| SurveyError::Ratio(text.to_owned()))?;
        // A ratio alone counts as one answer, so that lines without numbers of people weigh the
        // same.
        let all = all.unwrap_or(1.0);
        return if all > 0.0 { Ok((ratio * all, all)) } else { Err(SurveyError::Nobody) };
    }
    let (part, whole) = match (yes, no, all) {
        (Some(yes), Some(no), _) => (yes, yes + no),
        (Some(yes), _, Some(all)) => (yes, all),
        (_, Some(no), Some(all)) => (all - no, all),
        _ => return Err(SurveyError::NoShare),
    };
    match whole > 0.0 {
        true if (0.0..=whole).contains(&part) => Ok((part, whole)),
        true => Err(SurveyError::TooMany),
        false => Err(SurveyError::Nobody),
    }
}

fn wrong(line: usize, error: SurveyError) -> MembershipError {
    MembershipError {
        message: format!("line {line}: {error}"),
        hint: "write a tag and a ratio on each line, or a tag and how many said yes and no, separated by tabs or commas"
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_averaged_and_counts_are_added() {
        let shown = |text: &str| {
            ratios(text).map(|found| {
                found.iter().map(|(at, ratio)| format!("{} {ratio}", at.el())).collect::<Vec<_>>()
            })
        };
        let of = |text: &str, expected: &[&str]| {
            assert_eq!(shown(text).unwrap(), expected, "{text}");
        };
        of("Mnt-Full\t0.25\n", &["Mnt-Full 0.25"]);
        of("tag\tratio\nel:Mnt-Full\t0.25\nMnt-Full\t0.75\n", &["Mnt-Full 0.5"]);
        of("Mnt-Full\t3\t1\nMnt-Full\t0\t4\n", &["Mnt-Full 0.375"]);
        of("# Figure 2\n\nVerbPoS\t1\n", &["PoS-Verb 1"]);
        // 36 people, then 4: what is said about how many were asked counts.
        let asked = "tag\tratio\trespondents\nMnt-Full\t0.75\t36\nMnt-Full\t0.25\t4\n";
        of(asked, &["Mnt-Full 0.7"]);
        of("tag,yes,total\nMnt-Full,27,36\n", &["Mnt-Full 0.75"]);
        of("Tag\tagainst\tfor\nMnt-Full\t9\t27\n", &["Mnt-Full 0.75"]);
        of("tag\tn\tno\nMnt-Full\t36\t9\n", &["Mnt-Full 0.75"]);
        of("\u{feff}\"category\",\"ratio\"\r\n\"Mnt-Full\",0.5\r\n", &["Mnt-Full 0.5"]);
        for (text, line) in [
            ("", "line 1"),
            ("Mnt-Full\t1.5", "line 1"),
            ("Mnt-Full\t0.5\nMnt-Empty\t0.5", "line 2"),
            ("Mnt-Full\t0\t0", "line 1"),
            ("Mnt-Full\tNaN", "line 1"),
            ("Mnt-Full\t-1\t3", "line 1"),
            ("Mnt-Full", "line 1"),
            ("Mnt-Full\tinf\tinf", "line 1"),
            ("Mnt-Full\t1e308\t1e308", "line 1"),
            ("Mnt-Full\t0.5\nMnt-Full\t3\t1", "line 2: expected 2 fields"),
            ("tag\tratio\tage\nMnt-Full\t0.5\t36", "line 1: no column of a survey is called `age`"),
            ("tag\tyes\tyes\nMnt-Full\t1\t2", "line 1: the columns tag, yes, yes do not"),
            ("tag\tyes\ttotal\nMnt-Full\t5\t2", "line 2: more people"),
            ("tag\tratio\tn\nMnt-Full\t0.5\t0", "line 2: nobody"),
        ] {
            let error = ratios(text).unwrap_err();
            assert!(error.message.starts_with(line), "{text:?}: {error}");
        }
    }
}
