//! Threads beside the window's, and messages to them.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A thread that is waited for when this is dropped. Whoever drops it has told it to end.
#[derive(Debug)]
pub struct Worker {
    handle: Option<JoinHandle<()>>,
}

/// Starts `work` on a thread of its own.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Worker> {
    let handle = Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(Worker { handle: Some(handle) })
}

impl Worker {
    /// Whether it has ended, by itself or by a panic.
    pub fn is_over(&self) -> bool {
        self.handle.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Lets it end by itself some time, unwatched.
    pub fn detach(mut self) {
        self.handle = None;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            // A panic was reported where it happened; there is nothing to add here.
            let _ = handle.join();
        }
    }
}

/// Both ends of a queue of messages to a worker.
pub fn mailbox<T>() -> (Post<T>, Mailbox<T>) {
    let (sender, receiver) = mpsc::channel();
    (Post { sender }, Mailbox { receiver })
}

/// Where messages are put in. The worker sees when it is dropped.
#[derive(Debug)]
pub struct Post<T> {
    sender: Sender<T>,
}

impl<T> Post<T> {
    /// Sends a message; false if nobody is left to read it.
    pub fn send(&self, message: T) -> bool {
        self.sender.send(message).is_ok()
    }
}

/// Where a worker takes messages out.
#[derive(Debug)]
pub struct Mailbox<T> {
    receiver: Receiver<T>,
}

impl<T> Mailbox<T> {
    /// Waits for messages, for `seconds` at most if given, and adds all that are there to
    /// `messages`. False once the other end is gone.
    pub fn wait(&self, seconds: Option<f64>, messages: &mut Vec<T>) -> bool {
        let first = match seconds {
            None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(seconds) => {
                self.receiver.recv_timeout(Duration::from_secs_f64(seconds.clamp(0.0, 1e6)))
            }
        };
        match first {
            Ok(message) => messages.push(message),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        messages.extend(self.receiver.try_iter());
        true
    }
}
