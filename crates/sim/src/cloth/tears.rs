//! From a material's strength to the stretch at which each edge tears.

use super::{Cloth, ClothShape, SpringModel};

/// What cloth does not bear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TearLimit {
    /// length/rest − 1 of a structural edge.
    Stretch(f32),
    /// Force by width along an edge, of surfaces that have a stiffness by width. [N/m]
    Tension(f32),
}

/// length/rest − 1 beyond which an edge of the cloth tears; infinite if it never does.
pub(super) fn stretch(cloth: &Cloth, ends: [u32; 2]) -> f32 {
    match cloth.tears_at {
        None => f32::INFINITY,
        Some(TearLimit::Stretch(stretch)) => stretch,
        Some(TearLimit::Tension(tension)) => match cloth.springs {
            // N = Yε.
            SpringModel::Membrane { warp, weft, .. } => tension / along(cloth, ends, [warp, weft]),
            SpringModel::Triangles { warp, weft, .. } => {
                of_green(tension / along(cloth, ends, [warp, weft]))
            }
            SpringModel::Neighbours12 { .. } | SpringModel::Neighbours20(_) => f32::INFINITY,
        },
    }
}

/// Stiffness by width along an edge: a mesh has no warp that edges would follow. [N/m]
fn along(cloth: &Cloth, [a, b]: [u32; 2], [warp, weft]: [f32; 2]) -> f32 {
    match cloth.shape {
        ClothShape::Grid(_) if a.abs_diff(b) == 1 => warp,
        ClothShape::Grid(_) => weft,
        ClothShape::Mesh { .. } | ClothShape::Sewn(_) => 0.5 * (warp + weft),
    }
}

/// The stretch λ − 1 at which N/Y = ½(λ² − 1)λ, the pull of Green's strain, by Newton's method.
fn of_green(strain: f32) -> f32 {
    if !strain.is_finite() {
        return f32::INFINITY;
    }
    let wanted = f64::from(strain);
    let mut length = 1.0 + wanted.min(1.0);
    for _ in 0..60 {
        let pull = 0.5 * (length * length - 1.0) * length;
        length -= (pull - wanted) / (1.5 * length * length - 0.5);
    }
    (length - 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pull_at_the_limit_is_what_was_asked_for() {
        for strain in [1e-3f32, 0.1, 1.0, 50.0] {
            let length = 1.0 + f64::from(of_green(strain));
            let pull = 0.5 * (length * length - 1.0) * length;
            assert!((pull / f64::from(strain) - 1.0).abs() < 1e-3, "{strain}: {pull}");
        }
        assert_eq!(of_green(f32::INFINITY), f32::INFINITY);
    }
}
