//! How often somebody may do something.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many names are remembered at once. Beyond that the ones whose time is over are forgotten, and if none is, all
/// are: a flood of names must not take all the memory.
const MOST_NAMES: usize = 100_000;

/// At most so many times in a while, for each name.
#[derive(Debug)]
pub(crate) struct RateLimit {
    most: u32,
    window: Duration,
    counts: Mutex<HashMap<String, (Instant, u32)>>,
}

impl RateLimit {
    pub(crate) fn new(most: u32, window: Duration) -> RateLimit {
        RateLimit { most, window, counts: Mutex::default() }
    }

    /// Counts one time; how long to wait if there were too many.
    pub(crate) fn count(&self, name: &str) -> Result<(), Duration> {
        self.count_at(name, Instant::now())
    }

    fn count_at(&self, name: &str, now: Instant) -> Result<(), Duration> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MOST_NAMES && !counts.contains_key(name) {
            counts.retain(|_, (begun, _)| now.duration_since(*begun) < self.window);
            if counts.len() >= MOST_NAMES {
                counts.clear();
            }
        }
        let (begun, count) = counts.entry(name.to_owned()).or_insert((now, 0));
        if now.duration_since(*begun) >= self.window {
            (*begun, *count) = (now, 0);
        }
        *count = count.saturating_add(1);
        match *count > self.most {
            true => Err(self.window.saturating_sub(now.duration_since(*begun))),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_must_wait_and_others_need_not() {
        let limit = RateLimit::new(2, Duration::from_secs(60));
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(limit.count_at("a", start), Ok(()));
        assert_eq!(limit.count_at("a", after(10)), Ok(()));
        assert_eq!(limit.count_at("a", after(20)), Err(Duration::from_secs(40)));
        assert_eq!(limit.count_at("b", after(20)), Ok(()));
        assert_eq!(limit.count_at("a", after(60)), Ok(()));
    }

    #[test]
    fn a_flood_of_names_takes_no_more_than_its_room() {
        let limit = RateLimit::new(1, Duration::from_secs(60));
        let now = Instant::now();
        for number in 0..MOST_NAMES + 10 {
            let _ = limit.count_at(&number.to_string(), now);
        }
        let held = limit.counts.lock().map(|counts| counts.len()).unwrap_or_default();
        assert!(held <= MOST_NAMES);
    }
}
