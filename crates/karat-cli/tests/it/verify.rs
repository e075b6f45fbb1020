//! `karat verify`: what is refused, and papers that are listed.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const HEAD: &str = "document,begin,end,link,sources,worker,action\n";

#[test]
fn bad_judgements_are_located() {
    let folder = Folder::new();
    folder.write("bad.csv", format!("{HEAD}d1,0,5,Q64,mine,ann,perhaps\n").as_bytes());
    assert_data_eq!(folder.run("karat verify report bad.csv"), str![]);
    folder.write("short.csv", b"document,begin,end\nd1,0,5\n");
    assert_data_eq!(folder.run("karat verify report short.csv"), str![]);
}

#[test]
fn names_and_settings_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    folder.write("one.csv", format!("{HEAD}d1,0,5,Q64,mine,ann,verify\n").as_bytes());
    assert_data_eq!(folder.run("karat verify report one.csv --preset ding"), str![]);
    assert_data_eq!(folder.run("karat verify report one.csv --pass 2"), str![]);
    assert_data_eq!(folder.run("karat verify report one.csv --gold gould"), str![]);
    assert_data_eq!(folder.run("karat verify simulate --shares 0.5,0.1,0.1"), str![]);
    assert_data_eq!(folder.run("karat verify simulate --people 2,0,0,0"), str![]);
}

#[test]
fn one_judgement_has_a_report() {
    let folder = Folder::new();
    folder.write("one.csv", format!("{HEAD}d1,0,5,Q64,mine,ann,verify\n").as_bytes());
    assert_data_eq!(folder.run("karat verify report one.csv"), str![]);
}

#[test]
fn help_of_verify() {
    let folder = Folder::new();
    assert_data_eq!(folder.run("karat verify --help"), str![]);
}
