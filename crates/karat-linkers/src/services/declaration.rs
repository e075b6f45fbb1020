//! A service or a program, as a file in TOML describes it.

use super::path::JsonPath;
use super::template;
use super::values::{id_form, text_edit, text_limit, time, words};
use crate::info::{
    AnswerUnit, IdForm, LinkerInfo, LinkingTask, MentionsWay, PricePer, RequestRate, SplitAt,
};
use karat_model::End;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;

/// How to talk to a linker that is somebody else's.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub(super) info: LinkerInfo,
    pub(super) talk: Talk,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) time_out: Duration,
    pub(super) first_time_out: Duration,
    reference: Option<String>,
}

/// Whom to talk to.
#[derive(Debug, Clone)]
pub(super) enum Talk {
    /// A service, over HTTP.
    Service(Box<Service>),
    /// A program, in lines: its name and arguments.
    Program(Vec<String>),
}

/// A service over HTTP.
#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    /// The same where mentions are given, if that is another.
    pub(super) body_with_mentions: Option<Body>,
    pub(super) auth: Option<Auth>,
    pub(super) answer: Answer,
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Body {
    None,
    Json(Value),
    Form(Vec<(String, String)>),
    Multipart(Vec<(String, Value)>),
    Text(String),
    Nif,
}

/// Where the name of whoever asks goes, and the variable that it is in.
#[derive(Debug, Clone)]
pub(super) struct Auth {
    pub(super) place: AuthPlace,
    pub(super) env: String,
}

#[derive(Debug, Clone)]
pub(super) enum AuthPlace {
    Header(String),
    Query(String),
    Form(String),
    Basic,
}

/// What of an answer means what.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) each: JsonPath,
    pub(super) required: bool,
    pub(super) start: Option<JsonPath>,
    pub(super) end: Option<JsonPath>,
    pub(super) length: Option<JsonPath>,
    pub(super) unit: AnswerUnit,
    /// Mentions are as long as their surfaces.
    pub(super) is_length_of_surface: bool,
    pub(super) surface: Option<JsonPath>,
    pub(super) id: JsonPath,
    pub(super) confidence: Option<JsonPath>,
    pub(super) types: Option<JsonPath>,
    pub(super) error: Option<JsonPath>,
    pub(super) server_ms: Option<JsonPath>,
    pub(super) nil: Vec<String>,
    pub(super) without_id: WithoutId,
}

/// What a mention without an id is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WithoutId {
    #[default]
    NoAnswer,
    Nil,
    Skip,
}

/// What is wrong with a declaration, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DeclarationError {
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where, in bytes of the file.
    pub span: Range<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: Spanned<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    reference: Option<String>,
    #[serde(default)]
    tasks: Vec<LinkingTask>,
    #[serde(default)]
    request: Option<Spanned<RequestPart>>,
    #[serde(default)]
    program: Option<ProgramPart>,
    #[serde(default)]
    settings: BTreeMap<String, Spanned<toml::Value>>,
    #[serde(default)]
    answer: Option<Spanned<AnswerPart>>,
    #[serde(default)]
    limits: LimitsPart,
    #[serde(default)]
    auth: Option<Spanned<AuthPart>>,
    #[serde(default)]
    cost: Option<CostPart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RequestPart {
    #[serde(default = "post")]
    method: String,
    url: Spanned<String>,
    #[serde(default)]
    json: Option<Spanned<toml::Value>>,
    #[serde(default)]
    json_mentions: Option<Spanned<toml::Value>>,
    #[serde(default)]
    form: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    query: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    multipart: Option<Spanned<toml::Value>>,
    #[serde(default)]
    body: Option<Spanned<String>>,
    #[serde(default)]
    nif: bool,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

fn post() -> String {
    "POST".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramPart {
    command: Spanned<String>,
    #[serde(default)]
    unit: AnswerUnit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AnswerPart {
    #[serde(default)]
    each: Option<Spanned<String>>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    start: Option<Spanned<String>>,
    #[serde(default)]
    end_at: Option<Spanned<String>>,
    #[serde(default)]
    length: Option<Spanned<String>>,
    #[serde(default)]
    length_of: Option<LengthOf>,
    #[serde(default)]
    surface: Option<Spanned<String>>,
    #[serde(default)]
    id: Option<Spanned<String>>,
    #[serde(default)]
    confidence: Option<Spanned<String>>,
    #[serde(default, rename = "type")]
    types: Option<Spanned<String>>,
    #[serde(default)]
    unit: AnswerUnit,
    #[serde(default = "exclusive")]
    end: End,
    #[serde(default)]
    id_form: Option<Spanned<String>>,
    #[serde(default)]
    nil: Vec<String>,
    #[serde(default)]
    without_id: WithoutId,
    #[serde(default)]
    error: Option<Spanned<String>>,
    #[serde(default)]
    server_ms: Option<Spanned<String>>,
}

/// What tells how long a mention is, where no number does.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LengthOf {
    Surface,
}

fn exclusive() -> End {
    End::Exclusive
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LimitsPart {
    #[serde(default)]
    max_text: Option<Spanned<String>>,
    #[serde(default)]
    split: SplitAt,
    #[serde(default)]
    overlap: u64,
    #[serde(default)]
    edits: Vec<Spanned<String>>,
    #[serde(default)]
    batch: Option<usize>,
    #[serde(default)]
    concurrency: Option<usize>,
    #[serde(default)]
    rate: Option<Spanned<String>>,
    #[serde(default)]
    time_out: Option<Spanned<String>>,
    #[serde(default)]
    first_time_out: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuthPart {
    #[serde(default)]
    header: Option<String>,
    #[serde(default)]
    query: Option<String>,
    #[serde(default)]
    form: Option<String>,
    #[serde(default)]
    basic: bool,
    env: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CostPart {
    per: PricePer,
    price: f64,
}

type Read<T> = Result<T, DeclarationError>;

pub(super) fn wrong(span: Range<usize>, message: impl Into<String>) -> DeclarationError {
    DeclarationError { message: message.into(), span }
}

impl Declaration {
    /// Reads a declaration.
    pub fn parse(text: &str) -> Read<Declaration> {
        let file: File = toml::from_str(text).map_err(|error| {
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            wrong(error.span().unwrap_or_default(), message)
        })?;
        file.read()
    }

    /// What the linker is, and what it is like to talk to.
    pub fn info(&self) -> &LinkerInfo {
        &self.info
    }

    /// Where the service is described by those who made it.
    pub fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }

    /// The settings that can be made, with the values that they have.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether it runs a program, which nobody may ask for from elsewhere.
    pub fn is_program(&self) -> bool {
        matches!(self.talk, Talk::Program(_))
    }

    /// The declaration of the same service at another address.
    #[must_use]
    pub fn at(mut self, url: &str) -> Declaration {
        if let Talk::Service(service) = &mut self.talk {
            service.url = url.to_owned();
        }
        self
    }

    /// The declaration with other settings, which become part of what its answers depend on.
    pub fn with_settings(
        mut self,
        given: &BTreeMap<String, String>,
    ) -> Result<Declaration, crate::LinkerError> {
        for (name, value) in given {
            match self.settings.get_mut(name) {
                Some(setting) => setting.clone_from(value),
                None => {
                    let names: Vec<&str> = self.settings.keys().map(String::as_str).collect();
                    let hint = match names.is_empty() {
                        true => "it has no settings".to_owned(),
                        false => format!("it has {}", names.join(", ")),
                    };
                    let message = format!("`{}` has no setting `{name}`", self.info.name);
                    return Err(crate::LinkerError::new(message).hint(hint));
                }
            }
        }
        self.info.settings.extend(self.settings.clone());
        Ok(self)
    }
}

impl File {
    fn read(self) -> Read<Declaration> {
        let settings = self.settings()?;
        let name = self.name.span();
        let auth = self.auth.as_ref().map(auth_of).transpose()?;
        let (talk, answer) = match (&self.request, &self.program) {
            (Some(request), None) => {
                let answer = self.answer.as_ref().map(Spanned::get_ref);
                let service = service_of(request, answer, auth, &settings)?;
                self.check_form(&service)?;
                (Talk::Service(Box::new(service)), answer)
            }
            (None, Some(program)) => {
                self.check_program()?;
                (Talk::Program(words(&program.command)?), None)
            }
            _ => return Err(wrong(name, "there has to be either [request] or [program]")),
        };
        let mut info = LinkerInfo::named(self.name.get_ref().clone(), "");
        info.version = self.version.clone();
        info.mentions = ways_of(&talk, &settings);
        info.tasks = match self.tasks.is_empty() {
            true => vec![LinkingTask::Link],
            false => self.tasks.clone(),
        };
        if let Some(answer) = answer {
            (info.unit, info.end) = (answer.unit, answer.end);
            info.id_form = answer.id_form.as_ref().map_or(Ok(IdForm::AsIs), id_form)?;
        }
        if let Some(program) = &self.program {
            info.unit = program.unit;
        }
        self.limits.fill(&mut info)?;
        info.price = self.cost.as_ref().map(|cost| (cost.price, cost.per));
        let time_out = time(self.limits.time_out.as_ref(), Duration::from_secs(120))?;
        let first_time_out = time(self.limits.first_time_out.as_ref(), Duration::from_secs(600))?;
        let reference = self.reference.clone();
        Ok(Declaration { info, talk, settings, time_out, first_time_out, reference })
    }

    /// A secret that goes into a form needs one, or it would never be sent.
    fn check_form(&self, service: &Service) -> Read<()> {
        let Some(Auth { place: AuthPlace::Form(_), .. }) = &service.auth else { return Ok(()) };
        let is_form = matches!(service.body, Body::Form(_)) && service.body_with_mentions.is_none();
        match (is_form, &self.auth) {
            (false, Some(auth)) => Err(wrong(auth.span(), "[auth] form needs a request with form")),
            _ => Ok(()),
        }
    }

    /// A program is given its command, and nothing of what belongs to a request.
    fn check_program(&self) -> Read<()> {
        let settings = self.settings.values().next().map(Spanned::span);
        let answer = self.answer.as_ref().map(Spanned::span);
        match settings.or(answer).or(self.auth.as_ref().map(Spanned::span)) {
            None => Ok(()),
            Some(span) => Err(wrong(
                span,
                "[settings], [answer] and [auth] belong to [request]; a program has its own arguments",
            )),
        }
    }

    fn settings(&self) -> Read<BTreeMap<String, String>> {
        let text = |(name, value): (&String, &Spanned<toml::Value>)| {
            let text = match value.get_ref() {
                toml::Value::String(text) => text.clone(),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Float(number) => number.to_string(),
                toml::Value::Boolean(value) => value.to_string(),
                _ => {
                    return Err(wrong(value.span(), "a setting is a text, a number, or yes or no"));
                }
            };
            Ok((name.clone(), text))
        };
        self.settings.iter().map(text).collect()
    }
}

/// How given mentions can be sent: where something that is sent speaks of them, and else not at all.
fn ways_of(talk: &Talk, settings: &BTreeMap<String, String>) -> Vec<MentionsWay> {
    let Talk::Service(service) = talk else { return vec![MentionsWay::Native] };
    let body = service.body_with_mentions.as_ref().unwrap_or(&service.body);
    let texts = body.texts();
    let texts = texts
        .iter()
        .map(String::as_str)
        .chain(service.query.iter().map(|(_, value)| value.as_str()));
    let texts: Vec<&str> = texts.collect();
    let speaks = |what: &str| texts.iter().any(|text| text.contains(what));
    let any = texts.iter().any(|text| template::check(text, settings) == Ok(true));
    match body {
        Body::Nif => vec![MentionsWay::Native],
        _ if speaks("{mentions:marked") => vec![MentionsWay::Marked],
        _ if speaks("{mentions:") => vec![MentionsWay::Native],
        _ if any => vec![MentionsWay::PerMention],
        _ => Vec::new(),
    }
}

impl Body {
    /// All texts in which names are replaced.
    fn texts(&self) -> Vec<String> {
        fn within(value: &Value, texts: &mut Vec<String>) {
            match value {
                Value::String(text) => texts.push(text.clone()),
                Value::Array(items) => items.iter().for_each(|item| within(item, texts)),
                Value::Object(fields) => fields.values().for_each(|field| within(field, texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        match self {
            Body::None | Body::Nif => {}
            Body::Json(value) => within(value, &mut texts),
            Body::Form(pairs) => texts.extend(pairs.iter().map(|(_, value)| value.clone())),
            Body::Multipart(parts) => parts.iter().for_each(|(_, value)| within(value, &mut texts)),
            Body::Text(text) => texts.push(text.clone()),
        }
        texts
    }
}

impl LimitsPart {
    fn fill(&self, info: &mut LinkerInfo) -> Read<()> {
        info.max_text = self.max_text.as_ref().map(text_limit).transpose()?;
        (info.split, info.overlap) = (self.split, self.overlap);
        info.edits = self.edits.iter().map(text_edit).collect::<Read<_>>()?;
        info.batch = self.batch.unwrap_or(1).max(1);
        info.concurrency = self.concurrency.unwrap_or(2).max(1);
        let rate = |rate: &Spanned<String>| {
            rate.get_ref()
                .parse::<RequestRate>()
                .map_err(|error| wrong(rate.span(), error.to_string()))
        };
        info.rate = self.rate.as_ref().map(rate).transpose()?;
        Ok(())
    }
}

fn service_of(
    spanned: &Spanned<RequestPart>,
    answer: Option<&AnswerPart>,
    auth: Option<Auth>,
    settings: &BTreeMap<String, String>,
) -> Read<Service> {
    let request = spanned.get_ref();
    let checked = |text: &Spanned<String>| {
        let read = template::check(text.get_ref(), settings);
        read.map(|_| text.get_ref().clone()).map_err(|error| wrong(text.span(), error.to_string()))
    };
    let pairs = |pairs: &BTreeMap<String, Spanned<String>>| {
        pairs
            .iter()
            .map(|(name, value)| Ok((name.clone(), checked(value)?)))
            .collect::<Read<Vec<_>>>()
    };
    let json = |value: &Spanned<toml::Value>| {
        let json = serde_json::to_value(value.get_ref()).unwrap_or_default();
        let body = Body::Json(json.clone());
        for text in body.texts() {
            template::check(&text, settings)
                .map_err(|error| wrong(value.span(), error.to_string()))?;
        }
        Ok::<Value, DeclarationError>(json)
    };
    let mut bodies = Vec::new();
    if let Some(value) = &request.json {
        bodies.push(Body::Json(json(value)?));
    }
    if !request.form.is_empty() {
        bodies.push(Body::Form(pairs(&request.form)?));
    }
    if let Some(parts) = &request.multipart {
        let Value::Object(fields) = json(parts)? else {
            return Err(wrong(parts.span(), "multipart is a table of parts"));
        };
        bodies.push(Body::Multipart(fields.into_iter().collect()));
    }
    if let Some(text) = &request.body {
        bodies.push(Body::Text(checked(text)?));
    }
    if request.nif {
        bodies.push(Body::Nif);
    }
    if bodies.len() > 1 {
        return Err(wrong(
            spanned.span(),
            "a request has one body: json, form, multipart, body or nif",
        ));
    }
    let with_mentions = request.json_mentions.as_ref().map(json).transpose()?.map(Body::Json);
    let body = bodies.pop().unwrap_or(Body::None);
    let url = request.url.get_ref();
    if !(url.starts_with("http://") || url.starts_with("https://") || url.starts_with("${")) {
        return Err(wrong(
            request.url.span(),
            "an address begins with http:// or https://, or with a variable such as ${SERVICE_URL}",
        ));
    }
    Ok(Service {
        method: request.method.to_uppercase(),
        url: url.clone(),
        query: pairs(&request.query)?,
        headers: request
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        answer: answer_of(answer, matches!(body, Body::Nif), spanned.span())?,
        body,
        body_with_mentions: with_mentions,
        auth,
    })
}

fn answer_of(part: Option<&AnswerPart>, is_nif: bool, request: Range<usize>) -> Read<Answer> {
    let path = |text: &Spanned<String>| {
        JsonPath::parse(text.get_ref()).map_err(|error| wrong(text.span(), error.to_string()))
    };
    let maybe = |text: Option<&Spanned<String>>| text.map(path).transpose();
    let any = || JsonPath::parse("[]").map_err(|error| wrong(request.clone(), error.to_string()));
    let Some(part) = part else {
        // The answer in NIF says itself what it means.
        return match is_nif {
            true => Ok(Answer {
                each: any()?,
                required: false,
                start: None,
                end: None,
                length: None,
                unit: AnswerUnit::CodePoints,
                is_length_of_surface: false,
                surface: None,
                id: any()?,
                confidence: None,
                types: None,
                error: None,
                server_ms: None,
                nil: Vec::new(),
                without_id: WithoutId::NoAnswer,
            }),
            false => {
                Err(wrong(request, "there has to be an [answer] that says where mentions are"))
            }
        };
    };
    let (Some(each), Some(id)) = (&part.each, &part.id) else {
        return Err(wrong(request, "[answer] needs `each`, where mentions are, and `id`"));
    };
    if part.start.is_none() && part.surface.is_none() {
        return Err(wrong(
            each.span(),
            "[answer] needs `start`, with `end-at` or `length`, or else `surface`",
        ));
    }
    let has_length = part.length.is_some() || (part.length_of.is_some() && part.surface.is_some());
    if let (Some(start), None, false) = (&part.start, &part.end_at, has_length) {
        let message =
            "`start` needs `end-at`, `length`, or `length-of = \"surface\"` with a `surface`";
        return Err(wrong(start.span(), message));
    }
    Ok(Answer {
        each: path(each)?,
        required: part.required,
        start: maybe(part.start.as_ref())?,
        end: maybe(part.end_at.as_ref())?,
        length: maybe(part.length.as_ref())?,
        unit: part.unit,
        is_length_of_surface: part.length_of.is_some(),
        surface: maybe(part.surface.as_ref())?,
        id: path(id)?,
        confidence: maybe(part.confidence.as_ref())?,
        types: maybe(part.types.as_ref())?,
        error: maybe(part.error.as_ref())?,
        server_ms: maybe(part.server_ms.as_ref())?,
        nil: part.nil.clone(),
        without_id: part.without_id,
    })
}

fn auth_of(part: &Spanned<AuthPart>) -> Read<Auth> {
    let AuthPart { header, query, form, basic, env } = part.get_ref();
    let places = [
        header.clone().map(AuthPlace::Header),
        query.clone().map(AuthPlace::Query),
        form.clone().map(AuthPlace::Form),
        basic.then_some(AuthPlace::Basic),
    ];
    let mut places: Vec<AuthPlace> = places.into_iter().flatten().collect();
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first.is_ascii_uppercase() || first == '_')
            && letters.all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_')
    };
    if !is_name(env.get_ref()) {
        // It may be the secret itself, so it is not repeated.
        return Err(wrong(
            env.span(),
            "`env` is the name of a variable, as REL_KEY, and never the secret itself",
        ));
    }
    match (places.pop(), places.is_empty()) {
        (Some(place), true) => Ok(Auth { place, env: env.get_ref().clone() }),
        _ => Err(wrong(part.span(), "[auth] has one of header, query, form and basic")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::TextEdit;

    const GOOD: &str = r#"
name = "mine"
[request]
url = "http://localhost:5555/"
json = { text = "{text}", tagger = "{tagger}" }
json-mentions = { text = "{text}", spans = "{mentions:start,length}" }
[settings]
tagger = "fast"
[answer]
each = "[]"
start = "0"
length = "1"
id = "3"
id-form = "title:en"
unit = "utf16"
[limits]
max-text = "1000 utf16"
rate = "300 per 100s"
edits = ["strip", "max-run=3"]
time-out = "500ms"
[auth]
header = "X-Key"
env = "MY_KEY"
"#;

    #[test]
    fn a_declaration_says_what_the_linker_is_like() {
        let declaration = Declaration::parse(GOOD).unwrap();
        let info = declaration.info();
        assert_eq!(
            (info.unit, info.mentions.as_slice()),
            (AnswerUnit::Utf16, &[MentionsWay::Native][..])
        );
        assert_eq!(info.rate.map(|rate| rate.per), Some(Duration::from_secs(100)));
        assert_eq!(info.edits, [TextEdit::Strip, TextEdit::MaxRun(3)]);
        assert_eq!(declaration.time_out, Duration::from_millis(500));
        let given = BTreeMap::from([("tagger".to_owned(), "slow".to_owned())]);
        let set = declaration.clone().with_settings(&given).unwrap();
        assert_eq!(set.info().settings, [("tagger".to_owned(), "slow".to_owned())]);
        let unknown = BTreeMap::from([("taggre".to_owned(), "slow".to_owned())]);
        let error = declaration.with_settings(&unknown).err().unwrap();
        assert_eq!(error.message, "`mine` has no setting `taggre`");
    }

    #[test]
    fn what_is_wrong_is_told_where_it_stands() {
        for (right, bad, at) in [
            ("each = \"[]\"", "each = \"a..b\"", "\"a..b\""),
            ("length = \"1\"", "lengths = \"1\"", "lengths"),
            ("env = \"MY_KEY\"", "env = \"sk-1234\"", "\"sk-1234\""),
            ("\"{text}\", tagger", "\"{txt}\", tagger", "{ text"),
            ("\"title:en\"", "\"titles\"", "\"titles\""),
            ("\"http://localhost:5555/\"", "\"ftp://x\"", "\"ftp://x\""),
            ("\"500ms\"", "\"soon\"", "\"soon\""),
            ("\"strip\"", "\"trim\"", "\"trim\""),
            ("\"300 per 100s\"", "\"often\"", "\"often\""),
            ("header = \"X-Key\"", "form = \"key\"", "[auth]"),
        ] {
            let text = GOOD.replace(right, bad);
            assert_ne!(text, GOOD, "{right}");
            let error = Declaration::parse(&text).unwrap_err();
            assert!(text[error.span.clone()].starts_with(at), "{bad}: {error:?}");
            assert!(!error.message.contains("sk-1234"));
        }
        let program = "name = \"mine\"\n[program]\ncommand = \"link\"\n";
        assert!(Declaration::parse(program).unwrap().is_program());
        for part in [
            "[settings]\nmodel = \"large\"",
            "[answer]\nunit = \"utf16\"",
            "[auth]\nbasic = true\nenv = \"K\"",
        ] {
            let error = Declaration::parse(&format!("{program}{part}")).unwrap_err();
            assert!(error.message.contains("belong to [request]"), "{part}: {error}");
        }
    }
}
