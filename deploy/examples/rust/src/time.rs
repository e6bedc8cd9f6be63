//! Moments as milliseconds since 1970, and as RFC 3339.

use std::time::{SystemTime, UNIX_EPOCH};

pub fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64)
}

/// In UTC with three decimals.
pub fn shown(milliseconds: i64) -> String {
    let (days, rest) = (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000));
    let (year, month, day) = date(days);
    let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!(
        "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{:03}Z",
        rest % 1000
    )
}

/// With any offset; what is behind the milliseconds is dropped. `None` for a text that is no RFC 3339.
pub fn parsed(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if bytes.len() < 20 || !text.is_ascii() {
        return None;
    }
    for (at, sign) in [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')] {
        if bytes[at].to_ascii_uppercase() != sign {
            return None;
        }
    }
    let (year, month, day) = (digits(&text[..4])?, digits(&text[5..7])?, digits(&text[8..10])?);
    let (hour, minute, second) = (digits(&text[11..13])?, digits(&text[14..16])?, digits(&text[17..19])?);
    let days = days(year, month, day);
    if year < 1 || date(days) != (year, month, day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let zone_at = 19 + text[19..].find(|one| matches!(one, 'Z' | 'z' | '+' | '-'))?;
    let thousandths = match &text[19..zone_at] {
        "" => 0,
        fraction => {
            let fraction = fraction.strip_prefix('.').filter(|one| one.len() <= 9)?;
            digits(fraction)?;
            digits(&format!("{fraction:0<3}")[..3])?
        }
    };
    let zone = &text[zone_at..];
    let ahead = match zone.len() {
        1 if zone.eq_ignore_ascii_case("Z") => 0,
        6 if &zone[3..4] == ":" => {
            let (hours, minutes) = (digits(&zone[1..3])?, digits(&zone[4..6])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if zone.starts_with('-') { -1 } else { 1 }
        }
        _ => return None,
    };
    Some(((days * 24 + hour) * 60 + minute - ahead) * 60_000 + second * 1000 + thousandths)
}

fn digits(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|one| one.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Days since 1970 of a date in the Gregorian calendar. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of `days`.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}
