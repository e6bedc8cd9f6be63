//! What is on the disk: the tables of the contract and the log of facts, in one SQLite file; and the publishing of facts.

use crate::bus::{endpoint, envelope, Fault, PAGE_BYTES};
use rusqlite::types::Value as Cell;
use rusqlite::{params, params_from_iter, Connection};
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// Identifiers are hex digits, times milliseconds since 1970, coordinates millionths of a degree.
pub const SCHEMA: &str = "
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS sharing (customer PRIMARY KEY, since);
    CREATE TABLE IF NOT EXISTS places (number INTEGER PRIMARY KEY, id UNIQUE, merchant, name, latitude, longitude);
    CREATE TABLE IF NOT EXISTS visits (customer, place, merchant, entered, dwelled, PRIMARY KEY (customer, place));
    CREATE TABLE IF NOT EXISTS alive (one INTEGER PRIMARY KEY, time);
    CREATE TABLE IF NOT EXISTS facts (sequence INTEGER PRIMARY KEY, envelope);";

/// A statement with its values.
pub type Statement = (&'static str, Vec<Cell>);

/// What is to be published of a change.
pub struct Fact {
    pub kind: &'static str,
    pub data: String,
}

/// The ask that led to a fact.
#[derive(Default)]
pub struct Cause {
    pub id: Option<String>,
    pub correlation: Option<String>,
    pub trace: Option<String>,
}

pub struct Store {
    pub db: Connection,
    out: zmq::Socket,
    head: i64,
    head_published: Option<Instant>,
}

const HEAD_EVERY: Duration = Duration::from_millis(500);

impl Store {
    pub fn open(context: &zmq::Context, path: &Path) -> rusqlite::Result<Store> {
        let db = Connection::open(path)?;
        db.execute_batch(SCHEMA)?;
        let head = db.query_row("SELECT coalesce(max(sequence), 0) FROM facts", [], |row| row.get(0))?;
        let publisher = || -> Result<zmq::Socket, zmq::Error> {
            let out = context.socket(zmq::PUB)?;
            out.set_linger(0)?;
            out.connect(&endpoint("facts-in"))?;
            Ok(out)
        };
        let out = publisher().expect("a socket for facts");
        Ok(Store {
            db,
            out,
            head,
            head_published: None,
        })
    }

    /// Writes statements and facts in one transaction, then publishes the facts.
    ///
    /// A failure ends the process: memory is ahead of the disk then, and the next one begins with what is on the disk.
    pub fn commit(&mut self, statements: &[Statement], facts: &[Fact], cause: &Cause) {
        match self.write(statements, facts, cause) {
            Ok(published) => {
                for (kind, text) in &published {
                    self.send(kind, text);
                }
                if !published.is_empty() {
                    self.publish_head();
                }
            }
            Err(error) => {
                eprintln!("the state cannot be written: {error}");
                std::process::exit(70);
            }
        }
    }

    fn write(
        &mut self,
        statements: &[Statement],
        facts: &[Fact],
        cause: &Cause,
    ) -> rusqlite::Result<Vec<(&'static str, String)>> {
        let transaction = self.db.transaction()?;
        for (statement, values) in statements {
            transaction
                .prepare_cached(statement)?
                .execute(params_from_iter(values))?;
        }
        let mut written = Vec::new();
        for fact in facts {
            self.head += 1;
            let sequence = format!("{:020}", self.head);
            let about = [
                ("sequence", Some(&*sequence)),
                ("causationid", cause.id.as_deref()),
                ("correlationid", cause.correlation.as_deref()),
                ("traceparent", cause.trace.as_deref()),
            ];
            let text = envelope("location", fact.kind, &about, &fact.data);
            transaction.execute("INSERT INTO facts VALUES (?, ?)", params![self.head, text])?;
            written.push((fact.kind, text));
        }
        transaction.commit()?;
        Ok(written)
    }

    /// Publishes the head if it was not for a while.
    pub fn turn(&mut self) {
        if self.head_published.map_or(true, |at| at.elapsed() >= HEAD_EVERY) {
            self.publish_head();
        }
    }

    fn publish_head(&mut self) {
        self.head_published = Some(Instant::now());
        let kind = "location.facts.head.v1";
        let text = envelope("location", kind, &[], &json!({ "head": self.head }).to_string());
        self.send(kind, &text);
    }

    /// A published fact is a hint: one that cannot be sent is read from the log.
    fn send(&self, kind: &str, text: &str) {
        let topic = format!("{kind}\0");
        let _ = self
            .out
            .send_multipart([topic.as_bytes(), text.as_bytes()], zmq::DONTWAIT);
    }

    /// A page of the log: the envelopes as they were published.
    pub fn facts(&self, after: i64, limit: i64) -> Result<String, Fault> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self
                .db
                .prepare_cached("SELECT envelope FROM facts WHERE sequence > ? ORDER BY sequence LIMIT ?")?;
            let rows = statement.query_map(params![after, limit], |row| row.get::<_, String>(0))?;
            let (mut page, mut size) = (Vec::new(), 0);
            for row in rows {
                let text = row?;
                size += text.len() + 1;
                if !page.is_empty() && size > PAGE_BYTES {
                    break;
                }
                page.push(text);
            }
            Ok(page)
        };
        let page = read().map_err(|error| Fault::unavailable(error.to_string()))?;
        Ok(format!("{{\"facts\":[{}],\"head\":{}}}", page.join(","), self.head))
    }
}
