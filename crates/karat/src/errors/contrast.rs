//! What two systems do differently, as records.

use super::answer::{ErrorsAnswer, FoundErrors};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Gold mentions that at least one of two systems gets wrong. The second is seen from the first: what it alone gets right is
/// won, what the first alone gets right is lost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// How many are won.
    pub won: usize,
    /// How many are lost.
    pub lost: usize,
    /// How many both get wrong.
    pub both_wrong: usize,
    /// The same by the category of the error, the most frequent first.
    pub categories: Vec<ContrastCategory>,
    /// The mentions.
    pub cases: Vec<ContrastCase>,
}

/// Who is right about a mention that not both are right about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContrastSide {
    /// Only the second system.
    Won,
    /// Only the first.
    Lost,
    /// Neither.
    Both,
}

/// Mentions with errors of one category.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContrastCategory {
    /// The category; empty where it is not known.
    pub category: String,
    /// How many are won.
    pub won: usize,
    /// How many are lost.
    pub lost: usize,
    /// How many both get wrong.
    pub both_wrong: usize,
}

/// A gold mention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContrastCase {
    /// Who is right.
    pub side: ContrastSide,
    /// The category of the error: of the one that is wrong, or of the second.
    pub category: String,
    /// The document.
    pub document: String,
    /// Where the mention is.
    pub span: [u64; 2],
    /// The text of the mention.
    pub mention: String,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// What gold says.
    pub gold: SaidEntity,
    /// What both systems say.
    pub answers: [SaidEntity; 2],
}

/// What somebody says of a mention.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidEntity {
    /// The entity; `None` for NIL, and where nothing is said.
    pub entity: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Whether it is right.
    pub is_right: bool,
}

impl ContrastSide {
    /// All of them.
    pub const ALL: [ContrastSide; 3] = [ContrastSide::Won, ContrastSide::Lost, ContrastSide::Both];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            ContrastSide::Won => "won",
            ContrastSide::Lost => "lost",
            ContrastSide::Both => "both",
        }
    }
}

impl ErrorsAnswer {
    /// What two systems do differently, if that was asked.
    pub fn contrast(&self) -> Option<Contrast> {
        let FoundErrors::Rows(table) = &self.found else { return None };
        let mut contrast = Contrast::default();
        // Made from the record, not from the corpora, so that an answer that was kept can be
        // contrasted too.
        for (at, row) in table.rows().enumerate() {
            let case = ContrastCase::of(table.details(at)?, document(table, row))?;
            contrast.count(&case);
            contrast.cases.push(case);
        }
        contrast.categories.sort_by(|a, b| {
            let all = |it: &ContrastCategory| it.won + it.lost + it.both_wrong;
            all(b).cmp(&all(a)).then_with(|| a.category.cmp(&b.category))
        });
        Some(contrast)
    }
}

impl Contrast {
    fn count(&mut self, case: &ContrastCase) {
        let place = self.categories.iter().position(|it| it.category == case.category);
        let place = place.unwrap_or_else(|| {
            let category = case.category.clone();
            self.categories.push(ContrastCategory { category, ..ContrastCategory::default() });
            self.categories.len() - 1
        });
        let category = &mut self.categories[place];
        let (all, of_category) = match case.side {
            ContrastSide::Won => (&mut self.won, &mut category.won),
            ContrastSide::Lost => (&mut self.lost, &mut category.lost),
            ContrastSide::Both => (&mut self.both_wrong, &mut category.both_wrong),
        };
        *all += 1;
        *of_category += 1;
    }
}

fn document(table: &karat_report::Table, row: &[karat_report::Cell]) -> String {
    let place = table.columns().iter().position(|column| column.name == "document");
    match place.and_then(|place| row.get(place)) {
        Some(karat_report::Cell::Text(name)) => name.clone(),
        _ => String::new(),
    }
}

impl ContrastCase {
    fn of(details: &Map<String, Value>, document: String) -> Option<ContrastCase> {
        let text = |key: &str| details.get(key).and_then(Value::as_str).unwrap_or_default();
        let answers = details.get("answers")?.as_array()?;
        let [first, second] = answers.as_slice() else { return None };
        let said = [first, second].map(SaidEntity::of);
        let side = match said.each_ref().map(|said| said.is_right) {
            [false, true] => ContrastSide::Won,
            [true, false] => ContrastSide::Lost,
            _ => ContrastSide::Both,
        };
        // Where both are wrong, the second system is the one that is looked at.
        let wrong = if side == ContrastSide::Won { first } else { second };
        let category = wrong.get("categories").and_then(|all| all.get(0)).and_then(Value::as_str);
        let span = details.get("span")?.as_array()?;
        let end = |at: usize| span.get(at).and_then(Value::as_u64);
        let entity = details.get("gold_entity").and_then(Value::as_str).map(str::to_owned);
        let name = details.get("gold_name").and_then(Value::as_str).map(str::to_owned);
        Some(ContrastCase {
            side,
            category: category.unwrap_or_default().to_owned(),
            document,
            span: [end(0)?, end(1)?],
            mention: text("mention").to_owned(),
            before: text("before").to_owned(),
            after: text("after").to_owned(),
            gold: SaidEntity { entity, name, is_right: true },
            answers: said,
        })
    }
}

impl SaidEntity {
    fn of(answer: &Value) -> SaidEntity {
        let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
        SaidEntity {
            entity: text("prediction_entity"),
            name: text("prediction_name"),
            is_right: answer.get("is_right").and_then(Value::as_bool).unwrap_or(false),
        }
    }
}
