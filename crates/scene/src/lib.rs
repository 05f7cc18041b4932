//! Scene files in, worlds and frames out.
