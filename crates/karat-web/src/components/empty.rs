//! What to do where there is nothing yet.

use maud::{Markup, html};

/// How to get something to look at: by upload where things are kept, else by a command.
pub fn nothing_yet(has_workspace: bool) -> Markup {
    html! {
        div.empty {
            p.result { "There is nothing to show yet." }
            @if has_workspace {
                p { a href="/upload" { "Upload a gold standard" } ", then the outputs of systems. Or look at the sample first:" }
                form method="post" action="/sample" { button { "Try the sample" } }
                p { "Many files at once are read by a command:" }
                pre { code { "karat import -g gold.tsv -s mine=mine.tsv -s other=other.ttl" } }
            } @else {
                p { "Give a gold standard and the outputs of systems:" }
                pre { code { "karat serve -g gold.tsv -s mine=mine.tsv -s other=other.ttl" } }
                p { "Or look at the sample that is built in, with three systems:" }
                pre { code { "karat serve --demo" } }
            }
            p { "Formats are recognised by their content; " code { "karat formats" } " lists them." }
        }
    }
}
