//! What each format may hold, and what becomes of it.

use super::files::{
    CORNERS, INSTANCE, Z_UP, all, collada, collada_triangles, glb, gltf, gltf_buffer, stl_binary, tetrahedron,
};
use super::{Scratch, expected, triangles};
use supple_io::mesh::{ColladaUp, MeshFolders, Meshes};

fn moved(by: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<[[i64; 3]; 3]> {
    expected(&tetrahedron().iter().map(|face| face.map(&by)).collect::<Vec<_>>())
}

#[test]
fn every_format_gives_the_same_triangles() {
    let scratch = Scratch::new("formats");
    scratch.put("tetra.bin", gltf_buffer());
    for (name, bytes) in all() {
        let mesh = scratch.read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(triangles(&mesh), moved(|p| p), "{name}");
        assert_eq!((mesh.vertices.len(), mesh.file.as_str()), (4, name), "{name}");
        assert!(mesh.colours.is_empty(), "{name}");
    }
}

#[test]
fn scales_act_along_the_axes_and_mirrors_keep_the_outside_outside() {
    let scratch = Scratch::new("scales");
    scratch.put("tetra.bin", gltf_buffer());
    for (name, bytes) in all() {
        scratch.put(name, bytes);
        let mut meshes = scratch.meshes();
        let scaled = meshes.read(name, [0.001, 0.002, 0.003]).unwrap().unwrap();
        assert_eq!(triangles(&scaled), moved(|[x, y, z]| [0.001 * x, 0.002 * y, 0.003 * z]), "{name}");
        let mirrored = meshes.read(name, [1.0, -1.0, 1.0]).unwrap().unwrap();
        let turned = tetrahedron().iter().map(|[a, b, c]| [*a, *c, *b].map(|[x, y, z]| [x, -y, z])).collect::<Vec<_>>();
        assert_eq!(triangles(&mirrored), expected(&turned), "{name}");
        // The same again is the same mesh.
        assert!(std::sync::Arc::ptr_eq(&scaled, &meshes.read(name, [0.001, 0.002, 0.003]).unwrap().unwrap()));
    }
}

#[test]
fn a_binary_file_may_begin_as_a_text_does() {
    let scratch = Scratch::new("solid");
    let mesh = scratch.read("a.stl", stl_binary("solid part exported as binary")).unwrap();
    assert_eq!(triangles(&mesh), moved(|p| p));
}

#[test]
fn objects_have_polygons_indices_from_the_end_and_colours() {
    let scratch = Scratch::new("objects");
    scratch.put("red.mtl", "newmtl red\nKa 0 0 0\nKd 0.8 0.1 0.2\nd 0.5\nnewmtl plain\nNs 10\n");
    let text =
        "mtllib red.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0 0 1 0\nusemtl red\nf 1 2 3 4\nusemtl plain\nf -4 -3 -1\n";
    let mesh = scratch.read("quad.obj", text).unwrap();
    let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(triangles(&mesh), expected(&[[a, b, c], [a, c, d], [a, b, d]]));
    let of = |k: usize, i: usize| mesh.colours[mesh.triangles[k][i] as usize];
    assert_eq!((of(0, 0), of(1, 2)), ([0.8, 0.1, 0.2, 0.5], [0.8, 0.1, 0.2, 0.5]));
    // Without a colour of the material, that of the vertex; else grey.
    assert_eq!((of(2, 2), of(2, 0)), ([0.0, 1.0, 0.0, 1.0], [0.8, 0.8, 0.8, 1.0]));
    // A library that was not sent along costs the colours only.
    let mesh = scratch.read("bare.obj", "mtllib gone.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    assert!(mesh.colours.is_empty() && mesh.triangles.len() == 1);
}

#[test]
fn collada_has_units_and_an_axis_that_points_up() {
    let scratch = Scratch::new("units");
    let asset = r#"<unit name="centimetre" meter="0.01"/><up_axis>Y_UP</up_axis>"#;
    scratch.put("a.dae", collada(asset, INSTANCE, &collada_triangles(), ""));
    let read = |up: ColladaUp| {
        let mut meshes = Meshes::new(&MeshFolders::at(scratch.path()).unwrap(), Some(scratch.path()), up);
        triangles(&meshes.read("a.dae", [1.0; 3]).unwrap().unwrap())
    };
    assert_eq!(read(ColladaUp::Declared), moved(|[x, y, z]| [0.01 * x, -0.01 * z, 0.01 * y]));
    assert_eq!(read(ColladaUp::Z), moved(|p| p.map(|x| 0.01 * x)));
    let mesh = scratch.read("b.dae", collada("<up_axis>X_UP</up_axis>", INSTANCE, &collada_triangles(), "")).unwrap();
    assert_eq!(triangles(&mesh), moved(|[x, y, z]| [-z, y, x]));
}

#[test]
fn collada_places_nodes_in_nodes() {
    let scratch = Scratch::new("nodes");
    let library = format!(r#"<library_nodes><node id="n"><scale>2 2 2</scale>{INSTANCE}</node></library_nodes>"#);
    let nodes = r##"<node><translate>1 0 0</translate><rotate>0 0 2 90</rotate>
        <node><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#n"/></node></node>"##;
    let mesh = scratch.read("a.dae", collada(Z_UP, nodes, &collada_triangles(), &library)).unwrap();
    // Twice as large, 5 along x, a quarter turn about z, 1 along x.
    assert_eq!(triangles(&mesh), moved(|[x, y, z]| [1.0 - 2.0 * y, 5.0 + 2.0 * x, 2.0 * z]));
    let twice = format!("{INSTANCE}<node><translate>0 0 9</translate>{INSTANCE}</node>");
    let mesh = scratch.read("b.dae", collada(Z_UP, &twice, &collada_triangles(), "")).unwrap();
    let mut both: Vec<_> = moved(|p| p).into_iter().chain(moved(|[x, y, z]| [x, y, z + 9.0])).collect();
    both.sort_unstable();
    assert_eq!(triangles(&mesh), both);
}

#[test]
fn collada_has_polygons_strips_and_fans() {
    let scratch = Scratch::new("polygons");
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let [a, b, c, d] = CORNERS;
    for (kind, lists, wanted) in [
        ("polylist", "<vcount>4 3</vcount><p>0 1 2 3 1 2 3</p>", vec![[a, b, c], [a, c, d], [b, c, d]]),
        ("polygons", "<p>0 1 2 3</p><p>1 2 3</p>", vec![[a, b, c], [a, c, d], [b, c, d]]),
        ("tristrips", "<p>0 1 2 3</p>", vec![[a, b, c], [b, d, c]]),
        ("trifans", "<p>0 1 2 3</p>", vec![[a, b, c], [a, c, d]]),
    ] {
        let primitives = format!("<lines count=\"1\">{input}<p>0 1</p></lines><{kind}>{input}{lists}</{kind}>");
        let mesh = scratch.read("a.dae", collada(Z_UP, INSTANCE, &primitives, "")).unwrap();
        assert_eq!(triangles(&mesh), expected(&wanted), "{kind}");
    }
}

#[test]
fn collada_has_colours_by_material() {
    let scratch = Scratch::new("colours");
    let libraries = r##"<library_effects><effect id="e"><profile_COMMON><technique sid="c"><phong>
        <emission><color>0 0 0 1</color></emission><diffuse><color sid="d">0.1 0.2 0.3 1</color></diffuse>
        </phong></technique></profile_COMMON></effect></library_effects>
        <library_materials><material id="blue"><instance_effect url="#e"/></material></library_materials>"##;
    let bound = r##"<node><instance_geometry url="#g"><bind_material><technique_common>
        <instance_material symbol="m" target="#blue"/></technique_common></bind_material></instance_geometry></node>"##;
    let mesh = scratch.read("a.dae", collada(Z_UP, bound, &collada_triangles(), libraries)).unwrap();
    assert_eq!(mesh.colours, [[0.1, 0.2, 0.3, 1.0]; 4]);
}

#[test]
fn gltf_places_nodes_in_nodes() {
    let scratch = Scratch::new("gltf-nodes");
    let half = 0.5_f64.sqrt();
    // y is up in the file: a quarter turn about it is one about z here.
    let nodes = format!(
        r#"[{{"children": [1], "translation": [0, 3, 0], "rotation": [0, {half}, 0, {half}]}},
            {{"mesh": 0, "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 0, 0, 1]}}]"#
    );
    let mesh = scratch.read("a.glb", glb(&gltf("", &nodes, ""), &gltf_buffer())).unwrap();
    assert_eq!(triangles(&mesh), moved(|[x, y, z]| [-2.0 * y, 5.0 + 2.0 * x, 3.0 + 2.0 * z]));
    let scaled = r#"[{"mesh": 0, "scale": [1, 2, 3]}]"#;
    let mesh = scratch.read("b.glb", glb(&gltf("", scaled, ""), &gltf_buffer())).unwrap();
    assert_eq!(triangles(&mesh), moved(|[x, y, z]| [x, 3.0 * y, 2.0 * z]));
}

#[test]
fn gltf_has_colours_strips_and_fans() {
    let scratch = Scratch::new("gltf-colours");
    let read =
        |primitive: &str| scratch.read("a.glb", glb(&gltf("", r#"[{"mesh": 0}]"#, primitive), &gltf_buffer())).unwrap();
    let coloured = read(r#", "material": 0"#);
    // 0.25 of the light is 0.537 on a screen.
    let [r, g, b, a] = coloured.colours[0];
    assert!(r == 1.0 && (g - 0.5371).abs() < 1e-3 && b == 0.0 && a == 0.5, "{:?}", coloured.colours[0]);
    // Indices 0 2 1 0 1 3 0 3 2 1 2 3.
    let [a, b, c, d] = CORNERS;
    let fan = triangles(&read(r#", "mode": 6"#));
    assert!(fan.contains(&expected(&[[a, c, b]])[0]) && fan.contains(&expected(&[[a, b, d]])[0]));
    assert_eq!(fan.len(), 10);
    let strip = triangles(&read(r#", "mode": 5"#));
    assert!(strip.contains(&expected(&[[a, c, b]])[0]) && strip.contains(&expected(&[[b, d, a]])[0]), "{strip:?}");
}

#[test]
fn gltf_has_strides_small_numbers_and_colours_of_vertices() {
    let scratch = Scratch::new("gltf-strides");
    // Per vertex: x, y, z of two bytes, a gap of two, red, green, blue, opacity of one.
    let mut buffer = Vec::new();
    for (k, [x, y, z]) in CORNERS.iter().map(|[x, y, z]| [*x, *z, -*y]).enumerate() {
        buffer.extend([x, y, z].iter().flat_map(|x| (*x as i16).to_le_bytes()));
        buffer.extend([9, 9, if k == 3 { 255 } else { 0 }, 0, 0, 255]);
    }
    buffer.extend([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
    let json = r#"{"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_mesh_quantization"], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2}]}],
        "accessors": [{"bufferView": 0, "componentType": 5122, "count": 4, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 8, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC4"},
            {"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48, "byteStride": 12}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "buffers": [{"byteLength": 60}]}"#;
    let mesh = scratch.read("a.glb", glb(json, &buffer)).unwrap();
    assert_eq!(triangles(&mesh), moved(|p| p));
    let red = mesh.vertices.iter().position(|v| v[2] == 3.0).unwrap();
    assert_eq!(mesh.colours[red], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(mesh.colours.iter().filter(|c| c[0] == 1.0).count(), 1);
}
