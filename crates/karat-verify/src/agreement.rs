//! How far people agree on items.

use crate::outcome::counted;
use crate::plan::{CampaignPlan, VerifyItem};
use crate::{ItemJudgement, LinkTarget, VerifyAction};
use karat_stats::agreement::{
    AgreementCounts, COEFFICIENTS, Coefficient, RatedItem, cohen_kappa, specific_agreement,
};
use karat_stats::{Bootstrap, Sampling};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What people agree on or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgreementQuestion {
    /// Verify, modify or remove.
    Action,
    /// Whether there is an entity: keep or remove.
    Keep,
    /// Which entity, among those who keep one.
    Link,
}

impl AgreementQuestion {
    /// All of them.
    pub const ALL: [AgreementQuestion; 3] =
        [AgreementQuestion::Action, AgreementQuestion::Keep, AgreementQuestion::Link];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            AgreementQuestion::Action => "action",
            AgreementQuestion::Keep => "keep or remove",
            AgreementQuestion::Link => "link",
        }
    }
}

/// How far people agree on a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionAgreement {
    /// The question.
    pub question: AgreementQuestion,
    /// Items with two judgements or more.
    pub items: usize,
    /// All coefficients, in the order of their registry.
    pub coefficients: Vec<CoefficientRecord>,
    /// Of each answer: if one person gives it, how often another does. Left out for links, which are too many.
    pub specific: Vec<(String, Option<f64>)>,
}

/// One coefficient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoefficientRecord {
    /// Its name.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Its value; `None` where it is not defined.
    pub value: Option<f64>,
    /// The interval of 95 percent from drawing documents again.
    #[serde(default)]
    pub interval: Option<[f64; 2]>,
    /// The agreement that chance would give.
    #[serde(default)]
    pub expected: Option<f64>,
    /// Why it is not defined.
    #[serde(default)]
    pub undefined: Option<String>,
}

/// Cohen's kappa of two people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairAgreement {
    /// One person.
    pub first: String,
    /// The other.
    pub second: String,
    /// Items that both judged.
    pub items: usize,
    /// Kappa of their actions; `None` where it is not defined.
    pub kappa: Option<f64>,
}

/// With more answers than this, drawing documents again would take long and say little.
const MANY: usize = 64;

/// How far people agree, on items that a caller wants to look at.
pub fn agreement(
    plan: &CampaignPlan,
    judgements: &[ItemJudgement],
    wanted: impl Fn(usize, &VerifyItem) -> bool,
    bootstrap: &Bootstrap,
) -> Vec<QuestionAgreement> {
    let judged: Vec<&ItemJudgement> =
        counted(plan, judgements).filter(|one| wanted(one.item, &plan.items[one.item])).collect();
    let of = |question| question_agreement(plan, &judged, question, bootstrap);
    AgreementQuestion::ALL.into_iter().map(of).collect()
}

fn question_agreement(
    plan: &CampaignPlan,
    judged: &[&ItemJudgement],
    question: AgreementQuestion,
    bootstrap: &Bootstrap,
) -> QuestionAgreement {
    let (labels, answers) = answers(plan, judged, question);
    let categories = labels.len();
    let mut documents: BTreeMap<&str, Vec<RatedItem>> = BTreeMap::new();
    for (item, answers) in answers {
        let document = plan.texts[plan.items[item].text].document.as_str();
        documents.entry(document).or_default().push(RatedItem::of(&answers));
    }
    let all: Vec<RatedItem> = documents.values().flatten().cloned().collect();
    let sums = AgreementCounts::of(categories, &all);
    let intervals = if categories <= MANY {
        let rows: Vec<AgreementCounts> =
            documents.values().map(|items| AgreementCounts::of(categories, items)).collect();
        drawn(&rows, categories, bootstrap)
    } else {
        vec![None; COEFFICIENTS.len()]
    };
    let coefficients = COEFFICIENTS.iter().zip(intervals);
    let specific = match question {
        AgreementQuestion::Link => Vec::new(),
        _ => labels.into_iter().zip(specific_agreement(&sums)).collect(),
    };
    QuestionAgreement {
        question,
        items: sums.pairable_items() as usize,
        coefficients: coefficients.map(|(one, interval)| record(one, &sums, interval)).collect(),
        specific,
    }
}

fn record(
    coefficient: &Coefficient,
    sums: &AgreementCounts,
    interval: Option<[f64; 2]>,
) -> CoefficientRecord {
    let found = (coefficient.score)(sums);
    CoefficientRecord {
        name: coefficient.name.to_owned(),
        title: coefficient.title.to_owned(),
        value: found.as_ref().ok().map(|found| found.value),
        interval: interval.filter(|_| found.is_ok()),
        expected: found.as_ref().ok().and_then(|found| found.expected),
        undefined: found.err().map(|why| why.to_string()),
    }
}

/// The intervals of all coefficients.
fn drawn(
    rows: &[AgreementCounts],
    categories: usize,
    bootstrap: &Bootstrap,
) -> Vec<Option<[f64; 2]>> {
    let counts = AgreementCounts::rows(rows);
    let score = |coefficient: &'static Coefficient| {
        move |sums: &[f64]| {
            let found = (coefficient.score)(&AgreementCounts::from_sums(categories, sums));
            found.ok().map(|found| found.value)
        }
    };
    let interval = |coefficient: &&'static Coefficient| {
        let statistic = score(coefficient);
        let found = bootstrap.intervals(&counts, &Sampling::Documents, &[&statistic]);
        found.first().copied().flatten().map(|found| [found.low, found.high])
    };
    COEFFICIENTS.iter().map(interval).collect()
}

/// The possible answers of a question, and the numbers of those that were given on each item.
fn answers(
    plan: &CampaignPlan,
    judged: &[&ItemJudgement],
    question: AgreementQuestion,
) -> (Vec<String>, BTreeMap<usize, Vec<usize>>) {
    let mut given: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut links: BTreeMap<Option<&LinkTarget>, usize> = BTreeMap::new();
    for one in judged {
        let answer = match question {
            AgreementQuestion::Action => one.action.index(),
            AgreementQuestion::Keep => Some(usize::from(one.action == VerifyAction::Remove)),
            AgreementQuestion::Link => {
                let link = match one.action {
                    VerifyAction::Verify => Some(Some(&plan.items[one.item].link)),
                    // No better link was found: an answer of its own.
                    VerifyAction::Modify => Some(one.link.as_ref()),
                    VerifyAction::Remove | VerifyAction::Skip => None,
                };
                let next = links.len();
                link.map(|link| *links.entry(link).or_insert(next))
            }
        };
        if let Some(answer) = answer {
            given.entry(one.item).or_default().push(answer);
        }
    }
    let labels = match question {
        AgreementQuestion::Action => VerifyAction::JUDGEMENTS.map(|one| one.to_string()).to_vec(),
        AgreementQuestion::Keep => vec!["keep".to_owned(), "remove".to_owned()],
        AgreementQuestion::Link => vec![String::new(); links.len()],
    };
    (labels, given)
}

/// Cohen's kappa of all pairs of people with so many common items.
pub fn pairs(
    plan: &CampaignPlan,
    judgements: &[ItemJudgement],
    least: usize,
) -> Vec<PairAgreement> {
    let mut people: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
    for one in counted(plan, judgements) {
        if let Some(answer) = one.action.index() {
            people.entry(&one.worker).or_default().entry(one.item).or_insert(answer);
        }
    }
    let people: Vec<_> = people.into_iter().collect();
    let mut pairs = Vec::new();
    for (at, (first, mine)) in people.iter().enumerate() {
        for (second, theirs) in &people[at + 1..] {
            let mut table = vec![vec![0.0; 3]; 3];
            let mut items = 0;
            for (item, &answer) in mine {
                if let Some(&other) = theirs.get(item) {
                    table[answer][other] += 1.0;
                    items += 1;
                }
            }
            if items >= least.max(1) {
                let kappa = cohen_kappa(&table).ok().map(|found| found.agreement.value);
                let (first, second) = ((*first).to_owned(), (*second).to_owned());
                pairs.push(PairAgreement { first, second, items, kappa });
            }
        }
    }
    pairs
}
