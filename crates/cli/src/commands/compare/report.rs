//! Files of a comparison: all of them whole, or none.

mod charts;
mod page;
mod pictures;
mod words;

use std::path::PathBuf;

use miette::miette;
use serde_json::json;
use tkanina_render::Gpu;
use tkanina_stage::film::png_bytes;

use super::Args;
use super::comparison::Comparison;
use crate::commands::bench::Machine;
use crate::failure::Failure;
use crate::files::{Together, make_folder, remove_folders, try_to_write};
use pictures::Pictures;

/// Where the results go.
pub struct Places {
    page: Option<PathBuf>,
    json: Option<PathBuf>,
    picture: Option<PathBuf>,
    /// Folders that were made, innermost first.
    made: Vec<PathBuf>,
}

impl Places {
    /// Makes the folder and finds out whether everything could be written. If not, nothing is
    /// left behind.
    pub fn prepare(args: &Args) -> Result<Self, Failure> {
        if args.picture.is_some() {
            // A report goes without pictures, a picture does not.
            Gpu::headless()?;
        }
        let made = args.out.as_deref().map_or_else(|| Ok(Vec::new()), make_folder)?;
        let places = Self {
            page: args.out.as_ref().map(|dir| dir.join("index.html")),
            json: args.json.clone(),
            picture: args.picture.clone(),
            made,
        };
        let mut all = places.page.iter().chain(&places.json).chain(&places.picture);
        let tried = all.try_for_each(|path| try_to_write(path, path));
        if tried.is_err() {
            places.withdraw();
        }
        tried.map(|()| places)
    }

    /// Takes folders away again that nothing was written to.
    pub fn withdraw(&self) {
        remove_folders(&self.made);
    }

    /// Draws and writes what was asked for; gives what a reader should know.
    pub fn write(&self, comparison: &Comparison, command: &str) -> Result<Vec<String>, Failure> {
        let machine = Machine::here();
        let mut notes = Vec::new();
        let wanted = self.page.is_some() || self.picture.is_some();
        let pictures = wanted.then(|| Pictures::draw(comparison));
        if let Some(Err(reason)) = &pictures {
            notes.push(format!("without pictures: {reason}"));
        }
        let mut files = Together::default();
        if let Some(path) = &self.page {
            let pictures = pictures.as_ref().and_then(|drawn| drawn.as_ref().ok());
            let about = page::About { command, machine: &machine, notes: &notes };
            files.add(path, page::html(comparison, pictures, &about).as_bytes())?;
        }
        if let (Some(path), Some(Ok(pictures))) = (&self.picture, &pictures) {
            let png = png_bytes(&pictures.sheet()).map_err(Failure::other)?;
            files.add(path, &png)?;
        }
        if let Some(path) = &self.json {
            let value = comparison.json(command, json!(machine));
            let text = serde_json::to_vec_pretty(&value)
                .map_err(|error| Failure::other(miette!("no JSON can be made: {error}")))?;
            files.add(path, &text)?;
        }
        files.commit()?;
        Ok(notes)
    }
}
