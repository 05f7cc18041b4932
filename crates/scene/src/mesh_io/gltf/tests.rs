//! Small files made by hand, whose vertices at any time are known.

use glam::Vec3;
use serde_json::{Value, json};

use super::*;

/// A file under construction: JSON and one buffer.
struct Maker {
    json: Value,
    bytes: Vec<u8>,
}

impl Maker {
    fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "nodes": [], "meshes": [],
            "accessors": [], "bufferViews": [], "buffers": [{}], "animations": [],
        });
        Self { json, bytes: Vec::new() }
    }

    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        let view = self.push("bufferViews", view);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }),
        )
    }

    fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, kind, values.len() / width)
    }

    /// The triangle 0, x, y as mesh 0 of node 0.
    fn triangle() -> Self {
        let mut maker = Self::new();
        let position = maker.floats("VEC3", 3, &[0., 0., 0., 1., 0., 0., 0., 1., 0.]);
        let indices = maker.accessor(&[0, 0, 1, 0, 2, 0], 5123, "SCALAR", 3);
        let primitive = json!({ "attributes": { "POSITION": position }, "indices": indices });
        maker.push("meshes", json!({ "primitives": [primitive] }));
        maker.push("nodes", json!({ "mesh": 0, "translation": [0.0, 0.0, 5.0] }));
        maker
    }

    fn animate(&mut self, path: &str, between: &str, times: &[f32], values: (usize, &[f32])) {
        let kinds = ["", "SCALAR", "VEC2", "VEC3", "VEC4"];
        let input = self.floats("SCALAR", 1, times);
        let output = self.floats(kinds[values.0], values.0, values.1);
        self.push(
            "animations",
            json!({
                "name": path,
                "samplers": [{ "input": input, "output": output, "interpolation": between }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
            }),
        );
    }

    fn glb(&self) -> Vec<u8> {
        let mut text = self.json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bytes.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let mut out = b"glTF".to_vec();
        let total = 12 + 8 + text.len() + 8 + bin.len();
        out.extend(2u32.to_le_bytes());
        out.extend((total as u32).to_le_bytes());
        for (chunk, kind) in [(text, b"JSON"), (bin, b"BIN\0")] {
            out.extend((chunk.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(chunk);
        }
        out
    }

    fn read(&self, sampling: Option<&GltfSampling>) -> Result<Animated, Wrong> {
        Container::of_bytes(&self.glb(), None).and_then(|file| animated(&file, sampling))
    }
}

fn at(rate_hz: f64, repeat: bool) -> GltfSampling {
    GltfSampling { animation: None, rate_hz, repeat, most_places: 1000 }
}

fn close(found: Vec3, wanted: Vec3) {
    assert!((found - wanted).length() < 1e-6, "{found} is not {wanted}");
}

#[test]
fn a_still_file_has_one_frame_where_its_node_is() {
    let mesh = Maker::triangle().read(None).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    assert_eq!(mesh.frames.len(), 1);
    close(mesh.frames[0][1], Vec3::new(1.0, 0.0, 5.0));
}

#[test]
fn nodes_move_straight_and_by_steps_and_turn() {
    let mut maker = Maker::triangle();
    maker.animate("translation", "LINEAR", &[0.0, 1.0], (3, &[0., 0., 0., 4., 0., 0.]));
    let mesh = maker.read(Some(&at(4.0, false))).unwrap();
    assert_eq!(mesh.frames.len(), 5);
    for (k, frame) in mesh.frames.iter().enumerate() {
        close(frame[0], Vec3::X * k as f32);
    }
    // Repeated, the end is the beginning: four frames.
    assert_eq!(maker.read(Some(&at(4.0, true))).unwrap().frames.len(), 4);

    let mut maker = Maker::triangle();
    maker.animate("translation", "STEP", &[0.0, 1.0], (3, &[0., 0., 0., 4., 0., 0.]));
    let mesh = maker.read(Some(&at(2.0, false))).unwrap();
    close(mesh.frames[1][0], Vec3::ZERO);
    close(mesh.frames[2][0], Vec3::X * 4.0);

    // A quarter turn about z in a second: an eighth after half of it.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut maker = Maker::triangle();
    maker.animate("rotation", "LINEAR", &[0.0, 1.0], (4, &[0., 0., 0., 1., 0., 0., half, half]));
    let mesh = maker.read(Some(&at(2.0, false))).unwrap();
    close(mesh.frames[1][1], Vec3::new(half, half, 5.0));
    close(mesh.frames[2][1], Vec3::new(0.0, 1.0, 5.0));
}

#[test]
fn splines_follow_hermite() {
    // Values 0 → 1, tangents 0: s²(3 − 2s), so 0.15625 at a quarter.
    let keys = [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0.];
    let mut maker = Maker::triangle();
    maker.animate("translation", "CUBICSPLINE", &[0.0, 1.0], (3, &keys));
    let mesh = maker.read(Some(&at(4.0, false))).unwrap();
    close(mesh.frames[1][0], Vec3::X * 0.15625);
    close(mesh.frames[4][0], Vec3::X);
}

#[test]
fn morph_targets_are_mixed_in_also_sparse_ones() {
    let mut maker = Maker::triangle();
    let up = maker.floats("VEC3", 3, &[0., 0., 0., 0., 0., 2., 0., 0., 0.]);
    // Only vertex 2 moves, by 3 along x.
    let at_vertex = maker.accessor(&[2], 5121, "SCALAR", 1);
    let by = maker.floats("VEC3", 3, &[3., 0., 0.]);
    let view = |maker: &Maker, at: usize| maker.json["accessors"][at]["bufferView"].clone();
    let sparse = json!({ "count": 1,
        "indices": { "bufferView": view(&maker, at_vertex), "componentType": 5121 },
        "values": { "bufferView": view(&maker, by) } });
    let side = maker.push(
        "accessors",
        json!({ "componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse }),
    );
    maker.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{ "POSITION": up }, { "POSITION": side }]);
    maker.json["meshes"][0]["weights"] = json!([0.0, 1.0]);
    let rest = maker.read(None).unwrap();
    close(rest.frames[0][2], Vec3::new(3.0, 1.0, 5.0));
    maker.animate("weights", "LINEAR", &[0.0, 1.0], (1, &[0., 0., 1., 0.5]));
    let mesh = maker.read(Some(&at(2.0, false))).unwrap();
    close(mesh.frames[1][1], Vec3::new(1.0, 0.0, 6.0));
    close(mesh.frames[1][2], Vec3::new(0.75, 1.0, 5.0));
    close(mesh.frames[2][2], Vec3::new(1.5, 1.0, 5.0));
}

/// The triangle on two joints: vertices 0 and 1 on the first, vertex 2 half on each.
fn skinned() -> Maker {
    let mut maker = Maker::triangle();
    let mut joints = [0u8; 12];
    joints[9] = 1;
    let joints = maker.accessor(&joints, 5121, "VEC4", 3);
    let mut weights = [0.0f32; 12];
    (weights[0], weights[4], weights[8], weights[9]) = (1.0, 1.0, 0.5, 0.5);
    let weights = maker.floats("VEC4", 4, &weights);
    let attributes = &mut maker.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    // Joint 2 is bound one metre up: its inverse bind matrix takes that back.
    let mut bind = [0.0f32; 32];
    for i in 0..4 {
        (bind[5 * i], bind[16 + 5 * i]) = (1.0, 1.0);
    }
    bind[16 + 13] = -1.0;
    let bind = maker.floats("MAT4", 16, &bind);
    maker.json["nodes"][0]["skin"] = json!(0);
    maker.json["nodes"][0]["children"] = json!([1]);
    maker.push("nodes", json!({ "children": [2] }));
    maker.push("nodes", json!({ "translation": [0.0, 1.0, 0.0] }));
    maker.json["skins"] = json!([{ "joints": [1, 2], "inverseBindMatrices": bind }]);
    maker
}

#[test]
fn a_skin_follows_its_joints() {
    let mut maker = skinned();
    maker.animate("translation", "LINEAR", &[0.0, 1.0], (3, &[0., 1., 0., 2., 1., 0.]));
    maker.json["animations"][0]["channels"][0]["target"]["node"] = json!(2);
    let mesh = maker.read(Some(&at(1.0, false))).unwrap();
    // The node's own 5 m along z come through the joints, which are its children.
    close(mesh.frames[0][2], Vec3::new(0.0, 1.0, 5.0));
    close(mesh.frames[1][0], Vec3::new(0.0, 0.0, 5.0));
    // Half of it goes along by 2 m.
    close(mesh.frames[1][2], Vec3::new(1.0, 1.0, 5.0));
}

#[test]
fn wrong_files_are_refused_with_a_reason() {
    let broken = |change: &dyn Fn(&mut Maker)| {
        let mut maker = skinned();
        maker.animate("translation", "LINEAR", &[0.0, 1.0], (3, &[0., 1., 0., 2., 1., 0.]));
        change(&mut maker);
        maker.read(Some(&at(1.0, false))).expect_err("accepted").message
    };
    type Change = dyn Fn(&mut Maker);
    let cases: [(&Change, &str); 10] = [
        (&|m| m.json["accessors"][0]["count"] = json!(4), "accessor 0 reaches outside"),
        (&|m| m.json["accessors"][0]["count"] = json!(1e15 as u64), "too large"),
        (&|m| m.bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes()), "not finite"),
        (&|m| m.bytes[36] = 9, "vertex 9, but there are 3"),
        (&|m| m.json["nodes"][2]["children"] = json!([0]), "node 0 stands twice"),
        (&|m| m.json["nodes"][2]["children"] = json!([7]), "no node 7"),
        (&|m| m.json["skins"][0]["joints"] = json!([1]), "joint that is not there"),
        (&|m| m.json["meshes"][0]["primitives"][0]["mode"] = json!(1), "no triangles"),
        (&|m| m.json["animations"] = json!([]), "has no animation"),
        (&|m| m.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]), "packed"),
    ];
    for (change, wanted) in cases {
        let message = broken(change);
        assert!(message.contains(wanted), "{message} is not about {wanted}");
    }
    let sampling = GltfSampling { animation: Some("run".into()), ..at(1.0, false) };
    let mut maker = Maker::triangle();
    maker.animate("scale", "LINEAR", &[0.0], (3, &[1., 1., 1.]));
    let wrong = maker.read(Some(&sampling)).unwrap_err();
    assert_eq!(wrong.help.as_deref(), Some("it has `scale`"));
    let sampling = GltfSampling { most_places: 5, ..at(1e6, false) };
    maker.animate("scale", "LINEAR", &[0.0, 9.0], (3, &[1., 1., 1., 1., 1., 1.]));
    maker.json["animations"] = json!([maker.json["animations"][1]]);
    assert!(maker.read(Some(&sampling)).unwrap_err().message.contains("too much"));
}

#[test]
fn cut_off_anywhere_or_with_any_byte_changed_it_never_panics() {
    let mut maker = skinned();
    maker.animate("translation", "LINEAR", &[0.0, 1.0], (3, &[0., 1., 0., 2., 1., 0.]));
    let whole = maker.glb();
    let sampling = at(3.0, true);
    let try_it = |bytes: &[u8]| {
        let file = Container::of_bytes(bytes, None);
        let _ = file.and_then(|file| animated(&file, Some(&sampling)));
    };
    (0..whole.len()).for_each(|end| try_it(&whole[..end]));
    for at in 0..whole.len() {
        for byte in [b'9', b'}', b'"', 0, 255] {
            let mut changed = whole.clone();
            changed[at] = byte;
            try_it(&changed);
        }
    }
}
