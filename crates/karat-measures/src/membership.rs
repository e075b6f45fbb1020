//! How much of a gold mention an entity linker must find: membership functions of fuzzy recall.

use crate::{survey, tag_weights};
use karat_match::{SpanAnnotation, SpanMention};
use karat_model::{DimensionCategory, Document, Hint, Mention, Vocabulary};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Weights of mentions by their category tags.
#[derive(Debug, Clone, PartialEq)]
pub struct Membership {
    /// What it is called; `None` if it is nobody else's.
    pub(crate) name: Option<Cow<'static, str>>,
    /// The attribute of a mention that has its weight, if there is one.
    pub(crate) attribute: Option<String>,
    /// The weight of each category, in the order of [`DimensionCategory::ALL`].
    pub(crate) weights: Vec<TagWeight>,
    /// How the tags of an annotation are put together.
    pub over_tags: OverTags,
    /// How the alternatives of a mention are put together.
    pub over_alternatives: OverAlternatives,
    /// What a hit earns.
    pub hit_earns: HitEarns,
    /// To how many decimals weights are rounded.
    pub decimals: Decimals,
}

/// The weight of a tag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TagWeight {
    /// This much, from 0 to 1.
    Is(f64),
    /// As much as mentions that not everybody would annotate.
    Alpha,
    /// It says nothing: the other tags decide.
    Silent,
}

/// How the tags of an annotation are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverTags {
    /// The least counts.
    #[default]
    Min,
    /// Their mean.
    Mean,
    /// Their product.
    Product,
}

/// How the alternatives of a mention are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverAlternatives {
    /// The greatest counts.
    #[default]
    Max,
    /// The least counts.
    Min,
}

/// What a hit earns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HitEarns {
    /// The weight of the alternative that was hit, the greatest of several.
    #[default]
    Alternative,
    /// The weight of the mention.
    Mention,
}

/// To how many decimals weights are rounded; 6 at most, as they are counted in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u8")]
pub struct Decimals(u8);

impl Decimals {
    /// As many as there can be.
    pub const MOST: Decimals = Decimals(6);
    /// Three.
    pub const THREE: Decimals = Decimals(3);

    /// A weight, rounded.
    fn rounded(self, weight: f64) -> f64 {
        let Decimals(digits) = self;
        let parts = 10f64.powi(i32::from(digits));
        let whole = weight * parts;
        // Scores of the authors' script were rounded by Python's `round`, which looks at the exact
        // decimals of a float. Elsewhere multiplying and rounding gives the same, and costs less.
        let is_half = (whole.fract() - 0.5).abs() < 1e-6;
        match self {
            // Weights are counted in millionths anyway.
            Decimals::MOST => weight,
            // To which side a half goes is said by its decimals, and multiplying has lost these.
            _ if is_half => format!("{weight:.0$}", usize::from(digits)).parse().unwrap_or(weight),
            _ => whole.round() / parts,
        }
    }
}

impl Default for Decimals {
    fn default() -> Decimals {
        Decimals::MOST
    }
}

/// So many decimals are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no value of `weight-decimals`: expected 0 to 6")]
pub struct DecimalsError(u8);

impl TryFrom<u8> for Decimals {
    type Error = DecimalsError;

    fn try_from(digits: u8) -> Result<Decimals, DecimalsError> {
        match digits {
            0..=6 => Ok(Decimals(digits)),
            _ => Err(DecimalsError(digits)),
        }
    }
}

impl fmt::Display for Decimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A membership function that karat cannot make sense of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MembershipError {
    /// What is wrong, and on which line.
    pub message: String,
    /// What to do.
    pub hint: Hint,
}

/// What precedes the name of an attribute that has the weight of each mention.
const OF_ATTRIBUTE: &str = "attribute:";

impl Membership {
    /// Weights are counted in these parts of 1, so that sums of them are exact.
    pub const PARTS: f64 = 1e6;

    /// A built-in membership function: `strict` as the authors' code has it, `strict-text` as the paper
    /// has it, `questionnaire`, the averages of the answers of the authors' survey, or `systems`, the
    /// mean recall of the authors' six systems. `attribute:KEY` is what each mention itself says.
    pub fn named(name: &str) -> Option<Membership> {
        let built_in = |name, weights| Membership {
            name: Some(Cow::Borrowed(name)),
            ..Membership::of(weights)
        };
        match name {
            "strict" => Some(Membership::strict()),
            "strict-text" => Some(Membership::default()),
            "questionnaire" => Some(built_in("questionnaire", tag_weights::questionnaire())),
            "systems" => Some(built_in("systems", tag_weights::systems())),
            _ => {
                let key = name.strip_prefix(OF_ATTRIBUTE).filter(|key| !key.is_empty())?;
                Some(Membership {
                    name: Some(Cow::Owned(name.to_owned())),
                    attribute: Some(key.to_owned()),
                    ..Membership::of(vec![TagWeight::Silent; DimensionCategory::ALL.len()])
                })
            }
        }
    }

    /// What the authors' code calls strict: names, nouns and direct reference that no other mention
    /// contains.
    pub(crate) fn strict() -> Membership {
        let weights = tag_weights::strict(&["Olp-None", "Olp-Maximal"]);
        Membership { name: Some(Cow::Borrowed("strict")), ..Membership::of(weights) }
    }

    /// Reads a membership function from TOML. What the file does not say of putting weights together
    /// is as `usual`.
    ///
    /// ```
    /// use karat_measures::Membership;
    ///
    /// let file = "over-tags = \"mean\"\n[weights]\nMnt-Full = 1\nMnt-CommonForm = \"alpha\"\n";
    /// assert!(Membership::parse(file, &Membership::default()).is_ok());
    /// ```
    pub fn parse(text: &str, usual: &Membership) -> Result<Membership, MembershipError> {
        let at = |place: usize| {
            let before = text.get(..place).unwrap_or(text);
            format!("line {}: ", 1 + before.matches('\n').count())
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or_else(String::new, |span| at(span.start));
            wrong(format!("{line}{}", error.message()))
        })?;
        if file.weights.is_empty() {
            return Err(wrong("[weights] has no weight".to_owned()));
        }
        let mut weights = vec![TagWeight::Silent; DimensionCategory::ALL.len()];
        let mut seen = BTreeSet::new();
        for (tag, value) in &file.weights {
            let line = at(value.span().start);
            let category = named_category(tag)
                .ok_or_else(|| wrong(format!("{line}`{tag}` is no category tag")))?;
            let weight = value.get_ref().weight().ok_or_else(|| {
                wrong(format!(
                    "{line}the weight of `{tag}` is neither a number from 0 to 1 nor \"alpha\""
                ))
            })?;
            if !seen.insert(category) {
                let message = format!("{line}`{tag}` has a second weight under another name");
                return Err(wrong(message));
            }
            weights[category as usize] = weight;
        }
        Ok(Membership {
            over_tags: file.over_tags.unwrap_or(usual.over_tags),
            over_alternatives: file.over_alternatives.unwrap_or(usual.over_alternatives),
            hit_earns: file.hit_earns.unwrap_or(usual.hit_earns),
            decimals: file.weight_decimals.unwrap_or(usual.decimals),
            ..Membership::of(weights)
        })
    }

    /// Makes a membership function of the answers of a survey: for each tag the share of those who
    /// would annotate such mentions, or how many would and how many would not.
    ///
    /// ```
    /// let survey = "tag\tyes\tno\nMnt-Full\t31\t5\nMnt-CommonForm\t5\t31\n";
    /// assert!(karat_measures::Membership::of_survey(survey).is_ok());
    /// ```
    pub fn of_survey(text: &str) -> Result<Membership, MembershipError> {
        let mut weights = vec![TagWeight::Silent; DimensionCategory::ALL.len()];
        for (category, ratio) in survey::ratios(text)? {
            weights[category as usize] = TagWeight::Is(ratio);
        }
        Ok(Membership::of(weights))
    }

    /// What it is called; `None` if it is nobody else's.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The attribute of a mention that has its weight, if it is not in the tags.
    pub fn attribute(&self) -> Option<&str> {
        self.attribute.as_deref()
    }

    /// Whether some weight is alpha: without one, no value of it changes anything.
    pub fn knows_alpha(&self) -> bool {
        self.weights.contains(&TagWeight::Alpha)
    }

    /// The same weights, put together as another membership function does it.
    pub fn put_together_like(self, other: &Membership) -> Membership {
        Membership {
            over_tags: other.over_tags,
            over_alternatives: other.over_alternatives,
            hit_earns: other.hit_earns,
            decimals: other.decimals,
            ..self
        }
    }

    /// The weight of a mention with these tags, from 0 to 1. Without a tag that says something it is 1.
    /// What is said twice, in one vocabulary or in two, counts once.
    pub fn of_tags<'t>(&self, tags: impl IntoIterator<Item = &'t str>, alpha: f64) -> f64 {
        let categories: BTreeSet<DimensionCategory> =
            tags.into_iter().filter_map(DimensionCategory::of).collect();
        let weight = |category: DimensionCategory| match self.weights.get(category as usize)? {
            TagWeight::Is(weight) => Some(*weight),
            TagWeight::Alpha => Some(alpha),
            TagWeight::Silent => None,
        };
        let weights = categories.into_iter().filter_map(weight);
        match self.over_tags {
            OverTags::Min => weights.fold(1.0, f64::min),
            OverTags::Product => weights.product(),
            OverTags::Mean => {
                let (sum, number) =
                    weights.fold((0.0, 0.0), |(sum, number), weight| (sum + weight, number + 1.0));
                if number > 0.0 { sum / number } else { 1.0 }
            }
        }
    }

    /// The weight of an annotation, from 0 to 1; 1 where nothing is known of it.
    pub fn of_annotation(&self, annotation: &Mention<'_>, alpha: f64) -> f64 {
        match &self.attribute {
            None => self.of_tags(annotation.tags(), alpha),
            Some(_) => self.own_weight(annotation).unwrap_or(1.0),
        }
    }

    /// Whether it has anything to go by in an annotation: a category tag with a weight, or a weight of
    /// its own.
    pub fn weighs(&self, annotation: &Mention<'_>) -> bool {
        let says = |tag: &str| {
            let category = DimensionCategory::of(tag)?;
            self.weights.get(category as usize).filter(|weight| **weight != TagWeight::Silent)
        };
        self.own_weight(annotation).is_some() || annotation.tags().any(|tag| says(tag).is_some())
    }

    /// The number from 0 to 1 that an annotation has in the attribute.
    fn own_weight(&self, annotation: &Mention<'_>) -> Option<f64> {
        let text = annotation.attribute(self.attribute.as_deref()?)?;
        text.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight))
    }

    /// What a hit on a mention earns, and what there is to earn, in millionths.
    pub(crate) fn of_mention(
        &self,
        document: Option<&Document<'_>>,
        mention: &SpanMention,
        alpha: f64,
    ) -> [f64; 2] {
        let weight = |annotation: &SpanAnnotation| {
            let found = document.and_then(|gold| gold.mention(annotation.item.index as usize));
            let weight = found.map_or(1.0, |found| self.of_annotation(&found, alpha));
            // Whole millionths: sums over documents are exact.
            (self.decimals.rounded(weight) * Membership::PARTS).round()
        };
        let weights = || mention.annotations.iter().map(weight);
        let whole = match self.over_alternatives {
            OverAlternatives::Max => weights().fold(0.0, f64::max),
            OverAlternatives::Min => weights().fold(Membership::PARTS, f64::min),
        };
        let hits = mention.annotations.iter().filter(|annotation| annotation.met.is_some());
        let earned = match self.hit_earns {
            HitEarns::Mention => hits.map(|_| whole).fold(0.0, f64::max),
            // An alternative may weigh more than the least of all.
            HitEarns::Alternative => hits.map(weight).fold(0.0, f64::max).min(whole),
        };
        [earned, whole]
    }

    fn of(weights: Vec<TagWeight>) -> Membership {
        Membership {
            name: None,
            attribute: None,
            weights,
            over_tags: OverTags::default(),
            over_alternatives: OverAlternatives::default(),
            hit_earns: HitEarns::default(),
            decimals: Decimals::default(),
        }
    }
}

impl Default for Membership {
    /// What the paper calls strict: names, nouns and direct reference that overlap with nothing.
    fn default() -> Membership {
        let weights = tag_weights::strict(&["Olp-None"]);
        Membership { name: Some(Cow::Borrowed("strict-text")), ..Membership::of(weights) }
    }
}

/// A category by any of its names, with or without the prefix of its vocabulary.
pub(crate) fn named_category(name: &str) -> Option<DimensionCategory> {
    let bare = |vocabulary: Vocabulary| vocabulary.category(name);
    DimensionCategory::of(name).or_else(|| Vocabulary::ALL.into_iter().find_map(bare))
}

pub(crate) fn wrong(message: String) -> MembershipError {
    let hint = "write for example: [weights], then Mnt-Full = 1 and Mnt-CommonForm = \"alpha\"";
    MembershipError { message, hint: hint.into() }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    over_tags: Option<OverTags>,
    over_alternatives: Option<OverAlternatives>,
    hit_earns: Option<HitEarns>,
    weight_decimals: Option<Decimals>,
    weights: BTreeMap<String, toml::Spanned<Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Value {
    Number(f64),
    Word(String),
    /// Whatever else there is in TOML, to say which weight it is.
    Other(serde::de::IgnoredAny),
}

impl Value {
    fn weight(&self) -> Option<TagWeight> {
        match self {
            Value::Number(weight) => (0.0..=1.0).contains(weight).then_some(TagWeight::Is(*weight)),
            Value::Word(word) => (word == "alpha").then_some(TagWeight::Alpha),
            Value::Other(_) => None,
        }
    }
}
