//! Output of the printf calls of a launch.
//!
//! A kernel adds the size of a record to the first word of the printf buffer, and writes the
//! record there: the address of the format, then a type and a value for each argument; a
//! vector has a type, the number of its elements, and the elements, which take 4 bytes each
//! at least, padded at the end. What does not fit is left out, with a word of ones in its
//! place (observed on compiled kernels).

mod conversion;
mod number;
#[cfg(test)]
mod tests;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use conversion::{Conversion, Part};
use lanewise_core::machine::{Machine, SpaceId};
use lanewise_core::program::{Buffer, Launch, PRINTF_BYTES, PRINTF_HEADER};
use lanewise_core::session::PrintfWriters;

/// Longest text that is formatted, in bytes.
const MAX_OUTPUT: usize = 8 << 20;

/// Longest format or string, in bytes.
const MAX_STRING: usize = 1 << 16;

/// Output of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The output, in the order of the work-items.
    pub text: String,
    /// Notes on lost output and on formats that do not fit their arguments.
    pub notes: Vec<String>,
}

/// Output of a launch, if its kernel calls printf. Without `writers`, the output is in
/// the order of the buffer.
#[must_use]
pub fn printed(
    launch: &Launch,
    machine: &Machine,
    writers: Option<&PrintfWriters>,
) -> Option<Printed> {
    let buffer = launch.printf?;
    let used = machine.load(SpaceId::VIRTUAL, buffer, 4)?;
    let mut reader = Reader {
        machine,
        data: &launch.data,
        at: buffer + u64::from(PRINTF_HEADER),
        end: buffer + used.min(PRINTF_BYTES),
        notes: BTreeSet::new(),
    };
    let mut records = Vec::new();
    let mut bytes = 0;
    while reader.at < reader.end && bytes <= MAX_OUTPUT {
        let start = reader.at;
        let item = writers.and_then(|writers| writers.item_at(start));
        let open = writers.and_then(|writers| Some((writers, writers.open_until(start)?)));
        if let Some((writers, end)) = open
            && !reader.is_written(writers, end)
        {
            reader.at = end;
            continue;
        }
        let Some(text) = reader.record() else { break };
        bytes += text.len();
        records.push((item, text));
    }
    // The records of a work-item are in the order of its calls.
    records.sort_by_key(|(item, _)| *item);
    let mut text: Vec<u8> = records.into_iter().flat_map(|(_, text)| text).collect();
    let mut notes: Vec<String> = reader.notes.into_iter().collect();
    if used > PRINTF_BYTES {
        let missing = used - PRINTF_BYTES;
        notes.push(format!(
            "printf output is missing: the printf buffer of {} MB lacks {missing} bytes",
            PRINTF_BYTES >> 20
        ));
    }
    if bytes > MAX_OUTPUT {
        text.truncate(MAX_OUTPUT);
        notes.push(format!(
            "printf output is cut off after {} MB",
            MAX_OUTPUT >> 20
        ));
    }
    Some(Printed {
        text: String::from_utf8_lossy(&text).into_owned(),
        notes,
    })
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// An integer with its number of bytes.
    Integer(u64, u8),
    Float(f64),
    String(u64),
    Pointer(u64),
}

impl Value {
    const fn noun(&self) -> &'static str {
        match self {
            Self::Integer(_, 1) => "char",
            Self::Integer(_, 2) => "short",
            Self::Integer(_, 8) => "long",
            Self::Integer(..) => "int",
            Self::Float(_) => "floating-point number",
            Self::String(_) => "string",
            Self::Pointer(_) => "pointer",
        }
    }
}

/// An argument: one value, or the elements of a vector.
#[derive(Clone, Debug, PartialEq)]
struct Argument {
    values: Vec<Value>,
    is_vector: bool,
}

/// Types of arguments, by their number: kind, bytes of an element, and whether it is a
/// vector.
const TYPES: [Option<(Kind, u8, bool)>; 15] = [
    None,
    Some((Kind::Integer, 1, false)),
    Some((Kind::Integer, 2, false)),
    Some((Kind::Integer, 4, false)),
    Some((Kind::Float, 4, false)),
    Some((Kind::String, 8, false)),
    Some((Kind::Integer, 8, false)),
    Some((Kind::Pointer, 8, false)),
    Some((Kind::Float, 8, false)),
    Some((Kind::Integer, 1, true)),
    Some((Kind::Integer, 2, true)),
    Some((Kind::Integer, 4, true)),
    Some((Kind::Integer, 8, true)),
    Some((Kind::Float, 4, true)),
    Some((Kind::Float, 8, true)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    Float,
    String,
    Pointer,
}

/// Reads the records of a printf buffer.
struct Reader<'m> {
    machine: &'m Machine,
    /// Data of the program, which contain strings.
    data: &'m [Buffer],
    at: u64,
    end: u64,
    notes: BTreeSet<String>,
}

impl Reader<'_> {
    fn take(&mut self, bytes: u8) -> Option<u64> {
        let value = self.peek(bytes)?;
        self.at += u64::from(bytes);
        Some(value)
    }

    fn peek(&self, bytes: u8) -> Option<u64> {
        let fits = self.at + u64::from(bytes) <= self.end;
        // Values are aligned to 4 bytes.
        match bytes {
            8 => {
                let low = self.machine.load(SpaceId::VIRTUAL, self.at, 4)?;
                let high = self.machine.load(SpaceId::VIRTUAL, self.at + 4, 4)?;
                Some(high << 32 | low).filter(|_| fits)
            }
            _ => (self.machine.load(SpaceId::VIRTUAL, self.at, bytes)).filter(|_| fits),
        }
    }

    fn note(&mut self, format: &[u8], what: &str) {
        /// Most notes that are kept.
        const MAX_NOTES: usize = 20;
        if self.notes.len() < MAX_NOTES {
            let format = String::from_utf8_lossy(format);
            self.notes.insert(format!("printf({format:?}): {what}"));
        }
    }

    /// The text of the next record; `None` if there is none.
    fn record(&mut self) -> Option<Vec<u8>> {
        // Where a record did not fit, there is a word of ones.
        if self.peek(4)? == u64::from(u32::MAX) {
            return None;
        }
        let address = self.take(8)?;
        let Some(format) = self.string(address) else {
            let what = format!("the format of a printf at {address:#x} is not mapped");
            self.notes.insert(what);
            return None;
        };
        let mut arguments = Vec::new();
        while let Some(argument) = self.argument() {
            arguments.push(argument);
        }
        Some(self.format(&format, arguments))
    }

    /// Whether the record has been written up to its end.
    fn is_written(&self, writers: &PrintfWriters, end: u64) -> bool {
        let mut reader = Reader {
            machine: self.machine,
            data: self.data,
            at: self.at,
            end: end.min(self.end),
            notes: BTreeSet::new(),
        };
        let mut last = self.at;
        if reader.take(8).is_none() {
            return true;
        }
        loop {
            let start = reader.at;
            match reader.argument() {
                // A type precedes its value, and the number of elements those of a vector.
                Some(argument) => last = start + if argument.is_vector { 8 } else { 4 },
                None => break,
            }
        }
        reader.at >= reader.end && writers.item_at(last).is_some()
    }

    /// The next argument of the record: formats have addresses that are not small.
    fn argument(&mut self) -> Option<Argument> {
        let number = usize::try_from(self.peek(4)?).ok()?;
        let (kind, bytes, is_vector) = (*TYPES.get(number)?)?;
        self.take(4)?;
        let count = if is_vector { self.take(4)? } else { 1 };
        let room = self.end.saturating_sub(self.at);
        if count > 16 || count * u64::from(bytes) > room {
            return None;
        }
        let mut values = Vec::new();
        for _ in 0..count {
            let bits = self.take(bytes)?;
            values.push(match kind {
                Kind::Integer => Value::Integer(bits, bytes),
                Kind::Float if bytes == 4 => {
                    let bits = u32::try_from(bits).expect("four bytes were read");
                    Value::Float(f32::from_bits(bits).into())
                }
                Kind::Float => Value::Float(f64::from_bits(bits)),
                Kind::String => Value::String(bits),
                Kind::Pointer => Value::Pointer(bits),
            });
        }
        self.at += count * u64::from(4_u8.saturating_sub(bytes));
        Some(Argument { values, is_vector })
    }

    /// The bytes of a string, without the zero at its end.
    fn string(&self, address: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        while bytes.len() < MAX_STRING {
            let at = address.checked_add(u64::try_from(bytes.len()).ok()?)?;
            let byte = self.machine.load(SpaceId::VIRTUAL, at, 1)?;
            match u8::try_from(byte).expect("a byte was read") {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Some(bytes)
    }

    /// Whether an address is one of data of the program.
    fn is_data(&self, address: u64) -> bool {
        let mut data = self.data.iter();
        data.any(|data| address.wrapping_sub(data.address) < data.bytes())
    }

    fn format(&mut self, format: &[u8], arguments: Vec<Argument>) -> Vec<u8> {
        let mut out = Vec::new();
        let mut arguments = arguments.into_iter();
        for part in conversion::parts(format) {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Percent => out.push(b'%'),
                Part::Unknown(text) => {
                    let shown = String::from_utf8_lossy(text);
                    let help = match text.contains(&b'v') {
                        true => "; a vector needs the length of its elements, such as `%v4hld`",
                        false => "",
                    };
                    self.note(format, &format!("`{shown}` is not a conversion{help}"));
                    out.extend_from_slice(text);
                    arguments.next();
                }
                Part::Conversion(text, conversion) => {
                    let shown = String::from_utf8_lossy(text);
                    let formatted = match arguments.next() {
                        Some(argument) => self.convert(&conversion, &argument),
                        None => Err(String::from("has no argument")),
                    };
                    match formatted {
                        Ok(formatted) => out.extend(formatted),
                        Err(why) => {
                            self.note(format, &format!("`{shown}` {why}"));
                            out.extend_from_slice(text);
                        }
                    }
                }
            }
        }
        if arguments.next().is_some() {
            self.note(format, "there are more arguments than conversions");
        }
        out
    }

    fn convert(&self, conversion: &Conversion, argument: &Argument) -> Result<Vec<u8>, String> {
        let count = argument.values.len();
        let wanted = conversion.elements;
        match (wanted, argument.is_vector) {
            (None, false) => {}
            (Some(wanted), true) if usize::from(wanted) == count => {}
            (Some(wanted), true) => {
                return Err(format!(
                    "takes a vector of {wanted}, found a vector of {count}"
                ));
            }
            (Some(wanted), false) => {
                return Err(format!("takes a vector of {wanted}, found one value"));
            }
            (None, true) => return Err(format!("takes one value, found a vector of {count}")),
        }
        let mut out = Vec::new();
        for (index, value) in argument.values.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend(self.convert_value(conversion, value)?);
        }
        Ok(out)
    }

    fn convert_value(&self, conversion: &Conversion, value: &Value) -> Result<Vec<u8>, String> {
        let text = match (conversion.letter, value) {
            (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', Value::Integer(bits, bytes)) => {
                // A char or short is passed as an int.
                let fits = conversion.bytes() == *bytes
                    || conversion.bytes() < 4 && *bytes == 4 && conversion.elements.is_none();
                if !fits {
                    return Err(format!(
                        "takes {} of {} bits, found {}",
                        if conversion.elements.is_some() {
                            "elements"
                        } else {
                            "an integer"
                        },
                        8 * conversion.bytes(),
                        8 * bytes
                    ));
                }
                number::integer(conversion, *bits)
            }
            (b'c', Value::Integer(bits, _)) => {
                let byte = u8::try_from(bits & 0xff).expect("a byte");
                return Ok(conversion.padded(&[], vec![byte]));
            }
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', Value::Float(value)) => {
                number::float(conversion, *value)
            }
            (b's', Value::String(0)) => return Ok(conversion.padded(&[], b"(null)".to_vec())),
            // The compiler passes an empty string that is not in the section of the strings as a
            // pointer (observed on the compiler of 2022).
            (b's', Value::String(address) | Value::Pointer(address))
                if matches!(value, Value::String(_)) || self.is_data(*address) =>
            {
                let string = self.string(*address);
                let mut string =
                    string.ok_or_else(|| format!("has a string at {address:#x}, not mapped"))?;
                if let Some(precision) = conversion.precision {
                    string.truncate(precision);
                }
                return Ok(conversion.padded(&[], string));
            }
            (b'p', Value::Pointer(address) | Value::String(address)) => {
                return Ok(conversion.padded(&[], format!("{address:#x}").into_bytes()));
            }
            (_, found) => return Err(format!("does not take a {}", found.noun())),
        };
        Ok(text)
    }
}
