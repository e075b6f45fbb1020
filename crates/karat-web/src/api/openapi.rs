//! The description of the API as OpenAPI 3.1, made of the list of operations.

use super::negotiation::medias;
use super::operation::{Gives, Operation, SchemaOf, Takes, schema_of};
use super::problem::{self, ProblemBody};
use super::{GROUPS, PREFIX};
use crate::access::Act;
use axum::http::Method;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use utoipa::openapi::{RefOr, Schema};

/// The document, made once.
pub(crate) static DOCUMENT: LazyLock<String> =
    LazyLock::new(|| serde_json::to_string_pretty(&document()).unwrap_or_default() + "\n");

/// What the parts of paths in braces are.
const PARAMETERS: &[(&str, &str)] = &[
    ("assignment", "the number of an assignment, which entering a campaign gave"),
    ("board", "the slug of a board, or `all`"),
    ("campaign", "the name of a campaign"),
    ("corpus", "the digest of the gold of a benchmark, or its name in addresses"),
    ("digest", "the SHA-256 of a file, in hexadecimal digits"),
    ("id", "the id"),
    ("item", "the number of an item"),
    ("key", "the key of an evaluation"),
    ("kind", "the name of a plot, with `.svg` behind it"),
    ("n", "the number of a document, from 1"),
    ("name", "the name"),
    ("revision", "which answers: 1 for the first, then one more each time"),
    ("run", "the id of a run"),
    ("runs", "the ids of two or more runs, with two dots between them"),
    ("slug", "the name in addresses"),
    ("token", "the token of a task, which leasing gave"),
    ("what", "`judgements.csv` or `judgements.jsonl`"),
    ("worker", "the number of a person in a campaign"),
];

/// What a parameter of a path is.
pub(crate) fn about_parameter(name: &str) -> &'static str {
    PARAMETERS.iter().find(|(known, _)| *known == name).map_or("", |(_, about)| about)
}

fn document() -> Value {
    let mut schemas = Schemas::default();
    schemas.reference(schema_of::<ProblemBody>);
    let mut paths: Map<String, Value> = Map::new();
    for (group, operations) in GROUPS {
        for operation in *operations {
            let described = described(group, operation, &mut schemas);
            let path = paths.entry(operation.path).or_insert_with(|| json!({}));
            path[operation.method.as_str().to_ascii_lowercase()] = described;
        }
    }
    let tags: Vec<Value> = GROUPS.iter().map(|(group, _)| json!({"name": group})).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "karat",
            "description": "Everything that the pages of karat do. Errors are `application/problem+json`.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": PREFIX}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas.written(),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of a person, or the key that `karat serve` has printed.",
                },
            },
        },
        "security": [{"token": []}],
    })
}

fn described(group: &str, operation: &Operation, schemas: &mut Schemas) -> Value {
    let in_path = operation.parameters().map(|name| {
        json!({"name": name, "in": "path", "required": true, "description": about_parameter(name),
            "schema": {"type": "string", "minLength": 1}})
    });
    let in_query = operation.query_keys();
    let in_query = in_query.iter().map(|key| {
        let schema = match key.name {
            "limit" => json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 100}),
            _ => json!({"type": "string"}),
        };
        json!({"name": key.name, "in": "query", "description": key.about, "schema": schema})
    });
    let mut parameters: Vec<Value> = in_path.chain(in_query).collect();
    parameters.extend(headers_of(operation));
    let mut described = json!({
        "operationId": operation.id,
        "summary": operation.about,
        "tags": [group],
        "parameters": parameters,
        "responses": responses(operation, schemas),
        "x-karat-act": act_word(operation.act),
    });
    if operation.is_open {
        described["security"] = json!([]);
    }
    match operation.takes {
        Takes::Nothing => {}
        Takes::Json(schema) => {
            let content = json!({"application/json": {"schema": schemas.reference(schema)}});
            described["requestBody"] = json!({"required": true, "content": content});
        }
        Takes::File => {
            let content = json!({"application/octet-stream": {"schema": {}}});
            described["requestBody"] = json!({"required": true, "content": content});
        }
    }
    described
}

/// What may or must stand in the headers of a request.
fn headers_of(operation: &Operation) -> Vec<Value> {
    let header = |name: &str, required: bool, about: &str| {
        json!({"name": name, "in": "header", "required": required, "description": about,
            "schema": {"type": "string"}})
    };
    let mut headers = Vec::new();
    if super::needs_version(operation) {
        let about = "the version that is meant: the `ETag` of the thing";
        headers.push(header("If-Match", true, about));
    }
    if operation.method == Method::POST {
        let about = "any text of your own; the same request with the same key is done once, and answered again for a day";
        headers.push(header("Idempotency-Key", false, about));
    }
    if matches!(operation.takes, Takes::File) {
        let about =
            "`sha-256=:...:`, as RFC 9530 describes it; a body with another digest is refused";
        headers.push(header("Content-Digest", false, about));
    }
    headers
}

fn responses(operation: &Operation, schemas: &mut Schemas) -> Value {
    let problem = schemas.reference(schema_of::<ProblemBody>);
    let mut json_of = |about: &str, schema: SchemaOf| {
        let schema = schemas.reference(schema);
        json!({"description": about, "content": {"application/json": {"schema": schema}}})
    };
    let (status, response) = match operation.gives {
        Gives::Json(schema) => ("200", json_of("as asked", schema)),
        Gives::Created(schema) => ("201", json_of("made; `Location` has its address", schema)),
        Gives::Accepted(schema) => ("202", json_of("begun; `Location` has its job", schema)),
        Gives::List(schema) => ("200", list_of(&schemas.reference(schema))),
        Gives::Answer => ("200", json!({"description": "the answer", "content": answers()})),
        Gives::Nothing => ("204", json!({"description": "done"})),
        Gives::Events => {
            let content = json!({"text/event-stream": {"schema": {"type": "string"}}});
            (
                "200",
                json!({"description": "events, until the server ends or there is nothing more to tell", "content": content}),
            )
        }
        Gives::Text(media) => {
            let content = json!({media: {"schema": {"type": "string"}}});
            ("200", json!({"description": "as asked", "content": content}))
        }
        Gives::Bytes => {
            let content = json!({"application/octet-stream": {"schema": {}}});
            ("200", json!({"description": "the file", "content": content}))
        }
    };
    let mut responses = Map::new();
    responses.insert(status.to_owned(), response);
    if operation.method == Method::GET && !matches!(operation.gives, Gives::Events) {
        let about = "the caller has it: `If-None-Match` names it";
        responses.insert("304".to_owned(), json!({"description": about}));
    }
    let content = json!({problem::MEDIA: {"schema": problem}});
    let refused = json!({"description": "why not", "content": content});
    responses.insert("default".to_owned(), refused);
    Value::Object(responses)
}

fn list_of(item: &Value) -> Value {
    let schema = json!({
        "type": "object",
        "required": ["items", "next"],
        "properties": {
            "items": {"type": "array", "items": item},
            "next": {"type": ["string", "null"], "description": "what to give as `after` for the next page"},
        },
    });
    let link = json!({"description": "the address of the next page", "schema": {"type": "string"}});
    json!({
        "description": "a page of the list",
        "headers": {"Link": link},
        "content": {"application/json": {"schema": schema}},
    })
}

/// The forms of an answer.
fn answers() -> Value {
    let mut content = Map::new();
    for media in medias() {
        let schema = match media {
            "application/json" => json!({"type": "object"}),
            _ => json!({"type": "string"}),
        };
        content.insert(media.to_owned(), json!({"schema": schema}));
    }
    Value::Object(content)
}

fn act_word(act: Act) -> &'static str {
    match act {
        Act::See => "see",
        Act::Judge => "judge",
        Act::Submit => "submit",
        Act::Organise => "organise",
        Act::Own => "own",
    }
}

/// The shapes of what is sent, by name.
#[derive(Default)]
struct Schemas(Vec<(String, RefOr<Schema>)>);

impl Schemas {
    fn reference(&mut self, schema: SchemaOf) -> Value {
        let name = schema(&mut self.0);
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    fn written(self) -> Value {
        let mut all = self.0;
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all.dedup_by(|one, other| one.0 == other.0);
        let written = |schema| serde_json::to_value(schema).unwrap_or_default();
        all.into_iter().map(|(name, schema)| (name, written(schema))).collect()
    }
}
