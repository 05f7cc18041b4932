//! What to do when a simulation has stopped being physical.

use miette::miette;
use tkanina_scene::build::Schedule;
use tkanina_sim::explosion::Explosion;

use crate::failure::Failure;

/// The sentence of the explosion, with two remedies.
pub fn failure(explosion: &Explosion, schedule: &Schedule) -> Failure {
    Failure::exploded(miette!(help = remedies(explosion, schedule), "{explosion}"))
}

fn remedies(explosion: &Explosion, schedule: &Schedule) -> String {
    let Explosion { advice, h, .. } = explosion;
    if !advice.has_stable_step() {
        return "use `--solver verlet`, or give the springs damping".to_owned();
    }
    if *h > advice.limit {
        let needed = (schedule.frame_s / advice.limit).ceil();
        let softer = (h / advice.limit) * (h / advice.limit);
        return format!(
            "take shorter steps by `--set time.substeps={needed:.0}` (or `auto`), or make the \
             springs {softer:.1} times softer"
        );
    }
    let more = 2 * u64::from(schedule.substeps);
    format!(
        "take shorter steps by `--set time.substeps={more}`, or make the springs softer and more \
         damped"
    )
}
