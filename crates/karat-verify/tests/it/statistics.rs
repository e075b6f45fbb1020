//! What designs promise, on simulated campaigns whose truth is known.

use crate::data;
use karat_stats::{Bootstrap, wilson};
use karat_verify::agreement::{AgreementQuestion, agreement};
use karat_verify::plan::{CampaignPlan, CampaignText, ItemKind, Redundancy, VerifyItem};
use karat_verify::quality::is_guessing;
use karat_verify::results::{Estimate, RESULT_PRESETS, ResultPreset, results};
use karat_verify::simulation::{SimulatedPeople, SimulationDesign, SimulationOutcome};
use karat_verify::{ItemJudgement, LinkTarget, VerifyAction};

const CAMPAIGNS: u64 = 200;

#[test]
fn intervals_of_95_percent_have_the_true_rate() {
    let design = SimulationDesign::default();
    let runs: Vec<SimulationOutcome> = (0..CAMPAIGNS).map(|number| design.run(number)).collect();
    let mean =
        |of: fn(&SimulationOutcome) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let (per_item, accuracy) = (mean(|run| run.per_item), mean(|run| run.accuracy));
    let covered = runs.iter().filter(|run| run.covers(design.shares[0])).count();
    println!("covered {covered}, {per_item:.3} judgements per item, accuracy {accuracy:.4}");
    assert!((185..=197).contains(&covered), "{covered}");
    // Adaptive redundancy, 2 to 5.
    assert!(per_item < 2.5, "{per_item}");
    assert!(accuracy >= 0.965, "{accuracy}");
}

/// How many of many people of a kind pass all of three controls, against the chance that was computed beforehand.
#[track_caller]
fn passes(people: SimulatedPeople, chance: f64) {
    let number = 3000;
    let people = vec![SimulatedPeople { number, ..people }];
    // Nothing is judged: only controls are asked, and all three must be right.
    let design = SimulationDesign {
        items: 0,
        people,
        controls: 3,
        leave_out_below: Some(1.0),
        redundancy: Redundancy::Fixed { judgements: 0 },
        ..SimulationDesign::default()
    };
    let passed = number - design.campaign(7).left_out.len();
    let found = wilson(passed as f64, number as f64, 99.0).expect("people");
    assert!(found.low <= chance && chance <= found.high, "{passed} of {number}, expected {chance}");
}

#[test]
fn controls_are_passed_as_often_as_computed() {
    passes(SimulatedPeople::nodding(0), 0.0);
    passes(SimulatedPeople::guessing(0), 2.0 / 27.0);
    // Right on each control with .9: a corrupted link is right when it is modified or removed.
    let rows = [[0.9, 0.05, 0.05], [0.1, 0.45, 0.45], [0.05, 0.05, 0.9]];
    passes(SimulatedPeople { name: "honest".into(), number: 0, rows }, 0.729);
}

#[test]
fn who_always_verifies_is_flagged_after_nine_controls() {
    assert!(is_guessing(3, 9) && !is_guessing(4, 9) && !is_guessing(2, 7));
    // An honest person with accuracy .9 has 3 or fewer of 9 with this chance.
    let chance = |right: i32| {
        let ways: f64 = (0..right).map(|at| f64::from(9 - at) / f64::from(at + 1)).product();
        ways * 0.9_f64.powi(right) * 0.1_f64.powi(9 - right)
    };
    let flagged: f64 = (0..=3).map(chance).sum();
    assert!((flagged - 0.000_064_234).abs() < 1e-9, "{flagged}");
    let Some(file) = data::json("posthoc/agreement_reference.json") else { return };
    let controls = file["controls"].as_array().expect("a list");
    let flag = controls.iter().find(|one| one.get("largest_flagged_of_9").is_some()).expect("flag");
    assert_eq!(flag["largest_flagged_of_9"].as_u64(), Some(3));
    let expected = flag["p_flag_accuracy_.9_at_9"].as_f64().expect("a chance");
    assert!((flagged - expected).abs() < 1e-9);
}

#[test]
fn controls_buy_more_than_votes() {
    let people = |spammers: usize| {
        vec![SimulatedPeople::good(50 - spammers), SimulatedPeople::nodding(spammers)]
    };
    let design = SimulationDesign {
        items: 1500,
        people: people(5),
        redundancy: Redundancy::Fixed { judgements: 3 },
        ..SimulationDesign::default()
    };
    let fixed = design.run(1);
    let adaptive = SimulationDesign { redundancy: Redundancy::ADAPTIVE, ..design.clone() }.run(1);
    let none =
        SimulationDesign { people: people(15), controls: 0, leave_out_below: None, ..design }
            .run(1);
    println!(
        "fixed 3: {:.3}; adaptive 2 to 5: {:.3} with {:.2}; 30% who always verify, no controls: {:.3}",
        fixed.accuracy, adaptive.accuracy, adaptive.per_item, none.accuracy
    );
    assert!(fixed.accuracy > 0.96 && adaptive.accuracy > 0.965 && adaptive.per_item < 2.5);
    assert!(none.accuracy < fixed.accuracy);
}

/// Half of the items stand for all of them: every share is what it was, and no recall is over 1.
#[test]
fn samples_weigh_both_sides_of_every_share() {
    let bootstrap = Bootstrap { trials: 20, ..Bootstrap::default() };
    let redundancy = Redundancy::Fixed { judgements: 2 };
    let design = SimulationDesign { items: 300, redundancy, ..SimulationDesign::default() };
    let campaign = design.campaign(5);
    let of = |plan: &CampaignPlan, preset: &ResultPreset| {
        let gold = plan.proposals.first().map(|one| one.source.clone());
        let found = results(plan, &campaign.judgements, &[], gold.as_deref(), preset, &bootstrap);
        found.all
    };
    let mut sampled = campaign.plan.clone();
    for item in sampled.items.iter_mut().filter(|item| item.weight > 0.0) {
        (item.probability, item.weight) = (0.5, 2.0);
    }
    for preset in RESULT_PRESETS {
        let (all, half) = (of(&campaign.plan, preset), of(&sampled, preset));
        assert_eq!(half.union, 2.0 * all.union, "{}", preset.name);
        for (all, half) in all.sources.iter().zip(&half.sources) {
            let value = |estimate: &Option<Estimate>| estimate.as_ref().map(|it| it.value);
            assert_eq!(value(&half.recall), value(&all.recall), "{}", preset.name);
            assert_eq!(value(&half.precision), value(&all.precision), "{}", preset.name);
            assert!(value(&half.recall).is_none_or(|it| it <= 1.0), "{}", preset.name);
        }
    }
}

/// Every item has a link of its own: what is kept of each is what was said of it, and not a place for every link.
#[test]
fn agreement_on_links_takes_room_for_answers_only() {
    let items = 60_000;
    let mut plan = CampaignPlan::default();
    plan.texts.push(CampaignText {
        document: "d".into(),
        dataset: String::new(),
        begin: 0,
        end: 10,
        words: "0123456789".into(),
    });
    let mut judgements = Vec::new();
    for item in 0..items {
        plan.items.push(VerifyItem {
            text: 0,
            begin: 0,
            end: 1,
            link: LinkTarget::Entity(format!("Q{item}")),
            kind: ItemKind::Real,
            stratum: String::new(),
            probability: 1.0,
            weight: 1.0,
        });
        for worker in ["w1", "w2"] {
            judgements.push(ItemJudgement::new(item, worker, VerifyAction::Verify));
        }
    }
    let bootstrap = Bootstrap { trials: 2, ..Bootstrap::default() };
    let found = agreement(&plan, &judgements, |_, _| true, &bootstrap);
    let link = found.iter().find(|one| one.question == AgreementQuestion::Link).unwrap();
    assert_eq!(link.items, items);
    assert_eq!(link.coefficients[0].value, Some(1.0));
}
