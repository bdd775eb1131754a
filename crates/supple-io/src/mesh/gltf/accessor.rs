//! Numbers in the buffers of a glTF document.

use super::document::Document;
use super::entry;
use crate::mesh::error::Fault;
use crate::mesh::gathering::Colour;

/// A list of numbers, vectors or colours; every entry lies in its buffer.
pub(super) struct Accessor<'b> {
    bytes: &'b [u8],
    count: usize,
    stride: usize,
    component: Component,
    /// Numbers of an entry, 1 to 4.
    width: usize,
    normalized: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn read(self, bytes: &[u8]) -> f64 {
        let two = || [bytes[0], bytes[1]];
        let four = || [bytes[0], bytes[1], bytes[2], bytes[3]];
        match self {
            Self::I8 => f64::from(i8::from_le_bytes([bytes[0]])),
            Self::U8 => f64::from(bytes[0]),
            Self::I16 => f64::from(i16::from_le_bytes(two())),
            Self::U16 => f64::from(u16::from_le_bytes(two())),
            Self::U32 => f64::from(u32::from_le_bytes(four())),
            Self::F32 => f64::from(f32::from_le_bytes(four())),
        }
    }

    /// The number that stands for one, where numbers are parts of it.
    fn whole(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32767.0,
            Self::U16 => 65535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

impl<'b> Accessor<'b> {
    /// The accessor of an index.
    pub(super) fn new(document: &Document, buffers: &'b [Vec<u8>], index: usize) -> Result<Self, Fault> {
        let told = entry(&document.accessors, index, "accessor")?;
        let wrong = |what: &str| Fault::new(format!("accessor {index}: {what}"));
        let sparse = told.sparse.is_some() || told.buffer_view.is_none();
        let view = told.buffer_view.filter(|_| !sparse).ok_or_else(|| {
            Fault::unread(format!("accessor {index} is sparse"), "export the mesh without sparse accessors")
        })?;
        let view = entry(&document.buffer_views, view, "bufferView")?;
        let buffer = entry(buffers, view.buffer, "buffer")?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end)?.get(told.byte_offset..));
        let bytes = bytes.ok_or_else(|| wrong("its view is not in its buffer"))?;
        let component = Component::of(told.component_type).ok_or_else(|| wrong("an unknown `componentType`"))?;
        let width = match told.kind.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => return Err(wrong("a `type` that is not a vector")),
        };
        let entry = width * component.size();
        let stride = view.byte_stride.unwrap_or(entry).max(1);
        let needed = told.count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(entry));
        if needed.is_none_or(|needed| needed > bytes.len()) {
            return Err(wrong(&format!("{} entries do not fit into {} bytes", told.count, bytes.len())));
        }
        Ok(Self { bytes, count: told.count, stride, component, width, normalized: told.normalized })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The numbers of an entry; those that it does not have are zero.
    pub(super) fn numbers(&self, index: usize) -> [f64; 4] {
        let unit = if self.normalized { self.component.whole() } else { 1.0 };
        std::array::from_fn(|k| {
            let number =
                |()| self.component.read(&self.bytes[index * self.stride + k * self.component.size()..]) / unit;
            (k < self.width).then_some(()).map_or(0.0, number)
        })
    }

    /// An entry as an index; one that no vertex has where it is none.
    pub(super) fn whole(&self, index: usize) -> usize {
        let [value, ..] = self.numbers(index);
        if value >= 0.0 && value.fract() == 0.0 { value as usize } else { usize::MAX }
    }

    /// An entry as a colour, opaque where it has three numbers.
    pub(super) fn colour(&self, index: usize) -> Colour {
        let colour = self.numbers(index).map(|c| c as f32);
        if self.width < 4 { [colour[0], colour[1], colour[2], 1.0] } else { colour }
    }
}
