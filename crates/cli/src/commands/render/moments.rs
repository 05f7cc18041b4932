//! Which moments are drawn.

use miette::miette;
use tkanina_scene::build::Simulation;
use tkanina_stage::film::FilmKind;

use super::Args;
use super::target::Target;
use crate::failure::Failure;

/// Frames a second that are enough for the eye, by kind of film. [Hz]
const GIF_RATE: f64 = 30.0;
const MP4_RATE: f64 = 60.0;

/// Which moments are drawn, in frames and steps of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// First frame that is drawn.
    pub first: u64,
    /// Last frame.
    pub last: u64,
    /// Steps after the last frame, for a time between two frames.
    pub rest: u32,
    /// Every which frame is drawn.
    pub every: u64,
    /// Frames of the film a second. [Hz]
    pub rate: f64,
}

impl Moments {
    /// What the arguments ask for.
    pub fn of(args: &Args, target: Target, simulation: &Simulation) -> Result<Self, Failure> {
        let Simulation { schedule, start_s, .. } = simulation;
        let last = args.frames.unwrap_or(schedule.frames);
        match target {
            Target::Picture => {
                let steps_a_frame = u64::from(schedule.substeps);
                let steps = match args.at {
                    None => last * steps_a_frame,
                    Some(at) => {
                        check_time("--at", at, schedule.frames, simulation)?;
                        let h = schedule.frame_s / steps_a_frame as f64;
                        (((at - start_s) / h).round() as u64).min(schedule.frames * steps_a_frame)
                    }
                };
                let (last, rest) = (steps / steps_a_frame, (steps % steps_a_frame) as u32);
                Ok(Self { first: last, last, rest, every: 1, rate: 1.0 })
            }
            Target::Film(kind) => {
                let first = match args.from {
                    None => 0,
                    Some(from) => {
                        check_time("--from", from, last, simulation)?;
                        (((from - start_s) / schedule.frame_s).round() as u64).min(last)
                    }
                };
                let full = 1.0 / schedule.frame_s;
                let enough = match kind {
                    FilmKind::Gif => GIF_RATE,
                    FilmKind::Mp4 => MP4_RATE,
                    FilmKind::Folder => f64::INFINITY,
                };
                let of_its_own = (full / enough - 1e-6).ceil().max(1.0) as u64;
                let every = args.every.map_or(of_its_own, u64::from);
                let rate = args.fps.unwrap_or(full / every as f64);
                if !(rate > 0.0 && rate <= 1000.0) {
                    return Err(Failure::input(miette!(
                        help = "give a number such as 30",
                        "--fps: a film cannot have {rate} frames a second"
                    )));
                }
                Ok(Self { first, last, rest: 0, every, rate })
            }
        }
    }

    /// Whether a frame is drawn.
    pub fn draws(&self, frame: u64) -> bool {
        (self.first..=self.last).contains(&frame) && (frame - self.first).is_multiple_of(self.every)
    }
}

/// A time is good if it is not beyond `frames`. Times count from 0, also in a scene that starts
/// from a checkpoint.
fn check_time(flag: &str, time: f64, frames: u64, simulation: &Simulation) -> Result<(), Failure> {
    let Simulation { schedule, start_s, .. } = simulation;
    let end = start_s + frames as f64 * schedule.frame_s;
    // A time that was rounded when it was written down is still the end.
    if (*start_s..=end + 0.5 * schedule.frame_s).contains(&time) {
        return Ok(());
    }
    let start = if *start_s == 0.0 { "0".to_owned() } else { format!("{start_s:.4}") };
    let help =
        format!("give a time from {start} to {end:.4}, or more time by `--set time.duration_s=…`");
    Err(Failure::input(miette!(help = help, "{flag}: {time} s is not within the scene")))
}
