//! Whether a run came out as its scene says it must.

use glam::DVec3;
use tkanina_sim::soa::Soa3;
use tkanina_sim::world::World;

use super::{Record, Stats};
use crate::schema::Expect;

/// Speed that counts as rest unless the scene says otherwise. [m/s]
const REST_SPEED: f64 = 0.01;

impl Expect {
    /// Speed that counts as rest. [m/s]
    pub fn rest_speed(&self) -> f64 {
        self.rest_speed_m_s.unwrap_or(REST_SPEED)
    }
}

/// A sentence for each expectation that does not hold after the whole run.
/// `start` are the positions at time 0.
pub fn unmet(
    expect: &Expect,
    stats: &Stats,
    record: &Record,
    world: &World,
    start: &Soa3,
) -> Vec<String> {
    let mut out = Vec::new();
    let mut at_most = |what: &str, limit: Option<f64>, value: f64| {
        if let Some(limit) = limit
            && !(value <= limit)
        {
            out.push(format!("{what} is {value:.6}, expected at most {limit}"));
        }
    };
    let [lowest, highest] = record.height.unwrap_or_default();
    at_most("max_stretch", expect.max_stretch, stats.stretch.max);
    at_most("max_stretch_ever", expect.max_stretch_ever, record.max_stretch);
    at_most("max_speed_m_s", expect.max_speed_m_s, record.max_speed);
    at_most("within_m", expect.within_m, record.farthest);
    at_most("below_m", expect.below_m, highest);
    at_most("above_m (of −y)", expect.above_m.map(|y| -y), -lowest);
    at_most("at_rest_by_s", expect.at_rest_by_s, record.last_motion_s);
    at_most("max_contacts", expect.max_contacts.map(f64::from), stats.contacts as f64);
    if let (Some(limit), Some([low, high])) = (expect.energy_drift, record.energy) {
        at_most("energy_drift", Some(limit), (high - low) / record.max_kinetic.max(1e-30));
    }
    let mut at_least = |what: &str, limit: Option<f64>, value: f64| {
        if let Some(limit) = limit
            && !(value >= limit)
        {
            out.push(format!("{what} is {value:.6}, expected at least {limit}"));
        }
    };
    let speed = f64::from(tkanina_sim::measure::fastest(&world.state().v).1);
    at_least("min_contacts", expect.min_contacts.map(f64::from), stats.contacts as f64);
    let tangled = stats.tangled_start as f64;
    at_least("min_tangled_start", expect.min_tangled_start.map(f64::from), tangled);
    at_least("min_lag_m", expect.min_lag_m, stats.held_up.lag_m);
    at_least("min_speed_m_s", expect.min_speed_m_s, speed);
    let mut exactly = |what: &str, wanted: Option<u32>, value: usize| {
        if let Some(wanted) = wanted
            && wanted as usize != value
        {
            out.push(format!("{what} is {value}, expected {wanted}"));
        }
    };
    exactly("intersections", expect.intersections, stats.intersections);
    exactly("pins_broken", expect.pins_broken, stats.broken);
    exactly("pieces", expect.pieces, stats.pieces);
    match (expect.explodes.unwrap_or(false), &stats.exploded) {
        (true, None) => out.push("it was expected to explode and did not".to_owned()),
        (false, Some(why)) => out.push(format!("it was not expected to explode: {why}")),
        _ => {}
    }
    out.extend(unmet_places(expect, world, start));
    out
}

/// Expectations about single points and centres of mass.
fn unmet_places(expect: &Expect, world: &World, start: &Soa3) -> Vec<String> {
    let mut out = Vec::new();
    let (model, x) = (world.model(), &world.state().x);
    let whole = world.whole_model();
    for demand in &expect.moved_m {
        let Some(body) = model.body(&demand.body) else { continue };
        // What tore is no grid any more, but its points kept their places in it.
        let start_of = whole.body(&demand.body).map_or(body, |before| before);
        let local = match (demand.point, demand.vertex, start_of.grid) {
            (Some([i, j]), _, Some([ni, _])) => j as usize * ni + i as usize,
            (_, Some(vertex), _) => vertex as usize,
            _ => continue,
        };
        let particle = body.particles.start + local;
        if particle >= body.particles.end {
            out.push(format!("{} has no vertex {local}", demand.body));
            continue;
        }
        let start_body = if start.len() == x.len() { body } else { start_of };
        let before = start.get(start_body.particles.start + local);
        let moved = f64::from((x.get(particle) - before).length());
        let name = model.particle_name(particle);
        if let Some(least) = demand.at_least.filter(|least| !(moved >= *least)) {
            out.push(format!("{name} moved {moved:.6} m, expected at least {least}"));
        }
        if let Some(most) = demand.at_most.filter(|most| !(moved <= *most)) {
            out.push(format!("{name} moved {moved:.6} m, expected at most {most}"));
        }
    }
    for demand in &expect.volume {
        let Some(body) = model.body(&demand.body) else { continue };
        let of = |x: &Soa3| tkanina_sim::measure::volume(model, body, x);
        let (Some(now), Some(before)) = (of(x), of(start)) else {
            out.push(format!("`{}` is not closed and has no volume", demand.body));
            continue;
        };
        let part = now / before;
        if let Some(least) = demand.at_least.filter(|least| !(part >= *least)) {
            out.push(format!(
                "volume of `{}` is {part:.6} of its start, expected at least {least}",
                demand.body
            ));
        }
        if let Some(most) = demand.at_most.filter(|most| !(part <= *most)) {
            out.push(format!(
                "volume of `{}` is {part:.6} of its start, expected at most {most}",
                demand.body
            ));
        }
    }
    for demand in &expect.center_m {
        let Some(body) = model.body(&demand.body) else { continue };
        let mut sum = DVec3::ZERO;
        let mut mass = 0.0;
        for p in body.particles.clone() {
            sum += x.get(p).as_dvec3() * f64::from(model.mass[p]);
            mass += f64::from(model.mass[p]);
        }
        let centre = sum / mass;
        let (min, max) = (DVec3::from(demand.min), DVec3::from(demand.max));
        if !(centre.cmpge(min).all() && centre.cmple(max).all()) {
            out.push(format!(
                "centre of `{}` is {centre:.4}, expected between {min} and {max}",
                demand.body
            ));
        }
    }
    out
}
