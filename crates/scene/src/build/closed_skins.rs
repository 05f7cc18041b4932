//! Closed skins from meshes of files: what is open or turned over, whether that can be repaired, and
//! what to do where it cannot.

use glam::Vec3;
use tkanina_sim::colliders::forms::Triangles;
use tkanina_sim::measure::{Crossing, Through, crossings_within};
use tkanina_sim::topology::{Openings, close, connect_mesh};

use super::{Build, MeshFaces};
use crate::node::Step;

/// What follows numbers of vertices.
pub(super) const COUNTED: &str = " (counted from 1, as in the file)";
/// Least volume of a body, of the cube about it. What closes the rim of a sheet lies in it but for
/// rounding, which in `f32` comes to a tenth of that.
const LEAST_FILLED: f64 = 1e-6;

impl Build<'_> {
    /// The closed skin that a mesh is or can be made, or what is wrong with it.
    pub(super) fn closed(
        &mut self,
        (here, name): (&[Step], &str),
        mesh: MeshFaces,
        repair: bool,
    ) -> Option<Triangles> {
        let joined = connect_mesh(&mesh.points, &mesh.faces);
        let (skin, mut numbers) = welded(&mesh.points, &joined.triangles);
        if skin.triangles.is_empty() {
            self.problem(here, "has no faces", "give a mesh of faces");
            return None;
        }
        // As the file counts them.
        numbers.iter_mut().for_each(|number| *number += 1);
        let found = Openings::of(&skin);
        let skin = if found.is_sound() {
            skin
        } else {
            let faults = told(found, &numbers);
            let mut mended = skin;
            close(&mut mended);
            // What closes a hole comes after all others.
            let more = mesh.points.len() as u32 + 1..;
            numbers.extend(more.take(mended.points.len() - numbers.len()));
            let left = Openings::of(&mended);
            let help = hopeless(&left, &mended);
            if !repair {
                let help = help.unwrap_or(REPAIR);
                self.problem(here, format!("does not enclose a volume: {faults}"), help);
                return None;
            }
            if let Some(help) = help {
                let left = if left.is_sound() { faults } else { told(left, &numbers) };
                self.problem(here, format!("cannot be made to enclose a volume: {left}"), help);
                return None;
            }
            self.warn(format!("mesh of `{name}`, repaired: {faults}"));
            mended
        };
        if let Some(sentence) = passes_through_itself(&skin, &numbers) {
            self.warn(format!("mesh of `{name}`: {sentence}"));
        }
        Some(skin)
    }
}

const REPAIR: &str =
    "add `repair: true` beside it (or run with `--repair`), which closes holes and turns faces";

/// What to do about a mesh that a repair left as it is, if it did.
fn hopeless(left: &Openings, mended: &Triangles) -> Option<&'static str> {
    if !left.crowded.is_empty() {
        return Some(
            "no repair can tell which faces are meant: in the modelling program, delete faces inside \
             the body and doubled ones, and part bodies that share an edge, until each edge has two faces",
        );
    }
    if !left.flipped.is_empty() {
        return Some(
            "no repair can turn its faces to agree, as those of a Möbius strip never do: in the \
             modelling program, cut it open at the named edges and close it as a body with an outside",
        );
    }
    if !left.is_sound() {
        return Some("no repair can close it: fill its holes in the modelling program");
    }
    let low = mended.points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = mended.points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let cube = f64::from((high - low).max_element()).powi(3);
    let is_flat = !(mended.volume() > LEAST_FILLED * cube);
    is_flat.then_some(
        "it is a sheet with nothing inside, which no repair can change: give it a thickness in the \
         modelling program, or make it a body of `kind: cloth`",
    )
}

/// Openings in words, with vertices by these numbers.
fn told(found: Openings, numbers: &[u32]) -> String {
    let found = found.renumbered(|v| numbers[v as usize]);
    let edges = [&found.open, &found.crowded, &found.flipped];
    let counted = if edges.iter().all(|edges| edges.is_empty()) { "" } else { COUNTED };
    format!("{}{counted}", found.sentences().join("; "))
}

/// What to say of a mesh that passes through itself, with vertices by their numbers in the file.
fn passes_through_itself(skin: &Triangles, numbers: &[u32]) -> Option<String> {
    let crossings = crossings_within(skin);
    let Some(Crossing { edge, through: Through::Triangle(triangle) }) = crossings.first() else {
        return None;
    };
    let [p, q] = edge.map(|v| numbers[v as usize]);
    let [a, b, c] = triangle.map(|v| numbers[v as usize]);
    let more = match crossings.len() - 1 {
        0 => String::new(),
        more => format!(", and so do {more} more"),
    };
    Some(format!(
        "it passes through itself: the edge of vertices {p}–{q} goes through the face of {a}, {b} and \
         {c}{more}{COUNTED}; move these vertices apart, or let it come apart by itself with `self_contact: true`"
    ))
}

/// Without vertices that no triangle has, and with those in one place made one: OBJ files often
/// have a vertex for each face at it. Beside it the number that each vertex had.
pub(crate) fn welded(points: &[Vec3], triangles: &[[u32; 3]]) -> (Triangles, Vec<u32>) {
    let mut known = std::collections::BTreeMap::new();
    let (mut out, mut numbers) = (Triangles::default(), Vec::new());
    for triangle in triangles {
        let corners = triangle.map(|v| {
            let point = points[v as usize];
            // −0 and 0 are one place.
            let key = (point + Vec3::ZERO).to_array().map(f32::to_bits);
            *known.entry(key).or_insert_with(|| {
                out.points.push(point);
                numbers.push(v);
                out.points.len() as u32 - 1
            })
        });
        let [a, b, c] = corners;
        if a != b && b != c && c != a {
            out.triangles.push(corners);
        }
    }
    (out, numbers)
}
