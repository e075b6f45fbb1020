//! The second front end beside the commands that work on files of their own (patches, judgements, counts, shared evaluations,
//! knowledge bases), and a list that no command is missing from.

use crate::front_end::{compared, file, inputs, karat, run, same};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

fn docs(name: &str) -> String {
    format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what both programs write, with `a` for the command and `b` for the library.
struct Both(tempfile::TempDir);

impl Both {
    fn new() -> Both {
        Both(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Runs the command, which writes `a`, and answers the request, which writes `b`: both are the same.
    fn write_the_same(&self, arguments: &[&str], a: &str, request: &Value, b: &str) {
        let Some(karat) = karat() else { return };
        let mut command = Command::new(karat);
        command.args(arguments);
        let done = run(command, "");
        assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.stderr);
        let answer = karat::request::answer(&request.to_string(), &Default::default());
        let answer = answer.unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        assert!(answer.passes(), "{arguments:?}");
        let [a, b] = [a, b].map(|path| std::fs::read(path).expect("a file"));
        assert!(!a.is_empty() && a == b, "{arguments:?} writes something else");
    }
}

#[test]
fn verification() {
    let judgements = docs("verification/judgements.csv");
    same(
        &["verify", "report", &judgements, "--trials", "200"],
        &json!({"request": "verification", "judgements": judgements, "trials": 200}),
    );
    same(
        &["verify", "report", &judgements, "--preset", "ding-2022-code", "--trials", "200"],
        &json!({
            "request": "verification",
            "judgements": judgements,
            "preset": "ding-2022-code",
            "trials": 200,
        }),
    );
    same(
        &["verify", "simulate", "--items", "60", "--campaigns", "2", "--judgements", "1,3"],
        &json!({
            "request": "verification-simulation",
            "design": {"items": 60},
            "others": [{"kind": "fixed", "judgements": 1}, {"kind": "fixed", "judgements": 3}],
            "campaigns": 2,
        }),
    );
}

#[test]
fn gold_patches_are_made_and_used() {
    let both = Both::new();
    let (old, new) =
        (docs("gold-patches/gold.karat.jsonl"), docs("gold-patches/corrected.karat.jsonl"));
    let edition = docs("gold-patches/edition-2.karat.jsonl");
    let autumn = docs("gold-patches/autumn.goldpatch.jsonl");
    let [a, b] = ["a.goldpatch.jsonl", "b.goldpatch.jsonl"].map(|name| both.path(name));
    both.write_the_same(
        &["gold", "diff", &old, &new, "-o", &a, "--name", "spring", "--why", "wrong-link"],
        &a,
        &json!({
            "request": "gold-diff", "old": {"path": old}, "new": {"path": new}, "output": b,
            "name": "spring", "why": "wrong-link",
        }),
        &b,
    );
    let spring = b.clone();
    let [c, d] = ["c.karat.jsonl", "d.karat.jsonl"].map(|name| both.path(name));
    both.write_the_same(
        &["gold", "apply", &old, &spring, "-o", &c],
        &c,
        &json!({
            "request": "gold-apply", "gold": {"path": old}, "patches": [spring], "output": d,
        }),
        &d,
    );
    let [e, f] = ["e.goldpatch.jsonl", "f.goldpatch.jsonl"].map(|name| both.path(name));
    both.write_the_same(
        &["gold", "merge", &spring, &spring, "-o", &e, "--name", "twice"],
        &e,
        &json!({
            "request": "gold-merge", "patches": [spring, spring], "output": f, "name": "twice",
        }),
        &f,
    );
    let [g, h] = ["g.goldpatch.jsonl", "h.goldpatch.jsonl"].map(|name| both.path(name));
    both.write_the_same(
        &["gold", "revert", &spring, "-o", &g],
        &g,
        &json!({"request": "gold-revert", "patch": spring, "output": h}),
        &h,
    );
    if karat().is_none() {
        return;
    }
    let patches = json!([spring, autumn]);
    same(
        &["gold", "log", &spring, &autumn],
        &json!({"request": "gold-log", "patches": patches, "view": "log"}),
    );
    same(
        &["gold", "show", "-g", &old, &spring],
        &json!({"request": "gold-log", "patches": [spring], "gold": {"path": old}, "view": "show"}),
    );
    for gold in [&old, &edition] {
        same(
            &["gold", "check", gold, &spring],
            &json!({"request": "gold-check", "gold": {"path": gold}, "patches": [spring]}),
        );
    }
}

#[test]
fn counts_of_shards() {
    let both = Both::new();
    let mut parts = Vec::new();
    for index in 0..2 {
        let request = json!({
            "request": "counts",
            "evaluation": {"inputs": inputs(), "measures": ["link", "mention"], "digests": true},
            "shard": {"index": index, "of": 2},
        });
        let counts: karat::counts::CountsRequest = {
            let mut fields = request;
            fields.as_object_mut().expect("an object").remove("request");
            serde_json::from_value(fields).expect("a request")
        };
        use karat::request::Request;
        let counted = counts.answer(&Default::default()).expect("counts");
        let path = both.path(&format!("{index}.counts"));
        counted.write(&mut std::fs::File::create(&path).expect("a file")).expect("counts");
        parts.push(path);
    }
    // The command writes the same file.
    if let Some(karat) = karat() {
        let other = both.path("other.counts");
        let mut command = Command::new(karat);
        command.arg("eval").args(compared()).args(["-m", "link,mention", "--counts-to", &other]);
        command.args(["--shard", "0/2"]);
        assert_eq!(run(command, "").code, Some(0));
        let [a, b] = [&other, &parts[0]].map(|path| std::fs::read(path).expect("a file"));
        assert!(a == b);
    }
    let arguments: Vec<&str> =
        std::iter::once("merge").chain(parts.iter().map(String::as_str)).collect();
    same(&arguments, &json!({"request": "merge", "parts": parts}));
}

#[test]
fn shared_evaluations() {
    let folder = docs("shared-evaluation");
    same(&["report", "check", &folder], &json!({"request": "shared-check", "folder": folder}));
    let Some(karat) = karat() else { return };
    let both = Both::new();
    let (site, cache) = (both.path("site"), both.path("cache"));
    let mut command = Command::new(karat);
    command.args(["report", &folder, "-o", &site, "--cache", &cache, "-q"]);
    let done = run(command, "");
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    same(
        &["report", "diff", &site, &site],
        &json!({"request": "shared-difference", "old": site, "new": site}),
    );
}

/// What the base is built from is told the same way, and the files are equal to the byte.
#[test]
fn knowledge_bases_are_built() {
    let both = Both::new();
    let facts = ["entities.csv", "counts.csv"].map(|name| docs(&format!("knowledge-base/{name}")));
    let [a, b] = ["a.kb", "b.kb"].map(|name| both.path(name));
    both.write_the_same(
        &["kb", "build", &facts[0], &facts[1], "-o", &a, "--complete", "kinds", "-q"],
        &a,
        &json!({
            "request": "knowledge-build", "inputs": facts, "output": b, "complete": ["kinds"],
        }),
        &b,
    );
}

#[test]
fn results_as_elevant_has_them() {
    let Some(karat) = karat() else { return };
    let mut command = Command::new(karat);
    command.args(["eval", &file("gold.karat.jsonl"), &file("systems/careful.karat.jsonl")]);
    command.args(["--preset", "elevant", "--format", "elevant"]);
    let printed = run(command, "");
    let request: karat::elevant::ElevantRequest = serde_json::from_value(json!({
        "inputs": {
            "gold": [{"path": file("gold.karat.jsonl")}],
            "systems": [{"path": file("systems/careful.karat.jsonl")}],
        },
        "convention": {"preset": "elevant"},
    }))
    .expect("a request");
    use karat::request::Request;
    let answer = request.answer(&Default::default()).expect("an answer");
    assert_eq!(printed.stdout, format!("{}\n", answer.results()), "{}", printed.stderr);
}

#[test]
fn linked_documents() {
    same(&["linkers"], &json!({"request": "linkers"}));
    same(&["linkers", "oracle"], &json!({"request": "linkers", "linker": "oracle"}));
    let gold = file("gold.karat.jsonl");
    same(
        &["link", "oracle", "-g", &gold, "--eval", "-m", "link"],
        &json!({
            "request": "linking",
            "linker": "oracle",
            "input": {"path": gold},
            "scored": true,
            "measures": ["link"],
        }),
    );
}

/// Commands that print or write an answer, each with the test that compares it with the library.
const COMPARED: [(&str, &str); 34] = [
    ("eval", "evaluations"),
    ("merge", "counts_of_shards"),
    ("compare", "comparisons"),
    ("errors", "errors"),
    ("curves", "curves"),
    ("collection stats", "collections"),
    ("collection sample", "samples"),
    ("collection model", "collections"),
    ("collection size", "collections"),
    ("report check", "shared_evaluations"),
    ("report diff", "shared_evaluations"),
    ("verify report", "verification"),
    ("verify simulate", "verification"),
    ("convert", "conversions"),
    ("validate", "validations"),
    ("gold diff", "gold_patches_are_made_and_used"),
    ("gold apply", "gold_patches_are_made_and_used"),
    ("gold merge", "gold_patches_are_made_and_used"),
    ("gold revert", "gold_patches_are_made_and_used"),
    ("gold log", "gold_patches_are_made_and_used"),
    ("gold show", "gold_patches_are_made_and_used"),
    ("gold check", "gold_patches_are_made_and_used"),
    ("gold rebase", "gold_patches_are_moved"),
    ("tag", "agreements_of_derived_tags"),
    ("kb build", "knowledge_bases_are_built"),
    ("kb info", "questions_to_a_knowledge_base"),
    ("kb get", "questions_to_a_knowledge_base"),
    ("kb normalise", "questions_to_a_knowledge_base"),
    ("kb candidates", "questions_to_a_knowledge_base"),
    ("kb search", "questions_to_a_knowledge_base"),
    ("kb index", "questions_to_a_knowledge_base"),
    ("report", "shared_evaluations"),
    ("link", "linked_documents"),
    ("linkers", "linked_documents"),
];

/// Commands that answer no request, and why.
const OTHERS: [(&str, &str); 12] = [
    ("serve", "a server: pages are answers, and tests of karat-web compare them"),
    ("import", "puts files into a store"),
    ("measures", "a list of what there is"),
    ("presets", "a list of what there is"),
    ("settings", "a list of what there is"),
    ("formats", "a list of what there is"),
    ("reproduce", "tests of the facade compute the tables of papers"),
    ("demo", "several answers with talk between them"),
    ("completions", "of the command line itself"),
    ("man", "of the command line itself"),
    ("verify", "campaigns in a store, and a server"),
    ("help", "of the command line itself"),
];

/// The names that a help text lists under `Commands:`.
fn commands_of(karat: &Path, of: Option<&str>) -> Vec<String> {
    let mut command = Command::new(karat);
    command.args(of).arg("--help");
    let help = run(command, "").stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // Longer descriptions go on in lines that are further in.
    let names = listed.filter_map(|line| line.strip_prefix("  ").filter(|it| !it.starts_with(' ')));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn no_command_is_forgotten() {
    let Some(karat) = karat() else { return };
    let tests = [include_str!("front_end.rs"), include_str!("front_end_files.rs")].concat();
    for (command, test) in COMPARED {
        assert!(tests.contains(&format!("fn {test}()")), "`{command}`: there is no test {test}");
    }
    let is_known = |name: &str| {
        COMPARED.iter().any(|(known, _)| *known == name) || OTHERS.iter().any(|(it, _)| *it == name)
    };
    let all = commands_of(&karat, None);
    assert!(all.len() > 20, "{all:?}");
    for command in all {
        let within = commands_of(&karat, Some(&command));
        let parts = within.iter().filter(|name| *name != "help");
        let parts: Vec<String> = parts.map(|name| format!("{command} {name}")).collect();
        let unknown: Vec<&String> = parts.iter().filter(|name| !is_known(name)).collect();
        // Some of a family may be others as a whole, and a family without a command of its own is its parts.
        let is_fine = is_known(&command) || (!parts.is_empty() && unknown.is_empty());
        assert!(is_fine, "`{command}` {unknown:?}: compare it with the library, or say why not");
    }
}

#[test]
fn gold_patches_are_moved() {
    let both = Both::new();
    let (old, new) =
        (docs("gold-patches/gold.karat.jsonl"), docs("gold-patches/corrected.karat.jsonl"));
    let spring = both.path("spring.goldpatch.jsonl");
    let diff = json!({
        "request": "gold-diff", "old": {"path": old}, "new": {"path": new}, "output": spring,
    });
    karat::request::answer(&diff.to_string(), &Default::default()).expect("a patch");
    // To the edition that it is of, so that everything applies.
    let [a, b] = ["a.goldpatch.jsonl", "b.goldpatch.jsonl"].map(|name| both.path(name));
    both.write_the_same(
        &["gold", "rebase", &spring, &old, "-o", &a],
        &a,
        &json!({"request": "gold-rebase", "patch": spring, "gold": {"path": old}, "output": b}),
        &b,
    );
}
