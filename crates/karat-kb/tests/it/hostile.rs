//! Inputs that nobody would write by hand, in time that grows with them and no faster.

use karat_kb::{Builder, Facts, Popular, Step};

#[test]
fn many_brackets_are_taken_off_like_one() {
    let base = Builder::in_memory().finish().unwrap();
    let nested = |inside: &str| format!("{}{inside}{}", "<".repeat(100_000), ">".repeat(100_000));
    assert_eq!(base.resolve(&nested("http://www.wikidata.org/entity/Q64")), "Q64");
    assert_eq!(base.resolve(&nested("Bob_Dylan")), "Bob_Dylan");
    let open = "<".repeat(100_000);
    assert_eq!(base.resolve(&open), open);
}

/// Follows every id of a chain of redirects; each id is spelled by its number.
fn follow_all(length: usize, from: impl Fn(usize) -> String, to: impl Fn(usize) -> String) {
    let mut builder = Builder::in_memory();
    for number in 0..length {
        builder.redirect(&from(number), &to(number + 1)).unwrap();
    }
    for number in 0..1_000 {
        builder.mention("x", &from(number * 7), Some(1)).unwrap();
    }
    let base = builder.finish().unwrap();
    let end = base.resolve(&from(0)).into_owned();
    for number in 0..length {
        assert_eq!(base.resolve(&from(number)), end, "{number}");
    }
}

#[test]
fn long_chains_of_redirects_are_followed_from_everywhere() {
    follow_all(10_000, |number| format!("T{number}"), |number| format!("T{number}"));
    // Each step needs the spelling of a title.
    follow_all(10_000, |number| format!("T{number}"), |number| format!("t{number}"));
    // A circle.
    follow_all(10_000, |number| format!("T{number}"), |number| format!("T{}", number % 10_000));
}

#[test]
fn an_entity_may_have_many_names() {
    let names: Vec<String> = (0..60_000).map(|number| format!("name {number}")).collect();
    let mut builder = Builder::in_memory();
    for name in names.iter().chain(&names) {
        builder.entity("Q1", &Facts { name: Some(name), ..Facts::default() }).unwrap();
    }
    let base = builder.finish().unwrap();
    let entity = base.entity("Q1").unwrap();
    assert_eq!((entity.name(), entity.aliases().count()), (Some("name 0"), 59_999));
}

#[test]
fn a_circle_is_explained_once() {
    let mut builder = Builder::in_memory();
    for (from, to) in [("C", "B"), ("B", "A"), ("A", "D"), ("D", "B")] {
        builder.redirect(from, to).unwrap();
    }
    let base = builder.finish().unwrap();
    let steps: Vec<(Step, String)> =
        base.explain("C").into_iter().map(|step| (step.step, step.id)).collect();
    let expected = [
        (Step::Redirect, "B"),
        (Step::Redirect, "A"),
        (Step::Redirect, "D"),
        (Step::Redirect, "B"),
        (Step::Circle, "A"),
    ];
    assert_eq!(steps, expected.map(|(step, id)| (step, id.to_owned())));
    assert_eq!(base.spellings("A").count(), 3);
}

#[test]
fn ids_in_lists_are_spelled_like_all_others() {
    let mut builder = Builder::in_memory();
    let facts = Facts {
        types: Some(vec!["http://www.wikidata.org/entity/Q515", "music group"]),
        parents: vec!["wd:Q1"],
        ..Facts::default()
    };
    builder.entity("Q64", &facts).unwrap();
    builder.mention("Paris", "Q90", None).unwrap();
    builder.popular("Paris", &Popular { ids: vec!["wd:Q90"], ..Popular::default() }).unwrap();
    let base = builder.finish().unwrap();
    let entity = base.entity("Q64").unwrap();
    assert_eq!(entity.types().known().unwrap().collect::<Vec<_>>(), ["Q515", "music group"]);
    assert_eq!(entity.parents().collect::<Vec<_>>(), ["Q1"]);
    assert_eq!(base.candidates("Paris").known().unwrap().len(), 1);
}

#[test]
fn titles_of_dumps_are_of_their_wikipedia() {
    let mut builder = Builder::in_memory();
    builder.dumps_are_in("de");
    builder.article("de", "Köln", "Q365").unwrap();
    builder.page(7, "Kölle").unwrap();
    builder.page_redirect(7, "Köln").unwrap();
    let base = builder.finish().unwrap();
    for id in ["https://de.wikipedia.org/wiki/K%C3%B6ln", "de:Kölle"] {
        assert_eq!(base.resolve(id), "Q365", "{id}");
    }
    assert_eq!(base.resolve("https://en.wikipedia.org/wiki/K%C3%B6ln"), "Köln");
}
