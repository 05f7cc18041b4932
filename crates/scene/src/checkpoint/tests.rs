use super::*;

fn sample() -> Checkpoint {
    let sections = [
        ("position", Section::F32(vec![0.1, -0.0, f32::MIN_POSITIVE])),
        ("energy", Section::F64(vec![1.0 / 3.0])),
        ("broken", Section::U32(vec![7, u32::MAX])),
        ("flags", Section::U8(vec![])),
    ];
    Checkpoint {
        header: CheckpointHeader {
            tkanina: "0.1.0".into(),
            scene: "flag".into(),
            scene_hash: "abc".into(),
            frame: 30,
            step: 240,
            time_s: 0.1 + 0.2,
            extra: BTreeMap::from([("tries".into(), 3.into())]),
        },
        sections: sections.into_iter().map(|(name, s)| (name.to_owned(), s)).collect(),
    }
}

fn decoded(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
    decode(bytes, Path::new("x.ckpt"))
}

#[test]
fn reads_back_to_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.ckpt");
    write(&path, &sample()).unwrap();
    assert_eq!(read(&path).unwrap(), sample());
    assert_eq!(read_for(&path, "abc").unwrap().header.frame, 30);
    let other = read_for(&path, "abd").unwrap_err();
    assert!(matches!(&other, CheckpointError::OtherScene { scene, .. } if scene == "flag"));
    assert!(matches!(read(&dir.path().join("none")), Err(CheckpointError::Unreadable { .. })));
}

#[test]
fn every_cut_is_seen() {
    let bytes = bytes::encode(&sample()).unwrap();
    assert!(matches!(decoded(b""), Err(CheckpointError::NotACheckpoint { .. })));
    for end in 1..bytes.len() {
        let error = decoded(&bytes[..end]).unwrap_err();
        assert!(matches!(error, CheckpointError::Truncated { .. }), "{end}: {error}");
    }
}

#[test]
fn every_flipped_bit_is_seen() {
    let bytes = bytes::encode(&sample()).unwrap();
    for at in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        let error = decoded(&damaged).unwrap_err();
        let fits = match at / 8 {
            0..8 => matches!(error, CheckpointError::NotACheckpoint { .. }),
            8..12 => matches!(error, CheckpointError::OtherVersion { .. }),
            // A longer length looks like a cut.
            12..20 => matches!(
                error,
                CheckpointError::Truncated { .. } | CheckpointError::Corrupted { .. }
            ),
            _ => matches!(error, CheckpointError::Corrupted { .. }),
        };
        assert!(fits, "bit {at}: {error}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(decoded(&longer), Err(CheckpointError::Corrupted { .. })));
}

#[test]
fn lying_counts_take_no_memory() {
    // A writer that lies about a count, with a checksum that fits.
    let mut bytes = bytes::encode(&sample()).unwrap();
    bytes.truncate(bytes.len() - HASH_BYTES);
    // Sections are by name: the last is `position`, whose count stands before
    // its three numbers.
    let count_at = bytes.len() - 3 * 4 - 8;
    assert_eq!(bytes[count_at], 3);
    bytes[count_at..count_at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
    let hash = blake3::hash(&bytes);
    bytes.extend_from_slice(hash.as_bytes());
    assert!(matches!(decoded(&bytes), Err(CheckpointError::Corrupted { .. })));
}
