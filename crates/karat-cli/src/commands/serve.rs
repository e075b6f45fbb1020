//! `karat serve`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::scoring::gold_and_systems;
use clap::Args;
use karat::inputs::Inputs;
use karat_store::{StoreAddress, StoreError};
use karat_web::library::{FileLibrary, Library, StoredLibrary};
use karat_web::server::{Access, Server, ServerOptions};
use karat_web::workbench::Workbench;
use karat_web::workspace::{Worker, Workspace};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// Look at results in a browser
///
/// Scores systems and serves pages: a board, each run with its errors, every document with gold and systems
/// in the text, and comparisons. Nothing leaves this machine; Ctrl-C ends it.
///
/// With gold and systems it shows these files and keeps nothing. The first page is there while files are still
/// read, and files that change later are read again. Without them it shows the workspace of this folder: what was
/// loaded into `karat.db`, which is made if it is not there, or into the database that --data or --database
/// names.
///
/// The link that is printed has a key, so that nobody else on this machine can look. `--trust-machine`
/// does without. With --public-url the server has accounts and may listen on any address:
/// people log in, and what they may do is decided for each benchmark.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// The gold standard, then systems, in place of -g and -s
    #[arg(value_names = ["GOLD", "SYSTEM"], num_args = 2.., conflicts_with_all = ["gold", "systems", "demo"])]
    inputs: Vec<String>,
    /// The gold standard; may be given several times, one benchmark each
    #[arg(long, short, value_name = "[NAME=]INPUT", num_args = 1.., requires = "systems")]
    gold: Vec<String>,
    /// The output of a system; may be given several times. NAME@BENCHMARK=INPUT is for one benchmark only
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", num_args = 1.., requires = "gold")]
    systems: Vec<String>,
    /// Show the built-in sample
    #[arg(long, conflicts_with_all = ["gold", "systems"])]
    demo: bool,
    /// The file of the workspace [default: karat.db in this folder]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["inputs", "gold", "systems", "demo"])]
    data: Option<String>,
    /// The workspace is in a PostgreSQL database, as postgres://USER@HOST/NAME
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["inputs", "gold", "systems", "demo", "data"])]
    database: Option<String>,
    /// Where to listen, on this machine: an address with a port, or a port alone; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8765", value_parser = parse_listen)]
    listen: SocketAddr,
    /// Let everybody in who can reach the address, without a key
    #[arg(long, conflicts_with = "public_url")]
    trust_machine: bool,
    /// Let people with accounts in, who reach the server at this address; --listen may then be any address
    #[arg(long, value_name = "URL", value_parser = parse_public_url, conflicts_with_all = ["inputs", "gold", "systems", "demo"])]
    public_url: Option<String>,
    /// Let those who are not logged in read what is visible
    #[arg(long, requires = "public_url")]
    public_reading: bool,
    /// Print a link with which somebody makes an account that owns everything; it is good once, for a week
    #[arg(long, requires = "public_url")]
    invite_owner: bool,
    /// A knowledge base of `karat kb build`: more categories of errors, and the names of entities
    #[arg(long, value_name = "KB")]
    kb: Option<String>,
    /// The view of the first page, as it stands in the address of a board: benchmark=news,wiki&where=-deprecated
    #[arg(long, value_name = "QUERY")]
    front: Option<String>,
    /// Open the first page in a browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    reading: ReadArguments,
}

const EXAMPLES: &str = "Examples:
  karat serve --demo
      the built-in sample with its three systems
  karat serve
      the workspace of this folder
  karat serve --database postgres://karat@db/karat --listen 0.0.0.0:8765 --public-url https://karat.example
      for a team, behind a proxy that speaks https; --invite-owner makes the first account
  karat serve gold.tsv system.tsv
      one system on a benchmark of your own
  karat serve -g gold.tsv -s a=a.tsv -s b=b.ttl --listen 8912
      two systems with names, at another port";

/// What is shown, before the server is there.
enum Shown {
    /// The built-in sample.
    Demo,
    /// Files.
    Files(Inputs),
    /// What a store keeps.
    Workspace(StoreAddress),
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.check_address()?;
        let shown = self.shown()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| no_server(self.listen, &error))?;
        runtime.block_on(self.serve(shown))
    }

    fn shown(&self) -> Result<Shown, Failure> {
        if self.demo {
            return Ok(Shown::Demo);
        }
        if !self.inputs.is_empty() || !self.gold.is_empty() {
            return Ok(Shown::Files(self.given()?));
        }
        store_address(self.data.as_deref(), self.database.as_deref()).map(Shown::Workspace)
    }

    /// What is to be read.
    fn given(&self) -> Result<Inputs, Failure> {
        match self.inputs.split_first() {
            Some((gold, systems)) => {
                gold_and_systems(std::slice::from_ref(gold), systems, &self.reading)
            }
            None => gold_and_systems(&self.gold, &self.systems, &self.reading),
        }
    }

    async fn serve(&self, shown: Shown) -> Result<(), Failure> {
        let files = FileLibrary::of(match shown {
            Shown::Demo => Some(karat::sample::experiment()?),
            Shown::Files(_) | Shown::Workspace(_) => None,
        });
        let workspace = match &shown {
            Shown::Workspace(address) => {
                Some(Workspace::open(address).await.map_err(|error| no_store(address, &error))?)
            }
            Shown::Demo | Shown::Files(_) => None,
        };
        let library: Arc<dyn Library> = match &workspace {
            Some(workspace) => Arc::new(StoredLibrary::new(workspace.clone())),
            None => Arc::new(files.clone()),
        };
        let front = self.front.as_deref().unwrap_or_default();
        // A base that cannot be opened is said at once, and not by every page.
        let workbench = Workbench::over(library).with_front(front)?.with_kb(self.kb.clone())?;
        let workbench = Arc::new(workbench);
        let access = match (&self.public_url, self.trust_machine) {
            (Some(public_url), _) => {
                Access::Accounts { public_url: public_url.clone(), may_read: self.public_reading }
            }
            (None, true) => Access::Machine,
            (None, false) => Access::Key,
        };
        let invited = match &workspace {
            Some(workspace) if self.invite_owner => Some(owner_link(self, workspace).await?),
            _ => None,
        };
        let worker = workspace.as_ref().map(Worker::start);
        let options = ServerOptions {
            address: self.listen,
            workbench: Arc::clone(&workbench),
            workspace,
            access,
        };
        let bound = Server::bind(options).await;
        let server = bound.map_err(|error| no_server(self.listen, &error))?;
        writeln!(std::io::stdout(), "{}", server.link())?;
        if let Some(link) = invited {
            writeln!(std::io::stdout(), "{link}")?;
        }
        if self.open {
            open_in_browser(&server.link());
        }
        let reading = tokio::task::spawn_blocking(move || match shown {
            Shown::Files(inputs) => files.read(&inputs),
            Shown::Demo | Shown::Workspace(_) => Ok(()),
        });
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async {
            // It is told by whoever holds the other end letting go.
            let _ = stopped.await;
        }));
        let ended = tokio::select! {
            () = interrupted(|| {}) => Ok(()),
            Ok(Err(error)) = reading => Err(error.into()),
        };
        workbench.stop();
        drop(stop);
        let served = running.await;
        // It gives its job back, and waits for the store to say so.
        let _ = tokio::task::spawn_blocking(move || drop(worker)).await;
        match served {
            Ok(Err(error)) => Err(no_server(self.listen, &error)),
            _ => ended,
        }
    }

    /// Pages without accounts are for this machine only.
    fn check_address(&self) -> Result<(), Failure> {
        if self.public_url.is_some() {
            return Ok(());
        }
        match self.listen.ip() {
            IpAddr::V4(ip) if ip.is_loopback() => Ok(()),
            IpAddr::V6(ip) if ip.is_loopback() => Ok(()),
            other => Err(Failure::usage(
                format!("`{other}` can be reached from other machines, and there are no accounts"),
                "give --public-url for accounts, or listen on 127.0.0.1 and look from elsewhere through ssh: ssh -L 8765:127.0.0.1:8765 HOST",
            )),
        }
    }
}

/// A link with which somebody makes an account that owns everything.
async fn owner_link(serve: &Serve, workspace: &Workspace) -> Result<String, Failure> {
    let origin = serve.public_url.as_deref().unwrap_or_default();
    let invited = karat_web::accounts::invite_owner(workspace.store(), origin).await;
    invited.map_err(|error| {
        Failure::usage(format!("nobody can be invited: {error}"), "check the database")
    })
}

/// Where people reach a server with accounts.
fn parse_public_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_host = |host: &str| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    match host {
        Some(host) if is_host(host) => Ok(url.to_owned()),
        _ => Err("write where people reach the server, as https://karat.example".to_owned()),
    }
}

/// Where the workspace is that arguments name: that of this folder if they name none.
pub(crate) fn store_address(
    data: Option<&str>,
    database: Option<&str>,
) -> Result<StoreAddress, Failure> {
    match database {
        None => Ok(StoreAddress::File(data.unwrap_or("karat.db").into())),
        Some(address) => match address.parse() {
            Ok(address @ StoreAddress::Server(_)) => Ok(address),
            _ => Err(Failure::usage(
                format!("`{address}` is no address of a PostgreSQL database"),
                "write postgres://USER@HOST/NAME; a file is named by --data",
            )),
        },
    }
}

pub(crate) fn no_store(address: &StoreAddress, error: &StoreError) -> Failure {
    let hint = match address {
        StoreAddress::Server(_) => "check that the server runs, and the address with psql",
        _ => "name another file with --data",
    };
    Failure::usage(format!("cannot open the workspace {address}: {error}"), hint)
}

/// Opens an address with the program that this system has for it. Whoever has none opens the printed link.
pub(crate) fn open_in_browser(link: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = std::process::Command::new(program);
    command.arg(link);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let _ = command.spawn();
}

pub(crate) fn no_server(address: SocketAddr, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program has the port; --listen 127.0.0.1:0 takes any that is free"
        }
        _ => "choose another address with --listen",
    };
    Failure::usage(format!("cannot listen on {address}: {error}"), hint)
}

/// An address with a port, a port alone, or `localhost` with a port.
fn parse_listen(text: &str) -> Result<SocketAddr, String> {
    let on_this_machine = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    port.parse().map(on_this_machine).or_else(|_| text.parse()).map_err(|_| {
        "write an address and a port, as 127.0.0.1:8912, or a port, as 8912".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_has_a_host_and_no_path() {
        for text in ["https://karat.example", "http://127.0.0.1:8000", "https://karat.example/"] {
            assert!(parse_public_url(text).is_ok_and(|url| !url.ends_with('/')), "{text}");
        }
        for bad in ["", "karat.example", "ftp://x", "https://", "https://x/y", "https://a@b"] {
            assert!(parse_public_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_port_is_enough() {
        for text in ["8912", "localhost:8912", "127.0.0.1:8912"] {
            let address = parse_listen(text).map(|address| address.to_string());
            assert_eq!(address.as_deref(), Ok("127.0.0.1:8912"), "{text}");
        }
        assert!(parse_listen("[::1]:0").is_ok_and(|address| address.is_ipv6()));
        for bad in ["", "127.0.0.1", "99999", "example.org:80", "localhost"] {
            assert!(parse_listen(bad).is_err_and(|why| why.contains("127.0.0.1:8912")), "{bad}");
        }
    }
}
