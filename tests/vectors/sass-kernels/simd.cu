// Integers and floats in parts of registers, and results that are clamped.

extern "C" __global__ void constants(unsigned *out, const unsigned *x, const unsigned *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = x[i], b = y[i];
    asm("add.f16x2 %0, %1, %2;" : "=r"(out[8 * i]) : "r"(a), "r"(0x3c01c103));
    asm("add.ftz.sat.f16x2 %0, %1, %2;" : "=r"(out[8 * i + 1]) : "r"(a), "r"(0x04010203));
    asm("mul.f16x2 %0, %1, %2;" : "=r"(out[8 * i + 2]) : "r"(a), "r"(0x5a013403));
    asm("mul.ftz.sat.f16x2 %0, %1, %2;" : "=r"(out[8 * i + 3]) : "r"(a), "r"(0x3a01b403));
    asm("{ .reg .b32 t; fma.rn.f16x2 t, %1, %2, %3; mov.b32 %0, t; }" : "=r"(out[8 * i + 4]) : "r"(a), "r"(0x3801c403), "r"(b));
    asm("{ .reg .b32 t; fma.rn.ftz.f16x2 t, %1, %2, %3; mov.b32 %0, t; }" : "=r"(out[8 * i + 5]) : "r"(a), "r"(0x14011403), "r"(b));
    asm("{ .reg .b32 t; neg.f16x2 t, %3; fma.rn.f16x2 t, %1, %2, t; mov.b32 %0, t; }" : "=r"(out[8 * i + 6]) : "r"(a), "r"(0x3c013c03), "r"(b));
    asm("{ .reg .b16 l, h; .reg .b32 t; mov.b32 {l, h}, %1; mov.b32 t, {h, h}; add.f16x2 %0, t, %2; }" : "=r"(out[8 * i + 7]) : "r"(a), "r"(0x41014203));
}

extern "C" __global__ void clamps(int *out, const int *x, const int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a = x[i], b = y[i];
    asm("{ .reg .s16 t; cvt.sat.s16.s32 t, %1; cvt.s32.s16 %0, t; }" : "=r"(out[12 * i]) : "r"(a));
    asm("{ .reg .u16 t; cvt.sat.u16.s32 t, %1; cvt.u32.u16 %0, t; }" : "=r"(out[12 * i + 1]) : "r"(a));
    asm("{ .reg .u16 t; cvt.sat.u16.u32 t, %1; cvt.u32.u16 %0, t; }" : "=r"(out[12 * i + 2]) : "r"(a));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(out[12 * i + 3]) : "r"(a));
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(out[12 * i + 4]) : "r"(a));
    asm("add.sat.s32 %0, %1, %2;" : "=r"(out[12 * i + 5]) : "r"(a), "r"(b));
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(out[12 * i + 6]) : "r"(a), "r"(b));
    asm("mad.hi.sat.s32 %0, %1, %2, %1;" : "=r"(out[12 * i + 7]) : "r"(a), "r"(b));
    asm("mad.hi.s32 %0, %1, %2, %2;" : "=r"(out[12 * i + 8]) : "r"(a), "r"(b));
    asm("mad.hi.u32 %0, %1, %2, %1;" : "=r"(out[12 * i + 9]) : "r"(a), "r"(b));
    asm("{ .reg .b32 l, h; mad.lo.cc.u32 l, %1, %2, %1; madc.hi.cc.u32 h, %1, %2, %2; addc.u32 h, h, 3; xor.b32 %0, h, l; }"
        : "=r"(out[12 * i + 10]) : "r"(a), "r"(b));
    asm("{ .reg .b32 l, h; mad.lo.cc.s32 l, %1, %2, %2; madc.hi.s32 h, %1, %2, %1; sub.s32 %0, h, l; }" : "=r"(out[12 * i + 11]) : "r"(a), "r"(b));
}

#if __CUDA_ARCH__ >= 750
extern "C" __global__ void packs(unsigned *out, const unsigned *x, const unsigned *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = x[i], b = y[i], c = a ^ b << 7;
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(out[6 * i]) : "r"(a), "r"(b));
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(out[6 * i + 1]) : "r"(a), "r"(b));
    asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(out[6 * i + 2]) : "r"(a), "r"(b), "r"(c));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out[6 * i + 3]) : "r"(a), "r"(b), "r"(c));
    asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(out[6 * i + 4]) : "r"(a), "r"(b), "r"(c));
    asm("cvt.pack.sat.u4.s32.b32 %0, %1, %2, %3;" : "=r"(out[6 * i + 5]) : "r"(a), "r"(b), "r"(c));
}
#endif

extern "C" __global__ void bytes(int *out, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i];
    asm("{ .reg .u16 t; cvt.rzi.u8.f32 t, %1; cvt.u32.u16 %0, t; }" : "=r"(out[6 * i]) : "f"(a));
    asm("{ .reg .s16 t; cvt.rni.s8.f32 t, %1; cvt.s32.s16 %0, t; }" : "=r"(out[6 * i + 1]) : "f"(a));
    asm("{ .reg .u16 t; cvt.rpi.u16.f32 t, %1; cvt.u32.u16 %0, t; }" : "=r"(out[6 * i + 2]) : "f"(a));
    asm("{ .reg .s16 t; cvt.rmi.s16.f32 t, %1; cvt.s32.s16 %0, t; }" : "=r"(out[6 * i + 3]) : "f"(a));
    asm("{ .reg .s16 t; cvt.rzi.s8.f32 t, %1; cvt.s32.s16 %0, t; }" : "=r"(out[6 * i + 4]) : "f"(a));
    unsigned p = (unsigned char)a | (unsigned char)(a * 0.5f) << 8 | (unsigned char)(a * 0.25f) << 16 | (unsigned char)(a * 2.0f) << 24;
    out[6 * i + 5] = p;
}

#if __CUDA_ARCH__ >= 860
extern "C" __global__ void signs(unsigned *out, const unsigned *x, const unsigned *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = x[i], b = y[i];
    asm("min.xorsign.abs.f32 %0, %1, %2;" : "=r"(out[6 * i]) : "r"(a), "r"(b));
    asm("max.NaN.xorsign.abs.f32 %0, %1, %2;" : "=r"(out[6 * i + 1]) : "r"(a), "r"(b));
    asm("max.ftz.xorsign.abs.f32 %0, %1, %2;" : "=r"(out[6 * i + 2]) : "r"(a), "r"(b));
    asm("min.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(out[6 * i + 3]) : "r"(a), "r"(b));
    asm("max.NaN.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(out[6 * i + 4]) : "r"(a), "r"(b));
    asm("max.xorsign.abs.bf16x2 %0, %1, %2;" : "=r"(out[6 * i + 5]) : "r"(a), "r"(b));
}
#endif

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void rectified(unsigned *out, const float *x, const unsigned *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i];
    unsigned b = y[i];
    asm("{ .reg .b16 l, h, t; mov.b32 {l, h}, %2; cvt.rn.relu.bf16.f32 t, %1; mov.b32 %0, {t, h}; }" : "=r"(out[4 * i]) : "f"(a), "r"(b));
    asm("{ .reg .b16 l, h, t; mov.b32 {l, h}, %2; cvt.rz.relu.bf16.f32 t, %1; mov.b32 %0, {l, t}; }" : "=r"(out[4 * i + 1]) : "f"(a), "r"(b));
    asm("{ .reg .b16 l, h, t; mov.b32 {l, h}, %2; cvt.rn.relu.f16.f32 t, %1; mov.b32 %0, {l, t}; }" : "=r"(out[4 * i + 2]) : "f"(a), "r"(b));
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(out[4 * i + 3]) : "f"(a), "f"(-a));
}
#endif
