//! Confidence measures against scikit-learn 1.9.1.
//!
//! Expected values: `average_precision_score` times (right / gold), because scikit-learn
//! knows only the positives among the predictions; `brier_score_loss`; the calibration
//! error from `calibration_curve` (uniform bins), weighted by the sizes of the bins; the
//! area under the risk-coverage curve as the mean over predictions of 1 - precision at the
//! threshold of each.

use crate::support::{assert_near, corpus, evaluation, score};
use karat_kb::Identity;
use karat_match::{Pairing, Settings};
use karat_measures::Confidences;
use karat_model::Corpus;

/// Confidences of predictions, marked where right, and how many gold links are missed.
struct Expected {
    predictions: &'static str,
    missed: usize,
    average_precision: f64,
    brier: f64,
    calibration_error: f64,
    calibration_error_4: f64,
    risk: f64,
}

const TABLE: [Expected; 3] = [
    Expected {
        predictions: "0.45+ 0.2+ 0.5+ 0.9+ 0.05 0.1+ 0.75+ 0.1 0.45 0.8+ 0.05 0.75+",
        missed: 3,
        average_precision: 0.6847402597402598,
        brier: 0.19958333333333336,
        calibration_error: 0.2416666666666667,
        calibration_error_4: 0.2416666666666667,
        risk: 0.12311507936507937,
    },
    Expected {
        predictions: "0.05 0.25 0.05 0.75+ 0.2 0.3 0.5 0.2 0.75+ 0.1 0.8+ 0.3+ 0.75+ 0.9+ 0.2 0.1 \
                      0.8+ 0.8+ 0.9+ 0.25+ 0.45+ 0.1 0.75+ 0.95 0.1+",
        missed: 0,
        average_precision: 0.7975075648988692,
        brier: 0.16060000000000002,
        calibration_error: 0.19200000000000003,
        calibration_error_4: 0.07999999999999999,
        risk: 0.3059246614560116,
    },
    Expected {
        predictions: "0.75+ 0.8+ 1.0+ 0.45 0.45 0.95+ 0.45+ 0.8+ 0.6",
        missed: 5,
        average_precision: 0.5151515151515151,
        brier: 0.13472222222222222,
        calibration_error: 0.18333333333333335,
        calibration_error_4: 0.12777777777777782,
        risk: 0.12962962962962962,
    },
];

fn corpora<'p>(predictions: impl Iterator<Item = &'p str>, missed: usize) -> (Corpus, Corpus) {
    let (mut gold, mut system) = (String::new(), String::new());
    for (index, prediction) in predictions.enumerate() {
        let (confidence, right) = match prediction.strip_suffix('+') {
            Some(confidence) => (confidence, true),
            None => (prediction, false),
        };
        let start = index * 10;
        system += &format!("d{} {start} {start} A {confidence}\n", index % 3);
        if right {
            gold += &format!("d{} {start} {start} A\n", index % 3);
        }
    }
    for index in 0..missed {
        gold += &format!("d1 {0} {0} B\n", 1000 + index);
    }
    (corpus(&gold), corpus(&system))
}

#[test]
fn values_are_those_of_scikit_learn() {
    for expected in &TABLE {
        let (gold, system) = corpora(expected.predictions.split_whitespace(), expected.missed);
        for (measure, value) in [
            ("average-precision", expected.average_precision),
            ("brier", expected.brier),
            ("calibration-error", expected.calibration_error),
            ("calibration-error(bins=4)", expected.calibration_error_4),
            ("risk-coverage", expected.risk),
        ] {
            let name = if measure == "risk-coverage" { "aurc" } else { measure };
            let name = name.split('(').next().unwrap();
            // Both add some dozens of doubles, in different orders.
            assert_near(score(&gold, &system, "karat", measure, name), value, 1e-14);
        }
    }
}

#[test]
fn the_order_of_predictions_changes_no_digit() {
    for expected in &TABLE {
        let straight = expected.predictions.split_whitespace();
        let (gold, system) = corpora(straight.clone(), expected.missed);
        let (gold_again, system_again) = corpora(straight.rev(), expected.missed);
        for measure in ["average-precision", "brier", "calibration-error", "risk-coverage"] {
            let results = |gold, system| {
                evaluation(gold, system, "karat", &[measure]).unwrap().results[0].counts.clone()
            };
            assert_eq!(results(&gold, &system), results(&gold_again, &system_again), "{measure}");
        }
    }
}

/// `precision_recall_curve` of scikit-learn on the third row, recall times (right / gold).
#[test]
fn the_points_of_the_curves() {
    let expected = &TABLE[2];
    let (gold, system) = corpora(expected.predictions.split_whitespace(), expected.missed);
    let pairing = Pairing::new(&gold, &system, &Identity::new());
    let confidences = Confidences::of(&pairing, &Settings::default());
    assert_eq!(
        confidences.precision_recall(),
        [
            (1.0, 1.0, 1.0 / 11.0),
            (0.95, 1.0, 2.0 / 11.0),
            (0.8, 1.0, 4.0 / 11.0),
            (0.75, 1.0, 5.0 / 11.0),
            (0.6, 5.0 / 6.0, 5.0 / 11.0),
            (0.45, 6.0 / 9.0, 6.0 / 11.0),
        ]
    );
    let risk = confidences.risk_coverage();
    assert_eq!(risk[0], (1.0, 1.0 / 9.0, 0.0));
    assert_eq!(risk[5], (0.45, 1.0, 3.0 / 9.0));
    let bins = confidences.reliability(2);
    assert_eq!((bins[0].predictions, bins[0].right), (3, 1));
    assert_eq!((bins[1].predictions, bins[1].right), (6, 5));
}

#[test]
fn what_cannot_be_computed_is_undefined_and_says_why() {
    let gold = corpus("d 0 4 A\n d 10 14 B");
    let some = corpus("d 0 4 A 0.5\n d 10 14 B");
    let wide = corpus("d 0 4 A 0.5\n d 10 14 B 17.5");
    let reason = |system, measure| {
        let result = evaluation(&gold, system, "karat", &[measure]).unwrap().results.remove(0);
        let (_, value) = result.micro.iter().next().unwrap();
        (value, result.micro.reason())
    };
    for measure in ["average-precision", "risk-coverage", "calibration-error", "brier"] {
        let (value, why) = reason(&some, measure);
        assert_eq!(value, None, "{measure}");
        assert!(why.is_some_and(|why| why.contains("no confidence")), "{measure}: {why:?}");
    }
    for measure in ["calibration-error", "brier"] {
        let (value, why) = reason(&wide, measure);
        assert_eq!(value, None, "{measure}");
        assert!(why.is_some_and(|why| why.contains("0 to 1")), "{measure}: {why:?}");
    }
    // Only the order of confidences counts for these.
    assert_eq!(reason(&wide, "average-precision"), (Some(1.0), None));
    assert_eq!(reason(&wide, "risk-coverage"), (Some(0.0), None));
    assert!(evaluation(&gold, &wide, "karat", &["calibration-error(bins=0)"]).is_err());
}
