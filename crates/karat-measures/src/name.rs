//! Names of measures, which parse back into what they name.
//!
//! `link.f1` is a score of a measure, `link(match=overlap).f1@macro` the same
//! score of the measure under another matching, averaged over documents. `recall@5` is short for
//! `candidate-recall(k=5)`.

use crate::measure::Parameters;
use karat_model::Hint;
use std::borrow::Cow;
use std::fmt;

/// A name taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The measure, or a group of measures.
    pub family: String,
    /// What stood in brackets.
    pub parameters: Parameters,
    /// The score that is asked for; `None` for all.
    pub score: Option<String>,
    /// How documents are put together.
    pub average: Average,
}

/// How documents are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Average {
    /// Counts are summed, then scored.
    #[default]
    Micro,
    /// Documents are scored, then averaged.
    Macro,
}

/// A name that karat cannot make sense of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NameError {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Hint,
}

impl NameError {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<Hint>) -> NameError {
        NameError { message: message.into(), hint: hint.into() }
    }
}

impl Name {
    /// Takes a name apart.
    pub fn parse(text: &str) -> Result<Name, NameError> {
        // Taken off first, because `@` also introduces the average: `recall@5@macro`.
        let (rest, cut_off) = without_cut_off(text);
        let (rest, average) = match rest.rsplit_once('@') {
            Some((rest, "macro")) => (rest, Average::Macro),
            Some((rest, "micro")) => (rest, Average::Micro),
            Some((_, other)) => {
                return Err(NameError::new(
                    format!("`{other}` in `{text}` is no way to put documents together"),
                    "write @micro or @macro; only a cut-off is a number, as in recall@5",
                ));
            }
            None => (rest.as_ref(), Average::Micro),
        };
        let (family, mut parameters, score) = match rest.split_once('(') {
            Some((family, rest)) => {
                // The first closing bracket: values of parameters have none.
                let (inside, after) = rest.split_once(')').ok_or_else(|| {
                    NameError::new(
                        format!("`{text}` has no closing bracket"),
                        "write for example link(match=overlap).f1",
                    )
                })?;
                (family, parameters(inside, text)?, score_after(after, text)?)
            }
            // The last dot, so that a family may have dots itself.
            None => match rest.rsplit_once('.') {
                Some((family, score)) => (family, Parameters::new(), Some(score)),
                None => (rest, Parameters::new(), None),
            },
        };
        parameters.extend(cut_off.map(|k| ("k".to_owned(), k.to_owned())));
        let score = score.map(str::to_ascii_lowercase);
        Ok(Name { family: family.to_owned(), parameters, score, average })
    }

    /// The name of the measure alone, without score and average.
    pub fn measure(&self) -> String {
        let inside: Vec<String> =
            self.parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        match inside.as_slice() {
            [] => self.family.clone(),
            inside => format!("{}({})", self.family, inside.join(",")),
        }
    }
}

/// A name without its cut-off, and the cut-off. Recall at a cut-off is that of candidates: `recall`
/// alone would be a score.
fn without_cut_off(text: &str) -> (Cow<'_, str>, Option<&str>) {
    let Some((family, after)) = text.split_once('@') else { return (text.into(), None) };
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    let (cut_off, rest) = after.split_at(end);
    // Digits are a cut-off only where nothing else follows them.
    match !cut_off.is_empty() && (rest.is_empty() || rest.starts_with(['@', '(', '.'])) {
        true => {
            let family = if family == "recall" { "candidate-recall" } else { family };
            (format!("{family}{rest}").into(), Some(cut_off))
        }
        false => (text.into(), None),
    }
}

/// The score behind a closing bracket, if there is one.
fn score_after<'t>(after: &'t str, text: &str) -> Result<Option<&'t str>, NameError> {
    match after.strip_prefix('.') {
        None if !after.is_empty() => Err(NameError::new(
            format!("`{after}` in `{text}` is too much"),
            "a score comes after a dot, as in link(match=overlap).f1",
        )),
        score => Ok(score),
    }
}

fn parameters(inside: &str, text: &str) -> Result<Parameters, NameError> {
    inside
        .split(',')
        // An empty pair is no mistake: `link()` is `link`.
        .filter(|pair| !pair.trim().is_empty())
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
            None => Err(NameError::new(
                format!("`{pair}` in `{text}` says nothing"),
                "write parameters as key=value, for example link(match=overlap)",
            )),
        })
        .collect()
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.measure())?;
        if let Some(score) = &self.score {
            write!(f, ".{score}")?;
        }
        match self.average {
            Average::Micro => Ok(()),
            Average::Macro => f.write_str("@macro"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for text in [
            "link",
            "link.f1",
            "link(match=overlap).f1@macro",
            "tag@macro",
            "x(a=1,b=2)",
            "link(match=50%)",
        ] {
            assert_eq!(Name::parse(text).map(|name| name.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            Name::parse("link.f1@micro").map(|name| name.to_string()),
            Ok("link.f1".to_owned())
        );
        for (text, same) in [
            ("recall@5", "candidate-recall(k=5)"),
            ("candidate-recall@5@macro", "candidate-recall(k=5)@macro"),
            ("recall@10(over=all).recall", "candidate-recall(k=10,over=all).recall"),
        ] {
            assert_eq!(Name::parse(text), Name::parse(same), "{text}");
        }
        assert_eq!(Name::parse("Link.F1").unwrap().score.as_deref(), Some("f1"));
        for wrong in
            ["link(match", "link@mean", "recall@5x", "link(overlap)", "link(match=overlap)xyz"]
        {
            assert!(Name::parse(wrong).is_err(), "{wrong}");
        }
    }
}
