use super::*;
use crate::source::Text;
use proptest::prelude::*;

/// Where a mention is put, and what is said of it.
fn placed(text: &str, start: u32, end: u32, surface: &str) -> (Span, String) {
    let file = Text::new("f", "record");
    let index = TextIndex::new(text);
    let here = Here { text: &file, at: 0, len: 6 };
    let offsets = Offsets::CODE_POINTS;
    let placed = here.place(&index, offsets, start.into(), end.into(), Some(surface)).unwrap();
    let said = match placed.fit {
        Fit::Unnamed | Fit::Same => String::new(),
        Fit::Alike(_) => "alike".to_owned(),
        Fit::Not { done, .. } => done,
    };
    (placed.span, said)
}

#[test]
fn what_is_certain_is_repaired_and_the_rest_is_kept() {
    let text = "The O\u{2019}Neill GROUP, KRAS and BRAF; the end of the end.";
    for (start, end, surface, expected) in [
        (4, 11, "O\u{2019}Neill", (4, 11, "")),
        (4, 11, "O'Neill", (4, 11, "alike")),
        (12, 17, "Group", (12, 17, "alike")),
        (4, 17, "O'Neill  group ", (4, 17, "alike")),
        (12, 18, "GROUP", (12, 17, "moved to 12..17")),
        (11, 17, "GROUP", (12, 17, "moved to 12..17")),
        (12, 16, "GROUP", (12, 17, "moved to 12..17")),
        (13, 18, "GROUP", (12, 17, "moved to 12..17")),
        (13, 17, "KRAS", (19, 23, "moved to 19..23")),
        // Two ends are as near, and one of them is not meant.
        (44, 47, "end", (44, 47, "kept as given")),
        // The offsets say nine characters and the words fourteen.
        (19, 23, "KRAS and BRAF", (19, 23, "kept as given")),
        (19, 23, "Hamburg", (19, 23, "kept as given")),
        (19, 23, "", (19, 23, "kept as given")),
        (45, 55, "of the end", (42, 52, "moved to 42..52")),
    ] {
        let (span, said) = placed(text, start, end, surface);
        assert_eq!((span.start, span.end, said.as_str()), expected, "{surface} {start}..{end}");
    }
}

#[test]
fn most_of_a_file_is_no_slip() {
    let placings = |named: usize, slips: usize| {
        let first = Problem::new(Kind::Surface, "f", "other words");
        Placings { named, misfits: slips, slips, first: (slips > 0).then(|| Box::new(first)) }
    };
    for (named, misfits, refused) in [
        (1, 1, true),
        (2, 1, true),
        (3, 1, false),
        (30, 11, false),
        (30, 12, true),
        (7957, 21, false),
    ] {
        assert_eq!(placings(named, misfits).refusal().is_some(), refused, "{misfits} of {named}");
    }
    assert!(placings(0, 0).refusal().is_none());
    let said = placings(30, 12).refusal().unwrap().message;
    assert_eq!(said, "other words; 12 of 30 mentions do not fit");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_stays(text in "[ab \u{e9}\u{1f600}']{1,40}", from in 0u32..40, len in 0u32..9) {
        let length = text.chars().count() as u32;
        let (start, end) = (from.min(length), (from + len).min(length));
        let surface: String = text.chars().skip(start as usize).take((end - start) as usize).collect();
        prop_assert_eq!(placed(&text, start, end, &surface), (Span::new(start, end), String::new()));
    }

    #[test]
    fn a_repair_is_said_and_done_once(
        text in "[abA \u{e9}\u{2019}']{1,40}",
        from in 0u32..40,
        len in 0u32..9,
        surface in "[abA \u{e9}\u{2019}']{1,6}",
    ) {
        let length = text.chars().count() as u32;
        let (start, end) = (from.min(length), (from + len).min(length));
        let (span, said) = placed(&text, start, end, &surface);
        let index = TextIndex::new(&text);
        let found = index.slice(span).unwrap();
        // What was moved says so, and stands where its words are.
        prop_assert_eq!(span != Span::new(start, end), said.starts_with("moved"));
        if said.starts_with("moved") {
            prop_assert!(moved::same_words(found, &surface), "{:?} {:?}", found, surface);
        }
        prop_assert!(!said.is_empty() || found == surface);
        // Read again from where it is, it stays.
        let again = placed(&text, span.start, span.end, &surface);
        prop_assert_eq!(again.0, span);
    }
}
