//! Reading a patch.

use super::change::{GoldChange, PatchAction, Piece};
use super::content::{GoldAnswer, GoldContent, GoldField, span_of};
use super::shape::ShapeError;
use super::{DIGEST, GoldPatch, PatchBase, VERSION, merge};
use karat_model::{Digest, OffsetUnit, Span};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// What is wrong with a patch, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PatchProblem {
    /// Which bytes of the text are meant.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What can be done.
    pub hint: Option<String>,
}

type Object = Map<String, Value>;

/// Reads a patch. Lines may be in any order and may stand twice, as version control leaves them that puts two
/// branches together.
pub fn read(text: &str) -> Result<GoldPatch, PatchProblem> {
    let mut header: Option<GoldPatch> = None;
    let mut changes = Vec::new();
    for line in text.split_inclusive('\n') {
        // Both point into the same text.
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            continue;
        }
        let located = |fault: Fault| fault.located(at, line);
        let object = parse(line).map_err(located)?;
        if object.contains_key("goldpatch") {
            let found = head(&object).map_err(located)?;
            header = Some(match header.take() {
                None => found,
                Some(first) => merge::headers(&first, &found)
                    .map_err(|error| located(Fault::new(error.to_string(), BASES)))?,
            });
        } else {
            changes.push(change(&object).map_err(located)?);
        }
    }
    let mut patch = header.ok_or_else(|| {
        let first = text.lines().next().unwrap_or_default();
        Fault::new("no line says which gold standard this is for", HEADER).located(0, first)
    })?;
    patch.changes = changes;
    patch.settle();
    Ok(patch)
}

const HEADER: &str = "a patch begins with a line such as {\"goldpatch\":1,\"name\":\"spring\",\"base\":{\"name\":\"aida-testb\"}}";
const BASES: &str =
    "two patches for different editions are first brought to one with `karat gold rebase`";
const LINE: &str = "a change has `document`, `span` and one of `set`, `add` and `remove`; docs/gold-patches.md lists all keys";

/// What is wrong within a line.
struct Fault {
    message: String,
    hint: Option<String>,
    /// The key that is meant; the whole line without one.
    key: Option<String>,
    /// The byte of the line, where JSON itself is wrong.
    byte: Option<usize>,
}

impl Fault {
    fn new(message: impl Into<String>, hint: &str) -> Fault {
        Fault { message: message.into(), hint: Some(hint.to_owned()), key: None, byte: None }
    }

    fn at_key(key: &str, message: impl Into<String>) -> Fault {
        Fault { key: Some(key.to_owned()), ..Fault::new(message, LINE) }
    }

    fn located(self, line_at: usize, line: &str) -> PatchProblem {
        let place = match (self.byte, &self.key) {
            (Some(byte), _) => {
                let mut byte = byte.min(line.len());
                while !line.is_char_boundary(byte) {
                    byte -= 1;
                }
                let letter = line[byte..].chars().next();
                byte..byte + letter.map_or(0, char::len_utf8)
            }
            (None, Some(key)) => {
                let quoted = format!("{}", Value::String(key.clone()));
                let found = line.find(&quoted).map(|start| start..start + quoted.len());
                found.unwrap_or(0..line.len())
            }
            (None, None) => 0..line.len(),
        };
        let at = line_at + place.start..line_at + place.end;
        PatchProblem { at, message: self.message, hint: self.hint }
    }
}

fn parse(line: &str) -> Result<Object, Fault> {
    if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker)) {
        let hint = "keep the lines of both sides and take the markers out, or put the two files together with `karat gold merge`; \
                    `*.goldpatch.jsonl merge=union` in .gitattributes does so from the start";
        return Err(Fault::new("version control left the mark of a conflict here", hint));
    }
    match serde_json::from_str(line) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Fault::new("this line is no JSON object", LINE)),
        Err(error) => {
            // serde appends the place, which is told in another way here.
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(it, _)| it);
            let byte = Some(error.column().saturating_sub(1));
            Err(Fault { byte, ..Fault::new(format!("this line is no JSON: {message}"), LINE) })
        }
    }
}

/// The value of a key that is a string.
fn text(object: &Object, key: &str) -> Result<Option<String>, Fault> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(Fault::at_key(key, format!("`{key}` is a text that is not empty"))),
    }
}

fn known(object: &Object, keys: &[&str], what: &str) -> Result<(), Fault> {
    let unknown = object.keys().find(|key| !keys.contains(&key.as_str()));
    match unknown {
        Some(key) => {
            let meant = karat_model::closest(key, keys.iter().copied());
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            Err(Fault::at_key(key, format!("{what} has no key `{key}`{meant}")))
        }
        None => Ok(()),
    }
}

fn digest(object: &Object, key: &str) -> Result<Option<Digest>, Fault> {
    let Some(written) = text(object, key)? else { return Ok(None) };
    let digits = written.strip_prefix(DIGEST).and_then(|digits| digits.parse().ok());
    let wrong = || Fault::at_key(key, format!("`{key}` is `{DIGEST}` and 64 hexadecimal digits"));
    digits.map(Some).ok_or_else(wrong)
}

fn head(object: &Object) -> Result<GoldPatch, Fault> {
    if object.get("goldpatch").and_then(Value::as_u64) != Some(VERSION) {
        let message = format!("this karat reads gold patches of version {VERSION} only");
        return Err(Fault::at_key("goldpatch", message));
    }
    let keys = ["goldpatch", "name", "base", "kb", "by", "licence", "result"];
    known(object, &keys, "the first line")?;
    let base = match object.get("base") {
        None => PatchBase::default(),
        Some(Value::Object(base)) => {
            known(base, &["name", "annotations", "texts", "short", "unit"], "`base`")?;
            let unit = base.get("unit").cloned().unwrap_or_else(|| "code-points".into());
            let unit: OffsetUnit = serde_json::from_value(unit).map_err(|_| {
                Fault::at_key("unit", "`unit` is tokens, bytes, utf16 or code-points")
            })?;
            PatchBase {
                name: text(base, "name")?,
                annotations: digest(base, "annotations")?,
                texts: digest(base, "texts")?,
                short: text(base, "short")?,
                unit,
            }
        }
        Some(_) => return Err(Fault::at_key("base", "`base` is an object")),
    };
    Ok(GoldPatch {
        name: text(object, "name")?,
        base,
        kb: text(object, "kb")?,
        by: text(object, "by")?,
        licence: text(object, "licence")?,
        result: digest(object, "result")?,
        changes: Vec::new(),
    })
}

const CHANGE_KEYS: [&str; 15] = [
    "id", "document", "span", "link", "nil", "words", "check", "set", "add", "remove", "why",
    "note", "from", "open", "refused",
];

fn change(object: &Object) -> Result<GoldChange, Fault> {
    known(object, &CHANGE_KEYS, "a change")?;
    let document = text(object, "document")?
        .ok_or_else(|| Fault::new("this change does not say which document it is of", LINE))?;
    let span = object.get("span").unwrap_or(&Value::Null);
    let span = span_of(span).map_err(|error| Fault::at_key("span", error.to_string()))?;
    let action = action(object, span)?;
    let answer = address(object, &action)?;
    let (from, refused, open) = origin(object)?;
    let change = GoldChange {
        document,
        span,
        answer,
        words: text_as_it_is(object, "words")?,
        check: check(object)?,
        action,
        why: text(object, "why")?,
        note: text(object, "note")?,
        from,
        refused,
        open,
    };
    if let Some(id) = text(object, "id")?
        && id != change.id()
    {
        let message = format!(
            "the id of this change is `{}`, not `{id}`: it was edited by hand",
            change.id()
        );
        let hint = "take `id` out, and karat works it out";
        return Err(Fault { hint: Some(hint.to_owned()), ..Fault::at_key("id", message) });
    }
    Ok(change)
}

/// Words may be white space.
fn text_as_it_is(object: &Object, key: &str) -> Result<Option<String>, Fault> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Fault::at_key(key, format!("`{key}` is a text"))),
    }
}

fn check(object: &Object) -> Result<Option<String>, Fault> {
    let check = text(object, "check")?;
    let is_digits = |text: &str| {
        text.len() == 8 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
    };
    match check {
        Some(check) if !is_digits(&check) => {
            Err(Fault::at_key("check", "`check` is eight hexadecimal digits"))
        }
        check => Ok(check),
    }
}

type Origin = (Vec<Value>, Option<Value>, BTreeSet<String>);

fn origin(object: &Object) -> Result<Origin, Fault> {
    let from = match object.get("from") {
        None => Vec::new(),
        Some(Value::Array(all)) if all.iter().all(Value::is_object) => all.clone(),
        Some(one) if one.is_object() => vec![one.clone()],
        Some(_) => return Err(Fault::at_key("from", "`from` is an object, or a list of objects")),
    };
    let refused = match object.get("refused") {
        None => None,
        Some(refused) if refused.is_object() => Some(refused.clone()),
        Some(_) => {
            return Err(Fault::at_key("refused", "`refused` is an object with `who` and `why`"));
        }
    };
    let open = match object.get("open") {
        None => BTreeSet::new(),
        Some(open) => serde_json::from_value(open.clone())
            .map_err(|_| Fault::at_key("open", "`open` is a list of the ids of other changes"))?,
    };
    Ok((from, refused, open))
}

fn action(object: &Object, span: Span) -> Result<PatchAction, Fault> {
    let given: Vec<&str> =
        ["set", "add", "remove"].into_iter().filter(|key| object.contains_key(*key)).collect();
    let [key] = given.as_slice() else {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        let message =
            format!("a change has exactly one of `set`, `add` and `remove`; this has {found}");
        return Err(Fault::new(message, LINE));
    };
    let wrong = |error: ShapeError| Fault::at_key(key, error.to_string());
    let what =
        object[*key].as_object().ok_or_else(|| wrong(ShapeError::Action((*key).to_owned())))?;
    match *key {
        "set" => set(what, span).map(PatchAction::Set).map_err(wrong),
        "add" => piece(what, span).map(PatchAction::Add).map_err(wrong),
        _ => piece(what, span).map(PatchAction::Remove).map_err(wrong),
    }
}

fn set(fields: &Object, span: Span) -> Result<Vec<(GoldField, Value, Value)>, ShapeError> {
    let mut set = Vec::new();
    for (key, value) in fields {
        let field = GoldField::named(key).ok_or_else(|| ShapeError::Field(key.clone()))?;
        let pair = value.as_array().map(Vec::as_slice);
        let Some([old, new]) = pair else {
            return Err(ShapeError::Pair(key.clone()));
        };
        // Read and written again, so that one value has one spelling.
        let settled = |value: &Value| {
            let mut content = GoldContent::default();
            content.put(field, value).map(|()| content.value(field))
        };
        let (old, new) = (settled(old)?, settled(new)?);
        if old == new {
            return Err(ShapeError::Same(key.clone()));
        }
        if field == GoldField::Span && span_of(&old)? != span {
            return Err(ShapeError::OldSpan);
        }
        set.push((field, old, new));
    }
    set.sort_by_key(|(field, ..)| *field);
    let is_both = |at: fn(&(GoldField, Value, Value)) -> &Value| {
        let said = |field| set.iter().any(|it| it.0 == field && !at(it).is_null());
        said(GoldField::Link) && said(GoldField::Nil)
    };
    match () {
        () if set.is_empty() => Err(ShapeError::NothingSet),
        () if is_both(|it| &it.1) || is_both(|it| &it.2) => Err(ShapeError::LinkAndNil),
        () => Ok(set),
    }
}

fn piece(what: &Object, span: Span) -> Result<Piece, ShapeError> {
    if what.contains_key("span") {
        return Err(ShapeError::SpanInPiece);
    }
    let content = GoldContent::of_entries(span, what, 0)?;
    let copy = match what.get("copy") {
        None => None,
        Some(copy) => {
            let copy = copy.as_u64().and_then(|copy| u32::try_from(copy).ok()).filter(|&it| it > 0);
            Some(copy.ok_or(ShapeError::Copy)?)
        }
    };
    let Some(place) = what.get("part_of") else {
        if what.contains_key("with") {
            return Err(ShapeError::WithAlone);
        }
        return Ok(Piece::Mention { content, copy });
    };
    let place = place.as_object().ok_or(ShapeError::PartOf)?;
    if let Some(key) = place.keys().find(|key| !["span", "link", "nil"].contains(&key.as_str())) {
        return Err(ShapeError::PartOfKey(key.clone()));
    }
    if copy.is_some() {
        return Err(ShapeError::CopyOfReading);
    }
    let of = span_of(place.get("span").unwrap_or(&Value::Null))?;
    let answer = GoldContent::of_entries(of, place, 0)?.answer;
    let mut parts = vec![content];
    if let Some(with) = what.get("with") {
        let with = with.as_array().ok_or(ShapeError::With)?;
        for part in with {
            parts.push(GoldContent::of_object(part, 1)?);
        }
    }
    let first = parts[0].clone();
    parts.sort_unstable();
    if parts[0] != first {
        return Err(ShapeError::FirstPart);
    }
    Ok(Piece::Reading { of, answer, parts })
}

/// What the mention meant before the change.
fn address(object: &Object, action: &PatchAction) -> Result<GoldAnswer, Fault> {
    let fields = ["link", "nil"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), object.get(key)?.clone())));
    let fields: Object = fields.collect();
    let set = match action {
        PatchAction::Set(set) => set,
        PatchAction::Add(piece) | PatchAction::Remove(piece) => {
            if let Some((key, _)) = fields.iter().next() {
                let message = format!("`{key}` stands in `{}` here", action.name());
                return Err(Fault::at_key(key, message));
            }
            return Ok(piece.first().map(|content| content.answer.clone()).unwrap_or_default());
        }
    };
    let old = |field: GoldField| set.iter().find(|(it, ..)| *it == field).map(|(_, old, _)| old);
    let mut content = GoldContent::of_entries(Span::default(), &fields, 0)
        .map_err(|error| Fault::at_key("link", error.to_string()))?;
    for field in [GoldField::Link, GoldField::Nil] {
        if let Some(value) = old(field) {
            if fields.contains_key("link") || fields.contains_key("nil") {
                let message = "the old link stands in `set` already";
                return Err(Fault::at_key("link", message));
            }
            content.put(field, value).map_err(|error| Fault::at_key("set", error.to_string()))?;
        }
    }
    Ok(content.answer)
}
