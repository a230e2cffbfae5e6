typedef unsigned u32; typedef unsigned long long u64;
/* Sums of pairs of halves; all values are exact, so the order does not matter. */
extern "C" __global__ void halves(u32 *sums, u32 *old, const u32 *x) {
  __shared__ u32 s[2];
  u32 t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 2) s[t] = 0;
  __syncthreads();
  u32 r, v = x[i];
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" :: "l"(sums + (i & 3)), "r"(v) : "memory");
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(r) : "l"(old + i), "r"(v) : "memory");
  u32 *p = i & 8 ? &s[t & 1] : sums + 4 + (i & 1);
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory");
  __syncthreads();
  if (t < 2) sums[6 + 2 * blockIdx.x + t] = s[t];
}
