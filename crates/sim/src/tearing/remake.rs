//! The model as it is once something has come apart.

use std::ops::Range;

use super::bends::bends;
use super::fracture;
use super::layout::Layout;
use super::shares::Shares;
use super::springs::Paths;
use super::strands;
use super::torn::Torn;
use super::whole::Whole;
use crate::edges::{Edge, EdgeBatch};
use crate::elements::{
    AngleBendBatch, Gas, GasBatch, GridStencil, MembraneBatch, MembraneTriangle, Spring,
    SpringBatch, SpringParams, TetraBatch, TieEnd,
};
use crate::incidence::Incidence;
use crate::model::{Body, Hold, Model};

/// Makes `model` what `whole` is once it has come apart as `torn` says. What has no particles in
/// it stays as it is.
pub(super) fn remake(model: &mut Model, whole: &Whole, torn: &Torn, layout: &Layout) {
    let shares = Shares::of(whole, torn);
    let was = &whole.model;
    let number = |name: u32| layout.number(name);
    model.topology_version += 1;
    particles(model, was, (&shares, torn), layout);
    triangles(model, was, torn, layout);
    bodies(model, whole, torn, layout);
    strands::renumber(model, was, layout);
    model.goals = fracture::goals(whole, torn, layout);
    model.contact.clone_from(&was.contact);
    for (goal, next) in model.goals.iter().zip(model.goals.iter().skip(1)) {
        // Pieces of one body touch each other.
        let law = model.contact.as_mut().and_then(|law| law.bodies.get_mut(goal.body));
        law.into_iter().for_each(|law| law.touches_itself |= goal.body == next.body);
    }

    let paths = Paths::new(whole, torn, &shares);
    let count = layout.count();
    let mut springs: Vec<Spring> =
        was.springs.springs().iter().flat_map(|spring| paths.springs(spring)).collect();
    model.grids.clear();
    for stencil in &was.grids {
        let body = was.bodies.iter().position(|body| body.particles.start == stencil.first());
        let still = body.is_some_and(|body| model.bodies[body].grid.is_some());
        if still {
            let first = number(stencil.first() as u32) as usize;
            model.grids.push(stencil.clone().starting_at(first));
        } else {
            springs.extend(of_grid(stencil).iter().flat_map(|spring| paths.springs(spring)));
        }
    }
    springs.iter_mut().for_each(|spring| spring.ends = spring.ends.map(number));
    model.springs = SpringBatch::new(count, springs);
    let edges = was.edges.edges().iter().flat_map(|edge| paths.edges(edge));
    let edges = edges.map(|edge| Edge { ends: edge.ends.map(number), ..edge });
    model.edges = EdgeBatch::new(count, edges.collect());

    let (mut hinges, mut couplings) = bends(whole, torn, &shares);
    for coupling in &mut couplings {
        // Bodies before it may have more triangles than they had.
        let at = coupling.triangle as usize;
        let body = was.bodies.iter().position(|body| body.triangles.contains(&at));
        if let Some(body) = body {
            let first = model.bodies[body].triangles.start;
            coupling.triangle = (at - was.bodies[body].triangles.start + first) as u32;
        }
    }
    hinges.iter_mut().for_each(|hinge| hinge.corners = hinge.corners.map(number));
    model.bends = AngleBendBatch::coupled(count, hinges, couplings);
    let mut membranes = membranes(was, torn);
    membranes.iter_mut().for_each(|triangle| triangle.corners = triangle.corners.map(number));
    model.membranes = MembraneBatch::new(count, membranes);
    // Solids do not come apart.
    let mut tetras = was.tetras.tetras().to_vec();
    tetras.iter_mut().for_each(|tetra| tetra.corners = tetra.corners.map(number));
    model.tetras = TetraBatch::new(count, tetras);
    model.gases = GasBatch::new(count, gases(model, was));
    joins(model, was, &shares, layout);
}

/// Gas that is still held in; from a hole it is gone at once.
fn gases(model: &Model, was: &Model) -> Vec<Gas> {
    let held = was.gases.gases().iter().filter(|gas| model.bodies[gas.body].closed);
    let renumbered = held.map(|gas| Gas {
        surface: model.triangles[model.bodies[gas.body].triangles.clone()].to_vec(),
        ..gas.clone()
    });
    renumbered.collect()
}

/// Values of particles, in the order of their numbers.
fn particles(model: &mut Model, was: &Model, (shares, torn): (&Shares, &Torn), layout: &Layout) {
    let ordered = |by_name: Vec<f32>| -> Vec<f32> {
        layout.names().iter().map(|&name| by_name[name as usize]).collect()
    };
    model.mass = ordered(shares.divide(&was.mass));
    model.drag = ordered(shares.divide(&was.drag));
    model.lift = ordered(shares.divide(&was.lift));
    model.damping = ordered(shares.divide(&was.damping));
    if !was.kept.is_empty() {
        model.kept = ordered(shares.repeat(&was.kept, torn));
    }
    // Whoever holds particles says so afterwards.
    let freed = |&mass: &f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
    model.inverse_mass = model.mass.iter().map(freed).collect();
}

/// Triangles by number, body after body: more where lattices have broken. The ranges of bodies are with them.
pub(super) fn surface(
    was: &Model,
    torn: &Torn,
    layout: &Layout,
) -> (Vec<[u32; 3]>, Vec<Range<usize>>) {
    let number = |t: &[u32; 3]| t.map(|name| layout.number(name));
    let (mut triangles, mut ranges) = (Vec::new(), Vec::new());
    for (index, body) in was.bodies.iter().enumerate() {
        let first = triangles.len();
        match fracture::faces(was, torn, index) {
            Some(faces) => triangles.extend(faces.iter().map(number)),
            None => triangles.extend(torn.triangles[body.triangles.clone()].iter().map(number)),
        }
        ranges.push(first..triangles.len());
    }
    (triangles, ranges)
}

fn triangles(model: &mut Model, was: &Model, torn: &Torn, layout: &Layout) {
    let (triangles, ranges) = surface(was, torn, layout);
    model.triangles = triangles;
    model.bodies.iter_mut().zip(ranges).for_each(|(body, range)| body.triangles = range);
}

fn bodies(model: &mut Model, whole: &Whole, torn: &Torn, layout: &Layout) {
    let was = &whole.model;
    let lattices: Vec<usize> =
        was.goals.iter().filter(|goal| goal.lattice().is_some()).map(|goal| goal.body).collect();
    let remade = was.bodies.iter().enumerate().map(|(index, body)| {
        let particles = layout.body(index);
        let new = &layout.names()[particles.start + body.particles.len()..particles.end];
        let local = |&name: &u32| torn.origin(whole.count(), name) as usize - body.particles.start;
        let mut uvs = body.uvs.clone();
        if uvs.len() == body.particles.len() {
            uvs.extend(new.iter().map(|name| body.uvs[local(name)]));
        }
        let mut rest = body.rest.clone();
        if !new.is_empty() {
            rest = whole.rest[body.particles.clone()].to_vec();
            rest.extend(new.iter().map(|name| whole.rest[body.particles.start + local(name)]));
        }
        Body {
            name: body.name.clone(),
            triangles: model.bodies[index].triangles.clone(),
            // A grid has no holes.
            grid: body.grid.filter(|_| new.is_empty()),
            closed: body.closed && (new.is_empty() || lattices.contains(&index)),
            carried: body.carried.clone().filter(|_| new.is_empty()),
            particles,
            uvs,
            rest,
        }
    });
    model.bodies = remade.collect();
    let meshes = model.bodies.iter().filter(|body| body.grid.is_none());
    let triangles = meshes.flat_map(|body| &model.triangles[body.triangles.clone()]);
    model.mesh_triangles = triangles.copied().collect();
    model.mesh_incidence = Incidence::new(layout.count(), &model.mesh_triangles);
}

/// Springs of a grid, one by one.
pub(super) fn of_grid(stencil: &GridStencil) -> Vec<Spring> {
    let mut out = Vec::new();
    stencil.for_each_spring(|a, b, spring| {
        let params = SpringParams { stiffness: spring.stiffness, damping: spring.damping };
        if params != SpringParams::default() {
            let ends = [a as u32, b as u32];
            out.push(Spring { ends, rest: spring.rest, params, kind: spring.kind });
        }
    });
    out
}

/// Membrane triangles by name: they come in the order of the triangles, some of which have none.
fn membranes(was: &Model, torn: &Torn) -> Vec<MembraneTriangle> {
    let mut triangles = was.triangles.iter().zip(&torn.triangles);
    let named = was.membranes.triangles().iter().filter_map(|membrane| {
        let (_, corners) = triangles.find(|(before, _)| **before == membrane.corners)?;
        Some(MembraneTriangle { corners: *corners, ..*membrane })
    });
    named.collect()
}

/// Holds, ties and pushes.
fn joins(model: &mut Model, was: &Model, shares: &Shares, layout: &Layout) {
    let number = |name: u32| layout.number(name);
    model.holds.clear();
    for hold in &was.holds {
        let one = [(hold.particle, hold.particle)];
        let copies = Some(shares.of_origin(hold.particle)).filter(|copies| !copies.is_empty());
        for &(_, name) in copies.unwrap_or(&one) {
            model.holds.push(Hold { particle: number(name), ..*hold });
        }
    }
    for (tie, before) in model.ties.iter_mut().zip(&was.ties) {
        tie.particle = number(before.particle);
        if let TieEnd::Particle(other) = before.end {
            tie.end = TieEnd::Particle(number(other));
        }
    }
    for (force, before) in model.point_forces.iter_mut().zip(&was.point_forces) {
        force.particles = before.particles.iter().map(|&particle| number(particle)).collect();
    }
}
