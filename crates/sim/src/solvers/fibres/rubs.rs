//! Friction of the strands of one body on every collider.

use crate::model::Model;

/// μ of a body on each collider, by number: that of the pair where there is one, else the collider's.
pub(super) fn rubs_of(model: &Model, body: usize) -> Vec<f32> {
    let mut rubs: Vec<f32> = model.colliders.iter().map(|collider| collider.friction).collect();
    for &(one, collider, rub) in &model.collider_pairs {
        if let (true, Some(own)) = (one as usize == body, rubs.get_mut(collider as usize)) {
            *own = rub.friction;
        }
    }
    // Pairs with meshes are among those of surfaces, which are numbered through: bodies, then meshes.
    let pairs = model.contact.iter().flat_map(|law| &law.pairs);
    for &(_, other, rub) in pairs.filter(|pair| pair.0 as usize == body) {
        let mesh = (other as usize).checked_sub(model.bodies.len());
        let mesh = mesh.and_then(|mesh| model.mesh_colliders.get(mesh));
        if let Some(own) = mesh.and_then(|mesh| rubs.get_mut(mesh.collider)) {
            *own = rub.friction;
        }
    }
    rubs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ModelBuilder;
    use crate::colliders::{Collider, ColliderPlane, ColliderShape, MeshCollider};
    use crate::contact::{ContactLaw, Rub};
    use crate::motion::Pose;
    use glam::Vec3;

    #[test]
    fn pairs_with_planes_and_with_meshes_stand_for_what_colliders_say() {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        for name in ["first", "second"] {
            let shape = ColliderShape::Plane(ColliderPlane {});
            let plane = Collider::new(name, shape, Pose::IDENTITY);
            builder.add_collider(Collider { friction: 0.7, ..plane });
        }
        let mesh = MeshCollider {
            name: "mesh".to_owned(),
            triangles: vec![[0, 1, 2]],
            rest: vec![Vec3::ZERO, Vec3::X, Vec3::Z],
            friction: 0.4,
            ..MeshCollider::default()
        };
        builder.add_mesh_collider(mesh);
        let rub = |friction: f32| Rub { friction, restitution: 0.0 };
        builder.set_rub(0, 1, rub(0.1));
        let mut model = builder.build().0;
        assert!(model.bodies.is_empty());
        // No body: the mesh is the first of all surfaces.
        model.contact = Some(ContactLaw {
            bodies: Vec::new(),
            thickness: 0.0,
            safe: true,
            rub: Rub::default(),
            pairs: vec![(0, 0, rub(0.2))],
        });
        assert_eq!(rubs_of(&model, 0), [0.7, 0.1, 0.2]);
        assert_eq!(rubs_of(&model, 1), [0.7, 0.7, 0.4]);
    }
}
