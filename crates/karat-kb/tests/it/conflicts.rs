//! What inputs disagree about, and what becomes of it.

use karat_kb::{Builder, Built, CandidateWeight, KbError, KnowledgeBase};

/// Builds from what is said, and gives the base and the conflicts in words.
fn built(say: impl FnOnce(&mut Builder) -> Result<(), KbError>) -> (KnowledgeBase, Vec<String>) {
    let mut builder = Builder::in_memory();
    say(&mut builder).unwrap();
    let Built { base, conflicts } = builder.complete().unwrap();
    (base, conflicts.iter().map(ToString::to_string).collect())
}

#[test]
fn a_title_names_the_first_entity_and_does_not_join_two() {
    let (base, conflicts) = built(|builder| {
        builder.title("Berlin", "Q64")?;
        builder.title("Berlin", "Q821244")?;
        builder.title("Paris", "Q90")?;
        builder.title("Paris", "http://www.wikidata.org/entity/Q90")
    });
    assert_eq!(base.resolve("Berlin"), "Q64");
    assert_eq!(base.resolve("Q821244"), "Q821244");
    assert_eq!(
        conflicts,
        [
            "1 title with several entities; the first was taken: `Berlin` leads to `Q64`, not `Q821244`"
        ]
    );
}

#[test]
fn two_ids_of_one_entity_are_no_conflict() {
    let (base, conflicts) = built(|builder| {
        builder.title("Berlin", "/m/0156q")?;
        builder.title("Berlin", "Q64")?;
        builder.same("/m/0156q", "Q64")?;
        builder.redirect("BER", "Berlin")?;
        builder.redirect("BER", "Berlin,_Germany")?;
        builder.redirect("Berlin,_Germany", "Berlin")
    });
    assert_eq!(base.resolve("BER"), "Q64");
    assert_eq!(conflicts, [""; 0]);
}

#[test]
fn an_id_of_the_same_entity_hides_no_conflict() {
    let (base, conflicts) = built(|builder| {
        builder.title("Berlin", "Q64")?;
        builder.title("Berlin", "/m/0156q")?;
        builder.title("Berlin", "Q821244")?;
        builder.title("Berlin", "Q1")?;
        builder.same("/m/0156q", "Q64")
    });
    assert_eq!(base.resolve("Berlin"), "Q64");
    assert_eq!(
        conflicts,
        [
            "1 title with several entities; the first was taken: `Berlin` leads to `Q64`, not `Q821244`"
        ]
    );
}

#[test]
fn the_first_target_of_a_redirect_is_believed() {
    let (base, conflicts) = built(|builder| {
        for (from, to) in [("A", "First"), ("B", "First"), ("A", "Second"), ("B", "Third")] {
            builder.redirect(from, to)?;
        }
        Ok(())
    });
    assert_eq!((base.resolve("A"), base.resolve("B")), ("First".into(), "First".into()));
    assert_eq!(
        conflicts,
        [
            "2 redirects with several targets; the first was taken: `A` leads to `First`, not `Second`"
        ]
    );
}

#[test]
fn items_that_became_one_are_counted_by_group() {
    let (base, conflicts) = built(|builder| {
        for (a, b) in [("Q64", "Q90"), ("Q84", "Q90"), ("Q5", "x"), ("x", "Q7"), ("Q1", "/m/01")] {
            builder.same(a, b)?;
        }
        Ok(())
    });
    assert_eq!((base.resolve("Q84"), base.resolve("Q7")), ("Q64".into(), "Q5".into()));
    assert_eq!(
        conflicts,
        [
            "2 groups of equal ids with several items of Wikidata, which are one entity now: `Q7` became `Q5`"
        ]
    );
}

#[test]
fn counts_and_shares_of_one_text_are_not_added() {
    let (base, conflicts) = built(|builder| {
        builder.weighted_mention("B", "Q1", CandidateWeight::Count(3))?;
        builder.weighted_mention("B", "Q2", CandidateWeight::Prior(0.5))?;
        builder.weighted_mention("P", "Q1", CandidateWeight::Prior(0.25))?;
        builder.weighted_mention("P", "wd:Q1", CandidateWeight::Prior(0.25))?;
        builder.weighted_mention("P", "Q2", CandidateWeight::Prior(0.125))?;
        builder.weighted_mention("P", "Q3", CandidateWeight::Unknown)?;
        for _ in ["one input", "another"] {
            builder.weighted_mention("T", "Q1", CandidateWeight::Prior(0.75))?;
            builder.weighted_mention("T", "Q2", CandidateWeight::Prior(0.25))?;
        }
        builder.weighted_mention("Z", "Q3", CandidateWeight::Count(0))
    });
    let shown = |text: &str| -> Vec<(String, Option<u64>, Option<f64>)> {
        let candidates = base.candidates(text).known().unwrap();
        candidates.priors().map(|(one, prior)| (one.id.to_owned(), one.count, prior)).collect()
    };
    assert_eq!(shown("B"), [("Q1".into(), Some(3), Some(1.0)), ("Q2".into(), None, None)]);
    let shares = [("Q1", Some(0.5)), ("Q2", Some(0.125)), ("Q3", None)];
    assert_eq!(shown("P"), shares.map(|(id, prior)| (id.to_owned(), None, prior)));
    let twice = [("Q1", Some(0.75)), ("Q2", Some(0.25))];
    assert_eq!(shown("T"), twice.map(|(id, prior)| (id.to_owned(), None, prior)));
    assert_eq!(shown("Z"), [("Q3".into(), Some(0), None)]);
    assert_eq!(
        conflicts,
        ["1 text with both counts and priors; only the counts were taken, for instance of `B`"]
    );
}
