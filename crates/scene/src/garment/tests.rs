//! Cutting and sewing: areas kept, seams whole, faults explained.

use super::*;
use crate::schema::{PanelSide, SeamSide, TShirtSize};

fn side(name: &str, from_m: [f64; 2]) -> PanelSide {
    PanelSide { name: Some(name.to_owned()), from_m, handles_m: Vec::new() }
}

/// A square of 0.3 m that faces z, or back.
fn square(name: &str, back: bool) -> Panel {
    Panel {
        name: name.to_owned(),
        sides: vec![
            side("bottom", [0.0, 0.0]),
            side("right", [0.3, 0.0]),
            side("top", [0.3, 0.3]),
            side("left", [0.0, 0.3]),
        ],
        position_m: if back { [0.3, 0.0, -0.1] } else { [0.0, 0.0, 0.1] },
        rotation_deg: [0.0, if back { 180.0 } else { 0.0 }, 0.0],
        bend_m: None,
    }
}

fn seam(a: (&str, &str), b: (&str, &str)) -> PanelSeam {
    let of = |(panel, side): (&str, &str)| SeamSide { panel: panel.into(), side: side.into() };
    PanelSeam { a: of(a), b: of(b), ease: 0.03 }
}

/// Two squares sewn all round.
fn pillow() -> Pattern {
    let pairs = [("bottom", "bottom"), ("right", "left"), ("top", "top"), ("left", "right")];
    let seams = pairs.map(|(a, b)| seam(("front", a), ("back", b))).to_vec();
    Pattern { panels: vec![square("front", false), square("back", true)], seams, spacing: 0.03 }
}

fn refused(pattern: &Pattern, at: &str, words: &[&str]) {
    let fault = sew(pattern).unwrap_err();
    assert_eq!(crate::node::path_text(&fault.at), at, "{fault:?}");
    let text = format!("{}; {}", fault.message, fault.help);
    words.iter().for_each(|word| assert!(text.contains(word), "{text}"));
}

/// V − E + F.
fn euler(mesh: &tkanina_sim::topology::SewnMesh) -> i64 {
    let edges = mesh.lengths().len() as i64;
    mesh.start.len() as i64 - edges + mesh.triangles.len() as i64
}

#[test]
fn a_pillow_is_a_closed_bag_of_the_area_of_its_panels() {
    let mesh = sew(&pillow()).unwrap();
    assert!((mesh.area() - 0.18).abs() < 1e-12);
    assert_eq!(mesh.faults(), Vec::<[u32; 2]>::new());
    assert_eq!(euler(&mesh), 2);
    assert_eq!(2 * mesh.lengths().len(), 3 * mesh.triangles.len());
    // Sides of seams are of one length, so that no edge has two.
    for (edge, length) in mesh.lengths() {
        assert!(length > 0.012 && length < 0.055, "{edge:?}: {length}");
    }
    // Seams start halfway between the panels.
    let rim = mesh.start.iter().filter(|p| p.z.abs() < 1e-6).count();
    assert_eq!(rim, 40);
}

#[test]
fn a_shirt_has_four_holes_and_keeps_its_cloth() {
    let pattern = t_shirt(&TShirtSize::default(), 0.022).unwrap();
    let mesh = sew(&pattern).unwrap();
    // A ball with four holes: neck, hem and two cuffs.
    assert_eq!((mesh.faults().len(), euler(&mesh)), (0, 2 - 4));
    let whole: f64 = (pattern.panels.iter())
        .map(|panel| {
            let line = |s: usize| outline::Curve::of(panel, s).divided(400).collect::<Vec<_>>();
            let outline: Vec<_> = (0..panel.sides.len()).flat_map(line).collect();
            0.5 * outline::doubled_area(&outline)
        })
        .sum();
    assert!((mesh.area() / whole - 1.0).abs() < 2e-3, "{} of {whole}", mesh.area());
    for flat in &mesh.flat {
        let [a, b, c] = *flat;
        assert!((b - a).perp_dot(c - a) > 0.1 * 0.022 * 0.022, "{flat:?}");
    }
}

#[test]
fn draped_cloth_has_its_lengths_and_keeps_off() {
    let mut mesh = sew(&pillow()).unwrap();
    let ball = |p: glam::Vec3| {
        let from = p - glam::Vec3::new(0.15, 0.15, 0.0);
        Some((from.normalize_or_zero(), from.length() - 0.07))
    };
    drape(&mut mesh, Some(&ball), 0.01);
    assert!(mesh.start.iter().all(|&p| ball(p).is_some_and(|(_, d)| d > 0.0099)));
    let mut worst: f64 = 0.0;
    for ([a, b], rest) in mesh.lengths() {
        let length = mesh.start[a as usize].distance(mesh.start[b as usize]);
        worst = worst.max(f64::from(length) / rest - 1.0);
    }
    // A flat bag round a ball cannot keep all lengths: rims pucker.
    assert!(worst < 0.1, "{worst}");
}

#[test]
fn bad_patterns_say_what_is_wrong() {
    let mut wrong = pillow();
    wrong.seams[1].b.panel = "bak".into();
    refused(&wrong, "seams[1].b.panel", &["no panel `bak`", "did you mean `back`"]);
    let mut wrong = pillow();
    wrong.seams[1].b.side = "sleeve".into();
    refused(&wrong, "seams[1].b.side", &["no side `sleeve`", "bottom"]);
    let mut wrong = pillow();
    wrong.panels[1].sides[2].from_m = [0.3, 0.5];
    refused(&wrong, "seams[2]", &["0.3000 m", "0.3606 m", "16.8 %", "ease"]);
    let mut wrong = pillow();
    wrong.seams[1] = seam(("front", "bottom"), ("back", "left"));
    refused(&wrong, "seams[1].a", &["side `bottom` of `front`", "sewn already"]);
    let mut wrong = pillow();
    wrong.panels[1].name = "front".into();
    refused(&wrong, "panels[1].name", &["another panel"]);
    let mut wrong = pillow();
    wrong.seams.clear();
    wrong.panels[0].sides.swap(1, 2);
    refused(&wrong, "panels[0].sides[2]", &["crosses or touches itself"]);
    let mut wrong = pillow();
    wrong.seams.clear();
    wrong.panels[1].sides.reverse();
    refused(&wrong, "panels[1]", &["clockwise", "counter-clockwise"]);
    let mut wrong = pillow();
    wrong.panels[0].sides[1].from_m = [0.0, 0.0];
    refused(&wrong, "panels[0].sides[0]", &["leave the side out"]);
    let fine = Pattern { spacing: 1e-7, ..pillow() };
    refused(&fine, "spacing_m", &["larger `spacing_m`"]);
    let small = TShirtSize { shoulders_m: 0.8, ..TShirtSize::default() };
    let fault = t_shirt(&small, 0.02).unwrap_err();
    assert!(fault.message.contains("half the chest"), "{fault:?}");
}
