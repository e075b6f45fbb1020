//! The profile of a benchmark as the contract of `karat collection stats --format json` has it.

use super::profile::{Amount, Profile, Shares};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A profile in JSON: figures by name, and one object for each label of a property.
#[derive(Serialize, Deserialize)]
pub(super) struct ProfileRecord {
    name: String,
    figures: Map<String, Value>,
    shares: Vec<LabelRecord>,
    /// What the labels do not say: properties without any, and labels of which nothing is known.
    #[serde(default)]
    properties: Vec<PropertyRecord>,
}

#[derive(Serialize, Deserialize)]
struct LabelRecord {
    property: String,
    label: String,
    count: u64,
    of: u64,
    share: Option<f64>,
}

#[derive(Serialize, Deserialize)]
struct PropertyRecord {
    property: String,
    of: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    untold: Vec<String>,
}

impl From<Profile> for ProfileRecord {
    fn from(profile: Profile) -> ProfileRecord {
        let labels = |shares: &Shares| {
            let label = |(label, count): &(String, u64)| LabelRecord {
                property: shares.property.clone(),
                label: label.clone(),
                count: *count,
                of: shares.all,
                share: (shares.all > 0).then(|| *count as f64 / shares.all as f64),
            };
            shares.counts.iter().map(label).collect::<Vec<_>>()
        };
        ProfileRecord {
            name: profile.name,
            figures: profile.figures.into_iter().map(|(name, found)| (name, json(found))).collect(),
            shares: profile.shares.iter().flat_map(labels).collect(),
            properties: (profile.shares.into_iter())
                .map(|Shares { property, all, untold, .. }| PropertyRecord {
                    property,
                    of: all,
                    untold,
                })
                .collect(),
        }
    }
}

impl From<ProfileRecord> for Profile {
    fn from(record: ProfileRecord) -> Profile {
        let shares = |PropertyRecord { property, of, untold }: PropertyRecord| {
            let counts = record.shares.iter().filter(|label| label.property == property);
            let counts = counts.map(|label| (label.label.clone(), label.count)).collect();
            Shares { property, all: of, counts, untold }
        };
        Profile {
            name: record.name,
            figures: record
                .figures
                .iter()
                .map(|(name, found)| (name.clone(), amount(found)))
                .collect(),
            shares: record.properties.into_iter().map(shares).collect(),
        }
    }
}

fn json(amount: Option<Amount>) -> Value {
    match amount {
        Some(Amount::Count(count)) => count.into(),
        Some(Amount::Number(number)) => number.into(),
        None => Value::Null,
    }
}

fn amount(value: &Value) -> Option<Amount> {
    let count = value.as_u64().map(Amount::Count);
    count.or_else(|| value.as_f64().map(Amount::Number))
}
