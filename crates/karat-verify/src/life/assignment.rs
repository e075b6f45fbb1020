//! An assignment: what one person does in one go and is paid for.

use super::{Millis, Refused};
use serde::{Deserialize, Serialize};

/// Where an assignment is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum AssignmentState {
    /// The person reads what the work is and what is recorded. Nothing is stored before consent.
    Entered,
    /// The person practises and answers the comprehension check.
    Practising {
        /// How often the check was failed.
        failed: u32,
    },
    /// Tasks are given out.
    Working {
        /// Tasks that are done.
        done: usize,
        /// Tasks of the whole assignment.
        of: usize,
    },
    /// It is over.
    Ended {
        /// How.
        how: Ending,
        /// When.
        at: Millis,
    },
}

/// How an assignment ends. Each has a completion code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// All tasks are done.
    Finished,
    /// There was no more work: paid in full.
    NoWorkLeft,
    /// The person did not consent.
    NoConsent,
    /// The comprehension check was failed twice: returned, never rejected.
    FailedCheck,
    /// The platform or the person gave it back.
    Returned,
    /// An organiser excluded the person.
    Excluded,
}

impl Ending {
    /// Whether the work is paid for.
    pub fn is_paid(self) -> bool {
        matches!(self, Ending::Finished | Ending::NoWorkLeft | Ending::Excluded)
    }
}

/// What happens to an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum AssignmentEvent {
    /// The person agrees.
    Consent {
        /// Whether there is practice and a check before the work.
        practice: bool,
        /// Tasks of the assignment.
        tasks: usize,
    },
    /// The person does not.
    Decline,
    /// The comprehension check was answered.
    Check {
        /// Whether all was right.
        passed: bool,
        /// Tasks of the assignment.
        tasks: usize,
    },
    /// A task was submitted.
    TaskDone,
    /// Nothing is left that this person may be given.
    NothingLeft,
    /// The person ends; everything was stored.
    Finish,
    /// The platform says that the person left.
    GivenBack,
    /// An organiser excludes the person.
    Exclude,
}

/// What a store has to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssignmentEffect {
    /// Write down the version of the consent and the time.
    RecordConsent,
    /// Remove the id of the platform.
    ForgetExternalId,
    /// Show the completion code of this ending.
    ShowCode(Ending),
    /// End the leases of the person.
    FreeLeases,
}

/// The check may be tried so often.
const TRIES: u32 = 2;

impl AssignmentState {
    /// What becomes of an assignment.
    pub fn step(
        &self,
        event: AssignmentEvent,
        now: Millis,
    ) -> Result<(AssignmentState, Vec<AssignmentEffect>), Refused> {
        use AssignmentEffect::{ForgetExternalId, FreeLeases, RecordConsent};
        let working = |of: usize| AssignmentState::Working { done: 0, of };
        Ok(match (self, event) {
            (AssignmentState::Entered, AssignmentEvent::Consent { practice, tasks }) => {
                let next = if practice {
                    AssignmentState::Practising { failed: 0 }
                } else {
                    working(tasks)
                };
                (next, vec![RecordConsent])
            }
            (AssignmentState::Entered, AssignmentEvent::Decline) => {
                end(Ending::NoConsent, now, &[ForgetExternalId])
            }
            (
                AssignmentState::Practising { .. },
                AssignmentEvent::Check { passed: true, tasks },
            ) => (working(tasks), Vec::new()),
            (
                AssignmentState::Practising { failed },
                AssignmentEvent::Check { passed: false, .. },
            ) => match failed + 1 {
                TRIES.. => end(Ending::FailedCheck, now, &[]),
                failed => (AssignmentState::Practising { failed }, Vec::new()),
            },
            (AssignmentState::Working { done, of }, AssignmentEvent::TaskDone) if done < of => {
                (AssignmentState::Working { done: done + 1, of: *of }, Vec::new())
            }
            (AssignmentState::Working { .. }, AssignmentEvent::NothingLeft) => {
                end(Ending::NoWorkLeft, now, &[])
            }
            (AssignmentState::Working { done, of }, AssignmentEvent::Finish) if done >= of => {
                end(Ending::Finished, now, &[])
            }
            (AssignmentState::Working { done, of }, AssignmentEvent::Finish) => {
                return Err(Refused::Unmet(format!(
                    "{} of {of} tasks are not done yet",
                    of - done
                )));
            }
            // Asked twice, the same again: the code may have been lost on the way.
            (AssignmentState::Ended { how, .. }, AssignmentEvent::Finish) if how.is_paid() => {
                (self.clone(), vec![AssignmentEffect::ShowCode(*how)])
            }
            (AssignmentState::Ended { .. }, _) => return self.refuse(),
            (_, AssignmentEvent::GivenBack) => end(Ending::Returned, now, &[FreeLeases]),
            (_, AssignmentEvent::Exclude) => end(Ending::Excluded, now, &[FreeLeases]),
            _ => return self.refuse(),
        })
    }

    /// The name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            AssignmentState::Entered => "entered",
            AssignmentState::Practising { .. } => "practising",
            AssignmentState::Working { .. } => "working",
            AssignmentState::Ended { .. } => "ended",
        }
    }

    fn refuse<T>(&self) -> Result<T, Refused> {
        Err(Refused::NotFrom(self.name().to_owned()))
    }
}

fn end(
    how: Ending,
    at: Millis,
    effects: &[AssignmentEffect],
) -> (AssignmentState, Vec<AssignmentEffect>) {
    let mut effects = effects.to_vec();
    effects.push(AssignmentEffect::ShowCode(how));
    (AssignmentState::Ended { how, at }, effects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn run(events: &[AssignmentEvent]) -> Result<AssignmentState, Refused> {
        let mut state = AssignmentState::Entered;
        for &event in events {
            state = state.step(event, 7)?.0;
        }
        Ok(state)
    }

    const CONSENT: AssignmentEvent = AssignmentEvent::Consent { practice: false, tasks: 2 };

    #[test]
    fn a_whole_assignment() {
        use AssignmentEvent::{Finish, TaskDone};
        let ended = AssignmentState::Ended { how: Ending::Finished, at: 7 };
        assert_eq!(run(&[CONSENT, TaskDone, TaskDone, Finish]), Ok(ended.clone()));
        assert_eq!(run(&[CONSENT, TaskDone, TaskDone, Finish, Finish]), Ok(ended));
        let early = run(&[CONSENT, TaskDone, Finish]);
        assert_eq!(early, Err(Refused::Unmet("1 of 2 tasks are not done yet".into())));
    }

    #[test]
    fn nothing_before_consent_and_nothing_after_the_end() {
        assert!(run(&[AssignmentEvent::TaskDone]).is_err());
        assert!(run(&[AssignmentEvent::Decline, CONSENT]).is_err());
        let effects =
            AssignmentState::Entered.step(AssignmentEvent::Decline, 7).expect("allowed").1;
        assert_eq!(effects[0], AssignmentEffect::ForgetExternalId);
    }

    #[test]
    fn two_tries() {
        let consent = AssignmentEvent::Consent { practice: true, tasks: 2 };
        let fail = AssignmentEvent::Check { passed: false, tasks: 2 };
        let pass = AssignmentEvent::Check { passed: true, tasks: 2 };
        assert_eq!(run(&[consent, fail, pass]), Ok(AssignmentState::Working { done: 0, of: 2 }));
        let ended = AssignmentState::Ended { how: Ending::FailedCheck, at: 7 };
        assert_eq!(run(&[consent, fail, fail]), Ok(ended));
    }
}
