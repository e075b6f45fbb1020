//! Statistics of benchmarks in groups, as pages show them.

use super::profile::Amount;
use super::stats::CollectionStatsAnswer;
use super::tables::{Part, counts_of_labels, names_of_figures};
use super::{mentions, profile::Profile};
use karat_model::Dimension;
use std::cmp::Ordering;

/// A group of statistics: ELEVANT's, those of the fine-grained categories, and GERBIL's features of datasets.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticsGroup {
    /// What it is called, in an address too.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// The statistics that at least one benchmark has.
    pub rows: Vec<StatisticsRow>,
}

/// One statistic of several benchmarks.
#[derive(Debug, Clone, PartialEq)]
pub struct StatisticsRow {
    /// The property, or `figure`.
    pub property: String,
    /// The label, or the name of the figure.
    pub label: String,
    /// One for each benchmark; `None` where it cannot be told.
    pub cells: Vec<Option<StatisticsCell>>,
    /// Whether the mentions that are counted can be listed (see [`super::MentionsRequest`]).
    pub is_listed: bool,
}

/// A statistic of one benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StatisticsCell {
    /// So many, and of how many where a share can be given.
    Count {
        /// How many.
        count: u64,
        /// Of how many; `None` for a plain count.
        of: Option<u64>,
    },
    /// A mean or a ratio.
    Number(f64),
}

impl StatisticsCell {
    /// The part of all, where there is one.
    pub fn share(self) -> Option<f64> {
        match self {
            StatisticsCell::Count { count, of: Some(of) } if of > 0 => {
                Some(count as f64 / of as f64)
            }
            _ => None,
        }
    }

    /// What rows are put in order by: the share where there is one.
    fn rank(self, by_share: bool) -> f64 {
        match self {
            StatisticsCell::Count { count, .. } => {
                self.share().filter(|_| by_share).unwrap_or(count as f64)
            }
            StatisticsCell::Number(number) => number,
        }
    }
}

/// The groups, with what belongs to each: names of figures, and properties.
const GROUPS: [(&str, &str, &[&str], &[&str]); 7] = [
    (
        "text",
        "documents and words",
        &[
            "documents",
            "documents with text",
            "documents without mentions",
            "words",
            "words per document",
            "words that are no punctuation",
            "sentences",
        ],
        &[],
    ),
    (
        "mentions",
        "how many mentions there are, and what they are linked to",
        &[
            "mentions",
            "mentions per document",
            "mentions per 100 words",
            "mentions per 100 words, mean over documents",
            "linked",
            "NIL",
            "without an answer",
            "share of linked mentions",
            "optional",
            "annotations with parts of alternatives",
            "NIL clusters",
        ],
        &["level", "optional", "unknown", "mention type", "case"],
    ),
    ("types", "types of entities", &[], &["type"]),
    ("words", "how many words a mention has", &[], &["words"]),
    ("tags", "tags, and categories by dimension", &[], &["tag", "difficulty"]),
    ("ambiguity", "forms and entities", &[], &[]),
    ("popularity", "how popular the entities are", &[], &["popularity"]),
];

impl CollectionStatsAnswer {
    /// The statistics in groups. What no benchmark can tell is left out, and a figure that belongs nowhere else is one of
    /// forms and entities.
    pub fn groups(&self) -> Vec<StatisticsGroup> {
        let figures = self.figure_rows();
        let shares = self.share_rows();
        let groups = GROUPS.into_iter().map(|(name, about, own, properties)| {
            let is_other = |label: &str| !GROUPS.iter().any(|group| group.2.contains(&label));
            let is_dimension =
                |property: &str| Dimension::ALL.iter().any(|known| known.key() == property);
            let of_group = |row: &&StatisticsRow| match row.property.as_str() {
                FIGURE => {
                    own.contains(&row.label.as_str()) || name == "ambiguity" && is_other(&row.label)
                }
                property => {
                    properties.iter().any(|known| {
                        property == *known
                            || property.starts_with("popularity") && *known == "popularity"
                    }) || name == "tags" && is_dimension(property)
                }
            };
            let rows = figures.iter().chain(&shares).filter(of_group).cloned().collect();
            StatisticsGroup { name, about, rows }
        });
        groups.filter(|group| !group.rows.is_empty()).collect()
    }

    /// The places of the benchmarks in the order of one statistic, the largest first or last. Those that do not have it
    /// come last either way.
    pub fn order_by(
        &self,
        property: &str,
        label: &str,
        by_share: bool,
        ascending: bool,
    ) -> Vec<usize> {
        let groups = self.groups();
        let row = groups.iter().flat_map(|group| &group.rows);
        let row = row.into_iter().find(|row| row.property == property && row.label == label);
        let value = |at: &usize| row?.cells.get(*at)?.map(|cell| cell.rank(by_share));
        let mut places: Vec<usize> = (0..self.benchmarks.len()).collect();
        places.sort_by(|a, b| match (value(a), value(b)) {
            (Some(a), Some(b)) if ascending => a.total_cmp(&b),
            (Some(a), Some(b)) => b.total_cmp(&a),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        });
        places
    }

    fn figure_rows(&self) -> Vec<StatisticsRow> {
        let mut rows = Vec::new();
        for name in names_of_figures(&self.benchmarks) {
            let cells = self.benchmarks.iter().map(|profile| profile.figure(name).map(figure));
            rows.push(row(FIGURE, name, cells.collect()));
            if name == "words" {
                let cells = self.benchmarks.iter().map(words_per_document);
                rows.push(row(FIGURE, "words per document", cells.collect()));
            }
        }
        rows.retain(|row| row.cells.iter().any(Option::is_some));
        rows
    }

    fn share_rows(&self) -> Vec<StatisticsRow> {
        let cell =
            |part: Part| part.map(|(count, of)| StatisticsCell::Count { count, of: Some(of) });
        let labels = counts_of_labels(&self.benchmarks).into_iter();
        labels
            .map(|(property, label, parts)| {
                row(property, label, parts.into_iter().map(cell).collect())
            })
            .collect()
    }
}

/// The property of figures.
pub(super) const FIGURE: &str = "figure";

fn row(property: &str, label: &str, cells: Vec<Option<StatisticsCell>>) -> StatisticsRow {
    let is_listed = mentions::can_list(property, label);
    StatisticsRow { property: property.to_owned(), label: label.to_owned(), cells, is_listed }
}

fn figure(amount: Amount) -> StatisticsCell {
    match amount {
        Amount::Count(count) => StatisticsCell::Count { count, of: None },
        Amount::Number(number) => StatisticsCell::Number(number),
    }
}

/// GERBIL gives the average number of tokens; both counts are in every profile.
fn words_per_document(profile: &Profile) -> Option<StatisticsCell> {
    let count = |name: &str| match profile.figure(name)? {
        Amount::Count(count) => Some(count),
        Amount::Number(_) => None,
    };
    let (words, documents) = (count("words")?, count("documents with text")?);
    (documents > 0).then(|| StatisticsCell::Number(words as f64 / documents as f64))
}
