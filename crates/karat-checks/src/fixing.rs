//! Several fixes of one annotation as one.

use karat_model::{Change, Dimension, Edit, Mention};

/// All edits of a mention as one. Each was proposed for the mention as it is; where two speak of
/// the same thing, the later one wins, and what each does to single tags is done to all of them.
pub(crate) fn combined(mention: &Mention<'_>, edits: &[&Edit]) -> Edit {
    let mut whole = Change::default();
    let mut answer = None;
    for &edit in edits {
        match edit {
            Edit::Keep => {}
            // Nothing else that is done to a removed mention matters.
            Edit::Remove => return Edit::Remove,
            Edit::Answer(_) => answer = Some(edit.clone()),
            Edit::Change(change) => add(mention, &mut whole, change),
        }
    }
    match answer {
        Some(answer) => answer,
        None if whole == Change::default() => Edit::Keep,
        None => Edit::Change(whole),
    }
}

fn add(mention: &Mention<'_>, whole: &mut Change, change: &Change) {
    whole.span = change.span.or(whole.span);
    whole.entity = change.entity.clone().or_else(|| whole.entity.take());
    whole.types = change.types.clone().or_else(|| whole.types.take());
    whole.attributes.retain(|(key, _)| !change.attributes.iter().any(|(new, _)| new == key));
    whole.attributes.extend(change.attributes.iter().cloned());
    whole.tags = match (whole.tags.take(), &change.tags) {
        (Some(tags), Some(wanted)) => Some(retagged(mention, tags, wanted)),
        (tags, wanted) => wanted.clone().or(tags),
    };
}

/// Tags that were changed once, changed as a second fix would change those of the mention.
fn retagged(mention: &Mention<'_>, mut tags: Vec<String>, wanted: &[String]) -> Vec<String> {
    let had = |tag: &str| mention.tags().any(|other| other == tag);
    tags.retain(|tag| !had(tag) || wanted.contains(tag));
    for new in wanted.iter().filter(|tag| !had(tag)) {
        // What an earlier fix said of the same dimension gives way.
        let same =
            |tag: &str| Dimension::of(tag).is_some() && Dimension::of(tag) == Dimension::of(new);
        tags.retain(|tag| tag != new && (had(tag) || !same(tag)));
        tags.push(new.clone());
    }
    tags
}
