//! Offsets in IRIs: `#char=0,6`, `#offset_0_6` and the like.

/// An IRI as the document it belongs to and the offsets it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Located<'t> {
    pub(super) document: &'t str,
    pub(super) offsets: Option<(u64, u64)>,
    /// The number of an alternative on the same offsets, as in `#char=0,6;2`.
    pub(super) alternative: Option<u32>,
}

impl<'t> Located<'t> {
    pub(super) fn of(iri: &'t str) -> Located<'t> {
        let whole = Located { document: iri, offsets: None, alternative: None };
        let Some(mark) = iri.rfind(['#', '?']) else { return whole };
        let fragment = &iri[mark + 1..];
        let (range, separator) = if let Some(range) = fragment.strip_prefix("char=") {
            (range, ',')
        } else if let Some(range) = fragment.strip_prefix("offset_") {
            (range, '_')
        } else if iri.as_bytes()[mark] == b'#' {
            (fragment, ',')
        } else {
            return whole;
        };
        let (range, alternative) = match range.split_once(';') {
            Some((range, number)) => (range, number.parse().ok()),
            None => (range, None),
        };
        // Some tools add the beginning of the text after a third separator.
        let mut numbers = range.splitn(3, separator).map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(start)), Some(Ok(end))) => {
                Located { document: &iri[..mark], offsets: Some((start, end)), alternative }
            }
            // RFC 5147 allows an open end: `#char=0,`.
            (Some(Ok(_)), Some(Err(_))) if separator == ',' && range.ends_with(',') => {
                Located { document: &iri[..mark], ..whole }
            }
            _ => whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_in_iris() {
        for (iri, document, offsets, alternative) in [
            ("http://x/d#char=0,16", "http://x/d", Some((0, 16)), None),
            ("http://x/d?char=0,16", "http://x/d", Some((0, 16)), None),
            ("http://x/d#offset_3_9", "http://x/d", Some((3, 9)), None),
            ("http://x/d#offset_3_9_Berlin", "http://x/d", Some((3, 9)), None),
            ("http://x/d_sentence4#3,9", "http://x/d_sentence4", Some((3, 9)), None),
            ("http://x/d#char=3,9;2", "http://x/d", Some((3, 9)), Some(2)),
            ("http://x/d#char=0,", "http://x/d", None, None),
            ("http://x/d#section", "http://x/d#section", None, None),
            ("http://x/d?id=3", "http://x/d?id=3", None, None),
            ("plain", "plain", None, None),
        ] {
            assert_eq!(Located::of(iri), Located { document, offsets, alternative }, "{iri}");
        }
    }
}
