//! A plate without mass between two bodies: where it stands when both press on it alike.

use glam::{DMat3, DVec3};

use super::pool::Pool;

/// Steps that are enough as a rule: sets of points that press change a few times only.
const STEPS: usize = 8;

/// The same for what has to be exact.
const EXACT_STEPS: usize = 32;

/// Of the energy, what is too little to go on for: the plate's height is made exact in the end.
const LITTLE: f64 = 1e-3;

/// Of what a plate resists being tilted by, what it has of its own: with one point on either side
/// nothing else would say how it lies.
const OWN: f64 = 1e-3;

/// The plate q·(1, ξ, η) that minimises ½ Σ m lack₊², nearly: Σ m lack₊ is the same on both sides, and
/// so are the moments of it, but for a little stiffness against being tilted.
pub(super) fn balance(pool: &Pool, half: f64) -> DVec3 {
    let mut plate = DVec3::ZERO;
    let mut load = pool.load(plate, half);
    for _ in 0..STEPS {
        if !(load.rows.x_axis.x > 0.0) {
            break;
        }
        let spread = load.rows.y_axis.y + load.rows.z_axis.z;
        let own = OWN * spread.max(load.rows.x_axis.x * half * half);
        let rows = load.rows + DMat3::from_diagonal(DVec3::new(0.0, own, own));
        let mut step = rows.inverse() * load.pull;
        if !step.is_finite() {
            break;
        }
        let mut next = pool.load(plate + step, half);
        while next.energy > load.energy && step.length_squared() > 1e-30 {
            step *= 0.5;
            next = pool.load(plate + step, half);
        }
        plate += step;
        let gained = load.energy - next.energy;
        load = next;
        if gained <= LITTLE * load.energy {
            break;
        }
    }
    plate
}

/// How high a plate has to stand that is not tilted, for Σ m lack₊ to be the same on both
/// sides: then what it gives to both is opposite and equal. [m]
pub(super) fn level(pool: &Pool, half: f64) -> f64 {
    let mut height = 0.0;
    // Where it is known to be too low and too high.
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..EXACT_STEPS {
        let load = pool.load(DVec3::new(height, 0.0, 0.0), half);
        let (pull, mass) = (load.pull.x, load.rows.x_axis.x);
        if !(mass > 0.0) || pull == 0.0 {
            break;
        }
        if pull > 0.0 {
            low = height;
        } else {
            high = height;
        }
        let next = height + pull / mass;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        if next == height || !next.is_finite() {
            break;
        }
        height = next;
    }
    height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(points: &[(f64, [f64; 2], f64, f64)]) -> Pool {
        let mut pool = Pool::default();
        for (k, &(mass, along, height, side)) in points.iter().enumerate() {
            pool.push(k as u32, mass, side);
            pool.height[k] = height;
            (pool.along[0][k], pool.along[1][k]) = (along[0], along[1]);
        }
        pool.pad();
        pool
    }

    #[test]
    fn what_a_plate_gives_to_both_sides_is_opposite_and_acts_at_one_place() {
        // Four points above, sunk unevenly; three below.
        let above = [[0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1], [0.1, -0.1]];
        let below = [[0.08, 0.0], [-0.06, 0.07], [-0.05, -0.09]];
        let above = above.into_iter().enumerate();
        let above = above.map(|(k, at)| (0.2 + 0.1 * k as f64, at, -0.01 * k as f64, 1.0));
        let below = below.into_iter().enumerate().map(|(k, at)| (0.5, at, 0.004 * k as f64, -1.0));
        let points: Vec<_> = above.chain(below).collect();
        let (pool, half) = (pool(&points), 0.002);
        let plate = balance(&pool, half);
        let mut sums = DVec3::ZERO;
        let mut size = 0.0;
        for (k, (mass, [xi, eta], _, side)) in points.into_iter().enumerate() {
            let push = mass * pool.lack(k, plate, half).max(0.0);
            sums += DVec3::new(1.0, xi, eta) * (side * push);
            size += push;
        }
        assert!(size > 0.0);
        // The plate's own stiffness takes a thousandth of the moments.
        assert!(sums.x.abs() < 1e-6 * size, "{sums}");
        assert!(sums.y.abs().max(sums.z.abs()) < 2e-3 * 0.1 * size, "{sums} of {size}");
    }

    #[test]
    fn nothing_is_pushed_where_a_tilted_plane_parts_both() {
        // Along a slope of one in five.
        let points: Vec<_> = (-3..=3)
            .flat_map(|k| {
                let at = 0.01 * f64::from(k);
                let slope = 0.2 * at;
                [(1.0, [at, 0.003], slope + 0.0011, 1.0), (1.0, [at, -0.002], slope - 0.0011, -1.0)]
            })
            .collect();
        let pool = pool(&points);
        let plate = balance(&pool, 0.001);
        let most = (0..points.len()).map(|k| pool.lack(k, plate, 0.001)).fold(f64::MIN, f64::max);
        assert!(most < 2e-5, "{most}");
    }

    #[test]
    fn a_level_plate_gives_both_sides_the_same() {
        let points: Vec<_> = (0..9)
            .map(|k| {
                let side = if k % 3 == 0 { -1.0 } else { 1.0 };
                (1.0 + f64::from(k), [0.0; 2], -side * 1e-3 * f64::from(k * k % 7), side)
            })
            .collect();
        let pool = pool(&points);
        let height = level(&pool, 0.001);
        let push = |wanted: f64| -> f64 {
            let some = points.iter().enumerate().filter(|(_, (.., side))| *side == wanted);
            some.map(|(k, (mass, ..))| {
                mass * pool.lack(k, DVec3::new(height, 0.0, 0.0), 0.001).max(0.0)
            })
            .sum()
        };
        assert!((push(1.0) - push(-1.0)).abs() < 1e-12 && push(1.0) > 0.0);
    }
}
