//! A place in the scene's document, with what stands there.

use serde_json::{Value, json};

use super::schema::Node;
use crate::action::Action;

/// A place in the document.
#[derive(Clone, Debug)]
pub(super) struct Spot<'a> {
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// What holds there: as written, else the default.
    pub value: &'a Value,
    /// Whether it is written.
    pub written: bool,
    /// The nearest object above that is not written and has fields that must be: it is written
    /// whole with its defaults when anything in it is set.
    above: Option<(String, &'a Value)>,
}

impl<'a> Spot<'a> {
    /// The whole document.
    pub fn whole(scene: &'a Value) -> Self {
        Self { pointer: String::new(), value: scene, written: true, above: None }
    }

    /// A field of the object here.
    pub fn field(&self, node: &Node<'a>) -> Self {
        let pointer = format!("{}/{}", self.pointer, escape(node.name));
        let here = self.value.get(node.name).filter(|value| !value.is_null());
        let value = here.unwrap_or_else(|| node.default());
        let written = self.written && here.is_some();
        let whole = !written && !node.required(value).is_empty() && value.is_object();
        let above = self.above.clone().or_else(|| whole.then(|| (pointer.clone(), value)));
        Self { pointer, value, written, above }
    }

    /// An entry of the list or map here.
    pub fn entry(&self, key: &str, value: &'a Value) -> Self {
        let pointer = format!("{}/{}", self.pointer, escape(key));
        Self { pointer, value, written: self.written, above: self.above.clone() }
    }

    /// Sets what stands here.
    pub fn set(&self, value: Value) -> Action {
        if let Some((pointer, default)) = &self.above
            && let Some(below) = self.pointer.strip_prefix(pointer.as_str())
            && !below.is_empty()
        {
            let mut whole = (*default).clone();
            put(&mut whole, below, value);
            return Action::Set { pointer: pointer.clone(), value: whole };
        }
        Action::Set { pointer: self.pointer.clone(), value }
    }
}

/// Puts `value` at `pointer` below `whole`, making objects on the way.
fn put(whole: &mut Value, pointer: &str, value: Value) {
    let mut at = whole;
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        at = match at {
            Value::Array(list) => match key.parse::<usize>().ok().and_then(|i| list.get_mut(i)) {
                Some(entry) => entry,
                None => return,
            },
            other => {
                if !other.is_object() {
                    *other = json!({});
                }
                &mut other[key.as_str()]
            }
        };
    }
    *at = value;
}

/// A name as a step of a JSON pointer.
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A number with the digits that a hand can mean.
pub(crate) fn rounded(value: f64) -> f64 {
    rounded_to(value, 6)
}

/// A number with so many digits.
pub(crate) fn rounded_to(value: f64, digits: usize) -> f64 {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    text.parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_digits_that_were_meant() {
        assert_eq!(rounded(0.1 + 0.2), 0.3);
        assert_eq!(rounded(1234567.0), 1234570.0);
        assert_eq!(rounded(-9.81), -9.81);
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escape("a/b~c"), "a~1b~0c");
    }

    #[test]
    fn what_is_not_written_is_written_with_what_it_needs() {
        let default = json!({ "stiffness": 1.0, "damping": 0.0 });
        let value = json!(0.0);
        let spot = Spot {
            pointer: "/springs/bend/damping".to_owned(),
            value: &value,
            written: false,
            above: Some(("/springs/bend".to_owned(), &default)),
        };
        let expected = json!({ "stiffness": 1.0, "damping": 0.5 });
        let action = Action::Set { pointer: "/springs/bend".to_owned(), value: expected };
        assert_eq!(spot.set(json!(0.5)), action);
    }
}
