//! One fabric at three resolutions.

mod common;
mod implicit_kinds;
mod strips;

use common::{DOWN, cloth};
use implicit_kinds::EULER;
use strips::settle;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, ClothShape, MassRule, SpringModel};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::world::World;

/// Depth of the centre of a square metre of felt that is held at an eighth of a metre square in
/// each corner. [m]
fn sag(springs: SpringModel, cells: usize) -> f32 {
    let mut sheet = cloth([cells + 1, cells + 1], 0.0, 0.0);
    sheet.mass = MassRule::AreaDensity(0.3);
    sheet.springs = springs;
    sheet.bending = Some(AngleBending { stiffness: 4e-3, damping: 0.0 });
    sheet.plate = true;
    let mut b = ModelBuilder::new(DOWN);
    b.add_cloth(&sheet);
    let ClothShape::Grid(grid) = &sheet.shape else { unreachable!() };
    for (i, p) in grid.points().iter().enumerate() {
        if p.x.abs() > 0.374 && p.z.abs() > 0.374 {
            b.hold(i, AnchorPath::Fixed, Grip::RIGID);
        }
    }
    let (model, state) = b.build();
    let mut world = World::new(model, state, EULER);
    settle(&mut world, 0.1, 80);
    -world.state().x.get((cells + 1) * (cells / 2) + cells / 2).y
}

#[test]
fn sag_converges_as_the_mesh_gets_finer() {
    let (warp, weft, shear, damping_ratio) = (300.0, 300.0, 100.0, 0.0);
    for springs in [
        SpringModel::Membrane { warp, weft, shear, damping_ratio },
        SpringModel::Triangles { warp, weft, shear, damping_ratio },
    ] {
        let [coarse, middle, fine] = [8, 16, 32].map(|cells| sag(springs, cells));
        let change = (fine / middle - 1.0).abs();
        assert!(change < 0.05, "{springs:?}: {coarse}, {middle}, {fine} m");
        assert!(
            change < (middle / coarse - 1.0).abs(),
            "{springs:?}: {coarse}, {middle}, {fine} m"
        );
        assert!(fine > 0.02, "it hardly sags: {fine} m");
    }
}
