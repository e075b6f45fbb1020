//! What surrounds the data: the sheet with its title, legends, and the panel
//! with its axes.

use crate::plot::axis::Ruler;
use crate::plot::clip::{Point, Rectangle};
use crate::plot::lettering::{BOLD, HEADING, SMALL, TEXT, shortened, width, wrapped};
use crate::plot::look;
use crate::plot::svg::Element;

/// The room between a sheet's edge and what is on it.
pub(crate) const MARGIN: f64 = 10.0;
const LEGEND_ROW: f64 = 20.0;
const LEGEND_ROWS: usize = 20;
const SWATCH: f64 = 26.0;

/// An SVG in the making.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) width: f64,
    body: String,
    /// Whether a mark leads somewhere.
    has_links: bool,
}

/// Where a text ends up beside its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Sheet {
    /// A sheet of this width; what is narrower than 240 pixels gets 240.
    pub(crate) fn new(width: u16) -> Sheet {
        Sheet { width: f64::from(width.max(240)), body: String::new(), has_links: false }
    }

    pub(crate) fn add(&mut self, element: Element) {
        self.body += &element.to_string();
        self.body.push('\n');
    }

    /// Adds what stands for a value, as a link where it leads somewhere.
    pub(crate) fn add_mark(&mut self, mark: Element, title: &str, link: Option<&str>) {
        let Some(link) = link else { return self.add(mark) };
        self.has_links = true;
        self.add(Element::new("a").with("href", link).with("aria-label", title).child(mark));
    }

    /// Writes the title and returns where the room below it begins.
    pub(crate) fn heading(&mut self, title: &str) -> f64 {
        let room = self.width - 2.0 * MARGIN;
        let mut y = MARGIN;
        for line in wrapped(title, HEADING * BOLD, room, 3) {
            y += HEADING + 4.0;
            let text = Element::new("text").with("x", MARGIN).with("y", y - 4.0);
            self.add(text.with("font-size", HEADING).with("font-weight", "600").text(&line));
        }
        y + 6.0
    }

    /// Writes a text into this much room. What does not fit is cut, and the whole
    /// text becomes its title.
    pub(crate) fn label(
        &mut self,
        text: &str,
        at: Point,
        anchor: Anchor,
        size: f64,
        room: f64,
        class: &str,
    ) {
        self.add(Sheet::lettered(text, at, anchor, size, room, class));
    }

    /// The element of a label.
    pub(crate) fn lettered(
        text: &str,
        (x, y): Point,
        anchor: Anchor,
        size: f64,
        room: f64,
        class: &str,
    ) -> Element {
        let shown = shortened(text, size, room);
        let mut element = Element::new("text").with("x", x).with("y", y + size * 0.35);
        element = element.with("font-size", size);
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => element = element.with("text-anchor", "middle"),
            Anchor::End => element = element.with("text-anchor", "end"),
        }
        if !class.is_empty() {
            element = element.with("class", class);
        }
        // The whole text is still there as a title, for a pointer and for screen readers.
        let is_cut = width(text, size) > room;
        element = element.text(&shown);
        if is_cut { element.title(text) } else { element }
    }

    /// Draws a legend and returns where the room below it begins.
    pub(crate) fn legend(&mut self, entries: &[Entry], top: f64) -> f64 {
        if entries.is_empty() {
            return top;
        }
        let room = self.width - 2.0 * MARGIN;
        let most = room - SWATCH - 6.0;
        let (mut x, mut y, mut row) = (MARGIN, top + LEGEND_ROW / 2.0, 1);
        for (index, entry) in entries.iter().enumerate() {
            let length = width(&entry.name, TEXT).min(most);
            if x > MARGIN && x + SWATCH + 6.0 + length > MARGIN + room {
                if row == LEGEND_ROWS {
                    let more = format!("and {} more", entries.len() - index);
                    y += LEGEND_ROW;
                    self.label(&more, (MARGIN, y), Anchor::Start, TEXT, room, "soft");
                    break;
                }
                (x, y, row) = (MARGIN, y + LEGEND_ROW, row + 1);
            }
            entry.swatch(self, (x, y));
            let at = (x + SWATCH + 6.0, y);
            self.label(&entry.name, at, Anchor::Start, TEXT, length + 0.1, "");
            x += SWATCH + 6.0 + length + 14.0;
        }
        y + LEGEND_ROW / 2.0 + 6.0
    }

    /// The finished SVG.
    pub(crate) fn finish(self, height: f64, title: &str, description: &str) -> String {
        let (width, height) = (self.width, height.ceil());
        let view = format!("0 0 {width} {height}");
        // An image has no parts; what has links is a group of them.
        let role = if self.has_links { "group" } else { "img" };
        let svg = Element::new("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("class", "karat-plot")
            .with("viewBox", view.as_str())
            .with("width", width)
            .with("height", height)
            .with("role", role)
            .markup("\n")
            .child(Element::new("title").text(if title.is_empty() { "Plot" } else { title }))
            .markup("\n")
            .child(Element::new("desc").text(description))
            .markup("\n")
            .markup(&look::style_element())
            .child(Element::rectangle(0.0, 0.0, width, height, "fill paper"))
            .markup("\n")
            .markup(&self.body);
        format!("{svg}\n")
    }
}

/// A line of a legend.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) series: usize,
    pub(crate) name: String,
    pub(crate) symbol: Symbol,
}

/// How a series is drawn in a legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    Line { marked: bool },
    Points,
}

impl Entry {
    fn swatch(&self, sheet: &mut Sheet, (x, y): Point) {
        if let Symbol::Line { .. } = self.symbol {
            let class = format!("line {}", look::class(self.series));
            let line = Element::line((x, y), (x + SWATCH, y), &class);
            sheet.add(look::dashed(line, self.series));
        }
        match self.symbol {
            Symbol::Line { marked: false } => {}
            Symbol::Line { marked: true } | Symbol::Points => {
                sheet.add(look::marker(self.series, (x + SWATCH / 2.0, y), 3.5));
            }
        }
    }
}

/// The area that data are drawn in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel {
    pub(crate) area: Rectangle,
}

/// The room below a panel that its labels take.
pub(crate) const BELOW_PANEL: f64 = 44.0;

impl Panel {
    /// Where a value of the horizontal ruler is.
    pub(crate) fn x(&self, ruler: &Ruler, value: f64) -> Option<f64> {
        let Rectangle { left, right, .. } = self.area;
        ruler.fraction(value).map(|fraction| left + fraction * (right - left))
    }

    /// Where a value of the vertical ruler is.
    pub(crate) fn y(&self, ruler: &Ruler, value: f64) -> Option<f64> {
        let Rectangle { top, bottom, .. } = self.area;
        ruler.fraction(value).map(|fraction| bottom - fraction * (bottom - top))
    }

    /// Draws the lines of the horizontal ruler and its labels below the panel.
    pub(crate) fn horizontal_axis(&self, sheet: &mut Sheet, ruler: &Ruler, label: &str) {
        let Rectangle { left, top, right, bottom } = self.area;
        for tick in &ruler.ticks {
            let Some(x) = self.x(ruler, tick.value) else { continue };
            sheet.add(Element::line((x, top), (x, bottom + 4.0), "thin grid"));
            let half = width(&tick.label, SMALL) / 2.0;
            let x = x.clamp(half + 1.0, (sheet.width - half - 1.0).max(half + 1.0));
            let at = (x, bottom + 13.0);
            sheet.label(&tick.label, at, Anchor::Middle, SMALL, f64::INFINITY, "soft");
        }
        sheet.add(Element::line((left, bottom), (right, bottom), "thin soft"));
        // In the middle of the panel, as far as the edges of the sheet allow.
        let room = sheet.width - 2.0 * MARGIN;
        let half = (width(label, TEXT) / 2.0).min(room / 2.0);
        let middle = ((left + right) / 2.0).clamp(MARGIN + half, sheet.width - MARGIN - half);
        sheet.label(label, (middle, bottom + 32.0), Anchor::Middle, TEXT, room, "");
    }

    /// Draws the lines of the vertical ruler and its labels left of the panel.
    pub(crate) fn vertical_axis(&self, sheet: &mut Sheet, ruler: &Ruler) {
        let Rectangle { left, right, .. } = self.area;
        for tick in &ruler.ticks {
            let Some(y) = self.y(ruler, tick.value) else { continue };
            sheet.add(Element::line((left, y), (right, y), "thin grid"));
            let at = (left - 6.0, y);
            sheet.label(&tick.label, at, Anchor::End, SMALL, f64::INFINITY, "soft");
        }
    }
}

/// Positions as near to the wished ones as a distance between neighbours allows.
/// The wishes must be sorted.
pub(crate) fn spread(wishes: &[f64], distance: f64, low: f64, high: f64) -> Vec<f64> {
    // Those that are too near to each other become a stack around their mean.
    let mut stacks: Vec<(f64, usize)> = Vec::new();
    for &wish in wishes {
        let mut stack = (wish.clamp(low, high.max(low)), 1);
        // Pooling adjacent violators: stacks that would overlap merge, and the merged one may push
        // into the one before it.
        while let Some(&(middle, count)) = stacks.last() {
            let apart = distance * (count + stack.1) as f64 / 2.0;
            if stack.0 - middle >= apart {
                break;
            }
            stacks.pop();
            let sum = middle * count as f64 + stack.0 * stack.1 as f64;
            let together = count + stack.1;
            let half = distance * (together - 1) as f64 / 2.0;
            let middle = (sum / together as f64).min(high - half).max(low + half);
            stack = (middle, together);
        }
        stacks.push(stack);
    }
    let places = stacks.into_iter().flat_map(|(middle, count)| {
        let first = middle - distance * (count - 1) as f64 / 2.0;
        (0..count).map(move |index| first + distance * index as f64)
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_spread_and_stay_inside() {
        assert_eq!(spread(&[5.0, 5.0, 5.0], 2.0, 0.0, 100.0), [3.0, 5.0, 7.0]);
        assert_eq!(spread(&[1.0, 1.0, 1.0], 2.0, 0.0, 100.0), [0.0, 2.0, 4.0]);
        assert_eq!(spread(&[1.0, 9.0, 10.0], 2.0, 0.0, 10.0), [1.0, 8.0, 10.0]);
        assert_eq!(spread(&[0.0, 3.0, 4.0, 9.0], 2.0, 0.0, 10.0), [0.0, 2.5, 4.5, 9.0]);
        assert_eq!(spread(&[], 2.0, 0.0, 10.0), [0.0; 0]);
    }
}
