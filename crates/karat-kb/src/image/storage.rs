//! Bytes of an image: a mapped file or memory.

use std::fs::File;
use std::io;
use std::ops::Deref;

/// The bytes of a knowledge base.
#[derive(Debug)]
pub(crate) enum Bytes {
    Mapped(memmap2::Mmap),
    Memory(Vec<u8>),
}

impl Bytes {
    /// A file, without reading it.
    pub(crate) fn map(file: &File) -> io::Result<Bytes> {
        map(file).map(Bytes::Mapped)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Memory(bytes) => bytes,
        }
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<memmap2::Mmap> {
    // SAFETY: a mapping is unsound only while another process changes the file. Knowledge
    // bases are never changed in place: `ImageWriter` writes under another name and renames,
    // and what was mapped stays as it was. Everything read is checked against its bounds.
    unsafe { memmap2::Mmap::map(file) }
}
