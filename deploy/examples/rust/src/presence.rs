//! The rules of Services/Location/README.md: who shares, where they were last, places, visits, and who is near.
//!
//! Memory has all of it; what has to outlive the process is written with the facts that tell of it before an answer.

use crate::bus::Fault;
use crate::geometry::{Grid, Point};
use crate::handover::{Changes, Row};
use crate::names::{Account, Names};
use crate::shown::is_shown_and_visible;
use crate::store::{Cause, Fact, Statement, Store};
use crate::time::{now, shown};
use rusqlite::types::Value as Cell;
use serde_json::{json, Value};
use std::collections::{BTreeMap, HashMap};

// Milliseconds.
const KEPT: i64 = 900_000;
const FRESH: i64 = 600_000;
const AHEAD: i64 = 60_000;
const DWELL: i64 = 300_000;
const ALIVE: i64 = 60_000;
const HIDDEN: i64 = 60_000;
// Metres.
const ENTER: f64 = 100.0;
const LEAVE: f64 = 150.0;
const SURELY_LEFT: f64 = 300.0;
const MERCHANTS_WITHIN: f64 = 200.0;
const STEP: f64 = 25.0;
const PLACES_MAX: usize = 100;

struct Visit {
    entered: i64,
    has_dwelled: bool,
    /// The time of a fix outside that may have been a bad one.
    strayed: Option<i64>,
}

/// A customer who shares.
#[derive(Default)]
struct Person {
    /// The time at or before which fixes are too late.
    newest: Option<i64>,
    /// The last known position and its time.
    fix: Option<(Point, i64)>,
    /// The time of the last fact: later ones are not earlier.
    published: i64,
    visits: BTreeMap<String, Visit>,
    /// When visits from before a start end, unless a fix comes.
    awaited: Option<i64>,
}

#[derive(Clone, PartialEq)]
struct Place {
    merchant: String,
    name: String,
    point: Point,
}

pub struct Fix {
    pub customer: String,
    pub latitude: i64,
    pub longitude: i64,
    pub time: Option<i64>,
}

#[derive(PartialEq)]
enum Event {
    Entered,
    Dwelled,
    Exited(&'static str),
}

pub struct Presence {
    pub store: Store,
    pub cause: Cause,
    pub traces: Changes,
    names: Names,
    people: HashMap<String, Person>,
    places: HashMap<String, Place>,
    /// Each merchant's places in the order of their creation.
    owned: HashMap<String, Vec<String>>,
    stands: Grid,
    positions: Grid,
    /// Merchants whom nobody has approved, and until when they are hidden.
    hidden: HashMap<String, i64>,
    /// What the change under way is to write.
    rows: Vec<Statement>,
    facts: Vec<Fact>,
    noted_alive: i64,
}

fn text(value: &str) -> Cell {
    Cell::Text(value.to_owned())
}

fn coarse(metres: f64) -> i64 {
    ((metres / STEP).ceil().max(1.0) * STEP) as i64
}

impl Presence {
    /// Loads what is on the disk, and what another process had in memory, and takes up the visits that are open.
    pub fn load(store: Store, names: Names, traces: &[Row]) -> rusqlite::Result<Presence> {
        let mut presence = Presence {
            store,
            names,
            cause: Cause::default(),
            traces: Changes::default(),
            people: HashMap::new(),
            places: HashMap::new(),
            owned: HashMap::new(),
            stands: Grid::default(),
            positions: Grid::default(),
            hidden: HashMap::new(),
            rows: Vec::new(),
            facts: Vec::new(),
            noted_alive: 0,
        };
        let sharing = presence.all("SELECT customer FROM sharing", |row| row.get::<_, String>(0))?;
        presence.people = sharing
            .into_iter()
            .map(|customer| (customer, Person::default()))
            .collect();
        let places = presence.all(
            "SELECT id, merchant, name, latitude, longitude FROM places ORDER BY number",
            |row| {
                let point = Point {
                    latitude: row.get(3)?,
                    longitude: row.get(4)?,
                };
                Ok((
                    row.get::<_, String>(0)?,
                    Place {
                        merchant: row.get(1)?,
                        name: row.get(2)?,
                        point,
                    },
                ))
            },
        )?;
        for (id, place) in places {
            presence.know(&id, place);
        }
        presence.resume()?;
        for row in traces {
            presence.restore(row);
        }
        Ok(presence)
    }

    fn all<T>(
        &self,
        question: &str,
        read: impl FnMut(&rusqlite::Row) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.store.db.prepare(question)?.query_map([], read)?.collect()
    }

    fn know(&mut self, id: &str, place: Place) {
        let owned = self.owned.entry(place.merchant.clone()).or_default();
        if !owned.iter().any(|one| one == id) {
            owned.push(id.into());
        }
        self.stands.put(id, place.point);
        self.places.insert(id.into(), place);
    }

    fn resume(&mut self) -> rusqlite::Result<()> {
        let at = now();
        let alive: i64 = self
            .store
            .db
            .query_row("SELECT coalesce(max(time), 0) FROM alive", [], |row| row.get(0))?;
        let visits = self.all(
            "SELECT customer, place, merchant, entered, dwelled FROM visits",
            |row| {
                let visit = Visit {
                    entered: row.get(3)?,
                    has_dwelled: row.get::<_, i64>(4)? != 0,
                    strayed: None,
                };
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    visit,
                ))
            },
        )?;
        for (customer, place, merchant, visit) in visits {
            let lapses = alive.max(visit.entered) + ALIVE + KEPT;
            let end = if at >= lapses {
                Some((lapses - ALIVE, "forgotten"))
            } else if !self.people.contains_key(&customer) {
                Some((at.max(visit.entered), "forgotten"))
            } else if !self.places.contains_key(&place) {
                Some((at.max(visit.entered), "removed"))
            } else {
                None
            };
            match (end, self.people.get_mut(&customer)) {
                (None, Some(person)) => {
                    person.published = person.published.max(visit.entered);
                    person.awaited = Some(lapses);
                    person.visits.insert(place, visit);
                }
                (Some((end, reason)), _) => self.tell(Event::Exited(reason), &customer, &place, &merchant, &visit, end),
                (None, None) => {}
            }
        }
        self.note_alive(at);
        Ok(())
    }

    // What is in memory only, as a row of the hand-over.

    pub fn customers_sharing(&self) -> Vec<String> {
        self.people.keys().cloned().collect()
    }

    pub fn trace(&self, customer: &str) -> Option<Row> {
        let person = self.people.get(customer)?;
        let point = person.fix.map(|(point, _)| point);
        let row = json!({
            "customer": customer, "newest": person.newest,
            "published": if person.published == 0 { None } else { Some(person.published) },
            "latitude": point.map(|one| one.latitude), "longitude": point.map(|one| one.longitude),
            "time": person.fix.map(|(_, time)| time)});
        row.as_object().cloned()
    }

    fn restore(&mut self, row: &Row) {
        let number = |name: &str| row.get(name).and_then(Value::as_i64);
        let customer = row.get("customer").and_then(Value::as_str).unwrap_or_default();
        if let Some(person) = self.people.get_mut(customer) {
            person.newest = number("newest");
            person.published = person.published.max(number("published").unwrap_or(0));
            if let (Some(latitude), Some(longitude), Some(time)) =
                (number("latitude"), number("longitude"), number("time"))
            {
                let point = Point { latitude, longitude };
                person.fix = Some((point, time));
                person.awaited = None;
                self.positions.put(customer, point);
            }
        }
    }

    // Writing.

    /// A change at a fence: a fact, and the visit's row.
    fn tell(&mut self, event: Event, customer: &str, place: &str, merchant: &str, visit: &Visit, at: i64) {
        let mut at = at;
        if let Some(person) = self.people.get_mut(customer) {
            at = at.max(person.published);
            person.published = at;
            self.traces.note(customer);
        }
        let mut data = json!({"customer": customer, "merchant": merchant, "place": place, "time": shown(at)});
        if event != Event::Entered {
            data["entered"] = shown(visit.entered).into();
        }
        let kind = match event {
            Event::Entered => "location.fence.entered.v1",
            Event::Dwelled => "location.fence.dwelled.v1",
            Event::Exited(reason) => {
                data["reason"] = reason.into();
                "location.fence.exited.v1"
            }
        };
        self.rows.push(if let Event::Exited(_) = event {
            (
                "DELETE FROM visits WHERE customer = ? AND place = ?",
                vec![text(customer), text(place)],
            )
        } else {
            let numbers = [Cell::Integer(visit.entered), Cell::Integer(visit.has_dwelled.into())];
            let values = [text(customer), text(place), text(merchant)]
                .into_iter()
                .chain(numbers)
                .collect();
            ("INSERT OR REPLACE INTO visits VALUES (?, ?, ?, ?, ?)", values)
        });
        self.facts.push(Fact {
            kind,
            data: data.to_string(),
        });
    }

    fn write(&mut self, statements: Vec<Statement>) {
        let rows: Vec<Statement> = statements.into_iter().chain(self.rows.drain(..)).collect();
        let facts: Vec<Fact> = self.facts.drain(..).collect();
        if !rows.is_empty() {
            self.store.commit(&rows, &facts, &self.cause);
        }
    }

    fn note_alive(&mut self, at: i64) {
        self.noted_alive = at;
        self.write(vec![("INSERT OR REPLACE INTO alive VALUES (1, ?)", vec![at.into()])]);
    }

    /// Forgets positions whose time is up, and visits of customers who sent no fix since the start.
    pub fn sweep(&mut self) {
        let at = now();
        for customer in self.customers_sharing() {
            let person = &mut self.people.get_mut(&customer).expect("one who shares");
            match (person.fix, person.awaited) {
                (Some((_, time)), _) if time + KEPT <= at => self.forget_position(&customer, at),
                (_, Some(awaited)) if awaited <= at => {
                    person.awaited = None;
                    self.end_visits(&customer, awaited);
                }
                _ => {}
            }
        }
        self.write(Vec::new());
        if at - self.noted_alive >= ALIVE {
            self.note_alive(at);
        }
        for merchant in self.names.decided() {
            self.hidden.remove(&merchant);
        }
        self.hidden.retain(|_, until| *until > at);
    }

    // Sharing and positions.

    pub fn sharing(&self, customer: &str) -> Value {
        json!({"customer": customer, "sharing": self.people.contains_key(customer), "keptSeconds": KEPT / 1000})
    }

    pub fn share(&mut self, customer: &str, sharing: bool) -> Value {
        let at = now();
        match (sharing, self.people.contains_key(customer)) {
            (true, false) => {
                self.write(vec![(
                    "INSERT INTO sharing VALUES (?, ?)",
                    vec![text(customer), at.into()],
                )]);
                // A fix of this very moment counts.
                self.people.insert(
                    customer.into(),
                    Person {
                        newest: Some(at - 1),
                        ..Person::default()
                    },
                );
                self.traces.note(customer);
            }
            (false, true) => {
                self.forget_position(customer, at);
                self.write(vec![("DELETE FROM sharing WHERE customer = ?", vec![text(customer)])]);
                self.people.remove(customer);
                self.traces.note(customer);
            }
            _ => {}
        }
        self.sharing(customer)
    }

    fn known(&self, customer: &str, at: i64) -> Result<(Point, i64), Fault> {
        let fix = self.people.get(customer).and_then(|person| person.fix);
        fix.filter(|(_, time)| time + KEPT > at)
            .ok_or_else(|| Fault::new("location.position_unknown"))
    }

    /// Of a customer who shares; visits end now, or when the position expired.
    fn forget_position(&mut self, customer: &str, at: i64) {
        let person = self.people.get_mut(customer).expect("one who shares");
        let end = person.fix.map_or(at, |(_, time)| at.min(time + KEPT));
        person.fix = None;
        person.awaited = None;
        self.positions.remove(customer);
        self.traces.note(customer);
        self.end_visits(customer, end);
    }

    fn end_visits(&mut self, customer: &str, at: i64) {
        let visits = match self.people.get_mut(customer) {
            Some(person) => std::mem::take(&mut person.visits),
            None => return,
        };
        for (place, visit) in visits {
            let merchant = self.places[&place].merchant.clone();
            self.tell(Event::Exited("forgotten"), customer, &place, &merchant, &visit, at);
        }
    }

    pub fn forget(&mut self, customer: &str) -> Value {
        let at = now();
        let was_known = self.known(customer, at).is_ok();
        if self.people.contains_key(customer) {
            self.forget_position(customer, at);
            self.write(Vec::new());
            let person = self.people.get_mut(customer).expect("one who shares");
            person.newest = Some(person.newest.map_or(at, |newest| at.max(newest)));
            self.traces.note(customer);
        }
        json!({ "forgotten": was_known })
    }

    pub fn position(&self, customer: &str) -> Result<Value, Fault> {
        let (point, time) = self.known(customer, now())?;
        Ok(json!({
            "latitude": point.latitude, "longitude": point.longitude, "time": shown(time), "expires": shown(time + KEPT)}))
    }

    pub fn update(&mut self, fix: &Fix) -> Result<Value, Fault> {
        let outcome = self.take(now(), fix);
        self.write(Vec::new());
        Ok(json!({ "outcome": outcome? }))
    }

    pub fn updates(&mut self, fixes: &[Fix]) -> Value {
        let at = now();
        let (mut stored, mut older, mut expired, mut refused) = (0, 0, 0, Vec::new());
        for (index, fix) in fixes.iter().enumerate() {
            match self.take(at, fix) {
                Ok("stored") => stored += 1,
                Ok("older") => older += 1,
                Ok(_) => expired += 1,
                Err(fault) => refused.push(json!({"index": index, "code": fault.code})),
            }
        }
        self.write(Vec::new());
        json!({"stored": stored, "older": older, "expired": expired, "refused": refused})
    }

    fn take(&mut self, at: i64, fix: &Fix) -> Result<&'static str, Fault> {
        let point = Point::new(fix.latitude, fix.longitude).ok_or_else(|| Fault::new("location.coordinate_invalid"))?;
        if fix.time.map_or(false, |time| time > at + AHEAD) {
            return Err(Fault::new("location.time_invalid"));
        }
        let customer = &*fix.customer;
        let person = self
            .people
            .get(customer)
            .ok_or_else(|| Fault::new("location.sharing_off"))?;
        let newest = person.newest;
        let time = fix
            .time
            .map_or_else(|| at.max(newest.unwrap_or(at)), |time| time.min(at));
        if time + KEPT <= at {
            return Ok("expired");
        }
        if newest.map_or(false, |newest| time <= newest) {
            if person.fix == Some((point, time)) {
                return Ok("stored");
            }
            if fix.time.is_some() {
                return Ok("older");
            }
        }
        if let Some((_, last)) = person.fix.filter(|(_, last)| time > last + KEPT) {
            self.end_visits(customer, last + KEPT);
        }
        let person = self.people.get_mut(customer).expect("one who shares");
        person.newest = Some(time);
        person.fix = Some((point, time));
        person.awaited = None;
        self.traces.note(customer);
        self.positions.put(customer, point);
        self.step(customer, point, time);
        Ok("stored")
    }

    /// What one fix means at the fences: first for visits that are open, then for places that are near.
    fn step(&mut self, customer: &str, point: Point, time: i64) {
        let mut visits = std::mem::take(&mut self.people.get_mut(customer).expect("one who shares").visits);
        let open: Vec<String> = visits.keys().cloned().collect();
        for id in open {
            let Place {
                merchant, point: stand, ..
            } = self.places[&id].clone();
            let visit = visits.get_mut(&id).expect("a visit");
            let away = stand.metres(point);
            if away <= LEAVE {
                visit.strayed = None;
                if !visit.has_dwelled && time - visit.entered >= DWELL {
                    visit.has_dwelled = true;
                    self.tell(Event::Dwelled, customer, &id, &merchant, visit, time);
                }
            } else if away <= SURELY_LEFT && visit.strayed.is_none() {
                visit.strayed = Some(time);
            } else {
                let visit = visits.remove(&id).expect("a visit");
                self.tell(
                    Event::Exited("left"),
                    customer,
                    &id,
                    &merchant,
                    &visit,
                    visit.strayed.unwrap_or(time),
                );
            }
        }
        for (_, id) in self.stands.near(point, ENTER) {
            if !visits.contains_key(&id) {
                let visit = Visit {
                    entered: time,
                    has_dwelled: false,
                    strayed: None,
                };
                let merchant = self.places[&id].merchant.clone();
                self.tell(Event::Entered, customer, &id, &merchant, &visit, time);
                visits.insert(id, visit);
            }
        }
        self.people.get_mut(customer).expect("one who shares").visits = visits;
    }

    // Places.

    pub fn put(&mut self, id: &str, merchant: &str, name: &str, latitude: i64, longitude: i64) -> Result<Value, Fault> {
        let point = Point::new(latitude, longitude).ok_or_else(|| Fault::new("location.coordinate_invalid"))?;
        if !(1..=100).contains(&name.len()) || !is_shown_and_visible(name) {
            return Err(Fault::new("location.name_invalid"));
        }
        let place = Place {
            merchant: merchant.into(),
            name: name.into(),
            point,
        };
        let known = self.places.get(id).cloned();
        match &known {
            Some(known) if known.merchant != merchant => return Err(Fault::new("location.id_reused")),
            None if self.owned.get(merchant).map_or(0, Vec::len) >= PLACES_MAX => {
                return Err(Fault::new("location.too_many_places"))
            }
            _ => {}
        }
        if known.as_ref() != Some(&place) {
            if known.map_or(false, |known| known.point != point) {
                self.end_visits_at(id);
            }
            let numbers = [Cell::Integer(latitude), Cell::Integer(longitude)];
            let values = [text(id), text(merchant), text(name)]
                .into_iter()
                .chain(numbers)
                .collect();
            self.write(vec![(
                "INSERT INTO places (id, merchant, name, latitude, longitude) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO \
                 UPDATE SET name = excluded.name, latitude = excluded.latitude, longitude = excluded.longitude",
                values,
            )]);
            self.know(id, place);
        }
        Ok(self.view(id))
    }

    pub fn remove(&mut self, id: &str, merchant: &str) -> Value {
        if self.places.get(id).map_or(true, |place| place.merchant != merchant) {
            return json!({ "removed": false });
        }
        self.end_visits_at(id);
        self.write(vec![("DELETE FROM places WHERE id = ?", vec![text(id)])]);
        self.places.remove(id);
        self.stands.remove(id);
        if let Some(owned) = self.owned.get_mut(merchant) {
            owned.retain(|one| one != id);
        }
        json!({ "removed": true })
    }

    fn end_visits_at(&mut self, id: &str) {
        let at = now();
        let merchant = self.places[id].merchant.clone();
        for customer in self.customers_sharing() {
            let visit = self
                .people
                .get_mut(&customer)
                .and_then(|person| person.visits.remove(id));
            if let Some(visit) = visit {
                self.tell(Event::Exited("removed"), &customer, id, &merchant, &visit, at);
            }
        }
    }

    fn view(&self, id: &str) -> Value {
        let place = &self.places[id];
        json!({
            "place": id, "merchant": place.merchant, "name": place.name, "latitude": place.point.latitude,
            "longitude": place.point.longitude})
    }

    fn owned(&self, merchant: &str) -> &[String] {
        self.owned.get(merchant).map_or(&[], Vec::as_slice)
    }

    pub fn places_of(&self, merchant: &str) -> Value {
        json!({ "places": self.owned(merchant).iter().map(|id| self.view(id)).collect::<Vec<_>>() })
    }

    // Who is near.

    /// Customers near a merchant's place, or near the nearest of all; none for a merchant who is not approved.
    pub fn customers(
        &mut self,
        merchant: &str,
        place: Option<&str>,
        fresh: Option<i64>,
        skip: usize,
        limit: usize,
    ) -> Result<Value, Fault> {
        let own = self.names.of([merchant].into_iter());
        if own.get(merchant).map_or(false, |account| !account.is_approved) {
            return Ok(json!({"customers": [], "total": 0}));
        }
        let places: Vec<String> = self
            .owned(merchant)
            .iter()
            .filter(|one| place.map_or(true, |id| id == *one))
            .cloned()
            .collect();
        if place.is_some() && places.is_empty() {
            return Err(Fault::new("location.place_not_found"));
        }
        let since = now() - fresh.map_or(FRESH, |seconds| seconds * 1000).min(KEPT);
        let mut nearest: HashMap<String, (f64, String, i64)> = HashMap::new();
        for id in &places {
            for (away, customer) in self.positions.near(self.places[id].point, ENTER) {
                let time = self.people[&customer].fix.map_or(0, |(_, time)| time);
                if time > since && nearest.get(&customer).map_or(true, |(known, ..)| away < *known) {
                    nearest.insert(customer, (away, id.clone(), time));
                }
            }
        }
        let mut found: Vec<_> = nearest.into_iter().collect();
        found.sort_by(|one, other| one.1 .0.total_cmp(&other.1 .0).then_with(|| one.0.cmp(&other.0)));
        let page: Vec<_> = found.iter().skip(skip).take(limit).collect();
        let names = self.names.of(page.iter().map(|(customer, _)| &**customer));
        let customers: Vec<Value> = page
            .iter()
            .map(|(customer, (away, place, time))| {
                let mut one =
                    json!({"customer": customer, "place": place, "distanceMetres": coarse(*away), "time": shown(*time)});
                if let Some(account) = names.get(customer) {
                    one["username"] = account.username.as_str().into();
                }
                one
            })
            .collect();
        Ok(with_next(
            json!({"total": found.len(), "customers": customers}),
            skip + page.len(),
            found.len(),
        ))
    }

    /// Places near the customer, but for those of merchants who are not approved.
    pub fn merchants(&mut self, customer: &str, skip: usize, limit: usize) -> Result<Value, Fault> {
        loop {
            let at = now();
            let (point, _) = self.known(customer, at)?;
            let found: Vec<(f64, String)> = self
                .stands
                .near(point, MERCHANTS_WITHIN)
                .into_iter()
                .filter(|(_, id)| {
                    self.hidden
                        .get(&self.places[id].merchant)
                        .map_or(true, |until| *until <= at)
                })
                .collect();
            let page: Vec<_> = found.iter().skip(skip).take(limit).collect();
            let names = self.names.of(page.iter().map(|(_, id)| &*self.places[id].merchant));
            let unapproved = names.iter().filter(|(_, account)| !account.is_approved);
            let hidden: Vec<String> = unapproved.map(|(merchant, _)| merchant.clone()).collect();
            if hidden.is_empty() {
                let merchants: Vec<Value> = page
                    .iter()
                    .map(|(away, id)| self.near_place(*away, id, &names))
                    .collect();
                return Ok(with_next(
                    json!({"total": found.len(), "merchants": merchants}),
                    skip + page.len(),
                    found.len(),
                ));
            }
            self.hidden
                .extend(hidden.into_iter().map(|merchant| (merchant, at + HIDDEN)));
        }
    }

    fn near_place(&self, away: f64, id: &str, names: &HashMap<String, Account>) -> Value {
        let mut one = self.view(id);
        one["distanceMetres"] = (away.ceil() as i64).into();
        if let Some(account) = names.get(&self.places[id].merchant) {
            one["username"] = account.username.as_str().into();
            one["merchantName"] = account.name.as_str().into();
        }
        one
    }

    pub fn prove(&self, customer: &str, merchant: &str, place: Option<&str>) -> Result<Value, Fault> {
        let candidates: Vec<&String> = self
            .owned(merchant)
            .iter()
            .filter(|one| place.map_or(true, |id| id == *one))
            .collect();
        if candidates.is_empty() {
            return Err(Fault::new("location.place_not_found"));
        }
        let at = now();
        let known = self.known(customer, at).ok().filter(|(_, time)| *time >= at - FRESH);
        let (point, time) = known.ok_or_else(|| Fault::new("location.presence_stale"))?;
        let away = |id: &String| self.places[id].point.metres(point);
        let nearest = candidates
            .into_iter()
            .min_by(|one, other| away(one).total_cmp(&away(other)).then_with(|| one.cmp(other)));
        match nearest {
            Some(id) if away(id) <= ENTER => {
                Ok(json!({"place": id, "distanceMetres": coarse(away(id)), "time": shown(time)}))
            }
            _ => Err(Fault::new("location.presence_far")),
        }
    }

    pub fn near(&self, merchants: &[&str], point: Point, radius: i64) -> Value {
        let found: Vec<Value> = merchants
            .iter()
            .filter_map(|merchant| {
                let distances = self
                    .owned(merchant)
                    .iter()
                    .map(|id| self.places[id].point.metres(point));
                let nearest = distances.min_by(f64::total_cmp).filter(|away| *away <= radius as f64)?;
                Some(json!({"merchant": merchant, "distanceMetres": nearest.ceil() as i64}))
            })
            .collect();
        json!({ "merchants": found })
    }
}

/// With where the next page begins, if there is one.
fn with_next(mut reply: Value, shown: usize, total: usize) -> Value {
    if shown < total {
        reply["next"] = shown.into();
    }
    reply
}
