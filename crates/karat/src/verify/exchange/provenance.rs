//! Who said what, and what became of it, as PROV-JSON of the W3C: items and answers are entities, judging and deciding are
//! activities, people and rules are agents.

use super::records::CampaignRecords;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The vocabulary of what PROV has no word for.
const KARAT: &str = "urn:karat:";

/// A point in time as xsd:dateTime, in UTC.
fn time(ms: i64) -> String {
    let (days, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    // Days since 0000-03-01, so that the day that leap years add is the last of a year.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (seconds, ms) = (of_day / 1000, of_day % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// What is written so far: of each kind of record, its members.
#[derive(Default)]
struct Document(Map<String, Value>);

impl Document {
    fn add(&mut self, kind: &str, id: String, value: Value) {
        let of_kind = self.0.entry(kind).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(members) = of_kind {
            members.insert(id, value);
        }
    }

    /// A relation; it has no name of its own.
    fn relate(&mut self, kind: &str, value: Value) {
        let number = self.0.get(kind).and_then(Value::as_object).map_or(0, Map::len);
        self.add(kind, format!("_:{kind}{number}"), value);
    }
}

/// The provenance of a campaign.
pub fn provenance(records: &CampaignRecords) -> Value {
    let mut document = Document::default();
    document.0.insert("prefix".to_owned(), json!({ "k": KARAT }));
    let plan = &records.file.plan;
    let item_id = |at: usize| {
        let name = records.file.names.get(at).cloned().unwrap_or_else(|| at.to_string());
        format!("k:item/{name}")
    };
    for one in &plan.proposals {
        let source = format!("k:source/{}", one.source);
        let agent = json!({ "prov:type": { "$": "prov:SoftwareAgent", "type": "xsd:QName" }, "prov:label": one.source });
        document.add("agent", source.clone(), agent);
        let value = json!({ "prov:entity": item_id(one.item), "prov:agent": source });
        document.relate("wasAttributedTo", value);
    }
    for (at, item) in plan.items.iter().enumerate() {
        let value = json!({
            "k:document": plan.texts[item.text].document,
            "k:begin": item.begin,
            "k:end": item.end,
            "k:link": item.link.to_string(),
            "k:kind": item.kind.name(),
        });
        document.add("entity", item_id(at), value);
    }
    for (at, one) in records.file.judgements.iter().enumerate() {
        let (answer, judging) = (format!("k:judgement/{at}"), format!("k:judging/{at}"));
        let person = format!("k:person/{}", one.worker);
        let label = json!({ "prov:type": { "$": "prov:Person", "type": "xsd:QName" }, "prov:label": one.worker });
        document.add("agent", person.clone(), label);
        let mut value = json!({ "k:action": one.action, "k:counted": one.counted });
        if let Some(link) = &one.link {
            value["k:link"] = json!(link);
        }
        if let Some(reason) = one.reason {
            value["k:reason"] = json!(reason);
        }
        if !one.note.is_empty() {
            value["k:note"] = json!(one.note);
        }
        document.add("entity", answer.clone(), value);
        let ended = one.at.map_or(json!({}), |at| json!({ "prov:endTime": time(at) }));
        document.add("activity", judging.clone(), ended);
        document
            .relate("used", json!({ "prov:activity": judging, "prov:entity": item_id(one.item) }));
        let by = json!({ "prov:entity": answer, "prov:activity": judging });
        document.relate("wasGeneratedBy", by);
        let who = json!({ "prov:activity": judging, "prov:agent": person });
        document.relate("wasAssociatedWith", who);
    }
    decided(records, &item_id, &mut document);
    Value::Object(document.0)
}

fn decided(records: &CampaignRecords, item_id: &dyn Fn(usize) -> String, document: &mut Document) {
    let mut of_item: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, one) in records.file.judgements.iter().enumerate() {
        of_item.entry(one.item).or_default().push(at);
    }
    for one in &records.decisions {
        let (decision, deciding) =
            (format!("k:decision/{}", one.id), format!("k:deciding/{}", one.id));
        let kind = if one.who.starts_with("rule:") { "prov:SoftwareAgent" } else { "prov:Person" };
        let who = format!("k:adjudicator/{}", one.who);
        let label =
            json!({ "prov:type": { "$": kind, "type": "xsd:QName" }, "prov:label": one.who });
        document.add("agent", who.clone(), label);
        let mut value = json!({ "k:reason": one.reason });
        if let Some(action) = one.action {
            value["k:action"] = json!(action);
        }
        if let Some(link) = &one.link {
            value["k:link"] = json!(link);
        }
        if !one.note.is_empty() {
            value["k:note"] = json!(one.note);
        }
        document.add("entity", decision.clone(), value);
        document.add("activity", deciding.clone(), json!({ "prov:endTime": time(one.at) }));
        document
            .relate("used", json!({ "prov:activity": deciding, "prov:entity": item_id(one.item) }));
        for at in of_item.get(&one.item).into_iter().flatten() {
            let used =
                json!({ "prov:activity": deciding, "prov:entity": format!("k:judgement/{at}") });
            document.relate("used", used);
        }
        document.relate(
            "wasGeneratedBy",
            json!({ "prov:entity": decision, "prov:activity": deciding }),
        );
        document
            .relate("wasAssociatedWith", json!({ "prov:activity": deciding, "prov:agent": who }));
        if let Some(before) = one.supersedes {
            let value = json!({
                "prov:generatedEntity": decision,
                "prov:usedEntity": format!("k:decision/{before}"),
                "prov:type": { "$": "prov:Revision", "type": "xsd:QName" },
            });
            document.relate("wasDerivedFrom", value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(time(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(time(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(time(1_700_000_000_123), "2023-11-14T22:13:20.123Z");
        assert_eq!(time(-1), "1969-12-31T23:59:59.999Z");
    }
}
