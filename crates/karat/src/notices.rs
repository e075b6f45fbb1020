//! The kinds of notices that the facade gives, one entry each. The list in the book is made from them.

use karat_model::{NoticeKind, Severity};

/// Declares kinds of notices and lists them, so that none is left out of the book.
macro_rules! notices {
    ($($severity:ident $name:ident $id:literal: $about:literal;)*) => {
        $(
            #[doc = $about]
            pub static $name: NoticeKind = NoticeKind {
                id: $id,
                severity: Severity::$severity,
                about: $about,
            };
        )*

        /// All kinds of notices of the facade, in the order of the book.
        pub static NOTICES: &[&NoticeKind] = &[$(&$name),*];
    };
}

notices! {
    Error BAD_INPUT "bad-input": "A file cannot be read: the message names file, line and column.";
    Error BAD_OUTPUT "bad-output": "A file cannot be written. Nothing is left half-written.";
    Error BAD_REQUEST "bad-request": "Settings do not fit together, or lack what they need.";
    Error UNKNOWN_NAME "unknown-name": "A preset, measure, facet, setting or system is named that does not exist.";
    Error BAD_KNOWLEDGE_BASE "bad-knowledge-base": "A knowledge base or its search index cannot be opened, or is damaged.";
    Error NOT_COMPARABLE "not-comparable": "Offsets of gold and system count different things and cannot be translated, so a score over them would mean nothing.";
    Error NOT_IN_A_STREAM "not-in-a-stream": "Something was asked of a stream that needs all documents at once.";
    Error CANCELLED "cancelled": "The request was cancelled.";
    Warning GATE_MISSED "gate-missed": "A system does not reach a score that was required of it.";
    Warning SKIPPED_RECORDS "skipped-records": "A lenient reading left out records that are bad.";
    Warning SKIPPED_RECORD "skipped-record": "One of the records that a lenient reading left out, with its place.";
    Warning REPAIRED_RECORDS "repaired-records": "Records were read as they must have been meant, and counted.";
    Warning REPAIRED_RECORD "repaired-record": "One of the records that were repaired, with its place.";
    Note PASSED_OVER "passed-over": "Records that are fine, but that karat's model has no place for, such as relations.";
    Note FILES_NOT_READ "files-not-read": "Files of a folder are of no format that karat knows, and were not read.";
    Note OPTION_LEFT_OUT "option-left-out": "A setting that describes files was not applied to an input that cannot be read with it, but can be without.";
    Warning OTHER_TEXTS "other-texts": "Gold and system have different texts for one document, so that equal offsets are different places.";
    Warning OUTSIDE_TEXTS "outside-texts": "Mentions of a system lie outside the texts of gold.";
    Warning MENTIONS_LEFT_OUT "mentions-left-out": "Mentions whose offsets cannot be translated to those of gold were left out of a lenient reading.";
    Warning OTHER_UNITS "other-units": "Offsets of gold and system were read as counting different things.";
    Warning ALL_GOLD "all-gold": "All annotations of a system's file are marked as gold, so that none counts as an answer.";
    Warning NO_ROOT "no-root": "Gold mentions are parts of themselves, directly or through others, and count nowhere.";
    Warning UNKNOWN_DOCUMENTS "unknown-documents": "A system has documents that gold does not have.";
    Warning SILENT_DOCUMENTS "silent-documents": "A system says nothing about more than a tenth of the documents of gold. They count as empty.";
    Warning OTHER_DOCUMENT_NAMES "other-document-names": "Documents of gold and system do not have the same names, but the same titles, texts or numbers.";
    Warning MISPLACED_MENTIONS "misplaced-mentions": "Mentions hardly ever meet the texts or the spans of gold, but would if offsets were counted otherwise: shifted, in another unit, in tokens, or with another end.";
    Note SPELLINGS_ADAPTED "spellings-adapted": "Ids of gold and system are addresses and names of one knowledge base, and are compared by what they name.";
    Warning IDS_NEVER_MEET "ids-never-meet": "Hardly any id of a system is one of gold, so that no link can be right.";
    Note NO_BENCHMARK "no-benchmark": "Documents of a system belong to none of several benchmarks, and were left out.";
    Warning EMPTY_GOLD "empty-gold": "The gold standard has no annotations: there is nothing to find.";
    Warning NOTHING_KNOWN "nothing-known": "The preset takes every id of gold for NIL, because none has the address of a knowledge base that it knows.";
    Warning NOTHING_WEIGHS "nothing-weighs": "No gold mention has a weight, so that fuzzy recall is plain recall.";
    Note ALPHA_ASSUMED "alpha-assumed": "A membership function has a weight that is alpha, and no alpha was given: it is 0.";
    Note TYPES_OF_SYSTEMS "types-of-systems": "Without a knowledge base, predictions have the types that systems give them.";
    Warning FEW_TRIALS "few-trials": "So few bootstrap samples or permutations say little.";
    Note UNLABELLED_PARTS "unlabelled-parts": "Mentions or predictions have no label of the facet that a result is divided by.";
    Note NO_TEXTS "no-texts": "A benchmark has no texts, so that nothing can be said about words.";
    Warning UNKNOWN_FORMS "unknown-forms": "A dictionary has no form of any mention of a benchmark, and was hardly meant for it.";
    Note TOO_MANY_CASES "too-many-cases": "The distribution of scores after a change has too many cases to go through, and is that of random draws.";
    Warning NOTHING_CHOSEN "nothing-chosen": "A corpus has no mentions to choose from.";
    Warning EMPTY_STRATUM "empty-stratum": "A number was asked for of a stratum in which there is no mention.";
    Note SMALL_SAMPLE "small-sample": "A corpus or a stratum has fewer forms than were to be chosen: all were.";
}
