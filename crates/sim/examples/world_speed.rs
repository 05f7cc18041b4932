//! scratch
use glam::Vec3;
use std::time::Instant;
use tkanina_sim::builder::*;
use tkanina_sim::cloth::*;
use tkanina_sim::elements::*;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::*;
use tkanina_sim::topology::*;
use tkanina_sim::world::World;
fn main() {
    for n in [20usize, 60, 256, 1024] {
        for threads in [1, 2] {
            let mut b = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
            let c = Cloth {
                name: "s".into(),
                shape: ClothShape::Grid(GridShape {
                    counts: [n, n],
                    size: [2.0, 2.0],
                    plane: GridPlane::Xy,
                }),
                place: Pose::at(Vec3::ZERO),
                velocity: Vec3::ZERO,
                mass: MassRule::PerPoint(1.0),
                springs: SpringModel::Neighbours20(SpringParams { stiffness: 40.0, damping: 0.5 }),
                bending: None,
                drag_per_point: 0.02,
                drag_per_area: 0.0,
                lift_per_area: 0.0,
                damping: 0.0,
                loss_per_step: 0.0,
                max_stretch: None,
            };
            b.add_cloth(&c);
            b.hold(0, AnchorPath::Fixed, Grip::RIGID);
            b.hold(n - 1, AnchorPath::Fixed, Grip::RIGID);
            let (m, s) = b.build();
            let mut w = World::new(m, s, SolverKind::Verlet { loss: 0.0 });
            w.set_threads(threads).unwrap();
            let sub = (4_000_000 / (n * n)).clamp(4, 10000) as u32;
            let h = 1.0 / 120.0;
            w.advance_frame(h * sub as f64, sub).ok();
            let mut best = 0.0f64;
            for _ in 0..8 {
                let t = Instant::now();
                w.advance_frame(h * sub as f64, sub).ok();
                let r = (n * n) as f64 * sub as f64 / t.elapsed().as_secs_f64();
                best = best.max(r);
            }
            println!("n {n} threads {threads}: {:.1} M/s", best / 1e6);
        }
    }
}
