//! The file: built in little memory, opened from a map, and damaged.

use crate::base::fill;
use karat_kb::{Builder, Facts, KbError, KnowledgeBase};
use std::path::Path;

/// Facts that do not depend on how they were sorted.
fn big(builder: &mut Builder) {
    for number in 0..20_000u64 {
        // In no order that a sorter could be glad of.
        let number = number * 7_919 % 20_000;
        let (id, name) = (format!("Q{number}"), format!("name {}", number / 2));
        let facts = Facts { name: Some(&name), popularity: Some(number), ..Facts::default() };
        builder.entity(&id, &facts).unwrap();
        builder.mention(&name, &id, Some(number)).unwrap();
        builder.redirect(&format!("Old_{number}"), &format!("New_{number}")).unwrap();
        builder.same(&format!("New_{number}"), &id).unwrap();
    }
}

fn in_file(path: &Path, memory: usize) -> KnowledgeBase {
    let mut builder = Builder::bounded(path, memory).unwrap();
    big(&mut builder);
    builder.finish().unwrap()
}

#[test]
fn memory_changes_nothing_but_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.kb");
    let mut builder = Builder::in_memory();
    big(&mut builder);
    let base = builder.finish().unwrap();
    for memory in [1 << 30, 1 << 20, 100 << 10] {
        let other = in_file(&path, memory);
        assert_eq!(other.fingerprint(), base.fingerprint(), "{memory} bytes");
        assert_eq!(other.sizes(), base.sizes());
        other.verify().unwrap();
    }
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["base.kb"], "nothing temporary is left");
    for number in (0..20_000).step_by(37) {
        assert_eq!(base.resolve(&format!("Old_{number}")), format!("Q{number}"));
        let entity = base.entity(&format!("New_{number}")).unwrap();
        assert_eq!(entity.popularity(), Some(number));
        let candidates = base.candidates(entity.name().unwrap()).known().unwrap();
        assert_eq!(candidates.iter().next().unwrap().id, format!("Q{}", number | 1));
    }
    for number in 20_000..21_000 {
        assert!(base.entity(&format!("Q{number}")).is_none());
    }
    assert_eq!(base.entities().count(), 20_000);
    base.check().unwrap();
}

#[test]
fn a_base_that_is_not_completed_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.kb");
    let old = in_file(&path, 1 << 20);
    let mut builder = Builder::beside(&path).unwrap();
    fill(&mut builder).unwrap();
    drop(builder);
    assert_eq!(KnowledgeBase::open(&path).unwrap().fingerprint(), old.fingerprint());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let mut builder = Builder::beside(&path).unwrap();
    fill(&mut builder).unwrap();
    assert_ne!(builder.finish().unwrap().fingerprint(), old.fingerprint());
    assert!(old.entity("Q7").is_some(), "what was mapped stays");
}

/// The bytes of a small base.
fn bytes() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.kb");
    let mut builder = Builder::beside(&path).unwrap();
    fill(&mut builder).unwrap();
    builder.finish().unwrap();
    std::fs::read(path).unwrap()
}

/// Asks everything that can be asked.
fn ask(base: &KnowledgeBase) -> Result<(), KbError> {
    for id in ["Q64", "Berlin", "A", "C", "Q1", "/m/0156q", "nothing"] {
        let _ = base.resolve(id);
        let _ = base.explain(id);
        if let Some(entity) = base.entity(id) {
            let _ = (
                entity.types().map(Iterator::count),
                entity.aliases().count(),
                base.is_place(&entity),
            );
        }
    }
    for text in ["Berlin", "one", "none", "nothing"] {
        let candidates = base.candidates(text).known().unwrap_or_default();
        let _ = (candidates.most_popular(), candidates.total(), candidates.len());
        let _ = base.is_demonym(text);
    }
    let _ = (base.words("kore50", "1"), base.type_name("Q515"), base.whitelist().count());
    let _ = (base.entities().count(), base.mentions().count(), base.sources().count());
    base.check()
}

#[test]
fn a_sound_base_is_sound() {
    let base = KnowledgeBase::from_bytes("base", bytes()).unwrap();
    ask(&base).unwrap();
    base.verify().unwrap();
}

#[test]
fn every_cut_is_noticed() {
    let bytes = bytes();
    for length in 0..bytes.len() {
        let cut = KnowledgeBase::from_bytes("cut", bytes[..length].to_vec());
        assert!(cut.is_err(), "{length} of {}", bytes.len());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(KnowledgeBase::from_bytes("longer", longer).is_err());
}

#[test]
fn every_changed_byte_is_noticed() {
    let bytes = bytes();
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            let Ok(base) = KnowledgeBase::from_bytes("changed", changed) else { continue };
            let asked = ask(&base);
            assert!(base.verify().is_err(), "byte {at}");
            assert!(asked.is_err(), "byte {at} was read unnoticed");
        }
    }
}

/// The header has 4096 bytes; behind its content there is nothing.
const HEADER: usize = 4096;
const HEADER_CONTENT: usize = 8 + 4 + 7 * 5 * 8 + 8 + 4 + 4;

/// A base whose checksums fit, whatever its bytes are.
fn mended(mut content: Vec<u8>) -> Vec<u8> {
    let blocks: Vec<u8> = content[HEADER..]
        .chunks(16 << 10)
        .flat_map(|block| crc32fast::hash(block).to_le_bytes())
        .collect();
    let root = HEADER_CONTENT - 8;
    content[root..root + 4].copy_from_slice(&crc32fast::hash(&blocks).to_le_bytes());
    let check = crc32fast::hash(&content[..root + 4]);
    content[root + 4..root + 8].copy_from_slice(&check.to_le_bytes());
    content.extend(blocks);
    content
}

#[test]
fn whoever_makes_the_checksums_fit_does_no_harm() {
    let bytes = bytes();
    let blocks = (bytes.len() - HEADER).div_ceil(16 << 10) * 4;
    let content = &bytes[..bytes.len() - blocks];
    assert_eq!(mended(content.to_vec()), bytes, "the test knows the layout");
    let mut opened = 0;
    for at in (8..HEADER_CONTENT - 16).chain(HEADER..content.len()) {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = content.to_vec();
            changed[at] = value;
            let Ok(base) = KnowledgeBase::from_bytes("changed", mended(changed)) else { continue };
            let _ = ask(&base);
            opened += 1;
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn files_that_are_no_bases_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.kb");
    assert!(matches!(KnowledgeBase::open(&path), Err(KbError::Unreadable { .. })));
    assert!(matches!(KnowledgeBase::open(folder.path()), Err(KbError::Unreadable { .. })));
    for content in [&b""[..], b"KARAT", b"id\tname\n", &[0; 5000]] {
        std::fs::write(&path, content).unwrap();
        assert!(matches!(KnowledgeBase::open(&path), Err(KbError::Foreign { .. })));
    }
    let mut other = bytes();
    other[8] = 99;
    let error = KnowledgeBase::from_bytes("x", other).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x: the knowledge base has layout 99, and this karat reads layout 1"
    );
    assert!(Builder::beside(folder.path()).is_err());
    assert!(Builder::beside(&folder.path().join("no/such/folder.kb")).is_err());
}
