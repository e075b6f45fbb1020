//! Pages show the numbers of the answers.

use super::{board, compare, conventions, number};
use crate::address::Paths;
use crate::components::table::score;
use crate::page::{Asked, Page};
use crate::refusal::Refusal;
use crate::workbench::Workbench;
use karat::comparison::ComparisonRequest;
use karat::inputs::Experiment;
use karat::scoring::EvaluationRequest;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// The sample, and a second benchmark on which one system has no run and another a hostile name.
fn workbench() -> Result<Workbench, Box<dyn std::error::Error>> {
    let sample = karat::sample::experiment()?;
    let mut other = sample.clone();
    other.benchmark.name = "<b>other</b>".to_owned();
    other.runs.retain(|run| run.name != "spotter");
    let mut hostile = sample.runs[0].clone();
    hostile.name = "<script>alert(1)</script>\u{202e}".to_owned();
    other.runs.push(hostile);
    Ok(Workbench::of([sample, other]))
}

fn shown(
    workbench: &Workbench,
    page: &dyn Page,
    parameter: (&str, &str),
    query: &str,
) -> Result<String, Refusal> {
    let pairs: Vec<(String, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let parameters = vec![(parameter.0.to_owned(), parameter.1.to_owned())];
    let asked = Asked::new(page, parameters, &pairs, workbench, &Paths)?;
    let content = page.show(&asked)?;
    let sentence = content.sentence.unwrap_or_default();
    let tabs = content.tabs.unwrap_or_default().into_string();
    let markup = tabs + content.body.into_string().as_str();
    for bad in ["<script", " style=", " onclick", "\u{202e}"] {
        assert!(!markup.contains(bad), "{bad} in {markup}");
    }
    Ok(format!("{sentence}\n{markup}"))
}

fn text(result: Result<String, Refusal>) -> Result<String, Box<dyn std::error::Error>> {
    result.map_err(|refusal| refusal.to_string().into())
}

fn experiment(workbench: &Workbench, name: &str) -> Option<Experiment> {
    workbench.shelf().experiment(name).cloned()
}

#[test]
fn cells_of_the_board_are_those_of_evaluations() -> Tested {
    let workbench = workbench()?;
    let markup =
        text(shown(&workbench, &board::Board, ("", ""), "cols=score,interval,precision,fn"))?;
    let catalogue = workbench.catalogue();
    let mut cells = 0;
    for benchmark in &catalogue.benchmarks {
        assert!(experiment(&workbench, &benchmark.name).is_some());
        let inputs = catalogue.inputs(benchmark, catalogue.runs_on(&benchmark.slug));
        let measures = vec!["link".to_owned()];
        let request = EvaluationRequest { inputs, measures, ..EvaluationRequest::default() };
        let answer = workbench.answer(&request).map_err(|refusal| refusal.to_string())?;
        for system in &answer.systems {
            let measure = &system.measures[0];
            let run = catalogue.runs_on(&benchmark.slug).find(|run| run.system == system.name);
            let id = run.map(|run| crate::address::Address::path(["numbers", &run.id]).to_path());
            let [low, high] = measure.ci["f1"].map(|end| score(Some(end)));
            let expected = format!(
                "<a href=\"{}?m=link\" data-card>{}</a></td><td class=\"wide\"><span class=\"soft\">{low}–{high}</span></td><td class=\"n wide\">{}</td><td class=\"n wide\">{}</td>",
                id.unwrap_or_default(),
                score(measure.score("f1").flatten()),
                score(measure.score("precision").flatten()),
                measure.count("fn").flatten().unwrap_or_default(),
            );
            assert!(markup.contains(&expected), "{expected}\n{markup}");
            cells += 1;
        }
    }
    assert_eq!(cells, 6);
    assert!(markup.contains("title=\"no run\""), "{markup}");
    assert!(markup.contains("– (1 of 2)"), "{markup}");
    Ok(())
}

#[test]
fn the_board_sorts_and_filters() -> Tested {
    let workbench = workbench()?;
    let page = |query: &str| text(shown(&workbench, &board::Board, ("", ""), query));
    let by_name = page("sort=-system&benchmark=sample")?;
    let place = |markup: &str, name: &str| markup.find(&format!("select {name}\"")).unwrap_or(0);
    assert!(place(&by_name, "spotter") < place(&by_name, "careful"));
    assert!(by_name.contains("aria-sort=\"descending\""));
    // The first click on a score gives the best first, a second the worst.
    assert!(by_name.contains("sort=-score@sample"));
    assert!(page("sort=-score@sample")?.contains("sort=score@sample"));
    let some = page("system=~CARE")?;
    assert!(some.contains("select careful") && !some.contains("select popular"));
    assert!(some.contains("3 more systems are not shown"));
    assert!(page("shape=rows")?.matches("type=\"checkbox\" name=\"system\"").count() == 6);
    for bad in ["system=caerful", "system=~(", "cols=scores", "shape=round", "sort=score@nowhere"] {
        assert!(shown(&workbench, &board::Board, ("", ""), bad).is_err(), "{bad}");
    }
    let empty = text(shown(&Workbench::empty(), &board::Board, ("", ""), ""))?;
    assert!(empty.contains("karat serve --demo"));
    Ok(())
}

#[test]
fn a_number_opens_to_its_counts() -> Tested {
    let workbench = workbench()?;
    let run = ("run", "careful@sample");
    let markup = text(shown(&workbench, &number::NumberPage, run, "m=link"))?;
    assert!(markup.contains(">.663</b> = 2·64 / (2·64 + 5 + 60)"), "{markup}");
    assert!(markup.contains("1,000 draws of 14 documents, seed 1"), "{markup}");
    assert!(markup.contains("/runs/careful@sample?show=cases"), "{markup}");
    assert!(markup.contains("<bdi>neleval</bdi> .653"), "{markup}");
    assert!(shown(&workbench, &number::NumberPage, run, "m=lnik").is_err());
    Ok(())
}

#[test]
fn comparisons_say_who_is_better() -> Tested {
    let workbench = workbench()?;
    let runs = ("runs", "popular@sample..spotter@sample");
    let markup = text(shown(&workbench, &compare::Compare, runs, ""))?;
    assert!(markup.starts_with("spotter is 4.1 points lower (−15.3 to +6.6)."), "{markup}");
    let catalogue = workbench.catalogue();
    let sample = catalogue.benchmark("sample").map_err(|_| "no sample")?;
    let of_pair = ["popular@sample", "spotter@sample"].map(|id| catalogue.run(id).ok());
    let inputs = catalogue.inputs(sample, of_pair.into_iter().flatten());
    let request = ComparisonRequest { inputs, ..ComparisonRequest::default() };
    let answer = workbench.answer(&request).map_err(|refusal| refusal.to_string())?;
    for standing in &answer.benchmarks[0].scores[0].systems {
        assert!(markup.contains(&format!("data-card>{}</a>", score(standing.score))));
    }
    assert!(markup.contains("<b>30</b> ▲ won") && markup.contains("<b>24</b> ▼ lost"), "{markup}");
    let lost = text(shown(&workbench, &compare::Compare, runs, "group=lost"))?;
    assert!(lost.contains("1–24 of 24 gold mentions"), "{lost}");
    let three = ("runs", "popular@sample..spotter@sample..careful@sample");
    let markup = text(shown(&workbench, &compare::Compare, three, "by=type"))?;
    assert!(markup.contains("Who beats whom") && markup.contains("Average ranks"), "{markup}");
    let across = ("runs", "popular@sample..popular@b-other-b");
    let refused = shown(&workbench, &compare::Compare, across, "").err().map(|it| it.to_string());
    assert!(refused.is_some_and(|why| why.contains("different benchmarks")));
    for bad in ["popular@sample", "popular@sample..popular@sample", "popular@sample..nobody"] {
        assert!(shown(&workbench, &compare::Compare, ("runs", bad), "").is_err(), "{bad}");
    }
    let chosen = "system=popular,spotter&benchmark=sample";
    assert!(
        text(shown(&workbench, &compare::CompareChoice, ("", ""), chosen))?.starts_with("spotter")
    );
    Ok(())
}

#[test]
fn conventions_are_side_by_side() -> Tested {
    let workbench = workbench()?;
    let run = ("run", "careful@sample");
    let markup = text(shown(&workbench, &conventions::Conventions, run, "from=karat&to=neleval"))?;
    for preset in karat::listings::preset_names() {
        assert!(markup.contains(&format!("<bdi>{preset}</bdi>")), "{preset}");
    }
    assert!(markup.contains("From karat to neleval"), "{markup}");
    Ok(())
}

#[test]
fn boards_come_in_other_forms() -> Tested {
    let workbench = workbench()?;
    let pairs = [("system".to_owned(), "careful".to_owned())];
    let asked = Asked::new(&board::Board, Vec::new(), &pairs, &workbench, &Paths);
    let asked = asked.map_err(|refusal| refusal.to_string())?;
    let answer = board::Board.answer(&asked).ok_or("no forms")?;
    let answer = answer.map_err(|refusal| refusal.to_string())?;
    let form = karat::report::form("latex").ok_or("no LaTeX")?;
    let rendered = answer.report().render(form, &Default::default()).text;
    assert!(rendered.contains("careful") && !rendered.contains("popular"), "{rendered}");
    assert!(rendered.contains("toprule") && rendered.contains("textsuperscript"), "{rendered}");
    Ok(())
}

#[test]
fn scores_of_nothing_are_dashes() -> Tested {
    let workbench = Workbench::of([karat::sample::experiment()?]);
    let board = text(shown(&workbench, &board::Board, ("", ""), "as=gerbil"))?;
    let run = ("id", "popular@sample");
    let run = text(shown(&workbench, &super::run::RunPage, run, "as=gerbil"))?;
    assert!(!board.contains("1.000") && board.contains("–"), "{board}");
    // Some of its measures are over something, and a precision of theirs is 1.
    assert!(run.contains("nothing was counted"), "{run}");
    Ok(())
}

#[test]
fn a_board_of_several_benchmarks_has_a_row_for_each_system() -> Tested {
    let sample = karat::sample::experiment()?;
    let mut other = sample.clone();
    other.benchmark.name = "other".to_owned();
    let workbench = Workbench::of([sample, other]);
    let markup = text(shown(&workbench, &board::Board, ("", ""), ""))?;
    for system in ["spotter", "careful", "popular"] {
        assert_eq!(markup.matches(&format!("select {system}\"")).count(), 1, "{markup}");
    }
    Ok(())
}

mod run {
    use super::{Tested, shown, text, workbench};
    use crate::pages::run::RunPage;
    use karat::errors::{CasesRequest, ErrorKind, ErrorRatesRequest};
    use karat::inputs::{InputRequest, Inputs};
    use karat::request::Request;
    use karat::work::Work;

    fn inputs() -> Inputs {
        Inputs {
            gold: vec![InputRequest::held("sample")],
            systems: vec![InputRequest::held("popular")],
            ..Inputs::default()
        }
    }

    #[test]
    fn every_part_of_a_run_is_shown() -> Tested {
        let workbench = workbench()?;
        for show in ["measures", "slices", "errors", "cases", "curves"] {
            for beside in ["", "&beside=careful"] {
                let query = format!("show={show}{beside}");
                let markup = text(shown(&workbench, &RunPage, ("id", "popular@sample"), &query))?;
                assert!(markup.starts_with("Of "), "{query}: {markup}");
                assert_eq!(markup.matches("aria-current=\"page\"").count(), 1, "{query}");
                assert!(beside.is_empty() || markup.contains("careful"), "{query}: {markup}");
            }
        }
        let hostile =
            workbench.catalogue().runs.last().map(|run| run.id.clone()).unwrap_or_default();
        for show in ["measures", "slices", "errors", "cases", "curves"] {
            text(shown(&workbench, &RunPage, ("id", &hostile), &format!("show={show}")))?;
        }
        Ok(())
    }

    #[test]
    fn counts_on_the_page_are_those_of_errors() -> Tested {
        let workbench = workbench()?;
        let work = Work { shelf: Some(workbench.shelf()), ..Work::default() };
        let system = "popular".to_owned();
        let request =
            ErrorRatesRequest { inputs: inputs(), system, ..ErrorRatesRequest::default() };
        let counted = request.answer(&work)?.kinds;
        assert_eq!(counted.len(), ErrorKind::all().count());
        let markup = text(shown(&workbench, &RunPage, ("id", "popular@sample"), "show=errors"))?;
        for kind in counted.iter().filter(|kind| kind.count > 0) {
            assert!(markup.contains(&format!(">{}</a>", kind.count)), "{kind:?}: {markup}");
        }
        Ok(())
    }

    #[test]
    fn cases_come_in_pages_and_nothing_is_said_where_nothing_fits() -> Tested {
        let workbench = workbench()?;
        let page = |query: &str| text(shown(&workbench, &RunPage, ("id", "popular@sample"), query));
        let work = Work { shelf: Some(workbench.shelf()), ..Work::default() };
        let all = CasesRequest { inputs: inputs(), ..CasesRequest::default() }.answer(&work)?;
        let first = page("show=cases")?;
        assert_eq!(first.matches(" data-case=").count(), all.rows.len());
        let next = all.next.ok_or("a second page")?;
        assert!(first.contains(&format!("after={next}\" rel=\"next\"")), "{first}");
        let second = page(&format!("show=cases&after={next}"))?;
        assert_eq!(second.matches(" data-case=").count(), (all.total - 100).min(100));
        let none = page("show=cases&where=type=PER text=Paris")?;
        assert!(none.contains("No case fits.") && none.contains("Without <code>"), "{none}");
        let groups = page("show=cases&group=pair&where=wrong")?;
        assert!(groups.contains(" → "), "{groups}");
        Ok(())
    }

    #[test]
    fn a_mistyped_condition_keeps_the_form() -> Tested {
        let workbench = workbench()?;
        let query = "show=cases&where=typ=PER";
        let markup = text(shown(&workbench, &RunPage, ("id", "popular@sample"), query))?;
        assert!(markup.contains("value=\"typ=PER\""), "{markup}");
        assert!(!markup.contains(" data-case="), "{markup}");
        let other = shown(&workbench, &RunPage, ("id", "popular@sample"), "show=casse");
        assert!(other.is_err_and(|refusal| refusal.status() == 400));
        Ok(())
    }
}
