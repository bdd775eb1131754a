//! A tetrahedron in each format, as other programs write it.

/// Its corners in m; z is up.
pub const CORNERS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
/// Its faces, counter-clockwise from outside.
pub const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Its triangles.
pub fn tetrahedron() -> Vec<[[f64; 3]; 3]> {
    FACES.iter().map(|face| face.map(|i| CORNERS[i])).collect()
}

pub fn stl_text() -> String {
    let mut out = "solid tetra\n".to_owned();
    for corners in tetrahedron() {
        out += "  facet normal 0 0 0\n    outer loop\n";
        corners.iter().for_each(|[x, y, z]| out += &format!("      vertex {x:e} {y} {z}\n"));
        out += "    endloop\n  endfacet\n";
    }
    out + "endsolid tetra\n"
}

pub fn stl_binary(header: &str) -> Vec<u8> {
    let mut out = header.as_bytes().to_vec();
    out.resize(80, b' ');
    out.extend(4_u32.to_le_bytes());
    for corners in tetrahedron() {
        out.extend([0.0_f32; 3].iter().flat_map(|x| x.to_le_bytes()));
        out.extend(corners.as_flattened().iter().flat_map(|x| (*x as f32).to_le_bytes()));
        out.extend([0, 0]);
    }
    out
}

pub fn obj() -> String {
    let mut out = "# a tetrahedron\no tetra\n".to_owned();
    CORNERS.iter().for_each(|[x, y, z]| out += &format!("v {x} {y} {z}\n"));
    out += "vt 0 0\nvn 0 0 1\ns off\n";
    FACES.iter().for_each(|[a, b, c]| out += &format!("f {}/1/1 {}//1 {}\n", a + 1, b + 1, c + 1));
    out
}

/// With an asset, nodes of the scene, further libraries, and the primitives of the geometry `g`.
pub fn collada(asset: &str, nodes: &str, primitives: &str, libraries: &str) -> String {
    let positions: Vec<String> = CORNERS.as_flattened().iter().map(f64::to_string).collect();
    format!(
        r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>{asset}</asset>
  {libraries}
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">{}</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    {primitives}
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"##,
        positions.join(" ")
    )
}

/// The faces as `<triangles>`, each corner with a normal besides.
pub fn collada_triangles() -> String {
    let indices: Vec<String> = FACES.as_flattened().iter().map(|i| format!("{i} 0")).collect();
    format!(
        r##"<triangles count="4" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
    <input semantic="NORMAL" source="#n" offset="1"/><p>{}</p></triangles>"##,
        indices.join(" ")
    )
}

pub const INSTANCE: &str = r##"<node><instance_geometry url="#g"/></node>"##;
pub const Z_UP: &str = "<unit meter=\"1\"/><up_axis>Z_UP</up_axis>";

/// Positions, then indices of two bytes; y is up.
pub fn gltf_buffer() -> Vec<u8> {
    let turned = CORNERS.map(|[x, y, z]| [x, z, -y]);
    let positions = turned.as_flattened().iter().flat_map(|x| (*x as f32).to_le_bytes());
    positions.chain(FACES.as_flattened().iter().flat_map(|i| (*i as u16).to_le_bytes())).collect()
}

/// A document with a buffer, the nodes of the scene and the keys of the primitive.
pub fn gltf(buffer: &str, nodes: &str, primitive: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": {nodes},
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1{primitive}}}]}}],
"materials": [{{"pbrMetallicRoughness": {{"baseColorFactor": [1.0, 0.25, 0.0, 0.5]}}}}],
"accessors": [{{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}},
{{"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}}],
"bufferViews": [{{"buffer": 0, "byteLength": 48}}, {{"buffer": 0, "byteOffset": 48, "byteLength": 24}}],
"buffers": [{{{buffer}"byteLength": 72}}]}}"#
    )
}

pub fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut out = b"glTF".to_vec();
    out.extend(2_u32.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", binary)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

/// Every format once: name of the file and content.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("text.stl", stl_text().into_bytes()),
        ("binary.stl", stl_binary("made by nobody")),
        ("tetra.obj", obj().into_bytes()),
        ("tetra.dae", collada(Z_UP, INSTANCE, &collada_triangles(), "").into_bytes()),
        ("tetra.glb", glb(&gltf("", r#"[{"mesh": 0}]"#, ""), &gltf_buffer())),
        ("tetra.gltf", gltf(r#""uri": "tetra.bin", "#, r#"[{"mesh": 0}]"#, "").into_bytes()),
    ]
}
