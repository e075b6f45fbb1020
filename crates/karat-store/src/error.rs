use sqlx::error::ErrorKind;

/// Why the store did not do what was asked. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such thing, or it was removed.
    #[error("there is no {what} `{id}`")]
    NotFound {
        /// The kind of thing, such as `run`.
        what: &'static str,
        /// What was asked for.
        id: String,
    },
    /// The name belongs to something else, maybe in the trash.
    #[error("the {what} `{name}` is there already")]
    Taken {
        /// The kind of thing, such as `benchmark`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Somebody changed it since the caller read it.
    #[error("{what} `{id}` was changed by somebody else in the meantime")]
    Stale {
        /// The kind of thing.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// It cannot be done to a thing in this state.
    #[error("{what} `{id}` {why}")]
    NotNow {
        /// The kind of thing.
        what: &'static str,
        /// Its id.
        id: String,
        /// What is in the way, as the rest of a sentence: `is published`.
        why: &'static str,
    },
    /// A name that addresses cannot have.
    #[error("`{0}` cannot be part of an address: up to 64 letters, digits, `.`, `_`, `-`")]
    Name(String),
    /// A cursor that this store did not make.
    #[error("the cursor `{0}` is not one of this list")]
    Cursor(String),
    /// The same idempotency key came with another request.
    #[error("the key `{0}` was used for another request")]
    KeyReused(String),
    /// The first request with this idempotency key has no answer yet.
    #[error("the first request with the key `{0}` is still running")]
    StillRunning(String),
    /// This person has as many jobs as one may have.
    #[error("{0} jobs are waiting or running for this person, which is the limit")]
    PersonBusy(i64),
    /// This person has sent as many runs in a day as the benchmark allows while its gold is hidden.
    #[error("{quota} runs a day may be sent to this benchmark while its gold is hidden")]
    QuotaUsed {
        /// How many are allowed.
        quota: i64,
        /// When the next can be sent, in milliseconds since 1970.
        until: i64,
    },
    /// There is no room for what was to be written.
    #[error("there is no room left on the disk of the database")]
    Full,
    /// The queue is full.
    #[error("{0} jobs are waiting, which is the limit")]
    QueueFull(i64),
    /// The job was given to another worker, or it has ended.
    #[error("the lease of job `{0}` has ended")]
    LeaseLost(String),
    /// A step that this thing cannot take now.
    #[error("{what} `{id}`: {why}")]
    Step {
        /// The kind of thing: `campaign`, `assignment`, `lease`.
        what: &'static str,
        /// Its id.
        id: String,
        /// Why not.
        #[source]
        why: karat_verify::life::Refused,
    },
    /// Answers with this token and revision came before, and were others.
    #[error("revision {revision} of this task was submitted with other answers")]
    OtherAnswers {
        /// The revision.
        revision: i64,
        /// What was stored then, as JSON.
        stored: String,
    },
    /// What was sent does not fit what is stored.
    #[error("{0}")]
    Unfit(String),
    /// The key for external ids is missing, or is another one.
    #[error("{0}")]
    Key(String),
    /// Others were committed together with this, and all of it failed.
    #[error("the transaction failed: {0}")]
    NotCommitted(String),
    /// This database cannot be used.
    #[error("{0}")]
    Refused(String),
    /// The database was made by a later version, or one of its migrations was edited.
    #[error("the schema does not fit this program: {0}")]
    Schema(String),
    /// What is stored contradicts itself.
    #[error("the store is damaged: {0}")]
    Malformed(&'static str),
    /// A compressed file cannot be written or read.
    #[error("compression: {0}")]
    Frame(#[source] std::io::Error),
    /// The system gave no random bytes.
    #[error("no random bytes: {0}")]
    Random(String),
    /// A password cannot be hashed.
    #[error("the password cannot be used: {0}")]
    Password(String),
    /// The database did not answer.
    #[error("database: {0}")]
    Database(#[source] sqlx::Error),
}

/// What the functions of this crate give.
pub(crate) type Result<T> = std::result::Result<T, StoreError>;

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        // What SQLite and PostgreSQL call a full disk.
        const FULL: [&str; 2] = ["13", "53100"];
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        match code {
            Some(code) if FULL.contains(&&*code) => StoreError::Full,
            _ => StoreError::Database(error),
        }
    }
}

impl StoreError {
    pub(crate) fn not_found(what: &'static str, id: &str) -> StoreError {
        StoreError::NotFound { what, id: id.to_owned() }
    }

    /// Says *taken* instead of a broken constraint that only guards a name.
    pub(crate) fn named(self, what: &'static str, name: &str) -> StoreError {
        match self {
            StoreError::Database(sqlx::Error::Database(error))
                if error.kind() == ErrorKind::UniqueViolation =>
            {
                StoreError::Taken { what, name: name.to_owned() }
            }
            other => other,
        }
    }
}
