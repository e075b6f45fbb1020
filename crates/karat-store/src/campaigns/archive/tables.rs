//! The tables of a campaign with their columns, in the order in which rows can be written.

use crate::sql::{Arg, Bulk, Cells};
use crate::{Result, StoreError};
use karat_verify::life::{AssignmentState, CampaignState};
use karat_verify::plan::{ItemKind, LeftOut, TaskPurpose};
use karat_verify::{CampaignSettings, JudgementReason, LinkTarget, VerifyAction};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What a column holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The id of the row.
    Id,
    /// The id of another row.
    Ref,
    /// The id of another row, if there is one.
    MaybeRef,
    /// The token of a lease.
    Token,
    /// The token of a lease, if there is one.
    MaybeToken,
    /// A whole number.
    Int,
    /// A whole number, if there is one.
    MaybeInt,
    /// A number.
    Real,
    /// A number, if there is one.
    MaybeReal,
    /// A text.
    Text,
    /// A text, if there is one.
    MaybeText,
    /// A note, which may be personal.
    Note,
    /// A text that something can be read from.
    Checked(fn(&str) -> bool),
    /// The same, if there is one.
    MaybeChecked(fn(&str) -> bool),
}

impl Kind {
    /// Whether a value of a file can stand in the column.
    pub(super) fn fits(self, value: &Value) -> bool {
        let text = |holds: fn(&str) -> bool| value.as_str().is_some_and(holds);
        match self {
            Kind::Id | Kind::Ref | Kind::Int => value.is_i64(),
            Kind::MaybeRef | Kind::MaybeInt => value.is_i64() || value.is_null(),
            Kind::Real => value.is_number(),
            Kind::MaybeReal => value.is_number() || value.is_null(),
            Kind::Text | Kind::Token | Kind::Note => value.is_string(),
            Kind::MaybeText | Kind::MaybeToken => value.is_string() || value.is_null(),
            Kind::Checked(holds) => text(holds),
            Kind::MaybeChecked(holds) => value.is_null() || text(holds),
        }
    }

    /// A value as an argument of a statement.
    pub(super) fn arg(self, value: &Value) -> Option<Arg<'_>> {
        match self {
            Kind::Id | Kind::Ref | Kind::Int => value.as_i64().map(|value| Arg::Int(Some(value))),
            Kind::MaybeRef | Kind::MaybeInt => Some(Arg::Int(value.as_i64())),
            Kind::Real => value.as_f64().map(|value| Arg::Real(Some(value))),
            Kind::MaybeReal => Some(Arg::Real(value.as_f64())),
            Kind::Text | Kind::Token | Kind::Note | Kind::Checked(_) => {
                value.as_str().map(|value| Arg::Text(Some(value)))
            }
            Kind::MaybeText | Kind::MaybeToken | Kind::MaybeChecked(_) => {
                Some(Arg::Text(value.as_str()))
            }
        }
    }

    fn is_real(self) -> bool {
        matches!(self, Kind::Real | Kind::MaybeReal)
    }

    fn is_int(self) -> bool {
        matches!(self, Kind::Id | Kind::Ref | Kind::MaybeRef | Kind::Int | Kind::MaybeInt)
    }
}

/// A table.
pub(super) struct Table {
    pub(super) name: &'static str,
    /// What its rows are found by, with the campaign as `$1`.
    found: &'static str,
    /// What they are ordered by.
    order: &'static str,
    pub(super) columns: &'static [(&'static str, Kind)],
}

impl Table {
    /// The place of a column.
    pub(super) fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|(name, _)| *name == column)
    }

    /// The statement that reads its rows. Whole numbers come as texts, so that all databases give the same.
    pub(super) fn select(&self) -> &'static str {
        static MADE: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
            let made = |table: &Table| {
                let column = |(name, kind): &(&str, Kind)| match (table.name, *name) {
                    // Nobody can come back to what they hold.
                    ("slot", "state") => {
                        "CASE state WHEN 'leased' THEN 'open' ELSE state END".to_owned()
                    }
                    ("slot", "worker") => {
                        "CASE state WHEN 'leased' THEN NULL ELSE CAST(worker AS TEXT) END"
                            .to_owned()
                    }
                    ("slot", "token") => {
                        "CASE state WHEN 'leased' THEN NULL ELSE token END".to_owned()
                    }
                    _ if kind.is_int() => format!("CAST({name} AS TEXT)"),
                    _ => (*name).to_owned(),
                };
                let columns: Vec<String> = table.columns.iter().map(column).collect();
                let Table { name, found, order, .. } = table;
                // A name alone would be that of a column of the answer, which is a text.
                let order: Vec<String> =
                    order.split(", ").map(|column| format!("{name}.{column}")).collect();
                let sql = format!(
                    "SELECT {} FROM {name} WHERE {found} ORDER BY {}",
                    columns.join(", "),
                    order.join(", ")
                );
                (*name, &*sql.leak())
            };
            TABLES.iter().map(made).collect()
        });
        MADE.get(self.name).copied().unwrap_or_default()
    }

    /// The statement that writes rows.
    pub(super) fn insert(&self) -> &'static Bulk {
        static MADE: Mutex<BTreeMap<&'static str, &'static Bulk>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(self.name).or_insert_with(|| {
            let columns: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
            let head = format!("INSERT INTO {} ({})", self.name, columns.join(", "));
            Box::leak(Box::new(Bulk::new(&head, columns.len(), "")))
        })
    }

    /// The values of a row that was read.
    pub(super) fn values(&self, cells: Cells, notes: bool) -> Result<Vec<Value>> {
        let value = |((_, kind), cell): (&(&str, Kind), crate::sql::Cell)| match cell {
            crate::sql::Cell::Text(None) | crate::sql::Cell::Real(None) => Ok(Value::Null),
            crate::sql::Cell::Real(Some(number)) if kind.is_real() => Ok(Value::from(number)),
            crate::sql::Cell::Text(Some(text)) if kind.is_int() => text
                .parse::<i64>()
                .map(Value::from)
                .map_err(|_| StoreError::Malformed("a column that is no number")),
            crate::sql::Cell::Text(Some(_)) if matches!(kind, Kind::Note) && !notes => {
                Ok(Value::from(""))
            }
            crate::sql::Cell::Text(Some(text)) if !kind.is_real() => Ok(Value::from(text)),
            _ => Err(StoreError::Malformed("a column of another type")),
        };
        self.columns.iter().zip(cells.0).map(value).collect()
    }
}

/// Whether a text is the JSON of a value.
fn is<T: DeserializeOwned>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_ok()
}

/// Whether a text is a word of a value.
fn is_word<T: DeserializeOwned>(text: &str) -> bool {
    serde_json::from_value::<T>(Value::from(text)).is_ok()
}

fn one_of(words: &[&str], text: &str) -> bool {
    words.contains(&text)
}

/// A value that is one of the words of a type.
const fn word<T: DeserializeOwned>() -> Kind {
    Kind::Checked(is_word::<T>)
}

const CAMPAIGN: &str = "campaign = $1";

pub(super) static TABLES: &[Table] = &[
    Table {
        name: "campaign",
        found: "id = $1",
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("name", Kind::Text),
            ("title", Kind::Text),
            ("kind", Kind::Text),
            ("state", word::<CampaignState>()),
            ("paused_in", Kind::MaybeChecked(is_word::<CampaignState>)),
            ("paused_why", Kind::MaybeText),
            ("settings", Kind::Checked(is::<CampaignSettings>)),
            ("seed", Kind::Int),
            ("base_digest", Kind::Text),
            ("kb_digest", Kind::Text),
            ("frozen", Kind::MaybeText),
            ("result", Kind::MaybeText),
            ("result_digest", Kind::MaybeText),
            ("left_out", Kind::Checked(is::<(Vec<LeftOut>, Vec<String>)>)),
            ("assignments", Kind::Int),
            ("created", Kind::Int),
            ("opened", Kind::MaybeInt),
            ("closed", Kind::MaybeInt),
            ("version", Kind::Int),
        ],
    },
    Table {
        name: "campaign_page",
        found: CAMPAIGN,
        order: "kind, version",
        columns: &[
            ("campaign", Kind::Ref),
            ("kind", Kind::Checked(|word| one_of(&["guidelines", "consent"], word))),
            ("version", Kind::Int),
            ("body", Kind::Text),
            ("digest", Kind::Text),
            ("made", Kind::Int),
        ],
    },
    Table {
        name: "campaign_text",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("n", Kind::Int),
            ("document", Kind::Text),
            ("dataset", Kind::Text),
            ("span_start", Kind::Int),
            ("span_end", Kind::Int),
            ("words", Kind::Text),
        ],
    },
    Table {
        name: "item",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("n", Kind::Int),
            ("text", Kind::Ref),
            ("span_start", Kind::Int),
            ("span_end", Kind::Int),
            ("link", Kind::Text),
            ("kind", word::<ItemKind>()),
            ("stratum", Kind::Text),
            ("probability", Kind::Real),
            ("weight", Kind::Real),
            ("outcome", Kind::MaybeText),
        ],
    },
    Table {
        name: "proposal",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("item", Kind::Ref),
            ("source", Kind::Text),
            ("spelled", Kind::MaybeText),
            ("confidence", Kind::MaybeReal),
        ],
    },
    Table {
        name: "item_key",
        found: CAMPAIGN,
        order: "item",
        columns: &[
            ("item", Kind::Ref),
            ("campaign", Kind::Ref),
            ("actions", Kind::Checked(is::<Vec<VerifyAction>>)),
            ("links", Kind::Checked(is::<Vec<LinkTarget>>)),
            ("explanation", Kind::Text),
            ("origin", Kind::Text),
            ("state", Kind::Checked(|word| one_of(&["proposed", "confirmed", "withdrawn"], word))),
        ],
    },
    Table {
        name: "task",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("n", Kind::Int),
            ("text", Kind::Ref),
            ("purpose", word::<TaskPurpose>()),
            ("priority", Kind::Int),
            ("shuffle", Kind::Int),
            ("source", Kind::MaybeText),
        ],
    },
    Table {
        name: "task_item",
        found: "task IN (SELECT id FROM task WHERE campaign = $1)",
        order: "task, place",
        columns: &[("task", Kind::Ref), ("place", Kind::Int), ("item", Kind::Ref)],
    },
    Table {
        name: "worker",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("platform", Kind::Text),
            ("pseudonym", Kind::Text),
            ("state", Kind::Checked(|word| one_of(&["active", "paused", "excluded"], word))),
            ("consent_version", Kind::MaybeInt),
            ("consented", Kind::MaybeInt),
            ("locale", Kind::Text),
            ("device", Kind::Text),
            ("settings", Kind::Checked(is::<Value>)),
            ("made", Kind::Int),
        ],
    },
    Table {
        name: "assignment",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("worker", Kind::Ref),
            ("n", Kind::Int),
            ("platform", Kind::Text),
            ("state", Kind::Text),
            ("body", Kind::Checked(is::<AssignmentState>)),
            ("plan", Kind::Checked(is::<super::super::AssignmentPlan>)),
            ("given", Kind::Int),
            ("started", Kind::Int),
            ("finished", Kind::MaybeInt),
        ],
    },
    Table {
        name: "slot",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("task", Kind::Ref),
            ("text", Kind::Ref),
            ("purpose", word::<TaskPurpose>()),
            ("place", Kind::Ref),
            ("state", Kind::Checked(|word| one_of(&["open", "done", "void"], word))),
            ("worker", Kind::MaybeRef),
            ("token", Kind::MaybeToken),
            ("priority", Kind::Int),
            ("shuffle", Kind::Int),
        ],
    },
    Table {
        name: "lease",
        found: "slot IN (SELECT id FROM slot WHERE campaign = $1)",
        order: "slot, worker, given, n",
        columns: &[
            ("token", Kind::Token),
            ("slot", Kind::Ref),
            ("worker", Kind::Ref),
            ("assignment", Kind::Ref),
            ("n", Kind::Int),
            ("purpose", word::<TaskPurpose>()),
            ("given", Kind::Int),
            ("submitted", Kind::MaybeInt),
        ],
    },
    Table {
        name: "exposure",
        found: "slot IN (SELECT id FROM slot WHERE campaign = $1)",
        order: "worker, item",
        columns: &[
            ("worker", Kind::Ref),
            ("item", Kind::Ref),
            ("slot", Kind::Ref),
            ("text", Kind::Ref),
            ("shown", Kind::Int),
        ],
    },
    Table {
        name: "judgement",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("slot", Kind::Ref),
            ("token", Kind::Token),
            ("item", Kind::Ref),
            ("worker", Kind::Ref),
            ("revision", Kind::Int),
            ("action", word::<VerifyAction>()),
            ("link", Kind::MaybeText),
            ("reason", Kind::MaybeChecked(is_word::<JudgementReason>)),
            ("confidence", Kind::MaybeInt),
            ("span_start", Kind::MaybeInt),
            ("span_end", Kind::MaybeInt),
            ("comment", Kind::Note),
            ("active_ms", Kind::MaybeInt),
            ("total_ms", Kind::MaybeInt),
            ("changes", Kind::MaybeInt),
            ("searches", Kind::MaybeInt),
            ("counted", Kind::Int),
            ("at", Kind::Int),
        ],
    },
    Table {
        name: "flag",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("worker", Kind::Ref),
            ("slot", Kind::Ref),
            ("text", Kind::Ref),
            ("kind", Kind::Text),
            ("span_start", Kind::MaybeInt),
            ("span_end", Kind::MaybeInt),
            ("link", Kind::MaybeText),
            ("comment", Kind::Note),
            ("at", Kind::Int),
        ],
    },
    Table {
        name: "decision",
        found: CAMPAIGN,
        order: "id",
        columns: &[
            ("id", Kind::Id),
            ("campaign", Kind::Ref),
            ("item", Kind::Ref),
            ("who", Kind::Text),
            ("action", Kind::MaybeChecked(is_word::<VerifyAction>)),
            ("link", Kind::MaybeText),
            ("reason", Kind::Text),
            ("note", Kind::Note),
            ("supersedes", Kind::MaybeRef),
            ("at", Kind::Int),
        ],
    },
];
