//! A square of sixteen lanes turned over: the one place with `unsafe` code, since no way of
//! writing it plainly makes the compiler use shuffles.
#![allow(unsafe_code)]

use super::{LANES, Lane, SimdLevel, level};

/// Sixteen entries of a list, every `step`th from its first on.
#[derive(Clone, Copy, Debug)]
pub struct Square<T> {
    /// The list.
    pub lanes: T,
    /// Entries from one to the next.
    pub step: usize,
}

/// Whether all sixteen are in a list: what all `unsafe` code here relies on.
#[inline(always)]
fn is_whole<T>(list: &[T], step: usize) -> bool {
    step.checked_mul(LANES - 1).is_some_and(|last| last < list.len())
}

/// to[j][i] = from[i][j]. Nothing is done where a list is too short.
#[inline]
pub fn transpose(from: Square<&[Lane]>, to: Square<&mut [Lane]>) {
    if is_whole(from.lanes, from.step) && is_whole(to.lanes, to.step) {
        best()(from.lanes, from.step, to.lanes, to.step);
    }
}

/// The same for sixteen times three: to[j][c][i] = from[i][c][j].
#[inline]
pub fn transpose_points(from: Square<&[[Lane; 3]]>, to: Square<&mut [[Lane; 3]]>) {
    if !(is_whole(from.lanes, from.step) && is_whole(to.lanes, to.step)) {
        return;
    }
    let turn = best();
    for c in 0..3 {
        let lanes = &from.lanes.as_flattened()[c..];
        turn(lanes, 3 * from.step, &mut to.lanes.as_flattened_mut()[c..], 3 * to.step);
    }
}

/// Lists and their steps, which go in registers: squares would go through memory.
type Transpose = fn(&[Lane], usize, &mut [Lane], usize);

/// The fastest way, for squares that are whole.
#[inline]
fn best() -> Transpose {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected;
        if level() >= SimdLevel::Widest && is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F, and the square is whole.
            return |from, step, to, to_step| unsafe {
                x86::transpose_512(from, step, to, to_step)
            };
        }
        if level() >= SimdLevel::Avx2 && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, and the square is whole.
            return |from, step, to, to_step| unsafe {
                x86::transpose_256(from, step, to, to_step)
            };
        }
    }
    plain
}

fn plain(from: &[Lane], step: usize, to: &mut [Lane], to_step: usize) {
    for i in 0..LANES {
        for (j, value) in from[i * step].0.iter().enumerate() {
            to[j * to_step].0[i] = *value;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::super::{LANES, Lane};

    /// Interleaves pairs of rows, then pairs of pairs, then 128-bit quarters.
    ///
    /// # Safety
    /// Both squares must be whole.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn transpose_512(from: &[Lane], step: usize, to: &mut [Lane], to_step: usize) {
        let (source, target) = (from.as_ptr(), to.as_mut_ptr());
        // SAFETY: a lane is sixteen aligned floats, and all sixteen lanes are there.
        let mut a: [__m512; LANES] =
            std::array::from_fn(|i| unsafe { _mm512_load_ps(source.add(i * step).cast()) });
        let mut b = a;
        for i in 0..8 {
            b[2 * i] = _mm512_unpacklo_ps(a[2 * i], a[2 * i + 1]);
            b[2 * i + 1] = _mm512_unpackhi_ps(a[2 * i], a[2 * i + 1]);
        }
        let pairs = |u: __m512, v: __m512| {
            let (u, v) = (_mm512_castps_pd(u), _mm512_castps_pd(v));
            (_mm512_castpd_ps(_mm512_unpacklo_pd(u, v)), _mm512_castpd_ps(_mm512_unpackhi_pd(u, v)))
        };
        for i in 0..4 {
            (a[4 * i], a[4 * i + 1]) = pairs(b[4 * i], b[4 * i + 2]);
            (a[4 * i + 2], a[4 * i + 3]) = pairs(b[4 * i + 1], b[4 * i + 3]);
        }
        // a[4g + c] now holds, in quarter q, rows 4g..4g + 4 of column 4q + c.
        for c in 0..4 {
            let even = [
                _mm512_shuffle_f32x4::<0x88>(a[c], a[4 + c]),
                _mm512_shuffle_f32x4::<0x88>(a[8 + c], a[12 + c]),
            ];
            let odd = [
                _mm512_shuffle_f32x4::<0xdd>(a[c], a[4 + c]),
                _mm512_shuffle_f32x4::<0xdd>(a[8 + c], a[12 + c]),
            ];
            let store = |row: usize, value: __m512| {
                // SAFETY: as above.
                unsafe { _mm512_store_ps(target.add(row * to_step).cast(), value) }
            };
            store(c, _mm512_shuffle_f32x4::<0x88>(even[0], even[1]));
            store(8 + c, _mm512_shuffle_f32x4::<0xdd>(even[0], even[1]));
            store(4 + c, _mm512_shuffle_f32x4::<0x88>(odd[0], odd[1]));
            store(12 + c, _mm512_shuffle_f32x4::<0xdd>(odd[0], odd[1]));
        }
    }

    /// Four squares of eight.
    ///
    /// # Safety
    /// Both squares must be whole.
    #[target_feature(enable = "avx2")]
    pub unsafe fn transpose_256(from: &[Lane], step: usize, to: &mut [Lane], to_step: usize) {
        let (source, target) = (from.as_ptr(), to.as_mut_ptr());
        for (block_i, block_j) in [(0, 0), (0, 8), (8, 0), (8, 8)] {
            // SAFETY: eight floats from entry 0 or 8 of a lane of sixteen, which are all there.
            let a: [__m256; 8] = std::array::from_fn(|i| unsafe {
                _mm256_load_ps(source.add((block_i + i) * step).cast::<f32>().add(block_j))
            });
            let mut b = a;
            for i in 0..4 {
                b[2 * i] = _mm256_unpacklo_ps(a[2 * i], a[2 * i + 1]);
                b[2 * i + 1] = _mm256_unpackhi_ps(a[2 * i], a[2 * i + 1]);
            }
            let mut c = b;
            for i in 0..2 {
                let (q, r) = (4 * i, 4 * i + 2);
                c[q] = _mm256_shuffle_ps::<0x44>(b[q], b[r]);
                c[q + 1] = _mm256_shuffle_ps::<0xee>(b[q], b[r]);
                c[q + 2] = _mm256_shuffle_ps::<0x44>(b[q + 1], b[r + 1]);
                c[q + 3] = _mm256_shuffle_ps::<0xee>(b[q + 1], b[r + 1]);
            }
            for i in 0..4 {
                let low = _mm256_permute2f128_ps::<0x20>(c[i], c[4 + i]);
                let high = _mm256_permute2f128_ps::<0x31>(c[i], c[4 + i]);
                // SAFETY: as above.
                unsafe {
                    let at = |j: usize| target.add((block_j + j) * to_step).cast::<f32>();
                    _mm256_store_ps(at(i).add(block_i), low);
                    _mm256_store_ps(at(4 + i).add(block_i), high);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::at_level;

    #[test]
    fn rows_become_columns_at_every_level_and_step() {
        for (fs, ts) in [(1, 1), (3, 1), (1, 5), (3, 12)] {
            let mut from = vec![Lane::ZERO; 15 * fs + 1];
            for (i, j) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
                from[i * fs].0[j] = (LANES * i + j) as f32;
            }
            for level in [SimdLevel::Plain, SimdLevel::Avx2, SimdLevel::Widest] {
                let mut to = vec![Lane([-1.0; LANES]); 15 * ts + 1];
                let source = Square { lanes: from.as_slice(), step: fs };
                at_level(level, || transpose(source, Square { lanes: &mut to, step: ts }));
                for (i, j) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
                    assert_eq!(to[j * ts].0[i], from[i * fs].0[j], "{level:?} {i} {j}");
                }
                let between = to.iter().enumerate().filter(|(k, _)| k % ts != 0);
                assert!(between.clone().all(|(_, lane)| lane.0 == [-1.0; LANES]), "{level:?}");
            }
        }
    }

    #[test]
    fn a_list_that_is_too_short_is_left_alone() {
        let (from, mut to) = (vec![Lane([1.0; LANES]); 16], vec![Lane::ZERO; 30]);
        transpose(Square { lanes: &from, step: 1 }, Square { lanes: &mut to, step: 2 });
        assert!(to.iter().all(|lane| *lane == Lane::ZERO));
    }
}
