//! Strands beside what comes apart: their particles get other numbers.

use super::layout::Layout;
use crate::model::Model;
use crate::state::FibreMemory;
use crate::strands::{RootPath, SkinCorners};

/// Strands of the whole model `was` by present numbers. A root on a triangle stays with the particles
/// that its corners were.
pub(super) fn renumber(model: &mut Model, was: &Model, layout: &Layout) {
    model.strands.clone_from(&was.strands);
    for strand in model.strands.iter_mut().flat_map(|set| &mut set.strands) {
        strand.first = layout.number(strand.first);
        if let RootPath::Skin { corners: SkinCorners::Particles(corners), .. } =
            &mut strand.root.path
        {
            *corners = corners.map(|corner| layout.number(corner));
        }
    }
}

/// What fibres remember of their particles, from one layout to the next.
pub(super) fn carry(fibres: &mut FibreMemory, before: &Layout, after: &Layout) {
    let moved = |particle: u32| after.number(before.name(particle));
    fibres.cut.iter_mut().for_each(|particle| *particle = moved(*particle));
    fibres.cut.sort_unstable();
}
