//! The form of a task: how its fields are called, and what it says.
//!
//! A field is called after what it says and the number of its item: `action.17`. Browsers send it without scripts, and the script sends the same.

use karat::campaigns::{JudgementReason, LinkTarget, VerifyAction};
use karat_store::{AnswerFlag, ItemAnswer, TaskAnswers};
use std::collections::BTreeMap;

/// The fields of a form, by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields(Vec<(String, String)>);

/// What was filled in for one item, whole or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Filled {
    /// The action, as its word.
    pub(super) action: String,
    /// Which link is meant: `nil`, `none` or `other`.
    pub(super) which: String,
    /// The other link.
    pub(super) link: String,
    /// What was looked for.
    pub(super) search: String,
    pub(super) reason: String,
    pub(super) sure: String,
    pub(super) note: String,
    /// What the script has measured, as JSON.
    pub(super) times: String,
}

/// What was measured while somebody judged an item.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Times {
    active: u32,
    total: u32,
    changes: u32,
    searches: u32,
}

/// Something that is missing in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanting {
    pub(super) item: i64,
    pub(super) what: NoAnswer,
}

/// Why a correction was made, with the words that people choose from.
pub(super) const REASONS: [(JudgementReason, &str, &str); 5] = [
    (JudgementReason::WrongEntity, "wrong-entity", "another entity is meant"),
    (JudgementReason::TooGeneral, "too-general", "the entity is too general"),
    (JudgementReason::TooSpecific, "too-specific", "the entity is too specific"),
    (JudgementReason::NotAnEntity, "not-an-entity", "the words name nothing"),
    (JudgementReason::BadSpan, "bad-span", "too many or too few words are marked"),
];

/// What can be said of a text.
pub(super) const FLAGS: [(&str, &str); 3] = [
    ("missing-mention", "a mention is missing"),
    ("bad-text", "the text is broken"),
    ("other", "something else"),
];

/// No field of words is longer, in characters.
const LONGEST: usize = 2000;

impl Fields {
    pub(super) fn new(fields: Vec<(String, String)>) -> Fields {
        Fields(fields)
    }

    pub(super) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    }

    fn of(&self, what: &str, item: i64) -> String {
        self.get(&format!("{what}.{item}")).chars().take(LONGEST).collect()
    }

    /// What was filled in for an item.
    pub(super) fn filled(&self, item: i64) -> Filled {
        Filled {
            action: self.of("action", item),
            which: self.of("which", item),
            link: self.of("link", item),
            search: self.of("search", item),
            reason: self.of("reason", item),
            sure: self.of("sure", item),
            note: self.of("note", item),
            times: self.of("times", item),
        }
    }

    /// The items of the form: each has a field for its times, whatever was answered.
    pub(super) fn items(&self) -> Vec<i64> {
        let numbers = self.0.iter().filter_map(|(name, _)| name.strip_prefix("times."));
        numbers.filter_map(|number| number.parse().ok()).collect()
    }

    /// The answers of a task, if the form is whole.
    pub(super) fn answers(&self, items: &[i64]) -> Result<TaskAnswers, Vec<Wanting>> {
        let (mut answers, mut wanting) = (Vec::new(), Vec::new());
        for &item in items {
            match self.filled(item).answer(item) {
                Ok(answer) => answers.push(answer),
                Err(what) => wanting.push(Wanting { item, what }),
            }
        }
        match wanting.is_empty() {
            true => Ok(TaskAnswers { answers, flags: self.flags() }),
            false => Err(wanting),
        }
    }

    fn flags(&self) -> Vec<AnswerFlag> {
        let kind = self.get("flag");
        let comment: String = self.get("flag-note").chars().take(LONGEST).collect();
        let known = FLAGS.iter().find(|(name, _)| *name == kind);
        let kind = match (known, comment.is_empty()) {
            (Some((kind, _)), _) => kind,
            (None, false) => "other",
            (None, true) => return Vec::new(),
        };
        vec![AnswerFlag { kind: kind.to_owned(), span: None, link: None, comment }]
    }
}

/// What is missing in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoAnswer {
    #[error("choose one of the four answers")]
    Action,
    #[error("say which link is right, or that you find no better one")]
    Link,
}

impl Filled {
    /// What was answered before, to be shown again.
    pub(super) fn from_answer(answer: &ItemAnswer) -> Filled {
        let (which, link) = match (&answer.action, &answer.link) {
            (VerifyAction::Modify, None) => ("none", String::new()),
            (VerifyAction::Modify, Some(LinkTarget::Nil)) => ("nil", String::new()),
            (VerifyAction::Modify, Some(LinkTarget::Entity(id))) => ("other", id.clone()),
            _ => ("", String::new()),
        };
        let reason = REASONS.iter().find(|(reason, ..)| Some(*reason) == answer.reason);
        Filled {
            action: answer.action.to_string(),
            which: which.to_owned(),
            link,
            reason: reason.map(|(_, name, _)| (*name).to_owned()).unwrap_or_default(),
            sure: answer.confidence.map(|sure| sure.to_string()).unwrap_or_default(),
            note: answer.comment.clone(),
            ..Filled::default()
        }
    }

    fn answer(&self, item: i64) -> Result<ItemAnswer, NoAnswer> {
        let action: VerifyAction = self.action.parse().map_err(|_| NoAnswer::Action)?;
        let link = match (action, self.which.as_str()) {
            (VerifyAction::Modify, "nil") => Some(LinkTarget::Nil),
            (VerifyAction::Modify, "none") => None,
            (VerifyAction::Modify, "other" | "") if !self.link.is_empty() => {
                Some(LinkTarget::from(entity_id(&self.link)))
            }
            (VerifyAction::Modify, _) => {
                return Err(NoAnswer::Link);
            }
            _ => None,
        };
        let times: Times = serde_json::from_str(&self.times).unwrap_or_default();
        let measured = |value: u32| (!self.times.is_empty()).then_some(value);
        let reason = REASONS.iter().find(|(_, name, _)| *name == self.reason);
        let wrong = matches!(action, VerifyAction::Modify | VerifyAction::Remove);
        Ok(ItemAnswer {
            link,
            reason: reason.map(|(reason, ..)| *reason).filter(|_| wrong),
            confidence: self.sure.parse().ok().filter(|sure| (1..=3).contains(sure)),
            comment: self.note.clone(),
            active_ms: measured(times.active),
            total_ms: measured(times.total),
            changes: measured(times.changes),
            searches: measured(times.searches),
            ..ItemAnswer::new(item, action)
        })
    }
}

/// The id that somebody typed or pasted: the address of a page of Wikidata or Wikipedia is the id or title at its end.
pub(crate) fn entity_id(text: &str) -> String {
    let text = text.trim();
    let Some((_, rest)) = text.split_once("://") else { return text.to_owned() };
    let Some((host, path)) = rest.split_once('/') else { return text.to_owned() };
    let host = host.trim_start_matches("www.").replace(".m.", ".");
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_wikidata = host == "wikidata.org" || host == "m.wikidata.org";
    let last = path.rsplit('/').next().unwrap_or_default();
    match path.strip_prefix("wiki/") {
        Some(_) if is_wikidata => last.to_owned(),
        Some(title) if host.ends_with("wikipedia.org") => {
            let title = percent_encoding::percent_decode_str(title).decode_utf8_lossy();
            title.replace('_', " ")
        }
        _ if is_wikidata && path.starts_with("entity/") => last.to_owned(),
        _ => text.to_owned(),
    }
}

/// What is known of each item of a task, from an answer that was stored.
pub(super) fn stored(answers: Option<&TaskAnswers>) -> BTreeMap<i64, Filled> {
    let answers = answers.map(|answers| answers.answers.as_slice()).unwrap_or_default();
    answers.iter().map(|answer| (answer.item, Filled::from_answer(answer))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        Fields(pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect())
    }

    #[test]
    fn a_whole_form_is_a_whole_answer() {
        let form = fields(&[
            ("action.1", "verify"),
            ("link.1", "left over"),
            ("action.2", "modify"),
            ("which.2", "other"),
            ("link.2", "https://www.wikidata.org/wiki/Q142"),
            ("reason.2", "too-general"),
            ("sure.2", "3"),
            ("times.2", "{\"active\":900,\"total\":1000,\"changes\":1,\"searches\":2}"),
            ("action.3", "modify"),
            ("which.3", "none"),
            ("action.4", "modify"),
            ("which.4", "nil"),
            ("action.5", "skip"),
            ("flag", "missing-mention"),
            ("flag-note", "the king"),
        ]);
        let answers = form.answers(&[1, 2, 3, 4, 5]).expect("whole");
        let links: Vec<Option<String>> =
            answers.answers.iter().map(|it| it.link.clone().map(String::from)).collect();
        let expected = [None, Some("Q142"), None, Some("NIL"), None];
        assert_eq!(links, expected.map(|it| it.map(str::to_owned)));
        assert_eq!(answers.answers[1].active_ms, Some(900));
        assert_eq!(answers.answers[1].reason, Some(JudgementReason::TooGeneral));
        assert_eq!(answers.answers[0].active_ms, None);
        assert_eq!(answers.flags[0].kind, "missing-mention");
        // What was stored fills the form again.
        let again = stored(Some(&answers));
        assert_eq!((again[&2].which.as_str(), again[&2].link.as_str()), ("other", "Q142"));
        assert_eq!(again[&3].which, "none");
    }

    #[test]
    fn what_is_missing_is_named_and_nothing_is_guessed() {
        let form = fields(&[("action.1", "modify"), ("action.2", "perhaps")]);
        let wanting = form.answers(&[1, 2, 3]).expect_err("not whole");
        assert_eq!(wanting.iter().map(|it| it.item).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(wanting[0].what, NoAnswer::Link);
    }

    #[test]
    fn pasted_addresses_are_ids() {
        for (text, id) in [
            (" Q90 ", "Q90"),
            ("https://www.wikidata.org/wiki/Q90#sitelinks", "Q90"),
            ("http://wikidata.org/entity/Q90", "Q90"),
            ("https://en.m.wikipedia.org/wiki/Paris_Hilton?x=1", "Paris Hilton"),
            ("https://en.wikipedia.org/wiki/Caf%C3%A9", "Café"),
            ("http://dbpedia.org/resource/Paris", "http://dbpedia.org/resource/Paris"),
            ("Paris", "Paris"),
        ] {
            assert_eq!(entity_id(text), id);
        }
    }
}
