use glam::Vec3;

use super::*;
use crate::rng::Rng;

/// Boxes of many sizes strewn about, some of them points, some of them the same.
fn strewn(count: usize, seed: u64) -> Vec<Aabb> {
    let mut rng = Rng::new(seed);
    let mut boxes: Vec<Aabb> = Vec::new();
    for i in 0..count {
        let mut vector =
            |low: f64, high: f64| Vec3::from_array([(); 3].map(|()| rng.between(low, high) as f32));
        let at = vector(-1.0, 1.0);
        let size = vector(0.0, 0.4) * vector(0.0, 1.0);
        boxes.push(match i % 11 {
            0 => Aabb { min: at, max: at },
            1 if i > 20 => boxes[i - 7],
            _ => Aabb { min: at - size, max: at + size },
        });
    }
    boxes
}

/// Every way to come to a tree over these boxes, without a margin.
fn trees(boxes: &[Aabb]) -> Vec<(&'static str, AabbTree)> {
    let mut inserted = AabbTree::new(0.0);
    (0..).zip(boxes).for_each(|(i, b)| _ = inserted.insert(i, b));
    let mut rebuilt = inserted.clone();
    rebuilt.rebuild();
    // In disorder, with strangers that come and go.
    let mut churned = AabbTree::new(0.0);
    let strangers: Vec<LeafId> =
        (0..).zip(&strewn(100, 99)).map(|(i, b)| churned.insert(1000 + i, b)).collect();
    let ids: Vec<(u32, LeafId)> = (0..boxes.len() as u32)
        .rev()
        .map(|i| (i, churned.insert(i, &boxes[i as usize].swept(Vec3::ONE))))
        .collect();
    strangers.into_iter().for_each(|leaf| churned.remove(leaf));
    for (item, leaf) in ids {
        churned.remove(leaf);
        churned.insert(item, &boxes[item as usize]);
    }
    let mut refitted = AabbTree::of(&strewn(boxes.len(), 7), 0.0);
    refitted.refit(|i| boxes[i as usize]);
    vec![
        ("inserted", inserted),
        ("rebuilt", rebuilt),
        ("churned", churned),
        ("refitted", refitted),
        ("built", AabbTree::of(boxes, 0.0)),
    ]
}

/// Heights, boxes and parents are what they should be; returns the number of leaves.
fn check_below(tree: &AabbTree, at: u32, balanced: bool) -> usize {
    let node = &tree.nodes[at as usize];
    if node.is_leaf() {
        assert_eq!(node.height, 0);
        return 1;
    }
    let children = node.children.map(|c| &tree.nodes[c as usize]);
    assert_eq!(node.height, 1 + children[0].height.max(children[1].height));
    assert!(!balanced || children[0].height.abs_diff(children[1].height) <= 1);
    for (child, number) in children.iter().zip(node.children) {
        assert!(node.bounds.contains(&child.bounds));
        assert_eq!(child.parent, at);
        assert_ne!(number, at);
    }
    node.children.iter().map(|&c| check_below(tree, c, balanced)).sum()
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

#[test]
fn trees_hold_together_and_stay_low() {
    for count in [1, 2, 3, 10, 500] {
        for (way, tree) in trees(&strewn(count, 1)) {
            let balanced = way == "inserted" || way == "churned";
            assert_eq!(check_below(&tree, tree.root, balanced), count, "{way}");
            assert_eq!(tree.len(), count, "{way}");
            assert_eq!(tree.nodes[tree.root as usize].parent, NONE);
            // An AVL tree's height is below 1.45 log₂(n + 2).
            let most = 1.45 * ((count + 2) as f64).log2() + 7.0;
            assert!(f64::from(tree.height()) <= most, "{way}: {} levels", tree.height());
        }
    }
}

#[test]
fn boxes_in_a_row_do_not_make_a_list() {
    let row: Vec<Aabb> =
        (0..1000).map(|i| Vec3::X * i as f32).map(|p| Aabb { min: p, max: p }).collect();
    for (way, tree) in trees(&row) {
        assert!(tree.height() <= 17, "{way}: {} levels", tree.height());
    }
    let same = vec![Aabb { min: Vec3::ZERO, max: Vec3::ONE }; 1000];
    for (way, tree) in trees(&same) {
        assert!(tree.height() <= 17, "{way}: {} levels", tree.height());
    }
}

#[test]
fn box_queries_find_what_brute_force_finds() {
    let boxes = strewn(400, 2);
    for (way, tree) in trees(&boxes) {
        for query in strewn(60, 3) {
            let mut found = Vec::new();
            tree.meeting(&query, |i| found.push(i));
            let known: Vec<u32> =
                (0..).zip(&boxes).filter(|(_, b)| b.meets(&query)).map(|p| p.0).collect();
            assert_eq!(sorted(found), known, "{way}");
            let mut found = Vec::new();
            tree.around(query.min, |i| found.push(i));
            let point = Aabb { min: query.min, max: query.min };
            let known: Vec<u32> =
                (0..).zip(&boxes).filter(|(_, b)| b.meets(&point)).map(|p| p.0).collect();
            assert_eq!(sorted(found), known, "{way}");
        }
    }
}

#[test]
fn a_moving_box_meets_what_it_touches_on_its_way_and_little_else() {
    let boxes = strewn(400, 4);
    let ways = strewn(60, 5);
    for (name, tree) in trees(&boxes) {
        for (query, way) in strewn(60, 6).iter().zip(&ways) {
            let way = 2.0 * way.min;
            let mut found = Vec::new();
            tree.meeting_swept(query, way, |i| found.push(i));
            let found = sorted(found);
            for (i, other) in (0..).zip(&boxes) {
                let touches = (0..=1000).any(|k| {
                    let by = way * (k as f32 / 1000.0);
                    other.meets(&Aabb { min: query.min + by, max: query.max + by })
                });
                assert!(!touches || found.binary_search(&i).is_ok(), "{name}: lost {i}");
                // Anything found that no sample touched must be a near miss.
                let near = (0..=1000).any(|k| {
                    let by = way * (k as f32 / 1000.0);
                    let there = Aabb { min: query.min + by, max: query.max + by };
                    other.grown(0.003).meets(&there)
                });
                assert!(near || found.binary_search(&i).is_err(), "{name}: {i} is far off");
            }
        }
    }
}

#[test]
fn rays_find_the_nearest() {
    let boxes = strewn(400, 8);
    for (way, tree) in trees(&boxes) {
        for (i, from) in strewn(80, 9).iter().enumerate() {
            let direction = match i % 5 {
                0 => Vec3::X,
                1 => Vec3::NEG_Y,
                _ => from.max.cross(Vec3::new(0.3, 1.0, 0.2)),
            };
            let origin = 3.0 * from.min;
            let hit = |i: u32| boxes[i as usize].ray(origin, direction, 5.0);
            let found = tree.ray((origin, direction), 5.0, hit);
            let known = (0..boxes.len() as u32).filter_map(hit).fold(f32::INFINITY, f32::min);
            assert_eq!(found.map_or(f32::INFINITY, |(_, t)| t), known, "{way}");
        }
    }
}

#[test]
fn pairs_are_found_once_each() {
    let (boxes, others) = (strewn(300, 10), strewn(200, 11));
    let known: Vec<[u32; 2]> = (0..300)
        .flat_map(|a| (0..a).map(move |b| [b, a]))
        .filter(|&[a, b]| boxes[a as usize].meets(&boxes[b as usize]))
        .collect();
    let between: Vec<[u32; 2]> = (0..300)
        .flat_map(|a| (0..200).map(move |b| [a, b]))
        .filter(|&[a, b]| boxes[a as usize].meets(&others[b as usize]))
        .collect();
    assert!(known.len() > 100);
    for (way, tree) in trees(&boxes) {
        let mut found = Vec::new();
        tree.pairs(|a, b| found.push([a.min(b), a.max(b)]));
        assert_eq!(sorted(found), sorted(known.clone()), "{way}");
        for (_, other) in trees(&others) {
            let mut found = Vec::new();
            tree.pairs_with(&other, |a, b| found.push([a, b]));
            assert_eq!(sorted(found), between, "{way}");
        }
    }
}

#[test]
fn a_small_move_leaves_the_tree_alone_and_a_large_one_is_followed() {
    let boxes = strewn(200, 12);
    let mut tree = AabbTree::new(0.05);
    let ids: Vec<LeafId> = (0..).zip(&boxes).map(|(i, b)| tree.insert(i, b)).collect();
    let moved = |by: Vec3, b: &Aabb| Aabb { min: b.min + by, max: b.max + by };
    assert!(!tree.refresh(ids[5], &moved(Vec3::splat(0.04), &boxes[5])));
    let far = moved(Vec3::splat(10.0), &boxes[5]);
    assert!(tree.refresh(ids[5], &far));
    assert_eq!(tree.leaf(ids[5]), (5, far.grown(0.05)));
    let mut found = Vec::new();
    tree.meeting(&far, |i| found.push(i));
    assert_eq!(found, [5]);
    check_below(&tree, tree.root, true);
}

#[test]
fn a_tree_of_things_that_moved_about_is_made_good_again() {
    let (before, after) = (strewn(1000, 13), strewn(1000, 14));
    let mut tree = AabbTree::of(&before, 0.0);
    let good = tree.cost();
    tree.refit(|i| after[i as usize]);
    assert!(tree.cost() > 3.0 * good, "{} after {good}", tree.cost());
    tree.rebuild();
    assert!(tree.cost() < 1.2 * good, "{} after {good}", tree.cost());
}

#[test]
fn nothing_and_what_is_no_number_do_no_harm() {
    let empty = AabbTree::of(&[], 0.0);
    empty.meeting(&Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY }, |_| panic!());
    empty.pairs(|_, _| panic!());
    assert_eq!((empty.height(), empty.bounds(), empty.cost()), (0, None, 0.0));
    assert_eq!(empty.ray((Vec3::ZERO, Vec3::X), 1.0, |_| Some(0.0)), None);
    let odd = [f32::NAN, f32::INFINITY, -0.0, 1e38, 1e-38].map(Vec3::splat);
    let mut boxes: Vec<Aabb> = odd.map(|p| Aabb { min: p, max: p }).to_vec();
    boxes.extend(strewn(50, 15));
    for (_, mut tree) in trees(&boxes) {
        tree.pairs(|_, _| {});
        tree.rebuild();
        tree.around(Vec3::ZERO, |_| {});
        assert_eq!(tree.len(), boxes.len());
    }
}

#[test]
fn leaves_that_come_and_go_take_no_more_room() {
    let boxes = strewn(300, 16);
    let mut tree = AabbTree::new(0.01);
    let mut ids: Vec<LeafId> = (0..).zip(&boxes).map(|(i, b)| tree.insert(i, b)).collect();
    let room = tree.nodes.len();
    for round in 0..5 {
        for (i, leaf) in ids.iter_mut().enumerate().filter(|(i, _)| i % 5 == round) {
            tree.remove(*leaf);
            *leaf = tree.insert(i as u32, &boxes[(i + round) % 300]);
        }
    }
    assert_eq!(tree.nodes.len(), room);
    tree.rebuild();
    assert_eq!(tree.nodes.len(), room);
    assert_eq!(check_below(&tree, tree.root, false), 300);
}
