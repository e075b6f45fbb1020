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
  merge     Decide what people agree on by a rule, and leave the rest to a person
  patch     Make the gold patch that follows from a campaign: what people removed, corrected and
            found missing
  export    Take something out of a campaign, as files
  import    Read a campaign that was exported, or judgements that were made elsewhere
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

/// Two documents with gold and a system.
fn with_corpora() -> Folder {
    let folder = Folder::new();
    let line = |document: &str, link: &str| {
        format!(
            "{{\"document\":\"{document}\",\"text\":\"Berlin met Paris.\",\"annotations\":[{{\"span\":[0,6],\"link\":\"Q64\"}},\
             {{\"span\":[11,16],\"link\":\"{link}\"}}]}}\n"
        )
    };
    folder.write("gold.jsonl", (line("a", "Q90") + &line("b", "Q90")).as_bytes());
    folder.write("mine.jsonl", (line("a", "Q90") + &line("b", "Q142")).as_bytes());
    folder
}

#[test]
fn a_campaign_is_exported_and_imported() {
    let folder = with_corpora();
    let expert = "{\"document\":\"a\",\"span\":[7,10],\"link\":\"Q1\",\"right\":[\"remove\"]}\n";
    folder.write("expert.jsonl", expert.as_bytes());
    let create =
        "karat verify create spring -g gold.jsonl -s mine=mine.jsonl --expert expert.jsonl";
    assert_data_eq!(
        folder.run(create),
        str![[r#"
exit code 0
-- stdout
spring: 2 texts, 6 items, 4 tasks, 0 proposals left out

"#]]
    );
    folder.run("karat verify export spring --what campaign -o whole.jsonl");
    assert_data_eq!(
        folder.run("karat verify import whole.jsonl --name autumn"),
        str![[r#"
exit code 0
-- stdout
autumn: draft

"#]]
    );
    folder.run("karat verify export autumn --what campaign -o again.jsonl");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("again.jsonl").replacen("autumn", "spring", 1), read("whole.jsonl"));
    assert_data_eq!(
        folder.run("karat verify import whole.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: the campaign `spring` is there already
  = help: choose another name

"#]]
    );
    // What is judged elsewhere comes back: here as the tables of the paper.
    folder.run("karat verify export spring --what ding-2022 -o tables");
    assert!(read("tables/annotations.csv").contains("a-0_17,mine,Paris,Q90,11,16"));
    folder.write(
        "tables/verified_annotations.csv",
        b"document_id,user_id,annotation_id,modified_entity\na-0_17,ann,1,Q64\n",
    );
    folder.run("karat verify import tables -o judgements.csv");
    assert!(read("judgements.csv").contains(",ann,verify,"), "{}", read("judgements.csv"));
    assert_data_eq!(
        folder.run("karat verify export spring --what items -o items.xlsx"),
        str![[r#"
exit code 2
-- stderr
error: `items` is not written as .xlsx
  = help: name a file that ends in .csv, .jsonl, .tsv, .json

"#]]
    );
    assert_data_eq!(
        folder.run("karat verify import gold.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: line 1: there is no table ``
  = help: give a file of `karat verify export --what campaign`; judgements of other tools need --output

"#]]
    );
}

#[test]
fn a_patch_follows_from_judgements_and_changes_scores() {
    let folder = with_corpora();
    let mut rows = HEAD.to_owned();
    for (link, action) in [("Q90", "modify"), ("Q142", "verify")] {
        let source = if link == "Q90" { "gold" } else { "mine" };
        for person in ["ann", "ben"] {
            rows += &format!("b,11,16,{link},{source},{person},{action}\n");
        }
    }
    folder.write("judgements.csv", rows.as_bytes());
    assert_data_eq!(
        folder.run(
            "karat verify patch --judgements judgements.csv -g gold.jsonl -o spring.goldpatch.jsonl"
        ),
        str![[r#"
exit code 0
-- stderr
note: 1 correction of `gold`, in `spring.goldpatch.jsonl`

"#]]
    );
    let text = std::fs::read_to_string(folder.path("spring.goldpatch.jsonl")).unwrap();
    assert!(text.contains(r#""set":{"link":["Q90","Q142"]}"#), "{text}");
    let scored =
        folder.run("karat eval -g gold.jsonl --patch spring.goldpatch.jsonl -s mine.jsonl -m link");
    assert!(scored.contains("0.750") && scored.contains("1.000"), "{scored}");
    assert_data_eq!(
        folder.run("karat verify patch --judgements judgements.csv -g gold.jsonl -o gold.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: `gold.jsonl` is an input and would be written over
  = help: name another file for the output

"#]]
    );
}
