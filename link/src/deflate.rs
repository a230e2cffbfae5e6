//! Raw deflate with a preset dictionary, which the library supports only for zlib
//! streams. The decompressor starts with the dictionary as previous output; the
//! compressor is primed with the dictionary, and its output for it is discarded.

use crate::Error;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use miniz_oxide::deflate::core::deflate_flags::TDEFL_FORCE_ALL_STATIC_BLOCKS;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// Preset dictionary of version 1: common words of scenarios, the most common
/// last. Frozen: changing a byte breaks every link of that version.
pub static DICTIONARY: &[u8; 5_927] = include_bytes!("../dictionary/1.txt");

/// Maximum expansion of deflate, in output bytes per input byte.
const MAX_EXPANSION: usize = 1_032;

/// Compresses with dynamic and with fixed Huffman codes, and returns the shorter
/// result. Fixed codes do not need a code table.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    // Best level, raw deflate.
    let best = create_comp_flags_from_zip_params(10, -15, 0);
    let dynamic = pack_with(best, bytes);
    let fixed = pack_with(best | TDEFL_FORCE_ALL_STATIC_BLOCKS, bytes);
    match fixed.len() < dynamic.len() {
        true => fixed,
        false => dynamic,
    }
}

fn pack_with(flags: u32, bytes: &[u8]) -> Vec<u8> {
    let mut state = Box::new(CompressorOxide::new(flags));
    // A sync flush ends at a byte boundary, so the output that follows it can be
    // decoded separately.
    put(&mut state, DICTIONARY, TDEFLFlush::Sync);
    put(&mut state, bytes, TDEFLFlush::Finish)
}

#[expect(clippy::indexing_slicing, reason = "the counts lie within the buffers")]
fn put(state: &mut CompressorOxide, mut bytes: &[u8], flush: TDEFLFlush) -> Vec<u8> {
    let mut out = Vec::new();
    let mut room = [0; 1_024];
    loop {
        let (status, taken, put) = compress(state, bytes, &mut room, flush);
        out.extend_from_slice(&room[..put]);
        bytes = &bytes[taken..];
        let all = bytes.is_empty() && put < room.len() && flush == TDEFLFlush::Sync;
        if all || status != TDEFLStatus::Okay {
            return out;
        }
    }
}

/// Decompresses to at most `most` bytes.
#[expect(clippy::indexing_slicing, reason = "the counts lie within the buffers")]
pub(crate) fn unpack(packed: &[u8], most: usize) -> Result<Vec<u8>, Error> {
    let most = most.min(packed.len().saturating_mul(MAX_EXPANSION));
    let start = DICTIONARY.len();
    let mut out = vec![0; start + most];
    out[..start].copy_from_slice(DICTIONARY);
    let mut state = Box::<DecompressorOxide>::default();
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, taken, put) = decompress(&mut state, packed, &mut out, start, flags);
    match status {
        TINFLStatus::Done if taken == packed.len() => {}
        TINFLStatus::HasMoreOutput => return Err(Error::TooLarge),
        TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
            return Err(Error::Truncated);
        }
        _ => return Err(Error::Damaged),
    }
    Ok(out[start..start + put].to_vec())
}
