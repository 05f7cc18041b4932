//! Windows that ask for a file. They never block: the answer is asked for again and again.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, TryRecvError};

use rfd::AsyncFileDialog;

use super::worker::spawn;

/// Files that a dialog offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// A word for people.
    pub name: &'static str,
    /// Endings without the dot.
    pub endings: &'static [&'static str],
}

/// An answer that comes later.
#[derive(Debug)]
pub struct Pending<T> {
    receiver: Receiver<T>,
    over: bool,
}

impl<T> Pending<T> {
    /// The answer, once, when it is there.
    pub fn poll(&mut self) -> Option<T> {
        match self.receiver.try_recv() {
            Ok(answer) => {
                self.over = true;
                Some(answer)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.over = true;
                None
            }
        }
    }

    /// Whether no answer will come any more.
    pub fn is_over(&self) -> bool {
        self.over
    }
}

/// Asks for a file to open; `wake` is called when the answer is there.
pub fn ask_open(
    title: &str,
    kinds: &[FileKind],
    wake: impl FnOnce() + Send + 'static,
) -> Pending<Option<PathBuf>> {
    let asked = dialog(title, kinds).pick_file();
    answer(async { asked.await.map(|file| file.path().to_owned()) }, wake)
}

/// Asks where to write a file.
pub fn ask_save(
    title: &str,
    file_name: &str,
    kinds: &[FileKind],
    wake: impl FnOnce() + Send + 'static,
) -> Pending<Option<PathBuf>> {
    let asked = dialog(title, kinds).set_file_name(file_name).save_file();
    answer(async { asked.await.map(|file| file.path().to_owned()) }, wake)
}

/// Asks for a folder.
pub fn ask_folder(title: &str, wake: impl FnOnce() + Send + 'static) -> Pending<Option<PathBuf>> {
    let asked = dialog(title, &[]).pick_folder();
    answer(async { asked.await.map(|file| file.path().to_owned()) }, wake)
}

fn dialog(title: &str, kinds: &[FileKind]) -> AsyncFileDialog {
    let dialog = AsyncFileDialog::new().set_title(title);
    kinds.iter().fold(dialog, |dialog, kind| dialog.add_filter(kind.name, kind.endings))
}

/// Waits for `asked` off the window's thread. No thread means no answer, which counts as a dialog
/// that was closed.
fn answer<T: Send + 'static>(
    asked: impl Future<Output = Option<T>> + Send + 'static,
    wake: impl FnOnce() + Send + 'static,
) -> Pending<Option<T>> {
    let (sender, receiver) = mpsc::channel();
    let started = spawn("dialog", move || {
        // The window may have closed meanwhile.
        let _ = sender.send(pollster::block_on(asked));
        wake();
    });
    if let Ok(worker) = started {
        worker.detach();
    }
    Pending { receiver, over: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_once() {
        let (woken, wakes) = mpsc::channel();
        let wake = move || woken.send(()).unwrap();
        let mut pending = answer(async { Some(7) }, wake);
        wakes.recv().unwrap();
        assert_eq!(pending.poll(), Some(Some(7)));
        assert!(pending.is_over());
        assert_eq!(pending.poll(), None);
    }

    #[test]
    fn a_dialog_that_dies_is_over() {
        let (sender, receiver) = mpsc::channel::<Option<u32>>();
        let mut pending = Pending { receiver, over: false };
        assert!(pending.poll().is_none() && !pending.is_over());
        drop(sender);
        assert!(pending.poll().is_none() && pending.is_over());
    }
}
