//! A whole campaign with an oracle instead of people, on the fine-grained corpora: every number of an independent run.
//!
//! Gold is what is strict among the annotations of the corpora; the oracle verifies a link that is among the alternatives of its
//! span, gives the first of them where the link is another, and removes what is no mention.

use crate::data;
use karat::campaigns::chunking::{Chunking, SentenceSplitter};
use karat::campaigns::plan::{CampaignDesign, CampaignPlan, PlanDocument, PlanProposal};
use karat::campaigns::results::{CampaignResults, SourceResults};
use karat::campaigns::{ItemJudgement, LinkTarget, VerifyAction};
use karat::formats::{Input, ReadOptions, Source};
use karat::model::{Corpus, MarkKind, Span};
use karat::request::{Answer, Request};
use karat::verify::{JudgementFile, VerifyReportAnswer, VerifyReportRequest};
use karat::work::Work;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The alternatives of each span that have links, with whether each is strict.
type Gold = Vec<BTreeMap<Span, Vec<(LinkTarget, bool)>>>;

fn corpus(folder: &Path, files: [&str; 3]) -> Corpus {
    let input: Input = files.iter().map(|file| Source::file(folder.join(file))).collect();
    karat::registry().read(&input, None, &ReadOptions::default()).expect("a corpus").corpus
}

/// A proper name, a noun, direct, within no other name.
fn is_strict<'t>(tags: impl Iterator<Item = &'t str> + Clone) -> bool {
    let all = |dimension: &str, accepted: &[&str]| {
        let mut of = tags
            .clone()
            .filter_map(|tag| tag.strip_prefix("el:")?.strip_prefix(dimension))
            .peekable();
        of.peek().is_some() && of.all(|tag| accepted.contains(&tag))
    };
    all("Mnt-", &["Full", "Short", "Extended", "Alias"])
        && all("PoS-", &["NounSingular", "NounPlural"])
        && all("Olp-", &["None", "Maximal"])
        && all("Ref-", &["Direct"])
}

fn gold(corpus: &Corpus) -> Gold {
    let mut gold = Vec::new();
    for document in corpus.documents() {
        let mut spans: BTreeMap<Span, Vec<(LinkTarget, bool)>> = BTreeMap::new();
        for mention in document.mentions() {
            if let Some(entity) = mention.entity() {
                let link = LinkTarget::Entity(entity.to_owned());
                spans.entry(mention.span()).or_default().push((link, is_strict(mention.tags())));
            }
        }
        gold.push(spans);
    }
    gold
}

struct Oracle {
    documents: Vec<PlanDocument>,
    proposals: Vec<PlanProposal>,
    gold: Gold,
}

impl Oracle {
    fn read() -> Option<Oracle> {
        let folder = data::folder("finegrained")?;
        let corpora = corpus(
            &folder,
            [
                "gold/categorizedACE04.ttl",
                "gold/categorizedKORE50.ttl",
                "gold/categorizedVoxEL.ttl",
            ],
        );
        let gold = gold(&corpora);
        let mut proposals = Vec::new();
        let mut propose = |document: usize, source: &str, span: Span, link: LinkTarget| {
            let source = source.to_owned();
            proposals.push(PlanProposal {
                document,
                source,
                span,
                link,
                spelled: None,
                confidence: None,
                stratum: String::new(),
            });
        };
        for (document, spans) in gold.iter().enumerate() {
            for (span, links) in spans {
                if let Some((link, _)) = links.iter().find(|(_, strict)| *strict) {
                    propose(document, "GT", *span, link.clone());
                }
            }
        }
        for (name, file) in [("AIDA", "AIDA"), ("Spotlight", "DBpediaSpotlight")] {
            let files = ["ACE", "KORE50", "VoxEL"].map(|set| format!("systems/{file}_{set}.ttl"));
            let system = corpus(&folder, [&files[0], &files[1], &files[2]]);
            for (at, document) in corpora.documents().enumerate() {
                for mention in
                    system.document(document.name()).expect("the same documents").mentions()
                {
                    let entity = mention.entity().expect("systems link everything");
                    propose(at, name, mention.span(), LinkTarget::Entity(entity.to_owned()));
                }
            }
        }
        let document = |document: karat::model::Document<'_>| PlanDocument {
            name: document.name().to_owned(),
            dataset: String::new(),
            text: document.text().expect("texts").to_owned(),
            sentences: Some(document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect()),
        };
        let documents = corpora.documents().map(document).collect();
        Some(Oracle { documents, proposals, gold })
    }

    fn plan(&self, design: &CampaignDesign) -> CampaignPlan {
        // The reference run merged the sentences of the corpora and wrapped none.
        let chunking = Chunking { wrap: None, ..Chunking::DING_2022 };
        let design = CampaignDesign { chunking, ..design.clone() };
        design.plan(&self.documents, &self.proposals, &SentenceSplitter::own())
    }

    fn judge(&self, plan: &CampaignPlan) -> Vec<ItemJudgement> {
        let place: BTreeMap<&str, usize> =
            self.documents.iter().enumerate().map(|(at, one)| (one.name.as_str(), at)).collect();
        let judge = |(at, item): (usize, &karat::campaigns::plan::VerifyItem)| {
            let document = place[plan.texts[item.text].document.as_str()];
            let judged = |action| ItemJudgement::new(at, "oracle", action);
            match self.gold[document].get(&item.span()) {
                None => judged(VerifyAction::Remove),
                Some(links) if links.iter().any(|(link, _)| *link == item.link) => {
                    judged(VerifyAction::Verify)
                }
                Some(links) => {
                    ItemJudgement { link: Some(links[0].0.clone()), ..judged(VerifyAction::Modify) }
                }
            }
        };
        plan.items.iter().enumerate().map(judge).collect()
    }
}

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

fn source<'r>(results: &'r CampaignResults, name: &str) -> &'r SourceResults {
    results.all.sources.iter().find(|one| one.source == name).expect("a source")
}

#[track_caller]
fn near(found: f64, expected: &Value) {
    let expected = expected.as_f64().expect("a number");
    assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
}

fn reference() -> Option<Value> {
    let path = data::folder("posthoc")?.join("sim_golden.json");
    Some(serde_json::from_str(&std::fs::read_to_string(path).expect("readable")).expect("JSON"))
}

const SOURCES: [&str; 3] = ["GT", "AIDA", "Spotlight"];

#[test]
fn every_number_of_the_oracle_run() {
    let (Some(oracle), Some(golden)) = (Oracle::read(), reference()) else { return };
    let design = CampaignDesign::ding_2022();
    let plan = oracle.plan(&design);
    let count =
        |number: usize, expected: &Value| assert_eq!(Some(number as u64), expected.as_u64());
    count(oracle.documents.len(), &golden["docs"]);
    count(plan.texts.len(), &golden["chunks"]);
    for name in SOURCES {
        let tasks = plan.tasks.iter().filter(|task| task.source.as_deref() == Some(name)).count();
        count(tasks, &golden["tasks"][name]);
        count(
            oracle.proposals.iter().filter(|one| one.source == name).count(),
            &golden["pre_annotations"][name],
        );
        count(
            plan.proposals.iter().filter(|one| one.source == name).count(),
            &golden["shown"][name],
        );
    }
    count(design.assignment.assignments_for(plan.tasks.len()), &golden["hits_of_19_plus_control"]);

    let judgements = oracle.judge(&plan);
    let paper = report(&plan, &judgements, "ding-2022");
    near(paper.results.all.union, &golden["paper_mode"]["union_distinct"]);
    near(
        paper.results.all.union_without_overlaps,
        &golden["paper_mode"]["union_greedy_nonoverlap"],
    );
    for name in SOURCES {
        let found = source(&paper.results, name);
        for (outcome, action) in found.outcomes.iter().zip(["verify", "modify", "remove"]) {
            let expected =
                golden["decisions"][name].get(action).cloned().unwrap_or_else(|| 0.into());
            near(*outcome, &expected);
        }
        near(found.rate.expect("a rate").value, &golden["verification_rate"][name]);
        let expected = &golden["paper_mode"][name];
        near(found.precision.expect("precision").value, &expected["P"]);
        near(found.recall.expect("recall").value, &expected["R_distinct"]);
        near(found.recall_without_overlaps.expect("recall").value, &expected["R_greedy"]);
    }
    for before in &paper.before {
        let expected = &golden["pre_annotation"][&before.source];
        near(before.strong_precision.expect("P"), &expected["strong"][0]);
        near(before.strong_recall.expect("R"), &expected["strong"][1]);
        near(before.weak_precision.expect("P"), &expected["weak"][0]);
        near(before.weak_recall.expect("R"), &expected["weak"][1]);
    }
    assert_eq!(paper.before.len(), 2);

    let code = report(&plan, &judgements, "ding-2022-code").results;
    near(code.all.union, &golden["code_mode"]["union_distinct"]);
    near(code.all.union_without_overlaps, &golden["code_mode"]["union_greedy_nonoverlap"]);
    for name in SOURCES {
        let (found, expected) = (source(&code, name), &golden["code_mode"][name]);
        near(found.hits, &expected["TP_weak"]);
        near(found.exact_hits, &expected["TP_strong"]);
        near(found.precision.expect("P").value, &expected["P_weak"]);
        near(found.recall.expect("R").value, &expected["R_weak"]);
        near(found.exact_hits / found.proposals, &expected["P_strong"]);
        near(found.exact_hits / code.all.union_without_overlaps, &expected["R_strong"]);
    }
    let relations = code.all.union_to_gold.expect("gold").counts;
    for (count, letter) in relations.into_iter().zip(["a", "b", "c", "d", "e"]) {
        near(count as f64, &golden["five_types"]["union_vs_GT"][letter]);
    }
    near(
        code.all.gold_to_union.expect("gold").counts[0] as f64,
        &golden["five_types"]["GT_vs_union"]["a"],
    );
    near(code.all.missing.expect("gold").value, &golden["missing_fraction"]);
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
