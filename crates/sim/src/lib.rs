//! The physics of Tkanina: particles, springs, air, colliders, integrators.
//!
//! This crate reads no file, no clock, no environment and no random seed that
//! it was not given. The same [`model::Model`], [`state::State`] and step give
//! the same bits on any number of threads and on any machine.

pub mod aabb;
pub mod builder;
pub mod carried;
pub mod cloth;
pub mod colliders;
pub mod commands;
pub mod contact;
pub mod edges;
pub mod elastic;
pub mod elements;
pub mod explosion;
pub mod forces;
pub mod hands;
pub mod incidence;
pub mod lattice;
pub mod materials;
pub mod measure;
pub mod model;
pub mod motion;
pub mod parallel;
pub mod probe;
pub mod rng;
pub mod simd;
pub mod soa;
pub mod soft_body;
pub mod solid;
pub mod solvers;
pub mod spring_lines;
pub mod state;
pub mod strands;
pub mod tearing;
pub mod topology;
pub mod world;
