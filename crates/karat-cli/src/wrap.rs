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
/// description. Tables of Markdown stay tables.
pub(crate) fn paragraphs(text: &str, width: usize) -> String {
    const LABELS: [&str; 5] = ["What it is:", "Formula:", "Example:", "Source:", "Pitfalls:"];
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut open = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|next| next.starts_with('|')) {
                rows.push(row);
            }
            open = false;
            paragraphs.push(Paragraph::Table(columns(&rows)));
            continue;
        }
        if line.trim().is_empty() {
            open = false;
            paragraphs.push(Paragraph::Prose(String::new()));
            continue;
        }
        let labelled = LABELS.iter().any(|label| line.starts_with(label));
        match paragraphs.last_mut() {
            Some(Paragraph::Prose(last)) if open && !labelled => {
                last.push(' ');
                last.push_str(line);
            }
            _ => paragraphs.push(Paragraph::Prose(line.to_owned())),
        }
        open = true;
    }
    let lines = paragraphs.into_iter().map(|paragraph| match paragraph {
        Paragraph::Prose(text) => words(&text, width),
        Paragraph::Table(text) => text,
    });
    lines.collect::<Vec<_>>().join("\n")
}

enum Paragraph {
    Prose(String),
    /// Lines that stay as they are.
    Table(String),
}

/// The rows of a table in Markdown, in columns of equal width.
fn columns(rows: &[&str]) -> String {
    let is_rule = |row: &&&str| row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let cells = |row: &&str| -> Vec<String> {
        row.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().filter(|row| !is_rule(row)).map(cells).collect();
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| visible(cell)).max().unwrap_or(0)
    };
    let line = |row: &Vec<String>| {
        let padded = row.iter().enumerate().map(|(at, cell)| format!("{cell:<0$}", widest(at)));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
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
    fn tables_stay_tables() {
        let text = "One\ntwo:\n\n| a | long |\n| --- | --- |\n| longer | b |\n\nThree";
        assert_eq!(paragraphs(text, 80), "One two:\n\na       long\nlonger  b\n\nThree");
    }

    #[test]
    fn lines_are_filled_and_colours_take_no_room() {
        assert_eq!(words("one two  three", 7), "one two\nthree");
        assert_eq!(words("\x1b[1mred\x1b[0m two three", 7), "\x1b[1mred\x1b[0m two\nthree");
        assert_eq!(words("incomprehensible word", 4), "incomprehensible\nword");
        assert_eq!(words("", 4), "");
    }
}
