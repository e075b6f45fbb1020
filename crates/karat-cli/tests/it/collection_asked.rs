//! Test collections: names that meet, several benchmarks as one, rows for programs, and silence.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// Two benchmarks whose documents have the same names, and two systems on each.
fn same_names() -> Folder {
    let rows = |wrong: fn(u32) -> bool| -> String {
        let line = |at: u32| format!("{at}\t0\t5\t{}\n", if wrong(at) { "Q9" } else { "Q1" });
        (0..20).map(line).collect()
    };
    Folder::with(&[
        ("a/gold.tsv", &rows(|_| false)),
        ("b/gold.tsv", &rows(|_| false)),
        ("a/x.tsv", &rows(|at| at % 4 == 0)),
        ("a/y.tsv", &rows(|at| at % 2 == 0)),
        ("b/x.tsv", &rows(|at| at % 5 == 0)),
        ("b/y.tsv", &rows(|at| at % 5 != 0)),
    ])
}

const BOTH: &str =
    "-g a=a/gold.tsv -g b=b/gold.tsv -s x@a=a/x.tsv -s y@a=a/y.tsv -s x@b=b/x.tsv -s y@b=b/y.tsv";

/// The scores of a system on all of these benchmarks together.
fn on_all(folder: &Folder, names: &str) -> String {
    let shown =
        folder.run(&format!("karat eval {names} --unified --trials 0 -m link --format tsv -q"));
    shown.lines().find(|line| line.starts_with("unified")).unwrap_or(&shown).to_owned()
}

#[test]
fn a_name_made_for_a_document_is_that_of_no_other() {
    let folder = Folder::with(&[
        ("a.tsv", "x\t0\t5\tQ1\nb/x\t0\t5\tQ2\nb/b/x\t0\t5\tQ3\n"),
        ("b.tsv", "x\t0\t5\tQ4\n"),
    ]);
    let answers = "-s s@a=a.tsv -s s@b=b.tsv";
    assert_eq!(
        on_all(&folder, &format!("-g a=a.tsv -g b=b.tsv {answers}")),
        "unified\ts\tlink\t4\t0\t0\t1\t1\t1\t\t"
    );
}

#[test]
fn benchmarks_with_the_same_names_of_documents_are_joined() {
    let folder = same_names();
    assert_data_eq!(
        folder.run(&format!("karat eval {BOTH} --unified --trials 0 -m link --format tsv -q")),
        str![[r#"
exit code 0
-- stdout
benchmark	system	measure	tp	fp	fn	P	R	F1	low	high
a	x	link	15	5	5	0.75	0.75	0.75		
a	y	link	10	10	10	0.5	0.5	0.5		
b	x	link	16	4	4	0.8	0.8	0.8		
b	y	link	4	16	16	0.2	0.2	0.2		
unified	x	link	31	9	9	0.775	0.775	0.775		
unified	y	link	14	26	26	0.35	0.35	0.35		
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:a@c5d5f8
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:b@c5d5f8
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:unified@507192

"#]]
    );
    let shown =
        folder.run(&format!("karat compare {BOTH} --unified --trials 200 --format json -q"));
    assert_eq!(shown.matches("\"unified\": false").count(), 2, "{shown}");
    assert_eq!(shown.matches("\"unified\": true").count(), 1, "{shown}");
    assert!(shown.contains("\"documents\": 40,") && shown.contains("\"number\": 2,"), "{shown}");
    let errors = folder.run(&format!("karat errors {BOTH} --unified --format tsv -q"));
    assert!(errors.starts_with("exit code 0"), "{errors}");
    let taken = folder.run(&format!(
        "karat eval {} --unified",
        BOTH.replace("b=b/", "unified=b/").replace("@b", "@unified")
    ));
    assert!(taken.contains("a benchmark is called `unified`"), "{taken}");
}

#[test]
fn two_benchmarks_of_one_name_are_refused() {
    let folder = same_names();
    assert_data_eq!(
        folder.run("karat collection stats -g a/gold.tsv -g b/gold.tsv --format json"),
        str![[r#"
exit code 2
-- stderr
error: two benchmarks are called `gold`
  = help: give each a name of its own: NAME=INPUT

"#]]
    );
    assert_data_eq!(
        folder.run("karat collection stats -g figure=a/gold.tsv --format json"),
        str![[r#"
exit code 2
-- stderr
error: two columns would be called `figure`
  = help: give the benchmark another name: NAME=INPUT

"#]]
    );
}

#[test]
fn each_benchmark_by_itself_in_json() {
    let folder = Folder::with_sample();
    let shown = folder.run("karat collection stats -g sample/gold.karat.jsonl --format json -q");
    let (before, benchmarks) = shown.split_once("\"benchmarks\": [").unwrap();
    assert!(before.starts_with("exit code 0"), "{before}");
    for expected in ["\"name\": \"gold\"", "\"documents\": 14", "\"property\": \"level\""] {
        assert!(benchmarks.contains(expected), "{expected} in {benchmarks}");
    }
    for expected in ["\"figures\": [", "\"shares\": [", "|gold:gold@"] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    let both = folder.run(
        "karat collection stats -g sample/gold.karat.jsonl -g again=sample/gold.karat.jsonl --format json -q",
    );
    assert!(both.contains("\"karat:0.1.0|gold:gold@27bfe6|gold:again@27bfe6\""), "{both}");
}

#[test]
fn everything_is_in_the_rows_for_programs() {
    let folder = Folder::with_sample();
    assert_data_eq!(
        folder.run(
            "karat collection size -g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl \
             -s sample/systems/popular.karat.jsonl --by document --at 5,14 --orders 5 --trials 200 --format tsv"
        ),
        str![[r#"
exit code 0
-- stdout
table	documents	system	score	number	value
systems	14	careful		F1	0.6998409884048181
systems	14	careful		low	0.6266021317754178
systems	14	careful		high	0.7712137868498805
systems	14	careful		width	0.14461165507446272
systems	14	careful		needed	732
systems	14	careful		more	718
systems	14	careful		p against the best	
systems	14	careful		behind	
systems	14	careful		discordant	
systems	14	careful		documents for a power of 80%	
systems	14	popular		F1	0.6414770432206812
systems	14	popular		low	0.575278904785429
systems	14	popular		high	0.6906225971269375
systems	14	popular		width	0.11534369234150854
systems	14	popular		needed	466
systems	14	popular		more	452
systems	14	popular		p against the best	0.055
systems	14	popular		behind	0.0583639451841369
systems	14	popular		discordant	0.30952380952380953
systems	14	popular		documents for a power of 80%	35
growth	5	careful	F1	value	0.7260841836734694
growth	5	popular	F1	value	0.6624289059886249
growth	14	careful	F1	value	0.6998409884048181
growth	14	popular	F1	value	0.6414770432206812
growth	5		not below the best	value	1
growth	14		not below the best	value	1
orders	5	careful	F1	median	0.6946015078082929
orders	5	careful	F1	low	0.6759896404344634
orders	5	careful	F1	high	0.716341535671643
orders	5	popular	F1	median	0.6420858669614888
orders	5	popular	F1	low	0.6034763715372081
orders	5	popular	F1	high	0.6532728451069345
orders	5		not below the best	median	1
orders	5		not below the best	low	0
orders	5		not below the best	high	1
orders	14	careful	F1	median	0.6998409884048181
orders	14	careful	F1	low	0.6998409884048181
orders	14	careful	F1	high	0.6998409884048181
orders	14	popular	F1	median	0.6414770432206812
orders	14	popular	F1	low	0.6414770432206812
orders	14	popular	F1	high	0.6414770432206812
orders	14		not below the best	median	1
orders	14		not below the best	low	0
orders	14		not below the best	high	1
-- stderr
signature: karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|gold:gold@27bfe6|boot:doc,200,seed=1,level=95|orders:5

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat collection model --cells 452,371,357,548,518 --remove 10 --draws 0 --deviation 0.005 --format csv"
        ),
        str![[r#"
exit code 0
-- stdout
table,system,change,score,number,value
answers,,,,L,452
answers,,,,S,371
answers,,,,T,357
answers,,,,M,548
answers,,,,C,518
answers,,,,P link,0.8902743142144638
answers,,,,R link,0.7898230088495575
answers,,,,P NIL,0.8647746243739566
answers,,,,R NIL,0.9452554744525548
answers,,,,P,0.8763004841818658
answers,,,,R,0.875
answers,,,,F1,0.8756497592328732
changes,,remove 10,precision,queries,990
changes,,remove 10,precision,mean,0.8763023418141682
changes,,remove 10,precision,sd,0.0010408756265308239
changes,,remove 10,precision,2.5%,0.8750119641258882
changes,,remove 10,precision,97.5%,0.8787042381577558
changes,,remove 10,precision,worst,0.8749064280021673
changes,,remove 10,precision,best,0.8868125253405068
changes,,remove 10,recall,queries,990
changes,,remove 10,recall,mean,0.875
changes,,remove 10,recall,sd,0.0010516196478202924
changes,,remove 10,recall,2.5%,0.8737373737373737
changes,,remove 10,recall,97.5%,0.8777777777777778
changes,,remove 10,recall,worst,0.8737373737373737
changes,,remove 10,recall,best,0.8838383838383839
changes,,remove 10,F1,queries,990
changes,,remove 10,F1,mean,0.8756506817790339
changes,,remove 10,F1,sd,0.0010442204714183863
changes,,remove 10,F1,2.5%,0.8743742044337686
changes,,remove 10,F1,97.5%,0.8782407636359638
changes,,remove 10,F1,worst,0.874321510084674
changes,,remove 10,F1,best,0.8853229567741987
budget,,,,queries,1000
budget,,,,recall,0.875
budget,,,,can go,185
budget,,,,sd of recall then,0.004985208751298594
-- stderr
signature: karat:0.1.0|preset:mertens-2014|task:disambiguation|match:exact|assign:last-wins|threshold:none|cells:452,371,357,548,518

"#]]
    );
    assert_data_eq!(
        folder.run("karat collection stats -g sample/gold.karat.jsonl --format csv -q | grep -e level -e figure,mentions"),
        str![[r#"
exit code 0
-- stdout
figure,mentions,168,
figure,mentions per document,12,
figure,mentions per 100 words,21.07904642409034,
level,root,168,0.9438202247191011
level,child,10,0.056179775280898875
-- stderr
signature: karat:0.1.0|gold:gold@27bfe6

"#]]
    );
}

#[test]
fn quiet_means_no_notes() {
    let folder = same_names();
    for line in [
        "karat collection stats -g a/gold.tsv -q --format tsv",
        "karat collection sample --by document -n 500 -q a/gold.tsv",
    ] {
        let shown = folder.run(line);
        assert!(shown.starts_with("exit code 0") && !shown.contains("note:"), "{shown}");
    }
}

#[test]
fn what_several_benchmarks_need_is_not_offered_for_one() {
    let folder = Folder::new();
    let size = folder.run("karat collection size --help");
    assert!(!size.contains("--unified") && !size.contains("NAME@BENCHMARK"), "{size}");
    let compare = folder.run("karat compare --help");
    assert!(compare.contains("jsonl") && !compare.contains("elevant:"), "{compare}");
}

#[test]
fn the_figures_of_a_paper_are_written() {
    let folder = Folder::new();
    let shown = folder.run("karat reproduce mertens-2014 --data nowhere -o figures");
    assert!(shown.starts_with("exit code 0"), "{shown}");
    let svg = String::from_utf8(folder.read("figures/figure-3-manual-q5.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("model"));
    let data = String::from_utf8(folder.read("figures/figure-3.tsv")).unwrap();
    assert!(data.starts_with(
        "queries\tremoved\tseries\tchance of that or less\tF1\nManual\t5%\tmodel\t0.01\t"
    ));
}

#[test]
fn what_one_benchmark_cannot_tell_is_a_dash_beside_another() {
    let folder = Folder::with(&[
        ("bare.tsv", "d\t0\t5\tQ1\n"),
        (
            "full.jsonl",
            "{\"document\":\"d\",\"text\":\"Berlin\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\",\"types\":[\"LOC\"]}]}\n",
        ),
    ]);
    let shown = |order: &str| {
        folder.run(&format!(
            "karat collection stats {order} --format csv -q | grep -e forms, -e words -e case -e type"
        ))
    };
    assert_data_eq!(
        shown("-g bare.tsv -g full.jsonl"),
        str![[r#"
exit code 0
-- stdout
figure,words,,1,,
figure,mentions per 100 words,,100,,
figure,"mentions per 100 words, mean over documents",,100,,
figure,words that are no punctuation,,,,
figure,forms,,1,,
type,LOC,,1,,1
words,1,,1,,1
case,upper case,,1,,1
case,lower case and not named,,0,,0
-- stderr
signature: karat:0.1.0|gold:bare@2be301|gold:full@fad65b

"#]]
    );
    let labels = |shown: String| {
        let named = |line: &str| line.split(',').take(2).map(str::to_owned).collect::<Vec<_>>();
        shown.lines().filter(|line| !line.starts_with("signature")).map(named).collect::<Vec<_>>()
    };
    assert_eq!(
        labels(shown("-g bare.tsv -g full.jsonl")),
        labels(shown("-g full.jsonl -g bare.tsv"))
    );
}

#[test]
fn a_dictionary_that_does_not_fit_is_said() {
    let folder = Folder::with(&[
        (
            "gold.jsonl",
            "{\"document\":\"d\",\"text\":\"Berlin\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\"}]}\n",
        ),
        ("turned.tsv", "Q64\tBerlin\n"),
        ("three.tsv", "Berlin\tQ64\t12\n"),
    ]);
    let shown =
        |names: &str| folder.run(&format!("karat collection stats -g gold.jsonl --names {names}"));
    let turned = shown("turned.tsv");
    assert!(turned.contains("warning: `turned.tsv` has no form of `gold`"), "{turned}");
    let three = shown("three.tsv");
    assert!(three.starts_with("exit code 2") && three.contains("two fields"), "{three}");
}

#[test]
fn plots_of_nothing_are_refused() {
    let folder = same_names();
    for (line, message) in [
        ("model --cells 452,371,357,548,518 --distribution d.svg", "there is no change"),
        ("model --cells 452,371,357,548,518 --plot", "there is no change"),
        ("size a/gold.tsv a/x.tsv --separation s.svg", "tell systems apart, and one is given"),
        ("size a/gold.tsv a/x.tsv --power p.svg", "tell systems apart, and one is given"),
    ] {
        let shown = folder.run(&format!("karat collection {line}"));
        assert!(shown.starts_with("exit code 2") && shown.contains(message), "{line}: {shown}");
        assert!(shown.contains("= help: "), "{line}: {shown}");
    }
}

#[test]
fn plots_are_not_written_over_inputs() {
    let folder = same_names();
    let gold = folder.read("a/gold.tsv");
    for line in [
        "size a/gold.tsv a/x.tsv --growth a/gold.tsv",
        "size -g a/gold.tsv -s a/x.tsv --growth ./a/x.tsv",
        "model -g a/gold.tsv -s a/x.tsv --remove 1 --distribution a/gold.tsv",
    ] {
        let shown = folder.run(&format!("karat collection {line}"));
        assert!(shown.starts_with("exit code 2"), "{line}: {shown}");
        assert!(shown.contains("is an input and would be written over"), "{line}: {shown}");
    }
    for line in [
        "collection size a/gold.tsv a/x.tsv --growth p.svg --power p.svg",
        "collection size a/gold.tsv a/x.tsv --growth p.svg --power a/.././p.svg",
        "compare a/gold.tsv a/x.tsv a/gold.tsv --forest p.svg --critical-difference ./p.svg",
        "eval a/gold.tsv a/x.tsv --group-by type --heat-map p.svg --curve ./p.svg",
    ] {
        let shown = folder.run(&format!("karat {line}"));
        assert!(shown.contains("error: two plots in one file"), "{line}: {shown}");
    }
    assert_eq!(folder.read("a/gold.tsv"), gold);
}
