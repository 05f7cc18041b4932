//! Cloth computed point by point, without any of the tricks of `grid_stencil`.

use std::collections::BTreeMap;

use glam::Vec3;

/// x⁺ = 2x − x⁻ + a dt², a = g + Σ (d̂(|d| − uL)k − c((v − v_q)·d̂)d̂)/u − c_d|v_air·n|v_air,
/// over the 20 nearest points, u being their distance in grid steps and L the
/// spacing, for unit masses.
///
/// This is how a first program is written: vectors of vectors, a loop over
/// neighbour offsets with bounds checks, a look-up of u in nested maps. It is
/// the yardstick of `tkanina bench explicit-stencil` and the reference in
/// tests; simulate with anything else.
#[derive(Clone, Debug)]
pub struct NaiveCloth {
    previous_positions: Vec<Vec<Vec3>>,
    current_positions: Vec<Vec<Vec3>>,
    next_positions: Vec<Vec<Vec3>>,
    normals: Vec<Vec<Vec3>>,
    velocities: Vec<Vec<Vec3>>,
    spring_constant: f32,
    spring_damping: f32,
    drag: f32,
    spacing: f32,
    neighbour_offsets: Vec<(i32, i32)>,
    neighbour_distances: BTreeMap<i32, BTreeMap<i32, f32>>,
}

impl NaiveCloth {
    /// An n × n cloth of `side` metres in the plane y = 0, i along x and j along
    /// z, centred on the origin; spring constant `k`, damping `c`, and `drag`.
    pub fn new(n: usize, side: f32, k: f32, c: f32, drag: f32) -> Self {
        let spacing = side / (n.max(2) - 1) as f32;
        let mut neighbour_offsets = Vec::new();
        let mut neighbour_distances: BTreeMap<i32, BTreeMap<i32, f32>> = BTreeMap::new();
        for di in -2..=2i32 {
            for dj in -2..=2i32 {
                let squared = di * di + dj * dj;
                if squared != 0 && squared != 8 {
                    neighbour_offsets.push((di, dj));
                    neighbour_distances.entry(di).or_default().insert(dj, (squared as f32).sqrt());
                }
            }
        }
        let corner = Vec3::new(-0.5 * side, 0.0, -0.5 * side);
        let point = |i: usize, j: usize| corner + spacing * Vec3::new(i as f32, 0.0, j as f32);
        let positions: Vec<Vec<Vec3>> =
            (0..n).map(|i| (0..n).map(|j| point(i, j)).collect()).collect();
        let zeros = vec![vec![Vec3::ZERO; n]; n];
        let mut cloth = Self {
            previous_positions: positions.clone(),
            next_positions: positions.clone(),
            current_positions: positions,
            normals: zeros.clone(),
            velocities: zeros,
            spring_constant: k,
            spring_damping: c,
            drag,
            spacing,
            neighbour_offsets,
            neighbour_distances,
        };
        cloth.recompute_normals();
        cloth
    }

    /// Position of point (i, j) [m].
    pub fn position(&self, i: usize, j: usize) -> Vec3 {
        self.current_positions[i][j]
    }

    /// One step of `dt` seconds under `gravity` [m/s²] in air that moves at `airflow` [m/s].
    pub fn step(&mut self, dt: f32, gravity: Vec3, airflow: Vec3) {
        let n = self.current_positions.len();
        for i in 0..n {
            for j in 0..n {
                let position = self.current_positions[i][j];
                let acceleration = gravity
                    + self.spring_acceleration(i, j)
                    + self.drag_acceleration(i, j, airflow);
                self.next_positions[i][j] =
                    2.0 * position - self.previous_positions[i][j] + acceleration * dt * dt;
            }
        }
        std::mem::swap(&mut self.previous_positions, &mut self.current_positions);
        std::mem::swap(&mut self.current_positions, &mut self.next_positions);
        for i in 0..n {
            for j in 0..n {
                self.velocities[i][j] =
                    (self.current_positions[i][j] - self.previous_positions[i][j]) / dt;
            }
        }
        self.recompute_normals();
    }

    fn spring_acceleration(&self, i: usize, j: usize) -> Vec3 {
        let n = self.current_positions.len() as i32;
        let mut acceleration = Vec3::ZERO;
        for &(di, dj) in &self.neighbour_offsets {
            let (qi, qj) = (i as i32 + di, j as i32 + dj);
            if qi < 0 || n <= qi || qj < 0 || n <= qj {
                continue;
            }
            let (qi, qj) = (qi as usize, qj as usize);
            let units = self.neighbour_distances[&di][&dj];
            let difference = self.current_positions[qi][qj] - self.current_positions[i][j];
            let distance = difference.length();
            let direction = difference / distance;
            let spring = direction * (distance - self.spacing * units) * self.spring_constant;
            let relative_velocity = self.velocities[i][j] - self.velocities[qi][qj];
            let damping = -self.spring_damping * relative_velocity.dot(direction) * direction;
            acceleration += (spring + damping) / units;
        }
        acceleration
    }

    fn drag_acceleration(&self, i: usize, j: usize, airflow: Vec3) -> Vec3 {
        let velocity_in_air = self.velocities[i][j] - airflow;
        -self.drag * velocity_in_air.dot(self.normals[i][j]).abs() * velocity_in_air
    }

    fn recompute_normals(&mut self) {
        for row in &mut self.normals {
            row.fill(Vec3::ZERO);
        }
        let x = &self.current_positions;
        for i in 0..x.len().saturating_sub(1) {
            for j in 0..x.len() - 1 {
                let first =
                    (x[i][j + 1] - x[i][j]).cross(x[i + 1][j] - x[i][j]).normalize_or_zero();
                self.normals[i][j] += first;
                self.normals[i][j + 1] += first;
                self.normals[i + 1][j] += first;
                let second = (x[i + 1][j] - x[i + 1][j + 1])
                    .cross(x[i][j + 1] - x[i + 1][j + 1])
                    .normalize_or_zero();
                self.normals[i][j + 1] += second;
                self.normals[i + 1][j + 1] += second;
                self.normals[i + 1][j] += second;
            }
        }
        for normal in self.normals.iter_mut().flatten() {
            *normal = normal.normalize_or_zero();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

    #[test]
    fn without_drag_a_free_cloth_falls_as_one() {
        let mut cloth = NaiveCloth::new(6, 1.0, 40.0, 0.5, 0.0);
        for _ in 0..100 {
            cloth.step(1e-3, GRAVITY, Vec3::ZERO);
        }
        // Verlet from rest: y = −g dt² (1 + 2 + … + 100).
        let expected = -9.81 * 1e-6 * 5050.0;
        for (i, j) in [(0, 0), (5, 0), (2, 3), (5, 5)] {
            assert!((cloth.position(i, j).y - expected).abs() < 1e-4);
        }
    }

    #[test]
    fn drag_lets_it_fall_at_its_terminal_speed() {
        let mut cloth = NaiveCloth::new(4, 1.0, 40.0, 0.5, 2.0);
        for _ in 0..4000 {
            cloth.step(1e-3, GRAVITY, Vec3::ZERO);
        }
        // c v² = g.
        let speed = -cloth.velocities[1][2].y;
        assert!((speed - (9.81f32 / 2.0).sqrt()).abs() < 0.01, "{speed}");
    }

    #[test]
    fn first_acceleration_of_a_pulled_corner_is_the_sum_of_its_springs() {
        let mut cloth = NaiveCloth::new(2, 1.0, 10.0, 0.0, 0.0);
        cloth.current_positions[1][0].x += 1.0;
        cloth.previous_positions[1][0].x += 1.0;
        let before = cloth.position(1, 0);
        cloth.step(0.1, Vec3::ZERO, Vec3::ZERO);
        let moved = (cloth.position(1, 0) - before) / 0.01;
        // Edges (2, 0, 0) and (1, 0, 1), diagonal (2, 0, 1) of lengths 2, √2, √5 over 1, 1, √2.
        let edge = 10.0 * (2f32.sqrt() - 1.0) / 2f32.sqrt();
        let diagonal = 10.0 * (5f32.sqrt() - 2f32.sqrt()) / 2f32.sqrt() / 5f32.sqrt();
        let expected = Vec3::new(-10.0 - edge - 2.0 * diagonal, 0.0, edge + diagonal);
        assert!((moved - expected).length() < 1e-3, "{moved} for {expected}");
    }
}
