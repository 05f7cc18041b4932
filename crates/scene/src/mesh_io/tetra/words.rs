//! Words of a text, with the lines they stand on.

use glam::Vec3;

use crate::mesh_io::MeshError;

/// Reads word after word.
pub(super) struct Words<'a> {
    name: &'a str,
    rest: &'a [u8],
    line: usize,
}

impl<'a> Words<'a> {
    pub fn new(bytes: &'a [u8], name: &'a str) -> Self {
        Self { name, rest: bytes, line: 1 }
    }

    /// What is wrong with the present line.
    pub fn wrong(&self, message: impl Into<String>, help: Option<&str>) -> MeshError {
        MeshError::Line {
            name: self.name.to_owned(),
            line: self.line,
            message: message.into(),
            help: help.map(str::to_owned),
        }
    }

    /// The next word, if there is one.
    pub fn word(&mut self) -> Result<Option<&'a str>, MeshError> {
        let blank = self.rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        let (mut skipped, mut lines) = (0, 0);
        for byte in blank {
            skipped += 1;
            lines += usize::from(*byte == b'\n');
        }
        self.line += lines;
        self.rest = &self.rest[skipped..];
        let end = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Ok(None);
        }
        match std::str::from_utf8(word) {
            Ok(word) => Ok(Some(word)),
            Err(_) => Err(self.wrong("is no text", Some("save the file as ASCII, not binary"))),
        }
    }

    /// The rest of the present line.
    pub fn line(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or(&[]);
        self.line += usize::from(!rest.is_empty());
        line.trim_ascii()
    }

    /// The next word, which must be there.
    pub fn need(&mut self, what: &str) -> Result<&'a str, MeshError> {
        self.word()?.ok_or_else(|| self.wrong(format!("ends where {what} should be"), None))
    }

    /// A number that counts or names something.
    pub fn whole(&mut self, what: &str) -> Result<u64, MeshError> {
        let word = self.need(what)?;
        word.parse().map_err(|_| self.wrong(format!("`{word}` is no {what}"), None))
    }

    /// How many of something there are, within a budget.
    pub fn count(&mut self, what: &'static str, limit: u64) -> Result<u64, MeshError> {
        let found = self.whole(&format!("number of {what}"))?;
        if found > limit {
            let name = self.name.to_owned();
            return Err(MeshError::TooLarge { name, what, found, limit });
        }
        Ok(found)
    }

    /// Three coordinates.
    pub fn point(&mut self) -> Result<Vec3, MeshError> {
        let mut at = [0.0f32; 3];
        for slot in &mut at {
            let word = self.need("a coordinate")?;
            *slot = word.parse().map_err(|_| self.wrong(format!("`{word}` is no number"), None))?;
            if !slot.is_finite() {
                let message = format!("the coordinate `{word}` is not finite");
                return Err(self.wrong(message, None));
            }
        }
        Ok(Vec3::from_array(at))
    }
}
