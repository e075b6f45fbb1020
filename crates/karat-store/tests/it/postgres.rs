//! A PostgreSQL server of our own, for the time of a test.

use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server that answers on a socket in its own folder, and ends with this value.
pub(crate) struct Server {
    folder: TempDir,
    child: Child,
}

impl Server {
    /// Starts a server; none if the programs are not on this machine.
    pub(crate) fn start() -> Option<Server> {
        let programs = programs()?;
        let folder = tempfile::Builder::new().prefix("karat-pg").tempdir().unwrap();
        let user = Account::of(folder.path());
        user.owns(folder.path());
        let data = folder.path().join("data");
        let made = user
            .command(&programs.join("initdb"))
            .args(["--auth=trust", "--username=karat", "--encoding=UTF8", "--no-sync", "-D"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let child = user
            .command(&programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"])
            .spawn()
            .unwrap();
        let server = Server { folder, child };
        server.wait();
        Some(server)
    }

    /// The address of a database on this server.
    pub(crate) fn url(&self, database: &str) -> String {
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://karat@{socket}/{database}")
    }

    fn wait(&self) {
        let begun = Instant::now();
        let ready = self.folder.path().join("data/postmaster.pid");
        loop {
            let state = std::fs::read_to_string(&ready).unwrap_or_default();
            if state.lines().nth(7).is_some_and(|line| line.trim() == "ready") {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let id = self.child.id().to_string();
        // Ends connections and then the server.
        let _ = Command::new("kill").args(["-INT", &id]).status();
        let _ = self.child.wait();
    }
}

/// Where Debian and others put the programs.
fn programs() -> Option<PathBuf> {
    let both =
        |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    let path = std::env::var_os("PATH").unwrap_or_default();
    if let Some(folder) = std::env::split_paths(&path).find(both) {
        return Some(folder);
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    versions.flatten().map(|version| version.path().join("bin")).filter(both).max()
}

/// PostgreSQL does not run as root, so a test that does lends it another account.
struct Account(Option<String>);

impl Account {
    fn of(folder: &Path) -> Account {
        let root = std::fs::metadata(folder).unwrap().uid() == 0;
        let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let name = ["postgres", "nobody"].into_iter().find(|name| id_of(&known, name).is_some());
        Account(name.filter(|_| root).map(str::to_owned))
    }

    fn owns(&self, folder: &Path) {
        let Some(name) = &self.0 else { return };
        let known = std::fs::read_to_string("/etc/passwd").unwrap();
        let (user, group) = id_of(&known, name).unwrap();
        chown(folder, Some(user), Some(group)).unwrap();
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = match &self.0 {
            Some(name) => {
                let mut command = Command::new("setpriv");
                let known = std::fs::read_to_string("/etc/passwd").unwrap();
                let (user, group) = id_of(&known, name).unwrap();
                command.args([format!("--reuid={user}"), format!("--regid={group}")]);
                // Should this process be killed, the server ends with it.
                command.args(["--clear-groups", "--pdeathsig", "INT", "--"]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.current_dir("/").stdout(Stdio::null()).stderr(Stdio::piped()).env_remove("PGDATA");
        command
    }
}

fn id_of(passwd: &str, name: &str) -> Option<(u32, u32)> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2).map(|field| field.parse().ok());
    Some((fields.next()??, fields.next()??))
}
