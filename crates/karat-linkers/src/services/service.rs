//! A service over HTTP, as its declaration describes it.

use super::declaration::{Answer, Auth, AuthPlace, Body, Declaration, Service, Talk, WithoutId};
use super::http::{HttpClient, HttpRequest};
use super::path::{Found, JsonPath};
use super::template::Values;
use crate::answer::{AnsweredLink, AnsweredMention, LinkAnswer};
use crate::failure::{FailureKind, LinkFailure};
use crate::info::LinkerInfo;
use crate::linker::Linker;
use crate::registry::LinkerError;
use crate::task::LinkTask;
use crate::wire::{Wire, WireAnswer, WireRequest, ask_once};
use base64::Engine;
use karat_model::End;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// Reads variables; tests have their own.
type Variables = dyn Fn(&str) -> Option<String> + Send + Sync;

/// A linker over HTTP.
pub struct ServiceLinker {
    declaration: Declaration,
    service: Service,
    url: String,
    secret: Option<String>,
    client: Arc<HttpClient>,
}

/// What a body, and an address, are made of.
struct Written {
    content_type: String,
    body: String,
}

/// An answer with more mentions than this is refused.
const MOST_MENTIONS: usize = 100_000;

impl ServiceLinker {
    /// The linker of a declaration. Variables of its address and its secret are taken from the environment.
    pub fn new(
        declaration: Declaration,
        client: Arc<HttpClient>,
    ) -> Result<ServiceLinker, LinkerError> {
        ServiceLinker::with_variables(declaration, client, &|name| std::env::var(name).ok())
    }

    /// The same, with variables from elsewhere.
    pub fn with_variables(
        declaration: Declaration,
        client: Arc<HttpClient>,
        variables: &Variables,
    ) -> Result<ServiceLinker, LinkerError> {
        let Talk::Service(service) = &declaration.talk else {
            return Err(LinkerError::new("this declaration describes a program, not a service"));
        };
        let service = (**service).clone();
        let url = expanded(&service.url, variables)?;
        check_address(&service.url, &url)?;
        let secret = match &service.auth {
            None => None,
            Some(auth) => match variables(&auth.env).filter(|secret| !secret.is_empty()) {
                Some(secret) => Some(secret),
                None => {
                    let name = &declaration.info.name;
                    let message =
                        format!("`{name}` needs a key, and the variable {} is not set", auth.env);
                    return Err(LinkerError::new(message).hint(format!("export {}=…", auth.env)));
                }
            },
        };
        if secret.is_some() && !is_confidential(&url) {
            let message = format!(
                "`{}` would send a secret over http, which anybody on the way can read",
                declaration.info.name
            );
            return Err(LinkerError::new(message).hint("use an address that begins with https://"));
        }
        Ok(ServiceLinker { declaration, service, url, secret, client })
    }

    /// What stands for the secret in what is kept.
    fn stand_in(&self) -> Option<String> {
        self.service.auth.as_ref().map(|auth| format!("${{{}}}", auth.env))
    }

    fn written(&self, body: &Body, values: &Values<'_>) -> Result<Written, LinkFailure> {
        let told = |error: super::template::BadTemplate| {
            LinkFailure::new(FailureKind::Refused(0), error.to_string())
        };
        let written = |content_type: &str, body: String| Written {
            content_type: content_type.to_owned(),
            body,
        };
        Ok(match body {
            Body::None => written("", String::new()),
            Body::Json(template) => {
                let value = values.filled(template).map_err(told)?;
                written("application/json", value.to_string())
            }
            Body::Form(pairs) => {
                let mut filled = Vec::new();
                for (name, template) in pairs {
                    let value = values.text(template, &str::to_owned).map_err(told)?;
                    filled.push((name.clone(), value));
                }
                if let Some(Auth { place: AuthPlace::Form(name), .. }) = &self.service.auth {
                    filled.push((name.clone(), self.stand_in().unwrap_or_default()));
                }
                written(
                    "application/x-www-form-urlencoded",
                    form(&filled, self.stand_in().as_deref()),
                )
            }
            Body::Multipart(parts) => {
                let mut filled = Vec::new();
                for (name, template) in parts {
                    let value = match values.filled(template).map_err(told)? {
                        Value::String(text) => text,
                        other => other.to_string(),
                    };
                    filled.push((name.as_str(), value));
                }
                multipart(&filled)
            }
            Body::Text(template) => written(
                "text/plain; charset=utf-8",
                values.text(template, &str::to_owned).map_err(told)?,
            ),
            Body::Nif => written("application/x-turtle", crate::nif::request(values.task)?),
        })
    }
}

/// Fills in `${NAME}` and `${NAME:-default}`.
fn expanded(text: &str, variables: &Variables) -> Result<String, LinkerError> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, behind) = after.split_once('}').ok_or_else(|| {
            LinkerError::new(format!("a brace of the address `{text}` is not closed"))
        })?;
        let (name, default) =
            name.split_once(":-").map_or((name, None), |(name, default)| (name, Some(default)));
        let value =
            variables(name).filter(|value| !value.is_empty()).or(default.map(str::to_owned));
        let value = value.ok_or_else(|| {
            LinkerError::new(format!("the address needs the variable {name}"))
                .hint(format!("export {name}=…"))
        })?;
        expanded = expanded + before + &value;
        rest = behind;
    }
    Ok(expanded + rest)
}

/// Addresses are kept as they are, so that what may be a secret is no part of them.
fn check_address(written: &str, url: &str) -> Result<(), LinkerError> {
    if written.split_once('?').is_some_and(|(_, query)| query.contains("${")) {
        let message =
            format!("the address `{written}` has a variable after `?`, which would be kept");
        return Err(LinkerError::new(message).hint("put it in [auth] with query"));
    }
    match url.parse::<reqwest::Url>() {
        Ok(parsed) if !parsed.username().is_empty() || parsed.password().is_some() => {
            // Not repeated: the password stands in it.
            let message = "the address has a name and a password in it";
            Err(LinkerError::new(message).hint("[auth] basic = true, with env, sends them"))
        }
        _ => Ok(()),
    }
}

/// Whether nobody on the way can read what is sent.
fn is_confidential(url: &str) -> bool {
    let Ok(url) = url.parse::<reqwest::Url>() else { return false };
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_own = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    url.scheme() == "https" || is_own
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Pairs as forms and queries write them; what stands for a secret stays as it is.
fn form(pairs: &[(String, String)], stand_in: Option<&str>) -> String {
    let pair = |(name, value): &(String, String)| match stand_in {
        Some(stand_in) if stand_in == value => format!("{}={value}", encoded(name)),
        _ => format!("{}={}", encoded(name), encoded(value)),
    };
    pairs.iter().map(pair).collect::<Vec<_>>().join("&")
}

/// Parts of a form. What separates them depends on them, so that the same parts make the same request.
fn multipart(parts: &[(&str, String)]) -> Written {
    let all = parts.iter().flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]);
    let boundary = format!("karat-{}", karat_model::Digest::of_pieces(all).short());
    let mut body = String::new();
    for (name, value) in parts {
        body += &format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    body += &format!("--{boundary}--\r\n");
    Written { content_type: format!("multipart/form-data; boundary={boundary}"), body }
}

impl Linker for ServiceLinker {
    fn info(&self) -> &LinkerInfo {
        &self.declaration.info
    }

    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
        tasks.iter().flat_map(|task| ask_once(self, std::slice::from_ref(task))).collect()
    }

    fn wire(&self) -> Option<&dyn Wire> {
        Some(self)
    }
}

impl Wire for ServiceLinker {
    fn request(&self, tasks: &[LinkTask<'_>]) -> Result<WireRequest, LinkFailure> {
        let [task] = tasks else {
            return Err(LinkFailure::new(
                FailureKind::Malformed,
                "a service is asked about one text at a time",
            ));
        };
        let declaration = &self.declaration;
        let values = Values { task, unit: declaration.info.unit, settings: &declaration.settings };
        let body = match (&self.service.body_with_mentions, task.mentions) {
            (Some(body), Some(_)) => body,
            _ => &self.service.body,
        };
        let Written { content_type, body } = self.written(body, &values)?;
        let mut query = Vec::new();
        for (name, template) in &self.service.query {
            let value = values.text(template, &str::to_owned);
            let value = value
                .map_err(|error| LinkFailure::new(FailureKind::Refused(0), error.to_string()))?;
            query.push((name.clone(), value));
        }
        if let Some(Auth { place: AuthPlace::Query(name), .. }) = &self.service.auth {
            query.push((name.clone(), self.stand_in().unwrap_or_default()));
        }
        let mut url = self.url.clone();
        if !query.is_empty() {
            let first = if url.contains('?') { '&' } else { '?' };
            url = format!("{url}{first}{}", form(&query, self.stand_in().as_deref()));
        }
        Ok(WireRequest { method: self.service.method.clone(), url, content_type, body })
    }

    fn send(&self, request: &WireRequest, is_first: bool) -> Result<WireAnswer, LinkFailure> {
        let mut headers = self.service.headers.clone();
        if !request.content_type.is_empty() {
            headers.push(("Content-Type".to_owned(), request.content_type.clone()));
        }
        let (mut url, mut body) = (request.url.clone(), request.body.clone());
        if let (Some(auth), Some(secret)) = (&self.service.auth, &self.secret) {
            let stand_in = self.stand_in().unwrap_or_default();
            match &auth.place {
                AuthPlace::Header(name) => headers.push((name.clone(), secret.clone())),
                AuthPlace::Basic => {
                    let encoded = base64::engine::general_purpose::STANDARD.encode(secret);
                    headers.push(("Authorization".to_owned(), format!("Basic {encoded}")));
                }
                AuthPlace::Query(_) => url = url.replace(&stand_in, &encoded(secret)),
                AuthPlace::Form(_) => body = body.replace(&stand_in, &encoded(secret)),
            }
        }
        let time_out = match is_first {
            true => self.declaration.first_time_out,
            false => self.declaration.time_out,
        };
        let method = request.method.clone();
        let sent = self.client.send(&HttpRequest { method, url, headers, body, time_out });
        let mut answer = sent.map_err(|failure| self.redacted_failure(failure))?;
        // A server may repeat what it was sent.
        answer.body = self.redacted(&answer.body);
        Ok(answer)
    }

    fn read(
        &self,
        _: &[LinkTask<'_>],
        request: &WireRequest,
        answer: &WireAnswer,
    ) -> Vec<Result<LinkAnswer, LinkFailure>> {
        vec![self.read_one(request, answer)]
    }
}

impl ServiceLinker {
    /// A text in which the secret stands as the name of its variable, however it was encoded.
    fn redacted(&self, text: &str) -> String {
        let (Some(secret), Some(stand_in)) = (&self.secret, self.stand_in()) else {
            return text.to_owned();
        };
        let base64 = base64::engine::general_purpose::STANDARD.encode(secret);
        let json = Value::String(secret.clone()).to_string();
        let forms = [secret.clone(), encoded(secret), base64, json.trim_matches('"').to_owned()];
        forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), &stand_in))
    }

    fn redacted_failure(&self, failure: LinkFailure) -> LinkFailure {
        LinkFailure { message: self.redacted(&failure.message), ..failure }
    }

    fn read_one(
        &self,
        request: &WireRequest,
        answer: &WireAnswer,
    ) -> Result<LinkAnswer, LinkFailure> {
        if let Some(failure) = failure_of(answer) {
            return Err(failure);
        }
        if matches!(self.service.body, Body::Nif) {
            return crate::nif::read(&request.body, &answer.body);
        }
        let malformed = |message: String| LinkFailure::new(FailureKind::Malformed, message);
        let value: Value = serde_json::from_str(&answer.body).map_err(|error| {
            malformed(format!(
                "the answer is no JSON: {error}; it begins {}",
                beginning(&answer.body)
            ))
        })?;
        let root = Found::root(&value);
        let told = &self.service.answer;
        if let Some(error) = told.error.as_ref().and_then(|path| path.one(&root)) {
            let message = format!("the service says: {}", beginning(&text_of(error)));
            return Err(LinkFailure::new(FailureKind::Refused(answer.status), message));
        }
        let found = told.each.all(&root);
        if found.is_empty() && told.required && !is_there(&told.each, &value) {
            return Err(malformed(format!(
                "the answer has no list of mentions; it begins {}",
                beginning(&answer.body)
            )));
        }
        if found.len() > MOST_MENTIONS {
            return Err(malformed(format!("the answer has {} mentions", found.len())));
        }
        let mentions = found.iter().map(|found| mention_of(told, found, self.declaration.info.end));
        let mentions = mentions.collect::<Result<Vec<_>, _>>()?;
        let server_ms = told.server_ms.as_ref().and_then(|path| path.one(&root)).and_then(number);
        Ok(LinkAnswer {
            mentions: mentions.into_iter().flatten().collect(),
            server_ms,
            ..LinkAnswer::default()
        })
    }
}

/// Whether the list is there at all, if it is empty.
fn is_there(each: &JsonPath, value: &Value) -> bool {
    // A path to a list ends with going through it; without that it leads to the list.
    let whole = each.without_last_list();
    whole.is_none_or(|path| path.one(&Found::root(value)).is_some())
}

/// What the status of an answer says of it.
fn failure_of(answer: &WireAnswer) -> Option<LinkFailure> {
    let kind = match answer.status {
        200..=299 => return None,
        413 => FailureKind::TooLong,
        429 => FailureKind::Limited,
        status => FailureKind::Refused(status),
    };
    let wait = answer.headers.get("retry-after").or(answer.headers.get("ratelimit-reset"));
    let wait = wait
        .and_then(|text| text.trim().parse().ok())
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let message = format!("status {}: {}", answer.status, beginning(&answer.body));
    Some(LinkFailure::new(kind, message).after(wait))
}

/// The beginning of an answer, in one line.
fn beginning(text: &str) -> String {
    let plain = text.chars().map(|one| if one.is_control() { ' ' } else { one });
    let shown: String = plain.take(120).collect();
    format!("`{}`", shown.trim())
}

fn mention_of(
    told: &Answer,
    found: &Found<'_>,
    end: End,
) -> Result<Option<AnsweredMention>, LinkFailure> {
    let malformed = |what: &str| {
        let message = format!(
            "a mention has no `{what}` that is a number: {}",
            beginning(&found.value.to_string())
        );
        LinkFailure::new(FailureKind::Malformed, message)
    };
    let surface = told.surface.as_ref().and_then(|path| path.one(found)).map(text_of);
    let offset = |path: &Option<JsonPath>, what: &str| match path {
        None => Ok(None),
        Some(path) => {
            let number = path.one(found).and_then(number);
            let whole =
                number.filter(|number| *number >= 0.0 && number.fract() == 0.0 && *number < 4e9);
            whole.map(|number| Some(number as u64)).ok_or_else(|| malformed(what))
        }
    };
    let start = offset(&told.start, "start")?;
    let length = match (told.is_length_of_surface, &surface) {
        (true, Some(surface)) => Some(surface_length(told, surface)),
        _ => offset(&told.length, "length")?,
    };
    let last = offset(&told.end, "end")?;
    let at = match (start, last, length) {
        (Some(start), Some(end), _) => Some((start, end)),
        (Some(start), None, Some(length)) => {
            Some((start, (start + length).saturating_sub(u64::from(end == End::Inclusive))))
        }
        _ => None,
    };
    let id = told.id.one(found).map(text_of).filter(|id| !id.trim().is_empty());
    let link = match (id, told.without_id) {
        (Some(id), _) if told.nil.contains(&id) => AnsweredLink::Nil,
        (Some(id), _) => AnsweredLink::To(id),
        (None, WithoutId::Skip) => return Ok(None),
        (None, WithoutId::Nil) => AnsweredLink::Nil,
        (None, WithoutId::NoAnswer) => AnsweredLink::NoAnswer,
    };
    let types = told.types.as_ref().map(|path| path.all(found)).unwrap_or_default();
    let types = types.iter().flat_map(|found| match found.value {
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Null => Vec::new(),
        one => vec![text_of(one)],
    });
    Ok(Some(AnsweredMention {
        at,
        surface,
        link,
        confidence: told.confidence.as_ref().and_then(|path| path.one(found)).and_then(number),
        types: types.filter(|name| !name.is_empty()).collect(),
        candidates: Vec::new(),
    }))
}

/// How long a surface is in the unit of the service.
fn surface_length(told: &Answer, surface: &str) -> u64 {
    crate::texts::measure(surface, told.unit)
}

/// A number, or a text that is one.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::Hint;

    #[test]
    fn only_this_machine_is_told_a_secret_without_encryption() {
        for url in
            ["http://localhost:5/", "http://127.0.0.1/", "http://[::1]:5/", "https://example.org/"]
        {
            assert!(is_confidential(url), "{url}");
        }
        for url in
            ["http://127.0.0.1.evil.example/", "http://127.evil.example/", "http://example.org/"]
        {
            assert!(!is_confidential(url), "{url}");
        }
    }

    #[test]
    fn an_address_with_a_secret_in_it_is_refused_without_repeating_it() {
        let refused = |url: &str| check_address(url, url).unwrap_err();
        assert_eq!(
            refused("https://example.org/?key=${KEY}").hint,
            Some(Hint::from("put it in [auth] with query"))
        );
        let error = refused("https://ada:sk-1@example.org/");
        assert!(
            !error.message.contains("sk-1") && error.hint.unwrap().to_string().contains("basic")
        );
        assert!(check_address("${URL:-http://localhost/?a=1}", "http://localhost/?a=1").is_ok());
    }
}
