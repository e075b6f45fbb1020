//! The categories of errors.

/// A category of errors. Those of one family that exclude each other add up to the first of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Gold that was not recognised.
    Missed,
    /// Its text is lowercased.
    MissedLowercased,
    /// Only a part of it was found, and that part is wrong.
    MissedPartiallyIncluded,
    /// Something wrong overlaps it.
    MissedPartialOverlap,
    /// For another reason.
    MissedOther,
    /// A prediction where nothing was to be recognised.
    Extra,
    /// Its text is lowercased.
    ExtraLowercased,
    /// Gold says NIL.
    ExtraGroundtruthUnknown,
    /// For another reason.
    ExtraOther,
    /// The right entity on a wrong span; not exclusive.
    WrongSpan,
    /// A recognised mention with the wrong entity.
    Disambiguation,
    /// Of a demonym.
    Demonym,
    /// Of something called by the name of a place.
    Metonymy,
    /// Of something called by a part of its name.
    PartialName,
    /// Of something whose name usually means something else.
    Rare,
    /// For another reason.
    DisambiguationOther,
    /// The right entity was not among the candidates; not exclusive.
    WrongCandidates,
    /// The right entity was among several candidates; not exclusive.
    MultipleCandidates,
    /// A wrong answer on a hyperlink of the article; not exclusive.
    Hyperlink,
    /// A coreference that was not recognised.
    CoreferenceUndetected,
    /// A coreference to another mention than the right one.
    CoreferenceWrongMention,
    /// A coreference to the right mention, which is linked wrongly itself.
    CoreferenceWrongLink,
    /// A coreference whose antecedent is not in the text.
    CoreferenceOther,
    /// A prediction on a pronoun or the like where nothing was to be recognised.
    CoreferenceFalseDetection,
    /// A wrong link on an optional mention.
    OptionalMention,
    /// A wrong link on a part of an alternative.
    AlternativePart,
    /// The right entity on a wrong span of a mention that need not be found, or of which another
    /// prediction is on a wrong span already; not exclusive.
    WrongSpanOther,
    /// A wrong answer on a hyperlink where nothing was to be found; not exclusive.
    HyperlinkOther,
}

/// A category and whether the error was made or avoided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The category.
    pub category: Category,
    /// The error was made; otherwise it could have been made and was not.
    pub wrong: bool,
}

impl Label {
    /// An error that was made.
    pub fn wrong(category: Category) -> Label {
        Label { category, wrong: true }
    }

    /// An error that was avoided.
    pub fn avoided(category: Category) -> Label {
        Label { category, wrong: false }
    }

    /// What ELEVANT calls it in its files of cases; `None` for what it has no word for.
    pub fn elevant(self) -> Option<&'static str> {
        let [wrong, avoided] = self.category.entry().labels;
        let name = if self.wrong { wrong } else { avoided };
        (!name.is_empty()).then_some(name)
    }
}

/// What is written of a category.
struct Entry {
    category: Category,
    name: &'static str,
    family: &'static str,
    key: &'static str,
    labels: [&'static str; 2],
    summary: &'static str,
}

const fn entry(
    category: Category,
    name: &'static str,
    place: (&'static str, &'static str),
    labels: [&'static str; 2],
    summary: &'static str,
) -> Entry {
    Entry { category, name, family: place.0, key: place.1, labels, summary }
}

/// All categories, in the order in which ELEVANT lists them. Names are unique, keys in a family.
static ENTRIES: [Entry; 28] = {
    use Category::*;
    [
        entry(
            Missed,
            "missed",
            ("ner_fn", "all"),
            ["NER_FN", "AVOIDED_NER_FN"],
            "gold that was not recognised",
        ),
        entry(
            MissedLowercased,
            "missed-lowercased",
            ("ner_fn", "lowercased"),
            ["NER_FN_LOWERCASED", "AVOIDED_NER_FN_LOWERCASED"],
            "missed, and the text is lowercased",
        ),
        entry(
            MissedPartiallyIncluded,
            "partially_included",
            ("ner_fn", "partially_included"),
            ["NER_FN_PARTIALLY_INCLUDED", "AVOIDED_NER_FN_PARTIALLY_INCLUDED"],
            "missed, and a part of it was predicted wrongly",
        ),
        entry(
            MissedPartialOverlap,
            "partial_overlap",
            ("ner_fn", "partial_overlap"),
            ["NER_FN_PARTIAL_OVERLAP", "AVOIDED_NER_FN_PARTIAL_OVERLAP"],
            "missed, and something wrong overlaps it",
        ),
        entry(
            MissedOther,
            "missed-other",
            ("ner_fn", "other"),
            ["NER_FN_OTHER", "AVOIDED_NER_FN_OTHER"],
            "missed for another reason",
        ),
        entry(
            Extra,
            "extra-mention",
            ("ner_fp", "all"),
            ["NER_FP", ""],
            "predicted where nothing was to be recognised",
        ),
        entry(
            ExtraLowercased,
            "extra-lowercased",
            ("ner_fp", "lowercased"),
            ["NER_FP_LOWERCASED", ""],
            "extra, and the text is lowercased",
        ),
        entry(
            ExtraGroundtruthUnknown,
            "groundtruth_unknown",
            ("ner_fp", "groundtruth_unknown"),
            ["NER_FP_GROUNDTRUTH_UNKNOWN", "AVOIDED_NER_FP_GROUNDTRUTH_UNKNOWN"],
            "linked, and gold says NIL",
        ),
        entry(
            ExtraOther,
            "extra-other",
            ("ner_fp", "other"),
            ["NER_FP_OTHER", ""],
            "extra for another reason",
        ),
        entry(
            WrongSpan,
            "wrong_span",
            ("ner_fp", "wrong_span"),
            ["NER_FP_WRONG_SPAN", "AVOIDED_NER_FP_WRONG_SPAN"],
            "the right entity on a wrong span",
        ),
        entry(
            Disambiguation,
            "wrong_disambiguation",
            ("wrong_disambiguation", "all"),
            ["DISAMBIGUATION_WRONG", "DISAMBIGUATION_CORRECT"],
            "recognised, with the wrong entity",
        ),
        entry(
            Demonym,
            "demonym",
            ("wrong_disambiguation", "demonym"),
            ["DISAMBIGUATION_DEMONYM_WRONG", "DISAMBIGUATION_DEMONYM_CORRECT"],
            "a people or language called by a demonym",
        ),
        entry(
            Metonymy,
            "metonymy",
            ("wrong_disambiguation", "metonymy"),
            ["DISAMBIGUATION_METONYMY_WRONG", "DISAMBIGUATION_METONYMY_CORRECT"],
            "something called by the name of a place",
        ),
        entry(
            PartialName,
            "partial_name",
            ("wrong_disambiguation", "partial_name"),
            ["DISAMBIGUATION_PARTIAL_NAME_WRONG", "DISAMBIGUATION_PARTIAL_NAME_CORRECT"],
            "something called by a part of its name",
        ),
        entry(
            Rare,
            "rare",
            ("wrong_disambiguation", "rare"),
            ["DISAMBIGUATION_RARE_WRONG", "DISAMBIGUATION_RARE_CORRECT"],
            "something whose name mostly means something else",
        ),
        entry(
            DisambiguationOther,
            "disambiguation-other",
            ("wrong_disambiguation", "other"),
            ["DISAMBIGUATION_OTHER_WRONG", "DISAMBIGUATION_OTHER_CORRECT"],
            "the wrong entity for another reason",
        ),
        entry(
            WrongCandidates,
            "wrong_candidates",
            ("wrong_disambiguation", "wrong_candidates"),
            ["DISAMBIGUATION_CANDIDATES_WRONG", "DISAMBIGUATION_CANDIDATES_CORRECT"],
            "the right entity was no candidate",
        ),
        entry(
            MultipleCandidates,
            "multiple_candidates",
            ("wrong_disambiguation", "multiple_candidates"),
            ["DISAMBIGUATION_MULTI_CANDIDATES_WRONG", "DISAMBIGUATION_MULTI_CANDIDATES_CORRECT"],
            "the right entity was one of several candidates",
        ),
        entry(
            Hyperlink,
            "hyperlink",
            ("other_errors", "hyperlink"),
            ["HYPERLINK_WRONG", "HYPERLINK_CORRECT"],
            "on a hyperlink of the article",
        ),
        entry(
            CoreferenceUndetected,
            "undetected",
            ("wrong_coreference", "undetected"),
            ["COREFERENCE_UNDETECTED", ""],
            "a coreference that was not recognised",
        ),
        entry(
            CoreferenceWrongMention,
            "wrong_mention_referenced",
            ("wrong_coreference", "wrong_mention_referenced"),
            ["COREFERENCE_WRONG_MENTION_REFERENCED", ""],
            "a coreference to another mention than the right one",
        ),
        entry(
            CoreferenceWrongLink,
            "reference_wrongly_disambiguated",
            ("wrong_coreference", "reference_wrongly_disambiguated"),
            ["COREFERENCE_REFERENCE_WRONGLY_DISAMBIGUATED", ""],
            "a coreference to a mention that is linked wrongly itself",
        ),
        entry(
            CoreferenceOther,
            "coreference-other",
            ("wrong_coreference", "other"),
            ["", ""],
            "a coreference whose antecedent is not in the text",
        ),
        entry(
            CoreferenceFalseDetection,
            "false_detection",
            ("wrong_coreference", "false_detection"),
            ["COREFERENCE_FALSE_DETECTION", ""],
            "a coreference where nothing was to be recognised",
        ),
        entry(
            OptionalMention,
            "optional_mention",
            ("other_errors", "optional_mention"),
            ["", ""],
            "a wrong link on an optional mention",
        ),
        entry(
            AlternativePart,
            "alternative_part",
            ("other_errors", "alternative_part"),
            ["", ""],
            "a wrong link on a part of an alternative",
        ),
        entry(
            WrongSpanOther,
            "wrong_span-other",
            ("ner_fp", "wrong_span_other"),
            ["", ""],
            "a wrong span once more, or of what need not be found",
        ),
        entry(
            HyperlinkOther,
            "hyperlink-other",
            ("other_errors", "hyperlink_other"),
            ["", ""],
            "on a hyperlink where nothing was to be found",
        ),
    ]
};

impl Category {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Category> {
        ENTRIES.iter().map(|entry| entry.category)
    }

    /// How many there are.
    pub const COUNT: usize = ENTRIES.len();

    fn entry(self) -> &'static Entry {
        // The table has the order of the definition, as a test says.
        &ENTRIES[self as usize]
    }

    /// Its name, unique among categories.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The family that ELEVANT puts it in.
    pub fn family(self) -> &'static str {
        self.entry().family
    }

    /// Its name in the family.
    pub fn key(self) -> &'static str {
        self.entry().key
    }

    /// What it is, in a few words.
    pub fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// Whether it is the sum of others of its family.
    pub fn is_total(self) -> bool {
        matches!(self, Category::Missed | Category::Extra | Category::Disambiguation)
    }

    /// Whether an error may be in it and in others as well.
    pub fn is_further(self) -> bool {
        matches!(
            self,
            Category::WrongSpan
                | Category::WrongCandidates
                | Category::MultipleCandidates
                | Category::Hyperlink
                | Category::WrongSpanOther
                | Category::HyperlinkOther
        )
    }

    /// Whether it is about what coreferences refer to.
    pub fn is_coreference(self) -> bool {
        self.family() == "wrong_coreference"
    }

    /// Whether it can be told only of a system that gives candidates.
    pub fn needs_candidates(self) -> bool {
        matches!(self, Category::WrongCandidates | Category::MultipleCandidates)
    }

    /// Whether a knowledge base may be needed to tell it.
    pub fn needs_a_base(self) -> bool {
        let family = self.family() == "wrong_disambiguation";
        family && !self.is_total() && !self.needs_candidates()
    }

    /// The categories with this name: one by its own, as lists have it; those of a family by `family`
    /// or by `family.key`, as tables have them; by `key` all that have it.
    pub fn named(name: &str) -> Vec<Category> {
        let own = Category::all().filter(|category| category.name() == name);
        let own: Vec<Category> = own.collect();
        if !own.is_empty() {
            return own;
        }
        match name.split_once('.') {
            Some((family, key)) => Category::all()
                .filter(|category| category.family() == family && category.key() == key)
                .collect(),
            None => {
                let has = |category: &Category| category.family() == name || category.key() == name;
                Category::all().filter(has).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_names_are_unique() {
        let mut names = std::collections::HashSet::new();
        for (at, entry) in ENTRIES.iter().enumerate() {
            assert_eq!(entry.category as usize, at);
            assert!(names.insert(entry.name), "{}", entry.name);
        }
    }

    #[test]
    fn categories_are_found_by_name_key_and_family() {
        assert_eq!(Category::named("metonymy"), [Category::Metonymy]);
        assert_eq!(Category::named("ner_fp.other"), [Category::ExtraOther]);
        assert_eq!(Category::named("ner_fn").len(), 5);
        assert_eq!(
            Category::named("lowercased"),
            [Category::MissedLowercased, Category::ExtraLowercased]
        );
        assert!(Category::named("nonsense").is_empty());
    }
}
