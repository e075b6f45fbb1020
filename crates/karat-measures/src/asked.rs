//! The part of a scene that a task asks about.

use karat_match::{Given, Item, Scene, Settings};
use karat_model::Span;

/// The scene that is looked at when mentions were given; `None` if all of it is.
pub(crate) fn asked<'a>(settings: &Settings, scene: &Scene<'a>) -> Option<Scene<'a>> {
    let is_asked = |item: &Item| match settings.given {
        Given::Nothing | Given::Mentions => true,
        Given::LinkedMentions => item.link.entity().is_some(),
    };
    if settings.given == Given::Nothing {
        return None;
    }
    let gold = &scene.gold.items;
    let given: Vec<Span> =
        gold.iter().filter(|item| is_asked(item)).map(|item| item.span).collect();
    let is_given = |at: usize| given.binary_search(&scene.system.items[at].span).is_ok();
    Some(scene.keeping(|at| is_asked(&gold[at]), is_given))
}
