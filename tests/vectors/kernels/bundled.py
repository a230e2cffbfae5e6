#!/usr/bin/env python3
"""Compiles core/kernels/kernel-*.cl with ocloc, and writes the programs into core/scenarios. Keeps the
title, note, sizes, buffers and numbers of the scenarios. Usage: bundled.py LANEWISE [OCLOC…]"""
import pathlib, re, subprocess, sys, tempfile

SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "core" / "scenarios"
SOURCES = SCENARIOS.parent / "kernels"
# Scenario, kernel, device.
KERNELS = [("kernel-histogram", "histogram", "bmg"), ("kernel-tiles", "tiled_product", "bmg"),
           ("kernel-fused-pair", "split_i8", "dg2"), ("kernel-endless-lock", "lock", "bmg")]
# Lines that are ours, by their words: of the head, and numbers with a declaration.
HEAD = re.compile(r"\.(title|note|fuel|launch|buffer)\b")
NUMBER = re.compile(r"\.bind \w+ = (-?\d+):(\w+)  // (.+)")


def program(ocloc, lanewise, scenario, kernel, device):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*ocloc, "compile", "-file", SOURCES / f"{scenario}.cl", "-device", device,
                        "-options", "-cl-std=CL2.0 -g", "-internal_options", "-ze-emit-zebin-visa-sections",
                        "-out_dir", folder], check=True)
        file, = pathlib.Path(folder).glob("*.bin")
        return subprocess.run([lanewise, "open", file, "--kernel", kernel], check=True, capture_output=True,
                              text=True).stdout


def scenario_of(own, text):
    """The program of `text` with the lines of `own`, without blank lines and folders."""
    text = re.sub(r'FILE ".*/', 'FILE "', text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    head = [line for line in own.splitlines() if HEAD.match(line)]
    numbers = {match[3]: match[1] for match in map(NUMBER.match, own.splitlines()) if match}
    out = [line for line in lines if line.startswith(".target")] + head
    for line in lines:
        match = NUMBER.match(line)
        if match:
            line = line.replace(f" = {match[1]}:", f" = {numbers[match[3]]}:")
        if not HEAD.match(line) and not line.startswith(("// Proposed", ".target", ".kernel \"")):
            out.append(line)
    return "\n".join(out) + "\n"


lanewise, *ocloc = sys.argv[1:]
for scenario, kernel, device in KERNELS:
    path = SCENARIOS / f"{scenario}.lanewise"
    path.write_text(scenario_of(path.read_text(), program(ocloc or ["ocloc"], lanewise, scenario, kernel, device)))
