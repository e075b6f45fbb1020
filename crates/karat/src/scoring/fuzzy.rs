//! How gold mentions are weighed, as it is asked for.

use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::plain_text;
use crate::notices;
use karat_measures::{Convention, Membership, Setting, setting};
use karat_model::{Hint, Notice};

/// Values of alpha are told apart as weights are.
const PARTS: f64 = Membership::PARTS;

/// No sweep needs more points.
const MOST: usize = 1001;

/// What `--fuzzy` asks for.
#[derive(Debug, Default)]
pub(crate) struct Fuzzy {
    /// The names of the measures.
    pub(crate) measures: Vec<String>,
    /// The file of the membership function with its fingerprint, for the signature.
    pub(crate) provenance: Option<String>,
}

impl Fuzzy {
    /// Takes the arguments apart, and makes the convention that they and all others name. What is said
    /// in the command line goes before what is said in a file.
    pub(crate) fn of(
        arguments: &[String],
        others: &ConventionRequest,
        told: &mut Vec<Notice>,
    ) -> Result<(Fuzzy, Convention), Error> {
        let mut convention = (others.preset()?.convention)();
        let mut fuzzy = Fuzzy::default();
        let mut given: Option<String> =
            others.settings.get("membership").map(|name| format!("membership={name}"));
        for argument in arguments {
            if let Some(list) = argument.strip_prefix("alpha=") {
                let measure = |alpha: f64| format!("fuzzy(alpha={alpha})");
                fuzzy.measures.extend(progression(list)?.into_iter().map(measure));
                continue;
            }
            if let Some(other) = given.replace(argument.clone()) {
                return Err(Error::bad_request(
                    format!("`{other}` and `{argument}` are two membership functions"),
                    Hint::template(
                        "give one of them with {fuzzy}, and the values of alpha with another {fuzzy}",
                    ),
                ));
            }
            // How weights are put together is a setting of its own, which another function leaves
            // as it is.
            let usual = convention.membership.clone();
            convention.membership = match Membership::named(argument) {
                Some(named) => named.put_together_like(&usual),
                None => fuzzy.read(argument, &usual)?,
            };
        }
        others.change(&mut convention)?;
        if !arguments.is_empty() {
            fuzzy.settle_alpha(&convention, told)?;
        }
        Ok((fuzzy, convention))
    }

    /// A weight that is alpha needs a value of it, and the other way round.
    fn settle_alpha(
        &mut self,
        convention: &Convention,
        told: &mut Vec<Notice>,
    ) -> Result<(), Error> {
        match (self.measures.is_empty(), convention.membership.knows_alpha()) {
            (false, false) => Err(Error::bad_request(
                "no weight of this membership function is alpha",
                "leave alpha=... out, or write \"alpha\" for a weight in the file",
            )),
            (true, true) => {
                let notice =
                    notices::ALPHA_ASSUMED.notice("no alpha was given: what weighs alpha weighs 0");
                told.push(notice.hint(Hint::template("{fuzzy=alpha=0.5} gives another value")));
                self.measures.push("fuzzy(alpha=0)".to_owned());
                Ok(())
            }
            (true, false) => {
                self.measures.push("fuzzy".to_owned());
                Ok(())
            }
            (false, true) => Ok(()),
        }
    }

    /// A membership function of a file: TOML, or the table of a survey.
    fn read(&mut self, path: &str, usual: &Membership) -> Result<Membership, Error> {
        if !std::path::Path::new(path).exists() {
            let values = setting("membership").map(Setting::values).unwrap_or_default();
            let known: Vec<&str> = values.iter().map(|value| value.name).collect();
            return Err(Error::bad_request(
                format!("`{path}` is neither a membership function nor a file"),
                format!("write alpha=0.3, one of {}, or the name of a file", known.join(", ")),
            ));
        }
        let (text, fingerprint) = plain_text(path)?;
        self.provenance = Some(format!("file@{fingerprint}"));
        let ending = std::path::Path::new(path).extension();
        let read = match ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            true => Membership::parse(&text, usual),
            false => Membership::of_survey(&text).map(|survey| survey.put_together_like(usual)),
        };
        read.map_err(|error| Error::bad_request(format!("`{path}`: {}", error.message), error.hint))
    }
}

/// Numbers from 0 to 1 separated by commas; `...` goes on in the same steps to the number that follows.
fn progression(list: &str) -> Result<Vec<f64>, Error> {
    let wrong =
        |message: String| Error::bad_request(message, "write for example alpha=0,0.1,...,1");
    let number = |text: &str| {
        let number = text.trim().parse().ok().filter(|number| (0.0..=1.0).contains(number));
        number
            // Whole numbers from here on: steps of 0.1 do not add up to 1 in binary fractions, and
            // the end of a progression would be missed.
            .map(|number: f64| (number * PARTS).round() as i64)
            .ok_or_else(|| wrong(format!("`{text}` in `alpha={list}` is no weight from 0 to 1")))
    };
    let mut numbers: Vec<i64> = Vec::new();
    let mut fields = list.split(',');
    while let Some(field) = fields.next() {
        if !matches!(field.trim(), "..." | "…") {
            numbers.push(number(field)?);
            continue;
        }
        let (&[.., before, last], Some(end)) = (numbers.as_slice(), fields.next()) else {
            return Err(wrong(format!("`...` in `alpha={list}` stands between no numbers")));
        };
        let (step, end) = (last - before, number(end)?);
        if step == 0 || (end - last) % step != 0 || (end - last) / step < 1 {
            return Err(wrong(format!("the steps of `alpha={list}` do not lead to its end")));
        }
        // Before the list is made: `alpha=0,0.000001,...,1` would have a million values.
        if (end - last) / step > MOST as i64 {
            return Err(wrong(format!("`alpha={list}` has more than {MOST} values")));
        }
        numbers.extend((1..=(end - last) / step).map(|times| last + times * step));
    }
    match numbers.len() {
        0..=MOST => Ok(numbers.into_iter().map(|number| number as f64 / PARTS).collect()),
        _ => Err(wrong(format!("`alpha={list}` has more than {MOST} values"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_dots_go_on_in_the_same_steps() {
        let of = |list: &str| progression(list).ok();
        assert_eq!(of("0.3"), Some(vec![0.3]));
        assert_eq!(of("0,0.5,1"), Some(vec![0.0, 0.5, 1.0]));
        let tenths: Vec<f64> = (0..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
        assert_eq!(of("0,0.1,...,1"), Some(tenths.clone()));
        assert_eq!(of("0, 0.1, …, 1"), Some(tenths.clone()));
        assert_eq!(of("1,0.9,...,0"), Some(tenths.into_iter().rev().collect()));
        assert_eq!(of("0.2,0.25,...,0.3,1"), Some(vec![0.2, 0.25, 0.3, 1.0]));
        for wrong in [
            "",
            "2",
            "-1",
            "NaN",
            "...",
            "0,...,1",
            "0,0.1,...",
            "0,0.3,...,1",
            "0,0,...,1",
            "0.1,0,...,1",
            "0,0.000001,...,1",
            "0,0.1,...,...",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
