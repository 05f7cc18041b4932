//! Gmsh as text, versions 2.2 and 4.1.

use std::collections::BTreeMap;

use super::Raw;
use super::words::Words;
use crate::mesh_io::{MAX_FACES, MAX_VERTICES, MeshError};

/// Gmsh's number for a tetrahedron of four points.
const TETRAHEDRON: u64 = 4;

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Two,
    Four,
}

#[derive(Default)]
struct Reader {
    raw: Raw,
    /// Points by their tags.
    tags: BTreeMap<u64, u32>,
}

pub(super) fn read(words: &mut Words<'_>) -> Result<Raw, MeshError> {
    let mut reader = Reader::default();
    let mut version = None;
    while let Some(word) = words.word()? {
        match (word, version) {
            ("$MeshFormat", _) => version = Some(format(words)?),
            ("$Nodes", Some(version)) => reader.nodes(words, version)?,
            ("$Elements", Some(version)) => reader.elements(words, version)?,
            (section, _) if section.starts_with('$') && !section.starts_with("$End") => {
                if version.is_none() {
                    return Err(words.wrong("begins without `$MeshFormat`", None));
                }
                skip(words, section)?;
            }
            _ => {}
        }
    }
    if version.is_none() {
        return Err(words.wrong("begins without `$MeshFormat`", None));
    }
    Ok(reader.raw)
}

fn format(words: &mut Words<'_>) -> Result<Version, MeshError> {
    let help = Some("save it from Gmsh as version 2.2 or 4.1, ASCII");
    let version = words.need("a version")?;
    let version = match version {
        "2" | "2.0" | "2.1" | "2.2" => Version::Two,
        "4.1" => Version::Four,
        other => return Err(words.wrong(format!("is Gmsh version {other}"), help)),
    };
    match words.need("`0` for ASCII")? {
        "0" => Ok(version),
        "1" => Err(words.wrong("is binary", help)),
        other => Err(words.wrong(format!("`{other}` is neither 0 for ASCII nor 1"), help)),
    }
}

/// Passes over a section whose content does not matter.
fn skip(words: &mut Words<'_>, section: &str) -> Result<(), MeshError> {
    let end = format!("$End{}", &section[1..]);
    loop {
        if words.need(&format!("`{end}`"))? == end {
            return Ok(());
        }
    }
}

impl Reader {
    fn nodes(&mut self, words: &mut Words<'_>, version: Version) -> Result<(), MeshError> {
        if version == Version::Two {
            for _ in 0..words.count("points", MAX_VERTICES)? {
                let tag = words.whole("point number")?;
                self.point(words, tag)?;
            }
            return Ok(());
        }
        let blocks = words.whole("number of blocks")?;
        words.count("points", MAX_VERTICES)?;
        for what in ["least tag", "greatest tag"] {
            words.whole(what)?;
        }
        let mut own = Vec::new();
        for _ in 0..blocks {
            entity(words)?;
            let parametric = words.whole("mark of parameters")?;
            if parametric != 0 {
                let help = Some("save it without parametric coordinates");
                return Err(words.wrong("has points with parameters", help));
            }
            own.clear();
            for _ in 0..words.count("points", MAX_VERTICES)? {
                own.push(words.whole("point number")?);
            }
            for &tag in &own {
                self.point(words, tag)?;
            }
        }
        Ok(())
    }

    fn point(&mut self, words: &mut Words<'_>, tag: u64) -> Result<(), MeshError> {
        let at = words.point()?;
        let index = self.raw.points.len();
        if index as u64 >= MAX_VERTICES {
            return Err(words.wrong(format!("has more than {MAX_VERTICES} points"), None));
        }
        if self.tags.insert(tag, index as u32).is_some() {
            return Err(words.wrong(format!("point {tag} is there twice"), None));
        }
        self.raw.points.push(at);
        Ok(())
    }

    fn elements(&mut self, words: &mut Words<'_>, version: Version) -> Result<(), MeshError> {
        if version == Version::Two {
            let count = words.count("elements", MAX_FACES)?;
            // Lines tell where elements end whose kind is not known.
            words.line();
            for _ in 0..count {
                words.whole("element number")?;
                let kind = words.whole("kind of element")?;
                for _ in 0..words.count("tags", 1000)? {
                    words.need("a tag")?;
                }
                self.element(words, kind)?;
            }
            return Ok(());
        }
        let blocks = words.whole("number of blocks")?;
        words.count("elements", MAX_FACES)?;
        for what in ["least tag", "greatest tag"] {
            words.whole(what)?;
        }
        for _ in 0..blocks {
            entity(words)?;
            let kind = words.whole("kind of element")?;
            let count = words.count("elements", MAX_FACES)?;
            words.line();
            for _ in 0..count {
                words.whole("element number")?;
                self.element(words, kind)?;
            }
        }
        Ok(())
    }

    /// The points of an element, to the end of its line.
    fn element(&mut self, words: &mut Words<'_>, kind: u64) -> Result<(), MeshError> {
        if kind != TETRAHEDRON {
            words.line();
            self.raw.others += 1;
            return Ok(());
        }
        let mut corners = [0; 4];
        for corner in &mut corners {
            let tag = words.whole("point number")?;
            *corner = *self
                .tags
                .get(&tag)
                .ok_or_else(|| words.wrong(format!("there is no point {tag}"), None))?;
        }
        if self.raw.tetras.len() as u64 >= MAX_FACES {
            return Err(words.wrong(format!("has more than {MAX_FACES} tetrahedra"), None));
        }
        self.raw.tetras.push(corners);
        Ok(())
    }
}

/// Dimension and tag of what a block belongs to; tags may be negative.
fn entity(words: &mut Words<'_>) -> Result<(), MeshError> {
    words.whole("dimension")?;
    words.need("a tag").map(|_| ())
}
