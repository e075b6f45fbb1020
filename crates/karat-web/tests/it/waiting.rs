//! What walks through tables need beside finding elements: words, addresses and files.
//!
//! Nothing here sleeps for a fixed time. A walk waits until something is so, and fails after a long while: machines that
//! run several browsers are slow.

use crate::browser::{Reader, Walked};
use karat::inputs::Experiment;
use karat_web::workbench::Workbench;
use std::error::Error;
use std::time::{Duration, Instant};
use thirtyfour::{By, Key};

/// How long something may take before it counts as not happening.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long is waited before looking again.
const AGAIN: Duration = Duration::from_millis(50);

impl Reader {
    /// Waits until the address has something in it.
    pub(crate) async fn at(&self, part: &str) -> Walked {
        let start = Instant::now();
        loop {
            let path = self.path().await?;
            if path.contains(part) {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("the address is `{path}` and never has `{part}`").into());
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Clicks on the link or button with these words, and waits for nothing.
    pub(crate) async fn click(&self, words: &str) -> Walked {
        let path = format!(
            "//*[self::a or self::button or self::summary][normalize-space(.)='{words}' or starts-with(normalize-space(.), '{words} ')]"
        );
        for found in self.driver.find_all(By::XPath(&path)).await? {
            // What is folded away cannot be clicked on.
            if found.is_displayed().await? {
                found.scroll_into_view().await?;
                return Ok(found.click().await?);
            }
        }
        Err(format!("there is no link or button `{words}`").into())
    }

    /// Presses Enter.
    pub(crate) async fn enter(&self) -> Walked {
        Ok(self.driver.active_element().await?.send_keys(Key::Enter).await?)
    }

    /// The body of one of our addresses as the browser gets it.
    pub(crate) async fn fetched(&self, path: &str) -> Result<String, Box<dyn Error>> {
        let script = "const done = arguments[arguments.length - 1];\
            fetch(arguments[0]).then((answer) => answer.text()).then(done, (error) => done('failed: ' + error));";
        let answer = self.driver.execute_async(script, vec![serde_json::json!(path)]).await?;
        Ok(answer.json().as_str().unwrap_or_default().to_owned())
    }

    /// Nothing was thrown and nothing was forbidden.
    pub(crate) async fn is_well(&self) -> Walked {
        let troubles = self.troubles().await?;
        match troubles.is_empty() {
            true => Ok(()),
            false => Err(format!("{} at {}", troubles.join("; "), self.path().await?).into()),
        }
    }
}

/// The sample, and the same texts as a second benchmark on which one system has no run and an old one has.
pub(crate) fn two_benchmarks() -> Workbench {
    let sample = karat::sample::experiment().expect("the sample can be read");
    let mut news: Experiment = sample.clone();
    news.benchmark.name = "news".to_owned();
    news.runs.retain(|run| run.name != "spotter");
    let mut old = sample.runs[0].clone();
    old.name = "old (deprecated)".to_owned();
    news.runs.push(old);
    Workbench::of([sample, news])
}
