//! What was acknowledged survives the sudden end of the process.

use crate::databases::block_on;
use karat_store::*;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

const PATH: &str = "KARAT_STORE_KILLED";

/// The process that is killed: writes, and says so after each acknowledgement. Without a path it
/// has nothing to do.
#[test]
fn victim() {
    let Some(path) = std::env::var_os(PATH) else { return };
    block_on(async {
        let store = Store::open(&StoreAddress::File(path.into())).await.unwrap();
        for n in 0.. {
            let new = NewSystem { slug: new_id().unwrap(), ..NewSystem::default() };
            let row = store.add_system(&By::local(), &new).await.unwrap();
            let digest = store.keep_file(&vec![n as u8; 70_000 + n]).await.unwrap();
            println!("\nkept {} {digest}", row.id);
        }
    });
}

#[test]
fn nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("karat.db");
    let mut kept = Vec::new();
    for round in 1..=4 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["killed::victim", "--exact", "--nocapture"])
            .env(PATH, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut lines = lines.filter_map(|line| line.strip_prefix("kept ").map(str::to_owned));
        kept.extend(lines.by_ref().take(3 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it said before it ended counts as well.
        kept.extend(lines.filter(|line| line.len() == 10 + 1 + 64));
        block_on(async {
            let store = Store::open(&StoreAddress::File(path.clone())).await.unwrap();
            for line in &kept {
                let (system, file) = line.split_once(' ').unwrap();
                store.file_bytes(file).await.unwrap();
                assert!(store.system(system).await.is_ok(), "{system} is lost");
            }
            assert!(matches!(store.check_audit().await.unwrap(), AuditCheck::Whole(_)));
            store.close().await;
        });
    }
    assert!(kept.len() >= 3 + 6 + 9 + 12);
}

const DISK: &str = "KARAT_STORE_DISK";

/// The process with the small disk: fills it, makes room, and goes on. Without a disk it has nothing to do.
#[test]
fn on_a_small_disk() {
    let Some(disk) = std::env::var_os(DISK).map(std::path::PathBuf::from) else { return };
    block_on(async {
        let store = Store::open(&StoreAddress::File(disk.join("karat.db"))).await.unwrap();
        let before = store.keep_file(b"before").await.unwrap();
        std::fs::write(disk.join("other"), vec![1; 11 << 20]).unwrap();
        let mut writer = store.new_file().await.unwrap();
        let error = writer.push(&vec![7; 8 << 20]).await.unwrap_err();
        assert!(matches!(error, StoreError::Full), "{error}");
        assert_eq!(store.file_bytes(&before).await.unwrap(), b"before");
        std::fs::remove_file(disk.join("other")).unwrap();
        writer.discard().await.unwrap();
        let after = store.keep_file(b"after").await.unwrap();
        assert_eq!(store.file_bytes(&after).await.unwrap(), b"after");
    });
}

#[test]
fn a_full_disk_is_said_and_a_store_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=16m tmpfs \"$0\" && exec \"$@\"";
    let within = |program: &std::path::Path| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]).arg(folder.path());
        command.arg(program).env(DISK, folder.path());
        command
    };
    if !within("true".as_ref()).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no small disk can be mounted here");
        return;
    }
    let mut inside = within(&std::env::current_exe().unwrap());
    let output = inside.args(["killed::on_a_small_disk", "--exact"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
