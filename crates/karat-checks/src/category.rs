//! The category tags of mentions.

use karat_model::{Change, Corpus, Dimension, DimensionCategory, Edit, Mention, Vocabulary};

/// Names of the older vocabulary that the other two have no word for.
pub(crate) const OLDER: [&str; 4] = ["AntecedentRf", "CoreferenceRf", "LiteralRh", "FigurativeRh"];

/// Whether a corpus follows the older scheme, which has other dimensions for how mentions refer.
pub(crate) fn is_of_older_scheme(corpus: &Corpus) -> bool {
    let is_older = |tag: &str| tag.strip_prefix("mnt:").is_some_and(|name| OLDER.contains(&name));
    corpus.documents().flat_map(|document| document.mentions()).any(|mention| {
        let mut tags = mention.tags();
        tags.any(is_older)
    })
}

/// A tag in the vocabulary that a mention has its tags from; `el:` where it has none.
pub(crate) fn as_in(mention: &Mention<'_>, category: DimensionCategory) -> String {
    let of = |tag: &str| {
        let is_of = |vocabulary: &Vocabulary| vocabulary.tagged(tag).is_some();
        Vocabulary::ALL.into_iter().find(is_of)
    };
    // A corpus in one vocabulary stays in it: `el:` tags beside `fel:` ones would be a finding of
    // `tag-name`.
    category.tag(mention.tags().find_map(of).unwrap_or(Vocabulary::El))
}

/// The categories of a mention.
pub(crate) fn categories<'a>(
    mention: &Mention<'a>,
) -> impl Iterator<Item = DimensionCategory> + use<'a> {
    mention.tags().filter_map(DimensionCategory::of)
}

/// Whether two tags are one, in whatever vocabulary.
pub(crate) fn is_same_tag(one: &str, other: &str) -> bool {
    one == other
        || DimensionCategory::of(one)
            .is_some_and(|category| DimensionCategory::of(other) == Some(category))
}

/// The mention with a category in place of those of its dimension.
pub(crate) fn with_category(mention: &Mention<'_>, category: DimensionCategory) -> Edit {
    let others = mention.tags().filter(|tag| Dimension::of(tag) != Some(category.dimension()));
    let tags = others.map(str::to_owned).chain([as_in(mention, category)]);
    Edit::Change(Change::tags(tags))
}
