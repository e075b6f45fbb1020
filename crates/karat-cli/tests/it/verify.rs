//! `karat verify`: what is refused, and papers that are listed.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const HEAD: &str = "document,begin,end,link,sources,worker,action\n";

#[test]
fn bad_judgements_are_located() {
    let folder = Folder::new();
    folder.write("bad.csv", format!("{HEAD}d1,0,5,Q64,mine,ann,perhaps\n").as_bytes());
    assert_data_eq!(
        folder.run("karat verify report bad.csv"),
        str![[r#"
exit code 2
-- stderr
error: `perhaps` is no action: expected verify, modify, remove or skip
 --> bad.csv:2:21
  |
2 | d1,0,5,Q64,mine,ann,perhaps
  |                     ^^^^^^^

"#]]
    );
    folder.write("short.csv", b"document,begin,end\nd1,0,5\n");
    assert_data_eq!(
        folder.run("karat verify report short.csv"),
        str![[r#"
exit code 2
-- stderr
error: the column `link` is not there
 --> short.csv:1:19
  |
1 | document,begin,end
  |                   ^
  |
  = help: a table of judgements needs document, begin, end, link, sources, worker, action

"#]]
    );
}

#[test]
fn names_and_settings_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    folder.write("one.csv", format!("{HEAD}d1,0,5,Q64,mine,ann,verify\n").as_bytes());
    assert_data_eq!(
        folder.run("karat verify report one.csv --preset ding"),
        str![[r#"
exit code 2
-- stderr
error: there is no preset `ding`
  = help: presets are karat, ding-2022, ding-2022-code

"#]]
    );
    assert_data_eq!(
        folder.run("karat verify report one.csv --pass 2"),
        str![[r#"
exit code 2
-- stderr
error: this preset leaves nobody out
  = help: leave out --pass, or take --preset ding-2022

"#]]
    );
    assert_data_eq!(
        folder.run("karat verify report one.csv --gold gould"),
        str![[r#"
exit code 2
-- stderr
error: there is no source `gould`
  = help: sources are mine

"#]]
    );
    assert_data_eq!(
        folder.run("karat verify simulate --shares 0.5,0.1,0.1"),
        str![[r#"
exit code 2
-- stderr
error: the shares [0.5, 0.1, 0.1] do not sum to 1
  = help: write --shares as 0.86,0.10,0.04

"#]]
    );
    assert_data_eq!(
        folder.run("karat verify simulate --people 2,0,0,0"),
        str![[r#"
exit code 2
-- stderr
error: 2 people cannot judge every item 5 times
  = help: raise --people, or ask for fewer judgements

"#]]
    );
}

#[test]
fn one_judgement_has_a_report() {
    let folder = Folder::new();
    folder.write("one.csv", format!("{HEAD}d1,0,5,Q64,mine,ann,verify\n").as_bytes());
    assert_data_eq!(
        folder.run("karat verify report one.csv"),
        str![[r#"
exit code 0
-- stdout
Verification, preset karat

Verification

dataset  source  verify  modify  remove  open   rate  95%  corrected
─────────────────────────────────────────────────────────────────────
all      mine         1       0       0     0  1.000  –            –

Before and after

source  P  R  P weak  R weak  P after  P 95%  R after  R 95%
─────────────────────────────────────────────────────────────
mine    –  –       –       –    1.000  –        1.000  –

Agreement

about           items  coefficient           value  95%  by chance  note
────────────────────────────────────────────────────────────────────────────────────────────
action              0  raw agreement             –  –            –  no item has two answers
action              0  Fleiss' kappa             –  –            –  no item has two answers
action              0  Krippendorff's alpha      –  –            –  no item has two answers
action              0  Gwet's AC1                –  –            –  no item has two answers
action              0  specific, verify          –  –            –  nobody gave it
action              0  specific, modify          –  –            –  nobody gave it
action              0  specific, remove          –  –            –  nobody gave it
keep or remove      0  raw agreement             –  –            –  no item has two answers
keep or remove      0  Fleiss' kappa             –  –            –  no item has two answers
keep or remove      0  Krippendorff's alpha      –  –            –  no item has two answers
keep or remove      0  Gwet's AC1                –  –            –  no item has two answers
link                0  raw agreement             –  –            –  no item has two answers
link                0  Fleiss' kappa             –  –            –  no item has two answers
link                0  Krippendorff's alpha      –  –            –  no item has two answers
link                0  Gwet's AC1                –  –            –  no item has two answers

People

person  judgements  controls  right  95%  accuracy  weight  flags
──────────────────────────────────────────────────────────────────
ann              1         0      0  –       1.000   0.000
-- stderr
note: a model of people needs two judgements per item on average, and there are 1.00: every vote counts the same

"#]]
    );
}

#[test]
fn help_of_verify() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run("karat verify --help"),
        str![[r#"
exit code 0
-- stdout
Verify what gold and systems say: what people judged, and what a design would cost

In a verification campaign people see a mention with a link, without knowing who proposed it, and
verify, modify or remove it. `create`, `open` and `close` are the life of a campaign in the
workspace, and `demo` shows a small one. `report` says what follows from their judgements: how often
each source is right, precision and recall after verification, what the gold standard lacks, how far
people agree, and whom to trust. `simulate` says what a design costs and how sure its rates will be,
before anybody is asked.

Usage: karat verify <COMMAND>

Commands:
  create    Make a campaign of gold and systems
  open      Begin a campaign: people may judge
  pause     Pause a campaign: no new tasks are given out, and those that are out may be submitted
  reopen    Go on with a campaign where it was paused
  close     End a campaign: judging, then adjudication, then its results are frozen
  status    Say how far campaigns are
  people    Say who judges in a campaign, by pseudonym
  controls  Show the controls of a campaign, confirm them or take them out
  export    Write the judgements of a campaign to a file that `karat verify report` reads
  invite    Make an invitation: a link by which people come to judge
  forget    Forget somebody: ids of platforms, notes and times go, and answers stay under a new
            pseudonym
  demo      Try a small campaign in a browser, on the built-in sample
  report    Say what follows from the judgements of a campaign
  simulate  Say what a campaign will cost and how sure its rates will be
  help      Print this message or the help of the given subcommand(s)

Options:
  -h, --help
          Print help (see a summary with '-h')

"#]]
    );
}
