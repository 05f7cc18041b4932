//! The same rule for every coordinate of every particle, on all threads.

use crate::parallel::for_each_part;
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

/// (x, v) ← rule(x, v, f·w).
pub(super) fn update_by_force<R>((x, v): (&mut Soa3, &mut Soa3), (f, w): (&Soa3, &[f32]), rule: R)
where
    R: Fn(f32, f32, f32) -> (f32, f32) + Sync + Copy,
{
    let particles = (x.view_mut(), v.view_mut(), f.view(), w);
    for_each_part(particles, LANES, &|_, part| dispatch(UpdateByForce { part, rule }));
}

/// (x, v) ← rule(x, v, a).
pub(super) fn update<R>((x, v): (&mut Soa3, &mut Soa3), a: &Soa3, rule: &R)
where
    R: Fn(f32, f32, f32) -> (f32, f32) + Sync,
{
    let particles = (x.view_mut(), v.view_mut(), a.view());
    for_each_part(particles, LANES, &|_, (x, v, a): (Soa3Mut, Soa3Mut, Soa3Ref)| {
        for (x, v, a) in [(x.x, v.x, a.x), (x.y, v.y, a.y), (x.z, v.z, a.z)] {
            for ((x, v), a) in x.iter_mut().zip(v).zip(a) {
                (*x, *v) = rule(*x, *v, *a);
            }
        }
    });
}

/// out ← x + h v.
pub(super) fn drift(out: &mut Soa3, (x, v): (&Soa3, &Soa3), h: f32) {
    for_each_part((out.view_mut(), x.view(), v.view()), LANES, &|_, part| {
        dispatch(Drift { part, h });
    });
}

/// v ← (y − x)/h, x ← y, for the velocity u with which x came near to y: u + (y − (x + h u))/h is
/// the same, but what nothing hinders keeps its velocity to the last bit, however coarse
/// positions are.
pub(super) fn advance_to(
    (x, v): (Soa3Mut<'_>, Soa3Mut<'_>),
    (y, u): (Soa3Ref<'_>, Soa3Ref<'_>),
    h: f32,
) {
    for_each_part((x, v, y, u), LANES, &|_, part| {
        dispatch(AdvanceTo { part, h });
    });
}

/// out ← rule(out, a).
pub(super) fn map(out: &mut Soa3, a: &Soa3, rule: &(impl Fn(f32, f32) -> f32 + Sync)) {
    for_each_part((out.view_mut(), a.view()), LANES, &|_, (out, a): (Soa3Mut, Soa3Ref)| {
        for (out, a) in [(out.x, a.x), (out.y, a.y), (out.z, a.z)] {
            out.iter_mut().zip(a).for_each(|(out, a)| *out = rule(*out, *a));
        }
    });
}

/// out ← out·w, one factor a particle.
pub(super) fn scale(out: &mut Soa3, w: &[f32]) {
    for_each_part((out.view_mut(), w), LANES, &|_, (out, w): (Soa3Mut, &[f32])| {
        for axis in [out.x, out.y, out.z] {
            axis.iter_mut().zip(w).for_each(|(out, w)| *out *= w);
        }
    });
}

/// The update of the one-force-a-step methods, which fast scenes spend their time in.
struct UpdateByForce<'a, R> {
    part: (Soa3Mut<'a>, Soa3Mut<'a>, Soa3Ref<'a>, &'a [f32]),
    /// By value: behind a reference its constants might change with every store,
    /// for all the compiler knows, and nothing would run in vectors.
    rule: R,
}

impl<R: Fn(f32, f32, f32) -> (f32, f32)> Kernel for UpdateByForce<'_, R> {
    #[inline(always)]
    fn run(self) {
        let (x, v, f, w) = self.part;
        let rule = self.rule;
        for (x, v, f) in [(x.x, v.x, f.x), (x.y, v.y, f.y), (x.z, v.z, f.z)] {
            for (((x, v), f), w) in x.iter_mut().zip(v).zip(f).zip(w) {
                (*x, *v) = rule(*x, *v, *f * *w);
            }
        }
    }
}

struct Drift<'a> {
    part: (Soa3Mut<'a>, Soa3Ref<'a>, Soa3Ref<'a>),
    h: f32,
}

impl Kernel for Drift<'_> {
    #[inline(always)]
    fn run(self) {
        let ((out, x, v), h) = (self.part, self.h);
        for (out, x, v) in [(out.x, x.x, v.x), (out.y, x.y, v.y), (out.z, x.z, v.z)] {
            for ((out, x), v) in out.iter_mut().zip(x).zip(v) {
                *out = x + h * v;
            }
        }
    }
}

struct AdvanceTo<'a> {
    part: (Soa3Mut<'a>, Soa3Mut<'a>, Soa3Ref<'a>, Soa3Ref<'a>),
    h: f32,
}

impl Kernel for AdvanceTo<'_> {
    #[inline(always)]
    fn run(self) {
        let ((x, v, y, u), h, rate) = (self.part, self.h, 1.0 / self.h);
        for (x, v, (y, u)) in
            [(x.x, v.x, (y.x, u.x)), (x.y, v.y, (y.y, u.y)), (x.z, v.z, (y.z, u.z))]
        {
            for ((x, v), (y, u)) in x.iter_mut().zip(v).zip(y.iter().zip(u)) {
                *v = u + (y - (*x + h * u)) * rate;
                *x = *y;
            }
        }
    }
}
