//! Scenarios in which all lanes access one cell.

use std::fmt::Write as _;

/// Scenario of `lanes` lanes on one cell with the initial value `start`.
#[must_use]
pub fn one_cell(
    operation: &str,
    lanes: u32,
    start: &str,
    src0: &str,
    src1: &str,
    dst: &str,
) -> String {
    let ty = match operation {
        float if float.starts_with('f') => "f",
        "minsint" | "maxsint" => "d",
        _ => "ud",
    };
    let (threads, size) = if lanes > 32 {
        (2, 32)
    } else {
        (1, lanes.next_power_of_two())
    };
    let mask = u32::MAX >> (32 - lanes / threads);
    let mut text = format!(
        ".threads {threads}\n.slm 16\n.init slm[0] : {ty} = {start}\n.init em = {mask:#x}\n\
         .decl addr v_type=G type=ud num_elts=32 align=GRF\n"
    );
    for (name, values) in [("src0", src0), ("src1", src1), ("dst", dst)] {
        if values != "V0" {
            writeln!(
                text,
                ".decl {name} v_type=G type={ty} num_elts=32 align=GRF"
            )
            .unwrap();
            for eu in 0..threads {
                // The second EU continues where the first one ends.
                let values = values.replace("FROM", &(1 + eu * 32).to_string());
                writeln!(text, ".init EU{eu}.{name} = {values}").unwrap();
            }
        }
    }
    let name = |name, values: &str| if values == "V0" { "V0" } else { name };
    writeln!(
        text,
        "dword_atomic.{operation} (M1, {size}) %slm addr.0 {} {} {}",
        name("src0", src0),
        name("src1", src1),
        name("dst", dst)
    )
    .unwrap();
    text
}

/// `n` factorial, in decimal.
#[must_use]
pub fn factorial(n: u32) -> String {
    let product = (1..=n).fold(vec![1_u32], |digits, factor| {
        let mut carry = 0;
        let mut next: Vec<u32> = digits
            .iter()
            .map(|digit| {
                carry += digit * factor;
                let low = carry % 10;
                carry /= 10;
                low
            })
            .collect();
        while carry > 0 {
            next.push(carry % 10);
            carry /= 10;
        }
        next
    });
    product.iter().rev().map(u32::to_string).collect()
}
