//! A mention in the middle of its text, on one line.

use super::name::symbol;
use karat::errors::MentionInText;
use maud::{Markup, html};

/// The mention with what stands before and after it. Direction and line are those of the text.
pub fn in_context(before: &str, mention: &str, after: &str) -> Markup {
    html! {
        span.kwic dir="auto" {
            span.kwb { span { (one_line(before)) } }
            b { (one_line(mention)) }
            span.kwa { (one_line(after)) }
        }
    }
}

/// A mention in the middle of its line; its place where there is no text.
pub fn mention_in_text(place: &MentionInText) -> Markup {
    let [start, end] = place.is_cut.map(|is_cut| if is_cut { "…" } else { "" });
    match &place.mention {
        Some(mention) => in_context(
            &format!("{start}{}", place.before),
            mention,
            &format!("{}{end}", place.after),
        ),
        None => html! {
            span.kwic { b { (place.start) "–" (place.end) } span.kwa { " no text is given" } }
        },
    }
}

/// A text on one line, with its spaces as they are at the ends. What turns directions would turn the rest of the
/// line, so that it is shown as a symbol.
pub fn one_line(text: &str) -> String {
    let shown = |c: char| match c {
        c if c.is_control() || c.is_whitespace() => ' ',
        c => symbol(c).unwrap_or(c),
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_and_keeps_its_direction() {
        assert_eq!(one_line("a\nb\u{202e}c\u{0}"), "a b\u{fffd}c ");
        let markup = in_context("<", "<b>", "\r\n").into_string();
        assert!(markup.contains("<b>&lt;b&gt;</b>"), "{markup}");
    }
}
