//! What stands around the content of every page.

use super::cite;
use super::name::{name, shown};
use super::notices::{notice, notices};
use crate::address::{Address, AssetPlace, Links};
use crate::assets::{SCRIPT, STYLE};
use crate::frozen::{self, FrozenState};
use crate::loading::LoadingState;
use crate::page::{PageContent, convention_text};
use crate::refusal::Refusal;
use crate::security::{policy_of_files, policy_of_one_file};
use karat::listings::preset_names;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Light or dark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Look {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Look {
    const ALL: [Look; 3] = [Look::System, Look::Light, Look::Dark];

    /// The look of this name; that of the system for any other.
    pub fn named(name: &str) -> Look {
        Look::ALL.into_iter().find(|look| look.name() == name).unwrap_or_default()
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Look::System => "system",
            Look::Light => "light",
            Look::Dark => "dark",
        }
    }
}

/// What a page needs to know of the place where it is shown.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Light or dark.
    pub look: Look,
    /// How addresses become links.
    pub links: &'a dyn Links,
    /// Whether there is a workspace, to which things can be sent.
    pub has_workspace: bool,
}

/// A link to an address, or plain words where there is no such page.
pub fn link(links: &dyn Links, address: &Address, words: &Markup) -> Markup {
    html! {
        @match links.href(address) {
            Some(href) => a href=(href) { (words) },
            None => (words),
        }
    }
}

/// A page with everything around it.
pub fn whole_page(content: &PageContent, around: &Surroundings<'_>) -> Markup {
    // With scripts, events tell when something has changed.
    let again = content.again.map(|seconds| html! { noscript { (reload(seconds)) } });
    document(&content.title, again, &content_of(content, around.links), around)
}

/// What a page shows, from its heading to its foot.
pub fn content_of(content: &PageContent, links: &dyn Links) -> Markup {
    html! {
        (crumbs(content, links))
        @if let Some(frozen) = &content.frozen { (frozen_note(content, frozen, links)) }
        h1 { (shown(&content.title)) }
        @if let Some(sentence) = &content.sentence { p.result { (shown(sentence)) } }
        @if let Some(convention) = &content.convention {
            (convention_form(content, links, &convention_text(convention), &convention.preset))
        }
        (notices(&content.notices))
        @if let Some(tabs) = &content.tabs { (tabs) }
        (content.body)
        @if let Some(legend) = &content.legend { (legend) }
        (foot(content, links))
    }
}

/// The page that says why another is not shown.
pub fn page_of_refusal(refusal: &Refusal, around: &Surroundings<'_>) -> Markup {
    match refusal {
        Refusal::Loading(state) => loading(state, around),
        Refusal::Computing { state, page } => computing(state, page, around),
        Refusal::Stopped { page } => {
            let body = html! {
                h1 { "Stopped" }
                p.result { "What the page needs is not computed any more." }
                p { a href=(page) { "Compute it again" } }
            };
            document("Stopped", None, &body, around)
        }
        Refusal::Missing { what, hint } => {
            let body = html! {
                h1 { "Nothing here" }
                p.result { (shown(what)) }
                @if let Some(hint) = hint { p { (shown(hint)) } }
                (ways_on(around))
            };
            document("Nothing here", None, &body, around)
        }
        Refusal::Elsewhere { what, links } => {
            let body = html! {
                h1 { "This cannot be shown" }
                p.result { (shown(what)) }
                ul { @for (words, address) in links { li { (link(around.links, address, &name(words))) } } }
            };
            document("This cannot be shown", None, &body, around)
        }
        Refusal::Asked(asked) => {
            let body = html! {
                h1 { "This cannot be shown" }
                section.notices { ul { (notice(asked)) } }
                (ways_on(around))
            };
            document("This cannot be shown", None, &body, around)
        }
        Refusal::Failed(why) => {
            let body = html! {
                h1 { "Something went wrong" }
                p.result { (shown(why)) }
                p { "This is an error of karat, or of the machine that it runs on. Whoever runs this server finds more in its log." }
                (ways_on(around))
            };
            document("Something went wrong", None, &body, around)
        }
    }
}

/// Where to go from a page that is not shown.
fn ways_on(around: &Surroundings<'_>) -> Markup {
    let pages = navigation(around.has_workspace).into_iter();
    html! {
        p.pages {
            "Go on with: "
            @for (address, words) in pages.filter(|(address, _)| around.links.href(address).is_some()) {
                (link(around.links, &address, &html! { (words) })) " "
            }
        }
    }
}

/// How far the files are read. The page comes again by itself, without scripts.
fn loading(state: &LoadingState, around: &Surroundings<'_>) -> Markup {
    let body = html! {
        h1 { "Reading files" }
        @match &state.failed {
            Some(failed) => section.notices { ul { (notice(failed)) } },
            None => {
                (progress(state, "reading"))
                p { "This page shows the results as soon as they are there." }
            }
        }
    };
    let again = state.failed.is_none().then(|| reload(1));
    document("Reading files", again, &body, around)
}

/// How far the computing of a page is. The page comes again by itself, without scripts.
fn computing(state: &LoadingState, page: &str, around: &Surroundings<'_>) -> Markup {
    let body = html! {
        h1 { "Computing" }
        (progress(state, "computing"))
        p { "This page shows the results as soon as they are there. They are kept, so that it is quick the next time." }
        form method="post" action="/cancel" {
            input type="hidden" name="page" value=(page);
            button { "Stop it" }
        }
    };
    document("Computing", Some(reload(1)), &body, around)
}

/// How far something is; `usual` is what it is called as long as it has no step.
fn progress(state: &LoadingState, usual: &str) -> Markup {
    html! {
        p.result role="status" {
            (if state.step.is_empty() { usual } else { state.step })
            @if let Some(percent) = state.percent() { ", " (percent) " %" }
        }
        @match state.total {
            0 => progress aria-label=(usual) {},
            total => progress aria-label=(usual) value=(state.done.min(total)) max=(total) {},
        }
    }
}

/// Lets the browser load the page again.
fn reload(seconds: u32) -> Markup {
    html! { meta http-equiv="refresh" content=(seconds); }
}

/// The document around a page. `again` stands in its head and makes it come again by itself.
pub(crate) fn document(
    title: &str,
    again: Option<Markup>,
    body: &Markup,
    around: &Surroundings<'_>,
) -> Markup {
    let links = around.links;
    html! {
        (DOCTYPE)
        html lang="en" data-look=(around.look.name()) data-report[!links.is_live()] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(again) = again { (again) }
                title { (shown(title)) " · karat" }
                link rel="icon" href="data:,";
                (assets(&links.assets()))
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                header.top {
                    nav aria-label="Pages" {
                        (link(links, &Address::board(), &html! { b { "karat" } }))
                        @for (address, words) in navigation(around.has_workspace).into_iter().filter(|(address, _)| links.href(address).is_some()) {
                            (link(links, &address, &html! { (words) }))
                        }
                        @if links.has_accounts() { a href="/account" { "Account" } }
                    }
                    @if links.is_live() { form.find method="get" action="/search" role="search" {
                        input type="search" name="q" maxlength="200" placeholder="search  /" aria-label="Search mentions, entities, documents and systems" autocomplete="off" data-find;
                    } }
                    @if links.is_live() { form.look method="post" action="/theme" aria-label="Light or dark" {
                        @for look in Look::ALL {
                            button name="look" value=(look.name()) aria-pressed=(look == around.look) {
                                (if look == Look::System { "auto" } else { look.name() })
                            }
                        }
                    } }
                }
                main id="content" tabindex="-1" { (body) }
                @if links.assets() == AssetPlace::Inside { script { (PreEscaped(&SCRIPT.content)) } }
            }
        }
    }
}

/// The style sheet and the script. What is not served says itself what browsers may do with it, because no header
/// does; the icon before it needs no permission that a policy of a page could take away.
fn assets(place: &AssetPlace) -> Markup {
    html! {
        @match place {
            AssetPlace::Served => {
                link rel="stylesheet" href=(STYLE.path());
                script src=(SCRIPT.path()) defer {}
            },
            AssetPlace::Beside(folder) => {
                meta http-equiv="Content-Security-Policy" content=(policy_of_files());
                link rel="stylesheet" href={ (folder) (STYLE.name) };
                script src={ (folder) (SCRIPT.name) } defer {}
            },
            AssetPlace::Inside => {
                meta http-equiv="Content-Security-Policy" content=(policy_of_one_file());
                // Both are our own files; a script that stands in a page runs when it is reached, and so stands last.
                style { (PreEscaped(&STYLE.content)) }
            },
        }
    }
}

/// The pages that every page leads to.
fn navigation(has_workspace: bool) -> Vec<(Address, &'static str)> {
    let mut pages = vec![
        (Address::board(), "Board"),
        (Address::benchmarks(), "Benchmarks"),
        (Address::systems(), "Systems"),
        (Address::path(["compare"]), "Compare"),
        (Address::path(["conventions"]), "Conventions"),
    ];
    if has_workspace {
        pages.push((Address::path(["upload"]), "Upload"));
        pages.push((Address::campaigns(), "Campaigns"));
    }
    pages.push((Address::path(["help"]), "Help"));
    pages
}

fn crumbs(content: &PageContent, links: &dyn Links) -> Markup {
    html! {
        @if !content.crumbs.is_empty() {
            nav.crumbs aria-label="Where this is" {
                ol {
                    @for (crumb, address) in &content.crumbs {
                        li { (link(links, address, &name(crumb))) }
                    }
                }
            }
        }
    }
}

/// What a reader of a frozen link has to know: whether all is as it was.
fn frozen_note(content: &PageContent, frozen: &FrozenState, links: &dyn Links) -> Markup {
    html! {
        p.frozen role="note" {
            @if frozen.changed.is_empty() {
                b { "Frozen link." } " Everything on this page is as it was when the link was made."
            } @else {
                b { "Since this frozen link was made: " }
                (shown(&frozen.changed.join("; "))) ". "
                (link(links, frozen.newest.as_ref().unwrap_or(&content.here), &html! { "What is there now" }))
            }
        }
    }
}

/// The convention as a phrase, and a form that changes it.
fn convention_form(content: &PageContent, links: &dyn Links, text: &str, preset: &str) -> Markup {
    let others = content.here.query().iter().filter(|(key, _)| *key != "as");
    // A form puts its own fields in the place of the query.
    let action = links.href(&content.here).unwrap_or_default();
    let action = action.split('?').next().unwrap_or_default();
    // What is changed of the preset.
    let settings = text.split_once(';').map_or("", |(_, settings)| settings);
    html! {
        @if !links.is_live() {
            p.convention { "as " b { (shown(if text.is_empty() { preset } else { text })) } }
        } @else { details.convention {
            summary { "as " b { (shown(if text.is_empty() { preset } else { text })) } " · change" }
            form method="get" action=(action) {
                @for (key, value) in others { input type="hidden" name=(key) value=(value); }
                label { "Convention " select name="as" {
                    @for known in preset_names() {
                        option value=(known) selected[known == preset] { (known) }
                    }
                } }
                label { "with " input name="as" value=(settings) maxlength="400" placeholder="setting=value;…" autocomplete="off"; }
                button { "Show" }
                a href="/help/setting" { "all settings" }
            }
        } }
    }
}

/// What reproduces the page, and what else can be had of it.
fn foot(content: &PageContent, links: &dyn Links) -> Markup {
    let frozen = content.here.clone().with(frozen::KEY, frozen::FREEZE);
    html! {
        footer.foot {
            @if let Some(edit) = &content.edit {
                p { (link(links, edit, &html! { "Rename or remove" })) }
            }
            @if !content.signatures.is_empty() {
                // A board of many benchmarks has many, which would stand before all else.
                details open[content.signatures.len() < 3] {
                    summary { @if content.signatures.len() == 1 { "Signature" } @else { (content.signatures.len()) " signatures" } }
                    @for signature in &content.signatures { p { code.signature data-copyable { (shown(signature)) } } }
                }
            }
            @if let Some(command) = content.command.as_ref().filter(|it| !it.is_empty()) {
                details {
                    summary { "The same on the command line" }
                    pre { code data-copyable { (shown_lines(command)) } }
                }
            }
            @if !content.signatures.is_empty() {
                @if let Some(href) = links.href(&frozen).filter(|_| links.is_live()) {
                    p.frozenlink {
                        a href=(href) rel="nofollow" data-freeze { "Frozen link" }
                        span.soft { " names what is shown by its content, so that it can be told later whether anything has changed" }
                    }
                }
                details {
                    summary { "Cite" }
                    pre { code data-copyable { (shown_lines(&cite::bibtex(content))) } }
                }
            }
            @if let Some(curl) = content.curl.as_ref().filter(|_| links.is_live()) {
                details {
                    summary { "The same with curl" }
                    pre { code data-copyable { (shown_lines(curl)) } }
                    p { (link(links, &Address::path(["api"]), &html! { "About the API" })) }
                }
            }
            @if content.has_forms && links.is_live() {
                details {
                    summary { "Download" }
                    ul.forms {
                        @for form in karat::report::FORMS {
                            @if let Some(href) = links.href(&content.here.clone().with("format", form.name())) {
                                li {
                                    a href=(href) download { (form.name()) }
                                    " " span.soft { (form.about()) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Commands have a line each.
fn shown_lines(text: &str) -> String {
    text.lines().map(shown).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Paths;
    use karat::notices::UNKNOWN_NAME;

    #[test]
    fn nothing_on_a_page_turns_its_direction() {
        let hostile = "a\u{202e}b\u{7}<script>";
        let content = PageContent {
            title: hostile.to_owned(),
            sentence: Some(hostile.repeat(50)),
            crumbs: vec![(hostile.to_owned(), Address::board())],
            signatures: vec![hostile.to_owned()],
            command: Some(hostile.to_owned()),
            notices: vec![UNKNOWN_NAME.notice(hostile)],
            has_forms: true,
            ..PageContent::default()
        };
        let around = Surroundings { look: Look::System, links: &Paths, has_workspace: false };
        let page = whole_page(&content, &around).into_string();
        for bad in ["\u{202e}", "\u{7}", "<script>"] {
            assert!(!page.contains(bad), "{bad:?} in {page}");
        }
        assert_eq!(page.matches("a\u{fffd}b␇&lt;script&gt;").count(), 58, "{page}");
        let refusal = Refusal::Failed(hostile.to_owned());
        assert!(!page_of_refusal(&refusal, &around).into_string().contains('\u{202e}'));
    }
}
