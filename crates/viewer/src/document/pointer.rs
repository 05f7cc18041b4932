//! Places in a scene by JSON pointer (RFC 6901): `/bodies/0/shape/size_m/1`.

use serde_json::{Map, Value};

/// Why a place cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no place `{pointer}` in the scene: {reason}")]
pub struct PointerError {
    /// The place.
    pub pointer: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Puts a value at a place. What is missing on the way comes from `full`, the same scene with
/// every default filled in, or is made.
pub fn set(
    root: &mut Value,
    full: &Value,
    pointer: &str,
    value: Value,
) -> Result<(), PointerError> {
    *reach(root, full, pointer)? = value;
    Ok(())
}

/// Puts an entry into a list: at its end if `pointer` names the list, else before the entry that
/// `pointer` names (`-` is past the last). A name in a group gets the value.
pub fn insert(
    root: &mut Value,
    full: &Value,
    pointer: &str,
    value: Value,
) -> Result<(), PointerError> {
    let fail = |reason: &str| PointerError::new(pointer, reason);
    let is_list =
        |at: &str| root.pointer(at).or_else(|| full.pointer(at)).is_some_and(Value::is_array);
    if is_list(pointer) {
        list(root, full, pointer)?.push(value);
        return Ok(());
    }
    let (parent, last) =
        pointer.rsplit_once('/').ok_or_else(|| fail("it does not start with /"))?;
    if !is_list(parent) {
        return set(root, full, pointer, value);
    }
    let list = list(root, full, parent)?;
    let index = if last == "-" { Some(list.len()) } else { index(last) };
    match index {
        Some(index) if index <= list.len() => list.insert(index, value),
        _ => return Err(fail("the list is shorter")),
    }
    Ok(())
}

/// The list at a place, made if it is missing.
fn list<'a>(
    root: &'a mut Value,
    full: &Value,
    pointer: &str,
) -> Result<&'a mut Vec<Value>, PointerError> {
    let place = reach(root, full, pointer)?;
    if place.is_null() {
        *place = full.pointer(pointer).cloned().unwrap_or_default();
    }
    place.as_array_mut().ok_or_else(|| PointerError::new(pointer, "it is no list"))
}

/// Takes a field or list entry out.
pub fn remove(root: &mut Value, pointer: &str) -> Result<Value, PointerError> {
    let fail = |reason: &str| PointerError::new(pointer, reason);
    let (parent, last) =
        pointer.rsplit_once('/').ok_or_else(|| fail("it does not start with /"))?;
    let taken = match root.pointer_mut(parent) {
        Some(Value::Object(fields)) => fields.shift_remove(&unescape(last)),
        Some(Value::Array(list)) => {
            let index = index(last).filter(|index| *index < list.len());
            index.map(|index| list.remove(index))
        }
        _ => None,
    };
    taken.ok_or_else(|| fail("nothing is there"))
}

/// A name as a part of a pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// The place itself, made if it is missing.
fn reach<'a>(
    root: &'a mut Value,
    full: &Value,
    pointer: &str,
) -> Result<&'a mut Value, PointerError> {
    let fail = |reason: String| PointerError::new(pointer, reason);
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(fail("it does not start with /".to_owned()));
    }
    let mut place = root;
    let mut default = Some(full);
    for part in pointer.split('/').skip(1) {
        let name = unescape(part);
        if place.is_null() {
            *place = match default {
                Some(value) if !value.is_null() => value.clone(),
                _ => Value::Object(Map::new()),
            };
        }
        default = default.and_then(|value| match value {
            Value::Object(fields) => fields.get(&name),
            Value::Array(list) => index(part).and_then(|index| list.get(index)),
            _ => None,
        });
        place = match place {
            Value::Object(fields) => fields.entry(name).or_insert(Value::Null),
            Value::Array(list) => {
                let count = list.len();
                let found = index(part).and_then(|index| list.get_mut(index));
                found.ok_or_else(|| fail(format!("`{part}` is not one of {count} entries")))?
            }
            _ => return Err(fail(format!("nothing can be inside a plain value at `{part}`"))),
        };
    }
    Ok(place)
}

fn index(part: &str) -> Option<usize> {
    let plain = part == "0" || !part.starts_with(['0', '+']);
    part.parse().ok().filter(|_| plain)
}

impl PointerError {
    fn new(pointer: &str, reason: impl Into<String>) -> Self {
        Self { pointer: pointer.to_owned(), reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_missing_is_made_from_the_defaults() {
        let full = json!({ "gravity": [0, -9.81, 0], "time": { "rate": 60, "steps": 4 } });
        let mut root = json!({});
        set(&mut root, &full, "/gravity/1", json!(-1)).unwrap();
        set(&mut root, &full, "/time/steps", json!(8)).unwrap();
        set(&mut root, &full, "/look/bodies/a~1b~0c/color", json!([1])).unwrap();
        let wanted = json!({
            "gravity": [0, -1, 0],
            "time": { "rate": 60, "steps": 8 },
            "look": { "bodies": { "a/b~c": { "color": [1] } } },
        });
        assert_eq!(root, wanted);
        assert_eq!(escape("a/b~c"), "a~1b~0c");
    }

    #[test]
    fn lists_grow_where_they_are_told_to() {
        let full = json!({ "pins": [] });
        let mut root = json!({ "list": [1, 2] });
        insert(&mut root, &full, "/list", json!(3)).unwrap();
        insert(&mut root, &full, "/list/0", json!(0)).unwrap();
        insert(&mut root, &full, "/list/-", json!(4)).unwrap();
        insert(&mut root, &full, "/pins", json!("p")).unwrap();
        insert(&mut root, &full, "/names/new", json!({})).unwrap();
        assert_eq!(root, json!({ "list": [0, 1, 2, 3, 4], "pins": ["p"], "names": { "new": {} } }));
        assert_eq!(remove(&mut root, "/list/1").unwrap(), json!(1));
        assert_eq!(remove(&mut root, "/names/new").unwrap(), json!({}));
        assert_eq!(root, json!({ "list": [0, 2, 3, 4], "pins": ["p"], "names": {} }));
    }

    #[test]
    fn places_that_cannot_be() {
        let full = json!({});
        let mut root = json!({ "list": [1], "plain": 3 });
        let before = root.clone();
        for pointer in ["/list/1", "/list/x", "/list/01", "/plain/a", "list", "/list/0/a"] {
            assert!(set(&mut root, &full, pointer, json!(0)).is_err(), "{pointer}");
        }
        assert!(insert(&mut root, &full, "/list/5", json!(0)).is_err());
        for pointer in ["/none", "/list/1", "", "/plain/a"] {
            assert!(remove(&mut root, pointer).is_err(), "{pointer}");
        }
        assert_eq!(root, before);
    }
}
