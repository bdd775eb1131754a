//! Triangles of a geometry, with indices into its positions.

use std::collections::HashMap;
use std::rc::Rc;

use roxmltree::{Node, NodeId};

use super::{at, child, children, here, text};
use crate::mesh::error::Fault;
use crate::mesh::text::number;
use crate::source::shorten;

/// Triangles of one material.
pub(super) struct Triangles {
    /// The symbol of the material.
    pub(super) material: Option<String>,
    pub(super) positions: Rc<Vec<[f64; 3]>>,
    pub(super) corners: Vec<[usize; 3]>,
    /// The byte that they begin at.
    pub(super) start: usize,
}

type Ids<'a, 'i> = HashMap<&'a str, Node<'a, 'i>>;

/// The triangles of a geometry; what is no surface is passed over.
pub(super) fn parts(geometry: Node<'_, '_>, ids: &Ids<'_, '_>) -> Result<Vec<Triangles>, Fault> {
    let Some(mesh) = child(geometry, "mesh") else { return Ok(Vec::new()) };
    let mut sources = HashMap::new();
    let mut parts = Vec::new();
    for group in mesh.children() {
        let kind = group.tag_name().name();
        if !matches!(kind, "triangles" | "polylist" | "polygons" | "tristrips" | "trifans") {
            continue;
        }
        let about = here(group);
        let lists = Lists::of(group).map_err(&about)?;
        let corners = lists.triangles(group, kind).map_err(&about)?;
        let positions = positions(group, ids, &mut sources)?;
        if !corners.is_empty() {
            let material = group.attribute("material").map(str::to_owned);
            parts.push(Triangles { material, positions, corners, start: group.range().start });
        }
    }
    Ok(parts)
}

/// The lists of corners of a group, of which each corner has `stride` indices.
struct Lists {
    lists: Vec<Vec<usize>>,
    offset: usize,
    stride: usize,
}

impl Lists {
    fn of(group: Node<'_, '_>) -> Result<Self, Fault> {
        let mut stride = 1;
        let mut offset = None;
        for input in children(group, "input") {
            let at = whole(input.attribute("offset").unwrap_or("0"))?;
            if at > 255 {
                return Err(Fault::new(format!("an input at offset {at}")));
            }
            stride = stride.max(at + 1);
            if input.attribute("semantic") == Some("VERTEX") {
                offset = Some(at);
            }
        }
        let offset = offset.ok_or_else(|| Fault::new("it has no input of vertices"))?;
        if child(group, "ph").is_some() {
            return Err(Fault::unread("polygons with holes", "export triangles"));
        }
        let lists = children(group, "p").map(|list| wholes(list).map_err(here(list))).collect::<Result<_, _>>()?;
        Ok(Self { lists, offset, stride })
    }

    /// The vertex of corner `k` of a list.
    fn corner(&self, list: &[usize], k: usize) -> usize {
        list[k * self.stride + self.offset]
    }

    fn triangles(&self, group: Node<'_, '_>, kind: &str) -> Result<Vec<[usize; 3]>, Fault> {
        let mut out = Vec::new();
        let fan = |out: &mut Vec<_>, list: &[usize], from: usize, count: usize| {
            let corner = |k: usize| self.corner(list, from + k);
            out.extend((1..count.saturating_sub(1)).map(|k| [corner(0), corner(k), corner(k + 1)]));
        };
        if kind == "polylist" && self.lists.len() > 1 {
            return Err(Fault::new("it has more than one `p`"));
        }
        let counts = child(group, "vcount").map(|list| wholes(list).map_err(here(list))).transpose()?;
        for list in &self.lists {
            let corners = list.len() / self.stride;
            match (kind, &counts) {
                ("triangles", _) => (0..corners / 3).for_each(|k| fan(&mut out, list, 3 * k, 3)),
                ("polylist", Some(counts)) => {
                    let mut from = 0;
                    for count in counts {
                        if *count > corners - from {
                            return Err(Fault::new(format!(
                                "`vcount` asks for more than the {corners} corners in `p`"
                            )));
                        }
                        fan(&mut out, list, from, *count);
                        from += count;
                    }
                }
                ("polylist", None) => return Err(Fault::new("it has no `vcount`")),
                ("tristrips", _) => {
                    let corner = |k: usize| self.corner(list, k);
                    let strip = (0..corners.saturating_sub(2)).map(|k| [k, k + 1 + k % 2, k + 2 - k % 2].map(corner));
                    out.extend(strip);
                }
                _ => fan(&mut out, list, 0, corners),
            }
        }
        Ok(out)
    }
}

/// The positions that the vertices of a group have.
fn positions(
    group: Node<'_, '_>,
    ids: &Ids<'_, '_>,
    known: &mut HashMap<NodeId, Rc<Vec<[f64; 3]>>>,
) -> Result<Rc<Vec<[f64; 3]>>, Fault> {
    let vertices = source(group, "VERTEX", ids)?;
    let source = source(vertices, "POSITION", ids)?;
    if let Some(positions) = known.get(&source.id()) {
        return Ok(positions.clone());
    }
    let about = here(source);
    let list = child(source, "float_array").ok_or_else(|| about(Fault::new("it has no `float_array`")))?;
    let accessor = at(source, &["technique_common", "accessor"]);
    let told = |key: &str, default: usize| {
        let value = accessor.and_then(|accessor| accessor.attribute(key));
        value.map_or(Ok(default), whole).map_err(&about)
    };
    let (stride, offset) = (told("stride", 3)?, told("offset", 0)?);
    if !(3..=1024).contains(&stride) {
        return Err(about(Fault::new(format!("positions with a stride of {stride}"))));
    }
    let numbers: Vec<f64> =
        text(list).split_ascii_whitespace().map(number).collect::<Result<_, _>>().map_err(here(list))?;
    let rows = numbers.get(offset..).unwrap_or_default().chunks(stride);
    let positions: Vec<[f64; 3]> = rows.filter_map(|row| row.get(..3)?.try_into().ok()).collect();
    let positions = Rc::new(positions);
    known.insert(source.id(), positions.clone());
    Ok(positions)
}

/// What an input of a meaning names.
fn source<'a, 'i>(node: Node<'a, 'i>, semantic: &str, ids: &Ids<'a, 'i>) -> Result<Node<'a, 'i>, Fault> {
    let input = children(node, "input").find(|input| input.attribute("semantic") == Some(semantic));
    let named = input.and_then(|input| ids.get(input.attribute("source")?.strip_prefix('#')?));
    named.copied().ok_or_else(|| here(node)(Fault::new(format!("its `{semantic}` is not in this file"))))
}

fn whole(word: &str) -> Result<usize, Fault> {
    word.trim().parse().map_err(|_| Fault::new(format!("`{}` is not an index", shorten(word, 40))))
}

fn wholes(node: Node<'_, '_>) -> Result<Vec<usize>, Fault> {
    text(node).split_ascii_whitespace().map(whole).collect()
}
