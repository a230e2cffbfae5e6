//! Prints the lanes of an instruction.

use lanewise_answer::lanes::LanesTable;
use lanewise_answer::table::aligned;
use lanewise_answer::vector::VectorModel;
use lanewise_core::session::Session;
use std::io::{self, Write};

/// Prints the lanes of the current instruction, if it accesses memory or computes.
pub(crate) fn write_lanes(session: &Session, out: &mut impl Write) -> io::Result<()> {
    let table = LanesTable::of(session);
    let Some((instruction, line)) = &table.heading else {
        return Ok(());
    };
    if !table.lanes.is_empty() {
        writeln!(out, "\nLanes of {instruction}, line {line}")?;
        out.write_all(aligned(&table.export()).as_bytes())?;
        for found in &table.transactions {
            writeln!(out, "{}", found.sentence)?;
        }
    }
    if let Some(model) = VectorModel::of(session) {
        writeln!(out, "\nLanes of {instruction}, {}", model.caption)?;
        for thread in &model.threads {
            if let Some(name) = &thread.name {
                writeln!(out, "{name}")?;
            }
            out.write_all(aligned(&thread.export()).as_bytes())?;
        }
    }
    Ok(())
}
