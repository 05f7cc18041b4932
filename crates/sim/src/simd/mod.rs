//! Run-time choice of the vector instructions a kernel is compiled for.
//!
//! A kernel is plain safe code over lanes of [`LANES`] floats. It is compiled
//! once per [`SimdLevel`], and the processor picks one. The levels differ in
//! speed only: no level may fuse, reorder or approximate, so every one of them
//! yields the same bits.

mod lane;
pub mod three;
mod transpose;

use std::sync::atomic::{AtomicU8, Ordering};

use multiversion::multiversion;

pub use lane::Lane;
pub use transpose::{Square, transpose, transpose_points};

/// Floats a kernel handles together: one AVX-512 register, two AVX or four SSE ones.
pub const LANES: usize = 16;

/// Work to be compiled for every level. `run` must be `#[inline(always)]`, as
/// must all that it calls: a function of its own would be compiled for the
/// plain level.
pub trait Kernel {
    /// Does the work.
    fn run(self);
}

/// Instruction sets, narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SimdLevel {
    /// What the target always has: SSE2 on x86-64, NEON on aarch64.
    Plain,
    /// At most AVX2.
    Avx2,
    /// The widest the processor has.
    Widest,
}

/// Holds every kernel at or below `level`; for tests and comparisons, as the
/// bits do not depend on it.
pub fn limit_simd(level: SimdLevel) {
    LIMIT.store(level as u8, Ordering::Relaxed);
}

/// Runs `kernel` with the widest instructions that the processor and
/// [`limit_simd`] allow.
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) {
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit >= SimdLevel::Widest as u8 {
        run_widest(kernel);
    } else if limit == SimdLevel::Avx2 as u8 {
        run_avx2(kernel);
    } else {
        kernel.run();
    }
}

/// The widest level allowed.
#[inline]
fn level() -> SimdLevel {
    match LIMIT.load(Ordering::Relaxed) {
        0 => SimdLevel::Plain,
        1 => SimdLevel::Avx2,
        _ => SimdLevel::Widest,
    }
}

static LIMIT: AtomicU8 = AtomicU8::new(SimdLevel::Widest as u8);

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run_widest<K: Kernel>(kernel: K) {
    kernel.run();
}

#[multiversion(targets("x86_64+avx2"))]
fn run_avx2<K: Kernel>(kernel: K) {
    kernel.run();
}

/// Does `work` at `level`, one caller at a time: tests run side by side, and
/// another's level would make a comparison of levels prove nothing.
#[cfg(test)]
pub(crate) fn at_level<T>(level: SimdLevel, work: impl FnOnce() -> T) -> T {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    limit_simd(level);
    let result = work();
    limit_simd(SimdLevel::Widest);
    result
}
