//! PLY out: binary, little endian, all bodies of a frame in one file.
//!
//! Each vertex says which body it is of (`body`, from 0); a comment for each
//! body gives its name. Normals and texture coordinates are there if every
//! body has them. Curves are edges.

use std::io::{self, Write};

use super::FrameView;

/// Writes all bodies of a frame.
pub fn write_ply(out: &mut dyn Write, frame: &FrameView<'_>) -> io::Result<()> {
    let normals = frame.bodies.iter().all(|body| body.normals.is_some());
    let uvs = frame.bodies.iter().all(|body| body.uvs.is_some());
    header(out, frame, normals, uvs)?;
    for (number, body) in frame.bodies.iter().enumerate() {
        for (index, position) in body.positions.iter().enumerate() {
            floats(out, &position.to_array())?;
            if let Some(normals) = body.normals.filter(|_| normals) {
                floats(out, &normals[index].to_array())?;
            }
            if let Some(uvs) = body.uvs.filter(|_| uvs) {
                floats(out, &uvs[index])?;
            }
            out.write_all(&(number as u32).to_le_bytes())?;
        }
    }
    let mut first = 0;
    for body in frame.bodies {
        for face in body.faces.iter() {
            out.write_all(&[face.len() as u8])?;
            for corner in face {
                out.write_all(&(corner + first).to_le_bytes())?;
            }
        }
        first += body.positions.len() as u32;
    }
    let mut first = 0;
    for body in frame.bodies {
        for vertex in body.faces.curves().flat_map(|curve| curve.start..curve.end - 1) {
            out.write_all(&(first + vertex).to_le_bytes())?;
            out.write_all(&(first + vertex + 1).to_le_bytes())?;
        }
        first += body.positions.len() as u32;
    }
    Ok(())
}

fn header(out: &mut dyn Write, frame: &FrameView<'_>, normals: bool, uvs: bool) -> io::Result<()> {
    let vertices: usize = frame.bodies.iter().map(|body| body.positions.len()).sum();
    let faces: usize = frame.bodies.iter().map(|body| body.faces.len()).sum();
    writeln!(out, "ply\nformat binary_little_endian 1.0\ncomment Tkanina")?;
    for (number, body) in frame.bodies.iter().enumerate() {
        let name: String = body.name.chars().filter(|c| !c.is_control()).collect();
        writeln!(out, "comment body {number} {name}")?;
    }
    writeln!(out, "element vertex {vertices}")?;
    let mut properties = vec!["x", "y", "z"];
    if normals {
        properties.extend(["nx", "ny", "nz"]);
    }
    if uvs {
        properties.extend(["s", "t"]);
    }
    for property in properties {
        writeln!(out, "property float {property}")?;
    }
    writeln!(out, "property uint body\nelement face {faces}")?;
    writeln!(out, "property list uchar uint vertex_indices")?;
    let edges = frame.bodies.iter().flat_map(|body| body.faces.curves());
    let edges: usize = edges.map(|curve| curve.len() - 1).sum();
    if edges > 0 {
        writeln!(out, "element edge {edges}\nproperty uint vertex1\nproperty uint vertex2")?;
    }
    writeln!(out, "end_header")
}

fn floats(out: &mut dyn Write, numbers: &[f32]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{QUAD, bodies};
    use super::*;

    fn split(bytes: &[u8]) -> (String, &[u8]) {
        let end = b"end_header\n";
        let at = bytes.windows(end.len()).position(|window| window == end).unwrap() + end.len();
        (String::from_utf8(bytes[..at].to_vec()).unwrap(), &bytes[at..])
    }

    #[test]
    fn reads_back() {
        let mut bytes = Vec::new();
        write_ply(&mut bytes, &FrameView { bodies: &bodies() }).unwrap();
        let (header, data) = split(&bytes);
        assert!(header.contains("element vertex 7\n") && header.contains("element face 2\n"));
        assert!(header.contains("comment body 0 my sheet\n") && !header.contains("float nx"));
        assert_eq!(data.len(), 7 * 16 + (1 + 16) + (1 + 12));
        let word = |at: usize| <[u8; 4]>::try_from(&data[at..at + 4]).unwrap();
        for (index, p) in QUAD.iter().chain(&QUAD[1..]).enumerate() {
            let xyz = [0, 4, 8].map(|at| f32::from_le_bytes(word(index * 16 + at)));
            assert_eq!(xyz, p.to_array());
            assert_eq!(u32::from_le_bytes(word(index * 16 + 12)), u32::from(index >= 4));
        }
        let last = data.len() - 12;
        assert_eq!(data[last - 1], 3);
        assert_eq!([0, 4, 8].map(|at| u32::from_le_bytes(word(last + at))), [4, 5, 6]);
    }

    #[test]
    fn curves_are_edges() {
        let mut bodies = bodies();
        bodies[1].faces = super::super::Faces::Curves(&[3]);
        let mut bytes = Vec::new();
        write_ply(&mut bytes, &FrameView { bodies: &bodies }).unwrap();
        let (header, data) = split(&bytes);
        assert!(header.contains("element edge 2\n"), "{header}");
        assert_eq!(data.len(), 7 * 16 + (1 + 16) + 2 * 8);
        let last = data.len() - 4;
        assert_eq!(u32::from_le_bytes(data[last..].try_into().unwrap()), 6);
    }

    #[test]
    fn normals_and_uvs_where_all_have_them() {
        let mut bytes = Vec::new();
        write_ply(&mut bytes, &FrameView { bodies: &bodies()[..1] }).unwrap();
        let (header, data) = split(&bytes);
        assert!(header.contains("float nz") && header.contains("float t\n"));
        assert_eq!(data.len(), 4 * 36 + 17);
        assert_eq!(f32::from_le_bytes(data[20..24].try_into().unwrap()), 1.0);
    }
}
