//! Lists in pages that hold while others insert.

use super::call::Call;
use super::etag::tagged;
use super::problem::Problem;
use crate::page::{QueryKey, key};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use karat_store::{ListFrom, ListPage, MOST_ITEMS};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

/// How many items are wanted.
pub(crate) const LIMIT: QueryKey =
    key("limit", "how many items, at most 500; 100 if it is not given");
/// Where the page before ended.
pub(crate) const AFTER: QueryKey = key("after", "the `next` of the page before");
/// The keys of every list.
pub(crate) const KEYS: &[QueryKey] = &[LIMIT, AFTER];

/// Which page of a list a caller wants.
pub(crate) fn from(call: &Call) -> Result<ListFrom, Problem> {
    let mut from =
        ListFrom { after: call.get(AFTER.name).map(str::to_owned), ..ListFrom::default() };
    if let Some(limit) = call.get(LIMIT.name) {
        let number = limit.parse().ok().filter(|limit| (1..=MOST_ITEMS).contains(limit));
        from.limit = number.ok_or_else(|| {
            Problem::request(format!("`limit` is a number from 1 to {MOST_ITEMS}, not `{limit}`"))
        })?;
    }
    Ok(from)
}

/// The answer that a page of a list is. The address of the next one is also in `Link`.
pub(crate) fn listed<T: Serialize>(call: &Call, page: &ListPage<T>) -> Result<Response, Problem> {
    call.gives_json()?;
    let text = serde_json::to_string(page).map_err(|error| Problem::failed(error.to_string()))?;
    let mut response = tagged(&call.headers, "application/json", text);
    if let Some(next) = &page.next {
        let link = format!("<{}>; rel=\"next\"", address_of_next(call, next));
        if let Ok(link) = HeaderValue::from_str(&link) {
            response.headers_mut().insert(header::LINK, link);
        }
    }
    Ok(response)
}

/// A page of things that are in memory, in the order of their keys. The cursor holds the last key, so that what comes or
/// goes between two pages moves nothing.
pub(crate) fn cut<T>(
    mut items: Vec<T>,
    from: &ListFrom,
    key: impl Fn(&T) -> &str,
) -> Result<ListPage<T>, Problem> {
    items.sort_by(|one, other| key(one).cmp(key(other)));
    if let Some(cursor) = &from.after {
        let after = decoded(cursor);
        let after = after.ok_or_else(|| Problem::request("`after` is no cursor of this list"))?;
        items.retain(|item| key(item) > after.as_str());
    }
    let shown = from.limit as usize;
    let more = items.len() > shown;
    items.truncate(shown);
    let next = items.last().filter(|_| more).map(|last| encoded(key(last)));
    Ok(ListPage { items, next })
}

/// The same query with another cursor.
fn address_of_next(call: &Call, next: &str) -> String {
    let mut pairs: Vec<(&str, &str)> =
        call.query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    pairs.retain(|(name, _)| *name != AFTER.name);
    pairs.push((AFTER.name, next));
    let escaped = |text| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let query = pairs.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value)));
    format!("{}?{}", call.path, query.collect::<Vec<_>>().join("&"))
}

fn encoded(key: &str) -> String {
    key.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn decoded(cursor: &str) -> Option<String> {
    let digits = cursor.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> =
        digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok()).collect();
    String::from_utf8(bytes?).ok().filter(|_| cursor.len().is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_while_things_come_and_go() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let cut = |items: Vec<String>, after: Option<String>| {
            super::cut(items, &ListFrom { limit: 2, after }, |item| item)
                .unwrap_or_else(|problem| panic!("{problem:?}"))
        };
        let first = cut(names(&["c", "a", "e"]), None);
        assert_eq!(first.items, ["a", "c"]);
        let second = cut(names(&["b", "d", "e", "c"]), first.next);
        assert_eq!(second.items, ["d", "e"]);
        assert_eq!(second.next, None);
        let bad = ListFrom { limit: 2, after: Some("6x".to_owned()) };
        assert!(super::cut(names(&["a"]), &bad, |item: &String| item).is_err());
        assert_eq!(decoded(&encoded("ä@b")).as_deref(), Some("ä@b"));
    }
}
