//! Prose in lines.

/// The text in lines of at most so many characters; colours take no room.
pub fn words(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let room = without_colours(word).chars().count();
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
/// description. Tables of Markdown become columns.
pub fn paragraphs(text: &str, width: usize) -> String {
    let lines = blocks(text).into_iter().map(|block| match block {
        Block::Paragraph(text) => words(&text, width),
        Block::Table(rows) => columns(&rows),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A piece of prose.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block<'t> {
    /// Running text; none stands for an empty line.
    Paragraph(String),
    /// The rows of a table in Markdown.
    Table(Vec<&'t str>),
}

/// The pieces of prose, in their order.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    // The labels that descriptions of measures use; see `documentation` in karat-measures.
    const LABELS: [&str; 5] = ["What it is:", "Formula:", "Example:", "Source:", "Pitfalls:"];
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|next| next.starts_with('|')) {
                rows.push(row);
            }
            open = false;
            blocks.push(Block::Table(rows));
            continue;
        }
        if line.trim().is_empty() {
            open = false;
            blocks.push(Block::Paragraph(String::new()));
            continue;
        }
        let labelled = LABELS.iter().any(|label| line.starts_with(label));
        match blocks.last_mut() {
            Some(Block::Paragraph(last)) if open && !labelled => {
                last.push(' ');
                last.push_str(line);
            }
            _ => blocks.push(Block::Paragraph(line.to_owned())),
        }
        open = true;
    }
    blocks
}

/// The rows of a table in Markdown, in columns of equal width.
pub(crate) fn columns(rows: &[&str]) -> String {
    let is_rule = |row: &&&str| row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let cells = |row: &&str| -> Vec<String> {
        row.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().filter(|row| !is_rule(row)).map(cells).collect();
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| without_colours(cell).chars().count()).max().unwrap_or(0)
    };
    let line = |row: &Vec<String>| {
        let padded = row.iter().enumerate().map(|(at, cell)| format!("{cell:<0$}", widest(at)));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The text without what makes it bold or coloured on a terminal.
pub(crate) fn without_colours(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.find('m') {
            Some(end) => plain.push_str(&part[end + 1..]),
            None => plain.push_str(part),
        }
    }
    plain
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
