//! Tables 2 and 3, and the tables of the appendix.

use super::printed::{TABLE_2, TABLE_3};
use super::{DATASETS, SYSTEMS, Study, expected};
use crate::reproduce::{Data, Row, Section, Verdict};
use crate::scoring::Board;
use karat_formats::Problem;
use karat_measures::Result as Scored;
use karat_model::{Corpus, Dimension, DimensionCategory, MarkKind, Mention};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The type of what has no other.
const REST: &str = "Miscellany";

const SCORES: [(&str, &str); 3] = [("P", "precision"), ("R", "recall"), ("F1", "f1")];

impl Study {
    pub(super) fn table_2(&self) -> Section {
        let mut rows = Vec::new();
        for (name, what, printed) in TABLE_2 {
            for (at, ((dataset, ..), gold)) in DATASETS.iter().zip(&self.datasets).enumerate() {
                let computed = count(gold, what);
                let row = Row::new(&[name, dataset], printed[at], computed.to_string());
                let untyped = count_where(gold, |mention| mention.types().next().is_none());
                let unlinked = count_where(gold, |mention| {
                    is_of_type(mention, what) && mention.entity().is_none()
                });
                rows.push(match row.verdict {
                    Verdict::Differs
                        if printed[at] == (computed - unlinked).to_string() =>
                    {
                        let without = computed - unlinked;
                        row.judged(Verdict::Slip).note(&format!(
                            "{without} without the {unlinked} that are NIL, which all other rows count"
                        ))
                    }
                    _ if what == REST && untyped > 0 => {
                        row.note(&format!("with {untyped} that this release gives no type"))
                    }
                    _ => row,
                });
            }
        }
        let rest = "One cell is not what the data hold: the paper leaves NIL out of the organisations of ACE2004, and of \
                    nothing else.";
        Section::new("Table 2: the datasets", &["row", "dataset"], rows, &[rest])
    }

    pub(super) fn table_3(&self) -> Result<Section, Problem> {
        let board = self.score(&Study::by_tag()?, &self.gold);
        let mut rows = Vec::new();
        for (tag, name, mentions, printed) in TABLE_3 {
            let found = mentions_of(&board, tag);
            rows.push(Row::new(&[name, "", "mentions"], mentions, found.to_string()));
            let mut printed = printed.split(' ');
            for (system, (short, _)) in SYSTEMS.iter().enumerate() {
                for (score, key) in SCORES {
                    let computed = result(&board, system, tag).map(|result| shown(result, key));
                    let labels = [name, *short, score];
                    let printed = printed.next().unwrap_or_default();
                    rows.push(Row::new(&labels, printed, computed.unwrap_or_default()));
                }
            }
        }
        let remark = "Printed as the paper does: two decimals, half to even, without trailing noughts; a precision of \
                      nothing is `0`, a precision of nothing right `0.0`.";
        let gold = "With the release of gold of May 2019, which the authors keep with their code, five numbers would \
                    differ: 518 adjectives and 826 minimal overlaps in place of 516 and 825, and a score of Br, T and \
                    Bs in these two rows.";
        Ok(Section::new(
            "Table 3: systems by category, the three datasets as one",
            &["category", "system", "score"],
            rows,
            &[remark, gold],
        ))
    }

    /// A table for each dataset.
    pub(super) fn appendix(&self, data: &Data) -> Result<Vec<Section>, Problem> {
        let scoring = Study::by_tag()?;
        let mut sections = Vec::new();
        let boards: Vec<Board> =
            self.datasets.par_iter().map(|gold| self.score(&scoring, gold)).collect();
        for ((dataset, file, _), board) in DATASETS.iter().zip(boards) {
            let reference = expected(data, &format!("appendix_{file}.json"))?;
            let mut rows = Vec::new();
            for category in DimensionCategory::ALL {
                let tag = category.el();
                let of_tag = reference.as_ref().and_then(|all| all.get(format!("el:{tag}")));
                let printed = of_tag.and_then(|of| of.get("n_mentions")).map(ToString::to_string);
                let found = mentions_of(&board, tag).to_string();
                rows.push(Row::new(&[tag, "", "mentions"], &printed.unwrap_or_default(), found));
                for (system, (short, _)) in SYSTEMS.iter().enumerate() {
                    let of_system = of_tag.and_then(|of| of.get(*short));
                    let number = |key: &str| of_system.and_then(|of| of.get(key)?.as_f64());
                    let predicted = number("tp").zip(number("fp")).map(|(tp, fp)| tp + fp);
                    for (score, key) in SCORES {
                        let none = predicted == Some(0.0) && score == "P";
                        let printed = number(score).map(|value| printed_as(value, none));
                        let computed = match result(&board, system, tag) {
                            Some(result) => shown(result, key),
                            None => printed_as(0.0, score == "P"),
                        };
                        let labels = [tag, *short, score];
                        rows.push(Row::new(&labels, &printed.unwrap_or_default(), computed));
                    }
                }
            }
            let remark = "`printed` is a reference computed from the same release of gold by another program, and rounded as in \
                          Table 3. The authors' own file is of the release of May 2019.";
            let title = format!("Appendix: {dataset}");
            let headings = &["category", "system", "score"];
            sections.push(Section::new(&title, headings, rows, &[remark]));
        }
        Ok(sections)
    }

    /// How many combinations of four tags there are.
    pub(super) fn combinations(&self) -> Section {
        let mut sets: BTreeSet<Vec<&str>> = BTreeSet::new();
        for document in self.gold.documents() {
            for mention in document.mentions() {
                let mut tags: Vec<&str> =
                    mention.tags().filter(|tag| Dimension::of(tag).is_some()).collect();
                tags.sort_by_key(|tag| DimensionCategory::of(tag));
                sets.insert(tags);
            }
        }
        let one_of_each = |tags: &&Vec<&str>| {
            let dimensions: Vec<Dimension> =
                tags.iter().filter_map(|tag| Dimension::of(tag)).collect();
            dimensions == Dimension::ALL
        };
        let whole = sets.iter().filter(one_of_each).count();
        let row = Row::new(&["combinations"], "123", whole.to_string());
        let row = match row.verdict {
            // What the releases have, and the axis of the figure.
            Verdict::Differs if whole == 99 => row.judged(Verdict::Slip).note(&format!(
                "{} distinct sets of tags; Figure 4 ends at about 98 as well",
                sets.len()
            )),
            _ => row,
        };
        let remark = "No release of gold has 123 combinations of four tags, and no other way to count gives 123.";
        Section::new("Section 5: combinations of tags", &["what"], vec![row], &[remark])
    }
}

/// What a row of Table 2 counts: a tag, a type, or something of the dataset.
fn count(gold: &Corpus, what: &str) -> usize {
    match what {
        "documents" => gold.len(),
        "sentences" => {
            let sentences =
                |document: karat_model::Document<'_>| document.marks_of(MarkKind::Sentence).count();
            gold.documents().map(sentences).sum()
        }
        "annotations" => count_where(gold, |_| true),
        what => count_where(gold, |mention| {
            let is_it =
                |tag: &str| DimensionCategory::of(tag).is_some_and(|found| found.el() == what);
            let is_rest = what == REST && mention.types().next().is_none();
            is_rest || mention.tags().any(is_it) || is_of_type(mention, what)
        }),
    }
}

fn count_where(gold: &Corpus, holds: impl Fn(&Mention<'_>) -> bool) -> usize {
    let mentions = gold.documents().flat_map(|document| document.mentions());
    mentions.filter(|mention| holds(mention)).count()
}

fn is_of_type(mention: &Mention<'_>, name: &str) -> bool {
    mention.types().any(|of| of == name)
}

/// The result of a system on a tag, or on everything.
fn result<'b>(board: &'b Board, system: usize, tag: &str) -> Option<&'b Scored> {
    let evaluation = &board.systems.get(system)?.evaluation;
    if tag == "All" {
        return evaluation.results.first();
    }
    evaluation.slices.iter().find(|slice| slice.label == tag)?.results.first()
}

fn mentions_of(board: &Board, tag: &str) -> usize {
    let counts = result(board, 0, tag).map(|result| result.counts.as_slice());
    match counts {
        Some(&[.., found, missed]) => (found + missed) as usize,
        _ => 0,
    }
}

/// A score in the manner of the paper.
fn shown(result: &Scored, score: &str) -> String {
    let predicted: f64 = result.counts.iter().take(2).sum();
    let value = result.micro.get(score).flatten().unwrap_or_default();
    printed_as(value, score == "precision" && predicted == 0.0)
}

/// Two decimals, half to even, without trailing noughts; nothing of nothing is `0`.
fn printed_as(value: f64, of_nothing: bool) -> String {
    if of_nothing {
        return "0".to_owned();
    }
    let rounded = format!("{value:.2}");
    rounded.strip_suffix('0').map_or(rounded.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_facets::order;

    #[test]
    fn scores_are_printed_as_in_the_paper() {
        for (value, expected) in [
            (0.375, "0.38"),
            (0.125, "0.12"),
            (0.175, "0.17"),
            (0.5, "0.5"),
            (1.0, "1.0"),
            (0.0, "0.0"),
            (0.996, "1.0"),
        ] {
            assert_eq!(printed_as(value, false), expected);
        }
        assert_eq!(printed_as(0.0, true), "0");
    }

    #[test]
    fn categories_are_in_the_order_of_the_table() {
        let tags: Vec<&str> = TABLE_3.iter().map(|(tag, ..)| *tag).collect();
        assert!(tags.is_sorted_by_key(|tag| order(tag)));
    }
}
