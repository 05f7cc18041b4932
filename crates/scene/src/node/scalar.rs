//! What a plain scalar means: the YAML 1.2 core schema.

use super::Value;

/// Reads an unquoted scalar. `yes`, `on` and `1_000` are text, as YAML 1.2 has it.
pub fn resolve_plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Value::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Value::Float(f64::NEG_INFINITY),
        _ => number(text).unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

fn number(text: &str) -> Option<Value> {
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    // Rust also reads "inf", "nan" and "infinity", which are words here.
    let numeric = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !numeric || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    match text.parse::<i64>() {
        Ok(int) => Some(Value::Int(int)),
        Err(_) => text.parse::<f64>().ok().map(Value::Float),
    }
}

fn radix(digits: &str, radix: u32) -> Option<Value> {
    // from_str_radix would also take a sign here.
    let plain = digits.bytes().all(|b| b.is_ascii_alphanumeric());
    plain.then(|| i64::from_str_radix(digits, radix).ok()).flatten().map(Value::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_schema() {
        assert_eq!(resolve_plain("0x1F"), Value::Int(31));
        assert_eq!(resolve_plain("-12"), Value::Int(-12));
        assert_eq!(resolve_plain("+.5"), Value::Float(0.5));
        assert_eq!(resolve_plain("1e3"), Value::Float(1000.0));
        assert_eq!(resolve_plain("1e999"), Value::Float(f64::INFINITY));
        assert_eq!(resolve_plain("~"), Value::Null);
        for word in ["inf", "nan", "yes", "1_000", "0x", "0x-1", "1-2", ".", "+", "e", "1.2.3"] {
            assert_eq!(resolve_plain(word), Value::String(word.into()), "{word}");
        }
    }
}
