//! Curves of files: lines of OBJ, tables of points, lists in YAML.

mod csv;
mod obj_lines;
#[cfg(test)]
mod tests;
mod yaml;

use std::path::Path;

use glam::Vec3;

use super::MeshError;
use super::obj::read_budgeted;

/// Most control points of a file.
pub const MAX_CURVE_POINTS: usize = 4_000_000;

/// A curve as its file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its points in their order. [m]
    pub points: Vec<Vec3>,
    /// The line of the file that it starts on, from 1.
    pub line: usize,
}

/// Reads curves by the ending of their file: `.obj`, `.csv`, `.yaml` or `.yml`.
pub fn load_curves_file(path: &Path) -> Result<Vec<Curve>, MeshError> {
    load_curves(&read_budgeted(path)?, &path.display().to_string())
}

/// Reads curves of a file of this name.
pub fn load_curves(bytes: &[u8], name: &str) -> Result<Vec<Curve>, MeshError> {
    let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let curves = match ending.as_str() {
        "obj" => obj_lines::read(bytes, name),
        "csv" => csv::read(bytes, name),
        "yaml" | "yml" => yaml::read(bytes, name),
        _ => Err(wrong(name, 1, "is no file of curves", "use .obj, .csv or .yaml")),
    }?;
    if curves.is_empty() {
        let help =
            "lines starting with `l` of an OBJ file hold them, rows of CSV, or `strands:` of YAML";
        return Err(wrong(name, 1, "has no curves", help));
    }
    for (number, curve) in curves.iter().enumerate() {
        let length: f32 = curve.points.windows(2).map(|e| (e[1] - e[0]).length()).sum();
        let (what, help) = match curve.points.len() {
            0 | 1 => ("has one point", "give it two or more"),
            _ if !(length > 0.0) => ("has no length: all its points are one", "move its points"),
            _ => continue,
        };
        return Err(wrong(name, curve.line, &format!("strand {} {what}", number + 1), help));
    }
    Ok(curves)
}

fn wrong(name: &str, line: usize, message: &str, help: &str) -> MeshError {
    let (name, message, help) = (name.to_owned(), message.to_owned(), Some(help.to_owned()));
    MeshError::Line { name, line, message, help }
}

/// Points that a file has so far, kept within the budget.
#[derive(Default)]
struct Budget {
    points: usize,
}

impl Budget {
    fn point(&mut self, name: &str, line: usize) -> Result<(), MeshError> {
        self.points += 1;
        if self.points > MAX_CURVE_POINTS {
            let message = format!("has more than {MAX_CURVE_POINTS} control points");
            let help =
                "thin the curves out: they are resampled anyway; or leave strands to `followers`";
            return Err(wrong(name, line, &message, help));
        }
        Ok(())
    }
}

/// A coordinate of a file.
fn coordinate(name: &str, line: usize, word: &str) -> Result<f32, MeshError> {
    match word.trim().parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => {
            let message = format!("the coordinate `{}` is not finite", word.trim());
            Err(wrong(name, line, &message, "export the curves anew, without gaps"))
        }
        Err(_) => {
            let shown: String = word.trim().chars().take(40).collect();
            let message = format!("`{shown}` is no number");
            Err(wrong(name, line, &message, "write numbers as 0.125 or 1.25e-1"))
        }
    }
}
