//! What a picture is drawn with, in order: shadows, veil of hair, surfaces, sky, strands, lines and points.

pub(crate) mod globals;
pub(crate) mod pipeline;
pub(crate) mod prepared;
pub(crate) mod shadow;
pub(crate) mod shadow_view;
pub(crate) mod sky;
pub(crate) mod strand_arrays;
pub(crate) mod strand_ground;
pub(crate) mod strand_uniform;
pub(crate) mod strands;
pub(crate) mod strokes;
pub(crate) mod surface_uniform;
pub(crate) mod surfaces;
pub(crate) mod veil;
