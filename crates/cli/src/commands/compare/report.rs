//! Files of a comparison: all of them whole, or none.

mod charts;
mod page;
mod pictures;
mod words;

use std::io::Write;
use std::path::{Path, PathBuf};

use miette::miette;
use serde_json::json;
use tkanina_scene::export::atomic::{AtomicFile, WriteError};
use tkanina_stage::film::png_bytes;

use super::comparison::Comparison;
use super::lab::Lab;
use super::{Args, outputs};
use crate::commands::bench::Machine;
use crate::failure::Failure;
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
        let made = args.out.as_deref().map_or_else(|| Ok(Vec::new()), outputs::make_folder)?;
        let places = Self {
            page: args.out.as_ref().map(|dir| dir.join("index.html")),
            json: args.json.clone(),
            picture: args.picture.clone(),
            made,
        };
        let mut all = places.page.iter().chain(&places.json).chain(&places.picture);
        let tried = all.try_for_each(|path| outputs::try_to_write(path, path));
        if tried.is_err() {
            places.withdraw();
        }
        tried.map(|()| places)
    }

    /// Takes folders away again that nothing was written to.
    pub fn withdraw(&self) {
        outputs::remove_folders(&self.made);
    }

    /// Draws and writes what was asked for; gives what a reader should know.
    pub fn write(
        &self,
        comparison: &Comparison,
        lab: &Lab<'_>,
        command: &str,
    ) -> Result<Vec<String>, Failure> {
        let machine = Machine::here();
        let mut notes = Vec::new();
        let wanted = self.page.is_some() || self.picture.is_some();
        let pictures = wanted.then(|| Pictures::draw(comparison, lab.quiet));
        if let Some(Err(reason)) = &pictures {
            notes.push(format!("without pictures: {reason}"));
        }
        let mut files = Vec::new();
        if let Some(path) = &self.page {
            let pictures = pictures.as_ref().and_then(|drawn| drawn.as_ref().ok());
            let about = page::About { command, machine: &machine, notes: &notes };
            files.push(filled(path, page::html(comparison, pictures, &about).as_bytes())?);
        }
        if let (Some(path), Some(Ok(pictures))) = (&self.picture, &pictures) {
            let png = png_bytes(&pictures.sheet()).map_err(Failure::other)?;
            files.push(filled(path, &png)?);
        }
        if let Some(path) = &self.json {
            let value = comparison.json(command, json!(machine));
            let text = serde_json::to_vec_pretty(&value)
                .map_err(|error| Failure::other(miette!("no JSON can be made: {error}")))?;
            files.push(filled(path, &text)?);
        }
        // All are on the disk by now, each under another name.
        files.into_iter().try_for_each(AtomicFile::commit).map_err(Failure::other)?;
        Ok(notes)
    }
}

/// A file with all its bytes that does not show yet.
fn filled(path: &Path, bytes: &[u8]) -> Result<AtomicFile, Failure> {
    let fill = || -> Result<AtomicFile, WriteError> {
        let mut file = AtomicFile::create(path)?;
        file.write(|out| out.write_all(bytes).and_then(|()| out.flush()))?;
        Ok(file)
    };
    fill().map_err(Failure::other)
}
