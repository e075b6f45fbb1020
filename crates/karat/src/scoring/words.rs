//! Scores in words.

use super::measured::MeasureRecord;
use crate::inputs::counted;

impl MeasureRecord {
    /// What the counts of a measure say, in one sentence; `None` for a measure without them.
    ///
    /// > Of 124 links it finds 64, and 5 of its 69 are wrong: it misses more than it mistakes.
    pub fn in_words(&self) -> Option<String> {
        let count = |name: &str| self.count(name).flatten().map(|count| count as u64);
        let (right, extra, missed) = (count("tp")?, count("fp")?, count("fn")?);
        // Where one prediction may find several mentions, the two sides count apart.
        let found = count("rtp").unwrap_or(right);
        let what = match self.measure.as_str() {
            name if name.contains("mention") => "mention",
            _ => "link",
        };
        let plural = |number: u64| counted(number as usize, what);
        let (gold, predicted) = (found + missed, right + extra);
        if gold == 0 {
            return Some(format!("There is nothing to find, and it has {}.", plural(predicted)));
        }
        if predicted == 0 {
            return Some(format!("Of {} it finds none.", plural(gold)));
        }
        let than = match missed.cmp(&extra) {
            std::cmp::Ordering::Greater => "it misses more than it mistakes",
            std::cmp::Ordering::Less => "it mistakes more than it misses",
            std::cmp::Ordering::Equal => "it misses as many as it mistakes",
        };
        let are = if extra == 1 { "is" } else { "are" };
        let gold = plural(gold);
        Some(format!(
            "Of {gold} it finds {found}, and {extra} of its {predicted} {are} wrong: {than}."
        ))
    }
}
