//! Meshes as glTF in binary form, GLB 2.0: a header, the description in JSON, then places, colours and corners.

use serde_json::{Value, json};

use crate::scene::SceneMesh;

const MAGIC: u32 = 0x4654_6c67;
const VERSION: u32 = 2;
const JSON_CHUNK: u32 = 0x4e4f_534a;
const BINARY_CHUNK: u32 = 0x004e_4942;
/// Types of components: bytes, whole numbers of two bytes, numbers of single precision.
const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const SINGLE: u32 = 5126;
/// glTF has y up. Viewers turn it so that z is up, and this turns it back.
const UPRIGHT: [f64; 4] = [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

/// Light of a part of a colour as screens have it (IEC 61966-2-1): glTF has colours in parts of light.
fn light(part: f32) -> f32 {
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// A mesh in a colour: red, green, blue and opacity, by which the colours of its vertices are multiplied.
pub fn glb(mesh: &SceneMesh, colour: [f32; 4]) -> Vec<u8> {
    let count = mesh.vertices.0.len() / 3;
    let places: Vec<[f32; 3]> = (0..count).map(|i| mesh.vertex(i).map(|x| x as f32)).collect();
    let mut parts = Parts::default();
    let bound = |start: f32, best: fn(f32, f32) -> f32| {
        places.iter().fold([start; 3], |own, p| std::array::from_fn(|c| best(own[c], p[c])))
    };
    let mut attributes = serde_json::Map::new();
    let bytes = places.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut position = json!({"componentType": SINGLE, "count": count, "type": "VEC3"});
    position["min"] = json!(bound(f32::INFINITY, f32::min));
    position["max"] = json!(bound(f32::NEG_INFINITY, f32::max));
    attributes.insert("POSITION".into(), parts.add(bytes, position).into());
    if !mesh.colours.0.is_empty() {
        let told = json!({"componentType": BYTE, "normalized": true, "count": count, "type": "VEC4"});
        let lit = |(i, x): (usize, &u8)| {
            if i % 4 == 3 { *x } else { (255.0 * light(f32::from(*x) / 255.0)).round() as u8 }
        };
        let colours = mesh.colours.0.iter().enumerate().map(lit).collect();
        attributes.insert("COLOR_0".into(), parts.add(colours, told).into());
    }
    let corners = mesh.triangles.0.iter().flat_map(|i| i.to_le_bytes()).collect();
    let told = json!({"componentType": SHORT, "count": mesh.triangles.0.len(), "type": "SCALAR"});
    let indices = parts.add(corners, told);
    let [r, g, b, a] = colour;
    let factor = [light(r), light(g), light(b), a];
    let sheer = mesh.colours.0.iter().skip(3).step_by(4).any(|alpha| *alpha < u8::MAX);
    let opacity = if a < 1.0 || sheer { "BLEND" } else { "OPAQUE" };
    let description = json!({
        "asset": {"version": "2.0", "generator": "supple"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "rotation": UPRIGHT}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "materials": [{
            "pbrMetallicRoughness": {"baseColorFactor": factor, "metallicFactor": 0.0, "roughnessFactor": 0.8},
            // Meshes of other programs are not always closed.
            "doubleSided": true,
            "alphaMode": opacity,
        }],
        "buffers": [{"byteLength": parts.binary.len()}],
        "bufferViews": parts.views,
        "accessors": parts.accessors,
    });
    whole(description.to_string().into_bytes(), parts.binary)
}

/// Arrays of numbers one after the other.
#[derive(Default)]
struct Parts {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Parts {
    /// Adds an array; its number.
    fn add(&mut self, bytes: Vec<u8>, mut accessor: Value) -> usize {
        self.views.push(json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()}));
        accessor["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(accessor);
        self.binary.extend(bytes);
        pad(&mut self.binary, 0);
        self.accessors.len() - 1
    }
}

/// To a whole number of four bytes.
fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

/// Header and chunks.
fn whole(mut description: Vec<u8>, binary: Vec<u8>) -> Vec<u8> {
    pad(&mut description, b' ');
    let length = 12 + 8 + description.len() + 8 + binary.len();
    let mut out = Vec::with_capacity(length);
    let words = |words: &[u32], out: &mut Vec<u8>| out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    words(&[MAGIC, VERSION, length as u32, description.len() as u32, JSON_CHUNK], &mut out);
    out.extend(&description);
    words(&[binary.len() as u32, BINARY_CHUNK], &mut out);
    out.extend(&binary);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_io::visual::Mesh;

    /// What the standard says of lengths and places, read back.
    #[test]
    fn a_mesh_can_be_read_back() {
        let told = Mesh {
            file: "wedge.stl".into(),
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]],
            colours: vec![[1.0, 0.0, 0.5, 1.0]; 4],
        };
        let bytes = glb(&SceneMesh::of(&told, 100), [1.0, 0.5, 0.0, 1.0]);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let (length, kind) = (word(12), &bytes[16..20]);
        assert_eq!((kind, length % 4), (&b"JSON"[..], 0));
        let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        let start = 28 + length;
        assert_eq!((word(start - 8), &bytes[start - 4..start]), (bytes.len() - start, &b"BIN\0"[..]));
        assert_eq!(json["buffers"][0]["byteLength"], bytes.len() - start);
        let primitive = &json["meshes"][0]["primitives"][0];
        let array = |accessor: &Value| {
            let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
            let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
            let [offset, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
            assert_eq!(offset % 4, 0);
            (accessor.clone(), bytes[start + offset..start + offset + length].to_vec())
        };
        let (accessor, places) = array(&primitive["attributes"]["POSITION"]);
        assert_eq!((&accessor["count"], &accessor["max"]), (&json!(4), &json!([1.0, 2.0, 3.0])));
        let singles: Vec<f32> = places.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        let (_, corners) = array(&primitive["indices"]);
        let corners: Vec<usize> =
            corners.as_chunks::<2>().0.iter().map(|b| usize::from(u16::from_le_bytes(*b))).collect();
        assert_eq!(corners.len(), 9);
        // Triangles where they were, in the order of their corners.
        for (k, corner) in told.triangles.as_flattened().iter().enumerate() {
            let (p, q) = (&singles[3 * corners[k]..][..3], told.vertices[*corner as usize]);
            assert!((0..3).all(|c| (p[c] - q[c]).abs() < 1e-4), "{p:?} {q:?}");
        }
        let (_, colours) = array(&primitive["attributes"]["COLOR_0"]);
        // Half of a screen's colour is a fifth of its light.
        assert!(
            colours[0] == 255 && colours[1] == 0 && colours[2].abs_diff(55) <= 1 && colours[3] == 255,
            "{colours:?}"
        );
        let factor = &json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
        assert!((factor[1].as_f64().unwrap() - 0.2140).abs() < 1e-3, "{factor}");
    }
}
