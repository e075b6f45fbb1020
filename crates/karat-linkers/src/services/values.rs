//! Single values of declarations, as people write them.

use super::declaration::{DeclarationError, wrong};
use crate::failure::LinkFailure;
use crate::info::{AnswerUnit, IdForm, TextEdit, TextLimit};
use std::time::Duration;
use toml::Spanned;

type Read<T> = Result<T, DeclarationError>;

pub(super) fn id_form(text: &Spanned<String>) -> Read<IdForm> {
    let form = text.get_ref().as_str();
    Ok(match form {
        "as-is" => IdForm::AsIs,
        "wikidata" => IdForm::Wikidata,
        "dbpedia" => IdForm::Dbpedia,
        "page-id" => IdForm::PageId,
        "mid" => IdForm::Mid,
        "curie" => IdForm::Curie,
        "iri" => IdForm::Iri,
        _ => match form.strip_prefix("title:") {
            Some(language) if !language.is_empty() => IdForm::Title(language.to_owned()),
            _ if form.contains("{}") => IdForm::Template(form.to_owned()),
            _ => {
                let message = "ids are wikidata, title:LANG, dbpedia, page-id, mid, curie, iri, as-is, or an address with {}";
                return Err(wrong(text.span(), message));
            }
        },
    })
}

pub(super) fn text_limit(text: &Spanned<String>) -> Read<TextLimit> {
    let read = || {
        let (count, unit) = text.get_ref().split_once(' ')?;
        let unit = AnswerUnit::ALL.into_iter().find(|known| known.name() == unit.trim())?;
        let count = count.trim().parse().ok().filter(|count| *count > 0)?;
        (unit != AnswerUnit::None).then_some(TextLimit { count, unit })
    };
    read().ok_or_else(|| {
        wrong(
            text.span(),
            "write how much as `5000 code-points`: code-points, utf16, bytes or graphemes",
        )
    })
}

pub(super) fn text_edit(text: &Spanned<String>) -> Read<TextEdit> {
    Ok(match text.get_ref().as_str() {
        "strip" => TextEdit::Strip,
        "crlf-to-space" => TextEdit::CrlfToSpace,
        "collapse-space" => TextEdit::CollapseSpace,
        "without-controls" => TextEdit::WithoutControls,
        "nfc" => TextEdit::Nfc,
        other => match other.strip_prefix("max-run=").and_then(|most| most.parse().ok()) {
            Some(most) => TextEdit::MaxRun(most),
            None => {
                let message = "edits are strip, crlf-to-space, collapse-space, without-controls, nfc and max-run=N";
                return Err(wrong(text.span(), message));
            }
        },
    })
}

pub(super) fn time(text: Option<&Spanned<String>>, default: Duration) -> Read<Duration> {
    let Some(text) = text else { return Ok(default) };
    let read = || {
        let text = text.get_ref();
        let (count, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
        let count: f64 = count.trim().parse().ok().filter(|count: &f64| *count > 0.0)?;
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            _ => return None,
        };
        Duration::try_from_secs_f64(count * seconds).ok()
    };
    read().ok_or_else(|| wrong(text.span(), "write a time as 120s, 500ms or 10m"))
}

/// The words of a command. They are told apart here and by no shell, so nothing in them is ever run.
pub(super) fn words(command: &Spanned<String>) -> Read<Vec<String>> {
    split_command(command.get_ref()).map_err(|failure| wrong(command.span(), failure.message))
}

/// The words of a command: separated by blanks, with quotes around those that have some.
pub(super) fn split_command(command: &str) -> Result<Vec<String>, LinkFailure> {
    let bad = |message: &str| LinkFailure::new(crate::FailureKind::Crashed, message.to_owned());
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), character) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, character) => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err(bad("a quote of the command is not closed"));
    }
    words.extend(word);
    match words.is_empty() {
        true => Err(bad("the command is empty")),
        false => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_without_a_shell() {
        let words = |text| split_command(text).unwrap();
        assert_eq!(
            words("python3 'my link.py' --x=\"a b\" c\\ d ''"),
            ["python3", "my link.py", "--x=a b", "c d", ""]
        );
        assert_eq!(words("echo $(rm x); ls"), ["echo", "$(rm", "x);", "ls"]);
        assert!(split_command("'open").is_err() && split_command("  ").is_err());
    }
}
