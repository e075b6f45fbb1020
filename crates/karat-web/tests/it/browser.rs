//! A browser and a server for a test.

use karat_store::StoreAddress;
use karat_web::library::StoredLibrary;
use karat_web::server::{Access, Server, ServerOptions};
use karat_web::workbench::Workbench;
use karat_web::workspace::{Worker, Workspace};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use thirtyfour::{By, ChromiumLikeCapabilities, DesiredCapabilities, WebDriver, WebElement};

/// What a walk ends with.
pub(crate) type Walked = Result<(), Box<dyn Error>>;

/// A browser that looks at a server, both for one test.
pub(crate) struct Reader {
    /// The browser.
    pub(crate) driver: WebDriver,
    /// Where the server is, without a slash at the end.
    pub(crate) site: String,
}

/// What a browser is started with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) scripts: bool,
    pub(crate) dark: bool,
}

impl Default for Screen {
    fn default() -> Screen {
        Screen { width: 1440, height: 900, scripts: true, dark: false }
    }
}

/// The driver of the browser, stopped when the test ends.
struct DriverProcess {
    process: Child,
    port: u16,
}

impl Drop for DriverProcess {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl DriverProcess {
    /// Starts it on a port of its choice; `None` if there is none on this machine.
    fn start() -> Option<DriverProcess> {
        let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let mut process = started.ok()?;
        let lines = BufReader::new(process.stdout.take()?).lines();
        for line in lines.map_while(Result::ok) {
            let Some((_, rest)) = line.split_once("started successfully on port ") else {
                continue;
            };
            let port = rest.trim_end_matches('.').parse().ok()?;
            return Some(DriverProcess { process, port });
        }
        None
    }
}

/// Walks through the sample.
pub(crate) fn walk<W>(screen: Screen, walk: impl FnOnce(Arc<Reader>) -> W)
where
    W: Future<Output = Walked>,
{
    let sample = karat::sample::experiment().expect("the sample can be read");
    walk_over(Workbench::of([sample]), screen, walk);
}

/// Walks through pages of some benchmarks.
pub(crate) fn walk_over<W>(
    workbench: Workbench,
    screen: Screen,
    walk: impl FnOnce(Arc<Reader>) -> W,
) where
    W: Future<Output = Walked>,
{
    walk_through(screen, async || (Arc::new(workbench), None), walk);
}

/// Walks through an empty workspace, where somebody works on jobs.
pub(crate) fn walk_in_workspace<W>(screen: Screen, walk: impl FnOnce(Arc<Reader>) -> W)
where
    W: Future<Output = Walked>,
{
    let make = async || {
        let workspace = Workspace::open(&StoreAddress::Memory).await.expect("a store in memory");
        let library = Arc::new(StoredLibrary::new(workspace.clone()));
        (Arc::new(Workbench::over(library)), Some(workspace))
    };
    walk_through(screen, make, walk);
}

/// Walks through what is made when the runtime is there.
pub(crate) fn walk_through<W>(
    screen: Screen,
    make: impl AsyncFnOnce() -> (Arc<Workbench>, Option<Workspace>),
    walk: impl FnOnce(Arc<Reader>) -> W,
) where
    W: Future<Output = Walked>,
{
    let Some(process) = DriverProcess::start() else {
        println!("skipped: no chromedriver");
        return;
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime can be made").block_on(async {
        let address = "127.0.0.1:0".parse().expect("an address");
        let (workbench, workspace) = make().await;
        let _worker = workspace.as_ref().map(Worker::start);
        let options = ServerOptions { address, workbench, workspace, access: Access::Machine };
        let server = Server::bind(options).await.expect("a free port");
        let site = server.link().trim_end_matches('/').to_owned();
        tokio::spawn(server.run(std::future::pending()));
        browse(&process, site, screen, walk).await;
    });
}

/// Walks through a server that the caller starts; it gives the address of the server.
pub(crate) fn walk_at<W, S>(serve: S, screen: Screen, walk: impl FnOnce(Arc<Reader>) -> W)
where
    W: Future<Output = Walked>,
    S: Future<Output = String>,
{
    let Some(process) = DriverProcess::start() else {
        println!("skipped: no chromedriver");
        return;
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime can be made").block_on(async {
        let site = serve.await;
        browse(&process, site, screen, walk).await;
    });
}

async fn browse<W>(
    process: &DriverProcess,
    site: String,
    screen: Screen,
    walk: impl FnOnce(Arc<Reader>) -> W,
) where
    W: Future<Output = Walked>,
{
    // The client for the driver is built with TLS where another crate of the build asks for it,
    // and then wants to know whose; only the first of the walks can say so.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // One for each browser: what one walk keeps, scripts that are off for instance, is not for the next.
    let profile = tempfile::tempdir().expect("a folder for the browser");
    let capabilities = capabilities(screen, profile.path());
    let driver = WebDriver::new(format!("http://127.0.0.1:{}", process.port), capabilities);
    let driver = driver.await.expect("the browser starts");
    let watcher = serde_json::json!({"source": WATCHER});
    let watched = driver.cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", watcher).await;
    watched.expect("pages can be watched");
    if screen.dark {
        let dark =
            serde_json::json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        driver.cdp().send_raw("Emulation.setEmulatedMedia", dark).await.expect("pages can be dark");
    }
    let reader = Arc::new(Reader { driver: driver.clone(), site });
    let walked = walk(Arc::clone(&reader)).await;
    let source = driver.source().await.unwrap_or_default();
    let _ = driver.quit().await;
    if let Err(error) = walked {
        panic!("{error}\n{}", source.chars().take(4000).collect::<String>());
    }
}

fn capabilities(screen: Screen, profile: &Path) -> thirtyfour::ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    let arguments = vec![
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--hide-scrollbars".to_owned(),
        format!("--user-data-dir={}", profile.display()),
        format!("--window-size={},{}", screen.width, screen.height),
    ];
    for argument in arguments {
        capabilities.add_arg(&argument).expect("an argument can be added");
    }
    if !screen.scripts {
        let off = serde_json::json!({"profile.managed_default_content_settings.javascript": 2});
        capabilities.add_experimental_option("prefs", off).expect("an option can be added");
    }
    capabilities
}

impl Reader {
    /// Opens a path of the site.
    pub(crate) async fn open(&self, path: &str) -> Walked {
        Ok(self.driver.goto(format!("{}{path}", self.site)).await?)
    }

    /// The first element that fits.
    pub(crate) async fn one(&self, css: &str) -> Result<WebElement, Box<dyn Error>> {
        let found = self.driver.find(By::Css(css)).await;
        found.map_err(|_| format!("nothing fits `{css}`").into())
    }

    /// All elements that fit.
    pub(crate) async fn all(&self, css: &str) -> Result<Vec<WebElement>, Box<dyn Error>> {
        Ok(self.driver.find_all(By::Css(css)).await?)
    }

    /// The text of the first element that fits.
    pub(crate) async fn text(&self, css: &str) -> Result<String, Box<dyn Error>> {
        Ok(self.one(css).await?.text().await?)
    }

    /// Follows the first link that fits.
    pub(crate) async fn follow(&self, css: &str) -> Walked {
        Ok(self.one(css).await?.click().await?)
    }

    /// Waits until the page has some text.
    pub(crate) async fn wait_for(&self, text: &str) -> Walked {
        for _ in 0..200 {
            if self.text("main").await.is_ok_and(|main| main.contains(text)) {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        Err(format!("`{text}` does not come: {}", self.text("main").await?).into())
    }

    /// Fills in a field.
    pub(crate) async fn fill(&self, css: &str, text: &str) -> Walked {
        let field = self.one(css).await?;
        field.clear().await?;
        Ok(field.send_keys(text).await?)
    }

    /// The path and query of the page.
    pub(crate) async fn path(&self) -> Result<String, Box<dyn Error>> {
        let url = self.driver.current_url().await?;
        Ok(url.as_str().strip_prefix(&self.site).unwrap_or(url.as_str()).to_owned())
    }

    /// What went wrong since the page was opened: scripts that failed, and what the policy of the page forbids.
    pub(crate) async fn troubles(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let found =
            self.driver.execute("return window.karatTroubles || ['nobody watches']", Vec::new());
        Ok(found.await?.convert()?)
    }

    /// What axe finds wrong with the page for people who see, hear or move differently; nothing where axe is not
    /// installed.
    pub(crate) async fn barriers(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/node_modules/axe-core/axe.min.js");
        let Ok(script) = std::fs::read_to_string(path) else {
            println!("skipped: no axe-core");
            return Ok(Vec::new());
        };
        self.driver.execute(&script, Vec::new()).await?;
        let run = "const done = arguments[0]; axe.run(document).then((found) => \
            done(found.violations.map((it) => it.id + ': ' + it.nodes.map((n) => n.html).join(' '))));";
        Ok(self.driver.execute_async(run, Vec::new()).await?.convert()?)
    }

    /// The first element that fits, as soon as it is there: a page that a form leads to takes a moment.
    pub(crate) async fn appeared(&self, css: &str) -> Result<WebElement, Box<dyn Error>> {
        for _ in 0..100 {
            if let Ok(found) = self.one(css).await {
                return Ok(found);
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        self.one(css).await
    }

    /// Waits until the path of the page begins like this.
    pub(crate) async fn arrive(&self, path: &str) -> Walked {
        for _ in 0..100 {
            if self.path().await?.starts_with(path) {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        Err(format!("the page is {} and not {path}", self.path().await?).into())
    }

    /// Writes into a field of a form.
    pub(crate) async fn write(&self, css: &str, text: &str) -> Walked {
        let field = self.one(css).await?;
        field.clear().await?;
        Ok(field.send_keys(text).await?)
    }

    /// Takes a picture of the whole page, for the eyes of people, if `KARAT_PICTURES` names a folder.
    pub(crate) async fn picture(&self, name: &str) -> Walked {
        if let Some(folder) = std::env::var_os("KARAT_PICTURES") {
            let path = std::path::Path::new(&folder).join(format!("{name}.png"));
            self.driver.screenshot(&path).await?;
        }
        Ok(())
    }
}

/// Notes what goes wrong on a page, before any script of the page runs.
const WATCHER: &str = "window.karatTroubles = [];
addEventListener('error', (event) => karatTroubles.push(String(event.message)), true);
document.addEventListener('securitypolicyviolation', (event) =>
  karatTroubles.push(event.violatedDirective + ' ' + event.blockedURI));";
