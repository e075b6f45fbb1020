//! Cases as a table: one row each, with the mention in the middle of its text.

use super::context::mention_in_text;
use super::frame::link;
use super::name::{name, visible};
use super::table::score;
use crate::address::{Address, Links};
use karat::errors::{BesideOutcome, CaseGroup, CaseRow, MentionAnswer};
use maud::{Markup, html};

/// What a table of cases needs to know beside its rows.
pub struct CaseTable<'t> {
    /// How addresses become links.
    pub links: &'t dyn Links,
    /// What the table is of.
    pub caption: String,
    /// The system that stands beside, if there is one.
    pub beside: Option<&'t str>,
    /// The form that takes the rows that are selected, by its id; without it nothing can be selected.
    pub selection: Option<&'t str>,
    /// The document of a case, at the case.
    pub document: &'t dyn Fn(&CaseRow) -> Address,
}

impl CaseTable<'_> {
    /// The cases one by one.
    pub fn rows(&self, rows: &[CaseRow]) -> Markup {
        html! {
            div.scroll tabindex="0" role="region" aria-label=(self.caption) {
                table.caselist data-rows {
                    caption { (self.caption) }
                    thead { tr {
                        @if self.selection.is_some() { td.check {} }
                        th scope="col" class="kw" { "mention in its text" }
                        @for words in ["gold", "answer", "outcome"] { th scope="col" { (words) } }
                        @if let Some(beside) = self.beside { th scope="col" { (name(beside)) } }
                        @for words in ["category", "type"] { th scope="col" { (words) } }
                        th scope="col" class="n" { "conf." }
                        th scope="col" class="n" { abbr title="rank of the right answer among the candidates" { "rank" } }
                        th scope="col" { "document" }
                    } }
                    tbody { @for row in rows { (self.row(row)) } }
                }
            }
        }
    }

    fn row(&self, row: &CaseRow) -> Markup {
        html! {
            tr data-row data-case=(row.place()) {
                @if let Some(form) = self.selection { td.check { (pick(form, row)) } }
                td.kw { (link(self.links, &(self.document)(row), &mention_in_text(&row.in_text))) }
                td data-label="gold" { (answer(row.gold.as_ref(), "gold has nothing here")) }
                td data-label="answer" { (answer(row.prediction.as_ref(), "nothing was predicted here")) }
                td data-label="outcome" { (outcome(row.error.as_deref())) }
                @if self.beside.is_some() {
                    td data-label=[self.beside.map(visible)] { (beside(row.beside.as_ref())) }
                }
                td data-label="category" { (category(row)) }
                td data-label="type" {
                    @if row.types.is_empty() { (missing("no type is given")) }
                    @else { (name(&row.types.join(" "))) }
                }
                td.n data-label="conf." {
                    @match row.confidence {
                        Some(_) => (score(row.confidence)),
                        None => (missing("no confidence is given")),
                    }
                }
                td.n data-label="rank" { (rank(row)) }
                td data-label="document" { (name(&row.name)) }
            }
        }
    }

    /// What cases have in common, the most frequent first; `there` lists the cases of one.
    pub fn groups(
        &self,
        heading: &str,
        groups: &[CaseGroup],
        there: &dyn Fn(&CaseGroup) -> Address,
    ) -> Markup {
        html! {
            div.scroll tabindex="0" role="region" aria-label=(self.caption) {
                table.caselist.grouped data-rows {
                    caption { (self.caption) }
                    thead { tr {
                        th scope="col" class="n" { "cases" }
                        th scope="col" { (heading) }
                        th scope="col" { "outcome" }
                        th scope="col" class="kw" { "the first of them" }
                        th scope="col" { "document" }
                    } }
                    tbody {
                        @for group in groups { tr data-row data-case=(group.example.place()) {
                            td.n data-label="cases" { (link(self.links, &there(group), &html! { (group.count) })) }
                            th scope="row" { (said_by(heading, group)) }
                            td data-label="outcome" { (outcome(group.example.error.as_deref())) }
                            td.kw { (link(self.links, &(self.document)(&group.example), &mention_in_text(&group.example.in_text))) }
                            td data-label="document" { (name(&group.example.name)) }
                        } }
                    }
                }
            }
        }
    }
}

/// A list of cases with a place beside it, where a script shows the text of the row that is looked at. Without a script,
/// and on narrow screens, a row leads to its document.
pub fn with_text(links: &dyn Links, list: &Markup) -> Markup {
    html! {
        div.withtext {
            (list)
            @if links.is_live() {
                aside data-beside hidden tabindex="0" aria-label="Text of the row" {}
            }
        }
    }
}

/// A box that selects a row.
fn pick(form: &str, row: &CaseRow) -> Markup {
    let words =
        format!("select {}", visible(row.in_text.mention.as_deref().unwrap_or("this case")));
    html! { input type="checkbox" name="pick" value=(row.place()) form=(form) aria-label=(words); }
}

/// What the cases of a group have in common: entities with their names, as the first of them has them.
fn said_by(heading: &str, group: &CaseGroup) -> Markup {
    let CaseRow { gold, prediction, .. } = &group.example;
    let gold = || answer(gold.as_ref(), "gold has nothing here");
    let prediction = || answer(prediction.as_ref(), "nothing was predicted here");
    html! {
        @match heading {
            "gold" => (gold()),
            "answer" => (prediction()),
            "gold → answer" => { (gold()) " → " (prediction()) },
            _ => (name(&group.label)),
        }
    }
}

/// What one side says: the entity and its name, or why there is nothing.
pub fn answer(answer: Option<&MentionAnswer>, nothing: &str) -> Markup {
    html! {
        @match answer {
            None => (missing(nothing)),
            Some(MentionAnswer { entity: Some(entity), name: known, .. }) => {
                span.id { (name(entity)) }
                @if let Some(known) = known { " " span.soft { (name(known)) } }
            },
            Some(other) => (name(&other.to_string())),
        }
    }
}

/// What became of a case: a sign, its colour, and the word.
pub fn outcome(error: Option<&str>) -> Markup {
    let (class, sign, words) = match error {
        Some("correct link" | "right") => ("or", "●", "right"),
        Some("correct nil" | "right-nil") => ("or", "◉", "right, NIL"),
        Some("wrong-link") => ("ow", "≠", "wrong link"),
        Some("link-as-nil") => ("ow", "∅", "link as NIL"),
        Some("nil-as-link") => ("ow", "∄", "NIL as link"),
        Some("missing") => ("om", "○", "missed"),
        Some("extra") => ("ox", "+", "extra"),
        Some(_) | None => ("oi", "·", "not counted"),
    };
    html! { span class={ "outcome " (class) } { span.sign aria-hidden="true" { (sign) } " " (words) } }
}

fn beside(beside: Option<&BesideOutcome>) -> Markup {
    html! {
        @match beside {
            Some(BesideOutcome { error: None, prediction: None, .. }) | None => {
                (missing("it has nothing here"))
            },
            Some(beside) => {
                (outcome(beside.error.as_deref()))
                @if let Some(MentionAnswer { entity: Some(entity), .. }) = beside.prediction.as_ref().filter(|_| !beside.is_right) {
                    " " span.soft { (name(entity)) }
                }
            },
        }
    }
}

fn category(row: &CaseRow) -> Markup {
    html! {
        @match &row.category {
            Some(category) => (category.replace(['_', '-'], " ")),
            None if row.is_open => (missing("needs a knowledge base")),
            None if row.is_wrong => (missing("no category is told")),
            None => (missing("not an error")),
        }
    }
}

fn rank(row: &CaseRow) -> Markup {
    html! {
        @match row.rank {
            Some(rank) => { (rank) span.soft { " of " (row.candidates) } },
            None if row.candidates == 0 => (missing("no candidates are given")),
            None if row.gold.is_none() => (missing("gold has nothing here")),
            None => (missing("the right answer is not among the candidates")),
        }
    }
}

/// A dash that says why.
pub fn missing(why: &str) -> Markup {
    html! { span.missing title=(why) { span aria-hidden="true" { "–" } span.said { (why) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Paths;
    use karat::errors::MentionInText;

    fn table<'t>(document: &'t dyn Fn(&CaseRow) -> Address) -> CaseTable<'t> {
        CaseTable {
            links: &Paths,
            caption: "Cases".to_owned(),
            beside: Some("b"),
            selection: Some("picked"),
            document,
        }
    }

    fn row() -> CaseRow {
        CaseRow {
            document: 3,
            number: 2,
            name: "<d>\u{202e}".to_owned(),
            in_text: MentionInText {
                before: "<i>before\n".to_owned(),
                mention: Some("<script>".to_owned()),
                is_cut: [true, false],
                ..MentionInText::default()
            },
            gold: Some(MentionAnswer {
                entity: Some("Q142".to_owned()),
                name: Some("France".to_owned()),
                literal: None,
            }),
            error: Some("missing".to_owned()),
            is_wrong: true,
            ..CaseRow::default()
        }
    }

    #[test]
    fn rows_have_what_there_is_and_say_what_there_is_not() {
        let there = |row: &CaseRow| Address::document("sample", row.document);
        let markup = table(&there).rows(&[row()]).into_string();
        assert!(!markup.contains("<script>") && !markup.contains("<i>"), "{markup}");
        assert!(!markup.contains('\u{202e}'), "{markup}");
        assert!(markup.contains("href=\"/benchmarks/sample/3\""), "{markup}");
        assert!(markup.contains("data-case=\"3.2\""), "{markup}");
        assert!(markup.contains("<bdi>Q142</bdi>") && markup.contains("France"), "{markup}");
        assert!(markup.contains("missed"), "{markup}");
        for why in ["nothing was predicted here", "no confidence is given", "no candidates"] {
            assert!(markup.contains(why), "{why}: {markup}");
        }
    }

    #[test]
    fn groups_count_and_lead_to_their_cases() {
        let there = |row: &CaseRow| Address::document("sample", row.document);
        let group = CaseGroup {
            label: "Q142 → -".to_owned(),
            count: 7,
            filter: "gold=Q142 predicted=-".to_owned(),
            example: row(),
        };
        let listed = |group: &CaseGroup| Address::run("r").with("where", group.filter.clone());
        let markup = table(&there).groups("gold → answer", &[group], &listed).into_string();
        assert!(markup.contains(">7</a>"), "{markup}");
        assert!(markup.contains("where=gold=Q142%20predicted=-"), "{markup}");
        assert!(markup.contains("France") && markup.contains(" → "), "{markup}");
    }
}
