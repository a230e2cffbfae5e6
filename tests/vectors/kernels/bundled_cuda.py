#!/usr/bin/env python3
"""Compiles core/kernels/cuda-*.cu with NVRTC and ptxas, lists them with nvdisasm, and writes the programs into
core/scenarios. Keeps the directives of the scenarios. Usage: bundled_cuda.py LIBNVRTC FOLDER_OF_PTXAS"""
import ctypes, os, pathlib, re, subprocess, sys, tempfile

SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "core" / "scenarios"
SOURCES = SCENARIOS.parent / "kernels"
# Scenario and architecture.
KERNELS = [("cuda-histogram", 80), ("cuda-reduction", 80), ("cuda-collatz", 75), ("cuda-product", 50)]


def ptx(nvrtc, name, sm):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [f"--gpu-architecture=compute_{sm}".encode(), b"-lineinfo"]
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), (SOURCES / name).read_bytes(), name.encode(), 0, None, None)
    if nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
        sys.exit(f"{name} does not compile")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    return text.value


def listing(nvrtc, tools, name, sm):
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = (os.path.join(folder, f"program.{end}") for end in ("ptx", "cubin"))
        pathlib.Path(source).write_bytes(ptx(nvrtc, name, sm))
        subprocess.run([f"{tools}/ptxas", "-lineinfo", f"-arch=sm_{sm}", source, "-o", cubin], check=True)
        return subprocess.run([f"{tools}/nvdisasm", "-c", "-g", cubin], check=True, capture_output=True, text=True).stdout


def program(text):
    """The labels, instructions and source lines of a listing, without the padding behind its end."""
    code = text[text.index("\n.text."):].splitlines()[2:]
    lines = [re.sub(r'File ".*/', 'File "', line.strip()) for line in code]
    # Instructions without address, braces and targets.
    lines = [re.sub(r"^/\*\w+\*/[\s{]*(.*?)\s*(\(\*.*\*\))?[\s;}]*$", r"\1;", line) for line in lines]
    end, = (at for at, (label, line) in enumerate(zip(lines, lines[1:])) if line == f"BRA `({label[:-1]});")
    return lines[:end]


nvrtc, tools = ctypes.CDLL(sys.argv[1]), sys.argv[2]
for scenario, sm in KERNELS:
    path = SCENARIOS / f"{scenario}.lanewise"
    head = [line for line in path.read_text().splitlines() if re.match(r"\.[a-z]", line)]
    path.write_text("\n".join(head + program(listing(nvrtc, tools, f"{scenario}.cu", sm))) + "\n")
