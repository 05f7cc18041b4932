//! Bending once some triangles have come apart.

use super::shares::Shares;
use super::torn::Torn;
use super::whole::{Whole, sides_at};
use crate::elements::{AngleBend, BendCoupling};

/// Hinges that are left, by name, and what couples them.
///
/// A hinge whose side is open is gone. In a plate the side is then a free border, which turns so as
/// to store the least: its part of the triangle's Q is eliminated, Qᵢⱼ − QᵢₖQₖⱼ/Qₖₖ, as if the
/// border had been there from the start.
pub(super) fn bends(
    whole: &Whole,
    torn: &Torn,
    shares: &Shares,
) -> (Vec<AngleBend>, Vec<BendCoupling>) {
    let batch = &whole.model.bends;
    let mut kept: Vec<Option<AngleBend>> =
        batch.bends().iter().map(|bend| hinge(whole, torn, shares, bend)).collect();
    let mut couplings: Vec<BendCoupling> = Vec::new();
    for group in batch.couplings().chunk_by(|a, b| a.triangle == b.triangle) {
        let gone = |hinge: u32| kept[hinge as usize].is_none();
        if !group.iter().flat_map(|coupling| coupling.hinges).any(gone) {
            couplings.extend(group);
            continue;
        }
        let mut plate = Plate::of(group);
        for free in plate.hinges.clone().into_iter().filter(|&hinge| gone(hinge)) {
            plate.free(free);
        }
        for (hinge, lost) in plate.lost() {
            let full = batch.bends()[hinge as usize].stiffness;
            if let Some(bend) = &mut kept[hinge as usize] {
                // ¼Kθ² = ½Qθ²; damping keeps its share of the stiffness.
                let loss = (2.0 * lost) as f32;
                bend.stiffness = (bend.stiffness - loss).max(0.0);
                bend.damping *= if full > 0.0 { (1.0 - loss / full).max(0.0) } else { 1.0 };
            }
        }
        couplings.extend(plate.couplings(group[0].triangle));
    }
    let mut numbers = vec![0; kept.len()];
    let mut next = 0;
    for (number, bend) in numbers.iter_mut().zip(&kept) {
        *number = next;
        next += u32::from(bend.is_some());
    }
    let renumbered = couplings.into_iter().map(|coupling| BendCoupling {
        hinges: coupling.hinges.map(|hinge| numbers[hinge as usize]),
        ..coupling
    });
    let renumbered = renumbered.collect();
    (kept.into_iter().flatten().collect(), renumbered)
}

/// A hinge by name, unless its side is open.
fn hinge(whole: &Whole, torn: &Torn, shares: &Shares, bend: &AngleBend) -> Option<AngleBend> {
    if !bend.corners.iter().any(|&p| shares.is_split(p)) {
        return Some(*bend);
    }
    let [f, g, a, b] = bend.corners;
    let Some([one, other]) =
        side_of(whole, [a, b], f).zip(side_of(whole, [a, b], g)).map(<[u32; 2]>::from)
    else {
        return Some(*bend);
    };
    let of = |side: u32, particle: u32| {
        let corners = 3 * (side / 3)..3 * (side / 3) + 3;
        let at = corners.into_iter().find(|&corner| whole_corner(whole, corner) == particle);
        at.map(|corner| torn.corner(corner))
    };
    let ends = |side: u32| Some([of(side, a)?, of(side, b)?]);
    if ends(one) != ends(other) {
        return None;
    }
    let [a, b] = ends(one)?;
    Some(AngleBend { corners: [of(one, f)?, of(other, g)?, a, b], ..*bend })
}

fn whole_corner(whole: &Whole, corner: u32) -> u32 {
    whole.model.triangles[corner as usize / 3][corner as usize % 3]
}

/// The side between two particles of the whole model, on the triangle whose third corner is `far`.
fn side_of(whole: &Whole, [a, b]: [u32; 2], far: u32) -> Option<u32> {
    let along = |side: u32, step: u32| whole_corner(whole, 3 * (side / 3) + (side % 3 + step) % 3);
    let mut sides = whole.corners_at(a).iter().flat_map(|&corner| sides_at(corner));
    sides.find(|&side| {
        let ends = [along(side, 0), along(side, 1)];
        ends.contains(&b) && along(side, 2) == far
    })
}

/// Q of one triangle's coupled hinges.
struct Plate {
    hinges: Vec<u32>,
    before: Vec<f64>,
    q: [[f64; 3]; 3],
}

impl Plate {
    fn of(couplings: &[BendCoupling]) -> Self {
        let mut hinges: Vec<u32> = couplings.iter().flat_map(|c| c.hinges).collect();
        hinges.sort_unstable();
        hinges.dedup();
        hinges.truncate(3);
        let mut q = [[0.0; 3]; 3];
        for coupling in couplings {
            let at = coupling.hinges.map(|hinge| hinges.iter().position(|&h| h == hinge));
            let [Some(i), Some(j)] = at else { continue };
            (q[i][j], q[j][i]) = (f64::from(coupling.stiffness), f64::from(coupling.stiffness));
            (q[i][i], q[j][j]) = (f64::from(coupling.shares[0]), f64::from(coupling.shares[1]));
        }
        let before = (0..hinges.len()).map(|i| q[i][i]).collect();
        Self { hinges, before, q }
    }

    fn free(&mut self, hinge: u32) {
        let Some(k) = self.hinges.iter().position(|&h| h == hinge) else { return };
        let (row, own) = (self.q[k], self.q[k][k]);
        for i in 0..3 {
            for j in 0..3 {
                self.q[i][j] -= if own > 0.0 { row[i] * row[j] / own } else { 0.0 };
            }
        }
        // Rounding must not leave anything of it.
        for i in 0..3 {
            (self.q[k][i], self.q[i][k]) = (0.0, 0.0);
        }
    }

    /// What each hinge's own share has lost.
    fn lost(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let own = self.hinges.iter().zip(&self.before).enumerate();
        own.map(|(i, (&hinge, &before))| (hinge, before - self.q[i][i]))
    }

    fn couplings(&self, triangle: u32) -> impl Iterator<Item = BendCoupling> + '_ {
        let pairs = [(0, 1), (1, 2), (2, 0)].into_iter();
        pairs.filter(|&(i, j)| i.max(j) < self.hinges.len() && self.q[i][j] != 0.0).map(
            move |(i, j)| BendCoupling {
                hinges: [self.hinges[i], self.hinges[j]],
                stiffness: self.q[i][j] as f32,
                shares: [self.q[i][i] as f32, self.q[j][j] as f32],
                triangle,
            },
        )
    }
}
