//! `karat tag`, vocabularies in `karat convert`, and the checks of tags.

use crate::folder::Folder;
use crate::pages::folder_of;
use karat::report::FORMS;
use snapbox::{assert_data_eq, str};

fn folder() -> Folder {
    folder_of("tagging")
}

#[test]
fn the_command_says_what_it_does() {
    let help = folder().run("karat tag --help");
    let (about, _) = help.split_once("\nReading:").unwrap();
    assert_data_eq!(
        about.to_owned(),
        str![[r#"
exit code 0
-- stdout
Derive category tags, as far as they follow from what is there

The overlap of a mention follows from the spans around it; its base form (full name, short name,
alias, common noun, number, pronoun) from its words and the name of its entity, which a knowledge
base gives or else the title in the link; its type (person, organisation, place, miscellany) from
the classes that the knowledge base has for the entity. Of parts of speech and references only those
of pronouns, numbers, days and months are derived, the rest stays unknown.

Derived tags are marked as such in the attribute `derived` of their mention. A tag without that mark
was given by a person, and stays unless --overwrite says otherwise.

Usage: karat tag [OPTIONS] [INPUT]

Arguments:
  [INPUT]
          The corpus to tag: a file, a directory, `-`, or several joined by commas

Options:
  -o, --output <OUTPUT>
          Where to write: a file or directory, or `-` for standard output

      --accuracy <GOLD>
          Instead of writing tags, compare derived ones with the tags that this corpus has

      --to <FORMAT>
          Format of the output; without it, that of the input

      --kb <FILE>
          A knowledge base of `karat kb build`, for the names and types of entities

      --dimensions <NAME>
          What to derive, joined by commas: base-form, pos, overlap, reference, type; all by default

      --vocabulary <VOCABULARY>
          Names of category tags in the output; by default those that are usual in its format

          Possible values:
          - el:  `el:Mnt-Full`, as in the published datasets
          - fel: `fel:FullProperForm`, as in the published vocabulary
          - mnt: `mnt:FullMentionPN`, the older names of NIFify; it has none for references

      --overwrite
          Overwrite tags that were not derived, too

      --format <FORMAT>
          Form of the comparison

          Possible values:
          - table: For reading in a terminal
          - json:  JSON
          - tsv:   Tab-separated
          - csv:   Comma-separated
          - jsonl: One JSON object on each line
          - md:    Markdown
          - latex: LaTeX
          - html:  HTML
          
          [default: table]

  -h, --help
          Print help (see a summary with '-h')

"#]]
    );
}

#[test]
fn tags_are_derived_and_marked() {
    let folder = folder();
    assert_data_eq!(
        folder.run("karat tag news.karat.jsonl -o - --dimensions overlap,pos | grep -o '.\"mention\":\"its\"[^}]*}'"),
        str![[r#"
exit code 0
-- stdout
,"mention":"its","link":"https://en.wikipedia.org/wiki/European_Union","tags":["el:PoS-Adjective","el:Olp-None"],"attributes":{"derived":"el:PoS-Adjective, el:Olp-None"}
-- stderr
note: pos: derived for 3 annotations, 0 kept, 12 unknown
note: overlap: derived for 15 annotations, 0 kept, 0 unknown

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag news.karat.jsonl -o tagged.ttl --to nif-categorised --vocabulary fel && grep -A4 '\"Macron' tagged.ttl"),
        str![[r#"
exit code 0
-- stdout
        nif:anchorOf """Macron"""^^xsd:string ;
        nif:beginIndex "86"^^xsd:nonNegativeInteger ;
        nif:endIndex "92"^^xsd:nonNegativeInteger ;
        <urn:karat:derived> """el:Mnt-Short, el:Olp-None"""^^xsd:string ;
        itsrdf:taClassRef fel:ShortProperForm, fel:NoOverlap ;
-- stderr
note: base-form: derived for 15 annotations, 0 kept, 0 unknown
note: pos: derived for 3 annotations, 0 kept, 12 unknown
note: overlap: derived for 15 annotations, 0 kept, 0 unknown
note: reference: derived for 4 annotations, 0 kept, 11 unknown
note: wrote `tagged.ttl` (nif-categorised)

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat tag tagged.ttl -o again.ttl --quiet --vocabulary fel && cmp tagged.ttl again.ttl"
        ),
        str![[r#"
exit code 0

"#]]
    );
}

#[test]
fn tags_of_persons_are_overwritten_when_asked() {
    let folder = folder();
    let eu = "grep -o '.mention.:.EU.[^}]*}'";
    assert_data_eq!(
        folder.run(&format!("karat tag gold.karat.jsonl -o - | {eu}")),
        str![[r#"
exit code 0
-- stdout
"mention":"EU","link":"https://en.wikipedia.org/wiki/European_Union","tags":["el:Mnt-Alias","el:PoS-NounSingular","el:Olp-None","el:Ref-Direct"]}
-- stderr
note: base-form: derived for 0 annotations, 9 kept, 0 unknown
note: pos: derived for 0 annotations, 9 kept, 0 unknown
note: overlap: derived for 0 annotations, 9 kept, 0 unknown
note: reference: derived for 0 annotations, 9 kept, 0 unknown

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("karat tag gold.karat.jsonl -o - --overwrite --quiet | {eu}")),
        str![[r#"
exit code 0
-- stdout
"mention":"EU","link":"https://en.wikipedia.org/wiki/European_Union","tags":["el:Mnt-Short","el:PoS-NounSingular","el:Olp-None","el:Ref-Direct"],"attributes":{"derived":"el:Mnt-Short, el:Olp-None"}

"#]]
    );
}

#[test]
fn types_come_from_a_knowledge_base() {
    let folder = folder();
    folder.run("karat kb build entities.csv redirects.tsv -o small.kb");
    assert_data_eq!(
        folder.run("karat tag news.karat.jsonl -o - --kb small.kb --dimensions type | grep -o '.mention.:.EU.[^}]*}'"),
        str![[r#"
exit code 0
-- stdout
"mention":"EU","link":"https://en.wikipedia.org/wiki/European_Union","types":["Organisation"],"attributes":{"derived":"Organisation"}
-- stderr
note: type: derived for 7 annotations, 0 kept, 8 unknown

"#]]
    );
}

#[test]
fn types_are_compared_with_those_that_were_given() {
    let folder = folder();
    folder.run("karat kb build entities.csv redirects.tsv -o small.kb");
    folder.write(
        "typed.karat.jsonl",
        r#"{"document":"d","text":"Macron, EU","annotations":[{"span":[0,6],"link":"https://en.wikipedia.org/wiki/Emmanuel_Macron","types":["Person"]},{"span":[8,10],"link":"https://en.wikipedia.org/wiki/European_Union","types":["Place"]}]}"#.as_bytes(),
    );
    assert_data_eq!(
        folder.run("karat tag --accuracy typed.karat.jsonl --kb small.kb --dimensions type"),
        str![[r#"
exit code 0
-- stdout
Dimensions

dimension  compared  derived  agree  agreement  coverage  not compared
───────────────────────────────────────────────────────────────────────
type              2        1      0     0.0000    0.5000             0

Tags

dimension  tag           given  derived  agree  precision  recall
──────────────────────────────────────────────────────────────────
type       Person            1        0      0          –  0.0000
type       Organisation      0        1      0     0.0000       –
type       Place             1        0      0          –  0.0000
type       Miscellany        0        0      0          –       –

Derived type for each that was given

given         Person  Organisation  Place  Miscellany  unknown
───────────────────────────────────────────────────────────────
Person             0             0      0           0        1
Organisation       0             0      0           0        0
Place              0             1      0           0        0
Miscellany         0             0      0           0        0

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag --accuracy typed.karat.jsonl --dimensions type"),
        str![[r#"
exit code 2
-- stderr
error: the types of entities are not known without a knowledge base
  = help: name one with --kb; `karat kb build` makes it

"#]]
    );
}

#[test]
fn accuracy_has_every_form() {
    let folder = folder();
    for form in FORMS.iter().map(|form| form.name()) {
        let shown = folder.run(&format!(
            "karat tag --accuracy gold.karat.jsonl --dimensions overlap --format {form}"
        ));
        assert!(shown.starts_with("exit code 0\n-- stdout\n"), "{form}: {shown}");
        assert!(!shown.contains("-- stderr"), "{form}: {shown}");
    }
    assert_data_eq!(
        folder.run("karat tag --accuracy gold.karat.jsonl --dimensions overlap --format md --vocabulary fel"),
        str![[r#"
exit code 0
-- stdout
Dimensions

| dimension | compared | derived | agree | agreement | coverage | not compared |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| overlap | 9 | 9 | 9 | 1.0000 | 1.0000 | 0 |

Tags

| dimension | tag | given | derived | agree | precision | recall |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| overlap | fel:NoOverlap | 7 | 7 | 7 | 1.0000 | 1.0000 |
| overlap | fel:MaximalOverlap | 1 | 1 | 1 | 1.0000 | 1.0000 |
| overlap | fel:IntermediateOverlap | 0 | 0 | 0 | – | – |
| overlap | fel:MinimalOverlap | 1 | 1 | 1 | 1.0000 | 1.0000 |

Derived overlap for each that was given

| given | NoOverlap | MaximalOverlap | IntermediateOverlap | MinimalOverlap | unknown |
| --- | ---: | ---: | ---: | ---: | ---: |
| NoOverlap | 7 | 0 | 0 | 0 | 0 |
| MaximalOverlap | 0 | 1 | 0 | 0 | 0 |
| IntermediateOverlap | 0 | 0 | 0 | 0 | 0 |
| MinimalOverlap | 0 | 0 | 0 | 1 | 0 |

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat tag --accuracy gold.karat.jsonl --dimensions overlap --format json | head -30"
        ),
        str![[r#"
exit code 0
-- stdout
{
  "karat": "0.1.0",
  "dimensions": [
    {
      "dimension": "overlap",
      "compared": 9,
      "not_compared": 0,
      "derived": 9,
      "agreed": 9,
      "agreement": 1.0,
      "coverage": 1.0,
      "tags": [
        {
          "tag": "el:Olp-None",
          "given": 7,
          "derived": 7,
          "agreed": 7,
          "precision": 1.0,
          "recall": 1.0,
          "derived_as": {
            "el:Olp-None": 7,
            "el:Olp-Maximal": 0,
            "el:Olp-Intermediate": 0,
            "el:Olp-Minimal": 0,
            "unknown": 0
          },
          "name": "Olp-None"
        },
        {
          "tag": "el:Olp-Maximal",

"#]]
    );
}

#[test]
fn what_cannot_be_tagged_is_explained() {
    let folder = folder();
    folder.write("links.tsv", b"d1\t0\t5\tQ64\n");
    assert_data_eq!(
        folder.run("karat tag links.tsv -o tagged.tsv"),
        str![[r#"
exit code 2
-- stderr
error: `neleval` has no room for category tags
  = help: choose another with --to, such as karat-jsonl or nif-categorised

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag --accuracy news.karat.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: `news.karat.jsonl` has no such tags or types that people gave
  = help: tags look like `el:Mnt-Full`, types like `Person`; `karat tag INPUT -o OUTPUT` derives some

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag news.karat.jsonl -o x --dimensions colour"),
        str![[r#"
exit code 2
-- stderr
error: nothing that can be derived is called `colour`
  = help: there are base-form, pos, overlap, reference, type

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag news.karat.jsonl -o news.karat.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: `news.karat.jsonl` is an input and would be written over
  = help: name another file for the output

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag news.karat.jsonl -o x --kb rules.txt"),
        str![[r#"
exit code 2
-- stderr
error: rules.txt: this is no knowledge base of karat
  = help: build one with `karat kb build INPUT... -o FILE`

"#]]
    );
}

#[test]
fn tags_are_exported_in_any_vocabulary() {
    let folder = folder();
    for (line, shown) in [
        (
            "karat convert gold.karat.jsonl a.ttl --to nif-categorised --tags fel && grep -c fel:DirectReference a.ttl",
            5,
        ),
        (
            "karat convert gold.karat.jsonl b.ttl --to nif --tags el && grep -c '<el:Ref-Direct>' b.ttl",
            5,
        ),
        (
            "karat convert gold.karat.jsonl c.karat.jsonl --tags mnt && grep -o mnt:Pro-formPN c.karat.jsonl | wc -l",
            2,
        ),
    ] {
        let output = folder.output(line);
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), shown.to_string(), "{line}");
    }
    assert_data_eq!(
        folder.run("karat convert gold.karat.jsonl d.karat.jsonl --tags mnt"),
        str![[r#"
exit code 0
-- stderr
note: 9 tags keep their names: `mnt:` has none for references, so the output mixes vocabularies
note: read 1 document and 9 annotations (karat-jsonl), wrote `d.karat.jsonl` (karat-jsonl)

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate c.karat.jsonl | tail -1"),
        str![[r#"
exit code 0
-- stdout
  nothing to complain about

"#]]
    );
}

#[test]
fn rules_in_a_file_are_read_or_refused() {
    let folder = folder();
    folder.write("bad.txt", b"# one\n{tag@x}[y\n");
    assert_data_eq!(
        folder.run("karat validate gold.karat.jsonl --rules bad.txt"),
        str![[r#"
exit code 2
-- stderr
error: `bad.txt`: line 2: expected `]` at column 9 of the rule
  = help: a rule looks like `{tag@A,mnt@text}[tags to add](tags to remove)`

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.karat.jsonl --rules missing.txt"),
        str![[r#"
exit code 2
-- stderr
error: no such file or directory
 --> missing.txt
  = help: check the spelling, or give a path relative to the current folder

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.karat.jsonl --rules rules.txt"),
        str![[r#"
exit code 1
-- stdout
gold.karat.jsonl (karat-jsonl): 1 document, 9 annotations: 9 linked, 0 NIL, 0 without answer
  warning [rule] summit 102..104: the rule `acronyms` asks for +el:Mnt-Short -el:Mnt-Alias (can be fixed)
      ropean Union. Macron said the ⟦EU⟧ and its 27 members want peace
  1 finding (1 rule); --fix mends 1

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.karat.jsonl --kb missing.kb"),
        str![[r#"
exit code 2
-- stderr
error: missing.kb: cannot read: no such file
  = help: check the spelling, and who may read the file

"#]]
    );
}
