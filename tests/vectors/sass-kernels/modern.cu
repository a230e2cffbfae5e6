// What compilers write in another way for SM100 and later, or only there.
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned short u16;

extern "C" __global__ void longs(u64 *o, const u64 *a, const u64 *b) {
  __shared__ u64 largest;
  u32 t = threadIdx.x;
  if (t == 0) largest = 0;
  __syncthreads();
  u64 x = a[t], y = b[t];
  u64 *p = o + 12 * t;
  p[0] = x + y;
  p[1] = x - y;
  p[2] = x < y ? x : y;
  p[3] = (s64)x < (s64)y ? x : y;
  p[4] = (s64)x > -9 ? x : (u64)-9;
  p[5] = x < 0x80000000u ? 0x123456789aull : y;
  p[6] = (x >= y) + 2 * ((s64)x >= (s64)y) + 4 * (x == y) + 8 * (x != 0);
  p[7] = -x;
  p[8] = x + 0xffffffff;
  unsigned __int128 sum = (unsigned __int128)x * y + x;
  p[9] = (u64)sum;
  p[10] = (u64)(sum >> 64);
  u64 old = 0, seen;
  do {
    seen = old;
    old = atomicCAS(&largest, seen, seen > x ? seen : x);
  } while (old != seen);
  __syncthreads();
  p[11] = largest;
}

__device__ __noinline__ u32 ackermann(u32 m, u32 n, u32 *calls) {
  ++*calls;
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1, calls);
  return ackermann(m - 1, ackermann(m, n - 1, calls), calls);
}

extern "C" __global__ void deep(u32 *o, const u32 *a) {
  u32 t = threadIdx.x, calls = 0;
  o[2 * t] = ackermann(a[t] % 3, a[t] / 3 % 4, &calls);
  o[2 * t + 1] = calls;
}

#if __CUDA_ARCH__ >= 890
extern "C" __global__ void small_floats(u32 *o, const float *a, const u32 *b) {
  u32 t = threadIdx.x;
  float x = a[2 * t], y = a[2 * t + 1];
  u16 h, g;
  u32 r, q;
  u32 *p = o + 5 * t;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(x), "f"(y));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(g) : "f"(x), "f"(y));
  p[0] = h | g << 16;
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(g) : "f"(x), "f"(y));
  p[1] = g;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r) : "h"(h));
  p[2] = r;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(q) : "h"((u16)(b[t] >> 16)));
  p[3] = q;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(h) : "r"(q));
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(g) : "r"(r));
  p[4] = h | g << 16;
}

extern "C" __global__ void elected(u32 *o) {
  u32 t = threadIdx.x, lane, is;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(lane), "=r"(is));
  o[t] = lane + 256 * is;
}
#endif

#if __CUDA_ARCH__ >= 1000
extern "C" __global__ void float_pairs(u64 *o, const u64 *a, const u64 *b) {
  u32 t = threadIdx.x;
  u64 x = a[t], y = b[t], r;
  u64 *p = o + 5 * t;
  asm("fma.rn.f32x2 %0, %1, %2, %1;" : "=l"(r) : "l"(x), "l"(y));
  p[0] = r;
  asm("add.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  p[1] = r;
  asm("mul.rz.f32x2 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  p[2] = r;
  asm("sub.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  p[3] = r;
  u64 both = (x & 0xffffffff) * 0x100000001ull;
  asm("fma.rn.f32x2 %0, %1, %2, %2;" : "=l"(r) : "l"(both), "l"(y));
  p[4] = r;
}

extern "C" __global__ void smallest(float *o, const float *a) {
  u32 t = threadIdx.x;
  float x = a[t], y = a[t + 1], z = a[t + 2], r;
  asm("min.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(x), "f"(y), "f"(z));
  o[2 * t] = r;
  asm("max.NaN.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(x), "f"(y), "f"(z));
  o[2 * t + 1] = r;
}
#endif
