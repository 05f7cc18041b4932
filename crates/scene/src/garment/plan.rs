//! Into how many parts every side is divided: as many on both sides of a seam.

use std::collections::BTreeSet;

use super::outline::Curve;
use super::{Fault, MAX_POINTS, Pattern, at_side, fault};
use crate::check::steps;
use crate::node::Step;
use crate::problem::{did_you_mean, list_names};
use crate::schema::SeamSide;

/// A side of a pattern: panel and side by number.
pub(super) type SideAt = (usize, usize);

/// What seams join, and the parts of every side.
pub(super) struct Plan {
    /// Parts of each side of each panel.
    pub parts: Vec<Vec<usize>>,
    pub seams: Vec<[SideAt; 2]>,
}

impl Plan {
    pub fn of(pattern: &Pattern) -> Result<Self, Fault> {
        let spacing = pattern.spacing;
        let mut seen = BTreeSet::new();
        for (number, panel) in pattern.panels.iter().enumerate() {
            if !seen.insert(panel.name.as_str()) {
                let at = steps!["panels", number, "name"];
                let message = format!("`{}` is the name of another panel too", panel.name);
                return fault(&at, message, "give each its own name");
            }
        }
        let lengths: Vec<Vec<f64>> = (pattern.panels.iter())
            .map(|panel| (0..panel.sides.len()).map(|s| Curve::of(panel, s).length()).collect())
            .collect();
        let total: f64 = lengths.iter().flatten().sum::<f64>() / spacing;
        if !(total <= MAX_POINTS) {
            let message = format!("puts {total:.0} points on outlines; {MAX_POINTS} is the most");
            return fault(&steps!["spacing_m"], message, "give a larger `spacing_m`");
        }
        for (p, panel) in lengths.iter().enumerate() {
            if let Some(s) = panel.iter().position(|length| !(*length > 1e-6)) {
                let message = format!("is {:e} m long, which is nothing", panel[s]);
                return fault(&at_side(p, s), message, "leave the side out");
            }
        }
        let count = |length: f64| ((length / spacing).round() as usize).max(1);
        let mut parts: Vec<Vec<usize>> =
            lengths.iter().map(|panel| panel.iter().map(|&l| count(l)).collect()).collect();
        let mut seams = Vec::new();
        let mut used = BTreeSet::new();
        for (number, seam) in pattern.seams.iter().enumerate() {
            let here = steps!["seams", number];
            let find = |name: &str, side: &SeamSide| {
                find(pattern, &[&here[..], &steps![name]].concat(), side)
            };
            let sides = [find("a", &seam.a)?, find("b", &seam.b)?];
            for ((p, s), name) in sides.into_iter().zip(["a", "b"]) {
                if !used.insert((p, s)) {
                    let at = [&here[..], &steps![name]].concat();
                    let message = format!("{} is sewn already", words(pattern, (p, s)));
                    return fault(&at, message, "sew every side once; divide it for two seams");
                }
            }
            let [a, b] = sides.map(|(p, s)| lengths[p][s]);
            if (a - b).abs() > seam.ease * a.max(b) {
                let [x, y] = sides.map(|side| words(pattern, side));
                let share = 100.0 * (a - b).abs() / a.max(b);
                let message = format!(
                    "{x} is {a:.4} m long and {y} {b:.4} m: {share:.1} % apart, {:.1} % is allowed",
                    100.0 * seam.ease
                );
                let help = "make the sides as long as each other, or give the seam more `ease` to \
                            gather the longer one";
                return fault(&here, message, help);
            }
            sides.iter().for_each(|&(p, s)| parts[p][s] = count(0.5 * (a + b)));
            seams.push(sides);
        }
        Ok(Self { parts, seams })
    }
}

fn words(pattern: &Pattern, (p, s): SideAt) -> String {
    let panel = &pattern.panels[p];
    format!("side `{}` of `{}`", panel.sides[s].name.as_deref().unwrap_or("?"), panel.name)
}

fn find(pattern: &Pattern, here: &[Step], side: &SeamSide) -> Result<SideAt, Fault> {
    let panels: Vec<&str> = pattern.panels.iter().map(|p| p.name.as_str()).collect();
    let Some(p) = panels.iter().position(|name| *name == side.panel) else {
        return unknown(here, ("panel", &side.panel), &panels);
    };
    let names = pattern.panels[p].sides.iter().map(|s| s.name.as_deref());
    let Some(s) = names.clone().position(|name| name == Some(&side.side)) else {
        let names: Vec<&str> = names.flatten().collect();
        return unknown(here, ("side", &side.side), &names);
    };
    Ok((p, s))
}

fn unknown<T>(here: &[Step], (what, name): (&str, &str), known: &[&str]) -> Result<T, Fault> {
    let help = match did_you_mean(name, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => format!("give a {what} that name"),
        None => format!("known here: {}", list_names(known.iter().copied())),
    };
    fault(&[here, &steps![what]].concat(), format!("there is no {what} `{name}`"), &help)
}
