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
    Error BAD_SETTING "bad-setting": "There is no such setting, or it does not take such a value.";
    Error UNKNOWN_NAME "unknown-name": "A preset, measure, facet, setting or system is named that does not exist.";
    Error BAD_LINKER "bad-linker": "A linker cannot be made with these settings.";
    Error BAD_RECORDING "bad-recording": "The recording of a run cannot be read, written, or gone on with.";
    Error BAD_KNOWLEDGE_BASE "bad-knowledge-base": "A knowledge base or its search index cannot be opened, or is damaged.";
    Error NOT_COMPARABLE "not-comparable": "Offsets of gold and system count different things and cannot be translated, so a score over them would mean nothing.";
    Error NOT_IN_A_STREAM "not-in-a-stream": "Something was asked of a stream that needs all documents at once.";
    Error NOT_IN_PARTS "not-in-parts": "Something was asked of counts of parts that needs all documents at once.";
    Error PARTS_DIFFER "parts-differ": "Counts cannot be put together: they are of different plans, a document is in two of them, or some are missing.";
    Error CANCELLED "cancelled": "The request was cancelled.";
    Warning GATE_MISSED "gate-missed": "A system does not reach a score that was required of it.";
    Warning SKIPPED_RECORDS "skipped-records": "A lenient reading left out records that are bad.";
    Warning SKIPPED_RECORD "skipped-record": "One of the records that a lenient reading left out, with its place.";
    Error UNREADABLE_RECORDS "unreadable-records": "Records of a file that was to be checked cannot be read.";
    Error UNREADABLE_RECORD "unreadable-record": "One of the records that cannot be read, with its place.";
    Warning REPAIRED_RECORDS "repaired-records": "Records were read as they must have been meant, and counted.";
    Warning REPAIRED_RECORD "repaired-record": "One of the records that were repaired, with its place.";
    Warning EDITION_NOT_HERE "edition-not-here": "An edition of a shared evaluation may not be passed on and was not found, so its outputs are not scored.";
    Warning PATCH_CONFLICT "patch-conflict": "A change of a patch does not apply: something else is there, its text is not, or two changes contradict each other.";
    Warning PATCH_PARTLY "patch-partly": "Not all changes of a patch apply to a gold standard.";
    Warning PATCH_REFUSED "patch-refused": "Changes do not apply or contradict each other, so that nothing was written.";
    Note PATCH_BASE "patch-base": "A patch was made for another edition of a gold standard.";
    Note PATCH_UNCHECKED "patch-unchecked": "A gold standard has no texts, so that nobody could check whether changes are about the words they were made for.";
    Note PATCH_OPEN "patch-open": "Changes of a patch contradict each other and are not applied until somebody chooses.";
    Note PATCH_MOVED "patch-moved": "A change of a patch was found at another place of another edition, or is in it already.";
    Note PATCH_WRITTEN "patch-written": "A patch, or a gold standard with patches, was written.";
    Warning PATCHES_WAIT "patches-wait": "A benchmark of a shared evaluation has corrections that are not applied.";
    Note PASSED_OVER "passed-over": "Records that are fine, but that karat's model has no place for, such as relations.";
    Note FILES_NOT_READ "files-not-read": "Files of a folder are of no format that karat knows, and were not read.";
    Note OPTION_LEFT_OUT "option-left-out": "A setting that describes files was not applied to an input that cannot be read with it, but can be without.";
    Warning OTHER_TEXTS "other-texts": "Gold and system have different texts for one document, so that equal offsets are different places.";
    Note ROWS_OF_GOLD "rows-of-gold": "A run has the same rows of tokens as gold, and gets the names and texts of its documents from there.";
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
    Warning NO_CONFIDENCE "no-confidence": "There is a threshold on confidence, but no answer of a system has a confidence, so that none is left out.";
    Warning NOTHING_WEIGHS "nothing-weighs": "No gold mention has a weight, so that fuzzy recall is plain recall.";
    Note ALPHA_ASSUMED "alpha-assumed": "A membership function has a weight that is alpha, and no alpha was given: it is 0.";
    Note TYPES_OF_SYSTEMS "types-of-systems": "Without a knowledge base, predictions have the types that systems give them.";
    Note CATEGORIES_UNKNOWN "categories-unknown": "Without a knowledge base, some categories of errors cannot be told, and numbers that depend on them are unknown.";
    Note WORDS_UNKNOWN "words-unknown": "The knowledge base does not know how many words a benchmark has, so that the share of extra mentions is unknown.";
    Note TEXTS_UNKNOWN "texts-unknown": "Without texts, categories of errors that depend on how a mention is written are unknown.";
    Note UNJUDGED_LINKS "unjudged-links": "Links on quantities and dates cannot be judged, because no knowledge base says which entities are dates.";
    Note NO_CHOICE "no-choice": "A system never gives several candidates, so that errors in choosing among them cannot be told.";
    Note NO_SUCH_ERROR "no-such-error": "No mention has an error of the kinds and categories that were asked for, as far as is known.";
    Warning NO_SUCH_LABEL "no-such-label": "No mention has a label that results are narrowed down to. It may be mistyped.";
    Note DIFFERENCES_COUNTED "differences-counted": "How many mentions only one of two systems gets right.";
    Note NOBODY_AGREES "nobody-agrees": "No place is suspicious: nowhere do enough systems agree against gold.";
    Warning FEW_TRIALS "few-trials": "So few bootstrap samples or permutations say little.";
    Note OTHER_DOCUMENTS "other-documents": "A mean over documents is over other documents for one system than for another, because each is over those where the score is defined. What is named `@common` is over those that all systems have.";
    Note AMBIGUOUS_SPANS "ambiguous-spans": "One span has several links, and a measure of clusters takes one of them.";
    Warning NO_SCORE "no-score": "A system has no score, because there is nothing to divide by.";
    Warning NOT_RANKED "not-ranked": "Systems cannot be ranked over all benchmarks.";
    Note NO_CATEGORY "no-category": "Gold annotations belong to no category, or to several, and were left out.";
    Warning NO_ENTITY "no-entity": "The knowledge base has no such entity, or none with such a name.";
    Warning NO_CANDIDATES "no-candidates": "The knowledge base cannot know what a text may mean.";
    Note ABOUT_CANDIDATES "about-candidates": "What is special about the candidates of a text: there are none, they were inferred, or the likeliest has no id.";
    Note HARVESTED "harvested": "An input of a knowledge base was read: what it was taken for, and how many records it has.";
    Note NOT_HARVESTED "not-harvested": "An input is nothing that a knowledge base can be built from, and was left out.";
    Note UNUSED_COLUMNS "unused-columns": "Columns of an input say nothing that a knowledge base keeps.";
    Warning INDEX_LEFT_OUT "index-left-out": "An input has the search index of a knowledge base, from which none can be built, and it was left out.";
    Warning SOURCES_DISAGREE "sources-disagree": "Inputs of a knowledge base contradict each other about titles, redirects or items; the first is believed.";
    Note BASE_BUILT "base-built": "A knowledge base was built: what it holds.";
    Note REPORT_WRITTEN "report-written": "Pages were written to a file or a folder: how many, and how large.";
    Note INDEX_MADE "index-made": "The index for searching by name was made, which happens once for each knowledge base.";
    Note UNLABELLED_PARTS "unlabelled-parts": "Mentions or predictions have no label of the facet that a result is divided by.";
    Note NO_RULES "no-rules": "Rules were given, but only checks were asked for that are no rules.";
    Warning LEFT_OUT "left-out": "The format of an output cannot hold everything, and what it cannot hold was left out.";
    Warning FOREIGN_COLUMNS "foreign-columns": "Columns of a table would be left out or have other names if it was written again.";
    Note ORIGINAL_KEPT "original-kept": "A file was written over, and what it was before is kept under another name.";
    Note FIXED "fixed": "What can be mended in a file was mended, and the file was written.";
    Warning CONTRADICTING_RULES "contradicting-rules": "Rules mend what others have mended, again and again.";
    Note NO_TEXTS "no-texts": "A benchmark has no texts, so that nothing can be said about words.";
    Warning UNKNOWN_FORMS "unknown-forms": "A dictionary has no form of any mention of a benchmark, and was hardly meant for it.";
    Note TOO_MANY_CASES "too-many-cases": "The distribution of scores after a change has too many cases to go through, and is that of random draws.";
    Warning NOTHING_CHOSEN "nothing-chosen": "A corpus has no mentions to choose from.";
    Warning EMPTY_STRATUM "empty-stratum": "A number was asked for of a stratum in which there is no mention.";
    Note SMALL_SAMPLE "small-sample": "A corpus or a stratum has fewer forms than were to be chosen: all were.";
    Warning NO_SUCH_SIDE "no-such-side": "A corpus has no annotations of the side that was asked for.";
    Note ADAPTED "adapted": "Documents were changed to suit the format of an output.";
    Note RETAGGED "retagged": "Overlap tags were set anew, because mentions around or inside others were left out.";
    Note UNNAMED_TAGS "unnamed-tags": "Tags keep their names, because the vocabulary that was asked for has none for them.";
    Note DERIVED_TAGS "derived-tags": "How many tags of a dimension were derived, kept and left unknown.";
    Note CHECKS_FOUND "checks-found": "The checks of karat validate find something in a file that was sent to a server.";
    Note PEOPLE_LEFT_OUT "people-left-out": "People of a campaign failed their controls, and the preset leaves their judgements out.";
    Note NO_WORKER_MODEL "no-worker-model": "A model of people needs two judgements per item, and there are fewer, so that every vote counts the same.";
    Note OPEN_ITEMS "open-items": "Proposals of a campaign have no outcome: nobody judged them, or answers tie.";
    Warning UNANSWERED_DOCUMENTS "unanswered-documents": "A linker did not answer for some documents. They count as empty, and are named.";
    Warning EMPTY_ANSWERS "empty-answers": "A linker finds nothing in more than half of the documents.";
    Warning OFFSETS_OF_LINKER "offsets-of-linker": "The surfaces that a linker tells do not stand at the offsets that it tells, and would if these were counted otherwise.";
    Note CONVERTED "converted": "A corpus was written: what was read, and where it is now.";
}

/// The kinds of all notices that karat gives, whichever crate gives them.
pub fn all() -> impl Iterator<Item = &'static NoticeKind> {
    NOTICES.iter().chain(karat_formats::notices::NOTICES).copied()
}
