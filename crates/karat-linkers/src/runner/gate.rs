//! When a request may be sent: how many at once, how many in a time, and not while the service does not work.

use crate::failure::{FailureKind, LinkFailure};
use crate::info::RequestRate;
use karat_model::Watch;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many failures of the service in a row, whichever texts they were about, and it is left alone for a while.
const FAILURES_IN_A_ROW: u32 = 5;
/// So many times it is tried again before the run is given up.
const PROBES: u32 = 5;
/// The longest that it is left alone.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// After so many good answers one request more is sent at once, up to what was allowed at first.
const GOOD_ANSWERS: u32 = 20;
/// How often somebody who waits looks whether the run was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// What came of a request, as far as it concerns others.
#[derive(Debug, Clone)]
pub(super) enum Came {
    /// The service works.
    Works,
    /// The service asks for less.
    Limited,
    /// The service does not work.
    Failed(LinkFailure),
    /// The service will not answer whoever asks so.
    NoAccess(LinkFailure),
}

/// Lets requests through.
pub(super) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
    interval: Duration,
    pause: Duration,
    watch: Watch,
}

struct State {
    running: usize,
    allowed: usize,
    good: u32,
    next: Instant,
    failures: u32,
    paused: Option<Paused>,
    is_first: bool,
    stopped: Option<LinkFailure>,
}

struct Paused {
    until: Instant,
    length: Duration,
    probes: u32,
    is_probed: bool,
}

/// Somebody who was let through.
pub(super) struct Entered {
    pub(super) waited: Duration,
    pub(super) is_first: bool,
}

impl Gate {
    pub(super) fn new(
        most: usize,
        rate: Option<RequestRate>,
        pause: Duration,
        watch: Watch,
    ) -> Gate {
        // Evenly spread, so that no stretch of time has more than the rate says.
        let interval = rate.map_or(Duration::ZERO, |rate| rate.per / rate.requests.max(1));
        let state = State {
            running: 0,
            allowed: most,
            good: 0,
            next: Instant::now(),
            failures: 0,
            paused: None,
            is_first: true,
            stopped: None,
        };
        Gate { state: Mutex::new(state), changed: Condvar::new(), most, interval, pause, watch }
    }

    /// Waits until a request may be sent. Fails when none may be sent any more.
    pub(super) fn enter(&self) -> Result<Entered, LinkFailure> {
        let begun = Instant::now();
        let mut state = self.lock();
        loop {
            if self.watch.is_cancelled() {
                return Err(LinkFailure::new(FailureKind::Cancelled, "the run was cancelled"));
            }
            if let Some(failure) = &state.stopped {
                return Err(failure.clone());
            }
            let now = Instant::now();
            let wait = state.wait(now);
            if wait.is_zero() {
                if let Some(paused) = &mut state.paused {
                    paused.is_probed = true;
                }
                state.running += 1;
                state.next = state.next.max(now) + self.interval;
                let is_first = std::mem::take(&mut state.is_first);
                return Ok(Entered { waited: begun.elapsed(), is_first });
            }
            let waited = self.changed.wait_timeout(state, wait.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Says what came of a request.
    pub(super) fn leave(&self, came: Came) {
        let mut state = self.lock();
        state.running = state.running.saturating_sub(1);
        match came {
            Came::Works => {
                state.failures = 0;
                state.paused = None;
                state.good += 1;
                if state.good >= GOOD_ANSWERS {
                    state.good = 0;
                    state.allowed = state.allowed.saturating_add(1).min(self.most);
                }
            }
            Came::Limited => {
                state.good = 0;
                state.allowed = (state.allowed / 2).max(1);
                // It works, or it would not ask for less. A probe that was told so has to end the pause.
                state.failures = 0;
                state.paused = None;
            }
            Came::Failed(failure) => state.failed(failure, self.pause),
            Came::NoAccess(failure) => state.stopped = Some(failure),
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Lets nobody through any more.
    pub(super) fn stop(&self, failure: LinkFailure) {
        self.lock().stopped.get_or_insert(failure);
        self.changed.notify_all();
    }

    /// Why nobody is let through any more.
    pub(super) fn stopped(&self) -> Option<LinkFailure> {
        self.lock().stopped.clone()
    }

    /// Waits before the same is asked again. Says whether that makes sense.
    pub(super) fn sleep(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while !self.watch.is_cancelled() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(LOOK));
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// How long to wait before looking again; zero if the next may go.
    fn wait(&self, now: Instant) -> Duration {
        if let Some(paused) = &self.paused {
            let left = paused.until.saturating_duration_since(now);
            return if paused.is_probed { LOOK } else { left };
        }
        match self.running >= self.allowed {
            true => LOOK,
            false => self.next.saturating_duration_since(now),
        }
    }

    fn failed(&mut self, failure: LinkFailure, pause: Duration) {
        self.good = 0;
        self.failures += 1;
        match &mut self.paused {
            // Requests that were under way when the pause began are no probes.
            Some(paused) if !paused.is_probed => {}
            Some(paused) => {
                paused.probes += 1;
                paused.is_probed = false;
                paused.length = (paused.length * 2).min(LONGEST_PAUSE);
                paused.until = Instant::now() + paused.length;
                if paused.probes >= PROBES {
                    self.stopped = Some(failure);
                }
            }
            None if self.failures >= FAILURES_IN_A_ROW => {
                let until = Instant::now() + pause;
                self.paused = Some(Paused { until, length: pause, probes: 0, is_probed: false });
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure() -> LinkFailure {
        LinkFailure::new(FailureKind::Refused(503), "no")
    }

    #[test]
    fn a_service_that_does_not_work_is_tried_again_and_then_given_up() {
        let gate = Gate::new(4, None, Duration::from_millis(1), Watch::default());
        let mut asked = 0;
        while gate.enter().is_ok() {
            gate.leave(Came::Failed(failure()));
            asked += 1;
            assert!(asked < 50);
        }
        assert_eq!(asked, 10, "five in a row, then five probes");
        assert_eq!(gate.stopped(), Some(failure()));
    }

    #[test]
    fn one_good_answer_ends_the_pause_and_too_much_halves_what_is_sent_at_once() {
        let gate = Gate::new(4, None, Duration::from_millis(1), Watch::default());
        for _ in 0..5 {
            gate.enter().unwrap();
            gate.leave(Came::Failed(failure()));
        }
        assert!(gate.lock().paused.is_some());
        gate.enter().unwrap();
        gate.leave(Came::Works);
        assert!(gate.lock().paused.is_none());
        gate.leave(Came::Limited);
        assert_eq!(gate.lock().allowed, 2);
        (0..GOOD_ANSWERS).for_each(|_| gate.leave(Came::Works));
        assert_eq!(gate.lock().allowed, 3);
    }

    #[test]
    fn a_probe_that_is_told_to_ask_for_less_ends_the_pause() {
        let gate = Gate::new(4, None, Duration::from_millis(1), Watch::default());
        for _ in 0..5 {
            gate.enter().unwrap();
            gate.leave(Came::Failed(failure()));
        }
        gate.enter().unwrap();
        gate.leave(Came::Limited);
        assert!(gate.lock().paused.is_none());
        assert!(gate.enter().is_ok());
    }

    #[test]
    fn nobody_is_let_through_without_access_or_after_a_cancel() {
        let gate = Gate::new(1, None, Duration::ZERO, Watch::default());
        gate.enter().unwrap();
        gate.leave(Came::NoAccess(LinkFailure::new(FailureKind::Refused(401), "who?")));
        assert_eq!(gate.enter().err().unwrap().message, "who?");
        let cancel = karat_model::Cancel::default();
        cancel.cancel();
        let gate = Gate::new(1, None, Duration::ZERO, Watch::new(None, cancel));
        assert_eq!(gate.enter().err().unwrap().kind, FailureKind::Cancelled);
    }
}
