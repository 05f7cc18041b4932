//! What a person asks for, by whatever panel, tool or key.

use std::path::PathBuf;

use serde_json::Value;
use tkanina_render::Camera;
use tkanina_scene::schema::Show;
use tkanina_sim::commands::Command;
use tkanina_sim::solvers::SolverKind;

use crate::i18n::Language;
use crate::preferences::{CameraProfile, Theme};

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Asks for a scene or OBJ file.
    OpenDialog,
    /// Opens a scene file or an OBJ file; an OBJ joins the scene before the camera.
    OpenFile(PathBuf),
    /// Opens a built-in scene by name.
    OpenBuiltin(String),
    /// Opens the scene again as its file is now.
    Reload,
    /// Asks where, then writes the scene.
    SaveAsDialog,
    /// Writes the scene as YAML; with `state`, what is on screen is written beside it.
    SaveAs {
        /// The file.
        path: PathBuf,
        /// Whether the present state is kept too, as `start_from`.
        state: bool,
    },
    /// Asks where, then saves the picture.
    ScreenshotDialog,
    /// Saves the picture.
    Screenshot(PathBuf),
    /// Asks where, then records a film: `gif`, `mp4`, or `png` for a folder.
    RecordDialog(&'static str),
    /// Records what is shown from now on: .gif, .mp4, or a folder of PNG files.
    Record(PathBuf),
    /// Ends the recording; its file is whole.
    StopRecording,
    /// Takes all bodies out of the scene.
    RemoveAllBodies,

    /// Plays or pauses.
    PlayPause,
    /// Plays on or halts.
    Play(bool),
    /// Simulates one frame, then halts.
    StepOnce,
    /// Back to the start with the present values.
    Reset,
    /// Back to the start with the values of the file.
    Default,
    /// Simulated seconds a second, 0.1 to 4.
    Speed(f64),
    /// Shows a frame of the timeline, and halts. Playing goes on from there.
    Seek(u64),

    /// Sets a field of the scene by JSON pointer, such as `/gravity_m_s2/1`. Fields that are
    /// missing on the way are made.
    Set {
        /// Where.
        pointer: String,
        /// What.
        value: Value,
    },
    /// Takes a field or list entry out of the scene.
    Remove(String),
    /// Puts an entry into a list of the scene.
    Insert {
        /// The list, or the place in it.
        pointer: String,
        /// The entry.
        value: Value,
    },
    /// Ends a drag of a slider: later edits are undone apart from earlier ones.
    EndEdit,
    /// Takes the last edit back.
    Undo,
    /// Makes it again.
    Redo,
    /// Changes what is shown. Part of the scene, but nothing is rebuilt.
    Show(Show),

    /// Does something to the running world.
    Touch(Command),
    /// Runs another solver side by side with the scene's own, or no longer.
    Compare {
        /// Which.
        solver: SolverKind,
        /// Whether it runs.
        on: bool,
    },
    /// Compares with the solvers of the last time, or with none.
    CompareOrNot,
    /// Back to the scene's own solver alone.
    StopComparing,
    /// Lets panels speak of a picture, by number from 0.
    MainPicture(usize),
    /// Takes a tool in hand.
    Tool(Tool),
    /// Swaps punch and wind of the force tool.
    SwapForce,
    /// Multiplies the force tool's strength.
    ForceStrength(f32),
    /// Multiplies the size of the force tool's rectangle.
    ForceSize(f32),
    /// Freezes the force tool's source, or frees it.
    FreezeForce,

    /// Looks from elsewhere.
    Look(Camera),
    /// Looks from a camera of the scene, by number.
    NamedCamera(usize),
    /// Steps back until everything is in the picture.
    FrameAll,
    /// Changes how mouse and keys move the camera.
    Profile(CameraProfile),
    /// Frees the cursor from looking around, or binds it (classic profile).
    FreeCursor(bool),

    /// Opens or closes a window.
    Toggle(Window),
    /// Closes what is open, or opens the settings.
    Escape,
    /// Language of the interface.
    Language(Language),
    /// Dark or light.
    Theme(Theme),
    /// Size of everything in the interface. [1]
    Zoom(f32),
    /// Whether sliders may leave the safe ranges.
    LeaveSafeRange(bool),
    /// Puts a message out of sight.
    Dismiss,
    /// Ends the program.
    Quit,
}

/// What the mouse does in the picture besides moving the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Pulls at points.
    #[default]
    Grab,
    /// Pins points and frees them.
    Pin,
    /// Pushes and pulls all visible points in a rectangle (002).
    Force,
    /// Moves and turns obstacles.
    Move,
    /// Cuts cloth and strands along a line.
    Cut,
    /// Draws a comb through strands.
    Comb,
}

/// Windows and panels that open and close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The menu with the scene's parameters (F1).
    Menu,
    /// Keys and mouse (F2).
    Help,
    /// Details over the picture (F3).
    Details,
    /// Nothing but the picture (F4).
    PictureOnly,
    /// Settings (Escape).
    Settings,
    /// The scenes.
    Browser,
    /// Plots over time.
    Plots,
}
