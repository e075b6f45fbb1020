use crate::databases::Fixture;
use karat_store::*;

pub(crate) async fn bytes_are_kept_once_by_digest(f: Fixture) {
    let digest = f.store.keep_file(b"abc").await.unwrap();
    assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    f.pass(5);
    assert_eq!(f.store.keep_file(b"abc").await.unwrap(), digest);
    let row = f.store.file(&digest).await.unwrap();
    assert_eq!((row.length, row.pieces, row.made), (3, 1, f.store.now()));
    assert_eq!(f.store.file_bytes(&digest).await.unwrap(), b"abc");

    let nothing = f.store.keep_file(b"").await.unwrap();
    assert_eq!(f.store.file_bytes(&nothing).await.unwrap(), b"");
    assert_eq!(f.store.file(&nothing).await.unwrap().pieces, 0);
    let error = f.store.file_bytes("none").await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { what: "file", .. }), "{error}");
}

pub(crate) async fn a_file_arrives_in_pieces(f: Fixture) {
    let bytes: Vec<u8> = (0..PIECE * 2 + PIECE / 2).map(|n| (n % 251) as u8).collect();
    let mut writer = f.store.new_file().await.unwrap();
    for part in bytes.chunks(300_007) {
        writer.push(part).await.unwrap();
    }
    assert_eq!(writer.length(), bytes.len() as i64);
    let staged = writer.finish().await.unwrap();
    assert_eq!((staged.digest(), staged.length()), (&*sha256(&bytes), bytes.len() as i64));
    // It is no file until it is kept.
    assert!(f.store.file(staged.digest()).await.is_err());
    // The same bytes by another way have the same pieces.
    let digest = f.store.keep_file(&bytes).await.unwrap();
    assert_eq!(digest, staged.digest());
    assert_eq!(f.store.file(&digest).await.unwrap().pieces, 3);
    assert_eq!(f.store.file_piece(&digest, 2).await.unwrap(), bytes[2 * PIECE..]);
    assert_eq!(f.store.file_bytes(&digest).await.unwrap(), bytes);
    assert!(f.store.file_piece(&digest, 3).await.is_err());
}

pub(crate) async fn damage_shows(f: Fixture) {
    let digest = f.store.keep_file(b"abc").await.unwrap();
    f.tamper("UPDATE piece SET bytes = substr(bytes, 2)").await;
    let error = f.store.file_bytes(&digest).await.unwrap_err();
    assert!(matches!(error, StoreError::Malformed(_)), "{error}");
}
