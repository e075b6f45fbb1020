//! Boards, numbers and conventions show what evaluations and comparisons say.

use karat::board::{
    BoardAnswer, BoardField, BoardKey, BoardOrder, BoardRequest, BoardShape, BoardView, CellState,
    NameFilter,
};
use karat::comparison::ComparisonAnswer;
use karat::conventions::{ConventionsAnswer, ConventionsRequest, WalkBetween};
use karat::inputs::{InputRequest, Inputs, Shelf};
use karat::number::{NumberAnswer, NumberRequest};
use karat::request::{Answer, Request};
use karat::scoring::EvaluationAnswer;
use karat::work::Work;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The sample, and a second benchmark that only two of its systems have a run on.
fn work() -> Work {
    let sample = karat::sample::experiment().expect("the sample");
    let mut other = sample.clone();
    other.benchmark.name = "other".to_owned();
    other.runs.retain(|run| run.name != "spotter");
    let mut shelf = Shelf::default();
    shelf.add(sample, Vec::new());
    shelf.add(other, Vec::new());
    Work { shelf: Some(Arc::new(shelf)), ..Work::default() }
}

fn inputs(gold: &str, systems: &[&str]) -> Inputs {
    Inputs {
        gold: vec![InputRequest::held(gold)],
        systems: systems.iter().map(|name| InputRequest::held(name)).collect(),
        ..Inputs::default()
    }
}

fn asked() -> BoardRequest {
    BoardRequest {
        benchmarks: vec![
            inputs("sample", &["spotter", "careful", "popular"]),
            inputs("other", &["careful", "popular"]),
        ],
        ..BoardRequest::default()
    }
}

fn board(view: BoardView) -> BoardAnswer {
    BoardRequest { view, ..asked() }.answer(&work()).expect("a board")
}

fn systems(board: &BoardAnswer) -> Vec<&str> {
    board.rows.iter().map(|row| row.system.as_str()).collect()
}

#[test]
fn cells_are_those_of_evaluations_and_comparisons() {
    let (request, work) = (asked(), work());
    let board = request.answer(&work).expect("a board");
    let mut cells = 0;
    for inputs in &request.benchmarks {
        let evaluation: EvaluationAnswer =
            request.evaluation(inputs).answer(&work).expect("scores");
        let compared: ComparisonAnswer =
            request.comparison(inputs).expect("two").answer(&work).expect("a comparison");
        for system in &evaluation.systems {
            let cell = board.cell(&system.name, &system.benchmark).expect("a cell");
            let measure = &system.measures[0];
            assert_eq!(Some(cell.value), measure.score("f1"));
            assert_eq!(cell.ci, measure.ci.get("f1").copied());
            let score = &compared.benchmarks[0].scores[0];
            let standing = score.systems.iter().find(|it| it.name == system.name).expect("it");
            assert_eq!((cell.rank, cell.rank_ci), (standing.rank, standing.rank_ci));
            assert_eq!(cell.letters, score.letters(&system.name));
            cells += 1;
        }
    }
    assert_eq!(cells, 5);
    assert_eq!(board.cell("spotter", "other").expect("a cell").state, CellState::NoRun);
}

#[test]
fn missing_is_last_and_never_averaged() {
    for descending in [true, false] {
        let by = BoardKey::Field { benchmark: Some("other".to_owned()), field: "score".into() };
        let sort = vec![BoardOrder { by, descending }];
        let board = board(BoardView { sort, ..BoardView::default() });
        assert_eq!(systems(&board).last(), Some(&"spotter"));
        let spotter = board.rows.last().expect("a row");
        assert_eq!((spotter.mean, spotter.scored), (None, 1));
    }
    let whole = board(BoardView::default());
    assert_eq!(systems(&whole), ["careful", "popular", "spotter"]);
    let careful = &whole.rows[0];
    let values: Vec<f64> = careful.cells.iter().filter_map(|cell| cell.value).collect();
    assert_eq!(careful.mean, Some((values[0] + values[1]) / 2.0));
}

#[test]
fn views_choose_and_test_nothing_again() {
    let all = board(BoardView::default());
    let some = board(BoardView {
        systems: NameFilter::parse("~^(CAREFUL|spot)").expect("a filter"),
        benchmarks: NameFilter::parse("sample").expect("a filter"),
        fields: ["score", "precision", "fn"].map(BoardField::from).to_vec(),
        ..BoardView::default()
    });
    assert_eq!((systems(&some), some.left_out), (vec!["careful", "spotter"], 1));
    assert_eq!(some.cell("careful", "sample"), all.cell("careful", "sample"));
    // A mean is over what is shown.
    assert!(some.rows.iter().all(|row| row.mean == row.cells[0].value));
    let complete = board(BoardView { complete: true, ..BoardView::default() });
    assert_eq!(systems(&complete), ["careful", "popular"]);
    let rows = board(BoardView { shape: BoardShape::Rows, ..BoardView::default() });
    assert_eq!(rows.runs.len(), 5);
    let unknown = BoardView { fields: vec!["precisions".into()], ..BoardView::default() };
    let error = BoardRequest { view: unknown, ..asked() }.answer(&work()).expect_err("no column");
    assert!(error.notice().hint.expect("a hint").to_string().contains("precision"));
}

#[test]
fn filters_refuse_what_takes_long() {
    for bad in ["~(", &format!("~{}", "a".repeat(201)), "~(a{1000}){1000}"] {
        assert!(NameFilter::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn sentences_say_the_result() {
    let board = board(BoardView::default());
    assert_eq!(
        board.benchmarks[0].sentence,
        "No system is shown to be better: 14 documents can only show differences of 18.7 points or more."
    );
    let pair = inputs("sample", &["popular", "spotter"]);
    let compared = asked().comparison(&pair).expect("two").answer(&work()).expect("a comparison");
    assert_eq!(
        compared.sentence(),
        "spotter is 4.1 points lower (−15.3 to +6.6). 14 documents can only show differences of 15.8 points or more: this test set does not decide."
    );
    let one = asked().evaluation(&inputs("sample", &["careful"]));
    assert_eq!(
        one.answer(&work()).expect("scores").sentence(),
        "Of 124 links careful finds 64, and 5 of its 69 are wrong: it misses more than it mistakes."
    );
}

#[test]
fn a_number_has_its_formula_and_its_cases() {
    let inputs = inputs("sample", &["careful"]);
    let request = NumberRequest { inputs, ..NumberRequest::default() };
    let number = request.answer(&work()).expect("a number");
    assert_eq!(number.title(), "link F1");
    assert_eq!(number.formula.as_deref(), Some("2·64 / (2·64 + 5 + 60)"));
    let counts: Vec<(&str, Option<f64>)> =
        number.counts.iter().map(|count| (count.name.as_str(), count.value)).collect();
    assert_eq!(counts, [("tp", Some(64.0)), ("fp", Some(5.0)), ("fn", Some(60.0))]);
    assert_eq!(number.drawn.map(|drawn| (drawn.trials, drawn.seed)), Some((1000, 1)));
    assert_eq!(number.definition.last().map(|(heading, _)| heading.as_str()), Some("Pitfalls"));
    let mean = NumberRequest { score: "link.recall@macro".to_owned(), ..request };
    let mean = mean.answer(&work()).expect("a number");
    assert_eq!((mean.formula, mean.averaged.is_some()), (None, true));
}

#[test]
fn a_walk_between_conventions_arrives() {
    let work = work();
    for (from, to) in [("karat", "neleval"), ("gerbil", "karat"), ("karat", "elevant")] {
        let request = ConventionsRequest {
            inputs: inputs("sample", &["popular"]),
            walk: Some(WalkBetween { from: from.to_owned(), to: to.to_owned() }),
            ..ConventionsRequest::default()
        };
        let answer = request.answer(&work).expect("conventions");
        let walk = answer.walk.as_ref().expect("a walk");
        assert!(walk.arrives, "{from} to {to}: {walk:#?}");
        let value = |preset: &str| {
            let found = answer.conventions.iter().find(|scores| scores.preset == preset);
            found.and_then(|scores| answer.value(scores))
        };
        assert_eq!(walk.steps[0].number("f1"), value(from));
        assert_eq!(walk.changes("f1").len(), walk.steps.len());
        assert_eq!(walk.steps.last().and_then(|step| step.number("f1")), value(to));
    }
}

#[test]
fn answers_read_back_equal() {
    fn again<A: Answer + Serialize + DeserializeOwned + std::fmt::Debug>(answer: &A) {
        let text = serde_json::to_string(answer).expect("JSON");
        assert_eq!(&serde_json::from_str::<A>(&text).expect("an answer"), answer);
    }
    let work = work();
    again::<BoardAnswer>(&board(BoardView { shape: BoardShape::Rows, ..BoardView::default() }));
    let inputs = inputs("sample", &["careful"]);
    let number = NumberRequest { inputs: inputs.clone(), ..NumberRequest::default() };
    again::<NumberAnswer>(&number.answer(&work).expect("a number"));
    let walk = Some(WalkBetween { from: "karat".to_owned(), to: "bat".to_owned() });
    let conventions = ConventionsRequest { inputs, walk, ..ConventionsRequest::default() };
    again::<ConventionsAnswer>(&conventions.answer(&work).expect("conventions"));
}
