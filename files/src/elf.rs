//! Whether an ELF file is complete.

use crate::FileError;

/// Checks that the file has all bytes that its header announces: the header itself, and the
/// tables of its segments and sections.
///
/// # Errors
/// If the file ends before them.
pub(crate) fn check_complete(bytes: &[u8]) -> Result<(), FileError> {
    let is_wide = bytes.get(4) != Some(&1);
    let is_little = bytes.get(5) != Some(&2);
    // Offsets of e_phoff and e_shoff with their size, and of e_phentsize.
    let (size, tables, sizes, header) = match is_wide {
        true => (8, [32, 40], 54, 64),
        false => (4, [28, 32], 42, 52),
    };
    let number = |offset: usize, size: usize| {
        let bytes = bytes.get(offset..offset + size)?;
        let fold = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(match is_little {
            true => bytes.iter().rev().fold(0, fold),
            false => bytes.iter().fold(0, fold),
        })
    };
    let mut end = header;
    for (table, counts) in tables.into_iter().zip([sizes, sizes + 4]) {
        let parts = (
            number(table, size),
            number(counts, 2),
            number(counts + 2, 2),
        );
        if let (Some(start), Some(entry), Some(count)) = parts
            && start > 0
        {
            end = end.max(start.saturating_add(entry * count));
        }
    }
    let length = bytes.len() as u64;
    if length >= end {
        return Ok(());
    }
    let message = format!(
        "the file is cut off or damaged: its header announces {end} bytes, and it has {length}"
    );
    Err(FileError::new(bytes.len(), message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_files_are_cut_off() {
        let mut file = vec![0; 200];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[40] = 72;
        file[58] = 64;
        file[60] = 2;
        assert!(check_complete(&file).is_ok());
        for length in [6, 63, 199] {
            let error = check_complete(&file[..length]).expect_err("it is cut off");
            assert!(error.message.contains("cut off"), "{error}");
        }
    }
}
