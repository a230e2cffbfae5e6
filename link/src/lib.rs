//! Permalinks: a scenario, and how it is looked at, in the `#` fragment of an
//! address, so that nothing is sent to a server.
//!
//! # The format
//!
//! A fragment is a digit, the version, and URL-safe base64 without padding:
//!
//! | version | what the base64 holds |
//! |---|---|
//! | `0` | the payload as it is, for scripts that cannot deflate |
//! | `1` | raw deflate of the payload with the preset dictionary `dictionary/1.txt`, then two bytes: CRC-16/XMODEM of the payload, high byte first |
//!
//! The payload is UTF-8: the view on one line, a line feed, the text of the
//! scenario. The view is empty, or fields `name=value` joined by `&`; a field
//! with its usual value is left out. The names are listed in
//! [`view`]; a reader skips names that it does not know. Version 0 may say the
//! length of the text in bytes, `n`, so that a link that was cut off is found
//! out.
//!
//! What a version means never changes: links are opened forever. A dictionary
//! is frozen with its version.
//!
//! # Bounds
//!
//! A payload has at most [`MOST_BYTES`], whatever a fragment claims. Reading
//! one takes memory for twice that and the fragment's bytes, and time in
//! proportion.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::cast_possible_truncation
    )
)]

extern crate alloc;

mod base64;
mod check;
mod deflate;
mod error;
pub mod view;

pub use deflate::DICTIONARY;
pub use error::Error;
pub use view::View;

use alloc::string::String;
use alloc::vec::Vec;

/// The most bytes that a payload may have, unpacked: some ten thousand lines.
pub const MOST_BYTES: usize = 256 * 1024;

/// The most characters that a fragment may have: that many bytes in version 0.
pub const MOST_CHARACTERS: usize = 1 + MOST_BYTES.div_ceil(3) * 4;

/// Links longer than this are cut off by some programs: a file is safer.
pub const LONG: usize = 2_000;

/// The version that [`Link::fragment`] writes.
pub const VERSION: char = '1';

/// A scenario, and how it is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The text of the scenario.
    pub text: String,
    /// How it is looked at.
    pub view: View,
}

impl Link {
    /// The fragment for this, without `#`.
    ///
    /// # Errors
    /// When it is too long for a link.
    pub fn fragment(&self) -> Result<String, Error> {
        let payload = self.payload()?;
        let mut packed = deflate::pack(&payload);
        packed.extend(check::crc16(&payload).to_be_bytes());
        Ok(base64::write(VERSION, &packed))
    }

    /// The same in version 0: longer, and made without a compressor.
    ///
    /// # Errors
    /// When it is too long for a link.
    pub fn plain_fragment(&self) -> Result<String, Error> {
        let mut link = self.clone();
        link.view.set_number(view::LENGTH, self.text.len() as u64);
        Ok(base64::write('0', &link.payload()?))
    }

    /// Reads a fragment, with or without `#`.
    ///
    /// # Errors
    /// When it is not a link that this version can open, whole and sound.
    pub fn read(fragment: &str) -> Result<Self, Error> {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        if fragment.is_empty() {
            return Err(Error::Empty);
        }
        if fragment.len() > MOST_CHARACTERS {
            return Err(Error::TooLong);
        }
        let mut letters = fragment.chars();
        let version = letters.next().unwrap_or(' ');
        match version {
            '0' | '1' => {}
            '2'..='9' => return Err(Error::Future { version }),
            _ => return Err(Error::Foreign),
        }
        let bytes = base64::read(letters.as_str())?;
        let payload = match version {
            '0' => bytes,
            _ => unpack(&bytes)?,
        };
        Self::from_payload(&payload)
    }

    /// Reads a whole address, or a fragment.
    ///
    /// # Errors
    /// When there is no link in it that this version can open.
    pub fn open(address: &str) -> Result<Self, Error> {
        let address = address.trim();
        match address.split_once('#') {
            Some((_, fragment)) => Self::read(fragment),
            None if address.contains("://") => Err(Error::Empty),
            None => Self::read(address),
        }
    }

    fn payload(&self) -> Result<Vec<u8>, Error> {
        let mut payload = self.view.write().into_bytes();
        payload.push(b'\n');
        payload.extend(self.text.as_bytes());
        match payload.len() > MOST_BYTES {
            true => Err(Error::TooLarge),
            false => Ok(payload),
        }
    }

    fn from_payload(payload: &[u8]) -> Result<Self, Error> {
        if payload.len() > MOST_BYTES {
            return Err(Error::TooLarge);
        }
        let payload = core::str::from_utf8(payload).map_err(|_| Error::Damaged)?;
        let (view, text) = payload.split_once('\n').ok_or(Error::Damaged)?;
        let mut view = View::read(view)?;
        let length = view.take(view::LENGTH);
        if length.is_some_and(|length| length.parse() != Ok(text.len())) {
            return Err(Error::Truncated);
        }
        Ok(Self {
            text: String::from(text),
            view,
        })
    }
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let (packed, sum) = bytes.split_last_chunk::<2>().ok_or(Error::Truncated)?;
    let payload = deflate::unpack(packed, MOST_BYTES)?;
    match check::crc16(&payload) == u16::from_be_bytes(*sum) {
        true => Ok(payload),
        false => Err(Error::Damaged),
    }
}
