//! Verification of gold and systems by people: results of campaigns from files, and campaigns with simulated people.
//!
//! What campaigns are made of is in [`karat_verify`]; here are the requests about them.

mod answer;
mod before;
mod corrections;
mod create;
mod exchange;
mod expert;
mod judgements;
mod plots;
mod report;
mod simulate;
mod simulated;
mod tables;

pub use karat_verify::patch;

pub use answer::{BeforeRecord, VerifyReportAnswer};
pub use corrections::VerifyPatchRequest;
pub use create::{BuiltCampaign, CampaignRequest, GOLD_SOURCE};
pub use exchange::{
    CampaignExport, CampaignRecords, DecisionRecord, ExportedFile, ORIGINAL_TABLES, PersonRecord,
    original_tables, provenance,
};
pub use judgements::{JudgementFile, JudgementRow};
pub use plots::{before_and_after, outcome_shares};
pub use report::VerifyReportRequest;
pub use simulate::{DesignRecord, SimulateAnswer, SimulateRequest};
pub use simulated::{SimulatedPerson, answers_of_gold};
