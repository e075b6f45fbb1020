//! One number and what is behind it: the counts, the formula, the interval and the definition.

use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::request::{Answer, Request, record};
use crate::scoring::EvaluationRequest;
use crate::scoring::answer::MeasureRecord;
use crate::work::Work;
use karat_measures::{Name, definition};
use karat_model::{Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};

/// Asks what is behind one score of one system on one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NumberRequest {
    /// One gold standard and one system.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// The score, as `link.precision`; a measure stands for its F1.
    pub score: String,
}

impl Default for NumberRequest {
    fn default() -> NumberRequest {
        NumberRequest {
            inputs: Inputs::default(),
            convention: ConventionRequest::default(),
            score: "link".to_owned(),
        }
    }
}

/// What is behind a number.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces the number.
    pub signature: String,
    /// The system.
    pub system: String,
    /// The benchmark.
    pub benchmark: String,
    /// How many documents the benchmark has.
    pub documents: usize,
    /// The measure, as it was asked for.
    pub measure: String,
    /// The score of it.
    pub score: String,
    /// Whether it is the mean over documents.
    #[serde(rename = "macro")]
    pub mean: bool,
    /// The number; `None` if it is not defined.
    pub value: Option<f64>,
    /// Why it is not defined, where it is not that it would divide by nothing.
    pub remark: Option<String>,
    /// How it is made of the counts, as `2·64 / (2·64 + 5 + 60)`, where it is made of them alone.
    pub formula: Option<String>,
    /// Over how many documents it is a mean.
    pub averaged: Option<usize>,
    /// The counts.
    pub counts: Vec<CountRecord>,
    /// Where the number may lie.
    pub ci: Option<[f64; 2]>,
    /// How the interval was made.
    pub drawn: Option<DrawnRecord>,
    /// What the measure is, in a sentence.
    pub summary: String,
    /// More about it: headings with their texts.
    pub definition: Vec<(String, String)>,
    /// What a reader of the number has to know.
    pub notices: Vec<Notice>,
}

/// A count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountRecord {
    /// What it counts: `tp`, `fp`, `fn`.
    pub name: String,
    /// How many there are; `None` if that is not known.
    pub value: Option<f64>,
    /// The conditions that list these cases, where they can be listed.
    pub cases: Option<String>,
}

/// How an interval was made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DrawnRecord {
    /// How often documents were drawn again.
    pub trials: usize,
    /// The random seed.
    pub seed: u64,
    /// How sure the interval is, in percent.
    pub level: f64,
}

impl NumberRequest {
    /// The request for the scores of which this is one.
    pub fn evaluation(&self) -> EvaluationRequest {
        EvaluationRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            measures: vec![self.score.clone()],
            ..EvaluationRequest::default()
        }
    }
}

impl Request for NumberRequest {
    type Answer = NumberAnswer;

    const NAME: &'static str = "number";

    fn answer(&self, work: &Work) -> Result<NumberAnswer, Error> {
        let request = self.evaluation();
        let scoring = request.scoring(work, &mut Vec::new())?;
        let answer = request.answer(work)?;
        let ([system], [shown, ..]) = (answer.systems.as_slice(), answer.shown.as_slice()) else {
            return Err(Error::bad_request(
                "a number is one of one system on one benchmark",
                Hint::template("give one {gold} and one {system}"),
            ));
        };
        let Some(measure) = system.measures.get(shown.measure) else {
            return Err(Error::bad_request(
                format!("`{}` gives no score", self.score),
                "ask for a measure or a score of it, as link or link.precision",
            ));
        };
        let first = || measure.scores.first().map(|(name, _)| name.as_str()).unwrap_or_default();
        let usual = if measure.score("f1").is_some() { "f1" } else { first() };
        let score = shown.score.as_deref().unwrap_or(usual);
        let mean = measure.mean.as_ref().filter(|_| shown.mean);
        let value = match (mean, shown.mean) {
            (Some(mean), _) => mean.score(score).flatten(),
            (None, true) => None,
            (None, false) => measure.score(score).flatten(),
        };
        let ci = mean.map_or(&measure.ci, |mean| &mean.ci).get(score).copied();
        let drawn = scoring.bootstrap.filter(|_| ci.is_some()).map(|drawn| DrawnRecord {
            trials: drawn.trials,
            seed: drawn.seed,
            level: drawn.level,
        });
        let about = About::of(&measure.measure);
        Ok(NumberAnswer {
            karat: answer.karat.clone(),
            signature: answer.gold.signature.clone(),
            system: system.name.clone(),
            benchmark: system.benchmark.clone(),
            documents: answer.gold.documents,
            measure: measure.name.clone(),
            score: score.to_owned(),
            mean: shown.mean,
            value,
            remark: measure.remark.clone(),
            formula: value.filter(|_| !shown.mean).and_then(|value| formula(measure, score, value)),
            averaged: mean.and_then(|mean| mean.documents.get(score).copied()),
            counts: counts(measure),
            ci,
            drawn,
            summary: about.summary,
            definition: about.sections,
            notices: answer.notices.clone(),
        })
    }

    fn commands(&self) -> Vec<CommandLine> {
        self.evaluation().commands()
    }
}

impl NumberAnswer {
    /// What tables call the number: `link F1`, `mention precision`, `link macro F1`.
    pub fn title(&self) -> String {
        let score = if self.score == "f1" { "F1" } else { &self.score };
        let mean = if self.mean { "macro " } else { "" };
        format!("{} {mean}{score}", self.measure)
    }
}

impl Answer for NumberAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let table = || {
            let mut table = Table::new([Column::text("name"), Column::exact("value")]);
            table.row([Cell::from(self.title()), Cell::from(self.value)]);
            for count in &self.counts {
                table.row([Cell::from(count.name.as_str()), Cell::from(count.value)]);
            }
            if let Some([low, high]) = self.ci {
                table.row([Cell::from("low"), Cell::from(low)]);
                table.row([Cell::from("high"), Cell::from(high)]);
            }
            table
        };
        Report {
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::of(Deferred::by(table))
        }
    }
}

/// The counts, as they are called everywhere: what is right counts once where both sides agree on it.
fn counts(measure: &MeasureRecord) -> Vec<CountRecord> {
    let known = |name: &str| measure.count(name).flatten();
    let agree = known("ptp").is_some() && known("ptp") == known("rtp");
    let counted = measure.counts.iter().filter(|(name, _)| !(agree && name == "rtp"));
    counted
        .map(|(name, value)| {
            let name = if agree && name == "ptp" { "tp" } else { name.as_str() };
            CountRecord {
                name: name.to_owned(),
                value: *value,
                cases: cases_of(&measure.measure, name).map(str::to_owned),
            }
        })
        .collect()
}

/// The conditions that list the cases of a count. Only links are judged case by case.
fn cases_of(measure: &str, count: &str) -> Option<&'static str> {
    match (measure, count) {
        ("link", "tp") => Some("error=\"correct link\""),
        ("link", "fp") => Some("error=wrong-link,extra,nil-as-link -predicted=NIL"),
        ("link", "fn") => Some("error=wrong-link,missing,link-as-nil -gold=NIL"),
        _ => None,
    }
}

/// How a score is made of the counts; nothing where it is made of something else.
fn formula(measure: &MeasureRecord, score: &str, value: f64) -> Option<String> {
    let count = |name: &str| measure.count(name).flatten();
    let (right, of_gold) = (count("ptp")?, count("rtp")?);
    let (extra, missed) = (count("fp")?, count("fn")?);
    if right != of_gold {
        return None;
    }
    let (text, made) = match score {
        "precision" => (format!("{right} / ({right} + {extra})"), right / (right + extra)),
        "recall" => (format!("{right} / ({right} + {missed})"), right / (right + missed)),
        "f1" => (
            format!("2·{right} / (2·{right} + {extra} + {missed})"),
            2.0 * right / (2.0 * right + extra + missed),
        ),
        _ => return None,
    };
    ((made - value).abs() < 1e-9).then_some(text)
}

/// What the head of a measure's file says.
struct About {
    summary: String,
    sections: Vec<(String, String)>,
}

/// The headings under which measures are described.
const HEADINGS: [&str; 5] = ["What it is", "Formula", "Example", "Source", "Pitfalls"];

impl About {
    fn of(measure: &str) -> About {
        let family = Name::parse(measure).map(|name| name.family).unwrap_or_default();
        let Some(found) = definition(&family) else {
            return About { summary: String::new(), sections: Vec::new() };
        };
        let mut sections: Vec<(String, String)> = Vec::new();
        for line in found.documentation().lines().skip(1) {
            let heading = HEADINGS.iter().find_map(|heading| {
                let text = line.strip_prefix(heading)?.strip_prefix(':')?;
                Some(((*heading).to_owned(), text.trim().to_owned()))
            });
            match (heading, sections.last_mut()) {
                (Some(section), _) => sections.push(section),
                (None, Some((_, text))) if !line.trim().is_empty() => {
                    text.push(' ');
                    text.push_str(line.trim());
                }
                _ => {}
            }
        }
        About { summary: found.summary(), sections }
    }
}
