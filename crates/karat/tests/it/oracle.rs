//! An oracle instead of people, on the fine-grained corpora, and every number of an independent run: shared by the run in
//! process and the run over HTTP.
//!
//! Gold is what is strict among the annotations of the corpora; the oracle verifies a link that is among the alternatives of its
//! span, gives the first of them where the link is another, and removes what is no mention.

use crate::data;
use karat::campaigns::chunking::{Chunking, SentenceSplitter};
use karat::campaigns::plan::{
    CampaignDesign, CampaignPlan, PlanDocument, PlanProposal, VerifyItem,
};
use karat::campaigns::results::{CampaignResults, SourceResults};
use karat::campaigns::{ItemJudgement, LinkTarget, VerifyAction};
use karat::formats::{Input, ReadOptions, Source};
use karat::model::{Corpus, MarkKind, Span};
use karat::verify::VerifyReportAnswer;
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

pub(crate) struct Oracle {
    pub(crate) documents: Vec<PlanDocument>,
    pub(crate) proposals: Vec<PlanProposal>,
    gold: Gold,
}

impl Oracle {
    pub(crate) fn read() -> Option<Oracle> {
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

    pub(crate) fn plan(&self, design: &CampaignDesign) -> CampaignPlan {
        // The reference run merged the sentences of the corpora and wrapped none.
        let chunking = Chunking { wrap: None, ..Chunking::DING_2022 };
        let design = CampaignDesign { chunking, ..design.clone() };
        design.plan(&self.documents, &self.proposals, &SentenceSplitter::own())
    }

    /// What the oracle says of one item.
    pub(crate) fn answer(
        &self,
        plan: &CampaignPlan,
        item: &VerifyItem,
    ) -> (VerifyAction, Option<LinkTarget>) {
        let name = &plan.texts[item.text].document;
        let document = self.documents.iter().position(|one| one.name == *name).expect("a document");
        match self.gold[document].get(&item.span()) {
            None => (VerifyAction::Remove, None),
            Some(links) if links.iter().any(|(link, _)| *link == item.link) => {
                (VerifyAction::Verify, None)
            }
            Some(links) => (VerifyAction::Modify, Some(links[0].0.clone())),
        }
    }

    pub(crate) fn judge(&self, plan: &CampaignPlan) -> Vec<ItemJudgement> {
        let judge = |(at, item): (usize, &VerifyItem)| {
            let (action, link) = self.answer(plan, item);
            ItemJudgement { link, ..ItemJudgement::new(at, "oracle", action) }
        };
        plan.items.iter().enumerate().map(judge).collect()
    }
}

pub(crate) fn source<'r>(results: &'r CampaignResults, name: &str) -> &'r SourceResults {
    results.all.sources.iter().find(|one| one.source == name).expect("a source")
}

#[track_caller]
pub(crate) fn near(found: f64, expected: &Value) {
    let expected = expected.as_f64().expect("a number");
    assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
}

pub(crate) fn reference() -> Option<Value> {
    let path = data::folder("posthoc")?.join("sim_golden.json");
    Some(serde_json::from_str(&std::fs::read_to_string(path).expect("readable")).expect("JSON"))
}

pub(crate) const SOURCES: [&str; 3] = ["GT", "AIDA", "Spotlight"];

/// Whether a plan has the numbers of the reference.
pub(crate) fn check_plan(
    oracle: &Oracle,
    design: &CampaignDesign,
    plan: &CampaignPlan,
    golden: &Value,
) {
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
}

/// Whether results have all numbers of the reference. `report` gives those of a preset.
pub(crate) fn check_results(golden: &Value, report: impl Fn(&str) -> VerifyReportAnswer) {
    let paper = report("ding-2022");
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

    let code = report("ding-2022-code").results;
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
