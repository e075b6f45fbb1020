//! How much room text takes, and how it is made to fit.

use unicode_width::UnicodeWidthChar;

/// Text on axes and labels, in pixels.
pub(crate) const TEXT: f64 = 13.0;
/// Numbers along axes.
pub(crate) const SMALL: f64 = 12.0;
/// Titles.
pub(crate) const HEADING: f64 = 15.0;
/// How much wider bold text is.
pub(crate) const BOLD: f64 = 1.15;

/// A character as it may be shown: what would move the cursor, change the
/// direction of writing or be no character of XML is replaced.
pub(crate) fn clean(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => '\u{fffd}',
        '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    }
}

/// An estimate of the width of a text in a sans serif of this size, on the
/// large side: it has to hold for whatever font the reader's system has.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|character| share_of_size(clean(character))).sum::<f64>() * size
}

/// The text, or as much of it as fits, with an ellipsis.
pub(crate) fn shortened(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.chars().map(clean).collect();
    }
    cut(text, room - width("…", size), |character| share_of_size(character) * size, "…")
}

/// The text, or its beginning and its end, with an ellipsis between them: names that differ
/// only at the end stay different.
pub(crate) fn shortened_inside(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.chars().map(clean).collect();
    }
    let half = (room - width("…", size)) / 2.0;
    let part = |text: &str| cut(text, half, |character| share_of_size(character) * size, "");
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    format!("{}…{}", part(text), reversed(&part(&reversed(text))))
}

/// How many columns of a terminal a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|character| columns_of(clean(character))).sum()
}

/// The text, or as much of it as fits into so many columns, with an ellipsis.
pub(crate) fn shortened_to_columns(text: &str, room: usize, ellipsis: &str) -> String {
    if columns(text) <= room {
        return text.chars().map(clean).collect();
    }
    let room_left = room as f64 - columns(ellipsis) as f64;
    if room_left < 0.0 {
        return String::new();
    }
    cut(text, room_left, |character| columns_of(character) as f64, ellipsis)
}

/// The text, or its beginning and its end, in so many columns.
pub(crate) fn inside_columns(text: &str, room: usize, ellipsis: &str) -> String {
    if columns(text) <= room {
        return text.chars().map(clean).collect();
    }
    let half = room.saturating_sub(columns(ellipsis)) as f64 / 2.0;
    let part = |text: &str| cut(text, half, |character| columns_of(character) as f64, "");
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    format!("{}{ellipsis}{}", part(text), reversed(&part(&reversed(text))))
}

/// A text in two lines about as wide as each other, broken after a word or a mark that joins words; in
/// the middle where there is none.
pub(crate) fn halves(text: &str, size: f64) -> (&str, &str) {
    let total = width(text, size);
    let after = |marks: &[char]| {
        let mut used = 0.0;
        let ends = text.char_indices().filter_map(|(at, character)| {
            used += width(character.encode_utf8(&mut [0; 4]), size);
            let end = at + character.len_utf8();
            (marks.contains(&character) && end < text.len())
                .then(|| (end, (2.0 * used - total).abs()))
        });
        ends.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(end, _)| end)
    };
    let middle = || text.char_indices().nth(text.chars().count().div_ceil(2)).map(|(at, _)| at);
    let at = after(&[' ', '+', ',', ';', '/', '|']).or_else(|| after(&['-', '_', '.', ':']));
    let (first, second) = text.split_at(at.or_else(middle).unwrap_or(text.len()));
    (first.trim_end(), second)
}

/// A text in lines at most this wide, broken between words; what does not fit
/// on the last line is left out.
pub(crate) fn wrapped(text: &str, size: f64, room: f64, most_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if lines_are_full(line, word, size, room) => lines.push(word.to_owned()),
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    if lines.len() > most_lines {
        let rest = lines.split_off(most_lines.saturating_sub(1)).join(" ");
        lines.push(rest);
    }
    lines.iter().map(|line| shortened(line, size, room)).collect()
}

fn lines_are_full(line: &str, word: &str, size: f64, room: f64) -> bool {
    width(line, size) + width(" ", size) + width(word, size) > room
}

fn cut(text: &str, room: f64, width_of: impl Fn(char) -> f64, ellipsis: &str) -> String {
    let mut kept = String::new();
    let mut used = 0.0;
    // Cleaned before it is measured: a replaced character has another width.
    for character in text.chars().map(clean) {
        used += width_of(character);
        if used > room {
            break;
        }
        kept.push(character);
    }
    kept.truncate(kept.trim_end().len());
    kept + ellipsis
}

fn columns_of(character: char) -> usize {
    character.width().unwrap_or(0)
}

fn share_of_size(character: char) -> f64 {
    match character {
        // Widths of common sans-serif fonts, on the large side. Text that turns out narrower leaves
        // a gap, wider text would run into its neighbour.
        'i' | 'j' | 'l' | '\'' | '|' | '!' | '.' | ',' | ':' | ';' | 'I' => 0.32,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' | '"' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.98,
        'A'..='Z' | '&' | '+' | '=' | '<' | '>' | '~' => 0.74,
        _ => match character.width().unwrap_or(0) {
            0 => 0.0,
            1 => 0.62,
            _ => 1.05,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_ends_in_an_ellipsis() {
        assert_eq!(shortened("schwa", TEXT, 100.0), "schwa");
        let short = shortened("a system with a very long name", TEXT, 80.0);
        assert!(short.ends_with('…') && width(&short, TEXT) <= 80.0, "{short}");
        assert_eq!(shortened_to_columns("実体連結の評価", 7, "…"), "実体連…");
        assert_eq!(shortened_to_columns("abcdef", 4, "..."), "a...");
        assert_eq!(shortened_to_columns("abcdef", 1, "..."), "");
    }

    #[test]
    fn what_is_cut_inside_keeps_both_ends() {
        assert_eq!(shortened_inside("schwa", TEXT, 100.0), "schwa");
        let short = shortened_inside("babelfy, categorizedACE04", TEXT, 100.0);
        assert!(short.starts_with("bab") && short.ends_with("E04"), "{short}");
        assert!(short.contains('…') && width(&short, TEXT) <= 100.0, "{short}");
    }

    #[test]
    fn names_break_into_two_lines_where_words_join() {
        let name = "Mnt-CommonForm+PoS-NounSingular+Olp-Minimal+Ref-Descriptive";
        let lines = ("Mnt-CommonForm+PoS-NounSingular+", "Olp-Minimal+Ref-Descriptive");
        assert_eq!(halves(name, TEXT), lines);
        assert_eq!(halves("news of today", TEXT), ("news", "of today"));
        assert_eq!(halves("実体連結の評価", TEXT), ("実体連結", "の評価"));
        assert_eq!((halves("a", TEXT), halves("", TEXT)), (("a", ""), ("", "")));
        assert_eq!(inside_columns("abcdefghij", 7, "..."), "ab...ij");
        assert_eq!(inside_columns("実体連結の評価", 6, "…"), "実…価");
        assert_eq!(inside_columns("abc", 3, "…"), "abc");
    }

    #[test]
    fn titles_break_between_words_and_end_somewhere() {
        assert_eq!(wrapped("one two three", TEXT, 60.0, 3), ["one two", "three"]);
        let lines = wrapped(&"word ".repeat(50), TEXT, 100.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| width(line, TEXT) <= 100.0));
    }
}
