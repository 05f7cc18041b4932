//! Point updates a second of the explicit grid kernels, alone and in a whole
//! Verlet step (gravity, springs, normals, drag, update):
//! `cargo run --release -p tkanina-sim --example stencil_speed [N…]`.

use std::time::Instant;

use glam::Vec3;
use tkanina_sim::elements::NaiveCloth;
use tkanina_sim::elements::grid_normals;
use tkanina_sim::elements::{GridStencil, neighbours_20};
use tkanina_sim::parallel::for_each_part;
use tkanina_sim::simd::{Kernel, dispatch};
use tkanina_sim::soa::{Soa3, Soa3Mut, Soa3Ref};

const STEP_S: f32 = 1e-4;
const DRAG: f32 = 0.02;
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
const WIND: Vec3 = Vec3::new(1.0, 0.0, 0.5);

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![20, 60, 256, 1024] } else { asked };
    let mut naive = NaiveCloth::new(60, 1.0, 40.0, 0.5, DRAG);
    let naive_rate = rate(60, || naive.step(STEP_S, GRAVITY, WIND));
    println!("naive step, n = 60: {naive_rate:.1} M points/s");
    println!("threads     n   forces  normals     both  step [M points/s]");
    for threads in [1, 2] {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
            continue;
        };
        for &n in &sizes {
            let mut cloth = Cloth::new(n);
            let rates = pool.install(|| {
                [
                    rate(n, || cloth.stencil.add_forces(&cloth.x, &cloth.v, &mut cloth.f)),
                    rate(n, || grid_normals(0, [n, n], &cloth.x, &mut cloth.normals)),
                    rate(n, || {
                        cloth.stencil.add_forces(&cloth.x, &cloth.v, &mut cloth.f);
                        grid_normals(0, [n, n], &cloth.x, &mut cloth.normals);
                    }),
                    {
                        cloth.f.fill(Vec3::ZERO);
                        rate(n, || cloth.step())
                    },
                ]
            });
            let [forces, normals, both, step] = rates;
            println!("{threads:7} {n:5} {forces:8.1} {normals:8.1} {both:8.1} {step:5.1}");
        }
    }
}

/// Best of several runs, in millions of points a second.
fn rate(n: usize, mut work: impl FnMut()) -> f64 {
    // Short samples, many of them: some fall between interruptions.
    let repeats = (200_000 / (n * n)).max(1);
    let mut best = f64::MAX;
    for _ in 0..(300_000_000 / (n * n * repeats)).clamp(30, 300) {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        best = best.min(start.elapsed().as_secs_f64() / repeats as f64);
    }
    (n * n) as f64 / best / 1e6
}

struct Cloth {
    stencil: GridStencil,
    x: Soa3,
    previous: Soa3,
    v: Soa3,
    f: Soa3,
    normals: Soa3,
}

impl Cloth {
    fn new(n: usize) -> Self {
        let h = 1.0 / (n - 1) as f32;
        let points: Vec<Vec3> =
            (0..n * n).map(|p| Vec3::new((p % n) as f32 * h, 0.0, (p / n) as f32 * h)).collect();
        let x = Soa3::from_points(&points);
        let zero = Soa3::zeros(n * n);
        Self {
            stencil: GridStencil::new(0, [n, n], neighbours_20([h, h], 40.0, 0.5)),
            previous: x.clone(),
            x,
            v: zero.clone(),
            f: zero.clone(),
            normals: zero,
        }
    }

    fn step(&mut self) {
        self.stencil.add_forces(&self.x, &self.v, &mut self.f);
        grid_normals(self.stencil.first(), self.stencil.counts(), &self.x, &mut self.normals);
        let normals = &self.normals;
        let state = (
            self.x.view_mut(),
            self.previous.view_mut(),
            self.v.view_mut(),
            self.f.view_mut(),
            normals.view(),
        );
        for_each_part(state, BLOCK, &|_, part| dispatch(Update(part)));
    }
}

const BLOCK: usize = 256;

/// x⁺ = 2x − x⁻ + a dt², v = (x⁺ − x)/dt, for unit masses; f is left at zero.
struct Update<'a>((Soa3Mut<'a>, Soa3Mut<'a>, Soa3Mut<'a>, Soa3Mut<'a>, Soa3Ref<'a>));

impl Kernel for Update<'_> {
    #[inline(always)]
    fn run(self) {
        let (x, previous, v, f, normals) = self.0;
        let mut drag = [0.0; BLOCK];
        let mut first = 0;
        while first < x.len() {
            let block = first..(first + BLOCK).min(x.len());
            let drag = &mut drag[..block.len()];
            let (vx, vy, vz) = (&v.x[block.clone()], &v.y[block.clone()], &v.z[block.clone()]);
            let (nx, ny, nz) =
                (&normals.x[block.clone()], &normals.y[block.clone()], &normals.z[block.clone()]);
            for i in 0..drag.len() {
                let [ax, ay, az] = [vx[i] - WIND.x, vy[i] - WIND.y, vz[i] - WIND.z];
                drag[i] = DRAG * (ax * nx[i] + ay * ny[i] + az * nz[i]).abs();
            }
            for (c, (x, previous, v, f)) in [
                (&mut *x.x, &mut *previous.x, &mut *v.x, &mut *f.x),
                (&mut *x.y, &mut *previous.y, &mut *v.y, &mut *f.y),
                (&mut *x.z, &mut *previous.z, &mut *v.z, &mut *f.z),
            ]
            .into_iter()
            .enumerate()
            {
                let b = block.clone();
                let constants = (GRAVITY[c], WIND[c]);
                update(
                    constants,
                    drag,
                    &mut x[b.clone()],
                    &mut previous[b.clone()],
                    &mut v[b.clone()],
                    &mut f[b],
                );
            }
            first += BLOCK;
        }
    }
}

#[inline(always)]
fn update(
    (gravity, wind): (f32, f32),
    drag: &[f32],
    x: &mut [f32],
    previous: &mut [f32],
    v: &mut [f32],
    f: &mut [f32],
) {
    let n = drag.len();
    let (x, previous, v, f) = (&mut x[..n], &mut previous[..n], &mut v[..n], &mut f[..n]);
    for i in 0..n {
        let a = gravity + f[i] - drag[i] * (v[i] - wind);
        let next = 2.0 * x[i] - previous[i] + a * (STEP_S * STEP_S);
        v[i] = (next - x[i]) * (1.0 / STEP_S);
        previous[i] = x[i];
        x[i] = next;
        f[i] = 0.0;
    }
}
