//! A player off the window's thread.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tkanina_scene::load::LoadedScene;

use crate::platform::{Clock, Mailbox, Post, Worker, mailbox, spawn};
use crate::player::{Player, PlayerSettings};
use crate::request::Request;
use crate::snapshot::{Published, Snapshot};

/// A snapshot that nobody looks at is replaced no more often than this. [s]
const UNSEEN_S: f64 = 0.1;

/// How soon the player looks again whether the last snapshot was seen. [s]
const GLANCE_S: f64 = 0.004;

/// A player at work. Dropping it ends the work; requests that were sent are done before.
pub struct Session {
    // Dropped in this order: the worker ends when its post is closed.
    post: Post<Request>,
    worker: Worker,
    slot: Arc<Slot>,
}

/// Tells the window that there is something new to draw.
pub type Wake = Box<dyn Fn() + Send>;

/// Why a session could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Not even an empty scene could be built.
    #[error("the player cannot be set up: {0}")]
    Player(String),
    /// There is no thread for it.
    #[error("the player's thread cannot be started: {0}")]
    Thread(#[from] io::Error),
}

impl Session {
    /// Starts playing a scene, halted. Until it is built the snapshot shows nothing.
    pub fn start(
        loaded: Arc<LoadedScene>,
        settings: PlayerSettings,
        wake: Wake,
    ) -> Result<Self, SessionError> {
        let mut player = Player::empty(settings).map_err(SessionError::Player)?;
        let slot = Arc::new(Slot::new(player.publish()));
        let (post, requests) = mailbox();
        post.send(Request::Open(loaded));
        let publisher = Publisher { slot: slot.clone(), wake, last_s: f64::NEG_INFINITY };
        let worker = spawn("player", move || work(player, &requests, publisher))?;
        Ok(Self { post, worker, slot })
    }

    /// Asks for something; it is done soon. False if the player has died.
    pub fn send(&self, request: Request) -> bool {
        self.post.send(request)
    }

    /// What was last published of the scene under its own solver.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.slot.take().own.clone()
    }

    /// What was last published of the scene under every solver.
    pub fn published(&self) -> Arc<Published> {
        self.slot.take()
    }

    /// Whether the player is still at work.
    pub fn is_alive(&self) -> bool {
        !self.worker.is_over()
    }

    /// Lets a player without a thread of its own work for a moment. Here it has one.
    pub fn pump(&mut self) {}
}

/// The last snapshot, and whether the window has taken it.
struct Slot {
    published: Mutex<Arc<Published>>,
    taken: AtomicBool,
}

impl Slot {
    fn new(published: Published) -> Self {
        Self { published: Mutex::new(Arc::new(published)), taken: AtomicBool::new(false) }
    }

    fn take(&self) -> Arc<Published> {
        let published = self.published.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.taken.store(true, Ordering::Release);
        published
    }

    fn put(&self, published: Published) {
        self.taken.store(false, Ordering::Release);
        let old = {
            let mut place = self.published.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *place, Arc::new(published))
        };
        // Freed here, after the lock, so that the window never waits for it.
        drop(old);
    }
}

struct Publisher {
    slot: Arc<Slot>,
    wake: Wake,
    last_s: f64,
}

impl Publisher {
    /// Publishes if there is news and somebody to see it. While it plays, a snapshot that the
    /// window has not taken yet will do: pictures cost time too.
    fn publish(&mut self, player: &mut Player, now_s: f64) {
        let seen = self.slot.taken.load(Ordering::Acquire) || now_s - self.last_s > UNSEEN_S;
        if player.has_news() && (seen || !player.is_playing()) {
            self.slot.put(player.publish());
            self.last_s = now_s;
            (self.wake)();
        }
    }
}

fn work(mut player: Player, mailbox: &Mailbox<Request>, mut publisher: Publisher) {
    let clock = Clock::start();
    let mut last_s = clock.seconds();
    let mut requests = Vec::new();
    loop {
        let wait = player.wait_s().map(|s| if player.has_news() { s.min(GLANCE_S) } else { s });
        if !mailbox.wait(wait, &mut requests) {
            break;
        }
        // Building a scene takes time that is not to be simulated.
        let passed_s = clock.seconds() - last_s;
        skip_superseded(&mut requests);
        requests.drain(..).for_each(|request| player.handle(request));
        last_s = clock.seconds();
        player.tick(passed_s);
        publisher.publish(&mut player, clock.seconds());
    }
}

/// Leaves out requests that the next one makes void: a dragged slider sends more edits than a
/// large scene can be built for.
fn skip_superseded(requests: &mut Vec<Request>) {
    let void = |this: &Request, next: &Request| {
        use Request::*;
        matches!(
            (this, next),
            (Edit(_), Edit(_) | Open(_))
                | (Open(_), Open(_))
                | (Seek(_), Seek(_))
                | (Speed(_), Speed(_))
                | (Show(_), Show(_))
                | (Compare(_), Compare(_))
        )
    };
    let keep: Vec<bool> = (0..requests.len())
        .map(|i| requests.get(i + 1).is_none_or(|next| !void(&requests[i], next)))
        .collect();
    let mut keep = keep.into_iter();
    requests.retain(|_| keep.next().unwrap_or(true));
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
