use std::path::Path;
use std::process::Command;

use super::*;

/// A square that moves over a gradient of many colours.
fn picture([width, height]: [u32; 2], at: u32) -> Image {
    let mut image = Image::filled(width, height, [0, 0, 0, 255]);
    for (i, pixel) in image.rgba.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (x, y) = (i as u32 % width, i as u32 / width);
        let inside = (at..at + 8).contains(&x) && (4..12).contains(&y);
        *pixel = if inside { [250, 40, 30, 255] } else { [3 * x as u8, 5 * y as u8, 90, 255] };
    }
    image
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Pictures of a GIF as a viewer composes them, and their delays.
fn play(path: &Path) -> (Vec<Vec<u8>>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let width = usize::from(decoder.width());
    let mut screen = vec![0u8; 4 * width * usize::from(decoder.height())];
    let (mut pictures, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            let at = 4 * ((y + usize::from(frame.top)) * width + x + usize::from(frame.left));
            if pixel[3] != 0 {
                screen[at..at + 4].copy_from_slice(pixel);
            }
        }
        pictures.push(screen.clone());
        delays.push(frame.delay);
    }
    (pictures, delays)
}

#[test]
fn a_gif_plays_back_what_was_put_in() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.gif");
    let size = [64, 40];
    let mut film = Film::create(&path, size, 30.0).unwrap();
    for i in 0..7 {
        film.frame(&picture(size, 8 * i)).unwrap();
    }
    film.finish().unwrap();
    assert_eq!(names(dir.path()), ["a.gif"]);
    let (pictures, delays) = play(&path);
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3], "7/30 s in hundredths");
    assert_eq!(pictures.len(), 7);
    for (i, found) in pictures.iter().enumerate() {
        let wanted = picture(size, 8 * i as u32);
        let far = found.iter().zip(&wanted.rgba).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(far < 40, "frame {i} is off by {far}");
        let mean = found.iter().zip(&wanted.rgba).map(|(a, b)| f64::from(a.abs_diff(*b)));
        let mean = mean.sum::<f64>() / found.len() as f64;
        assert!(mean < 3.0, "frame {i} is off by {mean} on average");
    }
}

#[test]
fn a_gif_keeps_time_when_frames_come_too_fast() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.gif");
    let mut film = Film::create(&path, [64, 40], 100.0).unwrap();
    for i in 0..20 {
        film.frame(&picture([64, 40], i)).unwrap();
    }
    film.finish().unwrap();
    let (pictures, delays) = play(&path);
    assert_eq!((pictures.len(), delays.iter().sum::<u16>()), (10, 20));
}

#[test]
fn what_rests_costs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let length = |frames: usize| {
        let path = dir.path().join("a.gif");
        let mut film = Film::create(&path, [64, 40], 20.0).unwrap();
        for _ in 0..frames {
            film.frame(&picture([64, 40], 5)).unwrap();
        }
        film.finish().unwrap();
        assert_eq!(play(&path).0.len(), frames);
        std::fs::metadata(&path).unwrap().len()
    };
    assert!(length(11) - length(1) < 10 * 40);
}

#[test]
fn a_film_that_is_dropped_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let size = [64, 40];
    for name in ["a.gif", "b.mp4", "c/"] {
        let mut film = Film::create(&dir.path().join(name), size, 25.0).unwrap();
        film.frame(&picture(size, 3)).unwrap();
        film.frame(&picture(size, 9)).unwrap();
        drop(film);
    }
    assert_eq!(names(dir.path()), ["a.gif", "b.mp4", "c"]);
    assert_eq!(play(&dir.path().join("a.gif")).0.len(), 2);
    assert_eq!(probe(&dir.path().join("b.mp4")), "64,40,yuv420p,25/1,2");
    assert_eq!(names(&dir.path().join("c")), ["frame_000000.png", "frame_000001.png"]);
}

#[test]
fn a_film_without_frames_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a.gif", "b.mp4", "c/d"] {
        Film::create(&dir.path().join(name), [8, 8], 25.0).unwrap().finish().unwrap();
    }
    assert_eq!(names(dir.path()), [""; 0]);
}

/// Width, height, pixel format, rate and number of frames.
fn probe(path: &Path) -> String {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "csv=p=0"])
        .args(["-show_entries", "stream=width,height,pix_fmt,r_frame_rate,nb_read_frames"])
        .arg(path)
        .output()
        .expect("ffprobe cannot be started: install ffmpeg (`apt-get install ffmpeg`)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn an_mp4_has_every_frame_and_even_sides() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    let size = [65, 41];
    let mut film = Film::create(&path, size, 30.0).unwrap();
    for i in 0..9 {
        film.frame(&picture(size, i)).unwrap();
    }
    film.finish().unwrap();
    assert_eq!(probe(&path), "66,42,yuv420p,30/1,9");
    assert_eq!(names(dir.path()), ["a.mp4"]);
}

#[test]
fn pictures_are_what_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.png");
    let mut clear = picture([30, 20], 2);
    for image in [picture([31, 20], 2), {
        clear.rgba[3] = 7;
        clear
    }] {
        save_png(&path, &image).unwrap();
        let found = image::open(&path).unwrap().to_rgba8();
        assert_eq!(found.dimensions(), (image.width, image.height));
        assert_eq!(found.into_raw(), image.rgba);
    }
}

#[test]
fn places_and_kinds_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let refused = |name: &str, size, rate| {
        let error = Film::create(&dir.path().join(name), size, rate).err().expect(name);
        assert_eq!(names(dir.path()), ["file"], "{name}");
        error.to_string()
    };
    assert!(refused("no/a.gif", [8, 8], 25.0).contains("a.gif` cannot be written"));
    assert!(refused("no/a.mp4", [8, 8], 25.0).contains("a.mp4` cannot be written"));
    assert!(refused("file/a", [8, 8], 25.0).contains("cannot be written"));
    assert!(refused("a.avi", [8, 8], 25.0).contains("ending"));
    assert!(refused("a.gif", [0, 8], 25.0).contains("0 × 8"));
    assert!(refused("a.gif", [70000, 8], 25.0).contains("65535"));
    assert!(refused("a.gif", [8, 8], 0.0).contains("0 frames a second"));
    assert!(refused("a.gif", [8, 8], f64::NAN).contains("NaN"));
    let mut film = Film::create(&dir.path().join("a.gif"), [8, 8], 25.0).unwrap();
    let error = film.frame(&picture([9, 8], 0)).unwrap_err();
    assert!(error.to_string().contains("9 × 8"), "{error}");
    let error = save_png(&dir.path().join("no/a.png"), &picture([9, 8], 0)).unwrap_err();
    assert!(error.to_string().contains("a.png` cannot be written"), "{error}");
}
