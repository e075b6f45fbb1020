//! Equal scores are equal, no spelling decides one, and none is shown that is over nothing.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// Ten documents of four mentions each: one system finds three and invents two, the other finds two. F1 is two
/// thirds for both, in every document.
fn tied() -> Folder {
    let rows = |found: u32, extra: u32| -> String {
        let of_document = |document: u32| {
            let places = (0..found).chain(10..10 + extra);
            let row = move |at: u32| format!("d{document}\t{}\t{}\tQ{at}\n", at * 10, at * 10 + 5);
            places.map(row).collect::<String>()
        };
        (0..10).map(of_document).collect()
    };
    Folder::with(&[("gold.tsv", &rows(4, 0)), ("bold.tsv", &rows(3, 2)), ("shy.tsv", &rows(2, 0))])
}

#[test]
fn systems_with_equal_scores_are_tied() {
    assert_data_eq!(
        tied().run("karat compare gold.tsv bold.tsv shy.tsv -m link,link@macro --trials 2000"),
        str![[r#""#]]
    );
}

#[test]
fn ranks_over_documents_are_shared() {
    let line = "karat compare gold.tsv bold.tsv shy.tsv --trials 2000 --format json \
                | grep -A3 '\"average_ranks\\|\"chi_squared\\|\"p\"' | grep -v signature";
    assert_data_eq!(tied().run(line), str![[r#""#]]);
}

/// Two mentions of one entity; of the first the system also says something else. With `A` and `B` exchanged the
/// files say the same.
fn renamed() -> Folder {
    let gold = |one: &str| format!("d\t0\t5\t{one}\t1\tPER\nd\t10\t15\t{one}\t1\tPER\n");
    let system = |one: &str, other: &str| {
        format!("d\t0\t5\t{one}\t1\tPER\nd\t0\t5\t{other}\t1\tLOC\nd\t10\t15\t{one}\t1\tPER\n")
    };
    Folder::with(&[
        ("gold.tsv", &gold("A")),
        ("system.tsv", &system("A", "B")),
        ("renamed/gold.tsv", &gold("B")),
        ("renamed/system.tsv", &system("B", "A")),
    ])
}

#[test]
fn no_spelling_decides_a_score() {
    let folder = renamed();
    let line = "karat eval gold.tsv system.tsv -m muc,b-cubed,nervaluate,mention --trials 0";
    let whole = folder.run(line);
    let without_signature = |output: String| -> Vec<String> {
        output.lines().filter(|line| !line.contains("karat:")).map(str::to_owned).collect()
    };
    let renamed = folder.run(&format!("cd renamed; {line}"));
    assert_eq!(without_signature(whole.clone()), without_signature(renamed));
    assert_data_eq!(whole, str![[r#""#]]);
}

/// Three documents; the second system says nothing of the last.
fn silent() -> Folder {
    Folder::with(&[
        ("gold.tsv", "d1\t0\t5\tQ1\nd1\t10\t15\tQ2\nd2\t0\t5\tQ3\nd3\t0\t5\tQ4\n"),
        ("all.tsv", "d1\t0\t5\tQ1\nd2\t0\t5\tQ3\nd3\t0\t5\tQ9\n"),
        ("some.tsv", "d1\t0\t5\tQ1\nd1\t10\t15\tQ9\nd2\t0\t5\tQ3\n"),
    ])
}

#[test]
fn means_have_no_counts_and_say_which_documents_they_are_over() {
    let line = "karat eval gold.tsv all.tsv some.tsv -m link,link@macro,disambiguation@macro";
    assert_data_eq!(silent().run(line), str![[r#""#]]);
}

#[test]
fn common_means_are_in_json_and_in_rows() {
    let folder = silent();
    let json = "karat eval gold.tsv all.tsv some.tsv -m link@macro --format json \
                | sed -n '/\"macro\"/,/^        }/p'";
    assert_data_eq!(folder.run(json), str![[r#""#]]);
    let rows = "karat eval gold.tsv all.tsv some.tsv -m link@macro --format csv";
    assert_data_eq!(folder.run(rows), str![[r#""#]]);
}

/// Ids that GERBIL takes for no entities: it looks at nothing.
fn unknown_ids() -> Folder {
    let rows = "d1\t0\t5\tQ1\nd2\t0\t5\tQ2\n";
    Folder::with(&[("gold.tsv", rows), ("system.tsv", rows)])
}

#[test]
fn a_score_over_nothing_is_a_dash() {
    let folder = unknown_ids();
    let line = "karat eval gold.tsv system.tsv --preset gerbil -m inkb,inkb@macro,erec";
    assert_data_eq!(folder.run(line), str![[r#""#]]);
    assert_data_eq!(folder.run(&format!("{line} --format md")), str![[r#""#]]);
    assert_data_eq!(folder.run(&format!("{line} --format csv 2> /dev/null")), str![[r#""#]]);
}

#[test]
fn the_convention_says_what_nothing_is_worth_in_json() {
    let line = "karat eval gold.tsv system.tsv --preset gerbil -m inkb --format json 2> /dev/null \
                | sed -n '/\"measures\"/,/^      ]/p'";
    assert_data_eq!(unknown_ids().run(line), str![[r#""#]]);
}

#[test]
fn a_gate_is_not_passed_over_nothing() {
    let line = "karat eval gold.tsv system.tsv --preset gerbil -m inkb --fail-under inkb.f1=0.8";
    assert_data_eq!(unknown_ids().run(line), str![[r#""#]]);
}
