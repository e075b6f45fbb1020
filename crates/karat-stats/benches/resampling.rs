//! How long it takes to exchange and to draw documents, beside a plain loop over the same rows.
//!
//! ```text
//! cargo bench -p karat-stats
//! ```
//!
//! Nanoseconds of processor time per document and trial, one thread and two, the best of three. The plain
//! loop is what one would write first: a random bit or index per document, and the sum of its row.
#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use karat_stats::{Counts, Random, Randomisation, Sampling};
use std::hint::black_box;
use std::time::Instant;

const TRIALS: usize = 10_000;

fn main() {
    println!("documents  what      plain  karat, 1 thread  2 threads   ns per document and trial");
    for documents in [231, 1_000, 10_000, 100_000] {
        let (first, second) = (counts(documents, 1), counts(documents, 2));
        let both = Counts::beside(&[&first, &second]);
        // A plain loop over many documents takes minutes: fewer trials say the same.
        let few = (TRIALS * 1000 / documents).clamp(20, TRIALS);
        let plain = time(documents, few, || plain_exchange(&first, &second, few));
        let exchange = Randomisation { trials: TRIALS, seed: 1 };
        let fast = || {
            black_box(exchange.test(&first, &second, &f1));
        };
        show(documents, "exchange", plain, documents, fast);
        let plain = time(documents, few, || plain_draws(&both, few));
        let fast = || {
            black_box(Sampling::Documents.trial_sums(&both, TRIALS, 1));
        };
        show(documents, "draw", plain, documents, fast);
    }
}

fn show(documents: usize, what: &str, plain: f64, size: usize, fast: impl Fn() + Sync) {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| time(size, TRIALS, &fast))
    };
    let (one, two) = (on(1), on(2));
    println!(
        "{documents:>9}  {what:<8} {plain:>6.2}  {one:>6.3} ({:>5.1} x)  {two:>6.3} ({:.2} x)",
        plain / one,
        one / two
    );
}

/// Nanoseconds per document and trial, the best of three.
fn time(documents: usize, trials: usize, work: impl Fn()) -> f64 {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos() as f64
    };
    let best = (0..3).map(|_| once()).fold(f64::INFINITY, f64::min);
    best / (documents * trials) as f64
}

/// Documents of about twenty mentions.
fn counts(documents: usize, seed: u64) -> Counts {
    let mut random = Random::new(seed, 0);
    let row = |_| {
        let gold = 10 + random.below(20);
        let found = random.below(gold + 1);
        [found, random.below(8), gold - found].map(|count| count as f64)
    };
    Counts::new(3, (0..documents).flat_map(row).collect())
}

fn f1(sums: &[f64]) -> Option<f64> {
    let &[tp, fp, fn_] = sums else { return None };
    Some(2.0 * tp / (2.0 * tp + fp + fn_))
}

fn plain_exchange(first: &Counts, second: &Counts, trials: usize) {
    for trial in 0..trials {
        let mut random = Random::new(1, trial as u64);
        let (mut one, mut two) = ([0.0; 3], [0.0; 3]);
        for (first, second) in first.rows().zip(second.rows()) {
            let (first, second) =
                if random.next() & 1 == 1 { (second, first) } else { (first, second) };
            for at in 0..3 {
                one[at] += first[at];
                two[at] += second[at];
            }
        }
        black_box((f1(&one), f1(&two)));
    }
}

fn plain_draws(counts: &Counts, trials: usize) {
    let rows: Vec<&[f64]> = counts.rows().collect();
    for trial in 0..trials {
        let mut random = Random::new(1, trial as u64);
        let mut sums = vec![0.0; counts.width()];
        for _ in 0..rows.len() {
            for (sum, count) in sums.iter_mut().zip(rows[random.below(rows.len())]) {
                *sum += count;
            }
        }
        black_box(sums);
    }
}
