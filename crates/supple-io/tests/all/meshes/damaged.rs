//! Damaged and hostile files: refused with their place, in little time and memory, or sound.

use std::time::{Duration, Instant};

use super::Scratch;
use super::files::{INSTANCE, Z_UP, all, collada, collada_triangles, glb, gltf, gltf_buffer, stl_binary, stl_text};
use crate::support::Choices;
use supple_io::mesh::MAX_TRIANGLES;
use supple_io::visual::Mesh;

/// What is wrong with files, where, and what the message says.
#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let scratch = Scratch::new("mistakes");
    let bad = |from: &str, to: &str| {
        let whole = collada(Z_UP, INSTANCE, &collada_triangles(), "");
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    let json = |from: &str, to: &str| {
        let whole = gltf(r#""uri": "a.bin", "#, r#"[{"mesh": 0}]"#, "");
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    scratch.put("a.bin", gltf_buffer());
    let cases: Vec<(&str, Vec<u8>, &[&str])> = vec![
        ("a.ply", b"ply".to_vec(), &["a file `.ply` is not a supported mesh", "give .stl, .obj, .dae, .glb or .gltf"]),
        ("a.stl", b"".to_vec(), &["neither a text that begins with `solid` nor a binary STL"]),
        ("a.stl", stl_text().replace("vertex 1e0", "vertex one").into(), &["line 6: `one`", "decimal number"]),
        (
            "a.stl",
            stl_text().replacen("0 0\n    endloop", "0\n    endloop", 1).into(),
            &["line 6: fewer than 3 numbers"],
        ),
        ("a.stl", stl_text().replace("endsolid tetra\n", "").into(), &["line 29: the file ends before `endsolid`"]),
        (
            "a.stl",
            stl_text().replacen("      vertex", "      normal", 1).into(),
            &["line 4: `normal` is not a keyword of STL"],
        ),
        ("a.stl", stl_text().replace("vertex 1e0", "vertex 1e300").into(), &["line 7", "a vertex at (inf, 0e0, 0e0)"]),
        ("a.stl", stl_binary("cut")[..150].to_vec(), &["byte 150: the file ends after 1 of 4 facets"]),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 3\n".to_vec(), &["line 3: vertex 3 of 2 so far"]),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nf 0 1 2\n".to_vec(), &["line 3: vertex 0 of 2 so far"]),
        ("a.obj", b"v 0 0 0\nf -2 1 1\n".to_vec(), &["line 2: vertex -2 of 1 so far"]),
        ("a.obj", b"v 0 0 0\nf 1 1\n".to_vec(), &["line 2: a face with 2 corners"]),
        ("a.obj", b"v 0 nan 0\n".to_vec(), &["line 1: `nan`"]),
        ("a.obj", b"<html>not found</html>".to_vec(), &["it has no triangles; lines, points, curves and skins"]),
        ("a.obj", b"v 0 0 0\nv 1e10 0 0\nf 1 2 1\n".to_vec(), &["line 3: a vertex at (1e10,", "farther than 1e9 m"]),
        ("a.dae", b"<COLLADA>".to_vec(), &["line 1: invalid XML"]),
        ("a.dae", b"<!DOCTYPE x [<!ENTITY a 'b'>]><COLLADA/>".to_vec(), &["line 1: a document type"]),
        ("a.dae", b"<html/>".to_vec(), &["line 1: the element `html` instead of `COLLADA`"]),
        ("a.dae", bad("url=\"#g\"", "url=\"other.dae#g\"").into(), &["line 12: `url` is `other.dae#g`", "one file"]),
        ("a.dae", bad("url=\"#g\"", "url=\"#s2\"").into(), &["line 12: `url` is `#s2`, which is not in this file"]),
        ("a.dae", bad("<p>0 0", "<p>7 0").into(), &["line 9: vertex 7, counted from 0, of 4"]),
        ("a.dae", bad("<p>0 0", "<p>-1 0").into(), &["line 10: `-1` is not an index"]),
        ("a.dae", bad("count=\"12\">0", "count=\"12\">x").into(), &["line 6: `x`"]),
        ("a.dae", bad("stride=\"3\"", "stride=\"0\"").into(), &["line 6: positions with a stride of 0"]),
        ("a.dae", bad("offset=\"1\"", "offset=\"18446744073709551615\"").into(), &["line 9: an input at offset"]),
        ("a.dae", bad("meter=\"1\"", "meter=\"0\"").into(), &["line 3: a unit of 0 m"]),
        (
            "a.dae",
            bad("<node>", "<node><lookat>0</lookat>").into(),
            &["line 12: the transformation `lookat`", "as matrices"],
        ),
        ("a.gltf", json("[0]", "[0").into(), &["line ", "invalid glTF"]),
        ("a.gltf", json("2.0", "1.0").into(), &["glTF of version `1.0`; export it as glTF 2.0"]),
        (
            "a.gltf",
            json("\"scene\": 0", "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]").into(),
            &["it requires the extension `KHR_draco_mesh_compression`", "without compression"],
        ),
        ("a.gltf", json("\"mesh\": 0", "\"mesh\": 5").into(), &["mesh 5, counted from 0, of 1"]),
        ("a.gltf", json("\"mesh\": 0", "\"mesh\": 0, \"children\": [0]").into(), &["node 0 is the child of two nodes"]),
        ("a.gltf", json("\"count\": 12", "\"count\": 13").into(), &["accessor 1: 13 entries do not fit into 24 bytes"]),
        (
            "a.gltf",
            json("\"count\": 12", "\"count\": 18446744073709551615").into(),
            &["accessor 1: 18446744073709551615 entries do not fit"],
        ),
        ("a.gltf", json("\"byteOffset\": 48", "\"byteOffset\": 18446744073709551610").into(), &["not in its buffer"]),
        ("a.gltf", json("\"byteLength\": 72", "\"byteLength\": 73").into(), &["buffer 0: 72 bytes of 73"]),
        ("a.gltf", json("\"SCALAR\"", "\"MAT4\"").into(), &["accessor 1: a `type` that is not a vector"]),
        (
            "a.gltf",
            json("\"count\": 4", "\"count\": 3").into(),
            &["mesh 0, primitive 0: vertex 3, counted from 0, of 3"],
        ),
        ("a.glb", b"glTF\x02\0\0\0\xff\0\0\0\xff\xff\xff\xffJSON".to_vec(), &["byte 20: the file ends early"]),
        ("a.glb", b"glTF\x01\0\0\0".to_vec(), &["not of version 2"]),
    ];
    let mut wrong = String::new();
    for (name, bytes, told) in cases {
        let error = scratch.read(name, &bytes).map_or_else(|error| error.to_string(), |_| "it was read".to_owned());
        let whole = error.starts_with(&format!("the mesh `{name}`")) && error.contains("; ");
        if !(whole && told.iter().all(|part| error.contains(part))) {
            wrong += &format!("{told:?}: {error}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn scales_are_factors() {
    let scratch = Scratch::new("factors");
    scratch.put("a.stl", stl_text());
    for scale in [[0.0, 1.0, 1.0], [1.0, f64::NAN, 1.0], [1.0, 1.0, f64::INFINITY]] {
        let error = scratch.meshes().read("a.stl", scale).unwrap_err().to_string();
        assert!(error.contains("its scale is") && error.contains("other than 0"), "{error}");
    }
}

/// As many triangles as there may be, in files and in all files together.
#[test]
fn triangles_are_limited() {
    let scratch = Scratch::new("many");
    let fan = |triangles: usize| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf {}\n", "1 ".repeat(triangles + 2));
    let most = scratch.read("most.obj", fan(MAX_TRIANGLES)).unwrap();
    assert_eq!(most.triangles.len(), MAX_TRIANGLES);
    let error = scratch.read("more.obj", fan(MAX_TRIANGLES + 1)).unwrap_err().to_string();
    assert!(error.contains("more than 1000000 triangles") && error.contains("coarser"), "{error}");
    scratch.put("part.obj", fan(MAX_TRIANGLES - 10));
    scratch.put("rest.obj", fan(11));
    let mut meshes = scratch.meshes();
    meshes.read("part.obj", [1.0; 3]).unwrap();
    let error = meshes.read("rest.obj", [1.0; 3]).unwrap_err().to_string();
    assert!(error.contains("more than 10 triangles, and all meshes together have at most 1000000"), "{error}");
}

/// Files of a few kilobytes that stand for more than any memory holds, or that never end.
#[test]
fn small_files_stay_small() {
    let scratch = Scratch::new("bombs");
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let none = format!(r#"<triangles count="4294967295">{input}<p>0 1</p></triangles>"#);
    let doubled: String = (1..60)
        .map(|k| {
            format!(r##"<node id="n{k}"><instance_node url="#n{}"/><instance_node url="#n{}"/></node>"##, k - 1, k - 1)
        })
        .collect();
    let root = |inner: &str| format!(r##"<library_nodes><node id="n0">{inner}</node>{doubled}</library_nodes>"##);
    let top = r##"<instance_node url="#n59"/>"##;
    let top = format!("<node>{top}</node>");
    let circle = r##"<library_nodes><node id="c"><instance_node url="#c"/></node></library_nodes>"##;
    let in_circle = r##"<node><instance_node url="#c"/></node>"##;
    let deep = format!("{}{}", "<node>".repeat(5000), "</node>".repeat(5000));
    let many = vec![r#"{"mesh": 0}"#; 500].join(",");
    let primitives = vec![r#"{"attributes": {"POSITION": 0}, "mode": 0}"#; 3000].join(",");
    let wide =
        gltf("", &format!("[{many}]"), "").replace(r#"{"attributes": {"POSITION": 0}, "indices": 1}"#, &primitives);
    let wide = wide.replace("\"scene\": 0, \"scenes\": [{\"nodes\": [0]}], ", "");
    let mut huge = stl_binary("huge");
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    for (name, bytes, told) in [
        ("a.stl", huge, "the file ends after 4 of 4294967295 facets"),
        ("a.dae", collada(Z_UP, INSTANCE, &none, "").into_bytes(), "it has no triangles"),
        ("a.dae", collada(Z_UP, &top, &collada_triangles(), &root("")).into_bytes(), "more than 1000000 nodes"),
        ("a.dae", collada(Z_UP, &top, &collada_triangles(), &root(INSTANCE)).into_bytes(), "more than 1000000"),
        ("a.dae", collada(Z_UP, in_circle, &collada_triangles(), circle).into_bytes(), "carry each other in a circle"),
        ("a.dae", collada(Z_UP, &deep, &collada_triangles(), "").into_bytes(), "nested too deep"),
        ("a.glb", glb(&wide, &gltf_buffer()), "more than 1000000 nodes and parts"),
    ] {
        let begun = Instant::now();
        let error = scratch.read(name, bytes).unwrap_err().to_string();
        assert!(error.contains(told), "{told}: {error}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{told}: {:?}", begun.elapsed());
    }
}

/// Whatever was read can be drawn.
fn is_sound(mesh: &Mesh) {
    assert!(!mesh.triangles.is_empty() && mesh.triangles.len() <= MAX_TRIANGLES);
    assert!(mesh.triangles.as_flattened().iter().all(|i| (*i as usize) < mesh.vertices.len()));
    assert!(mesh.vertices.as_flattened().iter().all(|x| x.is_finite()));
    assert!(mesh.colours.is_empty() || mesh.colours.len() == mesh.vertices.len());
    assert!(mesh.colours.as_flattened().iter().all(|c| (0.0..=1.0).contains(c)));
}

/// Random damage: the reader returns, whatever the bytes. `SUPPLE_MUTATIONS` sets how many, `SUPPLE_SEED` which.
#[test]
fn damaged_files_are_answered() {
    let setting =
        |name: &str, default: usize| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let scratch = Scratch::new("mutations");
    scratch.put("tetra.bin", gltf_buffer());
    let files = all();
    let mut choices = Choices::new(setting("SUPPLE_SEED", 5) as u64);
    let interesting = b"\"{}[],:-+.eE0159 \n\\/<>#=\x00\x01\x7f\x80\xff";
    let (mut read, mut refused) = (0, 0);
    for _ in 0..setting("SUPPLE_MUTATIONS", 3000) {
        let (name, bytes) = choices.of(&files);
        let mut bytes = bytes.clone();
        for _ in 0..1 + choices.below(3) {
            let at = choices.below(bytes.len());
            match choices.below(6) {
                0 => bytes[at] = *choices.of(interesting),
                1 => bytes[at] ^= 1 << choices.below(8),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                3 => bytes.insert(at, *choices.of(interesting)),
                4 => bytes.truncate(at.max(1)),
                _ => {
                    let piece = bytes[at..(at + choices.below(100)).min(bytes.len())].to_vec();
                    let to = choices.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
        }
        match scratch.read(name, &bytes) {
            Ok(mesh) => {
                is_sound(&mesh);
                read += 1;
            }
            Err(error) => {
                assert!(error.to_string().len() < 2000, "{error}");
                refused += 1;
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}
