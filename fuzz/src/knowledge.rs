//! Targets of the knowledge base.

use karat::formats::Source;
use karat::harvest::{KbSources, Options};
use karat::kb::{Builder, KnowledgeBase};

/// Opens bytes as a knowledge base and asks it, as they are and with checksums that fit.
pub fn open(data: &[u8]) {
    for bytes in [data.to_vec(), mended(data)] {
        if let Ok(base) = KnowledgeBase::from_bytes("fuzz", bytes) {
            ask(&base);
        }
    }
}

/// Reads bytes with each source, and asks the base that comes out.
pub fn harvest(data: &[u8]) {
    let sources = KbSources::default();
    let source = Source::memory("fuzz", data);
    let _ = sources.recognise(&source);
    for kind in sources.iter() {
        let mut builder = Builder::in_memory();
        if kind.read(&source, &mut builder, &Options::default()).is_ok()
            && let Ok(base) = builder.finish()
        {
            ask(&base);
            base.verify().expect("what was written is sound");
        }
    }
}

/// What an id leads to leads to itself, with a base and without.
pub fn spelling(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut ids = text.split('\n');
    let (Some(asked), Some(from), Some(to)) = (ids.next(), ids.next(), ids.next()) else { return };
    let mut builder = Builder::in_memory();
    builder.redirect(from, to).expect("memory takes everything");
    builder.same(to, ids.next().unwrap_or("Q64")).expect("memory takes everything");
    let base = builder.finish().expect("memory takes everything");
    let once = base.resolve(asked).into_owned();
    assert_eq!(base.resolve(&once), once, "of `{asked}`");
}

fn ask(base: &KnowledgeBase) {
    for entity in base.entities().take(50) {
        let _ = (entity.types().map(Iterator::count), entity.aliases().count());
        let _ = (base.resolve(entity.id()), base.explain(entity.id()), base.is_place(&entity));
    }
    for (text, candidates) in base.mentions().take(50) {
        let _ = (candidates.most_popular(), candidates.total(), base.candidates(text));
    }
    let _ = (base.whitelist().count(), base.sources().count(), base.type_name("Q1"));
    let _ = (base.is_demonym("a"), base.words("a", "b"), base.entity("Q64"), base.check());
}

/// The bytes with a header and checksums that fit them, so that look-ups get past the checks.
fn mended(data: &[u8]) -> Vec<u8> {
    const HEADER: usize = 4096;
    const CONTENT: usize = 8 + 4 + 7 * 5 * 8 + 8;
    let mut bytes = data.to_vec();
    if bytes.len() < CONTENT {
        return bytes;
    }
    bytes.resize(bytes.len().max(HEADER), 0);
    let blocks: Vec<u8> =
        bytes[HEADER..].chunks(16 << 10).flat_map(|block| crc(block).to_le_bytes()).collect();
    bytes[..8].copy_from_slice(b"KARAT KB");
    bytes[8..12].copy_from_slice(&1u32.to_le_bytes());
    let end = bytes.len() as u64;
    bytes[CONTENT - 8..CONTENT].copy_from_slice(&end.to_le_bytes());
    bytes[CONTENT..CONTENT + 4].copy_from_slice(&crc(&blocks).to_le_bytes());
    let check = crc(&bytes[..CONTENT + 4]);
    bytes[CONTENT + 4..CONTENT + 8].copy_from_slice(&check.to_le_bytes());
    bytes.extend(blocks);
    bytes
}

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}
