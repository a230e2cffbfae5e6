//! Buffers of a launch as what they are: elements that are vectors or structures.

use crate::notation::Notation;
use crate::state_table::{count, number};
use crate::table::{ExportCell, ExportTable};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use lanewise_core::ide::{LaunchForm, LayoutError, ValueKind, type_layout};
use lanewise_core::number::little_endian;
use lanewise_core::program::{Buffer, StructField, TypeLayout};

/// How the bytes of a buffer are shown: as elements with fields. Scalars have one field without
/// a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferView {
    pub layout: TypeLayout,
    /// Why the chosen type, or the definition of the declared one, was not used.
    pub error: Option<LayoutError>,
}

impl BufferView {
    /// The view of a buffer by a chosen type, or else by the declared type of the argument if
    /// this is a structure, or a vector of the elements that the text gives the buffer.
    #[must_use]
    pub fn of(
        buffer: &Buffer,
        declared: Option<&str>,
        chosen: Option<&str>,
        source: &str,
        is_cuda: bool,
    ) -> Self {
        let layout_of = |ty: &str| type_layout(ty, source, is_cuda);
        let fits = |layout: &TypeLayout| {
            let of_elements = || layout.fields.iter().all(|field| field.element == buffer.ty);
            layout.is_struct || layout.fields.len() > 1 && of_elements()
        };
        let (chosen, mut error) = match chosen.map(layout_of) {
            Some(Ok(layout)) => (Some(layout), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        let layout = chosen.or_else(|| match layout_of(declared?) {
            Ok(layout) => Some(layout).filter(fits),
            Err(refused) => {
                // Types that the source does not define are not worth a message.
                if refused.is_in_source {
                    error.get_or_insert(refused);
                }
                None
            }
        });
        Self {
            layout: layout.unwrap_or_else(|| TypeLayout::of_element(buffer.ty)),
            error,
        }
    }

    /// Whether elements have named fields.
    #[must_use]
    pub fn has_fields(&self) -> bool {
        let fields = &self.layout.fields;
        fields.iter().any(|field| !field.path.is_empty())
    }

    /// Number of elements in this many bytes; the last one may be incomplete.
    #[must_use]
    pub fn elements(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.layout.size.into())
    }

    /// The type and length of a buffer: `float4[16]`, `struct P[5] + 4 bytes`.
    #[must_use]
    pub fn title(&self, bytes: u64) -> String {
        let size = u64::from(self.layout.size);
        let rest = match bytes % size {
            0 => String::new(),
            1 => String::from(" + 1 byte"),
            rest => format!(" + {rest} bytes"),
        };
        format!("{}[{}]{rest}", self.layout.name, bytes / size)
    }

    /// The fields of an element that lie in this many bytes, with their offsets in the buffer.
    pub fn fields(&self, element: u64, bytes: u64) -> impl Iterator<Item = (u64, &StructField)> {
        let start = element.saturating_mul(self.layout.size.into());
        let fields = self.layout.fields.iter();
        let fields = fields.map(move |field| (start + u64::from(field.offset), field));
        fields.filter(move |(at, field)| at + u64::from(field.element.bytes()) <= bytes)
    }

    /// The elements of a buffer, a row for each, with a column for each field.
    #[must_use]
    pub fn table(&self, bytes: &[u8]) -> ExportTable {
        let paths = self.layout.fields.iter().map(|field| field.path.clone());
        let heads = core::iter::once(String::from("Element")).chain(paths);
        let size = usize::try_from(self.layout.size).expect("types are small");
        let rows = bytes.chunks(size).enumerate().map(|(index, element)| {
            let value = |field: &StructField| {
                let ty = field.element;
                let first = usize::try_from(field.offset).expect("types are small");
                let bits = element.get(first..first + usize::from(ty.bytes()));
                let notation = Notation { ty, hex: false };
                bits.map_or(ExportCell::Absent, |bits| {
                    number(notation.text(little_endian(bits)), notation)
                })
            };
            let first = count(u64::try_from(index).expect("a usize has at most 64 bits"));
            let values = self.layout.fields.iter().map(value);
            core::iter::once(first).chain(values).collect()
        });
        ExportTable {
            heads: heads.collect(),
            rows: rows.collect(),
        }
    }
}

/// Declared types of the buffers of a launch, in the order of its text: `in`, `const float4*`.
#[must_use]
pub fn declared_types(text: &str) -> Vec<(String, String)> {
    let form = LaunchForm::read(text);
    let arguments = form.into_iter().flat_map(|form| form.arguments);
    let buffers = arguments.filter(|field| field.value.kind == ValueKind::Buffer);
    buffers
        .map(|field| (field.value.target, field.ty))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{csv, json};
    use lanewise_core::program::Program;

    fn view(line: &str, chosen: Option<&str>, source: &str) -> (BufferView, u64) {
        let text = format!(".launch global=1 local=1\n.simd 8\n{line}\n");
        let program = Program::parse(&text);
        let buffer = &program.launch.as_ref().expect("there is a launch").buffers[0];
        let types = declared_types(&text);
        let declared = types.first().map(|(_, ty)| &**ty);
        let view = BufferView::of(buffer, declared, chosen, source, false);
        (view, buffer.bytes())
    }

    fn title(line: &str, chosen: Option<&str>, source: &str) -> String {
        let (view, bytes) = view(line, chosen, source);
        view.title(bytes)
    }

    #[test]
    fn the_chosen_type_comes_before_the_declared_one() {
        let source = "typedef struct { float3 pos; int id; } P;";
        let vector = ".buffer a : f[12]  // const float4 *a";
        let structure = ".buffer p : ud[20]  // P *p";
        assert_eq!(title(vector, None, ""), "float4[3]");
        assert_eq!(title(vector, Some("f"), ""), "f[12]");
        assert_eq!(title(vector, Some("nonsense"), ""), "float4[3]");
        assert!(view(vector, Some("nonsense"), "").0.error.is_some());
        // The text gives the elements another type, or the declared one is a scalar.
        assert_eq!(
            title(".buffer a : ub[48]  // float4 *a", None, ""),
            "ub[48]"
        );
        assert_eq!(title(".buffer a : b[48]  // int *a", None, ""), "b[48]");
        assert_eq!(title(structure, None, ""), "ud[20]");
        assert_eq!(title(structure, None, source), "P[2] + 16 bytes");
        assert_eq!(
            title(".buffer p : ud[20]", Some("struct P"), source),
            "struct P[2] + 16 bytes"
        );
    }

    #[test]
    fn a_definition_that_is_refused_is_reported() {
        let line = ".buffer p : ud[20]  // const struct P *p";
        let error = |source| view(line, None, source).0.error;
        let refused = "\nstruct P { int a : 3; int b; };";
        assert_eq!(title(line, None, refused), "ud[20]");
        let found = error(refused).expect("bit fields are refused");
        assert_eq!((found.is_in_source, found.place.0), (true, 2));
        assert_eq!(error(""), None, "the source may not be open");
        assert_eq!(error("struct P { int a; };"), None);
    }

    #[test]
    fn places_are_those_of_fields() {
        let (view, bytes) = view(".buffer p : ud[13]", Some("{float3 v; short s;}"), "");
        assert_eq!((view.elements(bytes), view.layout.size), (2, 32));
        let name = |offset| {
            let (element, field) = view.layout.field_at(offset)?;
            Some(field.name("p", element))
        };
        assert_eq!(name(0).as_deref(), Some("p[0].v.x"));
        assert_eq!(name(17).as_deref(), Some("p[0].s"));
        assert_eq!(name(40).as_deref(), Some("p[1].v.z"));
        assert_eq!(name(12).or(name(18)), None);
        // Every field that lies in the buffer is found at its place.
        for element in 0..2 {
            for (at, field) in view.fields(element, bytes) {
                assert_eq!(view.layout.field_at(at), Some((element, field)));
            }
        }
        assert_eq!(view.fields(1, bytes).count(), 4);
        assert_eq!(view.fields(1, bytes - 4).count(), 3);
    }

    #[test]
    fn exports_have_the_names_of_fields() {
        let (view, _) = view(".buffer p : ud[4]", Some("{float2 v; int id;}"), "");
        let mut bytes = Vec::new();
        for value in [1.5_f32, -2.0] {
            bytes.extend(value.to_le_bytes());
        }
        // The second word is padding.
        bytes.extend([7_u32, 0].map(u32::to_le_bytes).concat());
        bytes.extend(f32::NAN.to_le_bytes());
        let table = view.table(&bytes);
        assert_eq!(
            csv(&table),
            "Element,v.x,v.y,id\r\n0,1.5,-2,7\r\n1,nan,,\r\n"
        );
        let rows: serde_json::Value = serde_json::from_str(&json(&table)).unwrap();
        assert_eq!(rows[0]["v.y"], -2);
        assert_eq!(rows[1].as_object().unwrap().len(), 2);
    }
}
