//! The fields of asks: their form by contract, and who may ask.

use crate::bus::{is_id, Fault};
use crate::time;
use serde_json::{Map, Value};

/// What a field may hold.
#[derive(Clone, Copy)]
pub enum Kind {
    Id,
    Ids,
    Number,
    Text,
    Bool,
    Time,
    Fixes,
}

/// Name, kind, and whether it is needed.
pub type Field = (&'static str, Kind, bool);

/// On whose behalf an ask may be made. Without an actor, a service may ask anything.
#[derive(Clone, Copy)]
pub enum Access {
    Services,
    Administrators,
    Anyone,
    /// The account in the field of the role's name.
    Customer,
    Merchant,
    /// A customer whose own all fixes are.
    OwnFixes,
}

pub const FIX: &[Field] = &[
    ("customer", Kind::Id, true),
    ("latitude", Kind::Number, true),
    ("longitude", Kind::Number, true),
    ("time", Kind::Time, false),
];

/// Fields that have the form of their contract.
pub struct Fields(Map<String, Value>);

impl Fields {
    pub fn read(data: Value, form: &[Field]) -> Result<Fields, Fault> {
        let mut data = match data {
            Value::Object(data) => data,
            _ => return Err(Fault::malformed("data: must be an object")),
        };
        for (name, value) in &data {
            match form.iter().find(|(known, ..)| known == name) {
                None => return Err(Fault::malformed(format!("data: '{name}' is unknown"))),
                Some((_, _, true)) if value.is_null() => {
                    return Err(Fault::malformed(format!("data: '{name}' is missing")))
                }
                Some((_, kind, _)) if !value.is_null() && !kind.has(value) => {
                    return Err(Fault::malformed(format!("data: '{name}' has another form")))
                }
                Some(_) => {}
            }
        }
        for (name, _, is_needed) in form {
            if *is_needed && !data.contains_key(*name) {
                return Err(Fault::malformed(format!("data: '{name}' is missing")));
            }
        }
        data.retain(|_, value| !value.is_null());
        Ok(Fields(data))
    }

    pub fn allow(&self, access: Access, actor: Option<(&str, &str)>) -> Result<(), Fault> {
        let (role, account) = match actor {
            None => return Ok(()),
            Some(actor) => actor,
        };
        let may = match access {
            Access::Services => false,
            Access::Administrators => role == "administrator",
            Access::Anyone => true,
            Access::Customer => role == "customer" && self.0.get("customer").map_or(false, |one| one == account),
            Access::Merchant => role == "merchant" && self.0.get("merchant").map_or(false, |one| one == account),
            Access::OwnFixes => role == "customer" && self.list("fixes").iter().all(|fix| fix["customer"] == account),
        };
        if may {
            Ok(())
        } else {
            Err(Fault::new("bus.forbidden"))
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// An identifier or text that is needed.
    pub fn word(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Value::as_i64)
    }

    pub fn is(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn list(&self, name: &str) -> &[Value] {
        self.0.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// A number within its limits.
    pub fn within(&self, name: &str, low: i64, high: i64) -> Result<Option<i64>, Fault> {
        match self.number(name) {
            Some(number) if !(low..=high).contains(&number) => {
                Err(Fault::malformed(format!("'{name}' is {low} to {high}")))
            }
            found => Ok(found),
        }
    }
}

impl Kind {
    fn has(self, value: &Value) -> bool {
        let is_id = |one: &Value| one.as_str().map_or(false, is_id);
        match self {
            Kind::Id => is_id(value),
            Kind::Ids => value.as_array().map_or(false, |all| all.iter().all(is_id)),
            Kind::Number => value.as_i64().is_some(),
            Kind::Text => value.is_string(),
            Kind::Bool => value.is_boolean(),
            Kind::Time => value.as_str().map_or(false, |text| time::parsed(text).is_some()),
            Kind::Fixes => value.as_array().map_or(false, |all| {
                all.iter().all(|fix| Fields::read(fix.clone(), FIX).is_ok())
            }),
        }
    }
}
