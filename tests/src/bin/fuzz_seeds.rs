//! `fuzz_seeds TARGET FOLDER` writes the seeds of a target to files in a folder.
//! Without arguments, prints the names of all targets.

use lanewise_tests::fuzz::{self, TARGETS};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(folder)) = (arguments.next(), arguments.next()) else {
        for target in TARGETS {
            println!("{}", target.name);
        }
        return Ok(());
    };
    let target = fuzz::target(&name).unwrap_or_else(|| panic!("unknown target {name}"));
    std::fs::create_dir_all(&folder)?;
    for (index, seed) in (target.seeds)().into_iter().enumerate() {
        std::fs::write(format!("{folder}/seed-{index:03}"), seed)?;
    }
    Ok(())
}
