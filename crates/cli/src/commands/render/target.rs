//! What is written, by the ending of `--out`.

use miette::miette;
use tkanina_stage::film::FilmKind;

use super::Args;
use crate::failure::Failure;

/// A picture or a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// One PNG file.
    Picture,
    /// A film.
    Film(FilmKind),
}

impl Target {
    /// What `--out` asks for, if all other arguments fit it.
    pub fn of(args: &Args) -> Result<Self, Failure> {
        let ending = args.out.extension().map(|e| e.to_string_lossy().to_lowercase());
        let slash = args.out.as_os_str().as_encoded_bytes().last() == Some(&b'/');
        let target = if ending.as_deref() == Some("png") && !slash && !args.out.is_dir() {
            Self::Picture
        } else {
            let kind = FilmKind::of(&args.out).ok_or_else(|| {
                Failure::input(miette!(
                    help = "end it in .png, .gif or .mp4, or name a folder for PNG files",
                    "--out: `{}` ends in none of the kinds that can be written",
                    args.out.display(),
                ))
            })?;
            Self::Film(kind)
        };
        match target {
            Self::Picture => {
                let flags = [
                    ("--from", args.from.is_some()),
                    ("--every", args.every.is_some()),
                    ("--fps", args.fps.is_some()),
                ];
                if let Some((flag, _)) = flags.into_iter().find(|(_, given)| *given) {
                    return Err(Failure::input(miette!(
                        help = "leave it out, or write a .gif, a .mp4 or a folder",
                        "{flag} is for films, but --out is one picture"
                    )));
                }
            }
            Self::Film(_) if args.at.is_some() => {
                return Err(Failure::input(miette!(
                    help = "write a .png, or say by `--from` and `--frames` what to film",
                    "--at is for one picture, but --out is a film"
                )));
            }
            Self::Film(_) => {}
        }
        Ok(target)
    }
}
