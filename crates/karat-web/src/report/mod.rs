//! `karat report`: the same pages without a server.
//!
//! A report is a set of pages that were asked beforehand. `plan` decides which, `links` says where each of them
//! is, and the pages themselves are those of the server: nothing is rendered a second way. What nobody can answer
//! without a server (forms, other views) is left out by the pages themselves, which ask
//! [`Links::is_live`](crate::address::Links::is_live); a link to what the report does not carry is no link.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`file`](mod@file) | one file with everything in it |
//! | [`site`] | the same pages as files in folders |
//! | [`shared`] | the site of a shared evaluation, with its facts, results and feed |
//! | `scope` | makes the ids of a page those of a part of a longer page |

mod feed;
pub mod file;
mod links;
mod plan;
mod rendered;
mod scope;
pub mod shared;
pub mod site;
mod written;

#[cfg(test)]
mod tests;

pub use site::SiteFile;
pub use written::{WrittenSite, read_for_report, write_report, write_shared};

use crate::address::{Address, slug};
use karat::convention::ConventionRequest;
use maud::Markup;
use std::collections::BTreeSet;

/// What a report holds.
#[derive(Debug, Clone)]
pub struct ReportOptions {
    /// Its heading.
    pub title: String,
    /// A sentence or two under the heading.
    pub about: Option<String>,
    /// The convention under which everything is scored.
    pub convention: ConventionRequest,
    /// The measure of the board and of comparisons.
    pub measure: String,
    /// Which documents are shown.
    pub documents: DocumentsShown,
    /// Which systems are compared with each other; without any, all pairs of up to [`PAIRED`] systems.
    pub compare: Vec<Vec<String>>,
    /// Benchmarks, by name, whose texts must not be shown.
    pub hidden_texts: HiddenTexts,
    /// Further boards, by other measures or under other conventions.
    pub boards: Vec<ReportBoard>,
    /// What is shown on pages beside what they show themselves.
    pub facts: Vec<PageFacts>,
}

/// A further board of a report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportBoard {
    /// The convention.
    pub convention: ConventionRequest,
    /// The measure.
    pub measure: String,
}

impl ReportBoard {
    /// What it is called.
    pub fn name(&self) -> String {
        format!("{} as {}", self.measure, self.convention)
    }

    /// Where it is.
    pub fn address(&self) -> Address {
        Address::path(["boards", &slug(&self.name())])
    }
}

/// What is shown on a page of a report beside what it shows itself.
#[derive(Debug, Clone)]
pub struct PageFacts {
    /// The page.
    pub address: Address,
    /// Other pages that it leads to, by what they are called.
    pub links: Vec<(String, Address)>,
    /// What stands before the content.
    pub before: Markup,
    /// What stands after it.
    pub after: Markup,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            title: "Report".to_owned(),
            about: None,
            convention: ConventionRequest::default(),
            measure: "link".to_owned(),
            documents: DocumentsShown::default(),
            compare: Vec::new(),
            hidden_texts: HiddenTexts::default(),
            boards: Vec::new(),
            facts: Vec::new(),
        }
    }
}

/// Up to so many systems every two are compared, where nothing else is asked for. The number of pairs grows with the
/// square of it.
pub const PAIRED: usize = 10;

/// Text that says of no documents that they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write errors, all, or a number of documents")]
pub struct NoDocumentsShown;

/// Which documents a report shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DocumentsShown {
    /// Those in which a system makes an error.
    #[default]
    Errors,
    /// All.
    All,
    /// So many of each benchmark: those with the most errors.
    Worst(usize),
}

impl std::str::FromStr for DocumentsShown {
    type Err = NoDocumentsShown;

    fn from_str(text: &str) -> Result<DocumentsShown, NoDocumentsShown> {
        match text {
            "errors" => Ok(DocumentsShown::Errors),
            "all" => Ok(DocumentsShown::All),
            number => number.parse().map(DocumentsShown::Worst).map_err(|_| NoDocumentsShown),
        }
    }
}

/// Benchmarks whose texts must not be shown, because their licences do not allow it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HiddenTexts {
    /// None: all texts are shown.
    #[default]
    None,
    /// Those of these benchmarks, by name.
    Of(BTreeSet<String>),
    /// All.
    All,
}

impl HiddenTexts {
    /// Whether the texts of a benchmark are hidden.
    pub fn has(&self, benchmark: &str) -> bool {
        match self {
            HiddenTexts::None => false,
            HiddenTexts::Of(names) => names.contains(benchmark),
            HiddenTexts::All => true,
        }
    }
}
