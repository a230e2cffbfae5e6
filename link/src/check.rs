//! CRC-16/XMODEM, which detects damaged links.

pub(crate) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc: u16, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            let carry = crc & 0x8000 != 0;
            (crc << 1) ^ if carry { 0x1021 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn check_value_of_crc16_xmodem() {
        assert_eq!(super::crc16(b"123456789"), 0x31c3);
    }
}
