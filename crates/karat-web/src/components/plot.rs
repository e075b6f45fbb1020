//! Plots, each with its numbers.

use karat::report::plot::Plot;
use maud::{Markup, PreEscaped, html};

/// How wide plots are laid out.
const WIDTH: u16 = 640;

/// A plot with what it is about and its numbers, which readers without eyes, and those who want digits, take
/// instead.
pub fn plot(plot: &dyn Plot, caption: &str, numbers: &Markup) -> Markup {
    // The markup is that of our own writer of SVG, which escapes all labels.
    let drawn = PreEscaped(plot.svg_without_style(WIDTH));
    html! {
        figure.plot {
            (drawn)
            figcaption { (caption) }
            details {
                summary { "The numbers" }
                (numbers)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat::report::plot::{Forest, ForestRow};

    #[test]
    fn labels_of_plots_are_text() {
        let label = "<script>alert(1)</script>".to_owned();
        let rows =
            vec![ForestRow { label, estimate: 0.5, low: 0.4, high: 0.6, ..ForestRow::default() }];
        let forest = Forest { rows, ..Forest::default() };
        let markup = plot(&forest, "Scores", &html! {}).into_string();
        assert!(markup.contains("&lt;script&gt;") && !markup.contains("<script"), "{markup}");
        assert!(!markup.contains("<style") && !markup.contains("style="), "{markup}");
    }
}
