//! `karat link`: a linker is asked, its answers are kept, and the same comes out again.

use crate::folder::Folder;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn folder() -> Folder {
    let folder = Folder::with_sample();
    folder.copy("crates/karat-linkers/tests/sample-base", "base");
    folder.output("karat kb build -q base -o b.kb");
    folder
}

const PRIOR: &str = "karat link prior --kb b.kb -g sample/gold.karat.jsonl";

#[test]
fn a_baseline_is_asked_scored_kept_and_replayed_to_the_same_bytes() {
    let folder = folder();
    let first = folder.run(&format!("{PRIOR} -o run --eval -m link --format json -q"));
    assert!(first.starts_with("exit code 0"), "{first}");
    assert!(first.contains("\"answered\": 14"), "{first}");
    assert!(first.contains("\"f1\""), "{first}");
    let mut files: Vec<String> = std::fs::read_dir(folder.path("run"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["answers.jsonl", "lock", "output.karat.jsonl", "report.json"]);
    let output = folder.read("run/output.karat.jsonl");
    let again = folder.run(&format!("{PRIOR} --replay run --write again.karat.jsonl -q"));
    assert!(again.starts_with("exit code 0"), "{again}");
    assert_eq!(folder.read("again.karat.jsonl"), output);
    let other = folder.run("karat link nil -g sample/gold.karat.jsonl --mentions gold -o run");
    assert!(other.starts_with("exit code 2"), "{other}");
    assert!(other.contains("is the recording of another run: linker: `prior"), "{other}");
    let evaluated =
        folder.run("karat eval -g sample/gold.karat.jsonl -s run/output.karat.jsonl -m link");
    assert!(evaluated.starts_with("exit code 0"), "{evaluated}");
}

#[test]
fn given_mentions_are_linked_and_written_in_any_format() {
    let folder = folder();
    for (file, format) in [("a.ttl", "nif"), ("a.csv", "csv"), ("a.karat.jsonl", "karat-jsonl")] {
        let shown = folder.run(&format!("{PRIOR} --mentions gold --write {file}"));
        assert!(shown.contains(&format!("wrote `{file}` ({format}")), "{shown}");
    }
    let oracle =
        folder.run("karat link oracle -g sample/gold.karat.jsonl --eval -m link --format tsv -q");
    assert!(oracle.starts_with("exit code 0"), "{oracle}");
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_hint() {
    let folder = folder();
    folder.write("bare.tsv", b"d1\t0\t5\tQ64\n");
    folder.write("file", b"x");
    folder.run("mkdir notes && cp file notes/own.txt");
    let given = |document: &str, end: u32| {
        format!(
            "{{\"document\":\"{document}\",\"annotations\":[{{\"span\":[0,{end}],\"link\":\"Q64\"}}]}}\n"
        )
    };
    folder.write("long.karat.jsonl", given("wire-talks", 99999).as_bytes());
    let both = given("wire-talks", 6) + &given("nowhere", 6);
    folder.write("given.karat.jsonl", both.as_bytes());
    let lost = folder.run("karat link nil -g sample/gold.karat.jsonl --mentions given.karat.jsonl");
    assert!(lost.starts_with("exit code 0"), "{lost}");
    assert!(lost.contains("has 1 document that") && lost.contains("as `nowhere`"), "{lost}");
    let run = folder.run("karat link none -g sample/gold.karat.jsonl -o run -q");
    assert!(run.starts_with("exit code 0"), "{run}");
    for _ in 0..2 {
        let line = "karat link none -g sample/gold.karat.jsonl --replay run -o replayed";
        let replayed = folder.run(line);
        assert!(replayed.starts_with("exit code 0"), "{replayed}");
        assert!(replayed.contains("wrote the output and a report to `replayed`"), "{replayed}");
    }
    for (line, message) in [
        ("karat link priors -g sample/gold.karat.jsonl", "did you mean `prior`?"),
        ("karat link prior -g sample/gold.karat.jsonl", "`prior` needs a knowledge base"),
        ("karat link none -g bare.tsv", "has no text to ask about"),
        ("karat link nil -g sample/gold.karat.jsonl --set x=1", "has no setting `x`"),
        ("karat link none -g sample/gold.karat.jsonl -o file", "is no folder of a run"),
        (
            "karat link none -g sample/gold.karat.jsonl --replay run -o notes",
            "is no folder of a run",
        ),
        (
            "karat link nil -g sample/gold.karat.jsonl --mentions long.karat.jsonl",
            "in document `wire-talks` ends at 99999",
        ),
        (
            "karat link nil -g sample/gold.karat.jsonl --mentions given.karat.jsonl --write given.karat.jsonl",
            "is an input",
        ),
        (
            "karat link none -g sample/gold.karat.jsonl --replay run --write run/answers.jsonl --to csv",
            "is an input",
        ),
        ("karat link none -g sample/gold.karat.jsonl --eval -m lnik -o asked", "`lnik`"),
        ("karat link none -g sample/gold.karat.jsonl --rate fast", "`fast` is no rate"),
        ("karat link none -g sample/gold.karat.jsonl --replay sample", "answers.jsonl"),
        ("karat linkers priors", "did you mean `prior`?"),
    ] {
        let shown = folder.run(line);
        assert!(shown.starts_with("exit code 2") && shown.contains(message), "{line}: {shown}");
    }
    assert!(!std::path::Path::new(&folder.path("asked")).exists(), "nobody was asked");
    let listed = folder.run("karat linkers");
    assert!(listed.contains("prior") && listed.contains("a knowledge base"), "{listed}");
    let described = folder.run("karat linkers popular");
    assert!(described.contains("Settings"), "{described}");
}

#[test]
fn a_run_that_was_killed_goes_on_and_comes_to_the_same() {
    let folder = folder();
    let mut gold = String::new();
    for number in 0..3000 {
        gold += &format!(
            "{{\"document\":\"d{number}\",\"text\":\"Adams met Paris, number {number}.\"}}\n"
        );
    }
    folder.write("many.jsonl", gold.as_bytes());
    let line = "link prior --kb b.kb -g many.jsonl -q -o";
    let whole = folder.run(&format!("karat {line} whole"));
    assert!(whole.starts_with("exit code 0"), "{whole}");
    for pause in [20, 60, 100, 180] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_karat"))
            .args(line.split(' ').chain(["killed"]))
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        // SIGKILL, which nobody can listen to.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let last = folder.run(&format!("karat {line} killed"));
    assert!(last.starts_with("exit code 0"), "{last}");
    assert_eq!(folder.read("killed/output.karat.jsonl"), folder.read("whole/output.karat.jsonl"));
    let answers = |run: &str| {
        let lines = String::from_utf8(folder.read(&format!("{run}/answers.jsonl"))).unwrap();
        let key = |line: &str| line.split("\"key\":\"").nth(1).map(|rest| rest[..64].to_owned());
        let mut keys: Vec<String> = lines.lines().filter_map(key).collect();
        keys.sort();
        keys
    };
    assert_eq!(answers("killed"), answers("whole"), "nothing is lost, and nothing asked twice");
}

/// A server of a linker, stopped when the test ends.
struct Serving(Child, String);

impl Serving {
    fn start(folder: &Folder, arguments: &[&str]) -> Serving {
        let mut process = Command::new(env!("CARGO_BIN_EXE_karat"))
            .current_dir(folder.path(""))
            .args(["serve", "--listen", "127.0.0.1:0", "--annotator"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Serving(process, line.trim().trim_end_matches('/').to_owned())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_linker_that_is_served_says_over_http_what_it_says_in_process() {
    let folder = folder();
    let own = folder.run(&format!("{PRIOR} -o own -q"));
    assert!(own.starts_with("exit code 0"), "{own}");
    let serving = Serving::start(&folder, &["prior", "--kb", "b.kb"]);
    let url = &serving.1;
    // One spelling of ids, and nothing but what every shape can say.
    let plain = |run: &str| {
        let said = folder.run(&format!(
            "karat convert {run}/output.karat.jsonl - --to csv -q | sed 's#http://www.wikidata.org/entity/##' | cut -d, -f1-3,5"
        ));
        said.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = plain("own");
    assert!(expected.len() > 60, "{expected:?}");
    for (linker, path) in [
        ("nif", "/nif"),
        ("spotlight", "/rest/annotate"),
        ("rel", "/"),
        ("tagme", "/tag"),
        ("entity-fishing", "/disambiguate"),
    ] {
        let line = format!(
            "TAGME_TOKEN=canary karat link {linker} --url {url}{path} -g sample/gold.karat.jsonl -o {linker} -q"
        );
        let shown = folder.run(&line);
        assert!(shown.starts_with("exit code 0"), "{linker}: {shown}");
        assert_eq!(plain(linker), expected, "{linker}");
        let report = String::from_utf8(folder.read(&format!("{linker}/report.json"))).unwrap();
        assert!(!report.contains("offsets-"), "{report}");
    }
    let kept = folder.run("grep -rl canary . ; true");
    assert!(!kept.contains("answers"), "{kept}");
}

#[test]
fn a_program_and_a_declaration_of_ones_own_are_asked() {
    let folder = folder();
    let serving = Serving::start(&folder, &["prior", "--kb", "b.kb"]);
    let declaration = format!(
        "name = \"mine\"\n[request]\nurl = \"{}/link\"\njson = {{ id = \"{{id}}\", text = \"{{text}}\" }}\n[answer]\neach = \"mentions[]\"\n\
         start = \"start\"\nend-at = \"end\"\nsurface = \"surface\"\nid = \"id\"\nconfidence = \"confidence\"\n",
        serving.1
    );
    folder.write("mine.toml", declaration.as_bytes());
    folder.write("broken.toml", declaration.replace("end-at", "end_at").as_bytes());
    let own = folder.run(&format!("{PRIOR} --write own.tsv --to neleval -q"));
    assert!(own.starts_with("exit code 0"), "{own}");
    let mine = folder
        .run("karat link mine.toml -g sample/gold.karat.jsonl --write mine.tsv --to neleval -q");
    assert!(mine.starts_with("exit code 0"), "{mine}");
    // Only the linker of this process told what else it considered.
    assert_eq!(folder.run("cut -f1-5 mine.tsv"), folder.run("cut -f1-5 own.tsv"));
    let broken = folder.run("karat link broken.toml -g sample/gold.karat.jsonl");
    assert!(broken.starts_with("exit code 2") && broken.contains("broken.toml:8:1"), "{broken}");
    assert!(!broken.contains("--lenient"), "{broken}");
    let program = "import sys, json\nfor line in sys.stdin:\n    task = json.loads(line)\n    at = task['text'].find('Berlin')\n    \
                   print(json.dumps({'id': task['id'], 'mentions': [] if at < 0 else [{'start': at, 'end': at + 6, 'id': 'Q64'}]}), flush=True)\n";
    folder.write("link.py", program.as_bytes());
    let program = folder.run("karat link --process 'python3 link.py' -g sample/gold.karat.jsonl --write p.csv -q --format json");
    assert!(program.starts_with("exit code 0"), "{program}");
    assert!(program.contains("\"linked\""), "{program}");
}
