//! A material of the scene becomes masses, springs and air of a cloth.

use glam::Vec3;
use tkanina_sim::cloth::{
    ANGLE_PER_RIGIDITY, AngleBending, Cloth, ClothShape, MassRule, SpringModel, TearLimit,
};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::materials::{Fabric, fabric};
use tkanina_sim::motion::Pose;

use crate::schema::{Air, Bending, Mass, Material, SpringLaw, Springs, Stretching, Tear};

/// C_d of a flat plate face-on; what presets use unless told otherwise.
const FLAT_PLATE_DRAG: f64 = 1.1;

/// Damping of springs that come from a fabric's stiffness, as a share of critical.
const FABRIC_DAMPING_RATIO: f64 = 0.1;

/// A cloth of this material, its shape and place still to be set. `None` if the
/// material says nothing of stiffness.
pub(super) fn cloth(name: &str, material: &Material, air: &Air) -> Option<Cloth> {
    let preset = material.preset.as_deref().and_then(fabric);
    let area_law = |c: Option<f64>| (0.5 * air.density_kg_m3 * c.unwrap_or(0.0)) as f32;
    let drag = material.drag_coefficient.or(preset.map(|_| FLAT_PLATE_DRAG));
    Some(Cloth {
        name: name.to_owned(),
        shape: ClothShape::Mesh { points: Vec::new(), faces: Vec::new(), uvs: Vec::new() },
        place: Pose::at(Vec3::ZERO),
        velocity: Vec3::ZERO,
        mass: mass(material, preset)?,
        springs: springs(material, preset)?,
        bending: bending(material, preset),
        // 001's law is of single hinges, a rigidity that of a surface.
        plate: material.bending.is_none(),
        drag_per_point: material.drag.unwrap_or(0.0) as f32,
        drag_per_area: area_law(drag),
        lift_per_area: area_law(material.lift_coefficient),
        damping: material.damping_kg_s.unwrap_or(0.0) as f32,
        loss_per_step: material.air_damping_per_step.unwrap_or(0.0) as f32,
        max_stretch: material.max_stretch.map(|s| s as f32),
        tears_at: material.tear.map(|tear| match tear {
            Tear::AtStretch(stretch) => TearLimit::Stretch(stretch as f32),
            Tear::AtNM(tension) => TearLimit::Tension(tension as f32),
        }),
    })
}

fn mass(material: &Material, preset: Option<&Fabric>) -> Option<MassRule> {
    match (material.mass, preset) {
        (Some(Mass::PerPointKg(kg)), _) => Some(MassRule::PerPoint(kg as f32)),
        (Some(Mass::AreaDensityKgM2(d)), _) => Some(MassRule::AreaDensity(d as f32)),
        (None, Some(fabric)) => Some(MassRule::AreaDensity(fabric.area_density.value)),
        (None, None) => None,
    }
}

fn springs(material: &Material, preset: Option<&Fabric>) -> Option<SpringModel> {
    let params = |law: SpringLaw| SpringParams {
        stiffness: law.stiffness as f32,
        damping: law.damping as f32,
    };
    match material.springs {
        Some(Springs::Neighbours20 { stiffness, damping }) => {
            return Some(SpringModel::Neighbours20(params(SpringLaw { stiffness, damping })));
        }
        Some(Springs::Neighbours12 { structural, shear, bend }) => {
            let by_angle = matches!(material.bending, Some(Bending::Angle { .. }));
            return Some(SpringModel::Neighbours12 {
                structural: params(structural),
                shear: params(shear),
                bend: if by_angle { SpringParams::default() } else { params(bend) },
            });
        }
        None => {}
    }
    let damping_ratio = material.damping_ratio.unwrap_or(FABRIC_DAMPING_RATIO) as f32;
    let [warp, weft, shear] = match (material.membrane, preset) {
        (Some(m), _) => [m.warp_n_m as f32, m.weft_n_m as f32, m.shear_n_m as f32],
        (None, Some(fabric)) => [fabric.warp.value, fabric.weft.value, fabric.shear.value],
        (None, None) => return None,
    };
    Some(match material.stretching {
        Some(Stretching::Triangles) => SpringModel::Triangles { warp, weft, shear, damping_ratio },
        _ => SpringModel::Membrane { warp, weft, shear, damping_ratio },
    })
}

fn bending(material: &Material, preset: Option<&Fabric>) -> Option<AngleBending> {
    let stiffness = match material.bending {
        Some(Bending::Springs) => return None,
        Some(Bending::Angle { stiffness }) => stiffness,
        None if material.springs.is_some() && material.bending_n_m.is_none() => return None,
        None => {
            let of_preset = preset.map(|fabric| f64::from(fabric.bending.value));
            f64::from(ANGLE_PER_RIGIDITY) * material.bending_n_m.or(of_preset)?
        }
    };
    Some(AngleBending { stiffness: stiffness as f32, damping: 0.0 })
}
