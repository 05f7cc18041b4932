//! Points named by their place in a grid, when the grid gets other counts.

use serde_json::Value;

/// Fields that name points of the grid of body `name`: they keep their place in the cloth, corners
/// stay corners. `from` and `to` are the counts before and after.
pub fn regrid(scene: &mut Value, body: usize, from: [u64; 2], to: [u64; 2]) {
    let Some(name) = scene["bodies"][body]["name"].as_str().map(str::to_owned) else { return };
    if let Some(pins) = scene["bodies"][body].get_mut("pins") {
        walk(pins, &|point| move_point(point, from, to));
    }
    for part in ["sew", "glue", "forces", "expect"] {
        if let Some(part) = scene.get_mut(part) {
            walk_of_body(part, &name, &|point| move_point(point, from, to));
        }
    }
}

/// Finds the objects that speak of a body, however deep.
fn walk_of_body(value: &mut Value, name: &str, change: &dyn Fn(&mut Value)) {
    match value {
        Value::Object(fields) if fields.get("body").and_then(Value::as_str) == Some(name) => {
            walk(value, change);
        }
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(_, field)| walk_of_body(field, name, change));
        }
        Value::Array(entries) => {
            entries.iter_mut().for_each(|entry| walk_of_body(entry, name, change));
        }
        _ => {}
    }
}

/// Changes every point under `point` and `points`.
fn walk(value: &mut Value, change: &dyn Fn(&mut Value)) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields.iter_mut() {
                match (key.as_str(), field) {
                    ("point", point) => change(point),
                    ("points", Value::Array(points)) => points.iter_mut().for_each(change),
                    (_, field) => walk(field, change),
                }
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| walk(entry, change)),
        _ => {}
    }
}

fn move_point(point: &mut Value, from: [u64; 2], to: [u64; 2]) {
    let Some(place) = point.as_array_mut().filter(|place| place.len() == 2) else { return };
    for (axis, coordinate) in place.iter_mut().enumerate() {
        if let Some(at) = coordinate.as_u64() {
            let (last, new_last) =
                (from[axis].saturating_sub(1).max(1), to[axis].saturating_sub(1));
            let share = at.min(last) as f64 / last as f64;
            *coordinate = Value::from((share * new_last as f64).round() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn corners_stay_corners_and_others_keep_their_share() {
        let mut scene = json!({
            "bodies": [
                { "name": "a", "pins": [{ "points": [[0, 29], [29, 29], [10, 0]] }, { "edge": "left" }] },
                { "name": "b", "pins": [{ "points": [[29, 29]] }] },
            ],
            "forces": [{ "kind": "punch", "body": "a", "points": [[29, 0]] }, { "body": "b", "points": [[29, 0]] }],
            "sew": [{ "a": { "body": "a", "points": [[29, 29]] }, "b": { "body": "b", "points": [[29, 29]] } }],
            "expect": { "moved_m": [{ "body": "a", "point": [29, 29] }] },
        });
        regrid(&mut scene, 0, [30, 30], [12, 30]);
        assert_eq!(scene["bodies"][0]["pins"][0]["points"], json!([[0, 29], [11, 29], [4, 0]]));
        assert_eq!(scene["bodies"][1]["pins"][0]["points"], json!([[29, 29]]));
        assert_eq!(scene["forces"][0]["points"], json!([[11, 0]]));
        assert_eq!(scene["forces"][1]["points"], json!([[29, 0]]));
        assert_eq!(scene["sew"][0]["a"]["points"], json!([[11, 29]]));
        assert_eq!(scene["sew"][0]["b"]["points"], json!([[29, 29]]));
        assert_eq!(scene["expect"]["moved_m"][0]["point"], json!([11, 29]));
    }
}
