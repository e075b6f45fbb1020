use super::*;
use crate::access::Visitor;
use crate::library::StoredLibrary;
use crate::page::Page;
use karat::inputs::Experiment;
use karat_store::{BenchmarkChange, NewBoard, Removable, StoreAddress};

type Tested = Result<(), Box<dyn std::error::Error>>;

struct Fixture {
    /// Lives as long as the store on it.
    _runtime: tokio::runtime::Runtime,
    workspace: Workspace,
    workbench: Workbench,
    sample: Experiment,
}

impl Fixture {
    /// A workspace with the sample, but for its last run.
    fn new() -> Result<Fixture, Box<dyn std::error::Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let workspace = runtime.block_on(Workspace::open(&StoreAddress::Memory))?;
        let sample = karat::sample::experiment()?;
        let first = Experiment { runs: sample.runs[..2].to_vec(), ..sample.clone() };
        workspace.take_in(&By::local(), &first, &[])?;
        let workbench = Workbench::over(Arc::new(StoredLibrary::new(workspace.clone())));
        Ok(Fixture { _runtime: runtime, workspace, workbench, sample })
    }

    fn save(&self, slug: &str, query: &str) -> Result<StoredBoard, String> {
        let query = checked_query(&self.workbench, query).map_err(|it| it.to_string())?;
        let (slug, title) = (slug.to_owned(), format!("<b>{slug}</b>"));
        let new = NewBoard { slug, title, query, ..NewBoard::default() };
        let store = self.workspace.store();
        self.workspace.wait(store.add_board(&By::local(), &new)).map_err(|it| it.to_string())
    }

    fn publish(&self, row: &StoredBoard) -> Result<StoredBoard, String> {
        publish(&self.workbench, &self.workspace, &By::local(), row).map_err(|it| it.to_string())
    }

    fn shown(&self, board: &str, query: &str, visitor: &Visitor) -> Result<String, String> {
        let parameters = vec![("board".to_owned(), board.to_owned())];
        let asked = Asked::new(&NamedBoard, parameters, &pairs(query), &self.workbench, &Paths)
            .and_then(|asked| asked.seen_by(&NamedBoard, visitor));
        let content = asked.and_then(|asked| NamedBoard.show(&asked));
        let content = content.map_err(|refusal| refusal.to_string())?;
        Ok(content.body.into_string())
    }

    fn answer(&self, board: &str) -> Result<serde_json::Value, String> {
        let parameters = vec![("board".to_owned(), board.to_owned())];
        let asked = Asked::new(&NamedBoard, parameters, &[], &self.workbench, &Paths);
        let asked = asked.map_err(|refusal| refusal.to_string())?;
        let answer = NamedBoard.answer(&asked).ok_or("no answer")?;
        Ok(answer.map_err(|refusal| refusal.to_string())?.record())
    }
}

#[test]
fn a_saved_board_is_a_view_of_what_there_is() -> Tested {
    let fixture = Fixture::new()?;
    let row = fixture.save("mine", "sort=-score@sample&system=~c&m=link&after=3")?;
    // Written as addresses are: keys in their order, without the page of a list.
    assert_eq!(row.query, "m=link&system=~c&sort=-score@sample");
    let local = Visitor::local();
    let shown = fixture.shown("mine", "", &local)?;
    assert!(shown.contains("careful") && !shown.contains(">spotter<"), "{shown}");
    // An address with a view of its own is that view.
    let shown = fixture.shown("mine", "m=mention", &local)?;
    assert!(shown.contains("spotter") && shown.contains("Save this view"), "{shown}");
    let added = Experiment { runs: fixture.sample.runs[2..].to_vec(), ..fixture.sample.clone() };
    fixture.workspace.take_in(&By::local(), &added, &[])?;
    assert_eq!(fixture.answer("all")?["rows"].as_array().map(Vec::len), Some(3));
    for query in
        ["nothing=1", "m=no-such-measure-key%00", "shape=round", "system=nobody", "as=none"]
    {
        let saved = fixture.save("bad", query);
        assert!(saved.is_err() || query.starts_with("m="), "{query}");
    }
    assert!(fixture.shown("none", "", &local).is_err());
    assert!(fixture.answer("none").is_err());
    Ok(())
}

#[test]
fn a_published_board_keeps_its_numbers_and_says_what_changed() -> Tested {
    let fixture = Fixture::new()?;
    let row = fixture.save("final", "")?;
    let before = fixture.answer("final")?;
    let published = fixture.publish(&row)?;
    assert!(published.published.is_some());
    assert!(fixture.publish(&published).is_err(), "once");
    let store = fixture.workspace.store();
    let entries = fixture.workspace.wait(store.board_entries(&row.id))?;
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.system.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["careful", "spotter"]);
    for entry in &entries {
        let kept = fixture.workspace.wait(store.evaluation_counts(&entry.evaluation))?;
        assert!(kept.is_some(), "{entry:?}");
    }
    let local = Visitor::local();
    let shown = fixture.shown("final", "", &local)?;
    assert!(shown.contains("Nothing has changed since."), "{shown}");
    // Another run, another edition, a run that goes.
    fixture.workspace.take_in(&By::local(), &fixture.sample, &[])?;
    let mut corrected = fixture.sample.clone();
    let gold = corrected.benchmark.corpus.only_documents(|name| name != "wire-talks");
    corrected.benchmark.corpus = Arc::new(gold);
    corrected.runs.clear();
    fixture.workspace.take_in(&By::local(), &corrected, &[])?;
    let gone = entries.iter().find(|entry| entry.system == "spotter").map(|entry| &entry.run);
    let gone = gone.ok_or("no spotter")?;
    fixture.workspace.wait(store.remove(&By::local(), Removable::Run, gone, 1))?;
    let shown = fixture.shown("final", "", &local)?;
    for words in
        ["popular on sample @1 was added", "has a newer edition", "spotter on sample was removed"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(fixture.answer("final")?, before, "the numbers are those of then");
    // A view of them can be chosen, and nothing else.
    assert!(fixture.shown("final", "cols=score&sort=system", &local).is_ok());
    assert!(fixture.shown("final", "benchmark=sample", &local).is_ok());
    assert!(fixture.shown("final", "m=mention", &local).is_err());
    Ok(())
}

#[test]
fn what_is_private_is_not_published_and_not_shown() -> Tested {
    let fixture = Fixture::new()?;
    let row = fixture.save("final", "")?;
    let store = fixture.workspace.store();
    let hide = |version: i64, visible: bool| {
        let change = BenchmarkChange { visible: Some(visible), ..BenchmarkChange::default() };
        fixture.workspace.wait(store.change_benchmark(&By::local(), "sample", version, &change))
    };
    let benchmark = fixture.workspace.wait(store.benchmark("sample"))?;
    let benchmark = hide(benchmark.version, false)?;
    let nothing = fixture.publish(&row);
    assert!(nothing.is_err_and(|why| why.contains("nothing to publish")));
    let benchmark = hide(benchmark.version, true)?;
    fixture.publish(&row)?;
    let reader = Visitor::nobody(true);
    assert!(fixture.shown("final", "", &reader)?.contains("careful"));
    hide(benchmark.version, false)?;
    let shown = fixture.shown("final", "", &reader)?;
    assert!(!shown.contains("careful") && !shown.contains("sample"), "{shown}");
    assert!(fixture.shown("final", "", &Visitor::local())?.contains("careful"));
    Ok(())
}
