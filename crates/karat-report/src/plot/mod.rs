//! Plots as SVG and as text for terminals.
//!
//! A plot is a plain struct of values and labels: fill it in and ask for its
//! [`svg`](Plot::svg) or its [`text`](Plot::text). Values that are not finite are
//! left out, and labels may hold anything.
//!
//! An SVG is complete in itself: it has a title and a description, no script and
//! no ids, follows the reader's preference for dark or light, and may be put
//! into a page as it is. Pages change its colours through custom properties:
//! `--karat-ink`, `--karat-soft`, `--karat-grid`, `--karat-paper`,
//! `--karat-series-1` to `--karat-series-7`, and its font through `--karat-font`.
//!
//! ```
//! use karat_report::plot::{Axis, LinePlot, Plot, Series};
//!
//! let plot = LinePlot {
//!     title: "F1 as the set grows".into(),
//!     x: Axis::new("documents"),
//!     y: Axis::new("F1").between(0.0, 1.0),
//!     series: vec![Series {
//!         name: "schwa".into(),
//!         points: vec![(10.0, 0.61), (100.0, 0.70), (231.0, 0.71)],
//!         ..Series::default()
//!     }],
//!     ..LinePlot::default()
//! };
//! assert!(plot.svg().starts_with("<svg"));
//! assert!(plot.text(72).contains("documents"));
//! ```

mod axis;
mod clip;
mod critical_difference;
mod forest;
mod frame;
mod heat_map;
mod histogram;
mod lettering;
mod lines;
mod look;
mod radar;
mod svg;
mod terminal;

pub use axis::{Axis, Scale};
pub use critical_difference::{CriticalDifference, RankedSystem};
pub use forest::{Forest, ForestRow};
pub use heat_map::HeatMap;
pub use histogram::{CurveKind, Histogram, HistogramValues, TheoryCurve};
pub use lines::{AxisSide, LinePlot, LineStyle, ReferenceLine, Series};
pub use radar::{Radar, RadarSeries};
pub use terminal::Glyphs;

/// What every plot can do.
pub trait Plot: std::fmt::Debug {
    /// The plot as an SVG that is laid out for this many pixels. Text is 12 to
    /// 15 pixels high at this width; less than 240 is taken as 240, and a heat map of
    /// many columns gets wider.
    fn svg_of_width(&self, width: u16) -> String;

    /// The plot as lines of text, at most `width` columns wide; less than 24 is
    /// taken as 24.
    fn text_with(&self, width: u16, glyphs: Glyphs) -> String;

    /// The plot as an SVG of 480 pixels, which can still be read on a telephone and
    /// does not look lost on a page.
    fn svg(&self) -> String {
        self.svg_of_width(480)
    }

    /// The plot as an SVG without a style sheet, for a page whose policy forbids one inside: such a page has
    /// rules of its own for the classes of plots, under `.karat-plot`.
    fn svg_without_style(&self, width: u16) -> String {
        self.svg_of_width(width).replacen(&look::style_element(), "", 1)
    }

    /// The series that can be told apart by colour, each with the class of its elements (`s1`, `s2`), for a page that
    /// lets readers dim some of them. None for plots without series.
    fn series_classes(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The plot as lines of text, drawn with Unicode.
    fn text(&self, width: u16) -> String {
        self.text_with(width, Glyphs::Unicode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_lead_somewhere_are_links() {
        let row = ForestRow {
            label: "a".into(),
            estimate: 0.5,
            low: 0.4,
            high: 0.6,
            ..Default::default()
        };
        let plain = Forest { rows: vec![row.clone()], ..Forest::default() };
        assert!(plain.svg().contains("role=\"img\"") && !plain.svg().contains("<a "));
        let link = Some("/runs/1?a=b&c=\"d\"".to_owned());
        let linked = Forest { rows: vec![ForestRow { link, ..row }], ..Forest::default() };
        let svg = linked.svg();
        assert!(
            svg.contains("<a href=\"/runs/1?a=b&amp;c=&quot;d&quot;\" aria-label=\"a: 0.5"),
            "{svg}"
        );
        assert!(svg.contains("role=\"group\""), "{svg}");
        let links = vec![vec![Some("/numbers/x".to_owned()), None]];
        let values = vec![vec![Some(0.1), Some(0.2)]];
        let map = HeatMap {
            rows: vec!["r".into()],
            columns: vec!["c".into(), "d".into()],
            values,
            links,
            ..HeatMap::default()
        };
        assert_eq!(map.svg().matches("<a href=\"/numbers/x\"").count(), 1);
    }

    #[test]
    fn plots_can_do_without_a_style_sheet() {
        let plot = Forest { title: "a".into(), ..Forest::default() };
        let (with, without) = (plot.svg_of_width(480), plot.svg_without_style(480));
        assert!(with.contains("<style>") && !without.contains("<style"));
        assert_eq!(with.replace(&look::style_element(), ""), without);
    }
}
