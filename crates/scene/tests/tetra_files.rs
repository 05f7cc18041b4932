//! Files of tetrahedra: what is read, what is refused and where, and that nothing panics.

use tkanina_scene::mesh_io::{MeshError, TetraFile, load_tetras};

const OLD: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a body\"\n$EndPhysicalNames\n\
    $Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 1\n9 1 1 1\n11 5 5 5\n$EndNodes\n\
    $Elements\n4\n1 15 2 0 1 1\n2 2 2 0 1 1 2 3\n3 4 2 0 1 1 2 3 7\n4 4 2 0 1 2 3 7 9\n$EndElements\n";

const NEW: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n\
    $Nodes\n2 5 1 9\n2 1 0 2\n1\n2\n0 0 0\n1 0 0\n3 1 0 3\n3\n7\n9\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n\
    $Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 7\n3 2 7 3 9\n$EndElements\n";

const VTK: &str = "# vtk DataFile Version 3.0\na solid\nASCII\nDATASET UNSTRUCTURED_GRID\n\
    POINTS 5 float\n0 0 0 1 0 0\n0 1 0\n0 0 1\n1 1 1\nCELLS 3 14\n4 0 1 2 3\n4 1 3 2 4\n3 0 1 2\n\
    CELL_TYPES 3\n10\n10\n5\nPOINT_DATA 5\nSCALARS a float 1\n";

const VTK_5: &str = "# vtk DataFile Version 5.1\na solid\nASCII\nDATASET UNSTRUCTURED_GRID\n\
    POINTS 5 double\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\n\
    CONNECTIVITY vtktypeint64\n0 1 2 3 1 3 2 4\nCELL_TYPES 2\n10 10\n";

fn load(text: &str) -> Result<TetraFile, MeshError> {
    load_tetras(text.as_bytes(), "solid")
}

fn refused(text: &str) -> String {
    load(text).unwrap_err().to_string()
}

#[test]
fn every_format_gives_the_same_two_tetrahedra() {
    for (text, others, turned, loose) in
        [(OLD, 2, 0, 1), (NEW, 1, 1, 0), (VTK, 1, 1, 0), (VTK_5, 0, 1, 0)]
    {
        let file = load(text).unwrap();
        assert_eq!((file.others, file.turned, file.loose), (others, turned, loose), "{text}");
        let mesh = file.mesh;
        assert_eq!((mesh.points.len(), mesh.tetras.len()), (5, 2));
        assert!((mesh.volume_of(mesh.tetras[0]) - 1.0 / 6.0).abs() < 1e-7);
        assert!((mesh.volume() - 0.5).abs() < 1e-6, "{}", mesh.volume());
        assert_eq!(mesh.surface().len(), 6);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    assert_eq!(refused(&OLD.replace("7 0 0 1\n", "7 0 zero 1\n")), "solid:13: `zero` is no number");
    assert_eq!(refused(&OLD.replace("1 2 3 7\n", "1 2 3 8\n")), "solid:21: there is no point 8");
    assert_eq!(
        refused(&OLD.replace("9 1 1 1", "9 1 1 inf")),
        "solid:14: the coordinate `inf` is not finite"
    );
    assert!(refused(&OLD.replace("2.2 0", "2.2 1")).contains("solid:2: is binary"));
    assert!(refused(&OLD.replace("2.2 0", "4 0")).contains("solid:2: is Gmsh version 4"));
    assert!(
        refused(&OLD.replace("$Nodes\n6", "$Nodes\n99999999999")).contains("99999999999 points")
    );
    assert!(refused(&VTK.replace("ASCII", "BINARY")).contains("solid:3: is `BINARY`"));
    assert!(refused(&VTK.replace("4 1 3 2 4", "4 1 3 2 5")).contains("there is no point 5"));
    assert!(
        refused(&VTK.replace("UNSTRUCTURED_GRID", "POLYDATA")).contains("solid:4: is a `POLYDATA`")
    );
    assert!(refused(&VTK.replace("10\n10\n5", "5\n5\n5")).contains("no tetrahedra"));
    assert!(refused("v 0 0 0\n").contains("neither Gmsh nor VTK"));
    assert!(refused("").contains("neither Gmsh nor VTK"));
}

#[test]
fn cut_short_and_garbled_files_are_refused_or_read_but_never_panic() {
    let mut random = 88172645463325252u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    for text in [OLD, NEW, VTK, VTK_5] {
        for end in 0..text.len() {
            let _ = load_tetras(&text.as_bytes()[..end], "solid");
        }
        for _ in 0..3000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + next() % 4 {
                let at = next() % bytes.len();
                match next() % 4 {
                    0 => bytes[at] = (next() % 256) as u8,
                    1 => bytes[at] = b"0123456789 \n-$e."[next() % 16],
                    2 => {
                        bytes.remove(at);
                    }
                    _ => bytes.insert(at, b"019 \n-"[next() % 6]),
                }
            }
            if let Ok(file) = load_tetras(&bytes, "solid") {
                let count = file.mesh.points.len() as u32;
                assert!(file.mesh.tetras.iter().flatten().all(|&v| v < count));
                assert!(file.mesh.points.iter().all(|p| p.is_finite()));
            }
        }
    }
}
