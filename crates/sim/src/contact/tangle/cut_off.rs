//! What a contour cuts off.

use super::joined::Joined;

/// The two parts of a surface on either side of a contour.
#[derive(Debug, Default)]
pub struct CutOff {
    /// Points of either part, in the order in which they were reached. A part that turned out to be the larger
    /// is not gone through to its end.
    pub parts: [Vec<u32>; 2],
    /// Which part a point is known to be in, plus one.
    part_of: Vec<u8>,
    crossed: Vec<bool>,
}

impl CutOff {
    /// The part in which a point is, if it was reached.
    pub fn part_of(&self, v: u32) -> Option<usize> {
        self.part_of.get(v as usize).and_then(|&part| (part as usize).checked_sub(1))
    }

    /// Goes out from both ends of the first of the edges `cut` by all others but these, in turns.
    /// Returns the part that was exhausted first and so is the smaller, unless the two meet:
    /// then the edges cut nothing off.
    pub fn find(&mut self, joined: &Joined, cut: &[u32]) -> Option<usize> {
        self.begin(joined);
        let &start = cut.first()?;
        cut.iter().for_each(|&edge| self.crossed[edge as usize] = true);
        for (part, v) in joined.edges[start as usize].into_iter().enumerate() {
            self.part_of[v as usize] = part as u8 + 1;
            self.parts[part].push(v);
        }
        let mut next = [0; 2];
        let smaller = 'search: loop {
            for part in 0..2 {
                let Some(&v) = self.parts[part].get(next[part]) else { break 'search Some(part) };
                next[part] += 1;
                if !self.spread(joined, v, part) {
                    break 'search None;
                }
            }
        };
        cut.iter().for_each(|&edge| self.crossed[edge as usize] = false);
        smaller
    }

    /// Forgets the last contour.
    fn begin(&mut self, joined: &Joined) {
        for v in self.parts.iter_mut().flat_map(|part| part.drain(..)) {
            self.part_of[v as usize] = 0;
        }
        self.part_of.resize(joined.rules.body.len(), 0);
        self.crossed.resize(joined.edges.len(), false);
    }

    /// Returns whether the neighbours of a point are all in its part.
    fn spread(&mut self, joined: &Joined, v: u32, part: usize) -> bool {
        let own = part as u8 + 1;
        for &entry in joined.edges_at.of(v as usize) {
            let (edge, end) = (entry / 2, entry % 2);
            if self.crossed[edge as usize] {
                continue;
            }
            let other = joined.edges[edge as usize][1 - end as usize];
            match self.part_of[other as usize] {
                0 => {
                    self.part_of[other as usize] = own;
                    self.parts[part].push(other);
                }
                part if part == own => {}
                _ => return false,
            }
        }
        true
    }
}
