//! An upload on its way: counted while it arrives, and put into the store when it is whole.

use super::archive::ZipWriter;
use flate2::Crc;
use karat_store::{FileWriter, StagedFile, Store, StoreError};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

/// The most bytes that may be sent at once: 256 MB.
pub(crate) const MOST_SENT: u64 = 256_000_000;

/// Why an upload is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpoolError {
    #[error("more than 256 MB were sent")]
    TooLarge,
    #[error("the upload cannot be written to a temporary file: {0}")]
    Disk(#[from] std::io::Error),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Files that arrive one after another, in a temporary file that has no name.
#[derive(Debug)]
pub(crate) struct Spool {
    file: File,
    length: u64,
    parts: Vec<SpooledFile>,
}

#[derive(Debug)]
struct SpooledFile {
    name: String,
    length: u64,
    crc: Crc,
}

impl Spool {
    /// An empty one.
    pub(crate) fn new() -> Result<Spool, SpoolError> {
        Ok(Spool { file: tempfile::tempfile()?, length: 0, parts: Vec::new() })
    }

    /// Begins a file. Its name is only a label.
    pub(crate) fn begin(&mut self, name: &str) {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = if name.is_empty() { "file" } else { name };
        let name: String = name.chars().take(200).collect();
        self.parts.push(SpooledFile { name, length: 0, crc: Crc::new() });
    }

    /// Adds bytes to the file that was begun last.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), SpoolError> {
        self.length += bytes.len() as u64;
        if self.length > MOST_SENT {
            return Err(SpoolError::TooLarge);
        }
        self.file.write_all(bytes)?;
        if let Some(part) = self.parts.last_mut() {
            part.length += bytes.len() as u64;
            part.crc.update(bytes);
        }
        Ok(())
    }

    /// Forgets files without content: a form sends one where nothing was chosen.
    pub(crate) fn drop_empty(&mut self) {
        self.parts.retain(|part| part.length > 0);
    }

    /// The names of the files.
    pub(crate) fn names(&self) -> Vec<String> {
        self.parts.iter().map(|part| part.name.clone()).collect()
    }

    /// Puts everything into the store: one file as it was sent, several as a zip of all.
    /// What does not fit makes room again at once.
    pub(crate) async fn stage(mut self, store: &Store) -> Result<StagedFile, SpoolError> {
        let mut writer = store.new_file().await?;
        match self.write_to(&mut writer).await {
            Ok(()) => Ok(writer.finish().await?),
            Err(error) => {
                // If this fails as well, the sweep takes it in a day.
                let _ = writer.discard().await;
                Err(error)
            }
        }
    }

    async fn write_to(&mut self, writer: &mut FileWriter) -> Result<(), SpoolError> {
        self.file.seek(SeekFrom::Start(0))?;
        let several = self.parts.len() > 1;
        let mut zip = ZipWriter::default();
        let mut buffer = vec![0; 1 << 20];
        for part in &self.parts {
            if several {
                let length = u32::try_from(part.length).map_err(|_| SpoolError::TooLarge)?;
                writer.push(&zip.head(&part.name, length, part.crc.sum())).await?;
            }
            let mut left = part.length;
            while left > 0 {
                let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
                let got = self.file.read(&mut buffer[..most])?;
                if got == 0 {
                    let cut = std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
                    return Err(cut.into());
                }
                writer.push(&buffer[..got]).await?;
                left -= got as u64;
            }
        }
        if several {
            writer.push(&zip.end()).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::archive::{is_zip, unzip};
    use karat::formats::UnpackBudget;
    use karat_store::{StoreAddress, Submission};

    #[tokio::test]
    async fn one_file_stays_as_it_is_and_several_become_a_zip()
    -> Result<(), Box<dyn std::error::Error>> {
        let store = Store::open(&StoreAddress::Memory).await?;
        for (files, zipped) in
            [(vec![("a.tsv", "x")], false), (vec![("../../a.txt", "x"), ("b", "yy")], true)]
        {
            let mut spool = Spool::new()?;
            spool.begin("nothing chosen");
            for (name, content) in &files {
                spool.begin(name);
                spool.push(content.as_bytes())?;
            }
            spool.drop_empty();
            let names = spool.names();
            assert!(names.iter().all(|name| !name.contains('/')), "{names:?}");
            let staged = spool.stage(&store).await?;
            let digest = staged.digest().to_owned();
            let edition = karat_store::NewEdition { label: "1".into(), ..Default::default() };
            let benchmark =
                karat_store::NewBenchmark { slug: digest[..8].into(), ..Default::default() };
            let what = karat_store::SubmissionKind::Edition(edition, Some(benchmark));
            let submission = Submission {
                upload: Some(staged),
                corpus: None,
                what,
                job: None,
                once: None,
                limited: false,
            };
            store.submit(&karat_store::By::local(), &submission).await?;
            let bytes = store.file_bytes(&digest).await?;
            assert_eq!(is_zip(&bytes), zipped);
            if zipped {
                let found: Vec<String> = unzip(&bytes, &UnpackBudget::of(bytes.len() as u64))?
                    .into_iter()
                    .map(|(name, _)| name)
                    .collect();
                assert_eq!(found, ["a.txt", "b"]);
            }
        }
        Ok(())
    }

    #[test]
    fn what_is_too_large_is_refused_while_it_arrives() -> Result<(), SpoolError> {
        let mut spool = Spool::new()?;
        spool.begin("a");
        spool.length = MOST_SENT - 1;
        spool.push(b"x")?;
        assert!(matches!(spool.push(b"x"), Err(SpoolError::TooLarge)));
        Ok(())
    }
}
