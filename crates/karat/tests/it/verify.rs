//! A whole campaign with an oracle instead of people, on the fine-grained corpora: every number of an independent run.

use crate::oracle::{Oracle, SOURCES, check_plan, check_results, reference, source};
use karat::campaigns::ItemJudgement;
use karat::campaigns::plan::{CampaignDesign, CampaignPlan};
use karat::formats::Source;
use karat::model::Span;
use karat::request::{Answer, Request};
use karat::verify::{JudgementFile, VerifyReportAnswer, VerifyReportRequest};
use karat::work::Work;

/// Writes judgements to a file and asks for a report, as a user would.
fn report(plan: &CampaignPlan, judgements: &[ItemJudgement], preset: &str) -> VerifyReportAnswer {
    let file =
        JudgementFile { plan: plan.clone(), judgements: judgements.to_vec(), names: Vec::new() };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("judgements.csv");
    std::fs::write(&path, file.csv()).expect("written");
    let request = VerifyReportRequest {
        judgements: path.display().to_string(),
        preset: preset.to_owned(),
        trials: 50,
        ..VerifyReportRequest::default()
    };
    let answer = request.answer(&Work::default()).expect("an answer");
    let json = serde_json::to_string(&answer).expect("JSON");
    assert_eq!(serde_json::from_str::<VerifyReportAnswer>(&json).expect("read back"), answer);
    assert!(!answer.report().tables().is_empty());
    answer
}

#[test]
fn every_number_of_the_oracle_run() {
    let (Some(oracle), Some(golden)) = (Oracle::read(), reference()) else { return };
    let design = CampaignDesign::ding_2022();
    let plan = oracle.plan(&design);
    check_plan(&oracle, &design, &plan, &golden);
    let judgements = oracle.judge(&plan);
    check_results(&golden, |preset| report(&plan, &judgements, preset));
}

#[test]
fn pooling_asks_once_and_finds_the_same() {
    let (Some(oracle), Some(golden)) = (Oracle::read(), reference()) else { return };
    let apart = oracle.plan(&CampaignDesign::ding_2022());
    let pooled = oracle.plan(&CampaignDesign::default());
    let mut times = vec![0; pooled.items.len()];
    pooled.proposals.iter().for_each(|one| times[one.item] += 1);
    let shared = times.iter().filter(|&&times| times == SOURCES.len()).count();
    assert_eq!(Some(shared as u64), golden["shared_annotations_all_models"].as_u64());
    assert_eq!(pooled.proposals.len(), apart.proposals.len());
    for task in &pooled.tasks {
        let mut spans: Vec<Span> =
            task.items.iter().map(|&item| pooled.items[item].span()).collect();
        spans.sort_unstable();
        assert!(
            spans.windows(2).all(|pair| pair[0].end <= pair[1].start),
            "items of a task do not overlap"
        );
        assert!(task.items.len() <= 10);
    }
    let of = |plan: &CampaignPlan| report(plan, &oracle.judge(plan), "karat").results;
    let (one, other) = (of(&pooled), of(&apart));
    assert_eq!(one.all.union, other.all.union, "the same verified gold");
    for name in SOURCES {
        assert_eq!(source(&one, name).outcomes, source(&other, name).outcomes);
        assert_eq!(
            source(&one, name).rate.map(|one| one.value),
            source(&other, name).rate.map(|one| one.value)
        );
    }
}

#[test]
fn files_of_judgements_are_read_back() {
    let (Some(oracle), Some(_)) = (Oracle::read(), reference()) else { return };
    let plan = oracle.plan(&CampaignDesign::default());
    let file = JudgementFile { judgements: oracle.judge(&plan), plan, names: Vec::new() };
    let csv = JudgementFile::read(&Source::memory("j.csv", file.csv())).expect("CSV");
    assert_eq!(csv.csv(), file.csv());
    assert_eq!(csv.judgements, file.judgements);
    let lines = JudgementFile::read(&Source::memory("j.jsonl", file.jsonl())).expect("JSON lines");
    assert_eq!(lines, csv);
}

/// What is wrong with a file, and where.
#[track_caller]
fn refused(text: &str, message: &str, line: u64) {
    let problem = JudgementFile::read(&Source::memory("j.csv", text)).expect_err("bad");
    let told = problem.to_string();
    assert!(told.contains(message), "{told}");
    assert!(told.contains(&format!("j.csv:{line}")), "{told}");
}

#[test]
fn bad_files_are_located() {
    const HEAD: &str = "document,begin,end,link,sources,worker,action,kind,accepts\n";
    let row = |row: &str| format!("{HEAD}d1,0,5,Q1,a,w1,verify,,\n{row}\n");
    refused(&row("d1,0,5,Q1,a,w1,maybe,,"), "`maybe` is no action", 3);
    refused(&row("d1,x,5,Q1,a,w1,verify,,"), "`x` is no offset", 3);
    refused(&row("d1,7,5,Q1,a,w1,verify,,"), "ends at 5 and begins at 7", 3);
    refused(&row("d1,0,5,Q1,,w1,verify,,"), "nobody is named who proposed", 3);
    refused(&row("d1,0,5,Q1,,w1,verify,control,"), "which actions are right", 3);
    refused(&row("d1,0,5,Q1,a,w1,verify"), "7 cells under 9 headings", 3);
    refused("document,begin\nd1,0\n", "the column `end` is not there", 1);
    refused(&HEAD.replace("kind", "colour"), "there is no column `colour`", 1);
    let empty = JudgementFile::read(&Source::memory("j.csv", HEAD)).expect_err("empty");
    assert!(empty.to_string().contains("no judgements"), "{empty}");
}
