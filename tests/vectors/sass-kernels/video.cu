// The video instructions of PTX: bytes, halves and words of registers.
#define ONE(k, name, a, b) asm(name " %0, %1" a ", %2" b ";" : "=r"(out[N * i + k]) : "r"(x), "r"(y))
#define TWO(k, name, d, a, b) asm("{ .reg .u32 t; mov.u32 t, %3; " name " t" d ", %1" a ", %2" b ", %3; mov.u32 %0, t; }" : "=r"(out[N * i + k]) : "r"(x), "r"(y), "r"(z))
#define KERNEL(name) extern "C" __global__ void name(unsigned *out, const unsigned *in) \
    { int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
#define N 12

KERNEL(video_sums)
    ONE(0, "vadd.s32.u32.s32", "", "");
    ONE(1, "vadd.u32.u32.u32", ".b1", ".h1");
    ONE(2, "vadd.s32.s32.s32.sat", ".h0", ".b3");
    TWO(3, "vadd.s32.s32.s32.add", "", "", ".h0");
    TWO(4, "vadd.u32.u32.s32.sat.min", "", ".b0", "");
    TWO(5, "vadd.s32.u32.u32", ".h1", "", ".b1");
    TWO(6, "vadd.s32.s32.s32.sat", ".b2", "", "");
    ONE(7, "vsub.s32.u32.u32", ".b3", ".b2");
    TWO(8, "vsub.s32.s32.s32.max", "", "", "");
    ONE(9, "vsub.u32.s32.s32.sat", "", ".h1");
    TWO(10, "vsub.u32.u32.u32.sat", ".h0", ".b0", ".b1");
    TWO(11, "vsub.s32.u32.s32.sat", ".b1", ".h1", ".h0");
}

KERNEL(video_products)
    TWO(0, "vmad.s32.s32.s32", "", ".h0", ".h1");
    TWO(1, "vmad.u32.u32.u32.shr7", "", ".b1", ".h1");
    TWO(2, "vmad.s32.s32.s32.sat.shr15", "", ".h0", ".h1");
    asm("vmad.u32.u32.u32.po %0, %1.h0, %2.h0, %3;" : "=r"(out[N * i + 3]) : "r"(x), "r"(y), "r"(z));
    asm("vmad.s32.s32.u32 %0, -%1.h0, %2.b0, %3;" : "=r"(out[N * i + 4]) : "r"(x), "r"(y), "r"(z));
    asm("vmad.s32.u32.s32.shr7 %0, %1.b1, %2.h0, -%3;" : "=r"(out[N * i + 5]) : "r"(x), "r"(y), "r"(z));
    asm("vmad.s32.u32.u32.sat %0, %1.h0, -%2.h1, %3;" : "=r"(out[N * i + 6]) : "r"(x), "r"(y), "r"(z));
    TWO(7, "vmad.u32.u32.u32.sat", "", ".h0", ".h1");
    TWO(8, "vabsdiff.s32.s32.s32", ".h0", ".b0", ".h1");
    TWO(9, "vabsdiff.u32.s32.u32.sat", ".b2", "", "");
    TWO(10, "vmax.s32.u32.s32.sat", ".h1", "", ".b2");
    TWO(11, "vmin.u32.s32.s32.sat", ".b0", "", "");
}

KERNEL(video_shifts)
    ONE(0, "vshl.u32.u32.u32.clamp", "", "");
    TWO(1, "vshl.u32.u32.u32.wrap.add", "", "", ".b1");
    ONE(2, "vshr.u32.u32.u32.clamp", ".h1", ".b0");
    TWO(3, "vshr.s32.s32.u32.wrap.add", "", "", "");
    TWO(4, "vshr.s32.s32.u32.clamp.min", "", ".h0", ".b2");
    asm("vshl.u32.u32.u32.sat.clamp %0, %1, 3;" : "=r"(out[N * i + 5]) : "r"(x));
    TWO(6, "vshr.u32.s32.u32.sat.clamp", ".b1", "", ".b0");
    TWO(7, "vshl.s32.s32.u32.wrap.max", "", ".b1", "");
    asm("vshl.s32.s32.u32.sat.wrap %0, %1, 5;" : "=r"(out[N * i + 8]) : "r"(x));
    TWO(9, "vshl.u32.u32.u32.clamp", ".h1", ".b1", ".b0");
    asm("vshr.s32.s32.u32.clamp %0, %1.h1, 9;" : "=r"(out[N * i + 10]) : "r"(x));
    ONE(11, "vshr.s32.s32.u32.clamp", "", "");
}

KERNEL(video_comparisons)
    ONE(0, "vset.u32.u32.lt", "", "");
    ONE(1, "vset.s32.s32.ge", ".b1", ".h1");
    TWO(2, "vset.s32.u32.ne.add", "", "", "");
    TWO(3, "vset.u32.u32.eq.min", "", ".b0", ".b0");
    TWO(4, "vset.u32.u32.gt", ".b2", "", "");
    TWO(5, "vset.u32.s32.ne", ".b0", ".b2", ".b3");
    TWO(6, "vset.u32.s32.lt.max", "", ".h0", ".h0");
    TWO(7, "vset.s32.s32.gt", ".h0", "", "");
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out[N * i + 8]) : "r"(x), "r"(y), "r"(z));
    asm("vabsdiff4.u32.s32.s32 %0, %1, %2, %3;" : "=r"(out[N * i + 9]) : "r"(x), "r"(y), "r"(z));
    asm("vabsdiff4.u32.s32.u32.add %0, %1, %2, %3;" : "=r"(out[N * i + 10]) : "r"(x), "r"(y), "r"(z));
    TWO(11, "vabsdiff4.u32.u32.s32", "", "", "");
}

KERNEL(video_lanes)
    TWO(0, "vadd2.s32.s32.s32", "", "", "");
    TWO(1, "vadd2.s32.u32.s32.sat", "", "", "");
    TWO(2, "vsub2.u32.u32.u32.add", "", "", "");
    TWO(3, "vavrg2.s32.s32.s32", "", "", "");
    TWO(4, "vset2.u32.u32.lt", "", "", "");
    TWO(5, "vabsdiff2.u32.s32.s32", "", "", "");
    TWO(6, "vadd4.u32.u32.u32.sat", "", "", "");
    TWO(7, "vsub4.s32.u32.u32", "", "", "");
    TWO(8, "vmax4.s32.s32.s32.add", "", "", "");
    TWO(9, "vmin4.u32.u32.u32", "", "", "");
    TWO(10, "vset4.s32.s32.ge.add", "", "", "");
    TWO(11, "vadd2.u32.u32.u32.sat", "", "", "");
}
