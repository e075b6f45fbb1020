//! `karat serve`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::scoring::gold_and_systems;
use clap::Args;
use karat_web::server::Access;
use karat_web::serving::{ServedContent, Serving, listen_address, public_url};
use karat_web::workspace::store_address;
use std::io::Write;
use std::net::SocketAddr;

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
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8765", value_parser = listen_address)]
    listen: SocketAddr,
    /// Let everybody in who can reach the address, without a key
    #[arg(long, conflicts_with = "public_url")]
    trust_machine: bool,
    /// Let people with accounts in, who reach the server at this address; --listen may then be any address
    #[arg(long, value_name = "URL", value_parser = public_url, conflicts_with_all = ["inputs", "gold", "systems", "demo"])]
    public_url: Option<String>,
    /// Let those who are not logged in read what is visible
    #[arg(long, requires = "public_url")]
    public_reading: bool,
    /// Print a link with which somebody makes an account that owns everything; it is good once, for a week
    #[arg(long, requires = "public_url")]
    invite_owner: bool,
    /// Answer others as a linker, and show no pages: a name that `karat linkers` lists, or the path of a declaration
    #[arg(long, value_name = "LINKER", conflicts_with_all = ["inputs", "gold", "systems", "demo", "data", "database", "public_url"])]
    annotator: Option<String>,
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
  karat serve --annotator prior --kb wikidata.kb --listen 8912
      a linker that GERBIL and the clients of other linkers can ask
  karat serve gold.tsv system.tsv
      one system on a benchmark of your own
  karat serve -g gold.tsv -s a=a.tsv -s b=b.ttl --listen 8912
      two systems with names, at another port";

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.reading.limit_memory();
        if let Some(linker) = &self.annotator {
            return super::link::serve(linker, self.kb.clone(), self.listen);
        }
        let serving = Serving {
            shown: self.shown()?,
            listen: self.listen,
            access: match &self.public_url {
                Some(public_url) => Access::Accounts {
                    public_url: public_url.clone(),
                    may_read: self.public_reading,
                },
                None if self.trust_machine => Access::Machine,
                None => Access::Key,
            },
            invite_owner: self.invite_owner,
            front: self.front.clone().unwrap_or_default(),
            kb: self.kb.clone(),
        };
        let started = |started: &karat_web::serving::Started| {
            let mut out = std::io::stdout();
            writeln!(out, "{}", started.link)?;
            if let Some(link) = &started.invitation {
                writeln!(out, "{link}")?;
            }
            if self.open {
                open_in_browser(&started.link);
            }
            Ok(())
        };
        serving.run(started, interrupted(|| {}))
    }

    fn shown(&self) -> Result<ServedContent, Failure> {
        if self.demo {
            return Ok(ServedContent::Sample);
        }
        let (gold, systems) = match self.inputs.split_first() {
            Some((gold, systems)) => (std::slice::from_ref(gold), systems),
            None => (self.gold.as_slice(), self.systems.as_slice()),
        };
        if gold.is_empty() {
            let address = store_address(self.data.as_deref(), self.database.as_deref())?;
            return Ok(ServedContent::Workspace(address));
        }
        gold_and_systems(gold, systems, &self.reading).map(ServedContent::Files)
    }
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
