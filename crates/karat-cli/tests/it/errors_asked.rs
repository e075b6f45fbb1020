//! What `karat errors` refuses, and what it remarks on.

use crate::errors::{articles, run};
use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// A command that is refused with this message.
fn refused(arguments: &str, message: &str) {
    let shown = run(arguments);
    assert!(shown.starts_with("exit code 2"), "{arguments}: {shown}");
    assert!(shown.contains(message), "{arguments}: {shown}");
    assert!(shown.contains("= help: "), "{arguments}: {shown}");
}

/// A command that works and says this on the way.
fn said(arguments: &str, message: &str) {
    let shown = run(arguments);
    assert!(shown.starts_with("exit code 0"), "{arguments}: {shown}");
    assert!(shown.contains(message), "{arguments}: {shown}");
}

#[test]
fn arguments_that_would_do_nothing_are_refused() {
    refused("errors SYSTEMS --suspects --category metonymy", "suspects are of all categories");
    refused("errors SYSTEMS --diff one two --by category", "--by counts them");
    refused("errors SYSTEMS --suspects --by category", "--by counts them");
    refused("errors SYSTEMS --list --by relation", "list none");
    refused("errors SYSTEMS --where doc=1 --by span-error", "list none");
    refused("errors SYSTEMS --where doc=1 --by error", "--where lists mentions");
    refused("errors SYSTEMS --unknowns required", "only categories treat unknown entities");
    refused("errors SYSTEMS --by relation --unknowns ignored", "only categories treat unknown");
    refused("errors SYSTEMS --diff one one", "does not differ from itself");
    refused(
        "errors SYSTEMS --suspects --agree 4",
        "4 systems are to agree about `small`, and 3 are",
    );
    refused("errors SYSTEMS --suspects --agree 0", "at least one system");
    refused(
        "errors SYSTEMS --suspects --system one",
        "2 systems are to agree about `small`, and one",
    );
    refused("errors SYSTEMS --system four", "there is no system `four`");
}

#[test]
fn results_of_other_presets_are_not_written_as_those_of_elevant() {
    refused("eval SYSTEMS --format elevant", "the counts of the preset `karat` are not ELEVANT's");
    refused("eval SYSTEMS --preset gerbil --format elevant", "add --preset elevant");
    said("errors SYSTEMS --preset gerbil --by category", "takes every id of `small` for NIL");
}

#[test]
fn what_cannot_be_told_is_said_and_quiet_silences_it() {
    let note =
        "without a knowledge base it cannot be told which errors are metonymy; --kb gives one";
    said("errors SYSTEMS --category metonymy", note);
    said("errors SYSTEMS --where category=metonymy", note);
    said(
        "errors SYSTEMS --list --by category",
        "without a knowledge base some categories are unknown; --kb gives one",
    );
    said("errors SYSTEMS --diff one three", "some categories are unknown; --kb gives one");
    for arguments in ["--category metonymy", "--by category", "--diff one three"] {
        let shown = run(&format!("errors SYSTEMS {arguments} --quiet"));
        assert!(!shown.contains("note:"), "{arguments}: {shown}");
    }
}

#[test]
fn a_label_that_no_mention_has_is_named_with_what_there_is() {
    said("errors SYSTEMS --where doc=nope", "no mention has the doc `nope`; there are `1`");
    said("errors SYSTEMS --where category=missed-others", "did you mean `missed-other`?");
    said("errors SYSTEMS --where mention-type=foo", "no mention has the mention-type `foo`");
    said("errors SYSTEMS --where type=PER --by category", "no mention has the type `PER`; there");
    said("errors SYSTEMS --category hyperlink", "no such error is known");
    let types = "Q43229\tOrganization\nQ27096213\tGeographic Entity\nQ215627\tPerson\n";
    let folder = articles();
    folder.write("whitelist_types.tsv", types.as_bytes());
    folder.run("karat kb build entities.csv whitelist_types.tsv -o typed.kb");
    let told = |label: &str| {
        let systems = crate::errors::SYSTEMS;
        folder.run(&format!(
            "karat errors {systems} --kb typed.kb -q --format csv --where 'type={label}'"
        ))
    };
    assert!(told("ORG").contains("no mention has the type `ORG`; did you mean `Organization`?"));
    assert!(told("Person").contains("no mention has the type `Q215627` (Person); there are"));
    assert!(told("Person").contains("`Q43229` (Organization)"));
    for name in ["organization", "Organization"] {
        assert_eq!(told(name), told("Q43229"));
    }
    assert!(told("Q43229").contains("one,1,16,20"), "{}", told("Q43229"));
    said("errors SYSTEMS --suspects --agree 3", "nowhere do 3 systems agree against gold");
}

#[test]
fn categories_have_the_names_of_tables_and_lists() {
    said("errors SYSTEMS --where category=ner_fn.other --quiet", "missed-other");
    for name in ["missed-other", "ner_fn.other", "ner_fn", "other"] {
        said(&format!("errors SYSTEMS --category {name} --quiet"), "missed-other");
    }
    refused("errors SYSTEMS --category metonomy", "did you mean `metonymy`?");
    refused("errors SYSTEMS --category ner_fn.others", "did you mean `ner_fn.other`?");
}

#[test]
fn a_kind_of_some_mentions_is_a_label_too() {
    said("errors SYSTEMS --where error=missing --where doc=1", "three");
    let listed = |asked: &str| {
        let shown = run(&format!("errors SYSTEMS {asked} --format csv -q"));
        let row = |line: &str| line.split(',').take(4).collect::<Vec<_>>().join(",");
        let rows: Vec<String> =
            shown.lines().filter(|line| line.contains(",1,")).map(row).collect();
        assert!(!rows.is_empty(), "{asked}: {shown}");
        rows
    };
    // All mentions are in the one document.
    for kind in ["missing", "wrong-link", "extra", "correct link,missing"] {
        let kind = format!("--category '{kind}'");
        assert_eq!(listed(&format!("{kind} --where doc=1")), listed(&kind));
    }
    assert_eq!(listed("--category missing,ner_fp").len(), 2);
}

/// What the table counts, lists have by the names of its columns.
#[test]
fn every_column_of_the_counts_can_be_listed() {
    let folder = Folder::with(&[
        ("gold.tsv", "d\t0\t5\tNIL1\nd\t10\t15\tQ2\n"),
        ("mine.tsv", "d\t20\t25\tNIL7\nd\t30\t35\tQ3\n"),
    ]);
    let listed = |kind: &str| {
        let shown = folder
            .run(&format!("karat errors gold.tsv mine.tsv --category '{kind}' --format csv -q"));
        let rows = shown.lines().filter(|line| line.starts_with("mine,"));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed("missing NIL"), ["mine,d,0,6,,missing,NIL,"]);
    assert_eq!(listed("extra NIL"), ["mine,d,20,26,,extra,,NIL"]);
    assert_eq!(listed("missing").len(), 2);
    assert_eq!(listed("extra NIL,missing").len(), 3);
    let counts = folder.run("karat errors gold.tsv mine.tsv --format csv -q");
    let line =
        |start: &str| counts.lines().find(|line| line.starts_with(start)).unwrap_or_default();
    let columns = line("system,").split(',').zip(line("mine,").split(',')).skip(1);
    for (kind, count) in columns {
        assert_eq!(listed(kind).len().to_string(), count, "{kind}");
    }
    refused("errors SYSTEMS --category 'missing NILL'", "did you mean `missing NIL`?");
}

/// Optional mentions, quantities, dates and parts of alternatives are in no column that they do not count in,
/// whichever way mentions are judged and listed.
#[test]
fn every_column_is_listed_as_it_is_counted_under_any_preset() {
    let folder = Folder::with(&[]);
    folder.run("karat demo --export .");
    for preset in ["karat", "elevant", "elevant-2023", "mertens-2014"] {
        let errors = |asked: &str| {
            folder.run(&format!(
                "karat errors -g gold.karat.jsonl -s popular=systems/popular.karat.jsonl --preset {preset} --format csv -q {asked}"
            ))
        };
        let counts = errors("");
        let line =
            |start: &str| counts.lines().find(|line| line.starts_with(start)).unwrap_or_default();
        let columns: Vec<(&str, &str)> =
            line("system,").split(',').zip(line("popular,").split(',')).skip(1).collect();
        assert_eq!(columns.len(), 9, "{counts}");
        for (kind, count) in columns {
            for asked in
                [format!("--category '{kind}'"), format!("--by category --category '{kind}'")]
            {
                let listed = errors(&asked);
                let rows = listed.lines().filter(|line| line.starts_with("popular,")).count();
                assert_eq!(rows.to_string(), count, "{preset} {asked}");
            }
        }
    }
}

#[test]
fn without_a_text_there_is_no_context() {
    let folder = Folder::with(&[("gold.tsv", "d\t0\t5\tQ1\n"), ("mine.tsv", "d\t0\t5\tQ2\n")]);
    let shown = |form: &str| {
        folder.run(&format!("karat errors gold.tsv mine.tsv --where doc=d --format {form} -q"))
    };
    for form in ["table", "csv"] {
        assert!(!shown(form).contains("[]"), "{}", shown(form));
    }
    assert!(shown("json").contains("\"context\": null"), "{}", shown("json"));
}

#[test]
fn what_is_known_of_an_error_is_said_where_its_category_is_not() {
    let folder = Folder::with(&[
        ("gold.tsv", "d\t0\t5\tQ1\nd\t10\t15\tQ2\n"),
        ("a.tsv", "d\t0\t5\tQ1\n"),
        ("b.tsv", "d\t0\t5\tQ9\nd\t20\t25\tQ3\n"),
    ]);
    let shown = folder.run("karat errors gold.tsv a.tsv b.tsv --diff a b --format csv -q");
    assert!(
        shown.contains("only a right,d,0,6,,Q1,Q1,correct,Q9,wrong_disambiguation\n"),
        "{shown}"
    );
    assert!(shown.contains("both wrong,d,10,16,,Q2,,missed,,missed\n"), "{shown}");
    let shown = folder.run("karat errors gold.tsv b.tsv --list --by category --format csv -q");
    assert!(shown.contains(",extra-mention,"), "{shown}");
}

#[test]
fn one_of_the_systems_is_counted_and_listed_by_kinds_too() {
    assert_data_eq!(
        run("errors SYSTEMS --system three --category missing --format csv --quiet"),
        str![[r#"
exit code 0
-- stdout
system,document,start,end,mention,error,gold,prediction
three,1,16,20,Post,missing,Q211374,
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:small@00b8e9

"#]]
    );
    said("errors SYSTEMS --system three --format csv --quiet", "system,correct link,");
}

#[test]
fn the_signature_says_that_unknown_entities_are_to_be_found() {
    said("errors SYSTEMS --by category --unknowns required", "|unknowns:required|gold:small");
}

#[test]
fn documents_that_are_missing_are_named() {
    let folder = articles();
    let text = String::from_utf8(folder.read("one.small.linked_articles.jsonl")).unwrap();
    folder.write("other.jsonl", text.replace("\"id\": 1,", "\"id\": 2,").as_bytes());
    for by in ["error", "category", "relation"] {
        let shown = folder
            .run(&format!("karat errors -g small.benchmark.jsonl -s one=other.jsonl --by {by}"));
        assert!(shown.contains("`one` has 1 document that `small` does not know (`2`)"), "{shown}");
        assert!(shown.contains("`one` says nothing about 1 of 1 document"), "{shown}");
    }
}

#[test]
fn data_have_all_candidates_and_tables_say_how_many_more() {
    let folder = articles();
    let text = String::from_utf8(folder.read("one.small.linked_articles.jsonl")).unwrap();
    let many = text.replace("\"Q1\"]", "\"Q1\", \"Q2\", \"Q3\", \"Q4\", \"Q5\", \"Q6\"]");
    folder.write("many.jsonl", many.as_bytes());
    let listed = |form: &str| {
        folder.run(&format!(
            "karat errors -g small.benchmark.jsonl -s m=many.jsonl --list --by category {form}"
        ))
    };
    assert!(listed("--format csv").contains("Q166032 Q1 Q2 Q3 Q4 Q5 Q6"));
    let table = listed("--format md");
    assert!(table.contains("Q166032 Q1 Q2 Q3 Q4 (+2)"), "{table}");
}

#[test]
fn suspects_of_several_benchmarks_are_one_document() {
    let folder = articles();
    let gold = String::from_utf8(folder.read("small.benchmark.jsonl")).unwrap();
    folder.write("more.benchmark.jsonl", gold.replace("\"id\": 1,", "\"id\": 7,").as_bytes());
    for name in ["one", "two"] {
        let file = format!("{name}.small.linked_articles.jsonl");
        let text = String::from_utf8(folder.read(&file)).unwrap();
        let more = format!("{text}{}", text.replace("\"id\": 1,", "\"id\": 7,"));
        folder.write(&format!("{name}.both.jsonl"), more.as_bytes());
    }
    let shown = |form: &str| {
        folder.run(&format!(
            "karat errors -g small.benchmark.jsonl -g more.benchmark.jsonl -s one=one.both.jsonl -s two=two.both.jsonl --suspects --quiet --format {form}"
        ))
    };
    assert_data_eq!(
        shown("csv"),
        str![[r#"
exit code 0
-- stdout
benchmark,rank,document,start,end,context,gold,proposed,systems,dissenting
small,1,1,24,32,"Reported by the Post of [New York], USA.",Q60 New York City,Q1384,one two,
more,1,7,24,32,"Reported by the Post of [New York], USA.",Q60 New York City,Q1384,one two,
...
"#]]
    );
    let json = shown("json");
    let document = json.split_once("-- stdout\n").unwrap().1;
    assert!(document.starts_with("{\n  \"karat\": "), "{json}");
    assert_eq!(document.matches("\"task\": \"verify\"").count(), 2, "{json}");
    assert_eq!(document.matches("\"signatures\": [").count(), 1, "{json}");
}

#[test]
fn totals_that_are_numbers_of_words_say_why_they_are_unknown() {
    let folder = articles();
    folder.write("word_counts.tsv", b"small\t0\t9\t4\n");
    folder.run("karat kb build entities.csv word_counts.tsv -o words.kb");
    let shown = |gold: &str| {
        folder.run(&format!(
            "karat errors -g {gold} -s one=one.small.linked_articles.jsonl --by category --kb words.kb"
        ))
    };
    assert!(!shown("small.benchmark.jsonl").contains("totals of ner_fp"));
    let other = shown("other=small.benchmark.jsonl");
    assert!(other.contains("totals of ner_fp are unknown: the knowledge base counts"), "{other}");
    folder.write("word_counts.tsv", b"small\t0\t9\t10\n");
    let refused = folder.run("karat kb build word_counts.tsv -o more.kb");
    assert!(refused.starts_with("exit code 2"), "{refused}");
    assert!(refused.contains("10 lowercased words of 9 words"), "{refused}");
}

#[test]
fn redirects_know_every_spelling_but_under_neleval() {
    let folder = Folder::with(&[
        ("map.tsv", "New York City\tBig Apple\tNYC\n"),
        ("gold.tsv", "d\t0\t5\thttps://en.m.wikipedia.org/wiki/Big%20Apple#History\n"),
        ("mine.tsv", "d\t0\t5\thttp://dbpedia.org/resource/New_York_City\n"),
    ]);
    let command = "karat eval -g gold.tsv -s mine.tsv -m link.f1 --trials 0 --redirects map.tsv";
    assert_data_eq!(
        folder.run(command),
        str![[r#"
exit code 0
-- stdout
system  link.f1
────────────────
mine      1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|kb:spellings+redirects@f992b4|gold:gold@612973

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{command} --preset neleval")),
        str![[r#"
exit code 0
-- stdout
system  link.f1
────────────────
mine      0.000

karat:0.1.0|preset:neleval|task:end-to-end|match:exact|assign:sets|threshold:none|kb:titles+redirects@f992b4|gold:gold@612973
-- stderr
warning: no ids of `mine` are in `gold`, but 1 would be if ids were compared otherwise: `gold` has `https://en.m.wikipedia.org/wiki/Big%20Apple#History` and `mine` has `http://dbpedia.org/resource/New_York_City`
  = help: --set spellings=by-name compares what known addresses name

"#]]
    );
}

#[test]
fn types_of_predictions_are_those_that_systems_give_without_a_base() {
    let folder = Folder::with(&[
        ("gold.tsv", "d\t0\t5\tA\t1.0\tPER\nd\t6\t9\tB\t1.0\tLOC\n"),
        ("mine.tsv", "d\t0\t5\tA\t1.0\tPER\nd\t6\t9\tC\t1.0\tLOC\n"),
    ]);
    assert_data_eq!(
        folder.run(
            "karat errors -g gold.tsv -s mine.tsv --set gold-types=PER --set predicted-types=PER"
        ),
        str![[r#"
exit code 0
-- stdout
system  correct link  correct nil  wrong-link  link-as-nil  nil-as-link  missing  missing NIL  extra  extra NIL
────────────────────────────────────────────────────────────────────────────────────────────────────────────────
mine               1            0           0            0            0        0            0      0          0

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold-types:PER|predicted-types:PER|gold:gold@4ff25a
-- stderr
note: without a knowledge base predictions have the types that systems give them; --kb gives one

"#]]
    );
}
