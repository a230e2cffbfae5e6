//! Raw deflate with a preset dictionary, which the library knows for zlib's
//! wrapping only. To inflate, the dictionary is what was put out before; to
//! deflate, it is what was taken in before, and what came out for it is
//! dropped.

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

/// The preset dictionary of version 1: common words of scenarios, the most
/// common last. Frozen: a changed byte breaks every link of that version.
pub static DICTIONARY: &[u8; 5_927] = include_bytes!("../dictionary/1.txt");

/// The most bytes that one byte of deflate inflates to.
const MOST_PER_BYTE: usize = 1_032;

/// Deflates: with codes made for the bytes, and with the usual codes, which
/// save the description of the codes; the shorter of the two.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    // The best level, no wrapping around it.
    let best = create_comp_flags_from_zip_params(10, -15, 0);
    let made = pack_with(best, bytes);
    let usual = pack_with(best | TDEFL_FORCE_ALL_STATIC_BLOCKS, bytes);
    match usual.len() < made.len() {
        true => usual,
        false => made,
    }
}

fn pack_with(flags: u32, bytes: &[u8]) -> Vec<u8> {
    let mut state = Box::new(CompressorOxide::new(flags));
    // A flush ends at a whole byte: what follows is decoded by itself.
    put(&mut state, DICTIONARY, TDEFLFlush::Sync);
    put(&mut state, bytes, TDEFLFlush::Finish)
}

/// The compressed form of `bytes`.
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

/// Inflates to at most `most` bytes.
#[expect(clippy::indexing_slicing, reason = "the counts lie within the buffers")]
pub(crate) fn unpack(packed: &[u8], most: usize) -> Result<Vec<u8>, Error> {
    let most = most.min(packed.len().saturating_mul(MOST_PER_BYTE));
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
