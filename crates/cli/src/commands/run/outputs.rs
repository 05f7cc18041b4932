//! Files of a run: frames, checkpoints, statistics.

use std::path::{Path, PathBuf};

use tkanina_scene::checkpoint::{self, Checkpoint};
use tkanina_scene::export::atomic::write_file;
use tkanina_scene::export::{ExportFormat, Exporter};
use tkanina_scene::run::{FrameBuffer, Stats};
use tkanina_sim::world::World;

use super::Args;
use crate::failure::Failure;
use crate::files::{make_folder, remove_folders, try_to_write};

/// Where the results of a run go.
pub struct Outputs {
    dir: PathBuf,
    every: u32,
    export: Option<(ExportFormat, Exporter)>,
    checkpoint_every: Option<u64>,
    stats: Option<PathBuf>,
    buffer: FrameBuffer,
    /// Last frame on the disk, and how many there are.
    written: Option<(u64, u64)>,
}

impl Outputs {
    /// Makes the folder and finds out whether everything could be written. If
    /// not, nothing is left behind.
    pub fn prepare(args: &Args, format: Option<ExportFormat>) -> Result<Self, Failure> {
        let dir = args.out.clone().unwrap_or_else(|| Path::new("out").join(args.scene.stem()));
        let mut made = Vec::new();
        if format.is_some() || args.checkpoint_every.is_some() {
            made = make_folder(&dir)?;
        }
        let prepared = Self::in_folder(args, format, &dir);
        if prepared.is_err() {
            remove_folders(&made);
        }
        prepared
    }

    fn in_folder(args: &Args, format: Option<ExportFormat>, dir: &Path) -> Result<Self, Failure> {
        if let Some(path) = &args.stats {
            try_to_write(path, path)?;
        }
        if args.checkpoint_every.is_some() {
            try_to_write(&checkpoint_path(dir), &checkpoint_path(dir))?;
        }
        let export = match format {
            Some(format) => {
                try_to_write(&dir.join("frame"), dir)?;
                Some((format, Exporter::new(format, dir, args.every).map_err(Failure::input)?))
            }
            None => None,
        };
        Ok(Self {
            dir: dir.to_owned(),
            every: args.every,
            export,
            checkpoint_every: args.checkpoint_every,
            stats: args.stats.clone(),
            buffer: FrameBuffer::default(),
            written: None,
        })
    }

    /// Exports a frame if it is one of those that were asked for.
    pub fn frame(&mut self, index: u64, world: &mut World) -> Result<(), Failure> {
        if !index.is_multiple_of(u64::from(self.every)) {
            return Ok(());
        }
        let Some((_, exporter)) = &mut self.export else { return Ok(()) };
        self.buffer.capture(world);
        self.buffer.with(world, |view| exporter.frame(index, view)).map_err(Failure::other)?;
        let count = self.written.map_or(0, |(_, count)| count);
        self.written = Some((index, count + 1));
        Ok(())
    }

    /// Exports the last good frame of a run that exploded, whether or not it
    /// was asked for.
    pub fn last_good(&mut self, index: u64, world: &mut World) -> Result<(), Failure> {
        let Some((format, _)) = &self.export else { return Ok(()) };
        if self.written.is_some_and(|(last, _)| last == index) {
            return Ok(());
        }
        // A point cache has one rate: a frame between its samples goes beside it.
        let format = if *format == ExportFormat::Pc2 { ExportFormat::Obj } else { *format };
        let mut exporter = Exporter::new(format, &self.dir, 1).map_err(Failure::other)?;
        self.buffer.capture(world);
        self.buffer.with(world, |view| exporter.frame(index, view)).map_err(Failure::other)?;
        let count = self.written.map_or(0, |(_, count)| count);
        self.written = Some((index, count + 1));
        Ok(())
    }

    /// Lets files appear that hold all frames.
    pub fn finish(&mut self) -> Result<(), Failure> {
        match self.export.take() {
            Some((_, exporter)) => exporter.finish().map_err(Failure::other),
            None => Ok(()),
        }
    }

    /// Whether a checkpoint is due after frame `index`.
    pub fn wants_checkpoint(&self, index: u64) -> bool {
        self.checkpoint_every.is_some_and(|every| index.is_multiple_of(every))
    }

    /// Writes the checkpoint over the one before.
    pub fn write_checkpoint(&self, state: &Checkpoint) -> Result<(), Failure> {
        checkpoint::write(&checkpoint_path(&self.dir), state).map_err(Failure::other)
    }

    /// Writes the statistics if they were asked for.
    pub fn write_stats(&self, stats: &Stats) -> Result<(), Failure> {
        let Some(path) = &self.stats else { return Ok(()) };
        write_file(path, |out| {
            serde_json::to_writer_pretty(&mut *out, stats)?;
            out.write_all(b"\n")
        })
        .map_err(Failure::other)
    }

    /// What was written, in a phrase; none if nothing was.
    pub fn in_words(&self) -> Option<String> {
        let (last, count) = self.written?;
        Some(format!("{count} in {}, the last one frame {last}", self.dir.display()))
    }
}

fn checkpoint_path(dir: &Path) -> PathBuf {
    dir.join("checkpoint.tkc")
}
