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
