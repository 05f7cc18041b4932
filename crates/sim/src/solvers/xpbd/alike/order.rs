//! The order in which springs of a body are solved.

use crate::solvers::colouring::Colours;

/// Springs ahead among which the next one is looked for.
const AHEAD: usize = 64;

/// Springs that a processor works at together: so long a point rests that has been moved.
const APART: usize = 8;

/// The same outcome as colour after colour, which takes springs that share no point in any order:
/// at every point they keep theirs. So a front passes over the body once, and a point is asked for
/// again while it is still in a near cache. Springs that follow each other share no points where
/// that can be had: none waits for the one before.
pub(super) fn near_and_apart(points: usize, ends: &[[u32; 2]]) -> Vec<u32> {
    let colours = Colours::of_elements(points, ends);
    let rank = ranks(points, ends);
    let at = |spring: u32| {
        let [a, b] = ends[spring as usize].map(|end| rank[end as usize]);
        (a.max(b), a.min(b), spring)
    };
    // The springs of each point, the next one last.
    let mut waiting = vec![Vec::new(); points];
    for &spring in colours.order().iter().rev() {
        ends[spring as usize].iter().for_each(|&end| waiting[end as usize].push(spring));
    }
    let is_next = |waiting: &[Vec<u32>], spring: u32| {
        ends[spring as usize].iter().all(|&end| waiting[end as usize].last() == Some(&spring))
    };
    let mut ready: Vec<u32> =
        (0..ends.len() as u32).filter(|&spring| is_next(&waiting, spring)).collect();
    ready.sort_unstable_by_key(|&spring| at(spring));
    // For each point, what comes after the spring that moved it last.
    let mut moved = vec![0usize; points];
    let mut order = Vec::with_capacity(ends.len());
    while !ready.is_empty() {
        let rested = |spring: u32| {
            let last = ends[spring as usize].map(|end| moved[end as usize]);
            let last = last[0].max(last[1]);
            if last == 0 { APART } else { (order.len() + 1 - last).min(APART) }
        };
        // Of those that have rested longest the first.
        let mut best = (0, 0);
        for (k, &spring) in ready.iter().enumerate().take(AHEAD) {
            let rest = rested(spring);
            if rest > best.0 {
                best = (rest, k);
            }
        }
        let spring = ready.remove(best.1);
        order.push(spring);
        for end in ends[spring as usize] {
            moved[end as usize] = order.len();
            waiting[end as usize].pop();
        }
        for end in ends[spring as usize] {
            if let Some(&next) = waiting[end as usize].last()
                && is_next(&waiting, next)
                && !ready.contains(&next)
            {
                let place = ready.partition_point(|&other| at(other) < at(next));
                ready.insert(place, next);
            }
        }
    }
    order
}

/// Numbers of points along a front, from one end of every part of a body to the other.
fn ranks(points: usize, ends: &[[u32; 2]]) -> Vec<u32> {
    let mut near = vec![Vec::new(); points];
    for &[a, b] in ends {
        near[a as usize].push(b);
        near[b as usize].push(a);
    }
    let mut rank = vec![u32::MAX; points];
    let mut next = 0;
    for first in 0..points as u32 {
        if rank[first as usize] != u32::MAX {
            continue;
        }
        // What is reached last is an end; from there the front is narrow.
        let reached = front(&near, first);
        let from = reached.last().copied().unwrap_or(first);
        for point in front(&near, from) {
            rank[point as usize] = next;
            next += 1;
        }
    }
    rank
}

/// All points that hang together with one, in the order in which they are reached.
fn front(near: &[Vec<u32>], first: u32) -> Vec<u32> {
    let mut seen = vec![false; near.len()];
    let mut reached = vec![first];
    seen[first as usize] = true;
    let mut done = 0;
    while done < reached.len() {
        for &point in &near[reached[done] as usize] {
            if !std::mem::replace(&mut seen[point as usize], true) {
                reached.push(point);
            }
        }
        done += 1;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colliders::forms::ico_sphere;

    fn edges() -> (usize, Vec<[u32; 2]>) {
        let skin = ico_sphere(1.0, 3);
        let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let mut edges: Vec<[u32; 2]> = skin.triangles.iter().flat_map(sides).collect();
        // Each once: every edge is run through both ways.
        edges.retain(|[a, b]| a < b);
        (skin.points.len(), edges)
    }

    #[test]
    fn every_spring_has_its_turn_once() {
        let (points, edges) = edges();
        let mut order = near_and_apart(points, &edges);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..edges.len() as u32));
        assert!(near_and_apart(3, &[]).is_empty());
        assert_eq!(near_and_apart(4, &[[2, 3], [0, 1]]).len(), 2);
    }

    #[test]
    fn at_every_point_springs_come_colour_after_colour() {
        let (points, edges) = edges();
        let by_point = |order: &[u32]| {
            let mut at = vec![Vec::new(); points];
            for &spring in order {
                edges[spring as usize].iter().for_each(|&end| at[end as usize].push(spring));
            }
            at
        };
        let colours = Colours::of_elements(points, &edges);
        assert_eq!(by_point(&near_and_apart(points, &edges)), by_point(colours.order()));
    }

    #[test]
    fn springs_of_a_ball_wait_for_none_and_ask_for_points_that_are_still_near() {
        let (points, edges) = edges();
        let order = near_and_apart(points, &edges);
        let last_asked = |order: &mut dyn Iterator<Item = u32>| {
            let mut last = vec![None; points];
            let (mut soon, mut far) = (0, 0);
            for (turn, spring) in order.enumerate() {
                for end in edges[spring as usize] {
                    if let Some(before) = last[end as usize].replace(turn) {
                        soon += usize::from(turn - before < APART);
                        far += turn - before;
                    }
                }
            }
            // Each of 642 points is asked for again about five times.
            (soon, far / (2 * edges.len() - points))
        };
        let colours = Colours::of_elements(points, &edges);
        let (soon, far) = last_asked(&mut order.into_iter());
        let (_, by_colour) = last_asked(&mut colours.order().iter().copied());
        assert!(soon < 60, "{soon} wait");
        assert!(3 * far < by_colour, "{far} springs later instead of {by_colour}");
    }
}
