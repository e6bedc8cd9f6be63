//! Location in Rust, in the place of billfold-location: `billfold swap location --take-over -- location`.
//!
//! Keeps who shares, places, open visits and facts in one SQLite file, and last positions in memory. Printed tables, spans,
//! copies and cursors are not offered. BILLFOLD_RUN names the directory of the bus's sockets, BILLFOLD_DATA the one where
//! it keeps its own.

mod bus;
mod fields;
mod geometry;
mod handover;
mod names;
mod presence;
mod shown;
mod store;
mod strict;
mod time;

use bus::{Ask, Fault, Service};
use fields::{Access, Field, Fields, Kind, FIX};
use geometry::Point;
use presence::{Fix, Presence};
use serde_json::{json, Value};
use std::fs::File;
use std::os::unix::io::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::{Cause, Store};

/// What one ask of the contract is: its type between the service's name and `v1`, who may ask, its fields, its answer.
struct Operation {
    verb: &'static str,
    access: Access,
    form: &'static [Field],
    answer: fn(&mut Location, &Fields) -> Result<String, Fault>,
}

const CUSTOMER: &[Field] = &[("customer", Kind::Id, true)];

const OPERATIONS: &[Operation] = &[
    Operation {
        verb: "position.update",
        access: Access::Customer,
        form: FIX,
        answer: |location, fields| location.presence.update(&fix(fields)).map(|reply| reply.to_string()),
    },
    Operation {
        verb: "positions.update",
        access: Access::OwnFixes,
        form: &[("fixes", Kind::Fixes, true)],
        answer: |location, fields| {
            let fixes = fields.list("fixes");
            if fixes.len() > FIXES_MAX {
                return Err(Fault::new("location.too_many_fixes"));
            }
            let read = |one: &Value| Fields::read(one.clone(), FIX).map(|fields| fix(&fields));
            let fixes = fixes.iter().map(read).collect::<Result<Vec<Fix>, Fault>>()?;
            Ok(location.presence.updates(&fixes).to_string())
        },
    },
    Operation {
        verb: "position.read",
        access: Access::Customer,
        form: CUSTOMER,
        answer: |location, fields| {
            location
                .presence
                .position(fields.word("customer"))
                .map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "position.forget",
        access: Access::Customer,
        form: CUSTOMER,
        answer: |location, fields| Ok(location.presence.forget(fields.word("customer")).to_string()),
    },
    Operation {
        verb: "sharing.set",
        access: Access::Customer,
        form: &[("customer", Kind::Id, true), ("sharing", Kind::Bool, true)],
        answer: |location, fields| {
            Ok(location
                .presence
                .share(fields.word("customer"), fields.is("sharing"))
                .to_string())
        },
    },
    Operation {
        verb: "sharing.read",
        access: Access::Customer,
        form: CUSTOMER,
        answer: |location, fields| Ok(location.presence.sharing(fields.word("customer")).to_string()),
    },
    Operation {
        verb: "place.put",
        access: Access::Merchant,
        form: &[
            ("place", Kind::Id, true),
            ("merchant", Kind::Id, true),
            ("name", Kind::Text, true),
            ("latitude", Kind::Number, true),
            ("longitude", Kind::Number, true),
        ],
        answer: |location, fields| {
            let (latitude, longitude) = coordinates(fields);
            let (place, merchant, name) = (fields.word("place"), fields.word("merchant"), fields.word("name"));
            location
                .presence
                .put(place, merchant, name, latitude, longitude)
                .map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "place.remove",
        access: Access::Merchant,
        form: &[("place", Kind::Id, true), ("merchant", Kind::Id, true)],
        answer: |location, fields| {
            Ok(location
                .presence
                .remove(fields.word("place"), fields.word("merchant"))
                .to_string())
        },
    },
    Operation {
        verb: "places.read",
        access: Access::Merchant,
        form: &[("merchant", Kind::Id, true)],
        answer: |location, fields| Ok(location.presence.places_of(fields.word("merchant")).to_string()),
    },
    Operation {
        verb: "customers.find",
        access: Access::Merchant,
        form: &[
            ("merchant", Kind::Id, true),
            ("place", Kind::Id, false),
            ("freshSeconds", Kind::Number, false),
            ("limit", Kind::Number, true),
            ("skip", Kind::Number, false),
        ],
        answer: |location, fields| {
            let fresh = fields.within("freshSeconds", 1, 86_400)?;
            let (skip, limit) = page(fields)?;
            let (merchant, place) = (fields.word("merchant"), fields.text("place"));
            location
                .presence
                .customers(merchant, place, fresh, skip, limit)
                .map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "merchants.find",
        access: Access::Customer,
        form: &[
            ("customer", Kind::Id, true),
            ("limit", Kind::Number, true),
            ("skip", Kind::Number, false),
        ],
        answer: |location, fields| {
            let (skip, limit) = page(fields)?;
            location
                .presence
                .merchants(fields.word("customer"), skip, limit)
                .map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "presence.prove",
        access: Access::Merchant,
        form: &[
            ("customer", Kind::Id, true),
            ("merchant", Kind::Id, true),
            ("place", Kind::Id, false),
        ],
        answer: |location, fields| {
            let (customer, merchant) = (fields.word("customer"), fields.word("merchant"));
            location
                .presence
                .prove(customer, merchant, fields.text("place"))
                .map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "near.find",
        access: Access::Services,
        form: &[
            ("merchants", Kind::Ids, true),
            ("latitude", Kind::Number, true),
            ("longitude", Kind::Number, true),
            ("radiusMetres", Kind::Number, true),
        ],
        answer: |location, fields| {
            let merchants: Vec<&str> = fields.list("merchants").iter().filter_map(Value::as_str).collect();
            if !(1..=500).contains(&merchants.len()) {
                return Err(Fault::malformed("'merchants' has 1 to 500"));
            }
            let radius = fields.within("radiusMetres", 1, 50_000)?.unwrap_or(1);
            let (latitude, longitude) = coordinates(fields);
            let point = Point::new(latitude, longitude).ok_or_else(|| Fault::new("location.coordinate_invalid"))?;
            Ok(location.presence.near(&merchants, point, radius).to_string())
        },
    },
    Operation {
        verb: "facts.read",
        access: Access::Administrators,
        form: &[("after", Kind::Number, true), ("limit", Kind::Number, true)],
        answer: |location, fields| {
            let after = fields.within("after", 0, i64::MAX)?.unwrap_or(0);
            let limit = fields.within("limit", 1, 1000)?.unwrap_or(1);
            location.presence.store.facts(after, limit)
        },
    },
    Operation {
        verb: "state.follow",
        access: Access::Services,
        form: &[],
        answer: |location, _| {
            let presence = &mut location.presence;
            let keys = presence.customers_sharing();
            let followed = location.handing.follow(&presence.store.db, &mut presence.traces, keys);
            followed.map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "state.read",
        access: Access::Services,
        form: &[
            ("copy", Kind::Number, true),
            ("table", Kind::Text, true),
            ("after", Kind::Text, false),
            ("limit", Kind::Number, true),
        ],
        answer: |location, fields| {
            let presence = &location.presence;
            let trace = |customer: &str| presence.trace(customer);
            location
                .handing
                .read(&presence.store.db, &presence.traces, fields, trace)
                .map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "state.seal",
        access: Access::Services,
        form: &[("copy", Kind::Number, true), ("isSealed", Kind::Bool, true)],
        answer: |location, fields| {
            let db = &location.presence.store.db;
            let sealed = location.handing.seal(db, fields.number("copy"), fields.is("isSealed"));
            sealed.map(|reply| reply.to_string())
        },
    },
    Operation {
        verb: "stats.read",
        access: Access::Anyone,
        form: &[],
        answer: |location, _| {
            Ok(json!({
                "service": "location", "uptimeMilliseconds": location.started.elapsed().as_millis() as u64,
                "residentKiB": resident_kib(), "metrics": []})
            .to_string())
        },
    },
];

const FIXES_MAX: usize = 400;

fn coordinates(fields: &Fields) -> (i64, i64) {
    (
        fields.number("latitude").unwrap_or_default(),
        fields.number("longitude").unwrap_or_default(),
    )
}

fn fix(fields: &Fields) -> Fix {
    let (latitude, longitude) = coordinates(fields);
    let time = fields.text("time").and_then(time::parsed);
    Fix {
        customer: fields.word("customer").into(),
        latitude,
        longitude,
        time,
    }
}

/// How many are passed over, and how many are shown.
fn page(fields: &Fields) -> Result<(usize, usize), Fault> {
    let limit = fields.within("limit", 1, 100)?.unwrap_or(1);
    let skip = fields.within("skip", 0, 100_000)?.unwrap_or(0);
    Ok((skip as usize, limit as usize))
}

fn resident_kib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|one| one.parse().ok()).unwrap_or(0);
    // SAFETY: sysconf has no precondition.
    pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64 / 1024
}

struct Location {
    presence: Presence,
    handing: handover::Source,
    started: Instant,
    swept: Instant,
}

fn operation(kind: &str) -> Option<&'static Operation> {
    let verb = kind.strip_prefix("location.")?.strip_suffix(".v1")?;
    OPERATIONS.iter().find(|one| one.verb == verb)
}

impl Service for Location {
    fn name(&self) -> &str {
        "location"
    }

    fn knows(&self, kind: &str) -> bool {
        operation(kind).is_some()
    }

    fn answer(&mut self, ask: &Ask) -> Result<String, Fault> {
        let operation = operation(ask.kind()).ok_or_else(|| Fault::new("bus.unknown_type"))?;
        let fields = Fields::read(ask.data(), operation.form)?;
        fields.allow(operation.access, ask.actor())?;
        let is_of_hand_over = operation.verb.starts_with("state.") || operation.verb == "facts.read";
        if self.handing.is_sealed() && !is_of_hand_over {
            return Err(Fault::unavailable("the state goes over to another program"));
        }
        self.presence.cause = Cause {
            id: Some(ask.id().into()),
            correlation: Some(ask.correlation().into()),
            trace: ask.trace().map(str::to_owned),
        };
        (operation.answer)(self, &fields)
    }

    fn turn(&mut self) -> i64 {
        if self.swept.elapsed() >= Duration::from_secs(1) && !self.handing.is_sealed() {
            self.swept = Instant::now();
            self.presence.cause = Cause::default();
            self.presence.sweep();
        }
        self.presence.store.turn();
        500
    }
}

/// Where the state is: one process at a time has it open. The lock ends with the process.
fn lock(home: &Path) -> Result<File, String> {
    std::fs::create_dir_all(home).map_err(|error| format!("{}: {error}", home.display()))?;
    let file = File::create(home.join("lock")).map_err(|error| error.to_string())?;
    // SAFETY: the descriptor is open as long as `file` is.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
        return Err(format!("another process has the state in {} open", home.display()));
    }
    Ok(file)
}

fn home() -> PathBuf {
    let data = std::env::var("BILLFOLD_DATA")
        .ok()
        .filter(|data| !data.is_empty())
        .map(PathBuf::from);
    let own = || PathBuf::from(std::env::var("HOME").unwrap_or_default()).join(".local/share/billfold");
    data.unwrap_or_else(own).join("location.rs")
}

fn run() -> Result<(), String> {
    let home = home();
    let _lock = lock(&home)?;
    let file = home.join("location.sqlite");
    bus::heed_signals();
    let context = zmq::Context::new();
    let traces = match std::env::var("BILLFOLD_TAKE_OVER").as_deref() {
        Ok("1") => handover::take_over(&context, &file)?,
        _ => Vec::new(),
    };
    if bus::is_stopping() {
        return Ok(());
    }
    let store = Store::open(&context, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    let names = names::Names::new(&context).map_err(|error| error.to_string())?;
    let presence = Presence::load(store, names, &traces).map_err(|error| error.to_string())?;
    let (handing, now) = (handover::Source::default(), Instant::now());
    bus::serve(
        &context,
        &mut Location {
            presence,
            handing,
            started: now,
            swept: now,
        },
    );
    Ok(())
}

fn main() {
    if let Err(why) = run() {
        eprintln!("location: {why}");
        std::process::exit(1);
    }
}
