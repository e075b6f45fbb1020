use crate::databases::{Fixture, some};
use karat_store::*;

fn benchmark(slug: &str) -> NewBenchmark {
    NewBenchmark {
        slug: slug.into(),
        title: slug.to_uppercase(),
        visible: true,
        ..NewBenchmark::default()
    }
}

fn system(slug: &str) -> NewSystem {
    NewSystem { slug: slug.into(), ..NewSystem::default() }
}

pub(crate) async fn names_are_unique_and_can_change(f: Fixture) {
    let by = By::local();
    let aida = f.store.add_benchmark(&by, &benchmark("aida")).await.unwrap();
    assert_eq!(f.store.benchmark("aida").await.unwrap(), aida);
    assert_eq!(f.store.benchmark(&aida.id).await.unwrap(), aida);
    assert_eq!((aida.title.as_str(), aida.visible, aida.gold_hidden), ("AIDA", true, false));
    let error = f.store.add_benchmark(&by, &benchmark("aida")).await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { what: "benchmark", .. }), "{error}");
    let error = f.store.add_benchmark(&by, &benchmark("a b")).await.unwrap_err();
    assert!(matches!(error, StoreError::Name(_)), "{error}");

    let change = BenchmarkChange { slug: Some("aida-b".into()), ..BenchmarkChange::default() };
    let renamed = f.store.change_benchmark(&by, &aida.id, 1, &change).await.unwrap();
    assert_eq!(renamed, BenchmarkRow { slug: "aida-b".into(), version: 2, ..aida });
    assert!(f.store.benchmark("aida").await.is_err());
    f.store.add_benchmark(&by, &benchmark("aida")).await.unwrap();
    let change = BenchmarkChange { slug: Some("aida".into()), ..BenchmarkChange::default() };
    let error = f.store.change_benchmark(&by, &renamed.id, 2, &change).await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }), "{error}");

    let edition = f.edition("news").await;
    let again = NewEdition { benchmark: "news".into(), label: "1".into(), ..NewEdition::default() };
    let error = f.store.add_edition(&by, &again).await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { what: "edition", .. }), "{error}");
    let second = NewEdition { label: "2".into(), follows: Some(edition.id.clone()), ..again };
    f.pass(1);
    f.store.add_edition(&by, &second).await.unwrap();
    let labels = f.store.editions(&edition.benchmark).await.unwrap();
    assert_eq!(labels.iter().map(|e| &*e.label).collect::<Vec<_>>(), ["2", "1"]);
    assert_eq!(labels[0].follows, Some(edition.id));
}

pub(crate) async fn only_the_newest_version_changes(f: Fixture) {
    let by = By::local();
    let rel = f.store.add_system(&by, &system("rel")).await.unwrap();
    let change = SystemChange { deprecated: Some(true), ..SystemChange::default() };
    let after = f.store.change_system(&by, "rel", 1, &change).await.unwrap();
    assert!(after.deprecated && after.version == 2);
    let error = f.store.change_system(&by, "rel", 1, &change).await.unwrap_err();
    assert!(matches!(error, StoreError::Stale { what: "system", .. }), "{error}");
    let error = f.store.remove(&by, Removable::System, &rel.id, 1).await.unwrap_err();
    assert!(matches!(error, StoreError::Stale { .. }), "{error}");
    let error = f.store.change_system(&by, "none", 1, &change).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");

    let edition = f.edition("news").await;
    let run = f.run(&edition, "spotter").await;
    let change = RunChange { seconds: Some(4.25), label: Some("x".into()), ..RunChange::default() };
    let after = f.store.change_run(&by, &run.id, 1, &change).await.unwrap();
    assert_eq!(after, RunRow { seconds: Some(4.25), label: "x".into(), version: 2, ..run.clone() });
    assert!(f.store.change_run(&by, &run.id, 1, &change).await.is_err());
}

pub(crate) async fn the_trash_gives_back(f: Fixture) {
    let by = By::local();
    let edition = f.edition("news").await;
    let run = f.run(&edition, "rel").await;
    f.store.remove(&by, Removable::Run, &run.id, run.version).await.unwrap();
    assert!(f.store.run(&run.id).await.is_err());
    assert!(f.store.runs(&RunFilter::default(), &some(9)).await.unwrap().items.is_empty());
    f.pass(1);
    f.store.remove(&by, Removable::Benchmark, &edition.benchmark, 1).await.unwrap();
    let trash = f.store.trash(None, &some(9)).await.unwrap().items;
    let kinds: Vec<_> = trash.iter().map(|row| (row.kind, &row.id)).collect();
    let expected = [(Removable::Benchmark, &edition.benchmark), (Removable::Run, &run.id)];
    assert_eq!(kinds, expected);
    assert_eq!(trash[1].benchmark.as_deref(), Some(&*edition.benchmark));
    assert_eq!(f.store.in_trash(Removable::Run, &run.id).await.unwrap(), trash[1]);
    assert!(f.store.in_trash(Removable::System, &run.id).await.is_err());
    assert!(f.store.trash(Some("nobody"), &some(9)).await.unwrap().items.is_empty());
    // The name stays taken, so that the benchmark can come back.
    let error = f.store.add_benchmark(&by, &benchmark("news")).await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }), "{error}");

    f.store.restore(&by, Removable::Run, &run.id).await.unwrap();
    // Its benchmark is still in the trash.
    assert!(f.store.runs(&RunFilter::default(), &some(9)).await.unwrap().items.is_empty());
    f.store.restore(&by, Removable::Benchmark, &edition.benchmark).await.unwrap();
    let runs = f.store.runs(&RunFilter::default(), &some(9)).await.unwrap().items;
    assert_eq!(runs, [RunRow { version: 3, ..run.clone() }]);
    let error = f.store.restore(&by, Removable::Run, &run.id).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { what: "run", .. }), "{error}");
}

pub(crate) async fn lists_hold_while_others_insert(f: Fixture) {
    let edition = f.edition("news").await;
    let mut sent = Vec::new();
    for n in 0..7 {
        // Several runs of the same millisecond.
        f.pass(n % 2);
        sent.push(f.run(&edition, &format!("s{n}")).await.id);
    }
    let mut seen = Vec::new();
    let mut from = some(3);
    loop {
        let page = f.store.runs(&RunFilter::default(), &from).await.unwrap();
        assert!(page.items.len() <= 3);
        seen.extend(page.items.into_iter().map(|run| run.id));
        f.pass(1);
        f.run(&edition, &format!("late{}", seen.len())).await;
        match page.next {
            Some(next) => from.after = Some(next),
            None => break,
        }
    }
    assert_eq!(seen.len(), 7, "each once, and none of those that came later");
    seen.sort();
    sent.sort();
    assert_eq!(seen, sent);
    let bad = ListFrom { limit: 3, after: Some("zz".into()) };
    let error = f.store.runs(&RunFilter::default(), &bad).await.unwrap_err();
    assert!(matches!(error, StoreError::Cursor(_)), "{error}");
}

pub(crate) async fn hidden_things_are_left_out(f: Fixture) {
    let by = By::local();
    let edition = f.edition("news").await;
    let run = f.run(&edition, "rel").await;
    let other = f.run(&edition, "popular").await;
    let change = RunChange { visible: Some(false), ..RunChange::default() };
    f.store.change_run(&by, &run.id, 1, &change).await.unwrap();
    let ids = async |filter: RunFilter| {
        let page = f.store.runs(&filter, &some(9)).await.unwrap();
        page.items.into_iter().map(|run| run.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(RunFilter::default()).await, [&*other.id]);
    assert_eq!(ids(RunFilter { hidden: true, ..RunFilter::default() }).await.len(), 2);
    let of = |system: &str| RunFilter {
        system: Some(system.into()),
        hidden: true,
        ..RunFilter::default()
    };
    assert_eq!(ids(of(&run.system)).await, [&*run.id]);
    let elsewhere = RunFilter { benchmark: Some("none".into()), ..RunFilter::default() };
    assert!(ids(elsewhere).await.is_empty());

    let change = BenchmarkChange { visible: Some(false), ..BenchmarkChange::default() };
    f.store.change_benchmark(&by, "news", 1, &change).await.unwrap();
    assert!(ids(RunFilter::default()).await.is_empty());
    assert!(f.store.benchmarks(false, &some(9)).await.unwrap().items.is_empty());
    assert_eq!(f.store.benchmarks(true, &some(9)).await.unwrap().items.len(), 1);
    let slugs = f.store.systems(&some(9)).await.unwrap().items;
    assert_eq!(slugs.iter().map(|s| &*s.slug).collect::<Vec<_>>(), ["popular", "rel"]);
}

pub(crate) async fn suspicions_keep_what_was_decided(f: Fixture) {
    let edition = f.edition("news").await;
    let weak = NewSuspicion {
        edition: edition.id.clone(),
        start: 3,
        end: 8,
        gold: "Q142".into(),
        proposed: "Q90".into(),
        agree: "[]".into(),
        differ: "[\"a\"]".into(),
        weight: 1,
        ..NewSuspicion::default()
    };
    let strong = NewSuspicion { document: 1, weight: 5, ..weak.clone() };
    let by = By::local();
    f.store.add_suspicions(&by, &[weak.clone(), strong]).await.unwrap();
    let list = f.store.suspicions(&edition.id, None, &some(9)).await.unwrap().items;
    assert_eq!(list.iter().map(|s| s.what.weight).collect::<Vec<_>>(), [5, 1]);
    let state = SuspicionState::Confirmed;
    let judged = f.store.judge_suspicion(&by, &list[1].id, 1, state, "city").await.unwrap();
    assert_eq!((judged.state, &*judged.note, judged.version), (state, "city", 2));
    let stale = f.store.judge_suspicion(&by, &list[1].id, 1, state, "").await.unwrap_err();
    assert!(matches!(stale, StoreError::Stale { .. }), "{stale}");

    f.store.add_suspicions(&by, &[NewSuspicion { weight: 9, ..weak }]).await.unwrap();
    let again = f.store.suspicion(&list[1].id).await.unwrap();
    assert_eq!((again.state, again.what.weight), (state, 9));
    let open = Some(SuspicionState::Open);
    assert_eq!(f.store.suspicions(&edition.id, open, &some(9)).await.unwrap().items.len(), 1);
}

pub(crate) async fn a_place_is_noted_and_decided_at_once(f: Fixture) {
    let edition = f.edition("news").await;
    let hostile = "<script>'\"; DROP TABLE suspicion; --\u{202e}";
    let place = NewSuspicion {
        edition: edition.id.clone(),
        document: 2,
        start: 3,
        end: 8,
        gold: "Q142".into(),
        proposed: hostile.into(),
        agree: "[]".into(),
        differ: "[]".into(),
        weight: 2,
    };
    let by = By::local();
    let noted = f.store.judge_place(&by, &place, SuspicionState::Open, "").await.unwrap();
    assert_eq!((noted.state, noted.judged, noted.version), (SuspicionState::Open, None, 1));
    f.pass(1);
    let state = SuspicionState::Refuted;
    let judged = f.store.judge_place(&by, &place, state, hostile).await.unwrap();
    assert_eq!((&judged.id, judged.state, &*judged.note), (&noted.id, state, hostile));
    assert_eq!(judged.judged, Some(f.store.now()));
    // To note it again takes no decision back.
    let again = f.store.judge_place(&by, &place, SuspicionState::Open, "").await.unwrap();
    assert_eq!(again, judged);
    assert_eq!(f.store.suspicions_in(&edition.id, 2).await.unwrap(), [judged]);
    assert!(f.store.suspicions_in(&edition.id, 1).await.unwrap().is_empty());
    let none = NewSuspicion { edition: "none".into(), ..place };
    assert!(f.store.judge_place(&by, &none, SuspicionState::Later, "").await.is_err());
    let acts: Vec<String> =
        f.store.audit(None, &some(9)).await.unwrap().items.into_iter().map(|row| row.act).collect();
    assert_eq!(acts[..2], ["suspicion.judge", "suspicion.add"]);
}

pub(crate) async fn conventions_have_names(f: Fixture) {
    let by = By::local();
    let row = f.store.add_convention(&by, "ours", "Ours", "karat;nil=exclude").await.unwrap();
    assert_eq!(f.store.convention("ours").await.unwrap(), row);
    let error = f.store.add_convention(&by, "ours", "", "").await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { what: "convention", .. }), "{error}");
    assert_eq!(f.store.conventions(&some(9)).await.unwrap().items, std::slice::from_ref(&row));
    // A slug that is another's id.
    let other = f.store.add_convention(&by, &row.id, "Other", "karat").await.unwrap();
    assert_eq!((&*other.slug, &*other.title), (&*row.id, "Other"));
}
