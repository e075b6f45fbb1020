//! Help, usage, completions and manual pages.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

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
literature and its own, each number with the signature that reproduces it, and says which
differences between systems are real. It reads, checks, converts and writes the files of the field;
bad input is named with file, line and column, and nothing is half-written.

An INPUT is a file, a directory (all files in it), `-` for standard input, or several joined by
commas. Formats are recognised by content; .gz, .zst and .bz2 are read as they are.

Data goes to standard output, remarks to standard error. Colours are for terminals only; NO_COLOR
turns them off.

Exit codes: 0 fine; 1 a check found something or a gate failed; 2 bad usage or bad input.

Usage: karat <COMMAND>

Commands:
  eval         Score one or more systems against a gold standard
  merge        Put the counts of several jobs together and score them
  compare      Say which systems are really better, and how sure that is
  errors       Count and list what went wrong
  curves       Add the categories of a gold standard one by one, the best of each system first
  link         Ask a linker about every document, keep its answers, and score them
  linkers      List the linkers, or describe one
  collection   Look at a test collection: what is in it, what to add to it, and what its scores are
               worth
  serve        Look at results in a browser
  import       Load benchmarks and runs into a workspace
  report       Write the pages of `karat serve` into one file, or into a folder
  measures     List the measures, or describe one
  presets      List the conventions of the literature, or describe one
  settings     List the settings of conventions, or describe one
  verify       Verify what gold and systems say: what people judged, and what a design would cost
  reproduce    Compute the published tables of the literature again, number by number
  demo         Show what karat does on a built-in sample, offline, in seconds
  convert      Convert a corpus from one format to another
  validate     Check files, list what is wrong, and mend what can be mended
  gold         Correct gold standards with patches: make, check, apply, merge and undo them
  tag          Derive category tags, as far as they follow from what is there
  formats      List the formats karat reads and writes, or describe one
  kb           Build a knowledge base, and ask it
  completions  Print a completion script for a shell
  man          Print a manual page, for `karat man | man -l -`, or write those of all commands
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
  merge        Put the counts of several jobs together and score them
  compare      Say which systems are really better, and how sure that is
  errors       Count and list what went wrong
  curves       Add the categories of a gold standard one by one, the best of each system first
  link         Ask a linker about every document, keep its answers, and score them
  linkers      List the linkers, or describe one
  collection   Look at a test collection: what is in it, what to add to it, and what its scores are
               worth
  serve        Look at results in a browser
  import       Load benchmarks and runs into a workspace
  report       Write the pages of `karat serve` into one file, or into a folder
  measures     List the measures, or describe one
  presets      List the conventions of the literature, or describe one
  settings     List the settings of conventions, or describe one
  verify       Verify what gold and systems say: what people judged, and what a design would cost
  reproduce    Compute the published tables of the literature again, number by number
  demo         Show what karat does on a built-in sample, offline, in seconds
  convert      Convert a corpus from one format to another
  validate     Check files, list what is wrong, and mend what can be mended
  gold         Correct gold standards with patches: make, check, apply, merge and undo them
  tag          Derive category tags, as far as they follow from what is there
  formats      List the formats karat reads and writes, or describe one
  kb           Build a knowledge base, and ask it
  completions  Print a completion script for a shell
  man          Print a manual page, for `karat man | man -l -`, or write those of all commands
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
          - jsonl: One JSON object on each line
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
          Format of the output; without it, the extension of OUTPUT decides, and where several
          formats share that, the format of the input

      --tags <VOCABULARY>
          Names of category tags in the output; by default those that are usual in its format

          Possible values:
          - el:  `el:Mnt-Full`, as in the published datasets
          - fel: `fel:FullProperForm`, as in the published vocabulary
          - mnt: `mnt:FullMentionPN`, the older names of NIFify; it has none for references

      --side <SIDE>
          Which annotations to write of a file that has those of a gold standard and of a system, as
          ELEVANT's linked articles; most formats cannot hold both

          Possible values:
          - gold:   What should be found
          - system: What was found

  -h, --help
          Print help (see a summary with '-h')

Reading:
      --from <[INPUT=]FORMAT>
          Format of the input; without it, each file is recognised by its content. INPUT=FORMAT is
          for one input only, by its name or as `gold` or `system`

      --lenient
          Skip bad records, count and list them, and go on; without it, the first one stops karat

      --strict
          Refuse what is otherwise repaired and counted: mentions whose words are not those of the
          text, and documents that occur twice

      --unit <[INPUT=]UNIT>
          What the offsets of the input count, if not what is usual in its format: code-points (as
          Python counts), utf16 (as Java and JavaScript count), bytes or tokens

      --end <[INPUT=]END>
          What the end offset of the input means, if not what is usual in its format: inclusive (the
          last position of the mention) or exclusive (one past it)

      --columns <[INPUT:]NAME=COLUMN,...>
          For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`.
          INPUT:NAME=COLUMN is for one input only; other inputs are read as they are

      --shift <[INPUT=]N>
          Move all offsets of the input by this, as -1 for one that counts from 1. INPUT=N is for
          one input only

      --documents <CORPUS>
          A corpus, in any format, with the texts of the documents, for an input that has none

      --patch <[GOLD=]FILE>
          A patch of the gold standard, as `karat gold` makes them; may be given several times.
          GOLD=FILE is for one of several gold standards

      --threads <N>
          Number of threads; all cores by default

      --max-memory <SIZE>
          How much memory karat may take, as 500M or 4G; a file that needs more is refused

  -q, --quiet
          No progress bar and no remarks; what is left out is still counted

  -v, --verbose
          List everything that was skipped, repaired or found, not only the first few of each

Formats (`karat formats NAME` describes one):
  neleval, karat-jsonl, elevant, simple-jsonl, elevant-markup, nif, nif-categorised, aida-conll,
  cne-release, tac, tac15, wned, hipe, pubtator, bioc-xml, bioc-json, brat, label-studio,
  web-annotation, webanno-tsv, pubannotation, csv, tsv, jsonl, parquet, arrow
Formats that are only read:
  conll-coref, zelda, kilt, blink, refined, rel, mewsli, belb, spacy, llm-markup, llm-json,
  conllu, clean-conll, prodigy, mewsli-x, n3-xml, gerdaq, erd, conel, duel, geo-xml, mhercl,
  nested-jsonl

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
  karat convert gold.ttl gold.fel.ttl --to nif-categorised --tags fel
      category tags in the published vocabulary
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
damaged links, category tags that contradict their scheme or the spans, with --gold, documents that
are missing, unknown or differ in their text, and, with --kb, links to what is not there, to
redirects and to lists of meanings.

Records that are wrong in a way that can be told from the rest are repaired while they are read.
They are findings too, and --fix writes them as they should be. Bad records never stop a validation;
--lenient is about those of --gold.

Exit code 0: nothing but notes; 1: warnings or errors of the checks, or repaired records; 2: records
that could not be read.

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

      --fix-surface
          With --fix: where the words of a mention are not those of the text at its offsets, take
          the text's

  -o, --output <FILE>
          Where --fix writes; by default over the input, which is kept as FILE.orig, FILE.orig.1 and
          so on

      --rule <RULE>
          A rule of your own, `{CONDITIONS}[TAGS TO ADD](TAGS TO REMOVE)`; may be given several
          times
          
          A condition is `tag@NAME`, the mention has this tag, or `mnt@TEXT`, its text is this.
          Those in `{a,b}` must all hold, of those in `<a,b>` one.

      --rules <FILE>
          A file of rules, one on a line; a rule may have a name, as in `pronouns:
          {mnt@it}[el:Mnt-ProForm]`

      --kb <FILE>
          A knowledge base of `karat kb build`, to look the links up in

      --check <NAME>
          Only these checks, joined by commas; `rule` are all rules, the name of a rule that one

      --list
          List the checks there are

      --format <FORMAT>
          Form of the output

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

Reading:
      --from <[INPUT=]FORMAT>
          Format of the input; without it, each file is recognised by its content. INPUT=FORMAT is
          for one input only, by its name or as `gold` or `system`

      --lenient
          Skip bad records, count and list them, and go on; without it, the first one stops karat

      --strict
          Refuse what is otherwise repaired and counted: mentions whose words are not those of the
          text, and documents that occur twice

      --unit <[INPUT=]UNIT>
          What the offsets of the input count, if not what is usual in its format: code-points (as
          Python counts), utf16 (as Java and JavaScript count), bytes or tokens

      --end <[INPUT=]END>
          What the end offset of the input means, if not what is usual in its format: inclusive (the
          last position of the mention) or exclusive (one past it)

      --columns <[INPUT:]NAME=COLUMN,...>
          For tables: which column is what, as `doc=docid,start=begin,end=stop,link=qid`.
          INPUT:NAME=COLUMN is for one input only; other inputs are read as they are

      --shift <[INPUT=]N>
          Move all offsets of the input by this, as -1 for one that counts from 1. INPUT=N is for
          one input only

      --documents <CORPUS>
          A corpus, in any format, with the texts of the documents, for an input that has none

      --patch <[GOLD=]FILE>
          A patch of the gold standard, as `karat gold` makes them; may be given several times.
          GOLD=FILE is for one of several gold standards

      --threads <N>
          Number of threads; all cores by default

      --max-memory <SIZE>
          How much memory karat may take, as 500M or 4G; a file that needs more is refused

  -q, --quiet
          No progress bar and no remarks; what is left out is still counted

  -v, --verbose
          List everything that was skipped, repaired or found, not only the first few of each

Examples:
  karat validate gold.ttl
  karat validate runs/*.tsv --gold gold.tsv
  karat validate gold.ttl --fix --output gold.fixed.ttl
  karat validate gold.ttl --fix --fix-surface
      where the words of a mention are not those of the text, take the text's
  karat validate gold.ttl --rule '{tag@el:Mnt-ProForm}[el:Ref-Anaphoric](el:Ref-Direct)'
  karat validate gold.ttl --rules my-rules.txt --kb wikipedia.kb
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
          - jsonl: One JSON object on each line
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
Print a manual page, for `karat man | man -l -`, or write those of all commands

Usage: karat man [OPTIONS] [COMMAND]...

Arguments:
  [COMMAND]...  The command to describe, as `eval` or `kb build`; karat itself by default

Options:
  -o, --output <FOLDER>  Write the pages of all commands to this folder, one file each, as
                         karat-kb-build.1
  -h, --help             Print help

Examples:
  karat man kb build | man -l -
      shows one page
  karat man -o ~/.local/share/man/man1
      installs all of them, for `man karat-kb-build`

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
  merge        Put the counts of several jobs together and score them
  compare      Say which systems are really better, and how sure that is
  errors       Count and list what went wrong
  curves       Add the categories of a gold standard one by one, the best of each system first
  link         Ask a linker about every document, keep its answers, and score them
  linkers      List the linkers, or describe one
  collection   Look at a test collection: what is in it, what to add to it, and what its scores are
               worth
  serve        Look at results in a browser
  import       Load benchmarks and runs into a workspace
  report       Write the pages of `karat serve` into one file, or into a folder
  measures     List the measures, or describe one
  presets      List the conventions of the literature, or describe one
  settings     List the settings of conventions, or describe one
  verify       Verify what gold and systems say: what people judged, and what a design would cost
  reproduce    Compute the published tables of the literature again, number by number
  demo         Show what karat does on a built-in sample, offline, in seconds
  convert      Convert a corpus from one format to another
  validate     Check files, list what is wrong, and mend what can be mended
  gold         Correct gold standards with patches: make, check, apply, merge and undo them
  tag          Derive category tags, as far as they follow from what is there
  formats      List the formats karat reads and writes, or describe one
  kb           Build a knowledge base, and ask it
  completions  Print a completion script for a shell
  man          Print a manual page, for `karat man | man -l -`, or write those of all commands
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
error: invalid value 'chars' for '--unit <[INPUT=]UNIT>': expected code-points, utf16, bytes or tokens

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat man frobnicate"#),
        str![[r#"
exit code 2
-- stderr
error: there is no command `frobnicate`
  = help: commands are eval, merge, compare, errors, curves, link, linkers, collection, serve, import, report, measures, presets, settings, verify, reproduce, demo, convert, validate, gold, tag, formats, kb, completions, man

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat man kb builds"#),
        str![[r#"
exit code 2
-- stderr
error: there is no command `builds`
  = help: did you mean `build`? commands are build, info, get, normalise, candidates, search, index

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat man eval fast"#),
        str![[r#"
exit code 2
-- stderr
error: `karat eval` has no commands, and so no `fast`
  = help: `karat man eval` describes it

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat man kb build fast"#),
        str![[r#"
exit code 2
-- stderr
error: `karat kb build` has no commands, and so no `fast`
  = help: `karat man kb build` describes it

"#]]
    );
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

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let build = folder.run("karat man kb build");
    assert!(build.contains(".TH karat-kb-build 1") && build.contains("\\-\\-language"), "{build}");
    assert_data_eq!(folder.run("karat man -o pages/man1"), "exit code 0\n");
    let page =
        |name: &str| String::from_utf8(folder.read(&format!("pages/man1/{name}.1"))).unwrap();
    let mut written = 0;
    let mut named = vec!["karat".to_owned()];
    // Each page names those of the commands within it, down to the last.
    while let Some(name) = named.pop() {
        let page = page(&name);
        assert!(page.contains(&format!(".TH {name} 1")), "{name}");
        written += 1;
        let within = page.lines().filter_map(|line| line.strip_suffix("(1)"));
        named.extend(within.map(|name| name.replace('\\', "")));
    }
    assert_eq!(folder.run("ls pages/man1 | wc -l"), format!("exit code 0\n-- stdout\n{written}\n"));
    assert!(written > 25, "{written}");
    let again = folder.run("karat man -o pages/man1");
    assert_eq!(again, "exit code 0\n", "pages are written over");
}
