//! The implicit arguments: a block of memory in which functions find sizes and local IDs of
//! the launch.
//!
//! Source: version 0 of the structure and the table of local IDs, from the sources of
//! compute-runtime (`implicit_args_base.h`) and IGC (`implicit_args_struct.h`).

use alloc::vec::Vec;

/// Size of the structure, in bytes.
pub(super) const BYTES: u64 = 112;

/// Rows of the table of local IDs have at least this number of channels.
const MIN_CHANNELS: u32 = 16;

/// Size of the local IDs of a thread, in bytes: rows of 16-bit x, y and z.
pub(super) fn thread_bytes(simd: u8) -> u64 {
    6 * u64::from(u32::from(simd).max(MIN_CHANNELS))
}

/// The values of the structure for a work-group.
pub(super) struct ImplicitArguments {
    pub(super) dimensions: u32,
    pub(super) simd: u8,
    pub(super) local: [u32; 3],
    pub(super) global: [u32; 3],
    pub(super) offset: [u32; 3],
    pub(super) groups: [u32; 3],
    /// Address of the printf buffer.
    pub(super) printf: u64,
    /// Address of the table of local IDs.
    pub(super) local_ids: u64,
}

impl ImplicitArguments {
    /// The structure. Addresses of memory that no launch has are 0.
    pub(super) fn bytes(&self) -> Vec<u8> {
        const VERSION: u32 = 0;
        let size = u32::try_from(BYTES).expect("the structure is small");
        let header = size | VERSION << 8 | self.dimensions << 16 | u32::from(self.simd) << 24;
        let mut out = header.to_le_bytes().to_vec();
        let dwords = |out: &mut Vec<u8>, values: [u32; 3]| {
            out.extend(values.into_iter().flat_map(u32::to_le_bytes));
        };
        let qwords = |out: &mut Vec<u8>, values: &[u64]| {
            out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        };
        dwords(&mut out, self.local);
        qwords(&mut out, &self.global.map(u64::from));
        qwords(&mut out, &[self.printf]);
        qwords(&mut out, &self.offset.map(u64::from));
        qwords(&mut out, &[self.local_ids]);
        dwords(&mut out, self.groups);
        // Padding, and the buffers of ray tracing and of assertions.
        out.extend([0; 4]);
        qwords(&mut out, &[0, 0]);
        out
    }
}

/// The local IDs of the thread whose first work-item has the index `first` in its group, as
/// rows of x, y and z. Those beyond the group are masked off.
pub(super) fn local_ids(local: [u32; 3], simd: u8, first: u32) -> Vec<u8> {
    let channels = u32::from(simd).max(MIN_CHANNELS);
    let ids = (0..3).flat_map(|dimension| {
        (0..channels).map(move |channel| match channel < u32::from(simd) {
            true => local_id(local, dimension, first + channel),
            false => 0,
        })
    });
    ids.flat_map(u16::to_le_bytes).collect()
}

/// The local ID of a work-item by its index in the work-group, x fastest.
pub(super) fn local_id(local: [u32; 3], dimension: usize, item: u32) -> u16 {
    let [x, y, _] = local.map(|size| size.max(1));
    let id = match dimension {
        0 => item % x,
        1 => item / x % y,
        _ => item / x / y,
    };
    u16::try_from(id & 0xffff).expect("masked")
}

/// Number of dimensions whose size is not 1; at least 1.
pub(super) const fn dimensions(global: [u32; 3]) -> u32 {
    match global {
        [_, _, z] if z > 1 => 3,
        [_, y, _] if y > 1 => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places are those of the assertions in IGC's sources.
    #[test]
    fn fields_have_their_documented_places() {
        let arguments = ImplicitArguments {
            dimensions: 2,
            simd: 8,
            local: [4, 2, 1],
            global: [40, 20, 1],
            offset: [5, 6, 7],
            groups: [10, 11, 12],
            printf: 0x1234_5678_9abc,
            local_ids: 0x4_0000,
        };
        let bytes = arguments.bytes();
        assert_eq!(bytes.len() as u64, BYTES);
        assert_eq!(bytes[..4], [112, 0, 2, 8]);
        let dword = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([4, 8, 12].map(dword), [4, 2, 1], "local size");
        assert_eq!([16, 24, 32].map(dword), [40, 20, 1], "global size");
        assert_eq!([40, 44].map(dword), [0x5678_9abc, 0x1234], "printf");
        assert_eq!([48, 56, 64].map(dword), [5, 6, 7], "global offset");
        assert_eq!([72, 76].map(dword), [0x4_0000, 0], "local IDs");
        assert_eq!([80, 84, 88].map(dword), [10, 11, 12], "number of groups");
    }

    #[test]
    fn eight_channels_have_rows_of_sixteen() {
        let ids = local_ids([4, 2, 2], 8, 8);
        assert_eq!(ids.len() as u64, thread_bytes(8));
        let id = |row: usize, channel: usize| ids[32 * row + 2 * channel];
        assert_eq!([id(0, 5), id(1, 5), id(2, 5)], [1, 1, 1]);
        assert_eq!([id(0, 8), id(1, 15)], [0, 0], "padding");
    }
}
