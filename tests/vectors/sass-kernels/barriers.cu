typedef unsigned u32;
/* Warps of the first half produce, those of the second consume; each round has a barrier in both directions. */
extern "C" __global__ void pipeline(u32 *o, const u32 *x, u32 rounds) {
  __shared__ u32 s[64];
  u32 t = threadIdx.x, h = t & 63, b = blockIdx.x;
  if (t < 64) {
    for (u32 k = 0; k < rounds; k++) {
      if (k) asm volatile("bar.sync 2, 128;" ::: "memory");
      s[h] = x[(b * rounds + k) * 64 + h] + k;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
  } else {
    u32 sum = 0;
    for (u32 k = 0; k < rounds; k++) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum = sum * 3 + s[63 - h];
      if (k + 1 < rounds) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
    o[b * 64 + h] = sum;
  }
}
/* The numbers of the barrier and of its threads come from registers. */
extern "C" __global__ void numbered(u32 *o, const u32 *x, u32 n) {
  __shared__ u32 s[128];
  u32 t = threadIdx.x, half = t >> 6;
  s[t] = x[blockIdx.x * 128 + t];
  u32 id = half + n, threads = n * 32;
  asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(threads) : "memory");
  u32 v = s[half * 64 + (63 - (t & 63))];
  asm volatile("bar.sync 7, %0;" :: "r"(threads * 2) : "memory");
  o[blockIdx.x * 128 + t] = v * 2 + s[127 - t];
}
