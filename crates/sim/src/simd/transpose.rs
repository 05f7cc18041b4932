//! A square of sixteen lanes turned over: the one place with `unsafe` code, since no way of
//! writing it plainly makes the compiler use shuffles.
#![allow(unsafe_code)]

use super::{LANES, Lane, SimdLevel, level};

/// to[j][i] = from[i][j].
#[inline]
pub fn transpose(from: &[Lane; LANES], to: &mut [Lane; LANES]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected;
        if level() >= SimdLevel::Widest && is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F.
            return unsafe { x86::transpose_512(from, to) };
        }
        if level() >= SimdLevel::Avx2 && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { x86::transpose_256(from, to) };
        }
    }
    plain(from, to);
}

fn plain(from: &[Lane; LANES], to: &mut [Lane; LANES]) {
    for (i, row) in from.iter().enumerate() {
        for (j, value) in row.0.iter().enumerate() {
            to[j].0[i] = *value;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::super::{LANES, Lane};

    /// Interleaves pairs of rows, then pairs of pairs, then 128-bit quarters.
    #[target_feature(enable = "avx512f")]
    pub fn transpose_512(from: &[Lane; LANES], to: &mut [Lane; LANES]) {
        // SAFETY: a lane is sixteen aligned floats.
        let mut a: [__m512; LANES] =
            std::array::from_fn(|i| unsafe { _mm512_load_ps(from[i].0.as_ptr()) });
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
            let mut store = |row: usize, value: __m512| {
                // SAFETY: as above.
                unsafe { _mm512_store_ps(to[row].0.as_mut_ptr(), value) }
            };
            store(c, _mm512_shuffle_f32x4::<0x88>(even[0], even[1]));
            store(8 + c, _mm512_shuffle_f32x4::<0xdd>(even[0], even[1]));
            store(4 + c, _mm512_shuffle_f32x4::<0x88>(odd[0], odd[1]));
            store(12 + c, _mm512_shuffle_f32x4::<0xdd>(odd[0], odd[1]));
        }
    }

    /// Four squares of eight.
    #[target_feature(enable = "avx2")]
    pub fn transpose_256(from: &[Lane; LANES], to: &mut [Lane; LANES]) {
        for (block_i, block_j) in [(0, 0), (0, 8), (8, 0), (8, 8)] {
            // SAFETY: eight floats from entry 0 or 8 of a lane of sixteen.
            let a: [__m256; 8] = std::array::from_fn(|i| unsafe {
                _mm256_load_ps(from[block_i + i].0.as_ptr().add(block_j))
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
                    _mm256_store_ps(to[block_j + i].0.as_mut_ptr().add(block_i), low);
                    _mm256_store_ps(to[block_j + 4 + i].0.as_mut_ptr().add(block_i), high);
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
    fn rows_become_columns_at_every_level() {
        let from: [Lane; LANES] =
            std::array::from_fn(|i| Lane(std::array::from_fn(|j| (LANES * i + j) as f32)));
        for level in [SimdLevel::Plain, SimdLevel::Avx2, SimdLevel::Widest] {
            let mut to = [Lane::ZERO; LANES];
            at_level(level, || transpose(&from, &mut to));
            for (i, j) in (0..LANES).flat_map(|i| (0..LANES).map(move |j| (i, j))) {
                assert_eq!(to[j].0[i], from[i].0[j], "{level:?} {i} {j}");
            }
        }
    }
}
