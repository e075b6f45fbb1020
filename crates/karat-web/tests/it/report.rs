//! Reports opened from a disk: one file, and a folder of pages.

use crate::browser::{Reader, Screen, Walked, walk};
use karat_web::refusal::Refusal;
use karat_web::report::file::one_file;
use karat_web::report::site::site;
use karat_web::report::{DocumentsShown, ReportOptions};
use karat_web::workbench::Workbench;
use std::error::Error;
use std::path::{Path, PathBuf};
use thirtyfour::Key;

/// A report of the sample, and of a copy of it with hostile names, on a disk.
struct Written {
    // The folder is there as long as this is.
    _folder: tempfile::TempDir,
    file: PathBuf,
    site: PathBuf,
}

fn workbench() -> Workbench {
    let sample = karat::sample::experiment().expect("the sample can be read");
    let mut other = sample.clone();
    other.benchmark.name = "<img src=x onerror=alert(1)>".to_owned();
    other.runs[0].name = "</script><script>document.title='broken'</script>".to_owned();
    Workbench::of([sample, other])
}

fn written(workbench: &Workbench, options: &ReportOptions) -> Result<Written, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("report.html");
    let said = |refusal: Refusal| refusal.to_string();
    std::fs::write(&file, one_file(workbench, options).map_err(said)?)?;
    let pages = folder.path().join("site");
    let mut failed = None;
    let done = site(workbench, options, |page| {
        let path = pages.join(&page.path);
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            std::fs::write(&path, &page.content)
        };
        failed = failed.take().or(write().err());
        Ok::<(), Refusal>(())
    });
    done.map_err(said)?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(Written { _folder: folder, file, site: pages }),
    }
}

fn sample() -> Result<Written, Box<dyn Error>> {
    let sample = karat::sample::experiment()?;
    written(&Workbench::of([sample]), &ReportOptions::default())
}

impl Reader {
    async fn open_file(&self, path: &Path) -> Walked {
        Ok(self.driver.goto(format!("file://{}", path.display())).await?)
    }

    /// Everything that the page has loaded, apart from itself.
    async fn loaded(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let script = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
        Ok(self.driver.execute(script, Vec::new()).await?.convert()?)
    }

    /// The texts of the cells that fit and can be seen.
    async fn seen(&self, css: &str) -> Result<Vec<String>, Box<dyn Error>> {
        let mut texts = Vec::new();
        for element in self.all(css).await? {
            let text = element.text().await?;
            if !text.is_empty() {
                texts.push(text);
            }
        }
        Ok(texts)
    }
}

/// No script failed, the policy forbade nothing, and nothing came from another host.
async fn check_is_quiet(reader: &Reader) -> Walked {
    assert_eq!(reader.troubles().await?, Vec::<String>::new());
    for loaded in reader.loaded().await? {
        assert!(loaded.starts_with("file:") || loaded.starts_with("data:"), "{loaded}");
    }
    Ok(())
}

#[test]
fn one_file_works_from_a_disk() {
    walk(Screen::default(), |reader| async move {
        let report = sample()?;
        reader.open_file(&report.file).await?;
        check_is_quiet(&reader).await?;
        assert_eq!(reader.loaded().await?, Vec::<String>::new(), "one file loads nothing");
        let systems = "[data-board] tbody th";
        let before = reader.seen(systems).await?;
        assert_eq!(before.len(), 3);
        // By name, then the other way round.
        reader.follow("[data-board] thead th .sorts").await?;
        assert_eq!(reader.seen(systems).await?, ["careful", "popular", "spotter"]);
        reader.follow("[data-board] thead th .sorts").await?;
        assert_eq!(reader.seen(systems).await?, ["spotter", "popular", "careful"]);
        reader.one(".narrow input").await?.send_keys("care").await?;
        assert_eq!(reader.seen(systems).await?, ["careful"]);
        assert_eq!(reader.text(".narrow [role=status]").await?, "1 of 3 systems");
        // From a number to what is behind it, and to the cases.
        reader.follow("[data-board] tr:not([hidden]) td.n a").await?;
        assert!(reader.path().await?.ends_with("#/numbers/careful@sample"));
        reader.picture("report-number").await?;
        Ok(())
    });
}

#[test]
fn texts_and_notes_of_one_file_belong_together() {
    walk(Screen::default(), |reader| async move {
        let report = sample()?;
        let page = format!("file://{}#/benchmarks/sample/2", report.file.display());
        reader.driver.goto(page).await?;
        // The second document has cases with the same numbers as the first.
        let marker = "[id='/benchmarks/sample/2'] [data-text] a.k";
        reader.follow(marker).await?;
        let selected = reader.all(".e.on").await?;
        assert_eq!(selected.len(), 1);
        let id = selected[0].attr("id").await?.unwrap_or_default();
        assert!(id.starts_with("/benchmarks/sample/2/c"), "{id}");
        let lit = reader.all("[id='/benchmarks/sample/1'] .s.on").await?;
        assert!(lit.is_empty(), "a case of another document is lit");
        reader.one("body").await?.send_keys("n").await?;
        assert_eq!(reader.all(".e.on").await?.len(), 1);
        check_is_quiet(&reader).await
    });
}

#[test]
fn one_file_works_without_scripts() {
    walk(Screen { scripts: false, ..Screen::default() }, |reader| async move {
        let report = sample()?;
        reader.open_file(&report.file).await?;
        assert_eq!(reader.seen("[data-board] tbody th").await?.len(), 3);
        assert!(reader.all(".narrow, .sorts").await?.is_empty(), "nothing that does not work");
        reader.follow(".contents a[href*='runs']").await?;
        assert!(reader.path().await?.contains("#/runs/"));
        let text = reader.text("[id='/benchmarks/sample/1'] [data-text]").await?;
        assert!(text.contains("refused to sign"), "{text}");
        Ok(())
    });
}

#[test]
fn a_site_works_from_a_disk() {
    walk(Screen::default(), |reader| async move {
        let report = sample()?;
        reader.open_file(&report.site.join("index.html")).await?;
        check_is_quiet(&reader).await?;
        let rules = "return document.styleSheets.length";
        let sheets: usize = reader.driver.execute(rules, Vec::new()).await?.convert()?;
        assert_eq!(sheets, 1, "the style sheet is there");
        assert_eq!(reader.all(".narrow").await?.len(), 1, "the script runs");
        reader.follow("[data-board] tbody th a").await?;
        assert!(reader.path().await?.ends_with("runs/careful@sample.html"));
        check_is_quiet(&reader).await?;
        // From a case to its place in the text.
        reader.follow("section#cases td.kw a").await?;
        let path = reader.path().await?;
        assert!(path.contains("/benchmarks/sample/") && path.contains("#c"), "{path}");
        check_is_quiet(&reader).await?;
        reader.picture("report-site-document").await?;
        Ok(())
    });
}

#[test]
fn hostile_names_stay_text_in_reports() {
    walk(Screen::default(), |reader| async move {
        let report = written(&workbench(), &ReportOptions::default())?;
        for page in [report.file.clone(), report.site.join("index.html")] {
            reader.open_file(&page).await?;
            check_is_quiet(&reader).await?;
            let title = reader.driver.title().await?;
            assert!(title.starts_with("Report"), "{title}");
            assert!(reader.all("img").await?.is_empty());
            assert!(reader.text("main").await?.contains("<img src=x onerror=alert(1)>"));
        }
        Ok(())
    });
}

#[test]
fn reports_are_accessible() {
    let tool =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/node_modules/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(tool) else {
        println!("skipped: no axe-core; npm installs it");
        return;
    };
    for dark in [false, true] {
        let axe = axe.clone();
        walk(Screen { dark, ..Screen::default() }, |reader| async move {
            let sample = Workbench::of([karat::sample::experiment()?]);
            // Long pages take it long, and have more of the same.
            let options = ReportOptions {
                documents: DocumentsShown::Worst(1),
                compare: vec![vec!["careful".to_owned(), "popular".to_owned()]],
                ..ReportOptions::default()
            };
            let report = written(&sample, &options)?;
            for page in [report.file.clone(), report.site.join("runs/careful@sample.html")] {
                reader.open_file(&page).await?;
                reader.driver.execute(axe.as_str(), Vec::new()).await?;
                let found: Vec<String> =
                    reader.driver.execute_async(AXE, Vec::new()).await?.convert()?;
                assert_eq!(found, Vec::<String>::new(), "{}", page.display());
            }
            Ok(())
        });
    }
}

/// Asks axe what is wrong, each with the first elements that it is about. One rule does not fit: marks in a text such as
/// `≠1/3` are signs, and what is read aloud says them in words.
const AXE: &str = "const done = arguments[arguments.length - 1];
axe.run({rules: {'label-content-name-mismatch': {enabled: false}}}).then((found) => done(found.violations.map((it) => it.id + ': ' + it.nodes.length + ' x ' + it.nodes.slice(0, 4).map((node) => node.html.slice(0, 200)).join(' '))));";

#[test]
fn reports_fit_narrow_screens_and_keys_work() {
    for width in [360, 768] {
        walk(Screen { width, ..Screen::default() }, |reader| async move {
            let report = sample()?;
            reader.open_file(&report.file).await?;
            let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            let over: i64 = reader.driver.execute(wide, Vec::new()).await?.convert()?;
            assert_eq!(over, 0, "the page is wider than the screen");
            reader.one("body").await?.send_keys(Key::Tab + "").await?;
            reader.picture(&format!("report-{width}")).await
        });
    }
}
