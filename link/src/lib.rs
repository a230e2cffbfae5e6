//! Permalinks: a scenario and its view in the fragment of a URL, which is not sent
//! to the server.
//!
//! # Format
//!
//! A fragment is a version digit, followed by URL-safe base64 without padding:
//!
//! | version | base64 contents |
//! |---|---|
//! | `0` | the payload, for scripts that cannot deflate |
//! | `1` | raw deflate of the payload with the preset dictionary `dictionary/1.txt`, then the CRC-16/XMODEM of the payload, high byte first |
//!
//! The payload is UTF-8: the view, a line feed, and the text of the scenario. The
//! view is a list of `name=value` fields joined by `&`, without fields that have
//! their default value. [`view`] lists the names; readers skip unknown names.
//! Version 0 may include the length of the text in bytes, `n`, to detect
//! truncation.
//!
//! The meaning of a version never changes, and its dictionary is frozen, so that
//! links open forever.
//!
//! # Limits
//!
//! A payload has at most [`MOST_BYTES`]. Reading a link takes linear time, and
//! memory for twice that limit plus the fragment.
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

/// Maximum size of a payload, in bytes: about ten thousand lines.
pub const MOST_BYTES: usize = 256 * 1024;

/// Maximum length of a fragment: [`MOST_BYTES`] in version 0.
pub const MOST_CHARACTERS: usize = 1 + MOST_BYTES.div_ceil(3) * 4;

/// Length above which some programs truncate links; share a file instead.
pub const LONG: usize = 2_000;

/// Version written by [`Link::fragment`].
pub const VERSION: char = '1';

/// A scenario and its view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Text of the scenario.
    pub text: String,
    pub view: View,
}

impl Link {
    /// Encodes the link as a fragment, without `#`.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn fragment(&self) -> Result<String, Error> {
        let payload = self.payload()?;
        let mut packed = deflate::pack(&payload);
        packed.extend(check::crc16(&payload).to_be_bytes());
        Ok(base64::write(VERSION, &packed))
    }

    /// Encodes the link in version 0, which is longer because it is not compressed.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn plain_fragment(&self) -> Result<String, Error> {
        let mut link = self.clone();
        link.view.set_number(view::LENGTH, self.text.len() as u64);
        Ok(base64::write('0', &link.payload()?))
    }

    /// Reads a fragment, with or without `#`.
    ///
    /// # Errors
    /// If the fragment is not a complete, undamaged link of a supported version.
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

    /// Reads a URL or a fragment.
    ///
    /// # Errors
    /// As for [`Link::read`].
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
