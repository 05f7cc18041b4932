//! Bodies that an edit left alone go on as they are while others begin anew.

use std::ops::Range;

use tkanina_scene::schema::{Body, Scene};
use tkanina_sim::hands::{Grab, HandPin, Hands};

use super::run::Run;

/// Takes over the state of each body that is the same in both runs. Without any, the new run
/// stays at its start.
pub fn carry_over(before: &Run, after: &mut Run) {
    let moves = moves(before, after);
    if moves.is_empty() {
        return;
    }
    let old = before.simulation.world.state();
    let mut state = after.simulation.world.state().clone();
    for (from, to) in &moves {
        for (from, to) in from.clone().zip(to.clone()) {
            state.x.set(to, old.x.get(from));
            state.v.set(to, old.v.get(from));
        }
    }
    state.time = old.time;
    if state.broken.len() == old.broken.len() {
        state.broken.clone_from(&old.broken);
    }
    state.hands = carried_hands(&old.hands, &moves);
    // A solver's memory speaks of other particles.
    state.memory.started = false;
    after.simulation.start_s = before.simulation.start_s;
    state.step = (state.time / after.simulation.step_s()).round() as u64;
    after.restore(state);
}

/// Particles of bodies that are the same, before and after.
fn moves(before: &Run, after: &Run) -> Vec<(Range<usize>, Range<usize>)> {
    let carried = after.simulation.world.model().bodies.iter().filter_map(|to| {
        let from = before.simulation.world.model().body(&to.name)?;
        let same_counts = from.particles.len() == to.particles.len()
            && from.triangles.len() == to.triangles.len();
        let described = |run: &Run| start_of(&run.loaded.scene, &to.name);
        let same_start = described(before).is_some() && described(before) == described(after);
        (same_counts && same_start).then(|| (from.particles.clone(), to.particles.clone()))
    });
    carried.collect()
}

/// What decides where the points of a body start.
fn start_of(scene: &Scene, name: &str) -> Option<serde_json::Value> {
    let body = scene.bodies.iter().find(|body| body.name() == name)?;
    match body {
        Body::Cloth(cloth) => {
            let place = (&cloth.place, &cloth.velocity_m_s);
            serde_json::to_value((&cloth.shape, place, &cloth.slits)).ok()
        }
        Body::SoftBody(body) => {
            let place = (&body.place, &body.velocity_m_s, &body.disorder);
            let inside = (body.centre_springs.is_some(), &body.inside, &body.cores);
            serde_json::to_value((&body.shape, place, inside)).ok()
        }
        Body::Strands(body) => {
            let place = (&body.place, &body.velocity_m_s, body.nodes);
            let start = (body.start, body.rest, &body.root, body.hinged, body.fibre.curl);
            serde_json::to_value((&body.shape, place, start)).ok()
        }
    }
}

/// What hands do to particles that are still there. Obstacles may have changed: they go back to
/// their paths.
fn carried_hands(hands: &Hands, moves: &[(Range<usize>, Range<usize>)]) -> Hands {
    let moved = |particle: u32| {
        let (from, to) = moves.iter().find(|(from, _)| from.contains(&(particle as usize)))?;
        Some((particle as usize - from.start + to.start) as u32)
    };
    let mut carried = Hands { gravity: hands.gravity, ..Hands::default() };
    for force in &hands.forces {
        let mut force = force.clone();
        force.particles = force.particles.iter().filter_map(|&p| moved(p)).collect();
        carried.forces.push(force);
    }
    carried.forces.retain(|force| !force.particles.is_empty());
    for grab in &hands.grabs {
        carried.grabs.extend(moved(grab.particle).map(|particle| Grab { particle, ..*grab }));
    }
    for pin in &hands.pins {
        carried.pins.extend(moved(pin.particle).map(|particle| HandPin { particle, ..*pin }));
    }
    carried.unpinned.extend(hands.unpinned.iter().filter_map(|&p| moved(p)));
    // Bodies may come in another order.
    carried.pins.sort_by_key(|pin| pin.particle);
    carried.unpinned.sort_unstable();
    carried
}
