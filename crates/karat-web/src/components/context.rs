//! A mention in the middle of its text, on one line.

use super::name::symbol;
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

/// A mention that may have no text, and what stands around it.
#[derive(Debug, Clone, Copy)]
pub struct Context<'c> {
    /// What stands before it.
    pub before: &'c str,
    /// Its text; `None` where there is none.
    pub mention: Option<&'c str>,
    /// What stands after it.
    pub after: &'c str,
    /// Whether there is more text before and after.
    pub is_cut: [bool; 2],
    /// Where it starts and ends.
    pub span: [u32; 2],
}

impl Context<'_> {
    /// The mention in the middle of its line; its place where there is no text.
    pub fn show(&self) -> Markup {
        let [start, end] = self.is_cut.map(|is_cut| if is_cut { "…" } else { "" });
        match self.mention {
            Some(mention) => in_context(
                &format!("{start}{}", self.before),
                mention,
                &format!("{}{end}", self.after),
            ),
            None => html! {
                span.kwic { b { (self.span[0]) "–" (self.span[1]) } span.kwa { " no text is given" } }
            },
        }
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
