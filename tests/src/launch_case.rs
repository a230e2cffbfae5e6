//! Launches of the vector files `*/launches.jsonl`.

use crate::judge::unhex;
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::number::ElementType;
use lanewise_core::program::{Buffer, Sizes};
use lanewise_files::zebin::LaunchValue;
use serde::Deserialize;

/// An argument of a kernel; bytes are hexadecimal.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum CaseArgument {
    Buffer {
        bytes: String,
    },
    Scalar {
        #[serde(rename = "type")]
        ty: String,
        value: f64,
    },
    Local {
        bytes: u64,
    },
    /// The bytes of a value.
    Bytes {
        bytes: String,
    },
}

impl CaseArgument {
    #[must_use]
    pub fn value(&self) -> LaunchValue {
        match self {
            Self::Buffer { bytes } => LaunchValue::Buffer(ElementType::Ub, unhex(bytes)),
            Self::Local { bytes } => LaunchValue::Local(*bytes),
            Self::Bytes { bytes } => LaunchValue::Value(unhex(bytes)),
            Self::Scalar { ty, value } => LaunchValue::Value(match ty.as_str() {
                "float" => (*value as f32).to_le_bytes().to_vec(),
                "double" => value.to_le_bytes().to_vec(),
                _ => (*value as i64).to_le_bytes()[..size_of(ty)].to_vec(),
            }),
        }
    }
}

/// Size of a scalar type of OpenCL C, in bytes.
#[must_use]
pub fn size_of(ty: &str) -> usize {
    match ty {
        "char" | "uchar" => 1,
        "short" | "ushort" | "half" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" | "double" => 8,
        _ => panic!("a scalar of type {ty}"),
    }
}

/// Sizes in three dimensions; those that are not given are `rest`.
#[must_use]
pub fn sizes(given: &[u32], rest: u32) -> Sizes {
    std::array::from_fn(|i| given.get(i).copied().unwrap_or(rest))
}

/// The contents of a buffer.
///
/// # Panics
/// If the buffer is not mapped.
#[must_use]
pub fn buffer_bytes(buffer: &Buffer, machine: &Machine) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(buffer.bytes()).expect("small")];
    machine
        .space(SpaceId::VIRTUAL)
        .read(buffer.address, &mut bytes);
    bytes
}
