//! Services over HTTP: every known one answered by a server that speaks as it does.

use crate::server::{Received, Reply, TestServer, field, json};
use karat_linkers::recording::{Recording, read_recording};
use karat_linkers::runner::{DocumentStatus, RunOutcome, RunSettings, Runner};
use karat_linkers::services::{
    Declaration, HttpClient, KNOWN_SERVICES, NetworkRules, ServiceLinker,
};
use karat_linkers::{FailureKind, LinkTask, Linker};
use karat_model::{Corpus, CorpusBuilder, OffsetUnit, Span, TextIndex, Watch};
use serde_json::{Value, json as value};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A text in which every way of counting differs.
const TEXT: &str = "😀 Café\r\nAda Low left Bern.";

fn client() -> Arc<HttpClient> {
    Arc::new(HttpClient::new(NetworkRules::trusted()).unwrap())
}

/// A known service, at another address, with a secret that nobody may see.
fn known(name: &str, url: &str) -> ServiceLinker {
    let service = KNOWN_SERVICES.iter().find(|service| service.name == name).unwrap();
    let declaration = service.declaration().unwrap();
    let url = url.to_owned();
    let variables = move |name: &str| {
        let is_address = name.ends_with("_URL") || name.ends_with("ENDPOINT");
        Some(if is_address { url.clone() } else { "canary-7391".to_owned() })
    };
    ServiceLinker::with_variables(declaration, client(), &variables)
        .map_err(|error| error.message)
        .unwrap()
}

fn corpus(texts: &[&str]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (number, text) in texts.iter().enumerate() {
        builder.continue_document(&format!("d{number}"));
        builder.set_text(text);
    }
    builder.finish()
}

fn quick() -> RunSettings {
    let (first_wait, pause) = (Duration::from_millis(1), Duration::from_millis(2));
    RunSettings { first_wait, pause, attempts: 12, ..RunSettings::default() }
}

fn said(outcome: &RunOutcome) -> Vec<(String, Span, Option<String>)> {
    let mentions = outcome.corpus.documents().flat_map(|document| document.mentions());
    mentions
        .map(|one| (one.document().name().to_owned(), one.span(), one.entity().map(str::to_owned)))
        .collect()
}

/// Where Bern stands in a text, in a unit.
fn bern(text: &str, unit: OffsetUnit) -> Option<(u64, u64)> {
    let index = TextIndex::new(text);
    let byte = text.find("Bern")?;
    let offset =
        |byte| index.from_code_points(index.position_of_byte(byte).unwrap(), unit).unwrap();
    Some((offset(byte), offset(byte + 4)))
}

/// The text of a request, and the answer of the service to it; `None` where it finds nothing.
fn speak(name: &str, request: &Received) -> Reply {
    let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let of_form = |key| field(&request.body, key);
    let of_query = |key| field(&request.target, key);
    let text_of = |text: &Value| text.as_str().map(str::to_owned);
    let text = match name {
        "spotlight" | "tagme" | "babelfy" | "textrazor" | "dandelion" => of_form("text"),
        "opentapioca" => of_form("query"),
        "wat" | "relik" => of_query("text"),
        "azure" => text_of(&body["analysisInput"]["documents"][0]["text"]),
        "google" => text_of(&body["document"]["content"]),
        "grasp" => text_of(&body["input"]["data"]),
        _ => text_of(&body["text"]),
    };
    let text = text.unwrap_or_else(|| panic!("{name}: {request:?}"));
    let utf16 = bern(&text, OffsetUnit::Utf16);
    let found = bern(&text, OffsetUnit::CodePoints);
    let each = |one: &dyn Fn(u64, u64) -> Value| match found {
        Some((start, end)) => value!([one(start, end)]),
        None => value!([]),
    };
    let wide = |one: &dyn Fn(u64, u64) -> Value| match utf16 {
        Some((start, end)) => value!([one(start, end)]),
        None => value!([]),
    };
    json(match name {
        "rel" => each(&|start, end| value!([start, end - start, "Bern", "Bern", 0.9, 0.8, "LOC"])),
        // One object where there could be a list, no key where nothing was found, and texts for numbers.
        "spotlight" => match utf16 {
            Some((start, _)) => {
                value!({"Resources": {"@URI": "http://dbpedia.org/resource/Bern", "@surfaceForm": "Bern",
                "@offset": start.to_string(), "@similarityScore": "0.98"}})
            }
            None => value!({"@text": text}),
        },
        "tagme" | "wat" => {
            value!({"annotations": wide(&|start, end| value!({"spot": "Bern", "start": start, "end": end, "title": "Bern", "rho": 0.41}))})
        }
        "entity-fishing" => {
            value!({"runtime": 34, "entities": wide(&|start, end| value!({"rawName": "Bern", "offsetStart": start, "offsetEnd": end,
            "wikidataId": "Q70", "confidence_score": "0.8"}))})
        }
        "opentapioca" => {
            value!({"annotations": each(&|start, end| value!({"start": start, "end": end, "best_qid": "Q70"}))})
        }
        "relik" => value!([{"spans": each(&|start, end| value!([start, end, "Bern", "Bern"]))}]),
        "bern2" => {
            assert!(!text.contains('\r'), "the server would change it");
            value!({"annotations": each(&|start, end| value!({"span": {"begin": start, "end": end}, "id": ["mesh:D0"], "obj": "place", "prob": 0.9, "mention": "Bern"}))})
        }
        "babelfy" => wide(
            &|start, end| value!({"charFragment": {"start": start, "end": end - 1}, "DBpediaURL": "http://dbpedia.org/resource/Bern", "score": 0.7}),
        ),
        "falcon2" => {
            value!({"entities_wikidata": each(&|_, _| value!({"URI": "http://www.wikidata.org/entity/Q70", "surface form": "Bern"}))})
        }
        "textrazor" => {
            value!({"response": {"entities": each(&|start, end| value!({"matchedText": "Bern", "startingPos": start, "endingPos": end, "wikidataId": "Q70"}))}})
        }
        "dandelion" => {
            value!({"annotations": each(&|start, end| value!({"start": start, "end": end, "spot": "Bern", "uri": "http://en.wikipedia.org/wiki/Bern"}))})
        }
        "azure" => {
            value!({"results": {"documents": [{"id": "1", "entities": [{"url": "https://en.wikipedia.org/wiki/Bern",
            "matches": each(&|start, end| value!({"text": "Bern", "offset": start, "length": end - start}))}]}], "errors": []}})
        }
        "google" => {
            value!({"entities": [{"metadata": {"wikipedia_url": "https://en.wikipedia.org/wiki/Bern"},
            "mentions": each(&|start, _| value!({"text": {"content": "Bern", "beginOffset": start}}))}]})
        }
        "grasp" => {
            value!({"output": {"predictions": each(&|start, end| value!({"start_char": start, "end_char": end, "entity_reference": "wd:Q70"}))}})
        }
        other => panic!("nobody speaks `{other}`"),
    })
}

#[test]
fn every_known_service_is_asked_and_understood_as_it_speaks() {
    for service in KNOWN_SERVICES.iter().filter(|service| service.name != "nif") {
        let name = service.name;
        let server = TestServer::start(move |request| speak(name, request));
        let linker = known(name, &server.url());
        let outcome = Runner::new(&linker, quick()).run(
            &corpus(&[TEXT, "Nothing."]),
            None,
            &Watch::default(),
        );
        let outcome = outcome.unwrap();
        let expected = bern(TEXT, OffsetUnit::CodePoints).unwrap();
        let mentions = said(&outcome);
        assert_eq!(mentions.len(), 1, "{name}: {:?}", outcome.documents);
        let (_, span, entity) = &mentions[0];
        assert_eq!((u64::from(span.start), u64::from(span.end)), expected, "{name}");
        let ids = [
            "Q70",
            "https://en.wikipedia.org/wiki/Bern",
            "http://en.wikipedia.org/wiki/Bern",
            "http://dbpedia.org/resource/Bern",
            "http://www.wikidata.org/entity/Q70",
            "mesh:D0",
        ];
        assert!(ids.contains(&entity.as_deref().unwrap()), "{name}: {entity:?}");
        assert_eq!(outcome.documents[1].status, DocumentStatus::Empty, "{name}");
        assert!(outcome.better_counting.is_empty(), "{name}: {:?}", outcome.better_counting);
    }
}

/// A linker whose declaration is written here, at an address.
fn declared(url: &str, more: &str) -> ServiceLinker {
    let text = format!(
        "name = \"mine\"\n[request]\nurl = \"{url}\"\njson = {{ text = \"{{text}}\" }}\n[answer]\neach = \"found[]\"\nrequired = true\n\
         start = \"start\"\nend-at = \"end\"\nid = \"id\"\nid-form = \"wikidata\"\nerror = \"error\"\n{more}"
    );
    let declaration = Declaration::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let variables = |_: &str| Some("canary-7391".to_owned());
    ServiceLinker::with_variables(declaration, client(), &variables)
        .map_err(|error| error.message)
        .unwrap()
}

fn well(request: &Received) -> Reply {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let found = bern(body["text"].as_str().unwrap(), OffsetUnit::CodePoints);
    let found: Vec<Value> = found
        .into_iter()
        .map(|(start, end)| value!({"start": start, "end": end, "id": "Q70"}))
        .collect();
    json(value!({"found": found}))
}

#[test]
fn a_service_that_fails_three_times_in_ten_gives_the_output_of_one_that_never_does() {
    let texts: Vec<String> = (0..120).map(|number| format!("{number} went to Bern.")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let corpus = corpus(&texts);
    let server = TestServer::start(well);
    let linker = declared(&server.url(), "[limits]\nconcurrency = 4");
    let expected = Runner::new(&linker, quick()).run(&corpus, None, &Watch::default()).unwrap();
    assert_eq!(said(&expected).len(), 120);
    let asked = AtomicU32::new(0);
    let failing = TestServer::start(move |request| {
        let number = asked.fetch_add(1, Ordering::SeqCst);
        let html = "<html>Bad gateway</html>".to_owned();
        match (number % 10, number % 8) {
            (0 | 3 | 7, 0) => Reply::Dropped,
            (0 | 3 | 7, 1) => Reply::Torn("{\"found\": [".to_owned()),
            (0 | 3 | 7, 2) => {
                Reply::Answer(429, vec![("Retry-After", "0".to_owned())], String::new())
            }
            (0 | 3 | 7, 3) => Reply::Answer(503, Vec::new(), html),
            (0 | 3 | 7, 4) => Reply::Answer(200, Vec::new(), html),
            (0 | 3 | 7, 5) => json(value!({"found": null})),
            (0 | 3 | 7, 6) => Reply::Answer(200, Vec::new(), String::new()),
            (0 | 3 | 7, _) => Reply::Answer(500, Vec::new(), html),
            _ => well(request),
        }
    });
    let linker = declared(&failing.url(), "[limits]\nconcurrency = 4");
    let outcome = Runner::new(&linker, quick()).run(&corpus, None, &Watch::default()).unwrap();
    let unanswered: Vec<&str> = outcome
        .documents
        .iter()
        .filter(|document| !document.status.is_answered())
        .map(|document| document.name.as_str())
        .collect();
    let expected: Vec<_> = said(&expected)
        .into_iter()
        .filter(|(name, ..)| !unanswered.contains(&name.as_str()))
        .collect();
    assert_eq!(said(&outcome), expected);
    assert!(unanswered.len() <= 3, "{unanswered:?}");
    assert!(outcome.costs.failed.values().sum::<u64>() >= 40, "{:?}", outcome.costs);
}

#[test]
fn no_secret_is_ever_kept_or_told() {
    let places = [
        "[auth]\nheader = \"X-Key\"\nenv = \"MINE_KEY\"",
        "[auth]\nquery = \"key\"\nenv = \"MINE_KEY\"",
        "[auth]\nbasic = true\nenv = \"MINE_KEY\"",
    ];
    for place in places {
        // It repeats everything that it was sent, once as an answer and once as an error.
        let server = TestServer::start(|request| {
            let all = format!("{} {:?} {}", request.target, request.headers, request.body);
            let is_known = all.contains("canary-7391")
                || all.contains("canary%2D7391")
                || all.contains("Y2FuYXJ5LTczOTE=");
            assert!(is_known, "the secret did not arrive: {all}");
            match request.body.contains("Bern") {
                true => json(value!({"found": [], "echo": all})),
                false => Reply::Answer(400, vec![("Set-Cookie", "s=canary-7391".to_owned())], all),
            }
        });
        let linker = declared(&server.url(), place);
        let folder = tempfile::tempdir().unwrap();
        let runner = Runner::new(&linker, quick());
        let head = runner.head("texts", None).unwrap();
        let (recording, there) = Recording::open(folder.path(), &head).unwrap();
        let corpus = corpus(&["Bern", "Thun"]);
        let outcome =
            runner.recorded(&recording, there).run(&corpus, None, &Watch::default()).unwrap();
        drop(recording);
        assert_eq!(outcome.documents[0].status, DocumentStatus::Empty);
        let told = format!("{:?}", outcome.documents);
        let kept = std::fs::read_to_string(folder.path().join("answers.jsonl")).unwrap();
        assert!(kept.contains("${MINE_KEY}"), "{kept}");
        for hidden in ["canary", "Y2FuYXJ5LTczOTE="] {
            assert!(!kept.contains(hidden) && !told.contains(hidden), "{place}: {kept} {told}");
        }
        assert_eq!(read_recording(folder.path()).unwrap().1.len(), 2);
    }
    let text = "name = \"mine\"\n[request]\nurl = \"http://example.org/\"\njson = {}\n[answer]\neach = \"[]\"\nsurface = \"s\"\nid = \"i\"\n[auth]\nbasic = true\nenv = \"K\"";
    let declaration = Declaration::parse(text).unwrap();
    let open =
        ServiceLinker::with_variables(declaration.clone(), client(), &|_| Some("x".to_owned()));
    assert!(open.err().unwrap().message.contains("over http"));
    let missing = ServiceLinker::with_variables(declaration, client(), &|_| None);
    assert!(missing.err().unwrap().message.contains("the variable K is not set"));
}

#[test]
fn private_addresses_are_refused_unless_they_are_allowed() {
    let server = TestServer::start(well);
    let port = server.address.port();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1"] {
        let strict = Arc::new(HttpClient::new(NetworkRules::default()).unwrap());
        let text = format!(
            "name = \"mine\"\n[request]\nurl = \"http://{host}:{port}/\"\njson = {{ text = \"{{text}}\" }}\n[answer]\neach = \"[]\"\nsurface = \"s\"\nid = \"i\""
        );
        let declaration = Declaration::parse(&text).unwrap();
        let linker = ServiceLinker::with_variables(declaration, strict, &|_| None)
            .map_err(|error| error.message)
            .unwrap();
        let failure = linker.link(&[LinkTask::of_text("d1", "Bern")]).remove(0).unwrap_err();
        assert!(
            failure.message.contains("may not be asked")
                || failure.message.contains("may be asked"),
            "{host}: {failure}"
        );
    }
    // Nor by sending the request on to one.
    let elsewhere = format!("http://127.0.0.1:{port}/");
    let sending = TestServer::start(move |_| {
        Reply::Answer(
            307,
            vec![("Location", elsewhere.replace("127.0.0.1", "127.0.0.2"))],
            String::new(),
        )
    });
    let linker = declared(&sending.url(), "");
    let failure = linker.link(&[LinkTask::of_text("d1", "Bern")]).remove(0).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Refused(307), "another host is not asked");
}

#[test]
fn who_does_not_answer_in_time_has_not_answered() {
    let server = TestServer::start(|_| {
        std::thread::sleep(Duration::from_secs(5));
        Reply::Dropped
    });
    let linker =
        declared(&server.url(), "[limits]\ntime-out = \"100ms\"\nfirst-time-out = \"100ms\"");
    let failure = linker.link(&[LinkTask::of_text("d1", "Bern")]).remove(0).unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimeOut);
}

#[test]
fn an_annotator_that_speaks_nif_is_asked_as_gerbil_does() {
    let server = TestServer::start(|request| {
        assert_eq!(request.headers["content-type"], "application/x-turtle");
        if !request.body.contains("Bern") {
            // As servers do that load a model, or that failed: they echo.
            return Reply::Answer(200, Vec::new(), request.body.clone());
        }
        let context = request.body.split('<').find(|iri| iri.contains("#char=0,")).unwrap();
        let context = context.split('>').next().unwrap();
        let base = context.split("#char").next().unwrap();
        let text = "She left Bern.";
        let (start, end) = bern(text, OffsetUnit::CodePoints).unwrap();
        let phrase = format!(
            "\n<{base}#char={start},{end}> a <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#Phrase> ;\n\
             <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#beginIndex> \"{start}\" ;\n\
             <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#endIndex> \"{end}\" ;\n\
             <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#anchorOf> \"Bern\" ;\n\
             <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#referenceContext> <{context}> ;\n\
             <http://www.w3.org/2005/11/its/rdf#taIdentRef> <http://www.wikidata.org/entity/Q70> .\n"
        );
        Reply::Answer(200, Vec::new(), format!("{}{phrase}", request.body))
    });
    let linker = known("nif", &server.url());
    let runner = Runner::new(&linker, quick());
    let outcome =
        runner.run(&corpus(&["She left Bern.", "Nobody."]), None, &Watch::default()).unwrap();
    let mentions = said(&outcome);
    assert_eq!(mentions.len(), 1, "{:?}", outcome.documents);
    assert_eq!(mentions[0].1, Span::new(9, 13));
    assert_eq!(outcome.documents[1].status, DocumentStatus::Failed, "an echo is no answer");
}
