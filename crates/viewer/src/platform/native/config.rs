//! Files that the program keeps for itself.

use std::env;
use std::fs;
use std::path::PathBuf;

use tkanina_scene::export::atomic::write_file;

/// Folder of the settings: `TKANINA_CONFIG_DIR`, else the place that the system has for them.
pub fn config_dir() -> Option<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let whole = |path: &PathBuf| path.is_absolute();
    if let Some(dir) = folder("TKANINA_CONFIG_DIR") {
        return Some(dir);
    }
    let base = if cfg!(target_os = "windows") {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        let plain = || folder("HOME").map(|home| home.join(".config"));
        folder("XDG_CONFIG_HOME").filter(whole).or_else(plain)
    };
    base.filter(whole).map(|base| base.join("tkanina"))
}

/// Text of a settings file, if there is one that can be read.
pub fn read_config(name: &str) -> Option<String> {
    fs::read_to_string(config_dir()?.join(name)).ok()
}

/// Writes a settings file, whole or not at all.
pub fn write_config(name: &str, text: &str) -> Result<(), String> {
    let dir = config_dir().ok_or("there is no folder for settings: set TKANINA_CONFIG_DIR")?;
    fs::create_dir_all(&dir).map_err(|e| format!("`{}` cannot be made: {e}", dir.display()))?;
    let path = dir.join(name);
    write_file(&path, |out| out.write_all(text.as_bytes())).map_err(|error| error.to_string())
}
