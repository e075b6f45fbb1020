//! The part of a scene that a task asks about.

use karat_match::{Given, Item, Scene, Settings, Side};
use karat_model::Span;
use std::collections::BTreeMap;

/// The scene that is looked at when mentions were given, or when gold has optional ones; `None` if
/// all of it is.
pub(crate) fn asked<'a>(settings: &Settings, scene: &Scene<'a>) -> Option<Scene<'a>> {
    let is_asked = |item: &Item| match settings.given {
        Given::Nothing | Given::Mentions => true,
        Given::LinkedMentions => item.link.entity().is_some(),
    };
    let counted = counted(scene);
    if settings.given == Given::Nothing {
        return counted;
    }
    let scene = counted.as_ref().unwrap_or(scene);
    let gold = &scene.gold.items;
    let given: Vec<Span> =
        gold.iter().filter(|item| is_asked(item)).map(|item| item.span).collect();
    // Gold items are sorted by span, and filtering keeps the order.
    let is_given = |at: usize| given.binary_search(&scene.system.items[at].span).is_ok();
    Some(scene.keeping(|at| is_asked(&gold[at]), is_given))
}

/// The scene without the predictions that say what optional gold says: these count neither for nor
/// against, as little as that gold. `None` if there are none.
///
/// Where asked and optional gold say the same, only what the asked gold leaves over is taken off, so
/// that perfect output is just what is asked.
pub(crate) fn counted<'a>(scene: &Scene<'a>) -> Option<Scene<'a>> {
    if !scene.gold.items.iter().any(|item| item.optional) {
        return None;
    }
    let asked = tally(&scene.gold, |item| !item.optional);
    let said = tally(&scene.system, |_| true);
    let mut over = tally(&scene.gold, |item| item.optional);
    for (saying, optional) in &mut over {
        let of = |counts: &Tally| counts.get(saying).copied().unwrap_or(0);
        *optional = of(&said).saturating_sub(of(&asked)).min(*optional);
    }
    let is_kept = |item: &Item| match over.get_mut(&saying(item)) {
        None | Some(0) => true,
        Some(left) => {
            *left -= 1;
            false
        }
    };
    let kept: Vec<bool> = scene.system.items.iter().map(is_kept).collect();
    let all = kept.iter().all(|kept| *kept);
    (!all).then(|| scene.keeping(|_| true, |at| kept[at]))
}

/// What a mention says: where it is, what it links to, its types.
type Saying = (Span, u32, usize);

type Tally = BTreeMap<Saying, usize>;

fn saying(item: &Item) -> Saying {
    (item.span, item.link.code(), item.types.index())
}

/// How often each thing is said by the items that count.
fn tally(side: &Side<'_>, counts: impl Fn(&Item) -> bool) -> Tally {
    let mut tally = Tally::new();
    for item in side.items.iter().filter(|item| counts(item)) {
        *tally.entry(saying(item)).or_default() += 1;
    }
    tally
}
