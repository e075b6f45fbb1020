use crate::databases::{DAY, Fixture, digest, evaluation, some, under};
use karat_store::*;

fn wanted() -> CellsWanted {
    CellsWanted { under: under(), measure: "link".into(), benchmark: None, hidden: false }
}

pub(crate) async fn a_board_is_one_question(f: Fixture) {
    let edition = f.edition("news").await;
    let run = f.run(&edition, "careful").await;
    let failed = f.run(&edition, "popular").await;
    f.run(&edition, "spotter").await;
    // The same output sent by another system has the same evaluation.
    let twin = NewSystem { slug: "twin".into(), ..NewSystem::default() };
    let twin = f.store.add_system(&By::local(), &twin).await.unwrap();
    let twin = NewRun {
        system: twin.id,
        edition: edition.id.clone(),
        corpus: run.corpus.clone(),
        visible: true,
        ..NewRun::default()
    };
    f.store.add_run(&By::local(), &twin).await.unwrap();
    f.store.keep_evaluation(&evaluation("careful", 0.663)).await.unwrap();
    let mut bad = evaluation("popular", 0.0);
    bad.body = EvaluationBody::Failed("no offsets".into());
    bad.scores.clear();
    f.store.keep_evaluation(&bad).await.unwrap();

    let cells = f.store.board_cells(&wanted()).await.unwrap();
    let shown: Vec<_> = cells
        .iter()
        .map(|c| (&*c.system, c.state, c.score.as_ref().and_then(|s| s.value)))
        .collect();
    let (done, not) = (Some(EvaluationState::Done), Some(EvaluationState::Failed));
    let expected = [
        ("careful", done, Some(0.663)),
        ("popular", not, None),
        ("spotter", None, None),
        ("twin", done, Some(0.663)),
    ];
    assert_eq!(shown, expected);
    assert_eq!(
        (&cells[0].run, &*cells[0].benchmark, &*cells[0].edition_label),
        (&run.id, "news", "1")
    );
    assert_eq!(cells[0].evaluation, Some(digest("key careful")));
    let score = cells[0].score.as_ref().unwrap();
    assert_eq!((score.tp, score.fp, score.fn_, score.low), (Some(64), Some(5), Some(60), None));

    // Another engine has no numbers yet, and another benchmark no runs.
    let mut newer = wanted();
    newer.under.engine = "2 def".into();
    let cells = f.store.board_cells(&newer).await.unwrap();
    assert!(cells.len() == 4 && cells.iter().all(|c| c.evaluation.is_none()));
    let other = CellsWanted { benchmark: Some("none".into()), ..wanted() };
    assert!(f.store.board_cells(&other).await.unwrap().is_empty());
    f.store.remove(&By::local(), Removable::Run, &failed.id, 1).await.unwrap();
    assert_eq!(f.store.board_cells(&wanted()).await.unwrap().len(), 3);
}

pub(crate) async fn done_is_never_replaced(f: Fixture) {
    let edition = f.edition("news").await;
    f.run(&edition, "careful").await;
    let key = digest("key careful");
    assert_eq!(f.store.evaluation(&key).await.unwrap(), None);
    let mut failed = evaluation("careful", 0.0);
    failed.body = EvaluationBody::Failed("out of memory".into());
    f.store.keep_evaluation(&failed).await.unwrap();
    let row = f.store.evaluation(&key).await.unwrap().unwrap();
    assert_eq!(row.problem.as_deref(), Some("out of memory"));

    f.store.keep_evaluation(&evaluation("careful", 0.663)).await.unwrap();
    f.store.keep_evaluation(&evaluation("careful", 0.1)).await.unwrap();
    f.store.keep_evaluation(&failed).await.unwrap();
    let row = f.store.evaluation(&key).await.unwrap().unwrap();
    assert_eq!((row.state, &*row.body), (EvaluationState::Done, "{\"f1\":0.663}"));
    assert_eq!(row.under, under());
    let counts = f.store.file_bytes(row.counts.as_deref().unwrap()).await.unwrap();
    assert_eq!(counts, [1, 2, 3]);
    let scores = f.store.scores(&key, "").await.unwrap();
    assert_eq!(scores.iter().map(|s| s.f1).collect::<Vec<_>>(), [Some(0.663)]);
    let slices = f.store.scores(&key, "type").await.unwrap();
    assert_eq!(slices.iter().map(|s| &*s.label).collect::<Vec<_>>(), ["PER"]);
    let wrong = f.store.tallies(&key, Some("wrong")).await.unwrap();
    assert_eq!(wrong.iter().map(|t| (t.document, t.n)).collect::<Vec<_>>(), [(0, 2), (1, 4)]);
    assert_eq!(f.store.tallies(&key, None).await.unwrap().len(), 3);
    assert_eq!(f.store.cases_of(&key, 1).await.unwrap(), b"{\"of\":\"careful\"}\n");
    assert!(f.store.cases_of(&key, 2).await.is_err());
    assert!(f.store.cases_of("none", 0).await.is_err());
}

pub(crate) async fn a_published_board_is_frozen(f: Fixture) {
    let by = By::local();
    let edition = f.edition("news").await;
    let run = f.run(&edition, "careful").await;
    f.store.keep_evaluation(&evaluation("careful", 0.663)).await.unwrap();
    let new = NewBoard { slug: "main".into(), query: "m=link".into(), ..NewBoard::default() };
    let board = f.store.add_board(&by, &new).await.unwrap();
    let entry = BoardEntry {
        run: run.id.clone(),
        evaluation: digest("key careful"),
        edition: edition.id.clone(),
        benchmark: "News".into(),
        system: "Careful".into(),
    };
    let unknown = BoardEntry { evaluation: "none".into(), ..entry.clone() };
    let error =
        f.store.publish_board(&by, "main", 1, &[entry.clone(), unknown], b"").await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { what: "evaluation", .. }), "{error}");
    // A failed one is deleted when it is tried again, so a board cannot refer to it.
    let mut failed = evaluation("popular", 0.0);
    failed.body = EvaluationBody::Failed("out of memory".into());
    let popular = f.run(&edition, "popular").await;
    f.store.keep_evaluation(&failed).await.unwrap();
    let broken = BoardEntry { run: popular.id, evaluation: digest("key popular"), ..entry.clone() };
    let error = f.store.publish_board(&by, "main", 1, &[broken], b"").await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { what: "evaluation", .. }), "{error}");
    assert_eq!(f.store.board("main").await.unwrap(), board, "nothing was done");
    f.store.keep_evaluation(&evaluation("popular", 0.5)).await.unwrap();

    let entries = std::slice::from_ref(&entry);
    let published = f.store.publish_board(&by, "main", 1, entries, b"{\"rows\":[]}").await.unwrap();
    assert_eq!(published.published, Some(f.store.now()));
    assert_eq!(f.store.board_entries(&board.id).await.unwrap(), entries);
    let error = f.store.publish_board(&by, "main", 2, entries, b"").await.unwrap_err();
    assert!(matches!(error, StoreError::NotNow { .. }), "{error}");
    let query = BoardChange { query: Some("m=ner".into()), ..BoardChange::default() };
    let error = f.store.change_board(&by, "main", 2, &query).await.unwrap_err();
    assert!(matches!(error, StoreError::NotNow { .. }), "{error}");
    let title = BoardChange { title: Some("Main".into()), ..BoardChange::default() };
    assert_eq!(f.store.change_board(&by, "main", 2, &title).await.unwrap().title, "Main");

    let cells = f.store.frozen_cells(&board.id, "link").await.unwrap();
    assert_eq!(cells[0].score.as_ref().unwrap().value, Some(0.663));
    f.pass(400 * DAY);
    f.store.sweep().await.unwrap();
    assert_eq!(f.store.frozen_cells(&board.id, "link").await.unwrap(), cells);
    // What it shows and what it was made of outlive the run and any sweep.
    f.store.remove(&by, Removable::Run, &run.id, run.version).await.unwrap();
    f.pass(400 * DAY);
    f.store.sweep().await.unwrap();
    assert!(f.store.run(&run.id).await.is_err());
    assert_eq!(f.store.board_entries(&board.id).await.unwrap(), entries);
    let content = f.store.board_content(&board.id).await.unwrap();
    assert_eq!(content.as_deref(), Some(&b"{\"rows\":[]}"[..]));
    assert_eq!(f.store.board_content("none").await.unwrap(), None);
    assert_eq!(
        f.store.evaluation_counts(&digest("key careful")).await.unwrap(),
        Some(vec![1, 2, 3])
    );
    assert_eq!(f.store.boards(&some(9)).await.unwrap().items.len(), 1);
    // In the trash for thirty days, and then it keeps nothing alive.
    f.store.remove(&by, Removable::Board, &board.id, 3).await.unwrap();
    assert!(f.store.board("main").await.is_err());
    f.store.restore(&by, Removable::Board, &board.id).await.unwrap();
    f.store.remove(&by, Removable::Board, &board.id, 5).await.unwrap();
    f.pass(61 * DAY);
    f.store.sweep().await.unwrap();
    f.pass(31 * DAY);
    f.store.sweep().await.unwrap();
    assert_eq!(f.store.board_content(&board.id).await.unwrap(), None);
    assert!(f.store.evaluation(&digest("key careful")).await.unwrap().is_none());
}

pub(crate) async fn evaluations_live_as_long_as_they_are_asked_for(f: Fixture) {
    let edition = f.edition("news").await;
    for name in ["asked", "forgotten"] {
        f.run(&edition, name).await;
        f.store.keep_evaluation(&evaluation(name, 0.5)).await.unwrap();
    }
    f.pass(29 * DAY);
    // To read the counts is to ask for them.
    assert_eq!(f.store.evaluation_counts("none").await.unwrap(), None);
    let counts = f.store.evaluation_counts(&digest("key asked")).await.unwrap();
    assert_eq!(counts, Some(vec![1, 2, 3]));
    f.store.evaluations_asked(&["none".into()]).await.unwrap();
    f.pass(2 * DAY);
    assert_eq!(f.store.sweep().await.unwrap().evaluations, 1);
    assert!(f.store.evaluation(&digest("key asked")).await.unwrap().is_some());
    assert!(f.store.evaluation(&digest("key forgotten")).await.unwrap().is_none());
    assert!(f.store.scores(&digest("key forgotten"), "").await.unwrap().is_empty());
    // Both have the same counts, which one of them still needs.
    let counts = f.store.evaluation(&digest("key asked")).await.unwrap().unwrap().counts.unwrap();
    assert_eq!(f.store.file_bytes(&counts).await.unwrap(), [1, 2, 3]);
    // The runs are there, and can be scored again.
    f.store.keep_evaluation(&evaluation("forgotten", 0.5)).await.unwrap();
}

pub(crate) async fn comparisons_are_kept_by_key(f: Fixture) {
    let row = ComparisonRow {
        key: digest("a..b"),
        evaluations: "[\"a\",\"b\"]".into(),
        settings: "test=approximate".into(),
        body: "{}".into(),
    };
    let other = ComparisonRow { key: digest("a..c"), ..row.clone() };
    f.store.keep_comparisons(&[row.clone(), other.clone()]).await.unwrap();
    // What is under a key never changes.
    let changed = ComparisonRow { body: "{\"other\":1}".into(), ..row.clone() };
    f.store.keep_comparisons(&[changed]).await.unwrap();
    assert_eq!(f.store.number_of_comparisons().await.unwrap(), 2);
    let keys = [row.key.clone(), digest("b..c"), other.key.clone()];
    let found = f.store.comparisons(&keys).await.unwrap();
    assert_eq!(found, [Some(row.body.clone()), None, Some(other.body.clone())]);
    // They live as long as somebody asks.
    f.pass(20 * DAY);
    f.store.comparisons(&keys[..1]).await.unwrap();
    f.pass(20 * DAY);
    f.store.sweep().await.unwrap();
    let found = f.store.comparisons(&keys).await.unwrap();
    assert_eq!(found, [Some(row.body), None, None]);
}

pub(crate) async fn answers_are_kept_by_key_until_nobody_asks(f: Fixture) {
    let key = "a".repeat(64);
    assert_eq!(f.store.answer(&key).await.unwrap(), None);
    f.store.keep_answer(&key, "evaluation", b"{\"f1\":0.5}").await.unwrap();
    // What is under a key never changes.
    f.store.keep_answer(&key, "evaluation", b"other").await.unwrap();
    f.pass(20 * DAY);
    assert_eq!(f.store.answer(&key).await.unwrap().as_deref(), Some(&b"{\"f1\":0.5}"[..]));
    f.pass(20 * DAY);
    f.store.sweep().await.unwrap();
    assert!(f.store.answer(&key).await.unwrap().is_some());
    f.pass(31 * DAY);
    assert_eq!(f.store.sweep().await.unwrap().evaluations, 1);
    assert_eq!(f.store.answer(&key).await.unwrap(), None);
}

pub(crate) async fn the_catalogue_has_what_was_read(f: Fixture) {
    let by = By::local();
    let empty = f.store.catalogue_version().await.unwrap();
    let first = f.edition("news").await;
    // An edition that was not read yet cannot be shown.
    let unread = NewEdition {
        benchmark: first.benchmark.clone(),
        label: "2".into(),
        ..NewEdition::default()
    };
    f.store.add_edition(&by, &unread).await.unwrap();
    let run = f.run(&first, "careful").await;
    let editions = f.store.catalogue_editions().await.unwrap();
    let found: Vec<_> =
        editions.iter().map(|it| (&*it.slug, &*it.label, &it.corpus, it.documents)).collect();
    assert_eq!(found, [("news", "1", &digest("gold"), 2)]);
    let runs = f.store.catalogue_runs().await.unwrap();
    let found: Vec<_> = runs.iter().map(|it| (&it.run, &it.edition, &*it.system_slug)).collect();
    assert_eq!(found, [(&run.id, &first.id, "careful")]);
    let full = f.store.catalogue_version().await.unwrap();
    assert_ne!(full, empty);
    f.store.remove(&by, Removable::Run, &run.id, run.version).await.unwrap();
    assert_eq!(f.store.catalogue_runs().await.unwrap(), []);
    assert_ne!(f.store.catalogue_version().await.unwrap(), full);
}
