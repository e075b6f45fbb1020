//! Reading plots back.

use karat_report::plot::{Glyphs, Plot};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use unicode_width::UnicodeWidthStr;

/// Checks what holds for every SVG, whatever is in it, and returns it.
#[track_caller]
pub(crate) fn check_svg(plot: &dyn Plot, width: u16) -> String {
    let svg = plot.svg_of_width(width);
    let mut reader = Reader::from_str(&svg);
    let mut view = None;
    let mut depth = 0usize;
    let mut open = None;
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(element) => {
                depth += 1;
                open = Lettering::of(&element);
                names.push(element.name().as_ref().to_owned());
                if view.is_none() {
                    view = Some(view_of(&element));
                }
                check_places(&element, view.unwrap());
            }
            Event::Empty(element) => check_places(&element, view.unwrap()),
            Event::End(_) => {
                depth -= 1;
                open = None;
            }
            Event::Text(text) => {
                if let Some(lettering) = &open {
                    lettering.check(&text.into_inner(), view.unwrap().0);
                }
            }
            Event::GeneralRef(_) => {}
            other => panic!("unexpected: {other:?}"),
        }
    }
    assert_eq!(depth, 0);
    assert_eq!(names[..4], ["svg", "title", "desc", "style"]);
    assert!(!names.iter().any(|name| name == "script"));
    assert!(!svg.contains(" id=") && !svg.contains("href") && !svg.contains("url("));
    assert!(svg.chars().all(is_xml), "a character that XML does not have");
    svg
}

/// Checks what holds for every text, and returns it.
#[track_caller]
pub(crate) fn check_text(plot: &dyn Plot, width: u16, glyphs: Glyphs) -> String {
    let text = plot.text_with(width, glyphs);
    for line in text.lines() {
        assert!(line.width() <= usize::from(width.max(24)), "{width}: {line:?}\n{text}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    assert_eq!(text, plot.text_with(width, glyphs));
    text
}

fn view_of(svg: &BytesStart<'_>) -> (f64, f64) {
    assert_eq!(value(svg, "role").as_deref(), Some("img"));
    let view = value(svg, "viewBox").unwrap();
    let numbers: Vec<f64> = view.split(' ').map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers[..2], [0.0, 0.0]);
    (numbers[2], numbers[3])
}

/// Where a text is.
struct Lettering {
    x: f64,
    size: f64,
    anchor: String,
}

impl Lettering {
    fn of(element: &BytesStart<'_>) -> Option<Lettering> {
        let is_turned = value(element, "transform").is_some();
        if element.name().as_ref() != "text" || is_turned {
            return None;
        }
        let number = |name| value(element, name).unwrap().parse().unwrap();
        let anchor = value(element, "text-anchor").unwrap_or_default();
        let (x, size) = (number("x"), number("font-size"));
        assert!(size >= 12.0, "too small to read: {size}");
        Some(Lettering { x, size, anchor })
    }

    /// Both ends are on the sheet, by a low estimate of the width of letters.
    fn check(&self, text: &str, width: f64) {
        let length = text.width() as f64 * 0.45 * self.size;
        let start = match self.anchor.as_str() {
            "end" => self.x - length,
            "middle" => self.x - length / 2.0,
            _ => self.x,
        };
        assert!(start >= -1.0 && start + length <= width + 1.0, "{text:?} from {start} of {width}");
    }
}

/// Every coordinate is on the sheet.
fn check_places(element: &BytesStart<'_>, (width, height): (f64, f64)) {
    for attribute in element.attributes() {
        let attribute = attribute.unwrap();
        let name = attribute.key.as_ref().to_owned();
        let text = attribute.value.to_string();
        let most = match name.as_str() {
            "x" | "x1" | "x2" | "cx" | "width" => width,
            "y" | "y1" | "y2" | "cy" | "height" => height,
            "d" | "points" => {
                let numbers = text.split(['M', 'L', ' ', ',']).filter(|part| !part.is_empty());
                for (index, number) in numbers.enumerate() {
                    check_number(number, if index % 2 == 0 { width } else { height }, &name);
                }
                continue;
            }
            _ => continue,
        };
        check_number(&text, most, &name);
    }
}

fn check_number(number: &str, most: f64, name: &str) {
    let value: f64 = number.parse().unwrap_or_else(|_| panic!("{name}: {number:?}"));
    assert!((-1.0..=most + 1.0).contains(&value), "{name}: {number} of {most}");
    assert!(!number.contains('e') && number != "-0" && number.len() < 12, "{number}");
}

fn value(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).unwrap()?;
    Some(attribute.value.to_string())
}

fn is_xml(character: char) -> bool {
    matches!(character, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
