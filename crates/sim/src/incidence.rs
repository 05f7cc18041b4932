//! Which elements touch each particle, so that particles can gather element
//! forces in a fixed order.

/// For each particle the list of (element, corner) that touch it, in element order.
#[derive(Clone, Debug, Default)]
pub struct Incidence {
    /// `starts[i]..starts[i + 1]` are the entries of particle `i`.
    starts: Vec<u32>,
    /// `element * corners + corner`.
    entries: Vec<u32>,
}

impl Incidence {
    /// Builds the lists for elements with `C` corners each.
    pub fn new<const C: usize>(particles: usize, elements: &[[u32; C]]) -> Self {
        let mut starts = vec![0u32; particles + 1];
        for corner in elements.iter().flatten() {
            starts[*corner as usize + 1] += 1;
        }
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        let mut cursor = starts.clone();
        let mut entries = vec![0u32; elements.len() * C];
        for (index, corner) in elements.iter().flatten().enumerate() {
            let slot = &mut cursor[*corner as usize];
            entries[*slot as usize] = index as u32;
            *slot += 1;
        }
        Self { starts, entries }
    }

    /// Lists of any numbers: pairs of a particle and a number, in order.
    pub fn from_pairs(particles: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; particles + 1];
        for &(particle, _) in pairs {
            starts[particle as usize + 1] += 1;
        }
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        Self { starts, entries: pairs.iter().map(|&(_, entry)| entry).collect() }
    }

    /// Where the entries of one particle begin in the list of all.
    #[inline]
    pub fn start(&self, particle: usize) -> usize {
        self.starts[particle] as usize
    }

    /// The entries of one particle: `element * C + corner`.
    #[inline]
    pub fn of(&self, particle: usize) -> &[u32] {
        &self.entries[self.starts[particle] as usize..self.starts[particle + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_corner_in_element_order() {
        let incidence = Incidence::new(4, &[[0u32, 1], [1, 2], [2, 0]]);
        assert_eq!(incidence.of(0), &[0, 5]);
        assert_eq!(incidence.of(1), &[1, 2]);
        assert_eq!(incidence.of(2), &[3, 4]);
        assert!(incidence.of(3).is_empty());
    }
}
