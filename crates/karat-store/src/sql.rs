//! One SQL text on two databases.
//!
//! Everything that differs between SQLite and PostgreSQL is in this file: how a pool is opened, how
//! a transaction begins, how an argument is bound and a column read. The rest of the crate writes
//! one `&'static str` with `$1` arguments and reads typed records.
//!
//! SQLite has one writer, and it says so only when two collide. So all transactions that write go
//! through one connection, where they wait for each other in the order they came, and begin with
//! `BEGIN IMMEDIATE`, so that none has to turn from a reader into a writer half-way. Readers have
//! connections of their own, which cannot write; the write-ahead log lets them read while the
//! writer writes. In memory there is one connection for all: a shared cache would answer *table is
//! locked* to a reader instead of letting it wait.

use crate::{Result, StoreError};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Database, Encode, PgConnection, PgPool, Postgres, Row, Transaction};
use sqlx::{Sqlite, SqliteConnection, SqlitePool, Type};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Connections that read a SQLite file at the same time.
const READERS: u32 = 4;
/// Connections to PostgreSQL, readers and writers together.
const SERVER_CONNECTIONS: u32 = 16;
/// The first release of PostgreSQL that is tested.
const OLDEST_SERVER: u32 = 140_000;

/// The connections of a store.
#[derive(Clone, Debug)]
pub(crate) enum Connections {
    Sqlite { writer: SqlitePool, readers: SqlitePool },
    Postgres(PgPool),
}

impl Connections {
    /// Opens a SQLite file, and makes it if there is none.
    pub(crate) async fn file(path: &Path) -> Result<Connections> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(Duration::from_millis(5000))
            .foreign_keys(true)
            .disable_statement_logging();
        let writing = options
            .clone()
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let writer = one_connection().connect_with(writing).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .test_before_acquire(false)
            .connect_with(options.pragma("query_only", "ON"))
            .await?;
        Ok(Connections::Sqlite { writer, readers })
    }

    /// A database that ends with the process.
    pub(crate) async fn memory() -> Result<Connections> {
        let options = SqliteConnectOptions::from_str("sqlite::memory:")?
            .foreign_keys(true)
            .disable_statement_logging();
        let writer = one_connection().connect_with(options).await?;
        Ok(Connections::Sqlite { readers: writer.clone(), writer })
    }

    /// Connects to a PostgreSQL server.
    pub(crate) async fn server(url: &str) -> Result<Connections> {
        let options =
            PgConnectOptions::from_str(url)?.application_name("karat").disable_statement_logging();
        let pool =
            PgPoolOptions::new().max_connections(SERVER_CONNECTIONS).connect_with(options).await?;
        let version = pool.acquire().await?.server_version_num().unwrap_or(0);
        if version < OLDEST_SERVER {
            let found = version / 10_000;
            return Err(StoreError::Refused(format!(
                "the server is PostgreSQL {found}, and 14 or later is needed"
            )));
        }
        Ok(Connections::Postgres(pool))
    }

    /// A transaction that may write. Dropped without [`Access::commit`], it did nothing.
    pub(crate) async fn write(&self) -> Result<Access> {
        Ok(Access(match self {
            Connections::Sqlite { writer, .. } => Inner::SqliteAct(begun(writer).await?),
            Connections::Postgres(pool) => Inner::PostgresAct(pool.begin().await?),
        }))
    }

    /// A connection for questions, each of which sees what was committed before it.
    pub(crate) async fn read(&self) -> Result<Access> {
        Ok(Access(match self {
            Connections::Sqlite { readers, .. } => Inner::Sqlite(readers.acquire().await?),
            Connections::Postgres(pool) => Inner::Postgres(pool.acquire().await?),
        }))
    }

    /// Waits until what runs has ended and closes all connections.
    pub(crate) async fn close(&self) {
        match self {
            Connections::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Connections::Postgres(pool) => pool.close().await,
        }
    }
}

/// Begins a transaction that writes. SQLite ends one by itself when the disk is full, of which the connection does not
/// learn: it would refuse every further one, also when there is room again. So it is exchanged for a new one.
async fn begun(writer: &SqlitePool) -> Result<Transaction<'static, Sqlite>> {
    const BEGIN: &str = "BEGIN IMMEDIATE";
    match writer.begin_with(BEGIN).await {
        Err(sqlx::Error::InvalidSavePointStatement | sqlx::Error::BeginFailed) => {
            writer.acquire().await?.close().await?;
            Ok(writer.begin_with(BEGIN).await?)
        }
        begun => Ok(begun?),
    }
}

/// A pool of one connection that is never closed, because a database in memory ends with it.
fn one_connection() -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(1)
        .min_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .acquire_timeout(Duration::from_secs(60))
}

/// A connection, in a transaction or not.
pub(crate) struct Access(Inner);

enum Inner {
    Sqlite(PoolConnection<Sqlite>),
    SqliteAct(Transaction<'static, Sqlite>),
    Postgres(PoolConnection<Postgres>),
    PostgresAct(Transaction<'static, Postgres>),
}

enum Connection<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Access {
    /// Runs a statement and says how many rows it changed.
    pub(crate) async fn run(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64> {
        Ok(match self.connection() {
            Connection::Sqlite(one) => {
                bound::<Sqlite>(sql, args).execute(one).await?.rows_affected()
            }
            Connection::Postgres(one) => {
                bound::<Postgres>(sql, args).execute(one).await?.rows_affected()
            }
        })
    }

    /// Inserts many rows, whose values stand one after another.
    pub(crate) async fn insert(&mut self, bulk: &Bulk, values: &[Arg<'_>]) -> Result<()> {
        let mut rest = values;
        while !rest.is_empty() {
            let rows = if rest.len() >= bulk.columns * BULK { BULK } else { 1 };
            let (now, later) = rest.split_at(rest.len().min(bulk.columns * rows));
            self.run(if rows == 1 { bulk.one } else { bulk.many }, now).await?;
            rest = later;
        }
        Ok(())
    }

    /// All records that a statement gives.
    pub(crate) async fn all<T: Stored>(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
    ) -> Result<Vec<T>> {
        match self.connection() {
            Connection::Sqlite(one) => {
                let rows = bound::<Sqlite>(sql, args).fetch_all(one).await?;
                rows.into_iter().map(|row| read(Fetched::Sqlite(row))).collect()
            }
            Connection::Postgres(one) => {
                let rows = bound::<Postgres>(sql, args).fetch_all(one).await?;
                rows.into_iter().map(|row| read(Fetched::Postgres(row))).collect()
            }
        }
    }

    /// The only record that a statement gives, or none.
    pub(crate) async fn one<T: Stored>(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
    ) -> Result<Option<T>> {
        Ok(self.all(sql, args).await?.into_iter().next())
    }

    /// The text of a statement that locks, for this database.
    pub(crate) fn with_lock(&mut self, sql: Locking) -> &'static str {
        match self.connection() {
            Connection::Sqlite(_) => sql.plain,
            Connection::Postgres(_) => sql.locking,
        }
    }

    /// A number that a statement always gives.
    pub(crate) async fn number(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<i64> {
        self.one::<(i64,)>(sql, args)
            .await?
            .map(|(number,)| number)
            .ok_or(StoreError::Malformed("a count that is not there"))
    }

    /// Takes back what was done, and lets go of all locks before it returns.
    pub(crate) async fn roll_back(self) -> Result<()> {
        match self.0 {
            Inner::SqliteAct(act) => act.rollback().await?,
            Inner::PostgresAct(act) => act.rollback().await?,
            Inner::Sqlite(_) | Inner::Postgres(_) => {}
        }
        Ok(())
    }

    /// Makes everything that was done last.
    pub(crate) async fn commit(self) -> Result<()> {
        match self.0 {
            Inner::SqliteAct(act) => act.commit().await?,
            Inner::PostgresAct(act) => act.commit().await?,
            Inner::Sqlite(_) | Inner::Postgres(_) => {}
        }
        Ok(())
    }

    fn connection(&mut self) -> Connection<'_> {
        match &mut self.0 {
            Inner::Sqlite(one) => Connection::Sqlite(one),
            Inner::SqliteAct(one) => Connection::Sqlite(one),
            Inner::Postgres(one) => Connection::Postgres(one),
            Inner::PostgresAct(one) => Connection::Postgres(one),
        }
    }
}

/// A statement that locks the rows it reads. SQLite has one writer and needs no locks, and no words for them.
#[derive(Clone, Copy)]
pub(crate) struct Locking {
    /// As SQLite reads it.
    pub(crate) plain: &'static str,
    /// As PostgreSQL reads it.
    pub(crate) locking: &'static str,
}

/// A statement with the words of PostgreSQL for its lock, and what follows them.
macro_rules! locking {
    ($sql:literal, $lock:literal) => {
        $crate::sql::locking!($sql, $lock, "")
    };
    ($sql:literal, $lock:literal, $rest:literal) => {
        $crate::sql::Locking {
            plain: concat!($sql, $rest),
            locking: concat!($sql, " ", $lock, $rest),
        }
    };
}
pub(crate) use locking;

/// How many rows one statement inserts. A statement costs about as much as ten rows.
const BULK: usize = 50;

/// An insertion of one row and of many, for corpora with thousands of documents.
///
/// The texts are made of constants only, and made once for the whole process.
pub(crate) struct Bulk {
    columns: usize,
    one: &'static str,
    many: &'static str,
}

impl Bulk {
    /// Inserts rows of so many columns; `head` ends before `VALUES`, `tail` follows the rows.
    pub(crate) fn new(head: &str, columns: usize, tail: &str) -> Bulk {
        let text = |rows: usize| -> &'static str {
            let row = |n: usize| {
                let places = (1..=columns).map(|at| format!("${}", n * columns + at));
                format!("({})", places.collect::<Vec<_>>().join(", "))
            };
            let rows = (0..rows).map(row).collect::<Vec<_>>().join(", ");
            Box::leak(format!("{head} VALUES {rows} {tail}").into_boxed_str())
        };
        Bulk { columns, one: text(1), many: text(BULK) }
    }
}

/// An argument. PostgreSQL wants to know the type of a missing one too.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg<'a> {
    Text(Option<&'a str>),
    Int(Option<i64>),
    Real(Option<f64>),
    Bytes(&'a [u8]),
}

/// The arguments of a statement, in the order of their numbers.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Arg::from($value)),*] };
}
pub(crate) use args;

impl<'a> From<&'a str> for Arg<'a> {
    fn from(value: &'a str) -> Arg<'a> {
        Arg::Text(Some(value))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(value: &'a String) -> Arg<'a> {
        Arg::Text(Some(value))
    }
}

impl<'a> From<Option<&'a str>> for Arg<'a> {
    fn from(value: Option<&'a str>) -> Arg<'a> {
        Arg::Text(value)
    }
}

impl<'a> From<&'a Option<String>> for Arg<'a> {
    fn from(value: &'a Option<String>) -> Arg<'a> {
        Arg::Text(value.as_deref())
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(value: &'a [u8]) -> Arg<'a> {
        Arg::Bytes(value)
    }
}

impl From<i64> for Arg<'_> {
    fn from(value: i64) -> Self {
        Arg::Int(Some(value))
    }
}

impl From<Option<i64>> for Arg<'_> {
    fn from(value: Option<i64>) -> Self {
        Arg::Int(value)
    }
}

impl From<bool> for Arg<'_> {
    fn from(value: bool) -> Self {
        Arg::Int(Some(i64::from(value)))
    }
}

impl From<f64> for Arg<'_> {
    fn from(value: f64) -> Self {
        Arg::Real(Some(value))
    }
}

impl From<Option<f64>> for Arg<'_> {
    fn from(value: Option<f64>) -> Self {
        Arg::Real(value)
    }
}

type Query<'q, DB> = sqlx::query::Query<'q, DB, <DB as Database>::Arguments>;

fn bound<'q, DB: Database>(sql: &'static str, args: &[Arg<'q>]) -> Query<'q, DB>
where
    Option<&'q str>: Encode<'q, DB> + Type<DB>,
    Option<i64>: Encode<'q, DB> + Type<DB>,
    Option<f64>: Encode<'q, DB> + Type<DB>,
    &'q [u8]: Encode<'q, DB> + Type<DB>,
{
    args.iter().fold(sqlx::query(sql), |query, arg| match *arg {
        Arg::Text(value) => query.bind(value),
        Arg::Int(value) => query.bind(value),
        Arg::Real(value) => query.bind(value),
        Arg::Bytes(value) => query.bind(value),
    })
}

enum Fetched {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// The columns of one row, taken from left to right.
pub(crate) struct Columns {
    row: Fetched,
    next: usize,
}

impl Columns {
    /// The next column.
    pub(crate) fn take<T: Column>(&mut self) -> Result<T> {
        let at = self.next;
        self.next += 1;
        T::get(self, at)
    }
}

/// A record that is read from a row. The order of its columns is that of the statement.
pub(crate) trait Stored: Sized {
    /// Takes the columns of this record.
    fn read(columns: &mut Columns) -> Result<Self>;
}

fn read<T: Stored>(row: Fetched) -> Result<T> {
    T::read(&mut Columns { row, next: 0 })
}

/// A type that a column can have.
pub(crate) trait Column: Sized {
    /// The value of column `at`.
    fn get(columns: &Columns, at: usize) -> Result<Self>;
}

macro_rules! column {
    ($($type:ty),*) => {$(
        impl Column for $type {
            fn get(columns: &Columns, at: usize) -> Result<Self> {
                Ok(match &columns.row {
                    Fetched::Sqlite(row) => row.try_get(at)?,
                    Fetched::Postgres(row) => row.try_get(at)?,
                })
            }
        }
    )*};
}

column!(String, Option<String>, i64, Option<i64>, f64, Option<f64>, Vec<u8>);

impl Column for bool {
    fn get(columns: &Columns, at: usize) -> Result<bool> {
        Ok(match &columns.row {
            Fetched::Sqlite(row) => row.try_get::<i64, _>(at)? != 0,
            Fetched::Postgres(row) => row.try_get::<i16, _>(at)? != 0,
        })
    }
}

/// A column whose type is known to who asked: a text, or a number that is not whole.
pub(crate) enum Cell {
    Text(Option<String>),
    Real(Option<f64>),
}

/// A row of any columns.
pub(crate) struct Cells(pub(crate) Vec<Cell>);

impl Stored for Cells {
    fn read(columns: &mut Columns) -> Result<Cells> {
        let many = match &columns.row {
            Fetched::Sqlite(row) => row.len(),
            Fetched::Postgres(row) => row.len(),
        };
        let cell = |at: usize| match Option::<String>::get(columns, at) {
            Ok(text) => Ok(Cell::Text(text)),
            // It is no text, so it has to be a number.
            Err(_) => Option::<f64>::get(columns, at).map(Cell::Real),
        };
        Ok(Cells((0..many).map(cell).collect::<Result<_>>()?))
    }
}

macro_rules! stored_tuple {
    ($($name:ident),+) => {
        impl<$($name: Column),+> Stored for ($($name,)+) {
            fn read(columns: &mut Columns) -> Result<Self> {
                Ok(($(columns.take::<$name>()?,)+))
            }
        }
    };
}

stored_tuple!(A);
stored_tuple!(A, B);
stored_tuple!(A, B, C);
stored_tuple!(A, B, C, D);

#[cfg(test)]
mod tests {
    use super::*;

    async fn pragma(mut access: Access, sql: &'static str) -> i64 {
        access.number(sql, args![]).await.unwrap()
    }

    #[tokio::test]
    async fn a_file_is_written_through_to_the_disk_and_readers_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let connections = Connections::file(&folder.path().join("karat.db")).await.unwrap();
        let full = pragma(connections.write().await.unwrap(), "PRAGMA synchronous").await;
        assert_eq!(full, 2);
        let patience = pragma(connections.write().await.unwrap(), "PRAGMA busy_timeout").await;
        assert_eq!(patience, 5000);
        let mut writer = connections.write().await.unwrap();
        let mode: Option<(String,)> = writer.one("PRAGMA journal_mode", args![]).await.unwrap();
        assert_eq!(mode, Some(("wal".to_owned(),)));
        writer.run("CREATE TABLE t (n BIGINT NOT NULL)", args![]).await.unwrap();
        writer.commit().await.unwrap();
        let mut reader = connections.read().await.unwrap();
        assert!(reader.run("INSERT INTO t (n) VALUES ($1)", args![1]).await.is_err());
        assert_eq!(reader.number("SELECT COUNT(*) FROM t", args![]).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn what_is_not_committed_was_never_there_and_bulks_of_any_size_are() {
        let connections = Connections::memory().await.unwrap();
        let mut act = connections.write().await.unwrap();
        act.run("CREATE TABLE t (a BIGINT, b TEXT)", args![]).await.unwrap();
        act.commit().await.unwrap();
        let bulk = Bulk::new("INSERT INTO t (a, b)", 2, "");
        for rows in [0, 1, BULK - 1, BULK, BULK + 1, 3 * BULK + 2] {
            let values: Vec<Arg<'_>> =
                (0..rows as i64).flat_map(|n| [Arg::from(n), Arg::from("x")]).collect();
            let mut act = connections.write().await.unwrap();
            act.insert(&bulk, &values).await.unwrap();
            let sql = "SELECT COUNT(DISTINCT a) FROM t WHERE b = 'x'";
            assert_eq!(act.number(sql, args![]).await.unwrap(), rows as i64);
            drop(act);
            let mut read = connections.read().await.unwrap();
            assert_eq!(read.number("SELECT COUNT(*) FROM t", args![]).await.unwrap(), 0);
        }
    }
}
