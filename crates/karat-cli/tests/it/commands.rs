//! The commands: help, lists, checks, colours.

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
fn help() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat --help"#),
        str![[r#"
exit code 0
-- stdout
The assay office for entity linking.

karat scores systems that link mentions in text to a knowledge base, under conventions of the
literature and its own, each number with the signature that reproduces it. It reads, checks,
converts and writes the files of the field; bad input is named with file, line and column, and
nothing is half-written.

An INPUT is a file, a directory (all files in it), `-` for standard input, or several joined by
commas. Formats are recognised by content; .gz, .zst and .bz2 are read as they are.

Data goes to standard output, remarks to standard error. Colours are for terminals only; NO_COLOR
turns them off.

Exit codes: 0 fine; 1 a check found something or a gate failed; 2 bad usage or bad input.

Usage: karat <COMMAND>

Commands:
  eval         Score one or more systems against a gold standard
  errors       Count and list what went wrong
  measures     List the measures, or describe one
  presets      List the conventions of the literature, or describe one
  reproduce    Compute the published tables of the literature again, number by number
  demo         Show what karat does on a built-in sample, offline, in seconds
  convert      Convert a corpus from one format to another
  validate     Check files, list what is wrong, and mend what can be mended
  formats      List the formats karat reads and writes, or describe one
  completions  Print a completion script for a shell
  man          Print the manual page, for `karat man | man -l -`
  help         Print this message or the help of the given subcommand(s)

Options:
  -h, --help
          Print help (see a summary with '-h')

  -V, --version
          Print version

New here? `karat demo` shows what karat does on a built-in sample, offline.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat -h"#),
        str![[r#"
exit code 0
-- stdout
The assay office for entity linking

Usage: karat <COMMAND>

Commands:
  eval         Score one or more systems against a gold standard
  errors       Count and list what went wrong
  measures     List the measures, or describe one
  presets      List the conventions of the literature, or describe one
  reproduce    Compute the published tables of the literature again, number by number
  demo         Show what karat does on a built-in sample, offline, in seconds
  convert      Convert a corpus from one format to another
  validate     Check files, list what is wrong, and mend what can be mended
  formats      List the formats karat reads and writes, or describe one
  completions  Print a completion script for a shell
  man          Print the manual page, for `karat man | man -l -`
  help         Print this message or the help of the given subcommand(s)

Options:
  -h, --help     Print help (see more with '--help')
  -V, --version  Print version

New here? `karat demo` shows what karat does on a built-in sample, offline.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat demo --help"#),
        str![[r#"
exit code 0
-- stdout
Show what karat does on a built-in sample, offline, in seconds

The sample is fourteen short texts with gold annotations and the output of three invented systems.
`--export` writes its files, to try the other commands on them.

Usage: karat demo [OPTIONS]

Options:
      --export <FOLDER>
          Write the files of the sample to this folder instead

      --format <FORMAT>
          Form of the tables

          Possible values:
          - table: For reading in a terminal
          - json:  JSON
          - tsv:   Tab-separated
          - csv:   Comma-separated
          - md:    Markdown
          - latex: LaTeX
          - html:  HTML
          
          [default: table]

  -h, --help
          Print help (see a summary with '-h')

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert --help"#),
        str![[r#"
exit code 0
-- stdout
Convert a corpus from one format to another

Offsets are translated between units (bytes, UTF-16, code points; inclusive or exclusive end) and
every mention is checked against the text. What the target format cannot hold is left out and
counted; `karat formats NAME` says what that is. The output appears only when everything was
written.

Usage: karat convert [OPTIONS] <INPUT> <OUTPUT>

Arguments:
  <INPUT>
          The corpus to read: a file, a directory, `-`, or several joined by commas

  <OUTPUT>
          Where to write: a file or directory, or `-` for standard output

Options:
      --to <FORMAT>
          Format of the output; without it, the extension of OUTPUT decides

  -h, --help
          Print help (see a summary with '-h')

Reading:
      --from <FORMAT>
          Format of the input; without it, each file is recognised by its content

      --lenient
          Skip bad records, count and list them, and go on; without it, the first one stops karat

      --unit <UNIT>
          What the offsets of the input count, if not what is usual in its format

          Possible values:
          - code-points: Unicode code points, as Python counts
          - utf16:       UTF-16 code units, as Java and JavaScript count
          - bytes:       Bytes of UTF-8
          - tokens:      Tokens

      --end <END>
          What the end offset of the input means, if not what is usual in its format

          Possible values:
          - inclusive: The last position of the mention
          - exclusive: One past the last position

      --columns <NAME=COLUMN,...>
          For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`

      --documents <CORPUS>
          A corpus, in any format, with the texts of the documents, for an input that has none

      --threads <N>
          Number of threads; all cores by default

  -q, --quiet
          No progress bar and no remarks

  -v, --verbose
          List everything that was skipped, repaired or found, not only the first few of each

Formats (`karat formats NAME` describes one):
  neleval, karat-jsonl, elevant, simple-jsonl, elevant-markup, nif, nif-categorised, aida-conll,
  cne-release, tac, tac15, wned, hipe, pubtator, bioc-xml, bioc-json, brat, label-studio,
  web-annotation, csv, tsv, jsonl, parquet, arrow
Formats that are only read:
  conll-coref, zelda, kilt, blink, refined, rel, mewsli, belb, spacy, llm-markup, llm-json

Examples:
  karat convert gold.ttl gold.tsv
      NIF to neleval's TSV, by the names of the files
  karat convert AIDA-YAGO2-dataset.tsv aida.jsonl.zst --to elevant
      compressed because of its name
  karat convert predictions.csv - --to neleval --columns doc=docid,start=begin,end=stop,link=qid
      a table with columns of its own; to standard output
  karat convert system.jsonl fixed.jsonl --to jsonl --unit utf16
      offsets that were counted by a Java or JavaScript program
  karat convert tac.xml,tac.tab tac.tsv
      one corpus in two files
  karat convert gold.tsv gold.ttl --documents texts.jsonl
      texts from another file, for a format that needs them
  karat convert gold.ttl corpus --to brat
      a format of several files: `corpus` becomes a directory
  zcat system.tsv.gz | karat convert - system.parquet

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate --help"#),
        str![[r#"
exit code 0
-- stdout
Check files, list what is wrong, and mend what can be mended

First every record is read against its format: shape, offsets, surface forms. Then the corpus is
checked: mentions with white space at their edges or inside a word, duplicate and crossing mentions,
damaged links, category tags that contradict their scheme or the spans, and, with --gold, documents
that are missing, unknown or differ in their text.

Exit code 0: nothing but notes; 1: warnings or errors of the checks; 2: records that could not be
read.

Usage: karat validate [OPTIONS] [INPUT]...

Arguments:
  [INPUT]...
          What to check, each an input of its own: a file, a directory, `-`, or several joined by
          commas

Options:
  -g, --gold <GOLD>
          The gold standard the files belong to

      --fix
          Apply the proposed fixes and write the file again

  -o, --output <FILE>
          Where --fix writes; by default over the input, which is kept as FILE.orig

      --rule <RULE>
          A rule of your own, `{CONDITIONS}[TAGS TO ADD](TAGS TO REMOVE)`; may be given several
          times
          
          A condition is `tag@NAME`, the mention has this tag, or `mnt@TEXT`, its text is this.
          Those in `{a,b}` must all hold, of those in `<a,b>` one.

      --check <NAME>
          Only these checks, joined by commas

      --list
          List the checks there are

      --format <FORMAT>
          Form of the output

          Possible values:
          - table: For reading in a terminal
          - json:  JSON
          - tsv:   Tab-separated
          - csv:   Comma-separated
          - md:    Markdown
          - latex: LaTeX
          - html:  HTML
          
          [default: table]

  -h, --help
          Print help (see a summary with '-h')

Reading:
      --from <FORMAT>
          Format of the input; without it, each file is recognised by its content

      --lenient
          Skip bad records, count and list them, and go on; without it, the first one stops karat

      --unit <UNIT>
          What the offsets of the input count, if not what is usual in its format

          Possible values:
          - code-points: Unicode code points, as Python counts
          - utf16:       UTF-16 code units, as Java and JavaScript count
          - bytes:       Bytes of UTF-8
          - tokens:      Tokens

      --end <END>
          What the end offset of the input means, if not what is usual in its format

          Possible values:
          - inclusive: The last position of the mention
          - exclusive: One past the last position

      --columns <NAME=COLUMN,...>
          For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`

      --documents <CORPUS>
          A corpus, in any format, with the texts of the documents, for an input that has none

      --threads <N>
          Number of threads; all cores by default

  -q, --quiet
          No progress bar and no remarks

  -v, --verbose
          List everything that was skipped, repaired or found, not only the first few of each

Examples:
  karat validate gold.ttl
  karat validate runs/*.tsv --gold gold.tsv
  karat validate gold.ttl --fix --output gold.fixed.ttl
  karat validate gold.ttl --rule '{tag@el:Mnt-ProForm}[el:Ref-Anaphoric](el:Ref-Direct)'
  karat validate --list

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats --help"#),
        str![[r#"
exit code 0
-- stdout
List the formats karat reads and writes, or describe one

Every input is recognised by its content, so the names are needed only for `--to`, and for `--from`
when a file could be several things or none.

Usage: karat formats [OPTIONS] [NAME]

Arguments:
  [NAME]
          The format to describe in full

Options:
      --format <FORMAT>
          Form of the list

          Possible values:
          - table: For reading in a terminal
          - json:  JSON
          - tsv:   Tab-separated
          - csv:   Comma-separated
          - md:    Markdown
          - latex: LaTeX
          - html:  HTML
          
          [default: table]

  -h, --help
          Print help (see a summary with '-h')

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat completions --help"#),
        str![[r#"
exit code 0
-- stdout
Print a completion script for a shell

Usage: karat completions <SHELL>

Arguments:
  <SHELL>  The shell [possible values: bash, elvish, fish, powershell, zsh]

Options:
  -h, --help  Print help

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat man --help"#),
        str![[r#"
exit code 0
-- stdout
Print the manual page, for `karat man | man -l -`

Usage: karat man [COMMAND]

Arguments:
  [COMMAND]  The command to describe; karat itself by default

Options:
  -h, --help  Print help

"#]]
    );
}

#[test]
fn bad_usage() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat"#),
        str![[r#"
exit code 2
-- stderr
The assay office for entity linking

Usage: karat <COMMAND>

Commands:
  eval         Score one or more systems against a gold standard
  errors       Count and list what went wrong
  measures     List the measures, or describe one
  presets      List the conventions of the literature, or describe one
  reproduce    Compute the published tables of the literature again, number by number
  demo         Show what karat does on a built-in sample, offline, in seconds
  convert      Convert a corpus from one format to another
  validate     Check files, list what is wrong, and mend what can be mended
  formats      List the formats karat reads and writes, or describe one
  completions  Print a completion script for a shell
  man          Print the manual page, for `karat man | man -l -`
  help         Print this message or the help of the given subcommand(s)

Options:
  -h, --help     Print help (see more with '--help')
  -V, --version  Print version

New here? `karat demo` shows what karat does on a built-in sample, offline.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert"#),
        str![[r#"
exit code 2
-- stderr
error: the following required arguments were not provided:
  <INPUT>
  <OUTPUT>

Usage: karat convert <INPUT> <OUTPUT>

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat frobnicate"#),
        str![[r#"
exit code 2
-- stderr
error: unrecognized subcommand 'frobnicate'

Usage: karat <COMMAND>

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert a b --unit chars"#),
        str![[r#"
exit code 2
-- stderr
error: invalid value 'chars' for '--unit <UNIT>'
  [possible values: code-points, utf16, bytes, tokens]

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat man frobnicate"#),
        str![[r#"
exit code 2
-- stderr
error: no command `frobnicate`
  = help: `karat --help` lists the commands

"#]]
    );
}

#[test]
fn the_list_of_formats() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat formats"#),
        str![[r#"
exit code 0
-- stdout
name             read  write  format                                          offsets
─────────────────────────────────────────────────────────────────────────────────────────────────────────
neleval          yes   yes    neleval / TAC TSV                               code points, end inclusive
karat-jsonl      yes   yes    karat JSONL                                     code points, end exclusive
elevant          yes   yes    ELEVANT article JSONL                           code points, end exclusive
simple-jsonl     yes   yes    ELEVANT simple JSONL                            code points, end exclusive
elevant-markup   yes   yes    ELEVANT annotation markup                       code points, end exclusive
nif              yes   yes    NIF 2.0 (GERBIL)                                code points, end exclusive
nif-categorised  yes   yes    NIF of the categorised datasets                 code points, end exclusive
aida-conll       yes   yes    AIDA-CoNLL                                      tokens, end exclusive
cne-release      yes   yes    conll03_nel_eval release TSV                    tokens, end exclusive
tac              yes   yes    TAC KBP entity linking 2009-2014                code points, end inclusive
tac15            yes   yes    TAC KBP entity discovery and linking 2015-2017  code points, end inclusive
conll-coref      yes          CoNLL-2011 and CoNLL-2012 coreference           tokens, end exclusive
wned             yes   yes    WNED XML with raw texts                         code points, end exclusive
hipe             yes   yes    HIPE-2020 and HIPE-2022 TSV                     tokens, end exclusive
pubtator         yes   yes    PubTator                                        code points, end exclusive
bioc-xml         yes   yes    BioC XML                                        code points, end exclusive
bioc-json        yes   yes    BioC JSON                                       code points, end exclusive
brat             yes   yes    brat standoff                                   code points, end exclusive
label-studio     yes   yes    Label Studio JSON                               code points, end exclusive
web-annotation   yes   yes    W3C Web Annotation                              code points, end exclusive
zelda            yes          ZELDA                                           code points, end exclusive
kilt             yes          KILT JSONL                                      code points, end exclusive
blink            yes          BLINK JSONL                                     code points, end exclusive
refined          yes          ReFinED spans                                   code points, end exclusive
rel              yes          REL output                                      code points, end exclusive
mewsli           yes          Mewsli-9                                        code points, end exclusive
belb             yes          BELB JSONL                                      code points, end exclusive
spacy            yes          spaCy DocBin                                    code points, end exclusive
llm-markup       yes          Language-model markup                           code points, end exclusive
llm-json         yes          Language-model JSON                             code points, end exclusive
csv              yes   yes    CSV table                                       code points, end exclusive
tsv              yes   yes    TSV table                                       code points, end exclusive
jsonl            yes   yes    JSONL table                                     code points, end exclusive
parquet          yes   yes    Parquet table                                   code points, end exclusive
arrow            yes   yes    Arrow IPC table                                 code points, end exclusive

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats nif"#),
        str![[r#"
exit code 0
-- stdout
nif: NIF 2.0 (GERBIL)

RDF in Turtle: a `nif:Context` with its text is a document, and a `nif:Phrase` that refers to it is
a mention with `itsrdf:taIdentRef` for its link, in code points with exclusive end. The first link
is the answer and further ones are just as right; no link is no answer, and an IRI with
`/notInWiki/` or `/unknown_entity/` is NIL. Statements may come in any order and in several pieces;
offsets may stand in the IRI only (`#char=0,6`, `#offset_0_6`). A bare id such as `Q64` is written
as `urn:karat:id:Q64`.

access                 read and written, one file
extensions             ttl, nif
offsets                code points, end exclusive
keeps                  text, empty documents, sentences, unlinked, nil, nil clusters, confidence,
                       equivalents, type, types, tags, overlaps, empty spans
document attributes    none
annotation attributes  comment
reference              NIF 2.0 core ontology; GERBIL, Usbeck et al. 2015

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats zelda"#),
        str![[r#"
exit code 0
-- stdout
zelda: ZELDA

Either one JSON object per line, `{"id", "text", "index": [[start, end]], "wikipedia_titles",
"wikipedia_ids"}`, or columns: `-DOCSTART-`, a line `# id`, and one token per row with `B-` or `I-`
before the Wikipedia id and the title. The title is the link and the id an attribute. The `bracket`
of a JSON line, or what follows a tab in `# id`, is the difficulty of the document (cweb and wiki
only). In the columns the text is the tokens joined by single spaces, so offsets differ from the
JSON lines.

access                 read only
extensions             zelda.jsonl
offsets                code points, end exclusive
keeps                  -
document attributes    difficulty
annotation attributes  wikipedia_id
reference              flairNLP/zelda, README; Milich and Akbik 2023

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats --format md | head -3"#),
        str![[r#"
exit code 0
-- stdout
| name | read | write | format | offsets |
| --- | --- | --- | --- | --- |
| neleval | yes | yes | neleval / TAC TSV | code points, end inclusive |

"#]]
    );
}

#[test]
fn the_list_of_checks() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat validate --list"#),
        str![[r#"
exit code 0
-- stdout
check          severity  what it looks for                     fix
────────────────────────────────────────────────────────────────────────────────────────────────────
coverage       error     With a gold standard: a document the  –
                         gold does not know, a gold document
                         without output, or a text that
                         differs from the gold's.
alternatives   error     An annotation that is, directly or    –
                         through others, a part of itself, so
                         that the mention has no root and
                         would vanish from every evaluation.
duplicate      warning   Two annotations of a document have    removes all but the first
                         the same span and the same link.
                         Most conventions count the second as
                         a false positive.
white-space    warning   A mention starts or ends with white   trims the mention, or removes it if
                         space, or is nothing but white        nothing is left
                         space.
word-boundary  warning   A mention starts or ends inside a     –
                         word. Scripts that are written
                         without spaces are left alone.
crossing       note      Two mentions overlap and neither      –
                         contains the other. It is legal, but
                         no overlap tag describes it and
                         token formats cannot hold it.
link-shape     warning   A link is empty, has white space at   trims white space; the rest needs a
                         its edges, contains the replacement   person or a knowledge base
                         character U+FFFD, or an escape such
                         as `/u00e9` that was never decoded.
                         Such a link equals no right one.
tag-shape      warning   An annotation with category tags      –
                         must have exactly one for each of
                         base form, part of speech, overlap
                         and reference (Rosales-Méndez et al.
                         2019, section 4).
overlap-tag    warning   The overlap tag of a mention must     replaces the tag
                         follow from the spans of its
                         document: None, Maximal (contains
                         another), Minimal (is contained) or
                         Intermediate (both). Crossing spans
                         do not count, and alternatives on
                         one span are one mention.
tag-agreement  warning   Tags that must agree: a pro-form is   –
                         anaphoric and an anaphoric mention a
                         pro-form; a descriptive reference is
                         a common form; alternatives of one
                         mention share part of speech and
                         overlap.
antecedent     warning   In the older vocabulary               sets the tag that follows from the
                         (`mnt:AntecedentRf`,                  order of the document, or drops it
                         `mnt:CoreferenceRf`): a pro-form is
                         a coreference; the first mention of
                         an entity in a document is the
                         antecedent, later ones are
                         coreferences; common and numeric
                         forms carry neither tag.

"#]]
    );
}

#[test]
fn the_demo() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat demo"#),
        str![[r#"
exit code 0
-- stdout
The sample: a gold standard and the output of three invented systems

corpus   documents  annotations  linked  NIL  clusters  entities  optional  alternatives
─────────────────────────────────────────────────────────────────────────────────────────
gold            14          178     141   23        12       105         9             8
spotter         14          165     149   16         8       126         0             0
careful         13           87      71   16         5        66         0             0
popular         14          114     103   11         6        87         0             0

Checked against the text, the tag scheme and the gold

corpus   findings
───────────────────────────────────
gold     nothing to complain about
spotter  nothing to complain about
careful  1 coverage
popular  nothing to complain about

Scored in karat's own convention, with 95% intervals; fourteen texts say little

system   measure  tp  fp  fn      P      R     F1  95%
───────────────────────────────────────────────────────────────
spotter  link     72  69  52  0.511  0.581  0.543  0.440–0.642
spotter  mention  98  52  48  0.653  0.671  0.662  0.597–0.725
spotter  nil       8   7  14  0.533  0.364  0.432  0.244–0.565
spotter  tag      82  49  21  0.626  0.796  0.701  0.603–0.790
careful  link     64   5  60  0.928  0.516  0.663  0.553–0.759
careful  mention  80   5  66  0.941  0.548  0.693  0.586–0.783
careful  nil      11   5  11  0.688  0.500  0.579  0.333–0.750
careful  tag      64   4  39  0.941  0.621  0.749  0.630–0.847
popular  link     66  33  58  0.667  0.532  0.592  0.519–0.658
popular  mention  96  11  50  0.897  0.658  0.759  0.700–0.816
popular  nil      10   1  12  0.909  0.455  0.606  0.387–0.774
popular  tag      63  29  40  0.685  0.612  0.646  0.576–0.711

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:sample@4523a1|boot:doc,1000,seed=1,level=95

What went wrong

system   correct link  correct nil  wrong-link  link-as-nil  nil-as-link  missing  extra
─────────────────────────────────────────────────────────────────────────────────────────
spotter            72            8          13            3            2       48     58
careful            64           11           2            2            1       66      5
popular            66           10          17            1            2       50     14

One document, with its gold annotations: [mention link], NIL for what is in no knowledge base

[Geneva Q71], [12 March DATETIME] - [Paris Q142] refused to sign the draft treaty on
[Thursday DATETIME], and [London Q145] asked for [two more weeks QUANTITY]. [The White
House Q48525] called the delay regrettable. Diplomats at the [United Nations Q1065] had
expected the [French Q121842] to give way. [Armand Tellier NIL:tellier], who led the
[French Q142] delegation, said [he NIL:tellier] would take the matter to the [Security
Council Q37470]. [Barack Obama Q76], who had once praised [Tellier NIL:tellier], gave no
comment.

Try next:
  karat demo --export sample                                                   writes these files
  karat eval -g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl  scores one system
  karat validate sample/systems/* --gold sample/gold.karat.jsonl               checks them
  karat convert sample/gold.karat.jsonl gold.ttl                               turns them into NIF
  karat formats                                                                lists what karat reads and writes

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat demo --format tsv"#),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	95%
spotter	link	72	69	52	0.511	0.581	0.543	0.440–0.642
spotter	mention	98	52	48	0.653	0.671	0.662	0.597–0.725
spotter	nil	8	7	14	0.533	0.364	0.432	0.244–0.565
spotter	tag	82	49	21	0.626	0.796	0.701	0.603–0.790
careful	link	64	5	60	0.928	0.516	0.663	0.553–0.759
careful	mention	80	5	66	0.941	0.548	0.693	0.586–0.783
careful	nil	11	5	11	0.688	0.500	0.579	0.333–0.750
careful	tag	64	4	39	0.941	0.621	0.749	0.630–0.847
popular	link	66	33	58	0.667	0.532	0.592	0.519–0.658
popular	mention	96	11	50	0.897	0.658	0.759	0.700–0.816
popular	nil	10	1	12	0.909	0.455	0.606	0.387–0.774
popular	tag	63	29	40	0.685	0.612	0.646	0.576–0.711

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat demo --export sample"#),
        str![[r#"
exit code 0
-- stderr
note: wrote `sample/gold.karat.jsonl`
note: wrote `sample/systems/spotter.karat.jsonl`
note: wrote `sample/systems/careful.karat.jsonl`
note: wrote `sample/systems/popular.karat.jsonl`

"#]]
    );
    assert_data_eq!(
        folder.run(r#"find sample -type f | sort"#),
        str![[r#"
exit code 0
-- stdout
sample/gold.karat.jsonl
sample/systems/careful.karat.jsonl
sample/systems/popular.karat.jsonl
sample/systems/spotter.karat.jsonl

"#]]
    );
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
error: --output names one file, but there are several inputs
  = help: fix them one by one, or leave --output out

"#]]
    );
}

#[test]
fn rules() {
    let folder = findings();
    assert_data_eq!(folder.run(r#"karat validate run.karat.jsonl --check crossing --rule '{mnt@Berl}[short]' --fix --output fixed.karat.jsonl"#), str![[r#"
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

#[test]
fn completions_and_manual_pages() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&format!("karat completions {shell}"));
        assert!(
            script.starts_with("exit code 0\n-- stdout") && script.contains("lenient"),
            "{shell}"
        );
    }
    assert!(folder.run("karat man").contains(".TH karat 1"));
    assert!(folder.run("karat man convert").contains("lenient"));
}
