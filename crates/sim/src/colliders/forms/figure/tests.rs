use std::collections::BTreeMap;

use super::*;
use crate::colliders::forms::Triangles;
use crate::measure::crosses;

fn walker() -> Figure {
    Figure {
        height: 1.75,
        stride: 0.6,
        pace: 0.9,
        stand: 0.5,
        walk: 3.5,
        forward: true,
        cell: 0.03,
    }
}

/// How often each edge runs each way.
fn edges(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], [u32; 2]> {
    let mut runs = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            runs.entry([p.min(q), p.max(q)]).or_insert([0; 2])[usize::from(p > q)] += 1;
        }
    }
    runs
}

#[test]
fn the_surface_is_closed_whole_and_of_human_size() {
    for cell in [0.025, 0.03, 0.036, 0.045] {
        let mesh = Figure { cell, ..walker() }.at_rest();
        assert!(edges(&mesh.triangles).values().all(|runs| *runs == [1, 1]), "{cell}");
        // Euler: a ball has V − E + F = 2.
        let (v, f) = (mesh.points.len() as i64, mesh.triangles.len() as i64);
        assert_eq!(v - 3 * f / 2 + f, 2, "{cell}");
        // People are about as dense as water.
        let volume = mesh.volume();
        assert!((0.05..0.09).contains(&volume), "{cell}: {volume} m³");
        let (low, high) = extent(&mesh.points);
        assert!(low.y.abs() < 0.02 && (high.y - 1.75).abs() < 0.02, "{low} {high}");
    }
    let count = walker().at_rest().triangles.len();
    assert!((4000..6500).contains(&count), "{count}");
}

fn extent(points: &[Vec3]) -> (Vec3, Vec3) {
    let low = points.iter().fold(Vec3::INFINITY, |a, &p| a.min(p));
    (low, points.iter().fold(Vec3::NEG_INFINITY, |a, &p| a.max(p)))
}

#[test]
fn it_stands_then_goes_as_far_as_its_steps_and_stands_again() {
    let figure = walker();
    let (triangles, frames) = figure.frames();
    assert_eq!(frames.len(), figure.frame_count());
    assert_eq!(frames[0], figure.at_rest().points);
    assert_eq!(frames[0], frames[29]);
    let last = &frames[frames.len() - 1];
    // Half of the effort is lost while it gets into it and out of it: 2.5 s of 3.5 s.
    let far = last[0].z - frames[0][0].z;
    assert!((far - 2.0 * 0.6 * 0.9 * 2.5).abs() < 1e-3, "{far} m");
    for (a, b) in frames[0].iter().zip(last) {
        assert!((*a + Vec3::Z * far - *b).length() < 1e-5);
    }
    for (number, frame) in frames.iter().enumerate() {
        let ground = extent(frame).0.y;
        assert!((-0.03..0.03).contains(&ground), "frame {number}: {ground} m");
        let volume = Triangles { points: frame.clone(), triangles: triangles.clone() }.volume();
        assert!((0.05..0.09).contains(&volume), "frame {number}: {volume} m³");
    }
}

#[test]
fn no_frame_crosses_itself() {
    let figure = Figure { stand: 0.0, stride: 0.7, ..walker() };
    let (triangles, frames) = figure.frames();
    for frame in frames.iter().step_by(6) {
        let at = |v: u32| frame[v as usize];
        let mut order: Vec<&[u32; 3]> = triangles.iter().collect();
        let low = |t: &[u32; 3]| t.iter().map(|&v| at(v).y).fold(f32::INFINITY, f32::min);
        let high = |t: &[u32; 3]| t.iter().map(|&v| at(v).y).fold(f32::NEG_INFINITY, f32::max);
        order.sort_by(|a, b| low(a).total_cmp(&low(b)));
        for (place, a) in order.iter().enumerate() {
            for b in order[place + 1..].iter().take_while(|b| low(b) <= high(a)) {
                if a.iter().any(|v| b.contains(v)) {
                    continue;
                }
                for (s, t) in [(*a, *b), (*b, *a)] {
                    for k in 0..3 {
                        let edge = [at(s[k]), at(s[(k + 1) % 3])];
                        assert!(!crosses(edge, t.map(at)), "{s:?} {t:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn arms_keep_off_the_body_and_legs_off_each_other() {
    let figure = Figure { stand: 0.0, stride: 0.7, forward: false, ..walker() };
    let (_, frames) = figure.frames();
    let flesh = Flesh::new();
    let bones: Vec<usize> = frames[0].iter().map(|p| flesh.bone(p.as_dvec3())).collect();
    let of = |wanted: &[usize]| -> Vec<usize> {
        (0..bones.len()).filter(|&v| wanted.contains(&bones[v])).collect()
    };
    use skeleton::*;
    let trunk: Vec<usize> = of(&[PELVIS, CHEST, THIGH, THIGH + 1]);
    let (left, right) = (of(&[SHIN, FOOT]), of(&[SHIN + 1, FOOT + 1]));
    for side in 0..2 {
        // From where sleeves end outward.
        let axis = joint(FOREARM + side) - joint(UPPER_ARM + side);
        let middle = joint(UPPER_ARM + side) + 0.6 * axis;
        let arm: Vec<usize> = of(&[UPPER_ARM + side, FOREARM + side])
            .into_iter()
            .filter(|&v| (frames[0][v].as_dvec3() - middle).dot(axis) > 0.0)
            .collect();
        assert!(arm.len() > 50 && trunk.len() > 500);
        for frame in frames.iter().step_by(6) {
            let off = [gap(frame, &arm, &trunk), gap(frame, &left, &right)];
            assert!(off[0] > 0.06 && off[1] > 0.02, "{off:?}");
        }
    }
}

fn gap(frame: &[Vec3], a: &[usize], b: &[usize]) -> f32 {
    let far =
        |&p: &usize| b.iter().map(|&q| frame[p].distance(frame[q])).fold(f32::INFINITY, f32::min);
    a.iter().map(far).fold(f32::INFINITY, f32::min)
}
