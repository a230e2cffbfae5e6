// Loads and stores of 256 bits.
typedef unsigned u32; typedef unsigned long long u64;
#ifdef HOST
static void load(u64 *v, const u64 *p) { for (u32 i = 0; i < 4; i++) v[i] = p[i]; }
static void store(u64 *p, const u64 *v) { for (u32 i = 0; i < 4; i++) p[i] = v[i]; }
static void load(u32 *v, const u32 *p) { for (u32 i = 0; i < 8; i++) v[i] = p[i]; }
static void store(u32 *p, const u32 *v) { for (u32 i = 0; i < 8; i++) p[i] = v[i]; }
#else
__device__ void load(u64 *v, const u64 *p) { asm volatile("ld.global.v4.b64 {%0, %1, %2, %3}, [%4];" : "=l"(v[0]), "=l"(v[1]), "=l"(v[2]), "=l"(v[3]) : "l"(p)); }
__device__ void store(u64 *p, const u64 *v) { asm volatile("st.global.v4.b64 [%4], {%0, %1, %2, %3};" :: "l"(v[0]), "l"(v[1]), "l"(v[2]), "l"(v[3]), "l"(p) : "memory"); }
__device__ void load(u32 *v, const u32 *p) {
  asm volatile("ld.global.nc.L2::evict_last.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
    : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]), "=r"(v[7]) : "l"(p));
}
__device__ void store(u32 *p, const u32 *v) {
  asm volatile("st.global.v8.b32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7};"
    :: "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]), "r"(v[6]), "r"(v[7]), "l"(p) : "memory");
}
#endif

extern "C" __global__ void wide(u64 *o, const u64 *x, const u32 *y, u32 n) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x;
  u64 v[4]; u32 w[8];
  if (t >= n) return;
  load(v, x + 4 * (n - 1 - t));
  load(w, y + 8 * (t ^ 1));
  for (u32 i = 0; i < 4; i++) v[i] = v[i] * (2 * i + 3) + w[i];
  store(o + 8 * t, v);
  u32 r[8] = {w[7], w[2] + t, 0, w[4] ^ 5, w[6], w[6], (u32)v[1], t};
  store((u32 *)(o + 8 * t + 4), r);
}

/* The lower half of what is stored is 0, and the upper one has no register of its own. */
extern "C" __global__ void halves(u32 *o, const u32 *x) {
  u32 t = threadIdx.x, w[8];
  load(w, x + 8 * t);
  u32 r[8] = {0, 0, 0, 0, w[4], w[5], w[6], w[7]};
  store(o + 16 * t, r);
  for (u32 i = 0; i < 8; i++) r[i] = i < 4 ? w[i] : 0;
  store(o + 16 * t + 8, r);
}

/* Only some words are used: the others have no registers. */
extern "C" __global__ void some(u32 *o, const u32 *x) {
  u32 t = threadIdx.x, w[8];
  load(w, x + 8 * t);
  u32 odd = w[1] + w[3] * 3 + w[5] * 5 + w[7] * 7;
  load(w, x + 8 * (31 - t));
  u32 few = w[2] * 3 ^ w[3] * 5 ^ w[7];
  load(w, x + 8 * (t ^ 5));
  o[3 * t] = odd;
  o[3 * t + 1] = few;
  o[3 * t + 2] = w[6];
}
