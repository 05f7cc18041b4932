//! What of fibres gets into a frame.

use std::sync::Arc;

use glam::Vec3;
use tkanina_render::frame::{Frame, StrandDisplay, StrandLight, Strands};
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::{HeatMap, HeatQuantity, Scene, Show};
use tkanina_stage::Stage;

const FUR: &str = "\
format: 1
name: fur
colliders:
  - { name: ball, kind: sphere, center_m: [0, 1, 0], radius_m: 0.1 }
bodies:
  - name: fur
    kind: strands
    shape: { kind: on-surface, on: ball, count: 60, length_m: 0.05 }
    fibre: { preset: fur }
    nodes: 6
    followers: { per_strand: 3 }
look:
  bodies:
    fur: { strands: { display: DISPLAY, light: kajiya-kay, root_color: [0.2, 0.1, 0], width: 2 } }
";

fn open(display: &str) -> (Simulation, Stage) {
    let text = FUR.replace("DISPLAY", display);
    let loaded =
        Scene::load_text("fur", &text, None, &[]).unwrap_or_else(|e| panic!("{}", e.render()));
    let simulation = build(&loaded).unwrap();
    let stage = Stage::new(&loaded, &simulation.world).unwrap();
    (simulation, stage)
}

fn only(frame: &Frame) -> &Strands {
    assert_eq!(frame.strands.len(), 1);
    &frame.strands[0]
}

#[test]
fn strands_and_followers_are_shown_with_the_look_of_the_scene() {
    let (mut simulation, mut stage) = open("ribbons");
    let shot = stage.shoot(&mut simulation.world, &Show::default());
    let fur = only(&shot.frame);
    assert_eq!(fur.ranges.len(), 60 * 4);
    assert_eq!(fur.points.len(), 60 * 4 * 6);
    let x = &simulation.world.state().x;
    let set = &simulation.world.model().strands[0];
    let own: Vec<Vec3> = set.strands[7].particles().map(|p| x.get(p)).collect();
    let [first, count] = fur.ranges[7].map(|n| n as usize);
    assert_eq!(fur.points[first..first + count], own[..]);
    // Followers stand on the ball, or nearly: their roots lie in the plane across their guide's.
    for range in &fur.ranges[60..] {
        let off = (fur.points[range[0] as usize] - Vec3::Y).length();
        assert!((0.095..0.12).contains(&off), "{off}");
    }
    assert_eq!(
        (fur.look.display, fur.look.light),
        (StrandDisplay::Ribbons, StrandLight::KajiyaKay)
    );
    assert_eq!(fur.look.colors[0], Vec3::new(0.2, 0.1, 0.0));
    assert_eq!(fur.look.radii[0], 2.0 * set.fibre.radius);
    assert!(fur.ground.is_none());
    // The ball and a floor; nothing of the fur.
    assert!(shot.frame.surfaces.iter().all(|surface| !surface.triangles.is_empty()));
    let [low, high] = shot.bounds;
    assert!(low.is_finite() && high.is_finite() && (high - low).length() < 1.0);
}

#[test]
fn arrays_of_strands_stay_the_same_while_nothing_moves() {
    let (mut simulation, mut stage) = open("shells");
    let show =
        Show { particles: true, normals: true, springs: true, wireframe: true, ..Show::default() };
    let first = stage.shoot(&mut simulation.world, &show).frame;
    let second = stage.shoot(&mut simulation.world, &show).frame;
    assert!(Arc::ptr_eq(&only(&first).points, &only(&second).points));
    assert!(Arc::ptr_eq(&only(&first).ranges, &only(&second).ranges));
    simulation.advance().unwrap();
    let third = stage.shoot(&mut simulation.world, &show).frame;
    assert!(Arc::ptr_eq(&only(&first).ranges, &only(&third).ranges));
}

#[test]
fn shells_have_the_surface_that_roots_stand_on() {
    let (mut simulation, mut stage) = open("shells");
    let frame = stage.shoot(&mut simulation.world, &Show::default()).frame;
    let fur = only(&frame);
    let ground = fur.ground.as_ref().unwrap();
    assert!(ground.positions.len() > 500 && ground.triangles.len() > 900);
    for (i, place) in ground.positions.iter().enumerate() {
        assert!(((*place - Vec3::Y).length() - 0.1).abs() < 2e-3, "{place}");
        // The nearest strand is near.
        let guide = fur.ranges[ground.guides[i][0] as usize][0];
        let off = (fur.points[guide as usize] - *place).length();
        assert!(off < 0.04, "{off}");
        let sum: f32 = ground.weights[i].iter().sum();
        assert!((0.0..=1.0001).contains(&sum));
    }
    let grown = ground.weights.iter().filter(|w| w.iter().sum::<f32>() > 0.9).count();
    assert!(grown > ground.weights.len() * 9 / 10, "{grown}");
}

#[test]
fn heat_maps_colour_strands_by_node() {
    let (mut simulation, mut stage) = open("ribbons");
    for _ in 0..3 {
        simulation.advance().unwrap();
    }
    let map = HeatMap { of: HeatQuantity::Speed, colors: Default::default(), range: None };
    let show = Show { heat_map: Some(map), ..Show::default() };
    let frame = stage.shoot(&mut simulation.world, &show).frame;
    let fur = only(&frame);
    let values = fur.values.as_ref().unwrap();
    assert_eq!(values.len(), fur.points.len());
    assert_eq!(values.iter().copied().fold(0.0, f32::max), 1.0);
    // Roots are at rest, of followers too.
    for [first, count] in fur.ranges.iter().map(|range| range.map(|n| n as usize)) {
        assert!(values[first] < 1e-6 && values[first + count - 1] > 0.0);
    }
}

#[test]
fn a_hidden_body_of_strands_is_left_out() {
    let (mut simulation, mut stage) = open("cards");
    let text =
        FUR.replace("DISPLAY", "cards").replace("fur: { strands", "fur: { hidden: true, strands");
    let hidden = Scene::load_text("fur", &text, None, &[]).unwrap().scene.look;
    stage.set_look(&hidden).unwrap();
    assert!(stage.shoot(&mut simulation.world, &Show::default()).frame.strands.is_empty());
}
