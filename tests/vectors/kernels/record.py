#!/usr/bin/env python3
"""Compiles the sources of more_launches.jsonl with ocloc, and records what pocl or numpy leaves in the buffers.
Needs intel-opencl-icd, pocl-opencl-icd, pyopencl and numpy, and for the devices in `today` the path of ocloc 26.27 in
OCLOC_TODAY. Usage: record.py [SOURCE…]"""
import hashlib, json, os, pathlib, struct, subprocess, sys, tempfile
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
DEVICES = ["skl", "tgllp", "dg2", "pvc"]
# Sources whose programs are large or alike on all devices.
FEWER = dict(subgroups=["skl", "dg2", "pvc"], widths=["tgllp", "pvc"], divide=["skl", "pvc"], calls=["tgllp", "pvc"],
             convert=["skl", "pvc"], vectors=["tgllp", "pvc"], grids=["tgllp", "pvc"], trees=["skl", "pvc"])
TYPES = dict(char="i1", uchar="u1", short="i2", ushort="u2", half="f2", int="i4", uint="u4",
             float="f4", long="i8", ulong="u8", double="f8")


def lcg(count, seed, dtype):
    """Pseudo-random bits: the high halves of a 64-bit generator."""
    values, state = [], seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        values.append(state >> 32 | (state * 0x9e3779b97f4a7c15 & 0xffffffff) << 32)
    return np.array(values, "u8").astype(dtype.replace("i", "u")).view(dtype)


def filled(ty, length, init):
    dtype = TYPES[ty]
    kind, *rest = init
    if kind == "fill":
        return np.full(length, rest[0]).astype(dtype)
    if kind == "iota":
        return (rest[0] + rest[1] * np.arange(length)).astype(dtype)
    if kind == "lcg":
        return lcg(length, rest[0], dtype)
    if kind == "nonzero":
        values = lcg(length, rest[0], dtype)
        values[values == 0] = 3
        values[values == np.array(-1).astype(dtype)] = 5
        return values
    if kind == "range":
        low, high, seed = rest
        return (low + (high - low) * (lcg(length, seed, "u4").astype("f8") / 2**32)).astype(dtype)
    if kind == "eighths":
        # Multiples of 1/8 from -16 to 16: sums and products are exact in 32 bits.
        return ((lcg(length, rest[0], "u4") >> 24).astype("f8") / 8 - 16).astype(dtype)
    return np.array(rest[0]).astype(dtype)


def buf(ty, length, init=("fill", 0), out=None):
    return dict(kind="buffer", type=ty, data=filled(ty, length, init), out=out)


def num(ty, *values):
    """A number, a vector, or the bytes of a structure."""
    if ty == "bytes":
        return dict(kind="bytes", bytes=values[0])
    return dict(kind="bytes", bytes=np.array(values).astype(TYPES[ty]).tobytes())


def loc(size):
    return dict(kind="local", bytes=size)


CASES = []


def case(source, kernel, glob, local, *args, devices=None, expect=None, options=""):
    CASES.append(dict(source=source, kernel=kernel, glob=glob, local=local, args=args,
                      devices=devices or FEWER.get(source, DEVICES),
                      expect=expect, options=options))


S = lambda x: x.reshape(-1, 16)


def sg_shuffle(args):
    x = S(args[1]["data"])
    l = np.arange(16)
    columns = [x[:, (l * 5 + 3) & 15], x[:, l ^ 6],
               np.hstack([x, x + 1])[:, l + 3],
               np.hstack([x - 1, x])[:, l + 16 - 5]]
    return {0: np.stack(columns, -1).ravel()}


def sg_reduce(args):
    x = S(args[2]["data"])
    f = (x & 255).astype("f4")
    wide = lambda column: np.broadcast_to(column[:, None], x.shape)
    minimum = np.minimum.accumulate(np.hstack([np.full((len(x), 1), 2**31 - 1, "i4"), x]), 1)[:, :16]
    exclusive = np.hstack([np.zeros((len(x), 1), "f4"), f.cumsum(1, dtype="f4")])[:, :16]
    return {0: np.stack([wide(x.sum(1, dtype="i4")), wide(x.max(1)), x.cumsum(1, dtype="i4"), minimum], -1).ravel(),
            1: np.stack([wide(f.sum(1, dtype="f4")), exclusive], -1).ravel()}


def sg_wide(args):
    x = S(args[2]["data"]).astype("i8") * 0x10001
    s = S(args[2]["data"]).astype("i2")
    l = np.arange(16)
    wide = lambda column: np.broadcast_to(column[:, None], x.shape)
    return {0: np.stack([wide(x.sum(1)), x[:, (l + 1) & 15]], -1).ravel(),
            1: np.stack([wide(s.max(1)), s[:, l ^ 9]], -1).ravel()}


def sg_vote(args):
    x = S(args[1]["data"]).astype("i8")
    r = (x > 1000000000).any(1)[:, None] | (x != 7).all(1)[:, None] * 2 | ((x[:, 11] & 255) << 8)[:, None] | (x & 1) * 4
    ids = (np.arange(len(x)) % 2)[:, None]
    return {0: (r | 16 << 16 | ids << 24 | 2 << 28).ravel()}


def sg_block(args):
    x = args[1]["data"]
    g = x.reshape(-1, 2, 16)
    b = g[:, :1] * np.uint32(3) + g[:, 1:]
    return {0: (g + b).ravel(), 2: args[3]["data"] * np.uint16(7)}


I = lambda n, seed, out=None: buf("int", n, ("lcg", seed), out)
O = lambda ty, n, how="exact": buf(ty, n, ("fill", 0), how)
case("subgroups", "sg_shuffle", [64], [32], O("int", 256), I(64, 1), expect=sg_shuffle)
case("subgroups", "sg_reduce", [64], [32], O("int", 256), O("float", 128), I(64, 2), expect=sg_reduce)
case("subgroups", "sg_wide", [64], [32], O("long", 128), O("ushort", 128), I(64, 3), expect=sg_wide)
case("subgroups", "sg_vote", [64], [32], O("uint", 64), I(64, 4), expect=sg_vote)
case("subgroups", "sg_block", [64], [32], O("uint", 64), buf("uint", 64, ("lcg", 5)), O("ushort", 64), buf("ushort", 64, ("lcg", 6)), expect=sg_block)
case("arrays", "small_array", [64], [32], O("int", 64), I(64, 7))
case("arrays", "large_array", [64], [32], O("int", 64), I(64, 8), num("int", 600))
case("arrays", "byte_array", [64], [32], O("uchar", 64), buf("uchar", 64, ("lcg", 9)), num("int", 300))
case("arrays", "table", [64], [32], O("int", 64), O("float", 64), O("uchar", 64), I(64, 10))
case("widths", "chars", [64], [32], O("char", 512), buf("char", 64, ("lcg", 11)), buf("char", 64, ("lcg", 12)))
case("widths", "shorts", [64], [32], O("ushort", 512), buf("ushort", 64, ("lcg", 13)), buf("ushort", 64, ("lcg", 14)))
case("widths", "ints", [64], [32], O("int", 512), I(64, 15), I(64, 16))
case("widths", "longs", [64], [32], O("long", 512), buf("long", 64, ("lcg", 17)), buf("long", 64, ("lcg", 18)))
for i, ty in enumerate(["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]):
    case("divide", f"divide_{ty}", [64], [32], O(ty, 128), O(ty, 128), buf(ty, 64, ("lcg", 20 + i)), buf(ty, 64, ("nonzero", 30 + i)), num(ty, 7))
R = lambda ty, seed, low=-4, high=4, n=64: buf(ty, n, ("range", low, high, seed))
E8 = lambda ty, seed, n=64: buf(ty, n, ("eighths", seed))
FAST, PRECISE = "-cl-fast-relaxed-math", "-cl-fp32-correctly-rounded-divide-sqrt"
for build, options, devices in [("reals", "", ["pvc"]), ("reals-precise", PRECISE, ["skl"]), ("reals-fast", FAST, ["tgllp", "dg2"])]:
    case(build, "float_ops", [64], [32], O("float", 1024), E8("float", 40), E8("float", 41), options=options, devices=devices)
    case(build, "float_math", [64], [32], O("float", 1024, "near"), R("float", 42), R("float", 43), options=options, devices=devices)
    case(build, "native_math", [64], [32], O("float", 512, "near"), R("float", 44), R("float", 45), options=options, devices=devices)
    case(build, "frexp_modf", [64], [32], O("float", 128), O("int", 64), E8("float", 46), options=options, devices=devices)
F64 = ["skl", "pvc"]
case("doubles", "double_ops", [64], [32], O("double", 512), R("double", 50), R("double", 51), devices=F64)
case("doubles", "double_math", [64], [32], O("double", 64, "near"), R("double", 52), R("double", 53), devices=F64)
case("doubles", "double_convert", [64], [32], O("double", 128), O("long", 128), O("float", 64), buf("long", 64, ("lcg", 54)), R("float", 55, -1e5, 1e5), devices=F64)


def half_ops(args):
    x, y = args[1]["data"], args[2]["data"]
    w = lambda v: v.astype("f8")
    return {0: np.stack([x + y, x * y, w(x) * w(y) + w(x), np.maximum(x, y), np.floor(x) - np.rint(y) + 0.0,
                         np.where(x < y, x - y, np.abs(y)), np.trunc(x * np.float16(4)) + 0.0, np.clip(x, -1, 1)], -1).astype("f2").ravel()}


def half_load(args):
    v = args[2]["data"].astype("f4").reshape(-1, 4)
    return {0: v[:, 0] + v[:, 1] * v[:, 2] - v[:, 3], 1: (v[:, 0] * np.float32(3.1)).astype("f2")}


case("halves", "half_ops", [64], [32], O("half", 512), R("half", 56), R("half", 57), expect=half_ops)
case("halves", "half_load", [64], [32], O("float", 64), O("half", 64), E8("half", 58, 256), expect=half_load)
for build, options, devices in [("convert", "", None), ("convert-debug", "-cl-opt-disable", ["dg2"])]:
    case(build, "from_float", [64], [32], O("int", 512), O("uchar", 128), O("short", 128), R("float", 60, -30, 30), options=options, devices=devices)
    case(build, "from_ints", [64], [32], O("char", 256), O("ushort", 128), O("float", 256), O("int", 128), I(64, 61), options=options, devices=devices)
    case(build, "selects", [64], [32], O("int", 256), O("float", 64), I(64, 62), I(64, 63), options=options, devices=devices)
case("vectors", "char4s", [64], [32], O("char", 256), buf("char", 256, ("lcg", 64)), buf("uchar", 256, ("lcg", 65)))
case("vectors", "float4s", [64], [32], O("float", 512), E8("float", 66, 256), num("float", 1, 2, -3, 0.5))
case("vectors", "ushort8s", [32], [16], O("ushort", 256), buf("ushort", 256, ("lcg", 67)))


def threes(args):
    x, c = args[1]["data"].reshape(-1, 3), args[2]["data"].reshape(-1, 3)
    return {0: (x[:, [2, 0, 1]] - c).ravel()}


case("threes", "threes", [64], [32], O("int", 192), I(192, 68), buf("char", 192, ("lcg", 69)), expect=threes)
case("vectors", "wide16", [32], [16], O("float", 512), E8("float", 70, 512), O("long", 64), I(32, 71))
PARAMS = struct.pack("<4f2iBxhif", 1.5, 2.0, -3.0, 0.25, 100, 2, 7, -9, 1234, 0.5) + struct.pack("<4xq", 5 << 32 | 17)
case("vectors", "params", [64], [32], O("float", 128), num("bytes", PARAMS), buf("int", 128, ("iota", 1, 1)), num("uchar", 200), num("long", 3))
case("grids", "grid2", [15, 9], [5, 3], O("uint", 135), num("uint", 15))
case("grids", "grid3", [6, 3, 4], [3, 3, 2], O("uint", 72), O("uint", 4))
case("grids", "transpose", [24, 16], [8, 8], O("int", 384), I(384, 72), num("int", 24), num("int", 16), loc(8 * 9 * 4))
case("grids", "stencil", [24, 12], [6, 4], O("float", 273), E8("float", 73, 273), num("int", 21), num("int", 11))
case("trees", "tree_sum", [256], [64], O("int", 4), I(256, 74), loc(256))
case("trees", "prefix", [256], [128], O("int", 256), I(256, 75))
case("trees", "bitonic", [128], [64], I(128, 76, "exact"))
case("trees", "copies", [128], [64], O("int", 128), I(128, 78))


def group_functions(args):
    x = (args[1]["data"] >> 3).reshape(-1, 64)
    wide = lambda column: np.broadcast_to(column[:, None], x.shape)
    last = wide((x == args[1]["data"][3]).any(1) | (x != 1).all(1) * 2)
    return {0: np.stack([wide(x.sum(1, dtype="i4")), np.maximum.accumulate(x, 1), wide(x[:, 5]), last], -1).ravel()}


case("group_functions", "group_functions", [128], [64], O("int", 512), I(128, 77), expect=group_functions)


def atomic_longs(args):
    x = args[2]["data"].astype("i8") * 0x100001
    s = args[0]["data"].copy()
    s[0] += x.sum(); s[1] -= x.sum(); s[2] = min(s[2], x.min()); s[3] = max(s[3], x.max())
    s[4] = np.bitwise_xor.reduce(np.append(x, s[4])); s[5] += 64; s[6] -= 64
    u = args[1]["data"].copy()
    ux = x.view("u8")
    u[0] = max(u[0], ux.max()); u[1] &= np.bitwise_and.reduce(ux | np.uint64(255)); u[2] |= np.uint64(2**64 - 1)
    return {0: s, 1: u}


def exchange_longs(args):
    last = args[1]["data"].copy()
    last[1] += sum(range(64)) << 32
    pool = np.append(np.arange(64) + 1000, last[0])
    return {0: pool[1:], 1: np.array([pool[0]])}


case("long_atomics", "atomic_longs", [64], [32], buf("long", 8, ("lcg", 80), "exact"), buf("ulong", 4, ("lcg", 81), "exact"), I(64, 82), expect=atomic_longs)
case("long_atomics", "float_sums", [64], [32], O("float", 68), I(64, 83))


def explicit_atomics(args):
    x, out = args[2]["data"], args[0]["data"].copy()
    out[0] += x.sum(dtype="i4"); out[1] = max(out[1], x.max()); out[2] &= np.bitwise_and.reduce(x | 15)
    value = 1
    for _ in range(64):
        value = (value * 2 + 1) & 0xffffffff
    out[3] = np.array([value], "u4").view("i4")[0]
    out[8:72] = x - 1
    return {0: out, 1: np.full(4, 0xffff, "u4")}


case("explicit_atomics", "explicit_atomics", [64], [32], buf("int", 72, ("fill", 1), "exact"), buf("uint", 4, ("fill", 0), "exact"), I(64, 84), expect=explicit_atomics)
case("long_atomics", "local_atomics", [64], [32], O("int", 16), I(64, 85))
case("calls", "call_loop", [64], [32], O("int", 64), buf("uint", 64, ("lcg", 86)))
case("calls", "call_struct", [64], [32], O("float", 128, "near"), R("float", 87, -1.5, 1.5))
case("calls", "call_pointer", [64], [32], O("int", 64), I(64, 88))
case("calls", "early", [64], [32], O("int", 64), I(64, 90), num("int", 50))
case("calls", "state_machine", [64], [32], O("uint", 64), buf("uchar", 64, ("lcg", 91)), num("uint", 150))
case("calls", "dense_switch", [64], [32], O("int", 64), I(64, 92))

case("calls-debug", "call_loop", [64], [32], O("int", 64), buf("uint", 64, ("lcg", 86)), devices=["skl", "pvc"], options="-cl-opt-disable")
case("calls-debug", "call_pointer", [64], [32], O("int", 64), I(64, 88), devices=["skl", "pvc"], options="-cl-opt-disable")

def generic_sum(args):
    x = args[1]["data"]
    s = x & 0xffff
    i = np.arange(64)
    value = np.where(i % 3 == 0, x[:4].sum(dtype="i4"), np.where(i % 3 == 1, s[:4].sum(dtype="i4"), i * 6))
    return {0: value & 0xffffff}


case("generic", "generic_sum", [64], [64], O("int", 64), I(64, 89), expect=generic_sum)
case("negations", "negations", [64], [32], O("int", 1024), O("long", 512),
     buf("short", 64, ("given", np.resize([-32768, -5, 7, 0, 32767], 64))), buf("char", 64, ("given", np.resize([-128, -3, 4, 0, 127], 64))),
     buf("int", 64, ("given", np.resize([-2**31, -9, 11, 0, 2**31 - 1], 64))))
# More than 32 threads: the kernel finds its private memory by the hardware slot of its thread.
case("slots-debug", "slots", [528], [528], O("int", 528), buf("int", 1024, ("lcg", 99)), options="-cl-opt-disable",
     devices=["today/dg2", "today/pvc", "today/bmg", "today/ptl-h", "today/nvl-p", "today/cri"])
# The values have the padding that the payload lacks.
case("paddings", "paddings", [32], [32], O("int", 32), num("bytes", struct.pack("<iiiif12x", 3, 5, 7, 11, 2.5)),
     num("bytes", struct.pack("<qi4x", -4, 100)), devices=["skl", "dg2", "pvc", "today/dg2", "today/bmg"])
case("print", "print", [32], [32], devices=["dg2"], expect="refused")


def activations(args):
    columns = lambda v: np.stack([np.tanh(v.astype("f8")), 1 / (1 + np.exp(-v.astype("f8")))], -1).ravel()
    return {0: columns(args[2]["data"]), 1: columns(args[3]["data"])}


def bf_atomics(args):
    # Bits of a bfloat16 number are the upper half of those of a float.
    value = lambda bits: (bits.astype("u4") << 16).view("f4")
    cells, x = value(args[0]["data"]), value(args[2]["data"])
    columns = x.reshape(-1, 4)
    cells[0:4] += columns.sum(0)
    cells[4:8] -= columns.sum(0)
    cells[8:12] = np.minimum(cells[8:12], columns.min(0))
    cells[12:16] = np.maximum(cells[12:16], columns.max(0))
    before = cells[16:].copy()
    cells[16:] += x
    bits = lambda value: (value.view("u4") >> 16).astype("u2")
    return {0: bits(cells), 1: bits(before)}


XE3P = ["today/cri", "today/nvl-p"]
BF = lambda numbers: ((np.array(numbers, "f4").view("u4") >> 16).astype("u2"))
case("xe3p", "activations", [64], [32], O("float", 128, "near"), O("half", 128), R("float", 93, -8, 8), R("half", 94, -8, 8),
     expect=activations, devices=XE3P, options=FAST)
# All sums are small integers, exact in any order.
case("xe3p", "bf_atomics", [64], [32], buf("ushort", 80, ("given", BF(np.arange(80) % 7 - 3)), "exact"), O("ushort", 64),
     buf("ushort", 64, ("given", BF(np.arange(64) * 5 % 8 - 3))), expect=bf_atomics, devices=XE3P, options=FAST)


def scratch(args):
    x, out = args[1]["data"].astype("i8"), []
    for i in range(64):
        a = [int(x[(i + k) & 63]) * k for k in range(96)]
        at = i
        for k in range(40):
            # C divides toward zero; `at` is never negative.
            j = (a[at % 96] ^ k) & 63
            a[j] += a[(j * 7 + 1) % 96] + k
            at = j
        total = 0
        for value in a:
            total = total * 31 + value
        out.append(total & 0xffffffff)
    return {0: np.array(out, "u4").view("i4")}


def indexed(args):
    x, i = args[2]["data"], np.arange(32)
    return {0: x[i * 8 + (x[i] & 7)], 1: x[(x[i] * 5) & 31]}


def local_sum(args):
    return {0: args[1]["data"].reshape(2, 32).sum(1)}


# Kernels for Xe3P that pocl lacks features for.
case("xe3p_arrays", "scratch", [64], [32], O("int", 64), I(64, 95), expect=scratch, devices=XE3P)
case("xe3p_arrays", "indexed", [32], [32], O("int", 32), O("int", 32), I(256, 96), expect=indexed, devices=XE3P)
case("xe3p_arrays", "local_sum", [64], [32], O("float", 2), E8("float", 97), loc(4), expect=local_sum, devices=XE3P)


def sha256(args):
    data = args[1]["data"].tobytes()
    digests = [hashlib.sha256(data[i:i + i * 3 + (i & 7)]).digest() for i in range(64)]
    return {0: np.frombuffer(b"".join(digests), ">u4").astype("u4")}


case("digest-debug", "sha256", [64], [16], O("uint", 512), buf("uchar", 400, ("lcg", 98)), expect=sha256, options="-g",
     devices=["tgllp", "pvc"])


def compile_all(sources):
    for source in sources:
        devices = sorted({d for c in CASES if c["source"] == source for d in c["devices"]})
        options = "-cl-std=CL2.0 " + next(c["options"] for c in CASES if c["source"] == source)
        for device in devices:
            if device.startswith("today/"):
                compile_today(source, device.removeprefix("today/"), options.replace("CL2.0", "CL3.0"))
                continue
            out = HERE / "zebin" / f"{source}.{device}.bin"
            folder = pathlib.Path(tempfile.gettempdir()) / "zebin"
            subprocess.run(["ocloc", "compile", "-file", str(HERE / f"{source.split('-')[0]}.cl"), "-device", device,
                            "-options", options.strip(), "-internal_options",
                            "-cl-intel-allow-zebin -ze-emit-zebin-visa-sections", "-out_dir", str(folder),
                            "-output", f"{source}.{device}"], check=True, capture_output=True)
            made, = folder.glob(f"{source}.{device}_*.bin")
            made.rename(out)


def compile_today(source, device, options):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.environ["OCLOC_TODAY"], "compile", "-file", str(HERE / f"{source.split('-')[0]}.cl"), "-device", device,
                        "-options", options.strip(), "-internal_options", "-ze-emit-zebin-visa-sections",
                        "-out_dir", folder], check=True, capture_output=True)
        made, = pathlib.Path(folder).glob("*.bin")
        (HERE / "today" / f"{source}.{device}.bin").write_bytes(made.read_bytes())


def run(c):
    import pyopencl as cl
    global context, queue, programs
    if "context" not in globals():
        platform = next(p for p in cl.get_platforms() if "Portable" in p.name)
        context = cl.Context(platform.get_devices())
        queue = cl.CommandQueue(context)
        programs = {}
    name = c["source"].split("-")[0]
    if name not in programs:
        text = (HERE / f"{name}.cl").read_text()
        programs[name] = cl.Program(context, text).build(options=["-cl-std=CL2.0"])
    try:
        kernel = cl.Kernel(programs[name], c["kernel"])
    except cl.Error as error:
        sys.exit(f"{name} {c['kernel']}: {error}")
    buffers = []
    for index, a in enumerate(c["args"]):
        if a["kind"] == "buffer":
            b = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a["data"])
            buffers.append((index, a, b))
            kernel.set_arg(index, b)
        elif a["kind"] == "local":
            kernel.set_arg(index, cl.LocalMemory(a["bytes"]))
        else:
            kernel.set_arg(index, np.frombuffer(a["bytes"], "u1"))
    cl.enqueue_nd_range_kernel(queue, kernel, c["glob"], c["local"]).wait()
    results = {}
    for index, a, b in buffers:
        data = np.empty_like(a["data"])
        cl.enqueue_copy(queue, data, b).wait()
        results[index] = data
    return results


def main():
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")]
    sources = list(dict.fromkeys(c["source"] for c in CASES))
    if "-n" not in sys.argv:
        compile_all([s for s in sources if not wanted or s in wanted])
    with open(HERE / "more_launches.jsonl", "w") as out:
        for c in (c for c in CASES if c["expect"] != "refused"):
            results = c["expect"](c["args"]) if c["expect"] else run(c)
            args, expected = [], []
            for index, a in enumerate(c["args"]):
                if a["kind"] == "buffer":
                    args.append(dict(kind="buffer", type=a["type"], bytes=a["data"].tobytes().hex()))
                    if a["out"]:
                        data = results[index].astype(TYPES[a["type"]])
                        expected.append(dict(arg=index, type=a["type"], compare=a["out"], bytes=data.tobytes().hex()))
                elif a["kind"] == "local":
                    args.append(dict(kind="local", bytes=a["bytes"]))
                else:
                    args.append(dict(kind="bytes", bytes=a["bytes"].hex()))
            json.dump(dict(source=f"{c['source']}.cl", devices=c["devices"], kernel=c["kernel"], global_size=c["glob"],
                           local_size=c["local"], by="numpy" if c["expect"] else "pocl", args=args, expected=expected), out)
            out.write("\n")


main()
