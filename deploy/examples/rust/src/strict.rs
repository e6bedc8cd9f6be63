//! JSON as strictly as docs/wire.md reads it: `serde_json` lets double keys, escaped keys and U+0000 pass.

use serde_json::Value;
use std::collections::HashSet;

const DEPTH: usize = 32;

/// What a text holds, or why it is refused.
pub fn read(bytes: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    check(text)?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Counts the depth, and looks at each text and key as it is written.
fn check(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let mut keys: Vec<HashSet<&str>> = Vec::new(); // of each object or array that is open
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                keys.push(HashSet::new());
                if keys.len() > DEPTH {
                    return Err(format!("nested deeper than {DEPTH}"));
                }
            }
            b'}' | b']' => drop(keys.pop()),
            b'"' => {
                let end = end_of_text(bytes, at + 1).ok_or("a text has no end")?;
                let written = &text[at + 1..end];
                let is_escaped = written.contains('\\');
                if is_escaped && decoded(&text[at..=end])?.contains('\0') {
                    return Err("a text has U+0000".into());
                }
                at = end;
                if bytes[end + 1..].iter().find(|byte| !b" \t\r\n".contains(byte)) == Some(&b':') {
                    if is_escaped {
                        return Err("a key is written with an escape".into());
                    }
                    if !keys.last_mut().map_or(false, |known| known.insert(written)) {
                        return Err(format!("the key '{written}' is given twice"));
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

fn end_of_text(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while *bytes.get(at)? != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

fn decoded(text: &str) -> Result<String, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
