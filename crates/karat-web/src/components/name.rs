//! Names and ids from data.

use maud::{Markup, html};

/// How much of a name is shown. Longer ones are cut, so that no name pushes a page out of shape.
const SHOWN: usize = 200;

/// And how much of a sentence.
const READABLE: usize = 20_000;

/// A name, an id or a short text from data, which may be anything: it gets a direction of its own, and what cannot be
/// seen is shown as a symbol.
pub fn name(text: &str) -> Markup {
    html! { bdi { (visible(text)) } }
}

/// Text with symbols in the place of what cannot be seen: control characters, and marks that turn the direction of
/// what follows.
pub fn visible(text: &str) -> String {
    let mut shown = String::new();
    for (place, c) in text.chars().enumerate() {
        if place == SHOWN {
            shown.push('…');
            break;
        }
        shown.push(symbol(c).unwrap_or(c));
    }
    shown
}

/// The same for whole sentences and commands. They are cut where nobody could read on: a name of millions of letters is
/// in them whole.
pub fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(READABLE).map(|c| symbol(c).unwrap_or(c)).collect();
    if text.chars().nth(READABLE).is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a character cannot be seen, or turns the direction of what follows.
pub fn is_invisible(c: char) -> bool {
    symbol(c).is_some()
}

/// The symbol that stands for a character which cannot be seen.
pub(crate) fn symbol(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown() {
        assert_eq!(visible("a\u{202e}b\n\0"), "a\u{fffd}b␊␀");
        assert_eq!(name("<script>").into_string(), "<bdi>&lt;script&gt;</bdi>");
        assert_eq!(visible(&"x".repeat(500)).chars().count(), SHOWN + 1);
        assert_eq!(shown(&"\u{202e}".repeat(500)), "\u{fffd}".repeat(500));
        assert_eq!(shown(&"x".repeat(30_000)).chars().count(), READABLE + 1);
    }
}
