//! Building and asking.

use karat_kb::{
    Builder, EntityKind, Evidence, FactCoverage, Facts, KbError, KnowledgeBase, Known, Popular,
    Words,
};

/// Fills a builder with a little of everything.
pub(crate) fn fill(builder: &mut Builder) -> Result<(), KbError> {
    let berlin = Facts {
        name: Some("Berlin"),
        description: Some("capital of Germany"),
        popularity: Some(300),
        types: Some(vec!["Q27096213"]),
        aliases: vec!["Berlin, Germany"],
        ..Facts::default()
    };
    builder.entity("Q64", &berlin)?;
    let second =
        Facts { name: Some("Land Berlin"), types: Some(vec!["Q43229"]), ..Facts::default() };
    builder.entity("Q64", &second)?;
    builder.entity(
        "Q1",
        &Facts { kind: EntityKind::Quantity, location: Some(false), ..Facts::default() },
    )?;
    builder
        .entity("Q2", &Facts { types: Some(vec![]), popularity: Some(7), ..Facts::default() })?;
    builder.entity(
        "Q515",
        &Facts { name: Some("city"), parents: vec!["Q486972"], ..Facts::default() },
    )?;
    builder.redirect("West_Berlin_(city)", "Berlin")?;
    builder.same("Berlin", "Q64")?;
    builder.same("/m/0156q", "Berlin")?;
    builder.redirect("A", "B")?;
    builder.redirect("B", "A")?;
    builder.redirect("C", "B")?;
    builder.mention("Berlin", "Berlin", Some(5))?;
    builder.mention("Berlin", "Q64", Some(4))?;
    builder.mention("Berlin", "Q2", Some(9))?;
    builder.mention("Berlin", "Q1", None)?;
    let inferred =
        Popular { ids: vec!["Q1"], inferred: true, unnamed_location: true, ..Popular::default() };
    builder.popular("one", &inferred)?;
    builder.popular("none", &Popular::default())?;
    builder.demonym("French", true)?;
    builder.demonym("Paris", false)?;
    builder.words("kore50", "1", 12, 8)?;
    builder.whitelist("Q43229", "Organization");
    builder.whitelist("Q27096213", "Geographic Entity");
    builder.covers(FactCoverage::Counts);
    builder.source("facts");
    Ok(())
}

fn base() -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    fill(&mut builder).unwrap();
    builder.finish().unwrap()
}

#[test]
fn facts_of_an_entity_add_up_and_the_first_name_wins() {
    let base = base();
    let berlin = base.entity("/m/0156q").unwrap();
    assert_eq!((berlin.id(), berlin.name()), ("Q64", Some("Berlin")));
    assert_eq!(berlin.description(), Some("capital of Germany"));
    assert_eq!(berlin.aliases().collect::<Vec<_>>(), ["Berlin, Germany", "Land Berlin"]);
    let types: Vec<&str> = berlin.types().known().unwrap().collect();
    assert_eq!(types, ["Q27096213", "Q43229"]);
    assert_eq!((berlin.popularity(), base.is_place(&berlin)), (Some(300), Some(true)));
    assert_eq!(base.entity("Q3").map(|entity| entity.id()), None);
}

#[test]
fn the_kind_of_what_nobody_looked_at_is_unknown() {
    let mut builder = Builder::in_memory();
    let types = Some(Vec::new());
    builder.entity("Q1", &Facts { kind: EntityKind::DateTime, ..Facts::default() }).unwrap();
    builder.entity("Q2", &Facts { name: Some("two"), ..Facts::default() }).unwrap();
    builder.entity("Q3", &Facts { types, ..Facts::default() }).unwrap();
    let base = builder.finish().unwrap();
    assert_eq!(base.kind("wd:Q1"), Some(EntityKind::DateTime));
    assert_eq!((base.kind("Q2"), base.kind("Q4")), (None, None));
    assert_eq!(base.kind("Q3"), Some(EntityKind::Thing));
    let mut builder = Builder::in_memory();
    builder.covers(FactCoverage::Kinds);
    assert_eq!(builder.finish().unwrap().kind("Q2"), Some(EntityKind::Thing));
}

#[test]
fn what_was_not_said_is_unknown_and_not_empty() {
    let base = base();
    let one = base.entity("Q1").unwrap();
    assert_eq!(
        (one.kind(), base.is_place(&one), one.name()),
        (EntityKind::Quantity, Some(false), None)
    );
    assert!(one.types().is_unknown());
    assert_eq!(base.entity("Q2").unwrap().types().map(Iterator::count), Known::Known(0));
    assert_eq!(base.is_place(&base.entity("Q2").unwrap()), Some(false));
    assert!(base.candidates("Paris").is_unknown());
    assert_eq!(base.is_demonym("French"), Known::Known(true));
    assert_eq!(base.is_demonym("Paris"), Known::Known(false));
    assert_eq!(base.is_demonym("German"), Known::Unknown);
    assert_eq!(base.words("kore50", "1"), Known::Known(Words { all: 12, lowercased: 8 }));
    assert_eq!(base.words("kore50", "2"), Known::Unknown);
}

#[test]
fn candidates_of_one_entity_are_put_together_and_the_likeliest_come_first() {
    let base = base();
    let berlin = base.candidates("Berlin").known().unwrap();
    let ranked: Vec<_> = berlin.iter().map(|candidate| (candidate.id, candidate.count)).collect();
    assert_eq!(ranked, [("Q64", Some(9)), ("Q2", Some(9)), ("Q1", None)]);
    assert_eq!(berlin.total(), 18);
    assert_eq!(berlin.most_popular(), Known::Known(vec!["Q64", "Q2"]));
    let one = base.candidates("one").known().unwrap();
    assert_eq!(one.most_popular(), Known::Known(vec!["Q1"]));
    assert_eq!((one.evidence(), one.has_unnamed_location()), (Evidence::Inferred, true));
    let none = base.candidates("none").known().unwrap();
    assert_eq!((none.most_popular(), none.is_empty()), (Known::Known(vec![]), true));
}

#[test]
fn every_spelling_leads_to_one_id_and_circles_end() {
    let base = base();
    for id in ["Q64", "Berlin", "/m/0156q", "West_Berlin_(city)"] {
        assert_eq!(base.resolve(id), "Q64", "{id}");
    }
    for id in ["A", "B", "C"] {
        assert_eq!(base.resolve(id), "A", "{id}");
    }
    assert_eq!(base.resolve("Nowhere"), "Nowhere");
}

#[test]
fn types_have_names_parents_and_an_order() {
    let base = base();
    let listed: Vec<_> = base.whitelist().collect();
    assert_eq!(listed, [("Q43229", "Organization"), ("Q27096213", "Geographic Entity")]);
    assert_eq!(base.type_name("Q515"), Some("city"));
    assert_eq!(base.type_parents("Q515").collect::<Vec<_>>(), ["Q486972"]);
}
