//! Points that are held now.

use glam::Vec3;
use tkanina_sim::elements::TieEnd;
use tkanina_sim::world::World;

/// Places of all held particles: by the scene, by pins that may break and have not, by hand.
pub fn places(world: &World, out: &mut Vec<Vec3>) {
    let (model, state) = (world.model(), world.state());
    let time = state.time;
    out.clear();
    let holds = model.holds.iter().filter(|hold| state.hands.leaves(hold, time));
    out.extend(holds.map(|hold| state.x.get(hold.particle as usize)));
    for (tie, broken) in model.ties.iter().zip(&state.broken) {
        let pinned = matches!(tie.end, TieEnd::Anchor(_));
        let undone = state.hands.unpinned.binary_search(&tie.particle).is_ok();
        if pinned && !broken && !undone && time < tie.until {
            out.push(state.x.get(tie.particle as usize));
        }
    }
    out.extend(state.hands.pins.iter().map(|pin| state.x.get(pin.particle as usize)));
}
