//! The results of a campaign: answer.

use super::tables;
use crate::request::{Answer, record};
use karat_model::Notice;
use karat_report::{Deferred, Report, ReportSection};
use karat_verify::agreement::{PairAgreement, QuestionAgreement};
use karat_verify::quality::PersonQuality;
use karat_verify::results::CampaignResults;
use serde::{Deserialize, Serialize};

/// What a campaign says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerifyReportAnswer {
    /// The version of karat.
    pub karat: String,
    /// The source that is the gold standard.
    #[serde(default)]
    pub gold: Option<String>,
    /// Rates, precision and recall, what gold lacks.
    pub results: CampaignResults,
    /// How sources did against gold before anything was verified.
    pub before: Vec<BeforeRecord>,
    /// How far people agree.
    pub agreement: Vec<QuestionAgreement>,
    /// Cohen's kappa of pairs of people.
    pub pairs: Vec<PairAgreement>,
    /// What is to be known of people.
    pub people: Vec<PersonQuality>,
    /// What a reader of the numbers has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// Precision and recall of a source against gold, before verification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeforeRecord {
    /// The source.
    pub source: String,
    /// Same span and entity.
    pub strong_precision: Option<f64>,
    /// Its interval of 95 percent, from drawing documents again.
    #[serde(default)]
    pub precision_interval: Option<[f64; 2]>,
    /// Same span and entity.
    pub strong_recall: Option<f64>,
    /// Its interval of 95 percent, from drawing documents again.
    #[serde(default)]
    pub recall_interval: Option<[f64; 2]>,
    /// Overlapping spans with the same entity.
    pub weak_precision: Option<f64>,
    /// Overlapping spans with the same entity.
    pub weak_recall: Option<f64>,
}

impl Answer for VerifyReportAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let results = &self.results;
        let mut sections = vec![
            ReportSection::new("Verification", Deferred::by(|| tables::verification(results))),
            ReportSection::new("Before and after", Deferred::by(|| tables::before_and_after(self))),
            ReportSection::unless_empty(
                "Against gold",
                Deferred::by(|| tables::relations(results)),
            ),
            ReportSection::unless_empty(
                "Agreement",
                Deferred::by(|| tables::agreement(&self.agreement)),
            ),
            ReportSection::unless_empty(
                "Pairs of people",
                Deferred::by(|| tables::pairs(&self.pairs)),
            ),
            ReportSection::unless_empty("People", Deferred::by(|| tables::people(&self.people))),
        ];
        sections[0].remarks = tables::remarks(results);
        Report {
            title: Some(format!("Verification, preset {}", results.preset)),
            sections,
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}
