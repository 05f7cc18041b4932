//! Scene files in, worlds and frames out.
//!
//! [`schema::Scene::open`](load::LoadedScene) reads, validates and checks a
//! scene and says everything that is wrong with it; [`export`] and
//! [`checkpoint`] write frames and states, whole or not at all; [`mesh_io`]
//! reads meshes.

// Units stand in brackets at the end of a description, where rustdoc looks for links.
#![allow(rustdoc::broken_intra_doc_links)]

pub mod build;
pub mod builtin;
pub mod check;
pub mod checkpoint;
pub mod compare;
pub mod errors;
pub mod export;
mod garment;
pub mod load;
pub mod mesh_io;
pub mod node;
pub mod obj_scene;
pub mod problem;
pub mod run;
pub mod schema;
pub mod set;
pub mod source;
pub mod validate;
pub mod write;
