//! `tkanina scenes`.

use serde_json::{Value, json};
use tkanina_scene::builtin::builtin;
use tkanina_scene::schema::Scene;

use crate::failure::Failure;
use crate::output;

/// Lists the scenes that come with the program
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tkanina scenes\n  tkanina run \"$(tkanina scenes --names | head -1)\""
)]
pub struct Args {
    /// Only the names, one a line
    #[arg(long, conflicts_with = "json")]
    names: bool,
    /// As JSON, with all that the scenes say of themselves
    #[arg(long)]
    json: bool,
}

impl Args {
    /// One line a scene.
    pub fn run(self) -> Result<(), Failure> {
        if self.names {
            return output::print(
                &builtin().iter().map(|(n, _)| format!("{n}\n")).collect::<String>(),
            );
        }
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (name, text) in builtin() {
            let scene = Scene::load_text(name, text, None, &[])?.scene;
            told.push(json!({
                "name": name,
                "title": scene.name,
                "about": scene.about,
                "reproduces": scene.reproduces,
                "duration_s": scene.time.duration_s,
                "explodes": scene.expect.explodes == Some(true),
            }));
            rows.push([name.to_string(), scene.name, first_sentence(&scene.about)]);
        }
        if self.json {
            return output::print(&format!("{:#}\n", Value::from(told)));
        }
        let width = |column: usize| rows.iter().map(|r| r[column].chars().count()).max();
        let (first, second) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
        let line = |[name, title, about]: &[String; 3]| {
            format!("{name:first$}  {title:second$}  {about}").trim_end().to_owned() + "\n"
        };
        output::print(&rows.iter().map(line).collect::<String>())
    }
}

/// Up to the first full stop that ends a sentence, on one line.
fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_sentence_ends_at_a_full_stop_before_a_space() {
        assert_eq!(
            first_sentence("A sheet of 1.5 m\n falls. It stops."),
            "A sheet of 1.5 m falls."
        );
        assert_eq!(first_sentence("No end"), "No end");
    }
}
