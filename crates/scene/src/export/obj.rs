//! Wavefront OBJ out.

use std::io::{self, Write};

use super::{BodyView, FrameView};

/// Writes every body as an object. Numbers are the shortest text that reads
/// back to the same bits.
pub fn write_obj(out: &mut dyn Write, frame: &FrameView<'_>) -> io::Result<()> {
    writeln!(out, "# Tkanina")?;
    let mut offsets = Offsets::default();
    for body in frame.bodies {
        write_body(out, body, &mut offsets)?;
    }
    Ok(())
}

/// Numbers of the next vertex, texture coordinate and normal less one; each
/// runs on through the file.
#[derive(Default)]
struct Offsets {
    vertex: usize,
    uv: usize,
    normal: usize,
}

fn write_body(out: &mut dyn Write, body: &BodyView<'_>, at: &mut Offsets) -> io::Result<()> {
    let name: String = body
        .name
        .chars()
        .map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c })
        .collect();
    writeln!(out, "o {name}")?;
    for p in body.positions {
        writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
    }
    for [u, v] in body.uvs.unwrap_or(&[]) {
        writeln!(out, "vt {u} {v}")?;
    }
    for n in body.normals.unwrap_or(&[]) {
        writeln!(out, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    for face in body.faces.iter() {
        out.write_all(b"f")?;
        for corner in face {
            let corner = *corner as usize + 1;
            let (v, t, n) = (corner + at.vertex, corner + at.uv, corner + at.normal);
            match (body.uvs.is_some(), body.normals.is_some()) {
                (true, true) => write!(out, " {v}/{t}/{n}")?,
                (true, false) => write!(out, " {v}/{t}")?,
                (false, true) => write!(out, " {v}//{n}")?,
                (false, false) => write!(out, " {v}")?,
            }
        }
        out.write_all(b"\n")?;
    }
    for curve in body.faces.curves() {
        out.write_all(b"l")?;
        for vertex in curve {
            write!(out, " {}", vertex as usize + 1 + at.vertex)?;
        }
        out.write_all(b"\n")?;
    }
    at.vertex += body.positions.len();
    at.uv += body.uvs.map_or(0, <[_]>::len);
    at.normal += body.normals.map_or(0, <[_]>::len);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{QUAD, bodies};
    use super::super::{ExportFormat, Exporter};
    use super::*;
    use crate::mesh_io::load_obj_file;

    #[test]
    fn curves_read_back_as_curves() {
        let body = BodyView {
            name: "hair",
            positions: &QUAD,
            faces: super::super::Faces::Curves(&[2, 2]),
            uvs: None,
            normals: None,
        };
        let mut text = Vec::new();
        write_obj(&mut text, &FrameView { bodies: &[bodies()[1], body] }).unwrap();
        let shown = String::from_utf8_lossy(&text).into_owned();
        assert!(shown.ends_with("\nl 4 5\nl 6 7\n"), "{shown}");
        let curves = crate::mesh_io::load_curves(&text, "frame.obj").unwrap();
        let found: Vec<&[glam::Vec3]> = curves.iter().map(|curve| &curve.points[..]).collect();
        assert_eq!(found, [&QUAD[..2], &QUAD[2..]]);
    }

    #[test]
    fn reads_back_to_the_same_bits() {
        let dir = tempfile::tempdir().unwrap();
        let mut exporter = Exporter::new(ExportFormat::Obj, &dir.path().join("a/b"), 1).unwrap();
        exporter.frame(0, &FrameView { bodies: &bodies() }).unwrap();
        exporter.frame(12, &FrameView { bodies: &bodies()[..1] }).unwrap();
        exporter.finish().unwrap();
        let path = dir.path().join("a/b/frame_000000.obj");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\no my_sheet\n") && text.contains("\no b\n"), "{text}");
        assert!(text.contains("\nf 1/1/1 2/2/2 3/3/3 4/4/4\n") && text.ends_with("\nf 5 6 7\n"));
        let mesh = load_obj_file(&path).unwrap();
        let wanted: Vec<[u32; 3]> =
            QUAD.iter().chain(&QUAD[1..]).map(|p| p.to_array().map(f32::to_bits)).collect();
        let found: Vec<[u32; 3]> = mesh.positions.iter().map(|p| p.map(f32::to_bits)).collect();
        assert_eq!(found, wanted);
        assert_eq!(mesh.faces.iter().collect::<Vec<_>>(), [&[0, 1, 2, 3][..], &[4, 5, 6]]);
        let alone = load_obj_file(&dir.path().join("a/b/frame_000012.obj")).unwrap();
        assert_eq!(alone.uvs.unwrap()[2], [1.0, 1.0]);
    }
}
