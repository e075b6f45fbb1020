//! What the words on all pages mean, and where more is said.

use super::TOPICS;
use crate::address::Address;
use crate::components::frame::link;
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use maud::html;

/// The first page of help.
#[derive(Debug)]
pub(crate) struct HelpIndex;

/// Words that stand on many pages, in the order in which a newcomer meets them.
static WORDS: [(&str, &str); 12] = [
    ("mention", "a piece of a text that means an entity, such as Paris"),
    ("link", "the entity that a mention means, by its id in a knowledge base, such as Q90"),
    ("NIL", "the answer that the knowledge base does not have the entity"),
    ("gold", "the links that people made, against which systems are measured"),
    ("run", "what one system answered on one benchmark"),
    (
        "link F1",
        "the balance of precision (how many answers are right) and recall (how many gold links are found)",
    ),
    (
        "95 %",
        "the interval in which the score would lie on other documents of the same kind, in 95 of 100 cases",
    ),
    ("rank 1–3", "the ranks that a system could have on other such documents"),
    ("group a, b, …", "systems that share a letter were not shown to differ"),
    (
        "won, lost",
        "mentions that only the second system has right, and those that only the first has right",
    ),
    (
        "signature",
        "one line that names all that decides a number: version, settings, files and draws",
    ),
    (
        "frozen link",
        "an address that names files by their content, and says later whether anything has changed",
    ),
];

/// The pages, by what one wants to know.
static PAGES: [(&[&str], &str, &str); 6] = [
    (&[], "Board", "who is better, as far as the data can tell"),
    (
        &["benchmarks"],
        "Benchmarks",
        "what the texts and the gold are like, and where gold may be wrong",
    ),
    (&["systems"], "Systems", "the runs of each system, and its scores over time"),
    (&["compare"], "Compare", "what one system has right where another is wrong, case by case"),
    (&["conventions"], "Conventions", "why the same output has other numbers in other papers"),
    (&["search"], "Search", "mentions, entities, documents and systems by name"),
];

impl Page for HelpIndex {
    fn path(&self) -> &'static str {
        "/help"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let body = html! {
            h2 { "Where to find what" }
            dl.facts { @for (path, words, about) in &PAGES {
                dt { (link(asked.links, &Address::path(path.iter().copied()), &html! { (words) })) }
                dd { (about) }
            } }
            h2 { "Words" }
            dl.facts { @for (word, about) in &WORDS { dt { (word) } dd { (about) } } }
            h2 { "Definitions" }
            dl.facts {
                @for topic in &TOPICS {
                    dt { (link(asked.links, &Address::path(["help", topic.name]), &html! { (topic.several) })) }
                    dd { (topic.about) }
                }
                dt { (link(asked.links, &Address::path(["api"]), &html! { "API" })) }
                dd { "what programs can ask of this server" }
            }
            p.scripted { "Many pages have keys of one letter: press " kbd { "?" } " for the list, where they can be turned off as well." }
        };
        Ok(PageContent {
            title: "Help".to_owned(),
            sentence: Some(
                "karat measures entity linking: how well systems find mentions in texts and link them to entities."
                    .to_owned(),
            ),
            here: asked.here(Address::path(["help"])),
            body,
            ..PageContent::default()
        })
    }
}
