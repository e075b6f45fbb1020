//! Colours, dashes, markers and fillings.
//!
//! Colours are those of Okabe and Ito, told apart by people with any kind of
//! colour vision. Dashes, markers and fillings tell series apart in grey.

use crate::plot::clip;
use crate::plot::svg::{Element, number};

const FONT: &str = "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",Ubuntu,\
     \"Helvetica Neue\",Arial,sans-serif";

/// A colour: its class, the custom property of pages that choose their own, and
/// what it is on light and on dark paper.
struct Colour {
    class: &'static str,
    property: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn colour(
    class: &'static str,
    property: &'static str,
    light: &'static str,
    dark: &'static str,
) -> Colour {
    Colour { class, property, light, dark }
}

const COLOURS: [Colour; 11] = [
    colour("", "ink", "#1c1f23", "#e6e8ea"),
    colour(" .soft", "soft", "#555b63", "#a9b1ba"),
    colour(" .grid", "grid", "#dcdfe3", "#343a42"),
    colour(" .paper", "paper", "#ffffff", "#15181c"),
    colour(" .s1", "series-1", "#0072b2", "#3d9bdc"),
    colour(" .s2", "series-2", "#d55e00", "#ec7a2c"),
    colour(" .s3", "series-3", "#009e73", "#23b78d"),
    colour(" .s4", "series-4", "#cc79a7", "#dd95bc"),
    colour(" .s5", "series-5", "#e69f00", "#e69f00"),
    colour(" .s6", "series-6", "#56b4e9", "#8fd0f5"),
    colour(" .s7", "series-7", "#1c1f23", "#e6e8ea"),
];

/// The style sheet of every plot. Rules with literal colours come first, for
/// renderers that do not know custom properties and skip what is in `@supports`.
pub(crate) fn style() -> String {
    let mut style = format!(
        ".karat-plot{{max-width:100%;height:auto;direction:ltr;font-family:{FONT};\
         font-variant-numeric:tabular-nums}}\
         .karat-plot text{{fill:currentColor}}\
         .karat-plot .line{{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}}\
         .karat-plot .thin{{fill:none;stroke:currentColor;stroke-width:1}}\
         .karat-plot .thick{{fill:none;stroke:currentColor;stroke-width:4;stroke-linecap:round}}\
         .karat-plot .under{{fill:none;stroke:#ffffff;stroke-width:5}}\
         .karat-plot .on-light{{color:#000000}}\
         .karat-plot .on-dark{{color:#ffffff}}\
         .karat-plot .fill{{fill:currentColor}}\
         .karat-plot .band{{fill:currentColor;fill-opacity:.16}}\
         .karat-plot .halo{{stroke:#ffffff;stroke-width:4;stroke-linejoin:round;paint-order:stroke}}"
    );
    let literal =
        COLOURS.map(|colour| format!(".karat-plot{}{{color:{}}}", colour.class, colour.light));
    let themed = |value: fn(&Colour) -> &'static str| {
        let rules = COLOURS.iter().map(|colour| {
            let value = format!("var(--karat-{},{})", colour.property, value(colour));
            let halo = if colour.property == "paper" {
                format!(".karat-plot .halo,.karat-plot .under{{stroke:{value}}}")
            } else {
                String::new()
            };
            format!(".karat-plot{}{{color:{value}}}{halo}", colour.class)
        });
        rules.collect::<String>()
    };
    style += &literal.concat();
    style += &format!(
        "@supports (color:var(--a)){{.karat-plot{{font-family:var(--karat-font,{FONT})}}{}}}",
        themed(|colour| colour.light)
    );
    style += &format!("@media (prefers-color-scheme:dark){{{}}}", themed(|colour| colour.dark));
    style
}

/// The style sheet as an element on a line of its own.
pub(crate) fn style_element() -> String {
    format!("{}\n", Element::new("style").markup(&style()))
}

/// The class of letters on a colour, black or white: those with more contrast, of which there is always
/// enough. Grey letters would not have it on colours of middling lightness.
pub(crate) fn letters_on(colour: [u8; 3]) -> &'static str {
    match contrast_with_white(colour) > contrast_with_black(colour) {
        true => "on-dark",
        false => "on-light",
    }
}

/// The contrast of WCAG 2, from 1 to 21; 4.5 is enough for small letters.
fn contrast_with_white(colour: [u8; 3]) -> f64 {
    1.05 / (luminance(colour) + 0.05)
}

fn contrast_with_black(colour: [u8; 3]) -> f64 {
    (luminance(colour) + 0.05) / 0.05
}

fn luminance(colour: [u8; 3]) -> f64 {
    let linear = colour.map(|part| match f64::from(part) / 255.0 {
        part if part <= 0.04045 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    let [red, green, blue] = linear;
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const CLASSES: [&str; 7] = ["s1", "s2", "s3", "s4", "s5", "s6", "s7"];
const DASHES: [&str; 6] = ["", "7 3", "2 2.5", "10 3 2 3", "5 2 1.5 2 1.5 2", "13 4"];

/// The class that colours a series.
pub(crate) fn class(series: usize) -> &'static str {
    CLASSES.get(series % CLASSES.len()).copied().unwrap_or_default()
}

/// A line of a series, dashed in its way. Dashes and colours repeat after
/// different numbers of series, so that 42 are told apart.
pub(crate) fn dashed(line: Element, series: usize) -> Element {
    match DASHES.get(series % DASHES.len()) {
        Some(dash) if !dash.is_empty() => line.with("stroke-dasharray", *dash),
        _ => line,
    }
}

/// The marker of a series around this place.
pub(crate) fn marker(series: usize, (x, y): (f64, f64), radius: f64) -> Element {
    let shapes: [&[(f64, f64)]; 6] = [
        &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        &[(-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)],
        &[(-0.4, -1.2), (0.4, -1.2), (0.4, 1.2), (-0.4, 1.2)],
    ];
    // Markers shift by one after each round of colours: the eighth series has the colour of the
    // first and another marker.
    let kind = (series + series / CLASSES.len()) % (shapes.len() + 1);
    let class = format!("fill {}", class(series));
    match kind.checked_sub(1).and_then(|shape| shapes.get(shape)) {
        Some(corners) => polygon(
            &corners.iter().map(|(dx, dy)| (x + dx * radius, y + dy * radius)).collect::<Vec<_>>(),
            &class,
        ),
        None => Element::new("circle")
            .with("class", class.as_str())
            .with("cx", x)
            .with("cy", y)
            .with("r", radius),
    }
}

/// A closed shape.
pub(crate) fn polygon(corners: &[(f64, f64)], class: &str) -> Element {
    let corners: Vec<String> =
        corners.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
    Element::new("polygon").with("class", class).with("points", corners.join(" ").as_str())
}

/// Slanted lines that fill a rectangle.
pub(crate) fn hatched(
    rectangle: clip::Rectangle,
    distance: f64,
    rising: bool,
    class: &str,
) -> Element {
    let clip::Rectangle { left, top, right, bottom } = rectangle;
    let height = bottom - top;
    // A very wide cell with tiny distances must not write megabytes of lines.
    let count = ((right - left + height) / distance).clamp(0.0, 2000.0) as i32;
    let mut data = String::new();
    for index in 1..=count {
        let start = left - height + f64::from(index) * distance;
        let (from, to) = ((start, bottom), (start + height, top));
        let (from, to) = if rising { (from, to) } else { ((from.0, top), (to.0, bottom)) };
        if let Some((from, to)) = rectangle.segment(from, to) {
            data += &format!(
                "M{} {}L{} {}",
                number(from.0),
                number(from.1),
                number(to.0),
                number(to.1)
            );
        }
    }
    Element::path(&data, class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_readable_on_every_grey_and_every_blue() {
        assert!(style().contains(".on-light{color:#000000}"), "the black of the contrast");
        for level in 0..=255 {
            for colour in [[level; 3], [0, level / 2, level]] {
                let contrast = match letters_on(colour) {
                    "on-dark" => contrast_with_white(colour),
                    _ => contrast_with_black(colour),
                };
                assert!(contrast >= 4.5, "{colour:?}: {contrast}");
            }
        }
        let close = |found: f64, expected: f64| (found - expected).abs() < 0.01;
        assert!(
            close(contrast_with_white([0; 3]), 21.0) && close(contrast_with_black([0; 3]), 1.0)
        );
        // As the calculators of contrast on the web have it.
        assert!(close(contrast_with_white([0x76; 3]), 4.54));
    }
}
