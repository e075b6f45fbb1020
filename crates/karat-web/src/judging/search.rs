//! Entities by name, and what entities are called.

use super::arriving::{Parameters, arrive};
use super::form::entity_id;
use super::frame::json;
use crate::access::Visitor;
use crate::server::Shared;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use karat::campaigns::LinkTarget;
use karat::knowledge::{KnowledgeQuestion, KnowledgeRequest};
use karat::request::Request;
use karat::work::Work;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many entities are offered: nine have a key.
const OFFERED: usize = 9;

/// No search is longer, in characters.
const LONGEST: usize = 200;

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Found {
    /// The entities, the likeliest first.
    pub(crate) entities: Vec<FoundEntity>,
    /// Why there are none.
    pub(crate) why: Option<String>,
}

/// An entity that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FoundEntity {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
}

/// What entities are called.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words(BTreeMap<String, (String, String)>);

impl Words {
    pub(crate) fn name(&self, link: &LinkTarget) -> Option<&str> {
        let LinkTarget::Entity(id) = link else { return None };
        self.0.get(id).map(|(name, _)| name.as_str()).filter(|name| !name.is_empty())
    }

    pub(crate) fn description(&self, link: &LinkTarget) -> Option<&str> {
        let LinkTarget::Entity(id) = link else { return None };
        self.0.get(id).map(|(_, about)| about.as_str()).filter(|about| !about.is_empty())
    }
}

/// `GET /judge/{campaign}/search?q=`, for the script.
pub(super) async fn search(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
    Query(mut given): Query<Parameters>,
    headers: HeaderMap,
) -> Response {
    let asked = given.iter().position(|(name, _)| name == "q");
    let asked = asked.map(|at| given.remove(at).1).unwrap_or_default();
    let seat = arrive(&shared, &visitor, &headers, &campaign, &given).await;
    if let Err(trouble) = seat {
        return (trouble.status, trouble.why).into_response();
    }
    let kb = shared.workbench.kb().map(str::to_owned);
    let found = tokio::task::spawn_blocking(move || found(kb.as_deref(), &asked)).await;
    json(StatusCode::OK, &found.unwrap_or_default())
}

/// What a knowledge base has under a name, an id or an address.
pub(crate) fn found(kb: Option<&str>, asked: &str) -> Found {
    let text: String = asked.chars().take(LONGEST).collect();
    let text = text.trim();
    let said = |why: &str| Found { why: Some(why.to_owned()), ..Found::default() };
    let Some(kb) = kb else {
        return said(
            "There is no knowledge base to search in: type the id, or paste the address of a page.",
        );
    };
    if text.is_empty() {
        return Found::default();
    }
    let id = entity_id(text);
    let mut entities = known(kb, vec![id]);
    for one in named(kb, text) {
        if !entities.iter().any(|known| known.id == one.id) {
            entities.push(one);
        }
    }
    entities.truncate(OFFERED);
    match entities.is_empty() {
        true => said("No name fits. Try fewer letters, or paste the address of its page."),
        false => Found { entities, why: None },
    }
}

/// What the entities of a task are called.
pub(crate) fn words(kb: Option<&str>, links: &[LinkTarget]) -> Words {
    let Some(kb) = kb else { return Words::default() };
    let ids: Vec<String> =
        links.iter().filter(|it| **it != LinkTarget::Nil).map(ToString::to_string).collect();
    if ids.is_empty() {
        return Words::default();
    }
    Words(known(kb, ids).into_iter().map(|one| (one.id, (one.name, one.description))).collect())
}

/// What a knowledge base answers, row by row. A base that cannot be read has no rows: whoever judges goes on without it.
fn rows(kb: &str, question: KnowledgeQuestion) -> Vec<Map<String, Value>> {
    let request = KnowledgeRequest { kb: kb.to_owned(), question };
    request.answer(&Work::default()).map(|answer| answer.table.rows).unwrap_or_default()
}

fn cell(row: &Map<String, Value>, column: &str) -> String {
    row.get(column).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The entities that have such names, the likeliest first.
fn named(kb: &str, text: &str) -> Vec<FoundEntity> {
    let question = KnowledgeQuestion::Search { text: text.to_owned(), number: OFFERED };
    let entity = |row: &Map<String, Value>| FoundEntity {
        id: cell(row, "id"),
        name: cell(row, "name"),
        description: cell(row, "description"),
    };
    rows(kb, question).iter().map(entity).collect()
}

/// The entities with these ids that a base knows. Its answer has a row for each fact.
fn known(kb: &str, ids: Vec<String>) -> Vec<FoundEntity> {
    let mut found: Vec<FoundEntity> = Vec::new();
    for row in rows(kb, KnowledgeQuestion::Entities { ids, spellings: false }) {
        let (id, what, value) = (cell(&row, "id"), cell(&row, "what"), cell(&row, "value"));
        if found.last().is_none_or(|last| last.id != id) {
            found.push(FoundEntity { id, name: String::new(), description: String::new() });
        }
        let Some(last) = found.last_mut() else { continue };
        match what.as_str() {
            "name" => last.name = value,
            "description" => last.description = value,
            _ => {}
        }
    }
    found.retain(|one| !one.name.is_empty());
    found
}
