//! Desktops.

mod clock;
mod config;
mod desktop;
mod dialogs;
mod files;
mod worker;

pub use clock::{Clock, pause};
pub use config::{config_dir, read_config, write_config};
pub use desktop::{cores, has_display};
pub use dialogs::{FileKind, Pending, ask_folder, ask_open, ask_save};
pub use files::{
    Scratch, absolute, copy_new, is_file, link_or_copy, open_builtin, open_scene, write_checkpoint,
    write_text,
};
pub use worker::{Mailbox, Post, Worker, mailbox, spawn};
