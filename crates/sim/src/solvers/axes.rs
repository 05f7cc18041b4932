//! The same rule for every coordinate of every particle, on all threads.

use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

/// (x, v) ← rule(x, v, f·w).
pub(super) fn update_by_force<R>((x, v): (&mut Soa3, &mut Soa3), (f, w): (&Soa3, &[f32]), rule: &R)
where
    R: Fn(f32, f32, f32) -> (f32, f32) + Sync,
{
    for_each_part((x.view_mut(), v.view_mut(), f.view(), w), 16, &|_,
                                                                   (x, v, f, w): (
        Soa3Mut,
        Soa3Mut,
        Soa3Ref,
        &[f32],
    )| {
        for (x, v, f) in [(x.x, v.x, f.x), (x.y, v.y, f.y), (x.z, v.z, f.z)] {
            for (((x, v), f), w) in x.iter_mut().zip(v).zip(f).zip(w) {
                (*x, *v) = rule(*x, *v, *f * *w);
            }
        }
    });
}

/// (x, v) ← rule(x, v, a).
pub(super) fn update<R>((x, v): (&mut Soa3, &mut Soa3), a: &Soa3, rule: &R)
where
    R: Fn(f32, f32, f32) -> (f32, f32) + Sync,
{
    for_each_part((x.view_mut(), v.view_mut(), a.view()), 16, &|_,
                                                                (x, v, a): (
        Soa3Mut,
        Soa3Mut,
        Soa3Ref,
    )| {
        for (x, v, a) in [(x.x, v.x, a.x), (x.y, v.y, a.y), (x.z, v.z, a.z)] {
            for ((x, v), a) in x.iter_mut().zip(v).zip(a) {
                (*x, *v) = rule(*x, *v, *a);
            }
        }
    });
}

/// out ← rule(out, a).
pub(super) fn map(out: &mut Soa3, a: &Soa3, rule: &(impl Fn(f32, f32) -> f32 + Sync)) {
    for_each_part((out.view_mut(), a.view()), 16, &|_, (out, a): (Soa3Mut, Soa3Ref)| {
        for (out, a) in [(out.x, a.x), (out.y, a.y), (out.z, a.z)] {
            out.iter_mut().zip(a).for_each(|(out, a)| *out = rule(*out, *a));
        }
    });
}

/// out ← out·w, one factor a particle.
pub(super) fn scale(out: &mut Soa3, w: &[f32]) {
    for_each_part((out.view_mut(), w), 16, &|_, (out, w): (Soa3Mut, &[f32])| {
        for axis in [out.x, out.y, out.z] {
            axis.iter_mut().zip(w).for_each(|(out, w)| *out *= w);
        }
    });
}
