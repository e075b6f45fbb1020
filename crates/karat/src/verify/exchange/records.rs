//! What is known of a campaign, for everything that is written of it.

use super::tables;
use super::{original_tables, provenance};
use crate::verify::JudgementFile;
use karat_report::{RenderOptions, Report};
use karat_verify::outcome::{CampaignOutcomes, ItemDecision, OutcomeRule, outcomes};
use karat_verify::{LinkTarget, VerifyAction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A campaign with everything that may be taken away. Ids of platforms are no part of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CampaignRecords {
    /// Its name.
    pub name: String,
    /// The source that is the gold standard.
    pub gold: Option<String>,
    /// The model of people behind outcomes.
    pub model: String,
    /// Items and judgements.
    pub file: JudgementFile,
    /// Decisions with their history, the oldest first.
    pub decisions: Vec<DecisionRecord>,
    /// Who judged.
    pub people: Vec<PersonRecord>,
}

/// A decision of an adjudicator or of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// Its number.
    pub id: i64,
    /// The item.
    pub item: usize,
    /// Who decided, or `rule:NAME`.
    pub who: String,
    /// What it is; nothing takes the last decision back.
    pub action: Option<VerifyAction>,
    /// The link, where it is another than the one that was asked about.
    pub link: Option<LinkTarget>,
    /// A code.
    pub reason: String,
    /// A note. It may be personal.
    pub note: String,
    /// The decision that it takes the place of.
    pub supersedes: Option<i64>,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// Somebody who judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonRecord {
    /// The pseudonym.
    pub pseudonym: String,
    /// The platform.
    pub platform: String,
    /// `active`, `paused` or `excluded`.
    pub state: String,
    /// The class of the device.
    pub device: String,
    /// The version of the consent that they agreed to.
    pub consent: Option<i64>,
}

/// What can be taken out of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignExport {
    /// A row for each judgement, with controls and surplus marked.
    Judgements,
    /// Items with votes, chances and outcomes.
    Items,
    /// People by pseudonym, with what controls and the model say of them.
    People,
    /// Decisions with their history.
    Decisions,
    /// Who said what and what became of it, as PROV-JSON.
    Provenance,
    /// The tables of Ding, Botzer and Weninger (2022).
    Original,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// What it is called.
    pub name: String,
    /// Its media type.
    pub media: &'static str,
    /// What is in it.
    pub text: String,
}

impl CampaignExport {
    /// All of them.
    pub const ALL: [CampaignExport; 6] = [
        CampaignExport::Judgements,
        CampaignExport::Items,
        CampaignExport::People,
        CampaignExport::Decisions,
        CampaignExport::Provenance,
        CampaignExport::Original,
    ];

    /// Its name in commands and addresses.
    pub fn name(self) -> &'static str {
        match self {
            CampaignExport::Judgements => "judgements",
            CampaignExport::Items => "items",
            CampaignExport::People => "people",
            CampaignExport::Decisions => "decisions",
            CampaignExport::Provenance => "provenance",
            CampaignExport::Original => "ding-2022",
        }
    }

    /// The forms that it has, the usual one first.
    pub fn forms(self) -> &'static [&'static str] {
        match self {
            CampaignExport::Judgements => &["csv", "jsonl"],
            CampaignExport::Items | CampaignExport::People | CampaignExport::Decisions => {
                &["csv", "jsonl", "tsv", "json"]
            }
            CampaignExport::Provenance => &["json"],
            CampaignExport::Original => &["csv"],
        }
    }

    /// By its name.
    pub fn of(name: &str) -> Option<CampaignExport> {
        CampaignExport::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The files, in one of its forms. `None` if it does not have this form.
    pub fn files(self, records: &CampaignRecords, form: &str) -> Option<Vec<ExportedFile>> {
        if !self.forms().contains(&form) {
            return None;
        }
        let one = |text: String| {
            let name = format!("{}.{form}", self.name());
            vec![ExportedFile { name, media: media(form), text }]
        };
        let table = |table| {
            let form = karat_report::form(form)?;
            Some(one(Report::of(table).render(form, &RenderOptions::default()).text))
        };
        match self {
            CampaignExport::Judgements if form == "jsonl" => Some(one(records.file.jsonl())),
            CampaignExport::Judgements => Some(one(records.file.csv())),
            CampaignExport::Items => table(tables::items(records)),
            CampaignExport::People => table(tables::people(records)),
            CampaignExport::Decisions => table(tables::decisions(records)),
            CampaignExport::Provenance => Some(one(format!("{:#}\n", provenance(records)))),
            CampaignExport::Original => {
                let tables = original_tables(&records.file).into_iter();
                let file = |(name, text): (&str, String)| ExportedFile {
                    name: name.to_owned(),
                    media: media("csv"),
                    text,
                };
                Some(tables.map(file).collect())
            }
        }
    }
}

fn media(form: &str) -> &'static str {
    match form {
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "tsv" => "text/tab-separated-values",
        _ => "text/csv",
    }
}

impl CampaignRecords {
    /// The same without free texts, which may be personal.
    #[must_use]
    pub fn without_notes(mut self) -> CampaignRecords {
        for one in &mut self.file.judgements {
            one.note.clear();
        }
        for one in &mut self.decisions {
            one.note.clear();
        }
        self
    }

    /// The decisions that hold: the last one of each item, without those that were taken back.
    pub fn held_decisions(&self) -> Vec<ItemDecision> {
        let mut last: BTreeMap<usize, &DecisionRecord> = BTreeMap::new();
        for one in &self.decisions {
            last.insert(one.item, one);
        }
        let held = |(&item, one): (&usize, &&DecisionRecord)| {
            Some(ItemDecision { item, action: one.action?, link: one.link.clone() })
        };
        last.iter().filter_map(held).collect()
    }

    /// What items turn out to be.
    pub fn outcomes(&self) -> CampaignOutcomes {
        let JudgementFile { plan, judgements, .. } = &self.file;
        outcomes(plan, judgements, &self.held_decisions(), OutcomeRule::Consensus, &self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Work;
    use karat_formats::Source;
    use karat_verify::{ItemJudgement, JudgementReason};

    /// The sample, judged by two people and a decision.
    fn records() -> CampaignRecords {
        let experiment = crate::sample::experiment().expect("the sample");
        let request = crate::verify::CampaignRequest { controls: 2, ..Default::default() };
        let built = request.build_of(&[experiment], Vec::new()).expect("a campaign");
        let names: Vec<String> = (0..built.plan.items.len()).map(|at| at.to_string()).collect();
        let mut judgements = Vec::new();
        for item in 0..built.plan.items.len() {
            for (person, worker) in ["ann", "ben"].into_iter().enumerate() {
                let action = VerifyAction::JUDGEMENTS[(item * (person + 1)) % 3];
                let named =
                    (action == VerifyAction::Modify).then(|| LinkTarget::from("Q9".to_owned()));
                judgements.push(ItemJudgement {
                    link: named,
                    reason: (item % 4 == 0).then_some(JudgementReason::TooGeneral),
                    confidence: (item % 5 == 0).then_some(2),
                    span: (item == 3).then_some((1, 4)),
                    note: if item == 2 { "a, \"b\"\nc".into() } else { String::new() },
                    active_ms: Some(1000 + item as u64),
                    total_ms: Some(2000),
                    changes: Some(1),
                    searches: None,
                    at: Some(1_700_000_000_000 + item as i64),
                    counted: item % 7 != 0,
                    ..ItemJudgement::new(item, worker, action)
                });
            }
        }
        let mut plan = built.plan;
        plan.items[1].stratum = "hard".into();
        plan.items[1].weight = 2.5;
        plan.items[1].probability = 0.125;
        let decision = |id, action, supersedes| DecisionRecord {
            id,
            item: 4,
            who: "local".into(),
            action,
            link: None,
            reason: "other".into(),
            note: "as she said".into(),
            supersedes,
            at: 1_700_000_000_000,
        };
        CampaignRecords {
            name: "spring".into(),
            gold: Some("gold".into()),
            model: "dawid-skene-crowd".into(),
            file: JudgementFile { plan, judgements, names },
            decisions: vec![
                decision(1, Some(VerifyAction::Remove), None),
                decision(2, Some(VerifyAction::Verify), Some(1)),
            ],
            people: ["ann", "cleo"]
                .map(|name| PersonRecord {
                    pseudonym: name.into(),
                    platform: "link".into(),
                    state: "active".into(),
                    device: "phone".into(),
                    consent: Some(1),
                })
                .into(),
        }
    }

    #[test]
    fn judgements_come_back_with_everything_that_a_table_has() {
        let records = records();
        for (name, text) in [("j.csv", records.file.csv()), ("j.jsonl", records.file.jsonl())] {
            let back = JudgementFile::read(&Source::memory(name, text.clone())).expect("read");
            assert_eq!(back.judgements.len(), records.file.judgements.len());
            // Items are numbered as they come; what belongs to them is the same.
            let said = |file: &JudgementFile| -> Vec<_> {
                let own = |one: &ItemJudgement| {
                    let item = file.plan.items[one.item].clone();
                    let same = ItemJudgement { item: 0, ..one.clone() };
                    (
                        file.names[one.item].clone(),
                        item.link,
                        item.weight,
                        item.probability,
                        item.stratum,
                        same,
                    )
                };
                file.judgements.iter().map(own).collect()
            };
            assert_eq!(said(&back), said(&records.file), "{name}");
            let links = |file: &JudgementFile| -> Vec<_> {
                file.plan.keys.iter().map(|key| (key.actions.clone(), key.links.clone())).collect()
            };
            assert_eq!(links(&back), links(&records.file));
            let written = if name == "j.csv" { back.csv() } else { back.jsonl() };
            assert_eq!(written, text, "and written again it is the same file");
        }
        let silent = records.without_notes();
        assert!(!silent.file.csv().contains("note") && !silent.file.jsonl().contains("\\\"b"));
        assert!(silent.decisions.iter().all(|one| one.note.is_empty()));
    }

    #[test]
    fn every_export_has_its_forms() {
        let records = records();
        for what in CampaignExport::ALL {
            assert_eq!(CampaignExport::of(what.name()), Some(what));
            assert!(what.files(&records, "xlsx").is_none());
            for form in what.forms() {
                let files = what.files(&records, form).expect("a form of it");
                assert!(!files.is_empty() && files.iter().all(|file| !file.text.is_empty()));
            }
        }
        let text = |what: CampaignExport, form| {
            let files = what.files(&records, form).expect("a form of it");
            files[0].text.clone()
        };
        let items = text(CampaignExport::Items, "csv");
        let rows: Vec<&str> = items.lines().collect();
        assert_eq!(rows.len(), records.file.plan.items.len() + 1);
        assert!(rows[0].starts_with("item,document,begin,end,words,link,kind"), "{}", rows[0]);
        assert!(rows[5].ends_with("verify,,decision"), "the last decision holds: {}", rows[5]);
        let people = text(CampaignExport::People, "csv");
        assert!(
            people.lines().any(|row| row.starts_with("cleo,link,active,phone,1,0,0,0")),
            "{people}"
        );
        let decisions = text(CampaignExport::Decisions, "jsonl");
        assert_eq!(decisions.lines().count(), 2);

        let provenance: serde_json::Value =
            serde_json::from_str(&text(CampaignExport::Provenance, "json")).expect("JSON");
        let named = |kind: &str, id: &str| provenance[kind].get(id).is_some();
        assert!(named("entity", "k:item/0") && named("agent", "k:person/ann"));
        assert!(named("activity", "k:judging/0") && named("entity", "k:decision/2"));
        // Whatever a relation names is there.
        for (relation, ends) in [
            ("used", [("prov:activity", "activity"), ("prov:entity", "entity")]),
            ("wasGeneratedBy", [("prov:entity", "entity"), ("prov:activity", "activity")]),
            ("wasAssociatedWith", [("prov:activity", "activity"), ("prov:agent", "agent")]),
            ("wasAttributedTo", [("prov:entity", "entity"), ("prov:agent", "agent")]),
        ] {
            let members = provenance[relation].as_object().expect("relations");
            for one in members.values() {
                for (end, kind) in ends {
                    assert!(named(kind, one[end].as_str().expect("an id")), "{relation}: {one}");
                }
            }
        }
    }

    #[test]
    fn an_export_of_items_can_be_judged_elsewhere() {
        let mut records = records();
        records.file.judgements.clear();
        let file = JudgementFile::read(&Source::memory("items.csv", records.file.csv()));
        let file = file.expect("items without judgements");
        assert_eq!(file.plan.items.len(), records.file.plan.items.len());
        let report = crate::verify::VerifyReportRequest { trials: 2, ..Default::default() };
        let answer = report.answer_of(&file, &[], &Work::default()).expect("a report");
        assert_eq!(answer.results.judgements, 0);
    }
}
