//! glTF 2.0: `.gltf` with buffers beside it, and `.glb`.

mod accessor;
mod document;

use accessor::Accessor;
use document::{Document, Material, Node, Primitive};

use super::affine::Affine;
use super::error::Fault;
use super::folders::Beside;
use super::gathering::{Colour, Gathering};
use crate::source::shorten;

const MAGIC: &[u8] = b"glTF";
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;
/// Extensions that may be required and change nothing that is read here.
const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_mesh_quantization"];

pub(super) fn read(bytes: &[u8], beside: &mut Beside<'_>, into: &mut Gathering) -> Result<(), Fault> {
    let (json, binary) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let fault = Fault::new(format!("invalid glTF: {error}"));
        if binary.is_none() { fault.in_line(error.line()) } else { fault }
    })?;
    if !document.asset.version.starts_with("2.") {
        let what = format!("glTF of version `{}`", shorten(&document.asset.version, 20));
        return Err(Fault::unread(what, "export it as glTF 2.0"));
    }
    let foreign = |name: &&String| !HARMLESS.iter().any(|harmless| name.starts_with(harmless));
    if let Some(name) = document.extensions_required.iter().find(foreign) {
        let what = format!("it requires the extension `{}`", shorten(name, 60));
        return Err(Fault::unread(what, "export it without compression and without extensions"));
    }
    let buffers = buffers(&document, binary, beside)?;
    // y is up in every glTF.
    into.place(&Affine::Y_UP);
    Scene { document: &document, buffers: &buffers, seen: vec![false; document.nodes.len()] }.read(into)
}

/// JSON and binary chunk of a `.glb`.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| {
        let four: Option<[u8; 4]> = bytes.get(at..at.checked_add(4)?)?.try_into().ok();
        four.map(u32::from_le_bytes)
    };
    let ends = |at: usize| Fault::new("the file ends early").at_byte(at.min(bytes.len()));
    if word(4) != Some(2) {
        return Err(Fault::unread("a binary glTF that is not of version 2", "export it as glTF 2.0"));
    }
    let (mut at, mut json, mut binary) = (12_usize, None, None);
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (word(at), word(at + 4)) else { return Err(ends(at)) };
        let start = at + 8;
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length)).ok_or_else(|| ends(at))?;
        let chunk = bytes.get(start..end).ok_or_else(|| ends(bytes.len()))?;
        match kind {
            JSON => json = json.or(Some(chunk)),
            BINARY => binary = binary.or(Some(chunk)),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or_else(|| Fault::new("it has no JSON chunk"))?, Some(binary.unwrap_or_default())))
}

/// The bytes of each buffer.
fn buffers(document: &Document, binary: Option<&[u8]>, beside: &mut Beside<'_>) -> Result<Vec<Vec<u8>>, Fault> {
    let mut buffers = Vec::new();
    for (k, buffer) in document.buffers.iter().enumerate() {
        let about = |fault: Fault| Fault { what: format!("buffer {k}: {}", fault.what), ..fault };
        let bytes = match (&buffer.uri, binary) {
            (None, Some(binary)) if k == 0 => binary.to_vec(),
            (None, _) => return Err(about(Fault::new("it has no uri"))),
            (Some(uri), _) if uri.trim_start().to_ascii_lowercase().starts_with("data:") => {
                return Err(about(Fault::unread("data inside of the text", "export it as .glb")));
            }
            (Some(uri), _) => beside.read(uri).map_err(|fault| {
                let fault = Fault::path(&fault);
                about(Fault { what: format!("`{}`: {}", shorten(uri, 60), fault.what), ..fault })
            })?,
        };
        if bytes.len() < buffer.byte_length {
            let what = format!("{} bytes of {}", bytes.len(), buffer.byte_length);
            return Err(about(Fault::new(what)));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// The nodes of a scene.
struct Scene<'d> {
    document: &'d Document,
    buffers: &'d [Vec<u8>],
    seen: Vec<bool>,
}

impl Scene<'_> {
    fn read(mut self, into: &mut Gathering) -> Result<(), Fault> {
        let mut open: Vec<(usize, Affine)> = self.roots()?.into_iter().map(|node| (node, Affine::IDENTITY)).collect();
        while let Some((index, outer)) = open.pop() {
            into.count_part()?;
            let node = entry(&self.document.nodes, index, "node")?;
            // Nodes are trees, so none is met twice; this ends circles as well.
            if std::mem::replace(&mut self.seen[index], true) {
                return Err(Fault::new(format!("node {index} is the child of two nodes, or carries itself")));
            }
            let place = outer
                .after(&of_node(node).ok_or_else(|| Fault::new(format!("node {index}: a place that is not finite")))?);
            open.extend(node.children.iter().map(|child| (*child, place)));
            let Some(mesh) = node.mesh else { continue };
            for (k, primitive) in entry(&self.document.meshes, mesh, "mesh")?.primitives.iter().enumerate() {
                into.count_part()?;
                let about =
                    |fault: Fault| Fault { what: format!("mesh {mesh}, primitive {k}: {}", fault.what), ..fault };
                self.primitive(primitive, &place, into).map_err(about)?;
            }
        }
        Ok(())
    }

    /// Nodes that carry the others: of the scene that is shown, or of all.
    fn roots(&self) -> Result<Vec<usize>, Fault> {
        let document = self.document;
        if !document.scenes.is_empty() {
            return Ok(entry(&document.scenes, document.scene.unwrap_or(0), "scene")?.nodes.clone());
        }
        let mut carried = vec![false; document.nodes.len()];
        for child in document.nodes.iter().flat_map(|node| &node.children) {
            if let Some(carried) = carried.get_mut(*child) {
                *carried = true;
            }
        }
        Ok((0..carried.len()).filter(|node| !carried[*node]).collect())
    }

    fn primitive(&self, primitive: &Primitive, place: &Affine, into: &mut Gathering) -> Result<(), Fault> {
        let Some(position) = primitive.attributes.get("POSITION") else { return Ok(()) };
        let accessor = |index: usize| Accessor::new(self.document, self.buffers, index);
        let positions = accessor(*position)?;
        let colours = primitive.attributes.get("COLOR_0").map(|index| accessor(*index)).transpose()?;
        let indices = primitive.indices.map(accessor).transpose()?;
        let material =
            primitive.material.map(|index| entry(&self.document.materials, index, "material")).transpose()?;
        let base = material.and_then(Material::base_colour);
        let count = indices.as_ref().map_or(positions.count(), Accessor::count);
        let corner = |k: usize| indices.as_ref().map_or(k, |indices| indices.whole(k));
        let vertex = |i: usize| {
            let own = colours.as_ref().filter(|colours| i < colours.count()).map(|colours| colours.colour(i));
            let [x, y, z, _] = positions.numbers(i);
            ([x, y, z], mixed(base, own))
        };
        let mut part = into.part(place);
        let mut add =
            |a: usize, b: usize, c: usize| part.indexed([corner(a), corner(b), corner(c)], positions.count(), vertex);
        let strip = count.saturating_sub(2);
        match primitive.mode.unwrap_or(4) {
            4 => (0..count / 3).try_for_each(|k| add(3 * k, 3 * k + 1, 3 * k + 2)),
            5 => (0..strip).try_for_each(|k| add(k, k + 1 + k % 2, k + 2 - k % 2)),
            6 => (0..strip).try_for_each(|k| add(0, k + 1, k + 2)),
            _ => Ok(()),
        }
    }
}

/// An entry of a list of the document.
fn entry<'d, T>(list: &'d [T], index: usize, what: &str) -> Result<&'d T, Fault> {
    list.get(index).ok_or_else(|| Fault::new(format!("{what} {index}, counted from 0, of {}", list.len())))
}

/// Where a node is in its parent; none where that is not finite.
fn of_node(node: &Node) -> Option<Affine> {
    let place = match node.matrix {
        // By columns.
        Some(m) => Affine(std::array::from_fn(|i| std::array::from_fn(|j| m[4 * j + i]))),
        None => {
            let turned = Affine::rotation(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
            let scaled = turned.after(&Affine::scale(node.scale.unwrap_or([1.0; 3])));
            Affine::translation(node.translation.unwrap_or_default()).after(&scaled)
        }
    };
    place.0.as_flattened().iter().all(|x| x.is_finite()).then_some(place)
}

/// Colour of a material times that of a vertex, as screens show it: files have linear colours.
fn mixed(base: Option<Colour>, own: Option<Colour>) -> Option<Colour> {
    if base.is_none() && own.is_none() {
        return None;
    }
    let (base, own) = (base.unwrap_or([1.0; 4]), own.unwrap_or([1.0; 4]));
    let [r, g, b, a]: Colour = std::array::from_fn(|i| base[i] * own[i]);
    let shown = |c: f32| {
        let c = f64::from(c);
        (if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }) as f32
    };
    Some([shown(r), shown(g), shown(b), a])
}
