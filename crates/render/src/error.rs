//! What can go wrong between a frame and its picture.

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The machine has nothing that draws.
    #[error(
        "no graphics adapter was found, not even a software one; install a Vulkan driver \
         (on Debian or Ubuntu: apt-get install mesa-vulkan-drivers)"
    )]
    NoAdapter,
    /// The adapter is there but refuses.
    #[error("graphics adapter '{adapter}' could not be opened: {reason}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What it said.
        reason: String,
    },
    /// A picture without pixels, or with more than the adapter can draw.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn: this adapter draws from 1 to \
         {limit} pixels a side"
    )]
    Size {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The most pixels a side.
        limit: u32,
    },
    /// The adapter failed while it drew.
    #[error("the graphics device failed: {0}")]
    Device(String),
}
