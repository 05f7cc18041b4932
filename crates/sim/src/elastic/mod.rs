//! Elements as implicit solvers see them: energy, gradient and a Hessian without negative
//! eigenvalues, in f64, one list per type.

mod coupling;
mod hinge;
mod plate;
mod polar;
mod singular;
mod spring;
mod tetra;
mod triangle;

use crate::model::Model;

pub use coupling::ElasticCoupling;
pub(crate) use hinge::turn;
pub use hinge::{ElasticHinge, HingeShape};
pub(crate) use plate::OTHERS;
pub use plate::{ElasticPlate, PlateShape, PlateSide, plates_of};
pub(crate) use polar::{cofactors, frobenius};
pub use singular::Singular;
pub use spring::ElasticSpring;
pub(crate) use spring::outer;
pub use tetra::{ElasticTetra, TetraCurvature, TetraLaw, TetraMaterial, TetraStrain};
pub use triangle::{ElasticTriangle, TriangleShape, tension_of};

/// All elements of a model. Ties are not among them: whether they act changes with time.
#[derive(Clone, Debug, Default)]
pub struct Elastic {
    /// Springs of grids and of meshes that have any stiffness or damping.
    pub springs: Vec<ElasticSpring>,
    /// Bending by angles.
    pub hinges: Vec<ElasticHinge>,
    /// Hinges that act together.
    pub couplings: Vec<ElasticCoupling>,
    /// Membrane triangles.
    pub triangles: Vec<ElasticTriangle>,
    /// Tetrahedra.
    pub tetras: Vec<ElasticTetra>,
}

impl Elastic {
    /// The elements of `model`, in a fixed order.
    pub fn of(model: &Model) -> Self {
        let mut springs = Vec::new();
        for grid in &model.grids {
            grid.for_each_spring(|a, b, s| {
                springs.push(ElasticSpring {
                    ends: [a as u32, b as u32],
                    rest: f64::from(s.rest),
                    stiffness: f64::from(s.stiffness),
                    damping: f64::from(s.damping),
                    kind: s.kind,
                });
            });
        }
        springs.extend(model.springs.springs().iter().map(|s| ElasticSpring {
            ends: s.ends,
            rest: f64::from(s.rest),
            stiffness: f64::from(s.params.stiffness),
            damping: f64::from(s.params.damping),
            kind: s.kind,
        }));
        springs.retain(|s| s.stiffness > 0.0 || s.damping > 0.0);
        let hinges: Vec<ElasticHinge> = model.bends.bends().iter().map(ElasticHinge::new).collect();
        let couplings =
            model.bends.couplings().iter().map(|c| ElasticCoupling::new(c, &hinges)).collect();
        let triangles = model.membranes.triangles().iter().map(ElasticTriangle::new).collect();
        let tetras = model.tetras.tetras().to_vec();
        Self { springs, hinges, couplings, triangles, tetras }
    }
}
