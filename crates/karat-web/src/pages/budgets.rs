//! What pages may cost: elements, and bytes that are sent. Times are measured by `benches/web.py`.

use super::{board, compare, run};
use crate::address::{Address, Paths};
use crate::assets::{SCRIPT, STYLE};
use crate::components::frame::{Look, Surroundings, whole_page};
use crate::components::results::ResultsTable;
use crate::page::{Asked, Page, PageContent};
use crate::workbench::{Catalogue, CatalogueBenchmark, CatalogueRun, Workbench};
use karat::board::{
    BoardAnswer, BoardCell, BoardColumn, BoardField, BoardRow, BoardShape, BoardView, CellState,
};
use std::io::Write;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// Bytes as they are sent.
fn compressed(text: &str) -> Result<usize, std::io::Error> {
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zip.write_all(text.as_bytes())?;
    Ok(zip.finish()?.len())
}

fn elements(page: &str) -> usize {
    page.matches('<').count() - page.matches("</").count()
}

fn whole(content: &PageContent) -> String {
    whole_page(content, &Surroundings { look: Look::System, links: &Paths, has_workspace: false })
        .into_string()
}

/// A board of so many systems on so many benchmarks, with runs of everybody everywhere.
fn large(systems: usize, benchmarks: usize) -> (BoardAnswer, Catalogue) {
    let cell = |at: usize| BoardCell {
        state: CellState::Scored,
        value: Some(0.2 + (at % 617) as f64 / 1000.0),
        ci: Some([0.1, 0.9]),
        rank: Some(at % systems + 1),
        rank_ci: Some([1, systems]),
        letters: "ab".to_owned(),
        ..BoardCell::default()
    };
    let row = |system: usize| BoardRow {
        system: format!("system {system}"),
        cells: (0..benchmarks).map(|at| cell(system * 31 + at * 7)).collect(),
        mean: Some(0.5),
        scored: benchmarks,
    };
    let column = |at: usize| BoardColumn {
        name: format!("benchmark {at}"),
        documents: 100,
        ..BoardColumn::default()
    };
    let board = BoardAnswer {
        measure: "link".to_owned(),
        score: "f1".to_owned(),
        level: Some(95.0),
        fields: BoardField::USUAL.map(BoardField::from).to_vec(),
        benchmarks: (0..benchmarks).map(column).collect(),
        rows: (0..systems).map(row).collect(),
        ..BoardAnswer::default()
    };
    let benchmark = |at: usize| CatalogueBenchmark {
        slug: format!("benchmark-{at}"),
        name: format!("benchmark {at}"),
        documents: 100,
        ..CatalogueBenchmark::default()
    };
    let run = |at: usize| CatalogueRun {
        id: format!("system-{}@benchmark-{}", at / benchmarks, at % benchmarks),
        system: format!("system {}", at / benchmarks),
        system_slug: format!("system-{}", at / benchmarks),
        benchmark: format!("benchmark-{}", at % benchmarks),
        ..CatalogueRun::default()
    };
    let catalogue = Catalogue {
        benchmarks: (0..benchmarks).map(benchmark).collect(),
        runs: (0..systems * benchmarks).map(run).collect(),
        ..Catalogue::default()
    };
    (board, catalogue)
}

fn shown(board: &BoardAnswer, catalogue: &Catalogue, rows: usize) -> (String, String) {
    let here = Address::board();
    let table = ResultsTable {
        board,
        catalogue,
        links: &Paths,
        here: &here,
        number: &|run| super::number::address(run, "link", ""),
        cases: &|run, filter| Address::run(run).with("where", filter),
        rows: 0..rows,
    };
    let body = table.show();
    let table = body.clone().into_string();
    (whole(&PageContent { title: "Board".to_owned(), body, ..PageContent::default() }), table)
}

#[test]
fn a_board_of_50_systems_on_20_benchmarks_stays_small() -> Tested {
    let (board, catalogue) = large(50, 20);
    let board = board.viewed(&BoardView::default())?;
    let (page, table) = shown(&board, &catalogue, 50);
    assert!(elements(&page) <= 4_000, "{} elements", elements(&page));
    assert!(compressed(&table)? <= 15_000, "the table has {} bytes", compressed(&table)?);
    let all = [page.as_str(), &STYLE.content, &SCRIPT.content];
    let all: usize = all.map(compressed).into_iter().sum::<Result<usize, _>>()?;
    assert!(all <= 60_000, "{all} bytes");
    Ok(())
}

#[test]
fn a_board_of_1000_runs_stays_small() -> Tested {
    let (board, catalogue) = large(200, 5);
    let view = BoardView { shape: BoardShape::Rows, ..BoardView::default() };
    let board = board.viewed(&view)?;
    assert_eq!(board.runs.len(), 1000);
    let (page, _) = shown(&board, &catalogue, 200);
    assert!(elements(&page) <= 9_000, "{} elements", elements(&page));
    assert!(compressed(&page)? <= 80_000, "{} bytes", compressed(&page)?);
    Ok(())
}

/// A page, what its path names, and its query.
type Viewed<'v> = (&'v dyn Page, &'v str, &'v [(&'v str, &'v str)]);

/// A page loads itself, the style sheet and the script, and nothing else.
#[test]
fn pages_of_the_sample_stay_within_their_budgets() -> Tested {
    let workbench = Workbench::of([karat::sample::experiment()?]);
    let assets = compressed(&STYLE.content)? + compressed(&SCRIPT.content)?;
    let pages: [Viewed<'_>; 8] = [
        (&board::Board, "", &[("plot", "forest")]),
        (&run::RunPage, "careful@sample", &[]),
        (&run::RunPage, "careful@sample", &[("show", "slices"), ("by", "entity")]),
        (&run::RunPage, "careful@sample", &[("show", "errors"), ("beside", "popular")]),
        (&run::RunPage, "popular@sample", &[("show", "cases"), ("beside", "careful")]),
        (&run::RunPage, "careful@sample", &[("show", "curves")]),
        (&compare::Compare, "popular@sample..spotter@sample", &[]),
        (&compare::Compare, "popular@sample..spotter@sample..careful@sample", &[]),
    ];
    for (page, name, query) in pages {
        let pairs: Vec<(String, String)> =
            query.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let parameters = ["id", "runs"].map(|key| (key.to_owned(), name.to_owned())).to_vec();
        let asked = Asked::new(page, parameters, &pairs, &workbench, &Paths);
        let asked = asked.map_err(|refusal| refusal.to_string())?;
        let page = whole(&page.show(&asked).map_err(|refusal| refusal.to_string())?);
        assert!(elements(&page) <= 5_000, "{name} {query:?}: {} elements", elements(&page));
        let bytes = compressed(&page)? + assets;
        assert!(bytes <= 60_000, "{name} {query:?}: {bytes} bytes");
        let loaded = page.matches("<script").count() + page.matches("rel=\"stylesheet\"").count();
        assert_eq!((loaded, page.matches("<img").count()), (2, 0), "{name}");
    }
    Ok(())
}

#[test]
fn styles_and_scripts_stay_small() -> Tested {
    assert!(compressed(&STYLE.content)? <= 12_000, "{} bytes", compressed(&STYLE.content)?);
    assert!(compressed(&SCRIPT.content)? <= 18_000, "{} bytes", compressed(&SCRIPT.content)?);
    Ok(())
}
