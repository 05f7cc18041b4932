//! The statements of an OBJ file, for all that read one.

use std::borrow::Cow;

/// Each statement with the number of the line that it begins in: without its comment and what is blank
/// round it. Lines that end with a backslash go on in the next.
pub(super) fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, [u8]>)> {
    let mut lines = bytes.split(|byte| *byte == b'\n').zip(1..);
    std::iter::from_fn(move || {
        let (line, number) = lines.next()?;
        let line = line.trim_ascii_end();
        if !line.ends_with(b"\\") {
            return Some((number, Cow::Borrowed(without_comment(line))));
        }
        let mut whole = line.to_vec();
        while whole.ends_with(b"\\") {
            whole.pop();
            let Some((next, _)) = lines.next() else { break };
            whole.push(b' ');
            whole.extend_from_slice(next.trim_ascii_end());
        }
        Some((number, Cow::Owned(without_comment(&whole).to_vec())))
    })
}

/// The first word of a statement, and what follows it.
pub(super) fn word_and_rest(statement: &[u8]) -> (&[u8], &[u8]) {
    let end = statement.iter().position(u8::is_ascii_whitespace).unwrap_or(statement.len());
    statement.split_at(end)
}

fn without_comment(line: &[u8]) -> &[u8] {
    line.split(|byte| *byte == b'#').next().unwrap_or(&[]).trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_joined_and_know_where_they_begin() {
        let text = b"v 0 0 0 # a\r\n\n  l 1 \\\r\n 2 \\\n3\n# none\nf 1 \\";
        let all: Vec<(usize, Cow<'_, [u8]>)> = statements(text).collect();
        let lines: Vec<usize> = all.iter().map(|(line, _)| *line).collect();
        let texts: Vec<&[u8]> = all.iter().map(|(_, text)| &**text).collect();
        assert_eq!(lines, [1, 2, 3, 6, 7]);
        assert_eq!(texts, [&b"v 0 0 0"[..], b"", b"l 1   2  3", b"", b"f 1"]);
        assert_eq!(word_and_rest(b"usemtl skin"), (&b"usemtl"[..], &b" skin"[..]));
        assert_eq!(word_and_rest(b"g"), (&b"g"[..], &b""[..]));
    }
}
