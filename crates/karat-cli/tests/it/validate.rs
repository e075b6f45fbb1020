//! `karat validate`: findings, fixes, rules, and colours.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// A corpus with something to find.
fn findings() -> Folder {
    Folder::with(&[
        (
            "gold.karat.jsonl",
            "{\"document\":\"d1\",\"text\":\"In Zürich and Berlin\"}\n{\"document\":\"d2\",\"text\":\"Nothing\"}\n",
        ),
        (
            "run.karat.jsonl",
            "{\"document\":\"d1\",\"text\":\"In Zürich and Berlin\",\"annotations\":[\
             {\"span\":[3,10],\"link\":\"Q72\"},{\"span\":[14,18],\"link\":\"Q64\"},{\"span\":[14,18],\"link\":\"Q64\"}]}\n",
        ),
        ("broken.tsv", "d1\t0\t5\tQ64\nd1\t0\n"),
        ("clean.tsv", "d1\t0\t5\tQ64\n"),
    ])
}

#[test]
fn a_validation_without_findings() {
    let folder = findings();
    assert_data_eq!(
        folder.run(r#"karat validate clean.tsv"#),
        str![[r#"
exit code 0
-- stdout
clean.tsv (neleval): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about

"#]]
    );
}

#[test]
fn a_validation_with_findings() {
    let folder = findings();
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl"#),
        str![[r#"
exit code 1
-- stdout
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  warning [duplicate] d1 14..18: the same mention with the same link stands here twice (can be fixed)
      In Zürich and ⟦Berl⟧in
  warning [white-space] d1 3..10: the mention ends with white space (can be fixed)
      In ⟦Zürich ⟧and Berlin
  warning [word-boundary] d1 14..18: the mention ends inside a word
      In Zürich and ⟦Berl⟧in
  warning [word-boundary] d1 14..18: the mention ends inside a word
      In Zürich and ⟦Berl⟧in
  4 findings (1 duplicate, 1 white-space, 2 word-boundary); --fix mends 2

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl --gold gold.karat.jsonl --check coverage"#),
        str![[r#"
exit code 1
-- stdout
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  warning [coverage] d2: no output for this document
  1 finding (1 coverage)

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl --check duplicate --format json"#),
        str![[r#"
exit code 1
-- stdout
[
  {
    "input": "run.karat.jsonl",
    "severity": "warning",
    "check": "duplicate",
    "document": "d1",
    "start": 14,
    "end": 18,
    "mention": "Berl",
    "message": "the same mention with the same link stands here twice",
    "fixable": true
  }
]

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate clean.tsv run.karat.jsonl --check white-space"#),
        str![[r#"
exit code 1
-- stdout
clean.tsv (neleval): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  warning [white-space] d1 3..10: the mention ends with white space (can be fixed)
      In ⟦Zürich ⟧and Berlin
  1 finding (1 white-space); --fix mends 1

"#]]
    );
}

#[test]
fn a_validation_of_records_that_cannot_be_read() {
    let folder = findings();
    assert_data_eq!(
        folder.run(r#"karat validate broken.tsv"#),
        str![[r#"
exit code 2
-- stdout
broken.tsv (neleval): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  1 record could not be read; 0 findings
-- stderr
error: expected `doc  start  end  ...` separated by tabs, found 2 columns
 --> broken.tsv:2:1
  |
2 | d1→0
  | ^^^^
  |
  = help: columns are separated by tabs, not spaces
note: could not read 1 record (1 malformed)

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate broken.tsv --format csv --quiet"#),
        str![[r#"
exit code 2
-- stdout
input,severity,check,document,start,end,mention,message,fixable
broken.tsv,error,malformed,,,,,"broken.tsv:2:1: expected `doc  start  end  ...` separated by tabs, found 2 columns",
-- stderr
note: could not read 1 record (1 malformed)

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate missing.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: no such file or directory
 --> missing.tsv
  = help: check the spelling, or give a path relative to the current folder

"#]]
    );
}

#[test]
fn a_program_is_given_every_record_that_cannot_be_read() {
    let folder =
        Folder::with(&[("broken.tsv", &format!("d1\t0\t5\tQ72\n{}", "d1\t0\n".repeat(1500)))]);
    let listed = |arguments: &str| {
        let output =
            folder.output(&format!("karat validate broken.tsv --from neleval --quiet {arguments}"));
        String::from_utf8(output.stdout).unwrap().matches("found 2 columns").count()
    };
    assert_eq!(listed("--format json"), 1500);
    assert_eq!(listed("--format tsv"), 1500);
}

#[test]
fn the_documents_are_read_once_for_all_inputs() {
    let run = "d1\t0\t5\tQ72\n";
    let texts = "{\"document\":\"d1\",\"text\":\"Zürich\"}\n";
    let folder = Folder::with(&[("a.tsv", run), ("b.tsv", run), ("texts.karat.jsonl", texts)]);
    assert_data_eq!(
        folder.run("karat validate a.tsv b.tsv --documents - < texts.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
a.tsv (neleval): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about
b.tsv (neleval): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about

"#]]
    );
}

#[test]
fn fixes() {
    let folder = findings();
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl --fix --output fixed.karat.jsonl"#),
        str![[r#"
exit code 1
-- stdout
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  warning [duplicate] d1 14..18: the same mention with the same link stands here twice (can be fixed)
      In Zürich and ⟦Berl⟧in
  warning [white-space] d1 3..10: the mention ends with white space (can be fixed)
      In ⟦Zürich ⟧and Berlin
  warning [word-boundary] d1 14..18: the mention ends inside a word
      In Zürich and ⟦Berl⟧in
  warning [word-boundary] d1 14..18: the mention ends inside a word
      In Zürich and ⟦Berl⟧in
  4 findings (1 duplicate, 1 white-space, 2 word-boundary); --fix mends 2
-- stderr
note: mended 2 findings, wrote `fixed.karat.jsonl`

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate fixed.karat.jsonl"#),
        str![[r#"
exit code 1
-- stdout
fixed.karat.jsonl (karat-jsonl): 1 document, 2 annotations: 2 linked, 0 NIL, 0 without answer
  warning [word-boundary] d1 14..18: the mention ends inside a word
      In Zürich and ⟦Berl⟧in
  1 finding (1 word-boundary)

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl clean.tsv --fix --output fixed.karat.jsonl"#),
        str![[r#"
exit code 2
-- stderr
error: `fixed.karat.jsonl` is one file, but there are several inputs
  = help: fix them one by one, or leave --output out

"#]]
    );
}

/// Trimmed, the first says what the second says, which a second look shows.
#[test]
fn fixes_leave_nothing_to_fix() {
    let folder = Folder::with(&[(
        "a.karat.jsonl",
        "{\"document\":\"d\",\"text\":\"Berlin is\",\"annotations\":[\
         {\"span\":[0,7],\"link\":\"Q64\"},{\"span\":[0,6],\"link\":\"Q64\"}]}\n",
    )]);
    let said = folder.run("karat validate me=a.karat.jsonl --fix");
    assert!(
        said.contains("mended 1 finding and 1 that came of it, wrote `a.karat.jsonl`"),
        "{said}"
    );
    let said = folder.run("karat validate a.karat.jsonl");
    assert!(said.contains("1 annotation") && said.contains("nothing to complain about"), "{said}");
}

#[test]
fn no_original_is_written_over() {
    let folder = findings();
    let original = folder.read("run.karat.jsonl");
    for (run, name) in ["run.karat.jsonl.orig", "run.karat.jsonl.orig.1"].iter().enumerate() {
        let content = [original.as_slice(), &b"\n"[..run]].concat();
        folder.write("run.karat.jsonl", &content);
        let said = folder.run("karat validate run.karat.jsonl --fix");
        assert!(said.contains(&format!("note: kept the original as `{name}`")), "{said}");
        assert_eq!(folder.read(name), content);
    }
    assert_eq!(folder.read("run.karat.jsonl.orig"), original);
}

#[test]
fn a_quiet_fix_says_nothing_and_the_original_is_as_private_as_before() {
    let folder = findings();
    let said = folder.run("chmod 600 run.karat.jsonl && karat validate run.karat.jsonl --fix -q");
    assert!(said.starts_with("exit code 1\n") && !said.contains("stderr"), "{said}");
    let said = folder.run("stat -c %a run.karat.jsonl.orig");
    assert_eq!(said, "exit code 0\n-- stdout\n600\n");
}

/// It keeps the first already.
#[test]
fn a_validation_does_not_recommend_to_be_lenient() {
    let folder = Folder::with(&[("d.karat.jsonl", "{\"document\":\"d\"}\n{\"document\":\"d\"}\n")]);
    let said = folder.run("karat validate d.karat.jsonl");
    assert!(said.contains("must be unique") && !said.contains("--lenient"), "{said}");
}

#[test]
fn what_cannot_be_written_again_is_left_alone() {
    let rows = "d,0,6,Q64,x\nd,0,6,Q64,y\n";
    let folder = Folder::with(&[
        ("t.csv", &format!("docid,start,end,link,note\n{rows}")),
        (
            "z.jsonl",
            "{\"id\":1,\"text\":\"Berlin is\",\"index\":[[0,7]],\"wikipedia_titles\":[\"Berlin\"],\"wikipedia_ids\":[3354]}\n",
        ),
    ]);
    let said = folder.run("karat validate t.csv --fix");
    assert!(said.starts_with("exit code 2\n"), "{said}");
    let columns = "note: 2 columns would be left out or called otherwise: `docid`, `note`\n";
    assert!(said.contains(columns), "{said}");
    assert!(said.contains("error: writing over `t.csv` would lose something"), "{said}");
    let said = folder.run("karat validate z.jsonl --fix");
    assert!(said.starts_with("exit code 2\n"), "{said}");
    assert!(said.contains("karat reads `zelda` but does not write it"), "{said}");
    assert_eq!(folder.names(), ["t.csv", "z.jsonl"], "nothing beside them");
}

#[test]
fn rules() {
    let folder = findings();
    assert_data_eq!(folder.run(r#"karat validate run.karat.jsonl --check rule --rule '{mnt@Berl}[short]' --fix --output fixed.karat.jsonl"#), str![[r#"
exit code 1
-- stdout
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  warning [rule] d1 14..18: the rule asks for +short (can be fixed)
      In Zürich and ⟦Berl⟧in
  warning [rule] d1 14..18: the rule asks for +short (can be fixed)
      In Zürich and ⟦Berl⟧in
  2 findings (2 rule); --fix mends 2
-- stderr
note: mended 2 findings, wrote `fixed.karat.jsonl`

"#]]);
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl --rule '{mnt@Berl}'"#),
        str![[r#"
exit code 2
-- stderr
error: expected tags to add in [...] or to remove in (...) at column 11 of the rule
  = help: a rule looks like `{tag@A,mnt@text}[tags to add](tags to remove)`

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate run.karat.jsonl --check crossings"#),
        str![[r#"
exit code 2
-- stderr
error: no check is called `crossings`
  = help: `karat validate --list` lists the checks

"#]]
    );
}

#[test]
fn colours_are_for_terminals() {
    let folder = findings();
    let coloured = |line: &str| {
        let output = folder.output(line);
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    for command in
        ["karat demo", "karat convert broken.tsv out.csv", "karat validate run.karat.jsonl"]
    {
        assert!(!coloured(command), "not in a pipe: {command}");
        assert!(coloured(&format!("CLICOLOR_FORCE=1 {command}")), "when asked for: {command}");
        assert!(!coloured(&format!("NO_COLOR=1 {command}")), "not when forbidden: {command}");
    }
}

/// A file of the categorised dialect with a mention whose words, offsets and link are to be filled in.
fn categorised(iri: &str, words: &str, link: &str) -> Folder {
    let file = format!(
        r#"<http://x/d#char=0,18>
  a nif:String , nif:Context ;
  nif:isString """In Bern it snowed."""^^xsd:string ;
  nif:beginIndex "0"^^xsd:nonNegativeInteger ;
  nif:endIndex "18"^^xsd:nonNegativeInteger ;
  nif:sourceUrl <http://x/d> .

<http://x/d_sentence0#0,18>
  a nif:String , nif:Context ;
  nif:isString """In Bern it snowed."""^^xsd:string ;
  nif:beginIndex "0"^^xsd:nonNegativeInteger ;
  nif:endIndex "18"^^xsd:nonNegativeInteger ;
  nif:broaderContext <http://x/d#char=0,18> .

<http://x/d_sentence0#{iri}>
  a nif:String , nif:Context , nif:Phrase ;
  nif:referenceContext <http://x/d_sentence0#0,18> ;
  nif:context <http://x/d#char=0,18> ;
  nif:anchorOf """{words}"""^^xsd:string ;
  nif:beginIndex "3"^^xsd:nonNegativeInteger ;
  nif:endIndex "7"^^xsd:nonNegativeInteger ;
  itsrdf:taClassRef el:Mnt-Full , el:PoS-NounSingular , el:Olp-None , el:Ref-Direct ;
  itsrdf:taIdentRef <{link}> .
"#
    );
    Folder::with(&[("gold.ttl", file.as_str())])
}

const BERN: &str = "https://en.wikipedia.org/wiki/Bern";

#[test]
fn what_a_reader_repairs_is_a_finding_that_can_be_fixed() {
    let folder = categorised("char=3,8", "Bern", &format!(" {BERN}"));
    assert_data_eq!(
        folder.run("karat validate gold.ttl --quiet --format tsv"),
        str![[r#"
exit code 1
-- stdout
input	severity	check	document	start	end	mention	message	fixable
gold.ttl	warning	offset	http://x/d	3	7		gold.ttl:15:1: the IRI says 3,8, but nif:beginIndex and nif:endIndex say 3,7	yes
gold.ttl	warning	link-shape	http://x/d	3	7		gold.ttl:15:1: the link ` https://en.wikipedia.org/wiki/Bern` has white space at its edges	yes
-- stderr
note: repaired 2 records (1 offset, 1 link-shape)

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.ttl --fix"),
        str![[r#"
exit code 1
-- stdout
gold.ttl (nif-categorised): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  2 findings (1 link-shape, 1 offset); --fix mends 2
-- stderr
warning: the IRI says 3,8, but nif:beginIndex and nif:endIndex say 3,7
  --> gold.ttl:15:1
   |
15 | <http://x/d_sentence0#char=3,8>
   | ^
   |
   = help: the properties count; the IRI should say the same
warning: the link ` https://en.wikipedia.org/wiki/Bern` has white space at its edges
  --> gold.ttl:15:1
   |
15 | <http://x/d_sentence0#char=3,8>
   | ^
   |
   = help: it was read without
note: repaired 2 records (1 offset, 1 link-shape)
note: kept the original as `gold.ttl.orig`
note: mended 2 findings, wrote `gold.ttl`

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.ttl"),
        str![[r#"
exit code 0
-- stdout
gold.ttl (nif-categorised): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about

"#]]
    );
}

#[test]
fn the_words_of_the_text_are_taken_when_asked() {
    let folder = categorised("char=3,7", "Berne", BERN);
    assert_data_eq!(
        folder.run("karat validate gold.ttl --quiet --format tsv"),
        str![[r#"
exit code 2
-- stdout
input	severity	check	document	start	end	mention	message	fixable
gold.ttl	error	surface form	http://x/d	3	7		gold.ttl:15:1: the mention is “Berne” but the text at 3..7 is “Bern”	
-- stderr
note: could not read 1 record (1 surface form)

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.ttl --quiet --fix"),
        str![[r#"
exit code 2
-- stdout
gold.ttl (nif-categorised): 1 document, 0 annotations: 0 linked, 0 NIL, 0 without answer
  1 record could not be read; 0 findings
-- stderr
note: could not read 1 record (1 surface form)

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.ttl --quiet --fix --fix-surface --format tsv"),
        str![[r#"
exit code 1
-- stdout
input	severity	check	document	start	end	mention	message	fixable
gold.ttl	error	surface form	http://x/d	3	7		gold.ttl:15:1: the mention is “Berne” but the text at 3..7 is “Bern”	yes
-- stderr
note: could not read 1 record (1 surface form)

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.ttl"),
        str![[r#"
exit code 0
-- stdout
gold.ttl (nif-categorised): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate - --fix --fix-surface --quiet < gold.ttl"),
        str![[r#"
exit code 2
-- stderr
error: standard input cannot be read twice
  = help: name a file, or leave --fix-surface out

"#]]
    );
}

#[test]
fn mentions_of_other_words_are_placed_in_other_formats_too() {
    let folder = Folder::with(&[(
        "run.karat.jsonl",
        "{\"document\":\"d1\",\"text\":\"In Bern\",\"annotations\":[{\"span\":[3,7],\"mention\":\"Berne\",\"link\":\"Q70\"}]}\n",
    )]);
    assert_data_eq!(
        folder.run("karat validate run.karat.jsonl --quiet --format tsv | cut -f 3-6"),
        str![[r#"
exit code 2
-- stdout
check	document	start	end
surface form	d1	3	7
-- stderr
note: could not read 1 record (1 surface form)

"#]]
    );
}

#[test]
fn rules_are_asked_for_by_name() {
    let folder = findings();
    folder.write("rules.txt", b"short: {mnt@Berl}[short]\nlong: {mnt@Berl}[long]\n");
    assert_data_eq!(
        folder.run("karat validate run.karat.jsonl --rules rules.txt --check long"),
        str![[r#"
exit code 1
-- stdout
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  warning [rule] d1 14..18: the rule `long` asks for +long (can be fixed)
      In Zürich and ⟦Berl⟧in
  warning [rule] d1 14..18: the rule `long` asks for +long (can be fixed)
      In Zürich and ⟦Berl⟧in
  2 findings (2 rule); --fix mends 2

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat validate run.karat.jsonl --rules rules.txt --check rule,crossing | tail -1"
        ),
        str![[r#"
exit code 1
-- stdout
  4 findings (4 rule); --fix mends 4

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate run.karat.jsonl --rules rules.txt --check crossing"),
        str![[r#"
exit code 0
-- stdout
run.karat.jsonl (karat-jsonl): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  nothing to complain about
-- stderr
note: no rules are checked; --check names none; `rule` are all rules

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate run.karat.jsonl --check rule"),
        str![[r#"
exit code 2
-- stderr
error: there are no rules to check
  = help: give some with --rule or --rules

"#]]
    );
}

#[test]
fn white_space_at_the_end_of_a_text_is_a_note() {
    let folder = findings();
    folder.write("blank.karat.jsonl", "{\"document\":\"d1\",\"text\":\"In Zürich and Berlin \"}\n{\"document\":\"d2\",\"text\":\"Nothing\"}\n".as_bytes());
    assert_data_eq!(
        folder.run("karat validate blank.karat.jsonl --gold gold.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
blank.karat.jsonl (karat-jsonl): 2 documents, 0 annotations: 0 linked, 0 NIL, 0 without answer
  note [coverage] d1: the text differs from the gold's in white space at its end
  1 finding (1 coverage)

"#]]
    );
}
