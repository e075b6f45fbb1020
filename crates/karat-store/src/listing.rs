//! Lists in pages that hold while others insert.

use crate::{Result, StoreError};
use serde::{Deserialize, Serialize};

/// The most items that one page of a list has.
pub const MOST_ITEMS: u32 = 500;

/// Which page of a list is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ListFrom {
    /// How many items, [`MOST_ITEMS`] at most.
    pub limit: u32,
    /// The `next` of the page before.
    pub after: Option<String>,
}

impl Default for ListFrom {
    fn default() -> ListFrom {
        ListFrom { limit: 100, after: None }
    }
}

/// One page of a list.
///
/// The cursor holds the place of the last item in the order of the list, not a number of rows to
/// skip. So nobody sees an item twice, and none that was there all the time is left out, whatever
/// others insert and remove between two pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListPage<T> {
    /// The items.
    pub items: Vec<T>,
    /// What to ask for the next page with; none at the end.
    pub next: Option<String>,
}

/// Where an item stands in its list: a number, then a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) number: i64,
    pub(crate) word: String,
}

impl ListFrom {
    /// One more than is shown, so that the last page knows that it is the last.
    pub(crate) fn fetch(&self) -> i64 {
        i64::from(self.shown()) + 1
    }

    /// The place after which the page begins.
    pub(crate) fn position(&self, start: Position) -> Result<Position> {
        match &self.after {
            None => Ok(start),
            Some(cursor) => decode(cursor).ok_or_else(|| StoreError::Cursor(cursor.clone())),
        }
    }

    /// Cuts what was fetched to a page.
    pub(crate) fn page<T>(&self, mut items: Vec<T>, place: impl Fn(&T) -> Position) -> ListPage<T> {
        let shown = self.shown() as usize;
        let more = items.len() > shown;
        items.truncate(shown);
        let next = items.last().filter(|_| more).map(|last| encode(&place(last)));
        ListPage { items, next }
    }

    fn shown(&self) -> u32 {
        self.limit.clamp(1, MOST_ITEMS)
    }
}

impl Position {
    /// Before every item of a list that ascends.
    pub(crate) fn first() -> Position {
        Position { number: i64::MIN, word: String::new() }
    }

    /// Before every item of a list that descends.
    pub(crate) fn last() -> Position {
        Position { number: i64::MAX, word: String::new() }
    }

    pub(crate) fn new(number: i64, word: &str) -> Position {
        Position { number, word: word.to_owned() }
    }
}

/// Hexadecimal: opaque to callers.
fn encode(position: &Position) -> String {
    crate::ids::hex(format!("{}:{}", position.number, position.word).as_bytes())
}

fn decode(cursor: &str) -> Option<Position> {
    let digits = cursor.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> =
        digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok()).collect();
    let text = String::from_utf8(bytes?).ok()?;
    let (number, word) = text.split_once(':')?;
    Some(Position { number: number.parse().ok()?, word: word.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back() {
        for place in [Position::first(), Position::new(-3, "a:ä"), Position::last()] {
            assert_eq!(decode(&encode(&place)), Some(place));
        }
        for bad in ["", "zz", "313", "3a", "61"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_page_is_never_longer_than_the_limit_and_knows_the_end() {
        let from = ListFrom { limit: 2, after: None };
        assert_eq!(from.fetch(), 3);
        let place = |n: &i64| Position::new(*n, "");
        assert_eq!(from.page(vec![1, 2], place).next, None);
        let page = from.page(vec![1, 2, 3], place);
        assert_eq!(page.items, [1, 2]);
        let next = ListFrom { limit: 2, after: page.next };
        assert_eq!(next.position(Position::first()).unwrap(), Position::new(2, ""));
        assert_eq!(ListFrom { limit: 9999, after: None }.fetch(), 501);
        assert_eq!(ListFrom { limit: 0, after: None }.fetch(), 2);
    }
}
