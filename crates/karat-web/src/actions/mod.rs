//! What forms change, one file each.

mod boards;
mod campaigns;
mod job;
mod sample;
mod suspicions;
mod things;

pub(crate) use boards::{ChangeBoardView, PublishBoard, SaveBoard};
pub(crate) use campaigns::{
    AddCampaign, ChangeCampaign, ChangeControls, ChangePerson, DecideByRule, DecideItem, EndLink,
    StepCampaign, WriteText,
};
pub(crate) use job::CancelJob;
pub(crate) use sample::TakeSample;
pub(crate) use suspicions::{JudgeSuspicion, SuspectCases};
pub(crate) use things::{ChangeThing, RemoveThing, RestoreThing, kind_named};
