//! Files by content: uploads as they were sent, corpora, counts and cases.
//!
//! A file is named by the SHA-256 of its bytes and written once. Whoever brings the same bytes
//! again gets the same name, and nothing is stored twice. The bytes lie in pieces of 1 MiB, so that
//! a large upload is written while it arrives and a range is read without the rest.

use crate::frames::{FramedFile, PartPlace};
use crate::ids::{hex, new_id, sha256};
use crate::sql::{Access, Arg, Bulk, Columns, Stored, args};
use crate::store::lock;
use crate::{Result, Store, StoreError};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::sync::LazyLock;

/// The length of every piece of a file but the last.
pub const PIECE: usize = 1 << 20;

/// What is known about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRow {
    /// The SHA-256 of its bytes.
    pub digest: String,
    /// How many bytes it has.
    pub length: i64,
    /// How many pieces it has.
    pub pieces: i64,
    /// When it was last brought.
    pub made: i64,
}

impl Stored for FileRow {
    fn read(columns: &mut Columns) -> Result<FileRow> {
        Ok(FileRow {
            digest: columns.take()?,
            length: columns.take()?,
            pieces: columns.take()?,
            made: columns.take()?,
        })
    }
}

/// Writes a file while it arrives.
///
/// What was written is no file yet. It becomes one when the [`StagedFile`] is handed to a method
/// that keeps it; what nobody keeps is swept away after a day.
#[derive(Debug)]
pub struct FileWriter {
    store: Store,
    id: String,
    hasher: Sha256,
    buffer: Vec<u8>,
    length: i64,
    pieces: i64,
}

/// A file that has arrived whole and is not kept yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedFile {
    id: String,
    digest: String,
    length: i64,
    pieces: i64,
}

impl FileWriter {
    /// Adds bytes; every full piece is written at once.
    pub async fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        self.hasher.update(bytes);
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() == PIECE {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// How many bytes have arrived.
    pub fn length(&self) -> i64 {
        self.length + self.buffer.len() as i64
    }

    /// Everything has arrived.
    pub async fn finish(mut self) -> Result<StagedFile> {
        if !self.buffer.is_empty() {
            self.flush().await?;
        }
        let digest = hex(&self.hasher.finalize());
        Ok(StagedFile { id: self.id, digest, length: self.length, pieces: self.pieces })
    }

    /// Gives up: what has arrived makes room at once, and not only when it is swept.
    pub async fn discard(self) -> Result<()> {
        discard(&self.store, &self.id).await
    }

    async fn flush(&mut self) -> Result<()> {
        let mut act = self.store.write().await?;
        insert_piece(&mut act, &self.id, self.pieces, &self.buffer).await?;
        act.commit().await?;
        self.length += self.buffer.len() as i64;
        self.pieces += 1;
        self.buffer.clear();
        Ok(())
    }
}

impl StagedFile {
    /// The SHA-256 of its bytes.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// How many bytes it has.
    pub fn length(&self) -> i64 {
        self.length
    }
}

impl Store {
    /// Begins a file.
    pub async fn new_file(&self) -> Result<FileWriter> {
        let id = new_id()?;
        let mut act = self.write().await?;
        insert_file(&mut act, &id, None, (0, 0), self.now()).await?;
        act.commit().await?;
        let (hasher, buffer) = (Sha256::new(), Vec::new());
        Ok(FileWriter { store: self.clone(), id, hasher, buffer, length: 0, pieces: 0 })
    }

    /// Gives up a file that has arrived and that nothing refers to.
    pub async fn discard_file(&self, file: &StagedFile) -> Result<()> {
        discard(self, &file.id).await
    }

    /// Keeps a file and gives its digest.
    pub async fn keep_file(&self, bytes: &[u8]) -> Result<String> {
        let mut act = self.write().await?;
        let digest = put(&mut act, bytes, self.now()).await?;
        act.commit().await?;
        Ok(digest)
    }

    /// What is known about a file.
    pub async fn file(&self, digest: &str) -> Result<FileRow> {
        let sql = "SELECT digest, length, pieces, made FROM file WHERE digest = $1";
        let file = self.read().await?.one(sql, args![digest]).await?;
        file.ok_or_else(|| StoreError::not_found("file", digest))
    }

    /// Piece `n` of a file, for those who send it on.
    pub async fn file_piece(&self, digest: &str, n: i64) -> Result<Vec<u8>> {
        let sql = "SELECT p.bytes FROM piece p JOIN file f ON f.id = p.file \
                   WHERE f.digest = $1 AND p.n = $2";
        let piece = self.read().await?.one::<(Vec<u8>,)>(sql, args![digest, n]).await?;
        piece.map(|(bytes,)| bytes).ok_or_else(|| StoreError::not_found("file", digest))
    }

    /// A whole file, checked against its digest.
    pub async fn file_bytes(&self, digest: &str) -> Result<Vec<u8>> {
        let file = self.file(digest).await?;
        let mut bytes = Vec::new();
        for n in 0..file.pieces {
            bytes.extend(self.file_piece(digest, n).await?);
        }
        if sha256(&bytes) == digest {
            Ok(bytes)
        } else {
            Err(StoreError::Malformed("the bytes of a file do not have its digest"))
        }
    }

    /// Part `n` of a file that was written in frames.
    pub async fn file_part(&self, digest: &str, n: i64) -> Result<Vec<u8>> {
        let mut access = self.read().await?;
        let sql = "SELECT frame, frame_length, skip, length FROM part WHERE file = $1 AND n = $2";
        let place = access.one::<(i64, i64, i64, i64)>(sql, args![digest, n]).await?;
        let (frame, frame_length, skip, length) =
            place.ok_or_else(|| StoreError::not_found("part", &format!("{digest}/{n}")))?;
        let bytes = range(&mut access, digest, frame, frame_length).await?;
        drop(access);
        PartPlace { frame, frame_length, skip, length }.open(&bytes)
    }
}

/// Removes a file that has no digest yet: nothing can refer to it.
async fn discard(store: &Store, id: &str) -> Result<()> {
    let mut act = store.write().await?;
    act.run("DELETE FROM file WHERE id = $1 AND digest IS NULL", args![id]).await?;
    act.commit().await
}

/// Bytes of a file, cut by the database from the pieces that hold them.
async fn range(access: &mut Access, digest: &str, from: i64, length: i64) -> Result<Vec<u8>> {
    let sql = "SELECT substr(p.bytes, CAST($3 AS INTEGER), CAST($4 AS INTEGER)) \
               FROM piece p JOIN file f ON f.id = p.file WHERE f.digest = $1 AND p.n = $2";
    let (piece, end) = (PIECE as i64, from + length);
    let mut bytes = Vec::new();
    let mut at = from;
    while at < end {
        let (n, start) = (at / piece, at % piece);
        let wanted = (end - at).min(piece - start);
        let cut: Option<(Vec<u8>,)> = access.one(sql, args![digest, n, start + 1, wanted]).await?;
        let cut = cut.map(|(bytes,)| bytes).unwrap_or_default();
        if cut.len() as i64 != wanted {
            return Err(StoreError::Malformed("a file is too short"));
        }
        bytes.extend(cut);
        at += wanted;
    }
    Ok(bytes)
}

/// Keeps bytes within a transaction.
pub(crate) async fn put(act: &mut Access, bytes: &[u8], now: i64) -> Result<String> {
    let digest = sha256(bytes);
    lock(act, "files").await?;
    if !known(act, &digest, now).await? {
        let id = new_id()?;
        let pieces = bytes.chunks(PIECE);
        let size = (bytes.len() as i64, pieces.len() as i64);
        insert_file(act, &id, Some(&digest), size, now).await?;
        for (n, piece) in pieces.enumerate() {
            insert_piece(act, &id, n as i64, piece).await?;
        }
    }
    Ok(digest)
}

/// The same bytes can have been kept without their parts.
static PARTS: LazyLock<Bulk> = LazyLock::new(|| {
    let head = "INSERT INTO part (file, n, frame, frame_length, skip, length)";
    Bulk::new(head, 6, "ON CONFLICT (file, n) DO NOTHING")
});

/// Keeps a file in frames, with the places of its parts.
pub(crate) async fn put_framed(act: &mut Access, file: &FramedFile, now: i64) -> Result<String> {
    let digest = put(act, &file.bytes, now).await?;
    let mut values: Vec<Arg<'_>> = Vec::with_capacity(6 * file.parts.len());
    for (n, place) in file.parts.iter().enumerate() {
        let PartPlace { frame, frame_length, skip, length } = *place;
        values.extend(args![&digest, n as i64, frame, frame_length, skip, length]);
    }
    act.insert(&PARTS, &values).await?;
    Ok(digest)
}

/// Keeps a file that arrived before.
pub(crate) async fn adopt(act: &mut Access, file: &StagedFile, now: i64) -> Result<()> {
    lock(act, "files").await?;
    if known(act, &file.digest, now).await? {
        act.run("DELETE FROM file WHERE id = $1 AND digest IS NULL", args![&file.id]).await?;
        return Ok(());
    }
    let sql = "UPDATE file SET digest = $2, length = $3, pieces = $4, made = $5 \
               WHERE id = $1 AND digest IS NULL";
    let done = act.run(sql, args![&file.id, &file.digest, file.length, file.pieces, now]).await?;
    if done == 1 { Ok(()) } else { Err(StoreError::not_found("upload", &file.digest)) }
}

/// Whether the bytes are there; then they count as new, and no sweep takes them now.
async fn known(act: &mut Access, digest: &str, now: i64) -> Result<bool> {
    let sql = "UPDATE file SET made = $2 WHERE digest = $1";
    Ok(act.run(sql, args![digest, now]).await? == 1)
}

async fn insert_file(
    act: &mut Access,
    id: &str,
    digest: Option<&str>,
    (length, pieces): (i64, i64),
    now: i64,
) -> Result<()> {
    let sql = "INSERT INTO file (id, digest, length, pieces, made) VALUES ($1, $2, $3, $4, $5)";
    act.run(sql, args![id, digest, length, pieces, now]).await?;
    Ok(())
}

async fn insert_piece(act: &mut Access, file: &str, n: i64, bytes: &[u8]) -> Result<()> {
    let sql = "INSERT INTO piece (file, n, bytes) VALUES ($1, $2, $3)";
    act.run(sql, args![file, n, bytes]).await?;
    Ok(())
}
