//! The mentions that a statistic of a benchmark counts, one by one.

use super::gold::GoldCorpus;
use super::groups::FIGURE;
use super::kinds;
use super::profile::{CASE, NOT_NAMED, POPULARITY, case, is_optional, popular_entities};
use super::surfaces::{Words, is_of_gold, surface_of};
use crate::error::Error;
use crate::errors::MentionAnswer;
use crate::inputs::InputRequest;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_measures::Signature;
use karat_model::{Corpus, Dimension, Hint, Mention, Notice, Span, TextIndex, literal};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};

/// Lists the gold mentions that have a label: those that [`super::CollectionStatsRequest`] counts.
///
/// ```
/// use karat::collection::MentionsRequest;
/// use karat::inputs::{InputRequest, Shelf};
/// use karat::request::Request;
/// use karat::work::Work;
/// use std::sync::Arc;
///
/// let mut shelf = Shelf::default();
/// shelf.add(karat::sample::experiment()?, Vec::new());
/// let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
/// let request = MentionsRequest {
///     gold: InputRequest::held("sample"),
///     property: "figure".to_owned(),
///     label: "NIL".to_owned(),
///     ..MentionsRequest::default()
/// };
/// let answer = request.answer(&work)?;
/// assert_eq!(answer.mentions.len(), answer.total);
/// assert!(answer.mentions.iter().all(|mention| mention.answer.entity.is_none()));
/// # Ok::<(), karat::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MentionsRequest {
    /// The benchmark.
    pub gold: InputRequest,
    /// The property, or `figure`.
    pub property: String,
    /// The label, or the name of the figure.
    pub label: String,
    /// How many are passed over.
    pub after: usize,
    /// How many are listed.
    pub limit: usize,
}

impl Default for MentionsRequest {
    fn default() -> MentionsRequest {
        let (gold, property, label) = Default::default();
        MentionsRequest { gold, property, label, after: 0, limit: 100 }
    }
}

/// The mentions that a statistic counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MentionsAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the list depends on.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The property, or `figure`.
    pub property: String,
    /// The label, or the name of the figure.
    pub label: String,
    /// How many there are.
    pub total: usize,
    /// How many were passed over.
    pub after: usize,
    /// Those that are listed.
    pub mentions: Vec<ListedMention>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// A gold mention with what stands around it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListedMention {
    /// The number of its document, from 1.
    pub number: usize,
    /// The document.
    pub document: String,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Its text; `None` where there is none.
    pub mention: Option<String>,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// The entity, or NIL.
    #[serde(flatten)]
    pub answer: MentionAnswer,
    /// Its types.
    pub types: Vec<String>,
    /// Its category tags.
    pub tags: Vec<String>,
    /// Whether it is a part of another reading of a mention.
    pub is_part: bool,
}

/// How many code points are shown on either side.
const AROUND: u32 = 60;

/// How many code points of a mention are shown.
const LONGEST: usize = 400;

/// The figures whose mentions can be listed: each counts mentions, not parts of their readings.
const FIGURES: [&str; 5] = ["mentions", "linked", "NIL", "without an answer", "optional"];

/// Whether the mentions behind a statistic can be listed.
pub(super) fn can_list(property: &str, label: &str) -> bool {
    match property {
        FIGURE => FIGURES.contains(&label),
        "type" | "tag" | "words" | CASE | POPULARITY => true,
        other => {
            kinds::PROPERTIES.contains(&other)
                || Dimension::ALL.iter().any(|dimension| dimension.key() == other)
        }
    }
}

impl Request for MentionsRequest {
    type Answer = MentionsAnswer;

    const NAME: &'static str = "mentions";

    fn answer(&self, work: &Work) -> Result<MentionsAnswer, Error> {
        if !can_list(&self.property, &self.label) {
            return Err(Error::bad_request(
                format!("the mentions of `{}={}` cannot be listed", self.property, self.label),
                Hint::from(
                    "name a property of mentions and one of its labels, as type=PER".to_owned(),
                ),
            ));
        }
        let mut told = Vec::new();
        let gold = GoldCorpus::one(&self.gold, work, &mut told)?;
        let mut signature = Signature::without_convention();
        signature.push("gold", &gold.signature());
        let mut listing = Listing {
            request: self,
            gold: &gold.corpus,
            total: 0,
            mentions: Vec::new(),
            text: None,
        };
        listing.all();
        let Listing { total, mentions, .. } = listing;
        work.check()?;
        Ok(MentionsAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: signature.to_string(),
            benchmark: gold.name,
            property: self.property.clone(),
            label: self.label.clone(),
            total,
            after: self.after,
            mentions,
            notices: told,
        })
    }
}

/// A list on its way.
struct Listing<'r, 'c> {
    request: &'r MentionsRequest,
    gold: &'c Corpus,
    total: usize,
    mentions: Vec<ListedMention>,
    /// The text of the document that was looked at last, by its place.
    text: Option<(usize, Option<TextIndex<'c>>)>,
}

impl<'c> Listing<'_, 'c> {
    fn all(&mut self) {
        let gold = self.gold;
        let (property, label) = (self.request.property.as_str(), self.request.label.as_str());
        if kinds::PROPERTIES.contains(&property) || (property, label) == (CASE, NOT_NAMED) {
            return kinds::each_with(gold, (property, label), |at, mention| self.add(at, mention));
        }
        let popular = match property {
            POPULARITY => popular_entities(gold, label),
            _ => Default::default(),
        };
        for (at, document) in gold.documents().enumerate() {
            let text = document.text_index();
            let words = Words::new(document.text());
            for mention in document.mentions().filter(is_of_gold) {
                let surface = surface_of(&mention, text.as_ref());
                let has = match property {
                    FIGURE => mention.place().is_none() && has_figure(&mention, label),
                    "type" => mention.types().any(|known| known == label),
                    "words" => surface.is_some_and(|it| words.of(it).to_string() == label),
                    CASE => surface.and_then(case) == Some(label),
                    POPULARITY => {
                        let entity = mention.entity().filter(|_| mention.place().is_none());
                        entity.is_some_and(|entity| popular.contains(entity))
                    }
                    // Tags, of all dimensions or of one.
                    _ => mention.tags().any(|known| known == label),
                };
                if has {
                    self.add(at, &mention);
                }
            }
        }
    }

    fn add(&mut self, at: usize, mention: &Mention<'_>) {
        self.total += 1;
        let is_listed = self.total > self.request.after && self.mentions.len() < self.request.limit;
        if !is_listed {
            return;
        }
        let document = mention.document();
        if self.text.as_ref().is_none_or(|(known, _)| *known != at) {
            let document = self.gold.document_at(at);
            self.text = Some((at, document.and_then(|document| document.text_index())));
        }
        let text = self.text.as_ref().and_then(|(_, text)| text.as_ref());
        let Span { start, end } = mention.span();
        let part = |from: u32, to: u32| {
            let slice = text.and_then(|text| text.slice(Span::new(from, to.min(text.len()))));
            slice.unwrap_or_default().to_owned()
        };
        let surface = surface_of(mention, text);
        self.mentions.push(ListedMention {
            number: at + 1,
            document: document.name().to_owned(),
            start,
            end,
            mention: surface.map(|it| it.chars().take(LONGEST).collect()),
            before: part(start.saturating_sub(AROUND), start),
            after: part(end, end.saturating_add(AROUND)),
            answer: MentionAnswer {
                entity: mention.entity().map(str::to_owned),
                name: None,
                literal: mention.types().find(|it| literal::is_literal(it)).map(str::to_owned),
            },
            types: mention.types().map(str::to_owned).collect(),
            tags: mention.tags().map(str::to_owned).collect(),
            is_part: mention.place().is_some(),
        });
    }
}

/// Whether a mention is counted by a figure.
fn has_figure(mention: &Mention<'_>, figure: &str) -> bool {
    let (is_nil, is_unlinked) = (mention.link().is_nil(), mention.link().is_none());
    match figure {
        "linked" => !is_nil && !is_unlinked,
        "NIL" => is_nil,
        "without an answer" => is_unlinked,
        "optional" => is_optional(mention),
        _ => true,
    }
}

impl Answer for MentionsAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let signatures = vec![self.signature.clone()];
        let report = Report::of(Deferred::by(|| self.table()));
        Report { record: Some(Deferred::by(|| record(self))), signatures, ..report }
    }
}

impl MentionsAnswer {
    fn table(&self) -> Table {
        let mut columns = vec![Column::text("document")];
        columns.extend(["start", "end"].map(Column::count));
        columns.extend(["before", "mention", "after", "gold", "types", "tags"].map(Column::text));
        let mut table = Table::new(columns);
        for mention in &self.mentions {
            table.row([
                Cell::from(mention.document.as_str()),
                Cell::from(mention.start as usize),
                Cell::from(mention.end as usize),
                Cell::from(mention.before.as_str()),
                Cell::from(mention.mention.as_deref()),
                Cell::from(mention.after.as_str()),
                Cell::from(mention.answer.to_string()),
                Cell::from(mention.types.join(" ")),
                Cell::from(mention.tags.join(" ")),
            ]);
        }
        table
    }
}
