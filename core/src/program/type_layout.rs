//! Layouts of vectors and structures, and the names of places in buffers of them.

use crate::number::ElementType;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

/// A scalar field of a structure or vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructField {
    /// Path within the type: `pair.b`, `scale.x`, `weights[3]`; empty for a scalar.
    pub path: String,
    /// Type in OpenCL C.
    pub ty: String,
    pub element: ElementType,
    /// Offset in bytes.
    pub offset: u32,
}

impl StructField {
    /// Name of the field of an element of a buffer: `p[3].pos.x`, `p[3]`.
    #[must_use]
    pub fn name(&self, buffer: &str, element: impl Display) -> String {
        match &*self.path {
            "" => format!("{buffer}[{element}]"),
            path => format!("{buffer}[{element}].{path}"),
        }
    }
}

/// The layout of a type: its scalar fields, its size and its alignment in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeLayout {
    /// Name of the type, such as `float4`; `struct` without a tag.
    pub name: String,
    pub fields: Vec<StructField>,
    pub size: u32,
    /// In bytes.
    pub(crate) align: u32,
    pub is_struct: bool,
}

impl TypeLayout {
    /// The element and field at an offset in a buffer; `None` in padding.
    #[must_use]
    pub fn field_at(&self, offset: u64) -> Option<(u64, &StructField)> {
        let size = u64::from(self.size);
        let (element, inner) = (offset / size, offset % size);
        let mut fields = self.fields.iter();
        let holds = |field: &&StructField| {
            let first = inner.checked_sub(field.offset.into());
            first.is_some_and(|byte| byte < field.element.bytes().into())
        };
        fields.find(holds).map(|field| (element, field))
    }

    /// Name of the place at an offset in bytes, which may be outside the buffer, and the byte
    /// within what it names: a field, or in padding an element.
    pub(crate) fn place_name(&self, buffer: &str, offset: i64) -> (String, u64) {
        let (element, inner) = (
            offset.div_euclid(self.size.into()),
            offset.rem_euclid(self.size.into()).cast_unsigned(),
        );
        match self.field_at(inner) {
            Some((_, field)) => {
                let byte = inner - u64::from(field.offset);
                (field.name(buffer, element), byte)
            }
            None => (format!("{buffer}[{element}]"), inner),
        }
    }
}
