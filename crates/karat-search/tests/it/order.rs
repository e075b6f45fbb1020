//! A search that stops early finds what one that looks at everything finds.

use karat_kb::{Builder, Facts, KnowledgeBase};
use karat_search::SearchIndex;

/// Names of one to four words with weights of all sizes, many of them equal; some that nobody knows.
/// The same on every run.
fn names(words: &[&str]) -> Vec<(String, u64)> {
    let mut state = 7_u64;
    let mut below = |limit: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut names: Vec<(String, u64)> = Vec::new();
    for _ in 0..4_000 {
        let length = 1 + below(4);
        let chosen = (0..length).map(|_| words[below(words.len() as u64) as usize]);
        let name = chosen.collect::<Vec<_>>().join(" ");
        let size = below(9);
        let weight = if below(3) == 0 { 0 } else { below(1 << size) };
        names.push((name, weight));
    }
    names.sort();
    names.dedup_by(|one, other| one.0 == other.0);
    names
}

/// A base in which each name means one entity, whose id is the place of the name.
fn base(names: &[(String, u64)]) -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    for (at, (name, weight)) in names.iter().enumerate() {
        let id = format!("Q{at}");
        let facts = Facts { name: Some(name), popularity: Some(*weight), ..Facts::default() };
        builder.entity(&id, &facts).unwrap();
        builder.mention(name, &id, None).unwrap();
    }
    builder.finish().unwrap()
}

fn search(names: &[(String, u64)], check: impl Fn(&dyn Fn(&str, usize) -> Vec<String>)) {
    let folder = tempfile::tempdir().unwrap();
    let base = base(names);
    let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
    check(&|text, limit| {
        let hits = index.search(&base, text, limit).unwrap();
        hits.into_iter().map(|hit| hit.id).collect()
    });
}

const SHORT: [&str; 16] = [
    "b", "ba", "bab", "be", "bel", "bo", "a", "an", "ant", "at", "c", "ca", "cat", "e", "eb",
    "柏林",
];
const LONG: &str = "b ber berlin berlins berlni bern berne barn wall walls a friedrichshain freidrichshain \
    friedrich";

/// The rule as it is documented, for words that are too short to be misspelled.
fn points(name: &str, weight: u64, asked: &[&str]) -> Option<f64> {
    let words: Vec<&str> = name.split(' ').collect();
    let last = asked.len() - 1;
    let mut points = if words == asked { 6.0 } else { 0.0 };
    for (at, word) in asked.iter().enumerate() {
        points += if words.contains(word) {
            6.0
        } else if at == last && words.iter().any(|it| it.starts_with(word)) {
            4.0
        } else {
            return None;
        };
    }
    let surplus = words.len().saturating_sub(asked.len());
    Some(points + (weight as f64 + 1.0).ln() - surplus as f64)
}

#[test]
fn the_best_come_first_by_the_rule() {
    let names = names(&SHORT);
    let asked: Vec<Vec<&str>> = ["b", "ba", "bab", "be", "a", "an", "c", "e", "柏", "柏林", "x"]
        .into_iter()
        .flat_map(|last| [vec![last], vec!["b", last], vec!["cat", "b", last], vec![last, last]])
        .collect();
    search(&names, |search| {
        for asked in &asked {
            let fitting = names.iter().enumerate().filter_map(|(at, (name, weight))| {
                points(name, *weight, asked).map(|points| (points, format!("Q{at}")))
            });
            let mut fitting: Vec<(f64, String)> = fitting.collect();
            // Names are in their order, and those that fit equally well stay so.
            fitting.sort_by(|one, other| other.0.total_cmp(&one.0));
            let ids: Vec<String> = fitting.into_iter().map(|(_, id)| id).collect();
            let text = asked.join(" ");
            for limit in [1, 3, 10, 40, usize::MAX] {
                assert_eq!(search(&text, limit), ids[..limit.min(ids.len())], "{text} {limit}");
            }
        }
    });
}

#[test]
fn a_short_list_is_the_beginning_of_the_long_one() {
    let words: Vec<&str> = LONG.split(' ').collect();
    search(&names(&words), |search| {
        let mut asked: Vec<String> = Vec::new();
        for word in &words {
            for letters in 1..=word.len() {
                let begun = &word[..letters];
                let firsts = ["", "b ", "wlal ", "berlin walls "];
                asked.extend(firsts.map(|first| format!("{first}{begun}")));
            }
        }
        for text in asked {
            let all = search(&text, usize::MAX);
            for limit in [1, 2, 7, 30] {
                assert_eq!(search(&text, limit), all[..limit.min(all.len())], "{text} {limit}");
            }
        }
    });
}
