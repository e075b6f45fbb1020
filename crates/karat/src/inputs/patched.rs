//! Gold with patches: which edition it is then, and how it is named.

use super::offsets::Counting;
use super::reading::counted;
use super::{Benchmark, Experiment, InputRequest};
use crate::error::Error;
use crate::gold::{PatchFile, trouble_notices};
use crate::notices;
use karat_model::{Corpus, Digest, Hint, Notice, OffsetUnit};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An edition of a gold standard with patches, as signatures name it: `aida-testb@9b2c11+spring@4f0c9a(17/19)`.
///
/// It is also what a patched benchmark is called, so that no number on it can be taken for one on gold as it is.
///
/// ```
/// use karat::inputs::PatchedEdition;
///
/// let text = "aida-testb@9b2c11+spring@4f0c9a(17/19)";
/// let edition: PatchedEdition = text.parse().expect("an edition with a patch");
/// assert_eq!((edition.gold.as_str(), edition.patches[0].held), ("aida-testb", Some((17, 19))));
/// assert_eq!(edition.to_string(), text);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchedEdition {
    /// What gold is called.
    pub gold: String,
    /// The first six digits of the digest of gold as it is.
    pub digits: String,
    /// The patches, in the order in which they were applied.
    pub patches: Vec<AppliedPatch>,
}

/// A patch of an edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedPatch {
    /// What it is called.
    pub name: String,
    /// The first six digits of its digest.
    pub digits: String,
    /// Of how many changes how many hold; `None` if all do.
    pub held: Option<(usize, usize)>,
}

impl fmt::Display for PatchedEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.gold, self.digits)?;
        for AppliedPatch { name, digits, held } in &self.patches {
            write!(f, "+{name}@{digits}")?;
            if let Some((held, all)) = held {
                write!(f, "({held}/{all})")?;
            }
        }
        Ok(())
    }
}

/// Something that names no edition with patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected GOLD@DIGITS+PATCH@DIGITS")]
pub struct NoEdition;

impl FromStr for PatchedEdition {
    type Err = NoEdition;

    fn from_str(text: &str) -> Result<PatchedEdition, NoEdition> {
        // A name may have a plus or an `@` itself: a part is over where its digits are.
        let mut parts: Vec<AppliedPatch> = Vec::new();
        let mut begun = String::new();
        for piece in text.split('+') {
            begun += piece;
            match part(&begun) {
                Some(part) => {
                    parts.push(part);
                    begun.clear();
                }
                None => begun.push('+'),
            }
        }
        let mut parts = parts.into_iter();
        match (parts.next(), begun.is_empty()) {
            (Some(AppliedPatch { name: gold, digits, held: None }), true) if parts.len() > 0 => {
                Ok(PatchedEdition { gold, digits, patches: parts.collect() })
            }
            _ => Err(NoEdition),
        }
    }
}

/// `NAME@DIGITS` or `NAME@DIGITS(HELD/ALL)`.
fn part(text: &str) -> Option<AppliedPatch> {
    let (name, rest) = text.rsplit_once('@')?;
    let (digits, held) = match rest.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((digits, held)) => {
            let (held, all) = held.split_once('/')?;
            (digits, Some((held.parse().ok()?, all.parse().ok()?)))
        }
        None => (rest, None),
    };
    let is_digit = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
    let is_short = digits.len() == 6 && digits.bytes().all(is_digit);
    let is_named = is_short && !name.is_empty();
    is_named.then(|| AppliedPatch { name: name.to_owned(), digits: digits.to_owned(), held })
}

/// How a signature names gold: by its name and digits, and with its patches where it has some.
pub(crate) fn signed_gold(name: &str, digest: Digest) -> String {
    match name.parse::<PatchedEdition>() {
        Ok(edition) => edition.to_string(),
        Err(NoEdition) => format!("{name}@{}", digest.short()),
    }
}

/// Gold with the patches of an input: everything that applies, one patch after the other. What does not is told and
/// stands in the name.
pub(crate) fn patched(
    name: &str,
    corpus: &Corpus,
    unit: OffsetUnit,
    patches: &[String],
    told: &mut Vec<Notice>,
) -> Result<(String, Corpus), Error> {
    let mut edition = PatchedEdition {
        gold: name.to_owned(),
        digits: corpus.digest().short(),
        patches: Vec::new(),
    };
    let mut corpus = corpus.clone();
    for path in patches {
        let file = PatchFile::read(path)?;
        file.check_unit(&corpus, unit)?;
        let patched = file.patch.applied_to(&corpus);
        let counts = patched.counts();
        let (held, all) = (counts.in_effect(), counts.active());
        told.extend(trouble_notices(&file, name, &corpus, &patched.judged, false));
        edition.patches.push(AppliedPatch {
            name: file.name.clone(),
            digits: file.patch.digest().short(),
            held: (held < all).then_some((held, all)),
        });
        corpus = patched.corpus;
    }
    Ok((edition.to_string(), corpus))
}

/// Gives each patch to the gold standard that it is for: the only one, the one named before it (`NAME=PATCH`), or the one
/// that the patch itself names.
pub fn give_patches<'i>(
    gold: impl IntoIterator<Item = &'i mut InputRequest>,
    patches: &[String],
) -> Result<(), Error> {
    if patches.is_empty() {
        return Ok(());
    }
    let mut gold: Vec<&mut InputRequest> = gold.into_iter().collect();
    let names: Vec<String> = gold.iter().map(|input| input.called()).collect();
    for patch in patches {
        let (named, path) = karat_formats::Input::split_name(patch);
        let meant = match (named, gold.len()) {
            (None, 1) => Some(names[0].clone()),
            (Some(named), _) => Some(named.to_owned()),
            (None, _) => PatchFile::read(path)?.patch.base.name,
        };
        let place = meant.as_ref().and_then(|meant| names.iter().position(|name| name == meant));
        let Some(place) = place else {
            return Err(Error::bad_request(
                match meant {
                    Some(meant) => format!("`{path}` is for `{meant}`, which was not given"),
                    None => format!("`{path}` does not say which gold standard it is for"),
                },
                Hint::template("say which is meant: {patch=GOLD=FILE}"),
            ));
        };
        gold[place].patches.push(path.to_owned());
    }
    Ok(())
}

/// Which editions of a gold standard with patches are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Editions {
    /// The one with all patches.
    Patched,
    /// Gold as it is, and the one with all patches.
    Both,
}

/// The experiments with the patches of their gold standards. Runs stay what they are: no patch changes a text.
pub(super) fn with_patches(
    experiments: Vec<Experiment>,
    gold: &[InputRequest],
    editions: Editions,
    told: &mut Vec<Notice>,
) -> Result<Vec<Experiment>, Error> {
    let mut all = Vec::new();
    for (at, experiment) in experiments.into_iter().enumerate() {
        let patches = gold.get(at).map_or(&[][..], |input| input.patches.as_slice());
        if patches.is_empty() {
            all.push(experiment);
            continue;
        }
        let corrected = experiment.patched(patches, told)?;
        if editions == Editions::Both {
            all.push(experiment);
        }
        all.push(corrected);
    }
    Ok(all)
}

impl Experiment {
    /// The same runs on gold with patches.
    pub(crate) fn patched(
        &self,
        patches: &[String],
        told: &mut Vec<Notice>,
    ) -> Result<Experiment, Error> {
        let Benchmark { name, corpus, counting } = &self.benchmark;
        let unit = counting.as_ref().map_or(OffsetUnit::CodePoints, Counting::unit);
        let (name, corpus) = patched(name, corpus, unit, patches, told)?;
        let counting = counting.clone();
        let benchmark = Benchmark { name, corpus: Arc::new(corpus), counting };
        Ok(Experiment { benchmark, runs: self.runs.clone() })
    }
}

/// Patches of what is held in memory would be files that somebody names from afar.
pub(super) fn check_held(gold: &[InputRequest]) -> Result<(), Error> {
    match gold.iter().find(|input| !input.patches.is_empty()) {
        Some(input) => Err(Error::bad_request(
            format!("`{}` is held in memory and takes no patches", input.path),
            "give the patches where gold is read",
        )),
        None => Ok(()),
    }
}

/// The notice that a patch was made for something else, where not all of it applies.
pub(crate) fn other_base(file: &PatchFile, gold: &str, corpus: &Corpus) -> Option<Notice> {
    let base = file.patch.base.name.as_deref().unwrap_or("another gold standard");
    (file.patch.base.is(corpus) == Some(false)).then(|| {
        let message = format!(
            "`{}` was made for {}, and `{gold}` says something else of its mentions",
            file.name,
            match &file.patch.base.short {
                Some(short) => format!("`{base}@{short}`"),
                None => format!("`{base}`"),
            }
        );
        let hint = format!("`karat gold rebase {} GOLD -o NEW` moves it", file.path);
        notices::PATCH_BASE.notice(message).about(&file.name).hint(hint)
    })
}

/// How many of how many.
pub(crate) fn share(count: usize, all: usize, noun: &str) -> String {
    match count == all {
        true => format!("all {}", counted(all, noun)),
        false => format!("{count} of {}", counted(all, noun)),
    }
}
