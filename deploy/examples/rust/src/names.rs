//! Accounts as auth has them: asked once each, all that a reply needs at once, and for 0.3 s at most.

use crate::bus::{endpoint, envelope, exchange, reply};
use crate::time;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

#[derive(Clone)]
pub struct Account {
    pub username: String,
    pub name: String,
    /// False of a merchant whom nobody has approved.
    pub is_approved: bool,
}

pub struct Names {
    context: zmq::Context,
    /// auth's decisions about merchants: hints that what is remembered is out of date.
    decisions: zmq::Socket,
    /// `None` for an account that there is not.
    known: HashMap<String, Option<Account>>,
}

const PATIENCE: Duration = Duration::from_millis(300);
/// When so many are known, all are forgotten and asked again.
const KNOWN_MAX: usize = 100_000;
const DECIDED: &str = "auth.merchant.decided.v1";

impl Names {
    pub fn new(context: &zmq::Context) -> Result<Names, zmq::Error> {
        let decisions = context.socket(zmq::SUB)?;
        decisions.connect(&endpoint("facts-out"))?;
        decisions.set_subscribe(format!("{DECIDED}\0").as_bytes())?;
        Ok(Names {
            context: context.clone(),
            decisions,
            known: HashMap::new(),
        })
    }

    /// The accounts that auth knows. Those of which it says nothing in time are left out.
    pub fn of<'a>(&mut self, accounts: impl Iterator<Item = &'a str>) -> HashMap<String, Account> {
        let wanted: HashSet<&str> = accounts.collect();
        if self.known.len() > KNOWN_MAX {
            self.known.clear();
        }
        let missing: Vec<&str> = wanted
            .iter()
            .copied()
            .filter(|one| !self.known.contains_key(*one))
            .collect();
        let mut found = self.ask(&missing);
        for account in wanted {
            if let Some(Some(known)) = self.known.get(account) {
                found.insert(account.into(), known.clone());
            }
        }
        found
    }

    /// Remembers all but merchants who are not approved; returns those.
    fn ask(&mut self, missing: &[&str]) -> HashMap<String, Account> {
        let mut unapproved = HashMap::new();
        if missing.is_empty() {
            return unapproved;
        }
        let expiry = time::shown(time::now() + PATIENCE.as_millis() as i64);
        // Each frame's correlation names the account: a refusal has it too.
        let frames: Vec<String> = missing
            .iter()
            .map(|account| {
                let about = [("expirytime", Some(&*expiry)), ("correlationid", Some(*account))];
                envelope(
                    "location",
                    "auth.account.read.v1",
                    &about,
                    &json!({ "account": account }).to_string(),
                )
            })
            .collect();
        for answer in exchange(&self.context, "auth", &frames, Instant::now() + PATIENCE) {
            let event: serde_json::Value = serde_json::from_slice(&answer).unwrap_or_default();
            let account = match event["correlationid"].as_str() {
                Some(account) => account.to_owned(),
                None => continue,
            };
            match reply(&answer) {
                Ok(_) => {
                    let text = |name: &str| event["data"][name].as_str().unwrap_or_default().to_owned();
                    let is_approved = text("role") != "merchant" || text("status") == "approved";
                    let found = Account {
                        username: text("username"),
                        name: text("name"),
                        is_approved,
                    };
                    if is_approved {
                        self.known.insert(account, Some(found));
                    } else {
                        unapproved.insert(account, found);
                    }
                }
                Err(code) if code == "auth.account_not_found" => drop(self.known.insert(account, None)),
                Err(_) => {}
            }
        }
        unapproved
    }

    /// Forgets merchants about whom auth has decided since; returns them.
    pub fn decided(&mut self) -> Vec<String> {
        let mut merchants = Vec::new();
        while let Ok(frames) = self.decisions.recv_multipart(zmq::DONTWAIT) {
            let event: serde_json::Value = frames
                .last()
                .and_then(|one| serde_json::from_slice(one).ok())
                .unwrap_or_default();
            if let Some(merchant) = event["data"]["merchant"].as_str() {
                self.known.remove(merchant);
                merchants.push(merchant.to_owned());
            }
        }
        merchants
    }
}
