//! Settings between runs. One test: the environment is the whole process's.

use tkanina_viewer::preferences::{Preferences, Theme};
use tkanina_viewer::{platform, recents};

#[test]
fn settings_are_found_again_and_damage_is_survived() {
    let Some(dir) = std::env::var_os("TKANINA_CONFIG_DIR").map(std::path::PathBuf::from) else {
        return in_a_folder_of_its_own();
    };
    assert_eq!(platform::config_dir(), Some(dir.clone()));
    assert_eq!(Preferences::load(), Preferences::default());
    let mut preferences = Preferences { theme: Theme::Light, zoom: 1.5, ..Preferences::default() };
    let (there, gone) = (dir.join("there.scene.yaml"), dir.join("gone.scene.yaml"));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(&there, "format: 1\n").unwrap();
    recents::remember(&mut preferences.recent, &gone);
    recents::remember(&mut preferences.recent, &there);
    preferences.store().unwrap();
    let found = Preferences::load();
    assert_eq!((found.theme, found.zoom), (Theme::Light, 1.5));
    assert_eq!(found.recent, [platform::absolute(&there)]);
    for damaged in ["", "{", "[1, 2]", "{ \"theme\": 7 }", "\0\0"] {
        std::fs::write(dir.join("preferences.json"), damaged).unwrap();
        assert_eq!(Preferences::load(), Preferences::default(), "{damaged:?}");
    }
}

/// Runs this test again with a folder of settings: a process must not change its own environment
/// while it has threads.
fn in_a_folder_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "settings_are_found_again_and_damage_is_survived"])
        .env("TKANINA_CONFIG_DIR", dir.path().join("deep/config"))
        .status();
    assert!(again.unwrap().success());
}
