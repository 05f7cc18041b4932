//! Which method suits a model, and which cannot do it.

use std::fmt;

use crate::elements::SpringKind;
use crate::model::{Body, Model};
use crate::strands::Strand;

use super::fibres::Fibres;
use super::{Newton, SolverKind};

/// A method with the reason for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The method.
    pub kind: SolverKind,
    /// Why, as the end of a sentence that starts with its name.
    pub why: String,
}

/// A cloth that its own weight draws out by less than this hardly stretches: its lines can be
/// solved as if they had a length. Beyond it the springs are what one sees.
const HARDLY: f64 = 0.05;

/// A point that its springs move by less than this part of their stretch in a step of XPBD needs
/// one sweep: it is as exact as vertex descent then, and three times as fast.
const SLOW: f64 = 2e-3;

/// A step of XPBD at its own choice for frames of 1/60 s. [s]
const XPBD_STEP: f64 = 1.0 / 960.0;

/// The method for a model: line projection for grids, and for meshes that hardly stretch; XPBD for
/// meshes of springs that are slow beside its steps; vertex descent for what else stretches and
/// for everything mixed.
pub fn choose(model: &Model) -> Choice {
    let descent =
        |why: String| Choice { kind: SolverKind::VertexDescent { iterations: None }, why };
    if !model.strands.is_empty() && Fibres::are_all(model) {
        let why = "because each strand is solved as a whole, lengths and bending at once";
        let kind = SolverKind::LineProjection { iterations: None, embed: None };
        return Choice { kind, why: why.into() };
    }
    if !model.goals.is_empty() {
        let why = "because it alone draws bodies to a shape";
        return Choice { kind: SolverKind::Xpbd { iterations: None }, why: why.into() };
    }
    if !model.membranes.triangles().is_empty() {
        return descent("because triangles carry the stretch, and it takes any element".into());
    }
    if model.edges.may_tear() {
        return tearing(model);
    }
    if !model.tetras.is_empty() {
        return solid(model);
    }
    if !model.gases.is_empty() && !model.edges.has_limits() {
        let why = "because gas joins all points of a surface, and it takes that as one constraint";
        return Choice { kind: SolverKind::Xpbd { iterations: None }, why: why.into() };
    }
    // A soft cloth that reaches its limits is calm only if they are part of the step.
    let limited = model.edges.has_limits();
    let is_grid = |body: &Body| model.grids.iter().any(|g| body.particles.contains(&g.first()));
    let asked = model.bodies.iter().filter(|body| limited || !is_grid(body));
    let strained = asked.map(|body| (body, hanging_strain(model, body)));
    let softest = strained.max_by(|a, b| a.1.total_cmp(&b.1));
    match softest {
        Some((body, strain)) if strain > HARDLY && !limited && is_slow(model) => Choice {
            kind: SolverKind::Xpbd { iterations: None },
            why: format!(
                "because `{}` is elastic and its springs are slow beside its mass: one sweep a \
                 step solves them",
                body.name
            ),
        },
        Some((body, strain)) if strain > HARDLY => descent(format!(
            "because `{}` is elastic (its weight alone would draw it out by {}), and it is \
             stable for any spring and limit",
            body.name,
            Percent(strain)
        )),
        _ => Choice {
            kind: SolverKind::LineProjection { iterations: None, embed: None },
            why: match softest {
                None => {
                    "because solving each line of a grid at once is stable for any spring, \
                         and makes stiffness cost nothing"
                }
                Some(_) => {
                    "because the cloth hardly stretches, and solving each of its lines at \
                            once makes stiffness cost nothing"
                }
            }
            .into(),
        },
    }
}

/// The method for cloth that may tear: its stretch must follow from the load, also where it is
/// stiff, which takes more sweeps than anyone has time for. Gas bears on all of a skin alike: sweeps
/// find its stretch soon.
fn tearing(model: &Model) -> Choice {
    let strains = model.bodies.iter().map(|body| hanging_strain(model, body));
    let soft = strains.fold(0.0, f64::max) > HARDLY || !model.gases.is_empty();
    let (kind, how) = if soft {
        (SolverKind::VertexDescent { iterations: None }, "it is stable for any spring")
    } else {
        let newton = Newton { iterations: None, tolerance: None };
        (SolverKind::ImplicitEuler(newton), "it solves stiff springs to the end")
    };
    let why = format!(
        "because cloth may tear, its stretch must follow from the load for that, and {how}"
    );
    Choice { kind, why }
}

/// ω²h²(1 + β/h) of a point of a solid in a step of XPBD up to which two sweeps solve it.
///
/// Measured on a bar of 480 tetrahedra under its weight: at 1.5 two sweeps of 16 steps come within
/// 0.2 % of vertex descent's eight sweeps of 8, in a fifth of the time (2.4 and 13 ms a frame); at
/// 150 they leave it 2.4 times as soft, and vertex descent at four steps is exact to 0.1 %.
const SOFT: f64 = 4.0;

/// The method for solids: XPBD where they are soft beside its steps, vertex descent where not.
fn solid(model: &Model) -> Choice {
    let damping = model.tetras.tetras().iter().map(|t| t.damping).fold(0.0, f64::max);
    let rate = model.tetras.fastest_rate(&model.inverse_mass);
    let stiff = rate * XPBD_STEP * XPBD_STEP * (1.0 + damping / XPBD_STEP);
    if stiff < SOFT && !model.edges.has_limits() {
        let why = "because the solid is soft beside its mass: two sweeps a step solve it, at a \
                   fifth of what vertex descent costs";
        Choice { kind: SolverKind::Xpbd { iterations: None }, why: why.into() }
    } else {
        let why = "because the solid is stiff beside its mass, and all tetrahedra at a point \
                   solved together need far fewer sweeps";
        Choice { kind: SolverKind::VertexDescent { iterations: None }, why: why.into() }
    }
}

/// Why `kind` cannot run `model`, and what to do about it.
pub fn refusal(kind: SolverKind, model: &Model) -> Option<(String, String)> {
    let triangles = !model.membranes.triangles().is_empty();
    let drawn = model.goals.first().and_then(|goal| model.bodies.get(goal.body));
    if let (Some(body), false) = (drawn, matches!(kind, SolverKind::Xpbd { .. })) {
        return Some((
            format!(
                "`{}` cannot draw a body to a shape, which is how `{}` keeps its own",
                kind.name(),
                body.name
            ),
            "use `auto` or `xpbd`, or another `inside`".into(),
        ));
    }
    if let SolverKind::SuperHelix { .. } = kind {
        let others = SolverKind::LineProjection { iterations: None, embed: None };
        return no_helices(model).or_else(|| refusal(others, model));
    }
    match kind {
        SolverKind::LineProjection { .. } | SolverKind::Projective { .. }
            if model.gases.has_ideal() =>
        {
            Some((
                format!(
                    "`{}` follows springs, and gas presses on a whole surface here",
                    kind.name()
                ),
                "use `auto`, `vertex-descent`, `xpbd` or `implicit-euler`".into(),
            ))
        }
        SolverKind::LineProjection { .. } | SolverKind::Projective { .. }
            if !model.tetras.is_empty() =>
        {
            Some((
                format!("`{}` follows springs, and tetrahedra carry a solid here", kind.name()),
                "use `auto`, `xpbd`, `vertex-descent` or `implicit-euler`".into(),
            ))
        }
        SolverKind::LineProjection { .. } if triangles => Some((
            "`line-projection` follows springs, and triangles carry the stretch here".into(),
            "use `vertex-descent` or `implicit-euler`, or `stretching: springs` in the material"
                .into(),
        )),
        SolverKind::LineProjection { .. } if model.edges.may_tear() => Some((
            "`line-projection` gives lines their length whatever pulls at them, so that a stretch \
             to tear at would say nothing of the load"
                .into(),
            "use `auto`, `vertex-descent` or `implicit-euler`, or leave `tear` out of the material"
                .into(),
        )),
        _ => None,
    }
}

/// Why strands of a model cannot be super-helices.
fn no_helices(model: &Model) -> Option<(String, String)> {
    let mut rods = model.strands.iter().filter(|set| set.law.is_rod()).peekable();
    if rods.peek().is_none() {
        let known: Vec<&str> = SolverKind::all().map(SolverKind::name).collect();
        return Some((
            "`super-helix` is for strands, and this scene has none".into(),
            format!("use one of auto, {}", known.join(", ")),
        ));
    }
    if let Some(set) = rods.clone().find(|set| set.touches_by_segments()) {
        let name = model.bodies.get(set.body).map_or("", |body| &body.name);
        return Some((
            format!(
                "`super-helix` lets strands meet colliders only, by points, and segments of `{name}` \
                 touch others"
            ),
            "use `auto`, or `touch: points`".into(),
        ));
    }
    let loose = rods.find(|set| !set.strands.iter().all(Strand::is_clamped))?;
    let name = model.bodies.get(loose.body).map_or("", |body| &body.name);
    Some((
        format!(
            "`super-helix` follows a strand from a root that holds its direction, and roots of \
             `{name}` do not"
        ),
        "use `auto`, or clamp the roots".into(),
    ))
}

/// How far the weight of a strip of a body as wide as its springs are apart would draw it out
/// at the top: (mass of a line)·g/(k L), the line being √n points long.
fn hanging_strain(model: &Model, body: &Body) -> f64 {
    let range = body.particles.clone();
    let mass: f64 = model.mass[range.clone()].iter().map(|&m| f64::from(m)).sum();
    let (mut pull, mut count) = (0.0, 0.0);
    let mut see = |stiffness: f32, rest: f32, times: f64| {
        pull += f64::from(stiffness) * f64::from(rest) * times;
        count += times;
    };
    for grid in model.grids.iter().filter(|g| range.contains(&g.first())) {
        for spring in grid.springs().iter().filter(|s| s.kind == SpringKind::Structural) {
            see(spring.stiffness, spring.rest, 1.0);
        }
    }
    for spring in model.springs.springs().iter().filter(|s| s.kind == SpringKind::Structural) {
        if range.contains(&(spring.ends[0] as usize)) {
            see(spring.params.stiffness, spring.rest, 1.0);
        }
    }
    let line = mass / (range.len().max(1) as f64).sqrt();
    let weight = line * f64::from(model.gravity.length());
    if weight == 0.0 || count == 0.0 { 0.0 } else { weight / (pull / count).max(1e-30) }
}

/// Whether every spring has k h²/m below [`SLOW`] and nothing else holds the cloth together.
fn is_slow(model: &Model) -> bool {
    let grids = model.grids.iter().flat_map(|grid| grid.springs()).map(|s| s.stiffness);
    let others = model.springs.springs().iter().map(|s| s.params.stiffness);
    let stiffest = f64::from(grids.chain(others).fold(0.0, f32::max));
    let lightest = f64::from(model.mass.iter().copied().fold(f32::INFINITY, f32::min));
    let springs_alone = model.bends.bends().is_empty() && model.ties.is_empty();
    springs_alone && stiffest * XPBD_STEP * XPBD_STEP < SLOW * lightest
}

struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 10.0 {
            write!(f, "{:.0} %", 100.0 * self.0)
        } else {
            write!(f, "many times its length")
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::builder::ModelBuilder;
    use crate::colliders::forms::ico_sphere;
    use crate::elements::{GasLaw, Spring, SpringParams};
    use crate::motion::Pose;
    use crate::soft_body::{GasAmount, GasFill, SoftBody, SoftMass};

    /// Two points joined by a spring of length `rest`, under gravity of a metre a second squared.
    fn pair(stiffness: f32, mass: f32, rest: f32) -> SolverKind {
        let mut b = ModelBuilder::new(Vec3::NEG_Y);
        let ends = [0.0, rest].map(|x| b.add_particle(mass, Vec3::X * x, Vec3::ZERO) as u32);
        let params = SpringParams { stiffness, damping: 0.0 };
        b.add_spring(Spring { ends, rest, params, kind: SpringKind::Structural });
        let (mut model, _) = b.build();
        let body = Body {
            name: "pair".into(),
            particles: 0..2,
            triangles: 0..0,
            grid: None,
            closed: false,
            carried: None,
            uvs: Vec::new(),
            rest: Vec::new(),
        };
        model.bodies = vec![body];
        choose(&model).kind
    }

    #[test]
    fn the_method_follows_from_strain_and_speed_of_springs() {
        // Strain √2 m g/(k L) beside 5 %; k h²/m beside 0.002, h = 1/960 s.
        assert!(matches!(pair(10.0, 1.0, 1.0), SolverKind::Xpbd { .. }));
        assert!(matches!(pair(1000.0, 1.0, 1.0), SolverKind::LineProjection { .. }));
        assert!(matches!(pair(2.0, 1e-3, 0.01), SolverKind::VertexDescent { .. }));
        assert!(matches!(pair(1.0, 1e-3, 0.01), SolverKind::Xpbd { .. }));
    }

    #[test]
    fn a_balloon_that_may_burst_is_swept_and_one_that_may_not_is_one_constraint() {
        let balloon = |tears_at: f32| {
            let mut b = ModelBuilder::new(Vec3::ZERO);
            b.add_soft_body(&SoftBody {
                name: "balloon".into(),
                skin: ico_sphere(0.1, 1),
                place: Pose::IDENTITY,
                velocity: Vec3::ZERO,
                mass: SoftMass::Total(0.01),
                edges: SpringParams { stiffness: 10.0, damping: 0.0 },
                centre: None,
                gas: Some(GasFill {
                    law: GasLaw::Ideal,
                    amount: GasAmount::Overpressure(10.0),
                    inflation: Vec::new(),
                    leak: 0.0,
                    outside: 200.0,
                }),
                solid: None,
                cores: None,
                damping: 0.0,
                tears_at,
                carried: None,
            });
            choose(&b.build().0).kind
        };
        assert!(matches!(balloon(1.0), SolverKind::VertexDescent { .. }));
        assert!(matches!(balloon(f32::INFINITY), SolverKind::Xpbd { .. }));
    }
}
