//! Plots, each with its numbers.

use super::name::visible;
use karat::report::plot::Plot;
use maud::{Markup, PreEscaped, html};

/// How wide plots are laid out: on most screens, and on a phone, where the first would be too small to read.
const WIDTHS: [(u16, &str); 2] = [(640, "roomy"), (336, "slim")];

/// A plot with what it is about and its numbers, which readers without eyes, and those who want digits, take
/// instead.
pub fn plot(plot: &dyn Plot, caption: &str, numbers: &Markup) -> Markup {
    // The markup is that of our own writer of SVG, which escapes all labels.
    let drawn = |width: u16| PreEscaped(plot.svg_without_style(width));
    let series = plot.series_classes();
    html! {
        figure.plot {
            @for (width, class) in WIDTHS { div class=(class) { (drawn(width)) } }
            @if series.len() > 1 { (dimmer(&series)) }
            figcaption { (caption) }
            details {
                summary { "The numbers" }
                (numbers)
            }
        }
    }
}

/// Boxes that dim series, so that one can be looked at among many. The style sheet does it, without a script.
fn dimmer(series: &[(String, String)]) -> Markup {
    html! {
        fieldset.dimmer {
            legend { "Show" }
            @for (name, class) in series {
                label { input type="checkbox" checked data-dims=(class); (visible(name)) }
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
