//! Scene files in, worlds and frames out.

pub mod builtin;
pub mod check;
pub mod errors;
pub mod load;
pub mod node;
pub mod problem;
pub mod schema;
pub mod set;
pub mod source;
pub mod validate;
