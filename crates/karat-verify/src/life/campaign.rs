//! The life of a campaign:
//! draft, calibrating, open, paused, closing, adjudicating, closed, archived.

use super::{Millis, Refused};
use crate::plan::ControlPool;
use serde::{Deserialize, Serialize};

/// Where a campaign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CampaignState {
    /// It is being made.
    Draft,
    /// Invited people try it.
    Calibrating,
    /// Tasks are given out.
    Open,
    /// No new leases; what is leased may be submitted.
    Paused,
    /// No new leases, for good; the last ones end.
    Closing,
    /// Disputes are decided.
    Adjudicating,
    /// Results are frozen.
    Closed,
    /// Kept for the record.
    Archived,
}

/// Why a campaign was paused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PauseReason {
    /// An organiser said so, for this reason.
    Organiser(String),
    /// The budget is spent.
    Budget,
    /// More than one in five of the last fifty assignments failed their controls.
    FailedControls,
}

/// What happens to a campaign, with the facts that decide whether it may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum CampaignEvent {
    /// Invited people begin.
    Calibrate {
        /// Texts that were built.
        texts: usize,
        /// Whether there are guidelines and a consent text.
        has_texts_for_people: bool,
        /// The confirmed controls.
        controls: ControlPool,
        /// Whether the organiser does without controls, said aloud.
        no_controls: bool,
    },
    /// Everybody may begin.
    Open {
        /// People who judged the calibration.
        people: usize,
        /// Items that all of them judged.
        items: usize,
        /// Whether the organiser skips calibration.
        skip: bool,
    },
    /// No new leases for now.
    Pause(PauseReason),
    /// Go on after a pause.
    Resume {
        /// Where the campaign was when it was paused: it goes on there and nowhere else.
        paused_in: CampaignState,
    },
    /// No new leases, for good.
    Close {
        /// Whether every slot is done.
        all_done: bool,
        /// Whether the organiser says so.
        said: bool,
    },
    /// The last leases have ended.
    Adjudicate {
        /// Leases that are still alive.
        live_leases: usize,
    },
    /// Disputes are decided.
    Settle {
        /// Disputes that are left.
        disputes: usize,
        /// Whether the rest is accepted as unresolved.
        accept_rest: bool,
    },
    /// Kept for the record.
    Archive,
}

/// What a store has to do about it. Every step is in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CampaignEffect {
    /// Settings no longer change; their digest goes to the audit log.
    FreezeSettings,
    /// No new leases.
    StopLeases,
    /// Outcomes are computed, and disputes queued.
    ComputeOutcomes,
    /// Results no longer change; their digest goes to the audit log, and patches are made.
    FreezeResults,
}

impl CampaignState {
    /// Whether tasks are given out.
    pub fn leases(self) -> bool {
        matches!(self, CampaignState::Calibrating | CampaignState::Open)
    }

    /// Whether answers are taken.
    pub fn takes_answers(self) -> bool {
        self.leases() || matches!(self, CampaignState::Paused | CampaignState::Closing)
    }

    /// What becomes of a campaign.
    pub fn step(
        self,
        event: CampaignEvent,
        _now: Millis,
    ) -> Result<(CampaignState, Vec<CampaignEffect>), Refused> {
        use CampaignEffect::{ComputeOutcomes, FreezeResults, FreezeSettings, StopLeases};
        use CampaignState::{
            Adjudicating, Archived, Calibrating, Closed, Closing, Draft, Open, Paused,
        };
        match (self, event) {
            (
                Draft,
                CampaignEvent::Calibrate { texts, has_texts_for_people, controls, no_controls },
            ) => {
                meet(texts > 0, "there are no texts yet")?;
                meet(has_texts_for_people, "guidelines and consent are empty")?;
                let enough = no_controls || controls.least() >= 3;
                meet(
                    enough,
                    "three confirmed controls of each kind are needed, or none on purpose",
                )?;
                Ok((Calibrating, Vec::new()))
            }
            (Calibrating, CampaignEvent::Open { people, items, skip }) => {
                let calibrated = skip || people >= 2 && items >= 30;
                meet(calibrated, "two people must have judged the same thirty items")?;
                Ok((Open, vec![FreezeSettings]))
            }
            (Open, CampaignEvent::Close { all_done, said })
            | (Paused, CampaignEvent::Close { all_done, said }) => {
                meet(all_done || said, "some tasks are not judged yet")?;
                Ok((Closing, vec![StopLeases]))
            }
            (Closing, CampaignEvent::Adjudicate { live_leases }) => {
                meet(live_leases == 0, "some people are still at work")?;
                Ok((Adjudicating, vec![ComputeOutcomes]))
            }
            (Adjudicating, CampaignEvent::Settle { disputes, accept_rest }) => {
                meet(disputes == 0 || accept_rest, "some disputes are not decided yet")?;
                Ok((Closed, vec![FreezeResults]))
            }
            (Closed, CampaignEvent::Archive) => Ok((Archived, Vec::new())),
            (Paused, CampaignEvent::Resume { paused_in }) => {
                let could_be_paused =
                    matches!(paused_in, Calibrating | Open | Closing | Adjudicating | Closed);
                meet(could_be_paused, "nobody knows where it was paused")?;
                Ok((paused_in, Vec::new()))
            }
            // Only what is open is paused by itself; an organiser may go back from anywhere with a reason.
            (Open, CampaignEvent::Pause(_)) => Ok((Paused, vec![StopLeases])),
            (
                Calibrating | Closing | Adjudicating | Closed,
                CampaignEvent::Pause(PauseReason::Organiser(why)),
            ) => {
                meet(!why.trim().is_empty(), "a reason is needed")?;
                Ok((Paused, vec![StopLeases]))
            }
            _ => Err(Refused::NotFrom(self.name().to_owned())),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            CampaignState::Draft => "draft",
            CampaignState::Calibrating => "calibrating",
            CampaignState::Open => "open",
            CampaignState::Paused => "paused",
            CampaignState::Closing => "closing",
            CampaignState::Adjudicating => "adjudicating",
            CampaignState::Closed => "closed",
            CampaignState::Archived => "archived",
        }
    }
}

fn meet(condition: bool, otherwise: &str) -> Result<(), Refused> {
    if condition { Ok(()) } else { Err(Refused::Unmet(otherwise.to_owned())) }
}

/// Whether a campaign pauses by itself: of the last fifty assignments with controls, more than one in five failed.
pub(crate) fn too_many_failed(passed: &[bool]) -> bool {
    let last = &passed[passed.len().saturating_sub(50)..];
    let failed = last.iter().filter(|&&passed| !passed).count();
    last.len() == 50 && failed * 5 > last.len()
}

impl PauseReason {
    /// Whether a campaign has to pause by itself, from what was spent of the budget and how the last assignments did on
    /// their controls, oldest first.
    pub fn by_itself(spent: f64, budget: Option<f64>, passed: &[bool]) -> Option<PauseReason> {
        if budget.is_some_and(|budget| spent >= budget) {
            Some(PauseReason::Budget)
        } else {
            too_many_failed(passed).then_some(PauseReason::FailedControls)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_life() {
        let controls = ControlPool { right: 3, corrupted: 3, no_entity: 3 };
        let events = [
            CampaignEvent::Calibrate {
                texts: 5,
                has_texts_for_people: true,
                controls,
                no_controls: false,
            },
            CampaignEvent::Open { people: 2, items: 30, skip: false },
            CampaignEvent::Pause(PauseReason::Budget),
            CampaignEvent::Resume { paused_in: CampaignState::Open },
            CampaignEvent::Close { all_done: true, said: false },
            CampaignEvent::Adjudicate { live_leases: 0 },
            CampaignEvent::Settle { disputes: 2, accept_rest: true },
            CampaignEvent::Archive,
        ];
        let mut state = CampaignState::Draft;
        for event in events {
            state = state.step(event, 0).expect("allowed").0;
        }
        assert_eq!(state, CampaignState::Archived);
        let pause = CampaignEvent::Pause(PauseReason::Organiser("late".into()));
        assert!(state.step(pause, 0).is_err());
    }

    #[test]
    fn it_goes_on_where_it_was_paused() {
        use CampaignState::{Adjudicating, Archived, Calibrating, Closed, Closing, Draft, Open};
        for state in [Calibrating, Open, Closing, Adjudicating, Closed] {
            let pause = CampaignEvent::Pause(PauseReason::Organiser("a question".into()));
            let paused = state.step(pause, 0).expect("may be paused").0;
            let back = paused.step(CampaignEvent::Resume { paused_in: state }, 0);
            assert_eq!(back, Ok((state, Vec::new())));
        }
        for state in [Draft, CampaignState::Paused, Archived] {
            let resume = CampaignEvent::Resume { paused_in: state };
            assert!(CampaignState::Paused.step(resume, 0).is_err());
        }
    }

    #[test]
    fn guards_say_what_is_missing() {
        let controls = ControlPool { right: 9, corrupted: 2, no_entity: 9 };
        let event = |no_controls| CampaignEvent::Calibrate {
            texts: 5,
            has_texts_for_people: true,
            controls,
            no_controls,
        };
        let refused = CampaignState::Draft.step(event(false), 0).expect_err("too few");
        assert!(refused.to_string().starts_with("three confirmed controls"), "{refused}");
        assert!(CampaignState::Draft.step(event(true), 0).is_ok());
        let open = CampaignEvent::Open { people: 2, items: 29, skip: false };
        assert!(CampaignState::Calibrating.step(open, 0).is_err());
    }

    #[test]
    fn it_pauses_by_itself() {
        let mut passed = vec![true; 60];
        assert_eq!(PauseReason::by_itself(1.0, Some(2.0), &passed), None);
        passed[49..].fill(false);
        assert_eq!(PauseReason::by_itself(1.0, None, &passed), Some(PauseReason::FailedControls));
        assert_eq!(PauseReason::by_itself(2.0, Some(2.0), &[]), Some(PauseReason::Budget));
    }
}
