//! A writer of SVG elements.

use crate::plot::lettering::clean;
use std::fmt;

/// An element with its attributes and what is inside it.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    name: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    pub(crate) fn new(name: &'static str) -> Element {
        Element { name, attributes: String::new(), content: String::new() }
    }

    /// A path with this data, drawn as a line.
    pub(crate) fn path(data: &str, class: &str) -> Element {
        Element::new("path").with("class", class).with("d", data)
    }

    /// A straight line.
    pub(crate) fn line(from: (f64, f64), to: (f64, f64), class: &str) -> Element {
        Element::new("line")
            .with("class", class)
            .with("x1", from.0)
            .with("y1", from.1)
            .with("x2", to.0)
            .with("y2", to.1)
    }

    /// A rectangle.
    pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64, class: &str) -> Element {
        Element::new("rect")
            .with("class", class)
            .with("x", x)
            .with("y", y)
            .with("width", width.max(0.0))
            .with("height", height.max(0.0))
    }

    pub(crate) fn with(mut self, name: &str, value: impl Attribute) -> Element {
        self.attributes.push(' ');
        self.attributes.push_str(name);
        self.attributes.push_str("=\"");
        value.write(&mut self.attributes);
        self.attributes.push('"');
        self
    }

    pub(crate) fn child(mut self, child: Element) -> Element {
        self.content += &child.to_string();
        self
    }

    pub(crate) fn text(mut self, text: &str) -> Element {
        escape(text, &mut self.content);
        self
    }

    /// Adds a title: what a pointer that rests on the element is told.
    pub(crate) fn title(self, title: &str) -> Element {
        self.child(Element::new("title").text(title))
    }

    /// Adds text that is markup already.
    pub(crate) fn markup(mut self, markup: &str) -> Element {
        self.content += markup;
        self
    }
}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Element { name, attributes, content } = self;
        if content.is_empty() {
            write!(formatter, "<{name}{attributes}/>")
        } else {
            write!(formatter, "<{name}{attributes}>{content}</{name}>")
        }
    }
}

/// What can be the value of an attribute.
pub(crate) trait Attribute {
    fn write(&self, out: &mut String);
}

impl Attribute for f64 {
    fn write(&self, out: &mut String) {
        out.push_str(&number(*self));
    }
}

impl Attribute for &str {
    fn write(&self, out: &mut String) {
        escape(self, out);
    }
}

/// A coordinate: at most two decimals, no trailing zeros, never `-0`.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    trimmed(format!("{value:.2}"))
}

/// A decimal number without the zeros at its end and without the sign of zero.
pub(crate) fn trimmed(mut number: String) -> String {
    if number.contains('.') {
        number.truncate(number.trim_end_matches('0').trim_end_matches('.').len());
    }
    if number == "-0" { "0".to_owned() } else { number }
}

/// The data of a path through these points; nothing for fewer than two.
pub(crate) fn path_data(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    let mut last = String::new();
    for (x, y) in points {
        let place = format!("{} {}", number(*x), number(*y));
        // Neighbouring points that round to one place would be drawn as nothing.
        if place != last {
            data.push(if data.is_empty() { 'M' } else { 'L' });
            data.push_str(&place);
            last = place;
        }
    }
    if points.len() < 2 { String::new() } else { data }
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars().map(clean) {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_one_spelling() {
        for (value, text) in [
            (1.0, "1"),
            (1.5, "1.5"),
            (100.0, "100"),
            (1.239, "1.24"),
            (-0.001, "0"),
            (-0.0, "0"),
            (-2.5, "-2.5"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let element = Element::new("a").with("b", "<\"'&>").text("]]>\u{0}\u{1b}[31m\n\u{fffe}");
        assert_eq!(
            element.to_string(),
            "<a b=\"&lt;&quot;&#39;&amp;&gt;\">]]&gt;\u{fffd}\u{fffd}[31m \u{fffd}</a>"
        );
    }

    #[test]
    fn a_path_does_not_repeat_points() {
        assert_eq!(path_data(&[(0.0, 0.0), (0.001, 0.0), (1.0, 2.0)]), "M0 0L1 2");
        assert_eq!(path_data(&[(0.0, 0.0)]), "");
    }
}
