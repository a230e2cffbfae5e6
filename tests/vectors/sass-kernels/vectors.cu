typedef unsigned u32;
/* Atomics on vectors of floats, halves and bfloat16 (SM90). */
extern "C" __global__ void vectors(float *f, u32 *h, const float *x, const u32 *y) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = x[i + 1];
  u32 v = y[i], w = y[i + 1];
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" :: "l"(f), "f"(a), "f"(b) : "memory");
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(f + 4), "f"(a), "f"(b), "f"(-a), "f"(-b) : "memory");
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" :: "l"(h), "r"(v) : "memory");
  asm volatile("red.global.v2.f16x2.add.noftz [%0], {%1, %2};" :: "l"(h + 2), "r"(v & 0x3c003c00), "r"(w & 0x3c003c00) : "memory");
  asm volatile("red.global.v4.f16x2.min.noftz [%0], {%1, %2, %3, %4};" :: "l"(h + 4), "r"(v), "r"(w), "r"(v ^ 0x80008000), "r"(w ^ 0x80008000) : "memory");
  asm volatile("red.global.v4.bf16x2.max.noftz [%0], {%1, %2, %3, %4};" :: "l"(h + 8), "r"(v), "r"(w), "r"(v ^ 0x80008000), "r"(w ^ 0x80008000) : "memory");
  u32 p, q;
  asm volatile("atom.global.v2.bf16x2.add.noftz {%0, %1}, [%2], {%3, %4};" : "=r"(p), "=r"(q) : "l"(h + 12 + 2 * i), "r"(v), "r"(w) : "memory");
  float c, d, e, g;
  asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};" : "=f"(c), "=f"(d), "=f"(e), "=f"(g) : "l"(f + 8 + 4 * i), "f"(a), "f"(b), "f"(a), "f"(b) : "memory");
  h[12 + 2 * 64 + i] = p + q * 3;
  f[8 + 4 * 64 + i] = c + d + e + g;
}
