//! Pictures and films by `tkanina render`. They need a graphics adapter; Mesa's software one does
//! (`apt-get install mesa-vulkan-drivers`).

use super::folder::{Ended, Folder};

const SCENE: &str = "small.scene.yaml";

/// Width and height of a PNG file.
#[track_caller]
fn size(folder: &Folder, name: &str) -> [u32; 2] {
    let bytes = std::fs::read(folder.path(name)).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n", "{name}");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[track_caller]
fn render(folder: &Folder, args: &[&str]) -> Ended {
    folder.done(&[&["render", SCENE, "--size", "96x64"], args].concat())
}

#[test]
fn a_picture_has_its_size_and_is_the_same_again() {
    let folder = Folder::new();
    let said = render(&folder, &["--out", "a.png"]).out;
    assert!(said.contains("a.png: t = 0.2000 s, 96 × 64, camera `all`, drawn by"), "{said}");
    assert_eq!(size(&folder, "a.png"), [96, 64]);
    render(&folder, &["--out", "b.png", "--threads", "1"]);
    let [a, b] = ["a.png", "b.png"].map(|name| std::fs::read(folder.path(name)).unwrap());
    assert_eq!(a, b);
    let shown = folder.content().len();
    render(&folder, &["--out", "c.png", "--at", "0.05"]);
    assert_ne!(a, std::fs::read(folder.path("c.png")).unwrap());
    assert_eq!(folder.content().len(), shown + 1, "nothing but the picture");
}

#[test]
fn a_picture_between_two_frames() {
    // Frames of 20 ms in 8 steps: 51 ms are 20.4 steps, two frames and four steps more.
    let folder = Folder::new();
    let said = render(&folder, &["--out", "a.png", "--at", "0.051"]).out;
    assert!(said.contains("t = 0.0500 s"), "{said}");
}

#[test]
fn films_of_every_kind() {
    let folder = Folder::new();
    let said = render(&folder, &["--out", "frames/"]).out;
    assert!(said.contains("11 frames, 0.22 s at 50 Hz"), "{said}");
    assert_eq!(size(&folder, "frames/frame_000000.png"), [96, 64]);
    assert!(folder.path("frames/frame_000010.png").exists());
    assert!(!folder.path("frames/frame_000011.png").exists());

    let said = render(&folder, &["--out", "a.gif", "--from", "0.1", "--fps", "10"]).out;
    assert!(said.contains("3 frames, 0.30 s at 10 Hz"), "{said}");
    let gif = std::fs::read(folder.path("a.gif")).unwrap();
    assert_eq!(&gif[..6], b"GIF89a");
    assert_eq!([gif[6], gif[7], gif[8], gif[9]], [96, 0, 64, 0]);

    render(&folder, &["--out", "a.mp4", "--frames", "4", "--every", "2"]);
    assert_eq!(&std::fs::read(folder.path("a.mp4")).unwrap()[4..8], b"ftyp");
}

#[test]
fn cameras_by_name() {
    let cameras = "\
cameras:
  - { name: front, eye_m: [0, 1, 3], target_m: [0, 0.8, 0] }
  - { name: above, eye_m: [0, 4, 0.1], target_m: [0, 0.8, 0] }
colliders:
";
    let folder = Folder::changed("colliders:\n", cameras);
    render(&folder, &["--out", "a.png"]);
    render(&folder, &["--out", "b.png", "--camera", "front"]);
    render(&folder, &["--out", "c.png", "--camera", "above"]);
    let [a, b, c] =
        ["a.png", "b.png", "c.png"].map(|name| std::fs::read(folder.path(name)).unwrap());
    assert!(a == b && a != c);
    folder.refused(
        &["render", SCENE, "--out", "d.png", "--camera", "abov"],
        &["there is no camera `abov`", "did you mean `above`?", "`front`"],
    );
}

#[test]
fn a_heat_map_has_a_legend() {
    let folder = Folder::new();
    let heat = ["--set", "look.show.heat_map={ of: stretch }"];
    let sized = ["render", SCENE, "--size", "400x300", "--out"];
    folder.done(&[&sized[..], &["a.png"]].concat());
    folder.done(&[&sized[..], &["b.png"], &heat].concat());
    let [a, b] = ["a.png", "b.png"].map(|name| std::fs::read(folder.path(name)).unwrap());
    assert_ne!(a, b);
}

#[test]
fn an_explosion_keeps_the_frames_before_it() {
    let folder = Folder::new();
    let args = ["render", "explosion", "--size", "96x64", "--out"];
    let ended = folder.run(&[&args[..], &["a.gif"]].concat());
    ended.says(3, &["exploded", "--solver verlet"]);
    let gif = std::fs::read(folder.path("a.gif")).unwrap();
    assert_eq!(gif.last(), Some(&0x3b), "the GIF is whole");
    let ended = folder.run(&[&args[..], &["a.png"]].concat());
    ended.says(3, &["exploded"]);
    assert_eq!(size(&folder, "a.png"), [96, 64]);
}

#[track_caller]
fn refused(args: &[&str], wanted: &[&str]) {
    Folder::new().refused(&[&["render", SCENE], args].concat(), wanted);
}

#[test]
fn wrong_arguments() {
    refused(&[], &["--out"]);
    refused(&["--out", "a.jpeg"], &["a.jpeg", ".png, .gif or .mp4"]);
    refused(&["--out", "a.png", "--size", "0x5"], &["0 is not in 1..=16384"]);
    refused(&["--out", "a.png", "--size", "100000x1"], &["100000 is not in 1..=16384"]);
    refused(&["--out", "a.png", "--size", "big"], &["1280x720"]);
    refused(&["--out", "a.png", "--at", "0.3"], &["--at: 0.3 s", "from 0 to 0.2"]);
    refused(&["--out", "a.png", "--at=-1"], &["--at: -1 s"]);
    refused(&["--out", "a.png", "--at", "NaN"], &["--at: NaN s"]);
    refused(&["--out", "a.gif", "--at", "0.1"], &["--at is for one picture"]);
    refused(&["--out", "a.gif", "--from", "7"], &["--from: 7 s"]);
    refused(&["--out", "a.gif", "--fps", "0"], &["--fps"]);
    refused(&["--out", "a.gif", "--fps", "NaN"], &["--fps"]);
    refused(&["--out", "a.png", "--every", "2"], &["--every is for films"]);
    refused(&["--out", "a.png", "--frames", "0"], &["'--frames <N>'"]);
    refused(&["--out", "no/a.png"], &["no/a.png", "make the folder first"]);
    refused(&["--out", "no/a.gif"], &["no/a.gif", "make the folder first"]);
    refused(&["--out", "no/a.mp4"], &["no/a.mp4", "make the folder first"]);
    refused(&["--out", "small.scene.yaml/a"], &["cannot be written"]);
}

#[test]
fn without_ffmpeg_there_is_a_remedy() {
    let folder = Folder::new();
    let before = folder.content();
    let mut command = folder.command();
    command.args(["render", SCENE, "--out", "a.mp4"]).env("PATH", "");
    Ended::of(command.output().unwrap()).says(1, &["ffmpeg", "apt-get install ffmpeg", ".gif"]);
    assert_eq!(folder.content(), before);
}

#[test]
fn without_an_adapter_there_is_a_remedy() {
    let folder = Folder::new();
    let before = folder.content();
    let mut command = folder.command();
    command.args(["render", SCENE, "--out", "a.png"]);
    // Drivers are found through this list; OpenGL is kept away by its own.
    command.env("VK_DRIVER_FILES", "/nowhere").env("VK_ICD_FILENAMES", "/nowhere");
    command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere").env("LIBGL_DRIVERS_PATH", "/nowhere");
    Ended::of(command.output().unwrap()).says(1, &["adapter", "mesa-vulkan-drivers"]);
    assert_eq!(folder.content(), before);
}
