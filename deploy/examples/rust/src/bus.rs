//! The bus as docs/zeromq-binding.md has it: envelopes, refusals, the worker's and the client's side of 18/MDP.

use crate::{strict, time};
use serde_json::value::RawValue;
use serde_json::{json, Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CLIENT: &[u8] = b"MDPC02";
const WORKER: &[u8] = b"MDPW02";
const READY: &[u8] = b"\x01";
const REQUEST_OF_CLIENT: &[u8] = b"\x01";
const REQUEST: &[u8] = b"\x02";
const FINAL: &[u8] = b"\x04";
const HEARTBEAT: &[u8] = b"\x05";
const DISCONNECT: &[u8] = b"\x06";

const HEARTBEAT_EVERY: Duration = Duration::from_secs(2);
const BROKER_SILENCE: Duration = Duration::from_secs(10);
/// How long a signal or a turn may have to wait.
const WAIT_MILLISECONDS: i64 = 250;
pub const ENVELOPE_BYTES: usize = 65_536;
/// Of a page's rows or facts: the envelope around them has room for the rest.
pub const PAGE_BYTES: usize = 62 * 1024;

pub fn endpoint(socket: &str) -> String {
    let run = std::env::var("BILLFOLD_RUN").ok().filter(|run| !run.is_empty());
    // SAFETY: getuid has no precondition and cannot fail.
    let run = run.unwrap_or_else(|| format!("/tmp/billfold-{}", unsafe { libc::getuid() }));
    format!("ipc://{run}/{socket}.sock")
}

/// 32 hex digits.
pub fn new_id() -> String {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .expect("/dev/urandom to give random bytes");
    format!("{:032x}", u128::from_be_bytes(bytes))
}

// Refusals.

/// Code, status, retry advice, title: docs/messages.md.
const FAULTS: [(&str, u16, &str, &str); 17] = [
    ("bus.malformed", 400, "never", "The message is malformed"),
    ("bus.too_large", 413, "never", "The message is too large"),
    (
        "bus.unknown_type",
        404,
        "never",
        "The service does not answer this type",
    ),
    (
        "bus.deadline_exceeded",
        504,
        "later",
        "The deadline passed before anything was done",
    ),
    ("bus.forbidden", 403, "never", "The actor may not do this"),
    ("bus.unavailable", 503, "same_key", "The service is in trouble"),
    (
        "location.coordinate_invalid",
        422,
        "never",
        "There is no such point on the globe",
    ),
    ("location.time_invalid", 422, "never", "The time lies in the future"),
    ("location.too_many_fixes", 422, "never", "Too many fixes in one ask"),
    (
        "location.sharing_off",
        409,
        "never",
        "The customer does not share a position",
    ),
    ("location.position_unknown", 404, "never", "No position is known"),
    ("location.place_not_found", 404, "never", "There is no such place"),
    ("location.name_invalid", 422, "never", "The place's name is not valid"),
    (
        "location.id_reused",
        422,
        "never",
        "The same id was used for another place",
    ),
    ("location.too_many_places", 409, "never", "No more places can be added"),
    (
        "location.presence_stale",
        409,
        "later",
        "No fresh position of the customer is known",
    ),
    (
        "location.presence_far",
        409,
        "later",
        "The customer is not at this place",
    ),
];

/// A refusal: one of `FAULTS`, and what is said of this occurrence.
#[derive(Debug)]
pub struct Fault {
    pub code: &'static str,
    detail: String,
}

impl Fault {
    pub fn new(code: &'static str) -> Fault {
        Fault {
            code,
            detail: String::new(),
        }
    }

    pub fn malformed(detail: impl Into<String>) -> Fault {
        Fault {
            code: "bus.malformed",
            detail: detail.into(),
        }
    }

    pub fn unavailable(detail: impl Into<String>) -> Fault {
        Fault {
            code: "bus.unavailable",
            detail: detail.into(),
        }
    }

    fn problem(&self) -> Value {
        let (code, status, retry, title) = FAULTS
            .iter()
            .find(|(code, ..)| *code == self.code)
            .expect("the code to be one of FAULTS");
        let mut problem = json!({
            "type": format!("urn:billfold:fault:{code}"), "title": title, "status": status, "code": code, "retry": retry});
        if !self.detail.is_empty() {
            problem["detail"] = self.detail.as_str().into();
        }
        problem
    }
}

// Envelopes.

/// An event as text. `data` is JSON that is written already, so that a fact goes on byte for byte.
pub fn envelope(source: &str, kind: &str, attributes: &[(&str, Option<&str>)], data: &str) -> String {
    let mut head = Map::new();
    head.insert("specversion".into(), "1.0".into());
    head.insert("id".into(), new_id().into());
    head.insert("source".into(), source.into());
    head.insert("type".into(), kind.into());
    head.insert("time".into(), time::shown(time::now()).into());
    for (name, value) in attributes {
        if let Some(value) = value {
            head.insert((*name).into(), (*value).into());
        }
    }
    let mut text = Value::Object(head).to_string();
    text.pop();
    format!("{text},\"data\":{data}}}")
}

/// An ask that can be read.
pub struct Ask {
    attributes: Map<String, Value>,
}

impl Ask {
    fn read(frame: &[u8]) -> Result<Ask, Fault> {
        if frame.len() > ENVELOPE_BYTES {
            return Err(Fault::new("bus.too_large"));
        }
        let malformed = |why: &str| Fault::malformed(format!("envelope: {why}"));
        let attributes = match strict::read(frame).map_err(|why| malformed(&why))? {
            Value::Object(attributes) => attributes,
            _ => return Err(malformed("it is no object")),
        };
        let ask = Ask { attributes };
        for name in ["specversion", "id", "source", "type"] {
            if ask.text(name).map_or(true, str::is_empty) {
                return Err(malformed(&format!("'{name}' is needed")));
            }
        }
        if ask.text("specversion") != Some("1.0") {
            return Err(malformed("'specversion' is 1.0"));
        }
        for name in [
            "correlationid",
            "causationid",
            "traceparent",
            "datacontenttype",
            "idempotencykey",
            "time",
            "expirytime",
            "actor",
        ] {
            let value = ask.attributes.get(name).unwrap_or(&Value::Null);
            if !(value.is_null() || value.is_string()) {
                return Err(malformed(&format!("'{name}' is a text")));
            }
        }
        for name in ["time", "expirytime"] {
            if ask.text(name).map_or(false, |text| time::parsed(text).is_none()) {
                return Err(malformed(&format!("'{name}' is no time")));
            }
        }
        if ask.text("actor").map_or(false, |_| ask.actor().is_none()) {
            return Err(malformed("an actor is role:id"));
        }
        Ok(ask)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).and_then(Value::as_str)
    }

    pub fn kind(&self) -> &str {
        self.text("type").unwrap_or("")
    }

    pub fn id(&self) -> &str {
        self.text("id").unwrap_or("")
    }

    pub fn correlation(&self) -> &str {
        self.text("correlationid").unwrap_or_else(|| self.id())
    }

    pub fn trace(&self) -> Option<&str> {
        self.text("traceparent")
    }

    /// Role and id of the account on whose behalf it is asked.
    pub fn actor(&self) -> Option<(&str, &str)> {
        let (role, id) = self.text("actor")?.split_once(':')?;
        let is_one = ["customer", "merchant", "administrator"].contains(&role) && is_id(id);
        is_one.then(|| (role, id))
    }

    pub fn data(&self) -> Value {
        self.attributes.get("data").cloned().unwrap_or_else(|| json!({}))
    }

    fn is_late(&self) -> bool {
        self.text("expirytime")
            .and_then(time::parsed)
            .map_or(false, |expiry| expiry <= time::now())
    }
}

pub fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|one| matches!(one, b'0'..=b'9' | b'a'..=b'f'))
}

// The worker's side.

/// What answers asks. An answer is the reply's data, as JSON text.
pub trait Service {
    fn name(&self) -> &str;
    fn knows(&self, kind: &str) -> bool;
    fn answer(&mut self, ask: &Ask) -> Result<String, Fault>;
    /// What is to be done between asks. Returns after how many milliseconds it is wanted again.
    fn turn(&mut self) -> i64;
    /// Whether it has no more to do.
    fn is_over(&self) -> bool {
        false
    }
}

static STOPPING: AtomicBool = AtomicBool::new(false);

extern "C" fn stop(_signal: libc::c_int) {
    STOPPING.store(true, Ordering::Relaxed);
}

/// Whether a signal has told this process to end.
pub fn is_stopping() -> bool {
    STOPPING.load(Ordering::Relaxed)
}

/// Lets SIGTERM and SIGINT end `serve` after the ask under way.
pub fn heed_signals() {
    for signal in [libc::SIGTERM, libc::SIGINT] {
        // SAFETY: the handler does nothing but store an atomic.
        unsafe { libc::signal(signal, stop as extern "C" fn(libc::c_int) as libc::sighandler_t) };
    }
}

/// Answers asks until a signal comes or the service is over.
pub fn serve(context: &zmq::Context, service: &mut dyn Service) {
    while !is_stopping() && !service.is_over() {
        // A socket that fails is given up; the next one begins with READY.
        if let Err(error) = connection(context, service) {
            if error != zmq::Error::EINTR {
                eprintln!("the bus: {error}");
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
}

/// One connection to the broker, from READY until it falls silent, says DISCONNECT, or this process is to end.
fn connection(context: &zmq::Context, service: &mut dyn Service) -> Result<(), zmq::Error> {
    let socket = context.socket(zmq::DEALER)?;
    socket.set_linger(500)?;
    socket.connect(&endpoint("asks"))?;
    socket.send_multipart([WORKER, READY, service.name().as_bytes()], zmq::DONTWAIT)?;
    let (mut heard, mut spoken) = (Instant::now(), Instant::now());
    // A stop is looked for between asks: what was taken is answered.
    while !is_stopping() && !service.is_over() && heard.elapsed() < BROKER_SILENCE {
        let wait = service.turn().min(WAIT_MILLISECONDS);
        if spoken.elapsed() >= HEARTBEAT_EVERY {
            spoken = Instant::now();
            socket.send_multipart([WORKER, HEARTBEAT], zmq::DONTWAIT)?;
        }
        match socket.poll(zmq::POLLIN, wait) {
            Ok(0) | Err(zmq::Error::EINTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(error),
        }
        let frames = socket.recv_multipart(zmq::DONTWAIT)?;
        heard = Instant::now();
        match frames.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] {
            [WORKER, DISCONNECT, ..] => {
                std::thread::sleep(Duration::from_millis(100));
                return Ok(());
            }
            [WORKER, REQUEST, token, _, ref body @ ..] => {
                // More than one frame is no envelope.
                let body: &[u8] = if let [one] = body { one } else { b"" };
                let answer = answer(service, body);
                socket.send_multipart([WORKER, FINAL, token, b"", answer.as_bytes()], zmq::DONTWAIT)?;
            }
            _ => {}
        }
    }
    socket.send_multipart([WORKER, DISCONNECT], zmq::DONTWAIT)
}

/// The envelope to answer with, whatever the frame holds: the checks of the binding, in its order.
fn answer(service: &mut dyn Service, frame: &[u8]) -> String {
    let source = service.name().to_owned();
    let ask = match Ask::read(frame) {
        Ok(ask) => ask,
        Err(fault) => return envelope(&source, "bus.fault.v1", &[], &fault.problem().to_string()),
    };
    let about = [
        ("correlationid", Some(ask.correlation())),
        ("causationid", Some(ask.id())),
        ("traceparent", ask.trace()),
    ];
    let outcome = if !service.knows(ask.kind()) {
        Err(Fault::new("bus.unknown_type"))
    } else if ask.is_late() {
        Err(Fault::new("bus.deadline_exceeded"))
    } else {
        service.answer(&ask)
    };
    match outcome {
        Ok(data) => envelope(&source, &format!("{}.reply", ask.kind()), &about, &data),
        Err(fault) => envelope(
            &source,
            &format!("{}.fault", ask.kind()),
            &about,
            &fault.problem().to_string(),
        ),
    }
}

// The client's side.

/// The members of a reply's data; each is JSON as it came.
pub type Members = HashMap<String, Box<RawValue>>;

/// Asks one thing, with repeats while the bus is in trouble. `service`: who is asked, where it is not the type's first part.
pub fn ask(
    context: &zmq::Context,
    service: &str,
    kind: &str,
    data: &Value,
    patience: Duration,
) -> Result<Members, String> {
    let end = Instant::now() + patience;
    let expiry = time::shown(time::now() + patience.as_millis() as i64);
    let frame = envelope("location", kind, &[("expirytime", Some(&expiry))], &data.to_string());
    let mut pause = Duration::from_millis(10);
    loop {
        let refusal = match exchange(context, service, &[frame.clone()], end).pop() {
            None => return Err(format!("{kind}: no answer")),
            Some(answer) => match reply(&answer) {
                Ok(members) => return Ok(members),
                Err(code) => code,
            },
        };
        let is_trouble = ["bus.no_worker", "bus.queue_full", "bus.worker_lost", "bus.unavailable"].contains(&&*refusal);
        if !is_trouble || Instant::now() + pause >= end {
            return Err(format!("{kind}: {refusal}"));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(500));
    }
}

/// Sends all frames at once; returns the answers that came in time, in any order.
pub fn exchange(context: &zmq::Context, service: &str, frames: &[String], end: Instant) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    let attempt = |answers: &mut Vec<Vec<u8>>| -> Result<(), zmq::Error> {
        let socket = context.socket(zmq::DEALER)?;
        socket.set_linger(0)?;
        socket.connect(&endpoint("asks"))?;
        for frame in frames {
            socket.send_multipart(
                [CLIENT, REQUEST_OF_CLIENT, service.as_bytes(), frame.as_bytes()],
                zmq::DONTWAIT,
            )?;
        }
        while answers.len() < frames.len() {
            let wait = end.saturating_duration_since(Instant::now()).as_millis() as i64;
            match socket.poll(zmq::POLLIN, wait) {
                Ok(0) => break,
                Err(zmq::Error::EINTR) if !is_stopping() => continue,
                Ok(_) => {}
                Err(error) => return Err(error),
            }
            let mut parts = socket.recv_multipart(zmq::DONTWAIT)?;
            if parts.len() == 4 {
                answers.extend(parts.pop());
            }
        }
        Ok(())
    };
    if let Err(error) = attempt(&mut answers) {
        eprintln!("asking {service}: {error}");
    }
    answers
}

/// The data of a reply, or the code of a refusal.
pub fn reply(answer: &[u8]) -> Result<Members, String> {
    let read = || -> Option<Result<Members, String>> {
        let event: Members = serde_json::from_slice(answer).ok()?;
        let kind: String = serde_json::from_str(event.get("type")?.get()).ok()?;
        let data: Members = serde_json::from_str(event.get("data")?.get()).ok()?;
        if kind.ends_with(".reply") {
            return Some(Ok(data));
        }
        let word = |name: &str| {
            data.get(name)
                .and_then(|raw| serde_json::from_str::<String>(raw.get()).ok())
        };
        Some(Err(word("code").unwrap_or_default()))
    };
    read().unwrap_or_else(|| Err("an answer that cannot be read".into()))
}
