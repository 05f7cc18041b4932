//! Cut panels become one mesh: points on the two sides of a seam are one.

use glam::{DVec2, DVec3, EulerRot, Quat};
use tkanina_sim::topology::SewnMesh;

use super::cut::{Cut, Unsound, cut};
use super::outline::{Curve, doubled_area};
use super::plan::{Plan, SideAt};
use super::{Fault, MAX_POINTS, Pattern, at_panel, at_side, fault};
use crate::check::steps;
use crate::schema::Panel;

/// Cuts panels and closes seams. Points start where their panels are placed; those on seams at
/// the mean of where their sides are.
pub fn sew(pattern: &Pattern) -> Result<SewnMesh, Fault> {
    let plan = Plan::of(pattern)?;
    let mut outlines = Vec::new();
    for (panel, parts) in pattern.panels.iter().zip(&plan.parts) {
        let curve = |s: usize| Curve::of(panel, s).divided(parts[s]).collect::<Vec<DVec2>>();
        outlines.push((0..panel.sides.len()).flat_map(curve).collect::<Vec<DVec2>>());
    }
    let area: f64 = outlines.iter().map(|outline| 0.5 * doubled_area(outline).abs()).sum();
    let inside = 1.16 * area / (pattern.spacing * pattern.spacing);
    if !(inside <= MAX_POINTS) {
        let message = format!("makes some {inside:.0} points; {MAX_POINTS} is the most");
        return fault(&steps!["spacing_m"], message, "give a larger `spacing_m`");
    }
    let mut cuts = Vec::new();
    for (number, outline) in outlines.iter().enumerate() {
        let made = cut(outline, pattern.spacing);
        cuts.push(made.or_else(|why| unsound(pattern, &plan, number, why))?);
    }
    let owner = welded(&plan, &cuts);
    let mesh = gather(pattern, &cuts, &owner);
    let repeated = |t: &[u32; 3]| t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
    if mesh.triangles.iter().any(repeated) || !mesh.faults().is_empty() {
        let message = "the seams fold a panel onto itself, or join more than two at one line";
        let help = "see that each seam joins two sides that run along each other, or give a \
                    smaller `spacing_m`";
        return fault(&steps!["seams"], message, help);
    }
    Ok(mesh)
}

fn unsound<T>(pattern: &Pattern, plan: &Plan, number: usize, why: Unsound) -> Result<T, Fault> {
    let name = &pattern.panels[number].name;
    match why {
        Unsound::Clockwise => {
            let message = format!("the outline of `{name}` runs clockwise");
            let help = "list its sides counter-clockwise, as seen from outside";
            fault(&at_panel(number), message, help)
        }
        Unsound::Crossing(point) => {
            // The side on which that point lies.
            let mut first = 0;
            let side = plan.parts[number].iter().position(|parts| {
                first += parts;
                point < first
            });
            let message = format!("the outline of `{name}` crosses or touches itself here");
            let help = "move its corners or handles apart, or give a smaller `spacing_m`";
            fault(&at_side(number, side.unwrap_or(0)), message, help)
        }
    }
}

/// For each point of all cuts the first that it is one with.
fn welded(plan: &Plan, cuts: &[Cut]) -> Vec<u32> {
    let mut firsts = vec![0];
    cuts.iter().for_each(|cut| firsts.push(firsts[firsts.len() - 1] + cut.points.len()));
    let mut owner: Vec<u32> = (0..firsts[cuts.len()] as u32).collect();
    fn root(owner: &mut [u32], mut v: u32) -> u32 {
        while owner[v as usize] != v {
            owner[v as usize] = owner[owner[v as usize] as usize];
            v = owner[v as usize];
        }
        v
    }
    for &[a, b] in &plan.seams {
        let count = plan.parts[a.0][a.1];
        for k in 0..=count {
            let at = |(panel, side): SideAt, k: usize| {
                let before: usize = plan.parts[panel][..side].iter().sum();
                let whole: usize = plan.parts[panel].iter().sum();
                (firsts[panel] + (before + k) % whole) as u32
            };
            let (p, q) = (root(&mut owner, at(a, k)), root(&mut owner, at(b, count - k)));
            owner[p.max(q) as usize] = p.min(q);
        }
    }
    (0..owner.len() as u32).map(|v| root(&mut owner, v)).collect()
}

fn gather(pattern: &Pattern, cuts: &[Cut], owner: &[u32]) -> SewnMesh {
    let mut numbers = vec![u32::MAX; owner.len()];
    let mut sums: Vec<(DVec3, f64)> = Vec::new();
    let mut mesh = SewnMesh::default();
    let mut first = 0;
    for (panel, cut) in pattern.panels.iter().zip(cuts) {
        for (i, &p) in cut.points.iter().enumerate() {
            let own = owner[first + i] as usize;
            if numbers[own] == u32::MAX {
                numbers[own] = sums.len() as u32;
                sums.push((DVec3::ZERO, 0.0));
            }
            let sum = &mut sums[numbers[own] as usize];
            *sum = (sum.0 + placed(panel, p), sum.1 + 1.0);
        }
        for t in &cut.triangles {
            mesh.triangles.push(t.map(|v| numbers[owner[first + v as usize] as usize]));
            mesh.flat.push(t.map(|v| cut.points[v as usize]));
        }
        first += cut.points.len();
    }
    mesh.start = sums.into_iter().map(|(sum, count)| (sum / count).as_vec3()).collect();
    mesh
}

/// x = R·(r sin(u/r), v, r cos(u/r) − r) + p.
fn placed(panel: &Panel, p: DVec2) -> DVec3 {
    let bent = match panel.bend_m {
        Some(r) => DVec3::new(r * libm::sin(p.x / r), p.y, r * libm::cos(p.x / r) - r),
        None => p.extend(0.0),
    };
    let [x, y, z] = panel.rotation_deg.map(|d| d.to_radians() as f32);
    let turn = Quat::from_euler(EulerRot::XYZEx, x, y, z).as_dquat();
    turn * bent + DVec3::from(panel.position_m)
}
