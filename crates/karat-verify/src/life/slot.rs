//! A slot: the place of one judgement of a task. A task with k slots is judged k times, by construction.

use super::{Millis, Refused};
use serde::{Deserialize, Serialize};

/// Where a slot is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum SlotState {
    /// Free. The token of a lease that ended stays until somebody else gets the task: who comes late still counts.
    Open {
        /// Who had it, and with which token.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last: Option<(u64, String)>,
    },
    /// Somebody works on it.
    Leased {
        /// Who.
        worker: u64,
        /// What proves it.
        token: String,
        /// Until when.
        expires: Millis,
    },
    /// Judged.
    Done {
        /// By whom.
        worker: u64,
        /// With which token.
        token: String,
    },
    /// Taken out: the person was excluded. Another slot took its place.
    Void {
        /// Who had judged it, and with which token; `None` if nobody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        judged: Option<(u64, String)>,
    },
}

/// What happens to a slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum SlotEvent {
    /// Somebody is given the task.
    Lease {
        /// Who.
        worker: u64,
        /// A token that nobody can guess.
        token: String,
        /// For how long.
        lasts: Millis,
    },
    /// The person is still there.
    Heartbeat {
        /// The token of the lease.
        token: String,
        /// For how long from now.
        lasts: Millis,
    },
    /// Time has passed.
    Tick,
    /// Answers came.
    Submit {
        /// The token of the lease.
        token: String,
        /// How many items have no answer.
        missing: usize,
    },
    /// The person is excluded.
    Exclude {
        /// Who.
        worker: u64,
    },
    /// The exclusion is taken back.
    Restore {
        /// Whether somebody else has judged in the place of this slot.
        replaced: bool,
    },
}

/// What a store has to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlotEffect {
    /// The person sees the items now: nobody gets an item twice.
    WriteExposures,
    /// The answers count; those of an earlier revision no longer do.
    Count,
    /// The answers are kept and paid for, and do not count.
    KeepAsSurplus,
    /// Answers that counted no longer do.
    Uncount,
    /// Answers count again.
    CountAgain,
    /// The task gets a new slot.
    AddSlot,
    /// The slot that took the place of this one is taken out.
    VoidReplacement,
}

impl SlotState {
    /// A new slot.
    pub const NEW: SlotState = SlotState::Open { last: None };

    /// What becomes of a slot.
    pub fn step(
        &self,
        event: SlotEvent,
        now: Millis,
    ) -> Result<(SlotState, Vec<SlotEffect>), Refused> {
        match event {
            SlotEvent::Lease { worker, token, lasts } => {
                self.lease(worker, token, now + lasts, now)
            }
            SlotEvent::Heartbeat { token, lasts } => self.extend(&token, now + lasts),
            SlotEvent::Tick => Ok((self.after(now), Vec::new())),
            SlotEvent::Submit { token, missing } => self.submit(token, missing),
            SlotEvent::Exclude { worker } => Ok(self.exclude(worker)),
            SlotEvent::Restore { replaced } => self.restore(replaced),
        }
    }

    /// The name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            SlotState::Open { .. } => "open",
            SlotState::Leased { .. } => "leased",
            SlotState::Done { .. } => "done",
            SlotState::Void { .. } => "void",
        }
    }

    fn refuse<T>(&self) -> Result<T, Refused> {
        Err(Refused::NotFrom(self.name().to_owned()))
    }

    /// A lease ends when its time is over; its token stays.
    fn after(&self, now: Millis) -> SlotState {
        match self {
            SlotState::Leased { worker, token, expires } if *expires < now => {
                SlotState::Open { last: Some((*worker, token.clone())) }
            }
            other => other.clone(),
        }
    }

    fn lease(
        &self,
        worker: u64,
        token: String,
        expires: Millis,
        now: Millis,
    ) -> Result<(SlotState, Vec<SlotEffect>), Refused> {
        match self.after(now) {
            SlotState::Open { .. } => {
                let leased = SlotState::Leased { worker, token, expires };
                Ok((leased, vec![SlotEffect::WriteExposures]))
            }
            // The same again: asking twice changes nothing.
            leased @ SlotState::Leased { worker: holder, .. } if holder == worker => {
                Ok((leased, Vec::new()))
            }
            other => other.refuse(),
        }
    }

    fn extend(
        &self,
        token: &str,
        expires: Millis,
    ) -> Result<(SlotState, Vec<SlotEffect>), Refused> {
        match self {
            SlotState::Leased { worker, token: held, .. } if held == token => {
                let leased = SlotState::Leased { worker: *worker, token: held.clone(), expires };
                Ok((leased, Vec::new()))
            }
            // The lease ended, and nobody else has the task: it goes on.
            SlotState::Open { last: Some((worker, held)) } if held == token => {
                let leased = SlotState::Leased { worker: *worker, token: held.clone(), expires };
                Ok((leased, Vec::new()))
            }
            _ => Err(Refused::LeaseLost),
        }
    }

    fn submit(
        &self,
        token: String,
        missing: usize,
    ) -> Result<(SlotState, Vec<SlotEffect>), Refused> {
        if missing > 0 {
            return Err(Refused::Incomplete(missing));
        }
        let holder = match self {
            SlotState::Leased { worker, token: held, .. }
            | SlotState::Done { worker, token: held }
            | SlotState::Open { last: Some((worker, held)) }
                if *held == token =>
            {
                Some(*worker)
            }
            _ => None,
        };
        Ok(match holder {
            Some(worker) => (SlotState::Done { worker, token }, vec![SlotEffect::Count]),
            None => (self.clone(), vec![SlotEffect::KeepAsSurplus]),
        })
    }

    fn exclude(&self, excluded: u64) -> (SlotState, Vec<SlotEffect>) {
        match self {
            SlotState::Done { worker, token } if *worker == excluded => {
                let judged = Some((*worker, token.clone()));
                (SlotState::Void { judged }, vec![SlotEffect::Uncount, SlotEffect::AddSlot])
            }
            // Without its token the lease is over at once, and what still comes is surplus.
            SlotState::Leased { worker, .. } if *worker == excluded => (SlotState::NEW, Vec::new()),
            SlotState::Open { last: Some((worker, _)) } if *worker == excluded => {
                (SlotState::NEW, Vec::new())
            }
            other => (other.clone(), Vec::new()),
        }
    }

    fn restore(&self, replaced: bool) -> Result<(SlotState, Vec<SlotEffect>), Refused> {
        match self {
            SlotState::Void { judged: Some(_) } if replaced => {
                Ok((self.clone(), vec![SlotEffect::KeepAsSurplus]))
            }
            SlotState::Void { judged: Some((worker, token)) } => {
                let done = SlotState::Done { worker: *worker, token: token.clone() };
                Ok((done, vec![SlotEffect::CountAgain, SlotEffect::VoidReplacement]))
            }
            other => other.refuse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lease(worker: u64) -> SlotEvent {
        SlotEvent::Lease { worker, token: format!("t{worker}"), lasts: 100 }
    }

    fn submit(worker: u64) -> SlotEvent {
        SlotEvent::Submit { token: format!("t{worker}"), missing: 0 }
    }

    /// Steps through events at their times and gives the last effects.
    #[track_caller]
    fn run(events: Vec<(SlotEvent, Millis)>) -> (SlotState, Vec<SlotEffect>) {
        let mut at = (SlotState::NEW, Vec::new());
        for (event, now) in events {
            at = at.0.step(event, now).expect("allowed");
        }
        at
    }

    #[test]
    fn who_comes_late_counts_unless_somebody_else_has_the_task() {
        let (state, effects) = run(vec![(lease(1), 0), (SlotEvent::Tick, 101), (submit(1), 500)]);
        assert_eq!((state.name(), effects), ("done", vec![SlotEffect::Count]));

        let events = vec![(lease(1), 0), (SlotEvent::Tick, 101), (lease(2), 102), (submit(1), 103)];
        let (state, effects) = run(events);
        assert_eq!((state.name(), effects), ("leased", vec![SlotEffect::KeepAsSurplus]));
    }

    #[test]
    fn a_task_is_answered_whole() {
        let (state, _) = run(vec![(lease(1), 0)]);
        let some = SlotEvent::Submit { token: "t1".into(), missing: 2 };
        assert_eq!(state.step(some, 1), Err(Refused::Incomplete(2)));
    }

    #[test]
    fn a_lease_is_not_given_twice_and_asking_again_changes_nothing() {
        let (state, _) = run(vec![(lease(1), 0)]);
        assert_eq!(state.step(lease(2), 50), Err(Refused::NotFrom("leased".into())));
        assert_eq!(state.step(lease(1), 50), Ok((state.clone(), Vec::new())));
    }

    #[test]
    fn an_exclusion_opens_a_new_place_and_can_be_taken_back() {
        let (state, effects) =
            run(vec![(lease(1), 0), (submit(1), 1), (SlotEvent::Exclude { worker: 1 }, 2)]);
        assert_eq!(effects, [SlotEffect::Uncount, SlotEffect::AddSlot]);
        let (back, effects) =
            state.step(SlotEvent::Restore { replaced: false }, 3).expect("allowed");
        assert_eq!(back.name(), "done");
        assert_eq!(effects, [SlotEffect::CountAgain, SlotEffect::VoidReplacement]);
        let (gone, effects) =
            state.step(SlotEvent::Restore { replaced: true }, 3).expect("allowed");
        assert_eq!((gone.name(), effects), ("void", vec![SlotEffect::KeepAsSurplus]));
    }

    #[test]
    fn a_heartbeat_keeps_a_lease() {
        let beat = SlotEvent::Heartbeat { token: "t1".into(), lasts: 100 };
        let (state, _) = run(vec![(lease(1), 0), (beat.clone(), 90), (SlotEvent::Tick, 150)]);
        assert_eq!(state.name(), "leased");
        let (state, _) = run(vec![(lease(1), 0), (SlotEvent::Tick, 101), (lease(2), 102)]);
        assert_eq!(state.step(beat, 103), Err(Refused::LeaseLost));
    }

    /// Something that may happen, of two people with two leases each.
    fn any_event() -> impl Strategy<Value = SlotEvent> {
        let worker = || 1_u64..3;
        let token = || prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned);
        prop_oneof![
            (worker(), token()).prop_map(|(worker, token)| SlotEvent::Lease {
                worker,
                token,
                lasts: 100
            }),
            token().prop_map(|token| SlotEvent::Heartbeat { token, lasts: 100 }),
            Just(SlotEvent::Tick),
            (token(), 0_usize..2).prop_map(|(token, missing)| SlotEvent::Submit { token, missing }),
            worker().prop_map(|worker| SlotEvent::Exclude { worker }),
            any::<bool>().prop_map(|replaced| SlotEvent::Restore { replaced }),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_answers_count_exactly_while_a_slot_is_done(events in prop::collection::vec((any_event(), 0_u64..80), 0..200)) {
            let (mut state, mut now, mut counts) = (SlotState::NEW, 0, false);
            for (event, later) in events {
                now += later;
                let Ok((next, effects)) = state.step(event, now) else { continue };
                for effect in effects {
                    match effect {
                        SlotEffect::Count | SlotEffect::CountAgain => counts = true,
                        SlotEffect::Uncount => counts = false,
                        SlotEffect::KeepAsSurplus => prop_assert_eq!(&next, &state),
                        SlotEffect::WriteExposures | SlotEffect::AddSlot | SlotEffect::VoidReplacement => {}
                    }
                }
                prop_assert_eq!(counts, next.name() == "done");
                if let SlotState::Leased { expires, .. } = &next {
                    prop_assert!(*expires <= now + 100);
                }
                state = next;
            }
        }
    }
}
