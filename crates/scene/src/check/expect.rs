//! Expectations that can be met at all.

use super::{Check, steps};
use crate::schema::Selection;

impl Check<'_> {
    pub(super) fn expect(&mut self) {
        let expect = &self.scene.expect;
        self.ordered("min_contacts", "max_contacts", expect.min_contacts, expect.max_contacts);
        self.ordered("above_m", "below_m", expect.above_m, expect.below_m);
        self.ordered("min_speed_m_s", "max_speed_m_s", expect.min_speed_m_s, expect.max_speed_m_s);
        for (index, moved) in expect.moved_m.iter().enumerate() {
            let here = steps!["expect", "moved_m", index];
            let body_path = steps!["expect", "moved_m", index, "body"];
            self.body_name(&body_path, &moved.body);
            if moved.point.is_some() == moved.vertex.is_some() {
                self.report(&here, "must have either `point` or `vertex`", None);
            } else {
                let select = Selection {
                    points: moved.point.map(|point| vec![point]),
                    vertices: moved.vertex.map(|vertex| vec![vertex]),
                    ..Selection::default()
                };
                let shape = self.shape_of(&moved.body);
                self.selection(&here, &select, shape);
            }
            if moved.at_least.is_none() && moved.at_most.is_none() {
                self.report(&here, "must have `at_least` or `at_most` or both", None);
            }
            if let (Some(least), Some(most)) = (moved.at_least, moved.at_most)
                && least > most
            {
                self.report(&here, "demands more than it allows", None);
            }
        }
        for (index, volume) in expect.volume.iter().enumerate() {
            self.body_name(&steps!["expect", "volume", index, "body"], &volume.body);
            let here = steps!["expect", "volume", index];
            match (volume.at_least, volume.at_most) {
                (None, None) => {
                    self.report(&here, "must have `at_least` or `at_most` or both", None);
                }
                (Some(least), Some(most)) if least > most => {
                    self.report(&here, "demands more than it allows", None);
                }
                _ => {}
            }
        }
        for (index, center) in expect.center_m.iter().enumerate() {
            let body_path = steps!["expect", "center_m", index, "body"];
            self.body_name(&body_path, &center.body);
            if (0..3).any(|axis| center.min[axis] > center.max[axis]) {
                let path = steps!["expect", "center_m", index, "min"];
                self.report(&path, "must not be above `max` on any axis", None);
            }
        }
    }

    fn ordered<T: PartialOrd + std::fmt::Display>(
        &mut self,
        low_name: &str,
        high_name: &str,
        low: Option<T>,
        high: Option<T>,
    ) {
        if let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            let message = format!("must not be above `{high_name}`, which is {high}");
            self.report(&steps!["expect", low_name], message, None);
        }
    }
}
