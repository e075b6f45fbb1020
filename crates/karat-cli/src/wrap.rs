//! Prose in lines.

/// The text in lines of at most so many characters; colours take no room.
pub(crate) fn words(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let room = visible(word);
        if used > 0 && used + 1 + room > width {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += room;
    }
    lines
}

/// Prose in paragraphs: one begins after an empty line and at each label of a
/// description.
pub(crate) fn paragraphs(text: &str, width: usize) -> String {
    const LABELS: [&str; 5] = ["What it is:", "Formula:", "Example:", "Source:", "Pitfalls:"];
    let mut paragraphs: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if line.trim().is_empty() {
            open = false;
            paragraphs.push(String::new());
            continue;
        }
        let labelled = LABELS.iter().any(|label| line.starts_with(label));
        match paragraphs.last_mut() {
            Some(last) if open && !labelled => {
                last.push(' ');
                last.push_str(line);
            }
            _ => paragraphs.push(line.to_owned()),
        }
        open = true;
    }
    let lines: Vec<String> = paragraphs.iter().map(|paragraph| words(paragraph, width)).collect();
    lines.join("\n")
}

/// How many characters of a word are seen.
fn visible(word: &str) -> usize {
    let colours: usize = word
        .split('\x1b')
        .skip(1)
        .map(|code| code.find('m').map_or(0, |end| code[..=end].chars().count() + 1))
        .sum();
    word.chars().count() - colours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_begin_at_labels_and_after_empty_lines() {
        assert_eq!(
            paragraphs("One\ntwo.\n\nFormula: a\nb\nSource: c", 80),
            "One two.\n\nFormula: a b\nSource: c"
        );
    }

    #[test]
    fn lines_are_filled_and_colours_take_no_room() {
        assert_eq!(words("one two  three", 7), "one two\nthree");
        assert_eq!(words("\x1b[1mred\x1b[0m two three", 7), "\x1b[1mred\x1b[0m two\nthree");
        assert_eq!(words("incomprehensible word", 4), "incomprehensible\nword");
        assert_eq!(words("", 4), "");
    }
}
