//! Greedy colourings in a fixed order: what shares a colour shares no particle, so that it can
//! be done at the same time.

use std::ops::Range;

/// Items sorted by colour, in their own order within one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Colours {
    order: Vec<u32>,
    ends: Vec<u32>,
}

impl Colours {
    /// Colours vertices so that no two of a group in `groups` share one.
    pub fn of_vertices<'a>(
        vertices: usize,
        groups: impl Iterator<Item = &'a [u32]> + Clone,
    ) -> Self {
        let near = Neighbours::new(vertices, groups);
        let mut colours = vec![u32::MAX; vertices];
        let mut taken = Taken::default();
        for vertex in 0..vertices {
            let around = near.of(vertex).iter().map(|&n| colours[n as usize]);
            colours[vertex] = taken.lowest_free(around);
        }
        Self::from_numbers(&colours)
    }

    /// Colours elements so that no two of one colour share a corner.
    pub fn of_elements<const C: usize>(particles: usize, elements: &[[u32; C]]) -> Self {
        let mut seen = vec![Vec::<u32>::new(); particles];
        let mut taken = Taken::default();
        let numbers: Vec<u32> = elements
            .iter()
            .map(|corners| {
                let around = corners.iter().flat_map(|&c| &seen[c as usize]).copied();
                let colour = taken.lowest_free(around);
                corners.iter().for_each(|&c| seen[c as usize].push(colour));
                colour
            })
            .collect();
        Self::from_numbers(&numbers)
    }

    /// All items, colour after colour.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Where each colour stands in the order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start as usize..end as usize)
    }

    fn from_numbers(colours: &[u32]) -> Self {
        let count = colours.iter().max().map_or(0, |&last| last as usize + 1);
        let mut ends = vec![0u32; count];
        colours.iter().for_each(|&c| ends[c as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_by_key(|&item| colours[item as usize]);
        Self { order, ends }
    }
}

/// The vertices that share a group with each vertex, with repetitions.
struct Neighbours {
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Neighbours {
    fn new<'a>(vertices: usize, groups: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for group in groups.clone() {
            group.iter().for_each(|&v| starts[v as usize + 1] += group.len() as u32 - 1);
        }
        for i in 0..vertices {
            starts[i + 1] += starts[i];
        }
        let mut cursor = starts.clone();
        let mut entries = vec![0; starts[vertices] as usize];
        for group in groups {
            for (i, &v) in group.iter().enumerate() {
                for (_, &other) in group.iter().enumerate().filter(|&(j, _)| j != i) {
                    entries[cursor[v as usize] as usize] = other;
                    cursor[v as usize] += 1;
                }
            }
        }
        Self { starts, entries }
    }

    fn of(&self, vertex: usize) -> &[u32] {
        &self.entries[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// Colours that neighbours have.
#[derive(Default)]
struct Taken {
    /// The item for which each colour was last seen.
    seen: Vec<u32>,
    item: u32,
}

impl Taken {
    fn lowest_free(&mut self, around: impl Iterator<Item = u32>) -> u32 {
        self.item += 1;
        for colour in around.filter(|&c| c != u32::MAX) {
            self.seen[colour as usize] = self.item;
        }
        let free = self.seen.iter().position(|&seen| seen != self.item);
        let free = free.unwrap_or(self.seen.len());
        if free == self.seen.len() {
            self.seen.push(0);
        }
        free as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_colour_holds_two_of_a_group_and_everything_is_there_once() {
        let mut rng = crate::rng::Rng::new(3);
        let groups: Vec<[u32; 3]> = (0..200)
            .map(|_| {
                let first = (rng.unit() * 40.0) as u32;
                [first, first + 1 + (rng.unit() * 5.0) as u32, first + 7]
            })
            .collect();
        let vertices = Colours::of_vertices(60, groups.iter().map(|g| g.as_slice()));
        for range in vertices.ranges() {
            let colour = &vertices.order()[range];
            for group in &groups {
                assert!(group.iter().filter(|v| colour.contains(v)).count() <= 1);
            }
        }
        let elements = Colours::of_elements(60, &groups);
        for range in elements.ranges() {
            let corners: Vec<u32> =
                elements.order()[range].iter().flat_map(|&e| groups[e as usize]).collect();
            let mut distinct = corners.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), corners.len());
        }
        for (colours, count) in [(vertices, 60), (elements, 200)] {
            let mut all = colours.order().to_vec();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<u32>>());
            assert_eq!(colours.ranges().map(|r| r.len()).sum::<usize>(), count as usize);
        }
    }
}
