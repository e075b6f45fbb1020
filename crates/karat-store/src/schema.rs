//! The schema, as a list of texts that run once each.
//!
//! A new table group is a new file in `migrations/` and a new line here. A text that was released
//! is never edited: databases remember its checksum and refuse to open with another.

use crate::sql::Connections;
use crate::{Result, StoreError};
use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

const TEXTS: &[(i64, &str, &str)] = &[
    (1, "base", include_str!("../migrations/0001_base.sql")),
    (2, "answers", include_str!("../migrations/0002_answers.sql")),
    (3, "quota", include_str!("../migrations/0003_quota.sql")),
    (4, "published", include_str!("../migrations/0004_published.sql")),
    (5, "campaigns", include_str!("../migrations/0005_campaigns.sql")),
];

/// Brings a database to the newest schema. Several programs may do so at once.
pub(crate) async fn migrate(connections: &Connections) -> Result<()> {
    let migrator = Migrator::with_migrations(migrations());
    let done = match connections {
        Connections::Sqlite { writer, .. } => migrator.run(writer).await,
        Connections::Postgres(pool) => migrator.run(pool).await,
    };
    done.map_err(|error| StoreError::Schema(error.to_string()))
}

fn migrations() -> Vec<Migration> {
    TEXTS
        .iter()
        .map(|&(version, name, text)| {
            let kind = MigrationType::Simple;
            Migration::new(version, name.into(), kind, text.into_sql_str(), false)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::sha256;

    /// Never change a line: add one for a new file.
    const RELEASED: &[&str] = &[
        "9ffb09da3e3cb7dcdf10ac58d5a60f073e0474c018bbbbd83694e3f356715f65",
        "1a9bb3108ca1c3438bf8a5f13239f323515fc4880ac0cf10b33db8828fd8476a",
        "df319f8f5a0a5224ea496cc3d81a6a7cfbcd7b074b65e10267dc86167782836d",
        "5662d45017266cb86136e53677ef69778838a5d7a27bde1158cebb0b48a2d5df",
        "f62f164839e4650093f53090b6548cf12c6d675fe7547a9b55151ab2fa2eff34",
    ];

    #[test]
    fn released_migrations_are_never_edited() {
        let found: Vec<String> = TEXTS.iter().map(|(_, _, text)| sha256(text.as_bytes())).collect();
        assert_eq!(found, RELEASED);
    }

    #[test]
    fn migrations_are_numbered_from_one_and_have_plain_line_ends() {
        for (at, (version, name, text)) in TEXTS.iter().enumerate() {
            assert_eq!(*version, at as i64 + 1, "{name}");
            assert!(!text.contains('\r') && text.ends_with('\n'), "{name}");
        }
    }
}
