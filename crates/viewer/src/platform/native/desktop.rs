//! What there is to run on.

/// Whether a window can be opened. Elsewhere than on Unix desktops there always is a display.
pub fn has_display() -> bool {
    if cfg!(any(target_os = "macos", target_os = "windows")) {
        return true;
    }
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    named("WAYLAND_DISPLAY") || named("WAYLAND_SOCKET") || named("DISPLAY")
}

/// Threads that the machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
