//! Films that are whole, whatever happens to the window.

use super::*;

fn wait(recorder: &Recorder) -> Recording {
    loop {
        match recorder.state() {
            Recording::On | Recording::Finishing => crate::platform::pause(2e-3),
            ended => return ended,
        }
    }
}

/// Offers until there is room.
fn insist(recorder: &mut Recorder, time: f64, image: &Image) {
    assert!(recorder.wants(time));
    while !recorder.offer(time, image.clone()) {
        crate::platform::pause(1e-3);
    }
}

fn count(dir: &Path) -> usize {
    std::fs::read_dir(dir).unwrap().count()
}

#[test]
fn a_film_keeps_simulated_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("film");
    let mut recorder = Recorder::start(&path, 1.0 / 60.0).unwrap();
    let image = Image::filled(16, 8, [10, 20, 30, 255]);
    for frame in [0, 1, 2, 7, 8] {
        insist(&mut recorder, f64::from(frame) / 60.0, &image);
    }
    // A halted simulation adds nothing; a resized window is no reason to end.
    assert!(!recorder.wants(8.0 / 60.0) && !recorder.offer(8.0 / 60.0, image.clone()));
    insist(&mut recorder, 9.0 / 60.0, &Image::filled(20, 20, [0, 0, 0, 255]));
    // Back to the start, then on.
    insist(&mut recorder, 0.0, &image);
    insist(&mut recorder, 1.0 / 60.0, &image);
    recorder.stop();
    assert!(!recorder.wants(1.0));
    assert_eq!(wait(&recorder), Recording::Done);
    assert_eq!((recorder.frames(), count(&path)), (12, 12));
}

#[test]
fn closing_the_window_leaves_a_whole_film() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("film.gif");
    let mut recorder = Recorder::start(&path, 1.0 / 60.0).unwrap();
    for frame in 0..25 {
        let image = Image::filled(16, 8, [10 * frame as u8, 20, 30, 255]);
        let time = f64::from(frame) / 60.0;
        if recorder.wants(time) {
            insist(&mut recorder, time, &image);
        }
    }
    drop(recorder);
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(&[0x3b]), "the end of a GIF");
}

#[test]
fn what_cannot_be_written_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::start(&dir.path().join("no/such/film.gif"), 0.02).unwrap();
    recorder.offer(0.0, Image::filled(4, 4, [0; 4]));
    let Recording::Failed(reason) = wait(&recorder) else { panic!("it cannot be written") };
    assert!(reason.contains("film.gif"), "{reason}");
    // Nothing is taken in vain any more.
    while recorder.wants(1.0) {
        recorder.offer(1.0, Image::filled(4, 4, [0; 4]));
    }
    let mut nothing = Recorder::start(&dir.path().join("empty.gif"), 0.02).unwrap();
    nothing.stop();
    assert!(matches!(wait(&nothing), Recording::Failed(_)));
    assert_eq!(count(dir.path()), 0);
}

#[test]
fn films_have_rates_that_players_know() {
    assert_eq!(rate(Path::new("a.gif"), 1.0 / 60.0), 25.0);
    assert_eq!(rate(Path::new("a.mp4"), 1e-3), 60.0);
    assert_eq!(rate(Path::new("a"), 1.0 / 24.0), 24.0);
    assert_eq!(rate(Path::new("a"), 10.0), 1.0);
}

#[test]
fn leaps_are_cuts() {
    let mut rhythm = Rhythm::new(25.0);
    let mut at = |time: f64| {
        let index = rhythm.index(time);
        index.into_iter().for_each(|index| rhythm.took(time, index));
        index
    };
    assert_eq!([at(5.0), at(5.01), at(5.04), at(5.2)], [Some(0), None, Some(1), Some(5)]);
    assert_eq!([at(20.0), at(20.04), at(3.0), at(3.04)], [Some(6), Some(7), Some(8), Some(9)]);
}
