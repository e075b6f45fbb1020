//! Requests as they are sent by others, without a socket.

use super::*;
use crate::registry::{LinkerContext, built_in};
use karat_kb::Builder;
use std::sync::Arc;

fn annotator(name: &str) -> Annotator {
    let mut base = Builder::in_memory();
    base.mention("Bern", "Q70", Some(9)).unwrap();
    let base = Some(Arc::new(base.finish().unwrap()));
    Annotator::new(
        built_in(name, &LinkerContext { base, ..LinkerContext::default() }).unwrap().unwrap(),
    )
}

fn post(path: &str, body: &str) -> ServedReply {
    let (method, path, body) = ("POST".to_owned(), path.to_owned(), body.to_owned());
    annotator("prior").answer(&ServedRequest { method, path, body, ..ServedRequest::default() })
}

#[test]
fn every_shape_answers_where_the_mention_is_in_its_own_unit() {
    let reply = post("/annotate", "text=%F0%9F%98%80+Bern&confidence=0.5");
    let value: serde_json::Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(value["Resources"][0]["@offset"], "3");
    assert_eq!(value["Resources"][0]["@URI"], "http://www.wikidata.org/entity/Q70");
    let nothing = post("/rest/annotate/", "text=none");
    assert!(nothing.body.contains("\"Resources\":[]"), "{}", nothing.body);
    let reply = post("/", r#"{"text":"😀 Bern","spans":[]}"#);
    assert!(reply.body.starts_with("[[2,4,\"Bern\","), "{}", reply.body);
    let reply = post("/ne/", r#"{"text":"In Bern","spans":[{"start":3,"length":4}]}"#);
    assert!(reply.body.starts_with("[[3,4,\"Bern\","), "{}", reply.body);
    let reply =
        post("/disambiguate", r#"{"text":"😀 Bern","entities":[{"offsetStart":3,"offsetEnd":7}]}"#);
    assert!(reply.body.contains("\"wikidataId\":\"Q70\""), "{}", reply.body);
    let reply = post("/link", r#"{"id":"d1","text":"😀 Bern"}"#);
    assert!(
        reply.body.starts_with(
            r#"{"id":"d1","mentions":[{"start":2,"end":6,"surface":"Bern","id":"Q70""#
        ),
        "{}",
        reply.body
    );
}

#[test]
fn a_form_in_parts_is_read() {
    let body = "--b\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\n{\"text\":\"Bern\"}\r\n--b--\r\n";
    let request = ServedRequest {
        method: "POST".to_owned(),
        path: "/service/disambiguate".to_owned(),
        content_type: "multipart/form-data; boundary=b".to_owned(),
        body: body.to_owned(),
        ..ServedRequest::default()
    };
    assert!(annotator("prior").answer(&request).body.contains("Q70"));
}

#[test]
fn what_cannot_be_answered_has_another_status() {
    for (path, body, status) in [
        ("/nowhere", "", 404),
        ("/", "nonsense", 400),
        ("/", r#"{"text":"Bern","spans":[[3,9]]}"#, 400),
        ("/annotate", "confidence=1", 400),
        ("/nif", "<html>", 400),
        ("/link", r#"{"text":"Bern","mentions":[{"start":3,"end":99}]}"#, 400),
    ] {
        assert_eq!(post(path, body).status, status, "{path} {body}");
    }
    let hello =
        ServedRequest { method: "GET".into(), path: "/".into(), ..ServedRequest::default() };
    assert!(annotator("nil").answer(&hello).body.contains("schemaVersion"));
}
