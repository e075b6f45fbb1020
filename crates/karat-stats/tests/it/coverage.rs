//! Whether intervals cover what they say, and tests reject as rarely as they say, on simulated
//! systems whose true F1 is known.

use karat_stats::{Bootstrap, Contest, Counts, Method, Random, Randomisation, Runs, Sampling};

const DOCUMENTS: usize = 150;

/// How many of so many things happen.
fn happen(random: &mut Random, things: u32, probability: f64) -> u32 {
    (0..things).filter(|_| random.unit() < probability).count() as u32
}

/// The counts of `systems` equally good systems, side by side: mentions of a document are found with a
/// probability that is the document's own, and a third as many predictions are wrong.
fn simulated(random: &mut Random, systems: usize) -> Vec<Counts> {
    let mut rows = vec![Vec::new(); systems];
    for _ in 0..DOCUMENTS {
        let mentions = 3 + random.below(10) as u32;
        let easy = [0.5, 0.7, 0.9][random.below(3)];
        for rows in &mut rows {
            let found = happen(random, mentions, easy);
            let extra = happen(random, mentions, 0.3);
            rows.extend([found, extra, mentions - found].map(f64::from));
        }
    }
    rows.into_iter().map(|rows| Counts::new(3, rows)).collect()
}

/// Of ten mentions seven are found and three predictions are wrong.
const TRUE_F1: f64 = 14.0 / 20.0;

fn f1(sums: &[f64]) -> Option<f64> {
    let &[tp, fp, fn_] = sums else { return None };
    Some(2.0 * tp / (2.0 * tp + fp + fn_))
}

#[test]
fn intervals_of_95_percent_cover_93_to_97() {
    for method in [Method::Percentile, Method::Basic, Method::Bca] {
        let covers = |simulation: &u64| {
            let counts = &simulated(&mut Random::new(20_14, *simulation), 1)[0];
            let bootstrap = Bootstrap { trials: 999, seed: *simulation, method, level: 95.0 };
            let found = bootstrap.intervals(counts, &Sampling::Documents, &[&f1])[0];
            found.is_some_and(|found| found.low <= TRUE_F1 && TRUE_F1 <= found.high)
        };
        let covered = (0..2000).filter(covers).count() as f64 / 2000.0;
        assert!((0.93..0.97).contains(&covered), "{method}: {covered}");
    }
}

#[test]
fn equal_systems_are_told_apart_in_4_to_6_percent_at_5() {
    let (mut one_sided, mut two_sided) = (0, 0);
    for simulation in 0..4000 {
        let systems = simulated(&mut Random::new(20_23, simulation), 2);
        let randomisation = Randomisation { trials: 999, seed: simulation };
        let found = randomisation.test(&systems[0], &systems[1], &f1).expect("defined");
        // In the observed direction, whichever it is: one of two chances, so half the level.
        one_sided += u32::from(found.one_sided() <= 0.025);
        two_sided += u32::from(found.two_sided() <= 0.05);
    }
    for rejected in [one_sided, two_sided] {
        assert!((160..=240).contains(&rejected), "{one_sided} {two_sided} of 4000");
    }
}

#[test]
fn paired_bootstrap_rejects_equal_systems_in_4_to_6_percent_at_5() {
    let mut rejected = 0;
    for simulation in 0..4000 {
        let systems = simulated(&mut Random::new(20_22, simulation), 2);
        let counts = Counts::beside(&[&systems[0], &systems[1]]);
        let bootstrap = Bootstrap { trials: 499, seed: simulation, ..Bootstrap::default() };
        let both = [Runs::single(0..3), Runs::single(3..6)];
        let contest = Contest::new(&bootstrap, &counts, &Sampling::Documents, &both, &f1);
        let found = contest.difference(0, 1).and_then(|found| found.drawn).expect("defined");
        rejected += u32::from(found.two_sided <= 0.05);
    }
    assert!((160..=240).contains(&rejected), "{rejected} of 4000");
}

#[test]
fn documents_that_are_all_alike_in_a_source_are_one_witness() {
    // Ten sources of thirty equal documents, no true difference: exchanging documents one by one
    // takes each source for thirty witnesses and rejects most of the time.
    let (mut single, mut whole) = (0, 0);
    for simulation in 0..600 {
        let mut random = Random::new(20_31, simulation);
        let mut rows = [Vec::new(), Vec::new()];
        for _ in 0..10 {
            let found = [random.below(10), random.below(10)];
            for _ in 0..30 {
                for (rows, found) in rows.iter_mut().zip(found) {
                    rows.extend([found as f64, 0.0, (10 - found) as f64]);
                }
            }
        }
        let [first, second] = rows.map(|rows| Counts::new(3, rows));
        let sources = Sampling::Clusters((0..300).map(|document| document / 30).collect());
        let test = Randomisation { trials: 199, seed: simulation };
        let rejects = |first: &Counts, second: &Counts| {
            u32::from(test.test(first, second, &f1).expect("defined").two_sided() <= 0.05)
        };
        single += rejects(&first, &second);
        whole += rejects(&sources.together(&first), &sources.together(&second));
    }
    assert!(single > 300, "{single} of 600");
    assert!(whole < 48, "{whole} of 600");
}

/// How often the interval of a system of so many runs covers the truth, and how often it is told from an equally good
/// one. The share of mentions that a run finds is normal around 0.7.
fn several_runs(runs: usize, deviation: f64, simulations: u64) -> (f64, f64) {
    const MENTIONS: u32 = 8;
    let (mut covered, mut rejected) = (0.0, 0.0);
    for simulation in 0..simulations {
        let mut random = Random::new(20_35 + runs as u64, simulation);
        // The sum of twelve numbers is about normal.
        let normal = |random: &mut Random| (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
        let all: Vec<Counts> = (0..2 * runs)
            .map(|_| {
                let share = 0.7 + deviation * normal(&mut random);
                let row = |_| {
                    let found = happen(&mut random, MENTIONS, share);
                    [f64::from(found), 0.0, f64::from(MENTIONS - found)]
                };
                Counts::new(3, (0..60).flat_map(row).collect())
            })
            .collect();
        let counts = Counts::beside(&all.iter().collect::<Vec<_>>());
        let system = |first: usize| Runs {
            key: 77 + first as u64,
            columns: (first..first + runs).map(|run| run * 3..run * 3 + 3).collect(),
        };
        let recall = |sums: &[f64]| Some(sums[0] / (sums[0] + sums[2]));
        let bootstrap = Bootstrap { trials: 400, seed: simulation, ..Bootstrap::default() };
        let both = [system(0), system(runs)];
        let contest = Contest::new(&bootstrap, &counts, &Sampling::Documents, &both, &recall);
        let covers = contest.interval(0).is_some_and(|found| found.low <= 0.7 && 0.7 <= found.high);
        covered += f64::from(u8::from(covers));
        let drawn = contest.difference(0, 1).and_then(|found| found.drawn);
        rejected += f64::from(u8::from(drawn.is_none_or(|drawn| drawn.two_sided <= 0.05)));
    }
    (covered / simulations as f64, rejected / simulations as f64)
}

#[test]
fn intervals_of_several_runs_cover_93_to_97_percent_and_tests_are_not_too_bold() {
    // Between two means with few degrees of freedom the test is cautious (Behrens and Fisher), as any
    // that holds its level must be: about 1% at 5% with two or three runs, 5% with ten.
    for runs in [2, 3, 5, 10] {
        for deviation in [0.0, 0.02, 0.06] {
            let (covered, rejected) = several_runs(runs, deviation, 800);
            // Two standard errors of 800 simulations are 0.0154 around 0.95.
            assert!((0.93..=0.97).contains(&covered), "{runs} {deviation}: {covered}");
            assert!(rejected <= 0.06, "{runs} {deviation}: {rejected}");
        }
    }
}
