//! Derived tags against the hand tags of the categorised datasets.

use crate::{data, shared_data};
use karat::formats::{Output, ReadOptions};
use karat::model::{Change, Corpus, Dimension, DimensionCategory, Edit, Vocabulary};
use karat::tagger::{Accuracy, Aspect, Tagger};

fn gold(name: &str) -> Option<Corpus> {
    let folder = data::folder("finegrained")?;
    Some(shared_data::read(&folder.join(format!("gold/categorized{name}.ttl"))).corpus)
}

/// Compared, derived and agreeing annotations of each dimension.
fn counts(corpus: &Corpus) -> Vec<[usize; 3]> {
    let aspects = Dimension::ALL.map(Aspect::Category);
    let accuracy = Accuracy::of(corpus, &Tagger::new(), &aspects);
    let counts = accuracy.dimensions.iter();
    counts.map(|found| [found.compared(), found.derived(), found.agreed()]).collect()
}

/// Counted once more by a script (Python 3, `re`) that took the tags off the files, tagged all
/// three as one corpus with the command, and compared `itsrdf:taClassRef` of both line by line.
#[test]
fn the_accuracy_on_all_three_as_one() {
    let Some(folder) = data::folder("finegrained") else { return };
    let all = shared_data::read(&folder.join("gold")).corpus;
    let expected = [[4827, 4784, 4572], [4830, 283, 280], [4830, 4830, 4823], [4830, 589, 589]];
    assert_eq!(counts(&all), expected);
}

/// Fewer agree than in one corpus of all three, as each alone has fewer words to compare with.
#[test]
fn the_accuracy_on_the_three_datasets() {
    for (name, expected) in [
        ("KORE50", [[372, 363, 345], [372, 34, 33], [372, 372, 372], [372, 54, 54]]),
        ("VoxEL", [[1107, 1096, 1048], [1107, 76, 76], [1107, 1107, 1100], [1107, 153, 153]]),
        ("ACE04", [[3348, 3325, 3165], [3351, 173, 171], [3351, 3351, 3351], [3351, 382, 382]]),
    ] {
        let Some(corpus) = gold(name) else { return };
        assert_eq!(counts(&corpus), expected, "{name}");
    }
}

/// Tags that agree are the tags that tagging gives.
#[test]
fn a_corpus_without_tags_gets_those_that_the_accuracy_counts() {
    let Some(corpus) = gold("VoxEL") else { return };
    let bare = corpus.edit(|_| Edit::Change(Change::tags([] as [String; 0])));
    let tagged = Tagger::new().tag(&bare, &Aspect::ALL);
    let agreed = |dimension: Dimension| {
        let pairs = corpus.documents().zip(tagged.corpus.documents());
        let pairs = pairs.flat_map(|(gold, tagged)| gold.mentions().zip(tagged.mentions()));
        let of = |tag: &str| DimensionCategory::of(tag).filter(|c| c.dimension() == dimension);
        pairs
            .filter(|(gold, tagged)| {
                let found = tagged.tags().find_map(of);
                found.is_some() && found == gold.tags().find_map(of)
            })
            .count()
    };
    let expected: Vec<usize> = counts(&corpus).iter().map(|counts| counts[2]).collect();
    assert_eq!(Dimension::ALL.map(agreed), expected[..]);
}

#[test]
fn tags_of_persons_survive_the_tagger() {
    for name in ["KORE50", "VoxEL", "ACE04"] {
        let Some(corpus) = gold(name) else { return };
        let tagged = Tagger::new().tag(&corpus, &Aspect::ALL).corpus;
        assert_eq!(tagged.difference(&corpus), None, "{name}");
    }
}

#[test]
fn every_vocabulary_is_read_back_as_it_was() {
    let Some(corpus) = gold("VoxEL") else { return };
    let registry = karat::registry();
    for vocabulary in Vocabulary::ALL {
        for name in ["nif", "nif-categorised"] {
            let format = registry.named(name).unwrap();
            let mut output =
                Output::memory(format.info().writes.unwrap()).with_vocabulary(Some(vocabulary));
            registry.write(&corpus, format, &mut output).unwrap();
            let input = output.into_sources().into_iter().collect();
            let read = registry.read(&input, None, &ReadOptions::default()).unwrap();
            assert_eq!(read.formats, [name]);
            let (expected, _) = corpus.restrict(&format.info().keeps);
            assert_eq!(read.corpus.difference(&expected), None, "{name} {vocabulary:?}");
        }
    }
}
