//! Three-dimensional arithmetic for one lane of a loop over lanes: no branches, and no calls that
//! would be compiled for the plain level.

/// One vector.
pub type Three = [f32; 3];

/// The smaller number as one instruction; `f32::min` treats NaN differently.
#[inline(always)]
pub fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger number.
#[inline(always)]
pub fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// a·b.
#[inline(always)]
pub fn dot(a: Three, b: Three) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
#[inline(always)]
pub fn cross(a: Three, b: Three) -> Three {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a − b.
#[inline(always)]
pub fn sub(a: Three, b: Three) -> Three {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + b.
#[inline(always)]
pub fn add(a: Three, b: Three) -> Three {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a s.
#[inline(always)]
pub fn scale(a: Three, s: f32) -> Three {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// a or b.
#[inline(always)]
pub fn choose(first: bool, a: Three, b: Three) -> Three {
    let of = |d: usize| if first { a[d] } else { b[d] };
    [of(0), of(1), of(2)]
}
