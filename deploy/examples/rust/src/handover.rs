//! The state goes over from one program to the next: docs/replace-a-service.md, "Take the state along".

use crate::bus::{ask, serve, Ask, Fault, Members, Service, PAGE_BYTES};
use crate::fields::{Access, Fields, Kind};
use crate::store::SCHEMA;
use rusqlite::types::Value as Cell;
use rusqlite::{params, params_from_iter, Connection};
use serde_json::value::RawValue;
use serde_json::{json, Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub type Row = Map<String, Value>;

struct Table {
    name: &'static str,
    /// Name, kind, whether it is part of the key.
    columns: &'static [(&'static str, &'static str, bool)],
}

const TABLES: [Table; 4] = [
    Table {
        name: "sharing",
        columns: &[("customer", "bytes", true), ("since", "integer", false)],
    },
    Table {
        name: "places",
        columns: &[
            ("number", "integer", true),
            ("id", "bytes", false),
            ("merchant", "bytes", false),
            ("name", "text", false),
            ("latitude", "integer", false),
            ("longitude", "integer", false),
        ],
    },
    Table {
        name: "visits",
        columns: &[
            ("customer", "bytes", true),
            ("place", "bytes", true),
            ("merchant", "bytes", false),
            ("entered", "integer", false),
            ("dwelled", "integer", false),
        ],
    },
    Table {
        name: "alive",
        columns: &[("one", "integer", true), ("time", "integer", false)],
    },
];

/// What is in memory only.
const TRACES: Table = Table {
    name: "traces",
    columns: &[
        ("customer", "bytes", true),
        ("newest", "integer", false),
        ("published", "integer", false),
        ("latitude", "integer", false),
        ("longitude", "integer", false),
        ("time", "integer", false),
    ],
};

impl Table {
    fn names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(name, ..)| *name).collect()
    }

    fn key(&self) -> Vec<&'static str> {
        self.columns
            .iter()
            .filter(|(.., is_key)| *is_key)
            .map(|(name, ..)| *name)
            .collect()
    }

    fn contract(&self) -> Value {
        let columns = self
            .columns
            .iter()
            .map(|(name, kind, is_key)| json!({"name": name, "kind": kind, "isKey": is_key}));
        json!({"name": self.name, "columns": columns.collect::<Vec<_>>()})
    }

    fn values(&self, names: &[&str], row: &Row) -> Vec<Cell> {
        names
            .iter()
            .map(|name| cell(row.get(*name).unwrap_or(&Value::Null)))
            .collect()
    }
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Number(number) => number.as_i64().map_or(Cell::Null, Cell::Integer),
        Value::String(text) => Cell::Text(text.clone()),
        _ => Cell::Null,
    }
}

fn row_of(row: &rusqlite::Row, names: &[&str]) -> rusqlite::Result<Row> {
    let mut read = Row::new();
    for (index, name) in names.iter().enumerate() {
        let value = match row.get::<_, Cell>(index)? {
            Cell::Integer(number) => number.into(),
            Cell::Text(text) => text.into(),
            _ => Value::Null,
        };
        read.insert((*name).into(), value);
    }
    Ok(read)
}

fn marks(count: usize) -> String {
    vec!["?"; count].join(", ")
}

/// Which rows in memory have changed: the newest number of each key.
#[derive(Default)]
pub struct Changes {
    last: i64,
    /// The keys as the hand-over began; `None` without one.
    listed: Option<Vec<String>>,
    by_number: BTreeMap<i64, String>,
    number_of: HashMap<String, i64>,
}

impl Changes {
    /// A key that changes again gets a new number.
    pub fn note(&mut self, key: &str) {
        if self.listed.is_some() {
            self.last += 1;
            if let Some(before) = self.number_of.insert(key.into(), self.last) {
                self.by_number.remove(&before);
            }
            self.by_number.insert(self.last, key.into());
        }
    }

    fn follow(&mut self, keys: Vec<String>) {
        *self = Changes {
            listed: Some(keys),
            ..Changes::default()
        };
    }

    fn page(&self, after: &str, limit: usize, row: impl Fn(&str) -> Option<Row>) -> Option<Value> {
        let (kind, place) = after.split_once(':').unwrap_or(("memory", "0"));
        if kind == "memory" {
            let (listed, start) = (self.listed.as_deref()?, place.parse::<usize>().ok()?);
            let rows: Vec<Row> = listed
                .iter()
                .skip(start)
                .take(limit)
                .filter_map(|key| row(key))
                .collect();
            let is_over = start + limit >= listed.len();
            let next = if is_over {
                "changes:0".to_owned()
            } else {
                format!("memory:{}", start + limit)
            };
            return Some(json!({"rows": rows, "removed": [], "next": next, "isEnd": false}));
        }
        let number: i64 = place.parse().ok()?;
        let (mut rows, mut removed, mut last) = (Vec::new(), Vec::new(), number);
        for (number, key) in self.by_number.range(number + 1..).take(limit) {
            last = *number;
            match row(key) {
                Some(row) => rows.push(row),
                None => removed.push(json!({ "customer": key })),
            }
        }
        Some(json!({"rows": rows, "removed": removed, "next": format!("changes:{last}"), "isEnd": last >= self.last}))
    }
}

/// Answers `state.follow`, `state.read` and `state.seal`.
#[derive(Default)]
pub struct Source {
    copy: Option<i64>,
    sealed_until: Option<Instant>,
}

const SEALED: Duration = Duration::from_secs(5);
/// A row in memory is short: so many fit into an envelope.
const MEMORY_ROWS: i64 = 250;

fn trouble(error: rusqlite::Error) -> Fault {
    Fault::unavailable(error.to_string())
}

impl Source {
    /// Whether nothing may be written.
    pub fn is_sealed(&self) -> bool {
        self.sealed_until.map_or(false, |until| Instant::now() < until)
    }

    /// Notes from now on, in a temporary table, which rows change.
    pub fn follow(&mut self, db: &Connection, traces: &mut Changes, keys: Vec<String>) -> Result<Value, Fault> {
        let mut script = String::from("PRAGMA recursive_triggers = ON; DROP TABLE IF EXISTS temp.followed;");
        script +=
            "CREATE TEMP TABLE followed (number INTEGER PRIMARY KEY AUTOINCREMENT, place, key, UNIQUE (place, key));";
        for table in &TABLES {
            let name = table.name;
            for (event, rows) in [
                ("INSERT", &["NEW"][..]),
                ("UPDATE", &["OLD", "NEW"]),
                ("DELETE", &["OLD"]),
            ] {
                script += &format!("DROP TRIGGER IF EXISTS temp.followed_{name}_{event};");
                script += &format!("CREATE TEMP TRIGGER followed_{name}_{event} AFTER {event} ON main.{name} BEGIN ");
                for row in rows {
                    let columns: Vec<String> = table.key().iter().map(|column| format!("{row}.{column}")).collect();
                    let key = format!("json_array({})", columns.join(", "));
                    script += &format!(
                        "DELETE FROM followed WHERE place = '{name}' AND key = {key};\
                         INSERT INTO followed (place, key) VALUES ('{name}', {key});"
                    );
                }
                script += "END;";
            }
        }
        db.execute_batch(&script).map_err(trouble)?;
        traces.follow(keys);
        let copy = i64::from_str_radix(&crate::bus::new_id()[..13], 16).unwrap_or(1) + 1;
        self.copy = Some(copy);
        let tables: Vec<Value> = TABLES.iter().chain([&TRACES]).map(Table::contract).collect();
        Ok(json!({"copy": copy, "tables": tables}))
    }

    fn check(&self, copy: Option<i64>) -> Result<(), Fault> {
        if copy.is_some() && copy == self.copy {
            return Ok(());
        }
        Err(Fault::malformed("the hand-over has ended, or never was: begin anew"))
    }

    pub fn read(
        &self,
        db: &Connection,
        traces: &Changes,
        fields: &Fields,
        trace: impl Fn(&str) -> Option<Row>,
    ) -> Result<Value, Fault> {
        self.check(fields.number("copy"))?;
        let limit = fields.within("limit", 1, 1000)?.unwrap_or(1);
        let (name, after) = (fields.word("table"), fields.text("after").unwrap_or(""));
        let astray = || Fault::malformed(format!("'{after}' is no place in {name}"));
        if name == TRACES.name {
            return traces
                .page(after, limit.min(MEMORY_ROWS) as usize, trace)
                .ok_or_else(astray);
        }
        let table = TABLES.iter().find(|table| table.name == name);
        let table = table.ok_or_else(|| Fault::malformed(format!("there is no table '{name}'")))?;
        let page = match after.split_once(':') {
            None if after.is_empty() => rows(db, table, &[], limit),
            Some(("rows", key)) => rows(
                db,
                table,
                &serde_json::from_str::<Vec<Value>>(key).map_err(|_| astray())?,
                limit,
            ),
            Some(("changes", number)) => changes(db, table, number.parse().map_err(|_| astray())?, limit),
            _ => return Err(astray()),
        };
        page.map_err(|_| astray())
    }

    pub fn seal(&mut self, db: &Connection, copy: Option<i64>, is_sealed: bool) -> Result<Value, Fault> {
        self.check(copy)?;
        self.sealed_until = is_sealed.then(|| Instant::now() + SEALED);
        let mut tables = Vec::new();
        for table in &TABLES {
            tables.push(json!({"name": table.name, "rows": count(db, table.name).map_err(trouble)?}));
        }
        Ok(json!({"tables": tables, "facts": count(db, "facts").map_err(trouble)?}))
    }
}

fn count(db: &Connection, table: &str) -> rusqlite::Result<i64> {
    db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
}

/// The rows behind a key.
fn rows(db: &Connection, table: &Table, after: &[Value], limit: i64) -> rusqlite::Result<Value> {
    let (names, key) = (table.names(), table.key());
    let behind = match after.len() {
        0 => String::new(),
        count => format!("WHERE ({}) > ({})", key.join(", "), marks(count)),
    };
    let question = format!(
        "SELECT {} FROM {} {behind} ORDER BY {} LIMIT ?",
        names.join(", "),
        table.name,
        key.join(", ")
    );
    let values = after.iter().map(cell).chain([Cell::Integer(limit)]);
    let mut statement = db.prepare(&question)?;
    let mut found = statement.query(params_from_iter(values))?;
    let (mut page, mut size, mut is_over) = (Vec::<Row>::new(), 0, true);
    while let Some(row) = found.next()? {
        let row = row_of(row, &names)?;
        size += Value::Object(row.clone()).to_string().len() + 1;
        if !page.is_empty() && size > PAGE_BYTES {
            is_over = false;
            break;
        }
        page.push(row);
    }
    is_over = is_over && (page.len() as i64) < limit;
    let next = match page.last() {
        Some(last) if !is_over => format!("rows:{}", Value::from_iter(key.iter().map(|name| last[*name].clone()))),
        _ => "changes:0".into(),
    };
    Ok(json!({"rows": page, "removed": [], "next": next, "isEnd": false}))
}

/// The rows that have changed since, as they are now.
fn changes(db: &Connection, table: &Table, after: i64, limit: i64) -> rusqlite::Result<Value> {
    let (names, key) = (table.names(), table.key());
    let mut statement =
        db.prepare("SELECT number, key FROM temp.followed WHERE place = ? AND number > ? ORDER BY number LIMIT ?")?;
    let changed: Vec<(i64, String)> = statement
        .query_map(params![table.name, after, limit + 1], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let question = format!(
        "SELECT {} FROM {} WHERE ({}) = ({})",
        names.join(", "),
        table.name,
        key.join(", "),
        marks(key.len())
    );
    let mut read = db.prepare(&question)?;
    let (mut rows, mut removed, mut place, mut size) = (Vec::new(), Vec::new(), after, 0);
    for (number, changed_key) in changed.iter().take(limit as usize) {
        let values: Vec<Value> = serde_json::from_str(changed_key).unwrap_or_default();
        let mut found = read.query(params_from_iter(values.iter().map(cell)))?;
        let row = found.next()?.map(|row| row_of(row, &names)).transpose()?;
        size += row
            .as_ref()
            .map_or(100, |row| Value::Object(row.clone()).to_string().len() + 1);
        if size > PAGE_BYTES && place > after {
            break;
        }
        match row {
            Some(row) => rows.push(row),
            None => removed.push(key.iter().map(|name| name.to_string()).zip(values).collect::<Row>()),
        }
        place = *number;
    }
    let is_end = changed.last().map_or(true, |(number, _)| *number == place);
    Ok(json!({"rows": rows, "removed": removed, "next": format!("changes:{place}"), "isEnd": is_end}))
}

// Taking over.

#[derive(PartialEq, Clone, Copy)]
enum Phase {
    Copying,
    Following,
    Complete,
    Serving,
}

/// Reads the state into a new file while the old process serves, and answers `billfold swap` meanwhile.
struct Taker {
    context: zmq::Context,
    path: PathBuf,
    incoming: PathBuf,
    /// `None` once the file is complete.
    db: Option<Connection>,
    copy: i64,
    phase: Phase,
    /// The `next` of each table.
    places: Vec<(&'static Table, Option<String>)>,
    traces: HashMap<String, Row>,
    rows: i64,
    head: i64,
    /// The first table of the round that has not been read to its end, and the pages that the round has taken.
    unread: usize,
    pages: usize,
    /// The next step is not before.
    due: Instant,
}

static ALL: [&Table; 5] = [&TABLES[0], &TABLES[1], &TABLES[2], &TABLES[3], &TRACES];
const PATIENCE: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(10);

/// Returns what was in memory, once the file has the state and this process may serve.
pub fn take_over(context: &zmq::Context, path: &Path) -> Result<Vec<Row>, String> {
    let incoming = PathBuf::from(format!("{}.incoming", path.display()));
    remove(&incoming)?;
    let db = Connection::open(&incoming).map_err(|error| error.to_string())?;
    db.execute_batch(SCHEMA).map_err(|error| error.to_string())?;
    let mut taker = Taker {
        context: context.clone(),
        path: path.into(),
        incoming,
        db: Some(db),
        copy: 0,
        phase: Phase::Copying,
        places: ALL.iter().map(|table| (*table, None)).collect(),
        traces: HashMap::new(),
        rows: 0,
        head: 0,
        unread: 0,
        pages: 0,
        due: Instant::now(),
    };
    taker.begin()?;
    serve(context, &mut taker);
    Ok(taker.traces.into_values().collect())
}

/// Removes a database and its log.
fn remove(path: &Path) -> Result<(), String> {
    for ending in ["", "-wal", "-shm"] {
        match std::fs::remove_file(format!("{}{ending}", path.display())) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.to_string()),
            _ => {}
        }
    }
    Ok(())
}

/// A member of a reply.
fn member(members: &Members, name: &str) -> Result<Value, String> {
    let raw = members.get(name).ok_or_else(|| format!("'{name}' is missing"))?;
    serde_json::from_str(raw.get()).map_err(|error| error.to_string())
}

fn number(members: &Members, name: &str) -> Result<i64, String> {
    member(members, name)?
        .as_i64()
        .ok_or_else(|| format!("'{name}' is no number"))
}

impl Taker {
    /// Of the process that serves, also while its queue is paused. While it copies, it leaves that process as much time
    /// as the answer took: people wait for it, too.
    fn ask(&mut self, verb: &str, data: Value) -> Result<Members, String> {
        let asked = Instant::now();
        let answer = ask(
            &self.context,
            "try.location",
            &format!("location.{verb}.v1"),
            &data,
            PATIENCE,
        );
        self.due = Instant::now() + asked.elapsed();
        answer
    }

    fn begin(&mut self) -> Result<(), String> {
        let followed = self.ask("state.follow", json!({}))?;
        self.copy = number(&followed, "copy")?;
        let tables = member(&followed, "tables")?;
        let mut names: Vec<&str> = tables
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["name"].as_str())
            .collect();
        let mut known: Vec<&str> = ALL.iter().map(|table| table.name).collect();
        names.sort_unstable();
        known.sort_unstable();
        if names != known {
            return Err(format!(
                "the state cannot be taken over: its tables are {names:?}, not {known:?}"
            ));
        }
        Ok(())
    }

    /// One page while it copies, so that `swap` is answered between them; all that is new once it follows. It follows
    /// when all tables and facts were read anew within few pages: what changes while much is read is much, too.
    fn step(&mut self) -> Result<(), String> {
        if self.phase == Phase::Following {
            return self.catch_up();
        }
        self.pages += 1;
        if self.unread < self.places.len() {
            if self.page(self.unread)? {
                self.unread += 1;
            }
        } else if !self.facts()? {
            if self.pages <= 2 * self.places.len() + 2 {
                self.phase = Phase::Following;
            }
            (self.unread, self.pages) = (0, 0);
        }
        Ok(())
    }

    fn catch_up(&mut self) -> Result<(), String> {
        for index in 0..self.places.len() {
            while !self.page(index)? {}
        }
        while self.facts()? {}
        Ok(())
    }

    /// The next page of a table; whether nothing more is to be read at present.
    fn page(&mut self, index: usize) -> Result<bool, String> {
        let (table, place) = self.places[index].clone();
        let mut data = json!({"copy": self.copy, "table": table.name, "limit": 1000});
        if let Some(place) = place {
            data["after"] = place.into();
        }
        let page = self.ask("state.read", data)?;
        let list = |name: &str| -> Result<Vec<Row>, String> {
            Ok(match member(&page, name)? {
                Value::Array(all) => all.into_iter().filter_map(|one| one.as_object().cloned()).collect(),
                _ => Vec::new(),
            })
        };
        let (rows, removed) = (list("rows")?, list("removed")?);
        self.rows += rows.len() as i64;
        if table.name == TRACES.name {
            let key = |row: &Row| row["customer"].as_str().unwrap_or_default().to_owned();
            for row in &removed {
                self.traces.remove(&key(row));
            }
            self.traces.extend(rows.into_iter().map(|row| (key(&row), row)));
        } else {
            self.apply(table, &rows, &removed).map_err(|error| error.to_string())?;
        }
        self.places[index].1 = member(&page, "next")?.as_str().map(str::to_owned);
        Ok(member(&page, "isEnd")? == true)
    }

    fn file(&mut self) -> rusqlite::Result<&mut Connection> {
        self.db.as_mut().ok_or(rusqlite::Error::InvalidQuery)
    }

    /// Removals first, then each row in the place of the one with its key.
    fn apply(&mut self, table: &Table, rows: &[Row], removed: &[Row]) -> rusqlite::Result<()> {
        let (names, key) = (table.names(), table.key());
        let transaction = self.file()?.transaction()?;
        let delete = format!(
            "DELETE FROM {} WHERE ({}) = ({})",
            table.name,
            key.join(", "),
            marks(key.len())
        );
        for row in removed {
            transaction.execute(&delete, params_from_iter(table.values(&key, row)))?;
        }
        let insert = format!(
            "INSERT OR REPLACE INTO {} ({}) VALUES ({})",
            table.name,
            names.join(", "),
            marks(names.len())
        );
        for row in rows {
            transaction.execute(&insert, params_from_iter(table.values(&names, row)))?;
        }
        transaction.commit()
    }

    /// The next facts, as they are. Returns whether there may be more.
    fn facts(&mut self) -> Result<bool, String> {
        let page = self.ask("facts.read", json!({"after": self.head, "limit": 1000}))?;
        let facts: Vec<Box<RawValue>> = page
            .get("facts")
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .ok_or("a page of facts cannot be read")?;
        let mut head = self.head;
        let transaction = self
            .file()
            .and_then(|db| db.transaction())
            .map_err(|error| error.to_string())?;
        for fact in &facts {
            head += 1;
            let read: Value = serde_json::from_str(fact.get()).map_err(|error| error.to_string())?;
            if read["sequence"].as_str().and_then(|text| text.parse().ok()) != Some(head) {
                return Err(format!("fact {head} is missing"));
            }
            transaction
                .execute("INSERT INTO facts VALUES (?, ?)", params![head, fact.get()])
                .map_err(|error| error.to_string())?;
        }
        transaction.commit().map_err(|error| error.to_string())?;
        self.head = head;
        Ok(!facts.is_empty() && head < number(&page, "head")?)
    }

    /// The rest, of a state that changes no more; then the new file takes the place of the one before.
    fn complete(&mut self) -> Result<(), String> {
        let done = self.seal_and_compare();
        if done.is_err() {
            // The old process goes on by itself after five seconds, if it does not get this.
            let _ = self.ask("state.seal", json!({"copy": self.copy, "isSealed": false}));
            return done;
        }
        let written = |error: rusqlite::Error| error.to_string();
        self.file()
            .and_then(|db| db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())))
            .map_err(written)?;
        drop(self.db.take());
        remove(&self.path)?;
        std::fs::rename(&self.incoming, &self.path).map_err(|error| error.to_string())?;
        self.phase = Phase::Complete;
        Ok(())
    }

    fn seal_and_compare(&mut self) -> Result<(), String> {
        let sealed = self.ask("state.seal", json!({"copy": self.copy, "isSealed": true}))?;
        self.catch_up()?;
        for one in member(&sealed, "tables")?.as_array().into_iter().flatten() {
            let (name, rows) = (one["name"].as_str().unwrap_or_default(), one["rows"].as_i64());
            let own = self
                .file()
                .and_then(|db| count(db, name))
                .map_err(|error| error.to_string())?;
            if Some(own) != rows {
                return Err(format!("{own} rows of {name} are not {rows:?}"));
            }
        }
        let facts = number(&sealed, "facts")?;
        if facts == self.head {
            Ok(())
        } else {
            Err(format!("{} facts are not {facts}", self.head))
        }
    }
}

impl Service for Taker {
    fn name(&self) -> &str {
        "next.location"
    }

    fn knows(&self, kind: &str) -> bool {
        kind == "location.takeover.advance.v1"
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, Fault> {
        let fields = Fields::read(ask.data(), &[("to", Kind::Text, true)])?;
        fields.allow(Access::Services, ask.actor())?;
        match (fields.word("to"), self.phase) {
            ("complete" | "serving", Phase::Copying) => {
                return Err(Fault::unavailable("the state is still being copied"))
            }
            ("serving", Phase::Following) => return Err(Fault::unavailable("the state is not complete")),
            ("complete", Phase::Following) => self.complete().map_err(Fault::unavailable)?,
            ("serving", _) => self.phase = Phase::Serving,
            _ => {}
        }
        let phase = match self.phase {
            Phase::Copying => "copying",
            Phase::Following => "following",
            Phase::Complete => "complete",
            Phase::Serving => "serving",
        };
        Ok(json!({"phase": phase, "rows": self.rows, "facts": self.head}).to_string())
    }

    fn turn(&mut self) -> i64 {
        if matches!(self.phase, Phase::Copying | Phase::Following) && Instant::now() >= self.due {
            if let Err(why) = self.step() {
                eprintln!("the state cannot be taken over: {why}");
                std::process::exit(1);
            }
            if self.phase == Phase::Following {
                self.due = Instant::now() + AGAIN;
            }
        }
        if self.phase == Phase::Copying {
            self.due.saturating_duration_since(Instant::now()).as_millis() as i64
        } else {
            AGAIN.as_millis() as i64
        }
    }

    fn is_over(&self) -> bool {
        self.phase == Phase::Serving
    }
}
