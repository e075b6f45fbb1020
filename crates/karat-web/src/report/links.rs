//! Where the pages of a report are.

use super::plan::ReportPage;
use super::{HiddenTexts, ReportOptions};
use crate::address::{Address, AssetPlace, Links};
use crate::page::convention_text;
use karat::documents::DocumentAnswer;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// How a report is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportLayout {
    /// One file: pages are parts of it.
    File,
    /// A folder: pages are files in it.
    Site,
}

/// Everything that a report carries, by address.
#[derive(Debug)]
pub(super) struct Carried {
    layout: ReportLayout,
    convention: String,
    measure: String,
    hidden: HiddenTexts,
    /// The names of benchmarks by what addresses call them.
    benchmarks: BTreeMap<String, String>,
    pages: BTreeMap<Vec<String>, CarriedPage>,
    /// Comparisons of two the other way round: they are the same comparison.
    reversed: BTreeMap<Vec<String>, Vec<String>>,
}

/// A page that a report carries.
#[derive(Debug, Default)]
struct CarriedPage {
    /// Places on the page by what is asked: values of `show` and `where`.
    parts: Vec<(String, String, String)>,
    /// For a document: the numbers of its cases by where they start and end, and the systems that it shows.
    cases: HashMap<(u32, u32), usize>,
    systems: Vec<String>,
}

impl Carried {
    pub(super) fn new(
        layout: ReportLayout,
        options: &ReportOptions,
        benchmarks: BTreeMap<String, String>,
        planned: &[ReportPage],
    ) -> Carried {
        let pages = planned.iter().map(|page| {
            let parts = page.parts.iter().map(|part| {
                let asked = |key: &str| {
                    let found = part.query.iter().find(|(known, _)| *known == key);
                    found.map(|(_, value)| value.clone()).unwrap_or_default()
                };
                (asked("show"), asked("where"), part.id.clone())
            });
            let carried = CarriedPage { parts: parts.collect(), ..CarriedPage::default() };
            (page.address.parts().to_vec(), carried)
        });
        let reversed = planned.iter().filter_map(|page| {
            let [compare, runs] = page.address.parts() else { return None };
            let (first, second) = runs.split_once("..").filter(|_| compare == "compare")?;
            let other = vec![compare.clone(), format!("{second}..{first}")];
            (!second.contains("..")).then(|| (other, page.address.parts().to_vec()))
        });
        Carried {
            layout,
            reversed: reversed.collect(),
            convention: convention_text(&options.convention),
            measure: options.measure.clone(),
            hidden: options.hidden_texts.clone(),
            benchmarks,
            pages: pages.collect(),
        }
    }

    /// Notes where the cases of a document are, so that lists of cases can lead to them.
    pub(super) fn note_cases(
        &mut self,
        address: &Address,
        answer: &DocumentAnswer,
        systems: Vec<String>,
    ) {
        if let Some(page) = self.pages.get_mut(address.parts()) {
            page.cases =
                answer.cases.iter().map(|case| ((case.start, case.end), case.number)).collect();
            page.systems = systems;
        }
    }

    /// The page that an address means, and the place on it; `None` if the report does not carry it.
    fn place<'c>(&'c self, address: &'c Address) -> Option<(&'c [String], String)> {
        let parts = self.reversed.get(address.parts()).map_or(address.parts(), Vec::as_slice);
        let page = self.pages.get(parts)?;
        let mut fragment = address.fragment().unwrap_or_default().to_owned();
        let (mut show, mut filter) = (String::new(), String::new());
        for (key, value) in address.query() {
            match *key {
                "as" if *value == self.convention => {}
                "m" if *value == self.measure => {}
                "show" => show.clone_from(value),
                "where" => filter.clone_from(value),
                "runs" if value.split(',').all(|run| page.shows(run)) => {}
                "at" => {
                    let (start, end) = value.split_once('-')?;
                    let place = (start.parse().ok()?, end.parse().ok()?);
                    fragment = page.cases.get(&place).map(|number| format!("c{number}"))?;
                }
                // Any other view was not asked beforehand.
                _ => return None,
            }
        }
        if show.is_empty() && filter.is_empty() {
            return Some((parts, fragment));
        }
        let fits = |part: &&(String, String, String)| {
            part.0 == show && (part.1 == filter || (filter.is_empty() && part.2 == "cases"))
        };
        page.parts.iter().find(fits).map(|(_, _, id)| (parts, id.clone()))
    }
}

impl CarriedPage {
    /// Whether a document shows a run, by its id or by what addresses call its system.
    fn shows(&self, run: &str) -> bool {
        let system = run.split('@').next().unwrap_or(run);
        self.systems.iter().any(|known| known == system)
    }
}

/// The links of one page of a report.
#[derive(Debug)]
pub(super) struct ReportLinks<'r> {
    pub(super) carried: &'r Carried,
    /// The page on which they stand.
    pub(super) here: &'r Address,
}

impl Links for ReportLinks<'_> {
    fn href(&self, address: &Address) -> Option<String> {
        let (parts, fragment) = self.carried.place(address)?;
        Some(match self.carried.layout {
            ReportLayout::File => format!("#{}", encoded(&id_of(parts, &fragment))),
            ReportLayout::Site => {
                let path = format!("{}{}", up(self.here), encoded(&file_of(parts)));
                let fragment = if fragment.is_empty() { fragment } else { format!("#{fragment}") };
                path + fragment.as_str()
            }
        })
    }

    fn assets(&self) -> AssetPlace {
        match self.carried.layout {
            ReportLayout::File => AssetPlace::Inside,
            ReportLayout::Site => AssetPlace::Beside(format!("{}assets/", up(self.here))),
        }
    }

    fn is_live(&self) -> bool {
        false
    }

    fn shows_texts(&self, benchmark: &str) -> bool {
        let name = self.carried.benchmarks.get(benchmark);
        !self.carried.hidden.has(name.map_or(benchmark, String::as_str))
    }
}

/// The id of a page, or of a place on it, in a report that is one file: its path.
pub(super) fn id_of(parts: &[String], fragment: &str) -> String {
    let path = format!("/{}", parts.join("/"));
    match (fragment.is_empty(), parts.is_empty()) {
        (true, _) => path,
        (false, true) => format!("/{fragment}"),
        (false, false) => format!("{path}/{fragment}"),
    }
}

/// The file of a page in a folder.
pub(super) fn file_of(parts: &[String]) -> String {
    match parts {
        [] => "index.html".to_owned(),
        parts => {
            let names: Vec<String> = parts.iter().map(|part| file_name(part)).collect();
            format!("{}.html", names.join("/"))
        }
    }
}

/// A part of a path as a name that every file system takes: long ones are cut and told apart by their digest.
fn file_name(part: &str) -> String {
    const LONGEST: usize = 120;
    if part.len() <= LONGEST {
        return part.to_owned();
    }
    let digest = Sha256::digest(part.as_bytes());
    let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let start: String = part.chars().take(20).collect();
    format!("{start}-{digest}")
}

/// The way from a page to the folder of the site.
pub(super) fn up(here: &Address) -> String {
    "../".repeat(here.parts().len().saturating_sub(1))
}

/// A path or an id as it stands in a link; slashes stay.
fn encoded(path: &str) -> String {
    let parts: Vec<String> = path.split('/').map(crate::address::encoded).collect();
    parts.join("/")
}
