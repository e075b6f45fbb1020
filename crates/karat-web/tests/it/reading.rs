//! What readers do on pages of texts: waiting, keys, pictures, and what axe finds.

use crate::browser::{Reader, Walked};
use std::error::Error;
use std::time::{Duration, Instant};
use thirtyfour::{By, Cookie};

/// How long a page may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

impl Reader {
    /// Waits until an expression of a script is true.
    pub(crate) async fn until(&self, expression: &str) -> Walked {
        let begun = Instant::now();
        let script = format!("return !!({expression})");
        loop {
            let holds = self.driver.execute(script.as_str(), Vec::new()).await;
            // A page that is being left has no scripts to ask.
            if holds.ok().and_then(|value| value.convert::<bool>().ok()).unwrap_or_default() {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("never true: {expression}").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// What an expression of a script gives, as text.
    pub(crate) async fn value(&self, expression: &str) -> Result<String, Box<dyn Error>> {
        let script = format!("return String({expression})");
        Ok(self.driver.execute(script, Vec::new()).await?.convert()?)
    }

    /// Presses a key, as `n` or with what is held down.
    pub(crate) async fn press(&self, keys: &str) -> Walked {
        Ok(self.driver.action_chain().send_keys(keys).perform().await?)
    }

    /// Presses a key while Ctrl is held down.
    pub(crate) async fn press_with_control(&self, key: char) -> Walked {
        let chain = self
            .driver
            .action_chain()
            .key_down(thirtyfour::Key::Control)
            .send_keys(key.to_string());
        Ok(chain.key_up(thirtyfour::Key::Control).perform().await?)
    }

    /// Opens a path and waits until its scripts have run.
    pub(crate) async fn visit(&self, path: &str) -> Walked {
        self.open(path).await?;
        self.until("document.readyState === 'complete'").await
    }

    /// Sends a form by its button and waits for the page that answers: a click does not wait for it, and the old page
    /// has the same elements.
    pub(crate) async fn submit(&self, css: &str) -> Walked {
        let before = self.driver.current_url().await?;
        self.follow(css).await?;
        let begun = Instant::now();
        while self.driver.current_url().await? == before {
            if begun.elapsed() > PATIENCE {
                return Err(format!("`{css}` leads nowhere").into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// All texts of the elements that fit, as soon as there is one.
    pub(crate) async fn texts(&self, css: &str) -> Result<Vec<String>, Box<dyn Error>> {
        self.one(css).await?;
        let mut texts = Vec::new();
        for element in self.driver.find_all(By::Css(css)).await? {
            texts.push(element.text().await?);
        }
        Ok(texts)
    }

    /// Looks at pages light or dark from now on.
    pub(crate) async fn look(&self, look: &str) -> Walked {
        Ok(self.driver.add_cookie(Cookie::new("look", look.to_owned())).await?)
    }

    /// A command of Chromium's own protocol.
    pub(crate) async fn tell(
        &self,
        command: &str,
        parameters: serde_json::Value,
    ) -> Result<serde_json::Value, Box<dyn Error>> {
        Ok(self.driver.cdp().send_raw(command, parameters).await?)
    }

    /// What axe finds on this page: one line for each rule that is broken.
    pub(crate) async fn violations(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/node_modules/axe-core/axe.min.js");
        let axe = std::fs::read_to_string(path).map_err(|error| {
            format!("{path}: {error}; `npm --prefix crates/karat-web/assets install`")
        })?;
        self.driver.execute(axe, Vec::new()).await?;
        let run = "const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ['violations'] }).then(
              (found) => done(found.violations.map((rule) => rule.id + ': ' + rule.nodes.slice(0, 3).map((node) =>
                node.target.join(' ') + ' ' + node.html.slice(0, 200) + ' ' + (node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? '')).join(' | '))),
              (error) => done(['axe failed: ' + error]))";
        Ok(self.driver.execute_async(run, Vec::new()).await?.convert()?)
    }

    /// Shows pages in a window of this size.
    pub(crate) async fn resize(&self, width: u32, height: u32, scale: u32) -> Walked {
        let size = serde_json::json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500});
        self.tell("Emulation.setDeviceMetricsOverride", size).await.map(|_| ())
    }

    /// Shows pages as they are printed from now on.
    pub(crate) async fn on_paper(&self) -> Walked {
        let print = serde_json::json!({"media": "print"});
        self.tell("Emulation.setEmulatedMedia", print).await.map(|_| ())
    }

    /// By how many pixels the page is wider than its window.
    pub(crate) async fn overflow(&self) -> Result<String, Box<dyn Error>> {
        let root = "document.documentElement";
        self.value(&format!("{root}.scrollWidth - {root}.clientWidth")).await
    }

    /// What can be pressed or filled in and is smaller than a finger, and what has the focus and does not show it.
    pub(crate) async fn hard_to_use(&self) -> Result<String, Box<dyn Error>> {
        let script = r#"
            const shown = (it) => it.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
            const controls = 'button, summary, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio]), .top nav a, .tabs a, .chip, .next a';
            const small = [...document.querySelectorAll(controls)].filter((it) => {
              const { width, height } = it.getBoundingClientRect();
              return shown(it) && width > 0 && (width < 24 || height < 24) && getComputedStyle(it).display !== 'inline';
            });
            const dim = [...document.querySelectorAll('a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex="0"]')].slice(0, 400).filter((it) => {
              if (!shown(it) || it.disabled) return false;
              it.focus({ focusVisible: true, preventScroll: true });
              if (document.activeElement !== it) return false;
              const { outlineStyle, outlineWidth } = getComputedStyle(it);
              return outlineStyle === 'none' || parseFloat(outlineWidth) < 1;
            });
            const said = (word, all) => all.slice(0, 3).map((it) => word + ' ' + it.outerHTML.slice(0, 80));
            return [...said('small', small), ...said('no outline', dim)].join('; ');
        "#;
        Ok(self.driver.execute(script, Vec::new()).await?.convert()?)
    }

    /// The hosts that this page asked for anything.
    pub(crate) async fn hosts(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let script = "return [...new Set(performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin))]";
        Ok(self.driver.execute(script, Vec::new()).await?.convert()?)
    }
}
