//! Which pages a report has.

use super::{DocumentsShown, PAIRED, ReportBoard, ReportOptions};
use crate::address::Address;
use crate::components::wording::listed;
use crate::page::{Page, convention_text};
use crate::pages;
use crate::refusal::Refusal;
use crate::workbench::{Catalogue, CatalogueBenchmark, CatalogueRun, Workbench};
use karat::conditions::Where;
use karat::documents::{DocumentsAnswer, DocumentsOrder, DocumentsRequest};
use karat::errors::ErrorRatesRequest;

/// How many cases of a kind a run lists. The texts have all of them.
const CASES: usize = 500;

/// What a page of a report is about: the groups of the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Board,
    Benchmark,
    System,
    Run,
    Comparison,
    Number,
    Document,
}

/// A page of a report.
pub(super) struct ReportPage {
    pub(super) page: &'static dyn Page,
    pub(super) group: Group,
    pub(super) address: Address,
    pub(super) parameters: Vec<(String, String)>,
    /// What is shown of it: one part for most, several for a page with tabs.
    pub(super) parts: Vec<ReportPart>,
    /// What the contents call it.
    pub(super) name: String,
}

/// A part of a page: a view of it that was asked beforehand.
pub(super) struct ReportPart {
    /// Its place on the page; empty if the page has only this part.
    pub(super) id: String,
    /// Its heading on the page.
    pub(super) heading: Option<String>,
    /// What is asked of the page.
    pub(super) query: Vec<(&'static str, String)>,
}

/// All pages of a report, in the order in which they are read.
pub(super) fn plan(
    workbench: &Workbench,
    options: &ReportOptions,
) -> Result<Vec<ReportPage>, Refusal> {
    let catalogue = workbench.catalogue();
    let planner = Planner { workbench, options, catalogue: &catalogue };
    let mut pages = vec![planner.board()];
    pages.extend(options.boards.iter().map(|board| planner.further_board(board)));
    for run in &catalogue.runs {
        pages.push(planner.run(run)?);
    }
    pages.extend(planner.comparisons()?);
    if catalogue.benchmarks.len() > 1 {
        pages.extend(planner.systems());
        pages.push(planner.benchmarks());
    }
    pages.extend(catalogue.runs.iter().map(|run| planner.number(run)));
    for benchmark in &catalogue.benchmarks {
        pages.push(planner.benchmark(benchmark));
        pages.extend(planner.documents(benchmark)?);
    }
    Ok(pages)
}

struct Planner<'p> {
    workbench: &'p Workbench,
    options: &'p ReportOptions,
    catalogue: &'p Catalogue,
}

impl Planner<'_> {
    /// A part with what everything in a report is asked with.
    fn part(&self, id: &str, heading: Option<String>, more: &[(&'static str, &str)]) -> ReportPart {
        let convention = convention_text(&self.options.convention);
        let mut query: Vec<(&'static str, String)> =
            more.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        if !convention.is_empty() {
            query.push(("as", convention));
        }
        ReportPart { id: id.to_owned(), heading, query }
    }

    /// The measure, where it is not what pages show by themselves.
    fn measure(&self) -> Vec<(&'static str, &str)> {
        match self.options.measure.as_str() {
            "link" => Vec::new(),
            other => vec![("m", other)],
        }
    }

    fn board(&self) -> ReportPage {
        let plot = if self.catalogue.benchmarks.len() > 1 { "heat-map" } else { "forest" };
        let mut query = self.measure();
        query.extend([("plot", plot), ("after", "all")]);
        ReportPage {
            page: &pages::board::Board,
            group: Group::Board,
            address: Address::board(),
            parameters: Vec::new(),
            parts: vec![self.part("", None, &query)],
            name: "Board".to_owned(),
        }
    }

    /// A board by another measure or under another convention. Its numbers have no pages of their own.
    fn further_board(&self, board: &ReportBoard) -> ReportPage {
        let convention = convention_text(&board.convention);
        let mut query = vec![("m", board.measure.clone()), ("after", "all".to_owned())];
        if !convention.is_empty() {
            query.push(("as", convention));
        }
        ReportPage {
            page: &pages::board::Board,
            group: Group::Board,
            address: board.address(),
            parameters: Vec::new(),
            parts: vec![ReportPart { id: String::new(), heading: None, query }],
            name: board.name(),
        }
    }

    fn run(&self, run: &CatalogueRun) -> Result<ReportPage, Refusal> {
        let mut parts = vec![
            self.part("measures", Some("Measures".to_owned()), &[]),
            self.part("slices", Some("Slices".to_owned()), &[("show", "slices")]),
            self.part("errors", Some("Errors".to_owned()), &[("show", "errors")]),
        ];
        for (place, (kind, count)) in self.kinds(run)?.into_iter().enumerate() {
            // The first list is also where the tab of all cases leads.
            let id = if place == 0 { "cases".to_owned() } else { format!("cases-{kind}") };
            let heading = match usize::try_from(count).is_ok_and(|count| count > CASES) {
                true => format!("Cases: {}, the first {CASES}", kind.replace('-', " ")),
                false => format!("Cases: {}", kind.replace('-', " ")),
            };
            let filter = Where::label("error", &kind).to_string();
            let rows = CASES.to_string();
            let query = [("show", "cases"), ("where", filter.as_str()), ("rows", rows.as_str())];
            parts.push(self.part(&id, Some(heading), &query));
        }
        parts.push(self.part("curves", Some("Curves".to_owned()), &[("show", "curves")]));
        let on = self.catalogue.benchmark(&run.benchmark)?;
        Ok(ReportPage {
            page: &pages::run::RunPage,
            group: Group::Run,
            address: Address::run(&run.id),
            parameters: vec![("id".to_owned(), run.id.clone())],
            parts,
            name: self.on(&run.system, on),
        })
    }

    /// A name with its benchmark, where there are several.
    fn on(&self, name: &str, benchmark: &CatalogueBenchmark) -> String {
        match self.catalogue.benchmarks.len() {
            1 => name.to_owned(),
            _ => format!("{name} on {}", benchmark.name),
        }
    }

    /// The kinds of errors that a run makes, with how many there are.
    fn kinds(&self, run: &CatalogueRun) -> Result<Vec<(String, u64)>, Refusal> {
        let benchmark = self.catalogue.benchmark(&run.benchmark)?;
        let counted = self.workbench.answer(&ErrorRatesRequest {
            inputs: self.catalogue.inputs(benchmark, [run]),
            convention: self.options.convention.clone(),
            system: run.system.clone(),
            beside: None,
        })?;
        let kinds = counted.kinds.iter();
        // Kinds of NIL are parts of those before them.
        let kinds =
            kinds.filter(|kind| kind.is_wrong && kind.count > 0 && !kind.kind.ends_with(" NIL"));
        Ok(kinds.map(|kind| (kind.kind.clone(), kind.count)).collect())
    }

    fn comparisons(&self) -> Result<Vec<ReportPage>, Refusal> {
        let mut compared = Vec::new();
        for benchmark in &self.catalogue.benchmarks {
            let runs: Vec<&CatalogueRun> = self.catalogue.runs_on(&benchmark.slug).collect();
            for chosen in self.chosen(&runs)? {
                compared.push(self.comparison(benchmark, &chosen));
            }
        }
        Ok(compared)
    }

    /// Who is compared with whom on one benchmark: all of them together, and every two.
    fn chosen<'r>(&self, runs: &[&'r CatalogueRun]) -> Result<Vec<Vec<&'r CatalogueRun>>, Refusal> {
        if !self.options.compare.is_empty() {
            let named = |name: &String| runs.iter().find(|run| run.system == *name).copied();
            for name in self.options.compare.iter().flatten() {
                if !self.catalogue.runs.iter().any(|run| run.system == *name) {
                    let names = self.catalogue.runs.iter().map(|run| run.system.as_str());
                    return Err(Refusal::missing("system", name, names));
                }
            }
            let groups = self.options.compare.iter();
            let groups = groups.map(|group| group.iter().filter_map(named).collect::<Vec<_>>());
            return Ok(groups.filter(|group| group.len() > 1).collect());
        }
        let mut groups = Vec::new();
        if runs.len() > 2 {
            groups.push(runs.to_vec());
        }
        if runs.len() <= PAIRED {
            for (at, first) in runs.iter().enumerate() {
                groups.extend(runs[at + 1..].iter().map(|second| vec![*first, *second]));
            }
        }
        Ok(groups)
    }

    fn comparison(&self, benchmark: &CatalogueBenchmark, runs: &[&CatalogueRun]) -> ReportPage {
        let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
        let names: Vec<&str> = runs.iter().map(|run| run.system.as_str()).collect();
        ReportPage {
            page: &pages::compare::Compare,
            group: Group::Comparison,
            address: Address::compare(ids.iter().copied()),
            parameters: vec![("runs".to_owned(), ids.join(".."))],
            parts: vec![self.part("", None, &self.measure())],
            name: self.on(&listed(&names), benchmark),
        }
    }

    fn systems(&self) -> Vec<ReportPage> {
        let mut pages: Vec<ReportPage> = Vec::new();
        for run in &self.catalogue.runs {
            let address = Address::system(&run.system_slug);
            if pages.iter().any(|page| page.address == address) {
                continue;
            }
            pages.push(ReportPage {
                page: &pages::system::SystemPage,
                group: Group::System,
                address,
                parameters: vec![("slug".to_owned(), run.system_slug.clone())],
                // The page of a system has no convention.
                parts: vec![ReportPart { id: String::new(), heading: None, query: Vec::new() }],
                name: run.system.clone(),
            });
        }
        pages
    }

    fn number(&self, run: &CatalogueRun) -> ReportPage {
        ReportPage {
            page: &pages::number::NumberPage,
            group: Group::Number,
            address: Address::path(["numbers", &run.id]),
            parameters: vec![("run".to_owned(), run.id.clone())],
            parts: vec![self.part("", None, &[("m", &self.options.measure)])],
            name: run.id.clone(),
        }
    }

    fn benchmarks(&self) -> ReportPage {
        ReportPage {
            page: &pages::benchmark::Benchmarks,
            group: Group::Benchmark,
            address: Address::benchmarks(),
            parameters: Vec::new(),
            // The list of benchmarks has no convention.
            parts: vec![ReportPart { id: String::new(), heading: None, query: Vec::new() }],
            name: "All benchmarks".to_owned(),
        }
    }

    fn benchmark(&self, benchmark: &CatalogueBenchmark) -> ReportPage {
        ReportPage {
            page: &pages::benchmark::BenchmarkPage,
            group: Group::Benchmark,
            address: Address::benchmark(&benchmark.slug),
            parameters: vec![("slug".to_owned(), benchmark.slug.clone())],
            parts: vec![self.part("", None, &[])],
            name: benchmark.name.clone(),
        }
    }

    fn documents(&self, benchmark: &CatalogueBenchmark) -> Result<Vec<ReportPage>, Refusal> {
        let listed = self.workbench.answer(&DocumentsRequest {
            inputs: self.catalogue.inputs(benchmark, self.catalogue.runs_on(&benchmark.slug)),
            convention: self.options.convention.clone(),
            ..DocumentsRequest::default()
        })?;
        let chosen = chosen_documents(&listed, self.options.documents).into_iter();
        Ok(chosen.map(|number| self.document(benchmark, &listed, number)).collect())
    }

    fn document(
        &self,
        benchmark: &CatalogueBenchmark,
        listed: &DocumentsAnswer,
        number: usize,
    ) -> ReportPage {
        let entry = listed.documents.iter().find(|entry| entry.number == number);
        let name = entry.map(|entry| entry.title.as_ref().unwrap_or(&entry.name));
        ReportPage {
            page: &pages::document::DocumentPage,
            group: Group::Document,
            address: Address::document(&benchmark.slug, number),
            parameters: vec![
                ("slug".to_owned(), benchmark.slug.clone()),
                ("n".to_owned(), number.to_string()),
            ],
            parts: vec![self.part("", None, &[])],
            name: name.cloned().unwrap_or_default(),
        }
    }
}

/// The numbers of the documents that are shown, in the order of the benchmark.
fn chosen_documents(listed: &DocumentsAnswer, shown: DocumentsShown) -> Vec<usize> {
    let mut numbers: Vec<usize> = match shown {
        DocumentsShown::All => listed.documents.iter().map(|entry| entry.number).collect(),
        DocumentsShown::Errors => {
            let wrong = listed.documents.iter().filter(|entry| entry.errors() > 0);
            wrong.map(|entry| entry.number).collect()
        }
        DocumentsShown::Worst(number) => {
            let worst = listed.in_order(DocumentsOrder::Errors).into_iter().take(number);
            worst.map(|entry| entry.number).collect()
        }
    };
    numbers.sort_unstable();
    numbers
}
