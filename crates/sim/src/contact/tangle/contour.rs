//! Lines along which surfaces pass through each other.
//!
//! Where two triangles meet they share a segment; each of its ends is an edge of one of them that
//! passes through the other, so that segments follow one another from edge to edge.

use super::joined::Joined;
use super::search::Piercing;

/// One piercing as a part of its contour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Which contour it is part of.
    pub contour: u32,
    /// Whether the edge belongs to the first of the contour's two sides; else the triangle does.
    pub first: bool,
}

/// Buffers for finding contours.
#[derive(Debug, Default)]
pub struct Contours {
    /// Of each piercing.
    pub links: Vec<Link>,
    pub count: u32,
    meetings: Vec<[u32; 4]>,
    joints: Vec<(u32, u32, bool)>,
    stack: Vec<u32>,
}

impl Contours {
    /// Follows segments from piercing to piercing.
    pub fn find(&mut self, joined: &Joined, piercings: &[Piercing]) {
        // The triangles of a segment, the piercing at its end, and whose edge that is.
        self.meetings.clear();
        for (index, p) in (0u32..).zip(piercings) {
            for t in joined.at_edge(p.edge) {
                let (low, high) = (t.min(p.triangle), t.max(p.triangle));
                self.meetings.push([low, high, index, u32::from(t == low)]);
            }
        }
        self.meetings.sort_unstable();
        self.joints.clear();
        for pair in self.meetings.windows(2) {
            if pair[0][..2] == pair[1][..2] {
                let ([i, j], same) = ([pair[0][2], pair[1][2]], pair[0][3] == pair[1][3]);
                self.joints.extend([(i, j, same), (j, i, same)]);
            }
        }
        self.joints.sort_unstable();
        let unknown = Link { contour: u32::MAX, first: true };
        self.links.clear();
        self.links.resize(piercings.len(), unknown);
        self.count = 0;
        for start in 0..piercings.len() as u32 {
            if self.links[start as usize].contour != u32::MAX {
                continue;
            }
            self.links[start as usize].contour = self.count;
            self.stack.push(start);
            while let Some(i) = self.stack.pop() {
                let first = self.links[i as usize].first;
                let from = self.joints.partition_point(|joint| joint.0 < i);
                for &(_, j, same) in self.joints[from..].iter().take_while(|joint| joint.0 == i) {
                    let link = &mut self.links[j as usize];
                    if link.contour == u32::MAX {
                        *link = Link { contour: self.count, first: first == same };
                        self.stack.push(j);
                    }
                }
            }
            self.count += 1;
        }
    }
}
