//! The table of settings, in the order of signatures.

use super::threshold::Threshold;
use super::{Kept, Setting, SettingOf, Signed};
use crate::membership::{Decimals, HitEarns, Membership, OverAlternatives, OverTags};
use crate::preset::{Grouping, Sides, SpellingRule};
use crate::presets::gerbil;
use crate::score::Zero;
use crate::values::{NamedValue, Values, WrittenValue, named};
use karat_facets::taxonomy::{self, Taxonomy};
use karat_kb::{Knowledge, Naming, Titles};
use karat_match::{Assignment, Given, Overlaps, Spans, Types, WindowOf};
use std::borrow::Cow;

/// All settings. To add one, write an entry here; its place is its place in signatures.
pub static SETTINGS: &[&dyn Setting] = &[
    &SettingOf {
        name: "task",
        about: "What of the gold standard the system was given.",
        values: &Values::only(&[
            named(
                "end-to-end",
                Given::Nothing,
                "The system was given the texts alone: finding mentions is part of the task.",
            ),
            named(
                "disambiguation",
                Given::Mentions,
                "The system was given the gold mentions. Predictions elsewhere are left out.",
            ),
            named(
                "linked-disambiguation",
                Given::LinkedMentions,
                "The system was given the gold mentions that have an entity. All other mentions are left out.",
            ),
        ]),
        signed: Signed::Always,
        kept: Kept::Matching { get: |of| of.given, put: |of, given| of.given = given },
    },
    &SettingOf {
        name: "match",
        about: "When the spans of a gold mention and a prediction fit.",
        values: &Values {
            named: &[
                NamedValue {
                    name: "exact",
                    aliases: &["strong"],
                    about: "Spans have the same start and the same end.",
                    value: Spans::Exact,
                },
                NamedValue {
                    name: "overlap",
                    aliases: &["weak"],
                    about: "Spans share at least one position.",
                    value: Spans::Overlap,
                },
                named(
                    "expanded",
                    Spans::Expanded,
                    "Spans are the same once they are widened to whole words.",
                ),
                named(
                    "near",
                    Spans::Near(1),
                    "Spans are the same, or one start or one end is off by one position.",
                ),
                named("containment", Spans::Containment, "One span lies within the other."),
                named("entity", Spans::Anywhere, "Spans always fit: only the entity has to agree."),
                named("length", Spans::Length, "Spans have the same length, wherever they are."),
            ],
            written: Some(WrittenValue {
                about: "a share of the gold span",
                example: "50%",
                read: |text| {
                    let percent: f64 = text.strip_suffix('%')?.parse().ok()?;
                    (percent > 0.0 && percent <= 100.0).then_some(Spans::AtLeast(percent))
                },
                write: |spans| match spans {
                    Spans::AtLeast(percent) => Some(format!("{percent}%")),
                    _ => None,
                },
            }),
        },
        signed: Signed::Always,
        kept: Kept::Matching { get: |of| of.spans, put: |of, spans| of.spans = spans },
    },
    &SettingOf {
        name: "assign",
        about: "Which prediction a gold mention gets when several fit.",
        values: &Values::only(&[
            named(
                "one-to-one",
                Assignment::OneToOne,
                "Mentions are assigned one to one with the most agreement. No order of the input changes a score.",
            ),
            named(
                "greedy",
                Assignment::Greedy,
                "Each gold mention, in the order of the file, takes the first prediction that is left.",
            ),
            named(
                "existential",
                Assignment::Existential,
                "A mention is right if any prediction fits, even one that another mention has already.",
            ),
            named(
                "last-wins",
                Assignment::LastWins,
                "Of several predictions on one span the last in the file counts.",
            ),
            named(
                "sets",
                Assignment::Sets,
                "Both sides are sets: equal mentions are one, and what both sides have is right.",
            ),
            named(
                "by-span",
                Assignment::BySpan,
                "All annotations of a span are one mention, which is right if the two sides share an entity.",
            ),
        ]),
        signed: Signed::Always,
        kept: Kept::Matching { get: |of| of.assignment, put: |of, how| of.assignment = how },
    },
    &SettingOf {
        name: "optional",
        about: "Whether optional gold mentions may be left out.",
        values: &Values::only(&[
            named(
                "yes",
                true,
                "Optional gold mentions are neither asked for nor held against a system.",
            ),
            named("no", false, "Optional gold mentions are gold like any other."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.honour_optional,
            put: |of, yes| of.honour_optional = yes,
        },
    },
    &SettingOf {
        name: "alternatives",
        about: "Whether a gold mention is also found through one of its alternatives.",
        values: &Values::only(&[
            named(
                "yes",
                true,
                "A gold mention is also found when all parts of one of its alternatives are.",
            ),
            named("no", false, "Alternatives of gold mentions are passed over."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.honour_alternatives,
            put: |of, yes| of.honour_alternatives = yes,
        },
    },
    &SettingOf {
        name: "trim",
        about: "Whether white space around a mention belongs to it.",
        values: &Values::only(&[
            named("yes", true, "White space around mentions is cut off before spans are compared."),
            named("no", false, "White space around mentions belongs to them."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.trim, put: |of, yes| of.trim = yes },
    },
    &SettingOf {
        name: "overlaps",
        about: "What happens to mentions that overlap with others of their own side.",
        values: &Values::only(&[
            named("keep", Overlaps::Keep, "Mentions that overlap stay."),
            named(
                "longest",
                Overlaps::KeepLongest,
                "Of a run of overlapping mentions only the longest stays.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.overlaps, put: |of, what| of.overlaps = what },
    },
    &SettingOf {
        name: "window",
        about: "Whether mentions outside the evaluated part of a document are left out.",
        values: &Values::only(&[
            named(
                "yes",
                true,
                "Mentions outside the evaluated part are left out, where a document says which part that is.",
            ),
            named("no", false, "The whole document is evaluated."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.evaluation_span,
            put: |of, yes| of.evaluation_span = yes,
        },
    },
    &SettingOf {
        name: "linkable",
        about: "Whether mentions whose gold answer is NIL are taken off both sides, as Hoffart et al. (2011) do.",
        values: &Values::only(&[
            named("yes", true, "Only mentions of entities in the knowledge base are scored."),
            named("no", false, "All mentions are scored."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.linkable, put: |of, yes| of.linkable = yes },
    },
    &Threshold,
    &SettingOf {
        name: "tags",
        about: "How often an entity of a document counts in measures of entity sets.",
        values: &Values::only(&[
            named(
                "once",
                false,
                "An entity of a document counts once, however often it is mentioned.",
            ),
            named("repeated", true, "An entity of a document counts as often as it is mentioned."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.repeated_tags, put: |of, yes| of.repeated_tags = yes },
    },
    &SettingOf {
        name: "nil-cluster",
        about: "How NIL mentions without a cluster are clustered.",
        values: &Values::only(&[
            named("own", false, "Each NIL mention without a cluster is a cluster of its own."),
            named("one", true, "All NIL mentions without a cluster are one cluster."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.one_nil_cluster,
            put: |of, yes| of.one_nil_cluster = yes,
        },
    },
    &SettingOf {
        name: "no-answer",
        about: "What a mention without any answer is.",
        values: &Values::only(&[
            named("nil", false, "A mention without any answer is NIL."),
            named(
                "left-out",
                true,
                "A mention without any answer is a bare span, which only measures of spans see.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.answers_only, put: |of, yes| of.answers_only = yes },
    },
    &SettingOf {
        name: "candidates",
        about: "Which candidates of a mention may be right.",
        values: &Values {
            named: &[
                named("first", (false, 1), "Only the first candidate of a mention can be right."),
                named("any", (true, 1), "Any candidate of a mention can be right, on both sides."),
            ],
            written: Some(WrittenValue {
                about: "how many candidates of a prediction may be right, the best first",
                example: "3",
                read: |text| {
                    let best: u32 = text.parse().ok()?;
                    (best > 1).then_some((false, best))
                },
                write: |&(_, best)| (best > 1).then(|| best.to_string()),
            }),
        },
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| (of.any_candidate, of.best_candidates),
            put: |of, (any, best)| (of.any_candidate, of.best_candidates) = (any, best),
        },
    },
    &SettingOf {
        name: "words",
        about: "Whether the words that the file of a system gives for a mention must be those of the text.",
        values: &Values::only(&[
            named(
                "any",
                false,
                "A mention is where its offsets or rows say, whatever words the file gives for it.",
            ),
            named(
                "same",
                true,
                "Where spans must be equal, a prediction that the file gives other words for than the text has is wrong.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.same_words, put: |of, same| of.same_words = same },
    },
    &SettingOf {
        name: "scores",
        about: "Which confidences thresholds see.",
        values: &Values::only(&[
            named("all", [false, false], "Thresholds see all confidences."),
            named(
                "untyped",
                [false, true],
                "In measures of links, thresholds see only the confidences of mentions without types.",
            ),
            named("none", [true, false], "Thresholds see no confidence, and drop nothing."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| [of.no_scores, of.untyped_scores && !of.no_scores],
            put: |of, seen| [of.no_scores, of.untyped_scores] = seen,
        },
    },
    &SettingOf {
        name: "nil-answers",
        about: "Whether a prediction of NIL is an answer, where the last prediction of a span wins.",
        values: &Values::only(&[
            named(
                "yes",
                true,
                "A prediction of NIL is an answer, and the right one for a mention that is NIL.",
            ),
            named(
                "no",
                false,
                "A prediction of NIL is no answer where gold has nothing, nor when it is decided whether a \
                 mention is judged by its parts.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.judging.nil_answers,
            put: |of, yes| of.judging.nil_answers = yes,
        },
    },
    &SettingOf {
        name: "required-parts",
        about: "Whether an optional mention can be missed, where the last prediction of a span wins.",
        values: &Values::only(&[
            named(
                "yes",
                true,
                "An optional mention can be missed if some of its parts are not optional.",
            ),
            named("no", false, "An optional mention cannot be missed."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.judging.required_parts,
            put: |of, yes| of.judging.required_parts = yes,
        },
    },
    &SettingOf {
        name: "nil",
        about: "Whether a prediction of NIL is right on a gold mention that is NIL.",
        values: &Values::only(&[
            named("agrees", true, "A prediction of NIL is right on gold that is NIL."),
            named("missed", false, "Nothing is right on gold that is NIL: it can only be missed."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.nil_agrees, put: |of, yes| of.nil_agrees = yes },
    },
    &SettingOf {
        name: "window-of",
        about: "Which side says what part of a document is evaluated.",
        values: &Values::only(&[
            named(
                "gold",
                WindowOf::Gold,
                "Gold says what part of a document is evaluated. Where it says nothing, that is all of it.",
            ),
            named(
                "system",
                WindowOf::System,
                "The system says what part of a document is evaluated, or gold where the system says nothing.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.window_of, put: |of, whose| of.window_of = whose },
    },
    &SettingOf {
        name: "gold-types",
        about: "Gold of which types is scored. Unknown entities and the parts of what stays are kept.",
        values: &TYPES,
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.gold_types.clone(),
            put: |of, types| of.gold_types = types,
        },
    },
    &SettingOf {
        name: "predicted-types",
        about: "Predictions of which types are scored: as the system gives them, or else as the knowledge base has them.",
        values: &TYPES,
        signed: Signed::WhenChanged,
        kept: Kept::Matching {
            get: |of| of.predicted_types.clone(),
            put: |of, types| of.predicted_types = types,
        },
    },
    &SettingOf {
        name: "no-unknowns",
        about: "Whether gold leaves entities that the knowledge base does not have unlabelled.",
        values: &Values::only(&[
            named(
                "yes",
                true,
                "Gold does not label unknown entities: an extra mention with a capital may be one wherever gold has \
                 nothing.",
            ),
            named("no", false, "Gold labels unknown entities like any other."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Matching { get: |of| of.no_unknowns, put: |of, yes| of.no_unknowns = yes },
    },
    &SettingOf {
        name: "zero",
        about: "What a score is where it would divide by nothing.",
        values: &Values::only(&[
            named(
                "undefined",
                Zero::Undefined,
                "The score is undefined: shown as a dash, and left out of averages.",
            ),
            named("0", Zero::Nought, "The score is 0."),
            named(
                "gerbil",
                Zero::Gerbil,
                "All scores are 1 if there is neither gold nor prediction, and 0 if nothing is right.",
            ),
            named(
                "hipe",
                Zero::Hipe,
                "The score is undefined, and F1 is too unless there are both gold and predictions.",
            ),
            named(
                "bat",
                Zero::Bat,
                "Precision is 1 without predictions, recall is 1 without missed gold.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.zero, put: |of, zero| of.zero = zero },
    },
    &SettingOf {
        name: "benchmarks",
        about: "Whether scores on several benchmarks are averaged.",
        values: &Values::only(&[
            named("each", false, "Every benchmark has its own scores."),
            named(
                "mean",
                true,
                "Every benchmark has its own scores, and their mean is given too: each counts the same, however large.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            get: |of| of.over_benchmarks,
            put: |of, mean| of.over_benchmarks = mean,
        },
    },
    &SettingOf {
        name: "group",
        about: "How results are divided among the labels of a facet.",
        values: &Values::only(&[
            named(
                "cases",
                Grouping::Cases,
                "What is right or missed goes by the labels of the gold mention, what is extra by those of the prediction.",
            ),
            named(
                "sides",
                Grouping::Sides,
                "Each side is divided by its own labels, then each part is scored.",
            ),
            named(
                "annotations",
                Grouping::Annotations,
                "Each label is a gold standard of its own: the gold annotations that carry it, against the \
                 predictions on their spans.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.grouping, put: |of, how| of.grouping = how },
    },
    &SettingOf {
        name: "sides",
        about: "Which differences are as surprising as the observed one when two systems are compared.",
        values: &Values::only(&[
            named("one", Sides::One, "Differences in the observed direction count."),
            named("two", Sides::Two, "Differences in either direction count."),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.sides, put: |of, sides| of.sides = sides },
    },
    &SettingOf {
        name: "taxonomy",
        about: "Which categories of errors there are, and which types count as others.",
        values: &TAXONOMY,
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.taxonomy, put: |of, which| of.taxonomy = which },
    },
    &SettingOf {
        name: "ids",
        about: "What of an id is compared.",
        values: &Values::only(&[
            named("as-written", Naming::AsWritten, "All of an id is compared."),
            named(
                "last-segment",
                Naming::LastSegment,
                "What follows the last `/` of an id is compared.",
            ),
            named(
                "local-name",
                Naming::LocalName,
                "What follows the last `/`, `#` or `:` of an id is compared.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.naming, put: |of, naming| of.naming = naming },
    },
    &SettingOf {
        name: "spellings",
        about: "Whether ids are compared as they are written, or by what they name.",
        values: &Values::only(&[
            named("as-written", SpellingRule::AsWritten, "Ids are compared as they are written."),
            named(
                "adapt",
                SpellingRule::Adapt,
                "Where gold and system spell the ids of one knowledge base differently, they are compared by what they name.",
            ),
            named(
                "by-name",
                SpellingRule::ByName,
                "Addresses of Wikidata, Wikipedia, DBpedia and YAGO stand for the items and titles they name.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            get: |of| of.spellings,
            put: |of, spellings| of.spellings = spellings,
        },
    },
    &SettingOf {
        name: "titles",
        about: "Which spellings of a title are known where redirects are followed.",
        values: &Values::only(&[
            named(
                "every-spelling",
                Titles::EverySpelling,
                "Titles are known in every spelling, addresses of Wikipedia and DBpedia included.",
            ),
            named(
                "plain-addresses",
                Titles::PlainAddresses,
                "Titles are known behind plain addresses of Wikipedia only.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.titles, put: |of, titles| of.titles = titles },
    },
    &SettingOf {
        name: "in-kb",
        about: "Which ids are in the knowledge base; all others are NIL.",
        values: &Values::only(&[
            named("every-id", Knowledge::Everything, "Every id is in the knowledge base."),
            named(
                "known-addresses",
                gerbil::KNOWN,
                "Only addresses that GERBIL takes for knowledge bases are: DBpedia, Wikidata and a few more.",
            ),
        ]),
        signed: Signed::WhenChanged,
        kept: Kept::Convention { get: |of| of.knowledge, put: |of, known| of.knowledge = known },
    },
    &SettingOf {
        name: "membership",
        about: "How much gold mentions weigh in fuzzy recall, by their category tags.",
        values: &MEMBERSHIP,
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            // A function of a file has no name; the empty one is that of no function.
            get: |of| Cow::Owned(of.membership.name().unwrap_or_default().to_owned()),
            put: |of, name| {
                if let Some(named) = Membership::named(&name) {
                    of.membership = named.put_together_like(&of.membership);
                }
            },
        },
    },
    &SettingOf {
        name: "over-tags",
        about: "How the weights of several category tags of an annotation are put together.",
        values: &OVER_TAGS,
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            get: |of| of.membership.over_tags,
            put: |of, how| of.membership.over_tags = how,
        },
    },
    &SettingOf {
        name: "over-alternatives",
        about: "How the weights of the alternatives of a mention are put together.",
        values: &OVER_ALTERNATIVES,
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            get: |of| of.membership.over_alternatives,
            put: |of, how| of.membership.over_alternatives = how,
        },
    },
    &SettingOf {
        name: "hit-earns",
        about: "What a hit earns in fuzzy recall.",
        values: &HIT_EARNS,
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            get: |of| of.membership.hit_earns,
            put: |of, what| of.membership.hit_earns = what,
        },
    },
    &SettingOf {
        name: "weight-decimals",
        about: "To how many decimals the weights of fuzzy recall are rounded.",
        values: &DECIMALS,
        signed: Signed::WhenChanged,
        kept: Kept::Convention {
            get: |of| of.membership.decimals,
            put: |of, decimals| of.membership.decimals = decimals,
        },
    },
];

static TYPES: Values<Types> = Values {
    named: &[named("all", Types::ALL, "Mentions of every type are scored.")],
    written: Some(WrittenValue {
        about: "types separated by commas",
        example: "PER,LOC",
        read: |text| {
            let types = Types::only(text.split(',').map(str::trim).filter(|name| !name.is_empty()));
            (!types.are_all()).then_some(types)
        },
        write: |types| Some(types.names().join(",")),
    }),
};

static TAXONOMY: Values<&Taxonomy> = Values::only(&[
    named(
        "karat",
        &taxonomy::KARAT,
        "Categories go by gold alone, so that denominators are the same for every system, and types are \
         as they are given.",
    ),
    named("elevant", &taxonomy::ELEVANT, "The categories of the results that ELEVANT publishes."),
    named(
        "elevant-2025",
        &taxonomy::ELEVANT_2025,
        "The same with the rule for falsely detected coreferences of ELEVANT's code since January 2025.",
    ),
    named("elevant-2023", &taxonomy::ELEVANT_2023, "The categories of the paper of 2023."),
]);

/// The values of `membership`, by name.
pub(crate) static MEMBERSHIP: Values<Cow<'static, str>> = Values {
    named: &[
        named(
            "strict",
            Cow::Borrowed("strict"),
            "Names, nouns and direct reference that no other mention contains weigh 1, others alpha, as in the \
             authors' code.",
        ),
        named(
            "strict-text",
            Cow::Borrowed("strict-text"),
            "Names, nouns and direct reference that overlap with nothing weigh 1, others alpha, as in the paper.",
        ),
        named(
            "questionnaire",
            Cow::Borrowed("questionnaire"),
            "A mention weighs the share of people who would annotate such ones, in the authors' survey.",
        ),
        named(
            "systems",
            Cow::Borrowed("systems"),
            "A mention weighs the mean recall of the authors' six systems on such ones.",
        ),
    ],
    written: Some(WrittenValue {
        about: "an attribute with the weight of each mention",
        example: "attribute:KEY",
        read: |text| Membership::named(text).map(|_| Cow::Owned(text.to_owned())),
        write: |name| (!name.is_empty()).then(|| name.to_string()),
    }),
};

/// The values of `over-tags`.
pub(crate) static OVER_TAGS: Values<OverTags> = Values::only(&[
    named("min", OverTags::Min, "The least weight counts."),
    named("mean", OverTags::Mean, "Their mean counts."),
    named("product", OverTags::Product, "Their product counts."),
]);

/// The values of `over-alternatives`.
pub(crate) static OVER_ALTERNATIVES: Values<OverAlternatives> = Values::only(&[
    named("max", OverAlternatives::Max, "The greatest weight counts."),
    named("min", OverAlternatives::Min, "The least weight counts."),
]);

/// The values of `hit-earns`.
pub(crate) static HIT_EARNS: Values<HitEarns> = Values::only(&[
    named(
        "alternative",
        HitEarns::Alternative,
        "A hit earns the weight of the alternative that was hit, the greatest of several.",
    ),
    named("mention", HitEarns::Mention, "A hit earns the weight of the mention."),
]);

/// The values of `weight-decimals`.
pub(crate) static DECIMALS: Values<Decimals> = Values {
    named: &[],
    written: Some(WrittenValue {
        about: "a whole number from 0 to 6",
        example: "3",
        read: |text| text.parse::<u8>().ok()?.try_into().ok(),
        write: |decimals| Some(decimals.to_string()),
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Convention;
    use crate::settings::SettingError;
    use std::collections::BTreeSet;

    /// Every value that a setting describes.
    fn each(check: impl Fn(&dyn Setting, &str)) {
        for setting in SETTINGS {
            for value in setting.values() {
                check(*setting, value.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_everything_is_described() {
        let names: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.name()).collect();
        assert_eq!(names.len(), SETTINGS.len());
        for setting in SETTINGS {
            assert!(setting.about().ends_with('.'), "{}", setting.name());
            assert!(!setting.values().is_empty(), "{}", setting.name());
            let values: BTreeSet<&str> = setting.values().iter().map(|value| value.name).collect();
            assert_eq!(values.len(), setting.values().len(), "{}", setting.name());
        }
    }

    #[test]
    fn every_value_that_is_described_is_read_and_written_as_it_stands() {
        each(|setting, value| {
            let mut convention = Convention::default();
            setting.set(&mut convention, value).expect("its own value");
            assert_eq!(setting.get(&convention).as_deref(), Some(value), "{}", setting.name());
        });
    }

    #[test]
    fn a_setting_changes_nothing_but_itself() {
        each(|setting, value| {
            let mut convention = Convention::default();
            setting.set(&mut convention, value).expect("its own value");
            let usual = Convention::default().parts();
            for (part, usual) in convention.parts().into_iter().zip(usual) {
                assert!(part == usual || part.0 == setting.name(), "{} {part:?}", setting.name());
            }
        });
    }

    #[test]
    fn what_a_measure_may_have_of_its_own_is_of_matching_alone() {
        each(|setting, value| {
            let mut convention = Convention::default();
            let for_measure = setting.set_for_measure(&mut convention.settings, value);
            match setting.is_of_matching() {
                // A search for the best threshold is a matter of the whole evaluation.
                true if value == "oracle" => {
                    assert!(matches!(for_measure, Err(SettingError::Value { .. })));
                }
                true => {
                    assert_eq!(for_measure, Ok(()));
                    let mut whole = Convention::default();
                    setting.set(&mut whole, value).expect("its own value");
                    assert_eq!(convention, whole, "{}", setting.name());
                }
                false => {
                    let setting = setting.name();
                    assert_eq!(for_measure, Err(SettingError::NotOfMeasure { setting }));
                    assert_eq!(convention, Convention::default());
                }
            }
        });
    }

    #[test]
    fn every_taxonomy_and_membership_function_is_a_value() {
        let taxonomies: Vec<&str> = TAXONOMY.named.iter().map(|value| value.name).collect();
        assert_eq!(taxonomies, Taxonomy::ALL.map(|taxonomy| taxonomy.name));
        for value in MEMBERSHIP.named {
            assert_eq!(
                Membership::named(value.name).as_ref().and_then(Membership::name),
                Some(value.name)
            );
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let mut convention = Convention::default();
        for (name, value) in [
            ("optional", "maybe"),
            ("match", "0%"),
            ("match", "101%"),
            ("match", "close"),
            ("gold-types", " , "),
            ("threshold", "inf"),
            ("threshold", "half"),
            ("membership", "attribute:"),
            ("weight-decimals", "7"),
        ] {
            let refused = convention.set(name, value);
            assert!(matches!(refused, Err(SettingError::Value { .. })), "{name}={value}");
        }
        assert!(matches!(convention.set("colour", "red"), Err(SettingError::Name { .. })));
        assert_eq!(convention, Convention::default());
        convention.set("match", "strong").expect("another tool's name");
        assert_eq!(convention.get("match").as_deref(), Some("exact"));
    }
}
