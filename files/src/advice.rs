//! Files of compilers without code that Lanewise reads, and how to get such code from them.

/// Options of ocloc with which a program contains its vISA text.
macro_rules! ocloc {
    ($options:literal) => {
        concat!(
            "compile it with `ocloc compile ",
            $options,
            "-device bmg -options -g -internal_options \"-cl-intel-allow-zebin \
             -ze-emit-zebin-visa-sections\" -file FILE`, for your device instead of bmg, and open \
             the .bin file"
        )
    };
}

/// Commands that compile a program for NVIDIA GPUs and list it.
macro_rules! listed {
    ($command:literal) => {
        concat!(
            "compile it with `",
            $command,
            "`, list the cubin with `nvdisasm -c -g FILE.cubin > FILE.sass`, and open the listing"
        )
    };
}

/// First bytes of SPIR-V, in both byte orders.
const SPIRV: [[u8; 4]; 2] = [[0x03, 0x02, 0x23, 0x07], [0x07, 0x23, 0x02, 0x03]];

/// Advice on a binary file.
pub(crate) fn on_bytes(bytes: &[u8]) -> Option<&'static str> {
    let is_spirv = SPIRV.iter().any(|magic| bytes.starts_with(magic));
    is_spirv.then_some(concat!("this is SPIR-V; ", ocloc!("-spirv_input ")))
}

/// Advice on a text file, from its first lines.
pub(crate) fn on_text(head: &str) -> Option<&'static str> {
    let starts = |prefix: &str| head.lines().any(|line| line.starts_with(prefix));
    if starts("//.kernel ") && starts("//.platform ") {
        return Some(
            "this is the native code of Intel's compiler; open the .visaasm file of the same kernel",
        );
    }
    let is_kernel = |line: &str| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words = words.skip_while(|word| !matches!(*word, "kernel" | "__kernel"));
        words.next().is_some() && words.next() == Some("void")
    };
    if head.lines().any(is_kernel) {
        return Some(concat!("this is OpenCL C; ", ocloc!("")));
    }
    let is_ptx = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some(".target") && words.next().is_some_and(|w| w.starts_with("sm_"))
    };
    if head.lines().any(is_ptx) {
        return Some(concat!(
            "this is PTX; ",
            listed!("ptxas -lineinfo -arch=sm_80 -o FILE.cubin FILE.ptx")
        ));
    }
    if head.contains("__global__") {
        return Some(concat!(
            "this is CUDA C++; ",
            listed!("nvcc -cubin -lineinfo -arch=sm_80 -o FILE.cubin FILE.cu")
        ));
    }
    let is_graph = head.trim_start().starts_with("digraph");
    is_graph.then_some(
        "this is a control flow graph of nvdisasm; create a listing, without -cfg and -bbcfg",
    )
}
