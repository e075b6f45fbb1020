//! Benchmarks, runs, evaluations, jobs and people, in SQLite or PostgreSQL.
//!
//! This is the only crate that knows SQL. Everything above it asks a [`Store`] for typed records
//! and hands it typed records; nothing below it knows that there is a database. What evaluations
//! say is text and bytes here: the store keeps it and does not read it.
//!
//! # One text for both databases
//!
//! One schema and one SQL text, all of it written out in this crate, run on SQLite and on
//! PostgreSQL. A file suits one machine, a server suits many people; in memory nothing is kept.
//! What differs is in one file (`sql`). There is one file for each group of tables, and a new
//! group is a new file, a new migration and a new line in `schema`.
//!
//! # Acknowledged means kept
//!
//! A method that changes something is one transaction, with the note in the audit of who did it.
//! Where a caller needs several things at once there is one method for all of them:
//! [`Store::submit`] takes a file, a run and a job, [`Store::finish_job`] the end of a job and all
//! it brought. Jobs are given out by leases ([`Store::claim_job`]), so that a worker that dies
//! loses nothing, and requests can be done once even if they are sent twice
//! ([`Store::begin_once`]).
//!
//! # Content has a name
//!
//! Files are named by the SHA-256 of their bytes and written once ([`Store::keep_file`]). Corpora
//! and evaluations are named by digests that the caller makes of all they depend on. So nothing
//! ever has to be invalidated: what depends on something else has another name. What nobody refers
//! to or asks for is swept away ([`Store::sweep`]).
//!
//! # Secrets
//!
//! Passwords are Argon2id hashes that never leave the store. Of sessions, tokens and invitations
//! only digests are kept; the secret itself is given once.

mod address;
mod answers;
mod audit;
mod benchmarks;
mod boards;
mod campaigns;
mod catalogue;
mod cells;
mod comparisons;
mod conventions;
mod corpora;
mod error;
mod evaluations;
mod files;
mod frames;
mod grouped;
mod idempotency;
mod ids;
mod jobs;
mod keys;
mod listing;
mod numbers;
mod outcomes;
mod passwords;
mod people;
mod runs;
mod schema;
mod sessions;
mod sql;
mod store;
mod submissions;
mod suspicions;
mod sweep;
mod systems;
mod tokens;
mod trash;
mod words;

pub use address::StoreAddress;
pub use audit::{AuditCheck, AuditHead, AuditRow, By, Via};
pub use benchmarks::{
    BenchmarkChange, BenchmarkRow, DAILY_QUOTA, EditionRow, NewBenchmark, NewEdition,
};
pub use boards::{BoardChange, BoardEntry, NewBoard, StoredBoard};
pub use campaigns::{
    AnswerFlag, AssignmentPlan, AssignmentRow, CampaignArrival, CampaignChange, CampaignLinkRow,
    CampaignPageRow, CampaignPerson, CampaignProgress, CampaignRow, CampaignSlotRow, DecisionRow,
    Exclusion, ExternalId, FlagRow, Forgotten, ItemAnswer, ItemRow, KeyRow, KeyState, LeaseAnswer,
    LeasedItem, LeasedTask, NewCampaign, NewCampaignLink, NewDecision, NoLease, SlotCounts,
    StoredJudgement, StoredJudgements, SubmittedAnswers, TaskAnswers, TaskRow, TextRow, WorkerRow,
    WorkerState,
};
pub use catalogue::{CatalogueEdition, CatalogueRow};
pub use cells::{CellsWanted, StoredCell};
pub use comparisons::ComparisonRow;
pub use conventions::ConventionRow;
pub use corpora::{CorpusRow, CorpusSide, DocumentRow, NewCorpus, NewDocument};
pub use error::StoreError;
pub use evaluations::{
    EvaluationBody, EvaluationRow, EvaluationState, NewEvaluation, ScoreRow, ScoredUnder, TallyRow,
};
pub use files::{FileRow, FileWriter, PIECE, StagedFile};
pub use frames::{FrameWriter, FramedFile, PartPlace};
pub use idempotency::{ONCE_KEPT, Once, OnceBegun, OnceKey};
pub use ids::{new_id, sha256};
pub use jobs::{
    GoOn, JobLease, JobMark, JobProgress, JobRow, JobState, LEASE, MOST_ATTEMPTS, NewJob,
    QueueLimits, RENEWAL,
};
pub use keys::{KEY_VARIABLE, StoreKey};
pub use listing::{ListFrom, ListPage, MOST_ITEMS};
pub use outcomes::{CorpusOf, JobEnd, JobOutcome};
pub use people::{EVERYTHING, NewPerson, PersonRole, PersonRow, RightRow};
pub use runs::{NewRun, RunChange, RunFilter, RunRow};
pub use sessions::{SESSION_IDLE, SESSION_LIFE, SessionRow};
pub use store::{Clock, Store};
pub use submissions::{Submission, SubmissionKind, Submitted};
pub use suspicions::{NewSuspicion, SuspicionRow, SuspicionState};
pub use sweep::Swept;
pub use systems::{NewSystem, SystemChange, SystemRow};
pub use tokens::{InvitationRow, TOKEN_LIFE, TokenRow, is_token};
pub use trash::{Removable, TRASH, TrashRow};

pub(crate) use error::Result;
