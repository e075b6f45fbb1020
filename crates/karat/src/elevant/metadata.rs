//! `metadata.json`, by which ELEVANT's web application lists experiments, and the names of its files.

use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// What ELEVANT's files say about an experiment that was evaluated at this time. How long the system took
/// to link is not known here.
pub fn metadata(experiment: &str, timestamp: &str) -> Value {
    json!({
        "experiment_name": experiment,
        "experiment_description": "",
        "linker_name": experiment,
        "timestamp": timestamp,
        "linking_time": null,
    })
}

/// The name of an experiment in the names of its files: small letters of English, digits and hyphens;
/// anything else is a line.
pub fn file_name(experiment: &str) -> String {
    let kept =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let lower = experiment.to_lowercase();
    lower.chars().map(|letter| if kept(letter) { letter } else { '_' }).collect()
}

/// A time as ELEVANT writes it, in UTC: `2025/01/16 09:30`.
pub fn timestamp(time: SystemTime) -> String {
    // No date library for one line; leap years are all there is to it, as the time is in UTC.
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    let (mut year, mut day) = (1970, days);
    while day >= days_of(year) {
        day -= days_of(year);
        year += 1;
    }
    // 365 or 366 less the days of the other eleven months.
    let february = days_of(year) - 337;
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}/{month:02}/{:02} {:02}:{:02}", day + 1, minutes / 60, minutes % 60)
}

fn days_of(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    if is_leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn files_have_plain_names() {
        assert_eq!(file_name("ReFinED (AIDA)"), "refined__aida_");
        assert_eq!(file_name("GPT-4 über"), "gpt-4__ber");
    }

    #[test]
    fn times_are_days_of_the_calendar() {
        // Each as `date -u -d @SECONDS` has it.
        for (seconds, expected) in [
            (0, "1970/01/01 00:00"),
            (951_782_399, "2000/02/28 23:59"),
            (951_782_400, "2000/02/29 00:00"),
            (951_868_800, "2000/03/01 00:00"),
            (1_737_019_800, "2025/01/16 09:30"),
            (1_735_689_599, "2024/12/31 23:59"),
            (4_107_542_400, "2100/03/01 00:00"),
        ] {
            assert_eq!(timestamp(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
