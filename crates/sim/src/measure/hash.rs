//! A fingerprint of a state: equal hashes mean equal bits.

use crate::state::State;

/// BLAKE3 of all positions, then all velocities, axis after axis, little endian.
pub fn state_hash(state: &State) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut bytes = Vec::with_capacity(4096);
    for axis in [&state.x.x, &state.x.y, &state.x.z, &state.v.x, &state.v.y, &state.v.z] {
        for part in axis.chunks(1024) {
            bytes.clear();
            part.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
            hasher.update(&bytes);
        }
    }
    hasher.finalize().to_hex().to_string()
}
