//! The player on its thread.

use std::sync::mpsc;

use tkanina_scene::schema::{self, Scene};

use super::*;

const SETTINGS: PlayerSettings = PlayerSettings { timeline_s: 2.0, timeline_mb: 64, threads: 1 };

fn scene(points: u32) -> Arc<LoadedScene> {
    let text = format!(
        "format: 1
materials:
  light:
    mass: {{ per_point_kg: 0.01 }}
    springs: {{ stencil: neighbours-20, stiffness: 20, damping: 0.05 }}
bodies:
  - name: a
    kind: cloth
    shape: {{ kind: grid, points: [{points}, {points}], size_m: [1, 1] }}
    material: light
"
    );
    Arc::new(Scene::load_text("test", &text, None, &[]).unwrap())
}

fn start() -> (Session, mpsc::Receiver<()>) {
    let (woken, wakes) = mpsc::channel();
    // The test may be over before the session is.
    let wake = move || woken.send(()).unwrap_or_default();
    (Session::start(scene(4), SETTINGS, Box::new(wake)).unwrap(), wakes)
}

/// Waits as a window does: looks only when it is woken.
fn wait(
    session: &Session,
    wakes: &mpsc::Receiver<()>,
    wanted: impl Fn(&Snapshot) -> bool,
) -> Arc<Snapshot> {
    loop {
        let snapshot = session.snapshot();
        assert_eq!((&snapshot.error, &snapshot.explosion), (&None, &None));
        if wanted(&snapshot) {
            return snapshot;
        }
        wakes.recv().expect("the player must not die");
    }
}

#[test]
fn plays_off_the_thread_and_wakes_the_window() {
    let (session, wakes) = start();
    let first = wait(&session, &wakes, |s| s.positions.len() == 16);
    assert_eq!((first.frame_number, first.playing), (0, false));
    session.send(Request::Play(true));
    let later = wait(&session, &wakes, |s| s.frame_number > 5);
    assert!(later.serial > first.serial && later.playing);
    session.send(Request::Open(scene(6)));
    wait(&session, &wakes, |s| s.positions.len() == 36 && s.frame_number > 2);
    session.send(Request::Play(false));
    let halted = wait(&session, &wakes, |s| !s.playing);
    session.send(Request::Seek(1));
    assert!(halted.frame_number > 1);
    wait(&session, &wakes, |s| s.frame_number == 1);
    assert!(session.is_alive());
}

#[test]
fn what_was_asked_for_is_done_before_it_ends() {
    let dir = tempfile::tempdir().unwrap();
    let (session, _wakes) = start();
    session.send(Request::Play(true));
    let file = dir.path().join("state.tkc");
    session.send(Request::SaveState(file.clone()));
    drop(session);
    assert!(file.is_file());
}

#[test]
fn an_unseen_window_does_not_hold_it_up() {
    let (session, wakes) = start();
    session.send(Request::Play(true));
    // Never looked at, it still tells of news now and then.
    (0..4).for_each(|_| wakes.recv().unwrap());
    assert!(session.snapshot().playing);
}

#[test]
fn only_the_last_of_many_edits_is_built() {
    let show = || Request::Show(schema::Show::default());
    let mut requests = vec![
        Request::Edit(scene(2)),
        Request::Edit(scene(3)),
        Request::Play(true),
        Request::Edit(scene(4)),
        Request::Seek(1),
        Request::Seek(2),
        Request::Seek(3),
        show(),
        show(),
        Request::StepOnce,
        Request::StepOnce,
    ];
    skip_superseded(&mut requests);
    use Request::*;
    assert!(matches!(
        requests.as_slice(),
        [Edit(a), Play(true), Edit(_), Seek(3), Show(_), StepOnce, StepOnce]
            if a.scene.bodies.len() == 1
    ));
    let Edit(first) = &requests[0] else { panic!() };
    assert_eq!(serde_json::json!(first.scene.bodies[0])["shape"]["points"][0], 3);
}
