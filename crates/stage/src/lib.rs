//! A simulation as pictures and films: what of a world is shown, and how.
//!
//! A [`Stage`] turns the present state of a world into a [`Shot`], whose frame a renderer draws.
//! [`cameras`](cameras()) says from where, [`Film`] and [`save_png`] keep what was drawn.

mod bodies;
mod bounds;
mod cameras;
mod caption;
mod carried;
mod errors;
mod facets;
pub mod film;
mod ground;
mod heat;
mod keep;
pub mod legend;
mod lettering;
mod lights;
mod looks;
mod obstacles;
mod overlays;
mod pictures;
mod scenery;
mod sheet;
mod stage;
mod strands;

pub use cameras::{NamedCamera, cameras, frame_all};
pub use caption::write_caption;
pub use errors::StageError;
pub use film::{Film, FilmError, save_png};
pub use legend::Legend;
pub use sheet::sheet;
pub use stage::{Shot, Stage};
