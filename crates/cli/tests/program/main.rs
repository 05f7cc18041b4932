//! The built program, as people and scripts meet it.

mod bad_arguments;
mod bad_checkpoints;
mod bad_meshes;
mod bad_outputs;
mod bad_scenes;
mod explosions;
mod folder;
mod other_commands;
mod resuming;
mod running;
