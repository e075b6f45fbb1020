//! Ding, Botzer and Weninger (2022), Posthoc Verification and the Fallibility of the Ground Truth. DADC at NAACL.
//!
//! The judgements are not public. What is are the logs of the authors, with every aggregate; they are put through the code that
//! reports campaigns, and compared with what the paper prints and with each other.

use super::{Attachment, Data, Paper, Row, Section, Verdict};
use crate::verify::outcome_shares;
use karat_formats::Problem;
use karat_model::Span;
use karat_report::plot::Plot;
use karat_stats::Bootstrap;
use karat_verify::chunking::{Chunking, chunk_of};
use karat_verify::plan::{CampaignPlan, CampaignText, ItemKind, Proposal, VerifyItem};
use karat_verify::results::{CampaignResults, DING_2022, Relations, results, single_outcomes};
use karat_verify::{ItemJudgement, LinkTarget, VerifyAction};
use serde_json::Value;

pub(super) static PAPER: Paper = Paper {
    name: "ding-2022",
    title: "Ding, Botzer and Weninger (2022): Posthoc Verification and the Fallibility of the Ground Truth",
    needs: "posthoc: published_results.json; chunking_reference.json for the chunks of AIDA",
    run,
};

const FILE: &str = "posthoc/published_results.json";

/// The datasets in the order of Table 1: as the logs call them, and as the paper does.
const DATASETS: [(&str, &str); 8] = [
    ("aida_train", "AIDA-train"),
    ("aida_testa", "AIDA-A"),
    ("aida_testb", "AIDA-B"),
    ("ace2004", "ACE2004"),
    ("aquaint", "AQUAINT"),
    ("clueweb", "CLUEWEB"),
    ("msnbc", "MSNBC"),
    ("wikipedia", "WIKIPEDIA"),
];

/// The sources: in the tables of the logs, in their figures, and in the paper.
const SOURCES: [(&str, &str); 3] = [("GT", "GT"), ("E2E", "end2end_neural_el"), ("REL", "rel")];

/// Intervals of random draws agree with those of other draws to this.
const DRAWN: f64 = 0.003;

fn run(data: &Data) -> Result<Vec<Section>, Problem> {
    let text = data.text(FILE)?;
    let logs: Value =
        serde_json::from_str(&text).map_err(|error| data.problem(FILE, error.to_string()))?;
    let logs = Logs { value: logs };
    let campaign = logs.campaign();
    let mut sections = vec![logs.table_1()];
    sections.extend(chunks(data)?);
    sections.extend([
        figure_4(&logs, &campaign),
        logs.figure_3_left(),
        logs.missing(),
        not_reproducible(),
    ]);
    Ok(sections)
}

/// What the authors logged.
struct Logs {
    value: Value,
}

impl Logs {
    fn count(&self, path: &[&str]) -> Option<u64> {
        self.at(path)?.as_u64()
    }

    fn number(&self, path: &[&str]) -> Option<f64> {
        self.at(path)?.as_f64()
    }

    fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.value, |value, key| value.get(key))
    }

    /// Annotations of a source on a dataset, cut into chunks or not.
    fn annotations(&self, dataset: &str, source: &str, cut: &str) -> u64 {
        self.count(&["table1", dataset, source, cut, "annotations"]).unwrap_or(0)
    }

    fn table_1(&self) -> Section {
        let mut rows = Vec::new();
        let mut sum = 0;
        for (dataset, name) in DATASETS {
            let printed = |at: usize| {
                let cell =
                    self.at(&["table1_paper", dataset]).and_then(|cells| cells.get(at)?.as_u64());
                cell.map(|cell| cell.to_string()).unwrap_or_default()
            };
            let logged = |source: &str, cut: &str, what: &str| {
                let count = self.count(&["table1", dataset, source, cut, what]);
                count.map(|count| count.to_string()).unwrap_or_default()
            };
            rows.push(Row::new(
                &[name, "", "documents"],
                &printed(0),
                logged("GT", "ori", "docs_txt"),
            ));
            for (at, (source, _)) in SOURCES.into_iter().enumerate() {
                sum += self.annotations(dataset, source, "ori");
                let mut cell = |column: usize, what: &str, found: String| {
                    let row = Row::new(&[name, source, what], &printed(column), found);
                    rows.push(match row.verdict {
                        Verdict::Differs => row.judged(Verdict::Slip).note(
                            "the log has one less, and the 167,432 annotations of the text are right only with it",
                        ),
                        _ => row,
                    });
                };
                cell(1 + at, "annotations", logged(source, "ori", "annotations"));
                cell(4 + at, "tasks", logged(source, "split", "docs_with_anno"));
                cell(7 + at, "verified annotations", logged(source, "split", "annotations"));
            }
        }
        rows.push(Row::new(&["all", "", "annotations"], "167432", sum.to_string()));
        Section::new(
            "Table 1",
            &["dataset", "source", "column"],
            rows,
            &[
                "*Tasks* are chunks with an annotation of the source, and *verified annotations* those left after \
               chunking: annotations that were shown, not those that people found right.",
            ],
        )
    }

    /// The triples of Figure 4 as a campaign: one document for each dataset, one judgement for each proposal.
    fn campaign(&self) -> CampaignResults {
        let mut plan = CampaignPlan::default();
        let mut judgements = Vec::new();
        for (text, (dataset, name)) in DATASETS.into_iter().enumerate() {
            let document = name.to_owned();
            let dataset_name = name.to_owned();
            plan.texts.push(CampaignText {
                document,
                dataset: dataset_name,
                begin: 0,
                end: u32::MAX,
                words: String::new(),
            });
            for (source, logged) in SOURCES {
                for (action, key) in
                    VerifyAction::JUDGEMENTS.into_iter().zip(["verify", "edit", "remove"])
                {
                    for _ in 0..self.count(&["figure4", logged, dataset, key]).unwrap_or(0) {
                        let item = plan.items.len();
                        // Where a mention stood is not in the logs: each has a place of its own.
                        plan.items.push(apart(text, item));
                        let source = source.to_owned();
                        plan.proposals.push(Proposal {
                            item,
                            source,
                            spelled: None,
                            confidence: None,
                        });
                        judgements.push(ItemJudgement::new(item, "logs", action));
                    }
                }
            }
        }
        results(
            &plan,
            &judgements,
            &[],
            None,
            &DING_2022,
            &Bootstrap { trials: 0, ..Bootstrap::default() },
        )
    }

    fn figure_3_left(&self) -> Section {
        let mut rows = Vec::new();
        for (dataset, name) in DATASETS {
            for (source, logged) in &SOURCES[1..] {
                let of = |key: &str| self.number(&["pre", logged, dataset, key]);
                let proposed = self.annotations(dataset, source, "split") as f64;
                let gold = self.annotations(dataset, "GT", "split") as f64;
                let Some(precision) = of("micro_precision") else { continue };
                // Precision and recall have the same hits, so the one gives the other.
                let hits = (precision * proposed).round();
                for (score, key, all) in
                    [("P", "micro_precision", proposed), ("R", "micro_recall", gold)]
                {
                    let printed = of(key).map(|value| format!("{value:.4}")).unwrap_or_default();
                    rows.push(Row::new(
                        &[name, source, score],
                        &printed,
                        format!("{:.4}", hits / all),
                    ));
                    let drawn = single_outcomes(hits, all, 1);
                    for (at, end) in ["low", "high"].into_iter().enumerate() {
                        let logged = of(&format!("{key}_{end}"));
                        rows.push(interval_row(
                            &[name, source, &format!("{score} {end}")],
                            logged,
                            drawn.map(|drawn| drawn[at]),
                            all,
                        ));
                    }
                }
            }
        }
        Section::new(
            "Figure 3, left: before verification",
            &["dataset", "source", "score"],
            rows,
            &[
                "The text says exact match; the code counts overlapping spans with the same entity. Error bars are \
               called 95% and are values 50 and 950 of 1000 draws of single annotations, which is 90%.",
            ],
        )
    }

    fn missing(&self) -> Section {
        let mut rows = Vec::new();
        let mut found: Vec<f64> = Vec::new();
        for (dataset, name) in DATASETS {
            let count = |letter: char| {
                self.count(&["figure5", dataset, "union_vs_GT", &format!("type_{letter}")])
                    .unwrap_or(0)
            };
            let relations = Relations { counts: ['a', 'b', 'c', 'd', 'e'].map(count) };
            let missing = relations.missing();
            found.extend(missing);
            let computed = missing.map(|share| format!("{share:.3}")).unwrap_or_default();
            rows.push(Row::new(&[name], "", computed).note(&format!(
                "{} of {}",
                relations.counts[4],
                relations.counts.iter().sum::<u64>()
            )));
        }
        let least = found.iter().copied().fold(f64::INFINITY, f64::min);
        let most = found.iter().copied().fold(0.0, f64::max);
        let computed = format!("{:.0}% to {:.0}%", 100.0 * least, 100.0 * most);
        let row = Row::new(&["all"], "10% to 70%", computed);
        rows.push(row.judged(Verdict::Agrees).note("the paper rounds to tens"));
        Section::new("Missing entities: what gold has nothing of", &["dataset"], rows, &[])
    }
}

/// An item that overlaps no other.
fn apart(text: usize, item: usize) -> VerifyItem {
    VerifyItem {
        text,
        begin: 2 * item as u32,
        end: 2 * item as u32 + 1,
        link: LinkTarget::Entity(String::new()),
        kind: ItemKind::Real,
        stratum: String::new(),
        probability: 1.0,
        weight: 1.0,
    }
}

fn interval_row(labels: &[&str], logged: Option<f64>, drawn: Option<f64>, all: f64) -> Row {
    let shown = |value: Option<f64>| value.map(|value| format!("{value:.4}")).unwrap_or_default();
    let row = Row::new(labels, &shown(logged), shown(drawn));
    // Shares of few annotations come in coarse steps: two other series of draws may end two annotations apart.
    let tolerance = DRAWN.max(2.0 / all + 1e-9);
    match (logged, drawn) {
        (Some(logged), Some(drawn))
            if row.verdict == Verdict::Differs && (logged - drawn).abs() <= tolerance =>
        {
            row.judged(Verdict::Agrees)
        }
        _ => row,
    }
}

fn figure_4(logs: &Logs, campaign: &CampaignResults) -> Section {
    let mut rows = Vec::new();
    for (dataset, name) in DATASETS {
        let group = campaign.datasets.iter().find(|group| group.dataset == name);
        for (source, logged) in SOURCES {
            let rate = logs.number(&["figure4", logged, dataset, "rate"]);
            let printed = rate.map(|rate| format!("{rate:.4}")).unwrap_or_default();
            let found =
                group.and_then(|group| group.sources.iter().find(|one| one.source == source));
            let rate = found.and_then(|found| found.rate).map(|rate| format!("{:.4}", rate.value));
            rows.push(Row::new(&[name, source, "rate"], &printed, rate.unwrap_or_default()));
        }
    }
    for source in &campaign.all.sources {
        let all: f64 = source.outcomes.iter().sum();
        for (share, what) in source.outcomes.iter().zip(["verify", "edit", "remove"]) {
            rows.push(Row::new(&["all", &source.source, what], "", format!("{:.4}", share / all)));
        }
    }
    let outcomes = |at: usize| campaign.all.sources.iter().map(|one| one.outcomes[at]).sum::<f64>();
    let judged: f64 = (0..3).map(outcomes).sum();
    rows.push(
        Row::new(&["all", "", "judged"], "", format!("{judged:.0}"))
            .note("in complete tasks of accepted workers"),
    );
    let mut section = Section::new(
        "Figure 4: what became of annotations",
        &["dataset", "source", "number"],
        rows,
        &[
            "E2E is verified more often than gold in 7 of 8 datasets, not in ACE2004; REL is verified less often than gold in all 8. \
           So one of the two systems beats the ground truth, not both.",
        ],
    );
    let plot = outcome_shares(campaign);
    section.files.push(Attachment::new("figure-4.svg".to_owned(), plot.svg()));
    section
}

/// The chunks of AIDA, by karat's own chunker. The texts are not public; the places of their sentences are.
fn chunks(data: &Data) -> Result<Option<Section>, Problem> {
    const REFERENCE: &str = "posthoc/chunking_reference.json";
    if !data.has(REFERENCE) {
        return Ok(None);
    }
    let text = data.text(REFERENCE)?;
    let file: Value =
        serde_json::from_str(&text).map_err(|error| data.problem(REFERENCE, error.to_string()))?;
    let spans = |flat: &Value| -> Vec<Span> {
        let numbers: Vec<u32> = flat
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|n| Some(n.as_u64()? as u32))
            .collect();
        numbers.chunks_exact(2).map(|pair| Span::new(pair[0], pair[1])).collect()
    };
    let (mut all, mut used, mut kept) = (0, 0, 0);
    for document in file["documents"]["aida_testb"].as_array().into_iter().flatten() {
        let chunks = Chunking::DING_2022.merged(&spans(&document[0]));
        let mut places: Vec<usize> =
            spans(&document[1]).into_iter().filter_map(|span| chunk_of(&chunks, span)).collect();
        kept += places.len();
        places.dedup();
        used += places.len();
        all += chunks.len();
    }
    let row = |what: &str, printed: &str, found: usize| {
        Row::new(&["AIDA-B", what], printed, found.to_string())
    };
    let rows = vec![
        row("chunks", "681", all),
        row("tasks of GT", "636", used),
        row("annotations of GT", "4480", kept),
    ];
    let remark = "Made anew from the sentences of the texts and the annotations of gold.";
    Ok(Some(Section::new("Chunks", &["dataset", "number"], rows, &[remark])))
}

fn not_reproducible() -> Section {
    let row = |what: &str, why: &str| Row::new(&[what], "", String::new()).note(why);
    let rows = vec![
        row(
            "Figure 3, right",
            "the log was made of a snapshot of 13 May 2021, with 28% to 43% of the annotations",
        ),
        row("agreement of people", "no log is public, and each annotation was judged once"),
        row("passed controls", "neither the rule nor the counts are public"),
        row("workers", "their number is not public"),
        row("judgements", "the tables of the authors' database are not public"),
    ];
    Section::new("What cannot be computed again", &["what"], rows, &[])
}
