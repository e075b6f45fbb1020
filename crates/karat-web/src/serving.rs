//! A server, from what it is to show until it has stopped: what `karat serve` and `karat verify demo` do, for every
//! front end that serves pages.

use crate::accounts;
use crate::campaigns::{DemoCampaign, prepare_demo};
use crate::library::{FileLibrary, Library, StoredLibrary};
use crate::server::{Access, Server, ServerOptions};
use crate::workbench::Workbench;
use crate::workspace::{Worker, Workspace, cannot_open, runtime};
use karat::error::Error;
use karat::inputs::Inputs;
use karat::model::Hint;
use karat_store::{By, StoreAddress};
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// What a server shows, where, and to whom.
#[derive(Debug, Clone)]
pub struct Serving {
    /// What it shows.
    pub shown: ServedContent,
    /// Where it listens; port 0 is any that is free. Without accounts, an address of this machine.
    pub listen: SocketAddr,
    /// Who may look.
    pub access: Access,
    /// Makes a link with which somebody makes an account that owns everything. Only a workspace has accounts.
    pub invite_owner: bool,
    /// The view of the first page, as it stands in the address of a board.
    pub front: String,
    /// A knowledge base, for categories of errors and the names of entities.
    pub kb: Option<String>,
}

/// What a server shows.
#[derive(Debug, Clone, PartialEq)]
pub enum ServedContent {
    /// The built-in sample.
    Sample,
    /// Files. The first page is there while they are still read.
    Files(Inputs),
    /// What a store keeps.
    Workspace(StoreAddress),
    /// A small campaign on the built-in sample, with simulated co-annotators. Nothing is kept.
    Campaign {
        /// What the answers of those who are simulated depend on.
        seed: u64,
    },
}

/// A server that answers.
#[derive(Debug, Clone)]
pub struct Started {
    /// The first page, with the key if there is one.
    pub link: String,
    /// Where somebody makes an account that owns everything.
    pub invitation: Option<String>,
    /// The campaign with simulated co-annotators.
    pub campaign: Option<StartedCampaign>,
}

/// A campaign with simulated co-annotators on a server that answers.
#[derive(Debug, Clone)]
pub struct StartedCampaign {
    /// The campaign.
    pub made: DemoCampaign,
    /// Where one judges in it.
    pub judging: String,
    /// Where one sees how it goes.
    pub organising: String,
}

/// Text that is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Nowhere to listen.
    #[error("write an address and a port, as 127.0.0.1:8912, or a port, as 8912")]
    Listen,
    /// Nowhere to reach a server.
    #[error("write where people reach the server, as https://karat.example")]
    PublicUrl,
}

/// Where to listen: an address with a port, a port alone, or `localhost` with a port.
///
/// ```
/// use karat_web::serving::listen_address;
///
/// assert_eq!(listen_address("8912"), listen_address("127.0.0.1:8912"));
/// assert!(listen_address("127.0.0.1").is_err());
/// ```
pub fn listen_address(text: &str) -> Result<SocketAddr, AddressError> {
    let on_this_machine = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    let address = port.parse().map(on_this_machine).or_else(|_| text.parse());
    address.map_err(|_| AddressError::Listen)
}

/// Where people reach a server with accounts, without a slash at the end.
pub fn public_url(text: &str) -> Result<String, AddressError> {
    let url = text.trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_host = |host: &str| !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    host.filter(|host| is_host(host)).map(|_| url.to_owned()).ok_or(AddressError::PublicUrl)
}

impl Serving {
    /// Serves until `stop` is done, or until files turn out to be bad. `started` is called once the server answers; what it
    /// refuses ends the server. Blocks, and has threads of its own.
    pub fn run<E: From<Error>>(
        self,
        started: impl FnOnce(&Started) -> Result<(), E>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), E> {
        self.check_address()?;
        runtime()?.block_on(self.serve(started, stop))
    }

    async fn serve<E: From<Error>>(
        self,
        started: impl FnOnce(&Started) -> Result<(), E>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), E> {
        let (workspace, campaign) = self.workspace().await?;
        let files = FileLibrary::of(match &self.shown {
            ServedContent::Sample => Some(karat::sample::experiment()?),
            _ => None,
        });
        let library: Arc<dyn Library> = match &workspace {
            Some(workspace) => Arc::new(StoredLibrary::new(workspace.clone())),
            None => Arc::new(files.clone()),
        };
        // A base that cannot be opened is said at once, and not by every page.
        let workbench =
            Workbench::over(library).with_front(&self.front)?.with_kb(self.kb.clone())?;
        let workbench = Arc::new(workbench);
        let invitation = match &workspace {
            Some(workspace) if self.invite_owner => Some(self.owner_link(workspace).await?),
            _ => None,
        };
        let worker = workspace.as_ref().map(Worker::start);
        let options = ServerOptions {
            address: self.listen,
            workbench: Arc::clone(&workbench),
            workspace,
            access: self.access.clone(),
        };
        let bound = Server::bind(options).await;
        let server = bound.map_err(|error| self.no_server(&error))?;
        let link = server.link();
        let campaign = campaign.map(|made| StartedCampaign {
            judging: server.link_to(&format!("/judge/{}", made.campaign.name)),
            organising: server.link_to(&format!("/campaigns/{}", made.campaign.name)),
            made,
        });
        started(&Started { link, invitation, campaign })?;
        let files = match &self.shown {
            ServedContent::Files(inputs) => Some((files, inputs.clone())),
            _ => None,
        };
        let reading = tokio::task::spawn_blocking(move || match files {
            Some((files, inputs)) => files.read(&inputs),
            None => Ok(()),
        });
        let (held, let_go) = tokio::sync::oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async {
            // It is told by whoever holds the other end letting go.
            let _ = let_go.await;
        }));
        let ended = tokio::select! {
            () = stop => Ok(()),
            Ok(Err(error)) = reading => Err(error),
        };
        workbench.stop();
        drop(held);
        let served = running.await;
        // It gives its job back, and waits for the store to say so.
        let _ = tokio::task::spawn_blocking(move || drop(worker)).await;
        match served {
            Ok(Err(error)) => Err(self.no_server(&error).into()),
            _ => Ok(ended?),
        }
    }

    /// The workspace that is shown, if it is one, and the campaign that was made in it.
    async fn workspace(&self) -> Result<(Option<Workspace>, Option<DemoCampaign>), Error> {
        let address = match &self.shown {
            ServedContent::Sample | ServedContent::Files(_) => return Ok((None, None)),
            ServedContent::Workspace(address) => address,
            ServedContent::Campaign { .. } => &StoreAddress::Memory,
        };
        let opened = Workspace::open(address).await;
        let workspace = opened.map_err(|error| cannot_open(address, &error))?;
        let ServedContent::Campaign { seed } = self.shown else {
            return Ok((Some(workspace), None));
        };
        let not_made = |why: String| {
            let message = format!("the demonstration cannot be made: {why}");
            Error::bad_request(message, "this is a mistake of karat")
        };
        let making = workspace.clone();
        let made =
            tokio::task::spawn_blocking(move || prepare_demo(&making, &By::local(), seed)).await;
        let made = made.map_err(|error| not_made(error.to_string()))?;
        let made = made.map_err(|error| not_made(error.to_string()))?;
        Ok((Some(workspace), Some(made)))
    }

    /// Pages without accounts are for this machine only.
    fn check_address(&self) -> Result<(), Error> {
        let ip = self.listen.ip();
        match self.access {
            Access::Accounts { .. } => Ok(()),
            Access::Key | Access::Machine if ip.is_loopback() => Ok(()),
            Access::Key | Access::Machine => Err(Error::bad_request(
                format!("`{ip}` can be reached from other machines, and there are no accounts"),
                Hint::template(
                    "give {public-url} for accounts, or listen on 127.0.0.1 and look from elsewhere through ssh: ssh -L 8765:127.0.0.1:8765 HOST",
                ),
            )),
        }
    }

    /// A link with which somebody makes an account that owns everything.
    async fn owner_link(&self, workspace: &Workspace) -> Result<String, Error> {
        let origin = match &self.access {
            Access::Accounts { public_url, .. } => public_url.as_str(),
            Access::Key | Access::Machine => "",
        };
        let invited = accounts::invite_owner(workspace.store(), origin).await;
        invited.map_err(|error| {
            Error::bad_request(format!("nobody can be invited: {error}"), "check the database")
        })
    }

    fn no_server(&self, error: &io::Error) -> Error {
        let hint = match (error.kind(), &self.shown) {
            (io::ErrorKind::AddrInUse, ServedContent::Campaign { .. }) => {
                Hint::template("another program has the port; {port=0} takes any that is free")
            }
            (io::ErrorKind::AddrInUse, _) => Hint::template(
                "another program has the port; {listen=127.0.0.1:0} takes any that is free",
            ),
            (_, ServedContent::Campaign { .. }) => {
                Hint::template("choose another port with {port}")
            }
            _ => Hint::template("choose another address with {listen}"),
        };
        Error::bad_request(format!("cannot listen on {}: {error}", self.listen), hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_has_a_host_and_no_path() {
        for text in ["https://karat.example", "http://127.0.0.1:8000", "https://karat.example/"] {
            assert!(public_url(text).is_ok_and(|url| !url.ends_with('/')), "{text}");
        }
        for bad in ["", "karat.example", "ftp://x", "https://", "https://x/y", "https://a@b"] {
            assert_eq!(public_url(bad), Err(AddressError::PublicUrl), "{bad}");
        }
    }

    #[test]
    fn a_port_is_enough() {
        for text in ["8912", "localhost:8912", "127.0.0.1:8912"] {
            let address = listen_address(text).map(|address| address.to_string());
            assert_eq!(address.as_deref(), Ok("127.0.0.1:8912"), "{text}");
        }
        assert!(listen_address("[::1]:0").is_ok_and(|address| address.is_ipv6()));
        for bad in ["", "127.0.0.1", "99999", "example.org:80", "localhost"] {
            assert_eq!(listen_address(bad), Err(AddressError::Listen), "{bad}");
        }
    }

    /// What a server that may not start says.
    fn refusal(serving: Serving) -> Error {
        let started = |started: &Started| panic!("{}", started.link);
        match serving.run::<Error>(started, std::future::ready(())) {
            Err(error) => error,
            Ok(()) => panic!("it was served"),
        }
    }

    fn sample_at(listen: SocketAddr) -> Serving {
        Serving {
            shown: ServedContent::Sample,
            listen,
            access: Access::Key,
            invite_owner: false,
            front: String::new(),
            kb: None,
        }
    }

    #[test]
    fn other_machines_need_accounts_and_a_port_is_for_one_server() {
        let refused = refusal(sample_at(SocketAddr::from(([0, 0, 0, 0], 0)))).to_string();
        assert!(refused.contains("there are no accounts"), "{refused}");
        let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let refused = refusal(sample_at(taken.local_addr().unwrap())).notice();
        assert!(refused.hint.unwrap().to_string().contains("`listen=127.0.0.1:0`"));
    }

    #[test]
    fn a_server_answers_until_it_is_told_to_stop() {
        let serving = sample_at(SocketAddr::from(([127, 0, 0, 1], 0)));
        let mut link = String::new();
        let told = |started: &Started| {
            link.clone_from(&started.link);
            Ok(())
        };
        serving.run::<Error>(told, std::future::ready(())).unwrap();
        assert!(link.contains("/enter?key="), "{link}");
    }
}
