//! Fibres: hair, fur, ropes, grass.

mod clear;
mod curve;
mod fibre;
mod followers;
mod grow;
mod maps;
mod printed;
mod sampler;
mod surface;

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use tkanina_sim::elements::SpringParams;
use tkanina_sim::motion::Pose;
use tkanina_sim::rng::Rng;
use tkanina_sim::strands::{
    Crowd, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
    overhand_knot,
};

use super::{BodyPoints, Build, BuildError, rotation, vec3};
use crate::check::steps;
use crate::mesh_io::load_curves_file;
use crate::schema::{
    self, CurveFile, FollowKey, SpringLaw, StrandModel, StrandRest, StrandRoot, StrandShape,
    StrandStart, Strands,
};
use clear::{Obstacles, clear};
use curve::{Comb, Helix, equal_edges, straight};
use fibre::{Made, made};
use surface::Surface;

/// Farthest that a curve of a file may reach from its own origin. [m]
const FARTHEST_M: f32 = 1e5;

/// Curls with fewer points a turn than this lose their form.
const LEAST_A_TURN: f64 = 4.0;

/// Strands times triangles that are looked through for what carries roots.
const MOST_TESTS: usize = 2_000_000_000;

/// A strand before it is given its points.
struct Seed {
    /// Its curve if it was drawn, else its root. [m]
    drawn: Vec<Vec3>,
    /// Where it runs to from its root.
    direction: Vec3,
    /// Its length. [m]
    length: f64,
    /// What carries it.
    path: RootPath,
}

/// Strands before they are given their points, what they grow on, and roots of followers.
#[derive(Default)]
struct Planted {
    seeds: Vec<Seed>,
    surface: Option<Surface>,
    followers: Vec<Vec3>,
}

impl Build<'_> {
    pub(super) fn strands(&mut self, index: usize, body: &Strands) -> Result<(), BuildError> {
        let problems = self.problems.len();
        let Some(mut planted) = self.planted(index, body)? else { return Ok(()) };
        self.roots(index, body, &mut planted);
        let nodes = body.nodes as usize;
        self.budget_points(
            &steps!["bodies", index, "shape"],
            planted.seeds.len() as u64 * u64::from(body.nodes),
            "use fewer strands or `nodes`, and `followers` for the look",
        );
        if self.problems.len() > problems {
            return Ok(());
        }
        let material = made(&body.fibre, self.loaded.scene.air.density_kg_m3);
        let curves = self.curves(body, &planted, &material);
        let chain = StrandBody {
            name: body.name.clone(),
            law: law(&body.model),
            fibre: material.fibre,
            velocity: vec3(body.velocity_m_s),
            damping: body.damping_kg_s as f32,
            touch: touch(body, material.friction),
            clump: followers::locks(&curves, body.fibre.wetness),
            followers: followers_of(body, &curves, &planted).map(Arc::new),
            strands: curves,
        };
        let count = chain.strands.len();
        let particles = self.builder.add_strands(&chain);
        if let StrandModel::Springs { per_point_kg: Some(mass), .. } = body.model {
            particles.clone().for_each(|particle| self.builder.set_mass(particle, mass as f32));
        }
        if particles.clone().any(|p| !(1.0 / self.builder.mass(p)).is_finite()) {
            self.problem(
                &steps!["bodies", index, "fibre"],
                format!("gives points of `{}` a mass too small to count with", body.name),
                "use a thicker or denser fibre, or fewer `nodes`",
            );
        }
        let (first, grid) = (particles.start, Some([nodes, count]));
        self.bodies.insert(body.name.clone(), BodyPoints { first, count: particles.len(), grid });
        for (i, pin) in body.pins.iter().enumerate() {
            self.pin(&body.name, pin, &steps!["bodies", index, "pins", i]);
        }
        Ok(())
    }

    /// Where strands are; none where that is impossible, which is noted.
    fn planted(&mut self, index: usize, body: &Strands) -> Result<Option<Planted>, BuildError> {
        let place = Pose {
            position: vec3(body.place.position_m),
            rotation: rotation(body.place.rotation_deg),
        };
        let put = |p: Vec3| place.rotation * p + place.position;
        let fixed = RootPath::Fixed;
        let seeds = match &body.shape {
            StrandShape::Single { from_m, direction, length_m } => {
                let direction = place.rotation * vec3(*direction);
                let drawn = vec![put(vec3(*from_m))];
                vec![Seed { drawn, direction, length: *length_m, path: fixed }]
            }
            StrandShape::Rope { through_m } => {
                let points: Vec<Vec3> = through_m.iter().map(|&p| put(vec3(p))).collect();
                vec![Seed::drawn(grow::smooth(&points))]
            }
            StrandShape::Knot { length_m } => {
                let thickness = body.thickness_m() as f32;
                let knot = overhand_knot(thickness, *length_m as f32, 8 * body.nodes as usize);
                vec![Seed::drawn(knot.into_iter().map(put).collect())]
            }
            StrandShape::Curves(CurveFile { file, scale }) => {
                let here = steps!["bodies", index, "shape", "file"];
                let Some(curves) = self.curve_file(&here, file, *scale as f32)? else {
                    return Ok(None);
                };
                let placed = curves.into_iter().map(|c| c.into_iter().map(put).collect());
                placed.map(Seed::drawn).collect()
            }
            StrandShape::Field { .. } | StrandShape::OnSurface { .. } => {
                return self.grown(index, body, place);
            }
        };
        Ok(Some(Planted { seeds, ..Planted::default() }))
    }

    /// Curves of a file, in metres; none if they are too large, which is noted.
    fn curve_file(
        &mut self,
        here: &[crate::node::Step],
        file: &str,
        scale: f32,
    ) -> Result<Option<Vec<Vec<Vec3>>>, BuildError> {
        let path = match self.loaded.resolve(file) {
            Ok(path) => path,
            Err(message) => {
                self.problem(here, message, "put the curves beside the scene file");
                return Ok(None);
            }
        };
        let curves = load_curves_file(&path)?;
        let farthest = curves
            .iter()
            .flat_map(|c| &c.points)
            .fold(0.0f32, |far, p| far.max(p.abs().max_element()));
        let least =
            curves.iter().map(|c| c.points.windows(2).map(|e| (e[1] - e[0]).length()).sum::<f32>());
        let shortest = least.fold(f32::INFINITY, f32::min) * scale;
        if !(farthest * scale <= FARTHEST_M) {
            let message = format!(
                "has a point {:e} m from its origin; {FARTHEST_M:e} m is the most",
                farthest * scale
            );
            self.problem(here, message, "give it a smaller `scale`");
            return Ok(None);
        }
        if !(shortest >= 1e-5) {
            let message = format!("has a strand of {shortest:e} m; 1e-5 m is the least");
            self.problem(here, message, "give it a larger `scale`: its file may be in other units");
            return Ok(None);
        }
        let scaled = |c: crate::mesh_io::Curve| c.points.iter().map(|&p| p * scale).collect();
        Ok(Some(curves.into_iter().map(scaled).collect()))
    }

    /// Gives roots to what holds them.
    fn roots(&mut self, index: usize, body: &Strands, planted: &mut Planted) {
        let Some(root) = &body.root else { return };
        let here = steps!["bodies", index, "root"];
        let set = |planted: &mut Planted, path: &RootPath| {
            planted.seeds.iter_mut().for_each(|seed| seed.path = path.clone());
        };
        match root {
            StrandRoot::Free => set(planted, &RootPath::Free),
            StrandRoot::Fixed => set(planted, &RootPath::Fixed),
            StrandRoot::Follow { keyframes } => match self.root_track(keyframes, &planted.seeds) {
                Ok(path) => set(planted, &path),
                Err(message) => {
                    let here = [&here[..], &steps!["keyframes"]].concat();
                    self.problem(&here, message, "give keyframes with increasing times");
                }
            },
            StrandRoot::Collider { name } | StrandRoot::Body { name } => {
                let Some(surface) = self.surface_called(name, [1.0; 2]) else { return };
                if planted.seeds.len().saturating_mul(surface.triangles.len()) > MOST_TESTS {
                    let message = "too many strands to look for what carries each";
                    self.problem(&here, message, "grow them by `shape: { kind: on-surface }`");
                    return;
                }
                for seed in &mut planted.seeds {
                    if let Some(spot) = surface.nearest(seed.drawn[0]) {
                        seed.path = surface.path(&spot);
                    }
                }
            }
        }
    }

    fn root_track(&self, keys: &[FollowKey], seeds: &[Seed]) -> Result<RootPath, String> {
        let track = super::bodies::follow_track(keys)?;
        let sum: Vec3 = seeds.iter().map(|seed| seed.drawn[0]).sum();
        Ok(RootPath::Track { track, centre: sum / seeds.len().max(1) as f32 })
    }

    /// What of this name strands may grow on: a collider or a body that is there already.
    fn surface_called(&self, name: &str, patch: [f64; 2]) -> Option<Surface> {
        match self.collider_index(name) {
            Some(index) => Surface::of_collider(self, index, patch),
            None => Surface::of_body(self, self.bodies.get(name)?),
        }
    }

    /// Points of all strands at the start and at rest.
    fn curves(&mut self, body: &Strands, planted: &Planted, made: &Made) -> Vec<StrandCurve> {
        let nodes = body.nodes as usize;
        let scene = &self.loaded.scene;
        let clearance = scene.contact.thickness_m.max(f64::from(made.fibre.radius)) + 1e-4;
        let mut rng = Rng::new(u64::from(body.shape.seed()) ^ 0x6375_726c);
        let mut coarse = f64::INFINITY;
        let obstacles = Obstacles::around(&self.builder, clearance);
        let outside = |p: Vec3| planted.surface.as_ref().and_then(|surface| surface.outside(p));
        let curve = |seed: &Seed| {
            let drawn = (seed.drawn.len() > 1).then(|| equal_edges(&seed.drawn, nodes));
            let edge = match &drawn {
                Some(points) => f64::from((points[1] - points[0]).length()),
                None => seed.length / (nodes - 1) as f64,
            };
            let helix = Helix::new(made.curl, edge, TAU * rng.unit());
            if let Some(helix) = helix {
                coarse = coarse.min(TAU / helix.step);
            }
            let (root, direction) = (seed.drawn[0], seed.direction);
            let natural = match helix {
                Some(helix) => helix.points(root, direction, nodes),
                None => straight(root, direction, edge, nodes),
            };
            let rest = match (&drawn, body.rest) {
                (Some(points), StrandRest::Drawn) if helix.is_none() => points.clone(),
                _ => natural.clone(),
            };
            let start = match body.start {
                StrandStart::Natural => drawn.unwrap_or(natural),
                StrandStart::Straight => straight(root, direction, edge, nodes),
                StrandStart::Combed { direction: to, turn_m } => {
                    let direction_to = vec3(to).as_dvec3().normalize_or(glam::DVec3::NEG_Y);
                    let comb = Comb {
                        direction: direction_to,
                        turn: turn_m,
                        clearance,
                        outside: &outside,
                    };
                    comb.strand(root, direction, edge, (nodes, helix))
                }
            };
            let clamped = !body.hinged && seed.path != RootPath::Free;
            let start = clear(start, if clamped { 2 } else { 1 }, &obstacles);
            StrandCurve { start, rest, root: Root { path: seed.path.clone(), clamped } }
        };
        let curves = planted.seeds.iter().map(curve).collect();
        if coarse < LEAST_A_TURN {
            self.warn(format!(
                "`{}` has {coarse:.1} points a turn of its curl, which would keep its form with \
                 {LEAST_A_TURN} or more: give it more `nodes`",
                body.name
            ));
        }
        curves
    }
}

impl Seed {
    fn drawn(points: Vec<Vec3>) -> Self {
        let edges = || points.windows(2).map(|e| e[1] - e[0]);
        let direction = edges().find_map(Vec3::try_normalize).unwrap_or(Vec3::NEG_Y);
        let length = edges().map(|e| f64::from(e.length())).sum();
        Self { direction, length, path: RootPath::Fixed, drawn: points }
    }
}

fn followers_of(
    body: &Strands,
    curves: &[StrandCurve],
    planted: &Planted,
) -> Option<tkanina_sim::strands::Followers> {
    let described = body.followers?;
    let seed = u64::from(body.shape.seed());
    let mut rng = Rng::new(seed ^ 0x666f_6c6c);
    let mut shorter = || 1.0 - described.length_noise * rng.unit();
    Some(if planted.surface.is_some() {
        followers::between(curves, &planted.followers, &mut shorter)
    } else {
        let disc = (described.per_strand, described.spread_m, seed);
        followers::beside(curves, disc, &mut shorter)
    })
}

fn law(model: &StrandModel) -> StrandLaw {
    let params = |stiffness: f64, damping: f64| SpringParams {
        stiffness: stiffness as f32,
        damping: damping as f32,
    };
    match *model {
        StrandModel::Rod => StrandLaw::Rod,
        StrandModel::Springs { stiffness, damping, bend, .. } => StrandLaw::Springs {
            stretch: params(stiffness, damping),
            bend: bend.map(|SpringLaw { stiffness, damping }| params(stiffness, damping)),
        },
        StrandModel::Cosserat { sweeps } => StrandLaw::Cosserat { sweeps },
        StrandModel::SuperHelix { pieces } => StrandLaw::Helix { pieces },
    }
}

fn touch(body: &Strands, friction: f32) -> StrandTouch {
    StrandTouch {
        friction,
        parts: match body.touch {
            schema::StrandTouch::Nothing => TouchParts::Nothing,
            schema::StrandTouch::Points => TouchParts::Points,
            schema::StrandTouch::Segments => TouchParts::Segments,
        },
        crowd: body.hair_contact.map(|contact| Crowd {
            cell: contact.cell_m as f32,
            friction: contact.friction_per_second as f32,
            density: contact.density_kg_m3 as f32,
            pressure: contact.pressure_m_s2 as f32,
        }),
    }
}
