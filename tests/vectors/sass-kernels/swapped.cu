// Pairs of floats whose halves are swapped, and of which one half is negated.
typedef unsigned u32; typedef unsigned long long u64;
#ifdef HOST
struct Pair { float x, y; };
static u64 pack(float x, float y) { Pair p{x, y}; u64 r; memcpy(&r, &p, 8); return r; }
static Pair unpack(u64 v) { Pair p; memcpy(&p, &v, 8); return p; }
static u64 mul(u64 a, u64 b) { Pair p = unpack(a), q = unpack(b); return pack(p.x * q.x, p.y * q.y); }
static u64 add(u64 a, u64 b) { Pair p = unpack(a), q = unpack(b); return pack(p.x + q.x, p.y + q.y); }
static u64 fma(u64 a, u64 b, u64 c) { Pair p = unpack(a), q = unpack(b), r = unpack(c); return pack(fmaf(p.x, q.x, r.x), fmaf(p.y, q.y, r.y)); }
#else
__device__ u64 pack(float x, float y) { u64 r; asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "f"(x), "f"(y)); return r; }
__device__ u64 mul(u64 a, u64 b) { u64 r; asm("mul.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ u64 add(u64 a, u64 b) { u64 r; asm("add.rn.f32x2 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ u64 fma(u64 a, u64 b, u64 c) { u64 r; asm("fma.rn.f32x2 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "l"(b), "l"(c)); return r; }
#endif

extern "C" __global__ void swapped(u64 *o, const float *a, const float *b) {
  u32 t = threadIdx.x;
  float x = a[2 * t], y = a[2 * t + 1], z = b[2 * t], w = b[2 * t + 1];
  u64 xy = pack(x, y), wz = pack(w, z), zn = pack(z, -w), nz = pack(-z, w), sw = pack(w, -z), nw = pack(-w, z);
  u64 *p = o + 8 * t;
  p[0] = mul(xy, wz);
  p[1] = fma(wz, xy, xy);
  p[2] = add(xy, wz);
  p[3] = fma(zn, xy, wz);
  p[4] = fma(nz, xy, xy);
  p[5] = mul(sw, xy);
  p[6] = add(xy, nw);
  p[7] = fma(wz, pack(-w, -z), pack(z, w));
}
