//! The built program, as people and scripts meet it.

// Signals, links and file limits are asked for in the way of Unix.
#![cfg(unix)]

mod bad_arguments;
mod bad_checkpoints;
mod bad_curves;
mod bad_meshes;
mod bad_outputs;
mod bad_scenes;
mod comparing;
mod explosions;
mod folder;
mod other_commands;
mod rendering;
mod resuming;
mod running;
